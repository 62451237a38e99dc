"""Numbers in messages against values that were not made here: the papers, R, or a reckoning by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from evalang.data.profile_facts import Profile
from evalang.findings.rules.tests import significant

from .scripts import linted

_PAIR = {"dataset": "d", "metric": "accuracy", "first": "decision-tree", "second": "naive-bayes"}


def test_bramers_eight_datasets_hang_on_one() -> None:
    """Figure 15.6: t = 2.41 against 2.365; without one of the better datasets it is gone."""
    differences = (5.0, -3.0, 0.0, 6.0, 4.0, 9.0, 0.0, 7.0)
    over = {
        "comparison": "compare-1",
        "metric": "accuracy",
        "first": "A",
        "second": "B",
        "test": "paired-t",
        "differences": [(f"dataset {i}", d) for i, d in zip((1, 2, 3, 4, 7, 8, 9, 10), differences, strict=True)],
    }
    text = 'results t from csv "t.csv", datasets in "Dataset", measuring accuracy\ncompare A vs B on t by paired-t\n'
    (found,) = [f for f in linted(text, run=[("over", over)]).findings if f.code == "EV406"]
    assert "is significant" in found.message
    # left out one by one, only 2.365-like thresholds for 7 units (2.447) matter: without dataset 2 t rises to 3.35
    assert "dataset 2" not in found.message
    assert "dataset 8" in found.message


@pytest.mark.parametrize(("datasets", "advised"), [(5, False), (6, True)])
def test_wilcoxon_is_advised_where_it_can_reject(datasets: int, advised: bool) -> None:
    """Its smallest p over five datasets is 2/32."""
    far = [*((f"d{i}", 2.0 + i / 10) for i in range(datasets - 1)), ("far", 90.0)]
    over = {"comparison": "compare-1", "metric": "accuracy", "first": "A", "second": "B", "test": "paired-t"}
    text = 'results t from csv "t.csv", datasets in "Dataset", measuring accuracy\ncompare A vs B on t by paired-t\n'
    (found,) = [f for f in linted(text, run=[("over", {**over, "differences": far})]).findings if f.code == "EV406"]
    assert ("by wilcoxon" in found.help) == advised


def test_units_for_power_are_those_of_the_corrected_level() -> None:
    """Three pairs at 0.05/3; 400,000 draws of normal differences: 13 datasets have 50% power, 9 have 26%."""
    suite = 'suite s is v1, v2, v3, v4, v5, v6 because "r"\n'
    data = "".join(f'dataset v{i} from csv "v{i}.csv", target "y"\n' for i in range(1, 7))
    compare = "compare decision-tree vs naive-bayes vs majority on s using 10x10cv, by wilcoxon, all pairs"
    for method in ("holm", "bonferroni"):
        found = linted(f"{data}{suite}{compare}, {method} over learners, seed 1\n").findings
        (help_line,) = [f.help for f in found if f.code == "EV408"]
        assert "at least 7 datasets (13 for about 50% power at the corrected level 0.0167 to find" in help_line


@pytest.mark.parametrize(
    ("datasets", "pairs", "method", "rejects"),
    [(5, 1, "", False), (6, 1, "", True), (7, 3, "holm", True), (6, 3, "holm", False), (6, 3, "hochberg", True)],
)
def test_the_smallest_p_of_wilcoxon_is_two_over_two_to_the_n(
    datasets: int, pairs: int, method: str, rejects: bool
) -> None:
    names = [f"v{i}" for i in range(datasets)]
    data = "".join(f'dataset {n} from csv "{n}.csv", target "y"\n' for n in names)
    learners = "decision-tree vs naive-bayes" + (" vs majority" if pairs == 3 else "")
    correct = f", all pairs, {method} over learners" if method else ""
    suite = f'suite s is {", ".join(names)} because "r"\n'
    text = f"{data}{suite}compare {learners} on s using 10x10cv, by wilcoxon{correct}, seed 1\n"
    level = 0.05 / pairs if method == "holm" else 0.05
    assert rejects == (2 / 2**datasets <= level)
    assert rejects == all(f.code != "EV408" for f in linted(text).findings)


@pytest.mark.parametrize(("gain", "clearly"), [(0.0141, False), (0.0142, True)])
@pytest.mark.parametrize("nested", [True, False])
def test_clearly_better_is_two_standard_errors(gain: float, clearly: bool, nested: bool) -> None:
    # five units with mean 0.70 and standard deviation 0.01581: standard error 0.00707, twice that 0.01414
    units = (0.70, 0.72, 0.68, 0.71, 0.69)
    small = tuple((u, u) for u in units) if nested else (units,)
    large = tuple((0.70 + gain, 0.70 + gain) for _ in range(5))
    flat = ((0.5, 0.5), (0.5, 0.5))
    pairs = [
        ("pair", {**_PAIR, "comparison": "compare-1", "training_rows": 100.0, "scores": (small, flat)}),
        ("pair", {**_PAIR, "comparison": "compare-2", "training_rows": 150.0, "scores": (large, flat)}),
    ]
    text = (
        'dataset d from csv "d.csv", target "y" because "r"\n'
        "compare decision-tree vs naive-bayes on d using 5x2cv, holm over everything, seed 1\n"
        "compare decision-tree vs naive-bayes on d using 10x10cv, holm over everything, seed 1\n"
    )
    found = {f.code for f in linted(text, run=pairs).findings}
    assert ("EV307" in found) == clearly


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=12), st.sampled_from((0.05, 0.025, 0.005)))
def test_the_t_test_of_differences_is_scipys(values: list[int], tail: float) -> None:
    floats = [float(v) for v in values]
    if len(set(values)) == 1:
        assert significant(floats, tail) == (values[0] != 0)
    else:
        p = ttest_1samp(floats, 0.0).pvalue
        if abs(p - 2 * tail) > 1e-9:
            assert significant(floats, tail) == (p < 2 * tail)


def test_the_stage_says_what_was_looked_at() -> None:
    text = (
        'dataset d from builtin "breast-cancer" because "r"\n'
        "compare this classifier decision-tree vs naive-bayes on d using holdout 1/3, by mcnemar, rope 1%, seed 1\n"
    )
    seen = Profile(name="d", rows=569, features=30, task="classification", classes=(("a", 300), ("b", 269)))
    for profiles, stage in ((None, "design"), ({"d": seen}, "data")):
        (found,) = [f for f in linted(text, profiles=profiles).findings if f.code == "EV413"]
        assert found.stage == stage


def test_low_power_is_reported_once_for_all_datasets() -> None:
    names = ("d1", "d2", "d3")
    data = "".join(f'dataset {n} described as {300 * i} rows because "r"\n' for i, n in enumerate(names, start=1))
    text = (
        f"{data}compare this classifier decision-tree vs naive-bayes on {', '.join(names)}\n"
        "  using holdout 1/3, by mcnemar, rope 1 point, holm over datasets, seed 1\n"
    )
    (found,) = [f for f in linted(text).findings if f.code == "EV413"]
    assert "100 test rows of dataset `d1`" in found.message
    assert "`d2` and `d3`" in found.message
