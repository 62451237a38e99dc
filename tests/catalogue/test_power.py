"""Plain-Python power and multiplicity against R, statsmodels and enumeration."""

from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import NormalIndPower, TTestPower

from evalang.catalogue import power
from evalang.catalogue.corrections import multiplicity
from tests.golden.load import Case, agrees, cases


@pytest.mark.parametrize("case", [c for c in cases("power_t") if c.values[0]["options"]["type"] != "two.sample"])
def test_golden_t(case: Case) -> None:
    n, effect, alpha = case["inputs"]["n"], case["inputs"]["delta"] / case["inputs"]["sd"], case["options"]["alpha"]
    needed = power.datasets_needed("paired-t", effect, power=0.8, alpha=alpha)
    agrees(
        case,
        power_two_sided=power.power_paired_t(n, effect, alpha=alpha),
        power_one_sided=power.power_paired_t(n, effect, alpha=alpha, sides=1),
        n_for_80pct_ceiling=needed,
    )


@pytest.mark.parametrize("n", [2, 3, 5, 8, 20, 100])
@pytest.mark.parametrize("dz", [0.0, 0.2, 0.8, 2.0])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_t_against_statsmodels(n: int, dz: float, alpha: float) -> None:
    pairs = (
        (power.power_paired_t(n, dz, alpha=alpha), TTestPower().power(dz, n, alpha)),
        (power.power_paired_t(n, dz, alpha=alpha, sides=1), TTestPower().power(dz, n, alpha, alternative="larger")),
    )
    for ours, theirs in pairs:
        if math.isnan(theirs):  # statsmodels gives NaN where the far tail underflows, that is for powers near 1
            assert ours > 0.99
        else:
            assert ours == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("alpha", [0.05, 0.005])
@pytest.mark.parametrize("sides", [1, 2])
def test_items_needed_against_the_normal_solver_of_statsmodels(alpha: float, sides: int) -> None:
    """One sample is a second one of no size (ratio 0); of two sides ours leaves out the far tail, which is no item."""
    side = "larger" if sides == 1 else "two-sided"
    for variance, difference, wanted in itertools.product((1 / 9, 0.25, 2.0), (0.01, 0.03, 0.2), (0.8, 0.95)):
        effect = difference / math.sqrt(variance)
        theirs = NormalIndPower(ddof=0).solve_power(effect, alpha=alpha, power=wanted, ratio=0, alternative=side)
        ours = power.units_needed(variance, difference, alpha=alpha, power=wanted, sides=sides)
        assert ours == max(2, math.ceil(theirs - 1e-4))


def test_datasets_needed_against_the_solver_of_statsmodels() -> None:
    for dz, wanted in itertools.product((0.3, 0.5, 0.8), (0.5, 0.8, 0.9)):
        theirs = TTestPower().solve_power(effect_size=dz, alpha=0.05, power=wanted)
        assert power.datasets_needed("paired-t", dz, power=wanted) == math.ceil(theirs)


def test_without_an_effect_the_power_is_the_level() -> None:
    assert power.power_paired_t(7, 0.0, alpha=0.03) == pytest.approx(0.03, abs=1e-10)
    assert power.datasets_needed("paired-t", 0.0, power=0.8) is None
    assert power.power_paired_t(1, 3.0) == 0.0


@pytest.mark.parametrize("case", cases("power_sign_exact"))
def test_golden_sign(case: Case) -> None:
    found = power.power_sign(case["inputs"]["n"], case["inputs"]["p"], alpha=case["options"]["alpha"])
    agrees(case, power=found)


@pytest.mark.parametrize("n", [1, 5, 6, 9, 12])
@pytest.mark.parametrize("sides", [1, 2])
def test_sign_by_enumeration(n: int, sides: int) -> None:
    total = 0.0
    for wins in range(n + 1):
        tail = stats.binom.cdf(n - wins, n, 0.5) if sides == 1 else 2 * stats.binom.cdf(min(wins, n - wins), n, 0.5)
        if tail <= 0.05:
            total += stats.binom.pmf(wins, n, 0.8)
    assert power.power_sign(n, 0.8, sides=sides) == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize(("n", "dz"), [(8, 0.8), (12, 0.5), (20, 0.8), (30, 0.5)])
