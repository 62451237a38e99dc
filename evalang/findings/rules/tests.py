"""EV4: tests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...catalogue.distributions import t_quantile
from ...catalogue.power import (
    ASSUMED_DISAGREEMENT,
    ASSUMED_SPREAD,
    DATASET_TESTS,
    UnitPower,
    assumed_of_datasets,
    assumed_of_rows,
    power_equivalence,
    seen_of_rows,
    units_for_equivalence,
)
from ...catalogue.tests import TestEntry, exceeding, find_test, no_default_words
from ...language.text import (
    Finding,
    Fix,
    Span,
    Subject,
    counted,
    listed,
    listed_columns,
    listed_names,
    number,
    one,
    percent,
)
from ...plans.default_tests import is_stump, with_default_tests
from ...plans.families import alone_level
from ...plans.model import Claim, on_each_dataset
from ..case import Case, Place, PlannedTest
from ..facts import Facts, NotApplicable, each_case, each_comparison
from ..misfit import find_default_test
from ..reach import (
    LEAST_POWER,
    Floor,
    advise_a_test,
    asks_about_learners,
    count_datasets,
    count_judged_rows,
    count_rows,
    find_floors,
    find_table_floors,
    fix_this_classifier,
    power_over,
    random_and_trained_once,
    rests_on_one_training,
    trained_repeatedly,
)
from ..rule import add_clause, replace_words, rule, swap_test

if TYPE_CHECKING:
    from ...results.records import TestResult, Verdict

FEWEST_TELLING = 10  # ours: an exact test of so many at 5% rejects from 9 to 1 on
FEWEST_DISAGREEMENTS = 25  # ours, after D 3.2 and S 3.1: below it the chi-squared approximation is rough
USUAL_ALPHA = 0.05  # ours; R 15.2 calls 5% usual and 10% common
RESAMPLED_ERROR = "between 11% and 32%"  # D 5 and STATISTICS: thirty resamples, error rates of 10% to 40%
PROPORTIONS_ERROR = "5% to 7%"  # D 5 and STATISTICS, in a simulation that favours the test
POOLED_ERROR = "10.7% (naive Bayes), 15.3% (nearest neighbour) and 22.3% (stumps)"  # ours, mid-p on 10cv
FEW_ITEMS = 50  # ours: from here on the power is left to the plan, unless a margin says which difference matters
NOTABLE = 0.15  # ours: a difference of fifteen points matters in every evaluation of items
ALL_PAIRS = ("nemenyi",)
ONE_TRAINING_ERROR = 0.463  # the study of levels, one-training.csv: 200 training and 5,000 test rows, a tree
KFOLD_ERROR = 2.0  # D 6.2: type I error up to twice the level


@rule("EV401", "resampled-t", "error", needs=("test",))
def resampled_t(facts: Facts) -> Iterator[Finding]:
    """The resampled paired t-test rejects far too often.

    ## What it finds
    `by resampled-t` in a comparison. A `simulate` statement may name it.

    ## Why it matters
    The resamples share training and test rows, but the test counts them as independent. With thirty resamples its type
    I error was far above .05 in Dietterich's simulation, much higher than that of the four other tests (section 5,
    Figure 5), and it grows with the number of resamples (Figure 6).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 30 resamples of 2/3, by resampled-t, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 30 resamples of 2/3, by partition-t, seed 20
    ```

    ## When it is fine
    To reproduce an older study: `allow EV401 because "…"`.

    ## References
    Dietterich 1998, sections 3.3, 5 and 8; Salzberg 1997, section 3; Nadeau and Bengio 2003.
    """
    for case, judged in _named(facts, "resampled-t"):
        scheme = case.comparison.scheme
        units = scheme.trials if scheme else 0
        fit = find_test("partition-t")
        other = "partition-t" if fit is not None and case.kind in fit.schemes else find_default_test(case)
        yield resampled_t.finding(
            f"`resampled-t` counts {counted(units, 'resample')} of the same rows as independent: with 30 resamples its "
            f"type I error at 5% is {RESAMPLED_ERROR} (Dietterich 1998)",
            f"write `by {other}`, which is corrected for the shared rows",
            at=case.at(judged.test.span),
            fix=swap_test(case, judged.test, other),
        )


@rule("EV402", "proportions", "error", needs=("test", "dataset"))
def proportions(facts: Facts) -> Iterator[Finding]:
    """A test of two proportions ignores that both learners are tested on the same rows.

    ## What it finds
    `by proportions`: a test for two independent samples, used on learners that were tested on the same rows.

    ## Why it matters
    Two learners that err on the same rows and two that err on different rows give the same z, although the evidence
    differs. One test set also says nothing about other training sets.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by proportions, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, seed 20
    ```

    ## When it is fine
    To reproduce an older study: `allow EV402 because "…"`.

    ## References
    Dietterich 1998, sections 3.2, 5 and 7; Salzberg 1997, section 3.1.
    """
    for case, judged in _named(facts, "proportions"):
        pair = listed_names(case.comparison.learners)
        yield proportions.finding(
            f"`proportions` treats {pair} as tested on different {case.units}, but both are tested on the same; its "
            f"type I error at 5% is {PROPORTIONS_ERROR} even in favourable cases",
            f"write `by mcnemar`, which uses the {case.units} on which they disagree",
            at=case.at(judged.test.span),
            fix=swap_test(case, judged.test, "mcnemar"),
        )


@rule("EV403", "kfold-t", "warning", needs=("test",))
def kfold_t(facts: Facts) -> Iterator[Finding]:
    """The t-test on the folds of one cross-validation rejects too often.

    ## What it finds
    `by kfold-t` on one Kcv or on given folds.

    ## Why it matters
    Any two training sets of a 10-fold cross-validation share 80% of the rows, so the folds are not independent
    (Dietterich 1998, section 3.4). The type I error is up to twice the level (section 8).

    ## Example
    ```eval,bad
    dataset agreed from csv "agreed.csv", target "y", folds "fold" because "the task of the shared challenge"
    compare decision-tree vs naive-bayes on agreed using given folds, by kfold-t
    ```

    ## Use instead
    ```eval
    dataset agreed from csv "agreed.csv", target "y", folds "fold" because "the task of the shared challenge"
    compare decision-tree vs naive-bayes on agreed using given folds, by corrected-t
    ```

    ## When it is fine
    When missing a difference would cost more than reporting one that does not exist.

    ## References
    Dietterich 1998, sections 3.4, 6.2 and 8.
    """
    for case, judged in _named(facts, "kfold-t"):
        scheme = case.comparison.scheme
        folds = scheme.folds if scheme and scheme.card.one_kcv else 0
        shared = f"{percent(scheme.overlap or 0.0, 0)} of their rows" if scheme and folds > 2 else "rows"
        alpha = case.comparison.alpha.value
        yield kfold_t.finding(
            f"`kfold-t` counts {f'{folds} ' * bool(folds)}folds as independent, but their training sets share "
            f"{shared}: its type I error is up to {number(KFOLD_ERROR)} times the level, here "
            f"{percent(KFOLD_ERROR * alpha)}",
            "write `by corrected-t`, which is corrected for the shared rows"
            + (
                ""
                if case.table
                else f", or `using {case.like_scheme('10x2cv')}, by corrected-t{case.suggested_seed_clause}`"
            ),
            at=case.at(judged.test.span),
            fix=swap_test(case, judged.test, "corrected-t"),
        )


@rule("EV404", "training-variance-ignored", "warning", needs=("test", "scheme", "metric"), each=each_comparison)
def training_variance_ignored(facts: Facts, case: Case) -> Iterator[Finding]:
    """One training set cannot show which learner is better.

    ## What it finds
    A comparison on a holdout or a given test set that trains each learner once, without `this classifier` in the
    comparison or in all of its claims. Cases of EV311 and EV707, and learners with `train N times`, are not reported.

    ## Why it matters
    One training set shows which of the trained classifiers is better (question 3 of Dietterich 1998), not which learner
    is: the variation between training sets is not measured. Read as an answer about learners, McNemar's test of equal
    learners at 5% was wrong in 8% (naive Bayes), 43% (nearest neighbour) and 46% (tree) of cases with 200 training and
    5,000 test rows, and in 4%, 11% and 14% with 2,000 training rows (our study of levels).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    ```

    ## When it is fine
    Never for a sentence about learners. If you can afford only one training, ask about `this classifier`.

    ## References
    Dietterich 1998, sections 1 and 3.1; the range is ours, from the study of levels.
    """
    if (
        not asks_about_learners(case)
        or random_and_trained_once(case)
        or trained_repeatedly(case)
        or _claimed(facts, case)
    ):
        return
    tests = [j for j in case.tests if not j.over]
    if tests and case.comparison.name not in facts.misfits:
        yield training_variance_ignored.finding(
            f"each learner is trained once, so the test compares the trained classifiers of "
            f"{listed_names(case.comparison.learners)}, not the learners. Read as an answer about learners, McNemar's "
            f"test at 5% was wrong in up to {percent(ONE_TRAINING_ERROR, 0)} of our simulations",
            "write `compare this classifier …`, or "
            + ("leave out `by` and write" if case.says("by") else "write")
            + f" `using {case.halves}`, which trains each learner on 20 training sets",
            at=case.at(tests[0].test.span if tests[0].written else case.comparison.span_of("using")),
            fix=fix_this_classifier(case),
        )


def _claimed(facts: Facts, case: Case) -> bool:
    """Whether EV707 reports it already."""
    return any(rests_on_one_training(facts, claim) for claim in case.claims)


@rule("EV405", "pairwise-only", "note", strict="error", needs=("test", "dataset", "control"), each=each_comparison)
def pairwise_only(facts: Facts, case: Case) -> Iterator[Finding]:
    """A test for two learners is used with three or more.

    ## What it finds
    A test for two learners, written in a comparison of more than two, without `control` or `all pairs`: all pairs are
    tested. `bonferroni-dunn`, which compares one learner with each of the others, is an error without `control`.

    ## Why it matters
    The pairs decide how many tests there are, and that number has to be corrected for: fewer pairs have more power.
    Salzberg says of the binomial test that it does not handle more than two algorithms (section 3.1).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 10x10cv
      by corrected-t, holm over learners, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 10x10cv
      by corrected-t, control random-forest, holm over learners, seed 20
    ```

    ## When it is fine
    When all pairs are of interest: write `all pairs`. As a post-hoc test after a test of all learners it is no finding:
    `by friedman, wilcoxon`.

    ## References
    Salzberg 1997, section 3.1.
    """
    comparison = case.comparison
    learners = comparison.learners
    dunn = next((j for j in case.tests if j.card.name == "bonferroni-dunn"), None)
    if dunn is not None and comparison.control is None and "control" not in dict(dunn.test.options):
        yield pairwise_only.finding(
            "`bonferroni-dunn` compares a control with each of the other learners, but no control is named",
            f"add `control {learners[0] if learners else 'NAME'}`, or write `nemenyi` in `by` for all pairs",
            at=case.at(dunn.test.span),
            level="error",
        )
        return
    if len(learners) < 3 or comparison.control or comparison.all_pairs or not case.tests:
        return
    first = case.tests[0]
    if not first.written or first.card.learners != "two" or comparison.name in facts.misfits:
        return
    together = "" if any(f.method == "uncorrected" for f in case.families) else " and corrected together"
    yield pairwise_only.finding(
        f"`{first.card.name}` compares two learners, but {len(learners)} are named, so all {comparison.pairs} pairs "
        f"are tested{together}",
        f"add `control {learners[0]}` for {len(learners) - 1} pairs, or `all pairs` to make it explicit",
        at=case.at(first.test.span),
        fix=add_clause(facts, comparison.span, "all pairs", safe=False),
    )


@rule("EV406", "skewed-differences", "warning", stage="run")
def skewed_differences(facts: Facts) -> Iterator[Finding]:
    """One dataset decides the result of a t-test over datasets.

    ## What it finds
    After the run: a paired t-test over datasets that changes its verdict when a single dataset is left out.

    ## Why it matters
    The t-test divides the mean by the spread. One dataset with a large difference raises both, so it can create or hide
    a significant result. In Bramer's example t falls from 3.31 to 2.81 because the new classifier does much better on
    two of ten datasets.

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
    Never without naming the dataset beside the result. Do not drop it.

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
        values = list(over.paired)
        if len(values) < 3:
            continue
        alpha = case.comparison.alpha.value / (1.0 if case.comparison.expecting else 2.0)
        whole = significant(values, alpha)
        turning = [n for i, n in enumerate(over.datasets) if significant(values[:i] + values[i + 1 :], alpha) != whole]
        if turning:
            verdict = "significant" if whole else "not significant"
            yield skewed_differences.finding(
                f"the difference of `{over.learners[0]}` and `{over.learners[1]}` over "
                f"{counted(len(values), 'dataset')} is {verdict}, but {'not significant' if whole else 'significant'} "
                f"if only {listed_names(turning, 'or')} is left out",
                "write `by wilcoxon`, which ranks the differences, and name the dataset in the report",
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
    """Whether p is exact for any number of rows: every form of McNemar's test that sums the binomial distribution."""
    return "exact" in test.method or test.test == "mcnemar-midp"


@rule("EV407", "few-disagreements", "warning", stage=("data", "run"), needs=("dataset",))
def few_disagreements(facts: Facts) -> Iterator[Finding]:
    """Two learners disagree on too few rows or items.

    ## What it finds
    After a table of right and wrong answers was read: fewer than 10 items on which exactly one of the two models is
    right (our bound). After the run: an approximate test with fewer than 25 such rows (our bound).

    ## Why it matters
    Only the rows on which the two disagree tell them apart. With fewer than 10 of them even a large true difference is
    easily missed, and a few items decide the result: the benchmark is saturated, or too hard for both. With fewer than
    25 the chi-squared approximation is inaccurate, and the exact p-value is just as easy to compute.

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
    The approximation is never needed: `mcnemar` uses the exact form by itself. Few disagreements are fine when the
    claim is that the two are equivalent.

    ## References
    Ours, after Dietterich 1998, section 3.2, and Salzberg 1997, section 3.1.
    """
    in_tables = [found for case in facts.compared for found in _few_in_table(facts, case)]
    yield from in_tables
    if facts.run is None:
        return
    counted_rows = [v for v in facts.run.verdicts if v.pair and v.dataset and v.test and "n01" in dict(v.test.details)]
    if not counted_rows and not in_tables:
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
            f"`{found.learners[0]}` and `{found.learners[1]}` disagree on only {counted(disagree, 'row')} of "
            f"`{found.dataset}`, too few for the approximation of `{found.test.test}`",
            "write `by mcnemar-exact`, which needs no approximation",
            at=case.at("by", dataset=found.dataset, metric=found.metric, learners=found.learners),
            stage="run",
        )


