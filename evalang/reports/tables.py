"""The tables of a comparison: scores, pairs, leaderboard and runs as a paper prints them, then every verdict."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum, isclose

from ..catalogue.corrections import find_correction
from ..results import numbers
from ..results.leaderboard import Place, places_of
from ..results.numbers import estimate_of, interval_name, other_way_round, own_estimate, touches_zero, turned
from ..results.records import ORDERED, Effect, Improvement, Interval, LearnerScore, Ranking, Runs, Verdict
from .document import (
    Block,
    Column,
    ColumnHead,
    Paragraph,
    ReportTable,
    TableCell,
    by_columns,
    key,
    number,
    numbers_column,
    text,
    words_column,
)
from .sentences import capital, correction_sentences, loser, short, winner
from .view import View, overall, standing, subtraction_order

MOST_ROWS = 1000  # of one table; ours: what a browser sorts at once and a reader can still search
WIDEST = 12  # learners side by side; more than that stand below each other where there are fewer datasets
MOST_RANKED = 50  # learners; of more no mean ranks are printed
MOST_UNITS = 400  # datasets or items in rows; of more only the means are printed
MOST_IN_MATRIX = 12  # learners; with more a matrix is wider than a page
NOT_SIGNIFICANT = "†"
UNTESTED = "‡"
UNMET = "¶"  # beside a verdict
UNMET_NOTE = f"{UNMET}: a warning of this report applies to this verdict."
BEST_NOTE = "Bold: the best mean."
MARK_NOTE = (
    f"{NOT_SIGNIFICANT}: no significant difference from the best after correction (this does not mean that they are "
    "equal)."
)
UNTESTED_NOTE = f"{UNTESTED}: not tested against the best."
ALL_UNTESTED_NOTE = "No test was made on single datasets, so the best mean on a dataset is not a verdict."
GATE_NOTE = "The adjusted p of a pair is raised to p of the omnibus test (all learners together) where that is larger."
DIRECTION_NOTE = "If the interval of a winner contains 0, the direction is significant and the size is uncertain."
DESCRIBED_NOTE = "{} is reported without a test, because {} is the primary metric."
FIVE_BY_TWO = "5x2cv-t p (not deciding)"  # a detail of corrected-t
BY_ROW_NOTE = "The difference weights every test row equally; the means weight every fold equally."
PLACES_NOTE = "Rank: the ranks that a learner can have, given the significant differences."
TIES_NOTE = "Tied: learners that share a letter do not differ significantly (this does not mean that they are equal)."
MEDIAN_NOTE = "The difference by {} is a pseudo-median (Hodges-Lehmann), not the difference of the means."
FIRST_NOTE = "The centre of the interval of 5x2cv-t is the first of its ten differences."
MEDIANS = ("wilcoxon",)


# Mean scores


def paper_table(view: View, metric: str) -> ReportTable | None:
    """Return mean scores, with the mean over the datasets and the mean rank where there are several datasets."""
    means = view.means.get(metric, {})
    datasets = [d for d in view.datasets if d in means]
    if not datasets:
        return None
    tested = _pairs_on_datasets(view, metric, lambda v: v.test is not None)
    apart = _pairs_on_datasets(view, metric, lambda v: v.decision in ("not-settled", "equivalent"))
    cells = {d: _score_cells(view, metric, d, apart, tested) for d in datasets[:MOST_UNITS]}
    foot = _foot(view, metric) if len(datasets) > 1 and len(view.learners) > 1 else {}
    several = len(datasets) > 1
    shown = list(cells) if len(datasets) <= MOST_UNITS else []
    if several and (len(view.learners) <= WIDEST or len(view.learners) <= len(datasets)):
        rows = [*(cells[d] for d in shown), *foot.values()]
        columns = [words_column(view.unit, (*shown, *foot))]
        columns += [numbers_column(n, [row[n] for row in rows]) for n in view.learners]
    else:
        found = standing(view, metric)
        order = list(dict.fromkeys((*(found.learners if found else ()), *view.learners)))
        titled = [*foot.items(), *((d if several else metric, cells[d]) for d in shown)]
        columns = [words_column("learner", order)]
        columns += [numbers_column(title, [row[n] for n in order]) for title, row in titled]
    notes = _score_notes(view, metric)
    marks = {cell.mark for row in cells.values() for cell in row.values()}
    notes += [MARK_NOTE] if NOT_SIGNIFICANT in marks else []
    notes += [UNTESTED_NOTE] if UNTESTED in marks else []
    notes += [ALL_UNTESTED_NOTE] if len(view.learners) > 1 and len(means) > 1 and not tested else []
    if not shown:
        over = numbers.plural(len(datasets), view.unit)
        notes = [f"These are the means over {over}. The file of scores has every {view.unit}."]
    direction = "higher is better" if numbers.higher_is_better(metric) else "lower is better"
    title = f"Mean {metric}{'' if several else f' on {datasets[0]}'} ({direction})"
    made = by_columns(key("scores", view.name, metric), title, columns, notes)
    return replace(made, foot=len(foot)) if made.columns[0].title == view.unit else made


def _score_notes(view: View, metric: str, best: bool = True) -> list[str]:
    """Explain bold and ± in a table of means."""
    scores = [s for row in view.means.get(metric, {}).values() for s in row.values() if s.spread is not None]
    counts = {s.n for s in scores if s.n}
    of = f"the {counts.pop()} scores" if len(counts) == 1 else "the scores"
    notes = [BEST_NOTE] if best and len(view.learners) > 1 else []
    return notes + ([f"±: standard deviation of {of} behind a mean."] if scores else [])


def _foot(view: View, metric: str) -> dict[str, dict[str, TableCell]]:
    """Return the last rows, by their title: the mean and the mean rank over the datasets."""
    made: dict[str, dict[str, TableCell]] = {}
    for title, found, lower in (
        ("mean", overall(view, metric), not numbers.higher_is_better(metric)),
        ("mean rank", mean_ranks(view, metric), True),
    ):
        if found:
            best = f"{(min if lower else max)(found.values()):.12g}"
            made[title] = dict.fromkeys(view.learners, text(""))
            for name, value in found.items():
                shown = numbers.score(value, metric) if title == "mean" else numbers.decimal(value, 2)
                made[title][name] = TableCell(text=shown, value=value, best=f"{value:.12g}" == best)
    return made


def mean_ranks(view: View, metric: str) -> dict[str, float]:
    """Return the recorded mean ranks, else those of the means on datasets where all have one; ties share a rank."""
    ranking = next((r for r in view.rankings if r.metric == metric), None)
    if ranking is not None:
        return dict(zip(ranking.learners, ranking.ranks, strict=True))
    if len(view.learners) > MOST_RANKED:
        return {}
    sign = -1.0 if numbers.higher_is_better(metric) else 1.0
    found: dict[str, list[float]] = {n: [] for n in view.learners}
    for row in view.means.get(metric, {}).values():
        values = {n: sign * float(f"{s.mean:.12g}") for n, s in row.items() if s.mean is not None}
        if all(n in values for n in view.learners):
            ordered = sorted(values.values())
            for name, value in values.items():
                found[name].append((bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2)
    return {n: fsum(r) / len(r) for n, r in found.items()} if all(found.values()) else {}


Triples = set[tuple[str, str, str]]  # (dataset, one, other), both ways round


def _pairs_on_datasets(view: View, metric: str, wanted: Callable[[Verdict], bool]) -> Triples:
    return {
        (verdict.dataset or "", first, second)
        for verdict in view.on_datasets
        if verdict.metric == metric and verdict.pair and wanted(verdict)
        for first, second in (verdict.learners, verdict.learners[::-1])
    }


def _score_cells(view: View, metric: str, dataset: str, apart: Triples, tested: Triples) -> dict[str, TableCell]:
    best = view.best(metric, dataset)
    cells = {}
    for name in view.learners:
        mark = ""
        if name not in best and any((dataset, name, other) in apart for other in best):
            mark = NOT_SIGNIFICANT
        elif name not in best and tested and not any((dataset, name, other) in tested for other in best):
            mark = UNTESTED
        score = view.means[metric][dataset].get(name)
        cells[name] = _score_cell(score, metric, name in best and len(view.learners) > 1, mark)
    return cells


def _score_cell(score: LearnerScore | None, metric: str, best: bool, mark: str = "") -> TableCell:
    """Return a mean with its standard deviation: 0.931 ± 0.012."""
    if score is None or score.mean is None:
        return text("" if score is None else "failed")
    spread = f" ± {numbers.score(score.spread, metric)}" if score.spread is not None else ""
    return TableCell(text=numbers.score(score.mean, metric) + spread, value=score.mean, best=best, mark=mark)


# Pairs


def pair_table(view: View, metric: str) -> ReportTable | None:
    """Return two learners: a row for each dataset and for the test over them: scores, difference, p, verdict."""
    verdicts = [v for v in (*view.on_datasets, *view.over_datasets) if v.metric == metric and v.pair]
    if not verdicts or len({v.learners for v in verdicts}) != 1:
        return None
    names = subtraction_order(view).pair(verdicts[0].learners)
    turn = names != verdicts[0].learners
    means = view.means.get(metric, {})
    scores = {
        name: [
            _score_cell(means.get(v.dataset or "", {}).get(name), metric, name in view.best(metric, v.dataset or ""))
            for v in verdicts
        ]
        for name in names
    }
    shares = zip(*(_shares(v, turn) for v in verdicts), strict=True)
    adjusted = any(map(_is_adjusted, verdicts))
    places = (v.dataset or f"over {numbers.plural(len(v.datasets), view.unit)}" for v in verdicts)
    *outcome, test, verdict = _outcome_columns(verdicts, [turn] * len(verdicts), "adjusted p" if adjusted else "p")
    columns = [
        words_column("dataset" if view.on_datasets else "", places),
        *(numbers_column(name, cells) for name, cells in scores.items()),
        *outcome,
        *(
            numbers_column(f"P({who})", cells)
            for who, cells in zip((names[0], "neither", names[1]), shares, strict=True)
        ),
        test,
        verdict,
    ]
    if metric in view.described:
        columns = columns[:-2]
    notes = [f"Difference: {numbers.name(names[0])} minus {numbers.name(names[1])}."]
    notes += [DESCRIBED_NOTE.format(metric, view.comparison.primary)] if metric in view.described else []
    notes += [BY_ROW_NOTE] if any(_is_by_row(v, means.get(v.dataset or "", {})) for v in verdicts) else []
    notes += _score_notes(view, metric, best=any(v.dataset for v in verdicts))
    notes += _interval_notes(verdicts)
    notes += [
        f"{numbers.name(v.dataset or '')}: {numbers.stopped_words(v)}." for v in verdicts if v.stopped is not None
    ]
    ropes = dict.fromkeys(v.posterior.rope for v in verdicts if v.posterior)
    notes += [f"P(x): posterior probability that x is better by more than {numbers.score(r, metric)}." for r in ropes]
    notes += [DIRECTION_NOTE] if any(v.direction_only for v in verdicts) else []
    notes += [FIRST_NOTE] if any(map(own_estimate, verdicts)) else []
    notes += _five_by_two_notes(verdicts)
    title = f"{names[0]} and {names[1]} in {metric}"
    return _lean(key("pairs", view.name, metric), title, columns, [*notes, *_family_notes(view, verdicts)])


def _five_by_two_notes(verdicts: Sequence[Verdict], names: Sequence[str] = ()) -> list[str]:
    """Give the p of Dietterich's 5x2cv-t, which readers expect under 5x2cv, and why it does not decide."""
    found = {}
    for i, v in enumerate(verdicts):
        if v.test is not None and FIVE_BY_TWO in (details := dict(v.test.details)):
            sets = [v.dataset or ""] if len({v.dataset for v in verdicts}) > 1 else []
            where = ", ".join(map(numbers.name, (*names[i : i + 1], *sets)))
            found[where] = numbers.p_is(details[FIVE_BY_TWO], v.alpha)
    shown = [f"{p} ({where})" if where else p for where, p in found.items()]
    said = "For comparison only, Dietterich's 5x2cv-t (not corrected, depends on the order of folds):"
    return [f"{said} {numbers.listing(shown, most=4)}."] if found else []


