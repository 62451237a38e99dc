"""EV22: differences between the sides of a comparison besides the learner, and choices by the test results."""

from __future__ import annotations

from collections.abc import Iterator

from ...language.text import Finding, Subject, listed_names, number, one
from ...plans.model import Dataset, Description
from ..case import Case, Place, Traits, equivalence_key
from ..facts import Facts, each_case, each_comparison
from ..rule import advise_for_learner, find_word, rule
from ..wording import (
    admitted_choice,
    bare,
    best_of_runs,
    hardware,
    pretraining,
    samples_used,
    share_a_name,
    stopped_by_test,
    texts,
    trained_before,
)
from .tuning import BUDGET_RATIO

# Steps that change which rows or columns are learned from; scaling and filling in are what a learner may need.
_SELECTING = ("select", "pca", "polynomial", "target-encode", "discretize", "drop")


@rule("EV220", "stopped-on-test", "error", needs=("learner",))
def stopped_on_test(facts: Facts) -> Iterator[Finding]:
    """Early stopping used the test rows.

    ## What it finds
    The rule finds a learner declared with `described as` and `stopped early on test`. The rule also warns if the
    description or the reason of a learner says so ("best epoch on the test set").

    ## Why it matters
    Every epoch is a candidate, and the test score of the best candidate is better than its score on new data.
    Everything that modifies an algorithm must be done before the test data is used (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, because "reviews from our own shop"
    learner net described as "our network", randomised, stopped early on test
    compare net vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, because "reviews from our own shop"
    learner net described as "our network", randomised, stopped early on 10%
    compare net vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    If evalang trains the learners, write `stop early on 10%` in the comparison. All learners then use the same rows for
    early stopping.

    ## When it is fine
    Never.

    ## References
    Salzberg 1997, section 3.3.
    """
    said = {one.name: one for one in texts(facts, "learner") if stopped_by_test(one.text)}
    for case, traits in _used(facts):
        description, text = traits.learner.described, said.get(traits.name)
        clause = description is not None and description.stopped_on_test
        if clause or text is not None:
            words = f' ("{stopped_by_test(text.text)}")' if text is not None and not clause else ""
            yield stopped_on_test.finding(
                f"learner `{traits.name}` was trained until its test score was best{words}, so this score is better "
                "than on new data",
                "stop the training by the score on a part of the training rows, and write `stopped early on 10%` in "
                f"learner `{traits.name}`",
                at=case.at(description.span if description is not None else traits.learner.span),
                level="error" if clause else "warning",
            )


@rule("EV221", "threshold-on-test", "error", each=each_case)
def threshold_on_test(facts: Facts, case: Case) -> Iterator[Finding]:
    """The threshold is chosen on the test rows.

    ## What it finds
    The rule finds `threshold on test`.

    ## Why it matters
    A threshold that is chosen by the test score scores better on the test rows than on new data, like every setting
    that is chosen by the test score (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, positive "bad", because "reviews from our own shop"
    compare decision-tree vs random-forest on reviews using 5x2cv
      measuring f-score, threshold on test for f-score, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, positive "bad", because "reviews from our own shop"
    compare decision-tree vs random-forest on reviews using 5x2cv
      measuring f-score, threshold on 20% for f-score, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    Salzberg 1997, section 3.3.
    """
    chosen = case.comparison.threshold
    if chosen is not None and chosen.where == "test":
        yield threshold_on_test.finding(
            f"the threshold of {listed_names(case.comparison.learners)} is chosen on the test rows, so the test "
            "score is better than on new data",
            "write `threshold on 20%` (of each training set)",
            at=case.at(chosen.span),
        )


