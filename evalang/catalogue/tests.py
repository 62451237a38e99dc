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

# What a test is computed from; `cards.card` says each in words, `verdicts.evidence` has the shapes.
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
    tolerates_overlap: bool = False  # training sets of its units may share rows
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


EXACT_BELOW = 25  # disagreements, as in verdicts/tests/outcome_tests.py
BOOTSTRAP_RESAMPLES = 10_000


def one_way(units: int, learners: int, sides: int) -> float:
    """Return sides / 2^n: every unit goes the same way."""
    return min(1.0, sides * 0.5**units)


def one_way_midp(units: int, learners: int, sides: int) -> float:
    """Return half of `one_way`: the mid-p counts half of the observed probability."""
    return min(1.0, sides * 0.5 ** (units + 1))


def mcnemar_floor(units: int, learners: int, sides: int) -> float:
    """Every disagreement goes the same way; exact below 25 of them, else (n - 1)^2 / n, whichever is smaller."""
    exact = one_way(min(units, EXACT_BELOW - 1), learners, sides)
    return exact if units < EXACT_BELOW else min(exact, _normal((units - 1) / math.sqrt(units), sides))


def corrected_proportions_floor(units: int, learners: int, sides: int) -> float:
    """Every row disagrees the same way: z = sqrt(n)."""
    return _normal(math.sqrt(max(units, 0)), sides)


def proportions_floor(units: int, learners: int, sides: int) -> float:
    """One learner always right and the other always wrong: z = sqrt(2 n)."""
    return _normal(math.sqrt(2.0 * max(units, 0)), sides)


def cochran_floor(units: int, learners: int, sides: int) -> float:
    """The same learners right on every row: Q = n (k - 1)."""
    if units < 1 or learners < 2:
        return 1.0
    return chi2_sf(units * (learners - 1.0), learners - 1.0)


def bootstrap_floor(units: int, learners: int, sides: int) -> float:
    """No resample on the far side of zero, or the sign test's floor where that is smaller."""
    return min(1.0, sides / (BOOTSTRAP_RESAMPLES + 1), sides * 0.5**units)


def shuffles_floor(units: int, learners: int, sides: int) -> float:
    """No shuffle as good: 1 / (m + 1) on one side."""
    return min(1.0, sides / (units + 1.0))


def same_order_chi2(units: int, learners: int, sides: int) -> float:
    """Friedman's smallest p: every dataset ranks the learners alike, chi-squared N (k - 1), or the exact chance."""
    if units < 1 or learners < 2:
        return 1.0
    exact = same_order_exact(units, learners, sides)
    return max(exact, chi2_sf(units * (learners - 1.0), learners - 1.0))


def same_order_exact(units: int, learners: int, sides: int) -> float:
    """Iman-Davenport's smallest p: the chance that N random orders of k learners all agree, (k!)^-(N-1)."""
    if units < 1 or learners < 2:
        return 1.0
    return math.exp(-(units - 1) * math.lgamma(learners + 1.0))


def widest_ranks(units: int, learners: int, sides: int) -> float:
    """Nemenyi's smallest p: one learner best and another worst on every dataset."""
    if units < 1 or learners < 2:
        return 1.0
    return normal_range_sf(_widest_z(units, learners) * math.sqrt(2.0), learners)


def widest_ranks_times_others(units: int, learners: int, sides: int) -> float:
    """Bonferroni-Dunn's smallest p: the control first and another last on every dataset, times k - 1."""
    if units < 1 or learners < 2:
        return 1.0
    return min(1.0, (learners - 1) * math.erfc(_widest_z(units, learners) / math.sqrt(2.0)))


def _widest_z(units: int, learners: int) -> float:
    return (learners - 1.0) / math.sqrt(learners * (learners + 1.0) / (6.0 * units))


def _normal(z: float, sides: int) -> float:
    return min(1.0, sides * 0.5 * math.erfc(z / math.sqrt(2.0)))


ONE_TEST_PER_ROW = ("holdout", "given-test", "cv", "given-folds", "leave-one-out", "predictions", "items")
ONE_TEST_SET = ("holdout", "given-test", "predictions")
_RIGHT_OR_WRONG = (
    ("shift", "an outcome is right or wrong: nothing can be added to it"),
    ("scale", "an outcome is right or wrong: it has no scale"),
)
_CAREFUL = ("dual", "Tango's interval is that of the uncorrected score: this form may leave open what it excludes")
NO_TRAINING_VARIANCE = (
    "It knows one training set only: a claim about the algorithm also needs the variation over training sets, which "
    "this test does not see."
)
_ON_FOLDS = (
    NO_TRAINING_VARIANCE + " On the rows of all folds together it calls equal learners different too often (EV416)."
)

