"""The outcome of the study as CSV files: from the measured differences to rates, one line for each cell and test."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy import stats

from .candidates import CANDIDATES, Candidate, Scores
from .figure import draw
from .learners import LEARNERS
from .nulls import SIZE, Cell

OUTCOME = Path(__file__).parents[3] / "docs" / "studies" / "levels" / "outcome"
Line = tuple[str, str, str, int, str, int, int, str, str]  # as in HEAD
SHARP = ("10x10cv", "corrected-t")
STABLE = ("centroid", "discriminant", "naive-bayes", "logistic")  # with which that keeps its level
ALPHA, LIMIT = 0.05, 0.06
ENOUGH = 2000  # runs from which on a rate is taken as it is; of fewer, chance is allowed for
HEAD = ("scheme", "test", "learner", "n", "null", "runs", "rejections", "rate", "standard error")
SIZES = (60, 200, 1000)  # rows
HALVES_FOR_ALL = "crossing at 0.9 n"  # halves judged where the learners are level on nearly all rows


def batches(folder: Path, cell: Cell) -> Scores:
    """All measured differences of a cell, by scheme."""
    parts = [np.load(path) for path in sorted(folder.glob(f"{cell.setting}-*.npz")) if ".part" not in path.name]
    keys = [key for key in parts[0].files if key.startswith(f"{cell.learner}/")] if parts else []
    return {key.partition("/")[2]: np.concatenate([part[key] for part in parts]) for key in keys}


def _cells(candidate: Candidate, learner: str, n: int) -> Iterable[tuple[str, Cell]]:
    yield "symmetric", Cell(learner, n, "symmetric")
    yield "crossing", Cell(learner, n, "crossing", SIZE[candidate.folds])
    if candidate.folds == "50x2cv":
        yield HALVES_FOR_ALL, Cell(learner, n, "crossing", 0.9)
    yield "power", Cell(learner, n, "power")


def lines(folder: Path) -> list[Line]:
    """A line for every cell that was measured."""
    kept: dict[Cell, Scores] = {}
    made = []
    for candidate in CANDIDATES:
        for n in SIZES:
            for learner in LEARNERS:
                for null, cell in _cells(candidate, learner, n):
                    if cell not in kept:
                        kept[cell] = batches(folder, cell)
                    scores = kept[cell]
                    if candidate.folds not in scores or (candidate.kind == "halvings" and "halvings" not in scores):
                        continue
                    p = candidate.p(scores)
                    made.append(
                        (candidate.form, candidate.test, learner, n, null, *counted(int((p <= ALPHA).sum()), len(p)))
                    )
    return made


def counted(rejections: int, runs: int) -> tuple[int, int, str, str]:
    """Runs, rejections, rate and standard error, as a line ends."""
    rate = rejections / runs
    return runs, rejections, f"{rate:.4f}", f"{np.sqrt(rate * (1 - rate) / runs):.4f}"


def above(rejections: int, runs: int) -> bool:
    """Above .06; of few runs, by more than chance brings in one of a hundred such cells."""
    if runs >= ENOUGH:
        return rejections > LIMIT * runs
    return bool(stats.binom.sf(rejections - 1, runs, LIMIT) < 0.01)


def share(line: Line) -> float:
    """The rate of a line."""
    return line[6] / line[5]


def ranges(made: Sequence[Line]) -> list[tuple[object, ...]]:
    """For each scheme and test: the lowest, mean and highest type I error, the cells above, and the power."""
    sharp = {line[2:4]: share(line) for line in made if line[:2] == SHARP and line[4] == "power"}
    found = []
    for scheme, test in dict.fromkeys(line[:2] for line in made):
        own = [line for line in made if line[:2] == (scheme, test)]
        null = [line for line in own if line[4] in ("symmetric", "crossing")]
        rates = [share(line) for line in null]
        over = [line for line in null if share(line) > LIMIT]
        who = ", ".join(dict.fromkeys(line[2] for line in over)) or "none"
        powers = [
            (share(line), sharp[line[2:4]])
            for line in own
            if line[4] == "power" and line[2] in STABLE and line[2:4] in sharp
        ]
        power = f"{sum(a for a, _ in powers) / sum(b for _, b in powers):.2f}" if powers else ""
        spread = (f"{min(rates):.3f}", f"{np.mean(rates):.3f}", f"{max(rates):.3f}")
        found.append((f"{scheme} by {test}", len(rates), *spread, len(over), who, power))
    return found


def powers(made: Sequence[Line]) -> list[tuple[object, ...]]:
    """For each scheme and test its share of the power of 10x10cv by corrected-t, by number of rows."""
    sharp = {line[2:4]: share(line) for line in made if line[:2] == SHARP and line[4] == "power"}
    found = []
    for scheme, test in dict.fromkeys(line[:2] for line in made):
        shares = []
        for n in SIZES:
            own = [x for x in made if x[:2] == (scheme, test) and x[3] == n and x[4] == "power" and x[2] in STABLE]
            most = sum(sharp.get(line[2:4], 0.0) for line in own)
            shares.append(f"{sum(map(share, own)) / most:.2f}" if most else "")
        found.append((f"{scheme} by {test}", *shares))
    return found


def for_nearly_all(made: Sequence[Line]) -> list[tuple[object, ...]]:
    """What tests on halves say where the learners are level on nearly all rows, not on half of them."""
    found = []
    for scheme, test in dict.fromkeys(line[:2] for line in made if line[4] == HALVES_FOR_ALL):
        own = [line for line in made if line[:2] == (scheme, test) and line[4] == HALVES_FOR_ALL]
        worst = max(own, key=share)
        lowest = min(share(line) for line in own)
        found.append((f"{scheme} by {test}", len(own), f"{lowest:.3f}", f"{share(worst):.3f}", worst[2]))
    return found


def by_what(path: Path) -> list[tuple[object, ...]]:
    """Of the tests that are not on folds: the lowest and the highest rate of each, and where it was highest."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    for what, test in dict.fromkeys((row["what"], row["test"]) for row in rows):
        own = [row for row in rows if (row["what"], row["test"]) == (what, test)]
        worst = max(own, key=lambda row: float(row["rate"]))
        over = sum(above(int(row["rejections"]), int(row["runs"])) for row in own)
        low = min(float(row["rate"]) for row in own)
        found.append(
            (f"{what} by {test}", len(own), f"{low:.3f}", f"{float(worst['rate']):.3f}", over, worst["setting"])
        )
    return found


