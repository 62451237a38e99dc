"""Cards of the Bayesian tests: a posterior instead of a p-value, outside every family of p-values."""

from __future__ import annotations

from ..entry import TestEntry

BAYES: tuple[TestEntry, ...] = (
    TestEntry(
        name="bayes-correlated-t",
        title="Bayesian correlated t-test",
        question="How probable is it that one of two learners is practically better on this dataset?",
        null="None is rejected: the posterior is divided into second better, within the rope, first better.",
        evidence="fold-scores",
        scopes=("dataset",),
        learners="two",
        unit="fold",
        tolerates_overlap=True,
        min_units=2,
        schemes=("cv", "repeated-cv", "partitions-cv", "resamples", "given-folds"),
        questions=(8,),
        one_sided=False,
        gives_p=False,
        options=("rope",),
        method="The posterior of the mean difference is t with n - 1 degrees of freedom and scale "
        "sqrt((1/n + rho / (1 - rho)) s^2), rho the share of the rows in a test part.",
        type_one="Not a test of a level. With rope 0 its tail is the one-sided p of corrected-t (Corani and Benavoli "
        "2015).",
        use_when="There is a rope, and the question is what to believe rather than what to reject.",
        avoid_when="A family of comparisons has to be held to one level.",
        instead="corrected-t, for a p-value",
        exempt=(
            ("scale", "the rope is in the metric's unit"),
            ("p-value", "it gives a posterior"),
        ),
        references=("corani2015", "benavoli2017", "nadeau2003"),
    ),
    TestEntry(
        name="bayes-signed-rank",
        title="Bayesian signed-rank test",
        question="How probable is it that one of two learners is practically better over the datasets?",
        null="None is rejected: the posterior is divided into second better, within the rope, first better.",
        evidence="dataset-scores",
        scopes=("over-datasets",),
        learners="two",
        unit="dataset",
        min_units=1,
        schemes=(),
        questions=(9,),
        one_sided=False,
        gives_p=False,
        random=True,
        options=("rope", "prior", "samples"),
        method="Weights of the datasets and of a prior zero are drawn from a Dirichlet distribution; each draw adds up "
        "the weight of the pairs whose mean difference lies below, within and above the rope, and the largest wins.",
        type_one="Not a test of a level; the probabilities move by about .005 with the seed at 50,000 draws.",
        use_when="There is a rope and several datasets.",
        avoid_when="The metric has a unit, or a family of comparisons has to be held to one level.",
        instead="wilcoxon, for a p-value",
        exempt=(
            ("scale", "the rope is in the metric's unit"),
            ("p-value", "it gives a posterior"),
        ),
        references=("benavoli2014", "benavoli2017"),
    ),
)
