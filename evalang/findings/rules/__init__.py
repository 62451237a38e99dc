"""All rules, in the order of their codes: every function that a module of this package decorates with `rule`."""

from __future__ import annotations

from ..rule import Rule
from . import claims, datasets, given_results, looks, many_tests, metrics, partitions, script, sides, tests, tuning

_FAMILIES = (
    script, datasets, given_results, tuning, sides, partitions, tests, many_tests, metrics, claims, looks
)  # fmt: skip
RULES: tuple[Rule, ...] = tuple(
    sorted(
        (
            found
            for family in _FAMILIES
            for found in vars(family).values()
            if isinstance(found, Rule) and found.function.__module__ == family.__name__
        ),
        key=lambda rule: rule.code,
    )
)

# Retired codes with a sentence each; a code is never reused.
_STABILITY = "The details of averaged-t, the only test of single random splits, show what each split says."
RETIRED: dict[str, str] = {"EV305": _STABILITY, "EV306": _STABILITY}


def find_rule(word: str) -> Rule | None:
    """Return the rule of a code or of a name.

    >>> find_rule("ev501").name, find_rule("uncorrected").code
    ('uncorrected', 'EV501')
    """
    wanted = word.strip()
    return next((rule for rule in RULES if wanted.upper() == rule.code or wanted == rule.name), None)
