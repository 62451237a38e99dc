"""Cards of what a learner costs."""

from __future__ import annotations

from ..entry import MetricEntry
from .tasks import ALL

COST_METRICS: tuple[MetricEntry, ...] = (
    MetricEntry(
        name="fit-time",
        title="Seconds to fit",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="time",
        tasks=ALL,
        has_unit=True,
        unit="s",
        baseline="that of `majority`: nearly 0",
        method="Wall-clock seconds of one fit, preparation steps included, on one core.",
        references=("caruana2005",),
    ),
    MetricEntry(
        name="predict-time",
        title="Seconds to predict",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="time",
        tasks=ALL,
        has_unit=True,
        unit="s",
        baseline="that of `majority`: nearly 0",
        method="Wall-clock seconds to predict the whole test part, on one core.",
    ),
    MetricEntry(
        name="size",
        title="Size of what was learned",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="size",
        tasks=ALL,
        has_unit=True,
        unit="bytes",
        baseline="that of `majority`: a few hundred bytes",
        method="Bytes of the fitted learner when written out.",
    ),
)
