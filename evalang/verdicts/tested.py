"""Every test of a plan, computed: one record per pair, dataset and metric, uncorrected; shuffled labels too.

What could not be computed whoever learns is refused before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import replace as replaced
from functools import partial
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple, TypeVar

import numpy as np

from ..catalogue.tests import find_test
from ..data.table import Table
from ..errors import EvalangError
from ..plans.families import SELF_ADJUSTING, is_omnibus
from ..plans.model import Comparison, Metric, Plan, Test
from ..results.records import Alternative, PostHoc, TestResult
from .apply import PairPlace, apply_many, apply_pair, metric_card, rng_of
from .evidence import Evidence
from .tests.randomization import randomization

SHUFFLES = 99  # the smallest number that can reach p = 0.01
MOST = 10_000


# They exist on every part that has a row.
ALWAYS_THERE = frozenset((
    "accuracy", "error", "balanced-accuracy", "precision", "f-score", "kappa", "mcc", "brier", "root-brier",
    "cross-entropy", "rmse", "mae", "fit-time", "predict-time", "size",
))  # fmt: skip
_BY_UNIT = ("grouped-rows", "timed-rows", "row-scores", "training-losses")  # evidence that a test part may lack


def may_lack(metric: Metric, table: Table) -> bool:
    """Whether some part of a table may have no such score."""
    return metric.card is not None and (metric.card.name not in ALWAYS_THERE or table.weights is not None)


def refuse_foreseen(plan: Plan, tables: Mapping[str, Table]) -> None:
    """DataError where the divided rows already tell that a score or a test could not be computed."""
    learners = {learner.name: learner for learner in plan.learners}
    for comparison in plan.comparisons:
        if comparison.data != "datasets" or comparison.scheme is None or comparison.guarded:
            continue
        judged = any((card := find_test(t.name)) and card.evidence in _BY_UNIT for t in comparison.tests)
        tuned_for = comparison.tuning is not None and comparison.tuning.value.metric is not None
        asked = judged or tuned_for or comparison.calibration is not None
        for table in (tables[name] for name in comparison.datasets):
            if asked or any(may_lack(m, table) for m in comparison.metrics):
                from .foreseen import DividedRows

                DividedRows(comparison, table).check(learners[x] for x in comparison.learners if x in learners)


def shuffles_of(comparison: Comparison) -> int:
    """How many shuffles an estimate asks for; 0 when it is not judged by randomization."""
    for test in comparison.tests:
        if test.name == "randomization":
            asked = dict(test.options).get("shuffles", SHUFFLES)
            return min(max(int(asked), 1), MOST) if isinstance(asked, int | float) else SHUFFLES
    return 0


def shuffled(plan: Plan, tables: Mapping[str, Table]) -> tuple[Plan, dict[str, Table]]:
    """The plan with one more estimate for every shuffle, and the tables with shuffled targets."""
    comparisons: list[Comparison] = list(plan.comparisons)
    found = dict(tables)
    for comparison in plan.comparisons:
        for number in range(shuffles_of(comparison)):
            names = tuple(_name(d, comparison, number) for d in comparison.datasets)
            comparisons.append(replaced(comparison, name=_name(comparison.name, comparison, number), datasets=names))
            for dataset, name in zip(comparison.datasets, names, strict=True):
                found[name] = _shuffle(tables[dataset], name, comparison, number)
    return replaced(plan, comparisons=tuple(comparisons)), found


def _name(word: str, comparison: Comparison, number: int) -> str:
    return f"{word} ({comparison.name}, shuffle {number + 1})"


def _shuffle(table: Table, name: str, comparison: Comparison, number: int) -> Table:
    rng = rng_of(comparison, "shuffle", table.name, str(number))
    order = rng.permutation(table.rows)
    mark = sha256(
        f"{table.content_hash} {comparison.seed.value if comparison.seed else 0} {number}".encode()
    ).hexdigest()
    return dataclasses.replace(table, name=name, y=table.y[order], content_hash=mark)


def judged(comparison: Comparison, dataset: str, metric: str, evidence: Mapping[str, Evidence]) -> TestResult | None:
    """The score on the true labels against those on shuffled ones."""
    count = shuffles_of(comparison)
    if not count:
        return None
    observed = _score(evidence[comparison.name], dataset, metric)
    scores = [
        _score(evidence[_name(comparison.name, comparison, i)], _name(dataset, comparison, i), metric)
        for i in range(count)
    ]
    card = metric_card(next(m for m in comparison.metrics if m.label == metric))
    side: Alternative = "greater" if card.higher_is_better else "less"
    return randomization(observed, np.array(scores), alternative=side, level=1.0 - comparison.alpha.value)


def _score(evidence: Evidence, dataset: str, metric: str) -> float:
    return float(evidence.fold_scores(dataset, metric)[evidence.learners[0]].mean())


R = TypeVar("R")


class Member(NamedTuple):
    """Which test of a plan: what one of its verdicts is known by."""

    comparison: str
    dataset: str | None
    metric: str  # its label
    learners: tuple[str, ...]
    test: str


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
        unsaid = Tested(comparison=comparison, dataset=None, metric=metric, learners=(), test=None, result=None)
        per_set = [t for t in comparison.tests if not t.metrics or metric.name in t.metrics]
        over = [t for t in comparison.over if not t.metrics or metric.name in t.metrics]
        if comparison.data != "results" or per_set or not over:  # a table of folds is tested on each of its datasets
            for dataset in evidence.datasets:
                blank = replace(unsaid, dataset=dataset, problem="" if over else comparison.over_note)
                yield from _place(blank, evidence, per_set)
        yield from _place(unsaid, evidence, over)


def _place(blank: Tested, evidence: Evidence, tests: list[Test]) -> Iterator[Tested]:
    """All tests in the place of `blank`; without one it says for every pair what its `problem` says."""
    comparison, metric, dataset = blank.comparison, blank.metric, blank.dataset
    pairs = pairs_of(comparison, evidence.learners)
    posthoc = any(is_omnibus(t.name) for t in tests)
    for test in tests:
        if test.name in SELF_ADJUSTING:
            yield from post_hoc(comparison, evidence, test, metric)
        elif is_omnibus(test.name):
            found, problem = _guarded(partial(apply_many, comparison, evidence, test, metric, dataset))
            whole = found if isinstance(found, TestResult) else None
            yield replace(blank, test=test, learners=evidence.learners, result=whole, problem=problem, omnibus=True)
        else:
            for pair in pairs:
                result, problem = _guarded(
                    partial(
                        apply_pair,
                        PairPlace(comparison=comparison, evidence=evidence, metric=metric, pair=pair, dataset=dataset),
                        test,
                    )
                )
                yield replace(blank, test=test, learners=pair, result=result, problem=problem, posthoc=posthoc)
    if not tests and dataset is not None:
        for pair in pairs:
            yield replace(blank, learners=pair)


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
