"""Sentences that once said more than the design could carry; each was found by reading what was printed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.plans.description import describe
from evalang.reports import terminal
from evalang.reports.assemble import document
from evalang.reports.sentences import short, words
from evalang.results.run_result import RunResult
from evalang.verdicts.apply import compute
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.judge import judge
from evalang.verdicts.tests.dependent_rows import cluster_permutation, forward_t
from evalang.verdicts.tests.training_tests import retrained_t

from ..support.evidence import MadeEvidence, planned, random_folds
from ..support.tables import run_on


def said(result: RunResult) -> str:
    """The whole report on one line."""
    return " ".join(terminal.render(document(result), full=True).split())


LEARNERS = "learner first is decision-tree\nlearner second is naive-bayes\n"
FOLD_TESTS = (
    "corrected-t",
    "partition-t",
    "averaged-t",
    "kfold-t",
    "5x2cv-t",
    "5x2cv-f",
    "bayes-correlated-t",
    "quasi-f",
)


@pytest.mark.parametrize("test", FOLD_TESTS)
def test_no_effect_size_on_folds(test: str) -> None:
    """dz there measures the size of the fold: -1.26 at 30cv was -10.38 over training sets."""
    rng = np.random.default_rng(1)
    shape = (1, 10) if test == "kfold-t" else (5, 2)
    scores = {"first": rng.random(shape), "second": rng.random(shape), "train_size": 90, "test_size": 10}
    assert compute(test, **scores, rope=0.01).effect is None


def test_one_that_was_trained_once_is_not_said_to_be_trained_again() -> None:
    rng = np.random.default_rng(2)
    once, often = rng.random((1, 50)), rng.random((6, 50))
    assert any("trained only once" in note for note in retrained_t(often, once).notes)
    assert not any("trained only once" in note for note in retrained_t(often, often + rng.random((6, 50))).notes)


def table_verdicts(rows: list[list[float]], clause: str, folder: Path) -> RunResult:
    frame = pd.DataFrame(rows, columns=[f"m{i + 1}" for i in range(len(rows[0]))])
    frame.insert(0, "set", [f"s{i}" for i in range(len(rows))])
    script = f'results r from csv "r.csv", datasets in "set", measuring accuracy\ncompare all on r{clause}\n'
    return run_on(folder, script, r=frame)


def test_what_one_pair_supposes_is_not_said_of_another(tmp_path: Path) -> None:
    """a and b disagree on 4 of 40 rows, a and c on 20: the power of both stood under the share of the first."""
    truth = np.zeros(40, dtype=int)
    rows = np.arange(40)
    wrong = {"a": rows < 2, "b": (rows >= 2) & (rows < 4), "c": (rows >= 10) & (rows < 28)}
    frame = pd.DataFrame({"y": truth} | {x: np.where(w, 1, 0) for x, w in wrong.items()})
    frame.loc[40] = [1, 1, 1, 1]
    script = 'predictions p from csv "p.csv", truth "y", learners in "a", "b", "c"\ncompare a vs b vs c on p, '
    text = said(run_on(tmp_path, f"{script}all pairs, at alpha 0.00001, bonferroni over learners\n", p=frame))
    assert "The power to find a difference" in text
    summary = text.partition("The power to find a difference")[2].partition(". ")[0]
    assert "disagree on" not in summary
    assert "computed for each pair from its own data" in summary


def test_mean_ranks_against_mean_scores_call_nobody_better(tmp_path: Path) -> None:
    """m1 is ahead by a hair on 19 datasets and far behind on one: its ranks are better, its mean is worse."""
    rows = [[0.90, 0.899, 0.80] for _ in range(19)] + [[0.10, 0.90, 0.05]]
    (found,) = [v for v in table_verdicts(rows, " by nemenyi", tmp_path).verdicts if v.learners == ("m1", "m2")]
    assert found.adjusted_p < 0.05
    assert found.difference < 0
    assert short(found) == "inconclusive"
    assert "because one learner has the better mean rank and the other the better mean score" in words(found).found


def test_datasets_under_a_test_over_them_are_a_sample(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [[a, a - 0.02 - 0.001 * i] for i, a in enumerate(rng.uniform(0.7, 0.9, 12))]
    text = said(table_verdicts(rows, "", tmp_path))
    assert "taken as they are" not in text
    assert "if these are a representative sample of such datasets" in text


def verdicts(clauses: str, sets: tuple[str, ...] = ("iris", "wine"), scheme: str = "5x2cv"):
    plan = planned(f"{LEARNERS}compare first vs second on {', '.join(sets)} using {scheme}{clauses}\n")
    shape = (5, 2) if scheme == "5x2cv" else (1, 10)
    folds = random_folds(5, sets, ("accuracy",), {"first": 0.02, "second": 0.0}, shape)
    sizes = (75.0, 75.0) if scheme == "5x2cv" else (90.0, 10.0)
    return plan, judge(plan, {"compare-1": MadeEvidence(folds, sizes)}).verdicts


def test_tests_without_a_correction_are_counted() -> None:
    _, found = verdicts(", uncorrected")
    for verdict in found:
        found_words = words(verdict).found
        assert "only test of its family" not in found_words
        assert "p is not corrected, although 2 tests were made." in found_words
        assert verdict.adjusted_p == verdict.test.pvalue
        assert verdict.interval.kind == "single"
    _, (alone,) = verdicts("", ("iris",))
    assert "corrected by" not in words(alone).found


def test_halves_say_how_many_rows_they_trained_on() -> None:
    plan, (found,) = verdicts("", ("iris",))
    assert "trained on about 75 rows (half of the data)" in words(found).scope
    assert "when trained on half of the rows from data like iris" in describe(plan)
    plan, (found,) = verdicts("", ("iris",), "10cv")
    assert "trained on about 90 rows and" in words(found).scope
    assert "half" not in describe(plan)


def test_a_family_of_everything_is_not_on_each_dataset() -> None:
    sets = [f"d{i}" for i in range(8)]
    files = "\n".join(f'dataset {n} from csv "{n}.csv", target "y"' for n in sets)
    plan = planned(
        f"{files}\n{LEARNERS}compare first vs second on {', '.join(sets)} using 5x2cv, holm over everything\n"
    )
    assert "9 tests on single datasets and over datasets" in describe(plan)


def test_power_says_what_it_assumes_and_offers_a_pilot() -> None:
    text = describe(planned(f"{LEARNERS}compare first vs second on digits using 10x10cv\n"))
    assert "if the learners disagree on 10% of the rows and training adds no variance" in text
    assert "pilot run" in text


def predictions(folder: Path, frame: dict[str, object], clauses: str) -> str:
    groups = ', groups "g"' if "g" in frame else ""
    script = f'predictions p from csv "p.csv", truth "y", learners in "a", "b"{groups}\ncompare a vs b on p{clauses}\n'
    return said(run_on(folder, script, p=frame))


def test_mid_p_is_made_for_few_disagreements(tmp_path: Path) -> None:
    y = np.arange(80) % 2
    a, b = y.copy(), y.copy()
    a[:3], b[3:15] = 1 - a[:3], 1 - b[3:15]
    text = predictions(tmp_path, {"y": y, "a": a, "b": b}, "")
    assert "approximation" not in text
    # What is seen here is a disagreement; that training adds nothing is nowhere seen.
    assert "training adds no variance" not in text


def test_a_root_has_no_winner_on_single_rows(tmp_path: Path) -> None:
    """The tangent's values of two learners have slopes of their own: which is smaller says nothing of the row."""
    rng = np.random.default_rng(4)
    y = rng.normal(size=120)
    text = predictions(tmp_path, {"y": y, "a": y + rng.normal(size=120), "b": y + 2 * rng.normal(size=120)},
                       " measuring rmse")  # fmt: skip
    assert "row-t" in text
    assert "wins" not in text
    assert "120 test rows" in text


