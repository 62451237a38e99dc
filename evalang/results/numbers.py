"""How numbers and intervals are written, in one place: enough digits to be right, never so few that they say something
else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from math import floor, isclose, isfinite, log10

from ..catalogue.metrics import MetricEntry, find_metric
from .records import Effect, Interval, Posterior, TestResult, Verdict

USUAL_LEVEL = 0.05  # another level is printed beside p
SMALLEST_P = 1e-16  # below it doubles carry no information about most tails (RELIABILITY, section 1: ptukey)
DECIMALS = 3  # of scores that run from 0 to 1, as in most tables of the field
MOST_DECIMALS = 12
NOISE = 1e-9  # a difference of scores is not known any better: sums in another order, ends that are searched for


@cache
def metric_card(label: str) -> MetricEntry | None:
    """Return the card behind a metric label, options cut off: `f-score(average = "macro")` is f-score."""
    return find_metric(label.partition("(")[0].strip())


_SIDE = re.compile(r"\(better = (?:higher|lower)\)")


def spoken(text: str) -> str:
    """Return a text without the `(better = …)` of metrics, which is given only where it matters.

    >>> spoken("wide is ahead in return(better = higher)"), spoken('f-score(average = "macro")')
    ('wide is ahead in return', 'f-score(average = "macro")')
    """
    return _SIDE.sub("", text) if "(better" in text else text


def higher_is_better(label: str) -> bool:
    """Return the direction of a metric; an unknown name (a column of a results table) reads as a score."""
    card = metric_card(label)
    return "better = lower" not in label if card is None else card.higher_is_better


def bounded(label: str) -> bool:
    """Return whether a metric has a range, so that a fixed number of decimals suits it."""
    card = metric_card(label)
    return card is None or (card.low is not None and card.high is not None)


def has_unit(label: str) -> bool:
    """Return whether a metric has a unit of its own, in which five points mean nothing.

    >>> has_unit("rmse"), has_unit("r2")
    (True, False)
    """
    card = metric_card(label)
    return card is not None and card.has_unit


def predicts_numbers(label: str) -> bool:
    """Return whether a metric is one of regression."""
    card = metric_card(label)
    return card is not None and card.needs == "numbers"


def decimal(value: float, decimals: int = DECIMALS) -> str:
    """Return a number with that many decimals, more if it would read as zero and is not one, never `-0`.

    >>> decimal(0.93149), decimal(-0.00004), decimal(-0.0), decimal(12.0), decimal(-1.1e-16)
    ('0.931', '-0.00004', '0.000', '12.000', '0.000')
    """
    if not isfinite(value):
        return "infinite" if value > 0 else "-infinite" if value < 0 else "none"
    value = 0.0 if abs(value) < NOISE else value
    shown = f"{value:.{decimals}f}"
    if value == 0:
        return shown.lstrip("-")
    while float(shown) == 0 and decimals < MOST_DECIMALS:
        decimals += 1
        shown = f"{value:.{decimals}f}"
    return shown if float(shown) != 0 else f"{value:.1e}"


def significant(value: float, digits: int = 4) -> str:
    """Return a number with that many significant digits, for scores with a unit.

    >>> significant(12345.678), significant(0.0123456), significant(3.0)
    ('12346', '0.01235', '3.000')
    """
    if not isfinite(value) or value == 0:
        return decimal(value)
    places = digits - 1 - floor(log10(abs(value)))
    if places > MOST_DECIMALS or places < -12:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(places, 0)}f}"


def score(value: float | None, metric: str) -> str:
    """Return a score of a metric, or a difference of two.

    >>> score(0.5, "accuracy"), score(31.41592, "rmse"), score(None, "accuracy")
    ('0.500', '31.42', 'no score')
    """
    if value is None:
        return "no score"
    value = 0.0 if abs(value) < NOISE else value
    return decimal(value) if bounded(metric) else significant(value)


def rope_words(rope: float, metric: str) -> str:
    """Return an explanation of a rope.

    >>> rope_words(0.02, "accuracy")
    'the equivalence margin (differences of at most 0.020)'
    """
    return f"the equivalence margin (differences of at most {score(rope, metric)})"


def signed(value: float | None, metric: str) -> str:
    """Return a difference with its sign: +0.031."""
    if value is None:
        return "no score"
    return ("+" if value >= NOISE else "") + score(value, metric)


def interval(value: Interval | None, metric: str) -> str:
    """Return an interval in words, without a hyphen that reads as a minus: `0.012 to 0.050`, `at least 0.012`."""
    if value is None:
        return ""
    if not isfinite(value.low) and not isfinite(value.high):
        return "unbounded"
    if not isfinite(value.low):
        return f"at most {score(value.high, metric)}"
    if not isfinite(value.high):
        return f"at least {score(value.low, metric)}"
    return f"{score(value.low, metric)} to {score(value.high, metric)}"


def percent(value: float) -> str:
    """Return a share as a percentage: `95%`, `97.5%`."""
    return f"{100 * value:.10g}%"


def alpha_text(value: float) -> str:
    """Return a level as it is written, with three digits that count.

    >>> alpha_text(0.05), alpha_text(0.05 / 3), alpha_text(0.001)
    ('0.05', '0.0167', '0.001')
    """
    return f"{value:.3g}"


def p(value: float | None, alpha: float | None = None) -> str:
    """Return a p-value as text: never 0, 1 only if it is, and on the same side of `alpha` as the number itself.

    >>> p(0.04321), p(0.0004), p(3.2e-5), p(0.0), p(1.0), p(0.99996), p(0.05001, 0.05), p(0.05, 0.05)
    ('0.043', '0.00040', '3.2e-05', '< 1e-16', '1', '> 0.999', '0.05001', '0.050')
    """
    if value is None:
        return "none"
    if value < SMALLEST_P:
        return "< 1e-16"
    if value == 1:
        return "1"
    if value > 0.9995:
        return "> 0.999"
    if value < 0.001:
        return f"{value:.5f}" if value >= 0.0001 else f"{value:.1e}"
    shown = f"{value:.3f}"
    for decimals in range(3, MOST_DECIMALS):
        shown = f"{value:.{decimals}f}"
        if alpha is None or (float(shown) <= alpha) == (value <= alpha):
            break
    return shown


def p_is(value: float | None, alpha: float | None = None) -> str:
    """Return `p = 0.043` or `p < 1e-16`."""
    shown = p(value, alpha)
    return f"p {shown}" if shown[0] in "<>" else f"p = {shown}"


def df(values: tuple[float, ...]) -> str:
    """Return degrees of freedom in brackets: `(9)`, `(3, 27.4)`."""
    if not values:
        return ""
    return "(" + ", ".join(f"{v:.0f}" if v == int(v) else f"{v:.1f}" for v in values if isfinite(v)) + ")"


def with_margin(words: str) -> str:
    """Return the name of a statistic or method in the words of reports; JSON keeps the older word.

    >>> with_margin("Dirichlet process, rope 0.01")
    'Dirichlet process, margin 0.01'
    """
    return words.replace("less below the rope", "minus below the margin").replace(", rope ", ", margin ")


def statistic(result: TestResult) -> str:
    """Return the statistic with its name and degrees of freedom: `t(9) = 2.31`."""
    if result.statistic is None:
        return ""
    value = result.statistic
    whole = value == int(value) if isfinite(value) else False
    shown = f"{value:.0f}" if whole and not result.df else decimal(value, 2)
    return f"{with_margin(result.statistic_name)}{df(result.df)} = {shown}"


def power(value: float) -> str:
    """Return the power of a test as text; 0 and 1 only when it is exactly that."""
    return f"{value:g}" if value in (0.0, 1.0) else probability(value)


def probability(value: float) -> str:
    """Return a share of posterior draws as text; no draw at all does not mean never.

    >>> probability(0.0), probability(0.25)
    ('< 0.001', '0.250')
    """
    if value < 0.001:
        return "< 0.001"
    if value > 0.999:
        return "> 0.999"
    return f"{value:.3f}"


def count(value: int) -> str:
    """Return a whole number with thousands set off: 12,345."""
    return f"{value:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 dataset`, `3 datasets`.

    >>> plural(1, "loss", "losses"), plural(1200, "trial")
    ('1 loss', '1,200 trials')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def listing(words: tuple[str, ...] | list[str], most: int = 8) -> str:
    """Return `a`, `a and b`, `a, b and c`; a long list is cut and the rest counted.

    >>> listing(("a", "b", "c")), listing(tuple("abcdefghijk"), most=3)
    ('a, b and c', 'a, b, c and 8 others')
    """
    words = list(words)
    if len(words) > most + 1:
        words = [*words[:most], f"{count(len(words) - most)} others"]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def name(text: str) -> str:
    """Return a name of the user as it stands in a sentence.

    >>> name("old"), name("over 3 datasets")
    ('`old`', '`over 3 datasets`')
    """
    return text if "`" in text else f"`{text}`"


def names(found: Iterable[str], most: int = 8) -> str:
    """Return a list of names: `a`, `b` and `c`, each in backticks."""
    return listing(list(map(name, found)), most)


def sides(posterior: Posterior, metric: str) -> tuple[float, float, float]:
    """Return the probabilities that the first is practically better, neither, the second."""
    left, right = posterior.p_left, posterior.p_right
    return (right, posterior.p_rope, left) if higher_is_better(metric) else (left, posterior.p_rope, right)


def interval_name(interval: Interval) -> str:
    """Return the name of an interval: `95%`, or what it holds for together with the others of its family.

    >>> interval_name(Interval(low=0, high=1, level=0.995, method="", kind="simultaneous", members=10))
    'simultaneous interval (99.5% for each of 10 tests)'
    """
    level = f"{100.0 * interval.level:.4g}%"
    if interval.kind == "single":
        return f"{level} interval"
    if interval.kind == "false-coverage":
        return f"false-coverage interval ({level} each, selected from {interval.members} tests)"
    way = f", by {interval.way}" if interval.way else ""
    return f"simultaneous interval ({level} for each of {interval.members} tests{way})"


def interval_word(interval: Interval) -> str:
    """Return the kind of an interval for a sentence: `95% interval`, `simultaneous interval`."""
    return interval_name(interval) if interval.kind == "single" else f"{interval.kind} interval"


def interval_level(interval: Interval) -> str:
    """Return kind and level of an interval: `90% interval`, `simultaneous interval (95% each)`."""
    level = f"{100.0 * interval.level:.4g}%"
    return f"{level} interval" if interval.kind == "single" else f"{interval.kind} interval ({level} each)"


def p_of(verdict: Verdict) -> str:
    """Return the p that decides, and whether it was adjusted: `adjusted p = 0.043`; "" where there is none."""
    corrected = verdict.correction != "uncorrected" and (verdict.family_size > 1 or verdict.family_blocks > 1)
    adjusted = "adjusted " if corrected else ""
    level = "" if isclose(verdict.alpha, USUAL_LEVEL) else f" at level {alpha_text(verdict.alpha)}"
    if verdict.stopped is not None:
        low, high = (p(x, verdict.alpha) for x in (verdict.stopped.p_low, verdict.stopped.p_high))
        return f"{adjusted}p between {low} and {high}{level}"
    return "" if verdict.adjusted_p is None else f"{adjusted}{p_is(verdict.adjusted_p, verdict.alpha)}{level}"


def estimate_of(verdict: Verdict) -> float | None:
    """Return the estimate that the verdict's interval lies around: for 5x2cv-t the first of the ten differences."""
    details = dict(verdict.test.details) if verdict.test is not None else {}
    if verdict.test is not None and verdict.test.test == "5x2cv-t" and "first_difference" in details:
        return details["first_difference"]
    return verdict.difference


