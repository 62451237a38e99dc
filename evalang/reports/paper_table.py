"""The table that a paper prints: datasets by learners, the best in bold, what is not told apart from it marked."""

from __future__ import annotations

from math import fsum

from ..results.verdict import LearnerScore
from . import numbers
from .document import Cell, Column, Table
from .standing import overall, standing
from .tables import key, text
from .view import View

WIDEST = 12  # learners side by side; more than that stand below each other where there are fewer datasets
MOST_UNITS = 400  # datasets or items in rows; of more only the means are printed
NOT_TOLD_APART = "†"
UNTESTED = "‡"
BEST_NOTE = "Bold: the best mean."
MARK_NOTE = f"{NOT_TOLD_APART}: not told apart from the best after correction, which is not the same as equal."
UNTESTED_NOTE = f"{UNTESTED}: not tested against the best, so nothing is said of the two."
ALL_UNTESTED_NOTE = "No pair is tested on a single dataset: that one mean is the best says nothing by itself."

Triples = set[tuple[str, str, str]]  # (dataset, one, other), both ways round


def paper_table(view: View, metric: str) -> Table | None:
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
        columns = [Column(title=view.unit), *(Column(title=n, align="right") for n in view.learners)]
        rows = [(text(d), *(cells[d][n] for n in view.learners)) for d in shown]
        rows += [(text(word), *(by[n] for n in view.learners)) for word, by in foot.items()]
    else:
        found = standing(view, metric)
        order = (
            *(found.learners if found else ()),
            *(n for n in view.learners if not found or n not in found.learners),
        )
        columns = [Column(title="learner"), *(Column(title=word, align="right") for word in foot)]
        columns += [Column(title=d if len(datasets) > 1 else metric, align="right") for d in shown]
        rows = [(text(n), *(by[n] for by in foot.values()), *(cells[d][n] for d in shown)) for n in order]
    direction = "higher is better" if numbers.higher_is_better(metric) else "lower is better"
    where = f" on {datasets[0]}" if len(datasets) == 1 else ""
    notes = _notes(view, metric, {c.mark for row in cells.values() for c in row.values()}, bool(tested))
    if not shown:
        notes = [f"The means over {numbers.plural(len(datasets), view.unit)}; each of them is in the scores."]
    name = key("scores", view.name, metric)
    title = f"Mean {metric}{where} ({direction})"
    return Table(key=name, title=title, columns=tuple(columns), rows=tuple(rows), notes=tuple(notes))


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


def _foot(view: View, metric: str, datasets: int) -> dict[str, dict[str, Cell]]:
    """The last rows, by their title."""
    if datasets < 2 or len(view.learners) < 2:
        return {}
    made: dict[str, dict[str, Cell]] = {}
    for title, found, lower in (
        ("mean", overall(view, metric), not numbers.higher_is_better(metric)),
        ("mean rank", mean_ranks(view, metric), True),
    ):
        if found:
            best = (min if lower else max)(found.values())
            made[title] = {
                n: Cell(
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


def _score_cells(view: View, metric: str, dataset: str, known: tuple[Triples, Triples]) -> dict[str, Cell]:
    apart, tested = known
    row = view.means[metric][dataset]
    best = view.best(metric, dataset)
    cells = {}
    for name in view.learners:
        score = row.get(name)
        if score is None or score.mean is None:
            cells[name] = Cell(text="failed" if score is not None else "")
            continue
        mark = ""
        if name not in best and any((dataset, name, other) in apart for other in best):
            mark = NOT_TOLD_APART
        elif name not in best and tested and not any((dataset, name, other) in tested for other in best):
            mark = UNTESTED
        cells[name] = Cell(
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