def _few_in_table(facts: Facts, case: Case) -> Iterator[Finding]:
    """Report two models that hardly ever disagree, on each dataset of a table of right and wrong answers."""
    read, names = facts.tables.get(case.comparison.name), case.comparison.learners
    if read is None or case.table is None or len(names) != 2 or read.graded or read.epochs[1] > 1:
        return
    if case.comparison.name in facts.misfits or _same_claims(facts, case):
        return
    if not any(judged.card.evidence == "outcomes" and not judged.over for judged in case.tests):
        return
    scale = 100.0 if read.percent else 1.0
    for dataset, (items, _), square in zip(read.datasets, read.sizes, read.pair_squares, strict=False):
        disagree = round(square / scale**2 * items)
        if 0 < disagree < FEWEST_TELLING:  # EV421 reports equal scores
            yield few_disagreements.finding(
                f"`{names[0]}` and `{names[1]}` disagree on only {disagree} of {items:,} {case.units} of `{dataset}`",
                f"use more {case.units}, or harder ones: so few disagreements can hardly show a difference",
                at=case.at("by", case.comparison.span, dataset=dataset, learners=names),
            )


@rule("EV408", "cannot-reject", "error", stage=("design", "data"), needs=("test", "scheme", "learner", "dataset"))
def cannot_reject(facts: Facts) -> Iterator[Finding]:
    """The comparison can never be significant.

    ## What it finds
    A test that the script names, or that a claim needs, whose smallest possible p is above the level: alpha divided by
    the number of tests under Bonferroni and Holm, alpha itself under Benjamini-Hochberg, Hochberg and Hommel. Datasets,
    items, rows and groups of a table are counted once the file is read; a test chosen by default is a warning there,
    over datasets where nothing else is tested.
    Also a comparison without any test, such as leave-one-out or the seeds of one dataset (a warning).

    ## Why it matters
    The run can only end in "no significant difference", which readers then take for a result. Five datasets are the
    classic case: Wilcoxon's p cannot be below 2/32 (Demsar 2006).

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "every bundled set with 500 rows or more"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, holm over datasets, seed 20
    ```

    ## When it is fine
    Never for a conclusion. Without a test the difference can still be described.

    ## References
    Demsar 2006, section 3.1.3; the exact distributions on the cards of the tests.
    """
    for floor in (*find_floors(facts), *find_table_floors(facts)):
        if floor.smallest > floor.level:
            taken = floor.read and not floor.needed
            taken = taken or (
                floor.case.comparison.correction is None and floor.smallest <= floor.case.comparison.alpha.value
            )
            yield cannot_reject.finding(
                _never_significant(facts, floor),
                _more_units(floor),
                at=floor.case.at(floor.test.span, "by"),
                level="warning" if taken else "error",
                stage="data" if floor.read else "design",
            )
    for case in facts.compared:
        comparison = case.comparison
        untested = case.scheme is not None and not case.tests and not case.says("by") and comparison.over_note
        guarded = comparison.scheme is not None and comparison.scheme.looks is not None
        claimed = any(claim.relation == "better" for claim in case.claims)  # EV711 reports it
        if untested and not guarded and not claimed and not any(is_stump(t.learner) for t in case.learners):
            yield cannot_reject.finding(
                f"comparison `{comparison.name}` tests nothing: {comparison.over_note}",
                advise_a_test(case),
                at=case.at("using", comparison.span),
                level="warning",
            )


