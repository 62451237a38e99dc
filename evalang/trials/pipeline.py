"""A plan's learner made ready to fit: its preparation steps, what they leave undone, and the learner.

What is not written is done by a stated default. Missing numbers: the column's median. Categories: the most frequent
one for a missing value, then one 0/1 column each; a category never seen in training gets zeros. Nothing is scaled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..catalogue.entry import StepEntry
from ..catalogue.stages import check_stage, stage_parameters
from ..catalogue.steps import STEPS, find_step
from ..data.table import Table
from ..errors import ScriptError
from ..plans.model import Learner, Step
from ..source.record import Record, replace
from .prepared import Lanes, Prepared, SignedLog
from .resolve import Task, dotted_of, estimator_class, handed, make, own

Lane = Literal["numeric", "categorical", "whole"]
_BY_TRANSFORMER = {card.transformer: card for card in reversed(STEPS)}
_ENCODERS = ("one-hot", "ordinal", "target-encode")
_IMPUTERS = ("impute", "impute-neighbours")
_SEEDS = 2**31 - 1
_STRIDE = 1_640_531_527  # far apart for neighbouring stages; the trial's seed is already a hash of its key


class Columns(Record):
    """What the columns of a matrix hold."""

    kinds: tuple[Literal["numeric", "categorical"], ...]
    missing: tuple[bool, ...]  # some row has no value here

    def places(self, kind: str) -> list[int]:
        """Positions of the columns of a kind."""
        return [place for place, one in enumerate(self.kinds) if one == kind]

    def lacks(self, kind: str) -> bool:
        """Whether a column of this kind has missing values."""
        return any(gone for one, gone in zip(self.kinds, self.missing, strict=True) if one == kind)


class Trust(Record):
    """What may be used beside the catalogue: packages named on the command line, objects handed over from Python."""

    packages: frozenset[str] = frozenset()
    handed: Mapping[str, Any] = {}


NOBODY = Trust()


def matrix(table: Table) -> npt.NDArray[np.float64]:
    """All features as one float matrix: numbers as they are, categories as their place in sorted order, missing NaN.

    Made once per dataset. The place of a category is only another way to write it down; what is learned from
    categories (which there are, which is frequent) is learned in the training part.
    """
    filled = np.empty((len(table.X), len(table.kinds)), dtype=np.float64)
    for place, kind in enumerate(table.kinds):
        column = table.X.iloc[:, place]
        if kind == "numeric":
            filled[:, place] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            codes = column.cat.codes.to_numpy().astype(np.float64)
            filled[:, place] = np.where(codes < 0, np.nan, codes)
    return filled


def columns_of(table: Table) -> Columns:
    """The kinds of the columns, and which have missing values in any row."""
    return Columns(kinds=tuple(table.kinds), missing=tuple(bool(gone) for gone in table.X.isna().any().to_numpy()))


def build(
    learner: Learner,
    task: Task,
    columns: Columns,
    seed: int,
    settings: tuple[tuple[str, Any], ...] = (),
    trust: Trust = NOBODY,
) -> Prepared:
    """A fresh, unfitted learner with its steps; `settings` are a candidate's values, named as in `tune`."""
    steps = _set(learner.steps, settings)
    seeds = [(seed + place * _STRIDE) % _SEEDS for place in range(len(steps))]
    made = _last(steps[-1], task, seeds[-1], trust)
    if len(steps) == 1 and steps[0].kind == "python" and _chooses_columns(made):
        return Prepared([], made, takes_weights=False, takes_frame=True)
    prepared = _preparation(steps[:-1], task, columns, seeds, trust)
    return Prepared(prepared, made, takes_weights=_takes_weights(steps[-1], task, made))


def owner(parameter: str, steps: tuple[Step, ...]) -> tuple[int, str]:
    """Which stage a tuned parameter belongs to: `pca.n_components` by name, a bare one of the last or only one with it.

    >>> from evalang.plans.model import Step
    >>> owner("n_components", (Step(name="pca", kind="step"), Step(name="knn", kind="learner")))
    (0, 'n_components')
    """
    stage, dot, bare = parameter.rpartition(".")
    order = range(len(steps) - 1, -1, -1)
    for place in order:
        step = steps[place]
        named = not dot or stage in (step.name, step.name.replace("-", "_"), step.name.rpartition(".")[2])
        if named and (step.kind in ("code", "python") or bare in stage_parameters(step.name)):
            return place, bare
    shown = " | ".join(step.name for step in steps)
    raise ScriptError(f"{shown} has no parameter {parameter}")


def _set(steps: tuple[Step, ...], settings: tuple[tuple[str, Any], ...]) -> tuple[Step, ...]:
    changed = list(steps)
    for word, value in settings:
        place, name = owner(word, steps)
        kept = tuple(pair for pair in changed[place].parameters if pair[0] != name)
        changed[place] = replace(changed[place], parameters=(*kept, (name, value)))
    return tuple(changed)


