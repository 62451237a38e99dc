"""A metric as a script asks for it."""

from __future__ import annotations

from typing import Literal

from ..catalogue.entry import MetricEntry
from ..catalogue.metrics import find_metric
from .planned import Planned
from .reading import Literals


class Metric(Planned):
    """A metric with its options; one that the catalogue does not know says itself whether more is better."""

    name: str
    options: tuple[tuple[str, Literals], ...] = ()
    better: Literal["higher", "lower"] | None = None
    epochs: Literal["mean", "majority"] | None = None  # how several samples of one item become one score

    @property
    def label(self) -> str:
        """As it is written in a script: the key under which its scores and verdicts stand.

        >>> Metric("f-score", (("average", "macro"),)).label
        'f-score(average = "macro")'
        """
        own = self.better if self.name != "pass" else None
        if not self.options and self.epochs is None and own is None:
            return self.name
        shown = [
            f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}" for name, value in self.options
        ]
        shown += [f"better = {own}"] if own else []
        shown += [f"epochs = {self.epochs}"] if self.epochs else []
        return f"{self.name}({', '.join(shown)})"

    @property
    def card(self) -> MetricEntry | None:
        """What is known of it; of a metric of one's own its direction, and that it is a mean over items."""
        if self.better is None:
            return find_metric(self.name)
        share = self.name == "pass"
        return MetricEntry(
            name=self.name,
            title=self.label,
            higher_is_better=self.better == "higher",
            low=0.0 if share else None,
            high=1.0 if share else None,
            needs="labels",
            tasks=("many-class",),
            row_loss=True,
        )
