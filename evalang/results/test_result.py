"""What a statistical test returns: one frozen record, the same fields always present.

A result never says "significant": that is the verdict's word, after the correction of the whole family.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Alternative = Literal["two-sided", "greater", "less"]  # of the first learner's raw score against the second's

# single: covers in its level's share of cases by itself. simultaneous: all of its family cover together.
# false-coverage: of those selected for a small p, the level's share covers on average.
Kind = Literal["single", "simultaneous", "false-coverage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval of the difference (or of a score) that belongs to the same test."""

    low: float
    high: float
    level: float
    method: str
    kind: Kind = "single"
    members: int = 1  # tests that a simultaneous or false-coverage interval reckons with


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """An effect size fit for paired data: Cohen's dz, matched-pairs rank biserial, odds ratio, Kendall's W, ..."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """Probabilities that the second learner is practically better, neither is, or the first is; they add up to 1."""

    p_left: float
    p_rope: float
    p_right: float
    rope: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """Numbers of one test. `difference` is first minus second, in the metric's own direction and unit."""

    __test__ = False

    test: str
    statistic: float | None
    statistic_name: str
    pvalue: float | None  # None only for a Bayesian test, which has a posterior
    df: tuple[float, ...]
    alternative: Alternative
    difference: float | None
    interval: Interval | None
    effect: Effect | None
    wins: int
    ties: int
    losses: int
    n_units: int
    unit: str
    method: str  # the one really used, and why: "exact: 12 disagreements are fewer than 25"
    posterior: Posterior | None = None
    ranks: tuple[float, ...] = ()  # mean ranks, 1 is best; tests of many learners
    dropped: int = 0  # zeros left out by the named convention
    details: tuple[tuple[str, float], ...] = ()  # further numbers of this very test, by name
    notes: tuple[str, ...] = ()  # sentences for degenerate cases
    unmet: tuple[str, ...] = ()  # conditions of the test that these very numbers do not meet, one sentence each


@dataclass(frozen=True, slots=True, kw_only=True)
class PostHoc:
    """A test of many pairs at once. `pairs[i]` are the columns that `results[i]` compares."""

    test: str
    pairs: tuple[tuple[int, int], ...]
    results: tuple[TestResult, ...]  # p-values already adjusted by the test itself where it does (nemenyi)
    ranks: tuple[float, ...]
    critical_difference: float | None
    adjusted: bool  # p-values are family-wise already: no further correction over learners
