"""The frames that are made of the stored trials, and their columns; the others are made of the result."""

from __future__ import annotations

TRIAL = ("comparison", "learner", "dataset", "partition", "fold", "training", "tuned_for")
PREDICTIONS = (*TRIAL, "row", "truth", "label", "score")  # and `score of CLASS` for each of three classes or more
TIMES = (*TRIAL, "fit_seconds", "predict_seconds", "trial_seconds", "memory", "bytes", "trained", "tested")
FOLDS = ("comparison", "dataset", "learners", "scheme", "partition", "fold", "row", "part")
TRIAL_FRAMES = {"predictions": PREDICTIONS, "times": TIMES, "folds": FOLDS}
