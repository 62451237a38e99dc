"""Cards of the tests on a loss or a score of every row of one test set."""

from __future__ import annotations

from ..entry import TestEntry
from .floors import bootstrap_floor, one_way
from .row_cards import NO_TRAINING_VARIANCE, ONE_TEST_PER_ROW, ONE_TEST_SET

LOSSES: tuple[TestEntry, ...] = (
    TestEntry(
        name="delong",
        title="DeLong's test of two ROC areas",
        question="Do these two classifiers have the same area under the ROC curve?",
        null="The two areas are equal on the rows that the test set is drawn from.",
        evidence="row-scores",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        min_units=4,
        schemes=ONE_TEST_SET,
        questions=(3,),
        metrics="roc-area",
        method="z is the difference of the areas over the standard error from the placements of every positive row "
        "among the negatives and of every negative among the positives; tied scores count one half.",
        type_one="An approximation for many rows of both classes; two nested scores (one adds nothing to the other) "
        "give values below the level.",
        use_when="The metric is roc-area and the test set is large enough to have a hundred rows or so of each class.",
        avoid_when="One class has few rows, or scores of several folds are pooled: scores of different fits are not on "
        "one scale. " + NO_TRAINING_VARIANCE,
        instead="corrected-t on the areas of the folds, for a claim about the algorithm",
        exempt=(("constant", "areas that differ without any variance have no z; it says so"),),
        references=("delong1988",),
    ),
    TestEntry(
        name="row-t",
        title="Paired t test on rows",
        question="Do these two classifiers have the same mean loss?",
        null="The mean of the rows' differences in loss is zero.",
        evidence="row-losses",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        tolerates_overlap=True,
        min_units=2,
        schemes=ONE_TEST_PER_ROW,
        questions=(3,),
        metrics="row-loss",
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
    TestEntry(
        name="retrained-t",
        title="t test over rows and trainings",
        question="Do these two learners, trained again on these training rows, have the same mean score?",
        null="Over new test rows and new trainings on the same training rows, the mean scores are the same.",
        evidence="retrained-rows",
        scopes=("dataset",),
        learners="two",
        unit="test row",
        tolerates_overlap=True,
        min_units=2,
        schemes=ONE_TEST_PER_ROW,
        questions=(3, 8),
        post_hoc_of=("cochran-q",),
        method="What each row adds to the metric is averaged over the trainings, never the predictions: those would be "
        "an ensemble. The variance of the difference is s2(rows)/n + s2(trainings)/N - s2(rest)/(n N), the last two of "
        "each learner, and not below the larger of the first two; the critical value is the mean of those of t with "
        "n - 1 and N - 1 degrees of freedom, weighted by their parts (Cochran and Cox).",
        type_one="Between .010 and .064 at the level .05 with 2 to 15 trainings of 100 and 500 rows, above .06 with "
        "two trainings that differ more than the rows do (study of levels, 10,000 runs each); with Satterthwaite's "
        "degrees of freedom up to .133 with 2 trainings, with the rows alone up to .584.",
        use_when="A learner is random and is trained several times on one training set (`train N times`).",
        avoid_when="The question is about other training sets: these trainings share theirs.",
        instead="a scheme with several training sets, such as 5x2cv",
        exempt=(("constant", "a difference that is the same on every row has no variance, so there is no t"),),
        references=("cochran1957", "satterthwaite1946"),
    ),
    TestEntry(
        name="permutation",
        title="Paired permutation test",
        question="Would the difference be as large if the two learners were exchanged at random on every unit?",
        null="On every unit the two learners' results are exchangeable.",
        evidence="row-losses",
        scopes=("dataset", "over-datasets"),
        learners="two",
        unit="test row or dataset",
        tolerates_overlap=True,
        min_units=1,
        smallest_p=one_way,
        schemes=ONE_TEST_PER_ROW,
        questions=(3, 9),
        metrics="row-loss",
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
        learners="two",
        unit="test row or dataset",
        min_units=2,
        smallest_p=bootstrap_floor,
        schemes=ONE_TEST_SET,
        questions=(3, 9),
        random=True,
        options=("resamples",),
        method="Units are drawn with replacement 10,000 times, both learners on the same units, and the difference "
        "is taken anew; the interval is made of percentiles, and p is twice the smaller share of draws on the far "
        "side of zero, with one added. With a metric that is no mean (f-score, mcc) it is computed anew on every draw.",
        type_one="Somewhat above its level for few units: percentile intervals are too short then (Efron and "
        "Tibshirani 1993). Measured at .05 with normal differences, 3,000 runs: .074 for 20 units, .054 for 50.",
        use_when="The metric has no test of its own, and there are fifty units or more.",
        avoid_when="There are few units, or the question is about the algorithm rather than these classifiers.",
        instead="permutation, for few units; corrected-t, for the algorithm",
        references=("efron1993",),
    ),
)