def _is_by_row(verdict: Verdict, means: Mapping[str, LearnerScore]) -> bool:
    """Return whether the difference is that of all rows together, and not that of the means beside it."""
    one, two = (score.mean if (score := means.get(name)) is not None else None for name in verdict.learners)
    if one is None or two is None or verdict.difference is None or verdict.test is None:
        return False
    return verdict.test.unit == "test row" and not math.isclose(one - two, verdict.difference, abs_tol=1e-9)


def _shares(verdict: Verdict, turn: bool) -> tuple[TableCell, ...]:
    """Return the probabilities of a posterior: the first is better by more than the rope, neither is, the second is."""
    posterior = verdict.posterior
    if posterior is None:
        return (text(""),) * 3
    shares = numbers.sides(posterior, verdict.metric)[:: -1 if turn else 1]
    return tuple(number(numbers.probability(x), x) for x in shares)


def _outcome_columns(verdicts: Sequence[Verdict], turns: Sequence[bool], p: str, around: bool = True) -> list[Column]:
    """Return difference, interval, p, test and verdict; where it turns, the first is subtracted from the second.

    The interval of 5x2cv-t stands with the estimate that it lies `around`.
    """
    differences, intervals, equivalence = [], [], []
    for v, turn in zip(verdicts, turns, strict=True):
        way, metric, own = -1 if turn else 1, v.metric, own_estimate(v)
        interval, narrow = v.interval, None if own else v.equivalence_interval
        touches = ", touches 0" if touches_zero(interval) else ""
        estimate = estimate_of(v)
        if around and own and estimate is not None:
            touches += f" around {numbers.signed(way * estimate, metric)}"
        size = None if v.difference is None else way * v.difference
        differences.append(number("" if size is None else numbers.signed(size, metric), size))
        intervals.append(interval_cell(turned(interval) if interval and turn else interval, metric, touches))
        equivalence.append(interval_cell(turned(narrow) if narrow and turn else narrow, metric))
    p_values = [
        number(numbers.stopped_at(v) if v.adjusted_p is None else numbers.p(v.adjusted_p, v.alpha), v.adjusted_p)
        for v in verdicts
    ]
    return [
        numbers_column("difference", differences),
        numbers_column("interval", intervals),
        numbers_column("equivalence", equivalence),
        numbers_column(p, p_values),
        words_column("test", (v.test.test if v.test is not None else "none" for v in verdicts), spare=4),
        (ColumnHead(title="verdict"), [TableCell(text=short(v), mark=UNMET if v.unmet else "") for v in verdicts]),
    ]


