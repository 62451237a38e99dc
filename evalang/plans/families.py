"""The families: which tests are corrected together, counted by the plan and never by the writer."""

from __future__ import annotations

import math

from ..catalogue.corrections import find_correction
from ..catalogue.tests import find_test
from .model import Comparison, Family

_COVERS = {"learners": "pairs", "datasets": "datasets", "metrics": "metrics"}
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


def factors(comparison: Comparison, scope: str) -> tuple[tuple[str, int], ...]:
    """What multiplies into the number of tests of a comparison."""
    tests = comparison.tests if scope == "dataset" else comparison.over
    judged = [t for t in tests if _counts(t.name)]
    if not judged or comparison.estimate:
        return ()
    metrics = sum(any(not t.metrics or m.name in t.metrics for t in judged) for m in comparison.metrics)
    if not countable(comparison, scope):
        return ()
    sets = len(comparison.in_table if comparison.data == "results" else comparison.datasets)
    several = (("datasets", sets),) if scope == "dataset" else ()
    return (("pairs", comparison.pairs), *several, ("metrics", metrics))


def countable(comparison: Comparison, scope: str) -> bool:
    """Whether the tests can be counted already: a table that has not been read hides its learners and datasets."""
    folds = comparison.data == "results" and scope == "dataset"
    return bool(comparison.learners) and (not folds or bool(comparison.in_table))


def _counts(test: str) -> bool:
    """An omnibus is reported beside its pairs and Bayesian tests have no p-value: neither is a member of a family."""
    card = find_test(test)
    return test in SELF_ADJUSTING or (card is not None and card.gives_p and card.learners == "two")


def number_of_tests(comparison: Comparison, scope: str) -> int:
    """Tests of a comparison in one scope."""
    found = factors(comparison, scope)
    return math.prod(n for _, n in found) if found else 0


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
    judged = next(t for t in reversed(comparison.over) if _counts(t.name))
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
    found = factors(comparison, scope)
    covered = {_COVERS[word] for word in over if word in _COVERS} if method != "uncorrected" else set()
    size = math.prod(n for name, n in found if name in covered)
    count = math.prod(n for name, n in found if name not in covered)
    alpha = comparison.alpha.value
    return Family(
        name=comparison.name if scope == "dataset" else f"{comparison.name} over datasets",
        comparisons=(comparison.name,),
        scope="dataset" if scope == "dataset" else "over-datasets",
        method=method,
        over=over,
        alpha=alpha,
        size=size,
        count=count,
        first_level=alpha if method in SELF_ADJUSTING else first_level(method, alpha, size),
        factors=found,
        reason=reason,
    )
