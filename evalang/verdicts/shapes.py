"""Shapes: functions that take the arguments of one test from the evidence of a `TestSubject`.

Each returns a dictionary with the names of the parameters of the test's function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np

from ..catalogue.metrics import MetricEntry
from ..errors import TestError
from ..plans.model import Comparison, Metric
from ..scores.answer import Answer
from ..scores.evidence import Evidence, Flags, Floats
from ..scores.row_values import reduced_by_mean
from .arithmetic.checks import outcome_pair, require_units
from .arithmetic.differences import size_ratio
from .item_evidence import ItemEvidence

Numbers = dict[str, Any]
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestSubject:
    """What one test is about: a pair of learners (or all, or one) of a comparison, a metric and a dataset."""

    __test__ = False

    comparison: Comparison
    evidence: Evidence  # of these learners
    metric: Metric
    learners: tuple[str, ...]
    dataset: str | None  # None: over datasets

    @property
    def on(self) -> str:
        """The dataset, for tests of one dataset."""
        assert self.dataset is not None
        return self.dataset

    def among(self, learners: tuple[str, ...]) -> Self:
        """Return the subject with only these learners, on the units that all of them have."""
        return replace(self, learners=learners, evidence=self.evidence.among(learners))

    def each(self, values: Mapping[str, V]) -> tuple[V, ...]:
        """Return the values of the learners of this subject, in their order."""
        return tuple(values[name] for name in self.learners)


def metric_card(metric: Metric) -> MetricEntry:
    """Return the card of a planned metric."""
    card = metric.card
    if card is None:
        raise TestError(f"there is no metric named {metric.name}")
    return card


def _pair(at: TestSubject, values: dict[str, Any], **more: Any) -> Numbers:
    first, second = at.each(values)
    return {"first": first, "second": second, **more}


def _right(at: TestSubject) -> tuple[Flags, ...]:
    """Return right or wrong of every test row; the error counts the wrong ones."""
    return tuple(~x if at.metric.name == "error" else x for x in at.each(at.evidence.outcomes(at.on)))


def outcomes(at: TestSubject) -> Numbers:
    """Return right or wrong for every test row, each tested once."""
    first, second = _right(at)
    return {"first": first, "second": second, "base": "row-t"}


def disagreements(first: Any, second: Any, test: str) -> Numbers:
    """Count the rows that only the first gets wrong (n01), that only the second gets wrong, and that both get right."""
    one, two = outcome_pair(first, second)
    require_units(one.size, 1, "test row", test)
    right_one, right_two, both = (int(np.count_nonzero(x)) for x in (one, two, one & two))
    return {"n01": right_two - both, "n10": right_one - both, "rows": int(one.size), "both_right": both}


def row_losses(at: TestSubject) -> Numbers:
    """Return what every test row adds to the metric: their weighted mean is the metric, in its own unit."""
    return _trained_once(at) | {"base": "row-t"}


def _trained_once(at: TestSubject) -> Numbers:
    """Return the rows' values and weights of the one training that each learner has."""
    values = at.evidence.row_values(at.on, at.metric.label)
    for name in at.learners:
        if len(values[name]) > 1:
            raise TestError(
                f"{name} is trained {len(values[name])} times, but this test compares one classifier of each learner",
                hint="leave out `by` for the test over rows and trainings, or leave out `train N times`",
            )
    first, second = (each[0] for each in at.each(values))
    return {"first": first, "second": second, "weights": at.evidence.row_weights(at.on, at.metric.label)}


def _over_units(at: TestSubject, values: tuple[Floats, ...], weights: Floats | None) -> tuple[tuple[Floats, ...], Any]:
    """Return [training, unit] with weights and name of the units: rows, or the groups in which they come.

    The value of a group is the mean of its rows, and its weight theirs together, so the weighted mean stays as it is.
    """
    by_row = {"weights": weights, "unit": "test row"}
    if not at.comparison.grouped:
        return values, by_row
    try:
        groups = at.evidence.row_places(at.on, "groups")
    except TestError:  # the groups are those of another dataset
        return values, by_row
    _, member = np.unique(groups, return_inverse=True)
    rows = np.ones(member.size) if weights is None else weights
    sums = np.bincount(member, weights=rows)
    means = tuple(np.stack([np.bincount(member, weights=rows * x) for x in one]) / sums for one in values)
    return means, {"weights": None if (sums == sums[0]).all() else sums / sums.mean(), "unit": "group"}


def retrained_rows(at: TestSubject) -> Numbers:
    """Return [training, test row or group] of learners that were trained several times on the same rows."""
    weights = at.evidence.row_weights(at.on, at.metric.label)
    values, units = _over_units(at, at.each(at.evidence.row_values(at.on, at.metric.label)), weights)
    return {"first": values[0], "second": values[1], **units}


def grouped_rows(at: TestSubject) -> Numbers:
    """Return what every test row adds to the metric, and the group it belongs to."""
    return _trained_once(at) | {"groups": at.evidence.row_places(at.on, "groups")}


def timed_rows(at: TestSubject) -> Numbers:
    """Return what every test row adds to the metric, and its time stamp."""
    return _trained_once(at) | {"times": at.evidence.row_places(at.on, "time")}


def row_scores(at: TestSubject) -> Numbers:
    """Return which rows are positive, and a score of each by which they are ranked."""
    truth, ranked = at.evidence.row_scores(at.on)
    return _pair(at, ranked, truth=truth)


