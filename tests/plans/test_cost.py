"""The power that `plan` prints: at the level of the family, on the smallest and the largest dataset."""

from __future__ import annotations

import pytest

from evalang.catalogue.power import fold_power, power_wilcoxon, row_power
from evalang.findings.engine import lint
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.cost import TestPower, describe_power, design_power


def powers(script: str) -> tuple[TestPower, ...]:
    plan = build(SourceText("script.eval", script)).plan
    return design_power(plan, plan.comparisons[0])


def test_folds_at_the_level_of_the_family() -> None:
    script = "compare decision-tree vs naive-bayes on iris, wine, breast-cancer using 5x2cv, holm over datasets, seed 1"
    small, large = [t for t in powers(script) if t.dataset is not None]
    assert (small.dataset, small.units, large.dataset, large.units) == ("iris", 150, "breast-cancer", 569)
    assert small.level == pytest.approx(0.05 / 3)
    assert large.power == fold_power("corrected-t", rows=569, partitions=5, folds=2, difference=0.05, alpha=small.level)
    assert large.smallest is not None
    assert small.smallest is None or small.smallest > large.smallest


def test_rows_of_a_test_part_and_the_rope() -> None:
    found = powers("compare decision-tree vs naive-bayes on breast-cancer using holdout 1/3, rope 2 points, seed 1")
    (one,) = found
    assert one.difference == 0.02
    assert one.power == pytest.approx(row_power("mcnemar-midp", 190, difference=0.02))
    assert "a difference of 2 points" in describe_power(found)[0]
    one_sided = "compare decision-tree vs naive-bayes on breast-cancer using holdout 1/3, rope 2 points, {}"
    expected = one_sided.format("expecting decision-tree better, seed 1")
    assert powers(expected)[0].power > one.power


def test_over_datasets() -> None:
    names = ", ".join(f"d{i}" for i in range(12))
    made = "\n".join(f"dataset d{i} from synthetic gaussians(n = 200, overlap = 0.2)" for i in range(12))
    script = f"{made}\ncompare decision-tree vs naive-bayes on {names} using 10x10cv, by wilcoxon, seed 1"
    (over,) = [t for t in powers(script) if t.dataset is None]
    assert over.units == 12
    assert over.power == pytest.approx(power_wilcoxon(12, 0.05 / 0.07))  # 5 points asked, 7 points of spread


@pytest.mark.parametrize(
    "script",
    [
        "estimate decision-tree on iris using 10cv, seed 1",
        "compare ridge vs lasso on diabetes using 10cv, seed 1",
        'dataset d from csv "d.csv", target "y", as classification\n'
        "compare decision-tree vs naive-bayes on d using 10cv, seed 1",
        "compare decision-tree vs naive-bayes on iris using 5 resamples of 5000 rows, seed 1",  # iris has 150
    ],
)
def test_no_closed_form_is_none(script: str) -> None:
    assert not powers(script)


@pytest.mark.parametrize("method", ["bonferroni", "holm", "bh"])
def test_every_correction_is_computed_at_alpha_over_m_and_the_line_says_what_it_assumes(method: str) -> None:
    script = "compare decision-tree vs naive-bayes on iris, wine, breast-cancer using 10x10cv, {} over datasets, seed 1"
    found = powers(script.format(method))
    assert all(one.level == pytest.approx(0.05 / 3) for one in found if one.dataset is not None)
    line = describe_power(found)[0]
    assert ("at least" in line.partition("% power")[0]) == (method != "bonferroni")
    assert "if the learners disagree on 10% of the rows and training adds no variance" in line


def test_plan_and_lint_compute_the_same_power() -> None:
    """A holdout of 190 test rows, a rope of 2 points, one test: the rule's chance is the plan's, to the last digit."""
    script = (
        "compare decision-tree vs naive-bayes on breast-cancer using holdout 1/3, by mcnemar, rope 2 points, seed 1"
    )
    warned = next(f for f in lint(build(SourceText("script.eval", script))).findings if f.code == "EV413")
    assert f"has only {100 * powers(script)[0].power:.0f}% power" in warned.message
    assert "if the learners disagree on 10% of the test rows" in warned.message
