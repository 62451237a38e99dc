"""Cards of the tests on the rows of one test set: they ask about two (or more) trained classifiers."""

from __future__ import annotations

from ..entry import TestEntry
from .floors import (
    cochran_floor,
    corrected_proportions_floor,
    mcnemar_floor,
    one_way,
    one_way_midp,
    proportions_floor,
)

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

ROWS: tuple[TestEntry, ...] = (
    TestEntry(
        name="mcnemar",
        title="McNemar's test",
        question="Do these two classifiers have the same accuracy?",
        null="A test row on which exactly one of the two is right is as likely to be won by either.",
        evidence="outcomes",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        min_units=1,
        smallest_p=mcnemar_floor,
        schemes=ONE_TEST_PER_ROW,
        questions=(3, 8),
        metrics="accuracy",
        post_hoc_of=("cochran-q",),
        options=("correction", "exact_below"),
        method="Count the rows that only the first gets wrong (n01) and only the second gets wrong (n10). The "
        "statistic is (|n01 - n10| - 1)^2 / (n01 + n10) against chi-squared with 1 degree of freedom; the "
        "correction is dropped when the counts are equal. With fewer than 25 disagreements the exact binomial form "
        "is used, and the result says so.",
        type_one="Between .02 and .04 at the level .05 in Dietterich's simulation (1998, section 4), repeated by "
        "`simulate type-I`: it keeps its level and is somewhat conservative. On 50 to 1,000 items .028 to .050, and "
        "its interval missed at most .061 (study of levels).",
        use_when="A learner can be trained only once, or the question is about two classifiers as they are.",
        avoid_when=_ON_FOLDS,
        instead="5x2cv-t or corrected-t, when the learners can be trained ten times",
        exempt=(*_RIGHT_OR_WRONG, _CAREFUL),
        references=("mcnemar1947", "edwards1948", "dietterich1998", "fagerland2013"),
    ),
    TestEntry(
        name="mcnemar-exact",
        title="McNemar's exact test",
        question="Do these two classifiers have the same accuracy?",
        null="A test row on which exactly one of the two is right is as likely to be won by either.",
        evidence="outcomes",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        min_units=1,
        smallest_p=one_way,
        schemes=ONE_TEST_PER_ROW,
        questions=(3, 8),
        metrics="accuracy",
        post_hoc_of=("cochran-q",),
        method="Twice the smaller binomial tail of the disagreements with probability one half, at most 1.",
        type_one="Never above its level, for any number of rows: proved by listing all tables of up to 12 rows. Well "
        "below it when few rows disagree (Fagerland, Lydersen and Laake 2013). Simulated on 50 to 1,000 items .028 to "
        ".051, which is chance, and its interval, which is not of the exact test, missed at most .061.",
        use_when="Few rows disagree, or a guarantee is wanted.",
        avoid_when=_ON_FOLDS,
        instead="mcnemar-midp, where power matters more than the guarantee",
        exempt=(*_RIGHT_OR_WRONG, _CAREFUL),
        references=("mcnemar1947", "fagerland2013"),
    ),
    TestEntry(
        name="mcnemar-midp",
        title="McNemar's mid-p test",
        question="Do these two classifiers have the same accuracy?",
        null="A test row on which exactly one of the two is right is as likely to be won by either.",
        evidence="outcomes",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        min_units=1,
        smallest_p=one_way_midp,
        schemes=ONE_TEST_PER_ROW,
        questions=(3, 8),
        metrics="accuracy",
        post_hoc_of=("cochran-q",),
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
    TestEntry(
        name="binomial",
        title="Binomial test of the disagreements",
        question="Do these two classifiers have the same accuracy?",
        null="A test row on which exactly one of the two is right is as likely to be won by either.",
        evidence="outcomes",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        min_units=1,
        smallest_p=one_way,
        schemes=ONE_TEST_PER_ROW,
        questions=(3, 8),
        metrics="accuracy",
        post_hoc_of=("cochran-q",),
        method="Salzberg's name for McNemar's exact test: n successes and failures among the rows where exactly one "
        "learner is right, binomial with one half. His example of 35 and 15 gives p = .0066.",
        type_one="Never above its level, as mcnemar-exact.",
        use_when="A study follows Salzberg's procedure by name.",
        avoid_when=_ON_FOLDS,
        instead="mcnemar-exact, the same test under its usual name",
        exempt=(*_RIGHT_OR_WRONG, _CAREFUL),
        references=("salzberg1997",),
    ),
    TestEntry(
        name="proportions",
        title="Difference of two proportions",
        question="Do two classifiers have the same accuracy, had they been tested on different rows?",
        null="The two accuracies are equal and were measured on independent test sets.",
        evidence="outcomes",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        paired=False,
        min_units=1,
        smallest_p=proportions_floor,
        schemes=ONE_TEST_PER_ROW,
        questions=(),
        metrics="accuracy",
        method="z is the difference of the accuracies over sqrt(2 p (1 - p) / n), p the mean accuracy.",
        type_one="Between .05 and .07 at the level .05 in Dietterich's simulation; the same accuracies give the "
        "same z whether the learners err on the same rows or on different ones (Dietterich 1998, section 5).",
        use_when="To repeat or to simulate what a paper did.",
        avoid_when="Always, on one test set: both learners were tested on the same rows and the variance ignores that.",
        instead="mcnemar",
        exempt=_RIGHT_OR_WRONG,
        references=("dietterich1998",),
    ),
    TestEntry(
        name="corrected-proportions",
        title="Difference of two paired proportions",
        question="Do these two classifiers have the same accuracy?",
        null="The two accuracies are equal on the rows that the test set is drawn from.",
        evidence="outcomes",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        min_units=1,
        smallest_p=corrected_proportions_floor,
        schemes=ONE_TEST_PER_ROW,
        questions=(3, 8),
        metrics="accuracy",
        post_hoc_of=("cochran-q",),
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
    TestEntry(
        name="cochran-q",
        title="Cochran's Q test",
        question="Do these three or more classifiers all have the same accuracy?",
        null="On every test row each of the learners is as likely to be right as any other.",
        evidence="outcomes",
        scopes=("dataset",),
        learners="many",
        unit="test row",
        min_units=1,
        smallest_p=cochran_floor,
        schemes=ONE_TEST_PER_ROW,
        questions=(3,),
        metrics="accuracy",
        one_sided=False,
        method="(k - 1)(k sum of squared column totals - T^2) / (k T - sum of squared row totals), chi-squared with "
        "k - 1 degrees of freedom. For two learners it is McNemar's statistic without correction.",
        type_one="An approximation for many rows on which not all learners agree; rows with full agreement do not "
        "count.",
        use_when="Three or more classifiers on one test set, before pairs are looked at.",
        avoid_when=_ON_FOLDS,
        instead="mcnemar per pair with a correction, which says which of them differ",
        exempt=_RIGHT_OR_WRONG,
        references=("cochran1950",),
    ),
)
