"""The preparation steps of `a | b | learner`; all are fitted inside the training part only."""

from __future__ import annotations

from .entry import StepEntry

STEPS: tuple[StepEntry, ...] = (
    StepEntry(
        name="scale",
        title="Mean 0, standard deviation 1",
        transformer="sklearn.preprocessing.StandardScaler",
        columns="numeric",
        scales=True,
        method="Subtracts each column's mean and divides by its standard deviation.",
    ),
    StepEntry(
        name="min-max",
        title="Range 0 to 1",
        transformer="sklearn.preprocessing.MinMaxScaler",
        columns="numeric",
        scales=True,
        method="Maps each column's training range linearly to 0..1.",
    ),
    StepEntry(
        name="robust-scale",
        title="Median 0, quartile distance 1",
        transformer="sklearn.preprocessing.RobustScaler",
        columns="numeric",
        scales=True,
        method="Subtracts each column's median and divides by the distance of its quartiles.",
    ),
    StepEntry(
        name="quantile",
        title="Ranks",
        transformer="sklearn.preprocessing.QuantileTransformer",
        columns="numeric",
        scales=True,
        random=True,
        defaults=(("n_quantiles", 100),),
        method="Replaces each value by its share of smaller training values; above 10,000 rows a random sample sets "
        "the quantiles.",
    ),
    StepEntry(
        name="power",
        title="Towards a normal shape",
        transformer="sklearn.preprocessing.PowerTransformer",
        columns="numeric",
        scales=True,
        method="The power transform of Yeo and Johnson, then mean 0 and standard deviation 1.",
    ),
    StepEntry(
        name="log",
        title="Logarithm",
        transformer="sklearn.preprocessing.FunctionTransformer",
        columns="numeric",
        method="sign(x) ln(1 + |x|): the logarithm for large values, defined for zero and negative ones.",
    ),
    StepEntry(
        name="impute",
        title="Fill in missing values",
        transformer="sklearn.impute.SimpleImputer",
        columns="all",
        method="The column's median for numbers, its most frequent value for categories; strategy says otherwise.",
    ),
    StepEntry(
        name="impute-neighbours",
        title="Fill in missing values from near rows",
        transformer="sklearn.impute.KNNImputer",
        columns="numeric",
        method="The mean of the value in the 5 nearest rows that have it.",
    ),
    StepEntry(
        name="one-hot",
        title="One column per category",
        transformer="sklearn.preprocessing.OneHotEncoder",
        columns="categorical",
        defaults=(("handle_unknown", "ignore"), ("sparse_output", False)),
        method="One 0/1 column for each category seen in training; a category never seen gets zeros.",
    ),
    StepEntry(
        name="ordinal",
        title="Categories as whole numbers",
        transformer="sklearn.preprocessing.OrdinalEncoder",
        columns="categorical",
        defaults=(("handle_unknown", "use_encoded_value"), ("unknown_value", -1)),
        method="0, 1, 2, … in sorted order; a category never seen in training gets -1.",
    ),
    StepEntry(
        name="target-encode",
        title="Categories as their mean target",
        transformer="sklearn.preprocessing.TargetEncoder",
        columns="categorical",
        random=True,
        method="The shrunken mean of the target per category, taken out of fold within the training part.",
    ),
    StepEntry(
        name="discretize",
        title="Numbers into bins",
        transformer="sklearn.preprocessing.KBinsDiscretizer",
        columns="numeric",
        defaults=(("encode", "ordinal"),),
        random=True,
        method="5 bins of about equally many training rows per column, unless n_bins or strategy says otherwise.",
    ),
    StepEntry(
        name="drop-constant",
        title="Leave out constant columns",
        transformer="sklearn.feature_selection.VarianceThreshold",
        columns="all",
        method="Drops columns that do not vary in the training part; an error when none is left.",
    ),
    StepEntry(
        name="select",
        title="The k best columns",
        transformer="sklearn.feature_selection.SelectKBest",
        columns="all",
        method="Keeps the k columns (10 unless told) with the largest F of the classes' means, or of the correlation "
        "with a target of numbers, in the training part.",
    ),
    StepEntry(
        name="pca",
        title="Principal components",
        transformer="sklearn.decomposition.PCA",
        columns="all",
        random=True,
        method="The n_components directions of largest variance.",
    ),
    StepEntry(
        name="polynomial",
        title="Products of columns",
        transformer="sklearn.preprocessing.PolynomialFeatures",
        columns="all",
        defaults=(("include_bias", False),),
        method="All products of columns up to degree 2 unless told.",
    ),
)

_BY_NAME = {entry.name: entry for entry in STEPS}


def find_step(name: str) -> StepEntry | None:
    """The card of a step's catalogue name, such as "one-hot"."""
    return _BY_NAME.get(name)
