"""Runs of learners on the tasks of a benchmark: aggregates, and who is better in how many pairs of runs."""

from __future__ import annotations

from ..results import numbers
from ..results.run_aggregates import ORDERED, Improvement, Runs
from .document import Block, ColumnHead, Paragraph, ReportTable
from .tables import key, number, text
from .view import View

TITLES = {
    "iqm": "interquartile mean",
    "mean": "mean of task means",
    "median": "median of task means",
    "optimality-gap": "optimality gap",
}
THESE_TASKS = (
    "Intervals: for new runs on these tasks, each by itself and not corrected; nothing is said of other tasks."
)
IMPROVES = "Share: pairs of one run each in which the first is better, ties counting half, the mean over tasks."

ORDER = (
    "Order: almost stochastic order of the one that is ahead, on the task where it holds least (0: larger at every "
    f"quantile, 0.5: nothing is said); below {ORDERED:g} its runs may be called almost stochastically larger on each."
)


def runs_blocks(view: View, metric: str) -> list[Block]:
    """What stands beside the verdict where a table holds seeds."""
    found = next((one for one in view.runs if one.metric == metric), None)
    if found is None:
        return []
    made = [_aggregates(view, found), _improvements(view, found)]
    blocks: list[Block] = [table for table in made if table is not None]
    said = " ".join(improvement_sentence(one, found) for one in found.improvements) if _few(found) else ""
    return [*blocks, Paragraph(text=said, label="Runs")] if said else blocks


def _few(found: Runs) -> bool:
    return len(found.improvements) <= 3


def improvement_sentence(one: Improvement, of: Runs) -> str:
    """How often a run of the first is better; "in three pairs of four" only where the whole interval says so."""
    level = f"{100 * one.interval.level:g}%"
    low, high = numbers.score(one.interval.low, "accuracy"), numbers.score(one.interval.high, "accuracy")
    over = f", the mean over {numbers.plural(of.tasks, 'task')}" if of.tasks > 1 else ""
    said = (
        f"A run of {one.first} is better than one of {one.second} in {numbers.score(one.probability, 'accuracy')} of "
        f"all pairs of runs ({level} interval {low} to {high}{over}, {numbers.plural(of.runs, 'run')} of each)."
    )
    if one.mostly or one.interval.high <= 0.25:
        who, whom = (one.first, one.second) if one.mostly else (one.second, one.first)
        return f"{said} That {who} is better than {whom} in at least three pairs of four may be said."
    if one.interval.low <= 0.5 <= one.interval.high:
        return (
            f"{said} Which of them is better more often is not settled; {of.needed} runs of each on a task would show "
            "it, where one is better in three pairs of four."
        )
    return f"{said} More often than not, but that it is in at least three pairs of four may not be said."


def _aggregates(view: View, found: Runs) -> ReportTable | None:
    if not found.aggregates:
        return None
    kinds = list(dict.fromkeys(one.name for one in found.aggregates))
    cells = {(one.learner, one.name): one for one in found.aggregates}
    rows = tuple(
        (
            text(learner),
            *(
                number(
                    f"{numbers.score(one.value, found.metric)} ({numbers.interval(one.interval, found.metric)})",
                    one.value,
                )
                for kind in kinds
                if (one := cells[learner, kind])
            ),
        )
        for learner in dict.fromkeys(one.learner for one in found.aggregates)
    )
    heads = (
        ColumnHead(title="learner"),
        *(ColumnHead(title=TITLES[kind], align="right", spare=i) for i, kind in enumerate(kinds)),
    )
    where = numbers.plural(found.tasks, "task")
    title = f"{numbers.plural(found.runs, 'run')} of each learner on {where}, {found.metric}"
    return ReportTable(
        key=key("runs", view.name, found.metric), title=title, columns=heads, rows=rows, notes=(THESE_TASKS,)
    )


def _improvements(view: View, found: Runs) -> ReportTable | None:
    if not found.improvements:
        return None
    ordered = all(one.order is not None for one in found.improvements)
    rows = tuple(
        (
            text(one.first),
            text(one.second),
            number(numbers.score(one.probability, "accuracy"), one.probability),
            number(numbers.interval(one.interval, "accuracy"), one.interval.low),
            *((number(numbers.score(one.order, "accuracy"), one.order),) if ordered else ()),
            text(_may(one)),
        )
        for one in found.improvements
    )
    heads = (
        ColumnHead(title="first"),
        ColumnHead(title="second"),
        ColumnHead(title="share", align="right"),
        ColumnHead(title="interval", align="right"),
        *((ColumnHead(title="order", align="right", spare=1),) if ordered else ()),
        ColumnHead(title="may be said"),
    )
    notes = (IMPROVES, *((ORDER,) if ordered else ()), THESE_TASKS)
    title = f"Probability of improvement in {found.metric}"
    name = key("improvement", view.name, found.metric)
    return ReportTable(key=name, title=title, columns=heads, rows=rows, notes=notes)


def _may(one: Improvement) -> str:
    if one.mostly:
        return f"{one.first} in three of four"
    if one.interval.high <= 0.25:
        return f"{one.second} in three of four"
    if one.interval.low > 0.5:
        return f"{one.first} more often"
    return f"{one.second} more often" if one.interval.high < 0.5 else "not settled"
