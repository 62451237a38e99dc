"""The power of a comparison as designed: against closed forms that are held to R elsewhere, and against enumeration."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import pytest
from scipy.optimize import brentq

from evalang.catalogue.power import power_mcnemar, power_paired_t
from evalang.errors import ScriptError
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.results.records import SimulationOutcome
from evalang.verdicts.simulation import simulate

Cells = tuple[SimulationOutcome, ...]


def power(script: str) -> Cells:
    plan = build(SourceText("script.eval", script)).plan
    return tuple(o for s in plan.simulations for o in simulate(plan, s))


def curve(found: Cells) -> list[SimulationOutcome]:
    return [o for o in found if not {"target", "instead-of"} & dict(o.settings).keys()]


def power_midp(rows: int, disagreement: float, difference: float) -> float:
    """Of McNemar's mid-p test at 0.05; held to the enumeration of all counts in tests/catalogue/test_power.py."""
    return power_mcnemar(rows, disagreement=disagreement, difference=difference, mid_p=True, counted=True)


def test_midp_on_a_test_part() -> None:
    found = curve(
        power(
            "compare decision-tree vs naive-bayes on breast-cancer using holdout 1/3, seed 1 as it\n"
            "simulate power of it with difference 2%, 5%, 8%, trials 4000, seed 2"
        )
    )
    for o in found:
        expected = power_midp(190, 0.10, dict(o.settings)["difference"])
        assert o.rate == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 4000))
    assert [o.subject for o in found] == ["it: mcnemar-midp on breast-cancer"] * 3


def test_the_first_level_of_the_family_is_used() -> None:
    script = (
        "compare decision-tree vs naive-bayes on iris, wine, breast-cancer using 5x2cv, {} seed 1 as it\n"
        "simulate power of it with rows 400, difference 6%, trials 3000, seed 2"
    )
    plain, strict = (curve(power(script.format(c)))[0] for c in ("uncorrected", "bonferroni over datasets"))
    assert dict(plain.settings)["alpha"] == 0.05
    assert dict(strict.settings)["alpha"] == pytest.approx(0.05 / 3)
    assert strict.rate < plain.rate


def test_over_datasets() -> None:
    """Twenty exact scores whose true differences scatter by seven points are a paired t-test of dz = 1/2."""
    found = curve(
        power(
            'results r from csv "r.csv", datasets in "set", measuring accuracy\n'
            "compare a vs b on r by paired-t as it\n"
            "simulate power of it with datasets 20, difference 3.5%, trials 8000, seed 2"
        )
    )
    assert len(found) == 1
    assert found[0].rate == pytest.approx(power_paired_t(20, 0.5), abs=0.02)


def test_smallest_differences_and_what_it_would_take() -> None:
    found = power(
        "compare decision-tree vs naive-bayes on breast-cancer using 10cv, by kfold-t, seed 1 as it\n"
        "simulate power of it with difference 2%, trials 2000, seed 2"
    )
    targets = {dict(o.settings)["target"]: o for o in found if "target" in dict(o.settings)}
    for target, o in targets.items():
        assert o.rate == pytest.approx(target, abs=0.07)
    needed = next(o for o in found if "instead-of" in dict(o.settings))
    assert dict(needed.settings)["instead-of"] == 569.0
    assert needed.rate == pytest.approx(0.8, abs=0.06)
    # ((2.262 + 0.883 of t with 9 df) / 0.02)^2 * (psi - d^2) is some 2,460 rows; a normal would take 1,954.
    assert 2000 < dict(needed.settings)["rows"] < 2800


def test_more_partitions_do_not_make_rows() -> None:
    found = power(
        "compare decision-tree vs naive-bayes on iris using 2 partitions of 5cv, by averaged-t, seed 1 as it\n"
        "simulate power of it with difference 3%, trials 500, seed 2"
    )
    more = next(o for o in found if "partitions" in dict(o.settings))
    assert dict(more.settings)["partitions"] == 100.0
    assert more.rate < 0.2


def test_without_rows_there_is_nothing_to_simulate() -> None:
    data = 'dataset d from csv "d.csv", target "y", as classification\n'
    with pytest.raises(ScriptError, match="rows are not known"):
        power(f"{data}compare knn vs svm on d using 10cv, seed 1 as it\nsimulate power of it")


def test_resamples_are_called_resamples() -> None:
    found = power(
        "compare decision-tree vs naive-bayes on iris using 10 resamples of 2/3, by corrected-t, seed 1 as it\n"
        "simulate power of it with difference 2%, trials 100, seed 2"
    )
    assert any("resamples" in dict(o.settings) for o in found)
    assert not any("partitions" in dict(o.settings) for o in found)


def test_the_smallest_difference_is_one_that_can_be() -> None:
    """With an error of 5% two learners that disagree on 14% of the rows differ by 4 points at least."""
    found = power(
        "compare decision-tree vs naive-bayes on breast-cancer using 10cv, by kfold-t, seed 1 as it\n"
        "simulate power of it with error 5%, disagreement 14%, difference 6%, trials 200, seed 2"
    )
    sought = [dict(o.settings)["difference"] for o in found if "target" in dict(o.settings)]
    assert len(sought) == 2
    assert min(sought) >= 0.04


def test_every_stated_number_of_rows_is_searched() -> None:
    found = power(
        "compare decision-tree vs naive-bayes on iris using holdout 1/3, by mcnemar, seed 1 as it\n"
        "simulate power of it with rows 300, 400, 500, 600, difference 5%, trials 100, seed 2"
    )
    assert {dict(o.settings)["rows"] for o in found if "target" in dict(o.settings)} == {300.0, 400.0, 500.0, 600.0}


def test_the_number_needed_is_near_the_exact_one() -> None:
    """80% power for 5 points at 10% disagreement: by enumeration over all counts, within 5% and inside the interval's
    neighbourhood (the interval is 95%, so it may miss by a little)."""
    found = power(
        "compare decision-tree vs naive-bayes on breast-cancer using holdout 1/3, seed 1 as it\n"
        "simulate power of it with difference 5%, trials 300, seed 2"
    )
    needed = dict(next(o for o in found if "instead-of" in dict(o.settings)).settings)
    exact = 3 * (200 + bisect_left(range(200, 600), 0.8, key=lambda n: power_midp(n, 0.10, 0.05)))
    assert needed["rows"] == pytest.approx(exact, rel=0.05)
    assert needed["low"] < needed["rows"] < needed["high"]
    assert needed["high"] - needed["low"] < 0.10 * exact
    assert needed["low"] - 0.02 * exact <= exact <= needed["high"] + 0.02 * exact


def test_the_smallest_difference_is_the_exact_one_within_its_interval() -> None:
    """By enumeration, for five seeds: the mean is within .6% of it, and at least four of the 95% intervals hold it."""
    script = (
        "compare decision-tree vs naive-bayes on breast-cancer using holdout 1/3, seed 1 as it\n"
        "simulate power of it with difference 9%, trials 300, seed {}"
    )
    found = [dict(o.settings) for seed in range(5) for o in power(script.format(seed)) if "target" in dict(o.settings)]
    for target in (0.5, 0.8):
        exact = brentq(lambda d, t=target: power_midp(190, 0.10, d) - t, 0.02, 0.09)
        sought = [o for o in found if o["target"] == target]
        assert np.mean([o["difference"] for o in sought]) == pytest.approx(exact, rel=0.006)
        assert sum(o["low"] <= exact <= o["high"] for o in sought) >= 4
        assert max(o["high"] - o["low"] for o in sought) < 0.03 * exact