def _never_significant(facts: Facts, floor: Floor) -> str:
    """Return the message: one dataset in the user's own words, else the smallest p against the level."""
    name, table = floor.test.name, floor.case.table
    if floor.unit == "dataset" and floor.units == 1 and table is not None:
        read = facts.tables.get(floor.case.comparison.name)
        columns = [level.column for level in floor.case.comparison.levels if level.standing == "seed"]
        seeds = (
            f"its {read.seeds} seeds"
            if read is not None and read.seeds
            else f"different values of {listed_columns(columns)}"
        )
        others = f"; {seeds} are not datasets" if columns else ""
        fewest = f"needs at least {floor.fewest or 2} to reach significance"
        return f"table `{table.name}` contains one dataset, but `{name}` over datasets {fewest}{others}"
    over = "over" if floor.unit == "dataset" else "on"
    if floor.units < floor.card.min_units:
        needed = counted(floor.card.min_units, floor.unit)
        return f"`{name}` {over} {counted(floor.units, floor.unit)} cannot be computed: it needs at least {needed}"
    return (
        f"`{name}` {over} {counted(floor.units, floor.unit)} can never be significant: its smallest possible p is "
        f"{number(floor.smallest)}, and the level is {number(floor.level)}{floor.why}"
    )


def _more_units(floor: Floor) -> str:
    """Return how many units are enough for this rule and for EV103."""
    case, wanted = floor.case, floor.wanted
    describe = "describe the difference without a test"
    if floor.unit == "dataset" and case.table is None:
        describe = "leave out the test over datasets and test each dataset"
    if floor.unit == "dataset" and floor.units == 1 and on_each_dataset(case.comparison.levels, case.comparison.scheme):
        return "leave out `by` for the test on the folds of this dataset"
    if wanted is None:
        return f"{describe}, or make fewer comparisons on `{case.comparison.datasets[0]}`"
    minimum = ""
    if floor.fewest is not None and floor.fewest < wanted:
        power = f"{wanted} give {percent(LEAST_POWER)} power or more to find a large difference"
        minimum = f" ({floor.fewest} is the minimum; {power})"
    return f"use at least {counted(wanted, floor.unit)}{minimum}, or {describe}"


