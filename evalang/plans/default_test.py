"""Which test is taken when the script names none, and why."""

from __future__ import annotations

from ..catalogue.entry import MetricEntry
from .model import Test
from .question import ONE_TEST_SET

_FOLD_SCHEMES = ("cv", "repeated-cv", "partitions-cv", "resamples", "given-folds")
_NO_TEST = {
    "bootstrap": "bootstrap samples share rows in a way no test here allows for",
    "forward": "later splits train on the rows of the earlier ones, and no test here allows for that",
    "leave-one-out": "training sets that differ in one row leave no estimate of the variance",
}


def _row_test(metric: MetricEntry) -> tuple[str, str]:
    if metric.name in ("accuracy", "error"):
        return "mcnemar", "one test set: it compares right and wrong row by row (the exact form when fewer than 25 rows disagree)"
    if metric.name == "roc-area":
        return "delong", "one test set: both areas rest on the same rows"
    if metric.row_loss:
        return "row-t", f"one test set: {metric.name} is a loss of every row"
    return "bootstrap", f"one test set: {metric.name} is not a mean over rows, so the rows are drawn again"


def on_each(scheme: str, learners: int, metrics: tuple[MetricEntry, ...]) -> tuple[tuple[Test, ...], str]:
    """The tests on each dataset, and (where there is none) the reason for that."""
    if scheme in ONE_TEST_SET:
        return _on_rows(learners, metrics), ""
    if scheme == "5x2cv":
        return (_default("5x2cv-t", "it is made for five replications of 2cv"),), ""
    if scheme in _FOLD_SCHEMES:
        return (_default("corrected-t", "it allows for training sets that share rows"),), ""
    if scheme == "partitions-5x2cv":
        return (_default("averaged-t", "it averages over partitions, one of which decides too much"),), ""
    if scheme == "trainings":
        fitting = tuple(m.name for m in metrics if m.row_loss)
        if fitting:
            every = len(fitting) == len(metrics)
            return (_default("quasi-f", "disjoint training sets and one test set", () if every else fitting),), ""
        return (), "quasi-f needs a metric that is a loss of every row"
    return (), _NO_TEST.get(scheme, "")


def _on_rows(learners: int, metrics: tuple[MetricEntry, ...]) -> tuple[Test, ...]:
    by_test: dict[str, tuple[str, list[str]]] = {}
    for metric in metrics:
        name, reason = _row_test(metric)
        by_test.setdefault(name, (reason, []))[1].append(metric.name)
    tests = []
    for name, (reason, names) in by_test.items():
        judged = () if len(names) == len(metrics) else tuple(names)
        if name == "mcnemar" and learners > 2:
            tests.append(_default("cochran-q", "more than two learners on the same rows", judged))
        tests.append(_default(name, reason, judged))
    return tuple(tests)


def over_datasets(learners: int, metrics: tuple[MetricEntry, ...]) -> tuple[Test, ...]:
    """The tests over datasets."""
    if learners > 2:
        return (
            _default("iman-davenport", "more than two learners over several datasets"),
            _default("wilcoxon", "pair by pair; ranks over the whole pool would depend on who else is in it"),
        )
    plain = tuple(m.name for m in metrics if not m.has_unit)
    united = tuple(m.name for m in metrics if m.has_unit)
    tests = []
    if plain:
        tests.append(_default("wilcoxon", "two learners over several datasets", plain if united else ()))
    if united:
        tests.append(_default("sign", "sizes of a metric with a unit do not compare across datasets", united if plain else ()))
    return tuple(tests)


def _default(name: str, reason: str, metrics: tuple[str, ...] = ()) -> Test:
    return Test(name=name, metrics=metrics, origin="default", reason=reason)
