"""What a result from a file keeps to beside the kinds of its fields: numbers in their ranges, columns of one length,
names of its own plan, and verdicts that follow from their p-values. A report says what the result says, so a result
that nobody can have found is not reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from .numbers import higher_is_better
from .records import (
    Curve,
    Effect,
    Estimate,
    Interval,
    ItemScores,
    LearnerCost,
    LearnerScore,
    MissingScore,
    OnThese,
    PartitionResult,
    Posterior,
    Power,
    Ranking,
    Scores,
    Stopped,
    TestResult,
    Tried,
    Verdict,
)
from .run_aggregates import Aggregate, Improvement, PerformanceProfile, Runs
from .training_choice import TrainingChoice

if TYPE_CHECKING:
    from ..plans.model import Plan
    from .run_result import RunResult

ROUNDING = 1e-9  # sums of probabilities, and 1 - 0.95
MOST = 2**53  # a larger count is exact in no table
_Range = tuple[float, float]
_SHARE: _Range = (-ROUNDING, 1.0 + ROUNDING)
_LEVEL: _Range = (math.ulp(0.0), 1.0)
_COUNT: _Range = (0, MOST)
_FROM_ONE: _Range = (1, MOST)
_PLACE: _Range = (-1, MOST)  # of a partition or a fold; -1: all together
_NUMBER: _Range = (-1.7e308, 1.7e308)  # any that is finite; the ends of intervals alone may be open
_SIZE: _Range = (0.0, 1.7e308)
_AT: Mapping[str, _Range] = {"partition": _PLACE, "fold": _PLACE, "training": _COUNT}
_RANGES: Mapping[str, Mapping[str, _Range]] = {
    kind.__name__: known
    for kind, known in (
        (Interval, {"level": _LEVEL, "members": _COUNT}),
        (Posterior, {"p_left": _SHARE, "p_rope": _SHARE, "p_right": _SHARE, "rope": _SIZE}),
        (Effect, {"value": (-math.inf, math.inf)}),
        (TestResult, {
            "pvalue": _SHARE, "difference": _NUMBER, "wins": _COUNT, "ties": _COUNT, "losses": _COUNT,
            "n_units": _COUNT, "dropped": _COUNT,
        }),
        (LearnerScore, {"mean": _NUMBER, "spread": _SIZE, "n": _COUNT}),
        (Power, {"difference": _NUMBER, "power": _SHARE, "smallest": _SIZE, "needed": _COUNT}),
        (OnThese, {"difference": _NUMBER, "places": _COUNT}),
        (Stopped, {
            "look": _FROM_ONE, "looks": _FROM_ONE, "partitions": _COUNT, "of": _COUNT, "p_low": _SHARE, "p_high": _SHARE
        }),
        (Verdict, {
            "adjusted_p": _SHARE, "alpha": _LEVEL, "family_size": _COUNT, "family_missing": _COUNT,
            "family_blocks": _COUNT, "settled_pairs": _COUNT, "rope": _SIZE,
        }),
        (Ranking, {"n_datasets": _COUNT, "critical_difference": _SIZE}),
        (Estimate, {"score": _NUMBER, "spread": _SIZE, "n_units": _COUNT}),
        (MissingScore, _AT),
        (PartitionResult, {"partition": _PLACE, "pvalue": _SHARE}),
        (Curve, {"partition": _PLACE, "fold": _PLACE}),
        (Tried, {"partition": _PLACE, "fold": _PLACE, "score": _NUMBER}),
        (TrainingChoice, {**_AT, "threshold": _NUMBER, "rounds": _COUNT}),
        (LearnerCost, {"trials": _COUNT, "fit": _SIZE, "predict": _SIZE, "trial": _SIZE, "total": _SIZE,
                       "memory": _COUNT}),
        (Aggregate, {"value": _NUMBER}),
        (Improvement, {"probability": _SHARE, "tasks": _COUNT, "order": _SHARE}),
        (Runs, {"runs": _COUNT, "tasks": _COUNT, "needed": _COUNT}),
    )
} | {
    "DatasetFacts": {
        "rows": _COUNT, "features": _COUNT, "classes": _COUNT, "smallest_class": _SHARE, "missing": _SHARE,
        "groups": _COUNT, "series": _COUNT,
    },
    "Baseline": {"score": _NUMBER},
    "SimulationOutcome": {"rate": _SHARE, "trials": _COUNT},
    "LookCount": {"number": _FROM_ONE, "declared": _COUNT},
    "RunResult": {"trials": _COUNT, "reused": _COUNT},
}  # fmt: skip


def unsound(run: RunResult) -> str:
    """The first thing that is wrong, in words that follow "it says"; "" for a result that holds together."""
    return next(_wrong(run), "")


def _wrong(run: RunResult) -> Iterator[str]:
    if said := out_of_range(run):
        yield said
    yield from _levels(run.plan)
    owners = {c.name: frozenset(c.learners) for c in run.plan.comparisons}
    for verdict in run.verdicts:
        yield from _names(verdict.comparison, verdict.learners, owners)
        yield from _verdict(verdict)
    for outcome in run.claims:
        for verdict in outcome.verdicts:
            yield from _verdict(verdict)
    for one in run.estimates:
        yield from _names(one.comparison, (one.learner,), owners)
    for ranking in run.rankings:
        yield from _names(ranking.comparison, ranking.learners, owners)
        yield from _ranking(ranking)
    yield from _scores(run.scores)
    yield from _scores(run.halves)
    yield from (said for items in run.items for said in _items(items))
    for curve in run.curves:
        if len(curve.x) != len(curve.y) or len(curve.weight) not in (0, len(curve.x)):
            yield f"a {curve.kind} curve has {len(curve.x)} and {len(curve.y)} coordinates"
        yield from _finite(f"a {curve.kind} curve", (*curve.x, *curve.y, *curve.weight))
    for profile in (profile for runs in run.runs for profile in runs.profiles):
        yield from _profile(profile)


def out_of_range(value: Any) -> str:
    """The first number of a record, or of one inside it, that cannot be; asked of half a million verdicts.

    >>> out_of_range(Interval(low=0.0, high=0.1, level=7.0, method="t"))
    'level 7'
    """
    kind: Any = type(value)
    ranges, inner, more = _known(kind)
    for name, low, high in ranges:
        number = getattr(value, name)
        if number is not None and not low <= number <= high:
            return f"{name} {_short(number)}"
    for name in inner:
        held = getattr(value, name)
        for one in held if type(held) is tuple else (held,):
            if one is not None and (said := out_of_range(one)):
                return said
    return more(value) if more is not None else ""


def _interval(value: Interval) -> str:
    return f"interval from {_short(value.low)} to {_short(value.high)}" if value.low > value.high else ""


def _posterior(value: Posterior) -> str:
    whole = value.p_left + value.p_rope + value.p_right
    return "probabilities that do not add up to 1" if abs(whole - 1.0) > 1e-6 else ""


_MORE: Mapping[type, Callable[[Any], str]] = {Interval: _interval, Posterior: _posterior}
_Known = tuple[tuple[tuple[str, float, float], ...], tuple[str, ...], Callable[[Any], str] | None]


@lru_cache(maxsize=64)
def _known(kind: Any) -> _Known:
    """The fields of a kind that have a range, and those that hold other records."""
    ranges = tuple((name, low, high) for name, (low, high) in _RANGES.get(kind.__name__, {}).items())
    hints = get_type_hints(kind) if hasattr(kind, "__dataclass_fields__") else {}  # findings hold none of its numbers
    inner = tuple(name for name, hint in hints.items() if any(map(is_dataclass, _within(hint))))
    return ranges, inner, _MORE.get(kind)


def _within(hint: Any) -> Iterator[Any]:
    yield hint
    for one in get_args(hint):
        yield from _within(one)


def _short(number: float) -> str:
    return f"{number:.6g}" if isinstance(number, float) or abs(number) < MOST else "beyond all counting"


def _levels(plan: Plan) -> Iterator[str]:
    for level in (*(c.alpha.value for c in plan.comparisons), *(family.alpha for family in plan.families)):
        if not 0.0 < level < 1.0:
            yield f"level {_short(level)}"


def _names(comparison: str, learners: Iterable[str], owners: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Each of a comparison of the plan; a table that is compared whole names its learners when it is read."""
    if comparison not in owners:
        yield f"there is a comparison {comparison[:40]}, which its plan does not have"
    elif owners[comparison]:
        for name in learners:
            if name not in owners[comparison]:
                yield f"{comparison[:40]} compares {name[:40]}, which its plan does not"