@rule("EV409", "side-unexplained", "warning", needs=("dataset", "expecting"), each=each_comparison)
def side_unexplained(facts: Facts, case: Case) -> Iterator[Finding]:
    """A one-sided test has no reason for its side.

    ## What it finds
    `expecting … better` without `because`.

    ## Why it matters
    A one-sided test halves the p-value. This is justified only by a reason that existed before the data; otherwise the
    side is the one that happened to win.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs random-forest on tumours using 10x10cv, expecting random-forest better, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs random-forest on tumours using 10x10cv
      expecting random-forest better because "it averages over many such trees"
      seed 20
    ```

    ## When it is fine
    Never without the reason; leave `expecting` out for a two-sided test.

    ## References
    Bramer, section 15.2: use both tails where there is no reason to expect one of the two to be better.
    """
    comparison = case.comparison
    if comparison.expecting is None or (comparison.expecting_because or "").strip():
        return
    yield side_unexplained.finding(
        f"`expecting {comparison.expecting} better` halves the p-value, but no reason is given",
        f'write `expecting {comparison.expecting} better because "…"`, or leave out `expecting` for a two-sided test',
        at=case.at("expecting"),
    )


@rule("EV410", "lenient-alpha", "warning", needs=("at",))
def lenient_alpha(facts: Facts) -> Iterator[Finding]:
    """The significance level is above 5%.

    ## What it finds
    A level above 0.05, in a comparison or by `set alpha`. The bound is ours; Bramer calls 10% common.

    ## Why it matters
    At 10% one in ten tests of equal learners is significant, while readers assume 5%.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 0.1, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 0.05, seed 20
    ```

    ## When it is fine
    For a first screening whose winners are tested again on other data.

    ## References
    Ours. Bramer calls 10% a commonly used criterion (section 15.2).
    """
    seen: set[Span] = set()
    for case in facts.cases:
        given = case.comparison.alpha
        if given.value <= USUAL_ALPHA or (given.origin == "set" and given.span in seen):
            continue
        seen.add(given.span)
        span = given.span if given.span.path else case.comparison.span_of("at")
        yield lenient_alpha.finding(
            f"at level {number(given.value)}, one in {number(1 / given.value)} tests of equally good learners is "
            "significant by chance",
            f"write `{'alpha' if given.origin == 'set' else 'at'} {USUAL_ALPHA}` (the usual level), or give a reason: "
            '`allow EV410 because "…"`',
            at=Place(span, Subject(case.comparison.name if given.origin != "set" else "")),
            fix=replace_words("use the usual level", span, "alpha 0.05", safe=False) if given.origin == "set" else None,
        )