def interval_cell(interval: Interval | None, metric: str, more: str = "") -> TableCell:
    """Return an interval, which is sorted by its lower end."""
    return number(f"{numbers.interval(interval, metric)}{more}", None if interval is None else interval.low)


def _interval_notes(verdicts: Sequence[Verdict]) -> list[str]:
    notes = []
    for title, field in (("Interval", "interval"), ("Equivalence", "equivalence_interval")):
        where: dict[str, dict[str, None]] = {}
        for v in verdicts:
            if (found := getattr(v, field)) is not None:
                place = "over datasets" if v.dataset is None else "on a dataset"
                where.setdefault(_together(v, found), {})[place] = None
        several = len(where) > 1 and all(len(places) == 1 for places in where.values())
        kinds = [f"{kind} {next(iter(places))}" if several else kind for kind, places in where.items()]
        notes += [f"{title}: {'; '.join(kinds)}."] if kinds else []
    return notes


def _together(verdict: Verdict, interval: Interval) -> str:
    """Return the name of an interval, with the confidence of all simultaneous intervals together."""
    if interval.kind != "simultaneous":
        return interval_name(interval)
    narrow = 2.0 if interval is verdict.equivalence_interval else 1.0
    confidence = numbers.percent(round(1.0 - narrow * verdict.alpha, 6))
    each = f"{100.0 * interval.level:.4g}% each{f', by {interval.way}' if interval.way else ''}"
    return f"simultaneous ({each}, {confidence} for all {interval.members} together)"


