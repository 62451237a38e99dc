"""Every test of a plan, computed: one record per pair, dataset and metric, before any correction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TypeVar

from ..errors import EvalangError
from ..plans.families import SELF_ADJUSTING, is_omnibus
from ..plans.model import Comparison, Metric, Test
from ..results.test_result import PostHoc, TestResult
from .apply import apply_many, apply_pair
from .evidence import Evidence

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """One test and its result, or why there is none."""

    comparison: Comparison
    dataset: str | None  # None: over datasets
    metric: Metric
    learners: tuple[str, ...]
    test: Test | None  # None: only described
    result: TestResult | None
    problem: str = ""
    omnibus: bool = False
    posthoc: bool = False
    self_adjusted: bool = False
    critical_difference: float | None = None
    ranks: tuple[float, ...] = ()


def pairs_of(comparison: Comparison, learners: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The pairs a comparison tests: all of them, or the control against each of the others."""
    if comparison.control in learners:
        return tuple((str(comparison.control), name) for name in learners if name != comparison.control)
    return tuple(combinations(learners, 2))


def run_tests(comparison: Comparison, evidence: Evidence) -> Iterator[Tested]:
    """All tests of one comparison, in the order of the plan."""
    for metric in comparison.metrics:
        per_set = [t for t in comparison.tests if not t.metrics or metric.name in t.metrics]
        over = [t for t in comparison.over if not t.metrics or metric.name in t.metrics]
        if comparison.data != "results" or per_set or not over:  # a table of folds is tested on each of its datasets
            for dataset in evidence.datasets:
                yield from _place(comparison, evidence, per_set, metric, dataset, described=not over)
        yield from _place(comparison, evidence, over, metric, None, described=False)


def _place(
    comparison: Comparison, evidence: Evidence, tests: list[Test], metric: Metric, dataset: str | None, described: bool
) -> Iterator[Tested]:
    pairs = pairs_of(comparison, evidence.learners)
    posthoc = any(is_omnibus(t.name) for t in tests)
    blank = Tested(comparison=comparison, dataset=dataset, metric=metric, learners=(), test=None, result=None)
    for test in tests:
        if test.name in SELF_ADJUSTING:
            yield from post_hoc(comparison, evidence, test, metric)
        elif is_omnibus(test.name):
            found, problem = _guarded(partial(apply_many, comparison, evidence, test, metric, dataset))
            whole = found if isinstance(found, TestResult) else None
            yield replace(blank, test=test, learners=evidence.learners, result=whole, problem=problem, omnibus=True)
        else:
            for pair in pairs:
                result, problem = _guarded(partial(apply_pair, comparison, evidence, test, metric, pair, dataset))
                yield replace(blank, test=test, learners=pair, result=result, problem=problem, posthoc=posthoc)
    if not tests and dataset is not None:
        for pair in pairs:
            yield replace(blank, learners=pair, problem=comparison.over_note if described else "")


def post_hoc(comparison: Comparison, evidence: Evidence, test: Test, metric: Metric) -> Iterator[Tested]:
    """Every pair of a post-hoc that tests them at once."""
    found, problem = _guarded(partial(apply_many, comparison, evidence, test, metric, None))
    blank = Tested(
        comparison=comparison,
        dataset=None,
        metric=metric,
        learners=(),
        test=test,
        result=None,
        problem=problem,
        posthoc=True,
    )
    if not isinstance(found, PostHoc):
        yield from (replace(blank, learners=pair) for pair in pairs_of(comparison, evidence.learners))
        return
    for (i, j), result in zip(found.pairs, found.results, strict=True):
        yield replace(
            blank,
            learners=(evidence.learners[i], evidence.learners[j]),
            result=result,
            self_adjusted=found.adjusted,
            critical_difference=found.critical_difference,
            ranks=found.ranks,
        )


def _guarded(compute: Callable[[], R]) -> tuple[R | None, str]:
    """The result, or the sentence of why there is none: one test that cannot be computed stops no other."""
    try:
        return compute(), ""
    except EvalangError as error:
        return None, str(error)
