"""Tests: the card of each, what it needs, and how it is found by its name.

A card is all that lint knows of a test; one function in `verdicts` carries it out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from .distributions import chi2_sf, normal_range_sf

# What a test is computed from; `cards.card` says each in words, `verdicts.shapes` has the shapes.
Evidence = Literal[
    "outcomes", "row-losses", "retrained-rows", "grouped-rows", "timed-rows", "row-scores", "fold-scores",
    "halved-scores", "dataset-scores", "dataset-folds", "training-losses", "item-scores", "procedure", "count",
]  # fmt: skip
Scope = Literal["dataset", "over-datasets"]


def no_floor(units: int, learners: int, sides: int) -> float:
    """Return the smallest p of a test with a continuous statistic: 0."""
    return 0.0


@dataclass(frozen=True, slots=True)
class TestEntry:
    """The card of a statistical test. The linter reasons from it; one function in `verdicts` carries it out."""

    __test__ = False

    name: str
    title: str
    question: str  # what it answers, one sentence
    null: str  # the hypothesis it rejects, one sentence
    evidence: Evidence
    unit: str  # "test row", "fold", "dataset", "training set"
    min_units: int
    schemes: tuple[str, ...]  # kinds of scheme (catalogue/schemes.py) that give its evidence; () over datasets only
    questions: tuple[int, ...]  # which of Dietterich's nine it answers
    scopes: tuple[Scope, ...] = ("dataset",)
    learners: Literal["one", "two", "many"] = "two"  # "many": an omnibus over three or more
    paired: bool = True
    smallest_p: Callable[[int, int, int], float] = no_floor  # (units, learners, sides) -> p
    metrics: Literal["any", "accuracy", "row-loss", "roc-area"] = "any"
    post_hoc_of: tuple[str, ...] = ()
    one_sided: bool = True
    gives_p: bool = True  # Bayesian tests give a posterior instead
    random: bool = False  # draws random numbers, so it needs a seed
    options: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()  # other names that are accepted; case, dashes, dots and "test" count for nothing
    method: str = ""  # what is computed, in one or two sentences, formula in words
    type_one: str = ""  # known type I behaviour, with its source
    use_when: str = ""
    avoid_when: str = ""
    instead: str = ""  # the test to take in its place, where there is a better one
    exempt: tuple[tuple[str, str], ...] = ()  # (contract, reason) it cannot meet
    references: tuple[str, ...] = ()

    @property
    def counts_rows(self) -> bool:
        """Whether rows or items of one group are independent units to the test."""
        return self.unit.startswith("test row") and "group" not in self.unit


EXACT_BELOW = 25  # disagreements, as in verdicts/tests/outcome_tests.py
BOOTSTRAP_RESAMPLES = 10_000


def one_way(units: int, learners: int, sides: int) -> float:
    """Return sides / 2^n: every unit goes the same way."""
    return min(1.0, sides * 0.5**units)


def one_way_midp(units: int, learners: int, sides: int) -> float:
    """Return half of `one_way`: the mid-p counts half of the observed probability."""
    return min(1.0, sides * 0.5 ** (units + 1))


def mcnemar_floor(units: int, learners: int, sides: int) -> float:
    """Return p if every disagreement goes the same way; exact below 25, else (n - 1)^2 / n, whichever is smaller."""
    exact = one_way(min(units, EXACT_BELOW - 1), learners, sides)
    return exact if units < EXACT_BELOW else min(exact, _normal((units - 1) / math.sqrt(units), sides))


def corrected_proportions_floor(units: int, learners: int, sides: int) -> float:
    """Return p if every row disagrees the same way: z = sqrt(n)."""
    return _normal(math.sqrt(max(units, 0)), sides)


def proportions_floor(units: int, learners: int, sides: int) -> float:
    """Return p if one learner is always right and the other always wrong: z = sqrt(2 n)."""
    return _normal(math.sqrt(2.0 * max(units, 0)), sides)


def cochran_floor(units: int, learners: int, sides: int) -> float:
    """Return p if the same learners are right on every row: Q = n (k - 1)."""
    if units < 1 or learners < 2:
        return 1.0
    return chi2_sf(units * (learners - 1.0), learners - 1.0)


def bootstrap_floor(units: int, learners: int, sides: int) -> float:
    """Return p if no resample lies on the far side of zero, or the sign test's where that is smaller."""
    return min(1.0, sides / (BOOTSTRAP_RESAMPLES + 1), sides * 0.5**units)


def shuffles_floor(units: int, learners: int, sides: int) -> float:
    """Return p if no shuffle is as good: 1 / (m + 1) on one side."""
    return min(1.0, sides / (units + 1.0))


def same_order_chi2(units: int, learners: int, sides: int) -> float:
    """Return Friedman's smallest p, when every dataset ranks the learners alike: chi-squared N (k - 1), or exact."""
    if units < 1 or learners < 2:
        return 1.0
    exact = same_order_exact(units, learners, sides)
    return max(exact, chi2_sf(units * (learners - 1.0), learners - 1.0))


def same_order_exact(units: int, learners: int, sides: int) -> float:
    """Return Iman-Davenport's smallest p: the chance that N random orders of k learners agree, (k!)^-(N-1)."""
    if units < 1 or learners < 2:
        return 1.0
    return math.exp(-(units - 1) * math.lgamma(learners + 1.0))


def widest_ranks(units: int, learners: int, sides: int) -> float:
    """Return Nemenyi's smallest p: one learner best and another worst on every dataset."""
    if units < 1 or learners < 2:
        return 1.0
    return normal_range_sf(_widest_z(units, learners) * math.sqrt(2.0), learners)


def widest_ranks_times_others(units: int, learners: int, sides: int) -> float:
    """Return Bonferroni-Dunn's smallest p: the control first and another last on every dataset, times k - 1."""
    if units < 1 or learners < 2:
        return 1.0
    return min(1.0, (learners - 1) * math.erfc(_widest_z(units, learners) / math.sqrt(2.0)))


def _widest_z(units: int, learners: int) -> float:
    return (learners - 1.0) / math.sqrt(learners * (learners + 1.0) / (6.0 * units))


def _normal(z: float, sides: int) -> float:
    return min(1.0, sides * 0.5 * math.erfc(z / math.sqrt(2.0)))


ONE_TEST_PER_ROW = ("holdout", "given-test", "cv", "given-folds", "leave-one-out", "predictions", "items")
ONE_TEST_SET = ("holdout", "given-test", "predictions")
_NO_SIZE = "Answers are right or wrong, so adding a constant to the scores or rescaling them has no meaning."
_NO_VARIANCE = "If the difference is the same for every unit, its variance is 0 and t cannot be computed."
_CONSTANT = (("constant", _NO_VARIANCE),)
_RIGHT_OR_WRONG = (
    ("shift", _NO_SIZE),
    ("scale", _NO_SIZE),
)
_CAREFUL = (
    "dual",
    "The interval is Tango's, which has no continuity correction. The interval can exclude 0 although the test is not "
    "significant.",
)
NO_TRAINING_VARIANCE = (
    "The test uses only one training set, so it does not support a claim about the algorithm. A claim about the "
    "algorithm also needs the variation between training sets."
)
_ON_FOLDS = (
    NO_TRAINING_VARIANCE + " On the pooled rows of all folds of a cross-validation, the test finds differences "
    "between equal learners too often (rule EV416)."
)

_on_outcomes = partial(
    TestEntry,
    question="Do these two classifiers have the same accuracy?",
    null="On test rows where exactly one classifier is right, each classifier is the right one with probability 1/2.",
    evidence="outcomes",
    unit="test row",
    min_units=1,
    schemes=ONE_TEST_PER_ROW,
    questions=(3, 8),
    metrics="accuracy",
    post_hoc_of=("cochran-q",),
    avoid_when=_ON_FOLDS,
    exempt=(*_RIGHT_OR_WRONG, _CAREFUL),
)

