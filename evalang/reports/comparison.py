"""The section of one comparison or estimate: question, verdicts in words, tables, pictures."""

from __future__ import annotations

from collections import Counter

from ..results.verdict import Verdict
from . import numbers
from .document import Block, Cell, Column, Details, List, Paragraph, Section, Table
from .questions import question
from .sentences import ABSENCE, allowed, estimate_words, question_of, short, words
from .tables import key, number, ranking_table, score_table, text, verdict_table
from .view import View

MOST_SENTENCES = 12  # verdicts told in full; ours: about a page. Beyond it the table speaks, with a count of each kind
FEW_SENTENCES = 6  # when there are more than that
MOST_TOP_ROWS = 20  # learners shown before the full table is folded away


def comparison_section(view: View, figures: tuple[Block, ...] = ()) -> Section:
    """Everything about one comparison."""
    blocks: list[Block] = [Paragraph(text=_asked(view), label="Asked")]
    if view.comparison.because:
        blocks.append(Paragraph(text=view.comparison.because, label="Why"))
    blocks += _failed(view)
    blocks += _told(view)
    blocks += _estimates(view)
    blocks += [_cut(ranking_table(view, ranking)) for ranking in view.rankings]
    for metric in view.metrics:
        found = (verdict_table(view, metric, over=True), verdict_table(view, metric))
        blocks += [_cut(table) for table in (*found, _scores(view, metric)) if table is not None]
    return Section(key=key("comparison", view.name), title=view.name, blocks=(*blocks, *figures))


def _scores(view: View, metric: str) -> Table | None:
    # A single estimate is its own table.
    return None if view.estimates and len(view.learners) == 1 else score_table(view, metric)


def _asked(view: View) -> str:
    asked = question(view.comparison.question)
    data = numbers.listing(view.datasets, most=6)
    reason = f" ({view.comparison.question_reason.rstrip('.')})" if view.comparison.question_reason else ""
    who = numbers.listing(view.learners, most=6)
    return f"Question {asked.number} of the nine: {asked.asks}{reason}. Of {who}, on {data}."


def _failed(view: View) -> list[Block]:
    if not view.failures:
        return []
    kinds = Counter((f.learner, f.kind) for f in view.failures)
    shown = [f"{learner} {kind} ({count})" for (learner, kind), count in kinds.most_common(6)]
    what = f"{numbers.plural(len(view.failures), 'trial')} gave no score: {numbers.listing(shown)}."
    return [Paragraph(text=what, tone="warning", label="Failed trials")]


def _told(view: View) -> list[Block]:
    verdicts = view.verdicts
    if not verdicts:
        return []
    if len(verdicts) <= MOST_SENTENCES:
        return [*_verdicts(verdicts), *_allowed(verdicts)]
    # Told in full: what speaks of every learner, then the clearest pairs. The rest is counted.
    full = _clearest(view, FEW_SENTENCES)
    blocks = _verdicts(full)
    pairs = [v for v in verdicts if v.pair]
    blocks += _unmet(pairs)
    summary = tuple(line for metric in view.metrics for line in _tallies(pairs, metric))
    return [*blocks, *([List(items=summary)] if summary else []), *_allowed(pairs or full)]


def _clearest(view: View, most: int) -> list[Verdict]:
    """Omnibus verdicts, then pairs by their adjusted p, those over datasets before those on one."""
    omnibus = [v for v in view.verdicts if not v.pair]
    pairs = view.over_datasets or view.on_datasets
    ordered = sorted((v for v in pairs if v.pair), key=lambda v: 2.0 if v.adjusted_p is None else v.adjusted_p)
    return [*omnibus[:most], *ordered[: max(most - len(omnibus), 3)]]


def _verdicts(verdicts: list[Verdict]) -> list[Block]:
    """Each in turn; that absence was not shown is said at the first it holds for, with the numbers at each."""
    blocks: list[Block] = []
    said = False
    for verdict in verdicts:
        blocks += _verdict(verdict, said)
        said = said or verdict.decision == "not-settled"
    return blocks


def _verdict(verdict: Verdict, again: bool) -> list[Block]:
    said = words(verdict)
    blocks: list[Block] = []
    if said.conditions:
        blocks.append(Paragraph(text=said.conditions, tone="warning", label="Conditions not met"))
    blocks.append(Paragraph(text=said.found, tone="lead", label="Found"))
    power = said.power.removeprefix(ABSENCE).strip() if again else said.power
    rest = " ".join(sentence for sentence in (power, said.matters) if sentence)
    return [*blocks, Paragraph(text=rest)] if rest else blocks


