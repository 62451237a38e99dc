"""The headline of a comparison: its answer in a sentence or two, and the one picture that shows it.

It is made of the decisions of the verdicts and says no more than they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..results.run_result import RunResult
from ..results.verdict import Verdict
from . import numbers
from .headline_estimate import estimate_sentences
from .headline_many import Many, many
from .headline_pair import Pair, pair
from .view import View, views

Picture = Literal["", "critical-difference", "forest", "posterior"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer. `better` are the pairs (winner, loser) that the sentences call settled, `open` those they do not."""

    comparison: str
    metric: str
    sentences: tuple[str, ...]
    picture: Picture = ""
    leader: str = ""  # of several learners: the best of the table, settled or not; of two: the one that is better
    better: tuple[tuple[str, str], ...] = ()
    open: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(self.sentences)


def headlines(result: RunResult, subject: str | None = None) -> tuple[Headline, ...]:
    """One for each comparison and estimate, in the order of the script."""
    return tuple(headline(view) for view in views(result, subject))


def headline(view: View) -> Headline:
    """The headline in the metric that decides (the first, where none is named); a word on the others follows."""
    if view.estimates:
        metric = view.estimates[0].metric
        return Headline(comparison=view.name, metric=metric, sentences=estimate_sentences(view), picture="forest")
    tested = {v.metric for v in view.verdicts}
    metrics = [m for m in view.metrics if m in tested]
    if not metrics:
        return Headline(comparison=view.name, metric=next(iter(view.metrics), ""), sentences=(_untested(view),))
    found = {metric: _told(view, metric) for metric in metrics}
    first = found[metrics[0]]
    if len(metrics) == 1:
        return first
    return replace(first, sentences=(*first.sentences, _others(view, found)))


def _told(view: View, metric: str) -> Headline:
    mine = [v for v in view.verdicts if v.metric == metric]
    made: Pair | Many = pair(view, mine) if _two(mine) else many(view, metric, mine)
    picture: Picture = "forest"
    if any(v.test is not None and v.test.posterior is not None for v in mine):
        picture = "posterior"
    elif any(r.metric == metric for r in view.rankings) and view.comparison.control is None:
        picture = "critical-difference"
    return Headline(
        comparison=view.name,
        metric=metric,
        sentences=made.sentences,
        picture=picture,
        leader=made.leader,
        better=made.better,
        open=made.open,
    )


def _two(verdicts: list[Verdict]) -> bool:
    return len({name for v in verdicts for name in v.learners}) == 2


def _others(view: View, found: dict[str, Headline]) -> str:
    """The other metrics: where every decision and the leader are the same, and where they are not."""
    decided: dict[str, set[tuple[str | None, tuple[str, ...], str]]] = {metric: set() for metric in found}
    for v in view.verdicts:
        decided[v.metric].add((v.dataset, v.learners, v.decision))
    first, *rest = found.values()
    outcome = (first.leader, decided[first.metric])
    same = [h.metric for h in rest if (h.leader, decided[h.metric]) == outcome]
    if len(same) == len(rest):
        return f"The outcome is the same in {numbers.listing([h.metric for h in rest])}."
    other = numbers.listing([h.metric for h in rest if h.metric not in same])
    return (
        f"The outcome is the same in {numbers.listing(same)}, another in {other}."
        if same
        else (f"The outcome is another in {other}.")
    )


def _untested(view: View) -> str:
    """No verdict at all: the means are described and nothing follows from them."""
    if view.failures and not view.means:
        return "No trial gave a score, so nothing is said."
    return f"{numbers.listing(view.learners, most=6)} were scored and not tested: nothing is said of who is better."
