"""The simulation of whole procedures: a quick part, proof that it would notice, and what the full one stored."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import evalang as ev
from evalang.plans import default_tests as chosen_tests

from . import oracle
from .kept import EXCEPTIONS, MOST, exceptions, stored, unexcused
from .printed import read, sentences_of
from .rarer import rarer
from .rates import Count, measure, printed, whole, wrongs
from .situations import Situation, fitted, predicted, situations, tabled

QUICK = {
    "rows": (predicted("predictions, two equal, n = 200", 200, {"a": 0.8, "b": 0.8}), 60),
    "folds": (fitted("1-nn", 60, "10cv"), 60),
    "family": (tabled(15, 5, decimals=3, more=" holm over learners"), 60),
}


@pytest.mark.parametrize(
    "share", [pytest.param(1 / 3, id="a third"), pytest.param(1, id="all", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", QUICK)
def test_defaults_keep_their_level_from_script_to_sentence(name: str, share: float, tmp_path: Path) -> None:
    situation, runs = QUICK[name]
    assert unexcused(measure(situation, range(round(share * runs)), tmp_path), exceptions()) == []


def test_a_wrong_default_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resamples judged as if they were independent: a fifth to a third of the verdicts are wrong."""
    right = chosen_tests._default

    def wrong(name: str, *rest: object) -> object:
        return right("resampled-t", *rest)

    situation = fitted("centroid", 60, "30 resamples of 2/3")
    monkeypatch.setattr(chosen_tests, "_default", wrong)
    found = unexcused(measure(situation, range(12), tmp_path), exceptions())
    assert any("wrong verdict" in line for line in found), found


def test_a_situation_that_is_refused_is_no_silent_zero(tmp_path: Path) -> None:
    situation = predicted("refused", 50, {"a": 0.8, "b": 0.8}, more=" by 5x2cv-t")
    with pytest.raises(AssertionError, match="refused"):
        printed(situation, 0, tmp_path)


@pytest.mark.parametrize(
    ("wrong", "runs", "above"), [(3, 60, False), (10, 60, False), (12, 60, True), (80, 1000, False), (90, 1000, True)]
)
def test_only_what_chance_would_not_bring_is_above(wrong: int, runs: int, above: bool) -> None:
    assert Count(situation="", measure="", runs=runs, wrong=wrong).above() is above


def test_reading_knows_each_verdict() -> None:
    text = """
    Question: which?

    a is better than b on d1: accuracy higher by 0.068, 95% interval of a minus b 0.023 to 0.114; a wins 20 and loses
    10 of 30 folds (resampled-t, t(29) = 3.07; p = 0.005, the only test of its family).

    b is better than a over 12 datasets: rmse lower by 0.2, 95% interval of a minus b 0.1 to 0.3 (wilcoxon).

    No significant difference between a and b on d2 in accuracy: b is ahead by 0.070, 95% interval of a minus b
    -0.149 to 0.017 (mcnemar).

    The 3 learners are not all equal on d3 in accuracy (cochran-q).

    Findings
    --------

    Claim supported: a same as b within 5% on p: because.
    """
    said = read(text)
    assert [(s.better, s.differ, s.interval) for s in said.sentences] == [
        ("a", True, (0.023, 0.114)),
        ("b", True, (0.1, 0.3)),
        (None, False, (-0.149, 0.017)),
    ]
    assert said.omnibus == (True,)
    assert said.claims == (("supported", "a same as b within 5% on p"),)
    with pytest.raises(AssertionError, match="cannot read"):
        read("Question: which?\n\na beats b hands down.")
    with pytest.raises(AssertionError, match="headline says more"):
        read(
            "a is better than b on d: by far.\n\nQuestion: which?\n\n"
            "No significant difference between a and b on d in accuracy: 0."
        )


def test_simultaneous_intervals_are_read_and_count_as_one_promise() -> None:
    shown = {"a and b": "of a minus b 0.01 to 0.2", "a and c": "of a minus c 0.02 to 0.2"}
    shown["b and c"] = "of b minus c unbounded"
    each = "simultaneous interval (98.75% each, for 4 tests together)"
    said = read(
        "Question: which?\n\n"
        + "\n\n".join(
            f"No significant difference between {pair} on p in accuracy: ahead by 0.1, {each} {ends} (mcnemar-midp)."
            for pair, ends in shown.items()
        )
    )
    assert [s.interval for s in said.sentences] == [(0.01, 0.2), (0.02, 0.2), (-math.inf, math.inf)]
    situation = predicted("three", 50, {"a": 0.8, "b": 0.8, "c": 0.8})
    assert wrongs(situation, said)["interval misses the truth"] == (1, 1)
    with pytest.raises(AssertionError, match="cannot read"):
        read(
            "Question: which?\n\nNo significant difference between a and b on p in accuracy: a is ahead, some interval."
        )


