"""The metrics: the nine of Caruana and Niculescu-Mizil, and the others in use."""

from __future__ import annotations

from collections.abc import Mapping

from ..entry import MetricEntry
from .cost_cards import COST_METRICS
from .label_cards import LABEL_METRICS
from .number_cards import NUMBER_METRICS
from .probability_cards import PROBABILITY_METRICS
from .rank_cards import RANK_METRICS

METRICS: tuple[MetricEntry, ...] = LABEL_METRICS + RANK_METRICS + PROBABILITY_METRICS + NUMBER_METRICS + COST_METRICS

AVERAGES: tuple[str, ...] = ("auto", "positive", "macro", "micro", "weighted")

_BY_NAME: Mapping[str, MetricEntry] = {word: entry for entry in METRICS for word in (entry.name, *entry.aliases)}


def find_metric(name: str) -> MetricEntry | None:
    """The metric of a name or of one of its other names.

    >>> find_metric("log-loss").name
    'cross-entropy'
    """
    return _BY_NAME.get(name)


def metric_words() -> tuple[str, ...]:
    """Every word that names a metric, for suggestions."""
    return tuple(_BY_NAME)


def needs_positive(entry: MetricEntry, options: Mapping[str, object], classes: int) -> bool:
    """Whether the positive class has to be told: not for many classes, nor for an average over both."""
    return entry.positive and classes <= 2 and options.get("average", "auto") in ("auto", "positive")


def check_option(entry: MetricEntry, name: str, value: object) -> str | None:
    """What is wrong with an option of a metric, or None.

    >>> check_option(find_metric("lift"), "top", 2)
    'top of lift is a share of the rows above 0 and at most 1, not 2'
    """
    known = tuple(option for option, _ in entry.options)
    if name not in known:
        return f"{entry.name} has no option {name}" + (f"; it has {', '.join(known)}" if known else "")
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    if name == "average" and value not in AVERAGES:
        return f"average of {entry.name} is one of {', '.join(AVERAGES)}, not {value}"
    if name == "top" and (number is None or not 0 < number <= 1):
        return f"top of {entry.name} is a share of the rows above 0 and at most 1, not {value}"
    if name == "beta" and (number is None or not 0 < number < 1e6):
        return f"beta of {entry.name} is a number above 0, not {value}"
    if name in ("fp", "fn") and (number is None or not 0 <= number < 1e12):
        return f"{name} of {entry.name} is what one such error costs, a number from 0 up, not {value}"
    if name == "k" and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
        return f"k of {entry.name} is a whole number of classes from 1 up, not {value}"
    if name == "window" and (not isinstance(value, int) or isinstance(value, bool) or value < 2):
        return f"window of {entry.name} is a whole number of rows from 2 up, not {value}"
    return None
