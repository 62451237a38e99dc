"""Dietterich 1998, section 6: type I error and power of four tests with real learners.

    python docs/studies/dietterich/real_data.py FOLDER [TRIALS]     FOLDER holds letter.csv.gz and diabetes.csv

A decision tree and the nearest neighbour are trained on data sets of 300 rows. On Letter, and on a stand-in for EXP6
whose equations were never printed, the neighbour's distance gets bad weights; on Pima the tree's answers are flipped
at a rate. The damage puts one learner a share (0 to 1) of the way between equal error and its undamaged self, for
every size of training set alike (section 6.3). outcome/TASK.csv has one row a trial at share 0, 1 where a test rejects
at .05; outcome/TASK-power.csv has a row for each share: by how much the learners differ on 300 rows, and how often each
test rejects. make_figures.py draws the latter as outcome/figure9.svg to figure11.svg.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from evalang.verdicts.simulation.draws import Counts, DrawnFolds
from evalang.verdicts.simulation.pvalues import pvalues

OUTCOME = Path(__file__).parent / "outcome"
ROWS = 300
SIZES = (270, 200, 150)  # training rows of 10-fold, of two thirds, of halves
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # of the way from equal error to no damage: the paper's lambda
CALIBRATED_ON = 200  # data sets; the mean error of each learner is then known to about 0.2 points
JUDGED_ON = 1000  # calibration rows for each of them
TESTS = ("mcnemar", "proportions", "kfold-t", "5x2cv-t")
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Rows to draw data sets from, rows to calibrate on (the same rows when there are few), and what gets damaged."""

    x: Floats
    y: Ints
    calibration: tuple[Floats, Ints] | None
    damaged: str
    pruning: float = 0.0  # cost of a leaf


def tree(x: Floats, y: Ints, new: Floats, pruning: float, seed: int) -> Ints:
    """The tree's answers; leaves of at least two rows, C4.5's own default."""
    made = DecisionTreeClassifier(min_samples_leaf=2, ccp_alpha=pruning, random_state=seed)
    return np.asarray(made.fit(x, y).predict(new))


def neighbour(x: Floats, y: Ints, new: Floats, weights: Floats) -> Ints:
    """The label of the nearest row under a weighted Euclidean distance."""
    a, b = new * weights, x * weights
    far = (a * a).sum(axis=1)[:, None] - 2.0 * a @ b.T + (b * b).sum(axis=1)
    return np.asarray(y[far.argmin(axis=1)])


def letter(folder: Path) -> Task:
    """Half of the 20,000 letters to draw from, half to calibrate on."""
    frame = pd.read_csv(folder / "letter.csv.gz").sample(frac=1.0, random_state=0)
    x, y = frame.iloc[:, :-1].to_numpy(float), pd.factorize(frame.iloc[:, -1], sort=True)[0]
    return Task(x=x[:10_000], y=y[:10_000], calibration=(x[10_000:], y[10_000:]), damaged="neighbour")


def pima(folder: Path) -> Task:
    """768 rows: those that a data set leaves out calibrate it.

    The tree is pruned here, as C4.5's was: grown out it errs as often as the neighbour, and there is nothing to damage.
    """
    frame = pd.read_csv(folder / "diabetes.csv")
    x = frame.iloc[:, :-1].to_numpy(float)
    y = pd.factorize(frame.iloc[:, -1], sort=True)[0]
    return Task(x=(x - x.mean(axis=0)) / x.std(axis=0), y=y, calibration=None, damaged="tree", pruning=0.01)


def stand_in(folder: Path) -> Task:
    """In place of EXP6: six classes in the square from 0 to 15, parted by curved bands. Ours, not Kong's."""
    rng = np.random.default_rng(6)

    def drawn(n: int) -> tuple[Floats, Ints]:
        x = rng.uniform(0.0, 15.0, (n, 2))
        band = np.floor((x[:, 1] + 2.0 * np.sin(x[:, 0]) + 0.4 * x[:, 0]) / 2.5)
        return x, band.astype(np.int64) % 6

    x, y = drawn(10_000)
    return Task(x=x, y=y, calibration=drawn(10_000), damaged="neighbour")


def bad_weights(columns: int) -> Callable[[float], Floats]:
    """Weights that part ways as the damage grows; 0 leaves all at 1."""
    lean = np.linspace(-1.0, 1.0, columns)
    return lambda damage: np.exp(damage * lean)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """For one size of training set: what the undamaged learners err, and the damage for each share."""

    of_tree: float
    of_neighbour: float
    damage: tuple[float, ...]


