"""Which learners end their training early, and on whose rows: one table, used by the run and printed by the plan."""

from __future__ import annotations

from typing import Literal

from .model import Learner
from .preparation import class_behind

PATIENCE = 10  # rounds without a better score, unless the learner's parameters say another number

Stops = Literal["on the part", "by itself"]

_PACKAGES = ("lightgbm", "xgboost", "catboost")
_HISTOGRAMS = "HistGradientBoosting"
# They cut the rows to stop on from those they are given, at random, and take no others.
_THEMSELVES = ("GradientBoosting", "MLP", "SGDClassifier", "SGDRegressor", "Perceptron", "PassiveAggressive")


def stops_early(learner: Learner) -> Stops | None:
    """On the part that `stop early on` cuts, on as many rows that it cuts itself, or (None) not at all."""
    if learner.described is not None or not learner.steps:
        return None
    last = learner.steps[-1]
    behind = class_behind(last)
    package, name = behind.partition(".")[0], behind.rpartition(".")[2]
    if package in _PACKAGES or (package == "sklearn" and name.startswith(_HISTOGRAMS)):
        return "on the part"
    refused = dict(last.parameters).get("solver") == "lbfgs"  # of a net: it has no rounds to stop after
    return "by itself" if package == "sklearn" and name.startswith(_THEMSELVES) and not refused else None
