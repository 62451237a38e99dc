"""Situations of rarer designs: families of several kinds, groups, epochs, ropes, results on scales of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin

from ..items import ItemDesign
from ..levels.nulls import features
from .situations import Situation, predicted, right_or_wrong, tabled

TELLING = (0.4, 0.3, 0.2)  # what the columns of one learner tell of the class


class Column(ClassifierMixin, BaseEstimator):
    """Answers with the sign of one column, and learns nothing: its true accuracy is known."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def fit(self, x: Any, y: Any) -> Column:
        self.classes_ = np.unique(np.asarray(y))
        return self

    def predict(self, x: Any) -> NDArray[Any]:
        return np.asarray(self.classes_[(np.asarray(x, dtype=float)[:, self.column] > 0).astype(int)])


class Part(ClassifierMixin, BaseEstimator):
    """The nearest centroid in columns of its own, with probabilities."""

    def __init__(self, part: int = 0) -> None:
        self.part = part

    def _columns(self, x: Any) -> NDArray[np.floating]:
        wide = len(TELLING)
        return np.asarray(x, dtype=float)[:, self.part * wide : (self.part + 1) * wide]

    def fit(self, x: Any, y: Any) -> Part:
        self.classes_, seen = np.unique(np.asarray(y)), self._columns(x)
        self.centres_ = [seen[np.asarray(y) == c].mean(axis=0) for c in self.classes_]
        return self

    def predict_proba(self, x: Any) -> NDArray[np.floating]:
        far = [((self._columns(x) - centre) ** 2).sum(axis=1) for centre in self.centres_]
        chance = expit(far[0] - far[1])
        return np.column_stack([1 - chance, chance])

    def predict(self, x: Any) -> NDArray[Any]:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(x), axis=1)])


def answered(rng: np.random.Generator, n: int, shares: Mapping[str, float]) -> tuple[NDArray[np.floating], Any]:
    """Rows for `Column`: one column for each learner, whose sign is right in this share."""
    frame = right_or_wrong(rng, n, shares, 0.5)
    y = frame.pop("y").to_numpy()
    return 2.0 * frame.to_numpy() - 1 + rng.normal(size=frame.shape) * 1e-3, y


