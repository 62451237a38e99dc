"""What a whole design does wrong: data that count twice, seeds to pick from, small folds, claims out of reach."""

from __future__ import annotations

from collections.abc import Iterator

from ...language.text import Finding, Subject, counted, listed
from ...ledger.past import design_of, shown
from ...plans.model import Claim, Comparison, Dataset
from ...plans.parts import Condition
from ..case import Case, Place
from ..facts import Facts
from ..reach import rows_of
from ..rule import NotApplicable, dataset_at, place_of, rule

CAL_ROWS = 100  # C 2.2: cal slides over cases 1-100, 2-101 and so on
ALL_PAIRS = ("nemenyi",)


@rule("EV122", "rows-in-two-datasets", "warning", stage=("design", "data"), needs=("dataset",))
def rows_in_two_datasets(facts: Facts) -> Iterator[Finding]:
    """Two datasets of a comparison have rows in common.

    ## What it finds
    The same source under two names, and subgroups of one source (`where`) that can share rows; once the data is open,
    two files with the same rows.

    ## Why it matters
    What happens on those rows counts twice, in the list of verdicts and in every test over datasets.

    ## Example
    ```eval,bad
    dataset adults from csv "visits.csv", target "readmitted", where "age" > 18
    dataset young from csv "visits.csv", target "readmitted", where "age" < 30
    suite people is adults, young because "the groups of the guideline"
    compare decision-tree vs naive-bayes on people using 5x2cv, holm over datasets, seed 20
    ```

    ## Use instead
    ```eval
    dataset adults from csv "visits.csv", target "readmitted", where "age" > 18
    dataset young from csv "visits.csv", target "readmitted", where "age" <= 18
    suite people is adults, young because "the groups of the guideline"
    compare decision-tree vs naive-bayes on people using 5x2cv, holm over datasets, seed 20
    ```

    ## When it is fine
    When the targets differ, so that the two are two tasks; then the rows still are the same.

    ## References
    Ours, after Bramer, section 15.3: which datasets are in the table decides what comes out.
    """
    seen: set[frozenset[str]] = set()
    for case in facts.cases:
        named = [d for d in case.datasets if d.source.kind not in ("python", "described", "unknown", "synthetic")]
        for i, first in enumerate(named):
            for second in named[i + 1 :]:
                pair = frozenset((first.name, second.name))
                same = _share(first, second)
                if pair not in seen and (same or _equal(facts, first, second)):
                    seen.add(pair)
                    what = "are read from the same source and can share rows" if same else "hold the same rows"
                    yield rows_in_two_datasets.finding(
                        f"{first.name} and {second.name} {what}",
                        "take one of them, or make them groups that cannot overlap",
                        at=case.at(dataset_at(facts, case.comparison, second.name)),
                    )


def _equal(facts: Facts, first: Dataset, second: Dataset) -> bool:
    """Whether both were opened and hold the same rows for the same target."""
    opened = facts.profiles or {}
    one, other = opened.get(first.name), opened.get(second.name)
    if one is None or other is None or not one.rows_hash:
        return False
    return (one.rows_hash, one.target) == (other.rows_hash, other.target)


def _share(first: Dataset, second: Dataset) -> bool:
    one = (first.source.kind, first.source.locator, first.query, first.target)
    other = (second.source.kind, second.source.locator, second.query, second.target)
    return one == other and not any(_apart(a, b) for a in first.where for b in second.where)


def _apart(a: Condition, b: Condition) -> bool:
    """Whether no row meets both conditions."""
    if a.column != b.column:
        return False
    if a.relation == b.relation == "is":
        return a.value != b.value
    if {a.relation, b.relation} == {"is", "is not"}:
        return a.value == b.value
    low, high = (a, b) if a.relation in (">", ">=") else (b, a)
    if low.relation not in (">", ">=") or high.relation not in ("<", "<="):
        return False
    if not isinstance(low.value, int | float) or not isinstance(high.value, int | float):
        return False
    strict = low.relation == ">" or high.relation == "<"
    return low.value > high.value or (strict and low.value == high.value)


