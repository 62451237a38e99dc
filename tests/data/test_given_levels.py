"""What a number stands for: folds, repetitions and seeds of tables that somebody already has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalang.data.given_results import TableRequest, results_of
from evalang.data.raw import LongTable
from evalang.errors import EvalangError
from evalang.language.text import SourceText
from evalang.plans.build import build

from ..support.tables import run_on

RNG = np.random.default_rng(20261116)
SCORES = RNG.normal(0.8, 0.02, (2, 20, 5)) + RNG.normal(0, 0.02, (1, 1, 5))  # [learner, seed, fold]


def frame(names: tuple[str, str] = ("seed", "fold")) -> pd.DataFrame:
    rows = [(SCORES[a, s, k], "ab"[a], s, k) for a in range(2) for s in range(20) for k in range(5)]
    return pd.DataFrame(rows, columns=["accuracy", "learner", *names]).sample(frac=1, random_state=7)


def corrected(d: np.ndarray[Any, Any], ratio: float) -> float:
    """Nadeau and Bengio's p by hand."""
    t = d.mean() / np.sqrt((1 / d.size + ratio) * d.var(ddof=1))
    return float(2 * stats.t.sf(abs(t), d.size - 1))


D = SCORES[0] - SCORES[1]
FIXED, REDRAWN = "made using 5cv, trained 20 times", "made using 20x5cv"
LONG = "as accuracy ~ learner | "
TEN = frame(("rep", "fold")).query("rep < 10")
COUNTED_ON = TEN.assign(fold=TEN["rep"] * 5 + TEN["fold"])  # folds numbered on from one repetition to the next
WIDE = frame(("run", "fold")).pivot(index=["run", "fold"], columns="learner", values="accuracy").reset_index()
SPLITS = frame(("run", "fold")).query("fold == 0").drop(columns="fold")


@pytest.mark.parametrize(
    ("table", "said", "d", "ratio"),
    [
        *((frame(), f"{LONG}{order}, {FIXED}", D.mean(axis=0), 1 / 4) for order in ("seed / fold", "fold / seed")),
        *((frame(), f"{LONG}{order}, {REDRAWN}", D, 1 / 4) for order in ("seed / fold", "fold / seed")),
        *((TEN, f"{LONG}{order}", D[:10], 1 / 4) for order in ("rep / fold", "fold / rep")),
        *((COUNTED_ON, f"{LONG}{order}", D[:10], 1 / 4) for order in ("rep / fold", "fold / rep")),
        (WIDE, 'repeats in "run", folds in "fold", measuring accuracy, made using 20x5cv', D, 1 / 4),
        *(
            (SPLITS, f'{LONG}run, {word} in "run", made using 20 resamples of 2/3', D[:, 0], 1 / 2)
            for word in ("repeats", "seeds", "folds")
        ),
    ],
)
def test_seeds_are_averaged_in_fixed_folds_and_are_repetitions_of_redrawn_ones(
    tmp_path: Path, table: pd.DataFrame, said: str, d: Any, ratio: float
) -> None:
    comma = "" if said.startswith(LONG) else ","
    script = f'results r from csv "t.csv"{comma} {said}\ncompare a vs b on r by corrected-t\n'
    (found,) = [v for v in run_on(tmp_path, script, t=table).verdicts if v.dataset is not None]
    assert found.test is not None, found.undecided_because
    assert found.test.n_units == d.size
    assert found.test.pvalue == pytest.approx(corrected(d.ravel(), ratio), rel=1e-9 if ratio == 1 / 4 else 1e-4)


def test_seeds_on_one_split_are_no_folds(tmp_path: Path) -> None:
    table = frame(("seed", "fold")).query("fold == 0").drop(columns="fold")
    script = 'results r from csv "t.csv" as accuracy ~ learner | seed\ncompare a vs b on r\n'
    (found,) = run_on(tmp_path, script, t=table).verdicts
    assert (found.test, found.decision) == (None, "undecided")
    assert "runs on the same data" in found.undecided_because


def test_seeds_of_several_datasets_are_averaged(tmp_path: Path) -> None:
    table = frame(("seed", "dataset"))
    script = 'results r from csv "t.csv" as accuracy ~ learner | dataset / seed\ncompare a vs b on r by paired-t\n'
    (found,) = run_on(tmp_path, script, t=table).verdicts
    assert found.test is not None
    assert found.test.pvalue == pytest.approx(float(stats.ttest_1samp(D.mean(axis=0), 0).pvalue), rel=1e-9)