def test_what_is_stored_is_within_the_limit_or_excused() -> None:
    counts = stored()
    assert unexcused(counts.values(), exceptions()) == []
    names = {s.name for s in (*situations(), *rarer())}
    assert {situation for situation, _ in counts} <= names
    stale = [key for key in exceptions() if key not in counts or counts[key].rate <= 0.06]
    assert stale == [], f"no exceptions any more: {stale}"
    assert len(exceptions()) < MOST, f"{EXCEPTIONS.name}: with so many, the test is no default"


@pytest.mark.parametrize("n", [50, 200, 1000])
def test_two_equal_sets_of_predictions_are_told_apart_as_often_as_can_be_counted(n: int) -> None:
    """Over all numbers of disagreements that such rows bring: mid-p is about .05, and so is what was simulated."""
    both = stats.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([stats.norm.ppf(0.8)] * 2)
    chances, exact = stats.binom.pmf(np.arange(n + 1), n, 2 * (0.8 - both)), 0.0
    for many in np.flatnonzero(chances > 1e-6):
        low = np.minimum(np.arange(many + 1), np.arange(many, -1, -1))
        p = 2 * stats.binom.cdf(low, many, 0.5) - stats.binom.pmf(low, many, 0.5)
        rejected = (p <= 0.05) & (2 * low < many)
        exact += chances[many] * stats.binom.pmf(low[rejected], many, 0.5).sum()
    assert 0.04 < exact < 0.05
    seen = stored()[f"predictions, two equal, n = {n}", "wrong verdict"]
    assert seen.rate == pytest.approx(exact, abs=3.5 * (exact / seen.runs) ** 0.5)


def _p(text: str) -> tuple[str, str]:
    """Test and p as the sentence prints them."""
    (found,) = sentences_of(text)
    shown = re.search(r"\(([\w.-]+), .*?\bp = ([\d.e-]+)", found)
    assert shown is not None, found
    return shown[1], shown[2]


def _same(shown: str, p: float) -> None:
    """The printed digits are those of the oracle's p."""
    decimals = len(shown.partition(".")[2]) if "e" not in shown else 12
    assert float(shown) == pytest.approx(p, abs=0.51 * 10**-decimals, rel=0.05 if "e" in shown else 0), (shown, p)


@pytest.mark.parametrize("scheme", ["5x2cv", "10cv", "3x10cv", "10x2cv"])
def test_the_printed_p_is_that_of_plain_loops_on_folds(scheme: str, tmp_path: Path) -> None:
    situation = fitted("1-nn", 60, scheme)
    result = ev.run(situation.script.replace("SEED", "7"), dict(situation.draw(np.random.default_rng(3), tmp_path)))
    test, shown = _p(whole(result))
    scores = result.table.scores
    wide = scores.pivot_table(index=["partition", "fold"], columns="learner", values="score")
    folds = [list(map(float, part["a"] - part["b"])) for _, part in wide.groupby(level=0)]
    ratio = float(scores["tested"].mean() / scores["trained"].mean())
    by_name = {
        "corrected-t": lambda: oracle.corrected_t(folds, ratio),
        "partition-t": lambda: oracle.partition_t(folds, ratio),
        "5x2cv-t": lambda: oracle.five_by_two_t(folds),
    }
    _same(shown, by_name[test]())


def test_the_printed_p_is_that_of_plain_loops_on_rows_and_datasets(tmp_path: Path) -> None:
    for situation in (QUICK["rows"][0], tabled(10, 2, decimals=4)):
        test, shown = _p(_summary(situation, tmp_path))
        if test == "wilcoxon":
            table = pd.read_csv(tmp_path / "r.csv")
            _same(shown, oracle.wilcoxon([round(x, 6) for x in table["m1"] - table["m2"]]))
        else:
            table = pd.read_csv(tmp_path / "p.csv")
            counts = oracle.disagreements(list(table["y"]), list(table["a"]), list(table["b"]))
            _same(shown, {"mcnemar": oracle.mcnemar, "mcnemar-midp": oracle.mcnemar_midp}[test](*counts))


def _summary(situation: Situation, folder: Path) -> str:
    situation.draw(np.random.default_rng(5), folder)
    script = folder / "script.eval"
    script.write_text(situation.script)
    return whole(ev.run(script))