_on_outcomes = partial(
    TestEntry,
    question="Do these two classifiers have the same accuracy?",
    null="A test row on which exactly one of the two is right is as likely to be won by either.",
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
        method="Count the rows that only the first gets wrong (n01) and only the second gets wrong (n10). The "
        "statistic is (|n01 - n10| - 1)^2 / (n01 + n10) against chi-squared with 1 degree of freedom; the "
        "correction is dropped when the counts are equal. With fewer than 25 disagreements the exact binomial form "
        "is used, and the result says so.",
        type_one="Between .02 and .04 at the level .05 in Dietterich's simulation (1998, section 4), repeated by "
        "`simulate type-I`: it keeps its level and is somewhat conservative. On 50 to 1,000 items .028 to .050, and "
        "its interval missed at most .061 (study of levels).",
        use_when="A learner can be trained only once, or the question is about two classifiers as they are.",
        instead="5x2cv-t or corrected-t, when the learners can be trained ten times",
        references=("mcnemar1947", "edwards1948", "dietterich1998", "fagerland2013"),
    ),
    _on_outcomes(
        name="mcnemar-exact",
        title="McNemar's exact test",
        aliases=("exact-mcnemar", "mcnemar-binomial"),
        smallest_p=one_way,
        method="Twice the smaller binomial tail of the disagreements with probability one half, at most 1.",
        type_one="Never above its level, for any number of rows: proved by listing all tables of up to 12 rows. Well "
        "below it when few rows disagree (Fagerland, Lydersen and Laake 2013). Simulated on 50 to 1,000 items .028 to "
        ".051, which is chance, and its interval, which is not of the exact test, missed at most .061.",
        use_when="Few rows disagree, or a guarantee is wanted.",
        instead="mcnemar-midp, where power matters more than the guarantee",
        references=("mcnemar1947", "fagerland2013"),
    ),
    _on_outcomes(
        name="mcnemar-midp",
        title="McNemar's mid-p test",
        aliases=("mid-p-mcnemar", "mcnemar-mid-p"),
        smallest_p=one_way_midp,
        method="The exact p less the probability of the observed count (half of it for each tail); 1 - f/2 when n01 "
        "= n10, where f is the probability of the observed count.",
        type_one="Near its level, and rarely and only slightly above it (Fagerland, Lydersen and Laake 2013). On 50 to "
        "1,000 items .045 to .056, and its interval missed at most .061 (study of levels).",
        use_when="Few rows disagree and the exact form would be too cautious.",
        avoid_when="The level must be kept without exception. " + _ON_FOLDS,
        instead="mcnemar-exact, for the guarantee",
        exempt=(*_RIGHT_OR_WRONG, _CAREFUL, ("level", "its level is kept on average, not for every table")),
        references=("fagerland2013", "tango1998"),
    ),
    _on_outcomes(
        name="binomial",
        title="Binomial test of the disagreements",
        aliases=("binom",),
        smallest_p=one_way,
        method="Salzberg's name for McNemar's exact test: n successes and failures among the rows where exactly one "
        "learner is right, binomial with one half. His example of 35 and 15 gives p = .0066.",
        type_one="Never above its level, as mcnemar-exact.",
        use_when="A study follows Salzberg's procedure by name.",
        instead="mcnemar-exact, the same test under its usual name",
        references=("salzberg1997",),
    ),
    _on_outcomes(
        name="proportions",
        post_hoc_of=(),
        title="Difference of two proportions",
        aliases=("prop", "two-proportions", "two-proportion-z", "difference-of-proportions"),
        question="Do two classifiers have the same accuracy, had they been tested on different rows?",
        null="The two accuracies are equal and were measured on independent test sets.",
        paired=False,
        smallest_p=proportions_floor,
        questions=(),
        method="z is the difference of the accuracies over sqrt(2 p (1 - p) / n), p the mean accuracy.",
        type_one="Between .05 and .07 at the level .05 in Dietterich's simulation; the same accuracies give the "
        "same z whether the learners err on the same rows or on different ones (Dietterich 1998, section 5).",
        use_when="To repeat or to simulate what a paper did.",
        avoid_when="Always, on one test set: both learners were tested on the same rows and the variance ignores that.",
        instead="mcnemar",
        exempt=_RIGHT_OR_WRONG,
        references=("dietterich1998",),
    ),
    _on_outcomes(
        name="corrected-proportions",
        title="Difference of two paired proportions",
        null="The two accuracies are equal on the rows that the test set is drawn from.",
        smallest_p=corrected_proportions_floor,
        method="z is (n10 - n01) / sqrt(n01 + n10), without continuity correction; its square is McNemar's "
        "statistic without correction. The Wald interval stands among the details.",
        type_one="Close to its level when many rows disagree; above it when few do (Fagerland, Lydersen and Laake "
        "2013).",
        use_when="Many rows disagree and an interval for the difference is the main thing.",
        avoid_when="Fewer than 25 rows disagree. " + _ON_FOLDS,
        instead="mcnemar",
        exempt=_RIGHT_OR_WRONG,
        references=("dietterich1998", "fagerland2013"),
    ),
    _on_outcomes(
        name="cochran-q",
        post_hoc_of=(),
        title="Cochran's Q test",
        aliases=("cochran", "cochrans-q"),
        question="Do these three or more classifiers all have the same accuracy?",
        null="On every test row each of the learners is as likely to be right as any other.",
        learners="many",
        smallest_p=cochran_floor,
        questions=(3,),
        one_sided=False,
        method="(k - 1)(k sum of squared column totals - T^2) / (k T - sum of squared row totals), chi-squared with "
        "k - 1 degrees of freedom. For two learners it is McNemar's statistic without correction.",
        type_one="An approximation for many rows on which not all learners agree; rows with full agreement do not "
        "count.",
        use_when="Three or more classifiers on one test set, before testing pairs.",
        instead="mcnemar per pair with a correction, which says which of them differ",
        exempt=_RIGHT_OR_WRONG,
        references=("cochran1950",),
    ),
)


_on_losses = partial(
    TestEntry,
    unit="test row",
    tolerates_overlap=True,
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
        null="The two areas are equal on the rows that the test set is drawn from.",
        evidence="row-scores",
        unit="test row",
        min_units=4,
        schemes=ONE_TEST_SET,
        questions=(3,),
        metrics="roc-area",
        method="z is the difference of the areas over the standard error from the placements of every positive row "
        "among the negatives and of every negative among the positives; tied scores count one half.",
        type_one="An approximation that needs many rows of both classes. With two nested scores (one adds nothing to "
        "the other) the type I error is below the level: the test is conservative.",
        use_when="The metric is roc-area and the test set is large enough to have a hundred rows or so of each class.",
        avoid_when="One class has few rows, or scores of several folds are pooled: scores of different fits are not on "
        "one scale. " + NO_TRAINING_VARIANCE,
        instead="corrected-t on the areas of the folds, for a claim about the algorithm",
        exempt=(("constant", "areas that differ without any variance have no z; it says so"),),
        references=("delong1988",),
    ),
    _on_losses(
        name="row-t",
        title="Paired t test on rows",
        question="Do these two classifiers have the same mean loss?",
        null="The mean of the rows' differences in loss is zero.",
        evidence="row-losses",
        method="The mean of the differences over s / sqrt(n), against t with n - 1 degrees of freedom.",
        type_one="Keeps its level for many independent rows. With strongly skewed differences (lognormal) of 50 rows "
        "it was wrong in up to .183 of true nulls at the level .05, of 200 rows in up to .122 (study of levels). On 50 "
        "to 1,000 items, right or wrong, of 1 or 5 samples each, it rejected .040 to .061 of true nulls, and its "
        "interval missed at most .061 (200 to 3,000 runs a setting).",
        use_when="The metric is a mean of one loss per row: brier, cross-entropy, squared or absolute error.",
        avoid_when="Rows belong to groups (a patient, a day): they are not independent. " + NO_TRAINING_VARIANCE,
        instead="permutation, when a few rows carry most of the loss",
        exempt=(("constant", "a difference that is the same on every row has no variance, so there is no t"),),
        references=("student1908", "dietterich1998"),
    ),
    _on_losses(
        name="retrained-t",
        title="t test over rows and trainings",
        question="Do these two learners, trained again on these training rows, have the same mean score?",
        null="Over new test rows and new trainings on the same training rows, the mean scores are the same.",
        metrics="any",
        evidence="retrained-rows",
        unit="test row or group",
        questions=(3, 8),
        post_hoc_of=("cochran-q",),
        method="What each row adds to the metric is averaged over the trainings, never the predictions: those would be "
        "an ensemble. The variance of the difference is s2(rows)/n + s2(trainings)/N - s2(rest)/(n N), the last two of "
        "each learner, and not below the larger of the first two; the critical value is the mean of those of t with "
        "n - 1 and N - 1 degrees of freedom, weighted by their parts (Cochran and Cox). Where "
        "rows come in groups, a group with the mean of its rows, weighted by their number, takes the place of a row.",
        type_one="Between .010 and .064 at the level .05 with 2 to 15 trainings of 100 and 500 rows, above .06 with "
        "two trainings that differ more than the rows do (study of levels, 10,000 runs each); with Satterthwaite's "
        "degrees of freedom up to .133 with 2 trainings, with the rows alone up to .584. Over groups (8 to 40, group "
        "SD .15 or .25, 2 or 5 trainings) between .005 and .062; counting their rows up to .48 (1,200 runs each).",
        use_when="A learner is random and is trained several times on one training set (`train N times`).",
        avoid_when="The question is about other training sets: these trainings share theirs.",
        instead="a scheme with several training sets, such as 5x2cv",
        exempt=(("constant", "a difference that is the same on every row has no variance, so there is no t"),),
        references=("cochran1957", "satterthwaite1946"),
    ),
    _on_losses(
        name="permutation",
        title="Paired permutation test",
        aliases=("paired-permutation",),
        question="Would the difference be as large if the two learners were exchanged at random on every unit?",
        null="On every unit the two learners' results are exchangeable.",
        evidence="row-losses",
        scopes=("dataset", "over-datasets"),
        unit="test row or dataset",
        min_units=1,
        smallest_p=one_way,
        questions=(3, 9),
        post_hoc_of=("cochran-q", "friedman", "iman-davenport", "anova"),
        random=True,
        options=("resamples",),
        method="The share of all 2^n exchanges whose mean difference is at least as large: all of them up to 16 "
        "units, else (b + 1)/(m + 1) of m = 9,999 random ones. Differences that all have one size are counted "
        "exactly. The interval is made of the means of exchanged subsets, which inverts the same test.",
        type_one="Never above its level where units are exchangeable: proved by listing all signs of up to 12 "
        "units, with ties and zeros. Adding one to both counts keeps that true of random exchanges (Phipson and "
        "Smyth 2010).",
        use_when="Losses or scores are far from normal, and the mean difference itself is what matters.",
        avoid_when="On folds: they share training rows and are not exchangeable.",
        instead="corrected-t, on folds",
        references=("fisher1935", "hartigan1969", "phipson2010"),
    ),
    TestEntry(
        name="bootstrap",
        title="Paired bootstrap",
        question="How much would the difference vary over other units like these?",
        null="The difference is zero in the population that the units are drawn from.",
        evidence="row-scores",
        scopes=("dataset", "over-datasets"),
        unit="test row or dataset",
        min_units=2,
        smallest_p=bootstrap_floor,
        schemes=ONE_TEST_SET,
        questions=(3, 9),
        random=True,
        options=("resamples",),
        method="Units are drawn with replacement 10,000 times, both learners on the same units, and the difference "
        "is computed again; the interval is made of percentiles, and p is twice the smaller share of draws on the far "
        "side of zero, with one added. A metric that is no mean (f-score, mcc) is computed again on every draw.",
        type_one="Somewhat above its level for few units: percentile intervals are too short then (Efron and "
        "Tibshirani 1993). Measured at .05 with normal differences, 3,000 runs: .074 for 20 units, .054 for 50.",
        use_when="The metric has no test of its own, and there are fifty units or more.",
        avoid_when="There are few units, or the question is about the algorithm rather than these classifiers.",
        instead="permutation, for few units; corrected-t, for the algorithm",
        references=("efron1993",),
    ),
)