# Tests on the rows of one test set: they ask about two (or more) trained classifiers.
ROWS: tuple[TestEntry, ...] = (
    _on_outcomes(
        name="mcnemar",
        title="McNemar's test",
        smallest_p=mcnemar_floor,
        options=("correction", "exact_below"),
        method="Count the rows that only the first classifier gets wrong (n01) and the rows that only the "
        "second gets wrong (n10). The statistic (|n01 - n10| - 1)^2 / (n01 + n10) has approximately a chi-squared "
        "distribution with 1 degree of freedom. If the two counts are equal, the continuity correction (the -1) is "
        "dropped. With fewer than 25 disagreements the exact binomial form is used, and the result says so.",
        type_one="Between 2% and 4% in Dietterich's simulation (1998, section 4), so the test is slightly "
        "conservative. In our simulations with 50 to 1,000 items the type I error was 2.8% to 5.0%, and the 95% "
        "interval missed the true difference in at most 6.1% of simulations.",
        use_when="You can train each learner only once, or you want to know which of two trained classifiers is "
        "better.",
        instead="If you can train each learner ten times, use corrected-t on 5x2cv.",
        references=("mcnemar1947", "edwards1948", "dietterich1998", "fagerland2013"),
    ),
    _on_outcomes(
        name="mcnemar-exact",
        title="McNemar's exact test",
        aliases=("exact-mcnemar", "mcnemar-binomial"),
        smallest_p=one_way,
        method="Only rows where exactly one classifier is right are counted. The p-value is twice the smaller tail "
        "of a binomial distribution with probability 1/2 over these rows, and at most 1.",
        type_one="At most 5%, for any number of rows. We checked this limit of 5% by enumerating all possible "
        "outcomes with up to 12 test rows. If the classifiers disagree on few rows, the type I error is far below 5% "
        "(Fagerland, Lydersen and Laake 2013). In our simulations with 50 to 1,000 items the type I error was 2.8% to "
        "5.1%, where 5.1% is within random error. The printed interval comes from a different method (Tango's) and "
        "missed the true difference in at most 6.1% of simulations.",
        use_when="The classifiers disagree on few rows, or you need a guarantee that the false-positive rate is at "
        "most 5%.",
        instead="For a claim about the algorithm, use corrected-t on 5x2cv. If power matters more than the guarantee, "
        "use mcnemar-midp.",
        references=("mcnemar1947", "fagerland2013"),
    ),
    _on_outcomes(
        name="mcnemar-midp",
        title="McNemar's mid-p test",
        aliases=("mid-p-mcnemar", "mcnemar-mid-p"),
        smallest_p=one_way_midp,
        method="Let n01 and n10 be the numbers of rows that only the first and only the second classifier gets wrong. "
        "Let f be the probability of the observed counts. The mid-p value is the p-value of the exact test minus f "
        "(half of f for each tail). If n01 = n10, the mid-p value is 1 - f/2.",
        type_one="Close to 5%, and rarely and only slightly above 5% (Fagerland, Lydersen and Laake 2013). In our "
        "simulations with 50 to 1,000 items the type I error was 4.5% to 5.6%, and the 95% interval missed the true "
        "difference in at most 6.1% of simulations.",
        use_when="The classifiers disagree on few rows, and the exact test would be too conservative.",
        avoid_when="The false-positive rate must never exceed the level. " + _ON_FOLDS,
        instead="If the false-positive rate must never exceed the level, use mcnemar-exact. For a claim about the "
        "algorithm, use corrected-t on 5x2cv.",
        exempt=(
            *_RIGHT_OR_WRONG,
            _CAREFUL,
            (
                "level",
                "The false-positive rate is at most the level on average, but not for every number of disagreements.",
            ),
        ),
        references=("fagerland2013", "tango1998"),
    ),
    _on_outcomes(
        name="binomial",
        title="Binomial test of the disagreements",
        aliases=("binom",),
        smallest_p=one_way,
        method="This is Salzberg's name for McNemar's exact test. Only rows where exactly one classifier is right "
        "are counted. Under the null hypothesis, each classifier is the right one on such a row with probability "
        "1/2. In Salzberg's example with 35 wins and 15 losses, p = 0.0066.",
        type_one="At most 5%, because this is the same test as mcnemar-exact.",
        use_when="You repeat a study that follows Salzberg's procedure and uses his name of the test.",
        instead="For a claim about the algorithm, use corrected-t on 5x2cv. On one test set, use mcnemar-exact, which "
        "is the same test under its usual name.",
        references=("salzberg1997",),
    ),
    _on_outcomes(
        name="proportions",
        post_hoc_of=(),
        title="Difference of two proportions",
        aliases=("prop", "two-proportions", "two-proportion-z", "difference-of-proportions"),
        question="Would two classifiers with these accuracies differ significantly if they had been tested on "
        "different rows?",
        null="The two accuracies are equal and were measured on independent test sets.",
        paired=False,
        smallest_p=proportions_floor,
        questions=(),
        method="z = (difference of the accuracies) / sqrt(2 p (1 - p) / n), where p is the mean of the two "
        "accuracies and n the number of test rows.",
        type_one="Between 5% and 7% in Dietterich's simulation, which favours this test. The test ignores whether "
        "the classifiers are wrong on the same rows or on different rows (Dietterich 1998, section 5).",
        use_when="You want to repeat or simulate the analysis of a paper.",
        avoid_when="Both classifiers were tested on the same rows, as in every comparison of evalang. The formula for "
        "the variance assumes independent test sets.",
        instead="Use mcnemar.",
        exempt=_RIGHT_OR_WRONG,
        references=("dietterich1998",),
    ),
    _on_outcomes(
        name="corrected-proportions",
        title="Difference of two paired proportions",
        null="The two accuracies are equal in the population from which the test rows were drawn.",
        smallest_p=corrected_proportions_floor,
        method="z = (n10 - n01) / sqrt(n01 + n10), without continuity correction. Here n01 and n10 count the "
        "rows that only the first and only the second classifier gets wrong. z squared is McNemar's statistic "
        "without correction. The details of the report give the Wald interval.",
        type_one="Close to 5% if the classifiers disagree on many rows, and above 5% if they disagree on few rows "
        "(Fagerland, Lydersen and Laake 2013).",
        use_when="The classifiers disagree on many rows, and you mainly want an interval for the difference.",
        avoid_when="The classifiers disagree on fewer than 25 rows. " + _ON_FOLDS,
        instead="If the classifiers disagree on few rows, use mcnemar. For a claim about the algorithm, use "
        "corrected-t on 5x2cv.",
        exempt=_RIGHT_OR_WRONG,
        references=("dietterich1998", "fagerland2013"),
    ),
    _on_outcomes(
        name="cochran-q",
        post_hoc_of=(),
        title="Cochran's Q test",
        aliases=("cochran", "cochrans-q"),
        question="Do these three or more classifiers all have the same accuracy?",
        null="On every test row all classifiers are equally likely to be right.",
        learners="many",
        smallest_p=cochran_floor,
        questions=(3,),
        one_sided=False,
        method="Q = (k - 1)(k S - T^2) / (k T - R) for k classifiers. S is the sum of the squared numbers of "
        "right answers of the classifiers, R the sum of the squared numbers of right answers on each row, and T the "
        "number of all right answers. Q has approximately a chi-squared distribution with k - 1 degrees of freedom. "
        "For two classifiers Q is McNemar's statistic without continuity correction.",
        type_one="Close to 5% if there are many rows on which some classifiers are right and some are wrong. Only "
        "such rows count.",
        use_when="You compare three or more classifiers on one test set and want one test before the tests of pairs.",
        instead="For a claim about the algorithm, use corrected-t on 5x2cv. To find which classifiers differ, use "
        "mcnemar for each pair with a correction such as holm.",
        exempt=_RIGHT_OR_WRONG,
        references=("cochran1950",),
    ),
)


_on_losses = partial(
    TestEntry,
    unit="test row",
    min_units=2,
    schemes=ONE_TEST_PER_ROW,
    questions=(3,),
    metrics="row-loss",
)

