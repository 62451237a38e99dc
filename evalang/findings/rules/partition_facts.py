"""EV3: what the data and the finished run show about partitions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...catalogue.distributions import t_quantile
from ...catalogue.metrics import find_metric
from ...language.text import Finding, Subject, counted, number, percent
from ...plans.parts import Scheme
from ..case import Case, Place
from ..facts import Facts, ScoreSeries, all_series
from ..rule import NotApplicable, rule
from .dataset_facts import profiled

if TYPE_CHECKING:
    from ...results.records import PartitionResult

RARE_CLASS = 0.10  # ours, after D 3.4: a class under 10% of the rows
FEWEST_OF_CLASS = 5  # ours: fewer rows of a class in a fold are a matter of luck
SETTLED_LEVEL = 0.05  # B 4: the level of the test whether the partitions suffice
DISSENT = 0.05  # ours: a share of partitions that would let another sentence be written as often as the level allows
LARGER = 1.5  # ours: training parts half as large again count as larger
CLEARLY = 2.0  # ours: better by two standard errors
WILD_SWING = 0.25  # ours, after D 7, where error rates went from 0.1 to 0.9: a quarter of the metric's range
MOST_PARTITIONS = 10_000  # beyond that no number of partitions will settle it


@rule("EV308", "rare-class-unstratified", "warning", stage="data", needs=("scheme", "dataset"))
def rare_class_unstratified(facts: Facts) -> Iterator[Finding]:
    """A rare class is dealt into the folds by chance.

    ## What it finds
    `unstratified` where a class has less than 10% of the rows, or fewer than five rows per fold (both bounds are ours).

    ## Why it matters
    Some folds will have hardly any row of the class, and their scores differ for that reason alone.

    ## Example
    ```eval,bad
    dataset fraud from synthetic gaussians(n = 2000, share = 0.05) because "the shape of the bank's records"
    compare decision-tree vs naive-bayes on fraud using unstratified 10x10cv, measuring balanced-accuracy, seed 20
    ```

    ## Use instead
    ```eval
    dataset fraud from synthetic gaussians(n = 2000, share = 0.05) because "the shape of the bank's records"
    compare decision-tree vs naive-bayes on fraud using 10x10cv, measuring balanced-accuracy, seed 20
    ```

    ## When it is fine
    When the next data will come as unevenly as these folds.

    ## References
    Ours, after Dietterich 1998, section 1, question 6, which takes stratified folds from Kohavi 1995. Bradford and
    Brodley (section 3) saw no consistent effect of stratifying on significance values.
    """
    asked = [case for case in facts.cases if case.comparison.scheme and case.comparison.scheme.stratified is False]
    if not asked:
        raise NotApplicable("no scheme is unstratified")
    for case, name, profile in profiled(facts):
        scheme = case.comparison.scheme
        rare = profile.smallest_class
        if scheme is None or scheme.stratified is not False or rare is None or not profile.rows:
            continue
        share, each = rare[1] / profile.rows, rare[1] / max(scheme.folds, 1)
        if share < RARE_CLASS or each < FEWEST_OF_CLASS:
            yield rare_class_unstratified.finding(
                f"class {rare[0]} has {percent(share)} of the rows of {name}, about {number(each)} in a fold, "
                "and they are dealt by chance",
                "leave out unstratified",
                at=case.at(case.scheme_span, dataset=name),
            )


@dataclass(frozen=True, slots=True)
class _Partitions:
    """The t of each partition alone, above zero where the first learner is better."""

    subject: Subject
    t: tuple[float, ...]
    df: float


def _partitioned(facts: Facts) -> list[_Partitions]:
    assert facts.run is not None
    found: dict[Subject, list[PartitionResult]] = {}
    for one in facts.run.partitions:
        if one.statistic is not None and one.df and one.comparison in facts.by_name:
            found.setdefault(Subject(one.comparison, one.dataset, one.metric, one.learners), []).append(one)
    several = [
        _Partitions(
            subject=subject,
            t=tuple(_sign(subject.metric) * p.statistic for p in parts if p.statistic is not None),
            df=parts[0].df or 1.0,
        )
        for subject, parts in found.items()
        if len(parts) > 1
    ]
    if not several:
        raise NotApplicable("no comparison has several partitions, each with a t of its own")
    return several


def _sign(metric: str) -> int:
    card = find_metric(metric.partition("(")[0])
    return card.sign if card else 1


def _five_by_two(case: Case) -> bool:
    return case.scheme is not None and case.scheme.five_by_two


def _against(subject: Subject) -> str:
    first, second = subject.learners
    return f"{first} against {second} on {subject.dataset} in {subject.metric}"


def _critical(facts: Facts, found: _Partitions) -> float:
    comparison = facts.by_name[found.subject.comparison].comparison
    sides = 1.0 if comparison.expecting else 2.0
    return t_quantile(1.0 - comparison.alpha.value / sides, found.df)


def _settled(count: int, distance: float, spread: float) -> bool:
    """Bradford and Brodley's test whether the partitions suffice, on either side of the critical value."""
    return distance * math.sqrt(count) > t_quantile(1.0 - SETTLED_LEVEL, count - 1.0) * spread


