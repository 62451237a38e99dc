"""What a training chose inside its training part, beside the settings that tuning chose for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingChoice:
    """What one training chose beside its settings: the threshold of the second class, the rounds it ended after."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    training: int
    metric: str  # what its settings were tuned for, "" where they serve all metrics
    threshold: float | None = None
    rounds: int | None = None