def calibrate(task: Task, size: int, rng: np.random.Generator) -> Calibrated:
    """The damage that puts the damaged learner at each share of the way between the two."""
    places = [rng.permutation(len(task.y)) for _ in range(CALIBRATED_ON)]
    judged = []
    for place in places:
        if task.calibration is None:
            judged.append((task.x[place[ROWS:]], task.y[place[ROWS:]]))
        else:
            chosen = rng.integers(0, len(task.calibration[1]), JUDGED_ON)
            judged.append((task.calibration[0][chosen], task.calibration[1][chosen]))
    trained = [(task.x[p[:size]], task.y[p[:size]]) for p in places]
    pairs = list(zip(trained, judged, strict=True))
    of_tree = float(
        np.mean([np.mean(tree(x, y, new, task.pruning, i) != truth) for i, ((x, y), (new, truth)) in enumerate(pairs)])
    )

    def of_neighbour(weights: Floats) -> float:
        return float(np.mean([np.mean(neighbour(x, y, new, weights) != truth) for (x, y), (new, truth) in pairs]))

    plain = of_neighbour(np.ones(task.x.shape[1]))
    if task.damaged == "tree":
        targets = [of_tree + (1.0 - share) * (plain - of_tree) for share in SHARES]
        flips = [max(0.0, (t - of_tree) / (1.0 - 2.0 * of_tree)) for t in targets]  # two classes: e + r (1 - 2 e)
        return Calibrated(of_tree=of_tree, of_neighbour=plain, damage=tuple(flips))
    weights, found = bad_weights(task.x.shape[1]), []
    for share in SHARES:
        target, low, high = of_tree - share * (of_tree - plain), 0.0, 8.0
        for _ in range(9 if share < 1.0 else 0):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if of_neighbour(weights(middle)) > target else (middle, high)
        found.append(0.5 * (low + high) if share < 1.0 else 0.0)
    return Calibrated(of_tree=of_tree, of_neighbour=plain, damage=tuple(found))


def trial(task: Task, known: dict[int, Calibrated], rng: np.random.Generator, seed: int) -> NDArray[np.float64]:
    """[share, test]: the p-values on one data set of 300 rows. All shares see the same rows, trees and draws."""
    chosen = rng.permutation(len(task.y))[:ROWS]
    x, y = task.x[chosen], task.y[chosen]
    weights = bad_weights(x.shape[1])

    def wrong(test: Ints, size: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """[share, row] of the tree and of the neighbour."""
        train = np.setdiff1d(np.arange(ROWS), test)
        of_tree = np.tile(tree(x[train], y[train], x[test], task.pruning, seed) != y[test], (len(SHARES), 1))
        if task.damaged == "tree":
            of_tree = of_tree ^ (rng.random(len(test)) < np.array(known[size].damage)[:, None])
            plain = neighbour(x[train], y[train], x[test], np.ones(x.shape[1])) != y[test]
            return of_tree, np.tile(plain, (len(SHARES), 1))
        return of_tree, np.array(
            [neighbour(x[train], y[train], x[test], weights(damage)) != y[test] for damage in known[size].damage]
        )

    def difference(test: Ints, size: int) -> Floats:
        of_tree, of_neighbour = wrong(test, size)
        return np.asarray(of_neighbour.mean(axis=1) - of_tree.mean(axis=1))

    a, b = wrong(rng.permutation(ROWS)[:100], 200)
    counts = Counts(
        first_only=np.sum(a & ~b, axis=1), second_only=np.sum(~a & b, axis=1), both=np.sum(a & b, axis=1), rows=100
    )
    tenths = np.array([[difference(t, 270) for t in np.split(rng.permutation(ROWS), 10)]]).transpose(2, 0, 1)
    halves = np.array([[difference(t, 150) for t in np.split(rng.permutation(ROWS), 2)] for _ in range(5)])
    found = [pvalues(test, counts) for test in TESTS[:2]]
    found.append(pvalues("kfold-t", DrawnFolds(d=tenths, ratio=1 / 9)))
    found.append(pvalues("5x2cv-t", DrawnFolds(d=halves.transpose(2, 0, 1), ratio=1.0)))
    return np.array(found).T


def table(name: str, heads: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    """Into outcome/, with the same line ends everywhere."""
    with open(OUTCOME / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


def main(folder: Path, trials: int) -> None:
    """Every task that has its data."""
    OUTCOME.mkdir(exist_ok=True)
    about: dict[str, object] = {
        "finished": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "trials": trials,
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
    }
    for name, load in (("stand-in", stand_in), ("letter", letter), ("pima", pima)):
        try:
            task = load(folder)
        except FileNotFoundError as missing:
            print(f"{name} is left out: there is no {Path(str(missing.filename)).name} in the folder")
            continue
        rng = np.random.default_rng(1998)
        known = {size: calibrate(task, size, rng) for size in (ROWS, *SIZES)}
        about[name] = {
            size: {"tree": k.of_tree, "neighbour": k.of_neighbour, "damage": k.damage} for size, k in known.items()
        }
        rejected = np.array([trial(task, known, rng, i) for i in range(trials)]) <= 0.05
        table(f"{name}.csv", ("trial", *TESTS), [(i + 1, *map(int, rejected[i, 0])) for i in range(trials)])
        whole = abs(known[ROWS].of_tree - known[ROWS].of_neighbour)
        apart = [share * whole for share in SHARES]
        rates = rejected.mean(axis=0)
        table(
            f"{name}-power.csv",
            ("points apart", *TESTS),
            [(f"{100 * d:.1f}", *(f"{rate:.3f}" for rate in row)) for d, row in zip(apart, rates, strict=True)],
        )
        print(name, apart, rates.tolist(), flush=True)
    (OUTCOME / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
