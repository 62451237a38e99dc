"""Cards of the tests on the folds, partitions or training sets of one dataset: they ask about two algorithms."""

from __future__ import annotations

from ..entry import TestEntry
from .floors import shuffles_floor

FOLD_SCHEMES = ("cv", "repeated-cv", "5x2cv", "partitions-cv", "resamples", "given-folds")
_CONSTANT = (("constant", "a difference that is the same on every fold has no variance, so there is no t"),)

FOLDS: tuple[TestEntry, ...] = (
    TestEntry(
        name="resampled-t",
        title="t test on random resamples",
        question="Do two algorithms differ in their mean score over random training and test sets?",
        null="The mean difference is zero, and the resamples are independent (they are not).",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="resample",
        min_units=2,
        schemes=("resamples",),
        questions=(),
        method="The mean of the differences over s / sqrt(n), against t with n - 1 degrees of freedom.",
        type_one="About .11, .19, .25 and .32 at the level .05 for error rates of 10, 20, 30 and 40 percent with "
        "thirty resamples, and growing with their number (`simulate type-I`; Dietterich 1998, section 4).",
        use_when="To repeat or to simulate what a paper did.",
        avoid_when="Always: the resamples share training rows and test rows, so their spread says too little.",
        instead="corrected-t",
        exempt=_CONSTANT,
        references=("dietterich1998", "nadeau2003"),
    ),
    TestEntry(
        name="kfold-t",
        title="t test on cross-validation folds",
        question="Do two algorithms differ in their mean score over the folds?",
        null="The mean difference is zero, and the folds are independent (their training sets are not).",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="fold",
        min_units=2,
        schemes=("cv", "given-folds"),
        questions=(),
        method="The mean of the differences over s / sqrt(k), against t with k - 1 degrees of freedom.",
        type_one="Somewhat above .05 on one partition (Dietterich 1998; .055 measured with 10 folds of 200 rows), "
        "and .545 when ten partitions of 10 folds are taken as a hundred units (measured, 1,500 runs).",
        use_when="Missing a difference would cost more than claiming one that is not there, on one partition.",
        avoid_when="There is more than one partition, or the level must be kept.",
        instead="corrected-t",
        exempt=_CONSTANT,
        references=("dietterich1998", "bengio2004"),
    ),
    TestEntry(
        name="5x2cv-t",
        title="5x2cv t test",
        question="Do two algorithms differ at half of this sample size?",
        null="The first of the ten differences has mean zero, and the five variances estimate its own.",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="fold",
        tolerates_overlap=True,
        min_units=10,
        schemes=("5x2cv",),
        questions=(8,),
        method="The first of the ten differences over the root of the mean of the five variances, each from the two "
        "halves of one partition; t with 5 degrees of freedom. The mean of the ten stands beside it.",
        type_one="About .03 at the level .05 in Dietterich's simulation (1998). With learners that are really trained, "
        "over 8 of them, 60 to 1,000 rows and two kinds of null, up to .121 (nearest neighbours), and above .06 in "
        "nearly half of the cells: it is no default. The study of levels has every cell.",
        use_when="The learners can be trained ten times, and a claim about the algorithms is wanted.",
        avoid_when="Half of the rows is far from the size that will be used, or the ten differences have different "
        "signs: the numerator is one fold, and another order of folds gives another p.",
        instead="5x2cv-f, which does not depend on the first fold; corrected-t for ten folds or more",
        exempt=(*_CONSTANT, ("order", "its numerator is the first of the ten differences")),
        references=("dietterich1998", "alpaydin1999"),
    ),
    TestEntry(
        name="5x2cv-f",
        title="Combined 5x2cv F test",
        question="Do two algorithms differ at half of this sample size?",
        null="All ten differences have mean zero, and the five variances estimate their own.",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="fold",
        tolerates_overlap=True,
        min_units=10,
        schemes=("5x2cv",),
        questions=(8,),
        one_sided=False,
        method="The sum of the ten squared differences over twice the sum of the five variances, F with 10 and 5 "
        "degrees of freedom.",
        type_one="Below that of 5x2cv-t in Alpaydin's study (1999). With learners that are really trained, over 8 of "
        "them, 60 to 1,000 rows and two kinds of null, up to .151 at the level .05 (nearest neighbours), and above .06 "
        "in nearly half of the cells. The study of levels has every cell.",
        use_when="As 5x2cv-t, and the order of the folds should not matter.",
        avoid_when="A one-sided answer is wanted: it has none.",
        instead="corrected-t, for one-sided claims",
        exempt=_CONSTANT,
        references=("alpaydin1999",),
    ),
    TestEntry(
        name="corrected-t",
        title="Corrected t test (Nadeau and Bengio)",
        question="Do two algorithms differ at this training size?",
        null="The mean difference over training and test sets of these sizes is zero.",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="fold",
        tolerates_overlap=True,
        min_units=2,
        schemes=(*FOLD_SCHEMES, "partitions-5x2cv", "bootstrap"),
        questions=(8,),
        method="The mean of the differences over sqrt((1/J + n2/n1) s^2), where J counts resamples or all folds of "
        "all partitions, n2 the test rows and n1 the training rows; t with J - 1 degrees of freedom. With k folds "
        "n2/n1 is 1/(k - 1).",
        type_one="At the level .05, over 8 learners, 60 to 1,000 rows and two kinds of null: at most .054 on halves "
        "(5x2cv, 10x2cv, partitions of 5x2cv), .053 on 5cv, .059 on bootstrap 30 (with the ratio of test to distinct "
        "training rows as it is, .081), .043 on 10cv with any learner but stumps. With stumps it is .092 there and "
        "above .06 in every cell, so one partition has no default test with them. Repeating k folds raises it: up to "
        ".110 on 5x5cv and .199 on 10x10cv with nearest neighbours, stumps and small trees, so it is no default there; "
        "up to .090 on 30 resamples of 2/3. Of the power it has on 10x10cv it keeps .94 on ten partitions of 5x2cv, "
        ".83 on 10x2cv, .75 on bootstrap 30, .69 on 5x2cv, .36 on 10cv, .28 on 5cv. The study of levels has every "
        "cell.",
        use_when="Halves (5x2cv, 10x2cv, partitions of 5x2cv), one partition into folds (not with stumps), bootstrap: "
        "the default there.",
        avoid_when="The training sets do not overlap at all (N trainings of M): then nothing needs correcting.",
        instead="quasi-f, for disjoint training sets",
        exempt=_CONSTANT,
        references=("nadeau2003", "bouckaert2004"),
    ),
    TestEntry(
        name="partition-t",
        title="Corrected t test with the certainty of one partition",
        question="Do two algorithms differ at this training size?",
        null="The mean difference over training and test sets of these sizes is zero.",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="fold",
        tolerates_overlap=True,
        min_units=2,
        schemes=FOLD_SCHEMES,
        questions=(8,),
        method="The mean of all differences over sqrt((n2/n + n2/n1) s^2), with n2 of n rows tested and n1 trained on "
        "(1/k + 1/(k - 1) of k folds): dealing the same rows again makes the mean steadier, and no test set larger. t "
        "with the degrees of freedom of one partition, k - 1, or all resamples but one. On a single partition it is "
        "corrected-t.",
        type_one="At most .051 at the level .05, 8 learners, 60 to 1,000 rows and two kinds of null (10x10cv, 5x5cv "
        "and 30 resamples of 2/3); where corrected-t reached .199 on 10x10cv. Its price is power: .29 of that of "
        "corrected-t on 10x10cv, where that keeps its level, on 10x10cv, .13 on 5x5cv, .55 on 30 resamples of 2/3. "
        "The study of levels has every cell.",
        use_when="Repeated cross-validation, partitions of it, or resamples; the default there.",
        avoid_when="Power matters more than the training size: 10x2cv with corrected-t keeps its level and has nearly "
        "three times the power, and answers for half of the rows; halving-t on 10 halvings of 10x10cv does so for "
        "nearly all rows, with twice the trainings.",
        instead="halving-t on 10 halvings of 10x10cv",
        exempt=_CONSTANT,
        references=("nadeau2003", "bouckaert2004", "bengio2004"),
    ),
    TestEntry(
        name="halving-t",
        title="Halving t test",
        question="Do two algorithms differ at this training size?",
        null="The mean difference over samples of this size is zero.",
        evidence="halved-scores",
        scopes=("dataset",),
        learners="two",
        unit="fold",
        tolerates_overlap=True,
        min_units=2,
        schemes=("halvings",),
        questions=(8,),
        method="The mean difference over all folds of RxKcv on all rows, over the square root of v = the sum of "
        "(a - b)^2 over M halvings, divided by 4 M, where a and b are the mean differences of cross-validations in "
        "the two halves of the rows; t with M - 1 degrees of freedom. The halves share no row, so no ratio has to be "
        "assumed for how much folds move together.",
        type_one="At most .055 at the level .05, 8 learners, 60 to 1,000 rows and two kinds of null, but for stumps on "
        "60 rows, .064; where corrected-t on 10x10cv reached .199. It has .81 of the power of that test where that "
        "keeps its level (.68 with 60 rows), for twice the trainings. The study of levels has every cell.",
        use_when="The answer is wanted for nearly all rows, learners may be unstable, and power matters: it is what "
        "`10 halvings of 10x10cv` takes.",
        avoid_when="Trainings are dear: 10 halvings of 10x10cv train 200 times. Very few rows: a half must still be "
        "dealt into folds.",
        instead="corrected-t on 10x2cv, for a tenth of the trainings and half of the rows",
        exempt=(
            *_CONSTANT,
            ("order", "which partitions are halvings, and which folds lie in which half, is told by their order"),
        ),
        references=("bengio2004", "nadeau2003"),
    ),
    TestEntry(
        name="averaged-t",
        title="Averaged t over partitions (Bradford and Brodley)",
        question="Do two algorithms differ, whatever the partition into folds?",
        null="On an average partition the mean difference over its folds is zero.",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="partition",
        tolerates_overlap=True,
        min_units=1,
        schemes=("repeated-cv", "partitions-cv", "partitions-5x2cv", "cv"),
        questions=(8,),
        method="The t of every partition is averaged and referred to t with the degrees of freedom of one partition "
        "(folds less one; 5 for 5x2cv). More partitions do not make it more certain of a difference, only less "
        "dependent on chance in the partition; a second test says whether there are enough of them.",
        type_one="At the level .05, over 8 learners, 60 to 1,000 rows and two kinds of null: up to .121 on 5x5cv and "
        ".206 on 10x10cv (nearest neighbours, stumps, small trees), at most .043 on ten partitions of 5x2cv, where it "
        "finds less than half of what corrected-t does. Of single conclusions 7.0% of 1x10cv and 12.6% of 5x2cv turn "
        "with another partition (Bradford and Brodley, Table 4). The study of levels has every cell.",
        use_when="A conclusion from one partition should be protected from that partition's luck.",
        avoid_when="Power is wanted from the repetitions.",
        instead="corrected-t",
        exempt=(
            ("constant", "a partition whose difference is the same on every fold has no variance, so it has no t"),
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
        scopes=("dataset",),
        learners="two",
        unit="training set",
        min_units=2,
        schemes=("trainings",),
        questions=(7,),
        metrics="row-loss",
        one_sided=False,
        method="F'' = (MS_A + MS_ATE) / (MS_AT + MS_AE) from the losses of learner (A) by training set (T) by test "
        "row (E), with Satterthwaite's degrees of freedom; F' = MS_A / (MS_AT + MS_AE - MS_ATE) stands beside it.",
        type_one="An approximation; close to its level for eight training sets and many rows (Rasmussen 1996), "
        "below it when one of the two sources of variation is nearly absent.",
        use_when="There are rows enough for several training sets that share none.",
        avoid_when="The training sets overlap: then it counts the same rows twice.",
        instead="corrected-t, for overlapping training sets",
        exempt=(("constant", "it gives p = 1 with a note when the difference does not vary at all"),),
        references=("rasmussen1996", "lindman1992", "satterthwaite1946", "dietterich1998"),
    ),
    TestEntry(
        name="tost",
        title="Two one-sided tests of equivalence",
        question="Are two learners equal within a margin, or is one no worse than the other by more than it?",
        null="The difference is at least as large as the margin.",
        evidence="fold-scores",
        scopes=("dataset", "over-datasets"),
        learners="two",
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
        avoid_when="There is no margin that was set beforehand.",
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
        scopes=("dataset",),
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
