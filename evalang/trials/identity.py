"""What a learner is, down to the versions and the source behind it: when that changes, its trials are stale."""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import EvalangError
from ..plans.model import Learner, Step
from .keys import digest
from .pipeline import NOBODY, Trust
from .resolve import own_class


def learner_identity(learner: Learner, trust: Trust = NOBODY) -> str:
    """A fingerprint of steps, parameters, values to try and calibration; names and reasons do not count."""
    grids = [(grid.parameter, grid.values) for grid in learner.grids]
    steps = [(step.kind, step.name, step.parameters, _behind(step, trust)) for step in learner.steps]
    return digest("learner", steps, grids, learner.tries, learner.calibrate)


def _behind(step: Step, trust: Trust) -> str:
    if step.kind == "code":
        try:
            return class_identity(own_class(step.name, trust.packages))
        except EvalangError:  # reported where it is used: as a failure of its trials
            return "cannot be imported"
    if step.kind == "python":
        return _object_identity(trust.handed.get(step.name))
    return f"scikit-learn {series('scikit-learn')}"


def class_identity(cls: type) -> str:
    """Where a class is defined, the version of its package, and a hash of the source of that package's files."""
    package = cls.__module__.partition(".")[0]
    return digest(cls.__module__, cls.__qualname__, version(package), _source(cls.__module__))


def _object_identity(made: Any) -> str:
    if made is None:
        return "not handed over"
    cls = type(made)
    own = cls.__module__.partition(".")[0] not in ("sklearn",)
    behind = class_identity(cls) if own else f"scikit-learn {series('scikit-learn')}"
    parameters = made.get_params(deep=False) if hasattr(made, "get_params") else vars(made)
    shown = sorted((str(name), _value(value)) for name, value in parameters.items())
    return digest(cls.__module__, cls.__qualname__, behind, shown)


def _value(value: Any) -> str:
    """A parameter as text without addresses in memory; nested estimators by what they are."""
    if hasattr(value, "get_params") and not isinstance(value, type):
        return _object_identity(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(k)}: {_value(v)}" for k, v in value.items()) + "}"
    if callable(value):
        code = getattr(value, "__code__", None)
        body = hashlib.sha256(code.co_code + repr(code.co_consts).encode()).hexdigest() if code is not None else ""
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__name__)} {body}"
    if hasattr(value, "tobytes"):
        return hashlib.sha256(value.tobytes()).hexdigest()
    return repr(value)


@lru_cache(maxsize=64)
def series(distribution: str) -> str:
    """Major and minor version; a patch release is a note, not a reason to run everything again."""
    return ".".join(version(distribution).split(".")[:2])


def version(distribution: str) -> str:
    """The installed version of a distribution, "" when it is not installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _source(module: str) -> str:
    """A hash over the Python files of the top package of a module (or of the one file it is)."""
    top = sys.modules.get(module.partition(".")[0])
    place = getattr(sys.modules.get(module), "__file__", None)
    if top is None or place is None:
        return ""
    folder = Path(getattr(top, "__file__", None) or place).parent
    files = sorted(folder.rglob("*.py")) if getattr(top, "__path__", None) else [Path(place)]
    total = hashlib.sha256()
    for file in files[:2000]:
        try:
            total.update(file.name.encode() + b"\0" + file.read_bytes())
        except OSError:
            continue
    return total.hexdigest()
