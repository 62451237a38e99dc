"""Metrics as a script names them, and differences in their units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..catalogue.metrics import check_option, find_metric, metric_words
from ..source.nearest import nearest
from ..source.record import Record
from ..source.span import Span
from ..syntax import nodes
from .model import Dataset, Metric
from .problems import Problems
from .values import literal, options

_WORDS = {"better": ("higher", "lower"), "epochs": ("mean", "majority")}


def metric(call: nodes.Call, problems: Problems) -> Metric | None:
    """A metric by name or alias, with its options."""
    found = find_metric(call.name.text)
    if found is None and (own := _own(call, problems)) is not None:
        return own
    if found is None:
        meant = _top(call.name.text)
        remedy = meant or "see `evalang explain --all` for the metrics; say bleu(better = higher) for one of your own"
        problems.unknown(call.name.span, "metric", call.name.text, () if meant else metric_words(), remedy)
        return None
    if not call.arguments:
        return Metric(name=found.name, span=call.span)
    known = dict(found.options)
    given = _split(call, problems)
    if "better" in given.said:
        span = next(a.span for a in call.arguments if a.name.text == "better")
        problems.disagree(span, f"whether more of {found.name} is better is known", "leave better out")
    for argument in given.others:
        word = argument.name.text
        wrong = check_option(found, word, literal(argument.value))
        if wrong and word not in known:
            near = nearest(word, known)
            problems.parameter(
                argument.span, f"{found.name} has no option {word}; did you mean {near}?" if near else wrong
            )
        elif wrong:
            problems.bad(argument.span, wrong, "write a value that the option takes")
    return Metric(
        name=found.name, options=options(given.others, problems), epochs=given.said.get("epochs"), span=call.span
    )


def _top(word: str) -> str:
    """What to write for `top-5`, `top5` or `top-5-accuracy`; empty for another word."""
    found = re.fullmatch(r"top-?(\d+)(?:-accuracy)?", word.lower())
    return f"write top-k(k = {found[1]})" if found else ""


UNKNOWN_METRIC = "an unknown metric"


def unknown_metric(call: nodes.Call) -> Metric:
    """What stands in the place of a metric that nobody knows: the rest of the design can still be judged."""
    return Metric(name=call.name.text, span=call.span)


class _Split(Record):
    """What every metric may say, and what is left."""

    said: Mapping[str, Any]
    others: tuple[nodes.Argument, ...]


def _split(call: nodes.Call, problems: Problems) -> _Split:
    said: dict[str, Any] = {}
    others: list[nodes.Argument] = []
    for argument in call.arguments:
        word, value = argument.name.text, literal(argument.value)
        if word not in _WORDS:
            others.append(argument)
        elif value in _WORDS[word]:
            said[word] = value
        else:
            one, two = _WORDS[word]
            problems.bad(argument.span, f"{word} is {one} or {two}", f"write {word} = {one}, or {word} = {two}")
    return _Split(said, tuple(others))


def _own(call: nodes.Call, problems: Problems) -> Metric | None:
    """A metric the catalogue does not know: one that says its direction, or `pass(k = 5)`."""
    name = call.name.text
    names = {a.name.text for a in call.arguments}
    if name != "pass" and "better" not in names:
        return None
    given = _split(call, problems)
    if name == "pass":
        k = dict(options(given.others, problems))
        if set(k) != {"k"} or type(k["k"]) is not int or k["k"] < 1:
            problems.bad(call.span, "pass counts the samples of an item", "write pass(k = 5)")
            return None
        return Metric(name=name, options=tuple(k.items()), better="higher", span=call.span)
    for argument in given.others:
        problems.parameter(argument.span, f"{name} is your own metric, which takes better and epochs only")
    return Metric(name=name, better=given.said.get("better"), epochs=given.said.get("epochs"), span=call.span)


def margin(width: nodes.Amount, metrics: tuple[Metric, ...], problems: Problems) -> float | None:
    """A difference in the metric's own unit; `%` and points only fit metrics that run from 0 to 1."""
    if width.unit == "rows" or not 0 <= width.value < float("inf"):
        problems.bad(
            width.span, f"{width.text} is not a difference", "write 1 point, 1%, or a number in the metric's unit"
        )
        return None
    if width.unit in ("%", "points") and no_unit(width.text, metrics, width.span, problems):
        return None
    return float(width.value)


def no_unit(text: str, metrics: tuple[Metric, ...], span: Span, problems: Problems) -> bool:
    """Whether a share or points have no meaning for one of the metrics; EV006 says so then."""
    united = next((m.name for m in metrics if (card := m.card) and card.has_unit), None)
    if united:
        message = f"{text} has no meaning for {united}, which has a unit of its own"
        problems.bad(span, message, "write a bare number in that unit")
    return united is not None


def default_metric(datasets: Iterable[Dataset]) -> Metric:
    """What is measured when the script does not say: rmse of numbers, accuracy of everything else."""
    return Metric(name="rmse" if {d.task for d in datasets} == {"regression"} else "accuracy")
