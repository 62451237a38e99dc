"""Situations in which the truth is known: a script, how its data are drawn, and what is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin

from ..levels.learners import LEARNERS
from ..levels.nulls import EFFECTS, LATE, Cell, accuracy, features, level_effect

Draw = Callable[[np.random.Generator, Path], Mapping[str, object]]  # writes files, gives what is handed over


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A script whose data are drawn again and again from a world with this truth."""

    name: str
    script: str
    draw: Draw
    scores: Mapping[str, float] = field(default_factory=lambda: {"a": 0.0, "b": 0.0})  # true ones; equal are a null
    true_claims: tuple[str, ...] = ()  # of the script's claims, those that hold
    accuracy: Callable[[], float] | None = None  # what an estimate is held to
    pairs: int = 1  # sentences that the report must have
    drawn_as: str = ""  # the situation that has the same draws


class Seeing(ClassifierMixin, BaseEstimator):
    """A learner of the study that sees one half of the columns."""

    def __init__(self, kind: str = "centroid", first: bool = True, columns: int = 0) -> None:
        self.kind = kind
        self.first = first
        self.columns = columns  # of the first learner; 0 is half of them

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """As scikit-learn finds them by looking, again and again, at the signature."""
        return ["columns", "first", "kind"]

    def _columns(self, x: Any) -> NDArray[np.floating]:
        seen = np.asarray(x, dtype=float)
        half = self.columns or seen.shape[1] // 2
        return seen[:, :half] if self.first else seen[:, half:]

    def fit(self, x: Any, y: Any) -> Seeing:
        self.classes_, self.labels_ = np.unique(np.asarray(y), return_inverse=True)
        self.rows_ = self._columns(x)
        return self

    def predict(self, x: Any) -> NDArray[Any]:
        new = self._columns(x)
        known = len(self.rows_)
        weights = np.zeros((1, known + len(new)), dtype=np.uint8)
        weights[0, :known] = 1
        rows = np.concatenate([self.rows_, new])
        labels = np.concatenate([self.labels_, np.zeros(len(new), dtype=np.int64)])
        return np.asarray(self.classes_[LEARNERS[self.kind](rows, labels, weights)[0, known:]])


