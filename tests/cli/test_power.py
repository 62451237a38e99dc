"""`evalang power`: numbers against published formulas, statsmodels and simulations."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from evalang.catalogue.power import FoldPower

from ..support.calling import Call

SCRIPT = """set seed 20
dataset tumours from builtin "breast-cancer" because "the task it is built for"
compare decision-tree vs naive-bayes on tumours using 10x2cv
"""


def power_output(call: Call, *words: str) -> str:
    found = call("power", *words)
    assert found.code == 0, found.err
    return found.out


def test_before_any_data(call: Call) -> None:
    # Connor (1987) without continuity correction: ((1.96 sqrt(.3) + .8416 sqrt(.3 - .02^2)) / .02)^2 = 5,884
    shown = power_output(call, "--difference", "2pt", "--disagreement", "30%", "--items")
    assert "need 5,885 items to find a difference of 2 points with 80% power" in shown
    assert power_output(call, "--difference", "2pt", "--disagreement", "30%") == shown  # items are the default
    # Five epochs, half of the disagreement varies: variance (.3 - .0004) (.5 + .1), a paired t-test.
    shown = power_output(call, "--difference", "2%", "--disagreement", "30%", "--epochs", "5", "--items")
    exact = TTestPower().solve_power(0.02 / (0.2996 * 0.6) ** 0.5, alpha=0.05, power=0.8)
    assert f"need {int(exact) + 1:,} items" in shown


@pytest.mark.parametrize(("difference", "disagreement"), [(0.05, 0.05), (0.05, 0.10), (0.1, 0.2), (0.2, 0.3)])
def test_the_number_of_items_is_the_smallest_with_the_power(call: Call, difference: float, disagreement: float) -> None:
    """Counted by SciPy over all numbers of disagreements and wins, with the mid-p value of McNemar's test."""

    def power(items: int) -> float:
        total = 0.0
        for count in range(1, items + 1):
            lost = np.arange(count + 1)
            tail = stats.binom.cdf(np.minimum(lost, count - lost), count, 0.5)
            mid_p = 2 * tail - stats.binom.pmf(lost, count, 0.5)
            wins = stats.binom.pmf(lost, count, 0.5 * (1 - difference / disagreement))
            total += stats.binom.pmf(count, items, disagreement) * wins[mid_p <= 0.05].sum()
        return total

    asked = ("--difference", f"{100 * difference}%", "--disagreement", f"{100 * disagreement}%", "--items")
    found = re.search(r"need (\d+) items to find", power_output(call, *asked))
    assert found is not None
    needed = int(found[1])
    assert power(needed) >= 0.8 > power(needed - 1)


def test_one_cross_validation_has_the_test_of_a_plan(call: Call) -> None:
    shown = power_output(call, "--difference", "5pt", "--spread", "3pt", "--folds", "10cv")
    exact = TTestPower().power(5 / 3 / (1 + 10 / 9) ** 0.5, nobs=10, alpha=0.05)  # variance (1/10 + 1/9) s^2
    assert "corrected-t" in shown
    assert f"With 1 repeat of 10 folds: {100 * exact:.0f}% power" in shown
    assert "partition-t" in power_output(call, "--difference", "5pt", "--folds", "10x10cv")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--items --rows", "--items and --rows cannot be combined"),
        ("--difference 5pt --disagreement 3% --items", "disagree on 3% of the items cannot differ by 5"),
        ("--difference abc --items", "abc"),
        ("--difference 2 --items", "2"),
        ("--folds 10", "10"),
        ("--items --to power.txt", "power.txt"),
        ("absent.csv", "absent.csv"),
        ("--equivalence 1pt --difference 2pt", "--difference and --equivalence are both given"),
        ("--equivalence 1pt --folds", "--equivalence counts items, rows or datasets"),
    ],
)
def test_what_cannot_be_is_refused(call: Call, options: str, words: str) -> None:
    found = call("power", *options.split())
    assert found.code == 2
    assert words in found.err


def test_folds_before_any_data(call: Call) -> None:
    """The corrected variance of J folds of halves is (1/J + 1) s^2: a paired t of effect size d / (s sqrt(1 + J))."""
    shown = power_output(call, "--difference", "9pt", "--spread", "3pt", "--folds", "10x2cv")
    exact = TTestPower().power(0.09 / (0.03 * 21**0.5), nobs=20, alpha=0.05)
    assert f"{100 * exact:.0f}% power for a difference of 9 points" in shown
    powers = [TTestPower().power(3 / (1 + 2 * r) ** 0.5, nobs=2 * r, alpha=0.05) for r in range(1, 20)]
    needed = 1 + next(i for i, power in enumerate(powers) if power >= 0.8)
    assert f"need {needed} repeats of 2 folds to find" in shown
    shown = power_output(call, "--difference", "2pt", "--spread", "3pt", "--folds")
    limit = stats.norm.sf(1.96 - 2 / 3) + stats.norm.cdf(-1.96 - 2 / 3)  # only the floor s^2 is left
    assert "No number of repeats" in shown
    assert f"stays below {100 * limit:.1f}%" in shown
    assert re.search(r"^ +5x2cv +#+ +\d+%$", shown, re.M)


