"""The section behind the scores: the settings that tuning chose, added preparation, times and memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from ..plans.preparation import WORDS
from ..results import numbers
from ..results.records import TrainingChoice
from ..results.run_result import RunResult
from .document import Block, ColumnHead, Details, ReportTable, Section, TableCell, number, text
from .tables import MOST_ROWS
from .view import View

COST_NOTES = (
    "Seconds are medians over fits. The seconds of a fit include tuning, training, calibration and prediction. The "
    "seconds of training include only the final training.",
    "Memory is the largest growth of a worker process during one fit. Memory reused "
    "from an earlier fit does not count.",
)
Row = tuple[TableCell, ...]


def details_section(result: RunResult, found: tuple[View, ...]) -> Section:
    """Return folded tables; no blocks where nothing was trained."""
    tables = (_chosen(found), _choices(found), _prepared(result, found), _costs(result, found))
    blocks: list[Block] = [Details(summary=table.title, blocks=(table,)) for table in tables if table.rows]
    return Section(key="behind", title="Details", blocks=tuple(blocks), background=True)


def _table(key: str, title: str, heads: Sequence[str], rows: Sequence[Row], notes: tuple[str, ...] = ()) -> ReportTable:
    more = (f"The first {MOST_ROWS:,} of {len(rows):,}.",) if len(rows) > MOST_ROWS else ()
    columns = tuple(ColumnHead(title=head) for head in heads)
    return ReportTable(key=key, title=title, columns=columns, rows=tuple(rows[:MOST_ROWS]), notes=(*more, *notes))


def _words(words: Iterable[str]) -> Row:
    return tuple(text(word) for word in words)


def _chosen(found: tuple[View, ...]) -> ReportTable:
    """Return how often tuning chose each setting."""
    counts: Counter[tuple[str, ...]] = Counter()
    folds: Counter[tuple[str, ...]] = Counter()
    for one in (one for view in found for one in view.candidates if one.chosen):
        where = (one.comparison, one.learner, one.dataset, one.metric)
        counts[(*where, ", ".join(f"{name} = {value}" for name, value in one.setting))] += 1
        folds[where] += 1
    order = {where: place for place, where in enumerate(folds)}
    rows = [
        (*_words(key), number(f"{count} of {folds[key[:-1]]}", count))
        for key, count in sorted(counts.items(), key=lambda item: (order[item[0][:-1]], -item[1]))
    ]
    heads = ("comparison", "learner", "dataset", "tuned for", "setting", "chosen in folds")
    return _table("chosen-settings", "Settings that tuning chose", heads, rows)


def _choices(found: tuple[View, ...]) -> ReportTable:
    """Return thresholds and early ends: the median of the trainings, and their range."""
    alike: dict[tuple[str, ...], list[TrainingChoice]] = {}
    for one in (one for view in found for one in view.choices):
        alike.setdefault((one.comparison, one.learner, one.dataset, one.metric or "all metrics"), []).append(one)
    rows = [
        (
            *_words(key),
            _spread([one.threshold for one in trained], ".3g"),
            _spread([one.rounds for one in trained], ".0f"),
            number(numbers.count(len(trained)), len(trained)),
        )
        for key, trained in alike.items()
    ]
    heads = ("comparison", "learner", "dataset", "tuned for", "positive from a score of", "rounds", "trainings")
    return _table("thresholds-and-rounds", "Thresholds and rounds of training", heads, rows)


def _spread(values: Iterable[float | None], shown: str) -> TableCell:
    """Return the median, with the lowest and highest in brackets."""
    there = [value for value in values if value is not None]
    if not there:
        return text("–")
    low, middle, high = (format(value, shown) for value in (min(there), median(there), max(there)))
    return number(middle if low == high else f"{middle} ({low} to {high})", median(there))


def _prepared(result: RunResult, found: tuple[View, ...]) -> ReportTable:
    wanted = {(dataset, learner) for view in found for dataset in view.datasets for learner in view.learners}
    words: dict[str, str] = {str(one): text for one, text in WORDS.items()}
    rows = [
        _words((dataset, learner, "; ".join(words.get(one, one) for one in added) or "nothing"))
        for dataset, learner, added in result.prepared
        if (dataset, learner) in wanted
    ]
    return _table("prepared", "What was added before each learner", ("dataset", "learner", "added"), rows)


def _costs(result: RunResult, found: tuple[View, ...]) -> ReportTable:
    names = {view.name for view in found}
    rows = [
        (
            *_words((one.comparison, one.learner, one.dataset)),
            number(numbers.count(one.trials), one.trials),
            *(_seconds(seconds) for seconds in (one.fit, one.predict, one.trial, one.total)),
            text("unknown") if one.memory is None else number(f"{one.memory / 2**20:.1f} MB", one.memory),
        )
        for one in result.costs
        if one.comparison in names
    ]
    heads = ("comparison", "learner", "dataset", "fits", "training", "predicting", "one fit", "in all", "memory")
    return _table("times", "Times and memory", heads, rows, COST_NOTES)


def _seconds(seconds: float | None) -> TableCell:
    return text("unknown") if seconds is None else number(f"{seconds:.3g} s", seconds)
