"""Learners and preparation steps that a script may name: `scale | svm`. A stage is either of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal

from ..language.text import nearest
from .estimators import BOOSTERS, EstimatorEntry, check_parameter, class_names, find_estimator, nearest_estimator


@dataclass(frozen=True, slots=True)
class LearnerEntry:
    """The card of a learner the script may name without importing anything."""

    name: str
    title: str
    classifier: str | None = None  # dotted name of the estimator for classes
    regressor: str | None = None  # ... for numbers
    defaults: tuple[tuple[str, object], ...] = ()  # our parameters where they differ from the estimator's
    stochastic: bool = False  # has randomness of its own that changes what is learned
    needs_scaling: bool = False
    gives: Literal["labels", "scores", "probabilities"] = "probabilities"
    distorts: Literal["", "margins", "sigmoid", "extreme"] = ""  # how its probabilities are off, C 1 and 2.4
    baseline: bool = False
    tunable: bool = True
    trees: bool = False  # made of decision trees, whose parameters it takes beside its own
    aliases: tuple[str, ...] = ()  # other names that are accepted; case and dashes count for nothing
    generic: bool = False  # made from the names of scikit-learn's classes; the linter judges it by its class
    method: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepEntry:
    """The card of a preparation step."""

    name: str
    title: str
    transformer: str  # dotted name
    columns: Literal["numeric", "categorical", "all"] = "numeric"
    scales: bool = False
    random: bool = False
    defaults: tuple[tuple[str, object], ...] = ()
    aliases: tuple[str, ...] = ()
    method: str = ""


_CARUANA = ("caruana2005",)


def _both(stem: str, **fields: Any) -> LearnerEntry:
    """Return a learner for classes and for numbers, whose two classes differ in their last word."""
    return LearnerEntry(classifier=f"{stem}Classifier", regressor=f"{stem}Regressor", **fields)


_random = partial(_both, stochastic=True)

FAMILIES: tuple[LearnerEntry, ...] = (
    LearnerEntry(
        name="svm",
        title="Support vector machine",
        aliases=("svc", "svr", "support-vector-machine", "rbf-svm"),
        classifier="sklearn.svm.SVC",
        regressor="sklearn.svm.SVR",
        needs_scaling=True,
        gives="scores",
        distorts="margins",
        method="The learner is a support vector machine with a radial (RBF) kernel by default. The scores are "
        "distances to the decision boundary, not probabilities.",
        references=_CARUANA,
    ),
    _random(
        name="neural-net",
        title="Neural net",
        aliases=("mlp", "neural-network", "multilayer-perceptron", "ann"),
        stem="sklearn.neural_network.MLP",
        defaults=(("max_iter", 500),),
        needs_scaling=True,
        method="The network has one hidden layer of 100 units and is trained by Adam for at most 500 epochs. The "
        "initial weights of the network are random.",
        references=_CARUANA,
    ),
    LearnerEntry(
        name="logistic-regression",
        title="Logistic regression",
        aliases=("logreg", "logistic", "logit", "lr"),
        classifier="sklearn.linear_model.LogisticRegression",
        defaults=(("max_iter", 1000),),
        needs_scaling=True,
        method="The learner is a logistic regression with an L2 penalty of weight 1/C.",
        references=_CARUANA,
    ),
    LearnerEntry(
        name="naive-bayes",
        title="Naive Bayes",
        aliases=("nb", "gnb", "gaussian-naive-bayes"),
        classifier="sklearn.naive_bayes.GaussianNB",
        distorts="extreme",
        tunable=False,
        method="The learner assumes that each column has a normal distribution in each class, and that columns are "
        "independent. Because columns are rarely independent, the probabilities are too close to 0 and 1.",
        references=_CARUANA,
    ),
    _both(
        name="knn",
        title="k nearest neighbours",
        aliases=("k-neighbors", "k-nearest-neighbors", "k-nearest-neighbours", "nearest-neighbors"),
        stem="sklearn.neighbors.KNeighbors",
        needs_scaling=True,
        method="The prediction is the majority vote (or the mean) of the 5 nearest training rows by Euclidean "
        "distance.",
        references=_CARUANA,
    ),
    _random(
        name="random-forest",
        title="Random forest",
        aliases=("rf", "random-forests"),
        stem="sklearn.ensemble.RandomForest",
        method="The learner trains 100 trees, each on a bootstrap sample, with a random choice of columns at every "
        "node.",
        references=("caruana2005", "breiman2001"),
    ),
    _both(
        name="decision-tree",
        title="Decision tree",
        aliases=("dt", "cart", "decision-trees"),
        stem="sklearn.tree.DecisionTree",
        method="The learner is a CART tree, which by default grows until its leaves are pure. Only ties between "
        "equally good splits are broken at random.",
        references=_CARUANA,
    ),
    _random(
        name="bagged-trees",
        title="Bagged trees",
        aliases=("bagging", "bagged-decision-trees"),
        stem="sklearn.ensemble.Bagging",
        defaults=(("n_estimators", 100),),
        trees=True,
        method="The learner trains 100 full trees, each on a bootstrap sample of the training rows.",
        references=_CARUANA,
    ),
    _random(
        name="boosted-trees",
        title="Boosted trees",
        aliases=(
            "gradient-boosting",
            "gbm",
            "gbdt",
            "gbt",
            "gradient-boosted-trees",
            "gradient-boosted-decision-trees",
        ),
        stem="sklearn.ensemble.GradientBoosting",
        method="The learner is gradient boosting of 100 trees of depth 3 and minimises the log-loss. Caruana and "
        "Niculescu-Mizil used AdaBoost instead, which is `adaboosted-trees` here.",
        references=("caruana2005", "friedman2001", "niculescu2005"),
    ),
    LearnerEntry(
        name="boosted-stumps",
        title="Boosted stumps",
        classifier="sklearn.ensemble.AdaBoostClassifier",
        regressor="sklearn.ensemble.GradientBoostingRegressor",
        defaults=(("max_depth", 1),),
        stochastic=True,
        distorts="sigmoid",
        method="For classification this learner is AdaBoost of 50 stumps (trees with one split). For regression this "
        "learner is gradient boosting of trees with max_depth 1.",
        references=("caruana2005", "niculescu2005"),
    ),
)

OTHERS: tuple[LearnerEntry, ...] = (
    _random(
        name="adaboosted-trees",
        title="AdaBoost of deep trees",
        stem="sklearn.ensemble.AdaBoost",
        defaults=(("n_estimators", 100), ("max_depth", 8)),
        distorts="sigmoid",
        trees=True,
        method="The learner is AdaBoost of 100 trees of depth 8. The depth is limited because AdaBoost stops when a "
        "tree has no training error. The scores of this learner are too close to one half, and need calibration "
        "before they can be used as probabilities.",
        references=("caruana2005", "niculescu2005"),
    ),
    _random(
        name="adaboost",
        title="AdaBoost",
        stem="sklearn.ensemble.AdaBoost",
        distorts="sigmoid",
        method="The learner is AdaBoost as in scikit-learn, with 50 stumps (trees with one split) for classification "
        "and trees of depth 3 for regression.",
        references=("niculescu2005",),
    ),
    _random(
        name="hist-gradient-boosting",
        title="Gradient boosting on histograms",
        aliases=("hgb", "hist-gbm", "histogram-gradient-boosting"),
        stem="sklearn.ensemble.HistGradientBoosting",
        method="The learner boosts 100 trees of at most 31 leaves on binned columns, as LightGBM does. Missing values "
        "need no preparation.",
        references=("friedman2001", "ke2017"),
    ),
    LearnerEntry(
        name="linear-svm",
        title="Linear support vector machine",
        aliases=("linear-svc", "linear-svr"),
        classifier="sklearn.svm.LinearSVC",
        regressor="sklearn.svm.LinearSVR",
        needs_scaling=True,
        gives="scores",
        distorts="margins",
        method="The learner is a support vector machine with a linear decision boundary and an L2 penalty of weight "
        "1/C. The scores of this learner are distances to the boundary, not probabilities.",
        references=_CARUANA,
    ),
    _both(
        name="nearest-neighbor",
        title="Nearest neighbour",
        aliases=("nearest-neighbour", "1nn"),
        stem="sklearn.neighbors.KNeighbors",
        defaults=(("n_neighbors", 1),),
        needs_scaling=True,
        tunable=False,
        method="The prediction is the target of the nearest training row by Euclidean distance.",
        references=("dietterich1998",),
    ),
    LearnerEntry(
        name="linear-discriminant",
        title="Linear discriminant analysis",
        aliases=("lda",),
        classifier="sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
        tunable=False,
        method="The learner assumes that each class has a normal distribution, and that all classes share one "
        "covariance matrix.",
    ),
    LearnerEntry(
        name="quadratic-discriminant",
        title="Quadratic discriminant analysis",
        aliases=("qda",),
        classifier="sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis",
        tunable=False,
        method="The learner assumes that each class has a normal distribution with its own covariance matrix.",
    ),
    LearnerEntry(
        name="linear-regression",
        title="Linear regression",
        aliases=("linreg", "ols", "least-squares"),
        regressor="sklearn.linear_model.LinearRegression",
        tunable=False,
        method="The learner is ordinary least squares.",
    ),
    LearnerEntry(
        name="ridge",
        title="Ridge regression",
        aliases=("ridge-regression",),
        regressor="sklearn.linear_model.Ridge",
        needs_scaling=True,
        method="The learner is least squares with an L2 penalty of weight alpha.",
    ),
    LearnerEntry(
        name="lasso",
        title="Lasso",
        aliases=("lasso-regression",),
        regressor="sklearn.linear_model.Lasso",
        needs_scaling=True,
        method="The learner is least squares with an L1 penalty of weight alpha.",
    ),
    LearnerEntry(
        name="elastic-net",
        title="Elastic net",
        aliases=("enet",),
        regressor="sklearn.linear_model.ElasticNet",
        needs_scaling=True,
        method="The learner is least squares with an L1 and an L2 penalty.",
    ),
)

_baseline = partial(LearnerEntry, baseline=True, tunable=False)
BASELINES: tuple[LearnerEntry, ...] = (
    _baseline(
        name="majority",
        title="Most frequent class",
        aliases=("most-frequent", "majority-class"),
        classifier="sklearn.dummy.DummyClassifier",
        defaults=(("strategy", "prior"),),
        method="The prediction is always the most frequent class of the training part. The predicted probabilities "
        "are the class frequencies of the training part.",
        references=_CARUANA,
    ),
    _baseline(
        name="stratified-guess",
        title="Random guess by class frequencies",
        classifier="sklearn.dummy.DummyClassifier",
        defaults=(("strategy", "stratified"),),
        stochastic=True,
        method="The prediction for each row is a random class, drawn with the class frequencies of the training part.",
    ),
    _baseline(
        name="mean",
        title="Mean of the target",
        regressor="sklearn.dummy.DummyRegressor",
        defaults=(("strategy", "mean"),),
        method="The prediction is always the mean of the target in the training part.",
    ),
    _baseline(
        name="median",
        title="Median of the target",
        regressor="sklearn.dummy.DummyRegressor",
        defaults=(("strategy", "median"),),
        method="The prediction is always the median of the target in the training part.",
    ),
)

# Each has to be installed.
BOOSTING: tuple[LearnerEntry, ...] = (
    _random(
        name="lightgbm",
        title="LightGBM",
        aliases=("lgbm", "lgb"),
        stem="lightgbm.LGBM",
        method="The learner boosts 100 trees of at most 31 leaves, which grow leaf by leaf on binned columns. Missing "
        "values and categories need no preparation. evalang runs this learner with one thread.",
        references=("friedman2001", "ke2017"),
    ),
    _random(
        name="xgboost",
        title="XGBoost",
        aliases=("xgb",),
        stem="xgboost.XGB",
        method="The learner boosts 100 trees of depth 6 with regularised leaves. Missing values and categories need "
        "no preparation. evalang runs this learner with one thread.",
        references=("friedman2001", "chen2016"),
    ),
    _random(
        name="catboost",
        title="CatBoost",
        stem="catboost.CatBoost",
        method="The learner boosts 1000 symmetric trees of depth 6, each fitted to residuals that are computed with "
        "random row orders. Missing numbers need no preparation. evalang runs CatBoost with one thread and does not "
        "let it write files.",
        references=("friedman2001", "prokhorenkova2018"),
    ),
)

LEARNERS: tuple[LearnerEntry, ...] = FAMILIES + OTHERS + BOOSTING + BASELINES

_FIXED = {"log": ()}  # steps of which nothing can be set
TREES = ("sklearn.tree.DecisionTreeClassifier", "sklearn.tree.DecisionTreeRegressor")  # for classes and for numbers


@lru_cache(maxsize=512)
def targets(name: str) -> tuple[str, ...]:
    """Return the dotted names behind a stage: of a learner (for classes and numbers), a step, or an estimator.

    >>> targets("rf")
    ('sklearn.ensemble.RandomForestClassifier', 'sklearn.ensemble.RandomForestRegressor')
    >>> targets("os.system")
    ()
    """
    canonical = canonical_stage(name) or ""
    learner, step = find_learner(canonical), find_step(canonical)
    if learner is not None:
        return tuple(dotted for dotted in (learner.classifier, learner.regressor) if dotted is not None)
    return (step.transformer,) if step is not None else (canonical,) if canonical else ()


@lru_cache(maxsize=512)
def package_of(name: str) -> str:
    """Return the boosting package behind a stage, "" for scikit-learn.

    >>> package_of("xgboost.XGBRegressor"), package_of("knn")
    ('xgboost', '')
    """
    top = next(iter(targets(name)), "").partition(".")[0]
    return top if top in BOOSTERS else ""


@lru_cache(maxsize=512)
def stage_parameters(name: str) -> tuple[str, ...]:
    """Return the parameters that may be set or tuned."""
    if name in _FIXED:
        return _FIXED[name]
    return tuple(dict.fromkeys(p for entry in _takers(name) for p in entry.settable))


def check_stage(name: str, parameter: str, value: object) -> str | None:
    """Return what is wrong with `name(parameter = value)`, or None; one form, classes or numbers, has to take it.

    >>> check_stage("knn", "n_neighbours", 3)
    'knn has no parameter "n_neighbours"; did you mean n_neighbors?'
    >>> check_stage("lightgbm", "verbose", -1)
    'lightgbm has no parameter "verbose"; to pass it unchecked, write "lightgbm:LGBMClassifier"(verbose = …)'
    """
    owners = _owners(name, parameter)
    if not owners:
        offer = f"; did you mean {near}?" if (near := nearest(parameter, stage_parameters(name))) else ""
        if not offer and find_learner(name) in BOOSTING:
            offer = f'; to pass it unchecked, write "{_entries(name)[0].dotted.replace(".", ":")}"({parameter} = …)'
        return f'{name} has no parameter "{parameter}"{offer}'
    wrong = [check_parameter(entry, parameter, value) for entry in owners]
    return None if None in wrong else wrong[0]


@lru_cache(maxsize=512)
def _owners(name: str, parameter: str) -> tuple[EstimatorEntry, ...]:
    """Return the classes behind a stage that have a parameter."""
    if name in _FIXED:
        return ()
    takers = tuple(entry for entry in _takers(name) if parameter in entry.parameters)
    return takers and (tuple(entry for entry in _entries(name) if parameter in entry.parameters) or takers)


@lru_cache(maxsize=512)
def check_role(name: str, last: bool) -> str | None:
    """Return what is wrong with this stage at its place (the last one learns, the others prepare), or None."""
    for entry in _entries(name):
        if entry.needs_estimator:
            return f"{name} is built from other estimators, which a script cannot pass"
    learns = any("classifier" in entry.kinds or "regressor" in entry.kinds for entry in _entries(name))
    prepares = find_step(name) is not None or any("transformer" in entry.kinds for entry in _entries(name))
    if last and not learns:
        return f"{name} prepares data and learns nothing; end the chain with a learner"
    if not last and (not prepares or find_learner(name) is not None):
        return f"{name} is a learner and can only stand at the end of the chain"
    return None


def nearest_stage(name: str) -> str | None:
    """Return the stage that a misspelled name means; few edits are allowed, since many names end alike.

    >>> nearest_stage("adabost"), nearest_stage("sklearn.SVC"), nearest_stage("rotboost")
    ('adaboost', 'sklearn.svm.SVC', None)
    """
    plain = _plain(name)
    if "." in name and name.partition(".")[0] in ("sklearn", *BOOSTERS):
        return nearest_estimator(name)
    return _words().get(nearest(plain, _words(), share=5) or "")


def _entries(name: str) -> tuple[EstimatorEntry, ...]:
    return tuple(entry for entry in map(find_estimator, targets(name)) if entry is not None)


def _takers(name: str) -> tuple[EstimatorEntry, ...]:
    """Return the estimators whose parameters may be set: their own, then those of the trees they are made of."""
    learner = find_learner(name)
    members = TREES if learner is not None and learner.trees else ()
    return _entries(name) + tuple(entry for entry in map(find_estimator, members) if entry is not None)


# Preparation steps of a chain `a | b | learner`; each is fitted inside the training part only.
STEPS: tuple[StepEntry, ...] = (
    StepEntry(
        name="scale",
        title="Mean 0, standard deviation 1",
        aliases=("standardize", "standardise", "standard-scale", "z-score"),
        transformer="sklearn.preprocessing.StandardScaler",
        scales=True,
        method="The mean of each column is subtracted, and the column is divided by its standard deviation.",
    ),
    StepEntry(
        name="min-max",
        title="Range 0 to 1",
        transformer="sklearn.preprocessing.MinMaxScaler",
        scales=True,
        method="The range of each column in the training part is mapped linearly to 0..1.",
    ),
    StepEntry(
        name="robust-scale",
        title="Median 0, interquartile range 1",
        transformer="sklearn.preprocessing.RobustScaler",
        scales=True,
        method="The median of each column is subtracted, and the column is divided by its interquartile range.",
    ),
    StepEntry(
        name="quantile",
        title="Quantile transform (ranks)",
        aliases=("quantile-transform",),
        transformer="sklearn.preprocessing.QuantileTransformer",
        scales=True,
        random=True,
        defaults=(("n_quantiles", 100),),
        method="Each value is replaced by the share of smaller training values. With more than 10,000 rows the "
        "quantiles are computed from a random sample.",
    ),
    StepEntry(
        name="power",
        title="Power transform towards a normal distribution",
        transformer="sklearn.preprocessing.PowerTransformer",
        scales=True,
        method="The power transform of Yeo and Johnson is applied, and the result is scaled to mean 0 and "
        "standard deviation 1.",
    ),
    StepEntry(
        name="log",
        title="Logarithm",
        transformer="sklearn.preprocessing.FunctionTransformer",
        method="Each value x becomes sign(x) ln(1 + |x|), which is also defined for zero and negative values.",
    ),
    StepEntry(
        name="impute",
        title="Fill in missing values",
        aliases=("imputer",),
        transformer="sklearn.impute.SimpleImputer",
        columns="all",
        method="A missing number becomes the median of its column, and a missing category the most frequent "
        "value. The parameter `strategy` selects another replacement.",
    ),
    StepEntry(
        name="impute-neighbours",
        title="Fill in missing values from similar rows",
        transformer="sklearn.impute.KNNImputer",
        method="A missing value becomes the mean of its column in the 5 nearest rows that have a value there.",
    ),
    StepEntry(
        name="one-hot",
        title="One column per category",
        transformer="sklearn.preprocessing.OneHotEncoder",
        columns="categorical",
        defaults=(("handle_unknown", "ignore"), ("sparse_output", False)),
        method="Each category seen in training becomes a 0/1 column. A category that is not in the training part "
        "gets 0 in all these columns.",
    ),
    StepEntry(
        name="ordinal",
        title="Categories as whole numbers",
        transformer="sklearn.preprocessing.OrdinalEncoder",
        columns="categorical",
        defaults=(("handle_unknown", "use_encoded_value"), ("unknown_value", -1)),
        method="Categories become 0, 1, 2, … in sorted order. A category that is not in the training part becomes -1.",
    ),
    StepEntry(
        name="target-encode",
        title="Categories as their mean target",
        transformer="sklearn.preprocessing.TargetEncoder",
        columns="categorical",
        random=True,
        method="Each category becomes the mean target of its rows, shrunk towards the overall mean. The mean for a "
        "training row is computed from the other folds of the training part.",
    ),
    StepEntry(
        name="discretize",
        title="Numbers into bins",
        transformer="sklearn.preprocessing.KBinsDiscretizer",
        defaults=(("encode", "ordinal"),),
        random=True,
        method="Each column is cut into 5 bins with about equal numbers of training rows. The parameters `n_bins` and "
        "`strategy` change the bins.",
    ),
    StepEntry(
        name="drop-constant",
        title="Leave out constant columns",
        transformer="sklearn.feature_selection.VarianceThreshold",
        columns="all",
        method="Columns with the same value in all training rows are dropped. If no column is left, the fit fails "
        "with an error.",
    ),
    StepEntry(
        name="select",
        title="The k best columns",
        aliases=("select-k-best",),
        transformer="sklearn.feature_selection.SelectKBest",
        columns="all",
        method="The k columns (by default 10) with the largest F statistic in the training part are kept. F "
        "compares the means of the classes, or tests the correlation with a numeric target.",
    ),
    StepEntry(
        name="pca",
        title="Principal components",
        transformer="sklearn.decomposition.PCA",
        columns="all",
        random=True,
        method="The columns are replaced by the n_components directions of largest variance.",
    ),
    StepEntry(
        name="polynomial",
        title="Products of columns",
        aliases=("polynomial-features",),
        transformer="sklearn.preprocessing.PolynomialFeatures",
        columns="all",
        defaults=(("include_bias", False),),
        method="All products of columns up to degree 2 are added by default.",
    ),
)

_CARDS: dict[str, LearnerEntry] = {entry.name: entry for entry in LEARNERS}
_STEPS: dict[str, StepEntry] = {entry.name: entry for entry in STEPS}

# Names of other software, and words that are too general to be taken for a learner: what is offered for them.
_MEANT = {
    "tree": "decision-tree", "c4.5": "decision-tree", "c45": "decision-tree", "c5.0": "decision-tree",
    "j48": "decision-tree", "id3": "decision-tree", "rpart": "decision-tree", "forest": "random-forest",
    "ranger": "random-forest", "boosting": "hist-gradient-boosting", "bayes": "naive-bayes",
    "linear": "logistic-regression, or linear-regression for numbers", "glmnet": "elastic-net",
    "glm": "logistic-regression, or linear-regression for numbers", "nn": "neural-net, or nearest-neighbor",
    "dnn": "neural-net", "deeplearning": "neural-net", "smo": "svm", "libsvm": "svm", "ibk": "knn",
    "zeror": "majority, or mean for numbers", "dummy": "majority, or mean for numbers",
    "baseline": "majority, or mean for numbers", "ngboost": '"ngboost:NGBClassifier" with --trust ngboost',
    "tabpfn": '"tabpfn:TabPFNClassifier" with --trust tabpfn',
}  # fmt: skip


def meant_stage(word: str) -> str | None:
    """Return what to write for a name of other software or a general word, such as c4.5 or nn."""
    return _MEANT.get(_plain(word))


def find_learner(name: str) -> LearnerEntry | None:
    """Return the card of a learner's canonical name, such as "decision-tree"."""
    return _CARDS.get(name) or _generic().get(name)