def row_predictions(at: TestSubject) -> Numbers:
    """Return both learners' predictions for every row as columns, and the metric that is computed from them."""
    from ..scores.metrics import score  # slow to import

    one, two = at.each(at.evidence.answers(at.on, at.metric.label))
    wide = 0 if one.scores is None else int(np.prod(one.scores.shape[1:], dtype=int)) or 1
    flat = one.scores is not None and one.scores.ndim == 1

    def measured(truth: Any, columns: Floats) -> float:
        scores = columns[:, 1 : 1 + wide] if wide else None
        drawn = replace(
            one,
            truth=truth.astype(one.truth.dtype),
            labels=columns[:, 0].astype(one.labels.dtype),
            scores=scores[:, 0] if scores is not None and flat else scores,
            weights=columns[:, 1 + wide] if one.weights is not None else None,
        )
        return score(at.metric.name, drawn, at.metric.options)

    return {"truth": one.truth, "first": _columns(one), "second": _columns(two), "metric": measured}


def _columns(answer: Answer) -> Floats:
    parts = (answer.labels, answer.scores, answer.weights)
    return np.concatenate([np.asarray(x, np.float64).reshape(answer.rows, -1) for x in parts if x is not None], axis=1)


def fold_scores(at: TestSubject) -> Numbers:
    """Return [partition, fold] (or [partition, replication, fold] of 5x2cv), with the rows trained and tested on."""
    scheme = at.comparison.scheme
    first, second = at.each(at.evidence.fold_scores(at.on, at.metric.label))
    if scheme is not None and scheme.nested:  # N partitions of 5x2cv
        first, second = (x.reshape(-1, *scheme.nested) for x in (first, second))
    train, tested = at.evidence.sizes(at.on)
    tested *= scheme.card.wider if scheme else 1.0
    return {"first": first, "second": second, "train_size": train, "test_size": tested, "base": "corrected-t"}


def halved_scores(at: TestSubject) -> Numbers:
    """Return [partition, fold], and `halvings`: so many partitions at the end are cross-validations in two halves.

    In these the first half of the folds lies in one half of the rows, the others in the other.
    """
    scores, halvings = at.evidence.halved_scores(at.on, at.metric.label)
    return _pair(at, scores, halvings=halvings)


def training_losses(at: TestSubject) -> Numbers:
    """Return [training set, test row or group]; the weighted mean is the metric."""
    values, units = _over_units(at, at.each(at.evidence.training_values(at.on, at.metric.label)), None)
    return {"first": values[0], "second": values[1], **units}


def dataset_scores(at: TestSubject) -> Numbers:
    """Return one score per dataset."""
    return _pair(at, at.evidence.dataset_scores(at.metric.label), unit="dataset", base="paired-t")


def dataset_folds(at: TestSubject) -> Numbers:
    """Return the fold scores of every dataset, and for each the ratio of test to training rows."""
    folds = [fold_scores(replace(at, dataset=dataset)) for dataset in at.evidence.datasets]
    return {
        "first": [one["first"] for one in folds],
        "second": [one["second"] for one in folds],
        "ratios": [size_ratio(one["train_size"], one["test_size"], "mixed-model") for one in folds],
    }


def many_outcomes(at: TestSubject) -> Numbers:
    """Return right or wrong, [test row, learner]."""
    return {"right": np.column_stack(at.each(at.evidence.outcomes(at.on)))}


def many_dataset_scores(at: TestSubject) -> Numbers:
    """Return [dataset, learner]; `control` is the column compared with all others, where a test has one."""
    control = at.comparison.control
    return {
        "scores": np.column_stack(at.each(at.evidence.dataset_scores(at.metric.label))),
        "higher_is_better": metric_card(at.metric).higher_is_better,
        "control": at.learners.index(control) if control else None,
    }


def successes(at: TestSubject) -> Numbers:
    """Return how many of how many rows one classifier gets right."""
    (right,) = _right(at)
    return {"right": int(np.count_nonzero(right)), "rows": int(right.size)}


def _bounds(at: TestSubject) -> tuple[float | None, float | None]:
    """Return the range of the metric."""
    card = metric_card(at.metric)
    return card.low, card.high


def learner_folds(at: TestSubject) -> Numbers:
    """Return the fold scores of one learner, and the range of the metric."""
    (scores,) = at.each(at.evidence.fold_scores(at.on, at.metric.label))
    train, tested = at.evidence.sizes(at.on)
    return {"scores": scores, "train_size": train, "test_size": tested, "bounds": _bounds(at)}


def learner_losses(at: TestSubject) -> Numbers:
    """Return the scores of one learner, [training set, test row or group], and the range of the metric."""
    (losses,), units = _over_units(at, at.each(at.evidence.training_values(at.on, at.metric.label)), None)
    return {"losses": losses, "bounds": _bounds(at), **units}


def learner_rows(at: TestSubject) -> Numbers:
    """Return what each unit adds to a learner's score, [training, test row or group], and the range of the metric."""
    (values,), units = _over_units(at, at.each(at.evidence.row_values(at.on, at.metric.label)), None)
    return {"values": values, "bounds": _bounds(at), **units}


def learner_items(at: TestSubject) -> Numbers:
    """Return [item, epoch] of one learner if the metric is their mean, the score of each item, and its group."""
    assert isinstance(at.evidence, ItemEvidence)
    (scores,) = at.each(at.evidence.row_values(at.on, at.metric.label))
    samples = at.evidence.samples(at.on, at.learners[0]) if reduced_by_mean(at.metric) else None
    return {"scores": scores[0], "values": samples, "groups": at.evidence.items(at.on).groups, "bounds": _bounds(at)}
