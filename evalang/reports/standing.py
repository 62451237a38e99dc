"""Where each learner stands in one metric: by mean rank over datasets, else by mean score, and who is told apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from typing import Literal

from ..results.verdict import Verdict
from . import numbers
from .view import View

By = Literal["mean rank", "mean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Learners best first, with the number they are ordered by."""

    metric: str
    by: By
    learners: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def leaders(self) -> tuple[str, ...]:
        """Those with the best number; several when they tie. Twelve digits are compared."""
        shown = [f"{v:.12g}" for v in self.values]
        return tuple(n for n, v in zip(self.learners, shown, strict=True) if v == shown[0])


def standing(view: View, metric: str) -> Standing | None:
    """By the mean ranks of the record where it has some, else by the mean of the dataset means."""
    ranking = next((r for r in view.rankings if r.metric == metric), None)
    if ranking is not None:
        found, by, sign = dict(zip(ranking.learners, ranking.ranks, strict=True)), "mean rank", 1
    else:
        found, by, sign = overall(view, metric), "mean", -1 if numbers.higher_is_better(metric) else 1
    order = sorted(found, key=lambda name: (sign * found[name], name in view.trivial))
    if not order:
        return None
    values = tuple(found[name] for name in order)
    return Standing(
        metric=metric, by="mean rank" if by == "mean rank" else "mean", learners=tuple(order), values=values
    )


def overall(view: View, metric: str) -> dict[str, float]:
    """The mean over the datasets on which every learner has a score; a mean of other datasets would not compare."""
    rows = view.means.get(metric, {}).values()
    scored = [{n: s.mean for n, s in row.items() if s.mean is not None} for row in rows]
    shared = [row for row in scored if all(name in row for name in view.learners)]
    return {n: fsum(row[n] for row in shared) / len(shared) for n in view.learners} if shared else {}


def winner(verdict: Verdict) -> str | None:
    """The learner that a verdict on a pair shows to be better."""
    if not verdict.pair:
        return None
    return {"first-better": verdict.learners[0], "second-better": verdict.learners[1]}.get(verdict.decision)


def loser(verdict: Verdict) -> str | None:
    """The other one."""
    found = winner(verdict)
    return None if found is None else next(name for name in verdict.learners if name != found)


def baselines_last(names: Iterable[str], view: View) -> tuple[str, ...]:
    """The same names, those that know nothing at the end."""
    given = tuple(names)
    return (*(n for n in given if n not in view.trivial), *(n for n in given if n in view.trivial))
