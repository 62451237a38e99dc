"""The tuning profile: the best mean score reached with each value of a parameter, and how often it was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from ...results import numbers
from ..view import View
from . import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningProfile:
    """What the picture shows, values in the order they were tried."""

    learner: str
    dataset: str
    metric: str
    parameter: str
    values: tuple[str, ...]
    scores: tuple[float, ...]
    chosen: tuple[int, ...]

    @property
    def title(self) -> str:
        return f"Tuning of {self.learner} on {self.dataset}: {self.parameter}"

    @property
    def description(self) -> str:
        """The same in words."""
        total = sum(self.chosen)
        often = max(range(len(self.values)), key=lambda i: self.chosen[i])
        rim = " That value lies on the rim of what was tried." if often in (0, len(self.values) - 1) else ""
        return (
            f"Best mean {self.metric} on the tuning rows with each value of {self.parameter}; {self.values[often]} was "
            f"chosen in {self.chosen[often]} of {numbers.plural(total, 'fold')}.{rim}"
        )

    def size(self) -> tuple[float, float]:
        """Inches."""
        return max(4.2, 1.6 + 0.5 * len(self.values)), 3.2


def tuning_profile(view: View, learner: str, dataset: str, metric: str, parameter: str = "") -> TuningProfile | None:
    """Mean over folds for each setting, then the best setting with each value."""
    mine = [c for c in view.candidates if (c.learner, c.dataset, c.metric) == (learner, dataset, metric)]
    settings: dict[tuple[tuple[str, Value], ...], list[float]] = {}
    chosen: dict[Value, int] = {}
    wanted = parameter or next((c.setting[0][0] for c in mine if c.setting), "")
    for one in mine:
        value = dict(one.setting).get(wanted)
        chosen.setdefault(value, 0)
        chosen[value] += one.chosen
        if one.score is not None:
            settings.setdefault(one.setting, []).append(one.score)
    best: dict[Value, float] = {}
    pick = max if numbers.higher_is_better(metric) else min
    for setting, scores in settings.items():
        value = dict(setting).get(wanted)
        mean = fsum(scores) / len(scores)
        best[value] = pick(best[value], mean) if value in best else mean
    if len(best) < 2:
        return None
    plain = all(isinstance(v, int | float) for v in best)
    order = sorted(best, key=lambda v: v) if plain else list(best)  # type: ignore[arg-type, return-value]
    return TuningProfile(
        learner=learner,
        dataset=dataset,
        metric=metric,
        parameter=wanted,
        values=tuple(f"{v:g}" if isinstance(v, float) else str(v) for v in order),
        scores=tuple(best[v] for v in order),
        chosen=tuple(chosen.get(v, 0) for v in order),
    )


def draw(data: TuningProfile, axes: Axes) -> None:
    """A line over the values; the number at each point says in how many folds it was chosen."""
    places = range(len(data.values))
    axes.plot(places, data.scores, color=style.COLOURS[0], lw=1.2, marker="o", ms=4, gid="scores")
    for i, times in enumerate(data.chosen):
        if times:
            axes.plot([i], [data.scores[i]], "o", ms=10, mfc="none", mec=style.COLOURS[1], mew=1.4)
            axes.annotate(f"{times}×", (i, data.scores[i]), (0, 9), "data", "offset points", ha="center", fontsize=8)
    axes.margins(y=0.2)
    axes.set_xticks(places, [style.name(v) for v in data.values])
    axes.set_xlabel(style.name(data.parameter))
    axes.set_ylabel(f"{style.measured(data.metric)}, tuning rows")