@rule("EV411", "wrong-question", "error", needs=("test", "scheme"))
def wrong_question(facts: Facts) -> Iterator[Finding]:
    """The test answers a different question.

    ## What it finds
    A test in the script that has the data it needs, but answers another question of Dietterich's nine: the interval of
    one trained classifier for a learner under cross-validation, or a test of learners for trained classifiers.

    ## Why it matters
    The p-value or interval is correct, but the conclusion drawn from it is not.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    estimate decision-tree on tumours using 10cv, by wilson, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "the two-class task the tree was written for"
    estimate this classifier decision-tree on tumours using holdout 1/3, by wilson, seed 20
    ```

    ## When it is fine
    Never; ask the question that the test answers.

    ## References
    Dietterich 1998, section 1.
    """
    for name, found in facts.misfits.items():
        for misfit in found:
            if misfit.code == "EV411":
                yield wrong_question.finding(misfit.message, misfit.help, at=Place(misfit.test.span, Subject(name)))


@rule("EV413", "underpowered", "warning", stage=("design", "data", "run"), needs=("test", "scheme", "dataset", "rope"))
def underpowered(facts: Facts) -> Iterator[Finding]:
    """The comparison will probably miss a difference that matters.

    ## What it finds
    With an equivalence margin (`margin`, `rope`): less than 50% power for a difference as large as the margin, at the
    corrected level. With `by tost` or a claim of equivalence: less than 50% power to show that two equal learners are
    equivalent. It gives the number of rows, items or datasets for 80% power. Without a margin, in a table of
    fewer than 50 items: less than 50% power for a difference of 15 points (ours).

    Before data it assumes that the learners disagree on 10% of the rows (ours), and that differences over datasets have
    a standard deviation of 7 points (6.93 in Bramer's example, section 15.2). In tables, and after a run, both come
    from the data. The difference is the margin or 15 points, never the observed one.

    ## Why it matters
    The likely answer is "no significant difference" whether or not the difference exists, so the run cannot answer the
    question.

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
    When the margin only says which differences do not matter, and the report gives the power. Where every claim is
    `better`, it is a note.

    ## References
    Dietterich 1998, section 6.3.
    """
    asked = {c.comparison.name: c for c in facts.compared if c.comparison.rope or _same_claims(facts, c)}
    stuck = {floor.case.comparison.name for floor in find_table_floors(facts) if floor.smallest > floor.level}  # EV408
    few = [c for c in facts.compared if c.comparison.name not in {*asked, *stuck} and _of_items_read(facts, c)]
    if not asked and not few:
        raise NotApplicable("no margin and no claim of equivalence says which difference matters")
    if facts.run is not None:
        found = _after_run(facts.run.verdicts, asked)
    else:
        cases = [case for case in (*few, *asked.values()) if case.comparison.name not in facts.misfits]
        found = (low for case in cases for judged in case.tests for low in _underpowered(facts, case, judged))
    for low in found:
        claims = facts.by_name[low.subject.comparison].claims
        only_better = bool(claims) and all(claim.relation == "better" for claim in claims)
        yield replace(low, level="note") if only_better else low


def _of_items_read(facts: Facts, case: Case) -> bool:
    """Whether the scores of items, of which 15 points are a share, were read."""
    shares = all(metric.low == 0.0 and metric.high == 1.0 for metric in case.metrics)
    return case.kind == "items" and case.comparison.name in facts.tables and shares


def _same_claims(facts: Facts, case: Case) -> list[Claim]:
    return [c for c in facts.plan.claims if c.relation == "same" and case.comparison.name in c.evidence]


def _after_run(verdicts: tuple[Verdict, ...], cases: dict[str, Case]) -> Iterator[Finding]:
    """Yield the power that stands beside the verdicts; of many pairs that of the weakest."""
    known = [(v, v.test, v.power) for v in verdicts if v.comparison in cases and v.rope is not None]
    weakest: dict[tuple[str, str | None, str], Finding | None] = {}
    for v, test, power in sorted(((v, t, p) for v, t, p in known if t and p), key=lambda one: one[2].power):
        where = f"on {counted(test.n_units, test.unit)} of `{v.dataset}`"
        low = _low(
            f"`{test.test}` {where if v.dataset else 'over ' + counted(test.n_units, 'dataset')}",
            power.power,
            f"show that two equal learners are equivalent within {number(power.difference)}"
            if test.test == "tost"
            else f"find a difference of {number(power.difference)}",
            power.method,
            f"{power.needed:,} {test.unit}s" if power.needed else "",
            cases[v.comparison].at("rope", dataset=v.dataset, metric=v.metric, learners=v.learners),
        )
        weakest.setdefault((v.comparison, v.dataset, v.metric), low)
    yield from filter(None, weakest.values())


