"""Cards of the metrics of predicted classes."""

from __future__ import annotations

from ..entry import MetricEntry
from .tasks import CLASSES, TWO

LABEL_METRICS: tuple[MetricEntry, ...] = (
    MetricEntry(
        name="accuracy",
        title="Accuracy",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        row_loss=True,
        aliases=("acc",),
        baseline="the share of the most frequent class",
        method="The share of test rows whose predicted class is the true one.",
        references=("caruana2005",),
    ),
    MetricEntry(
        name="error",
        title="Error rate",
        higher_is_better=False,
        low=0.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        row_loss=True,
        aliases=("error-rate",),
        baseline="one minus the share of the most frequent class",
        method="The share of test rows whose predicted class is wrong: 1 - accuracy.",
        references=("dietterich1998",),
    ),
    MetricEntry(
        name="balanced-accuracy",
        title="Balanced accuracy",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        baseline="1 / number of classes",
        method="The mean over the classes of the share of the class's rows that are predicted right. "
        "Classes with no row in the test part are left out.",
        references=("brodersen2010",),
    ),
    MetricEntry(
        name="precision",
        title="Precision",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        positive=True,
        options=(("average", "auto"),),
        aliases=("positive-predictive-value",),
        baseline="the share of positives",
        method="True positives / predicted positives; 0 when nothing is predicted positive. "
        'Many classes: the plain mean over classes (average = "macro"), the mean weighted by the classes\' rows '
        '("weighted"), or the pooled counts ("micro").',
        references=("fawcett2006",),
    ),
    MetricEntry(
        name="recall",
        title="Recall",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        positive=True,
        options=(("average", "auto"),),
        aliases=("sensitivity", "true-positive-rate"),
        baseline="1 for a learner that calls every row positive, 0 for one that calls none",
        method="True positives / positives; an error when the test part has no positive. Many classes: as precision; "
        "classes with no row in the test part are left out.",
        references=("fawcett2006",),
    ),
    MetricEntry(
        name="f-score",
        title="F-score",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        positive=True,
        options=(("average", "auto"), ("beta", 1.0)),
        aliases=("f1", "f-measure", "f1-score", "fscore"),
        baseline="2p / (1 + p) for a learner that calls every row positive, p the share of positives",
        method="The harmonic mean of precision and recall, 2TP / (2TP + FP + FN), of the positive class; beta weighs "
        "recall beta times as much. No positive row and none predicted counts as 0. Many classes: the plain mean over "
        'classes (average = "macro", the default there), "weighted" or "micro".',
        references=("caruana2005",),
    ),
    MetricEntry(
        name="mcc",
        title="Matthews correlation",
        higher_is_better=True,
        low=-1.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        aliases=("matthews", "phi"),
        baseline="0",
        method="The correlation of predicted and true classes. A constant prediction, or a test part of one class, has "
        "no correlation and counts as 0.",
        references=("matthews1975",),
    ),
    MetricEntry(
        name="specificity",
        title="Specificity",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="labels",
        tasks=TWO,
        positive=True,
        aliases=("true-negative-rate", "selectivity"),
        baseline="1 for a learner that calls no row positive, 0 for one that calls every row so",
        method="True negatives / negatives: the recall of the class that is not the positive one. An error when the "
        "test part has no negative.",
        references=("fawcett2006",),
    ),
    MetricEntry(
        name="kappa",
        title="Cohen's kappa",
        higher_is_better=True,
        low=-1.0,
        high=1.0,
        needs="labels",
        tasks=CLASSES,
        aliases=("cohen-kappa", "cohens-kappa"),
        baseline="0",
        method="(accuracy - chance) / (1 - chance), where chance is the accuracy of guesses that name each class as "
        "often as the learner does: the sum over the classes of true share times predicted share. "
        "Where truth and prediction are one and "
        "the same class throughout there is nothing to agree on beyond chance, and it counts as 0.",
        references=("cohen1960",),
    ),
    MetricEntry(
        name="cost",
        title="Cost of the errors",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="labels",
        tasks=TWO,
        positive=True,
        row_loss=True,
        has_unit=True,
        unit="per row",
        options=(("fp", 1.0), ("fn", 1.0)),
        baseline="the smaller of fp times the share of negatives and fn times the share of positives, for the better "
        "of the two constant answers",
        method="The mean cost of a row: fp for a negative called positive, fn for a positive called negative, 0 for a "
        "right answer. With both 1, which they are unless told, it is the error rate.",
        references=("elkan2001",),
    ),
)
