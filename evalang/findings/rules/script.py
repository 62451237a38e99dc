"""EV0: the script itself. What the reader and the plan builder find has its page here."""

from __future__ import annotations

from collections.abc import Iterator

from ...language.text import Finding, Subject, listed, one
from ...plans.model import Dataset, Learner, Plan, PredictionsTable, ResultsTable, Suite
from ..case import Case, Place
from ..facts import Facts, NotApplicable
from ..rule import find_defined_name, rule

_NEEDS = {  # what the dataset must have, and the words for it
    "time": 'a time column (time "day")',
    "folds": 'a column of folds (folds "fold")',
    "tested_on": 'a test set of its own (tested on csv "test.csv")',
}


@rule("EV001", "syntax", "error")
def syntax(facts: Facts) -> Iterator[Finding]:
    """Something is not a sentence of the language.

    ## What it finds
    A statement that cannot be read: a misspelt word, a clause given twice, a missing part. The message says what was
    expected at that place; the statements around it are still read.

    ## Why it matters
    What cannot be read is not run, and a design with a hole in it cannot be judged.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree versus naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never: nothing is run until the script can be read.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV002", "unknown-name", "error")
def unknown_name(facts: Facts) -> Iterator[Finding]:
    """A name is used that nobody defined.

    ## What it finds
    A dataset, learner, test, metric or comparison that neither the script nor the catalogue knows; the nearest known
    name is offered.

    ## Why it matters
    A guess at what was meant would run another experiment than the one written down.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bays on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never in a file. From Python a name may also be handed over: `evalang.compare(text, mine=estimator)`.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV003", "defined-twice", "error")
def defined_twice(facts: Facts) -> Iterator[Finding]:
    """One name has two definitions.

    ## What it finds
    Two statements of the script, or of the files it includes, that define the same name. To cover the name of a bundled
    data set with one of your own is fine.

    ## Why it matters
    A reader cannot tell which of the two was run.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner tree is decision-tree
    learner tree is decision-tree(max_depth = 3) because "the depth of the earlier study"
    compare tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner tree is decision-tree
    learner shallow is decision-tree(max_depth = 3) because "the depth of the earlier study"
    compare tree vs shallow on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never; give one of the two another name.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV004", "unused", "warning")
def unused(facts: Facts) -> Iterator[Finding]:
    """Something is defined and never used.

    ## What it finds
    A dataset, suite, learner, results or predictions statement of this file that no comparison, estimate, claim or
    suite needs. Definitions that come from an included file and names given with `as` do not count.

    ## Why it matters
    A learner or a dataset that was defined and then left out is what a dropped result looks like in a script.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner tree is decision-tree
    learner forest is random-forest
    compare tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner tree is decision-tree
    learner forest is random-forest
    compare tree vs forest on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    In a file of shared definitions: `include` it, and nothing is said.

    ## References
    Ours, after Bramer, section 15.3: datasets that disappear from a study.
    """
    if facts.faulty:
        raise NotApplicable("part of the script could not be read, so a use may be missing from it")
    for kind, item in unused_definitions(facts.plan):
        yield unused.finding(
            f"the {kind} {item.name} is defined and never used",
            f"use {item.name} in a comparison, or leave the statement out",
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
    """A learner, step, metric or test has no such parameter.

    ## What it finds
    A parameter, set by hand or tuned, that the thing it is given to does not have; the nearest one is offered.

    ## Why it matters
    A setting that silently does nothing makes the report untrue.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    learner near is scale | knn(n_neighbours = 3) because "the number of the earlier study"
    compare near vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
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
    """A value has no meaning where it stands.

    ## What it finds
    A share above one, a cross-validation without folds, a level outside 0 to 1, per cent of a metric that has a unit,
    an `allow` without its reason.

    ## Why it matters
    Such a number is a slip; whatever is run in its place was not meant.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 2, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 0.05, seed 20
    ```

    ## When it is fine
    Never.

    ## References
    The language reference.
    """
    yield from ()


