"""EV2: tuning and leakage."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from ...language.text import (
    NOWHERE,
    Edit,
    Finding,
    Fix,
    Span,
    Subject,
    counted,
    listed,
    listed_names,
    number,
    one,
    percent,
)
from ...plans.model import Dataset, Description, Step
from ..case import Case, Place, Traits
from ..facts import Facts, NotApplicable, each_case, each_comparison
from ..reach import count_rows, count_training_rows, count_tuning_rows
from ..rule import (
    add_clause,
    advise_for_learner,
    find_dataset,
    find_defined_name,
    find_source,
    find_word,
    removal_edit,
    remove_clause,
    replace_words,
    rule,
)
from ..wording import prepared_on_all, texts

if TYPE_CHECKING:
    from ...results.run_result import RunResult

BUDGET_RATIO = 10  # ours: S 3.3 asks for the same effort on both sides and gives no number
TUNING_SHARE = "20%"  # offered in repairs; S 3.5 sets a part of the training set aside and gives no share
FEWEST_TUNING_ROWS = 30  # ours, after S 3.5: with fewer rows settings differ by chance
LARGEST_TUNING_SHARE = 0.5  # ours: more rows to choose a setting than to learn with it
EDGE_SHARE = 0.5  # ours: the best value of most fits is at the edge
FEWEST_VALUES = 3  # with two values both are the edge


@rule("EV201", "tuned-on-test", "error", needs=("learner", "tune"), each=each_case)
def tuned_on_test(facts: Facts, case: Case) -> Iterator[Finding]:
    """A learner is tuned, but no rows are set aside for tuning.

    ## What it finds
    The rule finds a comparison or estimate of a learner with a `tune` grid, without `tune on` or `tune using`. Only the
    test rows are left to choose the best setting.

    ## Why it matters
    A setting that is chosen by its test score scores better on the test rows than on new data. The bias grows with the
    number of settings. Salzberg (1997, section 3.3) counts every setting that was tried as an experiment of its own.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## When it is fine
    A comparison must never choose settings by test scores. `tune on test` (EV208) shows the highest score that any of
    the settings reaches.

    ## References
    Salzberg 1997, sections 3.3 and 3.5, step 4B; Caruana and Niculescu-Mizil 2005, section 3.
    """
    comparison = case.comparison
    if comparison.tuning is not None or case.has_clause("tune"):
        return
    tuned = [traits for traits in case.learners if traits.learner.grids]
    if tuned:
        names = [traits.name for traits in tuned]
        settings = sum(traits.learner.candidates for traits in tuned)
        yield tuned_on_test.finding(
            f"{one(names, 'learner', 'learners')} {listed_names(names)} {one(names, 'is', 'are')} tuned over "
            f"{counted(settings, 'setting')}{' in total' * (len(tuned) > 1)}, but no rows are set aside for tuning: "
            "the best setting would be chosen by its test score",
            f"add `tune on {TUNING_SHARE}` (of each training set)"
            + ("" if case.scheme is not None and case.scheme.in_time else ", or `tune using 5cv`"),
            at=case.at(case.learner_span(names[0])),
            fix=add_clause(facts, comparison.span, f"tune on {TUNING_SHARE}"),
        )


@rule("EV202", "unequal-tuning", "warning", needs=("learner",), each=each_comparison)
def unequal_tuning(facts: Facts, case: Case) -> Iterator[Finding]:
    """One learner is tuned with far more effort than another learner of the comparison.

    ## What it finds
    A tuned learner is compared with a learner that is not tuned. A learner is tuned if it has a `tune` grid, or if it
    searches inside its fit (`LassoCV`). The rule also finds two grids of which one has at least ten times as many
    settings as the other (the bound is our own choice; a grid with `try N` counts as N settings). The rule ignores
    baselines and learners without parameters to tune, such as naive-bayes.

    ## Why it matters
    The difference may come from the tuning effort and not from the learner. Salzberg (1997, section 3.3) counts every
    setting that was tried as an experiment of its own.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs random-forest on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    learner forest is random-forest, tune max_features in {1, 2, 4, 8}
    compare pruned vs forest on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## When it is fine
    If the learner that is not tuned is a published method, used exactly as published, write `allow EV202 because "…"`.

    ## References
    The rule is our own choice, based on Salzberg 1997, section 3.3.
    """
    if len(case.learners) < 2:
        return
    budgets = [(traits.learner.candidates, traits) for traits in case.learners if traits.budget is not None]
    if len(budgets) < 2:
        return
    most, least = max(budgets, key=_effort), min(budgets, key=_effort)
    tuned = [traits for tries, traits in budgets if traits.learner.grids or (traits.learner.described and tries > 1)]
    searching = [traits for _, traits in budgets if traits.searches]
    untuned = [traits.name for _, traits in budgets if traits not in tuned and not traits.searches]
    at = most[1].name
    if untuned and (tuned or searching):
        at = at if tuned else searching[0].name
        how = f"over {counted(most[0], 'setting')}" if tuned else "inside each fit"
        message = (
            f"learner `{at}` is tuned {how}, but {one(untuned, 'learner', 'learners')} {listed_names(untuned)} "
            f"{one(untuned, 'is', 'are')} not tuned: the tuning alone may explain a difference"
        )
        learners = [facts.learners[name] for name in untuned]
        tries = f"tuned with {most[0]} tries"
        ways = [advise_for_learner(x, tries if x.learner.described else "tune … in {…}") for x in learners]
        help = (
            f"{' and '.join(ways)}, with about as many settings, or write "
            f'`allow EV202 because "…"` if {one(untuned, "it is", "they are")} used as published'
        )
    elif most[0] >= BUDGET_RATIO * least[0] and not searching:
        message = (
            f"learner `{at}` is tuned over {counted(most[0], 'setting')}, {most[0] // least[0]} times as many as "
            f"learner `{least[1].name}` ({least[0]:,}): the tuning alone may explain a difference"
        )
        help = (
            f"give both learners about as many settings: `try {least[0]}` in learner `{at}` draws {least[0]} "
            "settings from its grid"
        )
    else:
        return
    yield unequal_tuning.finding(message, help, at=case.at(case.learner_span(at)))


def _effort(budget: tuple[int, Traits]) -> int:
    return budget[0]


@rule(
    "EV203", "tuning-set-size", "warning", stage=("design", "data"), needs=("scheme", "learner", "dataset"),
    each=each_case,
)  # fmt: skip
def tuning_set_size(facts: Facts, case: Case) -> Iterator[Finding]:
    """The tuning part is too small to compare settings, or leaves too few rows for training.

    ## What it finds
    The rule finds a learner that is tuned on fewer than 30 rows, or on more than half of the training set (both bounds
    are our own choice). `lint` alone finds fewer than 30 rows if the number of rows is known without the data (`tune on
    5 rows`, bundled data, or `described as`). In other cases `lint --data` finds them.

    ## Why it matters
    With ten tuning rows, one row changes the accuracy by ten points, so the best setting is mostly chance. With too
    many tuning rows, too few rows are left to train the settings.

    ## Example
    ```eval,bad
    dataset wines from builtin "wine" because "a small dataset with three classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on wines using 5x2cv, tune on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset wines from builtin "wine" because "a small dataset with three classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on wines using 5x2cv, tune on 40%, seed 20
    ```

    ## When it is fine
    There is no problem if the settings differ so much that fewer rows are enough.

    ## References
    The rule is our own choice, based on Salzberg 1997, section 3.5.
    """
    comparison = case.comparison
    settings = max((_settings(traits) for traits in case.learners), default=1)
    if comparison.tuning is None or comparison.scheme is None or comparison.data != "datasets" or settings < 2:
        return
    for name in comparison.datasets:
        known = count_rows(facts, name)
        part = comparison.tuning.value.part
        rows = count_tuning_rows(case, known) if known is not None else part.rows if part is not None else None
        training = count_training_rows(comparison.scheme, known) if known is not None else math.inf
        if rows is None:
            continue
        opened, in_part = facts.profile(name) is not None, comparison.tuning.value.where == "part"
        few = rows < FEWEST_TUNING_ROWS and (opened or in_part)
        if few or (opened and in_part and rows > LARGEST_TUNING_SHARE * training):
            yield tuning_set_size.finding(
                f"{counted(settings, 'setting')} are compared on only {counted(int(rows), 'tuning row')} of dataset "
                f"`{name}`: which one is best is mostly chance"
                if few
                else f"{int(rows)} of {int(training)} training rows of dataset `{name}` are tuning rows: less than "
                "half are left to train the settings",
                _larger(case, training) if few else "write `tune on 20%`",
                at=case.at(comparison.tuning.span, "tune", dataset=name),
                stage="data" if opened else "design",
            )


def _settings(traits: Traits) -> int:
    """Return how many settings of a learner are compared; 1 where nothing is tuned."""
    if traits.learner.described is not None:
        return traits.learner.described.tries or 1
    return traits.learner.candidates if traits.learner.grids else 1


def _larger(case: Case, training: float) -> str:
    """Return advice to use as many inner folds as leave enough rows in each; in time, a larger part."""
    if case.scheme is not None and case.scheme.in_time and training >= 2 * FEWEST_TUNING_ROWS:
        return f"write `tune on {FEWEST_TUNING_ROWS} rows`, or more"
    folds = int(min(5, training // FEWEST_TUNING_ROWS))
    if folds < 2:
        return 'use more rows, or set the value yourself and give its source in `because "…"`'
    return f"write `tune using {folds}cv`, which scores each setting on all training rows"


@rule("EV204", "hand-set", "note", needs=("learner",))
def hand_set(facts: Facts) -> Iterator[Finding]:
    """A parameter is set to a fixed value without a reason.

    ## What it finds
    The rule finds a learner with parameters in brackets and without `because`.

    ## Why it matters
    The value may come from trial and error on the same data. Each try is an experiment that is not counted, so the
    final test has more false positives than its level says (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner shallow is decision-tree(max_depth = 3)
    compare shallow vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner shallow is decision-tree(max_depth = 3) because "the depth of the earlier study"
    compare shallow vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the value has a source, such as a paper, a default or a hardware limit. Name the source in
    `because`.

    ## References
    Salzberg 1997, section 3.3.
    """
    for traits in facts.learners.values():
        learner = traits.learner
        if learner.because or learner.included or not learner.used:
            continue
        fixed = [f"`{name} = {_shown(value)}`" for step in learner.steps for name, value in step.parameters]
        if fixed:
            span = next(step.span for step in learner.steps if step.parameters)
            yield hand_set.finding(
                f"learner `{learner.name}` sets {listed(fixed)} without a reason: readers may suspect trial and error "
                "on the test data",
                f'add `because "…"` with the source of the {one(fixed, "value", "values")} to learner '
                f"`{learner.name}`, or tune {one(fixed, 'it', 'them')}",
                at=Place(span, Subject(learners=(learner.name,))),
            )


def _shown(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


@rule("EV205", "prepared-before-split", "error", stage=("design", "data"), needs=("dataset",))
def prepared_before_split(facts: Facts) -> Iterator[Finding]:
    """A preparation step is fitted on the whole dataset, test rows included.

    ## What it finds
    The rule finds `prepared by` on a dataset, which scales, selects or combines columns on all rows. The rule also
    finds preparation outside evalang: `prepared by "SMOTE"`, and `oversampled before splitting`, which puts copies of
    test rows into the training set. The rule warns if only a reason or a description says so ("features selected on all
    rows", "augmented images"), or the name of a file (`loans_smote.csv`). With the data, the rule also warns if at
    least 10% of the rows of a class lie on a line between two other rows, as SMOTE makes them (the bound is our own
    choice).

    ## Why it matters
    Information from the test rows leaks into the training. For example, if ten of 10,000 columns are selected by their
    correlation with the target on all rows, learners get good scores even on pure noise.

    ## Example
    ```eval,bad
    dataset genes from csv "genes.csv", target "tumour", prepared by scale, select(k = 10), because "our own gene data"
    learner tree is decision-tree
    learner forest is random-forest
    compare tree vs forest on genes using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset genes from csv "genes.csv", target "tumour", because "our own gene data"
    learner tree is scale | select(k = 10) | decision-tree because "ten columns, as the clinic measures them"
    learner forest is scale | select(k = 10) | random-forest because "ten columns, as the clinic measures them"
    compare tree vs forest on genes using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the step learns nothing from the rows, such as `log`. You can still put such a step in front
    of the learner (`log | svm`), with the same effect.

    ## References
    Salzberg 1997, section 3.3.
    """
    declared = [dataset for dataset in facts.plan.datasets if dataset.prepared_by and dataset.used]
    repaired: set[tuple[Step, ...]] = set()
    for dataset in declared:
        steps = [step.name for step in dataset.prepared_by]
        first, last = dataset.prepared_by[0].span, dataset.prepared_by[-1].span
        alike = [other for other in declared if other.prepared_by == dataset.prepared_by]
        source = find_source(facts, first)
        written = [source.cut(step.span) for step in dataset.prepared_by] if source else steps
        elsewhere = any(step.kind == "described" for step in dataset.prepared_by)
        done = "used" if elsewhere else f"{one(steps, 'is', 'are')} fitted on"
        yield prepared_before_split.finding(
            f"{one(steps, 'step', 'steps')} {listed_names(steps)} {done} all rows of dataset `{dataset.name}`: "
            "information from the test rows leaks into the training",
            "use the original rows, and apply the step only to the rows of each training set"
            if elsewhere
            else f"put the {one(steps, 'step', 'steps')} in front of the learners instead: `{' | '.join(written)} | …`",
            at=Place(Span(first.path, first.start, last.end), Subject(dataset=dataset.name)),
            fix=_into_learners(facts, alike) if dataset.prepared_by not in repaired else None,
        )
        repaired.add(dataset.prepared_by)
    for said in texts(facts, "dataset", "learner"):
        found = prepared_on_all(said.text, rows=said.kind == "dataset")
        if found and said.name not in {dataset.name for dataset in declared}:
            yield prepared_before_split.finding(
                f'the {"description" if said.described else "reason"} of {said.kind} `{said.name}` says "{found}": if '
                "that used all rows, information from the test rows leaks into the training",
                'apply the step only to the rows of each training set, and say so ("on each training set")',
                at=Place(find_word(facts, said.span, said.word), Subject(statement=said.name)),
                level="warning",
            )
    named = {dataset.name for dataset in declared}
    for case in facts.cases:
        for dataset in case.datasets:
            if dataset.name not in named and (found := _generated(facts, dataset)):
                named.add(dataset.name)
                yield prepared_before_split.finding(
                    f"{found}: rows made of a test row may be in the training set",
                    f"use the original rows of dataset `{dataset.name}`, and generate rows for each training set only",
                    at=case.at(find_dataset(facts, case.comparison, dataset.name), dataset=dataset.name),
                    level="warning",
                    stage="design" if facts.profile(dataset.name) is None else "data",
                )


def _generated(facts: Facts, dataset: Dataset) -> str:
    """Return a sentence about rows that were generated, by the data or the name of the file; empty without any."""
    profile, file = facts.profile(dataset.name), PurePath(dataset.source.locator).stem
    if profile is not None and profile.generated[0]:
        label, share = profile.generated
        lie = f'{percent(share)} of the rows of class "{label}" lie on a line between two others, as SMOTE makes them'
        return f"in dataset `{dataset.name}`, {lie}"
    found = prepared_on_all(re.sub(r"[\W_]+", " ", file), rows=True) if dataset.source.kind != "described" else ""
    return f'the file of dataset `{dataset.name}` is named "{found}"' if found else ""


def _into_learners(facts: Facts, prepared: list[Dataset]) -> Fix | None:
    """Return the repair that moves the steps of datasets in front of the learners that use them.

    Only when every such learner has a statement of its own and meets no data that is prepared otherwise: nothing else
    may change by it.
    """
    names = {dataset.name for dataset in prepared}
    users = [case for case in facts.cases if not names.isdisjoint(case.comparison.datasets)]
    learners = {traits.name: traits.learner for case in users for traits in case.learners}
    if any(step.kind == "described" for dataset in prepared for step in dataset.prepared_by):
        return None
    if not learners or any(x.implicit or x.included or not x.steps for x in learners.values()):
        return None
    met = {
        name
        for case in facts.cases
        if any(traits.name in learners for traits in case.learners)
        for name in case.comparison.datasets
    }
    if not met <= names:
        return None
    edits: list[Edit] = []
    text = ""
    for dataset in prepared:
        source = find_source(facts, dataset.span)
        clause = find_word(facts, dataset.span, "prepared")
        if source is None or clause == find_defined_name(facts, dataset.span):
            return None
        text = " | ".join(source.cut(step.span) for step in dataset.prepared_by) + " | "
        whole = Span(clause.path, clause.start, dataset.prepared_by[-1].span.end)
        taken = remove_clause(facts, "", dataset.span, whole)
        edits += taken.edits if taken else (removal_edit(source, whole),)
    for learner in learners.values():
        at = learner.steps[0].span
        edits.append(Edit(Span(at.path, at.start, at.start), text))
    return Fix(title="move the steps into the learners", edits=tuple(edits), safe=True)


@rule("EV206", "no-retrain", "warning", needs=("learner", "tune"))
def no_retrain(facts: Facts) -> Iterator[Finding]:
    """The best setting is not retrained on the whole training set.

    ## What it finds
    The rule finds `without retraining` in a comparison with a tuned learner. The rule ignores `calibrate on tuning`,
    which makes retraining impossible.

    ## Why it matters
    The tuned learner is trained on fewer rows than an untuned learner, and on fewer rows than in production. The score
    of the tuned learner is therefore too low. Salzberg's procedure retrains the learner (1997, section 3.5, step 4C).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on tumours using 5x2cv, tune on 20%, without retraining, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if a second training is too expensive, and no learner is retrained.

    ## References
    Salzberg 1997, section 3.5, step 4C.
    """
    asked = [case for case in facts.cases if case.comparison.without_retraining]
    for case in asked:
        comparison = case.comparison
        if comparison.calibration is not None and comparison.calibration.where == "tuning":
            continue
        tuned = [traits.name for traits in case.learners if traits.learner.grids]
        if not tuned or comparison.tuning is None:
            continue
        part = comparison.tuning.value.part
        share = f"the {part.fraction:.0%} of " if part is not None and part.fraction is not None else ""
        yield no_retrain.finding(
            f"{one(tuned, 'learner', 'learners')} {listed_names(tuned)} {one(tuned, 'is', 'are')} not trained on "
            f"{share}the training rows that are used for tuning, so {one(tuned, 'its score is', 'their scores are')} "
            "worse than with all training rows",
            "leave out `without retraining`: the best setting is then trained on the whole training set",
            at=case.at("retraining"),
            fix=remove_clause(
                facts, "leave out `without retraining`", comparison.span, comparison.span_of("retraining")
            ),
        )


@rule("EV207", "edge-of-grid", "warning", stage="run")
def edge_of_grid(facts: Facts) -> Iterator[Finding]:
    """The best setting is at the edge of the grid.

    ## What it finds
    After the run, the rule finds a tuned parameter whose best value was the smallest or the largest value of its grid
    in more than half of the fits. The bound is our own choice. The rule checks grids of three or more values.

    ## Why it matters
    A better value may lie outside the grid. The learner was then not tested at its best, while other learners may have
    been.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner near is scale | knn, tune n_neighbors in {1, 3, 5}
    compare near vs naive-bayes on tumours using 10x10cv, tune on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner near is scale | knn, tune n_neighbors in {1, 3, 5, 9, 15, 25}
    compare near vs naive-bayes on tumours using 10x10cv, tune on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if the edge is a natural limit, such as no penalty or one neighbour.

    ## References
    None. The rule is our own choice.
    """
    assert facts.run is not None
    picked = _picked(facts.run)
    if not picked:
        raise NotApplicable("nothing was tuned")
    several = len({comparison for comparison, *_ in picked}) > 1
    for (comparison, dataset, learner, parameter), picks in picked.items():
        values = _tried(facts, learner, parameter)
        if len(values) < FEWEST_VALUES:
            continue
        where = f"`{dataset}` (`{comparison}`)" if several else f"`{dataset}`"
        for edge, word, side in ((min(values), "smallest", "below"), (max(values), "largest", "above")):
            share = sum(pick == edge for pick in picks) / len(picks)
            if share > EDGE_SHARE:
                yield edge_of_grid.finding(
                    f"in {percent(share, 0)} of the fits on dataset {where}, the best `{parameter}` of learner "
                    f"`{learner}` was the {word} of its grid ({number(edge)}): a better value may be outside",
                    f"add values {side} {number(edge)} to the grid of learner `{learner}`",
                    at=Place(
                        _grid_span(facts, learner, parameter),
                        Subject(comparison, dataset, learners=(learner,), statement=learner),
                    ),
                )


def _picked(run: RunResult) -> dict[tuple[str, str, str, str], list[float]]:
    """Return the numeric values that tuning chose for each parameter, once per fit and metric."""
    found: dict[tuple[str, str, str, str], list[float]] = {}
    for tried in run.candidates:
        for parameter, value in tried.setting if tried.chosen else ():
            if isinstance(value, int | float) and not isinstance(value, bool):
                found.setdefault((tried.comparison, tried.dataset, tried.learner, parameter), []).append(float(value))
    return found


def _tried(facts: Facts, learner: str, parameter: str) -> list[float]:
    traits = facts.learners.get(learner)
    grids = traits.learner.grids if traits is not None else ()
    return [
        float(value)
        for grid in grids
        if grid.parameter == parameter
        for value in grid.values
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]


def _grid_span(facts: Facts, learner: str, parameter: str) -> Span:
    traits = facts.learners.get(learner)
    if traits is None:
        return NOWHERE
    for grid in traits.learner.grids:
        if grid.parameter == parameter and grid.span.path:
            return grid.span
    return find_word(facts, traits.learner.span, "tune")


@rule("EV208", "best-of-test", "error", needs=("tune",))
def best_of_test(facts: Facts) -> Iterator[Finding]:
    """The best setting is chosen by its score on the test rows.

    ## What it finds
    The rule finds `tune on test`.

    ## Why it matters
    A setting that is chosen by its test score scores better on the test rows than on new data. Caruana and
    Niculescu-Mizil (2005, section 3) report such scores in a separate column, OPT.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on tumours using 5x2cv, tune on test, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner pruned is decision-tree, tune ccp_alpha in {0.0001, 0.001, 0.01, 0.1}
    compare pruned vs naive-bayes on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if you only want to show the highest score that tuning could reach. Label this score as such and
    report the unbiased score too.

    ## References
    Caruana and Niculescu-Mizil 2005, section 3 (the OPT column).
    """
    if not facts.cases:
        raise NotApplicable("nothing is compared or estimated")
    for case in facts.cases:
        comparison = case.comparison
        if comparison.tuning is None or comparison.tuning.value.where != "test":
            continue
        tuned = [traits for traits in case.learners if traits.learner.grids]
        settings = sum(traits.learner.candidates for traits in tuned)
        best = f"the best of {counted(settings, 'setting')}" if settings else "the best setting"
        span = comparison.tuning.span
        yield best_of_test.finding(
            f"{best} is chosen by its score on the test rows, so the reported score is better than on new data",
            f"write `tune on {TUNING_SHARE}` (of each training set), or `tune using 5cv`",
            at=case.at(span),
            fix=replace_words(f"tune on {TUNING_SHARE} of each training set", span, f"tune on {TUNING_SHARE}"),
        )


def _says_tuned(description: Description | None) -> bool:
    return description is not None and bool(description.tries or description.hours or description.by_hand)


@rule("EV209", "nothing-to-tune", "warning", needs=("learner", "tune"), each=each_case)
def nothing_to_tune(facts: Facts, case: Case) -> Iterator[Finding]:
    """Rows are set aside for tuning, but no learner is tuned.

    ## What it finds
    The rule finds `tune on` or `tune using` in a comparison or estimate in which no learner has a `tune` grid, and no
    learner declared with `described as` says that it was tuned. The rule ignores comparisons with `calibrate on tuning`
    or `threshold on tuning`, which use these rows.

    ## Why it matters
    The clause does nothing. Readers may believe that the learners were tuned, but the learners were trained with fixed
    parameters.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs random-forest on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner tree is decision-tree, tune max_depth in {2, 4, 8, 16}
    learner forest is random-forest, tune max_features in {1, 2, 4, 8}
    compare tree vs forest on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## When it is fine
    Never. Remove the clause if the learners should not be tuned.

    ## References
    None. The rule is our own choice.
    """
    comparison = case.comparison
    chosen = (comparison.calibration, comparison.threshold)
    if comparison.tuning is None or any(part is not None and part.where == "tuning" for part in chosen):
        return
    if not case.learners or any(t.learner.grids or _says_tuned(t.learner.described) for t in case.learners):
        return
    described = any(t.learner.described is not None for t in case.learners)
    span = comparison.tuning.span
    source = find_source(facts, span)
    given = comparison.tuning.value.where == "given"
    text = "tuned on" if given else source.cut(span) if source is not None else "tune on"
    none = f"{one(comparison.learners, 'learner', 'none of the learners')} {listed_names(comparison.learners)}"
    yield nothing_to_tune.finding(
        f"`{text}` says that rows were kept for tuning, but {none} {one(comparison.learners, 'does not say', 'says')} "
        "that it was tuned"
        if described
        else f"`{text}` does nothing: {none} has {one(comparison.learners, 'no', 'a')} `tune` clause",
        "add to each learner that was tuned how many settings were tried, such as `tuned with 50 tries`; if none was "
        f"tuned, leave out `{text}`"
        if described
        else f"add `tune … in {{…}}` to a learner, or leave out `{text}`",
        at=case.at(find_word(facts, span, "tuned") if given else span),
        fix=None if described or given else remove_clause(facts, f"leave out `{text}`", comparison.span, span),
    )
