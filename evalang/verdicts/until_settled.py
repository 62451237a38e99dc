"""Ending a comparison when it is settled: whether the partitions that are still to come could turn its verdict.

Given the data, partitions are drawn independently of one another. So what the first of them say bounds the statistic
that all of them will have, and a verdict that lies on one side of its critical value for the whole band is the verdict
of the full design (curtailed sampling; lan1982). docs/design/stopping-early.md has the reasons and figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from ..errors import EvalangError, TestError
from ..plans.model import Comparison, Family, Plan
from ..results.records import Alternative, Decision, Stopped
from ..scores.evidence import Evidence
from ..scores.score_table import ScoreTable
from ..trials.folder import Outcome
from ..trials.run import UNUSED_TRIALS_NOTE
from .apply import expected_side
from .arithmetic.checks import Floats
from .arithmetic.differences import differences, size_ratio
from .arithmetic.tails import t_pvalue
from .correct import adjust, family_of
from .planned_tests import TestId, pairs_of
from .shapes import TestSubject, fold_scores, metric_card
from .tests.partition_tests import student_of_partition

ERROR = 0.005  # of all looks together: what a verdict may differ from that of the full design


@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """The design as declared: which test on how many partitions, and the ratio of test to training rows."""

    test: str
    partitions: int
    ratio: float
    alternative: Alternative = "two-sided"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticBand:
    """Where the statistic of the full design will be, and the p-values there."""

    statistic: float  # of the full design, were the partitions to come like those that are there
    low: float
    high: float
    p_low: float
    p_high: float


def band(a: Any, b: Any, full: Full, error: float) -> StatisticBand | None:
    """Return the band of the full design's statistic from the first partitions; None without variation or t.

    The statistic is a function of means over partitions. Its value with each partition left out in turn (the
    jackknife) says how much one partition moves it, and of N partitions of which n are there the mean still moves by
    s sqrt(1/n - 1/N); n - 1 degrees of freedom.
    """
    d = differences(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    n, left, of = d.shape[0], full.partitions - d.shape[0], STATISTICS[full.test]
    if n < 2 or left < 0:
        return None
    try:
        statistic, df = of(d, full)
        without = [of(np.delete(d, i, axis=0), full)[0] for i in range(n)]
    except TestError:
        return None
    spread, half = float(np.std([n * statistic - (n - 1) * one for one in without], ddof=1)), 0.0
    if left:
        if not spread > 0.0:
            return None  # partitions that do not differ say nothing of those that may
        half = -float(scipy.special.stdtrit(n - 1, error / 2)) * spread * math.sqrt(1.0 / n - 1.0 / full.partitions)
    low, high = statistic - half, statistic + half
    ends = [t_pvalue(t, df, full.alternative) for t in (low, high)]
    p_high = 1.0 if full.alternative == "two-sided" and low <= 0.0 <= high else max(ends)
    return StatisticBand(statistic=statistic, low=low, high=high, p_low=min(ends), p_high=p_high)


def _of_moments(d: Floats, full: Full, factor: float, df: float) -> tuple[float, float]:
    """Return (t, degrees of freedom) of the full design if all its partitions are like these on average."""
    folds = full.partitions * d[0].size
    mean = math.fsum(d.ravel()) / d.size
    variance = math.fsum(((d - mean) ** 2).ravel()) / d.size * folds / (folds - 1)
    if not variance > 0.0:
        raise TestError("the differences do not vary")
    return mean / math.sqrt(factor * variance), df


def _partition_t(d: Floats, full: Full) -> tuple[float, float]:
    return _of_moments(d, full, full.ratio / (1.0 + full.ratio) + full.ratio, d[0].size - 1.0)


def _corrected_t(d: Floats, full: Full) -> tuple[float, float]:
    folds = full.partitions * d[0].size
    return _of_moments(d, full, 1.0 / folds + full.ratio, folds - 1.0)


def _averaged_t(d: Floats, full: Full) -> tuple[float, float]:
    students = [student_of_partition(part) for part in d]
    return math.fsum(0.0 if s.se == 0.0 else s.t() for s in students) / len(students), students[0].df


STATISTICS: dict[str, Callable[[Floats, Full], tuple[float, float]]] = {  # those of catalogue/tests: CURTAILED
    "partition-t": _partition_t,
    "corrected-t": _corrected_t,
    "averaged-t": _averaged_t,
}


def run_until_settled(
    plan: Plan, trials: Callable[..., Outcome], note: Callable[[Iterator[str]], None]
) -> tuple[Plan, Outcome, dict[TestId, Stopped]]:
    """Return the plan that was run, its outcome, and the verdicts that were reached before the end.

    The trials of one interim look are run after those of the other, until more partitions could not change a verdict.
    `trials` runs a plan, in the folder of the look before if there is one; `note` gets what each look has shown.
    """
    families, settled, ended = family_of(plan), dict[TestId, Stopped](), dict[str, int]()
    ran, notes, first, look, following = 0, dict[str, None](), None, 0, _plan_at(plan, 1, {})
    folder: Path | None = None
    while True:
        now, look = following, look + 1
        outcome = trials(now, folder)
        ran += outcome.ran
        outcome = replace(outcome, ran=ran, reused=outcome.reused + outcome.ran - ran)
        waiting = [c for c in plan.comparisons if c.name not in ended and len(c.look_counts) > look]
        if waiting and outcome.complete:
            tables = {c.name: ScoreTable(c, outcome) for c in now.comparisons}
            for c in waiting:
                if _settle(c, tables[c.name], families.get((c.name, "dataset")), look, settled):
                    ended[c.name] = look
            note(_messages(waiting, look, ended))
            following = _plan_at(plan, look + 1, ended)
        if following is now or following.comparisons == now.comparisons:
            unique = tuple(notes | dict.fromkeys(outcome.notes))
            outcome = replace(outcome, notes=unique, temporary_folder=(first, outcome.temporary_folder))
            return now, outcome, _stops(plan, settled, ended)
        notes |= dict.fromkeys(one for one in outcome.notes if UNUSED_TRIALS_NOTE not in one)
        first = first or outcome.temporary_folder  # keeps a temporary folder alive
        folder = outcome.folder


def _plan_at(plan: Plan, look: int, ended: Mapping[str, int]) -> Plan:
    """Return the plan with the partitions of a look; comparisons that have ended keep those of their last one."""
    return replace(plan, comparisons=tuple(_upto(c, ended.get(c.name, look)) for c in plan.comparisons))


def _upto(comparison: Comparison, look: int) -> Comparison:
    """Return the comparison on the partitions of a look; one without looks has all of them."""
    counts, scheme = comparison.look_counts, comparison.scheme
    if not counts or scheme is None:
        return comparison
    partitions = counts[min(look, len(counts)) - 1]
    return replace(comparison, scheme=replace(scheme, partitions=partitions * scheme.card.replications))


def _messages(waiting: list[Comparison], look: int, ended: Mapping[str, int]) -> Iterator[str]:
    """Yield what a look has shown of these comparisons."""
    for comparison in waiting:
        counts, change = comparison.look_counts, "could still change the verdict"
        done = f"after {counts[look - 1]} of {counts[-1]} repeats"
        if comparison.name in ended:
            change = "would almost certainly not change the verdict"
        yield f"{comparison.name}: interim analysis {look} of {len(counts)}, {done}: more repeats {change}"


def _stops(plan: Plan, settled: Mapping[TestId, Stopped], ended: Mapping[str, int]) -> dict[TestId, Stopped]:
    """Return the verdicts of comparisons that ended early, each with the look at which its comparison did.

    A verdict that was settled at an earlier look than its comparison stays what it was: it is that of the full
    design. Where a comparison went on to its end p is known, and nothing is put in its place.
    """
    counts = {c.name: c.look_counts for c in plan.comparisons}
    return {
        member: replace(stop, look=look, partitions=counts[member.comparison][look - 1])
        for member, stop in settled.items()
        if (look := ended.get(member.comparison)) is not None
    }


def _settle(
    comparison: Comparison, evidence: Evidence, family: Family | None, look: int, settled: dict[TestId, Stopped]
) -> bool:
    """Add the tests that are settled now; return whether none is left open.

    A test with a missing score is not waited for: no further partition mends it.
    """
    done = True
    for metric in comparison.metrics:
        for test in (t for t in comparison.tests if not t.metrics or metric.name in t.metrics):
            for dataset in evidence.datasets:
                for pair in pairs_of(comparison, evidence.learners):
                    member = TestId(comparison.name, dataset, metric.label, pair, test.name)
                    at = TestSubject(
                        comparison=comparison, evidence=evidence, metric=metric, learners=pair, dataset=dataset
                    )
                    if member in settled:
                        continue
                    try:
                        stop = _settled(at, test.name, family, look)
                    except EvalangError:
                        continue
                    if stop is None:
                        done = False
                    else:
                        settled[member] = stop
    return done


def _settled(at: TestSubject, test: str, family: Family | None, look: int) -> Stopped | None:
    """Return the verdict of the full design, where the whole band is on one side of its critical value."""
    comparison, counts, shown = at.comparison, at.comparison.look_counts, fold_scores(at)
    ratio = size_ratio(shown["train_size"], shown["test_size"], test)
    side = expected_side(comparison, at.metric, at.learners)
    full = Full(test=test, partitions=counts[-1], ratio=ratio, alternative=side)
    method, size, alpha = ("uncorrected", 1, comparison.alpha.value)
    if family is not None:
        method, size, alpha = family.method, family.size, family.alpha
    shared = 1 if method == "uncorrected" else size
    a, b = shown["first"], shown["second"]
    found = band(a, b, full, ERROR / (len(counts) - 1) / shared)
    if found is None:
        return None
    low, high = (adjust([p], method, planned=shared)[0] or 0.0 for p in (found.p_low, found.p_high))
    decision: Decision = "not-settled"
    if high <= alpha:
        mean = float(np.mean(a) - np.mean(b))
        if mean * found.statistic <= 0.0:
            return None  # the mean t and the mean difference point to different sides
        decision = "first-better" if mean * metric_card(at.metric).sign > 0 else "second-better"
    elif low <= alpha:
        return None
    partitions, of = counts[look - 1], counts[-1]
    return Stopped(
        look=look, looks=len(counts), partitions=partitions, of=of, decision=decision, p_low=low, p_high=high
    )
