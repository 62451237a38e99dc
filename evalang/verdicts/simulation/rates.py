"""Counted rejections as outcomes: rate and Wilson interval."""

from __future__ import annotations

from typing import Literal

from ...results.records import SimulationOutcome
from ..tests.score_intervals import wilson


def outcome(
    name: str,
    kind: Literal["type-I", "power"],
    subject: str,
    settings: tuple[tuple[str, float], ...],
    rejected: int,
    trials: int,
) -> SimulationOutcome:
    """One cell of a simulation with its 95% Wilson interval."""
    return SimulationOutcome(
        name=name,
        kind=kind,
        subject=subject,
        settings=settings,
        rate=rejected / trials,
        interval=wilson(rejected, trials).interval,
        trials=trials,
    )