def _last(step: Step, task: Task, seed: int, trust: Trust) -> Any:
    if step.kind == "code":
        return own(step, seed, trust.packages)
    return handed(step, seed, trust.handed) if step.kind == "python" else make(step, task, seed, {}, last=True)


def _preparation(steps: tuple[Step, ...], task: Task, columns: Columns, seeds: list[int], trust: Trust) -> list[Any]:
    """The written steps, each on its kind of columns, then the default for what they leave undone."""
    lanes: dict[Lane, list[Any]] = {"numeric": [], "categorical": [], "whole": []}
    imputed: set[Lane] = set()
    encoded = joined = False
    for place, step in enumerate(steps):
        card = _card(step)
        name = card.name if card else ""
        if card is None or (card.columns == "all" and name != "impute"):
            joined = True
            imputed |= {"numeric"} if step.name.startswith("sklearn.impute.") else set()
        for lane in _lanes_of(card, joined):
            lanes[lane].append(_step(step, name, task, seeds[place], lane, trust))
            imputed |= {lane} if name in _IMPUTERS else set()
        encoded |= name in _ENCODERS
    if columns.lacks("numeric") and "numeric" not in imputed:
        lanes["numeric"].insert(0, _imputer("median"))
    if columns.lacks("categorical") and "categorical" not in imputed:
        lanes["categorical"].insert(0, _imputer("most_frequent"))
    if not encoded and "categorical" in columns.kinds:
        lanes["categorical"].append(make(Step(name="one-hot", kind="step"), task, 0, {}, last=False))
    return [*_side_by_side(columns, lanes), *lanes["whole"]]


def _side_by_side(columns: Columns, lanes: dict[Lane, list[Any]]) -> list[Any]:
    numeric, categorical = columns.places("numeric"), columns.places("categorical")
    if not categorical:
        return lanes["numeric"]
    if not numeric:
        return lanes["categorical"]
    return [Lanes([(numeric, lanes["numeric"]), (categorical, lanes["categorical"])])]


def _card(step: Step) -> StepEntry | None:
    return find_step(step.name) if step.kind == "step" else _BY_TRANSFORMER.get(step.name)


def _lanes_of(card: StepEntry | None, joined: bool) -> tuple[Lane, ...]:
    if card is not None and card.columns == "categorical":
        return ("categorical",)
    if joined:
        return ("whole",)
    return ("numeric", "categorical") if card is not None and card.name == "impute" else ("numeric",)


def _step(step: Step, name: str, task: Task, seed: int, lane: Lane, trust: Trust) -> Any:
    if step.kind == "code":
        return own(step, seed, trust.packages)
    if step.kind == "python":
        return handed(step, seed, trust.handed)
    if name == "log" and step.kind == "step":
        if step.parameters:
            raise ScriptError(f"log has no parameter {step.parameters[0][0]}", span=step.span)
        return SignedLog()
    if name == "impute":
        return _written_imputer(step, task, lane)
    extra: dict[str, Any] = {}
    if name == "select":
        from sklearn.feature_selection import f_classif, f_regression

        extra["score_func"] = f_classif if task == "classification" else f_regression
    if name == "target-encode":
        extra["cv"], step = _cross_fit(step, task, seed)
    return make(step, task, seed, extra, last=False)


def _cross_fit(step: Step, task: Task, seed: int) -> tuple[Any, Step]:
    """The folds within the training part that a target encoder is fitted out of, dealt by the trial's own seed."""
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = dict(step.parameters).get("cv", 5)
    wrong = check_stage(step.name, "cv", folds)
    if wrong is not None or not isinstance(folds, int):
        raise ScriptError(wrong or f"cv of {step.name} is a whole number", span=step.span)
    kind = StratifiedKFold if task == "classification" else KFold
    left = tuple(pair for pair in step.parameters if pair[0] != "cv")
    return kind(n_splits=folds, shuffle=True, random_state=seed), replace(step, parameters=left)


def _written_imputer(step: Step, task: Task, lane: Lane) -> Any:
    given = dict(step.parameters)
    make(step, task, 0, {}, last=False)  # checks the parameters as written
    strategy = given.get("strategy")
    if lane != "categorical":
        ours = {"strategy": "median"} if strategy is None and step.kind == "step" else {}
        return make(step, task, 0, {**ours, "keep_empty_features": True}, last=False)
    if strategy == "constant":  # a missing category becomes a category of its own
        return _imputer("constant", -1)
    return _imputer("most_frequent")


def _imputer(strategy: str, fill: float | None = None) -> Any:
    from sklearn.impute import SimpleImputer

    return SimpleImputer(strategy=strategy, fill_value=fill, keep_empty_features=True)


def _takes_weights(step: Step, task: Task, made: Any) -> bool:
    if step.kind in ("code", "python"):
        from sklearn.utils.validation import has_fit_parameter

        return bool(has_fit_parameter(made, "sample_weight"))
    return estimator_class(dotted_of(step, task))[1].weights


def _chooses_columns(made: Any) -> bool:
    """A scikit-learn pipeline or column transformer picks its columns itself, by name."""
    return hasattr(made, "steps") or hasattr(made, "transformers")