def _family_notes(view: View, verdicts: Sequence[Verdict]) -> list[str]:
    """Explain the mark of a verdict, the difference and how p was adjusted, once for each family."""
    notes = [UNMET_NOTE] if any(v.unmet for v in verdicts) else []
    medians = dict.fromkeys(v.test.test for v in verdicts if v.test is not None and v.test.test in MEDIANS)
    notes += [MEDIAN_NOTE.format(test) for test in medians]
    for v in verdicts:
        if v.adjusted_p is None:
            continue
        notes += correction_sentences(v, view.comparison.correction is None and bool(find_correction(v.correction)))
        level = f"The significance level is {numbers.alpha_text(v.alpha)}."
        notes += [] if isclose(v.alpha, numbers.USUAL_LEVEL) else [level]
        notes += [GATE_NOTE] if v.posthoc and any(not one.pair for one in view.verdicts) else []
    return list(dict.fromkeys(notes))


def _is_adjusted(verdict: Verdict) -> bool:
    """Return whether the p of a verdict was corrected together with others."""
    return verdict.correction != "uncorrected" and (verdict.family_size > 1 or verdict.family_blocks > 1)


def _lean(name: str, title: str, columns: Iterable[Column | None], notes: Iterable[str]) -> ReportTable:
    """Return the table without its empty columns; a test that is the same in all rows becomes a note."""
    kept, more = [], []
    for head, cells in filter(None, columns):
        values = {cell.text for cell in cells} - {""}
        if head.title == "test" and head.align == "left" and len(values - {"none"}) <= 1:
            more += [f"Test: {value}." for value in values - {"none"}]
        elif values:
            kept.append((head, cells))
    return by_columns(name, title, kept, [*notes, *more])


