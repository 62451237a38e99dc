"""Every test of a plan, computed: one record per pair, dataset and metric, before correction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, TypeVar

from ..errors import EvalangError
from ..plans.families import SELF_ADJUSTING, is_omnibus
from ..plans.model import Comparison, Test
from ..results.records import PostHoc, TestResult
from ..scores.evidence import Evidence
from .apply import apply_many, apply_pair
from .shapes import TestSubject

R = TypeVar("R")


class TestId(NamedTuple):
    """The name of one test of a plan, which leads to its verdict."""

    comparison: str
    dataset: str | None
    metric: str  # its label
    learners: tuple[str, ...]
    test: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestOutcome(TestSubject):
    """One test and its result, or why there is none."""

    test: Test | None = None  # None: only described
    result: TestResult | None = None
    problem: str = ""
    omnibus: bool = False
    gate: bool = False  # an omnibus with pairs after it
    posthoc: bool = False
    self_adjusted: bool = False
    critical_difference: float | None = None
    ranks: tuple[float, ...] = ()

    @property
    def pvalue(self) -> float | None:
        """The p-value before correction."""
        return self.result.pvalue if self.result is not None else None


def pairs_of(comparison: Comparison, learners: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the pairs a comparison tests: all of them, or the control against each of the others."""
    if comparison.control in learners:
        return tuple((str(comparison.control), name) for name in learners if name != comparison.control)
    return tuple(combinations(learners, 2))


def run_tests(comparison: Comparison, evidence: Evidence) -> Iterator[TestOutcome]:
    """Yield all tests of one comparison, in the order of the plan."""
    for metric in comparison.metrics:
        template = TestOutcome(
            comparison=comparison, evidence=evidence, metric=metric, learners=evidence.learners, dataset=None
        )
        judged = metric in comparison.judged
        per_dataset = [t for t in comparison.tests if judged and (not t.metrics or metric.name in t.metrics)]
        over = [t for t in comparison.over if judged and (not t.metrics or metric.name in t.metrics)]
        if comparison.data != "results" or per_dataset or not over:  # a table of folds is tested on each dataset
            for dataset in evidence.datasets:
                problem = "" if over else comparison.over_note
                problem = (
                    problem
                    if judged
                    else (f"it is reported without a test, because {comparison.primary} is the primary metric")
                )
                yield from _run_tests_at(replace(template, dataset=dataset, problem=problem), per_dataset)
        yield from _run_tests_at(template, over)


def _run_tests_at(template: TestOutcome, tests: list[Test]) -> Iterator[TestOutcome]:
    """Yield all tests of the subject of `template`; without a test, every pair with the problem of `template`."""
    pairs = pairs_of(template.comparison, template.learners)
    posthoc = any(is_omnibus(t.name) for t in tests)
    gate = not all(is_omnibus(t.name) for t in tests)
    for test in tests:
        asked = replace(template, test=test)
        if test.name in SELF_ADJUSTING:
            yield from run_post_hoc(asked)
        elif is_omnibus(test.name):
            whole = replace(asked.among(template.learners), omnibus=True, gate=gate)
            found, problem = _apply(apply_many, whole)
            yield replace(whole, result=found if isinstance(found, TestResult) else None, problem=problem)
        else:
            for pair in pairs:
                one = asked.among(pair)
                result, problem = _apply(apply_pair, one)
                yield replace(one, result=result, problem=problem, posthoc=posthoc)
    if not tests and template.dataset is not None:
        yield from map(template.among, pairs)


def run_post_hoc(template: TestOutcome) -> Iterator[TestOutcome]:
    """Yield every pair of a post-hoc that tests all learners of `template` at once."""
    learners, template = template.learners, replace(template, result=None, posthoc=True)
    found, problem = _apply(apply_many, template.among(learners))
    if not isinstance(found, PostHoc):
        for pair in pairs_of(template.comparison, learners):
            yield replace(template.among(pair), problem=problem)
        return
    for (i, j), result in zip(found.pairs, found.results, strict=True):
        yield replace(
            template.among((learners[i], learners[j])),
            result=result,
            self_adjusted=found.adjusted,
            critical_difference=found.critical_difference,
            ranks=found.ranks,
        )


def _apply(apply: Callable[[TestSubject, Test], R], one: TestOutcome) -> tuple[R | None, str]:
    """Return the result, or the sentence of why there is none: one test that cannot be computed stops no other."""
    assert one.test is not None
    try:
        return apply(one, one.test), ""
    except EvalangError as error:
        return None, str(error)
