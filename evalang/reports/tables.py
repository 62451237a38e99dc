"""The tables of a comparison: the one that a paper prints, and those behind it with every verdict and its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import fsum, isfinite

from ..results import numbers
from ..results.leaderboard import Place, places_of
from ..results.numbers import estimate_of, interval_name, other_way_round, own_estimate, touches_zero, turned
from ..results.records import ORDERED, Effect, Improvement, Interval, LearnerScore, Ranking, Runs, Verdict
from .document import Block, ColumnHead, Paragraph, ReportTable, TableCell
from .sentences import family_of, short
from .view import View, facing, loser, overall, standing, winner

MOST_ROWS = 1000  # of one table; ours: what a browser sorts at once and a reader can still search
LONGEST_KEY = 80


def key(*words: str) -> str:
    """A name for a file and an anchor; a long one is cut, and what was cut still tells it from others.

    >>> key("trees-or-bayes", "f-score(average = \\"macro\\")")
    'trees-or-bayes-f-score-average-macro'
    >>> key("x" * 100, "roc") == key("x" * 100, "wins")
    False
    """
    joined = "-".join(words)
    plain = re.sub(r"[^a-z0-9]+", "-", joined.lower()).strip("-")
    if len(plain) > LONGEST_KEY:
        plain = f"{plain[: LONGEST_KEY - 9]}-{sha256(plain.encode()).hexdigest()[:8]}"
    return plain or "table"


def text(shown: str) -> TableCell:
    """A cell of words."""
    return TableCell(text=shown)


def number(shown: str, value: float | None) -> TableCell:
    """A cell of a number; the open end of an interval is none to sort by."""
    return TableCell(text=shown, value=value if value is None or isfinite(value) else None)


def verdict_table(view: View, metric: str, over: bool = False) -> ReportTable | None:
    """Every tested pair: where, who, difference with interval, p, adjusted p, effect, verdict."""
    source = view.over_datasets if over else view.on_datasets
    verdicts = [v for v in source if v.metric == metric and v.pair]
    if not verdicts:
        return None
    shown, notes = _shown(verdicts)
    one_pair = len({v.learners for v in verdicts}) == 1
    first, second = facing(view).pair(verdicts[0].learners) if one_pair else ("first", "second")
    turn = one_pair and (first, second) != verdicts[0].learners
    heads = [] if over else [ColumnHead(title="dataset")]
    heads += [] if one_pair else [ColumnHead(title="first"), ColumnHead(title="second")]
    common = _common(shown, turn)
    kinds = list(dict.fromkeys(interval_name(v.interval) for v in shown if v.interval is not None))
    heads += [
        ColumnHead(title=f"{first} minus {second}", align="right"),
        ColumnHead(
            title=kinds[0] if len(kinds) == 1 and kinds[0].endswith("% interval") else "interval", align="right"
        ),
        *([] if common.test else [ColumnHead(title="test")]),
        ColumnHead(title="p", align="right"),
        ColumnHead(title="adjusted p", align="right"),
        *([ColumnHead(title=common.effect or "effect", align="right")] if common.effect is not None else []),
        ColumnHead(title="verdict"),
    ]
    rows = tuple(_verdict_row(v, over=over, one_pair=one_pair, common=common) for v in shown)
    notes += [f"Test: {common.test}."] if common.test else []
    notes += [UNMET_NOTE] if any(v.unmet for v in shown) else []
    where = "over datasets" if over else "on each dataset"
    families = {
        (v.family, v.correction, v.family_size, v.family_missing, v.alpha) for v in shown if v.adjusted_p is not None
    }
    notes += [_family_note(*family) for family in sorted(families)]
    if kinds and not (len(kinds) == 1 and kinds[0].endswith("% interval")):
        notes.append(f"Intervals: {'; '.join(kinds)}.")
    name = key("verdicts", view.name, metric, "over" if over else "")
    return ReportTable(
        key=name, title=f"Verdicts in {metric} {where}", columns=tuple(heads), rows=rows, notes=tuple(notes)
    )


def _shown(verdicts: list[Verdict]) -> tuple[list[Verdict], list[str]]:
    if len(verdicts) <= MOST_ROWS:
        return verdicts, []
    ordered = sorted(verdicts, key=lambda v: 2.0 if v.adjusted_p is None else v.adjusted_p)
    note = (
        f"The {numbers.count(MOST_ROWS)} smallest adjusted p of {numbers.count(len(verdicts))} are shown; "
        "all of them are in the JSON."
    )
    return ordered[:MOST_ROWS], [note]


def _family_note(family: str, correction: str, size: int, missing: int, alpha: float) -> str:
    how = "not corrected" if correction == "uncorrected" else f"corrected by {correction}"
    # A post-hoc of all pairs is one member of its family: its p covers them all already.
    many = "all pairs of learners at once" if size == 1 and correction == "nemenyi" else family_of(size, missing)
    return f"Family {family}: {many}, {how}, level {numbers.alpha_text(alpha)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Common:
    """What all rows share and is said once: the test; the effect ("" several kinds, None no effect at all)."""

    test: str
    effect: str | None
    turn: bool  # told as second minus first


def _common(verdicts: list[Verdict], turn: bool) -> _Common:
    tests = {v.test.test for v in verdicts if v.test is not None}
    effects = {v.test.effect.name for v in verdicts if v.test is not None and v.test.effect is not None}
    one = next(iter(effects)) if len(effects) == 1 else "" if effects else None
    return _Common(test=next(iter(tests)) if len(tests) == 1 else "", effect=one, turn=turn)


def _verdict_row(verdict: Verdict, *, over: bool, one_pair: bool, common: _Common) -> tuple[TableCell, ...]:
    test, metric = verdict.test, verdict.metric
    row = [] if over else [text(verdict.dataset or "")]
    row += [] if one_pair else [text(name) for name in verdict.learners]
    raw = test.pvalue if test is not None else None
    effect = test.effect if test is not None else None
    difference, interval = verdict.difference, verdict.interval
    if common.turn:
        difference, interval = None if difference is None else -difference, interval and turned(interval)
        effect = effect and other_way_round(effect)
    return (
        *row,
        number(numbers.signed(difference, metric), difference),
        number(_ends(interval, metric), interval.low if interval is not None else None),
        *([] if common.test else [text(test.test if test is not None else "none")]),
        number(numbers.stopped_at(verdict) or numbers.p(raw, verdict.alpha), raw),
        number(numbers.stopped_at(verdict) or numbers.p(verdict.adjusted_p, verdict.alpha), verdict.adjusted_p),
        *([] if common.effect is None else [_effect(effect, common.effect == "")]),
        TableCell(text=short(verdict), mark=UNMET if verdict.unmet else ""),
    )


def _ends(interval: Interval | None, metric: str) -> str:
    return numbers.interval(interval, metric) + (", touches 0" if touches_zero(interval) else "")


def _effect(effect: Effect | None, named: bool) -> TableCell:
    if effect is None:
        return text("")
    shown = numbers.decimal(effect.value, 2)
    return number(f"{effect.name} {shown}" if named else shown, effect.value)


def ranking_table(view: View, ranking: Ranking) -> ReportTable:
    """Mean ranks over datasets, best first, with who is not told apart from each."""
    joined, untested = _others(ranking.joined), _others(ranking.untested)
    order = sorted(zip(ranking.ranks, ranking.learners, strict=True))
    place = {name: i for i, (_, name) in enumerate(order)}
    rows = tuple(
        (
            text(name),
            number(numbers.decimal(rank, 2), rank),
            text(_names(joined.get(name, []), place)),
            *([text(_names(untested.get(name, []), place))] if ranking.untested else []),
        )
        for rank, name in order
    )
    notes = [f"Mean over {numbers.plural(ranking.n_datasets, 'dataset')}; rank 1 is best."]
    if ranking.critical_difference is not None:
        notes.append(f"Critical difference of {ranking.test}: {numbers.decimal(ranking.critical_difference, 2)} ranks.")
    elif ranking.test:
        notes.append(f"Pairs are joined by {ranking.test} after correction; a critical difference needs nemenyi.")
    return ReportTable(
        key=key("ranks", view.name, ranking.metric),
        title=f"Mean ranks in {ranking.metric}",
        columns=(
            ColumnHead(title="learner"),
            ColumnHead(title="mean rank", align="right"),
            ColumnHead(title="not told apart from"),
            *([ColumnHead(title="not tested against")] if ranking.untested else []),
        ),
        rows=rows,
        notes=tuple(notes),
    )


def _others(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """With whom each learner is paired."""
    found: dict[str, list[str]] = {}
    for first, second in pairs:
        found.setdefault(first, []).append(second)
        found.setdefault(second, []).append(first)
    return found


def _names(found: Iterable[str], place: dict[str, int]) -> str:
    return numbers.listing(sorted(found, key=lambda name: place[name]), most=6) or "nobody"


WIDEST = 12  # learners side by side; more than that stand below each other where there are fewer datasets
MOST_UNITS = 400  # datasets or items in rows; of more only the means are printed
NOT_TOLD_APART = "†"
UNTESTED = "‡"
UNMET = "¶"  # beside a verdict
UNMET_NOTE = f"{UNMET}: a condition of this verdict was not met."
BEST_NOTE = "Bold: the best mean."
MARK_NOTE = f"{NOT_TOLD_APART}: not told apart from the best after correction, which is not the same as equal."
UNTESTED_NOTE = f"{UNTESTED}: not tested against the best, so nothing is said of the two."
ALL_UNTESTED_NOTE = "No pair is tested on a single dataset: that one mean is the best says nothing by itself."

Triples = set[tuple[str, str, str]]  # (dataset, one, other), both ways round


def paper_table(view: View, metric: str) -> ReportTable | None:
    """Mean scores; below them the mean over the datasets and the mean rank, where there are several datasets."""
    means = view.means.get(metric, {})
    datasets = [d for d in view.datasets if d in means]
    if not datasets:
        return None
    apart, tested = _not_told_apart(view, metric), _tested(view, metric)
    cells = {d: _score_cells(view, metric, d, (apart, tested)) for d in datasets[:MOST_UNITS]}
    foot = _foot(view, metric, len(datasets))
    wide = len(datasets) > 1 and (len(view.learners) <= WIDEST or len(view.learners) <= len(datasets))
    shown = list(cells) if len(datasets) <= MOST_UNITS else []
    if wide:
        columns = [ColumnHead(title=view.unit), *(ColumnHead(title=n, align="right") for n in view.learners)]
        rows = [(text(d), *(cells[d][n] for n in view.learners)) for d in shown]
        rows += [(text(word), *(by[n] for n in view.learners)) for word, by in foot.items()]
    else:
        found = standing(view, metric)
        order = (
            *(found.learners if found else ()),
            *(n for n in view.learners if not found or n not in found.learners),
        )
        columns = [ColumnHead(title="learner"), *(ColumnHead(title=word, align="right") for word in foot)]
        columns += [ColumnHead(title=d if len(datasets) > 1 else metric, align="right") for d in shown]
        rows = [(text(n), *(by[n] for by in foot.values()), *(cells[d][n] for d in shown)) for n in order]
    direction = "higher is better" if numbers.higher_is_better(metric) else "lower is better"
    where = f" on {datasets[0]}" if len(datasets) == 1 else ""
    notes = _notes(view, metric, {c.mark for row in cells.values() for c in row.values()}, bool(tested))
    if not shown:
        notes = [f"The means over {numbers.plural(len(datasets), view.unit)}; each of them is in the scores."]
    name = key("scores", view.name, metric)
    title = f"Mean {metric}{where} ({direction})"
    return ReportTable(key=name, title=title, columns=tuple(columns), rows=tuple(rows), notes=tuple(notes))


def _notes(view: View, metric: str, marks: set[str], tested: bool) -> list[str]:
    scores = [s for row in view.means[metric].values() for s in row.values()]
    notes = [BEST_NOTE] if len(view.learners) > 1 else []
    notes += [spread_note(scores)] if any(s.spread is not None for s in scores) else []
    notes += [MARK_NOTE] if NOT_TOLD_APART in marks else []
    notes += [UNTESTED_NOTE] if UNTESTED in marks else []
    several = len(view.learners) > 1 and len(view.means[metric]) > 1
    return notes + ([ALL_UNTESTED_NOTE] if several and not tested else [])


def spread_note(scores: list[LearnerScore]) -> str:
    """What ± is, in the same words wherever it stands."""
    counts = {s.n for s in scores if s.spread is not None and s.n}
    of = f"the {counts.pop()} scores" if len(counts) == 1 else "the scores"
    return f"±: standard deviation of {of} behind a mean."


def _foot(view: View, metric: str, datasets: int) -> dict[str, dict[str, TableCell]]:
    """The last rows, by their title."""
    if datasets < 2 or len(view.learners) < 2:
        return {}
    made: dict[str, dict[str, TableCell]] = {}
    for title, found, lower in (
        ("mean", overall(view, metric), not numbers.higher_is_better(metric)),
        ("mean rank", mean_ranks(view, metric), True),
    ):
        if found:
            best = (min if lower else max)(found.values())
            made[title] = {
                n: TableCell(
                    text=numbers.score(v, metric) if title == "mean" else numbers.decimal(v, 2),
                    value=v,
                    best=f"{v:.12g}" == f"{best:.12g}",
                )
                for n, v in found.items()
            }
            made[title] |= {n: text("") for n in view.learners if n not in found}
    return made


def mean_ranks(view: View, metric: str) -> dict[str, float]:
    """Those of the record, else reckoned from the means on the datasets where all have one; 1 is best, ties share."""
    ranking = next((r for r in view.rankings if r.metric == metric), None)
    if ranking is not None:
        return dict(zip(ranking.learners, ranking.ranks, strict=True))
    sign = -1.0 if numbers.higher_is_better(metric) else 1.0
    found: dict[str, list[float]] = {n: [] for n in view.learners}
    for row in view.means.get(metric, {}).values():
        values = {n: sign * float(f"{s.mean:.12g}") for n, s in row.items() if s.mean is not None}
        if all(n in values for n in view.learners):
            for name, value in values.items():
                above, same = (sum(f(v, value) for v in values.values()) for f in (float.__lt__, float.__eq__))
                found[name].append(above + (same + 1) / 2)
    return {n: fsum(r) / len(r) for n, r in found.items()} if len(view.learners) <= 50 and all(found.values()) else {}


def _score_cells(view: View, metric: str, dataset: str, known: tuple[Triples, Triples]) -> dict[str, TableCell]:
    apart, tested = known
    row = view.means[metric][dataset]
    best = view.best(metric, dataset)
    cells = {}
    for name in view.learners:
        score = row.get(name)
        if score is None or score.mean is None:
            cells[name] = TableCell(text="failed" if score is not None else "")
            continue
        mark = ""
        if name not in best and any((dataset, name, other) in apart for other in best):
            mark = NOT_TOLD_APART
        elif name not in best and tested and not any((dataset, name, other) in tested for other in best):
            mark = UNTESTED
        cells[name] = TableCell(
            text=scored(score, metric), value=score.mean, best=name in best and len(view.learners) > 1, mark=mark
        )
    return cells


def scored(score: LearnerScore, metric: str) -> str:
    """A mean with its standard deviation: 0.931 ± 0.012."""
    spread = f" ± {numbers.score(score.spread, metric)}" if score.spread is not None else ""
    return numbers.score(score.mean, metric) + spread


def _tested(view: View, metric: str) -> Triples:
    found: Triples = set()
    for verdict in view.on_datasets:
        if verdict.metric == metric and verdict.pair and verdict.test is not None and verdict.dataset is not None:
            first, second = verdict.learners
            found.update(((verdict.dataset, first, second), (verdict.dataset, second, first)))
    return found


def _not_told_apart(view: View, metric: str) -> Triples:
    found: Triples = set()
    for verdict in view.on_datasets:
        if verdict.metric == metric and verdict.pair and verdict.decision in ("not-settled", "equivalent"):
            first, second = verdict.learners
            assert verdict.dataset is not None
            found.update(((verdict.dataset, first, second), (verdict.dataset, second, first)))
    return found


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
    notes += _pair_notes(view, verdicts, metric)
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


def _pair_notes(view: View, verdicts: list[Verdict], metric: str) -> list[str]:

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


PLACES_NOTE = (
    "Places: the best and the worst that the corrected verdicts on all its pairs leave open; all of them hold together "
    "at the level of the family."
)
CONTROL_NOTE = "Places: the best and the worst that the corrected verdicts against {} leave open."
TIES_NOTE = "Ties: learners that share a letter are not told apart, which is not the same as equal."


def places(view: View, metric: str) -> tuple[Place, ...]:
    """Of three learners or more that are tested in one place; empty elsewhere."""
    pairs = [v for v in (view.over_datasets or view.on_datasets) if v.metric == metric and v.pair]
    found = standing(view, metric)
    if found is None or len(found.learners) < 3 or len({v.dataset for v in pairs}) != 1:
        return ()
    if any(v.correction == "uncorrected" for v in pairs) or len({v.test.test for v in pairs if v.test}) != 1:
        return ()
    sign = 1.0 if found.by == "mean" and numbers.higher_is_better(metric) else -1.0
    means = {name: sign * value for name, value in zip(found.learners, found.values, strict=True)}
    better = [(w, x) for v in pairs if (w := winner(v)) and (x := loser(v))]
    return places_of(means, better, [(v.learners[0], v.learners[1]) for v in pairs])


def places_table(view: View, metric: str) -> ReportTable | None:
    """Learners best first: score, places, letters; None where a table of scores says more."""
    held = places(view, metric)
    if not held or len(view.datasets) > 1:
        return None
    control = view.comparison.control
    ties = control is None and any(one.ties for one in held)
    rows = tuple(
        (
            text(one.learner),
            number(numbers.score(abs(one.mean), metric), abs(one.mean)),
            number(_between(one) if control in (None, one.learner) else "", float(one.low)),
            *((text(one.ties),) if ties else ()),
        )
        for one in held
    )
    heads = [
        ColumnHead(title="learner"),
        ColumnHead(title=metric, align="right"),
        ColumnHead(title="places", align="right"),
    ]
    heads += [ColumnHead(title="ties", spare=2)] if ties else []
    notes = [PLACES_NOTE] if control is None else [CONTROL_NOTE.format(control)]
    notes += [TIES_NOTE] if ties else []
    title = f"Leaderboard in {metric} on {view.datasets[0]}"
    name = key("places", view.name, metric)
    return ReportTable(key=name, title=title, columns=tuple(heads), rows=rows, notes=tuple(notes))


def place_sentence(view: View, metric: str, learner: str) -> str:
    """Which places one learner may hold; nothing of the first alone, which whoever leads and beats the others has."""
    held = places(view, metric)
    mine = next((one for one in held if one.learner == learner), None)
    if mine is None or mine.high == 1 or view.comparison.control not in (None, learner):
        return ""
    if mine.low == mine.high:
        return f"{learner} holds place {mine.low} of {len(held)}."
    return f"{learner} holds a place from {mine.low} to {mine.high} of {len(held)}."


def _between(one: Place) -> str:
    return str(one.low) if one.low == one.high else f"{one.low} to {one.high}"


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
