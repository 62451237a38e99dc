"""EV4: what the data and the finished run show about tests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...catalogue.distributions import t_quantile
from ...catalogue.power import (
    ASSUMED_DISAGREEMENT,
    ASSUMED_SPREAD,
    assumed_of_datasets,
    assumed_of_rows,
    dataset_power,
    datasets_needed,
    row_power,
    rows_needed,
    seen_of_rows,
)
from ...language.text import Finding, counted, listed, number, percent
from ...plans.families import alone_level
from ..case import Case, PlannedTest
from ..facts import Facts
from ..reach import datasets_of, judged_rows, rows_of, table_units
from ..rule import NotApplicable, rule

if TYPE_CHECKING:
    from ...results.records import TestResult

FEWEST_DISAGREEMENTS = 25  # ours, after D 3.2 and S 3.1: below it the chi-squared approximation is rough
EVEN_CHANCE = 0.5  # D 6.3 compares tests by power; below one half a run is more likely to miss than to find


@rule("EV406", "skewed-differences", "warning", stage="run")
def skewed_differences(facts: Facts) -> Iterator[Finding]:
    """One dataset carries the result of a t-test over datasets.

    ## What it finds
    After the run: a paired t-test over datasets whose verdict turns when a single dataset is left out.

    ## Why it matters
    The t-test divides the mean by the spread. One dataset with a large difference raises both: it can make a result,
    and it can undo one. In Bramer's example t falls from 3.31 to 2.81 because the new classifier does much better on
    two of the ten datasets; and two datasets left out turn "no difference" into a significant one.

    ## Example
    ```eval,bad
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table by paired-t
    ```

    ## Use instead
    ```eval
    results table from csv "table.csv", datasets in "Dataset", measuring accuracy
    compare A vs B on table by wilcoxon
    ```

    ## When it is fine
    Never silently: name the dataset beside the result, and do not drop it.

    ## References
    Bramer, section 15.3.
    """
    assert facts.run is not None
    tested = [
        v
        for v in facts.run.verdicts
        if v.dataset is None and v.pair and v.test and v.test.test == "paired-t" and v.comparison in facts.by_name
    ]
    if not tested:
        raise NotApplicable("no paired t-test over datasets was made")
    for over in tested:
        case = facts.by_name[over.comparison]
        values = list(over.differences)
        if len(values) < 3:
            continue
        alpha = case.comparison.alpha.value / (1.0 if case.comparison.expecting else 2.0)
        whole = significant(values, alpha)
        turning = [n for i, n in enumerate(over.datasets) if significant(values[:i] + values[i + 1 :], alpha) != whole]
        if turning:
            verdict = "significant" if whole else "not significant"
            yield skewed_differences.finding(
                f"the difference of {over.learners[0]} and {over.learners[1]} over {counted(len(values), 'dataset')} "
                f"is {verdict}, and without {listed(turning, 'or')} alone it is {'not' if whole else 'significant'}",
                "use wilcoxon, which ranks the differences, and name the dataset in the report",
                at=case.at("by", metric=over.metric, learners=over.learners),
            )


def significant(values: list[float], tail: float) -> bool:
    """Whether the paired t-test on these differences rejects, with so much of the level in each tail.

    >>> significant([5.0, -3.0, 0.0, 6.0, 4.0, 9.0, 0.0, 7.0], 0.025)  # Bramer, Figure 15.6: t = 2.41
    True
    """
    count = len(values)
    mean = math.fsum(values) / count
    spread = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (count - 1))
    if spread == 0.0:
        return mean != 0.0
    return abs(mean) / (spread / math.sqrt(count)) > t_quantile(1.0 - tail, count - 1.0)


def _counted_exactly(test: TestResult) -> bool:
    """Of few rows as of many: every form of McNemar's test that adds up the binomial distribution."""
    return "exact" in test.method or test.test == "mcnemar-midp"