@rule("EV325", "best-of-seeds", "error", needs=("learner", "dataset"))
def best_of_seeds(facts: Facts) -> Iterator[Finding]:
    """The same comparison is made under several seeds.

    ## What it finds
    Two or more comparisons of a script that differ in nothing but their seed.

    ## Why it matters
    One of them can be picked afterwards. In Bradford and Brodley's study 496 of 5,060 conclusions (9.8%) were other
    ones than those from all partitions together, by the random partition alone (section 4).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, holm over everything, seed 1
    compare decision-tree vs naive-bayes on tumours using 5x2cv, holm over everything, seed 2
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, seed 1
    ```

    ## When it is fine
    To show how much the seed decides, when all of them are reported: `allow EV325 because "…"`.

    ## References
    Bradford and Brodley 2001, section 4.
    """
    groups: dict[object, list[Case]] = {}
    for case in _on_the_same_data(facts):
        groups.setdefault(_but_for_the_seed(facts, case.comparison), []).append(case)
    for same in groups.values():
        names = [case.comparison.name for case in same]
        seeds = [str(case.comparison.seed.value) for case in same if case.comparison.seed]
        if len(set(seeds)) > 1:
            yield best_of_seeds.finding(
                f"{listed(names)} differ in their seed alone ({listed(seeds)}), so that one can be picked",
                "keep one of them, with more partitions or train 5 times in place of more seeds",
                at=same[1].at("seed"),
            )


def _on_the_same_data(facts: Facts) -> Iterator[Case]:
    """Comparisons with a seed where another seed meets the same data; only those are worth a closer look."""
    seeds: dict[frozenset[str], set[int]] = {}
    seeded = [(case, case.comparison.seed) for case in facts.cases]
    for case, seed in seeded:
        if seed is not None:
            seeds.setdefault(frozenset(case.comparison.datasets), set()).add(seed.value)
    for case, seed in seeded:
        if seed is not None and len(seeds[frozenset(case.comparison.datasets)]) > 1:
            yield case


def _but_for_the_seed(facts: Facts, comparison: Comparison) -> tuple[object, ...]:
    """What is asked, however it is written: order of learners, names of suites, a default spelt out change nothing."""
    said = {
        word: value for word, value in design_of(facts.plan, comparison).items() if word not in ("seed", "learners")
    }
    return frozenset(comparison.datasets), frozenset(map(facts.plan.learner, comparison.learners)), shown(said)


@rule("EV430", "control-ignored", "warning", needs=("test", "dataset"))
def control_ignored(facts: Facts) -> Iterator[Finding]:
    """A control is named, and the post-hoc compares everybody with everybody.

    ## What it finds
    `control` beside `nemenyi`.

    ## Why it matters
    Nemenyi's test pays for all pairs. With a control only those with it are asked about, and bonferroni-dunn, or pairs
    by wilcoxon with holm, find more of them.

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "every two- and many-class set at hand"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes vs random-forest on tasks using 10x2cv
      by friedman, nemenyi, control random-forest, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "every two- and many-class set at hand"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes vs random-forest on tasks using 10x2cv
      by friedman, bonferroni-dunn, control random-forest, seed 20
    ```

    ## When it is fine
    When all pairs are reported too; then leave `control` out.

    ## References
    Demsar 2006, section 3.2.2.
    """
    for case in facts.compared:
        control = case.comparison.control
        ignoring = [judged for judged in case.tests if judged.card.name in ALL_PAIRS]
        if control and ignoring:
            yield control_ignored.finding(
                f"{control} is the control, and {ignoring[0].card.name} compares every pair all the same",
                "write by friedman, bonferroni-dunn",
                at=case.at(ignoring[0].test.span, "control"),
            )


@rule("EV611", "folds-too-small", "error", stage=("design", "data"), needs=("scheme", "metric", "dataset"))
def folds_too_small(facts: Facts) -> Iterator[Finding]:
    """The test parts have fewer rows than the metric needs.

    ## What it finds
    `cal` on test parts of fewer than 100 rows, where the rows are known.

    ## Why it matters
    cal is the mean error over stretches of 100 cases in the order of their prediction. A part with fewer has one
    stretch at most, which is no calibration curve.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer", positive "malignant" because "the two-class task"
    compare decision-tree vs random-forest on tumours using 10x10cv, measuring cal, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer", positive "malignant" because "the two-class task"
    compare decision-tree vs random-forest on tumours using 10x2cv, measuring cal, seed 20
    ```

    ## When it is fine
    Never; measure brier, which is a mean over rows.

    ## References
    Caruana and Niculescu-Mizil 2005, section 2.2.
    """
    for case in facts.cases:
        scheme = case.comparison.scheme
        if scheme is None or all(metric.name != "cal" for metric in case.metrics):
            continue
        for name in case.comparison.datasets:
            rows = rows_of(facts, name)
            tested = scheme.test_rows(rows) if rows is not None else None
            if tested is not None and 0 < tested < CAL_ROWS:
                yield folds_too_small.finding(
                    f"the test parts of {name} have {counted(int(tested), 'row')}, and cal needs {CAL_ROWS}",
                    "use larger test parts, such as using 10x2cv, or measure brier",
                    at=case.at("measuring"),
                )
                break


