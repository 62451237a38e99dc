"""Ending a comparison when it is settled: whether the partitions that are still to come could turn its verdict.

Given the data, partitions are drawn independently of one another. So what the first of them say bounds the statistic
that all of them will have, and a verdict that lies on one side of its critical value for the whole band is the verdict
of the full design (curtailed sampling; lan1982). docs/design/stopping-early.md has the reasons and figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from dataclasses import replace as replaced
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from ..errors import EvalangError, TestError
from ..plans.model import Comparison, Family, Metric, Plan
from ..results.records import Alternative, Decision, Stopped
from ..scores.score_table import ScoreTable
from ..trials.folder import Outcome
from ..trials.run import UNUSED_TRIALS_NOTE
from .adjust import adjust
from .apply import expected_side
from .arithmetic.checks import Floats
from .arithmetic.differences import differences, size_ratio
from .arithmetic.tails import t_pvalue
from .correct import family_of
from .evidence import Evidence, TestSubject, metric_card
from .planned_tests import TestId, pairs_of
from .shapes import fold_scores
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
    n, left = d.shape[0], full.partitions - d.shape[0]
    if n < 2 or left < 0:
        return None
    try:
        statistic, df = _statistic(d, full)
        without = [_statistic(np.delete(d, i, axis=0), full)[0] for i in range(n)]
    except TestError:
        return None
    pseudo = np.array([n * statistic - (n - 1) * one for one in without])
    spread = float(pseudo.std(ddof=1))
    if left and not spread > 0.0:
        return None  # partitions that do not differ say nothing of those that may
    half = (
        -float(scipy.special.stdtrit(n - 1, error / 2)) * spread * math.sqrt(1.0 / n - 1.0 / full.partitions)
        if left
        else 0.0
    )
    low, high = statistic - half, statistic + half
    ends = [t_pvalue(t, df, full.alternative) for t in (low, high)]
    p_high = 1.0 if full.alternative == "two-sided" and low <= 0.0 <= high else max(ends)
    return StatisticBand(statistic=statistic, low=low, high=high, p_low=min(ends), p_high=p_high)


def _statistic(d: Floats, full: Full) -> tuple[float, float]:
    """Return (t, degrees of freedom) of the full design if all its partitions are like these on average."""
    return STATISTICS[full.test](d, full)


def _of_moments(d: Floats, full: Full, factor: float, df: float) -> tuple[float, float]:
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


@dataclass(frozen=True, slots=True)
class Looks:
    """How far the looks of a plan have come: the partitions to run next, and what is settled of each test."""

    plan: Plan
    taken: int = 0  # looks
    found: Mapping[TestId, Stopped] = field(default_factory=dict)
    ended: Mapping[str, int] = field(default_factory=dict)  # comparison -> the look at which it ended

    @property
    def next(self) -> Plan:
        """The plan with the partitions of the look that comes; comparisons without looks have all of theirs."""
        return replaced(self.plan, comparisons=tuple(self._upto(c) for c in self.plan.comparisons))

    def _upto(self, comparison: Comparison) -> Comparison:
        counts = comparison.look_counts
        look = self.ended.get(comparison.name, self.taken + 1)
        return _first(comparison, counts[min(look, len(counts)) - 1]) if counts else comparison

    @property
    def open(self) -> tuple[Comparison, ...]:
        """Comparisons of which a look is still to come after the next."""
        return tuple(
            c for c in self.plan.comparisons if c.name not in self.ended and len(c.look_counts) > self.taken + 1
        )

    def look(self, evidence: Mapping[str, Evidence]) -> Looks:
        """Return the state after one more look at the open comparisons, in the order of partitions, not of arrival."""
        families, found, ended = family_of(self.plan), dict(self.found), dict(self.ended)
        for comparison in self.open:
            waiting = 0
            for member, seen in _members(comparison, evidence[comparison.name]):
                if seen is None or member in found:
                    continue
                stop = _settled(comparison, seen, families.get((comparison.name, "dataset")), self.taken + 1)
                if stop is None:
                    waiting += 1
                else:
                    found[member] = stop
            if not waiting:
                ended[comparison.name] = self.taken + 1
        return replace(self, taken=self.taken + 1, found=found, ended=ended)

    def messages(self, names: Collection[str]) -> Iterator[str]:
        """Yield what the last look has shown of these comparisons."""
        for comparison in (c for c in self.plan.comparisons if c.name in names):
            counts, ends = comparison.look_counts, comparison.name in self.ended
            done = f"after {counts[self.taken - 1]} of {counts[-1]} repeats"
            how = (
                "more repeats would almost certainly not change the verdict"
                if ends
                else "more repeats could still change the verdict"
            )
            yield f"{comparison.name}: interim analysis {self.taken} of {len(counts)}, {done}: {how}"

    @property
    def stops(self) -> dict[TestId, Stopped]:
        """The verdicts of comparisons that ended early, each with the look at which its comparison did.

        A verdict that was settled at an earlier look than its comparison stays what it was: it is that of the full
        design. Where a comparison went on to its end p is known, and nothing is put in its place.
        """
        found = {}
        for comparison in self.plan.comparisons:
            look, counts = self.ended.get(comparison.name), comparison.look_counts
            for member, stop in self.found.items() if look is not None else ():
                if look is not None and member.comparison == comparison.name:
                    found[member] = replace(stop, look=look, partitions=counts[look - 1])
        return found


def _first(comparison: Comparison, partitions: int) -> Comparison:
    """Return the same comparison on its first partitions only."""
    scheme = comparison.scheme
    assert scheme is not None
    return replaced(comparison, scheme=replaced(scheme, partitions=partitions * scheme.card.replications))


def run_looks(
    plan: Plan, trials: Callable[..., Outcome], note: Callable[[Iterator[str]], None]
) -> tuple[Plan, Outcome, dict[TestId, Stopped]]:
    """The trials of one look after the other, until more partitions could not turn a verdict: the plan that was run,
    its outcome, and the verdicts that were settled before the end.

    `trials` runs a plan, in the folder of the look before where there is one; `note` gets what each look has shown.
    """
    looks, ran, notes, first = Looks(plan), 0, dict[str, None](), None
    folder: Path | None = None
    while True:
        now = looks.next
        outcome = trials(now, folder)
        ran += outcome.ran
        outcome = replace(outcome, ran=ran, reused=outcome.reused + outcome.ran - ran)
        waiting = {c.name for c in looks.open} if outcome.complete else set()
        if waiting:
            looks = looks.look({c.name: ScoreTable(c, outcome) for c in now.comparisons if c.name in waiting})
            note(looks.messages(waiting))
        if not waiting or looks.next.comparisons == now.comparisons:
            unique = tuple(notes | dict.fromkeys(outcome.notes))
            return now, replace(outcome, notes=unique, temporary_folder=(first, outcome.temporary_folder)), looks.stops
        notes |= dict.fromkeys(one for one in outcome.notes if UNUSED_TRIALS_NOTE not in one)
        first = first or outcome.temporary_folder  # keeps a temporary folder alive
        folder = outcome.folder


@dataclass(frozen=True, slots=True)
class _Seen:
    """The fold scores of a pair so far, and what is asked of them."""

    a: Floats
    b: Floats
    ratio: float
    test: str
    metric: Metric
    alternative: Alternative


def _members(comparison: Comparison, evidence: Evidence) -> Iterator[tuple[TestId, _Seen | None]]:
    """Yield every test of a comparison; None where a score is missing, which no further partition mends."""
    for metric in comparison.metrics:
        for test in (t for t in comparison.tests if not t.metrics or metric.name in t.metrics):
            for dataset in evidence.datasets:
                for pair in pairs_of(comparison, evidence.learners):
                    member = TestId(comparison.name, dataset, metric.label, pair, test.name)
                    try:
                        at = TestSubject(
                            comparison=comparison, evidence=evidence, metric=metric, learners=pair, dataset=dataset
                        )
                        shown = fold_scores(at)
                        ratio = size_ratio(shown["train_size"], shown["test_size"], test.name)
                    except EvalangError:
                        yield member, None
                        continue
                    sides = expected_side(comparison, metric, pair)
                    yield member, _Seen(shown["first"], shown["second"], ratio, test.name, metric, sides)


def _settled(comparison: Comparison, seen: _Seen, family: Family | None, look: int) -> Stopped | None:
    """Return the verdict of the full design, where the whole band is on one side of its critical value."""
    counts = comparison.look_counts
    full = Full(test=seen.test, partitions=counts[-1], ratio=seen.ratio, alternative=seen.alternative)
    method, size, alpha = ("uncorrected", 1, comparison.alpha.value)
    if family is not None:
        method, size, alpha = family.method, family.size, family.alpha
    shared = 1 if method == "uncorrected" else size
    found = band(seen.a, seen.b, full, ERROR / (len(counts) - 1) / shared)
    if found is None:
        return None
    low, high = (adjust([p], method, planned=shared)[0] or 0.0 for p in (found.p_low, found.p_high))
    decision: Decision = "not-settled"
    if high <= alpha:
        mean = float(np.mean(seen.a) - np.mean(seen.b))
        if mean * found.statistic <= 0.0:
            return None  # the mean t and the mean difference point to different sides
        decision = "first-better" if mean * metric_card(seen.metric).sign > 0 else "second-better"
    elif low <= alpha:
        return None
    return Stopped(
        look=look,
        looks=len(counts),
        partitions=counts[look - 1],
        of=counts[-1],
        decision=decision,
        p_low=low,
        p_high=high,
    )