def _verdict(v: Verdict) -> Iterator[str]:
    if v.scores and tuple(one.learner for one in v.scores) != v.learners:
        yield "scores are of other learners than their verdict"
    if v.differences and len(v.differences) != len(v.datasets):
        yield f"{len(v.differences)} differences on {len(v.datasets)} datasets"
    if not v.settled:
        return
    if v.test is None:
        yield f"{v.decision} without a test"
        return
    found = v.test.posterior
    if v.stopped is not None:
        if v.stopped.p_high > v.alpha + ROUNDING:
            yield f"{v.decision} with p up to {_short(v.stopped.p_high)} at level {_short(v.alpha)}"
    elif found is not None:
        if max(found.p_left, found.p_rope, found.p_right) < 0.5:
            yield f"{v.decision} with no probability above one half"
    elif v.adjusted_p is None or v.adjusted_p > v.alpha + ROUNDING:
        seen = "no p" if v.adjusted_p is None else f"p {_short(v.adjusted_p)}"
        yield f"{v.decision} with {seen} at level {_short(v.alpha)}"
    ahead = (v.test.difference or 0.0) * (1 if higher_is_better(v.metric) else -1)
    behind = "first-better" if ahead < 0 else "second-better" if ahead > 0 else ""
    if found is None and v.decision == behind:
        yield f"{v.decision} with a difference of {_short(v.test.difference or 0.0)}"