def test_wilcoxon_is_within_its_promise(n: int, dz: float) -> None:
    """4,000 draws of normal differences: the approximation is within 0.06, the draws' own error included."""
    rng = np.random.default_rng(n)
    d = rng.normal(dz, 1.0, (4000, n))
    ranks = stats.rankdata(np.abs(d), axis=1)
    w = np.where(d > 0, ranks, 0).sum(axis=1)
    counts = np.zeros(n * (n + 1) // 2 + 1)
    counts[0] = 1
    for r in range(1, n + 1):
        counts[r:] = counts[r:] + counts[: counts.size - r].copy()
    critical = np.searchsorted(np.cumsum(counts) / 2.0**n, 0.025, side="right") - 1
    rejected = np.mean(np.minimum(w, n * (n + 1) / 2 - w) <= critical)
    assert power.power_wilcoxon(n, dz) == pytest.approx(rejected, abs=0.06)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize(("mid_p", "two_sided"), [(True, 0.617), (False, 0.543)])
def test_mcnemar_over_the_whole_trinomial(mid_p: bool, two_sided: float, sides: int) -> None:
    """200 rows, 10% disagreement, 5 points: every number of won and lost rows, as SciPy weighs them."""
    total = 0.0
    for disagreed in range(1, 80):  # more have no weight
        lost = np.arange(disagreed, -1, -1)
        fewer = np.minimum(lost, disagreed - lost) if sides == 2 else lost
        p = np.minimum(1.0, sides * stats.binom.cdf(fewer, disagreed, 0.5))
        if mid_p:  # Fagerland, Lydersen and Laake (2013) take off half the probability of what was seen
            p -= sides * stats.binom.pmf(fewer, disagreed, 0.5) / 2
        shares = stats.binom.pmf(disagreed - lost, disagreed, 0.75)
        total += stats.binom.pmf(disagreed, 200, 0.10) * shares[p <= 0.05].sum()
    found = power.power_mcnemar(200, disagreement=0.10, difference=0.05, mid_p=mid_p, sides=sides)
    assert found == pytest.approx(total, abs=1e-9)
    if sides == 2:
        assert found == pytest.approx(two_sided, abs=5e-4)
    test = "mcnemar-midp" if mid_p else "mcnemar-exact"
    assert power.row_power(test, 200, difference=0.05, sides=sides) == found


@pytest.mark.parametrize("test", ["mcnemar", "mcnemar-midp"])
def test_mcnemar_normal_turns_back(test: str) -> None:
    mid_p = test == "mcnemar-midp"
    rows = power.rows_needed(test, disagreement=0.10, difference=0.02)
    # Connor 1987 without the correction: ((1.959964 sqrt(.1) + .841621 sqrt(.0996)) / .02)^2 = 1959.7
    assert rows == 1960 if mid_p else 1960 < rows < 1960 * 1.06
    reached = partial(power.power_mcnemar, disagreement=0.10, difference=0.02, mid_p=mid_p)
    assert reached(rows, counted=True) == pytest.approx(0.8, abs=0.02)
    assert reached(rows) >= 0.8
    assert reached(rows - 1) < 0.8


@pytest.mark.parametrize("mid_p", [False, True])
@pytest.mark.parametrize(("psi", "delta"), [(0.2, 0.06), (0.1, 0.05), (0.1, 0.03), (0.05, 0.03), (0.02, 0.01)])
def test_mcnemar_forms_meet(psi: float, delta: float, mid_p: bool) -> None:
    counted, normal = (
        power.power_mcnemar(400, disagreement=psi, difference=delta, mid_p=mid_p, counted=c) for c in (True, False)
    )
    assert normal == pytest.approx(counted, abs=0.04)


def test_mcnemar_impossible_difference() -> None:
    with pytest.raises(ValueError, match="disagree"):
        power.power_mcnemar(100, disagreement=0.1, difference=0.2)
    with pytest.raises(ValueError, match="difference"):
        power.rows_needed("mcnemar", disagreement=0.1, difference=0.0)
    assert power.power_mcnemar(0, disagreement=0.1, difference=0.05) == 0.0


@pytest.mark.parametrize("case", cases("multiplicity"))
def test_golden_multiplicity(case: Case) -> None:
    found = multiplicity(case["inputs"]["n"], case["inputs"]["alpha"])
    agrees(
        case,
        familywise_error=found.familywise_error,
        expected_false_positives=found.expected_false_positives,
        sidak_alpha=found.sidak_alpha,
        bonferroni_alpha=found.bonferroni_alpha,
    )


QUANTITIES = {"expected_false_positives", "familywise_error", "bonferroni_alpha"}


@pytest.mark.parametrize(
    "case",
    [
        c
        for prefix in ("paper-salz", "paper-bb")
        for c in cases("paper_example", prefix=prefix)
        if c.values[0]["options"]["quantity"] in QUANTITIES
    ],
)
def test_papers(case: Case) -> None:
    inputs = case["inputs"]
    found = multiplicity(inputs.get("n", inputs.get("people")), inputs["alpha"])
    agrees(case, value=getattr(found, case["options"]["quantity"]))


@pytest.mark.parametrize(
    "case",
    [
        c
        for c in cases("paper_example")
        if c.values[0]["options"]["quantity"] in ("t_critical_two_tailed", "t_critical")
    ],
)
def test_printed_t_tables(case: Case) -> None:
    """Bramer's figure 15.4 and Dietterich 3.3."""
    inputs = case["inputs"]
    got = power.t_quantile(inputs["q"] if "q" in inputs else 1 - inputs["p"] / 2, inputs["df"])
    agrees(case, value=got)
    assert abs(got - case["expected"]["published"]) <= case["expected"]["published_tolerance"]


def test_wilcoxon_on_five_datasets_can_never_reject() -> None:
    assert power.power_wilcoxon(5, 10.0) == 0.0
    assert power.power_wilcoxon(5, 10.0, sides=1) > 0.9
