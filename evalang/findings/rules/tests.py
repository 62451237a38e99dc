"""EV4: tests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ...catalogue.distributions import t_quantile
from ...catalogue.power import (
    ASSUMED_DISAGREEMENT,
    ASSUMED_SPREAD,
    DATASET_TESTS,
    UnitPower,
    power_equivalence,
    seen_of_rows,
    units_for_equivalence,
)
from ...catalogue.tests import exceeding, find_test, no_default_words
from ...language.text import (
    Finding,
    Fix,
    Level,
    Span,
    Stage,
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
from ...plans.families import alone_level, tests_in_reach
from ...plans.model import Claim, on_each_dataset
from ..case import Case, Place, PlannedTest
from ..facts import Facts, NotApplicable, each_case, each_comparison
from ..misfit import find_default_test
from ..reach import (
    LEAST_POWER,
    Floor,
    advise_a_test,
    asks_about_learners,
    can_reject,
    count_datasets,
    count_judged_rows,
    count_rows,
    find_floors,
    find_power_level,
    find_table_floors,
    fix_this_classifier,
    power_over,
    random_and_trained_once,
    rests_on_one_training,
    trained_repeatedly,
)
from ..rule import add_clause, replace_words, rule, swap_test
from ..wording import seen_on_these_rows

if TYPE_CHECKING:
    from ...results.records import TestResult, Verdict

FEWEST_TELLING = 10  # ours: an exact test of so many at 5% rejects from 9 to 1 on
FEWEST_DISAGREEMENTS = 25  # ours, after D 3.2 and S 3.1: below it the chi-squared approximation is rough
WIDE_MARGIN = 0.1  # ours: ten points of accuracy matter nearly everywhere
USUAL_ALPHA = 0.05  # ours; R 15.2 calls 5% usual and 10% common
RESAMPLED_ERROR = "11% to 32%"  # D 5 and STATISTICS: thirty resamples, error rates of 10% to 40%
PROPORTIONS_ERROR = "5% to 7%"  # D 5 and STATISTICS, in a simulation that favours the test
POOLED_ERROR = 0.223  # ours, mid-p on 10cv with stumps
GROUPED_ERROR = 0.27  # ours: ten rows in each group
FEW_ITEMS = 50  # ours: from here on the power is left to the plan, unless a margin says which difference matters
MOST_UNITS = 1_000_000  # our own choice: few studies can collect more units, so no advice asks for more
NOTABLE = 0.15  # ours: a difference of fifteen points matters in every evaluation of items
ALL_PAIRS = ("nemenyi",)
ONE_TRAINING_ERROR = 0.463  # the study of levels, one-training.csv: 200 training and 5,000 test rows, a tree
KFOLD_ERROR = 2.0  # D 6.2: type I error up to twice the level


@rule("EV401", "resampled-t", "error", needs=("test",))
def resampled_t(facts: Facts) -> Iterator[Finding]:
    """The resampled paired t-test gives far too many false positives.

    ## What it finds
    The rule finds `by resampled-t` in a comparison. A `simulate` statement may name this test.

    ## Why it matters
    The resamples share training and test rows, but the test treats them as independent. In Dietterich's simulation with
    thirty resamples, its type I error was far above .05 and much higher than that of four other tests (section 5,
    Figure 5). The type I error grows with the number of resamples (Figure 6).

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 30 resamples of 2/3, by resampled-t, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 30 resamples of 2/3, by partition-t, seed 20
    ```

    ## When it is fine
    To reproduce an older study, write `allow EV401 because "…"`.

    ## References
    Dietterich 1998, sections 3.3, 5 and 8; Salzberg 1997, section 3; Nadeau and Bengio 2003.
    """
    for case, judged in _named(facts, "resampled-t"):
        scheme = case.comparison.scheme
        units = scheme.trials if scheme else 0
        fit = find_test("partition-t")
        other = "partition-t" if fit is not None and case.kind in fit.schemes else find_default_test(case)
        yield resampled_t.finding(
            f"the test `resampled-t` treats {counted(units, 'resample')} of the same rows as independent. With 30 "
            f"resamples at level 5% it found differences between equal learners in {RESAMPLED_ERROR} of cases "
            "(Dietterich 1998)",
            f"write `by {other}`, which is corrected for the shared rows",
            at=case.at(judged.test.span),
            fix=swap_test(case, judged.test, other),
        )


@rule("EV402", "proportions", "error", needs=("test", "dataset"))
def proportions(facts: Facts) -> Iterator[Finding]:
    """A test of two proportions ignores that both learners are tested on the same rows.

    ## What it finds
    The rule finds `by proportions`. This test is for two independent samples, but both learners are tested on the same
    rows.

    ## Why it matters
    The test ignores which rows the learners get wrong. The test gives the same z whether the learners are wrong on the
    same rows or on different rows, although the evidence differs. One test set also shows nothing about other training
    sets.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by proportions, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, seed 20
    ```

    ## When it is fine
    To reproduce an older study, write `allow EV402 because "…"`.

    ## References
    Dietterich 1998, sections 3.2, 5 and 7; Salzberg 1997, section 3.1.
    """
    for case, judged in _named(facts, "proportions"):
        pair = listed_names(case.comparison.learners)
        yield proportions.finding(
            f"the test `proportions` assumes that learners {pair} were tested on different {case.units}, but both "
            f"were tested on the same {case.units}. Even in a simulation that favours this test, it was wrong in "
            f"{PROPORTIONS_ERROR} of cases at level 5% (Dietterich 1998)",
            f"write `by mcnemar`, which uses the {case.units} on which the two learners disagree",
            at=case.at(judged.test.span),
            fix=swap_test(case, judged.test, "mcnemar"),
        )


@rule("EV403", "kfold-t", "warning", needs=("test",))
def kfold_t(facts: Facts) -> Iterator[Finding]:
    """The t-test on the folds of one cross-validation gives too many false positives.

    ## What it finds
    The rule finds `by kfold-t` on one k-fold cross-validation, or on folds that are read from a column.

    ## Why it matters
    Any two training sets of a 10-fold cross-validation share 80% of the rows, so the folds are not independent
    (Dietterich 1998, section 3.4). The type I error is up to twice the level (Dietterich 1998, section 8).

    ## Example
    ```eval,bad
    dataset agreed from csv "agreed.csv", target "y", folds "fold" because "the dataset of a public challenge"
    compare decision-tree vs naive-bayes on agreed using given folds, by kfold-t
    ```

    ## Use instead
    ```eval
    dataset agreed from csv "agreed.csv", target "y", folds "fold" because "the dataset of a public challenge"
    compare decision-tree vs naive-bayes on agreed using given folds, by corrected-t
    ```

    ## When it is fine
    There is no problem if missing a difference would cost more than a false positive.

    ## References
    Dietterich 1998, sections 3.4, 6.2 and 8.
    """
    for case, judged in _named(facts, "kfold-t"):
        scheme = case.comparison.scheme
        folds = scheme.folds if scheme and scheme.card.one_kcv else 0
        shared = f"{percent(scheme.overlap or 0.0, 0)} of their rows" if scheme and folds > 2 else "rows"
        alpha = case.comparison.alpha.value
        yield kfold_t.finding(
            f"the test `kfold-t` treats the {f'{folds} ' * bool(folds)}folds as independent, but their training sets "
            f"share {shared}. At level {percent(alpha)} it finds differences between equal learners in up to "
            f"{percent(KFOLD_ERROR * alpha)} of cases (Dietterich 1998)",
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
    The rule finds a comparison that trains each learner once, on a holdout or with `given test`. The rule ignores
    comparisons with `this classifier` in the comparison or in all its claims. EV311 reports random learners that are
    trained once, and EV707 reports claims.

    ## Why it matters
    One training set shows which of the trained classifiers is better (question 3 of Dietterich 1998). One training set
    does not show which learner is better, because the variation between training sets is not measured.

    In our study of levels we used McNemar's test at level 5% to compare equal learners. With 200 training and 5,000
    test rows, McNemar's test found a difference in 8% (naive Bayes), 43% (nearest neighbour) and 46% (tree) of cases.
    With 2,000 training rows, McNemar's test found a difference in 4% (naive Bayes), 11% (nearest neighbour) and 14%
    (tree) of cases.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, seed 20
    ```

    ## When it is fine
    One training set never supports a claim about learners. If you can train each learner only once, ask about `this
    classifier`.

    ## References
    Dietterich 1998, sections 1 and 3.1. The rates are from our own study of levels.
    """
    if (
        not asks_about_learners(case)
        or random_and_trained_once(case)
        or trained_repeatedly(case)
        or any(rests_on_one_training(facts, claim) for claim in case.claims)  # EV707 reports it
    ):
        return
    tests = [j for j in case.tests if not j.over]
    if tests and case.comparison.name not in facts.misfits:
        yield training_variance_ignored.finding(
            f"learners {listed_names(case.comparison.learners)} are trained only once, so the test compares these "
            f"trained classifiers, not the learners. McNemar's test at level 5% found a difference between "
            f"equally good learners in up to {percent(ONE_TRAINING_ERROR, 0)} of our simulations",
            "write `compare this classifier …` to ask about the trained classifiers, or "
            + ("leave out `by` and write" if case.has_clause("by") else "write")
            + f" `using {case.halves}`, which trains each learner on 20 training sets",
            at=case.at(tests[0].test.span if tests[0].written else case.comparison.span_of("using")),
            fix=fix_this_classifier(case),
        )


