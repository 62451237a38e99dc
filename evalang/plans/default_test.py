"""Which test is taken when the script names none, and why."""

from __future__ import annotations

from ..catalogue.entry import MetricEntry
from .model import Test
from .question import ONE_TEST_SET

_FOLD_SCHEMES = ("cv", "repeated-cv", "partitions-cv", "resamples", "given-folds")
_COSTS = ("time", "size")  # what a metric needs, where that is no prediction
_NO_TEST = {
    "bootstrap": "bootstrap samples share rows in a way no test here allows for",
    "forward": "later splits train on the rows of the earlier ones, and no test here allows for that",
    "leave-one-out": "training sets that differ in one row leave no estimate of the variance",
}


def _row_test(metric: MetricEntry) -> tuple[str, str]:
    if metric.name in ("accuracy", "error"):
        return (
            "mcnemar",
            "one test set: it compares right and wrong row by row (the exact form when fewer than 25 rows disagree)",
        )
    if metric.name == "roc-area":
        return "delong", "one test set: both areas rest on the same rows"
    if metric.row_loss:
        return "row-t", f"one test set: {metric.name} is a loss of every row"
    return "bootstrap", f"one test set: {metric.name} is not a mean over rows, so the rows are drawn again"


def on_each(scheme: str, learners: int, metrics: tuple[MetricEntry, ...]) -> tuple[tuple[Test, ...], str]:
    """The tests on each dataset, and (where there is none) the reason for that."""
    if scheme in ONE_TEST_SET:
        scored = tuple(m for m in metrics if m.needs not in _COSTS)
        why = "" if scored else f"{metrics[0].name} is measured once, which leaves no spread to judge a difference by"
        return _on_rows(learners, scored, len(metrics)), why
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


def _on_rows(learners: int, metrics: tuple[MetricEntry, ...], of: int) -> tuple[Test, ...]:
    """For these metrics of `of`; a test names its metrics unless it judges all."""
    by_test: dict[str, tuple[str, list[str]]] = {}
    for metric in metrics:
        name, reason = _row_test(metric)
        by_test.setdefault(name, (reason, []))[1].append(metric.name)
    tests = []
    for name, (reason, names) in by_test.items():
        judged = () if len(names) == of else tuple(names)
        if name == "mcnemar" and learners > 2:
            tests.append(_default("cochran-q", "more than two learners on the same rows", judged))
        tests.append(_default(name, reason, judged))
    return tuple(tests)


def over_datasets(learners: int, metrics: tuple[MetricEntry, ...]) -> tuple[Test, ...]:
    """The tests over datasets; of three learners or more an omnibus stands before them."""
    many = learners > 2
    plain = tuple(m.name for m in metrics if not m.has_unit)
    united = tuple(m.name for m in metrics if m.has_unit)
    tests = [_default("iman-davenport", "more than two learners over several datasets")] if many else []
    if plain:
        pairs = "pair by pair; ranks over the whole pool would depend on who else is in it"
        reason = pairs if many else "two learners over several datasets"
        tests.append(_default("wilcoxon", reason, plain if united else ()))
    if united:
        reason = "sizes of a metric with a unit do not compare across datasets"
        tests.append(_default("sign", reason, united if plain else ()))
    return tuple(tests)


def interval(kind: str, metrics: tuple[MetricEntry, ...]) -> Test:
    """The interval of an estimate under a kind of scheme."""
    if kind in ONE_TEST_SET:
        if all(m.name in ("accuracy", "error") for m in metrics):
            return _default("wilson", "one classifier, right or wrong on every test row")
        return _default("bootstrap", "one classifier; the test rows are drawn again")
    if kind == "trainings":
        return _default("training-interval", "disjoint training sets and one test set")
    return _default("corrected-interval", "it allows for training sets that share rows")


def _default(name: str, reason: str, metrics: tuple[str, ...] = ()) -> Test:
    return Test(name=name, metrics=metrics, origin="default", reason=reason)
