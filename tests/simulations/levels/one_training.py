"""McNemar's test on one holdout, taken for an answer about the learners: how often it is wrong, by sizes.

Both learners are of one kind and see features of their own that tell the classes apart equally well, so over training
sets they are equally good. Each run draws one training set and tests on rows that were never trained on.
"""

from __future__ import annotations

import csv
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from .nulls import EFFECTS, draw

LEARNERS = {
    "naive-bayes": GaussianNB(),
    "1-nn": KNeighborsClassifier(1),
    "tree": DecisionTreeClassifier(random_state=0),
}
TRAINED = (200, 2000)
TESTED = (100, 1000, 5000)
HEAD = ("learner", "training rows", "test rows", "runs", "rejections", "rate", "standard error")


def mid_p(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """McNemar's mid-p of two columns of right and wrong."""
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    n, fewer = only_first + only_second, min(only_first, only_second)
    return min(1.0, float(2 * stats.binom.cdf(fewer, n, 0.5) - stats.binom.pmf(fewer, n, 0.5)))


def run(rng: np.random.Generator, learner: Any, trained: int) -> list[float]:
    """The p of one training at every number of test rows."""
    x, y = draw(rng, trained + TESTED[-1], EFFECTS + EFFECTS)
    wide = len(EFFECTS)
    right = [
        learner.fit(seen[:trained], y[:trained]).predict(seen[trained:]) == y[trained:]
        for seen in (x[:, :wide], x[:, wide:])
    ]
    return [mid_p(right[0][:rows], right[1][:rows]) for rows in TESTED]


def measure(path: Path, runs: int) -> None:
    """Write the rate of rejections at .05 of every cell."""
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEAD)
        for name, learner in LEARNERS.items():
            for trained in TRAINED:
                rng = np.random.default_rng(zlib.crc32(f"{name}/{trained}".encode()))
                p = np.array([run(rng, learner, trained) for _ in range(runs)])
                for rows, rejected in zip(TESTED, (p <= 0.05).sum(axis=0), strict=True):
                    rate = float(rejected) / runs
                    error = (rate * (1 - rate) / runs) ** 0.5
                    out.writerow((name, trained, rows, runs, int(rejected), f"{rate:.3f}", f"{error:.3f}"))
                file.flush()
