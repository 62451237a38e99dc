"""Metrics: the nine of Caruana and Niculescu-Mizil, and the others in use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast

Tasks = tuple[Literal["two-class", "many-class", "regression"], ...]


@dataclass(frozen=True, slots=True)
class MetricEntry:
    """The card of a metric; nothing else in the program asks whether higher is better."""

    name: str
    title: str
    higher_is_better: bool
    low: float | None  # range; None is unbounded
    high: float | None
    needs: Literal["labels", "scores", "probabilities", "numbers", "time", "size"]
    tasks: Tasks
    positive: bool = False  # the positive class has to be known
    row_loss: bool = False  # is the mean (or a monotone function of the mean) of one loss per row
    has_unit: bool = False  # its size does not compare across datasets
    unit: str = ""  # as it stands on an axis
    options: tuple[tuple[str, object], ...] = ()  # (name, default)
    aliases: tuple[str, ...] = ()
    baseline: str = ""  # what a learner that knows nothing gets
    method: str = ""
    references: tuple[str, ...] = ()

    @property
    def sign(self) -> int:
        """+1 when higher is better, else -1."""
        return 1 if self.higher_is_better else -1


TWO: Tasks = ("two-class",)
MANY: Tasks = ("many-class",)
CLASSES: Tasks = ("two-class", "many-class")
NUMBERS: Tasks = ("regression",)
ALL: Tasks = ("two-class", "many-class", "regression")


_labels = partial(MetricEntry, higher_is_better=True, low=0.0, high=1.0, needs="labels", tasks=CLASSES)
LABEL_METRICS: tuple[MetricEntry, ...] = (
    _labels(
        name="accuracy",
        title="Accuracy",
        row_loss=True,
        aliases=("acc",),
        baseline="the share of the most frequent class",
        method="The share of test rows whose predicted class is the true one.",
        references=("caruana2005",),
    ),
    _labels(
        name="error",
        title="Error rate",
        higher_is_better=False,
        row_loss=True,
        aliases=("error-rate", "zero-one-loss", "misclassification-rate", "hamming-loss"),
        baseline="one minus the share of the most frequent class",
        method="The share of test rows whose predicted class is wrong: 1 - accuracy.",
        references=("dietterich1998",),
    ),
    _labels(
        name="balanced-accuracy",
        title="Balanced accuracy",
        baseline="1 / number of classes",
        method="The mean over the classes of the share of the class's rows that are predicted right. "
        "Classes with no row in the test part are left out.",
        references=("brodersen2010",),
    ),
    _labels(
        name="precision",
        title="Precision",
        positive=True,
        options=(("average", "auto"),),
        aliases=("positive-predictive-value", "ppv"),
        baseline="the share of positives",
        method="True positives / predicted positives; 0 when nothing is predicted positive. "
        'Many classes: the plain mean over classes (average = "macro"), the mean weighted by the classes\' rows '
        '("weighted"), or the pooled counts ("micro").',
        references=("fawcett2006",),
    ),
    _labels(
        name="recall",
        title="Recall",
        positive=True,
        options=(("average", "auto"),),
        aliases=("sensitivity", "true-positive-rate", "tpr"),
        baseline="1 for a learner that calls every row positive, 0 for one that calls none",
        method="True positives / positives; an error when the test part has no positive. Many classes: as precision; "
        "classes with no row in the test part are left out.",
        references=("fawcett2006",),
    ),
    _labels(
        name="f-score",
        title="F-score",
        positive=True,
        options=(("average", "auto"), ("beta", 1.0)),
        aliases=("f1", "f-measure", "f1-score", "fscore"),
        baseline="2p / (1 + p) for a learner that calls every row positive, p the share of positives; normalised "
        "scores count from a learner that predicts the more frequent class, which has 0 where positives are the rarer "
        "class",
        method="The harmonic mean of precision and recall, 2TP / (2TP + FP + FN), of the positive class; beta weighs "
        "recall beta times as much. No positive row and none predicted counts as 0. Many classes: the plain mean over "
        'classes (average = "macro", the default there), "weighted" or "micro".',
        references=("caruana2005",),
    ),
    _labels(
        name="mcc",
        title="Matthews correlation",
        low=-1.0,
        aliases=("matthews", "matthews-corrcoef", "phi"),
        baseline="0",
        method="The correlation of predicted and true classes. A constant prediction, or a test part of one class, has "
        "no correlation and counts as 0.",
        references=("matthews1975",),
    ),
    _labels(
        name="specificity",
        title="Specificity",
        tasks=TWO,
        positive=True,
        aliases=("true-negative-rate", "tnr", "selectivity"),
        baseline="1 for a learner that calls no row positive, 0 for one that calls every row so",
        method="True negatives / negatives: the recall of the class that is not the positive one. An error when the "
        "test part has no negative.",
        references=("fawcett2006",),
    ),
    _labels(
        name="kappa",
        title="Cohen's kappa",
        low=-1.0,
        aliases=("cohen-kappa", "cohens-kappa"),
        baseline="0",
        method="(accuracy - chance) / (1 - chance), where chance is the accuracy of guesses that name each class as "
        "often as the learner does: the sum over the classes of true share times predicted share. "
        "Where truth and prediction are one and "
        "the same class throughout there is nothing to agree on beyond chance, and it counts as 0.",
        references=("cohen1960",),
    ),
    _labels(
        name="cost",
        title="Cost of the errors",
        higher_is_better=False,
        high=None,
        tasks=TWO,
        positive=True,
        row_loss=True,
        has_unit=True,
        unit="per row",
        options=(("fp", 1.0), ("fn", 1.0)),
        baseline="the smaller of fp times the share of negatives and fn times the share of positives, for the better "
        "of the two constant answers",
        method="The mean cost of a row: fp for a negative called positive, fn for a positive called negative, 0 for a "
        "right answer. With both 1, the default, it is the error rate.",
        references=("elkan2001",),
    ),
)


_ranking = partial(MetricEntry, higher_is_better=True, low=0.0, high=1.0, needs="scores", tasks=TWO, positive=True)
RANK_METRICS: tuple[MetricEntry, ...] = (
    _ranking(
        name="lift",
        title="Lift",
        high=None,
        options=(("top", 0.25),),
        baseline="1",
        method="The share of positives among the rows with the highest scores (default: the top quarter), divided "
        "by the share of positives among all. The top has floor(top * n + 1/2) rows, at least one; rows tied at its "
        "edge count by the share of positives among them, so the order of the rows does not matter.",
        references=("caruana2005",),
    ),
    _ranking(
        name="roc-area",
        positive=False,
        title="Area under the ROC curve",
        tasks=CLASSES,
        aliases=("auc", "auroc", "roc", "roc-auc", "auc-roc", "roc-auc-ovr"),
        baseline="0.5",
        method="The chance that a random positive row has a higher score than a random negative one, ties counting one "
        "half. Many classes: each against the rest, plain mean. An error when a class is missing from the test part.",
        references=("caruana2005", "fawcett2006"),
    ),
    _ranking(
        name="average-precision",
        title="Average precision",
        aliases=("apr", "pr-area", "pr-auc", "auprc", "auc-pr"),
        baseline="the share of positives",
        method="The sum over distinct scores, from high to low, of precision times the step in recall; rows of equal "
        "score enter together. An error when the test part has no positive.",
        references=("caruana2005",),
    ),
    _ranking(
        name="break-even",
        title="Precision/recall break-even point",
        aliases=("bep", "break-even-point"),
        baseline="the share of positives",
        method="The precision among as many top rows as there are positives, where precision equals recall. Rows tied "
        "at the edge count by the share of positives among them.",
        references=("caruana2005",),
    ),
    _ranking(
        name="top-k",
        positive=False,
        title="Top-k accuracy",
        tasks=MANY,
        row_loss=True,
        options=(("k", 2),),
        aliases=("top-k-accuracy",),
        baseline="the share of the k most frequent classes",
        method="The share of test rows whose true class is among the k classes with the highest scores (default: 2, "
        "as in scikit-learn; write top-k(k = 5)). Classes tied at the edge count by the share of them that finds room, "
        "so the order of the classes does not matter. An error with k classes or fewer, where everybody is right.",
        references=("russakovsky2015",),
    ),
)


_probabilities = partial(
    MetricEntry, higher_is_better=False, low=0.0, high=1.0, needs="probabilities", tasks=CLASSES, row_loss=True
)
PROBABILITY_METRICS: tuple[MetricEntry, ...] = (
    _probabilities(
        name="root-brier",
        title="Root mean squared error of the probabilities",
        aliases=("rms",),
        baseline="sqrt(p(1 - p)), p the share of positives",
        method="The square root of the Brier score; the RMS of Caruana and Niculescu-Mizil. Margins are scaled as for "
        "the Brier score.",
        references=("caruana2005",),
    ),
    _probabilities(
        name="brier",
        title="Brier score",
        aliases=("squared-error", "brier-score", "brier-score-loss"),
        baseline="p(1 - p), p the share of positives",
        method="The mean of (probability of the positive class - 1 if positive, else 0) squared. Many classes: half "
        "the sum of the squares over the classes, which is the same number for two. The margins of a learner that is "
        "not calibrated are first scaled linearly to 0..1 over the test part, as Caruana and Niculescu-Mizil do.",
        references=("brier1950", "caruana2005"),
    ),
    _probabilities(
        name="cross-entropy",
        title="Cross-entropy",
        high=None,
        aliases=("log-loss", "mxe", "nll", "negative-log-likelihood"),
        baseline="-p ln p - (1 - p) ln(1 - p), p the share of positives",
        method="The mean of -ln(probability given to the true class). Probabilities are raised to at least 2^-52 "
        "first, as in scikit-learn, so that one row costs at most 36.1. Margins are scaled as for the Brier score.",
        references=("caruana2005",),
    ),
    _probabilities(
        name="cal",
        row_loss=False,
        title="Calibration error",
        tasks=TWO,
        options=(("window", 100),),
        aliases=("calibration",),
        baseline="about 0: predicting the share of positives is well calibrated, so cal is scaled between the mean and "
        "the best observed",
        method="Rows are ordered by their probability; for every window of 100 neighbours, |share of positives - mean "
        "probability|; the mean over all windows. Rows of equal probability enter with their mean outcome. Needs 100 "
        "test rows; the rows' weights play no part.",
        references=("caruana2005",),
    ),
)


_numbers = partial(
    MetricEntry,
    higher_is_better=False,
    low=0.0,
    high=None,
    needs="numbers",
    tasks=NUMBERS,
    row_loss=True,
    has_unit=True,
)
NUMBER_METRICS: tuple[MetricEntry, ...] = (
    _numbers(
        name="rmse",
        title="Root mean squared error",
        aliases=("root-mean-squared-error",),
        unit="unit of the target",
        baseline="the standard deviation of the target (for its mean)",
        method="The square root of the mean squared difference, in the unit of the target.",
    ),
    _numbers(
        name="mse",
        title="Mean squared error",
        aliases=("mean-squared-error",),
        baseline="that of `mean`: the variance of the target",
        method="The mean of the squared differences between prediction and target, in squared units of the target.",
    ),
    _numbers(
        name="mae",
        title="Mean absolute error",
        unit="unit of the target",
        aliases=("absolute-error", "mean-absolute-error"),
        baseline="the mean absolute deviation of the target (for its median)",
        method="The mean absolute difference, in the unit of the target.",
    ),
    _numbers(
        name="mape",
        has_unit=False,
        title="Mean absolute percentage error",
        aliases=("percentage-error", "mean-absolute-percentage-error"),
        baseline="above 0: the mean of |mean of the training targets - truth| / |truth|",
        method="The mean of |difference| / |truth|, as a share: 0.1 is 10%. An error when the target is 0 in some test "
        "row, where a percentage of it has no meaning. Of a positive target what is too low is at most 100% off, "
        "what is too high by any share, so it favours learners that predict low.",
        references=("hyndman2006",),
    ),
    _numbers(
        name="r2",
        row_loss=False,
        has_unit=False,
        title="Coefficient of determination",
        higher_is_better=True,
        low=None,
        high=1.0,
        aliases=("r-squared", "coefficient-of-determination"),
        baseline="0",
        method="1 - (sum of squared errors) / (sum of squares around the mean of the test part). An error when the "
        "target of the test part is constant or has fewer than two rows.",
    ),
)


_cost = partial(
    MetricEntry,
    higher_is_better=False,
    low=0.0,
    high=None,
    needs="time",
    tasks=ALL,
    has_unit=True,
    unit="s",
    baseline="that of `majority`: nearly 0",
)
COST_METRICS: tuple[MetricEntry, ...] = (
    _cost(
        name="fit-time",
        title="Seconds to fit",
        method="Wall-clock seconds of one fit, preparation steps included, on one core.",
        references=("caruana2005",),
    ),
    _cost(
        name="predict-time",
        title="Seconds to predict",
        method="Wall-clock seconds to predict the whole test part, on one core.",
    ),
    _cost(
        name="size",
        title="Size of what was learned",
        needs="size",
        unit="bytes",
        baseline="that of `majority`: a few hundred bytes",
        method="Bytes of the fitted learner when written out.",
    ),
)


METRICS: tuple[MetricEntry, ...] = LABEL_METRICS + RANK_METRICS + PROBABILITY_METRICS + NUMBER_METRICS + COST_METRICS

AVERAGES: tuple[str, ...] = ("auto", "positive", "macro", "micro", "weighted")


def _plain(word: str) -> str:
    return word.lower().replace("-", "").replace("_", "").replace(" ", "")


_BY_NAME: Mapping[str, MetricEntry] = {
    _plain(word): entry for entry in METRICS for word in (entry.name, *entry.aliases)
}
# Names of scikit-learn that stand for a metric with an option: f1_macro.
_WITH_OPTION: Mapping[str, tuple[str, tuple[str, str]]] = {
    f"{word}{average}": (name, ("average", average))
    for word, name in (("f1", "f-score"), ("precision", "precision"), ("recall", "recall"))
    for average in ("macro", "micro", "weighted")
}
# Metrics of other software that are not here: what is offered for them.
_MEANT = {
    **dict.fromkeys(("jaccard", "jaccardmacro", "jaccardmicro", "jaccardweighted", "iou", "dice"), "f-score"),
    **dict.fromkeys(("rocaucovo", "rocaucovoweighted", "rocaucovrweighted"), "roc-area"),
    **dict.fromkeys(("maxerror", "rootmeansquaredlogerror", "rmsle", "meansquaredlogerror", "msle"), "rmse"),
    "medianabsoluteerror": "mae", "smape": "mape", "explainedvariance": "r2", "ece": "cal",
    "expectedcalibrationerror": "cal", "gmean": "balanced-accuracy", "youden": "balanced-accuracy",
    "passatk": "pass(k = 5)", "pass@k": "pass(k = 5)",
}  # fmt: skip


def find_metric(name: str) -> MetricEntry | None:
    """Return the metric of a name, an alias, or a scorer or function of scikit-learn.

    Case, dashes, underscores, a leading `neg_` and a trailing `_score` count for nothing.

    >>> find_metric("neg_log_loss").name, find_metric("AUROC").name, find_metric("f1_score").name
    ('cross-entropy', 'roc-area', 'f-score')
    """
    plain = _plain(name)
    bare = plain.removeprefix("neg")
    return _BY_NAME.get(plain) or _BY_NAME.get(bare) or _BY_NAME.get(bare.removesuffix("score"))


def canonical_metric(word: str) -> tuple[str, tuple[tuple[str, str | int], ...]] | None:
    """Return the canonical name of a metric, and the options that the word stands for.

    >>> canonical_metric("f1_macro"), canonical_metric("top-5-accuracy")
    (('f-score', (('average', 'macro'),)), ('top-k', (('k', 5),)))
    """
    if (found := find_metric(word)) is not None:
        return found.name, ()
    plain = _plain(word)
    if plain in _WITH_OPTION:
        name, option = _WITH_OPTION[plain]
        return name, (option,)
    top = re.fullmatch(r"top([1-9][0-9]{0,5})(?:accuracy)?(?:score)?", plain)
    return ("top-k", (("k", int(top[1])),)) if top else None


def meant_metric(word: str) -> str | None:
    """Return what to write for a metric of other software that is not here, such as jaccard."""
    plain = _plain(word)
    return _MEANT.get(plain) or _MEANT.get(plain.removeprefix("neg").removesuffix("score"))


def metric_words() -> tuple[str, ...]:
    """Return every word that names a metric, for suggestions."""
    return tuple(word for entry in METRICS for word in (entry.name, *entry.aliases))


def needs_positive(entry: MetricEntry, options: Mapping[str, object], classes: int) -> bool:
    """Whether the positive class has to be known: not for many classes, nor for an average over both."""
    return entry.positive and classes <= 2 and options.get("average", "auto") in ("auto", "positive")


_COST = (lambda cost: 0 <= cost < 1e12, "what one such error costs, a number from 0 up")
# Which numbers each option takes, and the words for them.
_OPTIONS: Mapping[str, tuple[Callable[[float], bool], str]] = {
    "top": (lambda share: 0 < share <= 1, "a share of the rows above 0 and at most 1"),
    "beta": (lambda weight: 0 < weight < 1e6, "a number above 0"),
    "fp": _COST,
    "fn": _COST,
    "k": (lambda classes: classes >= 1, "a whole number of classes from 1 up"),
    "window": (lambda rows: rows >= 2, "a whole number of rows from 2 up"),
}
_WHOLE = ("k", "window")


def check_option(entry: MetricEntry, name: str, value: object) -> str | None:
    """Return what is wrong with an option of a metric, or None.

    >>> check_option(find_metric("lift"), "top", 2)
    'top of lift is a share of the rows above 0 and at most 1, not 2'
    """
    known = tuple(option for option, _ in entry.options)
    if name not in known:
        return f"{entry.name} has no option {name}" + (f"; it has {', '.join(known)}" if known else "")
    if name == "average":
        return None if value in AVERAGES else f"average of {entry.name} is one of {', '.join(AVERAGES)}, not {value}"
    takes, words = _OPTIONS[name]
    number = isinstance(value, int if name in _WHOLE else int | float) and not isinstance(value, bool)
    return None if number and takes(cast(float, value)) else f"{name} of {entry.name} is {words}, not {value}"
