"""Data sets that need no file: bundled with scikit-learn, or made by a generator from its own seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from ..catalogue.sources import (
    BUNDLED,
    GENERATORS,
    BundledEntry,
    check_parameters,
    filled_parameters,
    find_bundled,
    find_generator,
)
from ..errors import DataError
from ..language.text import nearest
from ..plans.model import Source
from .access import Access
from .quoting import quoted
from .raw import Raw, checked_options


def read_builtin(source: Source, access: Access) -> Raw:
    """Return a bundled data set: from scikit-learn's own files, or generated."""
    checked_options(source, {})
    entry = find_bundled(source.locator)
    if entry is None:
        raise _unknown(f"no data set {quoted(source.locator)} is bundled", source.locator, [e.name for e in BUNDLED])
    made = generate(entry.generator, entry.parameters) if entry.generator else Raw(frame=from_sklearn(entry), source="")
    return replace(made, source=f"builtin {entry.name}", target=entry.target, task=entry.task)


def _unknown(what: str, name: str, known: Sequence[str]) -> DataError:
    near = nearest(name, known)
    return DataError(what, hint=f"did you mean {near}?" if near else f"there are {', '.join(known)}")


_CELL_NUCLEUS = (
    "radius,texture,perimeter,area,smoothness,compactness,concavity,concave points,symmetry,fractal dimension"
)
_WINE = (
    "alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids nonflavanoid_phenols proanthocyanins "
    "color_intensity hue od280/od315_of_diluted_wines proline"
)
# Files of scikit-learn whose first line holds the classes, whose last column their numbers; the names of the others.
LABELLED_FILES: dict[str, tuple[str, list[str]]] = {
    "iris": ("iris.csv", [f"{p} {side} (cm)" for p in ("sepal", "petal") for side in ("length", "width")]),
    "wine": ("wine_data.csv", _WINE.split()),
    "breast-cancer": (
        "breast_cancer.csv",
        [form.format(name) for form in ("mean {}", "{} error", "worst {}") for name in _CELL_NUCLEUS.split(",")],
    ),
}


def from_sklearn(entry: BundledEntry) -> pd.DataFrame:
    """Return a data set of scikit-learn, from its file where that can be read without importing the library."""
    if entry.name in LABELLED_FILES:
        file_name, features = LABELLED_FILES[entry.name]
        path = _sklearn_data_folder() / file_name
        if path.is_file():
            return _read_labelled(path, features, entry.target)
    return from_sklearn_loader(entry)


def _sklearn_data_folder() -> Path:
    """Return where scikit-learn keeps its data, without importing it: that takes longer than a finished run."""
    spec = find_spec("sklearn")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "datasets" / "data"


def _read_labelled(path: Path, features: list[str], target: str) -> pd.DataFrame:
    with path.open(encoding="utf-8") as lines:
        classes = np.array(next(lines).strip().split(",")[2:])  # after the numbers of rows and columns
        cells = np.loadtxt(lines, delimiter=",")
    frame = pd.DataFrame(cells[:, :-1], columns=features)
    frame[target] = classes[cells[:, -1].astype(int)]
    return frame


