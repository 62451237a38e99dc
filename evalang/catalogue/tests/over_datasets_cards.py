"""Cards of the tests over datasets: one score per dataset and learner."""

from __future__ import annotations

import math

from ..distributions import chi2_sf, normal_range_sf
from ..entry import TestEntry


def all_one_way(units: int, learners: int, sides: int) -> float:
    """The smallest p of a test of signs: every dataset goes the same way, sides / 2^n."""
    return min(1.0, sides * 0.5**units)


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


OVER: tuple[TestEntry, ...] = (
    TestEntry(
        name="paired-t",
        title="Paired t-test over datasets",
        question="Does the mean difference of two learners over the datasets differ from zero?",
        null="The mean of the differences is zero, and the differences are normal.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="two",
        unit="dataset",
        min_units=2,
        schemes=(),
        questions=(9,),
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
    TestEntry(
        name="wilcoxon",
        title="Wilcoxon signed-rank test",
        question="Is one of two learners better over the datasets, weighing large differences more than small ones?",
        null="The differences are symmetric about zero.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="two",
        unit="dataset",
        min_units=1,
        smallest_p=all_one_way,
        schemes=(),
        questions=(9,),
        post_hoc_of=("friedman", "iman-davenport"),
        options=("zero_method", "method", "correction"),
        method="The sizes of the differences are ranked (ties share a rank, decided on twelve digits); W+ is the sum "
        "of the ranks that the first learner wins. Up to 200 non-zero differences every one of the 2^n signs is "
        "counted, ties included; above that a normal approximation. Zeros are split between both sides "
        "(demsar-split), or by name dropped (drop), or ranked first and then dropped (pratt). Difference and interval "
        "are those of Hodges and Lehmann, with all zeros; the interval never reaches beyond 0 where p rejects.",
        type_one="Exact given the ranks: P(p <= alpha) is at most alpha, shown here by enumeration up to n = 12.",
        use_when="Two learners on six datasets or more; the default over datasets.",
        avoid_when="The metric has a unit, so that differences of different datasets cannot be ranked together; or the "
        "units are partitions or folds of one dataset, which are not independent (Bradford and Brodley, 4).",
        instead="sign, for a metric with a unit",
        exempt=(
            ("monotone", "a further dataset that the first learner wins can raise the one-sided p"),
            ("dual", "with ties or zeros the interval may touch 0 where p is below 1 - level, or leave 0 out above it"),
        ),
        references=("wilcoxon1945", "pratt1959", "hodges1963", "demsar2006", "benavoli2016"),
    ),
    TestEntry(
        name="sign",
        title="Sign test",
        question="Does one of two learners win on more datasets than the other?",
        null="On a dataset that is not tied, either learner wins with probability one half.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="two",
        unit="dataset",
        min_units=1,
        smallest_p=all_one_way,
        schemes=(),
        questions=(9,),
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
    TestEntry(
        name="mixed-model",
        title="Linear mixed model over datasets and folds",
        question="Does the mean difference of two learners over datasets like these differ from zero, and how far does "
        "it spread from dataset to dataset beyond the noise of the folds?",
        null="The mean of the differences over datasets is zero; they are normal, and so are the folds of each.",
        evidence="dataset-folds",
        scopes=("over-datasets",),
        learners="two",
        unit="dataset",
        tolerates_overlap=True,
        min_units=5,
        schemes=(),
        questions=(9,),
        options=("rope",),
        method="The difference on fold j of dataset i is the mean difference plus a random part of the dataset plus "
        "one of the fold, fitted by restricted maximum likelihood (statsmodels); what folds share because their "
        "training sets do, n2/n1 times their variance (Nadeau and Bengio), is noise and not a spread of datasets. t is "
        "the mean difference over its standard error, with one degree of freedom fewer than datasets. With a rope the "
        "result estimates how likely the difference lies beyond it on another dataset.",
        type_one="At .05 by our simulation of 5, 10 and 20 datasets of 10 folds, whose correlation was 0, .1 or .3 "
        "(20,000 runs a cell): .0001 to .052, careful where datasets differ by no more than their folds; with the "
        "normal reference of statsmodels up to .12 (5 datasets), .09 (10) and .07 (20), with folds taken for "
        "independent up to .48. Chances on another dataset, where datasets spread once or twice as far as their "
        "folds, were on average off by at most .055 (5 datasets), .03 (10) and .02 (20), and by .075, .05 and .04 "
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
    TestEntry(
        name="friedman",
        title="Friedman's test",
        question="Do three or more learners differ over the datasets?",
        null="On every dataset each order of the learners is equally likely.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="many",
        unit="dataset",
        min_units=2,
        smallest_p=same_order_chi2,
        schemes=(),
        questions=(9,),
        one_sided=False,
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
    TestEntry(
        name="iman-davenport",
        title="Iman and Davenport's F",
        question="Do three or more learners differ over the datasets?",
        null="On every dataset each order of the learners is equally likely.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="many",
        unit="dataset",
        min_units=2,
        smallest_p=same_order_exact,
        schemes=(),
        questions=(9,),
        one_sided=False,
        options=("tie_correction",),
        method="F = (N - 1) chi2 / (N (k - 1) - chi2), with chi2 of Friedman's test, against k - 1 and (k - 1)(N - 1) "
        "degrees of freedom. When all datasets agree on the order, F is infinite and p is the exact chance of that.",
        type_one="Near its level (.04 to .06 at .05 in our simulations with 5 to 30 datasets), where Friedman's "
        "chi-squared is too careful (Iman and Davenport 1980).",
        use_when="Three learners or more on several datasets; the default there.",
        avoid_when="There are two learners: use wilcoxon.",
        references=("iman1980", "demsar2006"),
    ),
    TestEntry(
        name="nemenyi",
        title="Nemenyi's test",
        question="Which pairs of learners differ in mean rank over the datasets?",
        null="The two learners have the same expected rank.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="many",
        unit="dataset",
        min_units=2,
        smallest_p=widest_ranks,
        schemes=(),
        questions=(9,),
        post_hoc_of=("friedman", "iman-davenport"),
        one_sided=False,
        method="Two learners differ when their mean ranks are further apart than the critical difference "
        "q sqrt(k (k+1) / (6 N)), q the quantile of the studentized range over sqrt(2). The p-values come from the "
        "same distribution and cover all pairs at once.",
        type_one="Family-wise over all pairs under the null of no difference at all; careful otherwise (Demsar 2006).",
        use_when="A critical-difference diagram is wanted, as in the literature.",
        avoid_when="Only two of many learners matter: the verdict on a pair depends on who else is in the pool "
        "(Benavoli, Corani and Mangili 2016).",
        instead="wilcoxon per pair with holm",
        exempt=(("pool", "adding or removing a learner changes the verdict on the others"),),
        references=("nemenyi1963", "demsar2006", "benavoli2016"),
    ),
    TestEntry(
        name="bonferroni-dunn",
        title="Bonferroni-Dunn test",
        question="Which learners differ from a control in mean rank over the datasets?",
        null="The learner has the same expected rank as the control.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="many",
        unit="dataset",
        min_units=2,
        smallest_p=widest_ranks_times_others,
        schemes=(),
        questions=(9,),
        post_hoc_of=("friedman", "iman-davenport"),
        one_sided=False,
        options=("control",),
        method="z = (R_control - R_j) / sqrt(k (k+1) / (6 N)); the normal p times k - 1, at most 1.",
        type_one="Family-wise over the comparisons with the control, below its level (Demsar 2006).",
        use_when="One new learner is set against several known ones and mean ranks are what is reported.",
        avoid_when="The verdict should not depend on the other learners in the pool.",
        instead="wilcoxon against the control with holm",
        exempt=(("pool", "adding or removing a learner changes the verdict on the others"),),
        references=("dunn1961", "demsar2006"),
    ),
    TestEntry(
        name="anova",
        title="Repeated-measures analysis of variance",
        question="Do the mean scores of three or more learners over the datasets differ?",
        null="All learners have the same mean, with normal errors and equal variances of all differences.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="many",
        unit="dataset",
        min_units=2,
        schemes=(),
        questions=(9,),
        one_sided=False,
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
