"""The families: which tests are corrected together, counted by the plan and never by the writer."""

from __future__ import annotations

from dataclasses import dataclass

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from .model import Comparison, Family, unopened

SELF_ADJUSTING = ("nemenyi", "bonferroni-dunn")


def first_level(method: str, alpha: float, size: int) -> float:
    """The level that the smallest p of a family has to meet."""
    found = find_correction(method)
    return found.first_level(alpha, size) if found and size > 1 else alpha


def alone_level(family: Family) -> float:
    """The level that a p-value has to meet when no other of its family is small."""
    found = find_correction(family.method)
    return found.alone_level(family.alpha, family.size) if found and family.size > 1 else family.alpha


def pairs_among(learners: int, control: bool) -> int:
    """Pairs that are tested; 0 for `compare all` on a table that has not been read yet."""
    return max(0, learners - 1) if control else learners * (learners - 1) // 2


@dataclass(frozen=True, slots=True)
class Members:
    """The tests of one metric on one dataset (or over datasets): of pairs, or of all learners at once."""

    metric: str  # its label
    omnibus: bool
    tests: int


def members(comparison: Comparison, scope: str) -> tuple[Members, ...]:
    """The tests that count in a family, by metric and kind; () where there are none or they cannot be counted yet."""
    if comparison.estimate or not countable(comparison, scope):
        return ()
    found = []
    for metric in comparison.metrics:
        for test in comparison.tests if scope == "dataset" else comparison.over:
            if _is_family_member(test.name) and (not test.metrics or metric.name in test.metrics):
                omnibus = is_omnibus(test.name)
                found.append(Members(metric.label, omnibus, 1 if omnibus else comparison.pairs))
    return tuple(found)


def tests_together(comparison: Comparison, scope: str, over: tuple[str, ...], metric: str, omnibus: bool) -> int:
    """Return how many tests are corrected together; tests that differ in what `over` does not name are separate."""
    learners = "learners" in over
    alike = (
        one.tests if learners else 1
        for one in members(comparison, scope)
        if (learners or one.omnibus == omnibus) and ("metrics" in over or one.metric == metric)
    )
    return sum(alike) * (_count_datasets(comparison, scope) if "datasets" in over else 1)


def _count_datasets(comparison: Comparison, scope: str) -> int:
    """Datasets that are tested one by one."""
    if scope != "dataset":
        return 1
    return len(comparison.in_table if comparison.data == "results" else comparison.datasets)


def factors(comparison: Comparison, scope: str) -> tuple[tuple[str, int], ...]:
    """What multiplies into the number of tests of a comparison."""
    found = members(comparison, scope)
    if not found:
        return ()
    several = (("datasets", _count_datasets(comparison, scope)),) if scope == "dataset" else ()
    each: dict[str, list[Members]] = {}
    for one in found:
        each.setdefault(one.metric, []).append(one)
    if len({tuple((m.omnibus, m.tests) for m in of) for of in each.values()}) > 1:
        return (("tests", sum(m.tests for m in found)), *several)
    of = next(iter(each.values()))
    all_at_once = any(m.omnibus for m in of)
    name = "pairs" if not all_at_once else "pairs and omnibus" if len(of) > 1 else "omnibus"
    return ((name, sum(m.tests for m in of)), *several, ("metrics", len(each)))


def factor_words(name: str, count: int) -> str:
    """A factor as it is read.

    >>> factor_words("pairs", 1), factor_words("pairs and omnibus", 7), factor_words("metrics", 2)
    ('1 pair', '(6 pairs + 1 omnibus)', '2 metrics')
    """
    if name == "pairs and omnibus":
        return f"({factor_words('pairs', count - 1)} + 1 omnibus)"
    return f"{count:,} {name[:-1] if count == 1 and name in ('pairs', 'datasets', 'metrics', 'tests') else name}"


def countable(comparison: Comparison, scope: str) -> bool:
    """Whether the tests can be counted already: a table or folder that is not opened hides its learners, datasets."""
    folds = comparison.data == "results" and scope == "dataset"
    if unopened(comparison.datasets) and scope == "dataset":
        return False
    return bool(comparison.learners) and (not folds or bool(comparison.in_table))


