"""All rules, in the order of their codes."""

from __future__ import annotations

from ..rule import Rule
from . import (
    claims,
    dataset_facts,
    datasets,
    designs,
    looks,
    made_elsewhere,
    many_tests,
    metrics,
    partition_facts,
    partitions,
    script,
    sides,
    tests,
    tests_facts,
    tuning,
)

_FAMILIES = (
    script, datasets, dataset_facts, made_elsewhere, designs, tuning, sides, partitions, partition_facts, tests,
    tests_facts, many_tests, metrics, claims, looks,
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

# Codes that are no longer given out; they are never used again for anything else.
RETIRED: dict[str, str] = {}


def find_rule(word: str) -> Rule | None:
    """The rule of a code or of a name.

    >>> find_rule("ev501").name, find_rule("uncorrected").code
    ('uncorrected', 'EV501')
    """
    wanted = word.strip()
    return next((rule for rule in RULES if wanted.upper() == rule.code or wanted == rule.name), None)
