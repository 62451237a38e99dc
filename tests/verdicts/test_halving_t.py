"""halving-t: against plain loops, by hand, from script to sentence, and what it refuses."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalang as ev
from evalang.cli.main import run
from evalang.errors import TestError
from evalang.plans.model import Scheme
from evalang.reports.frames import frames, tables
from evalang.trials.splits import folds
from evalang.verdicts.tests.partition_tests import halving_t

from ..simulations.levels.candidates import halving
from ..simulations.procedures import oracle
from ..support.engine import table

SCRIPT = """set seed 3
dataset d from synthetic gaussians(n = 120, overlap = 0.4)
compare decision-tree vs naive-bayes on d using 4 halvings of 3x6cv
"""


@pytest.mark.parametrize(("whole", "halvings", "folds"), [(10, 10, 10), (1, 2, 4), (3, 5, 6)])
def test_it_is_that_of_plain_loops(whole: int, halvings: int, folds: int) -> None:
    d = np.random.default_rng(whole).normal(0.3, 1, (whole + halvings, folds))
    found = halving_t(d, np.zeros_like(d), halvings=halvings)
    assert found.pvalue == pytest.approx(oracle.halving_t(d[:whole].tolist(), d[whole:].tolist()), rel=1e-10)
    assert found.difference == pytest.approx(d[:whole].mean())
    assert found.interval.low < found.difference < found.interval.high
    assert found.df == (halvings - 1,)


def test_it_is_that_of_the_study() -> None:
    d = np.random.default_rng(2).normal(0.3, 1, (20, 10))
    by_study = halving(d[:10].reshape(1, -1), d[10:].reshape(1, -1))[0]
    assert halving_t(d, np.zeros_like(d), halvings=10).pvalue == pytest.approx(by_study, rel=1e-6)


def test_without_a_number_half_of_the_partitions_are_halvings() -> None:
    d = np.random.default_rng(4).normal(0.3, 1, (8, 4))
    assert halving_t(d, 0 * d) == halving_t(d, 0 * d, halvings=4)


@pytest.mark.parametrize(
    ("shape", "halvings", "match"),
    [((2, 4), 1, "at least 2 halvings"), ((4, 4), 4, "no cross-validation of all rows"), ((6, 5), 3, "no cross-")],
)
def test_what_is_no_halving_is_refused(shape: tuple[int, int], halvings: int, match: str) -> None:
    d = np.random.default_rng(1).normal(size=shape)
    with pytest.raises(TestError, match=match):
        halving_t(d, 0 * d, halvings=halvings)


def test_the_halves_of_a_halving_share_no_row() -> None:
    made = folds(Scheme(kind="halvings", partitions=2, folds=4, halvings=3), table(50, 2, seed=1), 1)
    assert [(f.partition, f.fold) for f in made] == [(p, f) for p in range(5) for f in range(4)]
    for fold in made:
        assert not set(fold.train) & set(fold.test)
    for partition in range(2):
        parts = [f for f in made if f.partition == partition]
        assert sorted(row for f in parts for row in f.test) == list(range(50))
        assert all(len(f.train) + len(f.test) == 50 for f in parts)
    for partition in range(2, 5):
        first, second = ([f for f in made if f.partition == partition and f.fold // 2 == side] for side in (0, 1))
        one = {row for f in first for row in (*f.train, *f.test)}
        two = {row for f in second for row in (*f.train, *f.test)}
        assert not one & two
        assert one | two == set(range(50))
        assert sorted(row for f in first for row in f.test) == sorted(one)  # each row of a half is tested once


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of the script, with its tables beside the result."""
    folder = tmp_path_factory.mktemp("halvings")
    (folder / "s.eval").write_text(SCRIPT)
    code = run(["run", str(folder / "s.eval"), "--out", str(folder / "one"), "--export", "--no-ledger", "--jobs", "1"])
    assert code in (0, 1, 4)
    return folder / "one"


def test_from_script_to_verdict_the_difference_is_that_of_the_table(kept: Path) -> None:
    result = ev.load(kept)
    (verdict,) = result.run.verdicts
    assert verdict.test.test == "halving-t"
    assert verdict.test.n_units == 18
    scores = result.table.scores
    assert set(scores["partition"]) == {0, 1, 2}  # the halves are no scores of the learners
    means = scores.groupby("learner")["score"].mean()
    assert verdict.test.difference == pytest.approx(means["decision-tree"] - means["naive-bayes"])
    assert verdict.rows == pytest.approx((100.0, 20.0))


@pytest.mark.parametrize("form", ["csv", "frame", "export"])
def test_the_exported_scores_and_halves_give_the_verdict_again(form: str, kept: Path) -> None:
    """Who has the files has what the p came from: the mean of all rows, and the spread between halves."""
    found = ev.load(kept).run
    if form == "csv":
        texts = tables(found)
        scores, halves = (pd.read_csv(StringIO(texts[f"{name}.csv"])) for name in ("scores", "halves"))
    elif form == "frame":
        scores, halves = frames(found).scores, frames(found).halves
    else:
        files = {path.stem: path for path in kept.iterdir()}
        read = {".parquet": pd.read_parquet, ".csv": pd.read_csv}
        scores, halves = (read[files[name].suffix](files[name]) for name in ("scores", "halves"))
    whole, inside = (
        frame.pivot_table(index=["partition", "fold"], columns="learner", values="score") for frame in (scores, halves)
    )
    assert (whole.shape, inside.shape) == ((18, 2), (24, 2))
    assert set(halves["partition"]) == {3, 4, 5, 6}  # they go on counting, as those of the predictions do
    whole_d, inside_d = (
        [list(part["decision-tree"] - part["naive-bayes"]) for _, part in wide.groupby(level=0)]
        for wide in (whole, inside)
    )
    (verdict,) = found.verdicts
    assert verdict.test.pvalue == pytest.approx(oracle.halving_t(whole_d, inside_d), rel=1e-9)