def _is_family_member(test: str) -> bool:
    """Every test with a p-value is a member of a family, an omnibus too; Bayesian tests have none."""
    card = find_test(test)
    return card is not None and card.gives_p and card.learners in ("two", "many")


def is_omnibus(test: str) -> bool:
    """Whether a test is of all learners at once and of no pair."""
    card = find_test(test)
    return card is not None and card.learners == "many" and test not in SELF_ADJUSTING


def number_of_tests(comparison: Comparison, scope: str) -> int:
    """Tests of a comparison in one scope."""
    return sum(one.tests for one in members(comparison, scope)) * _count_datasets(comparison, scope)


def families(comparisons: tuple[Comparison, ...]) -> tuple[Family, ...]:
    """Every family of the script."""
    found: list[Family] = []
    joined = [c for c in comparisons if c.correction and "everything" in c.correction.over]
    if joined:
        found.append(_everything(joined))
    for comparison in comparisons:
        if comparison.correction and "everything" in comparison.correction.over:
            continue
        if number_of_tests(comparison, "dataset"):
            found.append(_on_each(comparison))
        if number_of_tests(comparison, "over-datasets"):
            found.append(_over(comparison))
    return tuple(found)


def _everything(members: list[Comparison]) -> Family:
    correction = members[0].correction
    assert correction is not None
    alpha = min(c.alpha.value for c in members)
    counts = [(c.name, number_of_tests(c, "dataset") + number_of_tests(c, "over-datasets")) for c in members]
    size = sum(n for _, n in counts)
    return Family(
        name="everything",
        comparisons=tuple(c.name for c in members),
        scope="dataset",
        method=correction.method,
        over=("everything",),
        alpha=alpha,
        size=size,
        count=1,
        first_level=first_level(correction.method, alpha, size),
        factors=tuple(counts),
        reason="every test of these comparisons counts",
    )


def _on_each(comparison: Comparison) -> Family:
    correction = comparison.correction
    method, over = (correction.method, correction.over) if correction else ("uncorrected", ())
    return _family(comparison, "dataset", method, over, "")


def _over(comparison: Comparison) -> Family:
    judged = next(t for t in reversed(comparison.over) if _is_family_member(t.name))
    correction = comparison.correction
    if judged.name in SELF_ADJUSTING:
        return _family(comparison, "over-datasets", judged.name, ("learners",), "the test corrects for its own pairs")
    if judged.origin == "default" and comparison.pairs > 1 and not (correction and "learners" in correction.over):
        over = ("learners", *(o for o in (correction.over if correction else ()) if o == "metrics"))
        reason = "pairs over datasets are corrected by holm unless the script says otherwise"
        return _family(comparison, "over-datasets", "holm", over, reason)
    method, names = (correction.method, correction.over) if correction else ("uncorrected", ())
    return _family(comparison, "over-datasets", method, names, "")


def _family(comparison: Comparison, scope: str, method: str, over: tuple[str, ...], reason: str) -> Family:
    covered = over if method != "uncorrected" else ()
    found = members(comparison, scope)
    size = max(tests_together(comparison, scope, covered, one.metric, one.omnibus) for one in found)
    apart = {
        ("" if "metrics" in covered else one.metric, "learners" in covered or one.omnibus): (
            1 if "learners" in covered else one.tests
        )
        for one in found
    }
    alpha = comparison.alpha.value
    # A post-hoc that corrects for its own pairs is one block, the omnibus another: each has its share of the level.
    blocks = 1 + any(one.omnibus for one in found)
    return Family(
        name=comparison.name if scope == "dataset" else f"{comparison.name} over datasets",
        comparisons=(comparison.name,),
        scope="dataset" if scope == "dataset" else "over-datasets",
        method=method,
        over=over,
        alpha=alpha,
        size=size,
        count=sum(apart.values()) * (1 if "datasets" in covered else _count_datasets(comparison, scope)),
        first_level=alpha / blocks if method in SELF_ADJUSTING else first_level(method, alpha, size),
        factors=factors(comparison, scope),
        reason=reason,
    )