_CONSTANT = (("constant", "a difference that is the same everywhere has no variance, so there is no t"),)
_ORDER = ("order", "the rows have an order, which is that of time")

_on_groups = partial(
    TestEntry,
    evidence="grouped-rows",
    unit="group",
    tolerates_overlap=True,
    min_units=6,
    schemes=ONE_TEST_PER_ROW,
    questions=(3,),
    metrics="row-loss",
)
_in_time = partial(
    TestEntry,
    evidence="timed-rows",
    unit="time stamp",
    tolerates_overlap=True,
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
        question="Would the difference be as large if the two learners were exchanged at random in every group?",
        null="In every group the two learners' results can be exchanged, all its rows at once.",
        smallest_p=one_way,
        random=True,
        method="The differences of a group's rows are summed. The share of all sign changes of these sums whose "
        "total is at least as large: all of them up to 18 groups, else of 9,999 random ones and the observed."
        " The mean is by row, so a large group counts for more; where folds differ in size it is that of the folds, as "
        "in the table of scores.",
        type_one="Between .028 and .069 at the level .05 with 8 to 50 groups in the study of levels, sizes and effects "
        "equal or skewed; a test that takes the rows for independent rejects in up to .27. On items right or wrong in "
        "10, 20 and 50 groups it rejected .013 to .065 and its interval missed at most .065 (200 to 3,000 runs a "
        "setting), where counting every item for itself rejected up to .710. The interval beside it for new items of "
        "these very groups covered .943 to .960 (6 and 18 groups of 10 to 150 items, 400 to 1,500 repetitions); taken "
        "for an answer about groups like these it was wrong in up to .18.",
        use_when="Rows come in groups (visits of a patient, questions on one text): the default there.",
        avoid_when="There are fewer than six groups: no p could reach .05. " + NO_TRAINING_VARIANCE,
        instead="a scheme of grouped folds, for a claim about the algorithm",
        references=("canay2017",),
    ),
    _on_groups(
        name="cluster-t",
        title="t test of groups",
        question="Do these two classifiers have the same mean score on rows that come in groups?",
        null="The mean difference over rows, drawn group by group, is zero.",
        method="The mean by row over the standard error from the groups' summed residuals, each squared over 1 - "
        "n_g/n (CR2), against t with Bell and McCaffrey's degrees of freedom. Where folds differ in size the mean is "
        "that of the folds, as in the table of scores: a row of a fold of n_f counts for w = N/(F n_f), its residual "
        "is w times its distance from the mean, and the divisor is the exact one for these weights. If the test for "
        "these groups alone has a larger p, p and interval are its own, and a note says so.",
        type_one="Between .033 and .071 in the study of levels; without the correction (CR1) up to .120. Where the "
        "effective number of groups is below 20 or not above half of them a result carries a warning; items right or "
        "wrong in 6 to 20 groups, one of which held up to half of the items, gave .048 to .056 (20,000 repetitions); "
        "in 10 to 50 groups .036 to .069, and the interval missed at most .070 (200 to 3,000 runs a setting).",
        use_when="Many groups of like size; the default for the pairs of three models or more on items, whose shared "
        "level is too small for drawn sign changes.",
        avoid_when="Groups are few or differ much in size. " + NO_TRAINING_VARIANCE,
        instead="cluster-permutation",
        exempt=_CONSTANT,
        references=("bell2002", "pustejovsky2018"),
    ),
    _in_time(
        name="forward-t",
        title="t test forward in time",
        question="Does one of two learners, trained again as time goes on, predict what comes next better?",
        null="The mean difference over time stamps is zero in the long run.",
        method="The rows of one time stamp are taken together, the stamps in order; the mean is by row, or "
        "that of the folds where they differ in size, as in the table of scores. The long-run "
        "variance is the mean of the squared weights of B = 0.25 T^(2/3) cosines; t with B degrees of freedom.",
        type_one="Between .047 and .057 with 50 to 500 stamps whose differences follow each other with a correlation "
        "up to .5, the most where they are skewed too; up to .073 at a correlation of .8 (study of levels, 10,000 runs "
        "each). With 0.4 T^(2/3) cosines, as lazarus2018 recommends: up to .108. Diebold and Mariano's test for one "
        "step: up to .522.",
        use_when="`forward N splits`, with a metric that is a mean over rows; the default there. With several series "
        "in one table (`series in`) the unit stays the time stamp: series of one day have the day in common.",
        avoid_when="There are fewer than 50 time stamps, or one learner is nested in the other and the window grows: "
        "then the difference need not settle at all.",
        references=("lazarus2018", "muller2007"),
    ),
    _in_time(
        name="diebold-mariano",
        title="Diebold and Mariano's test",
        aliases=("dm",),
        question="Do two forecasts have the same expected loss?",
        null="The mean difference of the losses over time stamps is zero.",
        options=("horizon",),
        method="The mean over its standard error from the autocovariances up to the horizon less one, with Harvey, "
        "Leybourne and Newbold's correction; t with T - 1 degrees of freedom.",
        type_one=".25 to .27 at the level .05 for one step where differences follow each other with a correlation of "
        ".5, .096 to .102 for a horizon of 5 with 50 stamps (study of levels): it knows nothing beyond its horizon.",
        use_when="Forecasts of a stated horizon, whose errors are unrelated beyond it.",
        avoid_when="Losses stay related for longer than the horizon.",
        instead="forward-t",
        references=("diebold1995", "harvey1997"),
    ),
)


