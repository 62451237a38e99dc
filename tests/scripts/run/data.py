"""The files that the scripts of this folder read, made anew for each test."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...support.running import write_wards

MOODY = '''
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB


class Moody(ClassifierMixin, BaseEstimator):
    """Fails where the row that it is told is not among those it is trained on."""

    def __init__(self, without=0):
        self.without = without

    def fit(self, X, y):
        if not (X[:, 0] == self.without).any():
            raise ValueError("\\x1b[31mnot today\\x1b[0m\\r")
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        return self.inner_.predict(X)
'''


def write_data(folder: Path) -> None:
    """Sixty rows of most things."""
    rng = np.random.default_rng(4)
    kinds = rng.permutation(np.repeat(["iris", "rose", "tulip"], 30))
    wide, high = rng.normal(size=90) + (kinds == "rose"), rng.normal(size=90) + (kinds == "tulip")
    rows = [f"{i},{w:.3f},{h:.3f},{k}" for i, (w, h, k) in enumerate(zip(wide, high, kinds, strict=True))]
    _write(folder / "flowers.csv", "place,width,height,kind", rows[:60])
    _write(folder / "later.csv", "place,width,height,kind", rows[60:])
    _write(
        folder / "agreed.csv", "place,width,height,kind,fold", [f"{r},{'abc'[i % 3]}" for i, r in enumerate(rows[:60])]
    )
    walk = rng.normal(size=63).cumsum()
    days = [f"2024-{1 + i // 27:02d}-{1 + i % 27:02d},{walk[i - 1] if i else 0:.3f},{walk[i]:.3f}" for i in range(63)]
    _write(folder / "prices.csv", "day,before,close", days)
    _write(
        folder / "visits.csv",
        "pulse,pressure,stay,readmitted",
        [f"{rng.normal(i % 2, 1):.3f},{rng.normal():.3f},{1 + i % 4},{'yes' if i % 2 else 'no'}" for i in range(60)],
    )
    write_wards(folder / "wards.csv", 60, 20)
    (folder / "broken_package").mkdir()
    (folder / "broken_package" / "__init__.py").write_text(MOODY)


def _write(path: Path, heading: str, rows: list[str]) -> None:
    path.write_text("\n".join([heading, *rows]) + "\n")
