"""The repair that puts another test in the place of one that is named."""

from __future__ import annotations

from ..catalogue.tests import find_test
from ..language.text import Fix
from ..plans.model import Test
from .case import Case
from .rule import replaced


def swap(case: Case, test: Test, name: str) -> Fix | None:
    """Another test for the named one; None when it does not fit the scheme or the metrics either."""
    card = find_test(name)
    if card is None or not test.span.path or len(case.tests) != 1:
        return None
    if case.kind not in card.schemes:
        return None
    if card.metrics == "accuracy" and any(metric.name not in ("accuracy", "error") for metric in case.metrics):
        return None
    return replaced(f"use {name}", test.span, name)
