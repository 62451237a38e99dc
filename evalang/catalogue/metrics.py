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
COUNTED = ("accuracy", "error")  # they count rows right or wrong
LABEL_METRICS: tuple[MetricEntry, ...] = (
    _labels(
        name="accuracy",
        title="Accuracy",
        row_loss=True,
        aliases=("acc",),
        baseline="the share of the most frequent class",
        method="The metric is the share of test rows whose predicted class is the true class.",
        references=("caruana2005",),
    ),
    _labels(
        name="error",
        title="Error rate",
        higher_is_better=False,
        row_loss=True,
        aliases=("error-rate", "zero-one-loss", "misclassification-rate", "hamming-loss"),
        baseline="one minus the share of the most frequent class",
        method="The metric is the share of test rows whose predicted class is wrong, which is 1 - accuracy.",
        references=("dietterich1998",),
    ),
    _labels(
        name="balanced-accuracy",
        title="Balanced accuracy",
        baseline="1 / number of classes",
        method="The metric is the mean of the recall of all classes. A class without a row in the test part is left "
        "out.",
        references=("brodersen2010",),
    ),
    _labels(
        name="precision",
        title="Precision",
        positive=True,
        options=(("average", "auto"),),
        aliases=("positive-predictive-value", "ppv"),
        baseline="the share of positives",
        method="The metric is the number of true positives divided by the number of predicted positives. If no row is "
        "predicted positive, the value is 0. "
        'With more than two classes `average` selects the plain mean over classes ("macro"), the mean weighted by '
        'the number of rows of each class ("weighted"), or the pooled counts ("micro").',
        references=("fawcett2006",),
    ),
    _labels(
        name="recall",
        title="Recall",
        positive=True,
        options=(("average", "auto"),),
        aliases=("sensitivity", "true-positive-rate", "tpr"),
        baseline="1 for a learner that predicts every row as positive, 0 for a learner that predicts none as positive",
        method="The metric is the number of true positives divided by the number of positives. If the test part has "
        "no positive row, evalang reports an error. With more than two classes `average` works as for precision, and "
        "a class without a row in the test part is left out.",
        references=("fawcett2006",),
    ),
    _labels(
        name="f-score",
        title="F-score",
        positive=True,
        options=(("average", "auto"), ("beta", 1.0)),
        aliases=("f1", "f-measure", "f1-score", "fscore"),
        baseline="2p / (1 + p) for a learner that predicts every row as positive, where p is the share of "
        "positives. Normalised scores start from a learner that predicts the more frequent class, which has an "
        "F-score of 0 if positives are rarer",
        method="The metric is the harmonic mean of precision and recall of the positive class, 2TP / (2TP + FP + FN). "
        "With `beta`, recall has beta times the weight of precision. If no row is positive and no row is predicted as "
        "positive, the value is 0. With more than two classes the default is the plain mean over classes (`average = "
        '"macro"`); "weighted" and "micro" also exist.',
        references=("caruana2005",),
    ),
    _labels(
        name="mcc",
        title="Matthews correlation",
        low=-1.0,
        aliases=("matthews", "matthews-corrcoef", "phi"),
        baseline="0",
        method="The metric is the correlation between predicted and true classes. If all predictions are the same, or "
        "the test part has only one class, the correlation is undefined and the value is 0.",
        references=("matthews1975",),
    ),
    _labels(
        name="specificity",
        title="Specificity",
        tasks=TWO,
        positive=True,
        aliases=("true-negative-rate", "tnr", "selectivity"),
        baseline="1 for a learner that predicts no row as positive, 0 for a learner that predicts every row as "
        "positive",
        method="The metric is the number of true negatives divided by the number of negatives, which is the recall of "
        "the negative class. If the test part has no negative row, evalang reports an error.",
        references=("fawcett2006",),
    ),
    _labels(
        name="kappa",
        title="Cohen's kappa",
        low=-1.0,
        aliases=("cohen-kappa", "cohens-kappa"),
        baseline="0",
        method="Kappa is (accuracy - chance) / (1 - chance). Chance is the accuracy of random guesses with the "
        "learner's own class frequencies: the sum over classes of the true share times the predicted share. If all "
        "rows have the same true class and the same predicted class, the value is 0.",
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
        baseline="the smaller of fp times the share of negatives and fn times the share of positives",
        method="The metric is the mean cost per row. A false positive costs `fp`, a false negative costs `fn`, and a "
        "right answer costs 0. With the default of 1 for both, the cost equals the error rate.",
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
        method="The metric is the share of positives among the rows with the highest scores (by default the top "
        "quarter), divided by the share of positives among all rows. Of n rows, floor(top * n + 1/2) are in the top, "
        "and at least one. If rows at the border of the top have equal scores, each of them counts as the share of "
        "positives among them, so the order of rows does not matter.",
        references=("caruana2005",),
    ),
    _ranking(
        name="roc-area",
        positive=False,
        title="Area under the ROC curve",
        tasks=CLASSES,
        aliases=("auc", "auroc", "roc", "roc-auc", "auc-roc", "roc-auc-ovr"),
        baseline="0.5",
        method="The metric is the probability that a random positive row has a higher score than a random negative "
        "row, where equal scores count one half. With more than two classes, the metric is the mean of the areas of "
        "each class against all other classes. If a class is missing from the test part, evalang reports an error.",
        references=("caruana2005", "fawcett2006"),
    ),
    _ranking(
        name="average-precision",
        title="Average precision",
        aliases=("apr", "pr-area", "pr-auc", "auprc", "auc-pr"),
        baseline="the share of positives",
        method="The metric is the sum of precision times the increase in recall, over all distinct scores from high "
        "to low. Rows with equal scores are added together. If the test part has no positive row, evalang reports an "
        "error.",
        references=("caruana2005",),
    ),
    _ranking(
        name="break-even",
        title="Precision/recall break-even point",
        aliases=("bep", "break-even-point"),
        baseline="the share of positives",
        method="The metric is the precision among the n rows with the highest scores, where n is the number of "
        "positives. With this number of rows precision equals recall. If rows at the border have equal scores, each "
        "of them counts as the share of positives among them.",
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
        method="The metric is the share of test rows whose true class is among the k classes with the highest scores. "
        "The default is k = 2, as in scikit-learn. Write `top-k(k = 5)` for k = 5. If classes at the border have "
        "equal scores, they share the remaining places, so the order of classes does not matter. If the target has at "
        "most k classes, evalang reports an error, because every prediction would be right.",
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
        method="The metric is the square root of the Brier score, which Caruana and Niculescu-Mizil call RMS. Scores "
        "that are not probabilities are scaled as for the Brier score.",
        references=("caruana2005",),
    ),
    _probabilities(
        name="brier",
        title="Brier score",
        aliases=("squared-error", "brier-score", "brier-score-loss"),
        baseline="p(1 - p), p the share of positives",
        method="The metric is the mean squared difference between the probability of the positive class and the truth "
        "(1 if positive, else 0). With more than two classes, the score of a row is half of the sum of the squared "
        "differences over all classes. With two classes this half equals the squared difference for the positive "
        "class. If a learner gives margins (scores that are not probabilities), they are first scaled linearly to "
        "0..1 over the test part, as Caruana and Niculescu-Mizil do.",
        references=("brier1950", "caruana2005"),
    ),
    _probabilities(
        name="cross-entropy",
        title="Cross-entropy",
        high=None,
        aliases=("log-loss", "mxe", "nll", "negative-log-likelihood"),
        baseline="-p ln p - (1 - p) ln(1 - p), p the share of positives",
        method="The metric is the mean of -ln(p), where p is the probability given to the true class. Probabilities "
        "below 2^-52 count as 2^-52, as in scikit-learn, so the loss of one row is at most 36.1. Scores that are not "
        "probabilities are scaled as for the Brier score.",
        references=("caruana2005",),
    ),
    _probabilities(
        name="cal",
        row_loss=False,
        title="Calibration error",
        tasks=TWO,
        options=(("window", 100),),
        aliases=("calibration",),
        baseline="about 0, because predicting the share of positives is well calibrated. Normalised scores "
        "therefore start from the mean of all learners, and 1 is the best observed value",
        method="The rows are sorted by their predicted probability. In each window of 100 neighbouring rows the "
        "share of positives is compared with the mean probability, and the metric is the mean absolute difference "
        "over all windows. For rows with equal probabilities, their mean outcome is used. The metric needs at least "
        "100 test rows and ignores row weights.",
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
        baseline="the standard deviation of the target (of the learner that always predicts the mean)",
        method="The metric is the square root of the mean squared difference between prediction and target, in the "
        "unit of the target.",
    ),
    _numbers(
        name="mse",
        title="Mean squared error",
        aliases=("mean-squared-error",),
        baseline="the mse of the learner `mean`, which is the variance of the target",
        method="The metric is the mean of the squared differences between prediction and target, in squared units of "
        "the target.",
    ),
    _numbers(
        name="mae",
        title="Mean absolute error",
        unit="unit of the target",
        aliases=("absolute-error", "mean-absolute-error"),
        baseline="the mean absolute deviation of the target (of the learner that always predicts the median)",
        method="The metric is the mean absolute difference between prediction and target, in the unit of the target.",
    ),
    _numbers(
        name="mape",
        has_unit=False,
        title="Mean absolute percentage error",
        aliases=("percentage-error", "mean-absolute-percentage-error"),
        baseline="above 0: the mean of |mean of the training targets - truth| / |truth|",
        method="The metric is the mean of |prediction - target| / |target|, as a share: 0.1 is 10%. If the target is "
        "0 in a test row, evalang reports an error. For a positive target, the error of a prediction that is too low "
        "is at most 100%, but the error of a prediction that is too high has no limit. The metric therefore favours "
        "learners that predict low values.",
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
        method="R2 is 1 - (sum of squared errors) / (sum of squares around the mean of the test part). If the target "
        "of the test part is constant or has fewer than two rows, evalang reports an error.",
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
    baseline="the prediction time of the learner `majority`, which is nearly 0",
)
COST_METRICS: tuple[MetricEntry, ...] = (
    _cost(
        name="fit-time",
        title="Seconds to fit",
        method="The metric is the wall-clock time of one fit on one core in seconds, including preparation steps.",
        references=("caruana2005",),
        baseline=("the training time of the learner `majority`, which is nearly 0"),
    ),
    _cost(
        name="predict-time",
        title="Seconds to predict",
        method="The metric is the wall-clock time to predict the whole test part on one core, in seconds.",
    ),
    _cost(
        name="size",
        title="Size of the fitted learner",
        needs="size",
        unit="bytes",
        baseline="the size of the learner `majority`, which is a few hundred bytes",
        method="The metric is the size of the fitted learner in bytes when it is serialised.",
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
    """Return whether the positive class has to be known: not for many classes, nor for an average over both."""
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
