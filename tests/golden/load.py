"""The stored reference values as pytest parameters, and the rule by which a value agrees with one."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).with_name("cases.json")
SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

Case = dict[str, Any]


@lru_cache(maxsize=1)
def all_cases() -> tuple[Case, ...]:
    """Every case, in the file's order, with non-finite numbers decoded."""
    return tuple(_decode(case) for case in json.loads(CASES.read_text(encoding="utf-8")))


def cases(*kinds: str, prefix: str = "", behavior: str = "") -> list[Any]:
    """The cases of these kinds as parameters named by their id; optionally only ids with a prefix, or one behaviour.

    >>> [p.id for p in cases("mcnemar_chi2")][:1]
    ['mcnemar_chi2-001']
    """
    found = [
        case
        for case in all_cases()
        if case["kind"] in kinds and case["id"].startswith(prefix) and behavior in ("", case["behavior"])
    ]
    if not found:
        raise LookupError(f"no golden case of kind {kinds} with prefix {prefix!r}")
    return [pytest.param(case, id=case["id"]) for case in found]


def agrees(case: Case, **got: Any) -> None:
    """Assert that each named value is the expected one, or all are those of one accepted alternative.

    A number passes when |got - expected| <= atol + rtol * |expected|; a key the case lacks is an error.
    """
    choices = [case["expected"], *case.get("accept", [])]
    if not any(
        set(got) <= set(choice) and all(_near(case, choice[key], got[key]) for key in got) for choice in choices
    ):
        raise AssertionError(f"{case['id']}: got {got}, expected one of {choices}")


def _near(case: Case, expected: Any, got: Any) -> bool:
    if isinstance(expected, list):
        return len(got) == len(expected) and all(_near(case, e, g) for e, g in zip(expected, got, strict=True))
    if isinstance(expected, (bool, str)) or expected is None:
        return bool(got == expected)
    if got is None or math.isnan(expected):
        return False  # an undefined value is matched by an error or by an accepted alternative, never by NaN
    if math.isinf(expected):
        return bool(got == expected)
    return bool(abs(got - expected) <= case["atol"] + case["rtol"] * abs(expected))


def _decode(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: item if key in ("note", "source") else _decode(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_decode(item) for item in value]
    return SPECIAL.get(value, value) if isinstance(value, str) else value