def rows_of(rng: np.random.Generator, n: int) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
    """n rows, half of each class, eight columns of which both halves tell the same."""
    y = (rng.permutation(n) < n // 2).astype(np.int64)
    return np.hstack([features(rng, y, EFFECTS), features(rng, y, EFFECTS)]), y


def fitted(kind: str, n: int, scheme: str, more: str = "", datasets: int = 1, metrics: int = 1) -> Situation:
    """Two learners of one kind on equally informative halves of the columns."""
    names = [f"d{i}" for i in range(1, datasets + 1)]
    claim = "claim a better than b on d1\n" if datasets == metrics == 1 else ""  # it is untrue

    def draw(rng: np.random.Generator, _: Path) -> Mapping[str, object]:
        learners = {"a": Seeing(kind), "b": Seeing(kind, first=False)}
        return {**learners, **{name: rows_of(rng, n) for name in names}}

    return Situation(
        name=f"{scheme}{more}: {kind}, n = {n}" + (f", {datasets} datasets" if datasets > 1 else ""),
        script=f"set seed SEED\ncompare a vs b on {', '.join(names)} using {scheme}{more}\n{claim}",
        draw=draw,
        pairs=datasets * metrics,
    )


def settled(kind: str, partitions: int, looks: int) -> tuple[Situation, Situation]:
    """Two equal learners on the same draws: all partitions, and until settled.

    By a test that is wrong more often than it says, so that there are wrong verdicts to be kept or lost.
    """
    full, ending = (
        fitted(kind, 60, f"{partitions} partitions of 5cv by corrected-t", more)
        for more in ("", f", until conclusive within {looks} looks")
    )
    return full, replace(ending, drawn_as=full.name)


@cache
def strength(cell: Cell) -> float:
    """The effect of the first learner's one feature that puts the two level, found once."""
    return level_effect(cell)


def crossing(kind: str, n: int, scheme: str, at: float) -> Situation:
    """The first learner sees one feature, the second eight with noise among them: level at this share of the rows."""

    def draw(rng: np.random.Generator, _: Path) -> Mapping[str, object]:
        y = (rng.permutation(n) < n // 2).astype(np.int64)
        one = features(rng, y, (strength(Cell(kind, n, "crossing", at)),))
        rows = np.hstack([one, features(rng, y, LATE)])
        return {"a": Seeing(kind, columns=1), "b": Seeing(kind, first=False, columns=1), "d": (rows, y)}

    return Situation(
        name=f"{scheme}: {kind}, n = {n}, learning curves that cross",
        script=f"set seed SEED\ncompare a vs b on d using {scheme}\n",
        draw=draw,
    )


class Shaken(ClassifierMixin, BaseEstimator):
    """A learner whose every training moves its threshold: it reads one column, and learns nothing."""

    def __init__(self, column: int = 0, random_state: int | None = None) -> None:
        self.column = column
        self.random_state = random_state

    def fit(self, x: Any, y: Any) -> Shaken:
        self.classes_ = np.unique(np.asarray(y))
        self.shift_ = np.random.default_rng((self.random_state or 0, self.column)).normal() * 0.4
        return self

    def predict(self, x: Any) -> NDArray[Any]:
        return np.asarray(self.classes_[(np.asarray(x, dtype=float)[:, self.column] > self.shift_).astype(int)])


def retrained(n: int, times: int) -> Situation:
    """Two learners that are trained again and again on one training set, each on a column that tells the same."""

    def draw(rng: np.random.Generator, _: Path) -> Mapping[str, object]:
        y = (rng.permutation(n) < n // 2).astype(np.int64)
        return {"a": Shaken(0), "b": Shaken(1), "d": (features(rng, y, (0.7, 0.7)), y)}

    return Situation(
        name=f"holdout 1/2, train {times} times, n = {n}",
        script=f"set seed SEED\nlearner one is a, train {times} times\nlearner two is b, train {times} times\n"
        "compare this classifier one vs two on d using holdout 1/2\n",
        draw=draw,
        scores={"one": 0.0, "two": 0.0},
    )


def estimated(kind: str, n: int, scheme: str, trained: float) -> Situation:
    """One learner; the truth is its mean accuracy after training on this share of the rows."""

    def draw(rng: np.random.Generator, _: Path) -> Mapping[str, object]:
        return {"a": Seeing(kind), "d": rows_of(rng, n)}

    return Situation(
        name=f"estimate using {scheme}: {kind}, n = {n}",
        script=f"set seed SEED\nestimate a on d using {scheme}, measuring accuracy\n",
        draw=draw,
        scores={},
        accuracy=cache(partial(accuracy, kind, EFFECTS, round(trained * n), 500, 1)),
        pairs=0,
    )


def in_time(n: int, phi: float) -> Situation:
    """Rows in time whose features keep a share of what they were, so that a learner's errors come in runs."""

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        x, y = rows_of(rng, n)
        noise = x - np.outer(2 * y - 1, EFFECTS * 2)
        for t in range(1, n):
            noise[t] = phi * noise[t - 1] + (1 - phi**2) ** 0.5 * noise[t]
        frame = pd.DataFrame(noise + np.outer(2 * y - 1, EFFECTS * 2), columns=[f"x{i}" for i in range(x.shape[1])])
        frame.assign(y=np.where(y == 1, "yes", "no"), day=np.arange(n)).to_csv(folder / "d.csv", index=False)
        return {"a": Seeing("centroid"), "b": Seeing("centroid", first=False)}

    return Situation(
        name=f"forward 5 splits: centroid, n = {n}, autocorrelation {phi}",
        script='set seed SEED\ndataset d from csv "d.csv", target "y", time "day"\n'
        "compare a vs b on d using forward 5 splits\n",
        draw=draw,
    )


def scored(n: int) -> Situation:
    """Scores of two learners that rank equally well."""

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        y = np.arange(n) % 2
        common = rng.normal(size=n)
        truth = np.where(y == 1, "yes", "no")
        frame = {"y": truth, "a": y + common + rng.normal(size=n), "b": y + common + rng.normal(size=n)}
        pd.DataFrame(frame).to_csv(folder / "p.csv", index=False)
        return {}

    return Situation(
        name=f"predictions, roc-area, two equal, n = {n}",
        script='predictions p from csv "p.csv", truth "y", learners in "a", "b", positive "yes"\n'
        "compare a vs b on p measuring roc-area\n",
        draw=draw,
    )


def right_or_wrong(rng: np.random.Generator, n: int, shares: Mapping[str, float], shared: float) -> pd.DataFrame:
    """Truth and answers; how hard a row is, is shared by the learners to this degree."""
    y = rng.integers(0, 2, n)
    hard = rng.normal(size=n) * shared**0.5
    frame = {"y": y}
    for name, share in shares.items():
        right = hard + rng.normal(size=n) * (1 - shared) ** 0.5 < norm.ppf(share)
        frame[name] = np.where(right, y, 1 - y)
    return pd.DataFrame(frame)


def predicted(
    name: str, n: int, shares: Mapping[str, float], *, more: str = "", claims: str = "", true: tuple[str, ...] = ()
) -> Situation:
    """Predictions with these shares of right answers."""
    learners = ", ".join(f'"{x}"' for x in shares)

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        right_or_wrong(rng, n, shares, 0.5).to_csv(folder / "p.csv", index=False)
        return {}

    k = len(shares)
    return Situation(
        name=name,
        script=f'predictions p from csv "p.csv", truth "y", learners in {learners}\n'
        f"compare {' vs '.join(shares)} on p{more}\n{claims}",
        draw=draw,
        scores=shares,
        true_claims=true,
        pairs=k - 1 if "control" in more else k * (k - 1) // 2,
    )


def clustered(clusters: int, size: int) -> Situation:
    """Predictions whose rows come in groups: within one, the same learner tends to be ahead."""

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        group = np.repeat(np.arange(clusters), size)
        tilt = rng.normal(size=clusters)[group] * 0.5
        y = rng.integers(0, 2, len(group))
        right = [0.84 + rng.normal(size=len(group)) + side * tilt > 0 for side in (-1, 1)]
        frame = {"y": y, "g": group} | {x: np.where(r, y, 1 - y) for x, r in zip("ab", right, strict=True)}
        pd.DataFrame(frame).to_csv(folder / "p.csv", index=False)
        return {}

    return Situation(
        name=f"predictions in {clusters} groups of {size}",
        script='predictions p from csv "p.csv", truth "y", learners in "a", "b", groups "g"\ncompare a vs b on p\n',
        draw=draw,
    )


def numbers(n: int, metric: str, *, skewed: bool = False, learners: str = "ab", more: str = "") -> Situation:
    """Numbers predicted with errors of the same distribution by all."""

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        y = rng.normal(size=n) * 3
        noise = rng.normal(size=(n, len(learners) + 1))
        if skewed:
            noise = rng.exponential(size=noise.shape) ** 1.5
        frame = {"y": y} | {x: y + noise[:, i] + noise[:, -1] for i, x in enumerate(learners)}
        pd.DataFrame(frame).to_csv(folder / "p.csv", index=False)
        return {}

    k = len(learners)
    named = ", ".join(f'"{x}"' for x in learners)
    return Situation(
        name=f"predictions of numbers, {metric}, n = {n}{', skewed' if skewed else ''}"
        + (f", {k} learners{more}" if k > 2 else ""),
        script=f'predictions p from csv "p.csv", truth "y", learners in {named}\n'
        f"compare {' vs '.join(learners)} on p measuring {metric}{more}\n",
        draw=draw,
        scores=dict.fromkeys(learners, 0.0),
        pairs=k - 1 if "control" in more else k * (k - 1) // 2,
    )


def tabled(datasets: int, learners: int, *, decimals: int, more: str = "", ahead: float = 0.0) -> Situation:
    """A table of results: every dataset has its own level, every learner the same spread; the first may be ahead."""
    names = [f"m{i}" for i in range(1, learners + 1)]

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        scores = rng.uniform(0.6, 0.9, (datasets, 1)) + rng.normal(size=(datasets, learners)) * 0.02
        scores[:, 0] += ahead
        frame = pd.DataFrame(np.round(scores, decimals), columns=names)
        frame.insert(0, "set", [f"s{i}" for i in range(datasets)])
        frame.to_csv(folder / "r.csv", index=False)
        return {}

    compared = " vs ".join(names) if learners == 2 else "all"
    return Situation(
        name=f"results of {learners} learners on {datasets} datasets, {decimals} decimals{more}"
        + (f", first ahead by {ahead}" if ahead else ""),
        script=f'results r from csv "r.csv", datasets in "set", measuring accuracy\ncompare {compared} on r{more}\n'
        "claim m1 better than m2 on r\n",
        draw=draw,
        scores={name: ahead * (name == "m1") for name in names},
        true_claims=("m1 better than m2 on r",) if ahead > 0 else (),
        pairs=learners - 1 if "control" in more else learners * (learners - 1) // 2,
    )


UNTRUE = "claim a better than b on p\n"  # where all are equal


def situations() -> Iterator[Situation]:
    """All of them, the quick ones first."""
    for n in (50, 200, 1000):
        yield predicted(f"predictions, two equal, n = {n}", n, {"a": 0.8, "b": 0.8})
    yield predicted("predictions, one wins most disagreements", 300, {"a": 0.99, "b": 0.87})
    yield predicted("predictions, three equal, holm", 200, {"a": 0.8, "b": 0.8, "c": 0.8}, more=" holm over learners")
    yield predicted(
        "predictions, same as within 5%, truly 5% apart",
        400,
        {"a": 0.85, "b": 0.80},
        claims="claim a same as b within 5% on p\n",
    )
    yield predicted(
        "predictions, no worse within 5%, truly 5% worse",
        400,
        {"a": 0.80, "b": 0.85},
        claims="claim a no worse than b within 5% on p\n",
    )
    yield predicted("predictions, better, truly equal", 200, {"a": 0.8, "b": 0.8}, claims=UNTRUE)
    for n in (50, 200):
        yield scored(n)
    for groups, size in ((12, 15), (40, 15)):
        yield clustered(groups, size)
    for metric in ("rmse", "mae"):
        yield numbers(100, metric, skewed=False)
        yield numbers(50, metric, skewed=True)
    for more in (" holm over learners", " bonferroni over learners", " control a, holm over learners"):
        yield numbers(100, "mae", learners="abcd", more=more)
        yield predicted(f"predictions, four equal,{more}", 200, dict.fromkeys("abcd", 0.8), more=more, claims=UNTRUE)
    for datasets in (8, 15, 30):
        yield tabled(datasets, 2, decimals=2)
    yield tabled(12, 2, decimals=4)
    yield tabled(12, 2, decimals=2, ahead=0.02)
    for learners in (3, 5):
        yield tabled(15, learners, decimals=3, more=" holm over learners")
        yield tabled(15, learners, decimals=3)
    for more in (" by paired-t, all pairs, holm over learners", " by paired-t, control m1, holm over learners"):
        yield tabled(15, 4, decimals=4, more=more)
    for kind in ("centroid", "1-nn", "stump", "5-nn", "naive-bayes", "discriminant"):
        for scheme in ("5x2cv", "10cv", "30 resamples of 2/3", "bootstrap 30", "10x2cv", "3x10cv"):
            yield fitted(kind, 60, scheme)
    for phi in (0.0, 0.5):
        yield in_time(150, phi)
    for kind in ("centroid", "1-nn"):
        yield estimated(kind, 60, "10cv", 0.9)
        yield estimated(kind, 60, "5x2cv", 0.5)
    yield fitted("centroid", 100, "5x2cv", ", holm over datasets", datasets=3)
    for kind in ("centroid", "1-nn", "stump"):
        for scheme, at in (("5x2cv", 0.5), ("10cv", 0.9), ("3x10cv", 0.9), ("30 resamples of 2/3", 2 / 3)):
            yield crossing(kind, 60, scheme, at)
        yield fitted(kind, 60, "6 halvings of 3x10cv")
        yield crossing(kind, 60, "6 halvings of 3x10cv", 0.9)
    yield fitted("centroid", 120, "4 trainings of 20")
    yield fitted("1-nn", 120, "4 trainings of 20")
    yield fitted("1-nn", 60, "5x2cv", ", measuring accuracy, balanced-accuracy, mcc, holm over metrics", metrics=3)
    for times in (3, 10):
        yield retrained(200, times)
    for kind in ("centroid", "1-nn"):
        yield from settled(kind, 12, 3)
