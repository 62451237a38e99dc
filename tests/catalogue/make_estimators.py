"""Writes the table of estimators from the installed scikit-learn: python -m tests.catalogue.make_estimators"""

from __future__ import annotations

import importlib
import inspect
import json
import warnings
from collections.abc import Iterable
from numbers import Integral
from pathlib import Path
from typing import Any

import sklearn
from sklearn.utils import all_estimators
from sklearn.utils._param_validation import (
    Interval,
    Options,
    RealNotInt,
    StrOptions,
    _ArrayLikes,
    _Booleans,
    _CVObjects,
    _NoneConstraint,
    _RandomStates,
    make_constraint,
)
from sklearn.utils.validation import has_fit_parameter

import evalang.catalogue

TABLE = Path(evalang.catalogue.__file__).with_name("estimators.json")

# Why a parameter may not be set in a script, by name; see RELIABILITY: code, files and state come only from outside it.
REFUSED = {
    "random_state": "seed",
    "n_jobs": "jobs",
    "memory": "cache",
    "pre_dispatch": "code",
    "input": "file",
    "filename": "file",
    "token_pattern": "pattern",
    "verbose": "noise",
    "verbose_interval": "noise",
    "verbose_feature_names_out": "noise",
    "copy": "in-place",
    "copy_X": "in-place",
    "copy_X_train": "in-place",
    "copy_x": "in-place",
    "warm_start": "state",
    "missing_values": "missing",
    "dtype": "code",
    "encoding": "code",
    "importance_getter": "code",
}
FREE_TEXT_REFUSED = ("scoring", "refit")  # a name of code, unless the choices are listed
KINDS = ("classifier", "regressor", "transformer", "cluster")
ROUNDED = 12


def main() -> None:
    """Write the table."""
    TABLE.write_text(text(), encoding="utf-8")
    print(f"{TABLE.name}: {TABLE.stat().st_size} bytes, scikit-learn {sklearn.__version__}")


def text() -> str:
    """The table as JSON: one line per estimator, so that a new version's changes can be read."""
    lines = [f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}" for name, row in sorted(rows().items())]
    body = ",\n".join(lines)
    return f'{{"version":{json.dumps(sklearn.__version__)},"estimators":{{\n{body}\n}}}}\n'


def rows() -> dict[str, list[Any]]:
    """Public dotted name -> [module, kinds, gives, flags, parameters]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kinds = {kind: {cls for _, cls in all_estimators(type_filter=kind)} for kind in KINDS}
        return {
            public_name(cls): [
                cls.__module__,
                [kind for kind in KINDS if cls in kinds[kind]],
                gives(cls),
                flags(cls),
                {name: specify(cls, name, parameter) for name, parameter in parameters(cls).items()},
            ]
            for _, cls in all_estimators()
        }


def public_name(cls: type) -> str:
    """The shortest dotted name under which the very same class is found."""
    parts = cls.__module__.split(".")
    for end in range(2, len(parts) + 1):
        name = ".".join(parts[:end])
        public = not any(part.startswith("_") for part in parts[1:end])
        if public and getattr(importlib.import_module(name), cls.__name__, None) is cls:
            return f"{name}.{cls.__name__}"
    return f"{cls.__module__}.{cls.__name__}"


def gives(cls: Any) -> str:
    """What a fitted one says beyond its labels, with no parameter set."""
    try:
        thing = cls()
    except TypeError:
        thing = cls
    if hasattr(thing, "predict_proba"):
        return "probabilities"
    return "scores" if hasattr(thing, "decision_function") else "labels"


def flags(cls: Any) -> str:
    """w: fit takes row weights; n: missing values are fine; r: is random; e: needs another estimator inside."""
    found = "w" if has_fit_parameter(cls, "sample_weight") else ""
    found += "r" if "random_state" in parameters(cls) else ""
    try:
        return found + ("n" if cls().__sklearn_tags__().input_tags.allow_nan else "")
    except (TypeError, AttributeError):  # an estimator inside it has to be given
        return found + "e"


def parameters(cls: Any) -> dict[str, inspect.Parameter]:
    """The constructor's parameters, in order."""
    named = inspect.signature(cls.__init__).parameters
    return {name: p for name, p in named.items() if name != "self" and p.kind is not p.VAR_KEYWORD}


def specify(cls: Any, name: str, parameter: inspect.Parameter) -> list[Any]:
    """[default, allowed...] or [default, "refused", reason]; a default that is no literal is written as "…"."""
    default = parameter.default if is_literal(parameter.default) else "…"
    if name in REFUSED:
        return [default, "refused", REFUSED[name]]
    declared = getattr(cls, "_parameter_constraints", {}).get(name, [])
    if declared == "no_validation":
        declared = [int, float, str, None] if name == "fill_value" else []
    constraints = [made for made in map(make_constraint, declared) if not made.hidden]
    allowed = [spec for made in constraints for spec in describe(made)]
    if name in FREE_TEXT_REFUSED:
        allowed = [["one", default] if spec == "str" and isinstance(default, str) else spec for spec in allowed]
        allowed = [spec for spec in allowed if spec != "str"]
    return [default, *merge(allowed)] if allowed else [default, "refused", "code"]


def describe(made: Any) -> Iterable[Any]:
    """What of one constraint a literal can meet; nothing for callables, estimators and random states."""
    if isinstance(made, Interval):
        kind = "int" if made.type is Integral else "decimal" if made.type is RealNotInt else "real"
        yield [kind, number(made.left), number(made.right), made.closed]
    elif isinstance(made, StrOptions | Options):
        plain = sorted(made.options - getattr(made, "deprecated", set()) - {"precomputed"}, key=repr)
        yield ["one", *(option for option in plain if is_literal(option))]
    elif isinstance(made, _Booleans):
        yield "bool"
    elif isinstance(made, _NoneConstraint):
        yield "none"
    elif isinstance(made, _CVObjects):
        yield "none"
        yield ["int", 2, None, "both"]
    elif isinstance(made, _ArrayLikes):
        yield "list"
    elif not isinstance(made, _RandomStates):
        named = {"Integral": "int", "int": "int", "Real": "real", "float": "real", "str": "str"}
        listed = {"list": "list", "tuple": "tuple", "ndarray": "array"}
        word = getattr(getattr(made, "type", None), "__name__", "")
        if word in named | listed:
            yield (named | listed)[word]


def merge(allowed: list[Any]) -> list[Any]:
    """Without repeats, options joined."""
    options = sorted({o for spec in allowed if isinstance(spec, list) and spec[0] == "one" for o in spec[1:]}, key=repr)
    others = [spec for spec in allowed if not (isinstance(spec, list) and spec[0] == "one")]
    unique = [spec for place, spec in enumerate(others) if spec not in others[:place]]
    return [*unique, ["one", *options]] if options else unique


def number(bound: Any) -> float | int | None:
    """A bound as JSON; None is no bound."""
    if bound is None or bound in (float("inf"), float("-inf")):
        return None
    return int(bound) if float(bound).is_integer() else round(float(bound), ROUNDED)


def is_literal(value: Any) -> bool:
    """Whether a script could write it (and JSON holds it)."""
    if isinstance(value, float):
        return value == value and abs(value) != float("inf")
    return value is None or type(value) in (bool, int, str) or (type(value) is tuple and all(map(is_literal, value)))


if __name__ == "__main__":
    main()
