"""Pairs as tables: two learners with both scores and the difference in a row, many learners as a matrix."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..results import numbers
from ..results.numbers import estimate_of, interval_name, own_estimate, touches_zero, turned
from ..results.records import LearnerScore, Verdict
from .document import ColumnHead, ReportTable, TableCell
from .sentences import family_of, short
from .tables import BEST_NOTE, UNMET, UNMET_NOTE, key, number, scored, spread_note, text
from .view import View, facing, standing

DIRECTION_NOTE = "An interval with 0 in it beside a winner: who is better is settled, by how much is not."
BY_ROW_NOTE = "It counts every test row once; the means are those of folds, which are not of one size."
MOST_IN_MATRIX = 12  # learners; with more a matrix is wider than a page


def pair_table(view: View, metric: str) -> ReportTable | None:
    """Two learners: a row for each dataset and for the test over them: scores, difference, interval, p, verdict."""
    verdicts = [v for v in (*view.on_datasets, *view.over_datasets) if v.metric == metric and v.pair]
    if not verdicts or len({v.learners for v in verdicts}) != 1:
        return None
    first, second = facing(view).pair(verdicts[0].learners)
    turn = (first, second) != verdicts[0].learners
    means = view.means.get(metric, {})
    rows = []
    for verdict in verdicts:
        both = means.get(verdict.dataset or "", {})
        best = view.best(metric, verdict.dataset) if verdict.dataset else ()
        cells = [_score(both.get(n), metric, n in best) for n in (first, second)]
        where = verdict.dataset or f"over {numbers.plural(len(verdict.datasets), view.unit)}"
        *outcome, test, short_ = _outcome(verdict, turn)
        rows.append((text(where), *cells, *outcome, *_shares(verdict, turn), test, short_))
    adjusted = any(v.family_size > 1 or v.family_blocks > 1 for v in verdicts)
    heads = (
        ColumnHead(title="dataset" if view.on_datasets else ""),
        ColumnHead(title=first, align="right", spare=2),
        ColumnHead(title=second, align="right", spare=2),
        ColumnHead(title="difference", align="right"),
        ColumnHead(title="interval", align="right", spare=3),
        ColumnHead(title="adjusted p" if adjusted else "p", align="right"),
        *(ColumnHead(title=f"P({who})", align="right") for who in (first, "neither", second)),
        ColumnHead(title="test", spare=4),
        ColumnHead(title="verdict"),
    )
    notes = [f"Difference: {first} minus {second}."]
    notes += [BY_ROW_NOTE] if any(_by_row(v, means.get(v.dataset or "", {})) for v in verdicts) else []
    notes += _notes(view, verdicts, metric)
    table = ReportTable(
        key=key("pairs", view.name, metric),
        title=f"{first} and {second} in {metric}",
        columns=heads,
        rows=tuple(rows),
        notes=tuple(notes),
    )
    return lean(table, keep=("difference", "adjusted p", "p", "verdict", "dataset"))


def _score(score: LearnerScore | None, metric: str, best: bool) -> TableCell:

    if score is None:
        return text("")
    if score.mean is None:
        return text("failed")
    return TableCell(text=scored(score, metric), value=score.mean, best=best)


def _by_row(verdict: Verdict, means: Mapping[str, LearnerScore]) -> bool:
    """Whether the difference is that of all rows together, and not that of the means beside it."""
    one, two = (score.mean if (score := means.get(name)) is not None else None for name in verdict.learners)
    if one is None or two is None or verdict.difference is None or verdict.test is None:
        return False
    return verdict.test.unit == "test row" and not math.isclose(one - two, verdict.difference, abs_tol=1e-9)


def _shares(verdict: Verdict, turn: bool) -> tuple[TableCell, ...]:
    """The three probabilities of a posterior: the first is better by more than the rope, neither is, the second is."""
    posterior = verdict.test.posterior if verdict.test is not None else None
    if posterior is None:
        return (text(""),) * 3
    shares = numbers.sides(posterior, verdict.metric)[:: -1 if turn else 1]
    return tuple(number(numbers.probability(x), x) for x in shares)


def _outcome(verdict: Verdict, turn: bool = False) -> tuple[TableCell, ...]:
    """Difference, interval, p, test and verdict; `turn` subtracts the first from the second."""
    metric, interval = verdict.metric, verdict.interval
    sign = -1.0 if turn else 1.0
    interval = turned(interval) if interval is not None and turn else interval
    difference, estimate = (None if x is None else sign * x for x in (verdict.difference, estimate_of(verdict)))
    shown = numbers.interval(interval, metric) + (", touches 0" if touches_zero(interval) else "")
    # 5x2cv-t: the interval stands with the estimate it belongs to.
    shown += f" around {numbers.signed(estimate, metric)}" if own_estimate(verdict) else ""
    p = verdict.adjusted_p
    return (
        number(numbers.signed(difference, metric) if difference is not None else "", difference),
        number(shown, interval.low if interval is not None else None),
        number(numbers.p(p, verdict.alpha) if p is not None else numbers.stopped_at(verdict), p),
        text(verdict.test.test if verdict.test is not None else "none"),
        TableCell(text=short(verdict), mark=UNMET if verdict.unmet else ""),
    )


def _notes(view: View, verdicts: list[Verdict], metric: str) -> list[str]:

    scores = [s for row in view.means.get(metric, {}).values() for s in row.values()]
    notes = [BEST_NOTE] if any(v.dataset for v in verdicts) else []
    notes += [spread_note(scores)] if any(s.spread is not None for s in scores) else []
    kinds = list(dict.fromkeys(interval_name(v.interval) for v in verdicts if v.interval is not None))
    notes += [f"Interval: {'; '.join(kinds)}."] if kinds else []
    notes += [f"{v.dataset}: {numbers.stopped_words(v)}." for v in verdicts if v.stopped is not None]
    ropes = dict.fromkeys(v.test.posterior.rope for v in verdicts if v.test is not None and v.test.posterior)
    notes += [f"P: posterior probability of being better by more than {numbers.score(r, metric)}." for r in ropes]
    notes += [DIRECTION_NOTE] if any(v.direction_only for v in verdicts) else []
    notes += ["The interval of 5x2cv-t lies around its first difference."] if any(map(own_estimate, verdicts)) else []
    return notes + family_notes(verdicts)


def family_notes(verdicts: list[Verdict]) -> list[str]:
    """What the mark of a verdict says, and how p was adjusted, once for each family."""
    said = [UNMET_NOTE] if any(v.unmet for v in verdicts) else []
    for v in verdicts:
        if v.adjusted_p is None or (v.family_size < 2 and v.family_blocks < 2):
            continue
        how = "not corrected" if v.correction == "uncorrected" else f"corrected by {v.correction}"
        blocks = f", times {v.family_blocks} blocks of its family" if v.family_blocks > 1 else ""
        said.append(
            f"p {how} over {family_of(v.family_size, v.family_missing)}{blocks}, level {numbers.alpha_text(v.alpha)}."
        )
    return list(dict.fromkeys(said))


def lean(table: ReportTable, keep: tuple[str, ...] = ()) -> ReportTable:
    """The table without its empty columns; a column with one value in all rows becomes a note."""
    kept, notes = [], []
    for place, column in enumerate(table.columns):
        values = {row[place].text for row in table.rows}
        if values <= {""}:
            continue
        if column.title in keep or len(values) > 1 or column.title not in ("test", "effect"):
            kept.append(place)
        else:
            notes.append(f"{column.title[0].upper()}{column.title[1:]}: {values.pop()}.")
    return ReportTable(
        key=table.key,
        title=table.title,
        columns=tuple(table.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in table.rows),
        notes=(*table.notes, *notes),
    )


def pair_matrix(view: View, metric: str, dataset: str | None) -> ReportTable | None:
    """Many learners in one place, best first: p above the diagonal, difference of row minus column below it."""
    source = view.over_datasets if dataset is None else view.on_datasets
    verdicts = {v.learners: v for v in reversed(source) if v.metric == metric and v.pair and v.dataset == dataset}
    named = dict.fromkeys(n for pair in verdicts for n in pair)
    found = standing(view, metric)
    if len(named) < 3 or view.comparison.control is not None:
        return None
    order = [n for n in (found.learners if found else view.learners) if n in named]
    shown = order[:MOST_IN_MATRIX]
    rows = []
    for i, one in enumerate(shown):
        cells = [text(one)]
        for j, other in enumerate(shown):
            verdict = verdicts.get((one, other)) or verdicts.get((other, one))
            cells.append(text("") if i == j or verdict is None else _matrix_cell(verdict, one, above=i < j))
        rows.append(tuple(cells))
    where = "" if dataset is None else f" on {dataset}"
    every = list(verdicts.values())
    tests = list(dict.fromkeys(v.test.test for v in every if v.test is not None))
    notes = ["Above the diagonal: adjusted p. Below it: the row's score minus the column's. Bold: settled."]
    notes += [f"Test: {numbers.listing(tests)}."] if tests else []
    notes += (
        [f"The first {MOST_IN_MATRIX} of {numbers.count(len(order))} learners; all pairs are in the appendix."]
        if len(order) > len(shown)
        else []
    )
    return ReportTable(
        key=key("matrix", view.name, metric, dataset or ""),
        title=f"Pairs in {metric}{where}",
        columns=(ColumnHead(title=""), *(ColumnHead(title=n, align="right") for n in shown)),
        rows=tuple(rows),
        notes=(*notes, *family_notes(every)),
    )


def _matrix_cell(verdict: Verdict, row: str, above: bool) -> TableCell:
    if above:
        if verdict.adjusted_p is None:
            return text(short(verdict))
        return TableCell(
            text=numbers.p(verdict.adjusted_p, verdict.alpha),
            value=verdict.adjusted_p,
            best=verdict.settled,
            mark=UNMET if verdict.unmet else "",
        )
    difference = verdict.difference
    if difference is None:
        return text("")
    value = difference if verdict.learners[0] == row else -difference
    return TableCell(text=numbers.signed(value, verdict.metric), value=value, best=verdict.settled)


def control_table(view: View, metric: str) -> ReportTable | None:
    """Everybody against the control, best first: difference, interval, p, verdict."""
    control = view.comparison.control
    verdicts = [v for v in (view.over_datasets or view.on_datasets) if v.metric == metric and v.pair]
    if control is None or len(view.learners) < 3 or not verdicts or not all(control in v.learners for v in verdicts):
        return None
    found = standing(view, metric)
    order = {n: i for i, n in enumerate(found.learners if found else view.learners)}
    told = []
    for verdict in verdicts:
        other = next(n for n in verdict.learners if n != control)
        told.append((order.get(other, 0), other, verdict))
    rows = tuple(
        (text(other), text(verdict.dataset or ""), *_outcome(verdict, verdict.learners[0] == control))
        for _, other, verdict in sorted(told, key=lambda t: t[0])
    )

    kinds = list(dict.fromkeys(interval_name(v.interval) for v in verdicts if v.interval is not None))
    notes = [f"Difference: the learner of the row minus {control}."]
    notes += [f"Interval: {'; '.join(kinds)}."] if kinds else []
    notes += [DIRECTION_NOTE] if any(v.direction_only for v in verdicts) else []
    heads = (
        ColumnHead(title="learner"),
        ColumnHead(title="dataset"),
        ColumnHead(title="difference", align="right"),
        ColumnHead(title="interval", align="right", spare=3),
        ColumnHead(title="adjusted p", align="right"),
        ColumnHead(title="test", spare=4),
        ColumnHead(title="verdict"),
    )
    table = ReportTable(
        key=key("control", view.name, metric),
        title=f"Against {control} in {metric}",
        columns=heads,
        rows=rows,
        notes=(*notes, *family_notes(verdicts)),
    )
    return lean(table, keep=("difference", "adjusted p", "verdict"))