@rule("EV407", "few-disagreements", "warning", stage="run")
def few_disagreements(facts: Facts) -> Iterator[Finding]:
    """The chi-squared approximation rests on few disagreements.

    ## What it finds
    After the run: a test of right and wrong by its approximation, with fewer than 25 rows on which exactly one of the
    two learners is right (our bound).

    ## Why it matters
    With so few counts the approximation is off, and the exact p-value costs nothing.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by corrected-proportions, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar-exact, seed 20
    ```

    ## When it is fine
    Never needed: `mcnemar` takes the exact form by itself.

    ## References
    Ours, after Dietterich 1998, section 3.2, and Salzberg 1997, section 3.1.
    """
    assert facts.run is not None
    counted_rows = [v for v in facts.run.verdicts if v.pair and v.dataset and v.test and "n01" in dict(v.test.details)]
    if not counted_rows:
        raise NotApplicable("no test of right and wrong was made")
    for found in counted_rows:
        case = facts.by_name.get(found.comparison)
        assert found.test is not None
        disagree = found.test.wins + found.test.losses
        if case is None or _counted_exactly(found.test) or disagree >= FEWEST_DISAGREEMENTS:
            continue
        if not any(j.card.name == found.test.test and j.card.evidence == "outcomes" for j in case.tests):
            continue
        yield few_disagreements.finding(
            f"{found.learners[0]} and {found.learners[1]} disagree on {counted(disagree, 'row')} of {found.dataset} "
            f"only, and {found.test.test} is an approximation for many",
            "write by mcnemar-exact",
            at=case.at("by", dataset=found.dataset, metric=found.metric, learners=found.learners),
        )


@rule("EV413", "underpowered", "warning", stage=("design", "data"), needs=("test", "scheme", "dataset", "rope"))
def underpowered(facts: Facts) -> Iterator[Finding]:
    """A difference that would matter is more likely to be missed than found.

    ## What it finds
    With a `rope`: a power below one half for a difference as large as the rope. For accuracy under tests of rows it
    supposes that the learners disagree on 10% of the rows (ours); for paired tests over datasets, that differences
    spread by 7 points (6.93 in Bramer's example, section 15.2). It is seen at once where the plan knows the rows, else
    when the data is opened. In tables of results and predictions it counts the datasets, items or rows that were read;
    where items come in groups, the chance is at most the one that it names.

    ## Why it matters
    "Not significant" will be the likely answer whether or not the difference exists, so the run says nothing about the
    difference that was called important.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, rope 1 point, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, rope 5%, seed 20
    ```

    ## When it is fine
    When the rope is only there to say that smaller differences do not matter, and the report says what could be found.

    ## References
    Dietterich 1998, section 6.3.
    """
    asked = [case for case in facts.compared if case.comparison.rope is not None and case.comparison.rope.value > 0.0]
    if not asked:
        raise NotApplicable("no rope says which difference would matter")
    for case in asked:
        if case.comparison.name in facts.misfits:
            continue
        for judged in case.tests:
            if judged.over and judged.written:
                yield from _over(facts, case, judged)
            elif case.table is not None:
                yield from _on_items(facts, case, judged)
            else:
                yield from _on_rows(facts, case, judged)


def _level(case: Case, over: bool) -> float:
    scope = "over-datasets" if over else "dataset"
    return min(
        (alone_level(f) for f in case.families if f.scope == scope or "everything" in f.over),
        default=case.comparison.alpha.value,
    )


def _asked(facts: Facts, case: Case) -> float | None:
    """The rope as a share; None where the metric is none."""
    comparison = case.comparison
    bounded = all(metric.low is not None and metric.high == 1.0 for metric in case.metrics)
    if comparison.rope is None or not bounded:
        return None
    read = facts.tables.get(comparison.name)
    return comparison.rope.value / (100.0 if read is not None and read.percent else 1.0)