def _low(test: str, power: float, to: str, supposed: str, needed: str, at: Place, bound: str = "") -> Finding | None:
    """Return the finding about a power below one half."""
    if power >= LEAST_POWER:
        return None
    share = f"{bound}{percent(power, 0)}" if power >= 0.005 else "less than 1%"
    return underpowered.finding(
        f"{test} has {share} power to {to}{' ' * bool(supposed)}{supposed}",
        f"{needed} give 80% power; a wider `margin` needs fewer" if needed else "use more units or a wider `margin`",
        at=at,
        stage="data",
    )


class _Sample(NamedTuple):
    """The units of one dataset, or datasets: how many, and how much a pair of learners differs on them."""

    name: str  # of the dataset; empty: over datasets
    size: int
    unit: str
    groups: int = 0  # of the units; 0: no groups
    square: float = ASSUMED_DISAGREEMENT  # mean square; of right and wrong answers the share of disagreements
    spread: float = math.sqrt(ASSUMED_DISAGREEMENT)  # standard deviation
    seen: bool = False


def _samples(facts: Facts, case: Case, judged: PlannedTest, scale: float) -> Iterator[_Sample]:
    read, card = facts.tables.get(case.comparison.name), judged.card
    if judged.over:
        units, shares = count_datasets(facts, case), all(m.low is not None and m.high == 1.0 for m in case.metrics)
        if units and card.name in DATASET_TESTS and (shares or read is not None):
            spread = read.dataset_spread / scale if read is not None else 0.0
            yield _Sample("", units, "dataset", spread=spread or ASSUMED_SPREAD, seen=read is not None)
    elif read is not None:
        names, unit = (*read.datasets, read.name), case.units.removesuffix("s")
        for i, (count, groups) in enumerate(read.sizes or ((read.items, read.groups),)):
            sample = _Sample(names[i], count, unit, groups if card.evidence == "grouped-rows" else 0, seen=True)
            if i < len(read.pair_squares):
                sample = sample._replace(square=read.pair_squares[i] / scale**2, spread=read.pair_spreads[i] / scale)
            if count:  # a table of folds has no items
                yield sample
    elif case.table is None and all(m.name in ("accuracy", "error") for m in case.metrics):
        for name in case.comparison.datasets:
            profile, rows = facts.profile(name), count_rows(facts, name)
            tested = count_judged_rows(case, rows, profile.test_rows if profile else None) if rows is not None else None
            if card.evidence == "fold-scores" and case.scheme is not None and case.scheme.gives_folds:
                tested = rows  # each is tested once in a repeat
            if tested and tested >= 1:
                yield _Sample(name, int(tested), "test row")


def _underpowered(facts: Facts, case: Case, judged: PlannedTest) -> Iterator[Finding]:
    """Report low power for a difference as large as the margin, or to show equivalence within it.

    Groups of items and folds of rows only lower the power.
    """
    comparison, card, read = case.comparison, judged.card, facts.tables.get(case.comparison.name)
    claimed = min((c.within for c in _same_claims(facts, case) if c.within), default=None)
    rope = comparison.rope.value if comparison.rope is not None else None
    equivalence = card.name == "tost" or claimed is not None
    margin = claimed if claimed is not None and card.name != "tost" else rope
    binary = card.evidence == "outcomes" and not equivalence
    rows = card.evidence in ("outcomes", "row-losses", "grouped-rows") and (binary or case.table is not None)
    if equivalence:
        only_better = case.claims and all(claim.relation == "better" for claim in case.claims)  # EV711
        if not margin or judged.over or only_better:
            return
    elif card.learners != "two" or not (judged.written if judged.over else rows) or rope == 0.0:
        return
    scale = 100.0 if read is not None and read.percent else 1.0
    asked = margin / scale if margin is not None else NOTABLE
    scope, sides = "over-datasets" if judged.over else "dataset", 1 if comparison.expecting else 2
    levels = [alone_level(f) for f in case.families if f.scope == scope or "everything" in f.over]
    alpha = min(levels, default=comparison.alpha.value) if margin is not None else comparison.alpha.value
    for sample in _samples(facts, case, judged, scale):
        varies = sample.square if binary else sample.spread
        if (margin is None and (judged.over or sample.size >= FEW_ITEMS)) or (binary and asked >= 1.0):
            continue
        supposed = f"if differences between {sample.unit}s have a standard deviation of {number(sample.spread * scale)}"
        needed: int | None
        if equivalence:
            power = power_equivalence(varies / math.sqrt(sample.size), asked, alpha=alpha) if varies else 1.0
            needed = units_for_equivalence(varies**2, asked, alpha=alpha) if power < LEAST_POWER else None
        elif not varies or judged.card.smallest_p(sample.size, 2, sides) > alpha:
            continue
        else:
            square = sample.square if binary else None
            basis = UnitPower(test=card.name, level=alpha, sides=sides, disagreement=square, spread=sample.spread)
            power = basis.power(sample.size, asked) or 0.0
            needed = basis.needed(asked) if power < LEAST_POWER else None
        if not sample.seen and not equivalence:
            supposed = assumed_of_datasets() if judged.over else assumed_of_rows(max(sample.square, asked))
        elif binary or not sample.seen:
            supposed = seen_of_rows(max(sample.square, asked) if binary else sample.square, sample.unit)
        where = f"over {counted(sample.size, 'dataset')}"
        if sample.name:
            in_groups = f" in {sample.groups:,} groups" if sample.groups else ""
            where = f"on {counted(sample.size, sample.unit)}{in_groups} of `{sample.name}`"
        low = _low(
            f"`{card.name}` {where}",
            power,
            f"show that two equal learners are equivalent within {number(asked * scale)}"
            if equivalence
            else f"find a difference of {number(asked * scale)}",
            supposed,
            f"{needed:,} {sample.unit}s" if needed else "",
            case.at("rope", "by", comparison.span, dataset=sample.name or None),
            bound="at most " if sample.groups or card.evidence == "fold-scores" else "",
        )
        if low is not None:
            opened = (case.table if judged.over else sample.seen) or facts.profile(sample.name)
            yield replace(low, stage="data" if opened else "design")