def _wanted(count: int, distance: float, spread: float) -> int | None:
    """The smallest number of partitions that would settle it, if they go on like this; None beyond the most."""
    low, high = count, MOST_PARTITIONS
    if not _settled(high, distance, spread):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _settled(middle, distance, spread) else (middle, high)
    return high


@rule("EV305", "more-partitions-needed", "warning", stage="run")
def more_partitions_needed(facts: Facts) -> Iterator[Finding]:
    """The partitions do not settle the question yet.

    ## What it finds
    After the run: the mean t of the partitions is so near the critical value, for its spread, that further partitions
    might carry it across. The message says how many would settle it.

    ## Why it matters
    The verdict of the average would then still be a verdict of the partitions that happened to be drawn.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5 partitions of 10cv, by averaged-t, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 55 partitions of 10cv, by averaged-t, seed 20
    ```

    ## When it is fine
    When the difference is too small to matter either way.

    ## References
    Bradford and Brodley 2001, section 4; used on both sides of the critical value.
    """
    for found in _partitioned(facts):
        case = facts.by_name[found.subject.comparison]
        if case.scheme is None or not case.scheme.averaged:  # RxKcv: its test takes all folds together
            continue
        count = len(found.t)
        mean = math.fsum(found.t) / count
        spread = math.sqrt(math.fsum((t - mean) ** 2 for t in found.t) / (count - 1))
        critical = _critical(facts, found)
        distance = abs(abs(mean) - critical)
        if spread == 0.0 or _settled(count, distance, spread):
            continue
        wanted = _wanted(count, distance, spread)
        many = f"about {counted(wanted, 'partition')} would" if wanted else "hardly any number would"
        yield more_partitions_needed.finding(
            f"{count} partitions do not settle {_against(found.subject)}: the "
            f"mean t is {number(mean)}, {number(critical)} is critical, and the partitions spread by "
            f"{number(spread)}; {many}",
            f"write using {wanted} partitions of {_inner(case.comparison.scheme)}"
            if wanted
            else "report it as not settled",
            at=Place(case.scheme_span, found.subject),
        )


def _inner(scheme: Scheme | None) -> str:
    return "5x2cv" if scheme is None or scheme.card.replications > 1 else f"{scheme.folds}cv"


@rule("EV306", "partition-decides", "warning", stage="run")
def partition_decides(facts: Facts) -> Iterator[Finding]:
    """Single partitions would have said otherwise.

    ## What it finds
    After the run: more than 5% of the partitions (our bound) whose own test says otherwise than the average of all.

    ## Why it matters
    Had the study used one partition, this is how often it would have come to the other conclusion.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 20 partitions of 10cv, by averaged-t, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 20 partitions of 10cv, by averaged-t, seed 20 as trees
    report trees to "trees.md"
    ```

    The report gives the average, and the share of the partitions beside it.

    ## When it is fine
    As long as the average is what is reported, with this share beside it.

    ## References
    Bradford and Brodley 2001, sections 3 and 4, Tables 3 and 4.
    """
    for found in _partitioned(facts):
        critical = _critical(facts, found)
        count = len(found.t)
        whole = _says(math.fsum(found.t) / count, critical)
        other = sum(_says(t, critical) != whole for t in found.t)
        if other / count > DISSENT:
            yield partition_decides.finding(
                f"{other} of {count} partitions ({percent(other / count, 0)}), each taken alone, would judge "
                f"{found.subject.learners[0]} and {found.subject.learners[1]} on {found.subject.dataset} in "
                f"{found.subject.metric} otherwise than their average does",
                "report the average, and this share beside it",
                at=Place(facts.by_name[found.subject.comparison].scheme_span, found.subject),
            )


def _says(t: float, critical: float) -> int:
    return 0 if abs(t) <= critical else 1 if t > 0 else -1