def pair_matrix(view: View, metric: str, dataset: str | None) -> ReportTable | None:
    """Return many learners, best first: p above the diagonal, difference of row minus column below it."""
    source = view.over_datasets if dataset is None else view.on_datasets
    verdicts = {v.learners: v for v in reversed(source) if v.metric == metric and v.pair and v.dataset == dataset}
    named = dict.fromkeys(n for pair in verdicts for n in pair)
    found = standing(view, metric)
    if len(named) < 3 or view.comparison.control is not None:
        return None
    order = [n for n in (found.learners if found else view.learners) if n in named]
    shown = order[:MOST_IN_MATRIX]

    def cell(i: int, j: int) -> TableCell:
        verdict = verdicts.get((shown[i], shown[j])) or verdicts.get((shown[j], shown[i]))
        return text("") if i == j or verdict is None else _matrix_cell(verdict, shown[i], above=i < j)

    places = range(len(shown))
    columns = [words_column("", shown)]
    columns += [numbers_column(shown[j], [cell(i, j) for i in places]) for j in places]
    every = list(verdicts.values())
    tests = list(dict.fromkeys(v.test.test for v in every if v.test is not None))
    below = "Below the diagonal: the row's score minus the column's score."
    notes = [f"Above the diagonal: adjusted p. {below} Bold: significant."]
    notes += [f"Test: {numbers.listing(tests)}."] if tests else []
    if len(order) > len(shown):
        learners = numbers.count(len(order))
        notes.append(f"Shown are the first {MOST_IN_MATRIX} of {learners} learners; the appendix has all pairs.")
    title = f"Pairs in {metric}{'' if dataset is None else f' on {dataset}'}"
    notes += _family_notes(view, every)
    return by_columns(key("matrix", view.name, metric, dataset or ""), title, columns, notes)


def _matrix_cell(verdict: Verdict, row: str, above: bool) -> TableCell:
    p, difference = verdict.adjusted_p, verdict.difference
    if above:
        mark = UNMET if verdict.unmet else ""
        shown = short(verdict) if p is None else numbers.p(p, verdict.alpha)
        return text(shown) if p is None else TableCell(text=shown, value=p, best=verdict.settled, mark=mark)
    if difference is None:
        return text("")
    value = difference if verdict.learners[0] == row else -difference
    return TableCell(text=numbers.signed(value, verdict.metric), value=value, best=verdict.settled)


def leader_table(view: View, metric: str) -> ReportTable | None:
    """Return several learners, best first: mean, rank, difference to the leader (or the control), interval, p.

    Where every dataset has its own tests, each dataset has its own leader.
    """
    pairs = [v for v in (view.over_datasets or view.on_datasets) if v.metric == metric and v.pair]
    if len(view.learners) < 3 or not any(v.test for v in pairs):
        return None
    control, held = view.comparison.control, {one.learner: one for one in places(view, metric)}
    rows = [row for place in dict.fromkeys(v.dataset for v in pairs) for row in _against_leader(view, pairs, place)]
    tested = [(one, other) for _, one, other in rows if other is not None]
    verdicts = [v for _, v in tested]
    adjusted = "adjusted p" if any(map(_is_adjusted, verdicts)) else "p"
    outcome = _outcome_columns(verdicts, [v.learners[1] == name for name, v in tested], adjusted)
    outcome[-1] = (outcome[-1][0], [_standing_cell(name, v) for name, v in tested])
    sets = list(dict.fromkeys(place for place, _, _ in rows))
    ranks = mean_ranks(view, metric) if sets == [None] else {}
    means = overall(view, metric)
    names = [name for _, name, _ in rows]
    ties = control is None and any(one.ties for one in held.values())
    columns = [
        words_column("dataset", (place or "" for place, _, _ in rows)) if len(sets) > 1 else None,
        words_column("learner", names),
        numbers_column(f"mean {metric}", [_mean_cell(view, metric, place, name, means) for place, name, _ in rows]),
        numbers_column("mean rank", [_decimal_cell(ranks[n]) for n in names], spare=1) if ranks else None,
        numbers_column("rank", [_rank_cell(held[n], control) for n in names]) if held else None,
        *((head, _spliced(rows, cells)) for head, cells in outcome),
        words_column("tied", (held[n].ties for n in names), spare=2) if ties else None,
    ]
    leaders = [name for _, name, verdict in rows if verdict is None]
    best = numbers.name(leaders[0]) if len(set(leaders)) == 1 else "the one with the best mean"
    notes = [f"Difference: the learner of the row minus {best}."]
    notes += _score_notes(view, metric) if sets != [None] else []
    notes += _interval_notes(verdicts)
    notes += _five_by_two_notes(verdicts, [name for name, _ in tested])
    notes += [PLACES_NOTE] if held else []
    notes += [TIES_NOTE] if ties else []
    notes += [DIRECTION_NOTE] if any(v.direction_only for v in verdicts) else []
    over = f"over {numbers.plural(len(verdicts[0].datasets), view.unit)}" if sets == [None] else "on each dataset"
    title = f"{'Leaderboard' if control is None else f'Against {control}'} in {metric} "
    title += f"on {sets[0]}" if len(sets) == 1 and sets[0] else over
    return _lean(key("leader", view.name, metric), title, columns, [*notes, *_family_notes(view, verdicts)])


