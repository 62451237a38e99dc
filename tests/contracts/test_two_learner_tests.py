"""What every test of two learners must do, whatever it computes; the only exemptions are those its card names."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evalang.catalogue.tests import TESTS, TestEntry
from evalang.errors import TestError
from evalang.results.records import Alternative, TestResult
from evalang.verdicts.apply import compute

HERE = {"swap", "shift", "scale", "order", "identical", "constant", "few", "dual", "p-value"}
ELSEWHERE = {"level", "monotone", "pool"}  # checked for single tests, in their own files
# No shift moves outcomes or areas, and p of random draws is as coarse as they are few.
UNSHIFTED = ("proportions", "corrected-proportions", "delong", "bootstrap", "cluster-permutation")
CARDS = [card for card in TESTS if card.learners == "two" and card.gives_p]
MIRROR: dict[Alternative, Alternative] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}

Arrays = tuple[NDArray[Any], NDArray[Any]]


def cards(contract: str) -> list[Any]:
    """Cards that must keep this contract."""
    return [pytest.param(card, id=card.name) for card in CARDS if contract not in dict(card.exempt)]


def shape(card: TestEntry, units: int | None = None) -> tuple[int, ...]:
    """The shape of its evidence."""
    if card.name.startswith("5x2cv"):
        return (5, 2)
    if card.unit == "partition":
        return (units or 4, 10)
    if card.evidence == "dataset-folds":
        return (units if units is not None else 8, 6)
    if card.evidence == "halved-scores":
        return (2 * units if units is not None else 8, 10)
    if card.evidence == "training-losses":
        return (units or 6, 25)
    several = {"outcomes": 60, "grouped-rows": 24, "timed-rows": 60}.get(card.evidence, 14)
    return (units if units is not None else several,)


def evidence(card: TestEntry, seed: int) -> Arrays:
    """Both learners' random evidence of the kind the card asks for."""
    rng = np.random.default_rng(seed)
    if card.evidence == "outcomes":
        return rng.random(shape(card)) < 0.8, rng.random(shape(card)) < 0.65
    common = rng.normal(0.0, 0.05, shape(card))
    a, b = (0.75 + common + rng.normal(0.0, 0.03, shape(card)) for _ in range(2))
    if seed % 2:  # accuracies of 40 test rows: many ties
        a, b = np.round(a * 40) / 40, np.round(b * 40) / 40
    return a + 0.01, b


def run(card: TestEntry, a: Any, b: Any, alternative: Alternative = "two-sided", order: Any = None) -> TestResult:
    """The test on the shape of evidence that its card names."""
    given: dict[str, Any] = {"first": a, "second": b}
    if card.evidence == "fold-scores":
        given |= {"train_size": 90, "test_size": 10}
    if card.name == "delong":
        truth = np.arange(np.size(a)) % 3 == 0
        given["truth"] = truth if order is None else truth[order]
    for kind, name in (("grouped-rows", "groups"), ("timed-rows", "times")):  # every row a group or a moment of its own
        if card.evidence == kind:
            given[name] = np.arange(np.size(a)) if order is None else order
    return compute(card.name, **given, alternative=alternative, rng=np.random.default_rng(7), margin=0.05)


def sides(card: TestEntry) -> tuple[Alternative, ...]:
    return ("two-sided", "greater", "less") if card.one_sided else ("two-sided",)