def write(folder: Path) -> None:
    """The tables and the picture of the study's page, and when and with what they were made."""
    if (folder / "unfolded.csv").exists():
        shutil.copyfile(folder / "unfolded.csv", OUTCOME / "unfolded.csv")
    head = ("data and test", "settings", "lowest", "highest", "above .06", "highest in")
    write_csv(OUTCOME / "unfolded-ranges.csv", head, by_what(OUTCOME / "unfolded.csv"))
    write_tables(lines(folder))


def write_tables(made: Sequence[Line]) -> None:
    """The tables and the picture of tests on folds."""
    write_csv(OUTCOME / "levels.csv", HEAD, made)
    head = ("scheme and test", "cells", "lowest", "mean", "highest", "above .06", "with", "share of power")
    write_csv(OUTCOME / "ranges.csv", head, ranges(made))
    write_csv(OUTCOME / "power.csv", ("scheme and test", *(f"{n} rows" for n in SIZES)), powers(made))
    head = ("scheme and test", "cells", "lowest", "highest", "highest with")
    write_csv(OUTCOME / "halves-for-all.csv", head, for_nearly_all(made))
    draw(made, OUTCOME / "levels.svg")
    versions = {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__}
    about = {"finished": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), **versions}
    (OUTCOME / "about.json").write_text(json.dumps(about, indent=1) + "\n")


def write_csv(path: Path, head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """A head and its rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])