# Tests on a loss or a score of every row of one test set.
LOSSES: tuple[TestEntry, ...] = (
    TestEntry(
        name="delong",
        title="DeLong's test of two ROC areas",
        question="Do these two classifiers have the same area under the ROC curve?",
        null="The two areas are equal in the population from which the test rows were drawn.",
        evidence="row-scores",
        unit="test row",
        min_units=4,
        schemes=ONE_TEST_SET,
        questions=(3,),
        metrics="roc-area",
        method="z is the difference of the two areas divided by its standard error. The standard error is computed "
        "from the contribution of each row to the area. For a positive row, the contribution is the share of negative "
        "rows with "
        "a lower score. For a negative row, the contribution is the share of positive rows with a higher score. Equal "
        "scores count "
        "one half.",
        type_one="Close to 5% if both classes have many rows. If one classifier is the other classifier plus a "
        "feature without information, the type I error is below 5%.",
        use_when="The metric is `roc-area` and the test set has at least about a hundred rows of each class.",
        avoid_when="One class has few rows. Also avoid pooling the scores of different folds, because scores of "
        "different fits do not have the same scale. " + NO_TRAINING_VARIANCE,
        instead="For a claim about the algorithm, use corrected-t on the ROC areas of the folds.",
        exempt=(
            (
                "constant",
                "If the areas differ but the estimated standard error is 0, z cannot be computed, and the "
                "result says so.",
            ),
        ),
        references=("delong1988",),
    ),
    _on_losses(
        name="row-t",
        title="Paired t test on rows",
        question="Do these two classifiers have the same mean loss?",
        null="The mean difference in loss over rows is zero.",
        evidence="row-losses",
        method="t is the mean difference divided by s / sqrt(n), where s is the standard deviation of the n "
        "differences. t has n - 1 degrees of freedom.",
        type_one="Close to 5% for many independent rows. With strongly skewed (lognormal) differences the type I "
        "error was up to 18.3% for 50 rows and up to 12.2% for 200 rows (study of levels). With 50 to 1,000 items, "
        "right or wrong answers, and 1 or 5 samples per item, the type I error was 4.0% to 6.1%. The 95% interval "
        "then missed the true difference in at most 6.1% of simulations (200 to 3,000 per setting).",
        use_when="The metric is a mean of one loss per row, such as `brier`, `cross-entropy`, squared error or "
        "absolute error.",
        avoid_when="The rows belong to groups (such as patients or days), because rows of a group are not "
        "independent. " + NO_TRAINING_VARIANCE,
        instead="If the rows belong to groups, use cluster-permutation. For a claim about the algorithm, use "
        "corrected-t on 5x2cv. If a few rows carry most of the loss, use permutation.",
        exempt=_CONSTANT,
        references=("student1908", "dietterich1998"),
    ),
    _on_losses(
        name="retrained-t",
        title="t test over rows and trainings",
        question="Do these two learners have the same mean score if they are trained again on the same training rows?",
        null="The mean scores are equal over new test rows and over new trainings on the same training rows.",
        metrics="any",
        evidence="retrained-rows",
        unit="test row or group",
        questions=(3, 8),
        post_hoc_of=("cochran-q",),
        method="The contribution of each row to the metric is averaged over the trainings. Predictions are not "
        "averaged, since that would be an ensemble. With n rows and N trainings, the variance of the difference is "
        "s2(rows)/n + s2(trainings)/N - s2(rest)/(n N). The last two terms of this variance are summed over both "
        "learners. The variance is at least the larger of its first two terms. The critical value is a weighted mean "
        "of the critical values of t with n - 1 and with N - 1 degrees of freedom. The weights are the first two "
        "terms of the variance, for rows and for trainings (Cochran and Cox). If rows come in groups, each group "
        "counts as one row: its value is the mean of its rows, and its weight is their number.",
        type_one="Between 1.0% and 6.4% with 2 to 15 trainings and 100 or 500 test rows (study of levels, 10,000 "
        "simulations per setting). The type I error is above 6% only with two trainings, if scores vary more between "
        "trainings than between rows. With Satterthwaite's degrees of freedom the type I error would be up to 13.3% "
        "with 2 trainings, and for a test that ignores the trainings up to 58.4%. With 8 to 40 groups and 2 or 5 "
        "trainings the type I error was between 0.5% and 6.2%, while a test that ignores the groups reached 48% "
        "(1,200 simulations per setting).",
        use_when="A learner is random and you train it several times on one training set (`train N times`).",
        avoid_when="The claim is about other training sets, because all these trainings use the same one.",
        instead="Use a scheme with several training sets, such as `5x2cv`.",
        exempt=_CONSTANT,
        references=("cochran1957", "satterthwaite1946"),
    ),
    _on_losses(
        name="permutation",
        title="Paired permutation test",
        aliases=("paired-permutation",),
        question="Would the mean difference be as large if the results of the two learners were swapped at random "
        "on every unit?",
        null="On every unit (test row or dataset) the results of the two learners can be swapped without "
        "changing their distribution.",
        evidence="row-losses",
        scopes=("dataset", "over-datasets"),
        unit="test row or dataset",
        min_units=1,
        smallest_p=one_way,
        questions=(3, 9),
        post_hoc_of=("cochran-q", "friedman", "iman-davenport", "anova"),
        random=True,
        options=("resamples",),
        method="The p-value is the share of the 2^n ways to swap results whose mean difference is at least as large "
        "as the observed one. With up to 16 units evalang enumerates all ways to swap results. With more units p is "
        "(b + 1)/(m + 1), where b of m = 9,999 random ways have a difference at least as large as the observed one. "
        "If all differences have the same size, the p-value is exact. The interval contains the mean differences that "
        "the same test does not reject.",
        type_one="At most 5% if the units are exchangeable. We checked this limit of 5% by enumerating all signs of "
        "up to 12 units, with ties and zeros. Because 1 is added to both counts in the p-value, this limit also holds "
        "for random swaps (Phipson and Smyth 2010).",
        use_when="Losses or scores are far from normally distributed, and you want to test the mean difference.",
        avoid_when="The units are folds, because folds share training rows and are not exchangeable.",
        instead="On folds, use corrected-t.",
        references=("fisher1935", "hartigan1969", "phipson2010"),
    ),
    TestEntry(
        name="bootstrap",
        title="Paired bootstrap",
        question="How much would the difference vary over other test rows or datasets like these?",
        null="The difference is zero in the population from which the units (test rows or datasets) were drawn.",
        evidence="row-scores",
        scopes=("dataset", "over-datasets"),
        unit="test row or dataset",
        min_units=2,
        smallest_p=bootstrap_floor,
        schemes=ONE_TEST_SET,
        questions=(3, 9),
        random=True,
        options=("resamples",),
        method="The units are drawn with replacement 10,000 times, the same units for both learners, and the "
        "difference is computed each time. The ends of the interval are percentiles of these differences (2.5% and "
        "97.5% for a 95% interval). The p-value is twice the share of draws on the far side of zero, with 1 added to "
        "the count. A metric that is not a mean over rows (`f-score`, `mcc`) is computed again on every draw.",
        type_one="Somewhat above 5% for few units, because percentile intervals are then too short (Efron and "
        "Tibshirani 1993). With normally distributed differences the type I error was 7.4% for 20 units and 5.4% for "
        "50 units (3,000 simulations).",
        use_when="No other test fits the metric and there are at least fifty units.",
        avoid_when="There are few units, or the claim is about the algorithm rather than about these trained "
        "classifiers.",
        instead="For few units, use permutation. For a claim about the algorithm, use corrected-t.",
        references=("efron1993",),
    ),
)


_ORDER = ("order", "The order of the rows matters, because it is the order in time.")

_on_groups = partial(
    TestEntry,
    evidence="grouped-rows",
    unit="group",
    min_units=6,
    schemes=ONE_TEST_PER_ROW,
    questions=(3,),
    metrics="row-loss",
)
_in_time = partial(
    TestEntry,
    evidence="timed-rows",
    unit="time stamp",
    min_units=50,
    schemes=("forward",),
    questions=(8,),
    metrics="row-loss",
    exempt=(*_CONSTANT, _ORDER),
)

# Tests on rows that depend on each other: rows in groups, and rows in time.
RELATED: tuple[TestEntry, ...] = (
    _on_groups(
        name="cluster-permutation",
        title="Permutation test of groups",
        question="Would the difference be as large if the results of the two learners were swapped at random in "
        "every group?",
        null="In every group the results of the two learners can be swapped, for all its rows at once, "
        "without changing their distribution.",
        smallest_p=one_way,
        random=True,
        method="The differences of the rows are added up in each group. The signs of these sums are changed in all "
        "possible ways, and the p-value is the share of ways whose total is at least as large as the observed total. "
        "With up to 18 groups evalang enumerates all sign changes. With more groups evalang uses 9,999 random sign "
        "changes and the observed signs. The difference is a mean over rows, so a large group has more weight. If "
        "folds differ in size, the difference is the mean over folds, as in the table of scores.",
        type_one="Between 2.8% and 6.9% with 8 to 50 groups of equal or skewed size (study of levels), while a test "
        "that treats the rows as independent reached 27%. With right or wrong answers to items in 10, 20 and 50 "
        "groups the type I error was 1.3% to 6.5%, and the 95% interval missed the true difference in at most 6.5% of "
        "simulations (200 to 3,000 per setting). A test that treats these items as independent had a type I error of "
        "up to 71.0%. The report also gives an interval for new items of the same groups, which covered the true "
        "difference in 94.3% to 96.0% of simulations. As an interval for new groups, this interval would miss the "
        "true difference in up to 18% of simulations.",
        use_when="Rows come in groups, such as visits of a patient or questions about one text. This test is the "
        "default on one test set (`holdout`, `given test`) with one training of each learner, and for two models on "
        "grouped items. With folds, the default is the test of the scheme, such as corrected-t for `grouped 10x2cv`.",
        avoid_when="There are fewer than six groups, because p could then never reach 0.05. " + NO_TRAINING_VARIANCE,
        instead="For a claim about the algorithm, use cross-validation with grouped folds.",
        references=("canay2017",),
    ),
    _on_groups(
        name="cluster-t",
        title="t test of groups",
        question="Do these two classifiers have the same mean score on rows that come in groups?",
        null="The mean difference over rows is zero, if groups are drawn from a population of groups.",
        method="t is the mean difference over rows divided by a cluster-robust standard error. For the standard "
        "error, the residuals of each group are added up, and each sum is squared and divided by 1 - n_g/n, where n_g "
        "of the n rows are in the group (CR2 correction). The degrees of freedom are those of Bell and McCaffrey. If "
        "folds differ in size, each row is weighted so that the difference is the mean over folds, and the CR2 "
        "correction uses these weights. For items, evalang also makes a test for new items of exactly these groups. "
        "If the test for these groups has the larger p-value, evalang reports the p-value and the interval of that "
        "test, with a note.",
        type_one="Between 4.1% and 6.5% (study of levels), and up to 11.6% without the CR2 correction. With right or "
        "wrong answers to items in 6 to 20 groups, where one group had up to half of the items, the type I error was "
        "4.8% to 5.6% (20,000 simulations). With 10 to 50 groups of items the type I error was 3.6% to 6.9%, and the "
        "95% interval missed the true difference in at most 7.0% of simulations (200 to 3,000 per setting). The "
        "result carries a warning if the effective number of groups is below 20 or at most half of their number.",
        use_when="There are many groups of similar size. This test is the default for the pairs of three or more "
        "models on grouped items, because the p-value from 9,999 random sign changes cannot be below 0.0001, which "
        "is too large for the corrected level of many pairs.",
        avoid_when="There are few groups or their sizes differ much. " + NO_TRAINING_VARIANCE,
        instead="If there are few groups or their sizes differ much, use cluster-permutation. For a claim about the "
        "algorithm, use cross-validation with grouped folds.",
        exempt=_CONSTANT,
        references=("bell2002", "pustejovsky2018"),
    ),
    _in_time(
        name="forward-t",
        title="t test forward in time",
        question="Which of two learners predicts the future better, if both are retrained as time goes on?",
        null="The mean difference over time stamps is zero in the long run.",
        method="All rows of one time stamp are combined, and the time stamps are sorted. The difference is a mean "
        "over rows. If folds differ in size, the difference is the mean over folds, as in the table of scores. The "
        "long-run variance is estimated from the projections of the series on B = 0.25 T^(2/3) cosine functions, "
        "where T is the number of time stamps: it is the mean of the squared projections. t has B degrees of freedom.",
        type_one="Between 4.7% and 5.7% with 50 to 500 time stamps whose differences have an autocorrelation of up to "
        "0.5, and up to 7.3% at an autocorrelation of 0.8 (study of levels, 10,000 simulations per setting). With 0.4 "
        "T^(2/3) cosine functions, as Lazarus and others (2018) recommend, the type I error was up to 10.8%. Diebold "
        "and Mariano's test for one step had a type I error of up to 52.2%.",
        use_when="The scheme is `forward N splits` and the metric is a mean over rows, so that this test is the "
        "default. The unit is the time stamp even if the table has several series (`series in`), because an event on "
        "one day can affect all series.",
        avoid_when="There are fewer than 50 time stamps. Also avoid this test if one learner is a special case of the "
        "other "
        "and the training window grows, because the difference may then have no long-run mean.",
        references=("lazarus2018", "muller2007"),
    ),
    _in_time(
        name="diebold-mariano",
        title="Diebold and Mariano's test",
        aliases=("dm",),
        question="Do two forecasts have the same expected loss?",
        null="The mean difference in loss over time stamps is zero.",
        options=("horizon",),
        method="t is the mean difference divided by a standard error that includes autocovariances up to lag h "
        "- 1 for a horizon of h steps, with the correction of Harvey, Leybourne and Newbold. t has T - 1 degrees of "
        "freedom for T time stamps.",
        type_one="25% to 27% for a horizon of one step if successive differences have a correlation of 0.5, and 9.6% "
        "to 10.2% for a horizon of 5 with 50 time stamps (study of levels). The test ignores correlation between "
        "losses that are further apart than its horizon.",
        use_when="You compare forecasts of a fixed horizon whose errors are uncorrelated beyond that horizon.",
        avoid_when="Losses are correlated over more steps than the horizon.",
        instead="Use forward-t.",
        references=("diebold1995", "harvey1997"),
    ),
)