FOLD_SCHEMES = ("cv", "repeated-cv", "5x2cv", "partitions-cv", "resamples", "given-folds")
_CONSTANT_DIFFERENCE = (("constant", "a difference that is the same on every fold has no variance, so there is no t"),)

_on_folds = partial(
    TestEntry,
    evidence="fold-scores",
    unit="fold",
    tolerates_overlap=True,
    min_units=2,
    questions=(8,),
    exempt=_CONSTANT_DIFFERENCE,
)

# Tests on the folds, partitions or training sets of one dataset: they ask about two algorithms.
FOLDS: tuple[TestEntry, ...] = (
    _on_folds(
        name="resampled-t",
        tolerates_overlap=False,
        title="t test on random resamples",
        aliases=("resampled-paired-t",),
        question="Do two algorithms differ in their mean score over random training and test sets?",
        null="The mean difference is zero, and the resamples are independent (they are not).",
        unit="resample",
        schemes=("resamples",),
        questions=(),
        method="The mean of the differences over s / sqrt(n), against t with n - 1 degrees of freedom.",
        type_one="About .11, .19, .25 and .32 at the level .05 for error rates of 10, 20, 30 and 40 percent with "
        "thirty resamples, and growing with their number (`simulate type-I`; Dietterich 1998, section 4).",
        use_when="To repeat or to simulate what a paper did.",
        avoid_when="Always: the resamples share training rows and test rows, so their spread says too little.",
        instead="corrected-t",
        references=("dietterich1998", "nadeau2003"),
    ),
    _on_folds(
        name="kfold-t",
        tolerates_overlap=False,
        title="t test on cross-validation folds",
        aliases=("k-fold-cv-paired-t", "cv-t"),
        question="Do two algorithms differ in their mean score over the folds?",
        null="The mean difference is zero, and the folds are independent (their training sets are not).",
        schemes=("cv", "given-folds"),
        questions=(),
        method="The mean of the differences over s / sqrt(k), against t with k - 1 degrees of freedom.",
        type_one="Somewhat above .05 on one random split (Dietterich 1998; .055 measured with 10 folds of 200 rows), "
        "and .545 when ten repeats of 10 folds are taken as a hundred units (measured, 1,500 runs).",
        use_when="Missing a difference would cost more than claiming one that is not there, on one random split.",
        avoid_when="There is more than one random split, or the level must be kept.",
        instead="corrected-t",
        references=("dietterich1998", "bengio2004"),
    ),
    _on_folds(
        name="5x2cv-t",
        title="5x2cv t test",
        aliases=("5x2cv-paired-t", "dietterich"),
        question="Do two algorithms differ at half of this sample size?",
        null="The first of the ten differences has mean zero, and the five variances estimate its own.",
        min_units=10,
        schemes=("5x2cv",),
        method="The first of the ten differences over the root of the mean of the five variances, each from the two "
        "halves of one random split; t with 5 degrees of freedom. The mean of the ten differences is "
        "reported too; the test does not use it.",
        type_one="About .03 at the level .05 in Dietterich's simulation (1998). With learners that are really trained, "
        "over 8 of them, 60 to 1,000 rows and two kinds of null, up to .121 (nearest neighbours), and above .06 in "
        "nearly half of the cells: it is no default. The study of levels has every cell.",
        use_when="The learners can be trained ten times, and a claim about the algorithms is wanted.",
        avoid_when="Half of the rows is far from the size that will be used, or the ten differences have different "
        "signs: the numerator is one fold, and another order of folds gives another p.",
        instead="5x2cv-f, which does not depend on the first fold; corrected-t for ten folds or more",
        exempt=(*_CONSTANT_DIFFERENCE, ("order", "its numerator is the first of the ten differences")),
        references=("dietterich1998", "alpaydin1999"),
    ),
    _on_folds(
        name="5x2cv-f",
        title="Combined 5x2cv F test",
        aliases=("alpaydin", "combined-5x2cv-f", "5x2cv-combined-f"),
        question="Do two algorithms differ at half of this sample size?",
        null="All ten differences have mean zero, and the five variances estimate their own.",
        min_units=10,
        schemes=("5x2cv",),
        one_sided=False,
        method="The sum of the ten squared differences over twice the sum of the five variances, F with 10 and 5 "
        "degrees of freedom.",
        type_one="Below that of 5x2cv-t in Alpaydin's study (1999). With learners that are really trained, over 8 of "
        "them, 60 to 1,000 rows and two kinds of null, up to .151 at the level .05 (nearest neighbours), and above .06 "
        "in nearly half of the cells. The study of levels has every cell.",
        use_when="As 5x2cv-t, and the order of the folds should not matter.",
        avoid_when="A one-sided answer is wanted: it has none.",
        instead="corrected-t, for one-sided claims",
        references=("alpaydin1999",),
    ),
    _on_folds(
        name="corrected-t",
        title="Corrected t test (Nadeau and Bengio)",
        aliases=("nadeau-bengio", "corrected-resampled-t", "corrected-repeated-kfold-cv"),
        question="Do two algorithms differ at this training size?",
        null="The mean difference over training and test sets of these sizes is zero.",
        schemes=(*FOLD_SCHEMES, "partitions-5x2cv", "bootstrap"),
        method="The mean of the differences over sqrt((1/J + n2/n1) s^2), where J counts resamples or all folds of "
        "all random splits, n2 the test rows and n1 the training rows; t with J - 1 degrees of freedom. With k folds "
        "n2/n1 is 1/(k - 1).",
        type_one="At the level .05, over 8 learners, 60 to 1,000 rows and two kinds of null: at most .054 on halves "
        "(5x2cv, 10x2cv, partitions of 5x2cv), .053 on 5cv, .059 on bootstrap 30 (with the ratio of test to distinct "
        "training rows as it is, .081), .043 on 10cv with any learner but stumps. With stumps it is .092 there and "
        "above .06 in every cell, so one split has no default test with them. Repeating k folds raises it: up to "
        ".110 on 5x5cv and .199 on 10x10cv with nearest neighbours, stumps and small trees, so it is no default there; "
        "up to .090 on 30 resamples of 2/3. Of the power it has on 10x10cv it keeps .94 on ten partitions of 5x2cv, "
        ".83 on 10x2cv, .75 on bootstrap 30, .69 on 5x2cv, .36 on 10cv, .28 on 5cv. The study of levels has every "
        "cell.",
        use_when="Halves (5x2cv, 10x2cv, partitions of 5x2cv), one split into folds (not with stumps), bootstrap: "
        "the default there.",
        avoid_when="The training sets do not overlap at all (N trainings of M): then nothing needs correcting.",
        instead="quasi-f, for disjoint training sets",
        references=("nadeau2003", "bouckaert2004"),
    ),
    _on_folds(
        name="partition-t",
        title="Corrected t test with the degrees of freedom of one split",
        question="Do two algorithms differ at this training size?",
        null="The mean difference over training and test sets of these sizes is zero.",
        schemes=FOLD_SCHEMES,
        method="The mean of all differences over sqrt((n2/n + n2/n1) s^2), with n2 of n rows tested and n1 trained on "
        "(1/k + 1/(k - 1) of k folds): reshuffling makes the mean steadier, but adds no test rows. t with "
        "the degrees of freedom of one split, k - 1, or all resamples but one. On a single split it is corrected-t.",
        type_one="At most .051 at the level .05, 8 learners, 60 to 1,000 rows and two kinds of null (10x10cv, 5x5cv "
        "and 30 resamples of 2/3); where corrected-t reached .199 on 10x10cv. Its price is power: .29 of that of "
        "corrected-t on 10x10cv, where that keeps its level, on 10x10cv, .13 on 5x5cv, .55 on 30 resamples of 2/3. "
        "The study of levels has every cell.",
        use_when="Repeated cross-validation, also with reshuffling, or resamples; the default there.",
        avoid_when="Power matters more than the training size: 10x2cv with corrected-t keeps its level and has nearly "
        "three times the power, and answers for half of the rows; halving-t on 10 halvings of 10x10cv does so for "
        "nearly all rows, with twice the trainings.",
        instead="halving-t on 10 halvings of 10x10cv",
        references=("nadeau2003", "bouckaert2004", "bengio2004"),
    ),
    _on_folds(
        name="halving-t",
        title="Halving t test",
        question="Do two algorithms differ at this training size?",
        null="The mean difference over samples of this size is zero.",
        evidence="halved-scores",
        schemes=("halvings",),
        method="The mean difference over all folds of RxKcv on all rows, over the square root of v = the sum of "
        "(a - b)^2 over M halvings, divided by 4 M, where a and b are the mean differences of cross-validations in "
        "the two halves of the rows; t with M - 1 degrees of freedom. The halves share no row, so no ratio has to be "
        "assumed for how much folds move together.",
        type_one="At most .055 at the level .05, 8 learners, 60 to 1,000 rows and two kinds of null, but for stumps on "
        "60 rows, .064; where corrected-t on 10x10cv reached .199. It has .81 of the power of that test where that "
        "keeps its level (.68 with 60 rows), for twice the trainings. The study of levels has every cell.",
        use_when="The answer is wanted for nearly all rows, learners may be unstable, and power matters: it is what "
        "`10 halvings of 10x10cv` takes.",
        avoid_when="Training is expensive: 10 halvings of 10x10cv train 200 times. Very few rows: a half must still be "
        "split into folds.",
        instead="corrected-t on 10x2cv, for a tenth of the trainings and half of the rows",
        exempt=(
            *_CONSTANT_DIFFERENCE,
            ("order", "which partitions are halvings, and which folds lie in which half, follows from their order"),
        ),
        references=("bengio2004", "nadeau2003"),
    ),
    _on_folds(
        name="averaged-t",
        title="Averaged t over random splits (Bradford and Brodley)",
        question="Do two algorithms differ, whatever the split into folds?",
        null="On an average split the mean difference over its folds is zero.",
        unit="partition",
        min_units=1,
        schemes=("repeated-cv", "partitions-cv", "partitions-5x2cv", "cv"),
        method="The t of every split is averaged and referred to t with the degrees of freedom of one split "
        "(folds less one; 5 for 5x2cv). More splits do not make it more certain of a difference, only less "
        "dependent on chance in the split; a second test says whether there are enough of them.",
        type_one="At the level .05, over 8 learners, 60 to 1,000 rows and two kinds of null: up to .121 on 5x5cv and "
        ".206 on 10x10cv (nearest neighbours, stumps, small trees), at most .043 on ten partitions of 5x2cv, where it "
        "finds less than half of what corrected-t does. Of single conclusions 7.0% of 1x10cv and 12.6% of 5x2cv change "
        "after reshuffling (Bradford and Brodley, Table 4). The study of levels has every cell.",
        use_when="A conclusion should not depend on the luck of one split.",
        avoid_when="Power is wanted from the repetitions.",
        instead="corrected-t",
        exempt=(
            ("constant", "a split whose difference is the same on every fold has no variance, so it has no t"),
            ("order", "with partitions of 5x2cv each t has the first fold in its numerator"),
        ),
        references=("bradford2001",),
    ),
    TestEntry(
        name="quasi-f",
        title="Quasi-F test on disjoint training sets",
        question="Do two algorithms differ at training size m, over training sets and test rows alike?",
        null="The mean loss of the two learners is equal over the populations of training sets and of test rows.",
        evidence="training-losses",
        unit="training set",
        min_units=2,
        schemes=("trainings",),
        questions=(7,),
        metrics="row-loss",
        one_sided=False,
        method="F'' = (MS_A + MS_ATE) / (MS_AT + MS_AE) from the losses of learner (A) by training set (T) by test "
        "row (E), with Satterthwaite's degrees of freedom; F' = MS_A / (MS_AT + MS_AE - MS_ATE) is reported too. "
        "Where rows come in groups, a group with the mean of its rows, weighted by their number, takes the place of a "
        "row.",
        type_one="An approximation; close to its level for eight training sets and many rows (Rasmussen 1996), "
        "below it when one of the two sources of variation is nearly absent, and up to .13 with two training sets that "
        "differ more than the rows. Over groups with eight training sets .048 for 40 groups of 20 (SD .25), .053 for "
        "20 of 50 (SD .15) and .070 for 30 of very unequal size; counting their rows .39 to .43 (2,000 runs each).",
        use_when="There are enough rows for several training sets with no rows in common.",
        avoid_when="The training sets overlap: then it counts the same rows twice.",
        instead="corrected-t, for overlapping training sets",
        exempt=(("constant", "it gives p = 1 with a note when the difference does not vary at all"),),
        references=("rasmussen1996", "lindman1992", "satterthwaite1946", "dietterich1998"),
    ),
    TestEntry(
        name="tost",
        title="Two one-sided tests of equivalence",
        aliases=("two-one-sided-tests",),
        question="Are two learners equal within a margin, or is one no worse than the other by more than it?",
        null="The difference is at least as large as the margin.",
        evidence="fold-scores",
        scopes=("dataset", "over-datasets"),
        unit="fold or dataset",
        tolerates_overlap=True,
        min_units=2,
        schemes=(*FOLD_SCHEMES, "partitions-5x2cv", "holdout", "given-test", "predictions", "items"),
        questions=(3, 8, 9),
        options=("margin",),
        method="Two one-sided t tests, against minus and plus the margin; p is the larger of the two. The standard "
        "error and the degrees of freedom are those of the scheme's own test of a difference: corrected-t on folds, "
        "5x2cv-t, averaged-t, row-t on rows, paired-t over datasets. `no worse than` takes one of the two sides.",
        type_one="That of the test whose standard error it takes; below the level when the standard error is large "
        "against the margin (Schuirmann 1987).",
        use_when="The claim is that two learners are the same, or that one is no worse. A large p of another test "
        "does not show that.",
        avoid_when="No margin was set in advance.",
        instead="bayes-correlated-t with a rope, for probabilities of all three answers",
        exempt=(
            ("scale", "the margin is in the metric's unit"),
            ("identical", "equal learners are what it sets out to show; without variance it has no t, and says so"),
            ("constant", "without variance there is no t"),
            ("dual", "its interval is compared with the margin, not with zero"),
        ),
        references=("schuirmann1987",),
    ),
    TestEntry(
        name="randomization",
        title="Randomization test of the procedure",
        question="How good does the whole procedure look on labels that mean nothing?",
        null="The labels have nothing to do with the other columns.",
        evidence="procedure",
        learners="one",
        unit="shuffle",
        paired=False,
        tolerates_overlap=True,
        min_units=1,
        smallest_p=shuffles_floor,
        schemes=("holdout", "cv", "repeated-cv", "5x2cv", "partitions-cv", "resamples", "leave-one-out", "given-folds"),
        questions=(6,),
        random=True,
        options=("shuffles",),
        method="The labels are shuffled and the whole procedure, with all its tuning, is repeated; p is (b + 1)/(m "
        "+ 1), b the number of m shuffles on which it scores at least as well. The mean over shuffles is what "
        "searching alone reaches.",
        type_one="Never above its level: the true labels are one arrangement of many (Phipson and Smyth 2010).",
        use_when="Much was tried: many candidates, many columns chosen among.",
        avoid_when="Two learners are to be compared: it judges one procedure against chance, not against another.",
        instead="a tuning part kept inside the folds, so that there is no optimism to measure",
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
        title="Paired t-test over datasets",
        question="Does the mean difference of two learners over the datasets differ from zero?",
        null="The mean of the differences is zero, and the differences are normal.",
        method="The mean of the differences over its standard error, sd / sqrt(n), against t with n - 1 degrees of "
        "freedom; the interval is the mean plus and minus t times the standard error.",
        type_one="Keeps its level for normal differences. A dataset with a large difference inflates the variance: in "
        "Bramer's example t falls from 3.31 to 2.81 when the better learner does better still on two of ten datasets "
        "(Bramer, 15.3).",
        use_when="There are ten datasets or more, the metric has the same meaning on all of them, and no dataset "
        "stands out.",
        avoid_when="The metric has a unit (rmse, seconds), a dataset dominates, or there are fewer than nine: then "
        "a large effect (dz 0.8) is found less than every second time.",
        instead="wilcoxon",
        exempt=(("constant", "a difference that is the same on every dataset has no variance, so there is no t"),),
        references=("bramer2020", "demsar2006"),
    ),
    _over_datasets(
        name="wilcoxon",
        title="Wilcoxon signed-rank test",
        aliases=("wilcox", "signed-rank", "wilcoxon-signed-rank"),
        question="Is one of two learners better over the datasets, weighing large differences more than small ones?",
        null="The differences are symmetric about zero.",
        min_units=1,
        smallest_p=one_way,
        post_hoc_of=("friedman", "iman-davenport"),
        options=("zero_method", "method", "correction"),
        method="The sizes of the differences are ranked (ties share a rank, decided on twelve digits); W+ is the sum "
        "of the ranks that the first learner wins. Up to 200 non-zero differences every one of the 2^n signs is "
        "counted, ties included; above that a normal approximation. The default for zeros is "
        "Demsar's rule (demsar-split), because this is his protocol: their ranks are split between both sides, and one "
        "of an odd number is left out. By name all are ranked and then dropped (pratt), or dropped before (drop). "
        "Difference and interval are those of Hodges and Lehmann, with the zeros but for the odd one that Demsar "
        "leaves out; the interval never reaches beyond 0 where p rejects.",
        type_one="Exact given the ranks: P(p <= alpha) is at most alpha, shown here by enumeration up to n = 12.",
        use_when="Two learners on six datasets or more; the default over datasets.",
        avoid_when="The metric has a unit, so that differences of different datasets cannot be ranked together; or the "
        "units are repeats or folds of one dataset, which are not independent (Bradford and Brodley, 4).",
        instead="sign, for a metric with a unit",
        exempt=(
            ("monotone", "a further dataset that the first learner wins can raise the one-sided p"),
            ("dual", "with ties or zeros the interval may touch 0 where p is below 1 - level, or leave 0 out above it"),
        ),
        references=("wilcoxon1945", "pratt1959", "hodges1963", "demsar2006", "benavoli2016"),
    ),
    _over_datasets(
        name="sign",
        title="Sign test",
        aliases=("signs",),
        question="Does one of two learners win on more datasets than the other?",
        null="On a dataset that is not tied, either learner wins with probability one half.",
        min_units=1,
        smallest_p=one_way,
        options=("zero_method",),
        method="Wins against a binomial with one half among the datasets that are not tied; two-sided is twice the "
        "smaller tail. `split` shares the ties between both sides. The interval of the median is made of order "
        "statistics.",
        type_one="Exact, and below its level because counts are whole numbers (.021 at .05 for ten datasets).",
        use_when="Sizes of differences do not compare across datasets (rmse, seconds), or only wins were published.",
        avoid_when="Differences do compare: the test throws their size away and needs about half as many datasets "
        "again as wilcoxon.",
        instead="wilcoxon, where differences compare",
        references=("demsar2006", "salzberg1997"),
    ),
    _over_datasets(
        name="mixed-model",
        title="Linear mixed model over datasets and folds",
        aliases=("lmm", "mixed-effects"),
        question="Does the mean difference of two learners over datasets like these differ from zero, and how far does "
        "it spread from dataset to dataset beyond the noise of the folds?",
        null="The mean of the differences over datasets is zero; they are normal, and so are the folds of each.",
        evidence="dataset-folds",
        tolerates_overlap=True,
        min_units=5,
        options=("rope",),
        method="The difference on fold j of dataset i is the mean difference plus a random part of the dataset plus "
        "one of the fold, fitted by restricted maximum likelihood. Folds of a dataset also have noise in common, "
        "since their training sets share rows: its variance is that of the folds times the dataset's own n2/n1 "
        "(Nadeau and Bengio), and it is no spread of datasets. So the mean of a dataset with n folds has the variance "
        "s^2 (1/n + n2/n1) plus the spread, whatever the numbers of folds. Where the estimated spread is 0, s^2 is "
        "the variance of the folds about the means of their datasets, which is larger than the likelihood's. t is the "
        "mean difference over its standard error, with one degree of freedom fewer than datasets. With a rope the "
        "result estimates how likely the difference lies beyond it on another dataset.",
        type_one="At .05 by our simulation of 5, 10 and 20 datasets of 10 folds, whose correlation was 0, .1 or .3 "
        "(20,000 runs a cell): .0001 to .052, careful where datasets differ by no more than their folds; with the "
        "normal reference of statsmodels up to .12 (5 datasets), .09 (10) and .07 (20), with folds taken for "
        "independent up to .48. With unequal numbers of folds (6,000 runs a cell, datasets spread 0 to 1.5 times as "
        "far as their folds): .008 to .061 for 3, 10 and 30 folds over 6 datasets, .018 to .055 for 5, 10 and 20 over "
        "10, and .006 to .076 for 2, 50 and 50 over 6, too high where a few datasets have very different numbers of "
        "folds. Chances on another dataset, where datasets spread once or twice as far as their folds, were on "
        "average off by at most .055 (5 datasets), .03 (10) and .02 (20), and by .075, .05 and .04 "
        "where folds correlate by .3, always towards one half; where datasets hardly spread (.3 of the folds) by up "
        "to .18.",
        use_when="Every dataset has several folds and the question is how far the difference varies between datasets, "
        "or datasets have different numbers of folds.",
        avoid_when="The metric has a unit, a dataset dominates, or there are fewer than five datasets. Where all "
        "datasets have as many folds and clearly differ, paired-t on their means gives the same p.",
        instead="wilcoxon, where the differences are not normal",
        exempt=(("constant", "a difference that is the same on every fold has no variance, so there is no t"),),
        references=("corani2017", "lindstrom1988", "nadeau2003"),
    ),
    _of_many(
        name="friedman",
        title="Friedman's test",
        question="Do three or more learners differ over the datasets?",
        null="On every dataset each order of the learners is equally likely.",
        smallest_p=same_order_chi2,
        options=("tie_correction",),
        method="The learners are ranked on each dataset, 1 is best, ties share a rank; chi-squared is "
        "12 N / (k (k+1)) times the sum of squared deviations of the mean ranks from (k+1)/2, corrected for ties, "
        "against k - 1 degrees of freedom.",
        type_one="Conservative for few datasets (Iman and Davenport 1980; Demsar 2006).",
        use_when="Published results quote it. It says only that some learner differs; the post-hocs say which, and are "
        "never held back by it.",
        avoid_when="There are fewer than ten datasets or five learners: the chi-squared approximation is rough.",
        instead="iman-davenport",
        references=("friedman1937", "demsar2006", "iman1980"),
    ),
    _of_many(
        name="iman-davenport",
        title="Iman and Davenport's F",
        aliases=("friedman-f",),
        question="Do three or more learners differ over the datasets?",
        null="On every dataset each order of the learners is equally likely.",
        smallest_p=same_order_exact,
        options=("tie_correction",),
        method="F = (N - 1) chi2 / (N (k - 1) - chi2), with chi2 of Friedman's test, against k - 1 and (k - 1)(N - 1) "
        "degrees of freedom. When all datasets agree on the order, F is infinite and p is the exact chance of that.",
        type_one="Near its level (.04 to .06 at .05 in our simulations with 5 to 30 datasets), where Friedman's "
        "chi-squared is too careful (Iman and Davenport 1980).",
        use_when="Three learners or more on several datasets; the default there.",
        avoid_when="There are two learners: use wilcoxon.",
        references=("iman1980", "demsar2006"),
    ),
    _of_many(
        name="nemenyi",
        title="Nemenyi's test",
        question="Which pairs of learners differ in mean rank over the datasets?",
        null="The two learners have the same expected rank.",
        smallest_p=widest_ranks,
        post_hoc_of=("friedman", "iman-davenport"),
        method="Two learners differ when their mean ranks are further apart than the critical difference "
        "q sqrt(k (k+1) / (6 N)), q the quantile of the studentized range over sqrt(2). The p-values come from the "
        "same distribution and cover all pairs at once.",
        type_one="Family-wise over all pairs under the null of no difference at all only. After friedman, with 8 "
        "learners on 25 datasets at .05 (20,000 simulated tables): .030 where all are equal, .009 where one is far "
        "ahead of seven equal ones, .106 where two equal learners take turns at the extremes (.112 without friedman). "
        "wilcoxon with holm holds its level in all of them.",
        use_when="A critical-difference diagram is wanted, as in the literature.",
        avoid_when="Only two of many learners matter: the verdict on a pair depends on the other learners "
        "(Benavoli, Corani and Mangili 2016).",
        instead="wilcoxon per pair with holm",
        exempt=(("pool", "adding or removing a learner changes the verdict on the others"),),
        references=("nemenyi1963", "demsar2006", "benavoli2016"),
    ),
    _of_many(
        name="bonferroni-dunn",
        title="Bonferroni-Dunn test",
        question="Which learners differ from a control in mean rank over the datasets?",
        null="The learner has the same expected rank as the control.",
        smallest_p=widest_ranks_times_others,
        post_hoc_of=("friedman", "iman-davenport"),
        options=("control",),
        method="z = (R_control - R_j) / sqrt(k (k+1) / (6 N)); the normal p times k - 1, at most 1.",
        type_one="Family-wise over the comparisons with the control, below its level (Demsar 2006).",
        use_when="One new learner is set against several known ones and mean ranks are what is reported.",
        avoid_when="The verdict should not depend on the other learners in the pool.",
        instead="wilcoxon against the control with holm",
        exempt=(("pool", "adding or removing a learner changes the verdict on the others"),),
        references=("dunn1961", "demsar2006"),
    ),
    _of_many(
        name="anova",
        title="Repeated-measures analysis of variance",
        aliases=("repeated-measures-anova", "rm-anova"),
        question="Do the mean scores of three or more learners over the datasets differ?",
        null="All learners have the same mean, with normal errors and equal variances of all differences.",
        method="The sum of squares between learners over that of the residuals after datasets and learners are taken "
        "out, each over its degrees of freedom, k - 1 and (k - 1)(N - 1). Greenhouse and Geisser's epsilon and p are "
        "reported beside it.",
        type_one="Keeps its level under normal errors and sphericity, which cannot be taken for granted for learners "
        "(Demsar 2006, 3.2.1); without it the level is exceeded unless the Greenhouse-Geisser p is read.",
        use_when="Scores compare across datasets and are near normal.",
        avoid_when="The metric has a unit or a dataset dominates.",
        instead="iman-davenport",
        exempt=(("constant", "amounts that are the same on every dataset leave no error to compare with"),),
        references=("demsar2006", "greenhouse1959", "girden1992"),
    ),
)


