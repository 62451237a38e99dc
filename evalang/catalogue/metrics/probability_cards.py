"""Cards of the metrics that take scores for probabilities."""

from __future__ import annotations

from ..entry import MetricEntry
from .tasks import CLASSES, TWO

PROBABILITY_METRICS: tuple[MetricEntry, ...] = (
    MetricEntry(
        name="root-brier",
        title="Root mean squared error of the probabilities",
        higher_is_better=False,
        low=0.0,
        high=1.0,
        needs="probabilities",
        tasks=CLASSES,
        row_loss=True,
        aliases=("rms",),
        baseline="sqrt(p(1 - p)), p the share of positives",
        method="The square root of the Brier score; the RMS of Caruana and Niculescu-Mizil. Margins are scaled as for "
        "the Brier score.",
        references=("caruana2005",),
    ),
    MetricEntry(
        name="brier",
        title="Brier score",
        higher_is_better=False,
        low=0.0,
        high=1.0,
        needs="probabilities",
        tasks=CLASSES,
        row_loss=True,
        aliases=("squared-error", "brier-score"),
        baseline="p(1 - p), p the share of positives",
        method="The mean of (probability of the positive class - 1 if positive, else 0) squared. Many classes: half "
        "the sum of the squares over the classes, which is the same number for two. The margins of a learner that is "
        "not calibrated are first scaled linearly to 0..1 over the test part, as Caruana and Niculescu-Mizil do.",
        references=("brier1950", "caruana2005"),
    ),
    MetricEntry(
        name="cross-entropy",
        title="Cross-entropy",
        higher_is_better=False,
        low=0.0,
        high=None,
        needs="probabilities",
        tasks=CLASSES,
        row_loss=True,
        aliases=("log-loss", "logloss", "mxe"),
        baseline="-p ln p - (1 - p) ln(1 - p), p the share of positives",
        method="The mean of -ln(probability given to the true class). Probabilities are raised to at least 2^-52 "
        "first, as in scikit-learn, so that one row costs at most 36.1. Margins are scaled as for the Brier score.",
        references=("caruana2005",),
    ),
    MetricEntry(
        name="cal",
        title="Calibration error",
        higher_is_better=False,
        low=0.0,
        high=1.0,
        needs="probabilities",
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
