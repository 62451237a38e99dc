"""The section of one comparison or estimate: tables, limits of the answer, and an appendix with everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..plans.default_tests import name_models, question_text
from ..results import numbers
from ..results.numbers import name
from ..results.records import Verdict
from .document import (
    Block,
    Details,
    Figure,
    Paragraph,
    ReportTable,
    Section,
    by_columns,
    first_rows,
    key,
    number,
    numbers_column,
    reworded,
    words_column,
)
from .figures import choose
from .headline import Headline, headline
from .sentences import (
    ABSENCE,
    NO_MARGIN,
    allowed,
    asks_in_points,
    capital,
    power_sentence,
    reach_sentence,
    say_estimate,
    winner,
    words,
)
from .tables import (
    UNMET,
    WIDEST,
    interval_cell,
    leader_table,
    pair_matrix,
    pair_table,
    paper_table,
    ranking_table,
    runs_blocks,
    verdict_table,
)
from .view import View

# Verdicts in full sentences; ours: about a page. Beyond it there is the table, with a count of each kind.
MOST_SENTENCES = 12
FEW_SENTENCES = 6  # when there are more than that
MOST_NOTES = 3
MOST_TOP_ROWS = 20  # learners shown before the full table is folded away


def lead_paragraph(answer: Headline, named: bool) -> Paragraph:
    """Return the headline; `named` where a report has several."""
    where = key("comparison", answer.comparison) if named else ""
    return Paragraph(text=answer.text, tone="lead", label=answer.comparison if named else "", see=where)


def comparison_section(
    view: View, figures: tuple[Block, ...] = (), lead: tuple[Block, ...] = (), conditions_shown: int = 0
) -> Section:
    """Return everything about one comparison: `lead` comes first, `figures` are folded away with the rest.

    The answer already holds the first `conditions_shown` conditions.
    """
    blocks: list[Block] = [*lead]
    if view.comparison.because:
        blocks.append(Paragraph(text=view.comparison.because, label="Why"))
    blocks += _failed(view)
    blocks += unmet(view.verdicts)[conditions_shown:]
    blocks += [Paragraph(text=note, tone="note", label="Note") for note in _notes(view)]
    first, rest = view.metrics[:1], view.metrics[1:]
    blocks += [block for metric in first for block in _tables(view, metric)]
    blocks += [block for metric in first if view.runs for block in runs_blocks(view, metric)]
    blocks += _limits(view)
    blocks += _allowed(view.verdicts)
    others = tuple(block for metric in rest for block in _tables(view, metric))
    if others:
        blocks.append(Details(summary=f"Other metrics: {numbers.listing(rest)}", blocks=others))
    behind = _behind(view)
    blocks += [Details(summary="Every verdict, with its test", blocks=behind)] if behind else []
    if figures and (left := _not_drawn(view, figures)):
        kinds = " and ".join(f"{word}s" for word in left)
        options = ", ".join(f'{word}="{name}"' for word, name in left.items())
        text = f"In Python, `result.figure(name, {options})` draws the figures of the other {kinds}."
        figures += (Paragraph(text=text),)
    blocks += [Details(summary="More figures", blocks=figures)] if figures else []
    return Section(key=key("comparison", view.name), title=view.title, blocks=reworded(tuple(blocks), view.said))


def _not_drawn(view: View, figures: tuple[Block, ...]) -> dict[str, str]:
    """Return the first metric and the first dataset without figures of their own, by `metric` and `dataset`."""
    drawn = Counter(f.kind for f in figures if isinstance(f, Figure) and f.kind in choose.OF_DATASET)
    datasets = max(drawn.values(), default=len(view.datasets))
    left = {"metric": view.metrics[1:2], "dataset": view.datasets[datasets : datasets + 1]}
    return {word: names[0] for word, names in left.items() if names}


def _tables(view: View, metric: str) -> list[Block]:
    """Return what a paper prints: two learners in one table, several as a leaderboard and their means."""
    if view.estimates:
        made = [_estimates(view, metric)]
    elif (both := pair_table(view, metric)) is not None:
        made = [both]
        if not view.on_datasets:
            made.append(paper_table(view, metric))
    else:
        leader = leader_table(view, metric)
        made = [leader, paper_table(view, metric) if leader is None or len(view.datasets) > 1 else None]
        if leader is not None and len(leader.rows) > MOST_TOP_ROWS and not view.over_datasets:
            made.reverse()
    names = (view.learners, view.datasets)
    tables = [replace(table, names=names) for table in made if table is not None]
    if len(view.learners) > WIDEST and len(tables) > 1:  # more than a page
        return [_cut(tables[0]), Details(summary=tables[1].title, blocks=(_cut(tables[1]),))]
    return [_cut(table) for table in tables]


def _limits(view: View) -> list[Block]:
    """Return the limits of what was not found, once for all pairs: absence of evidence, power, margin."""
    pairs = [v for v in view.verdicts if v.pair and v.metric in view.metrics[:1]]
    open_ = [v for v in pairs if v.answer == "not-settled" and not v.posterior]
    sentences = []
    if open_:
        sentences.append(ABSENCE)
        known = [v for v in open_ if v.power is not None and v.test is not None and v.test.test != "tost"]
        if known and asks_in_points(open_[0]):
            sentences.append(power_sentence(known))
        sentences += [reach_sentence(open_[0])] if known and len(open_) == 1 else []
    without_margin = not view.margin_claimed and all(v.rope is None for v in pairs)
    if without_margin and any(winner(v) for v in pairs):
        sentences.append(NO_MARGIN)
    return [Paragraph(text=" ".join(part for part in sentences if part))] if sentences else []


def _behind(view: View) -> tuple[Block, ...]:
    """Return the appendix: the question, verdicts in full, every table with its statistics."""
    blocks: list[Block] = [Paragraph(text=_asked(view), label="Question")]
    if view.estimates:
        shown = (say_estimate(e, full=True) for e in view.estimates[:MOST_SENTENCES])
        return (*blocks, *(Paragraph(text=text) for text in shown))
    blocks += _verdict_blocks(view)
    blocks += [_cut(ranking_table(view, ranking)) for ranking in view.rankings]
    place = None if view.over_datasets else view.datasets[0] if len(view.datasets) == 1 else ""
    for metric in view.metrics:
        matrix = pair_matrix(view, metric, place) if place != "" else None
        found = (matrix, verdict_table(view, metric, over=True), verdict_table(view, metric))
        blocks += [_cut(table) for table in found if table is not None]
    return tuple(blocks)


def _asked(view: View) -> str:
    asked = question_text(view.comparison)
    reason = name_models(view.comparison.question_reason.rstrip("."), view.comparison.predicts_numbers)
    reason = f" {capital(reason)}." if reason else ""
    who, data = numbers.names(view.learners, most=6), numbers.names(view.datasets, most=6)
    return f"{asked[0].upper()}{asked[1:]}? Learners: {who}. Data: {data}.{reason}"


def _failed(view: View) -> list[Block]:
    if not view.failures:
        return []
    kinds = Counter((f.learner, f.kind) for f in view.failures)
    shown = [f"{count} of {name(learner)} ({kind})" for (learner, kind), count in kinds.most_common(6)]
    what = f"{numbers.plural(len(view.failures), 'fit')} gave no score: {numbers.listing(shown)}."
    return [Paragraph(text=what, tone="warning", label="Failed fits")]


def _verdict_blocks(view: View) -> list[Block]:
    """Return the verdicts in full sentences: of many those on all learners, then the clearest pairs."""
    verdicts = [v for v in view.verdicts if v.metric not in view.described]
    if len(verdicts) <= MOST_SENTENCES:
        return _verdicts(verdicts)
    shown = _clearest(verdicts, FEW_SENTENCES)
    of = numbers.count(len(verdicts))
    text = f"These are the {len(shown)} clearest of {of} verdicts. The tables below show all verdicts."
    return [Paragraph(text=text, tone="note"), *_verdicts(shown)]


def _clearest(verdicts: list[Verdict], most: int) -> list[Verdict]:
    """Return omnibus verdicts, then pairs by their adjusted p: those over datasets where there are any."""
    omnibus = [v for v in verdicts if not v.pair]
    pairs = [v for v in verdicts if v.dataset is None] or verdicts
    ordered = sorted((v for v in pairs if v.pair), key=lambda v: 2.0 if v.adjusted_p is None else v.adjusted_p)
    return [*omnibus[:most], *ordered[: max(most - len(omnibus), 3)]]


def _verdicts(verdicts: list[Verdict]) -> list[Block]:
    """Return each verdict, with its power where it is inconclusive and its margin where there is one."""
    blocks: list[Block] = []
    for verdict in verdicts:
        sentences = words(verdict)
        power = sentences.power.removeprefix(ABSENCE).strip()
        matters = sentences.matters if verdict.rope is not None or verdict.direction_only else ""
        blocks.append(Paragraph(text=" ".join(s for s in (sentences.found, power, matters) if s)))
    return blocks


def _allowed(verdicts: list[Verdict]) -> list[Block]:
    """Return what an answer applies to and what not, once for each question."""
    by_question: dict[int, list[Verdict]] = {}
    for v in verdicts:
        if v.decision != "undecided":
            by_question.setdefault(v.question, []).append(v)
    ordered = (by_question[number] for number in sorted(by_question, reverse=True))
    labels = ("What you can claim", "What you cannot claim")
    return [
        Paragraph(text=text, label=label) for mine in ordered for text, label in zip(allowed(mine), labels, strict=True)
    ]


def unmet(verdicts: Sequence[Verdict]) -> list[Paragraph]:
    """Return the conditions that did not hold, those that limit most verdicts first."""
    limited: dict[str, list[Verdict]] = {}
    for v in verdicts:
        for sentence in v.unmet:
            limited.setdefault(sentence, []).append(v)
    ordered = sorted(limited.items(), key=lambda item: -len(item[1]))[:10]
    return [
        Paragraph(text=f"{capital(said.rstrip('.'))}. {_limits_of(mine, verdicts)}", tone="warning", label="Warning")
        for said, mine in ordered
    ]


def _notes(view: View) -> list[str]:
    """Return what the tests say about their numbers; more than a few stand beside each verdict alone."""
    found = dict.fromkeys(note for v in view.verdicts if v.test is not None for note in v.test.notes)
    return list(found) if len(found) <= MOST_NOTES else []


def _limits_of(mine: Sequence[Verdict], verdicts: Sequence[Verdict]) -> str:
    """Return which verdicts a condition applies to: by name where it is one; the tables mark them all."""
    if len(mine) == len(verdicts):
        return f"This warning applies to {'the verdict' if len(mine) == 1 else f'all {len(mine)} verdicts'}."
    if len(mine) > 1:
        return f"This warning applies to {len(mine)} of {len(verdicts)} verdicts, marked {UNMET}."
    (verdict,) = mine
    who = numbers.names(verdict.learners) if verdict.pair else "all learners"
    place = f"on {name(verdict.dataset)}" if verdict.dataset is not None else "over the datasets"
    return f"This warning applies to {who} {place} ({verdict.metric}), marked {UNMET}."


def _estimates(view: View, metric: str) -> ReportTable | None:
    mine = [e for e in view.estimates if e.metric == metric]
    columns = [
        words_column("learner", (e.learner for e in mine)),
        words_column("dataset", (e.dataset for e in mine)),
        numbers_column("score", [number(numbers.score(e.score, metric), e.score) for e in mine]),
        numbers_column("interval", [interval_cell(e.interval, metric) for e in mine]),
    ]
    kinds = dict.fromkeys(numbers.interval_name(e.interval) for e in mine if e.interval)
    notes = [f"Interval: {kind}." for kind in kinds]
    methods = list(dict.fromkeys(e.method for e in mine if e.interval is not None))
    if len(methods) > 1:
        columns.append(words_column("method", (e.method for e in mine), spare=4))
    notes += [f"Method of the interval: {methods[0]}."] if len(methods) == 1 else []
    return by_columns(key("estimates", view.name, metric), f"Estimates of {metric}", columns, notes) if mine else None


def _cut(table: ReportTable) -> Block:
    """Return a long table as its top, with the whole of it folded away."""
    if len(table.rows) <= 3 * MOST_TOP_ROWS:
        return table
    title = f"{table.title}: the first {MOST_TOP_ROWS} of {numbers.count(len(table.rows))}"
    top = replace(first_rows(table, MOST_TOP_ROWS), key=f"{table.key}-top", title=title)
    whole = Details(summary=f"{table.title}: all {numbers.count(len(table.rows))} rows", blocks=(table,))
    return Section(key=f"{table.key}-part", title=table.title, blocks=(top, whole))


def embedded(view: View) -> Section:
    """Return the section inside another document: the headline, the picture that shows it, then the rest."""
    answer = headline(view)
    drawn = choose.lead_figure(view, answer.picture, answer.metric)
    return comparison_section(view, lead=(lead_paragraph(answer, named=False), *([drawn] if drawn is not None else [])))