def _over(facts: Facts, case: Case, judged: PlannedTest) -> Iterator[Finding]:
    comparison = case.comparison
    asked, units = _asked(facts, case), datasets_of(facts, case)
    if asked is None or comparison.rope is None or not units:
        return
    sides = 1 if comparison.expecting else 2
    alpha = _level(case, True)
    power = dataset_power(judged.card.name, units, difference=asked, alpha=alpha, sides=sides)
    if power is None or power >= EVEN_CHANCE or judged.card.smallest_p(units, 2, sides) > alpha:
        return
    wanted = datasets_needed(judged.card.name, asked / ASSUMED_SPREAD, power=EVEN_CHANCE, alpha=alpha, sides=sides)
    yield underpowered.finding(
        f"{judged.card.name} over {counted(units, 'dataset')} finds a difference of "
        f"{number(comparison.rope.value)} with a chance of {percent(power, 0)} {assumed_of_datasets()}",
        f"take {wanted} datasets or more" if wanted else "take a wider rope, or more datasets than can be had",
        at=case.at("rope"),
        stage="data" if case.table is not None else "design",
    )


def _on_items(facts: Facts, case: Case, judged: PlannedTest) -> Iterator[Finding]:
    """Items or rows of a table; groups of them can only make it worse."""
    comparison, asked = case.comparison, _asked(facts, case)
    read = facts.tables.get(comparison.name)
    if asked is None or comparison.rope is None or read is None or not 0.0 < asked < 1.0:
        return
    if judged.card.learners != "two" or not all(m.name in ("accuracy", "error") for m in case.metrics):
        return
    alpha, sides = _level(case, False), 1 if comparison.expecting else 2
    disagreement = max(ASSUMED_DISAGREEMENT, asked)
    units = table_units(facts, case, judged)
    sizes = dict(zip(read.datasets, read.sizes or ((read.items, read.groups),), strict=False))
    for one in units:
        count, word = sizes[one.dataset][0], case.units.removesuffix("s")
        power = row_power(judged.card.name, count, difference=asked, alpha=alpha, sides=sides)
        if power >= EVEN_CHANCE:
            continue
        wanted = rows_needed(
            judged.card.name, disagreement=disagreement, difference=asked, alpha=alpha, power=EVEN_CHANCE
        )
        grouped = one.word == "group"
        yield underpowered.finding(
            f"{judged.card.name} on {counted(count, word)}{f' in {one.count:,} groups' if grouped else ''} of "
            f"{one.dataset} finds a difference of {number(comparison.rope.value)} with a chance of "
            f"{'at most ' if grouped else ''}{percent(power, 0)} {seen_of_rows(disagreement, word)}",
            f"{wanted:,} {word}s would make it an even chance; a wider rope needs fewer",
            at=case.at("rope", dataset=one.dataset),
            stage="data",
        )


def _on_rows(facts: Facts, case: Case, judged: PlannedTest) -> Iterator[Finding]:
    comparison = case.comparison
    if comparison.rope is None or judged.card.evidence != "outcomes" or judged.card.learners != "two":
        return
    if comparison.rope.value >= 1.0:
        return
    alpha, sides = _level(case, False), 1 if comparison.expecting else 2
    for name in comparison.datasets:
        profile = facts.profiles.get(name) if facts.profiles is not None else None
        rows = rows_of(facts, name)
        tested = judged_rows(case, rows, profile.test_rows if profile else None) if rows is not None else None
        if tested is None or tested < 1:
            continue
        power = row_power(judged.card.name, int(tested), difference=comparison.rope.value, alpha=alpha, sides=sides)
        if power < EVEN_CHANCE:
            wanted = rows_needed(
                judged.card.name,
                disagreement=max(ASSUMED_DISAGREEMENT, comparison.rope.value),
                difference=comparison.rope.value,
                alpha=alpha,
                power=EVEN_CHANCE,
            )
            yield underpowered.finding(
                f"{judged.card.name} on {counted(int(tested), 'test row')} of {name} finds a difference of "
                f"{number(comparison.rope.value)} with a chance of {percent(power, 0)} "
                f"{assumed_of_rows(max(ASSUMED_DISAGREEMENT, comparison.rope.value))}",
                f"{wanted:,} test rows would make it an even chance; a wider rope needs fewer",
                at=case.at("rope", dataset=name),
                stage="data" if profile is not None else "design",
            )