@rule("EV414", "rows-in-groups", "error", needs=("test", "dataset"), each=each_case)
def rows_in_groups(facts: Facts, case: Case) -> Iterator[Finding]:
    """Rows of a group are counted as independent.

    ## What it finds
    A test whose unit is the test row (mcnemar, binomial, cochran-q, delong, row-t, wilson, the bootstrap of rows) on
    data with a groups column.

    ## Why it matters
    Ten visits of one patient are not ten patients. With ten rows per group the type I error of such a test was .27 at a
    level of .05 in our simulation.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "the clinic's own records"
    compare this classifier decision-tree vs naive-bayes on visits using grouped holdout 1/3, by mcnemar, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "the clinic's own records"
    compare this classifier decision-tree vs naive-bayes on visits using grouped holdout 1/3
      by cluster-permutation, seed 20
    ```

    ## When it is fine
    Never while the rows of a group are related. If they are not, remove `groups`.

    ## References
    Ours: the simulation is in the test suite.
    """
    grouped = [d.name for d in case.datasets if d.groups] or _grouped_table(case)
    if not grouped:
        return
    tests = [j for j in case.tests if not j.over and _counts_rows(j.card)]
    if not tests or case.comparison.name in facts.misfits:
        return
    first = tests[0]
    yield rows_in_groups.finding(
        f"`{first.card.name}` counts the {case.units} of {listed_names(grouped)} as independent, but they come in "
        f"groups of related {case.units}",
        _by_groups(case),
        at=case.at(first.test.span, "using"),
    )


def _counts_rows(card: TestEntry) -> bool:
    """Return whether rows of one group are independent units to the test."""
    return card.unit.startswith("test row") and "group" not in card.unit


def _by_groups(case: Case) -> str:
    """Return what to write so that groups are counted: another test, or folds that keep groups together."""
    written = tuple(span for span in case.comparison.spans if span[0] != "by")
    without = with_default_tests(replace(case.comparison, spans=written, tests=()))
    cards = [card for test in without.tests if (card := find_test(test.name)) is not None and not _counts_rows(card)]
    if not case.comparison.estimate and cards:
        seed = f" and add `{case.suggested_seed_clause[2:]}`" if case.suggested_seed_clause else ""
        return f"leave out `by`{seed}: `{cards[0].name}` counts {'folds' if cards[0].unit == 'fold' else 'groups'}"
    if case.scheme is None or not case.scheme.trains:
        if not case.comparison.estimate:
            return f"leave out `by`, and write `measuring accuracy` or another mean over {case.units}"
        return "report the score without an interval: none counts groups"
    left = listed([*["`this classifier`"] * case.comparison.this_classifier, *["`by`"] * case.says("by")])
    return (
        f"write `using grouped 10cv{case.suggested_seed_clause}`"
        + (f" without {left}" if left else "")
        + ": its units are folds"
    )


def _grouped_table(case: Case) -> list[str]:
    groups = getattr(case.table, "groups", None)
    return [case.comparison.datasets[0]] if groups else []


@rule(
    "EV415",
    "units-differ",
    "warning",
    stage=("design", "data"),
    needs=("test", "metric", "dataset"),
    each=each_comparison,
)
def units_differ(facts: Facts, case: Case) -> Iterator[Finding]:
    """Differences in a unit are compared across datasets.

    ## What it finds
    `wilcoxon`, `paired-t` or `anova` over datasets on a metric with a unit: rmse, mae, seconds, bytes.

    ## Why it matters
    Half a degree on one dataset and half a million euros on another are not the same difference. The dataset with the
    largest numbers decides (Demsar 2006).

    ## Example
    ```eval,bad
    results errors from csv "errors.csv", datasets in "Dataset", measuring rmse
    compare old vs new on errors by wilcoxon
    ```

    ## Use instead
    ```eval
    results errors from csv "errors.csv", datasets in "Dataset", measuring rmse
    compare old vs new on errors by sign
    ```

    ## When it is fine
    When all datasets measure the same thing in the same unit.

    ## References
    Demsar 2006, section 3.1.
    """
    united = [metric.name for metric in case.metrics if metric.has_unit]
    if not united:
        return
    for judged in case.tests:
        judges = not judged.test.metrics or any(name in judged.test.metrics for name in united)
        if judged.over and judges and judged.card.name in ("wilcoxon", "paired-t", "mixed-model", "anova"):
            wanted = "friedman" if len(case.comparison.learners) > 2 else "sign"
            units = count_datasets(facts, case)
            power = power_over(wanted, units, alpha=case.comparison.alpha.value) if units > 1 else None
            weak = power is not None and power < LEAST_POWER  # EV103 would report it
            yield units_differ.finding(
                f"`{judged.card.name}` compares differences of {listed_names(united)} across datasets, but "
                f"{one(united, 'its', 'their')} unit may differ between datasets",
                f"use more than {units} datasets and write `by {wanted}`, or describe the differences without a test"
                if weak
                else f"write `by {wanted}`, which only uses which learner is better on each dataset",
                at=case.at(judged.test.span, "measuring"),
                fix=None if weak else _by_sign(case, judged),
            )
            break


def _by_sign(case: Case, judged: PlannedTest) -> Fix | None:
    """Return the repair that replaces the whole `by`, since a post-hoc test needs its first test."""
    wanted = "friedman" if len(case.comparison.learners) > 2 else "sign"
    if not judged.written or not case.says("by"):
        return None
    return replace_words(f"use {wanted}", case.comparison.span_of("by"), f"by {wanted}")


