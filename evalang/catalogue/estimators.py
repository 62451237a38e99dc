"""The estimators of scikit-learn and of boosting packages, and which of their parameters a script may set.

Nothing is imported to know them. The tables are estimators.json and boosters.json (made by tests/catalogue/make_*.py).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from os.path import dirname, join
from typing import Any, Literal

from ..language.text import nearest

# Packages of boosted trees, each with the extra that installs it.
BOOSTERS = {"lightgbm": "boosting", "xgboost": "xgboost", "catboost": "catboost"}

# Why a parameter may not be set in a script.
REASONS = {
    "seed": "it is set from the seed of the comparison, so that every fit can be repeated",
    "jobs": "it is always 1; `--jobs N` runs that many fits side by side",
    "cache": "a folder of cached objects could hold code",
    "file": "a learner may not open files; the dataset statement does that",
    "pattern": "a pattern can take for ever to match",
    "noise": "what a learner prints would mix with the results",
    "in-place": "a learner may not change the data that the others are given",
    "state": "every fit starts from nothing",
    "missing": "the dataset statement says what stands for a missing value (`missing`)",
    "code": "it takes code, and a script is only data",
    "watched": "it watches rows that are not trained on, which a fit does not pass",
}

# Above these a single fit would not end or not fit into memory; the time and memory limits of a trial come on top.
LARGEST = {"n_estimators": 100_000, "max_iter": 100_000_000, "hidden_layer_sizes": 100_000, "degree": 100}
LARGEST |= dict.fromkeys(("iterations", "num_trees", "num_boost_round"), LARGEST["n_estimators"])
LARGEST_WHOLE = 2**31 - 1
LONGEST_TEXT = 200
LONGEST_LIST = 1_000


@dataclass(frozen=True, slots=True)
class EstimatorEntry:
    """The card of an estimator of scikit-learn or of a boosting package."""

    dotted: str  # the public name, as a script writes it
    module: str  # where the class is defined; compared after importing
    kinds: tuple[str, ...]  # of classifier, regressor, transformer, cluster
    gives: Literal["labels", "scores", "probabilities"]
    weights: bool  # its fit takes weights of rows
    missing: bool  # missing values need no filling in
    random: bool  # has a random_state
    needs_estimator: bool  # is built from another one, so it cannot be named in a script
    specs: Mapping[str, tuple[Any, ...]]  # by parameter: its default, and what it may be, as in the table

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of all parameters, refused ones included."""
        return tuple(self.specs)

    @property
    def settable(self) -> tuple[str, ...]:
        """The names of the parameters that a script may set."""
        return tuple(name for name, spec in self.specs.items() if spec[1] != "refused")


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return _read("estimators.json")


@lru_cache(maxsize=1)
def _boosters() -> dict[str, Any]:
    return _read("boosters.json")


