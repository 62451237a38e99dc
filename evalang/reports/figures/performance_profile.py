"""The performance profile: which share of the runs of each learner reaches a score, over all tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...results import numbers
from ...results.run_aggregates import PerformanceProfile
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LEARNERS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilePicture:
    """What the picture shows."""

    metric: str
    tasks: int
    profiles: tuple[PerformanceProfile, ...]
    higher: bool

    @property
    def title(self) -> str:
        return f"Performance profile in {self.metric}"

    @property
    def description(self) -> str:
        """The same in words."""
        side = "at least" if self.higher else "at most"
        said = []
        for one in self.profiles:
            middle = len(one.scores) // 2
            reached = numbers.score(one.scores[middle], self.metric)
            said.append(f"{one.learner} is {side} {reached} in {numbers.score(one.shares[middle], 'accuracy')} of them")
        return (
            f"Share of runs that reach a score, the mean over {numbers.plural(self.tasks, 'task')}: "
            f"{numbers.listing(said)}. Bands hold for one score and one learner, for new runs on these tasks."
        )

    def size(self) -> tuple[float, float]:
        """Inches."""
        return 5.6, 3.6


def performance_profile(view: View, metric: str) -> ProfilePicture | None:
    """Of the learners in the order of the script."""
    found = next((one for one in view.runs if one.metric == metric and one.profiles), None)
    if found is None or len(found.profiles[0].scores) < 2:
        return None
    higher = numbers.higher_is_better(metric)
    return ProfilePicture(metric=metric, tasks=found.tasks, profiles=found.profiles[:MOST_LEARNERS], higher=higher)


def draw(data: ProfilePicture, axes: Axes) -> None:
    """A step line and a band for each learner."""
    for i, one in enumerate(data.profiles):
        axes.fill_between(one.scores, one.low, one.high, color=style.colour(i), alpha=0.18, lw=0, gid=f"band-{i}")
        axes.plot(
            one.scores,
            one.shares,
            color=style.colour(i),
            ls=style.line(i),
            lw=1.6,
            label=style.name(one.learner),
            gid=f"line-{i}",
        )
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(style.measured(data.metric))
    axes.set_ylabel("share of runs at this score or better")
    axes.legend(fontsize=8)