def find_step(name: str) -> StepEntry | None:
    """Return the card of a step's canonical name, such as "one-hot"."""
    return _STEPS.get(name)


@lru_cache(maxsize=512)
def canonical_stage(word: str) -> str | None:
    """Return the one name of a learner or step, or the dotted name of an estimator; None for an unknown word.

    A class of scikit-learn has its class name (`RandomForestClassifier`). Without Classifier or Regressor, the name
    stands for both (`extra-trees`). Case, dashes and underscores count for nothing.

    >>> canonical_stage("RF"), canonical_stage("SVC"), canonical_stage("ExtraTrees"), canonical_stage("rmtree")
    ('random-forest', 'sklearn.svm.SVC', 'extra-trees', None)
    """
    if word in _CARDS or word in _STEPS or (word.startswith(("sklearn.", *BOOSTERS)) and find_estimator(word)):
        return word
    return class_names().get(word) or (None if "." in word else _words().get(_plain(word)))


def _plain(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "").replace(" ", "")


@lru_cache(maxsize=1)
def _words() -> dict[str, str]:
    """Return what every known word stands for; a card's own words win over those made from class names."""
    found = {_plain(name): name for name in _generic()}
    found |= {_plain(name): dotted for name, dotted in class_names().items()}
    return found | _card_words()