def reorder(card: TestEntry, a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The same units in another order; folds stay with their partition, and rows with their training set."""
    rng = np.random.default_rng(3)
    order = rng.permutation(a.shape[0])
    a, b = a[order], b[order]
    if a.ndim == 2:
        if card.evidence == "training-losses":
            within = rng.permutation(a.shape[1])
            a, b = a[:, within], b[:, within]
        else:
            flip = np.asarray(rng.random(a.shape[:1])) < 0.5
            a, b = (np.where(flip[:, None], x[:, ::-1], x) for x in (a, b))
    return a, b, order


def same(one: TestResult, two: TestResult, factor: float = 1.0) -> None:
    assert two.pvalue == pytest.approx(one.pvalue, rel=1e-7, abs=1e-12)
    assert (two.wins, two.ties, two.losses) == (one.wins, one.ties, one.losses)
    if one.difference is not None:
        assert two.difference == pytest.approx(one.difference * factor, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("card", cards("swap"))
def test_swapping_the_learners_mirrors_the_result(card: TestEntry) -> None:
    for seed, side in product(range(4), sides(card)):
        a, b = evidence(card, seed)
        one, two = run(card, a, b, side), run(card, b, a, MIRROR[side])
        assert two.pvalue == pytest.approx(one.pvalue, rel=1e-9)
        assert (two.wins, two.ties, two.losses) == (one.losses, one.ties, one.wins)
        if one.difference is not None:
            assert two.difference == pytest.approx(-one.difference, rel=1e-9, abs=1e-15)
        if one.interval is not None and two.interval is not None:
            assert (two.interval.low, two.interval.high) == pytest.approx(
                (-one.interval.high, -one.interval.low), rel=1e-9, abs=1e-12
            )


@pytest.mark.parametrize("card", cards("shift"))
def test_adding_a_constant_to_both_changes_nothing(card: TestEntry) -> None:
    for seed, side, shift in product(range(2), sides(card), (1.0, -0.375, 10.0)):
        a, b = evidence(card, seed)
        same(run(card, a, b, side), run(card, a + shift, b + shift, side))


@pytest.mark.parametrize("card", cards("scale"))
def test_scaling_both_changes_no_p(card: TestEntry) -> None:
    for seed, side, factor in product(range(2), sides(card), (100.0, 0.25, 1e-6)):
        a, b = evidence(card, seed)
        scaled = 1.0 if card.name == "delong" else factor  # areas do not depend on the scores' scale
        same(run(card, a, b, side), run(card, a * factor, b * factor, side), scaled)


@pytest.mark.parametrize("card", cards("order"))
def test_order_of_units_is_irrelevant(card: TestEntry) -> None:
    for seed, side in product(range(2), sides(card)):
        a, b = evidence(card, seed)
        one, (c, d, order) = run(card, a, b, side), reorder(card, a, b)
        same(one, run(card, c, d, side, order))


@pytest.mark.parametrize("card", cards("identical"))
def test_identical_learners_give_p_one_with_a_note(card: TestEntry) -> None:
    a, _ = evidence(card, 1)
    for side in sides(card):
        found = run(card, a, a.copy(), side)
        assert found.pvalue == 1.0
        assert found.notes
        assert found.wins == found.losses == 0
        assert found.difference in (0.0, None)


@pytest.mark.parametrize("card", cards("constant"))
def test_constant_difference_gives_a_finite_answer(card: TestEntry) -> None:
    """A difference that is the same on every unit; tests that need a variance are exempt, and refuse in words."""
    a, _ = evidence(card, 0)
    if card.evidence == "outcomes":
        a, b = np.ones_like(a), np.zeros_like(a)
    else:
        b = a - 0.125
    p = run(card, a, b).pvalue
    assert 0.0 < p <= 1.0


@pytest.mark.parametrize(
    "card", [c for c in CARDS if "constant" in dict(c.exempt) and c.name not in ("quasi-f", "delong")]
)
def test_exempt_from_constant_means_a_refusal_that_says_why(card: TestEntry) -> None:
    a, _ = evidence(card, 0)
    with pytest.raises(TestError, match="variance is 0"):
        run(card, a, a - 0.125)


@pytest.mark.parametrize("card", cards("p-value"))
def test_results_hold_together(card: TestEntry) -> None:
    """p is a probability that the card allows, nothing is NaN, and the interval excludes 0 exactly where p is small."""
    for seed, side in product(range(8), sides(card)):
        a, b = evidence(card, seed)
        found = run(card, a, b, side)
        assert 0.0 < found.pvalue <= 1.0
        if side == "two-sided" and card.name != "tost":
            assert found.pvalue >= card.smallest_p(found.n_units, 2, 2) * (1 - 1e-9)
        values = [found.statistic, found.difference, found.effect.value if found.effect else 0.0]
        values += [value for _, value in found.details]
        values += [found.interval.low, found.interval.high] if found.interval else []
        assert not any(value is not None and np.isnan(value) for value in values)
        assert (found.test, found.alternative) == (card.name, side)
        assert found.method
        assert found.n_units > 0
        if found.interval is not None and "dual" not in dict(card.exempt) and abs(found.pvalue - 0.05) >= 0.003:
            outside = found.interval.low > 0.0 or found.interval.high < 0.0
            assert outside == (found.pvalue < 0.05), found


@pytest.mark.parametrize("card", [one for one in cards("dual") if one.values[0].name not in UNSHIFTED])
def test_an_interval_ends_where_p_crosses_the_level(card: TestEntry) -> None:
    """The first learner lowered by a value inside of the interval is not rejected, by one outside it is."""
    for seed, side in product((0, 2), sides(card)):
        a, b = evidence(card, seed)
        found = run(card, a, b, side).interval
        assert found is not None
        for end, inwards in ((found.low, 1e-6), (found.high, -1e-6)):
            if np.isfinite(end):
                inside, outside = (run(card, a - end - step, b, side).pvalue for step in (inwards, -inwards))
                assert outside <= 0.05 < inside, (seed, side, end)


@pytest.mark.parametrize("card", cards("few"))
def test_too_few_units_is_an_error_with_the_number_needed(card: TestEntry) -> None:
    if card.name.startswith("5x2cv"):
        with pytest.raises(TestError, match="5 random splits of 2 folds"):
            run(card, np.zeros((4, 2)), np.ones((4, 2)))
        return
    fewer = card.min_units - 1
    rest = shape(card)[1:]
    a, b = np.arange(float(fewer * int(np.prod(rest, dtype=int)))).reshape(fewer, *rest), np.zeros((fewer, *rest))
    needed = "2 positive and 2 negative" if card.name == "delong" else rf"at least {card.min_units} "
    with pytest.raises(TestError, match=needed):
        run(card, a, b)


@pytest.mark.parametrize("card", [pytest.param(c, id=c.name) for c in CARDS])
def test_what_is_no_evidence_is_refused_and_named(card: TestEntry) -> None:
    a, b = evidence(card, 0)
    for bad, said in ((np.nan, "a missing"), (np.inf, "an infinite"), (-np.inf, "an infinite")):
        spoilt = b.astype(float)
        spoilt[(1,) * b.ndim] = bad
        with pytest.raises(TestError, match=rf"second has {said} score at (unit 2|row 2, column 2)"):
            run(card, a.astype(float), spoilt)
    with pytest.raises(TestError):
        run(card, a, b[:-1])
    if card.one_sided:
        with pytest.raises(TestError, match="unknown alternative 'bigger'"):
            run(card, a, b, "bigger")


def test_exemptions_name_contracts() -> None:
    for card in TESTS:
        for contract, reason in card.exempt:
            assert contract in HERE | ELSEWHERE, card.name
            assert re.search(r"\w+ \w+", reason), card.name
