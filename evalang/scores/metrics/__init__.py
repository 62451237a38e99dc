"""One function for every metric card; `score` finds it by name."""

from .score import METRIC_FUNCTIONS, row_losses, score

__all__ = ["METRIC_FUNCTIONS", "row_losses", "score"]