@rule("EV307", "half-trained", "warning", stage="run")
def half_trained(facts: Facts) -> Iterator[Finding]:
    """Under 5x2cv the learners have half the rows, and it shows.

    ## What it finds
    After the run: a learner that was run under 5x2cv and, on the same dataset, also on training parts half as large
    again or more, and was clearly better there (two standard errors; both numbers are ours).

    ## Why it matters
    The comparison is then about learners trained on half of the rows. With all of them the order may be another.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, holm over everything, seed 20
    compare decision-tree vs naive-bayes on tumours using 10x10cv, holm over everything, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## When it is fine
    When the learners will be used with that few rows.

    ## References
    Bradford and Brodley 2001, section 3; Dietterich 1998, section 3.5.
    """
    assert facts.run is not None
    known = [s for s in all_series(facts.run) if s.training_rows and s.comparison in facts.by_name]
    others: dict[tuple[str, str, str], list[ScoreSeries]] = {}
    for series in known:
        others.setdefault((series.dataset, series.metric, series.learner), []).append(series)
    larger = [
        (half, other)
        for half in known
        if _five_by_two(facts.by_name[half.comparison])
        for other in others[half.dataset, half.metric, half.learner]
        if other.training_rows >= LARGER * half.training_rows
    ]
    if not larger:
        raise NotApplicable("no learner of a 5x2cv was also run on larger training parts of the same data")
    told: set[ScoreSeries] = set()
    for half, other in larger:
        small, error_small = _mean(half.scores)
        large, error_large = _mean(other.scores)
        gain = _sign(half.metric) * (large - small)
        if gain > CLEARLY * math.hypot(error_small, error_large) and half not in told:
            told.add(half)
            yield half_trained.finding(
                f"{half.learner} has {half.metric} {number(large)} on {half.dataset} when trained on "
                f"{int(other.training_rows)} rows ({other.comparison}), and {number(small)} under 5x2cv with "
                f"{int(half.training_rows)}",
                "compare with 10x10cv, whose training parts are nearly whole",
                at=_series_place(facts, half),
            )


def _series_place(facts: Facts, series: ScoreSeries) -> Place:
    case = facts.by_name[series.comparison]
    return case.at(case.scheme_span, dataset=series.dataset, metric=series.metric, learners=(series.learner,))


def _mean(scores: tuple[tuple[float, ...], ...]) -> tuple[float, float]:
    """The mean of all folds and the standard error over partitions' means (over folds with one partition)."""
    parts = [math.fsum(fold) / len(fold) for fold in scores if fold]
    units = parts if len(parts) > 1 else list(scores[0]) if scores else []
    mean = math.fsum(parts) / len(parts) if parts else 0.0
    if len(units) < 2:
        return mean, math.inf
    spread = math.fsum((u - mean) ** 2 for u in units) / (len(units) - 1)
    return mean, math.sqrt(spread / len(units))


@rule("EV309", "wild-replications", "warning", stage="run")
def wild_replications(facts: Facts) -> Iterator[Finding]:
    """Scores swing so much between replications that the 5x2cv test cannot be trusted.

    ## What it finds
    After a 5x2cv: the score of a learner differs between two of the five replications by a quarter of the metric's
    range or more (our bound).

    ## Why it matters
    The test takes its variance from the replications. Dietterich saw it fail in simulated data whose error
    rates went from 0.1 to 0.9, even though the difference of the learners stayed the same, never in realistic data, and
    advises to look at the error rates (section 7).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 10x10cv, seed 20
    ```

    ## When it is fine
    Never for 5x2cv-t; with partition-t on many folds the swing is part of the interval.

    ## References
    Dietterich 1998, section 7.
    """
    assert facts.run is not None
    halves = [
        s for s in all_series(facts.run) if s.comparison in facts.by_name and _five_by_two(facts.by_name[s.comparison])
    ]
    if not halves:
        raise NotApplicable("nothing was run with 5x2cv")
    for half in halves:
        card = find_metric(half.metric.partition("(")[0])
        if card is None or card.low is None or card.high is None:
            continue
        means = [math.fsum(folds) / len(folds) for folds in half.scores]
        if max(means) - min(means) >= WILD_SWING * (card.high - card.low):
            yield wild_replications.finding(
                f"{half.metric} of {half.learner} on {half.dataset} goes from {number(min(means))} to "
                f"{number(max(means))} between replications: the variance of the 5x2cv test is no longer to be trusted",
                "use 10x10cv by partition-t, and look for what makes the halves differ",
                at=_series_place(facts, half),
            )