@rule("EV222", "unequal-budget", "warning", needs=("learner", "metric"), each=each_comparison)
def unequal_budget(facts: Facts, case: Case) -> Iterator[Finding]:
    """One learner was tuned in a different way, or for far longer, than another learner of the comparison.

    ## What it finds
    - A learner declared with `described as` was tuned by hand or by a search, and another learner was tuned in a
      different way, not tuned, or tuned in a way that the script does not state.
    - Two learners are declared with `described as`, and tuning one of them took at least ten times as long as tuning
      the other (the bound is our own choice, as for EV202).
    - A classification threshold is set for only some learners of a comparison, and the metric depends on it.

    ## Why it matters
    The difference may come from the tuning effort and not from the learner. Adjustments by hand are rarely counted, and
    few experimenters know how many they made (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, because "reviews from our own shop"
    learner old described as "boosted trees", tuned for 2 hours
    learner net described as "our network", randomised, tuned for 3 days
    compare net vs old on reviews using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, because "reviews from our own shop"
    learner old described as "boosted trees", tuned for 1 day
    learner net described as "our network", randomised, tuned for 1 day
    compare net vs old on reviews using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the learner with less effort is used exactly as published. Then add `because "…"` to this
    learner, or write `allow EV222 because "…"`.

    ## References
    The rule is our own choice, based on Salzberg 1997, section 3.3.
    """
    described = [(traits.name, d) for traits in case.learners if (d := traits.learner.described) is not None]
    by_hand = [name for name, description in described if description.by_hand]
    searched = [name for name, description in described if description.tries or description.hours]
    searched += [t.name for t in case.learners if t.learner.grids or t.searches] if by_hand else []
    silent = [t.name for t in case.learners if t.name not in {*searched, *by_hand} and _tunable(t, described)]
    hours = [(description.hours, name) for name, description in described if description.hours]
    said = {t.name: f"{t.name} {t.learner.described.text if t.learner.described else ''}" for t in case.learners}
    named = said or {name: name for name in case.comparison.learners}
    samples = [(samples_used(text), name) for name, text in named.items() if not best_of_runs(text)]
    message, at, help = "", "", "tune both learners in the same way and for about the same time"
    if by_hand and searched:
        at = by_hand[0]
        message = f"{_learners(by_hand)} tuned by hand, but {_learners(searched)} tuned by a search: {_EFFORT}"
    elif len(hours) > 1 and max(hours)[0] >= BUDGET_RATIO * min(hours)[0]:
        at = max(hours)[1]
        ratio = number(max(hours)[0] / min(hours)[0])
        message = f"tuning of learner `{at}` took {ratio} times as long as of learner `{min(hours)[1]}`: {_EFFORT}"
    elif silent and (by_hand or searched):
        at, tuned = silent[0], by_hand or searched
        is_described = facts.learners[at].learner.described is not None
        other = f"the script does not say how learner `{at}` was tuned" if is_described else f"learner `{at}` was not"
        message = f"{_learners(tuned)} tuned{' by hand' * bool(by_hand)}, but {other}: {_EFFORT}"
        help = (
            f"state the tuning of learner `{at}`, such as `tuned with 50 tries`"
            if is_described
            else advise_for_learner(facts.learners[at], "tune … in {…}")
        )
    elif len(kinds := {hardware(d.text) for _, d in described} - {""}) > 1 and any(
        m.needs == "time" for m in case.metrics
    ):
        at = described[0][0]
        computers = listed_names(sorted(kinds))
        message = f"times were measured on different computers ({computers}), which may explain the difference"
        help = "measure both on the same computer"
    elif len(samples) > 1 and max(samples)[0] > min(samples)[0]:
        at, other = max(samples)[1], min(samples)[1]
        message = (
            f"learner `{at}` may give {max(samples)[0]} answers to an item, and learner `{other}` "
            f"{min(samples)[0] or 1}: this alone may explain a difference"
        )
        help = "give both as many answers to each item"
    elif (own := _thresholds(case)) is not None:
        at, rest = own
        help = f"leave out `threshold` in learner `{at}` and write `threshold on 20%` in the comparison"
        message = (
            f"learner `{at}` has a threshold of its own, but {listed_names(rest)} {one(rest, 'has', 'have')} the "
            "default: the threshold alone may explain a difference"
        )
    if message:
        yield unequal_budget.finding(
            message,
            f'{help}, or write `allow EV222 because "…"`',
            at=case.at(case.learner_span(at)),
        )


_EFFORT = "the tuning effort alone may explain a difference"


def _learners(names: list[str]) -> str:
    return f"{one(names, 'learner', 'learners')} {listed_names(names)} {one(names, 'was', 'were')}"


def _tunable(traits: Traits, described: list[tuple[str, Description]]) -> bool:
    """Whether a learner that is not tuned could be: described without a reason, or with parameters and no grid.

    Described tries against a learner without a grid are EV202.
    """
    if traits.learner.because or traits.learner.grids or traits.searches:
        return False
    if traits.learner.described is not None:
        return True
    return traits.budget is not None and not any(description.tries for _, description in described)


