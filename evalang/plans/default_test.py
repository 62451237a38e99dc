"""Which test is taken when the script names none, and why."""

from __future__ import annotations

from ..catalogue.entry import MetricEntry, SchemeEntry
from ..catalogue.levels import exceeding_words
from .model import Test

_COSTS = ("time", "size")  # what a metric needs, where that is no prediction


def _row_test(metric: MetricEntry, retrained: bool, grouped: bool, graded: bool) -> tuple[str, str]:
    if grouped:
        return "cluster-permutation", "one test set whose rows come in groups: groups are the units"
    if retrained:
        return "retrained-t", "one test set and several trainings: both the rows and the trainings vary"
    if graded:
        return "row-t", "items with degrees of right, or the mean of several samples: the differences of items"
    if metric.name in ("accuracy", "error"):
        return "mcnemar-midp", "one test set: it compares right and wrong row by row"
    if metric.name == "roc-area":
        return "delong", "one test set: both areas rest on the same rows"
    if metric.row_loss:
        above = exceeding_words("row-t", "holdout")
        return "row-t", f"one test set: {metric.name} is a loss of every row{above}"
    return "bootstrap", f"one test set: {metric.name} is not a mean over rows, so the rows are drawn again"


def on_each(
    scheme: SchemeEntry,
    learners: int,
    metrics: tuple[MetricEntry, ...],
    retrained: bool = False,
    grouped: bool = False,
    graded: bool = False,
) -> tuple[tuple[Test, ...], str]:
    """The tests on each dataset, and (where there is none) the reason for that.

    `retrained`: `train N times`. `grouped`: the rows come in groups. `graded`: they have degrees of right.
    """
    if scheme.one_test_set:
        scored = tuple(m for m in metrics if m.needs not in _COSTS)
        why = (
            ""
            if scored or not metrics
            else f"{metrics[0].name} is measured once, which leaves no spread to judge a difference by"
        )
        if grouped:
            fit = tuple(m for m in scored if m.row_loss)
            why = (
                "" if fit or not metrics else f"{metrics[0].name} is no mean over rows, which the test of groups needs"
            )
            return _on_rows(learners, fit, len(metrics), retrained, grouped, graded), why
        return _on_rows(learners, scored, len(metrics), retrained, grouped, graded), why
    if not scheme.test:
        return (), scheme.test_reason
    by_row = scheme.disjoint or scheme.in_time
    fitting = tuple(m.name for m in metrics if m.row_loss or not by_row or _placed(m, scheme))
    if by_row and not fitting:
        return (), f"{scheme.test} needs a metric that is a loss of every row"
    judged = () if len(fitting) == len(metrics) else fitting
    reason = scheme.test_reason + exceeding_words(scheme.test, scheme.kind)
    return (_default(scheme.test, reason, judged),), ""


def _placed(metric: MetricEntry, scheme: SchemeEntry) -> bool:
    """An area over disjoint training sets is judged by what each row adds to it (DeLong's placement values)."""
    return scheme.disjoint and metric.name == "roc-area"


def _on_rows(
    learners: int, metrics: tuple[MetricEntry, ...], of: int, retrained: bool, grouped: bool, graded: bool
) -> tuple[Test, ...]:
    """For these metrics of `of`; a test names its metrics unless it judges all."""
    by_test: dict[str, tuple[str, list[str]]] = {}
    for metric in metrics:
        name, reason = _row_test(metric, retrained, grouped, graded)
        by_test.setdefault(name, (reason, []))[1].append(metric.name)
    tests = []
    for name, (reason, names) in by_test.items():
        judged = () if len(names) == of else tuple(names)
        if name == "mcnemar-midp" and learners > 2:
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
        unread = "pair by pair; with three learners or more in the table iman-davenport is added"
        reason = pairs if many else "two learners over several datasets" if learners else unread
        tests.append(_default("wilcoxon", reason, plain if united else ()))
    if united:
        reason = "sizes of a metric with a unit do not compare across datasets"
        tests.append(_default("sign", reason, united if plain else ()))
    return tuple(tests)


def interval(scheme: SchemeEntry, metrics: tuple[MetricEntry, ...], retrained: bool = False) -> Test:
    """The interval of an estimate under a kind of scheme."""
    if not scheme.one_test_set:
        return _default(scheme.interval, scheme.interval_reason)
    if retrained:
        return _default("retrained-interval", "one test set and several trainings: both vary")
    if all(m.name in ("accuracy", "error") for m in metrics):
        return _default("wilson", "one classifier, right or wrong on every test row")
    return _default("bootstrap", "one classifier; the test rows are drawn again")


def _default(name: str, reason: str, metrics: tuple[str, ...] = ()) -> Test:
    return Test(name=name, metrics=metrics, origin="default", reason=reason)