FOLD_SCHEMES = ("cv", "repeated-cv", "5x2cv", "partitions-cv", "resamples", "given-folds")

_on_folds = partial(
    TestEntry,
    evidence="fold-scores",
    unit="fold",
    min_units=2,
    questions=(8,),
    exempt=_CONSTANT,
)

# Tests on the folds, partitions or training sets of one dataset: they ask about two algorithms.
FOLDS: tuple[TestEntry, ...] = (
    _on_folds(
        name="resampled-t",
        title="t test on random resamples",
        aliases=("resampled-paired-t",),
        question="Do two algorithms differ in their mean score over random training and test sets?",
        null="The mean difference is zero, and the resamples are independent (which they are not).",
        unit="resample",
        schemes=("resamples",),
        questions=(),
        method="t is the mean difference divided by s / sqrt(n), where s is the standard deviation over the n "
        "resamples. t has n - 1 degrees of freedom.",
        type_one="About 11%, 19%, 25% and 32% for error rates of 10, 20, 30 and 40 percent with thirty resamples, "
        "and more with more resamples (`simulate type-I`; Dietterich 1998, section 4).",
        use_when="You want to repeat or simulate the analysis of a paper.",
        avoid_when="Always avoid this test. The resamples share training rows and test rows, so their standard "
        "deviation is too small.",
        instead="Use corrected-t.",
        references=("dietterich1998", "nadeau2003"),
    ),
    _on_folds(
        name="kfold-t",
        title="t test on cross-validation folds",
        aliases=("k-fold-cv-paired-t", "cv-t"),
        question="Do two algorithms differ in their mean score over the folds?",
        null="The mean difference is zero, and the folds are independent (their training sets are not).",
        schemes=("cv", "given-folds"),
        questions=(),
        method="t is the mean difference divided by s / sqrt(k), where s is the standard deviation over the k "
        "folds. t has k - 1 degrees of freedom.",
        type_one="Slightly above 5% on one random split (Dietterich 1998). In our simulation with 10 folds of 200 "
        "rows the type I error was 5.5%. If ten repeats of 10 folds are treated as 100 independent units, the type I "
        "error is 54.5% (1,500 simulations).",
        use_when="You have one random split, and missing a difference would cost more than a false positive.",
        avoid_when="There is more than one random split, or the false-positive rate must be at most 5%.",
        instead="Use corrected-t.",
        references=("dietterich1998", "bengio2004"),
    ),
    _on_folds(
        name="5x2cv-t",
        title="5x2cv t test",
        aliases=("5x2cv-paired-t", "dietterich"),
        question="Do two algorithms differ if they are trained on half of the rows?",
        null="The first of the ten differences has mean zero, and its variance is the mean of the five variances.",
        min_units=10,
        schemes=("5x2cv",),
        method="t is the first of the ten differences divided by the square root of the mean of five variances. "
        "Each variance comes from the two halves of one random split. t has 5 degrees of freedom. The report also "
        "gives the mean of the ten differences, which the test does not use.",
        type_one="About 3% in Dietterich's simulation (1998). With learners that are really trained the type I error "
        "was up to 12.1% (nearest neighbours) and above 6% in nearly half of the settings (study of levels). "
        "Therefore 5x2cv-t is not a default test.",
        use_when="You can train each learner ten times and want the test that much of the literature recommends for "
        "claims about algorithms.",
        avoid_when="You will train on far more than half of the rows. Also avoid this test if the ten differences "
        "have different signs. The numerator of t is the first difference, so a different order of folds gives a "
        "different p-value.",
        instead="Use corrected-t, which accepts any scheme with several folds (best on `10x2cv`). To stay with "
        "5x2cv, use 5x2cv-f, which does not depend on the order of folds.",
        exempt=(
            *_CONSTANT,
            ("order", "The order of the folds matters, because the numerator is the first of the ten differences."),
        ),
        references=("dietterich1998", "alpaydin1999"),
    ),
    _on_folds(
        name="5x2cv-f",
        title="Combined 5x2cv F test",
        aliases=("alpaydin", "combined-5x2cv-f", "5x2cv-combined-f"),
        question="Do two algorithms differ if they are trained on half of the rows?",
        null="All ten differences have mean zero, and the five variances estimate their variance.",
        min_units=10,
        schemes=("5x2cv",),
        one_sided=False,
        method="F is the sum of the ten squared differences divided by twice the sum of the five variances. F "
        "has 10 and 5 degrees of freedom.",
        type_one="Lower than that of 5x2cv-t in Alpaydin's study (1999). With learners that are really trained the "
        "type I error was up to 15.1% (nearest neighbours) and above 6% in nearly half of the settings (study of "
        "levels).",
        use_when="You want a test like 5x2cv-t that does not depend on the order of the folds.",
        avoid_when="You need a one-sided test. This test has no one-sided form.",
        instead="For one-sided claims, use corrected-t.",
        references=("alpaydin1999",),
    ),
    _on_folds(
        name="corrected-t",
        title="Corrected t test (Nadeau and Bengio)",
        aliases=("nadeau-bengio", "corrected-resampled-t", "corrected-repeated-kfold-cv"),
        question="Do two algorithms differ if they are trained on as many rows as in this comparison?",
        null="The mean difference is zero over training and test sets of the sizes in this comparison.",
        schemes=(*FOLD_SCHEMES, "partitions-5x2cv", "bootstrap"),
        method="t is the mean difference divided by sqrt((1/J + n2/n1) s^2). J is the number of resamples or of all "
        "folds of all random splits, n2 the number of test rows, n1 the number of training rows and s the standard "
        "deviation of the J differences. t has J - 1 degrees of freedom. With k folds n2/n1 is 1/(k - 1).",
        type_one="The study of levels used 8 learners, datasets of 60 to 1,000 rows and two ways to make learners "
        "equal. The highest type I errors are 5.4% on halves (5x2cv, 10x2cv, partitions of 5x2cv), 5.3% on 5cv, 5.9% "
        "on bootstrap 30, and 4.3% on 10cv with any learner except decision stumps (trees with one split). With "
        "stumps the type I error on 10cv is up to 9.2%, and above 6% in every setting, so comparisons with a stump "
        "have no default test on 10cv. On repeated k-fold cross-validation the type I error of corrected-t is higher. "
        "With nearest neighbours, stumps and small trees the type I error is up to 11.0% on 5x5cv and 19.9% on "
        "10x10cv. On 30 resamples of 2/3 the type I error is up to 9.0%. corrected-t is therefore not the default "
        "test of repeated cross-validation and resamples.",
        use_when="The scheme uses halves (5x2cv, 10x2cv, partitions of 5x2cv), one split into folds (without stumps) "
        "or the bootstrap. corrected-t is the default test of these schemes. The power of corrected-t on other "
        "schemes, as a share of its power on 10x10cv, is 94% (ten partitions of 5x2cv), 83% (10x2cv), 75% (bootstrap "
        "30), 69% (5x2cv), 36% (10cv) and 28% (5cv).",
        avoid_when="The training sets share no rows (`N trainings of M`), because no correction is then needed.",
        instead="For disjoint training sets, use quasi-f.",
        references=("nadeau2003", "bouckaert2004"),
    ),
    _on_folds(
        name="partition-t",
        title="Corrected t test with the degrees of freedom of one split",
        question="Do two algorithms differ if they are trained on as many rows as in this comparison?",
        null="The mean difference is zero over training and test sets of the sizes in this comparison.",
        schemes=FOLD_SCHEMES,
        method="t is the mean of all differences divided by sqrt((n2/n + n2/n1) s^2), where n2 of n rows are tested "
        "and n1 are trained on. In this formula s is the standard deviation of the differences. With k folds the "
        "factor of s^2 "
        "is 1/k + 1/(k - 1). The test has the degrees of freedom of one random split: k - 1, or one less than the "
        "number of resamples. Reshuffling makes the mean more stable, but it adds no new test rows. On a single "
        "split the test equals corrected-t.",
        type_one="At most 5.1% on 10x10cv, 5x5cv and 30 resamples of 2/3, where corrected-t reached 19.9% (study of "
        "levels). The test has less power than corrected-t. In settings where corrected-t on 10x10cv has at most 6%, "
        "the power of partition-t is 29% of that of corrected-t on 10x10cv. On 5x5cv the power of partition-t is 13% "
        "of that of corrected-t on 10x10cv, and on 30 resamples of 2/3 it is 55%.",
        use_when="The scheme is repeated cross-validation or resamples, for which this test is the default.",
        avoid_when="Power matters more than the number of training rows. corrected-t on 10x2cv has a type I error of "
        "at most 5.3% and nearly three times the power, but its answer applies to training on half of the rows. "
        "halving-t on 10 halvings of 10x10cv has similar power and its answer applies to training on nearly all "
        "rows, but it needs twice as many fits as 10x10cv.",
        instead="Use halving-t on 10 halvings of 10x10cv.",
        references=("nadeau2003", "bouckaert2004", "bengio2004"),
    ),
    _on_folds(
        name="halving-t",
        title="Halving t test",
        question="Do two algorithms differ if they are trained on as many rows as in this comparison?",
        null="The mean difference is zero over samples with as many rows as the dataset.",
        evidence="halved-scores",
        schemes=("halvings",),
        method="t is the mean difference over all folds of RxKcv on all rows, divided by the square root of v. The "
        "rows are split into two halves M times, and each half has its own cross-validation. v is the sum of (a - "
        "b)^2 over the M halvings, divided by 4 M, where a and b are the mean differences in the two halves. t has M "
        "- 1 degrees of freedom. The two halves share no rows, so the test needs no assumption about the correlation "
        "of folds.",
        type_one="At most 5.5%, and 6.4% with decision stumps on 60 rows, while corrected-t on 10x10cv reached 19.9% "
        "(study of levels). In settings where corrected-t on 10x10cv has at most 6%, halving-t has 81% of its power "
        "(68% with 60 rows) and needs twice as many fits.",
        use_when="The answer should apply to training on nearly all rows, learners may be unstable, and power "
        "matters. This test is the default of `10 halvings of 10x10cv`.",
        avoid_when="Training is expensive, because 10 halvings of 10x10cv fit each learner 200 times. Also avoid "
        "this test on very small datasets, because half of the rows must still be split into folds.",
        instead="If training on half of the rows is enough, use corrected-t on 10x2cv with a tenth of the fits.",
        exempt=(
            *_CONSTANT,
            (
                "order",
                "The order of the folds matters, because it shows which folds belong to which half of a halving.",
            ),
        ),
        references=("bengio2004", "nadeau2003"),
    ),
    _on_folds(
        name="averaged-t",
        title="Averaged t test over random splits (Bradford and Brodley)",
        question="Do two algorithms differ, whatever random split into folds is used?",
        null="On an average split the mean difference over its folds is zero.",
        unit="partition",
        min_units=1,
        schemes=("repeated-cv", "partitions-cv", "partitions-5x2cv", "cv"),
        method="A t statistic is computed for every random split. The mean of these statistics is compared with a t "
        "distribution with the degrees of freedom of one split (number of folds minus one, or 5 for 5x2cv). With "
        "more splits the result depends less on chance, but it contains no more evidence of a difference. The report "
        "also tests whether there were enough splits.",
        type_one="Up to 12.1% on 5x5cv and 20.6% on 10x10cv (nearest neighbours, stumps, small trees). On ten "
        "partitions of 5x2cv the type I error is at most 4.3%, with less than half of the power of corrected-t (study "
        "of levels). Bradford and Brodley (Table 4) found that 7.0% of the conclusions of a single 10cv and 12.6% of "
        "those of 5x2cv change if the rows are reshuffled.",
        use_when="You want to repeat Bradford and Brodley's analysis, in which a conclusion does not depend on "
        "one random split.",
        avoid_when="You repeat the cross-validation to get more power.",
        instead="Use corrected-t.",
        exempt=(
            (
                "constant",
                "If the difference is the same on every fold of a split, its variance is 0 and its t cannot be "
                "computed.",
            ),
            (
                "order",
                "With partitions of 5x2cv the order of folds matters, because the numerator is the difference on the "
                "first fold.",
            ),
        ),
        references=("bradford2001",),
    ),
    TestEntry(
        name="quasi-f",
        title="Quasi-F test on disjoint training sets",
        question="Do two algorithms differ on average over random training sets of m rows and random test rows?",
        null="The mean losses of the two learners are equal over the populations of training sets and test rows.",
        evidence="training-losses",
        unit="training set",
        min_units=2,
        schemes=("trainings",),
        questions=(7,),
        metrics="row-loss",
        one_sided=False,
        method="F'' = (MS_A + MS_ATE) / (MS_AT + MS_AE). The mean squares come from an analysis of variance of the "
        "losses by learner (A), training set (T) and test row (E), and the degrees of freedom are Satterthwaite's. "
        "The report also gives F' = MS_A / (MS_AT + MS_AE - MS_ATE). If rows come in groups, each group counts as "
        "one row: its value is the mean of its rows, and its weight is their number.",
        type_one="Close to 5% for eight training sets and many rows (Rasmussen 1996). The type I error is below 5% if "
        "scores hardly vary between training sets or between test rows. The type I error is up to 13% with only two "
        "training sets, if scores vary more between training sets than between rows. With eight training sets and "
        "grouped rows the type I error was 4.8% for 40 groups of 20 rows, 5.3% for 20 groups of 50 and 7.0% for 30 "
        "groups of very unequal size (2,000 simulations each). A test that ignores the groups had a type I error of "
        "39% to 43%.",
        use_when="There are enough rows for several training sets that share no rows.",
        avoid_when="The training sets overlap, because the test would then count the same rows twice.",
        instead="For overlapping training sets, use corrected-t.",
        exempt=(
            (
                "constant",
                "If the difference is the same for all training sets and test rows, the test gives p = 1 with a note.",
            ),
        ),
        references=("rasmussen1996", "lindman1992", "satterthwaite1946", "dietterich1998"),
    ),
    TestEntry(
        name="tost",
        title="Two one-sided tests of equivalence",
        aliases=("two-one-sided-tests",),
        question="Are two learners equal within a margin, or is one learner worse by at most the margin?",
        null="The difference is at least as large as the margin.",
        evidence="fold-scores",
        scopes=("dataset", "over-datasets"),
        unit="fold or dataset",
        min_units=2,
        schemes=(*FOLD_SCHEMES, "partitions-5x2cv", "holdout", "given-test", "predictions", "items"),
        questions=(3, 8, 9),
        options=("margin",),
        method="Two one-sided t tests compare the difference with minus the margin and with plus the margin, "
        "and p is the larger of the two p-values. The standard error and the degrees of freedom are those of the "
        "test that the scheme would use for a difference: corrected-t, 5x2cv-t or averaged-t on folds, row-t on "
        "rows, paired-t over datasets. `no worse than` uses only one of the two tests.",
        type_one="The same as for the test that provides the standard error. The type I error is below 5% if the "
        "standard error is large compared with the margin (Schuirmann 1987).",
        use_when="You want to claim that two learners are equivalent, or that one learner is no worse than the other. "
        "A large p-value of a test of difference does not show equivalence.",
        avoid_when="You did not choose the margin in advance.",
        instead="Without a margin, use corrected-t and report the interval of the difference. For the probabilities of "
        "all three answers (better, equivalent, worse), use bayes-correlated-t, which also needs a margin.",
        exempt=(
            (
                "scale",
                "The margin is a number in the same unit as the metric, so rescaling the scores changes the result.",
            ),
            ("identical", _NO_VARIANCE),
            ("constant", _NO_VARIANCE),
            ("dual", "The confidence interval is compared with the margin, not with zero."),
        ),
        references=("schuirmann1987",),
    ),
    TestEntry(
        name="randomization",
        title="Randomization test of the procedure",
        question="Is the score of the whole procedure better than with shuffled labels, which carry no information?",
        null="The labels are independent of the other columns.",
        evidence="procedure",
        learners="one",
        unit="shuffle",
        paired=False,
        min_units=1,
        smallest_p=shuffles_floor,
        schemes=("holdout", "cv", "repeated-cv", "5x2cv", "partitions-cv", "resamples", "leave-one-out", "given-folds"),
        questions=(6,),
        random=True,
        options=("shuffles",),
        method="The labels are shuffled m times, and the whole procedure with all its tuning is repeated each time. "
        "p = (b + 1)/(m + 1), where b is the number of shuffles that score at least as well as the true labels. The "
        "mean score over shuffles shows which score the search reaches by chance.",
        type_one="At most 5%, because under the null hypothesis the true labels are one of many equally likely "
        "arrangements (Phipson and Smyth 2010).",
        use_when="You tried many settings or selected among many columns.",
        avoid_when="You want to compare two learners. This test compares one procedure with chance.",
        instead="To compare two learners, write `compare` with its default test. For an honest score of one tuned "
        "learner, tune inside the training part (`tune on 20%`).",
        references=("jensen2000", "phipson2010", "salzberg1997"),
    ),
)