def from_sklearn_loader(entry: BundledEntry) -> pd.DataFrame:
    """Return what scikit-learn's own function loads."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{entry.name.replace('-', '_')}")()
    frame = pd.DataFrame(bunch.data, columns=[str(n) for n in bunch.feature_names])
    if entry.name == "linnerud":
        frame[entry.target] = bunch.target[:, list(bunch.target_names).index(entry.target)]
    elif entry.task == "classification":
        frame[entry.target] = bunch.target_names[bunch.target]
    else:
        frame[entry.target] = bunch.target
    return frame


Values = dict[str, Any]
TARGET = "class"


def read_synthetic(source: Source, access: Access) -> Raw:
    """Return the rows of `from synthetic NAME(...)`."""
    return generate(source.locator, source.options)


def generate(name: str, given: tuple[tuple[str, object], ...]) -> Raw:
    """Return the rows of a generator with its parameters."""
    entry = find_generator(name)
    if entry is None:
        raise _unknown(f"there is no generator {quoted(name)}", name, [e.name for e in GENERATORS])
    wrong = check_parameters(entry, given)
    if wrong:
        raise DataError(wrong, hint=f"see `evalang explain {name}`")
    values = filled_parameters(entry, given)
    frame = FUNCTIONS[name](values)
    parameters = ", ".join(f"{k} = {v}" for k, v in values.items())
    target = TARGET if entry.task == "classification" else "y"
    nominal = frozenset(c for c in frame.columns if frame[c].dtype.kind not in "biuf")
    return Raw(frame=frame, source=f"synthetic {name}({parameters})", target=target, task=entry.task, nominal=nominal)


def _rng(values: Values) -> np.random.Generator:
    return np.random.default_rng(int(values["seed"]))


def _frame(columns: Any, target: Any, name: str = TARGET) -> pd.DataFrame:
    frame = pd.DataFrame(columns, columns=[f"x{j}" for j in range(1, columns.shape[1] + 1)])
    frame[name] = target
    return frame


def _letters(second: Any) -> Any:
    return np.where(second, "b", "a").astype(object)


def gaussians(values: Values) -> pd.DataFrame:
    """Two clouds of unit covariance, 2 z(1 - overlap) apart: half that distance is the z of the error."""
    rng = _rng(values)
    n, features = values["n"], values["features"]
    second = rng.random(n) < values["share"]
    # z(1) is infinite: an overlap of zero is taken as one row in a million
    half = NormalDist().inv_cdf(1 - max(values["overlap"], 1e-6))
    shift = np.where(second[:, None], half, -half) / np.sqrt(features)
    return _frame(rng.standard_normal((n, features)) + shift, _letters(second))


_MONK = {
    "head_shape": ("round", "square", "octagon"),
    "body_shape": ("round", "square", "octagon"),
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_colour": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}


def monks(values: Values) -> pd.DataFrame:
    """All 432 robots; the three rules of Thrun et al. 1991."""
    robots = pd.DataFrame(product(*_MONK.values()), columns=list(_MONK))
    if values["problem"] == 1:
        answers = (robots["head_shape"] == robots["body_shape"]) | (robots["jacket_colour"] == "red")
    elif values["problem"] == 2:
        answers = (robots == [words[0] for words in _MONK.values()]).sum(axis=1) == 2
    else:
        green, blue = robots["jacket_colour"] == "green", robots["jacket_colour"] == "blue"
        answers = (green & (robots["holding"] == "sword")) | (~blue & (robots["body_shape"] != "octagon"))
    turned = answers.to_numpy() ^ (_rng(values).random(len(robots)) < values["noise"])
    return robots.assign(**{TARGET: np.where(turned, "1", "0").astype(object)})


_BASES = ((0, 1), (0, 2), (1, 2))
_PEAKS = (10, 14, 6)  # of h1, h2, h3, counted from 0; height 6, slope 1


def waveform(values: Values) -> pd.DataFrame:
    """Breiman et al. 1984: x_m = u h_i(m) + (1 - u) h_j(m) + e_m, m = 0..20, the class says which two triangles."""
    rng = _rng(values)
    n = values["n"]
    points = np.arange(21)
    waves = np.array([np.maximum(6 - np.abs(points - peak), 0) for peak in _PEAKS], dtype=float)
    kind = rng.integers(0, 3, n)
    share = rng.random((n, 1))
    pairs = np.array(_BASES)[kind]
    clean = share * waves[pairs[:, 0]] + (1 - share) * waves[pairs[:, 1]]
    columns = np.hstack([clean, np.zeros((n, values["noise_columns"]))])
    return _frame(columns + rng.standard_normal(columns.shape), kind.astype(str).astype(object))


_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tic_tac_toe(values: Values) -> pd.DataFrame:
    """Every board at which a game ends, found by playing all of them."""
    ended: dict[str, str] = {}
    boards, player = {"b" * 9}, "x"
    while boards:
        after = {b[:i] + player + b[i + 1 :] for b in boards for i in range(9) if b[i] == "b"}
        won = {board for board in after if any(all(board[i] == player for i in line) for line in _LINES)}
        full = {board for board in after if "b" not in board}
        ended |= dict.fromkeys(full, "negative") | dict.fromkeys(won, "positive" if player == "x" else "negative")
        boards, player = after - won - full, "o" if player == "x" else "x"
    places = [f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]
    frame = pd.DataFrame([list(board) for board in sorted(ended)], columns=places)
    return frame.assign(**{TARGET: [ended[board] for board in sorted(ended)]})


def simulated_learners(values: Values) -> pd.DataFrame:
    """Dietterich 1998, 4.1: error rates e/2 and 3e/2 on the two halves of the population, swapped for the second."""
    rng = _rng(values)
    n = values["n"]
    easy = rng.random(n) < 0.5
    target = rng.random(n) < 0.5
    first = values["error"]
    second = min(first + values["difference"], 2 / 3)
    wrong_first = rng.random(n) < np.where(easy, 0.5, 1.5) * first
    wrong_second = rng.random(n) < np.where(easy, 1.5, 0.5) * second
    answers = {"first": _letters(target ^ wrong_first), "second": _letters(target ^ wrong_second)}
    return pd.DataFrame({**answers, TARGET: _letters(target)})


def moons(values: Values) -> pd.DataFrame:
    """Two half circles of radius 1, the second turned round and moved by (1, 1/2)."""
    rng = _rng(values)
    second = rng.random(values["n"]) < 0.5
    angle = rng.random(values["n"]) * np.pi
    across = np.where(second, 1 - np.cos(angle), np.cos(angle))
    along = np.where(second, 0.5 - np.sin(angle), np.sin(angle))
    return _noisy(across, along, second, rng, values)


def circles(values: Values) -> pd.DataFrame:
    """A circle of radius 1 and one of radius `factor`."""
    rng = _rng(values)
    second = rng.random(values["n"]) < 0.5
    angle = rng.random(values["n"]) * 2 * np.pi
    radius = np.where(second, values["factor"], 1.0)
    return _noisy(radius * np.cos(angle), radius * np.sin(angle), second, rng, values)


def _noisy(across: Any, along: Any, second: Any, rng: np.random.Generator, values: Values) -> pd.DataFrame:
    noise = rng.standard_normal((values["n"], 2)) * values["noise"]
    return _frame(np.column_stack([across, along]) + noise, _letters(second))


def xor(values: Values) -> pd.DataFrame:
    """Uniform on the square; the class says whether the signs of the two columns differ."""
    rng = _rng(values)
    columns = rng.uniform(-1, 1, (values["n"], 2))
    second = (columns[:, 0] > 0) != (columns[:, 1] > 0)
    return _frame(columns, _letters(second ^ (rng.random(values["n"]) < values["noise"])))


def noise(values: Values) -> pd.DataFrame:
    """Standard normal columns and a fair coin."""
    rng = _rng(values)
    columns = rng.standard_normal((values["n"], values["features"]))
    return _frame(columns, _letters(rng.random(values["n"]) < 0.5))


def friedman1(values: Values) -> pd.DataFrame:
    """Friedman 1991: uniform columns, five of which matter."""
    rng = _rng(values)
    x = rng.random((values["n"], values["features"]))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return _frame(x, y + values["noise"] * rng.standard_normal(values["n"]), "y")


def linear(values: Values) -> pd.DataFrame:
    """y = sum of x_j / j, plus noise."""
    rng = _rng(values)
    x = rng.standard_normal((values["n"], values["features"]))
    y = (x / np.arange(1, values["features"] + 1)).sum(axis=1)
    return _frame(x, y + values["noise"] * rng.standard_normal(values["n"]), "y")


_GENERATORS = (
    gaussians, monks, waveform, tic_tac_toe, simulated_learners, moons, circles, xor, noise, friedman1, linear,
)  # fmt: skip
FUNCTIONS: dict[str, Callable[[Values], pd.DataFrame]] = {f.__name__.replace("_", "-"): f for f in _GENERATORS}
