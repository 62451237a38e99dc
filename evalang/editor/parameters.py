"""The values that a parameter of an estimator may take, as they are written in a script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..catalogue.estimators import find_estimator
from ..catalogue.learners import targets


def values_of(stage: str, parameter: str) -> tuple[str, ...]:
    """Named values, `true`, `false`, `none`, and the default; numbers have no list.

    >>> values_of("svm", "kernel")[:2]
    ('"linear"', '"poly"')
    """
    return tuple(dict.fromkeys(_values(stage, parameter)))


def _values(stage: str, parameter: str) -> Iterator[str]:
    for dotted in targets(stage):
        entry = find_estimator(dotted)
        spec = entry.specs.get(parameter) if entry else None
        if spec is None or spec[1] == "refused":
            continue
        for one in spec[1:]:
            if isinstance(one, list) and one[0] == "one":
                yield from (_written(option) for option in one[1:])
            elif one == "bool":
                yield from ("true", "false")
            elif one == "none":
                yield "none"
        if isinstance(spec[0], (bool, int, float)) or (isinstance(spec[0], str) and spec[0] != "…"):
            yield _written(spec[0])


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