_over_datasets = partial(
    TestEntry,
    evidence="dataset-scores",
    scopes=("over-datasets",),
    unit="dataset",
    min_units=2,
    schemes=(),
    questions=(9,),
)
_of_many = partial(_over_datasets, learners="many", one_sided=False)

# Tests over datasets: one score per dataset and learner.
OVER: tuple[TestEntry, ...] = (
    _over_datasets(
        name="paired-t",
        title="Paired t test over datasets",
        question="Is the mean difference of two learners over the datasets different from zero?",
        null="The mean of the differences is zero, and the differences are normal.",
        method="t is the mean difference divided by its standard error s / sqrt(n), where s is the standard "
        "deviation of the differences on n datasets. t has n - 1 degrees of freedom. The interval is the mean "
        "difference plus and minus the critical value times the standard error.",
        type_one="Close to 5% for normally distributed differences. A dataset with a large difference inflates the "
        "standard error. In Bramer's example t falls from 3.31 to 2.81 although the better learner improves further "
        "on two of ten datasets (Bramer, section 15.3).",
        use_when="There are at least ten datasets, the metric has the same meaning on all of them, and no dataset is "
        "an outlier.",
        avoid_when="The metric is not a share from 0 to 1 (such as `rmse` or seconds), or one dataset has a much "
        "larger difference than the other datasets. With fewer than nine datasets even a large effect (effect size "
        "dz = 0.8) has less than 50% power.",
        instead="For a metric that is not a share from 0 to 1, use sign. If one dataset has a much larger difference, "
        "use wilcoxon.",
        exempt=(("constant", _NO_VARIANCE),),
        references=("bramer2020", "demsar2006"),
    ),
    _over_datasets(
        name="wilcoxon",
        title="Wilcoxon signed-rank test",
        aliases=("wilcox", "signed-rank", "wilcoxon-signed-rank"),
        question="Is one of two learners better over the datasets, if large differences count more than small ones?",
        null="The differences are symmetric about zero.",
        min_units=1,
        smallest_p=one_way,
        post_hoc_of=("friedman", "iman-davenport"),
        options=("zero_method", "method", "correction"),
        method="The absolute differences are ranked. Differences that agree in twelve digits are tied and share a "
        "rank. W+ is the sum of the ranks of the datasets that the first learner wins. With up to 200 nonzero "
        "differences the p-value is exact, also with ties. With more nonzero differences the p-value comes from the "
        "normal approximation. By default zero differences are treated by Demsar's rule (`demsar-split`): half of "
        "their ranks goes to each learner, and one zero is left out if the number of zeros is odd. With `pratt` zeros "
        "are ranked and then dropped, and with `drop` they are dropped before ranking. The difference and the "
        "interval are those of Hodges and Lehmann. If the test is significant, the interval excludes 0 or ends at 0 "
        "(the limits below name an exception).",
        type_one="At most 5%, because the p-value is exact given the ranks. We checked this limit of 5% by "
        "enumeration with up to 12 datasets.",
        use_when="You compare two learners on at least six datasets. This test is the default over datasets.",
        avoid_when="The metric is not a share from 0 to 1, because differences on different datasets then cannot be "
        "ranked together. Do not use this test on repeats or folds of one dataset, which are not independent (Bradford "
        "and "
        "Brodley, section 4).",
        instead="For a metric that is not a share from 0 to 1 (such as `rmse` or seconds), use sign.",
        exempt=(
            ("monotone", "One more dataset that the first learner wins can raise the one-sided p-value."),
            (
                "dual",
                "With ties or zeros, and if p is close to the level, the interval can contain 0 although the test is "
                "significant, or the reverse.",
            ),
        ),
        references=("wilcoxon1945", "pratt1959", "hodges1963", "demsar2006", "benavoli2016"),
    ),
    _over_datasets(
        name="sign",
        title="Sign test",
        aliases=("signs",),
        question="Does one of two learners win on more datasets than the other?",
        null="On a dataset without a tie each learner wins with probability 1/2.",
        min_units=1,
        smallest_p=one_way,
        options=("zero_method",),
        method="The number of wins is compared with a binomial distribution with probability 1/2 over the datasets "
        'without a tie. The two-sided p-value is twice the smaller tail. With `zero_method = "split"` each learner '
        "gets half of the ties. The ends of the interval for the median difference are two of the sorted differences.",
        type_one="At most 5%, because the test is exact. The type I error is usually below 5%, because the number of "
        "wins is a whole number (2.1% for ten datasets).",
        use_when="Differences on different datasets cannot be compared in size (`rmse`, seconds), or only wins "
        "were published.",
        avoid_when="The size of the differences can be compared. The sign test ignores the size of the differences "
        "and needs about 50% more datasets than wilcoxon.",
        instead="If the size of the differences can be compared, use wilcoxon.",
        references=("demsar2006", "salzberg1997"),
    ),
    _over_datasets(
        name="mixed-model",
        title="Linear mixed model over datasets and folds",
        aliases=("lmm", "mixed-effects"),
        question="Is the mean difference of two learners over datasets like these different from zero, and how "
        "much does it vary between datasets?",
        null="The mean difference over datasets is zero. The differences of datasets, and of folds within a dataset, "
        "are normally distributed.",
        evidence="dataset-folds",
        min_units=5,
        options=("rope",),
        method="The difference on a fold is modelled as the mean difference plus a random effect of the dataset plus "
        "a random effect of the fold. The model is fitted by restricted maximum likelihood. Folds of a dataset are "
        "correlated because their training sets overlap, and the model includes this correlation (Nadeau and "
        "Bengio). The mean of a dataset with n folds therefore has the variance s^2 (1/n + n2/n1) plus the variance "
        "between datasets. Here s^2 is the variance between folds, and n2/n1 is the ratio of test to training rows. "
        "If the estimated variance between datasets is 0, s^2 is computed from the deviations of the folds from the "
        "mean of their dataset, which gives a larger value than the likelihood. t is the mean difference divided by "
        "its standard error. The degrees of freedom of t are the number of datasets minus one. With an equivalence "
        "margin "
        "the result also estimates the probability that the difference on a new dataset is outside the margin.",
        type_one="Between 0.01% and 5.2% in simulations with 5, 10 and 20 datasets of 10 folds, whose correlation was "
        "0, 0.1 or 0.3 (20,000 simulations per setting). With the normal distribution that statsmodels uses, the type "
        "I error would be up to 12% (5 datasets), 9% (10) and 7% (20). If folds were treated as independent, the type "
        "I error would be up to 48%. With 3, 10 and 30 folds on 6 datasets the type I error was 0.8% to 6.1%, with 5, "
        "10 and 20 folds on 10 datasets 1.8% to 5.5%, and with 2, 50 and 50 folds on 6 datasets 0.6% to 7.6% (6,000 "
        "simulations per setting). The test can therefore give too many false positives if there are few datasets "
        "with very different numbers of folds. With an equivalence margin, the estimated probabilities that a "
        "learner is better on a new dataset had a mean error of at most 0.055 with 5 datasets, 0.03 with 10 and 0.02 "
        "with 20, if differences vary at least as much between datasets as between folds. If folds have a correlation "
        "of 0.3, the mean error of these probabilities was 0.075 with 5 datasets, 0.05 with 10 and 0.04 with 20, "
        "always towards a probability of one half. If differences hardly vary between datasets, the mean error of "
        "these probabilities was up to 0.18.",
        use_when="Every dataset has several folds, and you want to know how much the difference varies between "
        "datasets. The test also handles datasets with different numbers of folds.",
        avoid_when="The metric is not a share from 0 to 1 (such as `rmse` or seconds), the difference on one dataset "
        "is far larger than on the other datasets, or there are fewer than five datasets. If all datasets have the "
        "same number of folds and the estimated variance between datasets is above 0, paired-t on their means gives "
        "the same p-value.",
        instead="For a metric that is not a share from 0 to 1, use sign. If one dataset has a far larger difference, "
        "use wilcoxon.",
        exempt=_CONSTANT,
        references=("corani2017", "lindstrom1988", "nadeau2003"),
    ),
    _of_many(
        name="friedman",
        title="Friedman's test",
        question="Do three or more learners differ over the datasets?",
        null="On every dataset all orders of the learners are equally likely.",
        smallest_p=same_order_chi2,
        options=("tie_correction",),
        method="The learners are ranked on each dataset: rank 1 is best, and ties share a rank. Chi-squared is "
        "12 N / (k (k+1)) times the sum of squared deviations of the mean ranks from (k+1)/2, for k learners and N "
        "datasets, and is corrected for ties. The statistic has k - 1 degrees of freedom.",
        type_one="Below 5% for few datasets (Iman and Davenport 1980; Demsar 2006).",
        use_when="You want a result that can be compared with published results. The test only shows that the "
        "learners are not all equal. Post-hoc tests show which learners differ, and evalang computes them whether or "
        "not this test is significant.",
        avoid_when="There are fewer than ten datasets or five learners, because the chi-squared approximation is "
        "then rough.",
        instead="Use iman-davenport.",
        references=("friedman1937", "demsar2006", "iman1980"),
    ),
    _of_many(
        name="iman-davenport",
        title="Iman and Davenport's F",
        aliases=("friedman-f",),
        question="Do three or more learners differ over the datasets?",
        null="On every dataset all orders of the learners are equally likely.",
        smallest_p=same_order_exact,
        options=("tie_correction",),
        method="F = (N - 1) chi2 / (N (k - 1) - chi2), where chi2 is the statistic of Friedman's test for k learners "
        "on N datasets. F has k - 1 and (k - 1)(N - 1) degrees of freedom. If all datasets rank the learners in the "
        "same order, F is infinite and p is the exact probability of this event.",
        type_one="4% to 6% in our simulations with 5 to 30 datasets, where Friedman's chi-squared is too "
        "conservative (Iman and Davenport 1980).",
        use_when="You compare three or more learners on several datasets, which is when this test is the default.",
        avoid_when="There are only two learners. For two learners use wilcoxon.",
        references=("iman1980", "demsar2006"),
    ),
    _of_many(
        name="nemenyi",
        title="Nemenyi's test",
        question="Which pairs of learners differ in mean rank over the datasets?",
        null="The two learners have the same expected rank.",
        smallest_p=widest_ranks,
        post_hoc_of=("friedman", "iman-davenport"),
        method="Two learners differ significantly if their mean ranks differ by more than the critical "
        "difference q sqrt(k (k+1) / (6 N)) for k learners on N datasets, where q is the quantile of the studentized "
        "range divided by sqrt(2). The p-values come from the same distribution and are corrected for all pairs.",
        type_one="The type I error for the family of all pairs is at most 5% only if all learners are equal. In "
        "simulations of 8 learners on 25 datasets, after a significant Friedman test (20,000 tables), the type I "
        "error was 3.0% with equal learners and 0.9% with one learner that was far better than seven equal learners. "
        "The type I error was 10.6% when two equal learners were alternately best and worst (11.2% without Friedman's "
        "test first). The type I error of wilcoxon with holm was at most 5% in all three cases.",
        use_when="You want a critical difference diagram as in the literature.",
        avoid_when="You are interested in two of many learners, because the verdict on a pair depends on the other "
        "learners (Benavoli, Corani and Mangili 2016).",
        instead="Use wilcoxon for each pair with holm.",
        exempt=(("pool", "Adding or removing a learner can change the verdict on the other learners."),),
        references=("nemenyi1963", "demsar2006", "benavoli2016"),
    ),
    _of_many(
        name="bonferroni-dunn",
        title="Bonferroni-Dunn test",
        question="Which learners differ from a control learner in mean rank over the datasets?",
        null="The learner has the same expected rank as the control.",
        smallest_p=widest_ranks_times_others,
        post_hoc_of=("friedman", "iman-davenport"),
        options=("control",),
        method="z = (R_control - R_j) / sqrt(k (k+1) / (6 N)), where R are mean ranks of k learners on N "
        "datasets. The p-value of the normal distribution is multiplied by k - 1, and is at most 1.",
        type_one="Below 5% for the family of all comparisons with the control (Demsar 2006).",
        use_when="You compare one new learner with several known ones and report mean ranks.",
        avoid_when="The verdict on a learner should not depend on the other learners in the comparison.",
        instead="Use wilcoxon against the control with holm.",
        exempt=(("pool", "Adding or removing a learner can change the verdict on the other learners."),),
        references=("dunn1961", "demsar2006"),
    ),
    _of_many(
        name="anova",
        title="Repeated-measures analysis of variance",
        aliases=("repeated-measures-anova", "rm-anova"),
        question="Do the mean scores of three or more learners differ over the datasets?",
        null="All learners have the same mean. Errors are normally distributed, and the differences of all pairs "
        "have the same variance.",
        method="F compares the variation between learners with the variation that remains after the effects of "
        "datasets and learners are removed. F has k - 1 and (k - 1)(N - 1) degrees of freedom for k learners on N "
        "datasets. The report also gives Greenhouse and Geisser's epsilon and the p-value corrected with it.",
        type_one="Close to 5% for normally distributed errors and sphericity (equal variances of the differences of "
        "all pairs). Sphericity cannot be assumed for learners (Demsar 2006, section 3.2.1). Without sphericity the "
        "type I error is above 5%, except for the Greenhouse-Geisser p-value.",
        use_when="Scores can be compared across datasets and are nearly normally distributed.",
        avoid_when="The metric is not a share from 0 to 1 (such as `rmse` or seconds), or one dataset has far larger "
        "differences than the other datasets.",
        instead="Use iman-davenport.",
        exempt=(
            (
                "constant",
                "If the differences between the learners are the same on every dataset, the residual "
                "variation is 0 and F cannot be computed.",
            ),
        ),
        references=("demsar2006", "greenhouse1959", "girden1992"),
    ),
)