def own_estimate(verdict: Verdict) -> bool:
    """Return whether the interval lies around another number than the difference that is printed."""
    estimate = estimate_of(verdict)
    if estimate is None or verdict.difference is None or verdict.interval is None:
        return False
    return abs(estimate - verdict.difference) >= NOISE


def around(verdict: Verdict) -> str:
    """Return words for the number that the interval lies around; "" where it is the printed difference."""
    estimate = estimate_of(verdict)
    return f" around the first difference, {signed(estimate, verdict.metric)}" if own_estimate(verdict) else ""


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Return the lower and the upper end of an interval, None for each where there is none."""
    return (interval.low, interval.high) if interval is not None else (None, None)


def turned(interval: Interval) -> Interval:
    """Return the interval of the second minus the first."""
    return replace(interval, low=-interval.high, high=-interval.low)


def other_way_round(effect: Effect) -> Effect:
    """Return the effect of the second over the first: a share of wins is mirrored at a half, the others at zero.

    >>> other_way_round(Effect(name="probability of superiority", value=0.75)).value
    0.25
    """
    return replace(effect, value=1.0 - effect.value if effect.name == "probability of superiority" else -effect.value)


def touches_zero(interval: Interval | None) -> bool:
    """Return whether one end of the interval is exactly 0."""
    return interval is not None and interval.low < interval.high and 0.0 in (interval.low, interval.high)


def these_sentence(verdict: Verdict) -> str:
    """Return what holds on these datasets or groups alone, beside a verdict on others like them."""
    these = verdict.on_these
    if these is None:
        return ""
    ahead = 0 if (these.difference > 0) == higher_is_better(verdict.metric) else 1
    size = f"{name(verdict.learners[ahead])} is ahead by {score(abs(these.difference), verdict.metric)}"
    size = "the mean scores are equal" if abs(these.difference) < NOISE else size
    shown = interval(turned(these.interval) if these.difference < 0 else these.interval, verdict.metric)
    alone = ", not corrected" if verdict.family_size > 1 else ""
    where = plural(these.places, these.unit)
    other = "" if verdict.decision == "undecided" else f" The verdict itself is about other {these.unit}s like these."
    return (
        f"On new items of these {where} only, {size} ({100 * these.interval.level:g}% interval {shown}{alone}).{other}"
    )


def stopped_at(verdict: Verdict) -> str:
    """Return `interim analysis 2 of 5`, in place of a p that is not known; "" where the design was run to its end."""
    stop = verdict.stopped
    return "" if stop is None else f"interim analysis {stop.look} of {stop.looks}"


def stopped_words(verdict: Verdict) -> str:
    """Return what stands in place of p where a comparison ended before its last look; "" elsewhere."""
    stop = verdict.stopped
    if stop is None:
        return ""
    low, high = p(stop.p_low, verdict.alpha), p(stop.p_high, verdict.alpha)
    adjusted = "adjusted " if verdict.family_size > 1 else ""
    return (
        f"stopped at {stopped_at(verdict)}, after {stop.partitions} of {stop.of} random splits; the numbers are of "
        f"these {stop.partitions}. With all {stop.of}, {adjusted}p would be between {low} and {high} (error of this "
        "forecast at most .005), so the verdict would be the same"
    )
