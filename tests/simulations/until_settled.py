"""How often `until settled` is wrong, agrees with the full design, and what it saves:

    python -m tests.simulations.until_settled [RUNS]           equal and unequal learners of the study of levels
    python -m tests.simulations.until_settled halves [RUNS]    the same on 20x2cv
    python -m tests.simulations.until_settled real [TIMES]     two learners on bundled datasets, partitions drawn again
    python -m tests.simulations.until_settled whole [RUNS]     from script to sentence, with the clause and without

Twenty partitions of 10cv within five looks. `full` runs all of them, `peeked` stops at the first look at which the test
of the partitions that are there rejects, `curtailed` is the rule of verdicts/until_settled.py.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans.model import look_counts
from evalang.trials.options import RunOptions
from evalang.verdicts.until_settled import ERROR, STATISTICS, Full, band

from .levels import divide
from .levels.nulls import Cell, effects_of, features, gains
from .procedures.kept import forget, keep
from .procedures.printed import read
from .procedures.rates import counted, ran, whole
from .procedures.situations import Situation, settled

Floats = NDArray[np.floating]
PARTITIONS, FOLDS, LOOKS, ALPHA = 20, 10, 5, 0.05
REAL = (
    ("wine", ("naive-bayes", "knn")),
    ("iris", ("decision-tree", "naive-bayes")),
    ("breast-cancer", ("decision-tree", "naive-bayes")),
    ("monks-1", ("decision-tree", "knn")),
    ("monks-2", ("naive-bayes", "knn")),
    ("monks-3", ("decision-tree", "naive-bayes")),
    ("tic-tac-toe", ("decision-tree", "knn")),
)
CELLS = tuple(
    Cell(learner, n, null)
    for learner in ("stump", "1-nn", "discriminant")
    for n in (60, 200)
    for null in ("symmetric", "power")
)


@dataclass
class Count:
    """Of runs: rejections of each way, verdicts that differ, partitions (or fits, of so many) that were run."""

    runs: int = 0
    full: int = 0
    peeked: int = 0
    curtailed: int = 0
    differ: int = 0
    spent: int = 0
    fits: int = 0


def rejects(t: float, df: float) -> bool:
    return bool(abs(t) > stats.t.isf(ALPHA / 2, df))


def judged(d: Floats, test: str, count: Count) -> None:
    """One run: differences [partition, fold]."""
    partitions = d.shape[0]
    full = Full(test=test, partitions=partitions, ratio=1.0 / (d.shape[1] - 1))
    looks = look_counts(partitions, LOOKS)
    said = rejects(*STATISTICS[test](d, full))
    seen = [STATISTICS[test](d[:n], Full(test=test, partitions=n, ratio=full.ratio)) for n in looks]
    count.runs += 1
    count.full += said
    count.peeked += any(rejects(*one) for one in seen)
    verdict, spent = said, partitions
    for n in looks[:-1]:
        found = band(d[:n], np.zeros_like(d[:n]), full, ERROR / (len(looks) - 1))
        if found is not None and (found.p_high <= ALPHA or found.p_low > ALPHA):
            verdict, spent = found.p_high <= ALPHA, n
            break
    count.curtailed += verdict
    count.differ += verdict != said
    count.spent += spent


def drawn(cell: Cell, run: int, folds: int) -> Floats:
    """The differences of accuracy of two learners on one sample, [partition, fold]."""
    rng = np.random.default_rng((cell.seed(0), run))
    y = (rng.permutation(cell.n) < cell.n // 2).astype(np.int64)
    divided = divide.folds(rng, y, folds, PARTITIONS)
    return gains(cell.learner, [features(rng, y, e) for e in effects_of(cell)], y, *divided).reshape(PARTITIONS, folds)


def simulated(runs: int, folds: int = FOLDS) -> None:
    for cell in CELLS:
        counts = {test: Count() for test in (STATISTICS if folds > 2 else ("corrected-t",))}
        for run in range(runs):
            d = drawn(cell, run, folds)
            for test, count in counts.items():
                judged(d, test, count)
        for test, count in counts.items():
            tell(f"{cell.name:28} {test:12}", count)


def scored(dataset: str, pair: tuple[str, str], pool: int) -> Floats:
    """Differences of accuracy on this many partitions of a bundled dataset, by evalang itself: [partition, fold]."""
    script = f"compare {pair[0]} vs {pair[1]} on {dataset} using {pool}x{FOLDS}cv, seed 1\n"
    found = run_script(SourceText("real.eval", script), Request(options=RunOptions(jobs=0)))
    values = {name: np.empty((pool, FOLDS)) for name in pair}
    for row in found.scores.rows():
        values[row.learner][row.partition, row.fold] = row.score
    return values[pair[0]] - values[pair[1]]


def real(times: int, pool: int = 60) -> None:
    """Twenty partitions drawn without replacement from sixty that were really run: how often stopping agrees."""
    rng = np.random.default_rng(5)
    for dataset, pair in REAL:
        d = scored(dataset, pair, pool)
        counts = {test: Count() for test in STATISTICS}
        for _ in range(times):
            chosen = d[rng.permutation(pool)[:PARTITIONS]]
            for test, count in counts.items():
                judged(chosen, test, count)
        for test, count in counts.items():
            tell(f"{dataset}: {' vs '.join(pair)} {test}", count)


def whole_runs(runs: int) -> None:
    """Equal learners through whole runs, on the same draws with the clause and without; kept with the procedures."""
    for kind in ("centroid", "1-nn"):
        pair = settled(kind, 12, 3)
        for situation in pair:
            forget(situation.name)
        count = Count()
        for run in range(runs):
            full, ending = (_whole(situation, run) for situation in pair)
            count.runs += 1
            count.full += full[0]
            count.curtailed += ending[0]
            count.differ += full[0] != ending[0]
            count.spent += ending[1]
            count.fits += full[1]
        shares = f"full {count.full} until settled {count.curtailed} other verdicts {count.differ}"
        print(f"{pair[1].name}: runs {count.runs} {shares} fits {count.spent} of {count.fits}", flush=True)


def _whole(situation: Situation, run: int) -> tuple[bool, int]:
    """Whether the report calls the equal learners different, and how many trials it rests on."""
    with tempfile.TemporaryDirectory() as folder:
        result = ran(situation, run, Path(folder))
    said = read(whole(result))
    keep(counted(situation, [said]))
    gc.freeze()  # as in procedures
    return any(s.differ for s in said.sentences), len(result.table.scores)


def tell(what: str, count: Count) -> None:
    shares = " ".join(f"{name} {getattr(count, name) / count.runs:.4f}" for name in ("full", "peeked", "curtailed"))
    spent = count.spent / count.runs / PARTITIONS
    print(
        f"{what} runs {count.runs} {shares} differ {count.differ / count.runs:.4f} partitions {spent:.2f}", flush=True
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["real", *times]:
            real(int(*times) if times else 1000)
        case ["whole", *runs]:
            whole_runs(int(*runs) if runs else 400)
        case ["halves", *runs]:
            simulated(int(*runs) if runs else 1000, folds=2)
        case [*runs]:
            simulated(int(*runs) if runs else 1000)