@rule("EV007", "clauses-disagree", "error")
def clauses_disagree(facts: Facts) -> Iterator[Finding]:
    """The clauses of a statement cannot stand together.

    ## What it finds
    A scheme that does not yield what the named test is computed from (`by mcnemar` with `10x10cv`: it needs every row
    tested once, which a holdout and one Kcv give), a test that does not judge the metric, `forward` without a time
    column, `grouped` without a groups column, `given folds` or `given test` where the data has none, `using` on a
    results table or none on a dataset, a second test that is no post-hoc of the first, a threshold for a learner that
    gives no scores or for a target without two classes.

    ## Why it matters
    A test on evidence that it was not made for gives a number, and the number means nothing.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, by mcnemar, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, seed 20
    ```

    ## When it is fine
    Never: there is nothing the test could be computed from.

    ## References
    Dietterich 1998, sections 1 and 3; Salzberg 1997, section 3.5.
    """
    for case in facts.cases:
        if case.scheme is None:
            continue
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
        unseen = ("python", "unknown", *(("openml-task", "openml-suite") if needs == "folds" else ()))
        lacking = [d.name for d in case.datasets if getattr(d, needs) is None and d.source.kind not in unseen]
        yield from _lacking(facts, case, lacking, _NEEDS[needs])
    if scheme.grouped:
        lacking = [d.name for d in case.datasets if d.groups is None and d.source.kind not in ("python", "unknown")]
        yield from _lacking(facts, case, lacking, 'a groups column (groups "patient")')


def _lacking(facts: Facts, case: Case, names: list[str], words: str) -> Iterator[Finding]:
    comparison = case.comparison
    if names and comparison.scheme is not None:
        yield clauses_disagree.finding(
            f"{comparison.scheme.text} needs {words}, and {listed(names)} {one(names, 'declares', 'declare')} none",
            "declare it in the dataset statement, or "
            + ("use another scheme" if case.says("using") else f"compare on {listed(names)} in a statement of its own"),
            at=case.at("using"),
        )


def _sides(case: Case) -> Iterator[Finding]:
    comparison = case.comparison
    if comparison.expecting is None:
        return
    for judged in case.tests:
        if judged.written and not judged.card.one_sided:
            yield clauses_disagree.finding(
                f"{judged.card.name} has no sides, so expecting {comparison.expecting} better means nothing to it",
                "leave out `expecting`, or name a test of two learners",
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
            holds = "holds numbers" if many.task == "regression" else f"has {many.classes} classes"
            message = f"a threshold decides between two classes, and {many.name} {holds}"
            yield clauses_disagree.finding(message, help, at=Place(span, subject))
            return
        if traits.gives == "labels" or (own and traits.gives == "scores"):
            lacks = "probabilities for its threshold" if own else "scores to choose a threshold among"
            message = f"{traits.name} gives no {lacks}"
            yield clauses_disagree.finding(message, help, at=Place(span, subject))


@rule("EV008", "needless-allow", "warning")
def needless_allow(facts: Facts) -> Iterator[Finding]:
    """An `allow` silences nothing.

    ## What it finds
    An `allow CODE because "…"` whose rule found nothing in its statement, or whose code does not exist. An `allow` of a
    rule that has not been asked yet (rules of the data and of the run) is left alone.

    ## Why it matters
    A reader takes an allowance for a confessed weakness. One that is not there any more misleads, and would hide the
    next one.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20, allow EV401 because "an older draft needed it"
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## When it is fine
    Never; the clause can go.

    ## References
    Ours.
    """
    yield from ()


@rule("EV901", "rule-crashed", "error")
def rule_crashed(facts: Facts) -> Iterator[Finding]:
    """A rule of evalang failed on this script.

    ## What it finds
    An error in evalang itself: one of its rules could not finish. The other rules were asked all the same.

    ## Why it matters
    That rule has not been checked. Please report it, with the script if you can.

    ## Example
    There is no script that should give this finding.

    ## Use instead
    `evalang lint --ignore CODE` leaves the failing rule out until it is mended.

    ## When it is fine
    Never: it is our fault.

    ## References
    Ours.
    """
    yield from ()
