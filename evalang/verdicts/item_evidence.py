"""All pairs of many learners on the same items at once: what each pair's test needs comes from one product of matrices.

The residual sums of a pair's groups are those of its first learner less those of its second. So the CR2 variances of
all differences are read off the Gram matrix of the learners' own, and forty models cost little more than two. Items
without groups are groups of one: there CR2 is the variance of the paired t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..catalogue.metrics import COUNTED
from ..data.given_results import GivenResults, Items
from ..errors import TestError
from ..plans.model import Comparison, Metric
from ..results.records import Interval, OnThese, Verdict
from ..scores.evidence import Evidence, Flags, once
from ..scores.row_values import reduced
from .arithmetic.checks import Floats, require_units
from .arithmetic.differences import TIE_TOLERANCE
from .arithmetic.tails import Sided, Student, t_interval
from .tests.dependent_rows import ENUMERATED, FEWEST, PERMUTATION, RESAMPLES, Clusters, bell_mccaffrey, sign_flips

CANCELLED = 1e-9  # of the single variances: below it their difference is computed again from the sums
DRAWN_AT_ONCE = 4_096  # sign changes, so that 100,000 of 500 groups are never in memory together
MANY_DRAWS = 99_999  # with 9,999 no p is below .0001, and 780 pairs corrected by Holm ask for .00006
MANY_PAIRS = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemPairs:
    """What the tests of all pairs are made from."""

    sums: Floats  # [learner, group]
    sizes: Floats  # items of each group
    means: Floats  # by item
    variance: Floats  # [learner, learner] of the difference of the means (CR2)
    df: float

    def clusters(self, first: int, second: int) -> Clusters:
        """Return the summed difference of each group; what is rounding alone is nothing."""
        one, two = self.sums[first], self.sums[second]
        sums = one - two
        sums[np.abs(sums) <= TIE_TOLERANCE * np.maximum(np.abs(one), np.abs(two))] = 0.0
        return Clusters(sums=sums, sizes=self.sizes)


def item_pairs(scores: Floats, groups: NDArray[np.intp] | None = None) -> ItemPairs:
    """Return all pairs from scores [learner, item] and the group of each item, numbered from 0."""
    if groups is None:
        sums, sizes = scores, np.ones(scores.shape[1])
    else:
        sizes = np.bincount(groups).astype(np.float64)
        order = np.argsort(groups, kind="stable")
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)
        sums = np.add.reduceat(scores[:, order], starts, axis=1)
    n = sizes.sum()
    means = sums.sum(axis=1) / n
    residual = (sums - means[:, None] * sizes) / (n * np.sqrt(1.0 - sizes / n))
    gram = residual @ residual.T
    own = np.diag(gram)
    variance = np.maximum(own[:, None] + own - 2.0 * gram, 0.0)
    np.fill_diagonal(variance, 0.0)
    near = variance <= CANCELLED * (own[:, None] + own)
    for i, j in np.argwhere(np.triu(near, 1)):
        apart = residual[i] - residual[j]
        apart[np.abs(apart) <= TIE_TOLERANCE * (np.abs(residual[i]) + np.abs(residual[j]))] = 0.0
        variance[i, j] = variance[j, i] = float(apart @ apart)
    return ItemPairs(sums=sums, sizes=sizes, means=means, variance=variance, df=bell_mccaffrey(sizes))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flipped:
    """What each sign change flips: the learners' sums of its groups, and their items."""

    sums: Floats  # [learner, sign change]
    sizes: Floats


def flipped(found: ItemPairs, rng: np.random.Generator, pairs: int) -> Flipped:
    """Return the same sign changes for all pairs, more of them where many pairs share a level."""
    both = np.vstack([found.sums, found.sizes]).T
    count = len(found.sizes)
    left = 1 if count <= ENUMERATED else RESAMPLES if pairs <= MANY_PAIRS else MANY_DRAWS
    parts: list[Floats] = []
    while left > 0:
        now = min(left, DRAWN_AT_ONCE)
        parts.append(sign_flips(count, rng, now)[bool(parts) :] @ both)
        left -= now
    whole = np.concatenate(parts).T
    return Flipped(sums=np.ascontiguousarray(whole[:-1]), sizes=np.ascontiguousarray(whole[-1]))