def _allowed(verdicts: list[Verdict]) -> list[Block]:
    """What may be said and what not, once for each question."""
    blocks: list[Block] = []
    decided = [v for v in verdicts if v.decision != "undecided"]
    for asked in sorted({question_of(v) for v in decided}, reverse=True):
        mine = [v for v in decided if question_of(v) == asked]
        may, may_not = allowed(mine)
        blocks += [Paragraph(text=may, label="May be said"), Paragraph(text=may_not, label="May not be said")]
    return blocks


def _unmet(verdicts: list[Verdict]) -> list[Block]:
    counted = Counter(sentence for v in verdicts for sentence in v.unmet)
    return [
        Paragraph(text=f"{sentence} ({numbers.plural(n, 'verdict')})", tone="warning", label="Conditions not met")
        for sentence, n in counted.most_common(10)
    ]


def _tallies(verdicts: list[Verdict], metric: str) -> list[str]:
    said = []
    for over, where in ((True, "over datasets"), (False, "on single datasets")):
        mine = [v for v in verdicts if v.metric == metric and (v.dataset is None) == over]
        if mine:
            said.append(f"{metric}: of {numbers.plural(len(mine), 'test')} {where}, {_tally(mine)}.")
    return said


def _tally(mine: list[Verdict]) -> str:
    kinds = Counter(v.decision for v in mine)
    better = kinds["first-better"] + kinds["second-better"]
    said = [f"{numbers.count(better)} show one learner better"]
    said += [f"{numbers.count(kinds['differ'])} show a difference without its side"] if kinds["differ"] else []
    said += [f"{numbers.count(kinds['equivalent'])} show equivalence"] if kinds["equivalent"] else []
    said += [f"{numbers.count(kinds['not-settled'])} settle nothing (which does not show that there is no difference)"]
    said += [f"{numbers.count(kinds['undecided'])} could not be decided"] if kinds["undecided"] else []
    return numbers.listing(said)


def _estimates(view: View) -> list[Block]:
    if not view.estimates:
        return []
    blocks: list[Block] = [
        Paragraph(text=estimate_words(e), tone="lead", label="Found") for e in view.estimates[:MOST_SENTENCES]
    ]
    rows = []
    for e in view.estimates:
        low = e.interval.low if e.interval is not None else None
        score = number(numbers.score(e.score, e.metric), e.score)
        interval = number(numbers.interval(e.interval, e.metric), low)
        rows.append((text(e.learner), text(e.dataset), text(e.metric), score, interval, text(e.method)))
    heads = [Column(title=t) for t in ("learner", "dataset", "metric")]
    heads += [Column(title="score", align="right"), Column(title="interval", align="right"), Column(title="method")]
    table = Table(key=key("estimates", view.name), title="Estimates", columns=tuple(heads), rows=tuple(rows))
    return [*blocks, table]


def _cut(table: Table) -> Block:
    """A long table: its top, and the whole of it folded away."""
    if len(table.rows) <= 3 * MOST_TOP_ROWS:
        return table
    top = Table(
        key=f"{table.key}-top",
        title=f"{table.title}: the first {MOST_TOP_ROWS} of {numbers.count(len(table.rows))}",
        columns=table.columns,
        rows=table.rows[:MOST_TOP_ROWS],
        notes=table.notes,
    )
    whole = Details(summary=f"{table.title}: all {numbers.count(len(table.rows))} rows", blocks=(table,))
    return Section(key=f"{table.key}-part", title=table.title, blocks=(top, whole))


def glance(view: View) -> tuple[tuple[Cell, ...], ...]:
    """Rows for the first page: one for each metric, over datasets if there is such a test, else dataset by dataset."""
    rows: list[tuple[Cell, ...]] = []
    shown = view.verdicts if len(view.verdicts) <= MOST_SENTENCES else _clearest(view, MOST_SENTENCES)
    for verdict in shown:
        where = verdict.dataset or f"over {numbers.plural(len(verdict.datasets), 'dataset')}"
        who = numbers.listing(verdict.learners, most=3)
        p = number(numbers.p(verdict.adjusted_p, verdict.alpha), verdict.adjusted_p)
        written = numbers.signed(verdict.difference, verdict.metric) if verdict.pair else ""
        difference = number(written, verdict.difference)
        row = (text(view.name), text(where), text(verdict.metric), text(short(verdict)), difference, p, text(who))
        rows.append(row)
    return tuple(rows)