def _thresholds(case: Case) -> tuple[str, list[str]] | None:
    """Return a learner whose threshold is set by hand, and those without one, under a metric that depends on it."""
    probable = [traits for traits in case.learners if traits.gives == "probabilities"]  # others are EV007
    own = [traits.name for traits in probable if traits.learner.threshold is not None]
    rest = [traits.name for traits in case.learners if traits.learner.threshold is None]
    if not own or not rest or case.comparison.threshold is not None:
        return None
    return (own[0], rest) if any(metric.needs == "labels" for metric in case.metrics) else None


@rule("EV223", "preparation-differs", "warning", needs=("learner",), each=each_comparison)
def preparation_differs(facts: Facts, case: Case) -> Iterator[Finding]:
    """The learners are trained on different columns.

    ## What it finds
    - Two learners with the same algorithm select or combine columns in different ways. The rule ignores two such
      learners if the only difference is that one of them drops columns.
    - Of two learners with different algorithms, only one drops certain columns, or both use the same step with
      different parameters, such as `select(k = 5)` and `select(k = 20)`.

    The finding is a note if the script seems to compare the columns on purpose: the algorithm is the same, and one of
    the two learners is the `control` or a claim names both. The rule ignores scaling and imputation, because only some
    learners need them.

    ## Why it matters
    The difference may come from the columns and not from the learner, but the report attributes it to the learner.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner ours is select(k = 10) | random-forest because "ten columns, as the clinic measures them"
    compare ours vs random-forest on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner ours is select(k = 10) | random-forest because "ten columns, as the clinic measures them"
    learner theirs is select(k = 10) | decision-tree because "ten columns, as the clinic measures them"
    compare ours vs theirs on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    If you want to compare the preparation, write `allow EV223 because "the selection is what is compared"`.

    ## References
    The rule is our own choice, based on Salzberg 1997, section 3.3.
    """
    fixed = [traits for traits in case.learners if traits.learner.steps and not _tunes_columns(traits)]
    places = [place for place, traits in enumerate(fixed) if _selecting(traits)]
    pairs = (
        (fixed[min(i, j)], fixed[max(i, j)]) for i in places for j in range(len(fixed)) if i != j
    )  # without a selecting learner there is none to look at
    control = case.comparison.control
    compared = ((a, b) for a, b in pairs if control in (None, a.name, b.name))
    found = [(_on_purpose(case, a, b), a, b, what) for a, b in compared if (what := _columns_differ(a, b))]
    if found:
        on_purpose, first, second, what = min(found, key=lambda one: one[0])
        at = first if _selecting(first) else second
        yield preparation_differs.finding(
            f"learners `{first.name}` and `{second.name}` {what}: the columns alone may explain a difference",
            'give both learners the same steps, or write `allow EV223 because "…"` if you want to compare the steps',
            at=case.at(case.learner_span(at.name)),
            level="note" if on_purpose else "warning",
        )


def _on_purpose(case: Case, first: Traits, second: Traits) -> bool:
    """Whether the columns are what is compared: one learner with and without, as the control or in a claim."""
    pair = {first.name, second.name}
    same = equivalence_key(first.learner.steps[-1]) == equivalence_key(second.learner.steps[-1])
    return same and (case.comparison.control in pair or any({c.left, c.right} == pair for c in case.claims))


def _columns_differ(first: Traits, second: Traits) -> str:
    """Return in what the columns of two learners differ; empty where they do not, or each learner has its own way."""
    one, other = _selecting(first), _selecting(second)
    if one == other:
        return ""
    if equivalence_key(first.learner.steps[-1]) == equivalence_key(second.learner.steps[-1]):
        if one.keys() ^ other.keys() == {"drop"}:  # with and without some columns: these are what is compared
            return ""
        if one and other:
            return "are the same algorithm on differently selected columns"
        chosen = first.name if one else second.name
        return f"are the same algorithm, but only `{chosen}` selects or combines columns"
    if one.get("drop") != other.get("drop"):
        return "are trained on different columns because of `drop`"
    shared = [name for name in one if name in other and one[name] != other[name]]
    return f"use `{shared[0]}` with different parameters" if shared else ""


def _tunes_columns(traits: Traits) -> bool:
    """Whether tuning chooses the columns: then each training part has its own."""
    return any(grid.parameter.partition(".")[0] in _SELECTING for grid in traits.learner.grids)


def _selecting(traits: Traits) -> dict[str, object]:
    """Return the steps that select or combine columns, with their parameters."""
    return {step.name: step.parameters for step in traits.learner.steps[:-1] if step.name in _SELECTING}