def parts(rng: np.random.Generator, n: int, learners: int) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
    """Rows for `Part`: to each learner its own columns tell the same."""
    y = (rng.permutation(n) < n // 2).astype(np.int64)
    return np.hstack([features(rng, y, TELLING) for _ in range(learners)]), y


def grouped(
    groups: int, names: str, more: str, shares: tuple[float, ...], *, tilt: float, claims: str = ""
) -> Situation:
    """Predictions in groups of very unequal size; each learner has good and bad groups of its own."""

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        sizes = np.maximum(1, np.round(np.exp(rng.normal(size=groups) * 0.8) * 8)).astype(int)
        g = np.repeat(np.arange(groups), sizes)
        y, hard = rng.integers(0, 2, len(g)), rng.normal(size=len(g)) * 0.6
        frame = {"y": y, "g": g}
        for name, share in zip(names, shares, strict=True):
            z = hard + tilt * rng.normal(size=groups)[g] + rng.normal(size=len(g))
            right = z < norm.ppf(share) * np.sqrt(0.36 + tilt**2 + 1)
            frame[name] = np.where(right, y, 1 - y)
        pd.DataFrame(frame).to_csv(folder / "p.csv", index=False)
        return {}

    listed = ", ".join(f'"{x}"' for x in names)
    k = len(names)
    return Situation(
        name=f"predictions of {k} learners in {groups} unequal groups{more}" + (", with claims" if claims else ""),
        script=f'predictions p from csv "p.csv", truth "y", learners in {listed}, groups "g"\n'
        f"compare {' vs '.join(names)} on p{more}, seed SEED\n{claims}",
        draw=draw,
        scores=dict(zip(names, shares, strict=True)),
        pairs=k * (k - 1) // 2,
    )


def scaled(datasets: int, learners: int, more: str = "") -> Situation:
    """A table of rmse: the datasets' units are orders of magnitude apart."""
    names = [f"m{i}" for i in range(1, learners + 1)]

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        scores = np.exp(rng.normal(size=(datasets, 1))) * 10 * (1 + rng.normal(size=(datasets, learners)) * 0.1)
        frame = pd.DataFrame(np.round(scores, 1), columns=names)
        frame.insert(0, "set", [f"s{i}" for i in range(datasets)])
        frame.to_csv(folder / "r.csv", index=False)
        return {}

    return Situation(
        name=f"results in rmse of {learners} learners on {datasets} datasets{more}",
        script='results r from csv "r.csv", datasets in "set", measuring rmse\n'
        f"compare {'m1 vs m2' if learners == 2 else 'all'} on r{more}\nclaim m1 better than m2 on r\n",
        draw=draw,
        scores=dict.fromkeys(names, 0.0),
        pairs=learners * (learners - 1) // 2,
    )


def claimed(n: int, scheme: str) -> Situation:
    """Two classifiers that are 5 points apart, and claims that they are not."""

    def draw(rng: np.random.Generator, _: Path) -> Mapping[str, object]:
        return {"a": Column(0), "b": Column(1), "d": answered(rng, n, {"a": 0.85, "b": 0.8})}

    return Situation(
        name=f"{scheme}: same as and no worse within 5%, truly 5% apart, n = {n}",
        script=f"set seed SEED\ncompare a vs b on d using {scheme}\n"
        "claim a same as b within 5% on d\nclaim b no worse than a within 5% on d\n",
        draw=draw,
        scores={"a": 0.05, "b": 0.0},
    )


def everything(n: int) -> Situation:
    """Learners, metrics, datasets and schemes in one family, with a control in one of its comparisons."""

    def draw(rng: np.random.Generator, _: Path) -> Mapping[str, object]:
        learners = {name: Part(i) for i, name in enumerate("abc")}
        return {**learners, "d1": parts(rng, n, 3), "d2": parts(rng, n, 3)}

    return Situation(
        name=f"control and holm over everything, two schemes and two metrics, n = {n}",
        script="set seed SEED\ncompare a vs b vs c on d1, d2 using 5x2cv measuring accuracy, brier, control a, "
        "holm over everything, primary accuracy\n"
        "compare b vs c on d1 using 10cv measuring accuracy, holm over everything\nclaim a better than b on d1\n",
        draw=draw,
        scores=dict.fromkeys("abc", 0.0),
        pairs=9,
    )


def found_out(n: int, datasets: int) -> Situation:
    """bh over datasets on all of which the two are equal: any discovery is a false one."""
    names = [f"d{i}" for i in range(1, datasets + 1)]

    def draw(rng: np.random.Generator, _: Path) -> Mapping[str, object]:
        return {"a": Column(0), "b": Column(1), **{x: answered(rng, n, {"a": 0.8, "b": 0.8}) for x in names}}

    return Situation(
        name=f"10cv, bh over {datasets} datasets, n = {n}",
        script=f"set seed SEED\ncompare a vs b on {', '.join(names)} using 10cv, bh over datasets\n",
        draw=draw,
        pairs=datasets,
    )


def sampled(design: ItemDesign) -> Situation:
    """Two models of the same ability that answer every item several times."""

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        right = design.draw(rng)
        model, item, epoch = (x.ravel() for x in np.indices(right.shape))
        frame = pd.DataFrame({"model": np.array(["a", "b"])[model], "item": item, "epoch": epoch + 1})
        if (places := design.places) is not None:
            frame["passage"] = np.char.add("g", places[item].astype(str))
        frame.assign(score=right.ravel().astype(int)).to_csv(folder / "r.csv", index=False)
        return {}

    groups = ', groups "passage"' if design.groups else ""
    return Situation(
        name=f"{design.items} items, {design.epochs} epochs" + (f", {design.groups} uneven groups" if groups else ""),
        script=f'results r from csv "r.csv" as score ~ model | item / epoch{groups}, measuring accuracy\n'
        "compare a vs b on r, seed SEED\n",
        draw=draw,
    )


def ranked(n: int, scheme: str) -> Situation:
    """The area under the curve of two learners over trainings."""

    def draw(rng: np.random.Generator, folder: Path) -> Mapping[str, object]:
        x, y = parts(rng, n, 2)
        frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])
        frame.assign(y=np.where(y == 1, "yes", "no")).to_csv(folder / "d.csv", index=False)
        return {"a": Part(0), "b": Part(1)}

    return Situation(
        name=f"{scheme}: roc-area, n = {n}",
        script='set seed SEED\ndataset d from csv "d.csv", target "y", positive "yes"\n'
        f"compare a vs b on d using {scheme} measuring roc-area\n",
        draw=draw,
    )


def rarer() -> Iterator[Situation]:
    """All of them, the quick ones first."""
    shares = {"a": 0.9, "b": 0.75, "c": 0.75}
    untrue = "claim this classifier b better than c on p\n"
    yield predicted("predictions, one ahead of two equal, holm", 250, shares, more=" holm over learners", claims=untrue)
    yield grouped(30, "abc", " all pairs holm over learners", (0.8, 0.8, 0.8), tilt=0.6)
    yield grouped(25, "ab", "", (0.8, 0.8), tilt=0.6)
    within = (
        "claim this classifier a no worse than b within 5% on p\nclaim this classifier a same as b within 5% on p\n"
    )
    yield grouped(40, "ab", "", (0.8, 0.85), tilt=0.3, claims=within)
    yield scaled(14, 2)
    yield scaled(16, 4, " holm over learners")
    yield tabled(20, 3, decimals=1, more=" holm over learners")
    rope = " by bayes-signed-rank margin 1 point"
    yield tabled(20, 2, decimals=4, more=rope)
    # At the end of the rope: "better" says by more than it, and that is untrue.
    yield replace(tabled(20, 2, decimals=4, more=rope, ahead=0.01), true_claims=())
    yield sampled(ItemDesign(items=60, epochs=4, abilities=(0.0, 0.0)))
    yield sampled(ItemDesign(items=60, epochs=4, abilities=(0.0, 0.0), groups=15, uneven=True))
    yield claimed(300, "5x2cv")
    yield found_out(150, 5)
    yield ranked(160, "4 trainings of 20")
    yield everything(80)