def _read(name: str) -> dict[str, Any]:
    with open(join(dirname(__file__), name), encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def table_version() -> str:
    """Return the version of scikit-learn that the table was made from."""
    return str(_table()["version"])


def estimator_names() -> tuple[str, ...]:
    """Return every dotted name, for suggestions and `explain --all`."""
    return tuple(_table()["estimators"])


@lru_cache(maxsize=1)
def class_names() -> dict[str, str]:
    """Return the dotted name of every class, of the boosting packages too, by its last part."""
    return {dotted.rpartition(".")[2]: dotted for dotted in (*estimator_names(), *_boosters()["estimators"])}


@lru_cache(maxsize=256)
def find_estimator(dotted: str) -> EstimatorEntry | None:
    """Return the estimator of exactly this public dotted name.

    >>> find_estimator("sklearn.svm.SVC").kinds
    ('classifier',)
    >>> find_estimator("sklearn.datasets._base.shutil.rmtree") is None
    True
    """
    table = _boosters() if dotted.partition(".")[0] in BOOSTERS else _table()
    row = table["estimators"].get(dotted)
    if row is None:
        return None
    module, kinds, gives, flags, parameters = row
    return EstimatorEntry(
        dotted=dotted,
        module=module,
        kinds=tuple(kinds),
        gives=gives,
        weights="w" in flags,
        missing="n" in flags,
        random="r" in flags,
        needs_estimator="e" in flags,
        specs={name: tuple(spec) for name, spec in parameters.items()},
    )


def nearest_estimator(dotted: str) -> str | None:
    """Return the dotted name most like this one; a last part that fits exactly wins.

    >>> nearest_estimator("sklearn.SVC")
    'sklearn.svm.SVC'
    """
    known = class_names()
    return known.get(dotted.rpartition(".")[2]) or nearest(dotted, known.values())


def list_form(entry: EstimatorEntry, name: str) -> Literal["list", "tuple", "array"]:
    """Return the type that a list written for this parameter has to become."""
    spec = entry.specs.get(name, ())
    return "list" if "list" in spec else "array" if "array" in spec else "tuple"


def default_of(entry: EstimatorEntry, name: str) -> Any:
    """Return a parameter's default, "…" when it cannot be written in a script."""
    default = entry.specs[name][0]
    return tuple(default) if isinstance(default, list) else default


def check_parameter(entry: EstimatorEntry, name: str, value: object) -> str | None:
    """Return what is wrong with setting a parameter to a value, as a sentence, or None.

    >>> check_parameter(find_estimator("sklearn.svm.SVC"), "C", -1)
    'C of SVC must be a number above 0, not -1'
    """
    short = entry.dotted.rpartition(".")[2]
    spec = entry.specs.get(name)
    if spec is None:
        near = nearest(name, entry.settable)
        return f"{short} has no parameter {_shown(name)}" + (f"; did you mean {near}?" if near else "")
    if spec[1] == "refused":
        return f"{name} of {short} cannot be set in a script: {REASONS[spec[2]]}"
    for one in spec[1:]:
        if _meets(one, value):
            break
    else:
        return f"{name} of {short} must be {' or '.join(dict.fromkeys(map(_words, spec[1:])))}, not {_shown(value)}"
    largest = LARGEST.get(name, LARGEST_WHOLE)
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, int) and abs(one) > largest:
            return f"{name} of {short} may be {largest} at most, not {_shown(value)}"
    return None


def _meets(spec: Any, value: object) -> bool:
    kind, *rest = spec if isinstance(spec, list) else [spec]
    if kind == "one":
        return any(type(value) is type(option) and value == option for option in rest)
    if kind in ("none", "bool"):
        return value is None if kind == "none" else isinstance(value, bool)
    if kind == "str":
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    if kind in ("list", "tuple", "array"):
        return isinstance(value, tuple) and 0 < len(value) <= LONGEST_LIST and all(_plain(item) for item in value)
    fitting = {"int": int, "decimal": float}.get(kind, int | float)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isinstance(value, fitting):
        return False
    low, high, closed = rest or (None, None, "both")
    above = low is None or value > low or (value == low and closed in ("left", "both"))
    below = high is None or value < high or (value == high and closed in ("right", "both"))
    return not rest or (above and below and -math.inf < value < math.inf)


def _plain(item: object) -> bool:
    if isinstance(item, tuple):
        return len(item) <= LONGEST_LIST and all(_plain(part) and not isinstance(part, tuple) for part in item)
    if isinstance(item, float):
        return math.isfinite(item)
    return item is None or isinstance(item, int) or (isinstance(item, str) and len(item) <= LONGEST_TEXT)


_NOUNS = {
    **dict.fromkeys(("list", "tuple", "array"), "a list"), "none": "none", "bool": "true or false", "str": "a text",
    "int": "a whole number", "decimal": "a decimal number",
}  # fmt: skip


def _words(spec: Any) -> str:
    kind, *rest = spec if isinstance(spec, list) else [spec]
    if kind == "one":
        return " or ".join(map(_shown, rest))
    noun = _NOUNS.get(kind, "a number")
    low, high, closed = rest or (None, None, "both")
    start = "" if low is None else f"from {low}" if closed in ("left", "both") else f"above {low}"
    end = "" if high is None else f"at most {high}" if closed in ("right", "both") else f"below {high}"
    up = " up" if start.startswith("from") and not end else ""
    return " ".join(filter(None, (noun, " and ".join(filter(None, (start, end)))))) + up


def _shown(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int) and abs(value) > LARGEST_WHOLE**2:
        return "a number of that many digits"
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value[:5]))}{', …' if len(value) > 5 else ''})"
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    return shown if len(shown) <= LONGEST_TEXT // 2 else shown[: LONGEST_TEXT // 2] + "…"