_posterior = partial(
    TestEntry,
    null="None, because nothing is rejected. The posterior gives the probabilities of three answers: first better, "
    "second better, or a difference within the equivalence margin.",
    one_sided=False,
    gives_p=False,
    exempt=(
        (
            "scale",
            "The equivalence margin is a number in the same unit as the metric, so rescaling the scores "
            "changes the result.",
        ),
        ("p-value", "The test gives posterior probabilities, not a p-value."),
    ),
)

# The Bayesian tests: a posterior instead of a p-value, outside every family of p-values.
BAYES: tuple[TestEntry, ...] = (
    _posterior(
        name="bayes-correlated-t",
        title="Bayesian correlated t test",
        aliases=("bayesian-correlated-t", "correlated-t"),
        question="How probable is it that one of two learners is better by more than the equivalence margin on this "
        "dataset?",
        evidence="fold-scores",
        unit="fold",
        min_units=2,
        schemes=("cv", "repeated-cv", "partitions-cv", "resamples", "given-folds"),
        questions=(8,),
        options=("rope",),
        method="The posterior of the mean difference is a t distribution with n - 1 degrees of freedom and scale "
        "sqrt((1/n + rho / (1 - rho)) s^2), where n is the number of folds, s^2 the variance of the differences on "
        "the folds, and rho the share of the rows in a test part.",
        type_one="Not defined, because nothing is rejected. With an equivalence margin of 0, the tail probability "
        "equals the one-sided p-value of corrected-t (Corani and Benavoli 2015).",
        use_when="You have an equivalence margin, and want probabilities instead of a p-value.",
        avoid_when="You need to control the false-positive rate of several comparisons together.",
        instead="For a p-value, use corrected-t.",
        references=("corani2015", "benavoli2017", "nadeau2003"),
    ),
    _posterior(
        name="bayes-signed-rank",
        title="Bayesian signed-rank test",
        aliases=("bayesian-signed-rank",),
        question="How probable is it that one of two learners is better by more than the equivalence margin over the "
        "datasets?",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        unit="dataset",
        min_units=1,
        schemes=(),
        questions=(9,),
        random=True,
        options=("rope", "prior", "samples"),
        method="The datasets and one added zero difference (the prior) get random weights from a Dirichlet "
        "distribution. In each draw, the products of the weights are added up over the pairs of datasets whose mean "
        "difference is below, within and above the equivalence margin. The answer with the largest sum wins the "
        "draw. The probability of an answer is the share of draws that it wins.",
        type_one="Not defined, because nothing is rejected. With 50,000 draws the probabilities change by about "
        "0.005 with another seed.",
        use_when="You have an equivalence margin and several datasets.",
        avoid_when="The metric is not a share from 0 to 1 (such as `rmse` or seconds), or you need to control the "
        "false-positive rate of several comparisons together.",
        instead="For a p-value, use wilcoxon, or sign if the metric is not a share from 0 to 1.",
        references=("benavoli2014", "benavoli2017"),
    ),
)