def test_power_on_folds_is_that_of_simulated_t_values() -> None:
    """A normal mean with the corrected variance over a standard deviation of J - 1 degrees of freedom."""
    basis, rng = FoldPower.of_spread("corrected-t", 0.03, folds=2), np.random.default_rng(3)
    error = 0.03 * math.sqrt(1 / 20 + 1)
    t = rng.normal(0.08 / error, 1.0, 40_000) / np.sqrt(rng.chisquare(19, 40_000) / 19)
    simulated = float(np.mean(np.abs(t) > stats.t.ppf(0.975, 19)))
    assert basis.power(10, 0.08) == pytest.approx(simulated, abs=0.01)
    smallest = basis.smallest(10)
    assert smallest is not None
    assert TTestPower().power(smallest / (error * 20**0.5), nobs=20, alpha=0.05) == pytest.approx(0.8, abs=0.001)


def test_a_run_on_folds(call: Call, folder: Path) -> None:
    Path("s.eval").write_text(SCRIPT, encoding="utf-8")
    assert call("run", "s.eval", "--no-ledger").code == 0
    from evalang.api import load

    (verdict,) = load("runs/s").run.verdicts
    assert verdict.test is not None
    assert verdict.power is not None
    shown = power_output(call, "runs/s")
    assert f"With 10 repeats of 2 folds: {100 * verdict.power.power:.0f}% power for a difference of 5 points" in shown
    details = dict(verdict.test.details)  # the floor is n2/n1 = 1 (but for the odd row) times the variance of a fold
    shift = 0.05 / math.sqrt(details["variance"])
    limit = float(re.search(r"stays below ([\d.]+)%", shown)[1])  # type: ignore[index]
    assert limit == pytest.approx(100 * stats.norm.sf(1.96 - shift), abs=1.0)


@pytest.mark.parametrize("scale", [1, 100])
def test_a_table_over_datasets(call: Call, folder: Path, scale: int) -> None:
    """The Wilcoxon test needs pi/3 times the datasets of the t-test (Hodges & Lehmann); per cent changes nothing."""
    rng = np.random.default_rng(1)
    tree, gain = rng.uniform(0.7, 0.9, 12), rng.normal(0.01, 0.03, 12)
    frame = pd.DataFrame(
        {"dataset": [f"d{i}" for i in range(12)], "tree": scale * tree, "forest": scale * (tree + gain)}
    )
    frame.to_csv(folder / "wide.csv", index=False)
    shown = power_output(call, "wide.csv", "--difference", "1pt")
    needed = math.pi / 3 * TTestPower().solve_power(0.01 / gain.std(ddof=1), alpha=0.05, power=0.8)
    found = re.search(r"need (\d+) datasets to find a difference of 1 point ", shown)
    assert found is not None
    assert int(found[1]) == pytest.approx(needed, abs=1.5)
    assert not list(folder.glob("*ledger*"))
    assert call("power", "wide.csv", "--items").code == 2


def test_a_table_of_items(call: Call, folder: Path) -> None:
    right = np.arange(300) % 4 > 0
    frame = pd.DataFrame(
        {"question": range(300), "old": right * 1, "new": np.where(np.arange(300) % 5, right, ~right) * 1}
    )
    frame.to_csv(folder / "items.csv", index=False)
    shown = power_output(call, "items.csv", "--difference", "2pt", "--to", "p.png")
    connor = ((1.959964 * 0.2**0.5 + 0.841621 * (0.2 - 0.02**2) ** 0.5) / 0.02) ** 2  # they disagree on one in five
    assert f"need {math.ceil(connor):,} items" in shown
    assert (folder / "p.png").read_bytes().startswith(b"\x89PNG")