@rule("EV224", "future-in-tuning", "error", needs=("scheme", "learner"), each=each_case)
def future_in_tuning(facts: Facts, case: Case) -> Iterator[Finding]:
    """The folds for tuning ignore time order.

    ## What it finds
    The rule finds `tune using Kcv` under a forward scheme, with a learner that is tuned.

    ## Why it matters
    Inside each training set, some settings are scored on rows that are earlier than the rows that they were trained on.
    The setting that is best on such folds may not be best for future rows, which the forward scheme tests.

    ## Example
    ```eval,bad
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the prices we forecast"
    learner tree is decision-tree, tune max_depth in {2, 4, 8}
    compare tree vs linear-regression on prices using forward 8 splits, measuring rmse, tune using 5cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset prices from csv "prices.csv", target "close", time "day" as regression because "the prices we forecast"
    learner tree is decision-tree, tune max_depth in {2, 4, 8}
    compare tree vs linear-regression on prices using forward 8 splits, measuring rmse, tune on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if time order does not matter in production. Then you do not need a forward scheme either.

    ## References
    None. The rule is our own choice.
    """
    tuning, scheme = case.comparison.tuning, case.scheme
    tuned = any(traits.learner.grids for traits in case.learners)
    if scheme is not None and scheme.in_time and tuned and tuning is not None and tuning.value.where == "cv":
        yield future_in_tuning.finding(
            f"`tune using {tuning.value.folds}cv` shuffles the rows: settings are also scored on rows that are "
            "earlier than their training rows, unlike in "
            f"`{case.comparison.scheme.text if case.comparison.scheme else ''}`",
            "write `tune on 20%`, which uses the last rows of each training set",
            at=case.at(tuning.span),
        )


@rule("EV225", "pretrained-on-test", "warning", needs=("learner", "dataset"))
def pretrained_on_test(facts: Facts) -> Iterator[Finding]:
    """A model was pretrained on data that contains or may contain the test rows.

    ## What it finds
    The rule finds a learner that is declared `pretrained on` other data. The finding is an error if this data is its
    own test dataset (same name or file), or says that it includes a benchmark. For data from the web the finding is a
    warning, and for other data a note, unless `because` says why the test rows are not in this data. The rule also
    warns if only the description of the learner names such data, or if the reason of a learner says that it was trained
    before on data with a name (OpenML-CC18) that the dataset or its reason has too.

    ## Why it matters
    A model may have memorised test rows that were in its training data (contamination). The test score of this model is
    then better than its score on new data.

    ## Example
    ```eval,bad
    dataset reviews described as 5000 rows, 2 classes, because "reviews from our own shop"
    learner large described as "language model", randomised, pretrained on "a crawl of the web until 2024"
    compare large vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset reviews described as 5000 rows, 2 classes, because "reviews from our own shop"
    learner large described as "language model", randomised, pretrained on "a crawl of the web until 2024"
      because "the reviews were written after 2024 and are not public"
    compare large vs naive-bayes on reviews using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if the rows are newer than the training data or were never public. Write that in `because`.

    ## References
    None. The rule is our own choice.
    """
    for case, traits in _used(facts):
        description, reason = traits.learner.described, traits.learner.because or ""
        if description is None:
            written = [facts.sources[d.span.path].text[d.span.start : d.span.end] for d in case.datasets if d.span.path]
            if trained_before(reason) and any(share_a_name(reason, text) for text in written):
                yield pretrained_on_test.finding(
                    f"the reason of learner `{traits.name}` says that it was trained before on data of the name that "
                    "it is tested on: its score may be better than on new data",
                    f"test learner `{traits.name}` on rows that were not in its training data",
                    at=Place(traits.learner.span, Subject(learners=(traits.name,))),
                )
            continue
        clause, datasets = description.pretrained_on, case.comparison.datasets
        data, includes = pretraining(f"trained on {clause}" if clause else description.text, datasets)
        web, data = bool(data), data or clause or ""
        includes = includes or any(share_a_name(data, d.because or "") for d in case.datasets)
        names = {n: {n, *_named(facts.datasets.get(n))} for n in datasets}
        tested = next((n for n, words in names.items() if bare(data) in map(bare, words)), None)
        at = Place(description.span, Subject(learners=(traits.name,)))
        if not data:
            continue
        if tested is not None or includes:
            which = f"dataset `{tested}`, which it is tested on" if tested is not None else f'"{data}"'
            yield pretrained_on_test.finding(
                f"learner `{traits.name}` was pretrained on {which}: its score is better than on new data",
                f"test learner `{traits.name}` on rows that were not in its training data",
                at=at,
                level="error" if clause else "warning",
            )
        elif not traits.learner.because:
            yield pretrained_on_test.finding(
                f'learner `{traits.name}` was pretrained on "{data}", which may contain test rows '
                f"of {one(datasets, 'dataset', 'datasets')} {listed_names(datasets)}",
                f'add `because "…"` to learner `{traits.name}` and say there why the test rows are not in that data',
                at=at,
                level="warning" if web else "note",
            )


