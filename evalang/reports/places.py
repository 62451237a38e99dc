"""The leaderboard of several learners in one place: the places each may hold, and letters of those not told apart."""

from __future__ import annotations

from ..results import numbers
from ..results.leaderboard import Place, places_of
from .document import ColumnHead, ReportTable
from .tables import key, number, text
from .view import View, loser, standing, winner

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