_interval = partial(
    TestEntry,
    null="None, because this is an interval and not a test.",
    learners="one",
    unit="test row",
    paired=False,
    min_units=2,
    schemes=("holdout", "given-test"),
    questions=(1,),
    one_sided=False,
    gives_p=False,
    exempt=(("p-value", "The result is an interval, not a p-value."),),
)

# The intervals that `estimate` can give: one learner, no comparison.
ESTIMATES: tuple[TestEntry, ...] = (
    _interval(
        name="wilson",
        title="Wilson's interval",
        aliases=("wilson-score",),
        question="In which interval does the accuracy of this classifier lie?",
        evidence="count",
        min_units=1,
        metrics="accuracy",
        method="The interval contains all proportions p with |p_hat - p| <= z sqrt(p (1 - p) / n), where p_hat "
        "is the observed proportion on n test rows.",
        type_one="Close to the stated coverage on average over all accuracies, and slightly lower for some "
        "accuracies (Brown, Cai and DasGupta 2001).",
        use_when="You have one trained classifier and a test set that was not used for anything else.",
        avoid_when="The claim is about the algorithm, because the interval uses only one training set.",
        instead="For an algorithm, use corrected-interval.",
        references=("wilson1927", "brown2001", "dietterich1998"),
    ),
    _interval(
        name="clopper-pearson",
        title="Clopper and Pearson's interval",
        aliases=("exact-binomial-interval",),
        question="In which interval does the accuracy of this classifier lie, with at least the stated coverage?",
        evidence="count",
        min_units=1,
        metrics="accuracy",
        method="For s right answers on n rows, the ends are quantiles of two beta distributions. The lower end comes "
        "from the distribution with parameters s and n - s + 1, and the upper end from the one with s + 1 and n - s.",
        type_one="At least the stated coverage. The interval is wider than necessary (Brown, Cai and DasGupta 2001).",
        use_when="You need guaranteed coverage rather than the shortest interval.",
        avoid_when="The claim is about the algorithm, because the interval uses only one training set.",
        instead="For an algorithm, use corrected-interval. For a shorter interval, use wilson.",
        references=("clopper1934", "brown2001"),
    ),
    _interval(
        name="item-interval",
        title="Wilson's interval of items and groups",
        question="In which interval does the mean score of this model on items like these lie?",
        evidence="item-scores",
        unit="item",
        schemes=("given-test",),
        metrics="row-loss",
        method="This is Wilson's interval with an effective number of items. The effective number is the number of "
        "independent right-or-wrong items that would give the same variance of the mean. The variance is computed over "
        "items, "
        "after the samples of each item are combined into one value, or over groups (cluster-robust, CR2). The "
        "critical value comes from Student's t instead of the normal distribution. A metric that is not a proportion "
        "gets a t interval.",
        type_one="The simulated coverage of 95% intervals was 94% to 99% for 10 to 1,000 items with means of 0.5 and "
        "0.9 and one or five samples, and 94% to 97% for 10, 20 and 50 groups (600 to 1,500 simulations). With a "
        "mean of 0.99 and one sample the coverage was 90% for 10 items and 91% for 50 items, while the mean plus and "
        "minus "
        "1.96 standard errors covers only 10% and 40%. In the study of levels the interval missed the true value in "
        "at most 8.0% of simulations (50 groups of uneven size, 200 simulations), and in up to 13.1% for pass@5 of "
        "50 easy items.",
        use_when="Items have several samples, partial scores or groups, which is when this interval is the default.",
        avoid_when="The items are not a sample from a larger set of items. If the items are not a sample, report the "
        "score without an interval.",
        instead="For items with a single right or wrong answer, use wilson.",
        references=("wilson1927", "miller2024", "korn1998"),
    ),
    _interval(
        name="corrected-interval",
        title="Interval from overlapping folds",
        question="In which interval does the score of this algorithm at this number of training rows lie?",
        evidence="fold-scores",
        unit="fold",
        schemes=(*FOLD_SCHEMES, "partitions-5x2cv", "halvings"),
        questions=(2, 6),
        method="The interval is the mean of the fold scores plus and minus t sqrt((1/n + n2/n1) s^2) with n - 1 "
        "degrees of freedom, where n is the number of folds, s^2 the variance of their scores, n2 the number of test "
        "rows and n1 the number of training rows. An interval beyond the range of the metric is cut at the limits of "
        "the range.",
        type_one="No unbiased estimate of the variance exists (Bengio and Grandvalet 2004). The interval is "
        "conservative for ten folds, and close to its stated coverage for repeated folds (Nadeau and Bengio 2003).",
        use_when="You estimate the score of an algorithm by cross-validation, for which this interval is the default.",
        avoid_when="Each fold has only a few rows, as in leave-one-out.",
        references=("nadeau2003", "bouckaert2004", "bengio2004"),
    ),
    _interval(
        name="training-interval",
        title="Interval from disjoint training sets",
        question="In which interval does the score of this algorithm lie, for new training sets of this size?",
        evidence="training-losses",
        unit="training set",
        schemes=("trainings",),
        questions=(5,),
        metrics="row-loss",
        method="The variance of the mean is (MS_training + MS_row - MS_rest) divided by the number of losses, "
        "with Satterthwaite's degrees of freedom. Both the training sets and the test rows (or the groups of rows) "
        "are treated as random samples.",
        type_one="In our simulation with normally distributed components, 95% intervals covered the true value in "
        "94% to 95% of cases with eight training sets and in 93% with three.",
        use_when="There are enough rows for several training sets that share no rows (`8 trainings of 300`).",
        avoid_when="The training sets overlap. Use corrected-interval then.",
        instead="If there are few rows, use corrected-interval.",
        references=("rasmussen1996", "dietterich1998"),
    ),
    _interval(
        name="retrained-interval",
        title="Interval over rows and trainings",
        question="In which interval does the score of this learner lie, if it is trained again on the same "
        "training rows?",
        evidence="retrained-rows",
        unit="test row or group",
        method="The interval is the mean score over rows and trainings, plus and minus the critical value times "
        "the standard error of retrained-t.",
        type_one="At least 93.6% for 95% intervals, because the test retrained-t with the same standard error has a "
        "type I error of at most 6.4% at the 5% level (study of levels).",
        use_when="A learner is random and you train it several times on one training set (`train N times`).",
        avoid_when="The claim is about other training sets, because all these trainings use the same one.",
        instead="For an algorithm, use corrected-interval.",
        references=("cochran1957",),
    ),
)