def of_fixed_places(parts: Sequence[Floats], shares: Floats, level: float) -> tuple[float, Interval]:
    """Return the weighted mean of the places' mean differences, and its interval where the places stay and their items
    are drawn anew."""
    found = _fixed_student(np.concatenate(parts), np.array([part.size for part in parts]), shares)
    interval = t_interval(found.estimate, found.se, found.df, Sided(level=level))
    method = f"t with {found.df:.4g} degrees of freedom, items drawn within {len(parts)} fixed places"
    return found.estimate, replace(interval, method=method)


def _fixed_student(values: Floats, sizes: NDArray[np.intp], shares: Floats) -> Student:
    """Return the estimate for fixed places from values in order of their places: the variances of the places added up,
    t with Satterthwaite's degrees of freedom (Cochran 1977, 5.4)."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    means = np.add.reduceat(values, starts) / sizes
    spread = np.add.reduceat((values - np.repeat(means, sizes)) ** 2, starts) / (sizes - 1.0)
    variances = shares**2 * spread / sizes
    variance = float(variances.sum())
    df = variance**2 / float(np.sum(variances**2 / (sizes - 1.0))) if variance > 0.0 else 1.0
    return Student(estimate=float(shares @ means), se=variance**0.5, df=df)


class ItemEvidence(Evidence):
    """The score of every item and learner, its samples made one as the metric says."""

    def __init__(self, results: GivenResults, learners: tuple[str, ...], comparison: Comparison) -> None:
        self.results, self.comparison = results, comparison
        self.name = results.name
        self.learners = learners
        self.pairs = len(learners) * (len(learners) - 1) // 2  # that share a level
        self._whole = all((items.counts > 0).all() for items in results.items)
        self.datasets = results.datasets
        self.metrics = {m.label: m for m in comparison.metrics}
        self._items = dict(zip(results.datasets, results.items, strict=True))
        self._order = {name: i for i, name in enumerate(results.learners)}
        self._flipped: dict[tuple[str, str], Flipped] = {}
        self._known = {}

    def among(self, learners: tuple[str, ...]) -> ItemEvidence:
        return self if self._whole else self._narrowed(learners)

    @once
    def _narrowed(self, learners: tuple[str, ...]) -> ItemEvidence:
        places = [self._order[name] for name in learners]
        items = tuple(i.keep(places, np.all(i.counts[places] > 0, axis=0)) for i in self.results.items)
        found = ItemEvidence(replace(self.results, learners=learners, items=items), learners, self.comparison)
        found.pairs = self.pairs
        return found

    def left_out(self, verdict: Verdict) -> str:
        facts, learners = self.results.facts, verdict.learners
        lack = [(name, *facts.missing[facts.learners.index(name)]) for name in learners]
        if self.comparison.missing == "wrong" or not (facts.left_out or any(n for _, n, _ in lack)):
            return ""
        among = self.among(learners)
        narrowed = sum(len(self._items[d].names) - len(among.items(d).names) for d in self.datasets)
        gone = len(facts.left_out) + facts.unanswered + narrowed
        shares = ", ".join(f"{name} lacks {n:,} of {of:,}" for name, n, of in lack if n) or "of other models"
        return f"Missing answers are left out ({shares}), and with them {gone} item{'s' * (gone != 1)}"

    @once
    def described(self, dataset: str | None) -> str:
        chosen = list(self._items.values()) if dataset is None else [self._items[dataset]]
        count = sum(len(items.names) for items in chosen)
        fewest, most = min(i.epochs[0] for i in chosen), max(i.epochs[1] for i in chosen)
        words = f"{count:,} item{'s' * (count != 1)}"
        if most > 1:
            words += f", {most} epochs each" if fewest == most else f", {fewest} to {most} epochs each"
        if dataset is not None and (groups := self._items[dataset].groups) is not None:
            places = len(np.unique(groups))
            words += f", in {places:,} group{'s' * (places != 1)}"
        return words

    def items(self, dataset: str) -> Items:
        """Return the items of a dataset."""
        return self._items[dataset]

    def samples(self, dataset: str, learner: str) -> Floats:
        """Return [item, epoch] of one learner, as read."""
        return np.asarray(self._items[dataset].values[self._order[learner]])

    @once
    def scores(self, dataset: str, metric: Metric) -> Floats:
        """Return [learner, item]: the samples of each item made one."""
        items = self._items[dataset]
        if not items.names:
            raise TestError(f"{' and '.join(self.learners)} have no item of {dataset} in common")
        return reduced(items.values, metric, items.names)

    def row_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        found = self.scores(dataset, self.metrics[metric])
        return {x: found[self._order[x]][None, :] for x in self.learners}

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        metric = next((m for m in self.metrics.values() if m.name in COUNTED), None)
        if metric is None:
            raise TestError(f"the scores of {self.name} are not right or wrong answers", hint="measure accuracy")
        found = self.scores(dataset, metric)
        if not np.isin(found, (0.0, 1.0)).all():
            raise TestError(
                f"{self.name} has items that are neither right nor wrong",
                hint="leave out `by` for the test on differences of items"
                + (
                    "; a majority of an even number of samples can be a tie"
                    if metric.epochs == "majority"
                    else ", or write `measuring accuracy(epochs = majority)`"
                ),
            )
        right = found == (1.0 if metric.name == "accuracy" else 0.0)
        return {x: right[self._order[x]] for x in self.learners}

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Any:
        groups = self._items[dataset].groups
        if kind == "time" or groups is None:
            raise TestError(f"{self.name} holds no {kind}", hint='add groups "column" to the results')
        return groups

    def grouped(self, test: str, dataset: str, metric: Metric, pair: tuple[str, ...]) -> tuple[ItemPairs, int, int]:
        """Return all pairs by groups, and the places of these two."""
        return self._pairs(dataset, metric, test), self._order[pair[0]], self._order[pair[1]]

    @once
    def _pairs(self, dataset: str, metric: Metric, test: str) -> ItemPairs:
        _, groups = np.unique(self.row_places(dataset, "groups"), return_inverse=True)
        require_units(int(groups.max()) + 1, FEWEST, "group", test)
        return item_pairs(self.scores(dataset, metric), groups)

    def flips(self, dataset: str, metric: Metric, rng: np.random.Generator) -> Flipped:
        """Return the sign changes of groups, the same for all pairs; `rng` is drawn from once."""
        key = (dataset, metric.label)
        if key not in self._flipped:
            self._flipped[key] = flipped(self._pairs(dataset, metric, PERMUTATION), rng, self.pairs)
        return self._flipped[key]

    def on_these(self, dataset: str | None, metric: Metric, pair: tuple[str, str], level: float) -> OnThese | None:
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

    def in_fixed_groups(self, dataset: str, metric: Metric, pair: tuple[str, ...]) -> Student | None:
        """Return the difference for new items of the same groups; None where a group has one item, or none varies."""
        scores, sizes = self._by_group(dataset, metric)
        if sizes.min() < 2:
            return None
        difference = scores[self._order[pair[0]]] - scores[self._order[pair[1]]]
        found = _fixed_student(difference, sizes, sizes / sizes.sum())
        return found if found.se > 0.0 else None

    @once
    def _by_group(self, dataset: str, metric: Metric) -> tuple[Floats, NDArray[np.intp]]:
        """Return the scores in order of groups, and the sizes of these."""
        places = self.row_places(dataset, "groups")
        order = np.argsort(places, kind="stable")
        return self.scores(dataset, metric)[:, order], np.unique(places, return_counts=True)[1]

    @once
    def fold_scores(self, dataset: str, metric: str) -> dict[str, Floats]:
        return {x: np.array([[np.nanmean(of)]]) for x, of in self.row_values(dataset, metric).items()}

    def sizes(self, dataset: str) -> tuple[float, float]:
        chosen = self._items.values() if not dataset else (self._items[dataset],)
        return 0.0, float(sum(len(items.names) for items in chosen))

    def rows_of_one_score(self, dataset: str, learner: str) -> int:
        return len(self._items[dataset].names)

    def dataset_scores(self, metric: str) -> dict[str, Floats]:
        each = [self.row_values(dataset, metric) for dataset in self.datasets]
        return {x: np.array([np.nanmean(values[x]) for values in each]) for x in self.learners}
