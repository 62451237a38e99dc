"""Dietterich 1998, section 6: type I error of four tests with real learners that were damaged to equal error.

    python docs/studies/dietterich/real_data.py FOLDER [TRIALS]     FOLDER holds letter.csv.gz and diabetes.csv

A decision tree and the nearest neighbour are trained on data sets of 300 rows. On Letter, and on a stand-in for EXP6
whose equations were never printed, the neighbour's distance gets bad weights until both err equally often; on Pima the
tree's answers are flipped at a fitted rate. outcome/TASK.csv has one row a trial, 1 where a test rejects at .05.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from evalang.verdicts.simulation.draw import Counts, Folds
from evalang.verdicts.simulation.pvalues import from_counts, from_folds

OUTCOME = Path(__file__).parent / "outcome"
ROWS = 300
SIZES = (270, 200, 150)  # training rows of 10-fold, of two thirds, of halves
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


def tree(x: Floats, y: Ints, new: Floats, seed: int) -> Ints:
    """The tree's answers, unpruned but for leaves of two rows, C4.5's own default."""
    return np.asarray(DecisionTreeClassifier(min_samples_leaf=2, random_state=seed).fit(x, y).predict(new))


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
    """768 rows: those that a data set leaves out calibrate it."""
    frame = pd.read_csv(folder / "diabetes.csv")
    x = frame.iloc[:, :-1].to_numpy(float)
    y = pd.factorize(frame.iloc[:, -1], sort=True)[0]
    return Task(x=(x - x.mean(axis=0)) / x.std(axis=0), y=y, calibration=None, damaged="tree")


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


def calibrate(task: Task, size: int, rng: np.random.Generator) -> float:
    """The damage at which both learners err equally often after training on `size` rows."""
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
    of_tree = float(np.mean([np.mean(tree(x, y, new, i) != truth) for i, ((x, y), (new, truth)) in enumerate(pairs)]))

    def of_neighbour(weights: Floats) -> float:
        return float(np.mean([np.mean(neighbour(x, y, new, weights) != truth) for (x, y), (new, truth) in pairs]))

    if task.damaged == "tree":
        plain = of_neighbour(np.ones(task.x.shape[1]))
        return max(0.0, (plain - of_tree) / (1.0 - 2.0 * of_tree))  # flips of two classes: e + r (1 - 2 e)
    weights, low, high = bad_weights(task.x.shape[1]), 0.0, 8.0
    for _ in range(9):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if of_neighbour(weights(middle)) > of_tree else (middle, high)
    return 0.5 * (low + high)


def trial(task: Task, damage: dict[int, float], rng: np.random.Generator, seed: int) -> list[float]:
    """The p-values of the four tests on one data set of 300 rows."""
    chosen = rng.permutation(len(task.y))[:ROWS]
    x, y = task.x[chosen], task.y[chosen]
    weights = bad_weights(x.shape[1])

    def wrong(test: Ints, size: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        train = np.setdiff1d(np.arange(ROWS), test)
        of_tree = tree(x[train], y[train], x[test], seed) != y[test]
        if task.damaged == "tree":
            of_tree = of_tree ^ (rng.random(len(test)) < damage[size])
            return of_tree, neighbour(x[train], y[train], x[test], np.ones(x.shape[1])) != y[test]
        return of_tree, neighbour(x[train], y[train], x[test], weights(damage[size])) != y[test]

    def difference(test: Ints, size: int) -> float:
        of_tree, of_neighbour = wrong(test, size)
        return float(of_neighbour.mean() - of_tree.mean())

    a, b = wrong(rng.permutation(ROWS)[:100], 200)
    counts = Counts(
        first_only=np.array([np.sum(a & ~b)]),
        second_only=np.array([np.sum(~a & b)]),
        both=np.array([np.sum(a & b)]),
        rows=100,
    )
    tenths = np.array([[[difference(t, 270) for t in np.split(rng.permutation(ROWS), 10)]]])
    halves = np.array([[[difference(t, 150) for t in np.split(rng.permutation(ROWS), 2)] for _ in range(5)]])
    found = [from_counts(test, counts)[0] for test in TESTS[:2]]
    found.append(from_folds("kfold-t", Folds(d=tenths, ratio=1 / 9))[0])
    found.append(from_folds("5x2cv-t", Folds(d=halves, ratio=1.0))[0])
    return [float(p) for p in found]


def main(folder: Path, trials: int) -> None:
    """Every task that has its data."""
    OUTCOME.mkdir(exist_ok=True)
    about: dict[str, object] = {"trials": trials, "numpy": np.__version__}
    for name, load in (("stand-in", stand_in), ("letter", letter), ("pima", pima)):
        try:
            task = load(folder)
        except FileNotFoundError as missing:
            print(f"{name} is left out: there is no {Path(str(missing.filename)).name} in the folder")
            continue
        rng = np.random.default_rng(1998)
        damage = {size: calibrate(task, size, rng) for size in SIZES}
        about[name] = damage
        with open(OUTCOME / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("trial", *TESTS))
            for i in range(trials):
                writer.writerow((i + 1, *(int(p <= 0.05) for p in trial(task, damage, rng, i))))
        print(name, damage, pd.read_csv(OUTCOME / f"{name}.csv")[list(TESTS)].mean().to_dict())
    (OUTCOME / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
