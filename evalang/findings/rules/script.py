"""EV0: the script itself. Findings of the parser and of the plan builder have their pages here."""

from __future__ import annotations

from collections.abc import Iterator

from ...language.text import Finding, Subject, listed_names, one
from ...plans.model import Dataset, Learner, Plan, PredictionsTable, ResultsTable, Suite
from ..case import Case, Place
from ..facts import Facts, NotApplicable, each_case
from ..rule import find_defined_name, rule

_NEEDS = {  # what the dataset must have, and how to write it
    "time": ("a time column", 'time "day"'),
    "folds": ("a column of folds", 'folds "fold"'),
    "tested_on": ("a separate test set", 'tested on csv "test.csv"'),
}


@rule("EV001", "syntax", "error")
def syntax(facts: Facts) -> Iterator[Finding]:
    """A statement cannot be parsed.

    ## What it finds
    The rule finds a misspelt word, a repeated clause or a missing part. The message names what was expected at that
    position. All other statements are still read.

    ## Why it matters
    A statement that cannot be parsed cannot be run, and other rules cannot check it.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree versus naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never. Nothing is run until the script can be parsed.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV002", "unknown-name", "error")
def unknown_name(facts: Facts) -> Iterator[Finding]:
    """A name is not defined.

    ## What it finds
    The rule finds a dataset, learner, test, metric or comparison whose name is neither defined in the script nor known
    to evalang. The help suggests the most similar name.

    ## Why it matters
    If evalang guessed the name, it might run a different experiment from the one in the script.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bays on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no exception for a script in a file. From Python you can pass objects by name: `evalang.compare(text,
    mine=estimator)`.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV003", "defined-twice", "error")
def defined_twice(facts: Facts) -> Iterator[Finding]:
    """A name is defined twice.

    ## What it finds
    The rule finds two statements of the script, or of the files it includes, that define the same name. Redefining the
    name of a bundled dataset is fine.

    ## Why it matters
    With two definitions it would be unclear which one is run.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner tree is decision-tree
    learner tree is decision-tree(max_depth = 3) because "the depth of the earlier study"
    compare tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner tree is decision-tree
    learner shallow is decision-tree(max_depth = 3) because "the depth of the earlier study"
    compare tree vs shallow on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never. Rename one of the two.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV004", "unused", "warning")
def unused(facts: Facts) -> Iterator[Finding]:
    """A definition is never used.

    ## What it finds
    The rule finds a dataset, suite, learner, results or predictions statement of this file that no comparison,
    estimate, claim or suite uses. The rule ignores definitions from an included file and names that are given with
    `as`.

    ## Why it matters
    An unused learner or dataset can be a result that was left out of the report (compare Bramer, section 15.3).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner tree is decision-tree
    learner forest is random-forest
    compare tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner tree is decision-tree
    learner forest is random-forest
    compare tree vs forest on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    There is no problem in a file of shared definitions. If scripts read this file with `include`, the rule finds
    nothing.

    ## References
    The rule is our own choice, based on Bramer, section 15.3, on datasets that disappear from a study.
    """
    if facts.faulty:
        raise NotApplicable("part of the script could not be read, so a use may be missing from it")
    for kind, item in unused_definitions(facts.plan):
        yield unused.finding(
            f"{kind} `{item.name}` is defined but never used",
            f"use `{item.name}` in a comparison, or remove the statement",
            at=Place(find_defined_name(facts, item.span), Subject(statement=item.name)),
        )


def unused_definitions(plan: Plan) -> Iterator[tuple[str, Dataset | Suite | Learner | ResultsTable | PredictionsTable]]:
    """Yield the definitions of the script that nothing planned uses, each with the word for its kind."""
    groups = (
        ("dataset", plan.datasets),
        ("suite", plan.suites),
        ("learner", plan.learners),
        ("results table", plan.results),
        ("predictions table", plan.predictions),
    )
    for kind, definitions in groups:
        yield from ((kind, item) for item in definitions if not item.used and not item.included)


@rule("EV005", "unknown-parameter", "error")
def unknown_parameter(facts: Facts) -> Iterator[Finding]:
    """A learner, step, metric or test does not have this parameter.

    ## What it finds
    The rule finds a fixed or tuned parameter that does not exist. The help suggests the most similar parameter.

    ## Why it matters
    If the parameter were ignored, the report would describe a setting that had no effect.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner near is scale | knn(n_neighbours = 3) because "the number of the earlier study"
    compare near vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    learner near is scale | knn(n_neighbors = 3) because "the number of the earlier study"
    compare near vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never. `evalang explain knn` lists the parameters.

    ## References
    The catalogue.
    """
    yield from ()


@rule("EV006", "bad-value", "error")
def bad_value(facts: Facts) -> Iterator[Finding]:
    """A value is invalid.

    ## What it finds
    - A proportion is above 1.
    - A cross-validation has no folds.
    - A significance level is not between 0 and 1.
    - A margin is given in percent, but the metric is not a share from 0 to 1 (such as `rmse`), or the metric of a
      table is unknown and its scores are above 1. If accuracies or other shares are written as percentages, such as
      89.6, `1 point` is 1.
    - A margin covers nearly every difference, such as `margin 1` for an accuracy from 0 to 1.
    - An `allow` has no reason.

    ## Why it matters
    Such a value is a mistake. If evalang replaced it, it would run a different experiment.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 2, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 0.05, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV007", "clauses-disagree", "error", each=each_case)