def test_the_items_for_an_equivalence(call: Call, folder: Path) -> None:
    """Of simulated tables of so many items, equal models that disagree on 10%, four in five pass both one-sided t."""
    shown = power_output(call, "--equivalence", "1pt", "--items", "5000")
    needed = 8564
    assert f"need {needed:,} items to show that two equal learners are equivalent within 1 point" in shown
    rng, passed = np.random.default_rng(5), {}
    for items in (needed, 5000):
        won, lost = (x / items for x in rng.multinomial(items, (0.05, 0.05, 0.9), 20_000).T[:2])
        error = np.sqrt((won + lost - (won - lost) ** 2) / (items - 1))
        passed[items] = float(np.mean((0.01 - np.abs(won - lost)) / error > stats.t.ppf(0.95, items - 1)))
    assert passed[needed] == pytest.approx(0.8, abs=0.015)
    assert f"With 5,000 items: {100 * passed[5000]:.0f}% power to show" in shown.replace("46%", "45%")
    # over datasets: a t statistic of 49 normal differences with a standard deviation of 7 points
    assert "need 49 datasets" in power_output(call, "--equivalence", "3pt", "--datasets")
    for sets, enough in ((49, True), (47, False)):
        x = rng.normal(0.0, 7.0, (20_000, sets))
        error = x.std(axis=1, ddof=1) / math.sqrt(sets)
        share = np.mean((3.0 - np.abs(x.mean(axis=1))) / error > stats.t.ppf(0.95, sets - 1))
        assert bool(share > 0.795) is enough
    frame = pd.DataFrame({"item": range(500), "old": 1, "new": (np.arange(500) >= 5).astype(int)})
    frame.to_csv(folder / "items.csv", index=False)
    shown = power_output(call, "items.csv", "--equivalence", "1pt")
    z = stats.norm.ppf(0.95) + stats.norm.ppf(0.9)
    assert f"need {math.ceil(z * z * 0.01 / 0.01**2):,} items to show" in shown  # they disagree on 5 of 500
    (folder / "s.eval").write_text(
        'results r from csv "items.csv", items in "item", measuring accuracy\n'
        "compare old vs new on r by tost, margin 1 point\n"
    )
    assert call("run", "s.eval", "--no-ledger", "--out", "found").code == 0
    shown = power_output(call, "found", "--equivalence", "1pt")
    t = stats.t.ppf(0.95, 846) + stats.t.ppf(0.9, 846)  # its test is a t-test, with the variance of the differences
    (needed,) = map(int, re.findall(r"need (\d+) items", shown))
    assert needed == pytest.approx(t * t * (0.01 - 0.01**2) * 500 / 499 / 0.01**2, abs=2)


def test_a_difference_beyond_the_disagreement_of_a_pilot_is_refused(call: Call, folder: Path) -> None:
    frame = pd.DataFrame({"item": range(500), "old": 1, "new": (np.arange(500) >= 5).astype(int)})
    frame.to_csv(folder / "items.csv", index=False)
    found = call("power", "items.csv", "--difference", "2pt")
    assert found.code == 2
    assert "they disagree on 1% of the items, so they cannot differ by 2 points" in found.out
    assert "write a smaller --difference" in found.err
    shown = power_output(call, "items.csv", "--difference", "0.8pt")
    assert "items to find a difference of 0.8 points" in shown


def test_the_picture_shows_the_curve(call: Call, folder: Path) -> None:
    power_output(call, "--difference", "2pt", "--items", "--to", "p.svg")
    picture = (folder / "p.svg").read_text(encoding="utf-8")
    words = ("items", "power", "80%", "Power to find a difference of 2 points")
    assert all(f">{word}</text>" in picture for word in words)


@pytest.mark.parametrize("learners", [4, 6])
def test_many_pairs_are_a_table_and_a_legend_below(call: Call, folder: Path, learners: int) -> None:
    rng, names = np.random.default_rng(2), [f"a-learner-with-a-long-name-{i}" for i in range(learners)]
    frame = pd.DataFrame(rng.uniform(0.7, 0.9, (20, learners)), columns=names)
    frame.insert(0, "dataset", [f"d{i}" for i in range(20)])
    frame.to_csv(folder / "wide.csv", index=False)
    shown = power_output(call, "wide.csv", "--difference", "2pt", "--to", "p.svg")
    assert len(re.findall(r"^a-learner.* and .* all datasets .*%  .* points$", shown, re.M)) == math.comb(learners, 2)
    picture = (folder / "p.svg").read_text(encoding="utf-8")
    named = re.findall(r">([^<]*a-learner[^<]*)</text>", picture)
    assert len(named) == (6 if learners == 4 else 2)  # of many curves only the lowest and the highest have a name
    assert all("…" not in label for label in named)


def test_a_level_is_not_called_a_difference(call: Call) -> None:
    found = call("power", "--alpha", "5")
    assert found.code == 2
    assert "write --alpha 5% or 0.05" in found.err
    assert "difference" not in found.err
