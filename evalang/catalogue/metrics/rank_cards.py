"""Cards of the metrics of the order of the rows."""

from __future__ import annotations

from ..entry import MetricEntry
from .tasks import CLASSES, MANY, TWO

RANK_METRICS: tuple[MetricEntry, ...] = (
    MetricEntry(
        name="lift",
        title="Lift",
        higher_is_better=True,
        low=0.0,
        high=None,
        needs="scores",
        tasks=TWO,
        positive=True,
        options=(("top", 0.25),),
        baseline="1",
        method="The share of positives among the rows with the highest scores (the top quarter unless told), divided "
        "by the share of positives among all. The top has floor(top * n + 1/2) rows, at least one; rows tied at its "
        "edge count by the share of positives among them, so the order of the rows does not matter.",
        references=("caruana2005",),
    ),
    MetricEntry(
        name="roc-area",
        title="Area under the ROC curve",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="scores",
        tasks=CLASSES,
        aliases=("auc", "roc-auc", "roc"),
        baseline="0.5",
        method="The chance that a random positive row has a higher score than a random negative one, ties counting one "
        "half. Many classes: each against the rest, plain mean. An error when a class is missing from the test part.",
        references=("caruana2005", "fawcett2006"),
    ),
    MetricEntry(
        name="average-precision",
        title="Average precision",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="scores",
        tasks=TWO,
        positive=True,
        aliases=("apr", "pr-area"),
        baseline="the share of positives",
        method="The sum over distinct scores, from high to low, of precision times the step in recall; rows of equal "
        "score enter together. An error when the test part has no positive.",
        references=("caruana2005",),
    ),
    MetricEntry(
        name="break-even",
        title="Precision/recall break-even point",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="scores",
        tasks=TWO,
        positive=True,
        aliases=("bep", "break-even-point"),
        baseline="the share of positives",
        method="The precision among as many top rows as there are positives, where precision equals recall. Rows tied "
        "at the edge count by the share of positives among them.",
        references=("caruana2005",),
    ),
    MetricEntry(
        name="top-k",
        title="Top-k accuracy",
        higher_is_better=True,
        low=0.0,
        high=1.0,
        needs="scores",
        tasks=MANY,
        row_loss=True,
        options=(("k", 2),),
        aliases=("top-k-accuracy",),
        baseline="the share of the k most frequent classes",
        method="The share of test rows whose true class is among the k classes with the highest scores (2 unless told, "
        "as in scikit-learn; write top-k(k = 5)). Classes tied at the edge count by the share of them that finds room, "
        "so the order of the classes does not matter. An error with k classes or fewer, where everybody is right.",
        references=("russakovsky2015",),
    ),
)