@rule("EV405", "pairwise-only", "note", strict="error", needs=("test", "dataset", "control"), each=each_comparison)
def pairwise_only(facts: Facts, case: Case) -> Iterator[Finding]:
    """A test for two learners is used with three or more.

    ## What it finds
    The rule finds a test for two learners in a comparison of three or more learners, without `control` or `all pairs`.
    All pairs are then tested. For `bonferroni-dunn` without `control` the finding is an error, because this test
    compares one learner with each of the other learners.

    ## Why it matters
    The number of pairs is the number of tests that are corrected together. With fewer pairs, each test has more power.
    Salzberg (section 3.1) notes that the binomial test does not handle more than two algorithms.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 10x10cv
      by corrected-t, holm over learners, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes vs random-forest on tumours using 10x10cv
      by corrected-t, control random-forest, holm over learners, seed 20
    ```

    ## When it is fine
    If all pairs are of interest, write `all pairs`. The rule ignores a test of two learners that follows a test of all
    learners (`by friedman, wilcoxon`).

    ## References
    Salzberg 1997, section 3.1.
    """
    comparison = case.comparison
    learners = comparison.learners
    dunn = next((j for j in case.tests if j.card.name == "bonferroni-dunn"), None)
    if dunn is not None and comparison.control is None and "control" not in dict(dunn.test.options):
        yield pairwise_only.finding(
            "the test `bonferroni-dunn` compares one learner, the control, with each of the other learners, but the "
            "script names no control",
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
    yield pairwise_only.finding(
        f"the test `{first.card.name}` compares two learners, so all {comparison.pairs} pairs of the {len(learners)} "
        "learners are tested. With fewer pairs each test has more power",
        f"add `control {learners[0]}` to test only its {len(learners) - 1} pairs, or add `all pairs` to test all "
        "pairs on purpose",
        at=case.at(first.test.span),
        fix=add_clause(facts, comparison.span, "all pairs", safe=False),
    )


@rule("EV406", "skewed-differences", "warning", stage="run")
def skewed_differences(facts: Facts) -> Iterator[Finding]:
    """One dataset decides the result of a t-test over datasets.

    ## What it finds
    After the run, the rule finds a paired t-test over datasets whose result changes when one dataset is left out.

    ## Why it matters
    The t-test divides the mean difference by its standard error. One dataset with a large difference changes both, so
    it can create or hide a significant result. In Bramer's example t falls from 3.31 to 2.81 although the new
    classifier improves on two of ten datasets.

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
    There is no problem if you report which dataset decides the result. Do not remove this
    dataset, because choosing datasets by their results biases the comparison.

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
                f"the difference between learners {listed_names(over.learners)} over "
                f"{counted(len(values), 'dataset')} is {verdict}, but without dataset {listed_names(turning, 'or')} it "
                f"would be {'not significant' if whole else 'significant'}",
                "write `by wilcoxon`, which ranks the differences, and name the dataset in the report"
                if can_reject(facts, case, "wilcoxon", len(values))
                else "name the dataset in the report",
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
    In a table of right and wrong answers, the rule finds fewer than 10 items on which exactly one of the two models is
    right. After the run, the rule finds an approximate test with fewer than 25 such rows. Both bounds are our own
    choice.

    ## Why it matters
    Only the rows on which the learners disagree can show a difference. With fewer than 10 such rows, a test easily
    misses even a large difference, and a few items decide the result. The benchmark may then be too easy or too hard
    for both models. With fewer than 25 such rows, the chi-squared approximation is inaccurate, and the exact p-value is
    just as easy to compute.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by corrected-proportions, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar-exact, seed 20
    ```

    ## When it is fine
    There is no problem if you claim that the two models are equivalent. The approximation is never needed: `mcnemar`
    computes the exact p-value for few rows.

    ## References
    The rule is our own choice, based on Dietterich 1998, section 3.2, and Salzberg 1997, section 3.1.
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
            f"learners {listed_names(found.learners)} disagree on only {counted(disagree, 'row')} of dataset "
            f"`{found.dataset}`. The approximate p-value of the test `{found.test.test}` is inaccurate with fewer "
            f"than {FEWEST_DISAGREEMENTS}",
            "write `by mcnemar-exact`, which computes the exact p-value",
            at=case.at("by", dataset=found.dataset, metric=found.metric, learners=found.learners),
            stage="run",
        )


def _few_in_table(facts: Facts, case: Case) -> Iterator[Finding]:
    """Report two models that hardly ever disagree, on each dataset of a table of right and wrong answers."""
    read, names = facts.tables.get(case.comparison.name), case.comparison.learners
    if read is None or case.table is None or len(names) != 2 or read.graded or read.epochs[1] > 1:
        return
    if case.comparison.name in facts.misfits or _same_claims(case):
        return
    if not any(judged.card.evidence == "outcomes" and not judged.over for judged in case.tests):
        return
    scale = 100.0 if read.percent else 1.0
    for dataset, (items, _), square in zip(read.datasets, read.sizes, read.pair_squares, strict=False):
        disagree = round(square / scale**2 * items)
        if 0 < disagree < FEWEST_TELLING:  # EV421 reports equal scores
            yield few_disagreements.finding(
                f"{'models' if case.units == 'items' else 'learners'} {listed_names(names)} disagree on only "
                f"{disagree} of the {items:,} {case.units} of `{dataset}`. So few disagreements can hardly show a "
                "difference",
                f"use more {case.units}, or more difficult {case.units}",
                at=case.at("by", case.comparison.span, dataset=dataset, learners=names),
            )


@rule("EV408", "cannot-reject", "error", stage=("design", "data"), needs=("test", "scheme", "learner", "dataset"))
def cannot_reject(facts: Facts) -> Iterator[Finding]:
    """The comparison can never be significant.

    ## What it finds
    The rule finds a test whose smallest possible p-value is above its significance level after correction. With
    Bonferroni and Holm this level is alpha divided by the number of tests. With Benjamini-Hochberg, Hochberg and Hommel
    this level is alpha.

    The finding is an error if the script names the test or a claim needs it. If evalang chose the test, or if the test
    cannot be significant only because of the default correction, the finding is a warning. The datasets, items, rows
    and groups of a table are counted when the file is read.

    The rule also warns about a comparison without any test, such as leave-one-out or several seeds on one dataset.

    ## Why it matters
    The run can only end with "no significant difference", and readers may take this as a result. The most common case
    is a test on five datasets, where the p-value of Wilcoxon's test cannot be below 2/32 (Demsar 2006).

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, by wilcoxon, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe because "all bundled datasets with at least 500 rows"
    compare decision-tree vs naive-bayes on tasks using 10x10cv, holm over datasets, seed 20
    ```

    ## When it is fine
    This test never supports a conclusion. You can still describe the difference without a test.

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
                _more_units(facts, floor),
                at=floor.case.at(floor.test.span, "by"),
                level="warning" if taken else "error",
                stage="data" if floor.read else "design",
            )
    for case in facts.compared:
        comparison = case.comparison
        untested = case.scheme is not None and not case.tests and not case.has_clause("by") and comparison.over_note
        guarded = comparison.scheme is not None and comparison.scheme.looks is not None
        claimed = any(claim.relation == "better" for claim in case.claims)  # EV711 reports it
        if untested and not guarded and not claimed and not any(is_stump(t.learner) for t in case.learners):
            yield cannot_reject.finding(
                f"comparison `{comparison.name}` has no test: {untested.removeprefix('no test over datasets: ')}",
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
            else f"the values of column {listed_columns(columns)}"
        )
        others = f"; {seeds} are not datasets" if columns else ""
        fewest = f"needs at least {floor.fewest or 2} to be significant"
        return f"table `{table.name}` contains one dataset, but the test `{name}` over datasets {fewest}{others}"
    over = "over" if floor.unit == "dataset" else "on"
    if floor.units < floor.card.min_units:
        needed = counted(floor.card.min_units, floor.unit)
        return f"the test `{name}` needs at least {needed}, but there are only {floor.units}"
    return (
        f"the test `{name}` {over} {counted(floor.units, floor.unit)} can never be significant: its smallest possible "
        f"p-value is {number(floor.smallest)}, above the level {number(floor.level)}{floor.why}"
    )


def _more_units(facts: Facts, floor: Floor) -> str:
    """Return how many units are enough for this rule, and how many for EV103."""
    case, wanted = floor.case, floor.wanted
    describe = f"describe the scores without a test (`estimate {case.comparison.learners[0]} …`)"
    if case.table is not None or not case.comparison.learners:
        describe = "describe the difference without a test"
    if floor.unit == "dataset" and case.table is None:
        describe = "leave out the test over datasets and test each dataset"
    if floor.unit == "dataset" and floor.units == 1 and on_each_dataset(case.comparison.levels, case.comparison.scheme):
        return "leave out `by` for the test on the folds of this dataset"
    if wanted is None:
        return f"{describe}, or make fewer comparisons on `{case.comparison.datasets[0]}`"
    fewest = floor.fewest or wanted
    power = f"about {percent(LEAST_POWER, 0)} power{floor.at_power_level} to find a large difference"
    more = f" ({wanted} for {power})" if fewest < wanted else ""
    read = facts.tables.get(case.comparison.name)
    learners = len(read.learners) if read is not None else len(case.learners)
    instead = tests_in_reach(floor.test.name, floor.units, learners, case.comparison.alpha.value) if learners else []
    write = f"write {' or '.join(instead)}, " if instead else ""
    return f"use at least {counted(fewest, floor.unit)}{more}, {write}or {describe}"


@rule("EV409", "side-unexplained", "warning", needs=("dataset", "expecting"), each=each_comparison)
def side_unexplained(facts: Facts, case: Case) -> Iterator[Finding]:
    """The script gives no reason for the direction of a one-sided test.

    ## What it finds
    The rule finds `expecting … better` without `because`, or with a reason that names a result on the rows that are
    tested ("it was ahead in our first run on these rows").

    ## Why it matters
    A one-sided test halves the p-value. A one-sided test is justified only if there was a reason for the direction
    before the results were seen. Without such a reason, the direction may have been chosen because this learner
    happened to win.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs random-forest on tumours using 10x10cv, expecting random-forest better, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs random-forest on tumours using 10x10cv
      expecting random-forest better because "it averages over many such trees"
      seed 20
    ```

    ## When it is fine
    A one-sided test always needs a reason. Leave `expecting` out for a two-sided test.

    ## References
    Bramer, section 15.2: use both tails where there is no reason to expect one of the two to be better.
    """
    comparison = case.comparison
    reason = (comparison.expecting_because or "").strip()
    if comparison.expecting is None:
        return
    if seen := seen_on_these_rows(reason):
        yield side_unexplained.finding(
            f'the side of `expecting {comparison.expecting} better` was chosen by a result: its reason says "{seen}". '
            "A side that is chosen after a result doubles the type I error",
            "leave out `expecting` for a two-sided test, or test on new rows",
            at=case.at("expecting"),
        )
    if reason:
        return
    yield side_unexplained.finding(
        f"`expecting {comparison.expecting} better` makes the test one-sided, which halves the p-value, but the "
        "script gives no reason for this direction",
        f'write `expecting {comparison.expecting} better because "…"`, or leave out `expecting` for a two-sided test',
        at=case.at("expecting"),
    )


@rule("EV410", "lenient-alpha", "warning", needs=("at",))
def lenient_alpha(facts: Facts) -> Iterator[Finding]:
    """The significance level or the equivalence margin is unusually large.

    ## What it finds
    The rule finds a level above 0.05 (our own choice), in a comparison or by `set alpha`. The rule also finds a margin
    of more than 10 points (our own choice) without `because` in the comparison.

    ## Why it matters
    At level 10%, one in ten tests of equal learners is significant, but readers assume one in twenty.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 0.1, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare decision-tree vs naive-bayes on tumours using 5x2cv, at alpha 0.05, seed 20
    ```

    ## When it is fine
    There is no problem for a first screening, if the learners that win are tested again on other data.

    ## References
    The rule is our own choice. Bramer (section 15.2) calls 10% a commonly used criterion.
    """
    for case in facts.compared:
        rope = case.comparison.rope
        shares = bool(case.metrics) and all(metric.low == 0.0 and metric.high == 1.0 for metric in case.metrics)
        width = 0.0 if rope is None else rope.value / (100 if rope.value >= 1 else 1)  # of a table in per cent
        if shares and width > WIDE_MARGIN and not case.comparison.because:
            yield lenient_alpha.finding(
                f"the margin is {percent(width)}: learners that differ by nearly as much count as equivalent",
                'write a smaller margin, or give the reason in `because "…"`',
                at=case.at("rope"),
            )
    seen: set[Span] = set()
    for case in facts.cases:
        given = case.comparison.alpha
        if given.value <= USUAL_ALPHA or (given.origin == "set" and given.span in seen):
            continue
        seen.add(given.span)
        span = given.span if given.span.path else case.comparison.span_of("at")
        yield lenient_alpha.finding(
            f"the level is {number(given.value)}, so one in {number(1 / given.value)} tests of equal learners is "
            f"significant by chance. Readers expect {USUAL_ALPHA}",
            f"write `{'alpha' if given.origin == 'set' else 'at'} {USUAL_ALPHA}`, or give the reason in "
            '`allow EV410 because "…"`',
            at=Place(span, Subject(case.comparison.name if given.origin != "set" else "")),
            fix=replace_words("use the usual level", span, "alpha 0.05", safe=False) if given.origin == "set" else None,
        )


@rule("EV411", "wrong-question", "error", needs=("test", "scheme"))
def wrong_question(facts: Facts) -> Iterator[Finding]:
    """The test answers a different question.

    ## What it finds
    The rule finds a test that can be computed, but answers a different question from the one in the script. Dietterich
    (1998) lists nine questions. One example is a confidence interval for one trained classifier, if the question is
    about a learner under cross-validation. A second example is a test of learners, if the question is about trained
    classifiers.

    ## Why it matters
    The p-value or interval is computed correctly, but it does not answer the question.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    estimate decision-tree on tumours using 10cv, by wilson, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    estimate this classifier decision-tree on tumours using holdout 1/3, by wilson, seed 20
    ```

    ## When it is fine
    Never. Change the script so that it asks the question that the test answers.

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
    - With an equivalence margin (`margin`, also written `rope`), the comparison has less than 50% power to find a
      difference as large as the margin, at the corrected level.
    - With `by tost` or a claim of equivalence, the comparison has less than 50% power to show that two equal learners
      are equivalent.
    - Without a margin, in a table of fewer than 50 items, the comparison has less than 50% power to find a difference
      of 15 points (our own choice), at the corrected level.

    The help gives the number of rows, items or datasets for 80% power.

    Before the data are read, the rule assumes that the learners disagree on 10% of the rows (our own choice), and that
    the differences on several datasets have a standard deviation of 7 points (6.93 in Bramer's example, section 15.2).
    When the data are read, both numbers come from the data. The difference is always the margin or 15 points, never the
    observed difference.

    ## Why it matters
    The run will probably find no significant difference, even if such a difference exists. The run therefore cannot
    answer the question.

    ## Example
    ```eval,bad
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, rope 1 point, seed 20
    ```

    ## Use instead
    ```eval
    dataset tumours from builtin "breast-cancer" because "a small medical dataset with two classes"
    compare this classifier decision-tree vs naive-bayes on tumours using holdout 1/3, by mcnemar, rope 5%, seed 20
    ```

    ## When it is fine
    There is no problem if the margin only states which differences do not matter, and you report the power. If every
    claim is of the form `better`, the finding is a note.

    ## References
    Dietterich 1998, section 6.3.
    """
    asked = {c.comparison.name: c for c in facts.compared if c.comparison.rope or _same_claims(c)}
    stuck = {floor.case.comparison.name for floor in find_table_floors(facts) if floor.smallest > floor.level}  # EV408
    others = (c for c in facts.compared if c.comparison.name not in asked and c.comparison.name not in stuck)
    few = [c for c in others if _of_items_read(facts, c)]
    if not asked and not few:
        raise NotApplicable("neither a margin nor a claim of equivalence says which difference matters")
    if facts.run is not None:
        found = list(_after_run(facts.run.verdicts, asked))
    else:
        cases = [case for case in (*few, *asked.values()) if case.comparison.name not in facts.misfits]
        found = [low for case in cases for judged in case.tests for low in _underpowered(facts, case, judged)]
    together: dict[tuple[str, str, str], list[_Low]] = {}
    for low in found:
        together.setdefault((low.at.subject.comparison, low.at.subject.metric, low.test), []).append(low)
    for lows in together.values():
        claims = facts.by_name[lows[0].at.subject.comparison].claims
        rope = facts.by_name[lows[0].at.subject.comparison].comparison.rope
        only_better = rope is not None and bool(claims) and all(claim.relation == "better" for claim in claims)
        yield _weakest(lows, "note" if only_better else "warning")


def _of_items_read(facts: Facts, case: Case) -> bool:
    """Whether the scores of items, of which 15 points are a share, were read."""
    shares = all(metric.low == 0.0 and metric.high == 1.0 for metric in case.metrics)
    return case.kind == "items" and case.comparison.name in facts.tables and shares


def _same_claims(case: Case) -> list[Claim]:
    return [c for c in case.claims if c.relation == "same"]


@dataclass(frozen=True, slots=True)
class _Low:
    """A test that has too little power on one dataset, or over datasets."""

    test: str
    where: str
    power: float
    to: str
    supposed: str
    needed: int | None
    unit: str
    at: Place
    bound: str = ""
    stage: Stage = "data"


def _after_run(verdicts: tuple[Verdict, ...], cases: dict[str, Case]) -> Iterator[_Low]:
    """Yield the power that stands beside the verdicts."""
    for v in verdicts:
        test, power = v.test, v.power
        if v.comparison not in cases or v.rope is None or test is None or power is None or power.power >= LEAST_POWER:
            continue
        yield _Low(
            test.test,
            f" on the {counted(test.n_units, test.unit)} of dataset `{v.dataset}`"
            if v.dataset
            else f" over {counted(test.n_units, 'dataset')}",
            power.power,
            _to(test.test == "tost", power.difference),
            power.method,
            power.needed,
            test.unit,
            cases[v.comparison].at("rope", dataset=v.dataset, metric=v.metric, learners=v.learners),
        )


def _to(equivalence: bool, difference: float) -> str:
    if equivalence:
        return f"show that two equal learners are equivalent within {number(difference)}"
    return f"find a difference of {number(difference)}"


def _weakest(lows: list[_Low], level: Level) -> Finding:
    """Return the finding about the lowest power of a test, with the names of the other datasets where it is low."""
    low = min(lows, key=lambda one: one.power)
    share = f"{low.bound or 'only '}{percent(low.power, 0)}" if low.power >= 0.005 else "less than 1%"
    mine = low.at.subject.dataset
    others = list(dict.fromkeys(d for one in lows if (d := one.at.subject.dataset) and d != mine))
    also = f". Its power is also below {percent(LEAST_POWER, 0)} on {listed_names(others)}" if others else ""
    needed = max((one.needed for one in lows if one.needed), default=None)
    return underpowered.finding(
        f"the test `{low.test}`{low.where} has {share} power to {low.to}"
        f"{', ' * bool(low.supposed)}{low.supposed}{also}",
        f"use {counted(needed, low.unit)}{' of each dataset' * bool(others)} for 80% power"
        if needed and needed <= MOST_UNITS
        else f"use more {low.unit}s, or state a `margin` that is as wide as the differences that matter",
        at=low.at,
        level=level,
        stage=low.stage,
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
            described = rows if facts.datasets[name].source.kind == "described" else None  # under a given test set
            given = profile.test_rows if profile is not None else described
            tested = count_judged_rows(case, rows, given) if rows is not None else None
            if card.evidence == "fold-scores" and case.scheme is not None and case.scheme.gives_folds:
                tested = rows  # each is tested once in a repeat
            if tested and tested >= 1:
                yield _Sample(name, int(tested), "test row")


def _underpowered(facts: Facts, case: Case, judged: PlannedTest) -> Iterator[_Low]:
    """Report low power for a difference as large as the margin, or to show equivalence within it.

    Groups of items and folds of rows only lower the power.
    """
    comparison, card, read = case.comparison, judged.card, facts.tables.get(case.comparison.name)
    claimed = min((c.within for c in _same_claims(case) if c.within), default=None)
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
    alpha = min(levels, default=comparison.alpha.value)
    for sample in _samples(facts, case, judged, scale):
        varies = sample.square if binary else sample.spread
        if (margin is None and (judged.over or sample.size >= FEW_ITEMS)) or (binary and asked >= 1.0):
            continue
        deviation = number(sample.spread * scale) if sample.seen else f"{number(100 * ASSUMED_SPREAD)} points"
        supposed = f"if the difference between the learners has a standard deviation of {deviation} over {sample.unit}s"
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
        if binary or not (sample.seen or judged.over):
            supposed = seen_of_rows(sample.square if equivalence else max(sample.square, asked), sample.unit)
        if power >= LEAST_POWER:
            continue
        where = f" over {counted(sample.size, 'dataset')}"
        if sample.name:
            in_groups = f" in {sample.groups:,} groups" if sample.groups else ""
            kind = "table" if case.table is not None and case.table.name == sample.name else "dataset"
            where = f" on the {counted(sample.size, sample.unit)}{in_groups} of {kind} `{sample.name}`"
        opened = (case.table if judged.over else sample.seen) or facts.profile(sample.name)
        yield _Low(
            card.name,
            where,
            power,
            _to(equivalence, asked * scale),
            supposed,
            needed,
            sample.unit,
            case.at("rope", "by", comparison.span, dataset=sample.name or None),
            bound="at most " if sample.groups or card.evidence == "fold-scores" else "",
            stage="data" if opened else "design",
        )


@rule("EV414", "rows-in-groups", "error", needs=("test", "dataset"), each=each_case)
def rows_in_groups(facts: Facts, case: Case) -> Iterator[Finding]:
    """Rows of the same group are treated as independent.

    ## What it finds
    The rule finds a test that treats test rows as independent, on data with a groups column. Such tests are mcnemar,
    binomial, cochran-q, delong, row-t, wilson and the bootstrap of rows.

    ## Why it matters
    Ten visits of one patient are not ten patients. In our simulation with ten rows per group, such a test had a type I
    error of .27 at level .05.

    ## Example
    ```eval,bad
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "patient records of our clinic"
    compare this classifier decision-tree vs naive-bayes on visits using grouped holdout 1/3, by mcnemar, seed 20
    ```

    ## Use instead
    ```eval
    dataset visits from csv "visits.csv", target "readmitted", groups "patient" because "patient records of our clinic"
    compare this classifier decision-tree vs naive-bayes on visits using grouped holdout 1/3
      by cluster-permutation, seed 20
    ```

    ## When it is fine
    There is no exception if the rows of a group are related. If the rows are independent, remove `groups`.

    ## References
    None. The rule is our own choice, and its simulation is in the test suite.
    """
    grouped = [d.name for d in case.datasets if d.groups] or _grouped_table(case)
    if not grouped:
        return
    tests = [j for j in case.tests if not j.over and j.card.counts_rows]
    if not tests or case.comparison.name in facts.misfits:
        return
    first = tests[0]
    kind = "table" if case.table is not None else one(grouped, "dataset", "datasets")
    yield rows_in_groups.finding(
        f"the test `{first.card.name}` treats the {case.units} of {kind} {listed_names(grouped)} as independent, but "
        f"{case.units} of the same group are related. With ten {case.units} per group such a test at level 5% found "
        f"differences between equal learners in {percent(GROUPED_ERROR, 0)} of our simulations",
        _by_groups(case),
        at=case.at(first.test.span, "using"),
    )


def _by_groups(case: Case) -> str:
    """Return what to write so that groups are counted: another test, or folds that keep groups together."""
    written = tuple(span for span in case.comparison.spans if span[0] != "by")
    without = with_default_tests(replace(case.comparison, spans=written, tests=()))
    cards = [card for test in without.tests if (card := find_test(test.name)) is not None and not card.counts_rows]
    if not case.comparison.estimate and cards:
        seed = f" and add `{case.suggested_seed_clause[2:]}`" if case.suggested_seed_clause else ""
        unit = "fold" if cards[0].unit == "fold" else "group"
        return f"leave out `by`{seed}: the default test `{cards[0].name}` counts each {unit} once"
    if case.scheme is None or not case.scheme.trains:
        if not case.comparison.estimate:
            return f"leave out `by`, and write `measuring accuracy` or another mean over {case.units}"
        return "report the score without a confidence interval, because no interval for this design allows for groups"
    left = listed([*["`this classifier`"] * case.comparison.this_classifier, *["`by`"] * case.has_clause("by")])
    return (
        f"write `using grouped 10cv{case.suggested_seed_clause}`"
        + (f" without {left}" if left else "")
        + ": its folds keep groups together"
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
    """Differences are compared across datasets, but the metric is not a share from 0 to 1.

    ## What it finds
    The rule finds `wilcoxon`, `paired-t`, `mixed-model` or `anova` over datasets on a metric with its own unit, such as
    rmse, mae, seconds or bytes.

    ## Why it matters
    A difference of half a degree on one dataset cannot be compared with a difference of half a million euros on a
    second dataset. The dataset with the largest numbers decides the result (Demsar 2006).

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
    There is no problem if all datasets measure the same thing in the same unit.

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
            level = find_power_level(facts, case, wanted, over=True)
            power = power_over(wanted, units, alpha=level) if units > 1 else None
            weak = power is not None and power < LEAST_POWER  # EV103 would report it
            uses = "ranks the learners" if wanted == "friedman" else "uses only which learner is better"
            yield units_differ.finding(
                f"the test `{judged.card.name}` compares differences in {listed_names(united)} across datasets, but "
                "their units may differ. The dataset with the largest numbers then decides the result (Demsar 2006)",
                f"use more than {units} datasets and write `by {wanted}`, or describe the differences without a test"
                if weak
                else f"write `by {wanted}`, which {uses} on each dataset",
                at=case.at(judged.test.span, "measuring"),
                fix=None if weak or power is None else _by_sign(case, judged),
            )
            break


def _by_sign(case: Case, judged: PlannedTest) -> Fix | None:
    """Return the repair that replaces the whole `by`, since a post-hoc test needs its first test."""
    wanted = "friedman" if len(case.comparison.learners) > 2 else "sign"
    if not judged.written or not case.has_clause("by"):
        return None
    return replace_words(f"use {wanted}", case.comparison.span_of("by"), f"by {wanted}")


@rule("EV416", "level-exceeded", "warning", needs=("test", "scheme", "learner"), each=each_comparison)
def level_exceeded(facts: Facts, case: Case) -> Iterator[Finding]:
    """This test gave too many false positives in our simulations.

    ## What it finds
    - The test is `corrected-t` on one cross-validation, and a learner is a stump (a decision tree of depth 1).
    - The test is `halving-t` on halvings of 60 rows, and a learner is a stump.
    - The test compares right and wrong answers (`by mcnemar`, `by binomial`) on the rows of all folds together.

    In our simulations the tests in these cases found differences between equal learners in more than 6% of cases at
    level 5%.

    ## Why it matters
    The rows of a fold share one trained classifier, and the training sets of the folds share most of their rows. A test
    of rows treats each row as independent. We ran McNemar's test (mid-p) on one 10cv of 1,000 simulated datasets with
    100 rows and 1,000 with 300 rows. The test found differences between equal learners in up to 22.3% (stumps), 15.3%
    (nearest neighbour) and 10.7% (naive Bayes) of cases. Salzberg (section 3.5, step 5) recommends this design, but did
    not measure its error rate.

    The scores of a stump on the folds of one sample are strongly correlated, so their variance is too small. In all six
    settings of our study of levels, the type I error of corrected-t on one cross-validation was above 6%. evalang
    therefore has no default test for a stump on one cross-validation.

    ## Example
    ```eval,bad
    dataset agreed from csv "agreed.csv", target "y", folds "fold" because "the dataset of a public challenge"
    learner stump is decision-tree(max_depth = 1) because "the simplest tree"
    compare stump vs naive-bayes on agreed using given folds
    ```

    ## Use instead
    ```eval
    dataset agreed from csv "agreed.csv", target "y" because "the dataset of a public challenge"
    learner stump is decision-tree(max_depth = 1) because "the simplest tree"
    compare stump vs naive-bayes on agreed using 10x2cv, seed 20
    ```

    ## When it is fine
    There is no problem if p is far below the level and you report the measured type I error.

    ## References
    Nadeau and Bengio 2003. The rates are from our own study of levels (`docs/studies/levels`) and, for the rows of
    folds, from `tests/simulations/test_single_tests.py`.
    """
    pooled = [j.card.name for j in case.tests if j.card.evidence == "outcomes" and not j.over]
    by_folds = case.scheme is not None and case.scheme.rows_tested_once and not case.scheme.one_test_set
    if pooled and by_folds:
        yield level_exceeded.finding(
            f"the test {listed_names(pooled)} treats the rows of all folds as independent, but rows of one fold "
            "share a trained classifier. McNemar's test on one 10cv at level 5% found differences between equal "
            f"learners in up to {percent(POOLED_ERROR)} of our simulations",
            f"leave out `by` and write `using {case.halves}`, or leave out `by` and write `using "
            f"{case.like_scheme('10 halvings of 10x10cv')}{case.suggested_seed_clause}` for training sets of "
            "nearly all rows",
            at=case.at("by"),
        )
    stumps = [t.name for t in case.learners if is_stump(t.learner)]
    written = case.comparison.span_of("using")
    half = f"write `using {case.halves}`, whose default test had a false-positive rate of at most 6% in our simulations"
    if stumps and case.scheme is not None and not case.has_clause("by") and not case.comparison.estimate:
        none = no_default_words(case.scheme.test, case.kind)
        if none and not case.comparison.tests:
            message = (
                f"comparison `{case.comparison.name}` has no test on each dataset, because {_are_stumps(stumps)}: "
                f"{none}"
            )
            yield level_exceeded.finding(message, half, at=case.at(written))
    for judged in case.tests:
        found = exceeding(judged.card.name, case.kind)
        if found is not None and found.stumps and stumps:
            scheme = case.comparison.scheme.text if case.comparison.scheme is not None else case.kind
            yield level_exceeded.finding(
                f"{_are_stumps(stumps)}. The test `{judged.card.name}` under `{scheme}` at level 5% found "
                f"differences between equal learners in up to {percent(found.rate)} of our simulations {found.where}",
                f"leave out `by` and {half}" if case.has_clause("by") else half,
                at=case.at(written),
            )


def _are_stumps(names: list[str]) -> str:
    return (
        f"{one(names, 'learner', 'learners')} {listed_names(names)} {one(names, 'is a tree', 'are trees')} of depth 1"
    )


@rule("EV430", "control-ignored", "warning", needs=("test", "dataset"), each=each_comparison)
def control_ignored(facts: Facts, case: Case) -> Iterator[Finding]:
    """The script names a control, but all pairs are tested.

    ## What it finds
    The rule finds `control` together with `nemenyi`.

    ## Why it matters
    Nemenyi's test corrects for all pairs. If only the pairs with the control matter, bonferroni-dunn or wilcoxon with
    holm has more power (Demsar 2006).

    ## Example
    ```eval,bad
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "all bundled classification datasets"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes vs random-forest on tasks using 10x2cv
      by friedman, nemenyi, control random-forest, seed 20
    ```

    ## Use instead
    ```eval
    suite tasks is breast-cancer, digits, waveform, tic-tac-toe, iris, wine, monks-1, monks-2, monks-3, visits
      because "all bundled classification datasets"
    dataset visits from csv "visits.csv", target "readmitted"
    compare decision-tree vs naive-bayes vs random-forest on tasks using 10x2cv
      by friedman, bonferroni-dunn, control random-forest, seed 20
    ```

    ## When it is fine
    If you report all pairs, leave out `control`.

    ## References
    Demsar 2006, section 3.2.2.
    """
    control = case.comparison.control
    ignoring = [judged for judged in case.tests if judged.card.name in ALL_PAIRS]
    if control and ignoring:
        yield control_ignored.finding(
            f"learner `{control}` is the control, but the test `{ignoring[0].card.name}` compares all pairs. "
            "Testing only the pairs with the control has more power (Demsar 2006)",
            "write `by friedman, bonferroni-dunn`, which tests only the pairs with the control",
            at=case.at(ignoring[0].test.span, "control"),
        )


def _named(facts: Facts, name: str) -> Iterator[tuple[Case, PlannedTest]]:
    for case in facts.compared:
        for judged in case.tests:
            if judged.test.name == name and judged.written and not facts.misfits.get(case.comparison.name):
                yield case, judged