@rule("EV416", "level-exceeded", "warning", needs=("test", "scheme", "learner"), each=each_comparison)
def level_exceeded(facts: Facts, case: Case) -> Iterator[Finding]:
    """The type I error of this test was measured to be too high.

    ## What it finds
    A test on folds, written or by default, with a scheme and a learner for which it called equal learners different in
    more than 6% of our simulations at 5%: corrected-t on one cross-validation, and halving-t on 60 rows, with a stump
    (a decision tree of depth 1). Also tests of right and wrong answers (`by mcnemar`, `by binomial`) on the rows of all
    folds together.

    ## Why it matters
    The rows of a fold share one trained classifier, and the training sets of all folds share most of their rows, but a
    test of rows counts each row as independent. McNemar's test (mid-p) on one 10cv of 100 and 300 rows, 1,000 simulated
    datasets each, called equal stumps different in up to 22.3%, equal nearest neighbours in up to 15.3% and equal naive
    Bayes in up to 10.7%. Salzberg recommends this design (section 3.5, step 5) without measuring it.

    Scores of a stump on the folds of one sample move together, so their spread underestimates the variance. corrected-t
    on one cross-validation was above 6% in all six cells of the study, so no test is chosen by default there.

    ## Example
    ```eval,bad
    dataset agreed from csv "agreed.csv", target "y", folds "fold" because "the task of the shared challenge"
    learner stump is decision-tree(max_depth = 1) because "the simplest rule"
    compare stump vs naive-bayes on agreed using given folds
    ```

    ## Use instead
    ```eval
    dataset agreed from csv "agreed.csv", target "y" because "the task of the shared challenge"
    learner stump is decision-tree(max_depth = 1) because "the simplest rule"
    compare stump vs naive-bayes on agreed using 10x2cv, seed 20
    ```

    ## When it is fine
    When p is far below the level, and the measured rate is reported beside it.

    ## References
    Nadeau and Bengio 2003; ours: the study of levels (`docs/studies/levels`), and for the rows of folds
    `tests/simulations/test_type_one_rows_folds.py`.
    """
    pooled = [j.card.name for j in case.tests if j.card.evidence == "outcomes" and not j.over]
    by_folds = case.scheme is not None and case.scheme.rows_tested_once and not case.scheme.one_test_set
    if pooled and by_folds:
        yield level_exceeded.finding(
            f"{listed_names(pooled)} counts the rows of all folds as independent, but those of a fold share one "
            f"trained classifier: McNemar's test on one 10cv at 5% was wrong in up to {POOLED_ERROR} of our "
            "simulations",
            f"leave out `by` and write `using {case.halves}`, or leave out `by` and write `using "
            f"{case.like_scheme('10 halvings of 10x10cv')}{case.suggested_seed_clause}` for training sets of "
            "nearly all rows",
            at=case.at("by"),
        )
    stumps = [t.name for t in case.learners if is_stump(t.learner)]
    written = case.comparison.span_of("using")
    half = f"write `using {case.halves}`, where `corrected-t` keeps its level and trains on half of the rows"
    if stumps and case.scheme is not None and not case.says("by") and not case.comparison.estimate:
        none = no_default_words(case.scheme.test, case.kind)
        if none and not case.comparison.tests:
            message = (
                f"comparison `{case.comparison.name}` has no test on each dataset, because of {listed_names(stumps)}: "
                f"{none}"
            )
            yield level_exceeded.finding(message, half, at=case.at(written))
    for judged in case.tests:
        found = exceeding(judged.card.name, case.kind)
        if found is not None and found.stumps and stumps:
            yield level_exceeded.finding(
                f"`{judged.card.name}` under `{case.kind}` at level 5% called equally good learners different in up to "
                f"{percent(found.rate)} of our simulations {found.where}, and {listed_names(stumps)} is one",
                f"leave out `by` and {half}" if case.says("by") else half,
                at=case.at(written),
            )


@rule("EV430", "control-ignored", "warning", needs=("test", "dataset"), each=each_comparison)
def control_ignored(facts: Facts, case: Case) -> Iterator[Finding]:
    """A control is named, but all pairs are tested.

    ## What it finds
    `control` beside `nemenyi`.

    ## Why it matters
    Nemenyi's test corrects for all pairs. With a control only its pairs matter, and bonferroni-dunn, or wilcoxon with
    holm, has more power for them (Demsar 2006).

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "every two- and many-class set at hand"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes vs random-forest on tasks using 10x2cv
      by friedman, nemenyi, control random-forest, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "every two- and many-class set at hand"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes vs random-forest on tasks using 10x2cv
      by friedman, bonferroni-dunn, control random-forest, seed 20
    ```

    ## When it is fine
    When all pairs are reported: leave `control` out.

    ## References
    Demsar 2006, section 3.2.2.
    """
    control = case.comparison.control
    ignoring = [judged for judged in case.tests if judged.card.name in ALL_PAIRS]
    if control and ignoring:
        yield control_ignored.finding(
            f"`{control}` is declared as the control, but `{ignoring[0].card.name}` tests all pairs",
            "write `by friedman, bonferroni-dunn`, which tests only the pairs with the control",
            at=case.at(ignoring[0].test.span, "control"),
        )


def _named(facts: Facts, name: str) -> Iterator[tuple[Case, PlannedTest]]:
    for case in facts.compared:
        for judged in case.tests:
            if judged.test.name == name and judged.written and not facts.misfits.get(case.comparison.name):
                yield case, judged