Row = tuple[str | None, str, Verdict | None]  # dataset, learner, its verdict against the leader


def _against_leader(view: View, pairs: Iterable[Verdict], place: str | None) -> list[Row]:
    """Return the learners of one place best first, the control or leader itself without a verdict."""
    mine = [v for v in pairs if v.dataset == place]
    metric, named = mine[0].metric, {name for v in mine for name in v.learners}
    found = standing(view, metric)
    order = list(found.learners if found is not None else view.learners)
    if place is not None:
        sign = -1.0 if numbers.higher_is_better(metric) else 1.0
        scores = {n: s.mean for n, s in view.means.get(metric, {}).get(place, {}).items() if s.mean is not None}
        order = sorted(named, key=lambda n: (sign * scores[n] if n in scores else math.inf, view.learners.index(n)))
    order = [n for n in order if n in named]
    leader = view.comparison.control if view.comparison.control in named else order[0]
    against: dict[str, list[Verdict]] = {}
    for verdict in mine:
        if leader in verdict.learners:
            against.setdefault(next(n for n in verdict.learners if n != leader), []).append(verdict)
    rows: list[Row] = []
    for name in order:
        rows += [(place, name, None)] if name == leader else [(place, name, v) for v in against.get(name, [])]
    return rows


def _spliced(rows: Iterable[Row], cells: Iterable[TableCell]) -> list[TableCell]:
    """Return the cells of the verdicts with an empty one in the row of each leader."""
    left = iter(cells)
    return [next(left) if verdict is not None else text("") for _, _, verdict in rows]


def _mean_cell(view: View, metric: str, place: str | None, name: str, means: Mapping[str, float]) -> TableCell:
    if place is not None:
        score = view.means.get(metric, {}).get(place, {}).get(name)
        return _score_cell(score, metric, name in view.best(metric, place))
    return number(numbers.score(means[name], metric), means[name]) if name in means else text("")


def _rank(one: Place) -> str:
    return str(one.low) if one.low == one.high else f"{one.low}-{one.high}"


def _rank_cell(one: Place, control: str | None) -> TableCell:
    return number(_rank(one) if control in (None, one.learner) else "", float(one.low))


def _decimal_cell(value: float) -> TableCell:
    return number(numbers.decimal(value, 2), value)


def _standing_cell(name: str, verdict: Verdict) -> TableCell:
    """Return how a learner stands to the leader: better, worse, or what the verdict says."""
    found = winner(verdict)
    shown = short(verdict) if found is None else "better" if found == name else "worse"
    return TableCell(text=shown, mark=UNMET if verdict.unmet else "")


# The leaderboard of several learners in one place


def places(view: View, metric: str) -> tuple[Place, ...]:
    """Return the places that three or more learners tested in one place may hold; empty elsewhere."""
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


def place_sentence(view: View, metric: str, learner: str) -> str:
    """Return which places one learner may hold; nothing for the first place alone, which the headline gives."""
    held = places(view, metric)
    mine = next((one for one in held if one.learner == learner), None)
    if mine is None or mine.high == 1 or view.comparison.control not in (None, learner):
        return ""
    return f"{numbers.name(learner)} has rank {_rank(mine)} of {len(held)}."


# Every verdict


