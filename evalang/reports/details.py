"""What is behind the scores: the settings that tuning chose, what was added before learners, what each of them took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from ..plans.preparation import WORDS
from ..results import numbers
from ..results.records import LearnerCost, TrainingChoice
from ..results.run_result import RunResult
from .document import Block, ColumnHead, Details, ReportTable, Section, TableCell, number, text
from .tables import MOST_ROWS
from .view import View

COST_NOTES = (
    "Seconds are medians over trials. A trial is tuning, training, calibrating and predicting together; training alone "
    "is that of the learner that was tested.",
    "Memory is the most by which the process of a worker grew during one trial, beyond what it had before; what an "
    "earlier trial left with it and was used again does not count.",
)


def behind(result: RunResult, found: tuple[View, ...]) -> Section:
    """Folded tables; no blocks where nothing was trained."""
    names = {view.name for view in found}
    costs = _costs([c for c in result.costs if c.comparison in names])
    tables = (_chosen(found), _choices(found), _prepared(result, found), costs)
    blocks: list[Block] = [Details(summary=table.title, blocks=(table,)) for table in tables if table.rows]
    return Section(key="behind", title="Behind the scores", blocks=tuple(blocks), background=True)


def _table(key: str, title: str, heads: tuple[str, ...], rows: Sequence[tuple[TableCell, ...]]) -> ReportTable:
    more = (f"The first {MOST_ROWS:,} of {len(rows):,}.",) if len(rows) > MOST_ROWS else ()
    columns = tuple(ColumnHead(title=head) for head in heads)
    return ReportTable(key=key, title=title, columns=columns, rows=tuple(rows[:MOST_ROWS]), notes=more)


def _chosen(found: tuple[View, ...]) -> ReportTable:
    """How often each setting won, of all that won anywhere."""
    counts: Counter[tuple[str, ...]] = Counter()
    folds: Counter[tuple[str, ...]] = Counter()
    for view in found:
        for one in view.candidates:
            if one.chosen:
                where = (one.comparison, one.learner, one.dataset, one.metric)
                setting = ", ".join(f"{name} = {value}" for name, value in one.setting)
                counts[(*where, setting)] += 1
                folds[where] += 1
    order = {where: place for place, where in enumerate(folds)}
    rows = [
        (*(text(word) for word in key), number(f"{count} of {folds[key[:-1]]}", count))
        for key, count in sorted(counts.items(), key=lambda item: (order[item[0][:-1]], -item[1]))
    ]
    heads = ("comparison", "learner", "dataset", "tuned for", "setting", "chosen in folds")
    return _table("chosen-settings", "Settings that tuning chose", heads, rows)


def _choices(found: tuple[View, ...]) -> ReportTable:
    """Thresholds and early ends: the middle one of the trainings, and how far they lie apart."""
    alike: dict[tuple[str, ...], list[TrainingChoice]] = {}
    for view in found:
        for one in view.choices:
            alike.setdefault((one.comparison, one.learner, one.dataset, one.metric or "all metrics"), []).append(one)
    rows = [
        (
            *(text(word) for word in key),
            _spread([one.threshold for one in trained], ".3g"),
            _spread([one.rounds for one in trained], ".0f"),
            number(numbers.count(len(trained)), len(trained)),
        )
        for key, trained in alike.items()
    ]
    heads = ("comparison", "learner", "dataset", "tuned for", "positive from a score of", "rounds", "trainings")
    return _table("thresholds-and-rounds", "Thresholds and rounds of training", heads, rows)


def _spread(values: Sequence[float | None], shown: str) -> TableCell:
    """The median, and the lowest and highest in brackets."""
    there = [value for value in values if value is not None]
    if not there:
        return text("–")
    low, middle, high = (format(value, shown) for value in (min(there), median(there), max(there)))
    return number(middle if low == high else f"{middle} ({low} to {high})", median(there))


def _prepared(result: RunResult, found: tuple[View, ...]) -> ReportTable:
    wanted = {(dataset, learner) for view in found for dataset in view.datasets for learner in view.learners}
    rows = [
        (text(dataset), text(learner), text(_added(added)))
        for dataset, learner, added in result.prepared
        if (dataset, learner) in wanted
    ]
    return _table("prepared", "What was added before each learner", ("dataset", "learner", "added"), rows)


def _added(added: tuple[str, ...]) -> str:
    known: dict[str, str] = {str(one): said for one, said in WORDS.items()}
    return "; ".join(known.get(one, one) for one in added) or "nothing"


def _costs(costs: list[LearnerCost]) -> ReportTable:
    rows = [
        (
            *(text(word) for word in (one.comparison, one.learner, one.dataset)),
            number(numbers.count(one.trials), one.trials),
            *(_seconds(seconds) for seconds in (one.fit, one.predict, one.trial, one.total)),
            text("unknown") if one.memory is None else number(f"{one.memory / 2**20:.1f} MB", one.memory),
        )
        for one in costs
    ]
    heads = ("comparison", "learner", "dataset", "trials", "training", "predicting", "a trial", "in all", "memory")
    made = _table("times", "Times and memory", heads, rows)
    return replace(made, notes=(*made.notes, *COST_NOTES))


def _seconds(seconds: float | None) -> TableCell:
    return text("unknown") if seconds is None else number(f"{seconds:.3g} s", seconds)


def preparations(result: RunResult, learners: list[str]) -> tuple[str, ...]:
    """Sentences of the methods paragraph: what was added, where, before whom; () where a run does not say it."""
    alike: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for dataset, learner, added in result.prepared:
        if learner in learners:
            alike.setdefault(added, {}).setdefault(dataset, []).append(learner)
    said = []
    for added, by_dataset in alike.items():
        same: dict[tuple[str, ...], list[str]] = {}
        for dataset, before in by_dataset.items():
            same.setdefault(tuple(before), []).append(dataset)
        for names, datasets in same.items():
            where, who = numbers.listing(datasets, most=60), numbers.listing(names, most=30)
            if added:
                done = numbers.listing([WORDS[one] for one in added if one in WORDS])
                said.append(f"On {where}, before {who}, {done}; all of it is learned in the training part.")
            else:
                said.append(f"On {where} nothing was added before {who}.")
    return tuple(said)