_posterior = partial(
    TestEntry,
    null="None is rejected: the posterior is divided into second better, within the rope, first better.",
    one_sided=False,
    gives_p=False,
    exempt=(("scale", "the rope is in the metric's unit"), ("p-value", "it gives a posterior")),
)

# The Bayesian tests: a posterior instead of a p-value, outside every family of p-values.
BAYES: tuple[TestEntry, ...] = (
    _posterior(
        name="bayes-correlated-t",
        title="Bayesian correlated t-test",
        aliases=("bayesian-correlated-t", "correlated-t"),
        question="How probable is it that one of two learners is practically better on this dataset?",
        evidence="fold-scores",
        unit="fold",
        tolerates_overlap=True,
        min_units=2,
        schemes=("cv", "repeated-cv", "partitions-cv", "resamples", "given-folds"),
        questions=(8,),
        options=("rope",),
        method="The posterior of the mean difference is t with n - 1 degrees of freedom and scale "
        "sqrt((1/n + rho / (1 - rho)) s^2), rho the share of the rows in a test part.",
        type_one="Not a test of a level. With rope 0 its tail is the one-sided p of corrected-t (Corani and Benavoli "
        "2015).",
        use_when="There is a rope, and the question is what to believe rather than what to reject.",
        avoid_when="A family of comparisons has to be held to one level.",
        instead="corrected-t, for a p-value",
        references=("corani2015", "benavoli2017", "nadeau2003"),
    ),
    _posterior(
        name="bayes-signed-rank",
        title="Bayesian signed-rank test",
        aliases=("bayesian-signed-rank",),
        question="How probable is it that one of two learners is practically better over the datasets?",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        unit="dataset",
        min_units=1,
        schemes=(),
        questions=(9,),
        random=True,
        options=("rope", "prior", "samples"),
        method="Weights of the datasets and of a prior zero are drawn from a Dirichlet distribution; each draw adds up "
        "the weight of the pairs whose mean difference lies below, within and above the rope, and the largest wins.",
        type_one="Not a test of a level; the probabilities move by about .005 with the seed at 50,000 draws.",
        use_when="There is a rope and several datasets.",
        avoid_when="The metric has a unit, or a family of comparisons has to be held to one level.",
        instead="wilcoxon, for a p-value",
        references=("benavoli2014", "benavoli2017"),
    ),
)