@lru_cache(maxsize=1)
def _card_words() -> dict[str, str]:
    entries: tuple[StepEntry | LearnerEntry, ...] = (*STEPS, *LEARNERS)
    return {_plain(word): entry.name for entry in entries for word in (entry.name, *entry.aliases)}


@lru_cache(maxsize=1)
def _generic() -> dict[str, LearnerEntry]:
    """Return a learner for every classifier or regressor of scikit-learn, as `gaussian-process` for the two of it."""
    found: dict[str, dict[str, str]] = {}
    for name, dotted in class_names().items():
        entry = find_estimator(dotted)
        for kind in ("classifier", "regressor"):
            if entry is not None and kind in entry.kinds and dotted.startswith("sklearn."):
                stem = re.sub("(Classifier|Regressor)(?=(CV)?$)", "", name)
                words = re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", stem).lower()
                found.setdefault(words, {})[kind] = dotted
    return {
        name: LearnerEntry(
            name=name,
            title=f"{' and '.join(dotted.rpartition('.')[2] for dotted in kinds.values())} of scikit-learn",
            classifier=kinds.get("classifier"),
            regressor=kinds.get("regressor"),
            gives=entry.gives if (entry := find_estimator(next(iter(kinds.values())))) else "labels",
            stochastic=entry is not None and entry.random,
            generic=True,
        )
        for name, kinds in found.items()
        if _plain(name) not in _card_words()
    }