def _ranking(ranking: Ranking) -> Iterator[str]:
    if len(ranking.ranks) != len(ranking.learners):
        yield f"{len(ranking.ranks)} ranks of {len(ranking.learners)} learners"
    if any(not 1.0 - ROUNDING <= rank <= len(ranking.learners) + ROUNDING for rank in ranking.ranks):
        yield "a rank that no learner can have"
    if not {name for pair in (*ranking.joined, *ranking.untested) for name in pair} <= set(ranking.learners):
        yield "a pair of learners that are not ranked"


def _scores(scores: Scores) -> Iterator[str]:
    lengths = {len(getattr(scores, one.name)) for one in fields(Scores)}
    if len(lengths) > 1:
        yield "columns of scores that are not equally long"
    elif lengths != {0}:
        for name in ("partition", "fold", "training", "trained", "tested"):
            column: tuple[int, ...] = getattr(scores, name)
            if min(column) < -1 or max(column) > MOST:
                yield f"{name} {_short(min(column) if min(column) < -1 else max(column))}"
        yield from _finite("the scores", (score for score in scores.score if score is not None))


def _items(items: ItemScores) -> Iterator[str]:
    places = len(items.items)
    shaped = len(items.scores) == len(items.learners) and all(len(row) == places for row in items.scores)
    if not shaped or any(len(names) not in (0, places) for names in (items.groups, items.contents)):
        yield "scores of items that do not stand in rows and columns"
    if any(len(means) != len(items.learners) for _, means in items.means):
        yield "means of other learners than their items"
    yield from _finite("the items", (score for row in items.scores for epochs in row for score in epochs))


def _profile(profile: PerformanceProfile) -> Iterator[str]:
    if len({len(profile.scores), len(profile.shares), len(profile.low), len(profile.high)}) > 1:
        yield "a performance profile whose columns are not equally long"
    for share in (*profile.shares, *profile.low, *profile.high):
        if not -ROUNDING <= share <= 1.0 + ROUNDING:
            yield f"a share of {_short(share)}"
    yield from _finite("a performance profile", profile.scores)


def _finite(what: str, numbers: Iterable[float]) -> Iterator[str]:
    for number in numbers:
        if not _NUMBER[0] <= number <= _NUMBER[1]:
            yield f"{what} hold {_short(number)}"