def verdict_table(view: View, metric: str, over: bool = False) -> ReportTable | None:
    """Return every tested pair: where, who, difference with interval, p, adjusted p, effect, verdict."""
    source = view.over_datasets if over else view.on_datasets
    verdicts = [v for v in source if v.metric == metric and v.pair]
    if not verdicts or metric in view.described:
        return None
    notes = []
    one_pair = len({v.learners for v in verdicts}) == 1
    if len(verdicts) > MOST_ROWS:
        count, of = numbers.count(MOST_ROWS), numbers.count(len(verdicts))
        notes.append(f"Shown are the {count} verdicts with the smallest adjusted p; the JSON has all {of}.")
        verdicts = sorted(verdicts, key=lambda v: 2.0 if v.adjusted_p is None else v.adjusted_p)[:MOST_ROWS]
    first, second = subtraction_order(view).pair(verdicts[0].learners) if one_pair else ("first", "second")
    turns = [one_pair and (first, second) != v.learners for v in verdicts]
    raw = [v.test.pvalue if v.test is not None else None for v in verdicts]
    outcome = _outcome_columns(verdicts, turns, "adjusted p", around=False)
    (_, difference), (_, interval), _, adjusted, test, verdict = outcome
    columns = [
        words_column("dataset", (v.dataset or "" for v in verdicts)),
        None if one_pair else words_column(first, (v.learners[0] for v in verdicts)),
        None if one_pair else words_column(second, (v.learners[1] for v in verdicts)),
        numbers_column(f"{first} minus {second}", difference),
        numbers_column("interval", interval),
        numbers_column("p", [_p_cell(v, p) for v, p in zip(verdicts, raw, strict=True)]),
        adjusted,
        _effect_column([v.test.effect if v.test is not None else None for v in verdicts], one_pair and turns[0]),
        test,
        verdict,
    ]
    notes += _family_notes(view, verdicts)
    notes += _interval_notes(verdicts)[:1]
    title = f"Verdicts in {metric} {'over datasets' if over else 'on each dataset'}"
    return _lean(key("verdicts", view.name, metric, "over" if over else ""), title, columns, notes)


def _p_cell(verdict: Verdict, p: float | None) -> TableCell:
    return number(numbers.stopped_at(verdict) or (numbers.p(p, verdict.alpha) if p is not None else ""), p)


def _effect_column(effects: list[Effect | None], turn: bool) -> Column:
    """Return the column of effect sizes; where there are several kinds, each cell names its own."""
    kinds = list(dict.fromkeys(effect.name for effect in effects if effect is not None))
    cells = []
    for effect in effects:
        effect = other_way_round(effect) if effect is not None and turn else effect
        shown = "" if effect is None else numbers.decimal(effect.value, 2)
        named = f"{effect.name} {shown}" if effect is not None and len(kinds) > 1 else shown
        cells.append(number(named, None if effect is None else effect.value))
    return numbers_column(kinds[0] if len(kinds) == 1 else "effect", cells)


def ranking_table(view: View, ranking: Ranking) -> ReportTable:
    """Return mean ranks over datasets, best first, with the learners that each does not differ from."""
    order = sorted(zip(ranking.ranks, ranking.learners, strict=True))
    names = [name for _, name in order]

    def others(pairs: Iterable[tuple[str, str]]) -> list[str]:
        found: dict[str, set[str]] = {name: set() for name in names}
        for first, second in pairs:
            found[first].add(second)
            found[second].add(first)
        return [numbers.listing([n for n in names if n in found[name]], most=6) or "none" for name in names]

    columns = [
        words_column("learner", names),
        numbers_column("mean rank", [_decimal_cell(rank) for rank, _ in order]),
        words_column("tied with", others(ranking.joined)),
        words_column("not tested against", others(ranking.untested)) if ranking.untested else None,
    ]
    notes = [f"Mean rank over {numbers.plural(ranking.n_datasets, 'dataset')}; 1 is best."]
    if ranking.critical_difference is not None:
        notes.append(f"Critical difference of {ranking.test}: {numbers.decimal(ranking.critical_difference, 2)} ranks.")
    elif ranking.test:
        notes.append(f"Tied: no significant difference by {ranking.test} after correction.")
    title = f"Mean ranks in {ranking.metric}"
    return by_columns(key("ranks", view.name, ranking.metric), title, columns, notes)


# Runs of learners on the tasks of a benchmark

TITLES = {
    "iqm": "interquartile mean",
    "mean": "mean of dataset means",
    "median": "median of dataset means",
    "optimality-gap": "optimality gap",
}
THESE_TASKS = (
    "The intervals are not corrected. The intervals apply to new runs on these datasets, not to other datasets."
)
GAP_NOTE = "Optimality gap: the mean distance of the runs from a score of 1 (0 for scores above 1)."
IMPROVES = "Share: pairs of runs in which the first learner is better (a tie counts half), averaged over datasets."
ORDER = (
    "Order: how far the leading learner is from being better at every quantile, on its worst dataset (violation ratio; "
    f"0: better at every quantile). If the ratio is below {ORDERED:g} on every dataset, you can claim that this "
    "learner is almost stochastically better."
)
FEW_PAIRS = 3  # of learners that get a sentence each