def test_a_bootstrap_of_a_root_draws_the_root(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    y = rng.normal(size=60)
    frame = {"y": y, "a": y + rng.normal(size=60), "b": y + 2 * rng.standard_t(3, size=60)}
    text = predictions(tmp_path, frame, " by bootstrap, measuring rmse, seed 1")
    low, high = (float(x) for x in text.split("95% interval ")[1].split(" (")[0].split(" to "))
    a, b = ((np.asarray(frame[x]) - y) ** 2 for x in "ab")
    drawn = rng.integers(0, 60, (4000, 60))
    gaps = np.sqrt(b[drawn].mean(axis=1)) - np.sqrt(a[drawn].mean(axis=1))
    assert (low, high) == pytest.approx(tuple(np.quantile(gaps, [0.025, 0.975])), abs=0.12)


def test_groups_are_what_an_answer_speaks_of(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 120)
    frame = {"y": y, "g": np.repeat(np.arange(6), 20), "a": rng.integers(0, 2, 120), "b": y}
    text = predictions(tmp_path, frame, " measuring accuracy, error, bonferroni over metrics, seed 1")
    assert "new groups of rows like those of `p`" in text
    assert "unbounded" in text  # 64 signs hold no interval of 97.5%


def test_few_groups_have_a_p_and_no_bounds() -> None:
    """With 6 groups the one-sided p is at least 1/64: below that no shift is rejected, and that is no failure."""
    a, groups = np.arange(12.0), np.repeat(np.arange(6), 2)
    found = cluster_permutation(a, np.zeros(12), groups=groups, rng=np.random.default_rng(1), asked=Sided(level=0.99))
    assert found.pvalue == pytest.approx(2 / 64)
    assert (found.interval.low, found.interval.high) == (-math.inf, math.inf)


def test_few_skewed_losses_are_warned_of(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    y = np.zeros(50)
    skewed = predictions(tmp_path, {"y": y, "a": rng.lognormal(0, 1.5, 50), "b": np.full(50, 1.0)}, " measuring mae")
    assert "The differences of these 50 rows are skewed" in skewed
    assert "18.3%" in skewed
    even = predictions(tmp_path, {"y": y, "a": rng.normal(0, 1, 50), "b": rng.normal(0, 1, 50)}, " measuring mae")
    assert "Conditions not met" not in even


def test_differences_that_follow_each_other_closely_are_warned_of() -> None:
    rng = np.random.default_rng(7)
    noise = rng.normal(size=400)
    walk = np.zeros(400)
    for t in range(1, 400):
        walk[t] = 0.9 * walk[t - 1] + noise[t]
    found = forward_t(walk, np.zeros(400), times=np.arange(400))
    assert found.unmet
    assert "7.3%" in found.unmet[0]
    assert forward_t(noise, np.zeros(400), times=np.arange(400)).unmet == ()


def test_a_bootstrap_of_few_datasets_is_warned_of(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    text = said(table_verdicts(rng.uniform(0.7, 0.9, (10, 2)).tolist(), " by bootstrap, seed 1", tmp_path))
    assert "too short intervals for fewer than 30 datasets" in text


def test_datasets_that_were_left_out_are_named(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    rows = rng.uniform(0.7, 0.9, (12, 2)).tolist()
    rows[3][1] = rows[7][0] = math.nan
    text = said(table_verdicts(rows, ", complete cases", tmp_path))
    assert "2 of 12 datasets are left out for a missing score: s3, s7" in text
    whole = said(table_verdicts(rows[8:] + rows[8:], "", tmp_path))
    assert "left out" not in whole


def test_folds_of_a_table_are_said_to_be_taken_for_cross_validation(tmp_path: Path) -> None:
    """30 resamples of two thirds have a ratio of a half; read as 30 folds it would be 1/29."""
    rng = np.random.default_rng(10)
    rows = [("d", r, m, round(rng.normal(0.8, 0.02), 4)) for r in range(30) for m in ("a", "b")]
    table = pd.DataFrame(rows, columns=["dataset", "fold", "learner", "accuracy"])
    script = 'results r from csv "t.csv" as accuracy ~ learner | dataset / fold\ncompare a vs b on r by corrected-t\n'
    text = said(run_on(tmp_path, script, t=table))
    assert (
        "assumes one 30-fold cross-validation; if they are resamples, the test gives far too many false positives"
        in text
    )


def test_equivalence_has_the_standard_error_of_the_default_on_halves() -> None:
    """On ten halvings that is corrected-t on 19 degrees of freedom, not one pass through the rows on 1."""
    plan = planned(f"{LEARNERS}compare first vs second on iris using 10x2cv, by tost, rope 5 points\n")
    folds = random_folds(5, ("iris",), ("accuracy",), {"first": 0.0, "second": 0.0}, (10, 2))
    (found,) = judge(plan, {"compare-1": MadeEvidence(folds, (75.0, 75.0))}).verdicts
    assert found.test.df == (19.0,)


def test_equivalence_of_rows_in_groups_is_refused(tmp_path: Path) -> None:
    y = np.arange(120) % 2
    frame = {"y": y, "g": np.repeat(np.arange(6), 20), "a": y, "b": 1 - y}
    text = predictions(tmp_path, frame, " by tost, rope 5 points")
    assert "tost treats all rows as independent, but the rows come in groups" in text


@pytest.mark.parametrize("cases", ["", ", complete cases"])
def test_a_hole_of_a_learner_that_is_not_compared_takes_no_row_and_no_dataset(cases: str, tmp_path: Path) -> None:
    rows = [
        (i % 2, i % 2 if i % 7 else 1 - i % 2, i % 2 if i % 3 else 1 - i % 2, "" if i < 6 else 1) for i in range(60)
    ]
    sets = [(f"s{i}", 0.8 + 0.01 * (i * 7 % 10), 0.82 + 0.01 * (i * 3 % 10), "" if i < 3 else 0.5) for i in range(12)]
    for name, table, head, units in (
        ("p", ["y,a,b,c", *rows], 'predictions p from csv "p.csv", truth "y", learners in "a", "b", "c"', 60),
        ("r", ["set,a,b,c", *sets], 'results r from csv "r.csv", datasets in "set", measuring accuracy', 12),
    ):
        lines = (row if isinstance(row, str) else ",".join(map(str, row)) for row in table)
        script = f"{head}\ncompare a vs b on {name}{cases}\n"
        (verdict,) = run_on(tmp_path, script, **{name: "\n".join(lines) + "\n"}).verdicts
        assert verdict.test.n_units == units
