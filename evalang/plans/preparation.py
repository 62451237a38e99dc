"""What is done to the columns before a learner sees them and is not written in the script: one rule, used and printed.

Missing numbers get the median of the training part, missing categories the most frequent one, and categories become 0/1
columns. A learner that takes missing values and categories itself gets them as they are, unless steps are written
before it; so does everything `without preparation`, and a scikit-learn pipeline from Python, which chooses its columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..catalogue.learners import STEPS, StepEntry, find_learner, find_step
from .model import Learner, Step

Added = Literal["median", "most-frequent", "one-hot"]
Lane = Literal["numeric", "categorical", "whole"]
_BY_TRANSFORMER = {card.transformer: card for card in reversed(STEPS)}
DROP = "drop"  # the one step that is the language's own
MOST_LEVELS = 255  # categories of a column that histogram boosting can hold
_ENCODERS = ("one-hot", "ordinal", "target-encode")
_IMPUTERS = ("impute", "impute-neighbours")
_HISTOGRAMS = ("sklearn.ensemble.HistGradientBoosting", "sklearn.ensemble._hist_gradient_boosting.")
_BOOSTERS = ("lightgbm", "xgboost")  # those that take categories as they are
_NUMBERS_ONLY = ("catboost",)  # missing numbers as they are; categories encoded, which it would not take missing
_PIPELINES = ("sklearn.pipeline.", "sklearn.compose.")

WORDS: dict[Added, str] = {
    "median": "missing numbers are replaced by the median of the training set",
    "most-frequent": "missing categories are replaced by the most frequent one of the training set",
    "one-hot": "categories become 0/1 columns (one-hot); an unseen category is all 0",
}


@dataclass(frozen=True, slots=True)
class Cells:
    """What the columns of a table hold."""

    missing_numbers: bool
    missing_categories: bool
    categories: bool
    levels: int = 0  # the most categories of any column


EVERYTHING = Cells(missing_numbers=True, missing_categories=True, categories=True)


def taken_raw(learner: Learner) -> Literal["all", "numbers", "none"]:
    """Return which columns the learner itself can take as they are."""
    steps = [step for step in learner.steps if not is_drop(step)]
    if learner.without_preparation:
        return "all"
    if len(steps) > 1:
        return "none"
    behind = class_behind(steps[-1])
    if behind.startswith((*_HISTOGRAMS, *(f"{name}." for name in _BOOSTERS))):
        return "all"
    if steps[-1].kind == "python" and behind.startswith(_PIPELINES):
        return "all"
    return "numbers" if behind.startswith(tuple(f"{name}." for name in _NUMBERS_ONLY)) else "none"


def additions(learner: Learner, cells: Cells = EVERYTHING) -> tuple[Added, ...]:
    """Return what evalang adds for this learner on columns like these, in order."""
    raw = taken_raw(learner)
    histogram = class_behind(learner.steps[-1]).startswith(_HISTOGRAMS)
    if raw == "all" and histogram and cells.levels > MOST_LEVELS and not learner.without_preparation:
        raw = "numbers"
    if raw == "all":
        return ()
    imputed, encoded = _written(learner.steps[:-1])
    added: list[Added] = []
    if cells.missing_numbers and raw != "numbers" and "numeric" not in imputed:
        added.append("median")
    if cells.missing_categories and "categorical" not in imputed:
        added.append("most-frequent")
    if cells.categories and not encoded:
        added.append("one-hot")
    return tuple(added)


def step_card(step: Step) -> StepEntry | None:
    """Return the card of a step, also where it is written as the estimator behind it."""
    return find_step(step.name) if step.kind == "step" else _BY_TRANSFORMER.get(step.name)


def lanes_of(card: StepEntry | None, joined: bool) -> tuple[Lane, ...]:
    """Return the columns that a step works on; `joined` after a step that mixes columns."""
    if card is not None and card.columns == "categorical":
        return ("categorical",)
    if joined:
        return ("whole",)
    return ("numeric", "categorical") if card is not None and card.name == "impute" else ("numeric",)


def joins(card: StepEntry | None) -> bool:
    """Return whether a step takes all columns together."""
    return card is None or (card.columns == "all" and card.name != "impute")


def _written(steps: tuple[Step, ...]) -> tuple[set[Lane], bool]:
    """Return the kinds of columns that the script's own steps impute, and whether those steps encode categories."""
    imputed: set[Lane] = set()
    encoded = joined = False
    for step in (step for step in steps if not is_drop(step)):
        card = step_card(step)
        joined = joined or joins(card)
        imputed |= {"numeric"} if joins(card) and step.name.startswith("sklearn.impute.") else set()
        imputed |= set(lanes_of(card, joined)) if card is not None and card.name in _IMPUTERS else set()
        encoded = encoded or (card is not None and card.name in _ENCODERS)
    return imputed, encoded


def is_drop(step: Step) -> bool:
    """Return whether a step is `drop(columns = [...])`, which leaves columns out."""
    return step.kind == "step" and step.name == DROP


def dropped(step: Step) -> tuple[str, ...]:
    """Return the columns that a `drop` names."""
    columns = dict(step.parameters).get("columns", ())
    return tuple(str(name) for name in columns) if isinstance(columns, tuple) else ()


def boosts_frames(step: Step) -> str:
    """Return the boosting package that takes categories as pandas has them; "" for every other learner."""
    return next((name for name in _BOOSTERS if class_behind(step).startswith(f"{name}.")), "")


def boosts_histograms(step: Step) -> bool:
    """Return whether it is scikit-learn's histogram boosting, which takes a list of categorical columns."""
    return class_behind(step).startswith(_HISTOGRAMS)


def class_behind(step: Step) -> str:
    """Return the dotted class of a step, the classifier where there are two."""
    if step.kind == "code":
        return step.name.replace(":", ".")
    if step.kind == "python":
        return step.target
    known = find_learner(step.name) if step.kind == "learner" else None
    return (known.classifier or known.regressor or "") if known is not None else step.name


PATIENCE = 10  # rounds without a better score, unless the learner's parameters say another number

Stops = Literal["on the part", "by itself"]

_PACKAGES = ("lightgbm", "xgboost", "catboost")
_HISTOGRAMS_STOPPING = "HistGradientBoosting"
# They cut the rows to stop on from those they are given, at random, and take no others.
_THEMSELVES = ("GradientBoosting", "MLP", "SGDClassifier", "SGDRegressor", "Perceptron", "PassiveAggressive")


def stops_early(learner: Learner) -> Stops | None:
    """Return whether a learner stops on the part that the script cuts, on rows it holds out itself, or never (None)."""
    if learner.described is not None or not learner.steps:
        return None
    last = learner.steps[-1]
    behind = class_behind(last)
    package, name = behind.partition(".")[0], behind.rpartition(".")[2]
    if package in _PACKAGES or (package == "sklearn" and name.startswith(_HISTOGRAMS_STOPPING)):
        return "on the part"
    refused = dict(last.parameters).get("solver") == "lbfgs"  # of a net: it has no rounds to stop after
    return "by itself" if package == "sklearn" and name.startswith(_THEMSELVES) and not refused else None