TABLE = 'results r from csv "t.csv" as accuracy ~ learner | {}\ncompare a vs b on r\n'


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("dataset / split", "the role of column `split` is unknown"),
        ("question", "the role of column `question` is unknown"),
        ("fold / seed", "it is unknown whether each seed in column `seed` has new folds"),
        ("dataset / rep", "it is unknown what changes with each repeat in column `rep`"),
        ("item / fold", "column `item` holds items and column `fold` holds folds"),
        ("dataset / epoch", "but no column holds the items"),
        ('fold / k, folds in "k"', "two columns of the formula hold folds"),
        ("dataset / fold, made using 20x5cv", "no column says which row belongs to which"),
        ('dataset / fold, groups "g"', "but no column holds the items"),
    ],
)
def test_what_nobody_says_is_refused_with_the_choices(said: str, message: str) -> None:
    found = build(SourceText("s.eval", TABLE.format(said))).findings
    assert [f.code for f in found] == ["EV007"]
    assert message in found[0].message
    assert found[0].help


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        (f"fold / seed, {FIXED}", ("K = 5, test/training ratio = 1/4", "averaged in each fold", FIXED)),
        (f"fold / seed, {REDRAWN}", ("each a repeat with new splits", "test/training ratio = 1/4")),
        ("rep / fold", ("K is the number of folds in the table", "each with new folds")),
        ('item / epoch, groups "passage"', ("in clusters by passage", "samples of an item), averaged")),
    ],
)
def test_the_plan_says_what_every_level_is_taken_for(said: str, lines: tuple[str, ...]) -> None:
    shown = str(build(SourceText("s.eval", TABLE.format(said))))
    for line in lines:
        assert line in shown, shown


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("fold / seed, made using 4cv, trained 20 times", "has 1 x 4 folds"),
        ("fold / seed, made using 5cv, trained 7 times", "20 seeds"),
        ("seed / fold, made using 10x5cv", "20 x 5 folds"),
    ],
)
def test_counts_that_contradict_what_is_said_are_refused(tmp_path: Path, said: str, message: str) -> None:
    with pytest.raises(EvalangError, match=message):
        run_on(tmp_path, TABLE.format(said), t=frame())


def test_what_a_reader_of_logs_returns_goes_the_same_way() -> None:
    """The columns of the table say what they stand for; no script has to."""
    rows = [
        (float((i + t + m) % 2), f"m{m}", f"task {t}", i, e)
        for m in range(2) for t in range(3) for i in range(4 + t) for e in range(2)
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["s", "who", "task", "id", "sample"])
    columns = {"score": "s", "learner": "who", "dataset": "task", "item": "id", "epoch": "sample"}
    found = results_of(LongTable(frame=frame, columns=columns), TableRequest(name="logs"))
    assert found.datasets == ("task 0", "task 1", "task 2")
    assert [t.values.shape for t in found.items] == [(2, 4, 2), (2, 5, 2), (2, 6, 2)]
    assert (found.facts.items, found.facts.epochs, found.facts.graded) == (15, (2, 2), False)
    with pytest.raises(EvalangError, match="two scores of 'm0' on 'task 0 / 0'"):
        results_of(LongTable(frame=frame, columns={k: v for k, v in columns.items() if k != "epoch"}), TableRequest())


@pytest.mark.parametrize(
    ("formula", "clause"),
    [("item", 'items in "task"'), ("item / epoch", 'items in "task"'), ("dataset / fold", 'datasets in "task"')],
)
def test_a_level_named_by_its_role_is_the_column_of_the_clause(formula: str, clause: str) -> None:
    def table(formula: str) -> Any:
        text = f'results r from csv "t.csv" as accuracy ~ model | {formula}, {clause}\ncompare a vs b on r, seed 1\n'
        built = build(SourceText("s.eval", text))
        assert not built.findings
        return built.plan.results[0].formula

    named = formula.replace(formula.partition(" ")[0], "task")
    assert table(formula) == table(named) == ("accuracy", "model", *named.split(" / "))