def clauses_disagree(facts: Facts, case: Case) -> Iterator[Finding]:
    """Clauses of a statement contradict each other.

    ## What it finds
    - A test cannot be computed from the scheme, such as `by mcnemar` with `10x10cv`. McNemar's test needs every row
      tested exactly once, as in a holdout or in one cross-validation.
    - A test cannot be computed for the metric.
    - `forward` is used without a time column, or `grouped` without a groups column.
    - `given folds` is used on data without a column of folds, or `given test` on data without a test set.
    - `using` is used with a results table, or is missing where a scheme is needed.
    - The second test after `by` is not a post-hoc test of the first.
    - A threshold is set for a learner without scores, or for a target that does not have two classes.

    ## Why it matters
    The result of a test on data that it was not designed for has no meaning (Dietterich 1998, sections 1 and 3).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by mcnemar, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, seed 20
    ```

    ## When it is fine
    Never. The test cannot be computed.

    ## References
    Dietterich 1998, sections 1 and 3; Salzberg 1997, section 3.5.
    """
    if case.scheme is None:
        return
    for misfit in facts.misfits.get(case.comparison.name, ()):
        if misfit.code == "EV007":
            yield clauses_disagree.finding(misfit.message, misfit.help, at=case.at(misfit.test.span))
    if case.comparison.scheme is not None:
        yield from _columns(facts, case)
        yield from _sides(case)
        yield from _thresholds(case)


def _columns(facts: Facts, case: Case) -> Iterator[Finding]:
    scheme = case.comparison.scheme
    assert scheme is not None
    needs = scheme.card.needs
    if needs:
        known = {"folds": ("openml-task", "openml-suite"), "tested_on": ("described",)}
        unseen = ("python", "unknown", *known.get(needs, ()))
        lacking = [d.name for d in case.datasets if getattr(d, needs) is None and d.source.kind not in unseen]
        yield from _lacking(case, lacking, *_NEEDS[needs])
    if scheme.grouped:
        lacking = [d.name for d in case.datasets if d.groups is None and d.source.kind not in ("python", "unknown")]
        yield from _lacking(case, lacking, "a groups column", 'groups "patient"')


def _lacking(case: Case, names: list[str], words: str, clause: str) -> Iterator[Finding]:
    comparison = case.comparison
    if names and comparison.scheme is not None:
        yield clauses_disagree.finding(
            f"`{comparison.scheme.text}` needs {words}, but {one(names, 'dataset', 'datasets')} {listed_names(names)} "
            f"{one(names, 'declares', 'declare')} none",
            f"add a clause such as `{clause}` to {one(names, 'dataset', 'datasets')} {listed_names(names)}, or "
            + (
                "write another scheme"
                if case.has_clause("using")
                else f"compare on {listed_names(names)} in a separate statement"
            ),
            at=case.at("using"),
        )


def _sides(case: Case) -> Iterator[Finding]:
    comparison = case.comparison
    if comparison.expecting is None:
        return
    for judged in case.tests:
        if judged.written and not judged.card.one_sided:
            yield clauses_disagree.finding(
                f"the test `{judged.card.name}` is not one-sided, so `expecting {comparison.expecting} better` has no "
                "effect",
                "leave out `expecting`, or write a test of two learners in `by`",
                at=case.at("expecting"),
            )
            return


def _thresholds(case: Case) -> Iterator[Finding]:
    """Report thresholds for other than two classes, or for learners without scores."""
    chosen, subject = case.comparison.threshold, Subject(case.comparison.name)
    many = next((d for d in case.datasets if d.task == "regression" or d.classes not in (None, 2)), None)
    for traits in case.learners:
        own = traits.learner.threshold is not None
        if not own and chosen is None:
            continue
        span = traits.learner.span if own or chosen is None else chosen.span
        help = "leave out `threshold`" if own else "leave out `threshold on`"
        if many is not None:
            holds = "has a numeric target" if many.task == "regression" else f"has {many.classes} classes"
            message = f"a threshold separates two classes, but dataset `{many.name}` {holds}"
            yield clauses_disagree.finding(message, help, at=Place(span, subject))
            return
        if traits.gives == "labels" or (own and traits.gives == "scores"):
            lacks = "probabilities for its threshold" if own else "scores to choose a threshold from"
            message = f"learner `{traits.name}` has no {lacks}"
            yield clauses_disagree.finding(message, help, at=Place(span, subject))


@rule("EV008", "needless-allow", "warning")
def needless_allow(facts: Facts) -> Iterator[Finding]:
    """An `allow` has no effect.

    ## What it finds
    The rule finds an `allow CODE because "…"` whose rule finds nothing in this statement, or whose code does not exist.
    If the rule needs the data or a run, EV008 is checked only then, and is a note.

    ## Why it matters
    An `allow` tells readers that the study has a known weakness. An `allow` that is not needed misleads readers, and
    hides the next finding of the rule.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20, allow EV401 because "an old version needed it"
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never. Remove the clause.

    ## References
    None. The rule is our own choice.
    """
    yield from ()


@rule("EV901", "rule-crashed", "error")
def rule_crashed(facts: Facts) -> Iterator[Finding]:
    """A rule of evalang failed on this script.

    ## What it finds
    The rule finds an internal error in one of the rules of evalang. All other rules were checked.

    ## Why it matters
    The failing rule has not been checked.

    ## Example
    There is no script that should give this finding.

    ## Use instead
    `evalang lint --ignore CODE` skips the failing rule until it is fixed.

    ## When it is fine
    Never. Please report the error.

    ## References
    None. The rule is our own choice.
    """
    yield from ()