def runs_blocks(view: View, metric: str) -> list[Block]:
    """Return what stands beside the verdict where a table holds seeds."""
    found = next((one for one in view.runs if one.metric == metric), None)
    if found is None:
        return []
    blocks: list[Block] = [_aggregates(view, found)] if found.aggregates else []
    blocks += [_improvements(view, found)] if found.improvements else []
    if 0 < len(found.improvements) <= FEW_PAIRS:
        sentences = " ".join(improvement_sentence(one, found) for one in found.improvements)
        blocks.append(Paragraph(text=sentences, label="Runs"))
    return blocks


def improvement_sentence(one: Improvement, of: Runs) -> str:
    """Return how often a run of the first is better; "in 75% of pairs" only where the whole interval says so."""
    low, high = numbers.score(one.interval.low, "accuracy"), numbers.score(one.interval.high, "accuracy")
    over = f", the mean over {numbers.plural(of.tasks, 'dataset')}" if of.tasks > 1 else ""
    per, level = " per dataset" if of.tasks > 1 else "", f"{100 * one.interval.level:g}%"
    text = (
        f"A run of {numbers.name(one.first)} is better than a run of {numbers.name(one.second)} in "
        f"{numbers.score(one.probability, 'accuracy')} of all pairs of runs ({level} interval {low} to {high}{over}, "
        f"{_runs_of_each(of)})."
    )
    if one.mostly or one.interval.high <= 0.25:
        who, whom = (one.first, one.second) if one.mostly else (one.second, one.first)
        better = f"{numbers.name(who)} is better than {numbers.name(whom)}"
        return f"{text} You can claim that {better} in at least 75% of pairs."
    if one.interval.low <= 0.5 <= one.interval.high:
        power = " These runs had 95% power to show that one is better in 75% of pairs, if that is so." * bool(of.runs)
        if of.runs < of.needed:
            power = f" If one is better in 75% of pairs, {of.needed} runs of each{per} show this with 95% power."
        return f"{text} Which learner is better more often is inconclusive.{power}"
    ahead = one.first if one.interval.low > 0.5 else one.second
    return f"{text} {numbers.name(ahead)} is better in most pairs, but you cannot claim at least 75% of pairs."


def _runs_of_each(of: Runs) -> str:
    return f"{numbers.plural(of.runs, 'run') if of.runs else 'different numbers of runs'} of each"


def _aggregates(view: View, found: Runs) -> ReportTable:
    metric = found.metric
    learners = list(dict.fromkeys(one.learner for one in found.aggregates))
    by_kind: dict[str, dict[str, TableCell]] = {}
    for one in found.aggregates:
        shown = f"{numbers.score(one.value, metric)} ({numbers.interval(one.interval, metric)})"
        by_kind.setdefault(one.name, {})[one.learner] = number(shown, one.value)
    columns = [words_column("learner", learners)]
    columns += [
        numbers_column(TITLES[kind], [cells[learner] for learner in learners], spare=i)
        for i, (kind, cells) in enumerate(by_kind.items())
    ]
    title = f"{capital(_runs_of_each(found))} learner on {numbers.plural(found.tasks, 'dataset')}, {metric}"
    notes = [*([GAP_NOTE] if "optimality-gap" in by_kind else []), THESE_TASKS]
    return by_columns(key("runs", view.name, metric), title, columns, notes)


def _improvements(view: View, found: Runs) -> ReportTable:
    every = found.improvements
    orders = [one.order for one in every if one.order is not None]
    ordered = len(orders) == len(every)

    def share(value: float) -> TableCell:
        return number(numbers.score(value, "accuracy"), value)

    columns = [
        words_column("first", (one.first for one in every)),
        words_column("second", (one.second for one in every)),
        numbers_column("share", [share(one.probability) for one in every]),
        numbers_column("interval", [interval_cell(one.interval, "accuracy") for one in every]),
        numbers_column("order", [share(order) for order in orders], spare=1) if ordered else None,
        words_column("you can claim", map(_claimable, every)),
    ]
    notes = [IMPROVES, *([ORDER] if ordered else []), THESE_TASKS]
    title = f"Probability of improvement in {found.metric}"
    return by_columns(key("improvement", view.name, found.metric), title, columns, notes)


def _claimable(one: Improvement) -> str:
    if one.mostly or one.interval.high <= 0.25:
        return f"{one.first if one.mostly else one.second} better in 75% of pairs"
    if one.interval.low > 0.5 or one.interval.high < 0.5:
        return f"{one.first if one.interval.low > 0.5 else one.second} better in most pairs"
    return "inconclusive"