_interval = partial(
    TestEntry,
    learners="one",
    unit="test row",
    paired=False,
    min_units=2,
    schemes=("holdout", "given-test"),
    questions=(1,),
    one_sided=False,
    gives_p=False,
    exempt=(("p-value", "it gives an interval"),),
)

# The intervals that `estimate` can give: one learner, no comparison.
ESTIMATES: tuple[TestEntry, ...] = (
    _interval(
        name="wilson",
        title="Wilson's interval",
        aliases=("wilson-score",),
        question="Between which bounds lies the accuracy of this classifier?",
        null="None is rejected: the interval holds every accuracy that a score test would not reject.",
        evidence="count",
        min_units=1,
        metrics="accuracy",
        method="All shares p with |p_hat - p| at most z sqrt(p (1 - p) / n).",
        type_one="Covers close to its level on average over accuracies, at single ones somewhat less (Brown, Cai and "
        "DasGupta 2001).",
        use_when="One trained classifier and a test set that was not used for anything else.",
        avoid_when="The question is about the algorithm: the interval knows one training set only.",
        instead="corrected-interval, for an algorithm",
        references=("wilson1927", "brown2001", "dietterich1998"),
    ),
    _interval(
        name="clopper-pearson",
        title="Clopper and Pearson's interval",
        aliases=("exact-binomial-interval",),
        question="Between which bounds lies the accuracy of this classifier, with at least the stated certainty?",
        null="None is rejected: the interval holds every accuracy that the exact binomial test would not reject.",
        evidence="count",
        min_units=1,
        metrics="accuracy",
        method="Quantiles of the beta distributions with s and n - s + 1, and with s + 1 and n - s.",
        type_one="Never below its level, and wider than needed (Brown, Cai and DasGupta 2001).",
        use_when="A guarantee is wanted rather than the shortest interval.",
        avoid_when="The question is about the algorithm: the interval knows one training set only.",
        instead="wilson",
        references=("clopper1934", "brown2001"),
    ),
    _interval(
        name="item-interval",
        title="Wilson's interval of items and groups",
        question="Between which bounds lies the mean score of this model on items like these?",
        null="None is rejected: the interval holds every mean that a score test would not reject.",
        evidence="item-scores",
        unit="item",
        schemes=("given-test",),
        metrics="row-loss",
        method="Wilson's interval with an effective number of items: the number of right-or-wrong items whose mean "
        "would have the variance of this mean. The variance is taken over items, after the samples of each item are "
        "combined into one value, or over groups (CR2). Student's t is used instead of the normal. A metric that is "
        "not a proportion gets the t interval.",
        type_one="Simulated coverage of 95% intervals: .94 to .99 for 10 to 1,000 items with means of .5 and .9, one "
        "sample or five, and .94 to .97 for 10, 20 and 50 groups; with a mean of .99 and one sample .90 and .91 for 10 "
        "and 50 items, where mean plus and minus 1.96 errors covers .10 and .40 (600 to 1,500 repetitions). In the "
        "study of levels it missed at most .080 (50 uneven groups, 200 runs), and up to .131 for pass@5 of 50 easy "
        "items.",
        use_when="Items with several samples, with degrees of right, or in groups; the default there.",
        avoid_when="The items are not a sample of anything: then the score itself is all there is to say.",
        instead="wilson, for items that are right or wrong once",
        references=("wilson1927", "miller2024", "korn1998"),
    ),
    _interval(
        name="corrected-interval",
        title="Interval from overlapping folds",
        question="Between which bounds lies the score of this algorithm at this training size?",
        null="None is rejected: the interval belongs to the t statistic with Nadeau and Bengio's variance.",
        evidence="fold-scores",
        unit="fold",
        tolerates_overlap=True,
        schemes=(*FOLD_SCHEMES, "partitions-5x2cv", "halvings"),
        questions=(2, 6),
        method="The mean of the fold scores plus and minus t sqrt((1/n + test/train) s^2) with n - 1 degrees of "
        "freedom, within the range of the metric.",
        type_one="No unbiased estimate of this variance exists (Bengio and Grandvalet 2004); the correction is careful "
        "for ten folds and near its level for repeated ones (Nadeau and Bengio 2003).",
        use_when="An algorithm is estimated by cross-validation; the default there.",
        avoid_when="Each fold holds a handful of rows, as under leave-one-out.",
        references=("nadeau2003", "bouckaert2004", "bengio2004"),
    ),
    _interval(
        name="training-interval",
        title="Interval from disjoint training sets",
        question="Between which bounds lies the score of this algorithm, for new training sets of this size?",
        null="None is rejected: the interval belongs to a two-way random-effects model.",
        evidence="training-losses",
        unit="training set",
        schemes=("trainings",),
        questions=(5,),
        metrics="row-loss",
        method="The variance of the mean is (MS_training + MS_row - MS_rest) over the number of losses, with "
        "Satterthwaite's degrees of freedom: training sets and test rows, or the groups in which rows come, are both "
        "samples.",
        type_one="In our simulation with normal components a 95% interval holds the truth in 94% to 95% of cases with "
        "eight training sets, 93% with three.",
        use_when="There are enough rows for several training sets with no rows in common (`8 trainings of 300`).",
        avoid_when="The training sets overlap: use corrected-interval.",
        instead="corrected-interval, when rows are few",
        references=("rasmussen1996", "dietterich1998"),
    ),
    _interval(
        name="retrained-interval",
        title="Interval over rows and trainings",
        question="Between which bounds lies the score of this learner, trained again on these training rows?",
        null="None is rejected: the interval belongs to the statistic of retrained-t.",
        evidence="retrained-rows",
        unit="test row or group",
        method="The mean of what each row adds to the metric, over rows and trainings, with the standard error and the "
        "critical value of retrained-t.",
        type_one="That of retrained-t, from which it is made.",
        use_when="A learner is random and is trained several times on one training set (`train N times`).",
        avoid_when="The question is about other training sets: these trainings share theirs.",
        instead="corrected-interval, for an algorithm",
        references=("cochran1957",),
    ),
)


