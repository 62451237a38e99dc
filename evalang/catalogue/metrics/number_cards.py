"""Cards of the metrics of predicted numbers."""

from __future__ import annotations

from ..entry import MetricEntry
from .tasks import NUMBERS

NUMBER_METRICS: tuple[MetricEntry, ...] = (
    MetricEntry(
        name="rmse",
        title="Root mean squared error",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="numbers",
        tasks=NUMBERS,
        row_loss=True,
        has_unit=True,
        unit="unit of the target",
        baseline="the standard deviation of the target (for its mean)",
        method="The square root of the mean squared difference, in the unit of the target.",
    ),
    MetricEntry(
        name="mae",
        title="Mean absolute error",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="numbers",
        tasks=NUMBERS,
        row_loss=True,
        has_unit=True,
        unit="unit of the target",
        aliases=("absolute-error",),
        baseline="the mean absolute deviation of the target (for its median)",
        method="The mean absolute difference, in the unit of the target.",
    ),
    MetricEntry(
        name="mape",
        title="Mean absolute percentage error",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="numbers",
        tasks=NUMBERS,
        row_loss=True,
        aliases=("percentage-error",),
        baseline="above 0: the mean of |mean of the training targets - truth| / |truth|",
        method="The mean of |difference| / |truth|, as a share: 0.1 is 10%. An error when the target is 0 in some test "
        "row, where a percentage of it has no meaning. Of a positive target what is too low is at most 100% off, "
        "what is too high by any share, so it favours learners that predict low.",
        references=("hyndman2006",),
    ),
    MetricEntry(
        name="r2",
        title="Coefficient of determination",
        higher_is_better=True,
        low=None,
        high=1.0,
        needs="numbers",
        tasks=NUMBERS,
        aliases=("r-squared",),
        baseline="0",
        method="1 - (sum of squared errors) / (sum of squares around the mean of the test part). An error when the "
        "target of the test part is constant or has fewer than two rows.",
    ),
)
