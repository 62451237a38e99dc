"""The tables of a comparison: the one that a paper prints, and those behind it with every verdict and its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from math import fsum, isfinite

from ..results import numbers
from ..results.numbers import interval_name, other_way_round, touches_zero, turned
from ..results.records import Effect, Interval, LearnerScore, Ranking, Verdict
from .document import ColumnHead, ReportTable, TableCell
from .sentences import family_of, short
from .view import View, facing, overall, standing

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
