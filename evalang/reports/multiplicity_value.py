"""What n independent tests do when nothing differs, by address: `multiplicity 154.familywise` (at the level .05)."""

from __future__ import annotations

import re

from ..catalogue.corrections import multiplicity
from ..errors import ScriptError
from ..results import numbers

_ADDRESS = re.compile(r"multiplicity (?P<tests>[1-9][0-9]{0,8})\.(?P<field>[a-z]+)")
LEVEL = 0.05


def multiplicity_value(address: str) -> str | None:
    """The value, or None when the address asks for something else.

    >>> multiplicity_value("multiplicity 154.expected"), multiplicity_value("multiplicity 154.familywise")
    ('7.7', '0.9996')
    """
    asked = _ADDRESS.fullmatch(address)
    if asked is None:
        return None
    found = multiplicity(int(asked["tests"]), LEVEL)
    shown = {
        "expected": numbers.decimal(found.expected_false_positives, 1),
        "familywise": numbers.decimal(found.familywise_error, 4),
        "sidak": numbers.decimal(found.sidak_alpha, 6),
        "bonferroni": numbers.decimal(found.bonferroni_alpha, 6),
    }
    if asked["field"] not in shown:
        raise ScriptError(f"{address} names no value.", hint=f"end it with one of {', '.join(shown)}")
    return shown[asked["field"]]