def _named(dataset: Dataset | None) -> set[str]:
    """Return what the source of a dataset may be called."""
    if dataset is None or not dataset.source.locator:
        return set()
    locator = dataset.source.locator
    return {locator, locator.rpartition("/")[2].partition(".")[0]}


@rule("EV226", "one-learner-twice", "error", needs=("learner",), each=each_comparison)
def one_learner_twice(facts: Facts, case: Case) -> Iterator[Finding]:
    """Two learners of a comparison differ only in name.

    ## What it finds
    The rule finds two learners with the same steps and parameters, the same grid and the same calibration.

    ## Why it matters
    Any difference between two equal learners is chance, so a significant result would be a false positive.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner ours is random-forest
    learner theirs is sklearn.ensemble.RandomForestClassifier
    compare ours vs theirs on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner ours is random-forest
    learner theirs is bagged-trees
    compare ours vs theirs on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if you want to check a procedure: at level 0.05, two equal learners should differ significantly
    in 5% of all studies. `simulate` checks this with less work.

    ## References
    None. The rule is our own choice.
    """
    seen: dict[object, str] = {}
    for traits in case.learners:
        x = traits.learner
        if x.described is not None or not x.steps or any(s.kind in ("unknown", "python") for s in x.steps):
            continue
        key = (tuple(equivalence_key(step) for step in x.steps), x.grids, x.calibrate, x.tries, x.threshold)
        first = seen.setdefault(key, traits.name)
        if first != traits.name:
            yield one_learner_twice.finding(
                f"`{first}` and `{traits.name}` are the same learner under two names: any difference is chance",
                f"change or remove `{traits.name}`",
                at=case.at(case.learner_span(traits.name)),
            )
            break


@rule("EV227", "chosen-by-results", "warning", needs=("learner", "dataset"))
def chosen_by_results(facts: Facts) -> Iterator[Finding]:
    """A reason in the script says that something was chosen by its test results.

    ## What it finds
    The rule finds `because "…"` of a dataset, suite, learner, table or comparison, or the description of a learner,
    with words such as "best on the test set", "picked after looking at the results", "the best of thirty prompts" or
    "the sets on which our method wins". The rule accepts a text that also says that the choice was made earlier, or on
    other data such as a validation set. For comparisons on tables of results, EV514 checks the reason.

    ## Why it matters
    A candidate that is chosen by its test score scores better on the test rows than on new data, and its p-value is too
    small. Every candidate that was tried and dropped is an experiment that is not counted (Salzberg 1997, section 3.3).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner shallow is decision-tree(max_depth = 3) because "this depth was best on the test set"
    compare shallow vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner tuned is decision-tree, tune max_depth in {1, 2, 3, 5, 8}
    compare tuned vs naive-bayes on tumours using 5x2cv, tune on 20%, seed 20
    ```

    ## When it is fine
    There is no problem if the choice was made by test results on other data. Name this data in the reason.

    ## References
    Salzberg 1997, section 3.3.
    """
    for said in texts(facts, "dataset", "suite", "learner", "comparison", "results", "predictions"):
        found = admitted_choice(said.text)
        comparison = facts.by_name.get(said.name) if said.kind == "comparison" else None
        judged = comparison is not None and comparison.comparison.data == "results"  # by EV514
        if not found or judged or stopped_by_test(said.text) or best_of_runs(said.text):
            continue
        subject = Subject(said.name) if said.kind == "comparison" else Subject(statement=said.name)
        words = "the text says" if said.described else "its reason says"
        yield chosen_by_results.finding(
            f'{said.kind} `{said.name}` was chosen by its results: {words} "{found}", so its score is better than on '
            "new data",
            "choose by other rows (a validation set, or `tune on 20%`) and say so in the reason",
            at=Place(find_word(facts, said.span, said.word), subject),
        )


def _used(facts: Facts) -> Iterator[tuple[Case, Traits]]:
    """Yield every learner once, with the first comparison that uses it."""
    seen: set[str] = set()
    for case in facts.cases:
        for traits in case.learners:
            if traits.name not in seen:
                seen.add(traits.name)
                yield case, traits