@dataclass(frozen=True, slots=True)
class Exceeding:
    """A default test at the 5% level, and where its type I error was above 6%."""

    test: str
    kinds: tuple[str, ...]  # of scheme
    rate: float  # the highest that was measured
    where: str
    stumps: bool = False  # where a learner is one
    no_default: bool = False  # so often that there is no default test with such a learner


_ONE_TRAINING = ("holdout", "guarded-holdout", "given-test")
EXCEEDING: tuple[Exceeding, ...] = (
    Exceeding("corrected-t", ("cv", "given-folds"), 0.092, "with stumps", stumps=True, no_default=True),
    Exceeding("halving-t", ("halvings",), 0.064, "with stumps on 60 rows", stumps=True),
    Exceeding("forward-t", ("forward",), 0.073, "if successive differences have a correlation of 0.8"),
    Exceeding("row-t", (*_ONE_TRAINING, "predictions"), 0.183, "with strongly skewed losses of few rows"),
    Exceeding(
        "retrained-t",
        _ONE_TRAINING,
        0.064,
        "with two trainings, if scores vary more between trainings than between rows",
    ),
)


def exceeding(test: str, kind: str) -> Exceeding | None:
    """Return the exception of a test under a kind of scheme.

    >>> exceeding("corrected-t", "cv").rate
    0.092
    """
    return next((e for e in EXCEEDING if e.test == test and kind in e.kinds), None)


def exceeding_words(test: str, kind: str) -> str:
    """Return the exception as the end of a sentence, "" if there is none."""
    found = exceeding(test, kind)
    return f"; type I error at the 5% level up to {100 * found.rate:.1f}% {found.where}" if found else ""


def no_default_words(test: str, kind: str) -> str:
    """Return why there is no default test with a stump, "" where there is one."""
    found = exceeding(test, kind)
    if found is None or not found.no_default:
        return ""
    wrong = f"{test} has a type I error of up to {100 * found.rate:.1f}% at the 5% level"
    return (
        "with a stump, no test of one cross-validation has both a type I error of at most 6% and useful power "
        f"({wrong})"
    )


TESTS: tuple[TestEntry, ...] = ROWS + LOSSES + RELATED + FOLDS + OVER + BAYES + ESTIMATES


def _letters(word: str) -> str:
    return re.sub(r"[-_. ]|'s", "", word.lower())


def _plain(word: str) -> str:
    return _letters(word).removesuffix("test")


_BY_NAME = {_plain(word): entry for entry in TESTS for word in (entry.name, *entry.aliases)}
# A t-test without a first name: which one is meant depends on the design, and the plan says it.
_T_TESTS = ("t", "ttest", "pairedttest", "student", "studentt", "studentttest", "ttestrel")
# Tests that are not here: what is offered for them.
_MEANT = {
    **dict.fromkeys(("mannwhitney", "mannwhitneyu", "ranksum", "wilcoxonranksum"), "wilcoxon, for paired scores"),
    **dict.fromkeys(("kruskal", "kruskalwallis"), "friedman, for paired scores"),
    **dict.fromkeys(
        ("chi2", "chisq", "chisquare", "chisquared", "fisher", "fisherexact"), "mcnemar, for paired outcomes"
    ),
    **dict.fromkeys(("z",), "mcnemar-midp (right or wrong) or row-t (losses)"),
    **dict.fromkeys(("welch", "welcht", "unpairedt", "ttestind"), "t-test, for paired scores"),
    **dict.fromkeys(("tukey", "tukeyhsd", "dunn", "conover"), "friedman, nemenyi"),
}


# A comparison by these may end `until settled`: smooth functions of means over partitions, with a critical value that
# is known beforehand (verdicts/until_settled.py).
CURTAILED = ("partition-t", "corrected-t", "averaged-t")


def find_test(name: str) -> TestEntry | None:
    """Return the card of a name or alias, or None.

    >>> find_test("mcnemar").unit, find_test("wilcox.test").name, find_test("t-test")
    ('test row', 'wilcoxon', None)
    """
    return _BY_NAME.get(_plain(name))


def is_t_test(name: str) -> bool:
    """Return whether a name means the t-test that fits the design: `t-test`, `paired t-test`.

    >>> is_t_test("t-test"), is_t_test("paired t-test"), is_t_test("paired-t")
    (True, True, False)
    """
    return _letters(name) in _T_TESTS


def meant_test(name: str) -> str | None:
    """Return what to write for a test that is not here, such as mann-whitney."""
    return _MEANT.get(_plain(name))