@dataclass(frozen=True, slots=True)
class Exceeding:
    """A default test at 5%, and where it was wrong in more than 6 of a hundred true nulls."""

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
    Exceeding("forward-t", ("forward",), 0.073, "where differences follow each other with a correlation of .8"),
    Exceeding("row-t", (*_ONE_TRAINING, "predictions"), 0.183, "with strongly skewed losses of few rows"),
    Exceeding("retrained-t", _ONE_TRAINING, 0.064, "with two trainings that differ more than the rows do"),
)


def exceeding(test: str, kind: str) -> Exceeding | None:
    """Return the exception of a test under a kind of scheme.

    >>> exceeding("corrected-t", "cv").rate
    0.092
    """
    return next((e for e in EXCEEDING if e.test == test and kind in e.kinds), None)


def exceeding_words(test: str, kind: str) -> str:
    """Return the exception as the end of a sentence, "" where there is none."""
    found = exceeding(test, kind)
    return f"; at 5% wrong in up to {100 * found.rate:.1f}% of true nulls {found.where}" if found else ""


def no_default_words(test: str, kind: str) -> str:
    """Return why there is no default test with a stump, "" where there is one."""
    found = exceeding(test, kind)
    if found is None or not found.no_default:
        return ""
    wrong = f"{test} at 5% was wrong in up to {100 * found.rate:.1f}% of simulations of equal learners"
    return f"no test of one cross-validation keeps its level with a stump and has power ({wrong})"


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
