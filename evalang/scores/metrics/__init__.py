"""One function for every metric card; `score` finds it by name."""

from .row_values import row_values
from .score import METRIC_FUNCTIONS, score

__all__ = ["METRIC_FUNCTIONS", "row_values", "score"]
