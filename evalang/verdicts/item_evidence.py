"""Evidence from scores of items: questions that models answered, tasks that agents tried."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..errors import TestError
from ..plans.model import Comparison, Metric
from ..results.records import OnThese
from ..scores.answer import Answer
from ..scores.given_results import GivenResults, Items
from ..scores.samples import reduced
from .arithmetic.guarded import require_units
from .evidence import Flags, Floats
from .item_pairs import Flipped, ItemPairs, flipped, item_pairs, of_fixed_places
from .tests.cluster_permutation import FEWEST


class ItemEvidence:
    """The score of every item and learner, its samples made one as the metric says."""

    def __init__(self, results: GivenResults, learners: tuple[str, ...], comparison: Comparison) -> None:
        self.name = results.name
        self.learners = learners
        self.datasets = results.datasets
        self.metrics = {m.label: m for m in comparison.metrics}
        self._items = dict(zip(results.datasets, results.items, strict=True))
        self._order = {name: i for i, name in enumerate(results.learners)}
        self._reduced: dict[tuple[str, str], Floats] = {}
        self._pairs: dict[tuple[str, str], ItemPairs] = {}
        self._flipped: dict[tuple[str, str], Flipped] = {}
        self._means: dict[tuple[str, str], dict[str, Floats]] = {}
        self._described: dict[str | None, str] = {}

    def described(self, dataset: str | None) -> str:
        """The units in words: "198 items, 5 epochs each"."""
        if dataset not in self._described:
            self._described[dataset] = self._units(dataset)
        return self._described[dataset]

    def _units(self, dataset: str | None) -> str:
        chosen = list(self._items.values()) if dataset is None else [self._items[dataset]]
        count = sum(len(items.names) for items in chosen)
        fewest, most = min(i.epochs[0] for i in chosen), max(i.epochs[1] for i in chosen)
        said = f"{count:,} item{'s' * (count != 1)}"
        if most > 1:
            said += f", {most} epochs each" if fewest == most else f", {fewest} to {most} epochs each"
        if dataset is not None and (groups := self._items[dataset].groups) is not None:
            places = len(np.unique(groups))
            said += f", in {places:,} group{'s' * (places != 1)}"
        return said

    def items(self, dataset: str) -> Items:
        """The items of a dataset."""
        return self._items[dataset]

    def samples(self, dataset: str, learner: str) -> Floats:
        """[item, epoch] of one learner, as they were read."""
        return np.asarray(self._items[dataset].values[self._order[learner]])

    def scores(self, dataset: str, metric: Metric) -> Floats:
        """[learner, item]: the samples of each item made one."""
        key = (dataset, metric.label)
        if key not in self._reduced:
            items = self._items[dataset]
            self._reduced[key] = reduced(items.values, metric, items.names)
        return self._reduced[key]

    def row_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        found = self.scores(dataset, self.metrics[metric])
        return {x: found[self._order[x]][None, :] for x in self.learners}

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        metric = next((m for m in self.metrics.values() if m.name in ("accuracy", "error")), None)
        if metric is None:
            raise TestError(f"{self.name} holds no right and wrong", hint="measure accuracy")
        found = self.scores(dataset, metric)
        if not np.isin(found, (0.0, 1.0)).all():
            raise TestError(
                f"{self.name} has items that are neither right nor wrong",
                hint="leave out `by` for the test on differences of items, or say accuracy(epochs = majority)",
            )
        right = found == (1.0 if metric.name == "accuracy" else 0.0)
        return {x: right[self._order[x]] for x in self.learners}

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Any:
        groups = self._items[dataset].groups
        if kind == "time" or groups is None:
            raise TestError(f"{self.name} holds no {kind}", hint='add groups "column" to the results')
        return groups

    def grouped(self, test: str, dataset: str, metric: Metric, pair: tuple[str, str]) -> tuple[ItemPairs, int, int]:
        """All pairs by groups, and the places of these two."""
        key = (dataset, metric.label)
        if key not in self._pairs:
            places = self.row_places(dataset, "groups")
            _, groups = np.unique(places, return_inverse=True)
            require_units(int(groups.max()) + 1, FEWEST, "group", test)
            self._pairs[key] = item_pairs(self.scores(dataset, metric), groups)
        return self._pairs[key], self._order[pair[0]], self._order[pair[1]]

    def flips(self, dataset: str, metric: Metric, rng: np.random.Generator) -> Flipped:
        """The sign changes of groups, the same for all pairs; `rng` is drawn from once."""
        key = (dataset, metric.label)
        if key not in self._flipped:
            pairs = len(self.learners) * (len(self.learners) - 1) // 2
            self._flipped[key] = flipped(self._pairs[key], rng, pairs)
        return self._flipped[key]

    def on_these(self, dataset: str | None, metric: Metric, pair: tuple[str, str], level: float) -> OnThese | None:
        """The difference with an interval for new items of the same datasets or groups; None without either."""
        wanted = self.datasets if dataset is None else (dataset,)
        both = [self.scores(name, metric) for name in wanted]
        first, second = (self._order[name] for name in pair)
        parts = [found[first] - found[second] for found in both]
        if dataset is not None:
            groups = self._items[dataset].groups
            if groups is None:
                return None
            parts = [parts[0][groups == g] for g in np.unique(groups)]
        if len(parts) < 2 or min(part.size for part in parts) < 2:
            return None
        sizes = np.array([part.size for part in parts], dtype=np.float64)
        shares = np.full(len(parts), 1.0 / len(parts)) if dataset is None else sizes / sizes.sum()
        if all(np.ptp(part) == 0.0 for part in parts):
            return None  # an error of exactly zero is no knowledge of new items
        difference, interval = of_fixed_places(parts, shares, level)
        unit: Literal["dataset", "group"] = "dataset" if dataset is None else "group"
        return OnThese(difference=difference, interval=interval, places=len(parts), unit=unit)

    def fold_scores(self, dataset: str, metric: str) -> dict[str, Floats]:
        key = (dataset, metric)
        if key not in self._means:
            values = self.row_values(dataset, metric)
            self._means[key] = {x: np.array([[of.mean()]]) for x, of in values.items()}
        return self._means[key]

    def sizes(self, dataset: str) -> tuple[float, float]:
        chosen = self._items.values() if not dataset else (self._items[dataset],)
        return 0.0, float(sum(len(items.names) for items in chosen))

    def dataset_scores(self, metric: str) -> dict[str, Floats]:
        each = [self.row_values(dataset, metric) for dataset in self.datasets]
        return {x: np.array([values[x].mean() for values in each]) for x in self.learners}

    def row_scores(self, dataset: str) -> tuple[Any, dict[str, Floats]]:
        raise TestError(f"{self.name} holds no scores by which rows are ranked")

    def training_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        raise TestError(f"{self.name} holds no training sets")

    def answers(self, dataset: str, metric: str) -> dict[str, Answer]:
        raise TestError(f"{self.name} holds no predictions")