@rule("EV710", "estimates-side-by-side", "warning", needs=("dataset",))
def estimates_side_by_side(facts: Facts) -> Iterator[Finding]:
    """Two estimates stand where a comparison was meant.

    ## What it finds
    Estimates of different learners on the same data by the same scheme and metric, and no comparison of them.

    ## Why it matters
    A reader will compare the two numbers. Whether their difference is chance only a test of the pairs can say, and two
    intervals that overlap do not answer it.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    estimate decision-tree on tumours using 10cv, seed 20
    estimate naive-bayes on tumours using 10cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, seed 20
    ```

    ## When it is fine
    When nobody asks which is better: `allow EV710 because "…"`.

    ## References
    Bradford and Brodley 2001, section 1, which names comparing accuracy directly among the popular ways.
    """
    compared = [(set(c.comparison.learners), set(c.comparison.datasets)) for c in facts.compared]
    groups: dict[object, list[Comparison]] = {}
    for case in facts.cases:
        c = case.comparison
        if c.estimate and c.data == "datasets" and not c.this_classifier:
            groups.setdefault((c.datasets, c.scheme, c.metrics), []).append(c)
    for same in groups.values():
        learners = list(dict.fromkeys(name for c in same for name in c.learners))
        where = set(same[0].datasets)
        if len(learners) > 1 and not any(set(learners) <= who and where <= there for who, there in compared):
            yield estimates_side_by_side.finding(
                f"{listed(learners)} are each estimated on {listed(same[0].datasets)}, and nothing compares them",
                f"write compare {' vs '.join(learners[:4])} on {listed(same[0].datasets)}",
                at=Place(same[1].span, Subject(same[1].name)),
            )


@rule("EV711", "claim-out-of-reach", "error", needs=("test", "scheme", "learner", "dataset", "claim"))
def claim_out_of_reach(facts: Facts) -> Iterator[Finding]:
    """However the data falls, the design could not support the claim.

    ## What it finds
    `better than` from a comparison without a test, from tost alone, or against the side that `expecting` names.

    ## Why it matters
    The claim can only end as not settled, whatever was found.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, by tost, rope 2%, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x2cv, rope 2%, seed 20
    claim decision-tree better than naive-bayes on tumours
    ```

    ## When it is fine
    Never.

    ## References
    Ours.
    """
    if not facts.plan.claims:
        raise NotApplicable("no claim is made")
    for claim in facts.plan.claims:
        evidence = [facts.by_name[name] for name in claim.evidence if name in facts.by_name]
        reasons = [reason for case in evidence if (reason := _out_of_reach(claim, case)) is not None]
        if claim.relation == "better" and reasons and len(reasons) == len(evidence):
            message, help = reasons[0]
            yield claim_out_of_reach.finding(message, help, at=place_of(claim))


def _out_of_reach(claim: Claim, case: Case) -> tuple[str, str] | None:
    comparison = case.comparison
    against = comparison.expecting is not None and comparison.expecting == claim.right
    if case.scheme is not None and not case.tests and not case.says("by"):
        why = f": {comparison.over_note}" if comparison.over_note else ""
        help = f"write using 10x2cv{case.seed_too}, which has a test"
        return f"nothing is tested in {comparison.name}{why}", f"leave out `expecting` and {help}" if against else help
    equivalence = bool(case.tests) and all(judged.card.name == "tost" for judged in case.tests)
    if against:
        return (
            f"{comparison.name} tests whether {claim.right} is better, so it cannot show that {claim.left} is",
            "leave out `expecting`" + ("" if equivalence else ", or turn the claim round"),
        )
    if case.scheme is None or not case.tests:
        return None  # the test is unknown: that is said elsewhere
    if equivalence:
        return (
            f"tost can show that {claim.left} and {claim.right} differ by little; which is better it cannot",
            _without_tost(case),
        )
    return None


def _without_tost(case: Case) -> str:
    """A test of the difference: the default one, where the scheme has one for the metric."""
    scheme = case.scheme
    judged = scheme is not None and (scheme.one_test_set or (bool(scheme.test) and not scheme.disjoint))
    return "leave out `by` and `rope`" + ("" if judged else f" and write using 10x2cv{case.seed_too}")
