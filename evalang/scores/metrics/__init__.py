"""One function for every metric card; `score` finds it by name."""

from .row_values import ROOTS, row_values
from .score import METRIC_FUNCTIONS, score

__all__ = ["METRIC_FUNCTIONS", "ROOTS", "row_values", "score"]
