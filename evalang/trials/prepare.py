"""Tables and learners made ready to fit: the features as one matrix, the preparation steps, and the learner.

What is not written is added by the rules of plans/preparation.py, which plan and report print. Nothing is scaled.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..catalogue.learners import check_stage, stage_parameters
from ..data.table import Table
from ..errors import DataError, ScriptError
from ..language.text import nearest
from ..plans.model import Learner, Plan, Step
from ..plans.preparation import (
    Added,
    Cells,
    Lane,
    additions,
    boosts_frames,
    boosts_histograms,
    dropped,
    is_drop,
    joins,
    lanes_of,
    step_card,
)
from .learners import (
    NO_TRUST,
    Task,
    Trust,
    check_trust,
    dotted_of,
    estimator_class,
    given_object,
    make,
    own_object,
)
from .prepared import Lanes, Prepared, SignedLog
from .splits import Rows
from .trial import Numbers, digest

_SEEDS = 2**31 - 1
_STRIDE = 1_640_531_527  # far apart for neighbouring stages; the trial's seed is already a hash of its key


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a matrix hold."""

    kinds: tuple[Literal["numeric", "categorical"], ...]
    missing: tuple[bool, ...]  # some row has no value here
    names: tuple[str, ...] = ()
    levels: int = 0  # the most categories of any column

    def places(self, kind: str) -> list[int]:
        """Return the positions of the columns of a kind."""
        return [place for place, one in enumerate(self.kinds) if one == kind]

    def lacks(self, kind: str) -> bool:
        """Return whether a column of this kind has missing values."""
        return any(gone for one, gone in zip(self.kinds, self.missing, strict=True) if one == kind)

    @property
    def cells(self) -> Cells:
        """What preparation depends on."""
        return Cells(
            missing_numbers=self.lacks("numeric"),
            missing_categories=self.lacks("categorical"),
            categories="categorical" in self.kinds,
            levels=self.levels,
        )

    def without(self, gone: list[str]) -> tuple[list[int], Columns]:
        """Return the places of the other columns, and what they hold."""
        kept = [place for place, name in enumerate(self.names) if name not in gone]
        left = replace(
            self,
            kinds=tuple(self.kinds[i] for i in kept),
            missing=tuple(self.missing[i] for i in kept),
            names=tuple(self.names[i] for i in kept),
        )
        return kept, left


def matrix(table: Table) -> npt.NDArray[np.float64]:
    """Return all features as one float matrix: numbers as they are, categories as their place in order, missing NaN.

    Made once per dataset. The place of a category is only another way to write it down; what is learned from
    categories (which there are, which is frequent) is learned in the training part.
    """
    filled = np.empty((len(table.X), len(table.kinds)), dtype=np.float64)
    numbers = [place for place, kind in enumerate(table.kinds) if kind == "numeric"]
    filled[:, numbers] = table.X.iloc[:, numbers].to_numpy(dtype=np.float64, na_value=np.nan)
    for place in set(range(len(table.kinds))).difference(numbers):
        codes = table.X.iloc[:, place].cat.codes.to_numpy().astype(np.float64)
        filled[:, place] = np.where(codes < 0, np.nan, codes)
    return filled


def columns_of(table: Table) -> Columns:
    """Return the kinds of the columns, and which have missing values in any row."""
    levels = [len(table.X.iloc[:, i].cat.categories) for i, kind in enumerate(table.kinds) if kind == "categorical"]
    return Columns(
        kinds=tuple(table.kinds),
        missing=tuple(bool(gone) for gone in np.any(table.X.isna().to_numpy(), axis=0)),
        names=tuple(str(name) for name in table.X.columns),
        levels=max(levels, default=0),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedTable:
    """A table ready for fitting: one matrix, read-only, shared by every trial on it."""

    table: Table
    X: Numbers
    columns: Columns
    trust: Trust

    def features(self, prepared: Prepared, rows: Rows) -> Any:
        """Return the features of some rows, read-only: a learner that changes them in place fails."""
        keeps = prepared.keeps
        if prepared.takes_frame:
            frame = self.table.X.iloc[rows] if keeps is None else self.table.X.iloc[rows, keeps]
            plain = [f"column_{place}" for place in range(frame.shape[1])]
            return frame.set_axis(plain, axis=1) if prepared.plain_names else frame
        part = self.X[rows] if keeps is None else self.X[rows][:, keeps]
        part.flags.writeable = False
        return part


def prepare_table(table: Table, trust: Trust = NO_TRUST) -> PreparedTable:
    """Return a table ready for fitting; done once for each dataset and process."""
    features = matrix(table)
    features.flags.writeable = False
    for array in (table.y, table.weights, table.groups, table.time, table.series):
        if array is not None:
            array.flags.writeable = False
    return PreparedTable(table=table, X=features, columns=columns_of(table), trust=trust)


@lru_cache(maxsize=256)
def added_to(learner: Learner, columns: Columns) -> tuple[Added, ...]:
    """Return what is done to these columns for this learner without being written."""
    return additions(learner, _kept(learner.steps, columns)[1].cells)


def prepared_of(plan: Plan, tables: Mapping[str, Table]) -> tuple[tuple[str, str, tuple[Added, ...]], ...]:
    """Return (dataset, learner, what is added before it) for all that are compared."""
    found = []
    for dataset, table in tables.items():
        columns = columns_of(table)
        asked = dict.fromkeys(x for c in plan.comparisons if dataset in c.datasets for x in c.learners)
        known = (one for name in asked if (one := plan.learner(name)) is not None)
        found += [(dataset, one.name, added_to(one, columns)) for one in known]
    return tuple(found)


def build(
    learner: Learner,
    task: Task,
    columns: Columns,
    seed: int,
    settings: tuple[tuple[str, Any], ...] = (),
    trust: Trust = NO_TRUST,
) -> Prepared:
    """Return a fresh, unfitted learner with its steps; `settings` are a candidate's values, named as in `tune`."""
    keeps, kept = _kept(learner.steps, columns)
    steps = tuple(step for step in _set(learner.steps, settings) if not is_drop(step))
    last = steps[-1]
    seeds = [(seed + place * _STRIDE) % _SEEDS for place in range(len(steps))]
    made = _last(last, task, seeds[-1], trust)
    chooses = len(steps) == 1 and last.kind == "python" and _chooses_columns(made)
    added = () if chooses else added_to(learner, columns)
    raw = len(steps) == 1 and "categorical" in kept.kinds and "one-hot" not in added
    is_set = raw and not learner.without_preparation and _set_categories(made, last, kept)
    return Prepared(
        _preparation(steps[:-1], task, kept, seeds, trust, added),
        made,
        takes_weights=not chooses and _takes_weights(last, task, made),
        takes_frame=chooses or (raw and not is_set),
        plain_names=bool(boosts_frames(last)),
        keeps=keeps,
        threshold=learner.threshold,
    )


def _kept(steps: tuple[Step, ...], columns: Columns) -> tuple[list[int] | None, Columns]:
    """Return the places of the columns that `drop` leaves, None for all of them."""
    dropping = [step for step in steps if is_drop(step)]
    for place, step in enumerate(dropping):
        if not is_drop(steps[place]):
            raise ScriptError("`drop` must be the first step, because it names columns of the table", span=step.span)
        for name in dropped(step):
            if name not in columns.names:
                near = nearest(name, columns.names)
                hint = f"did you mean {near}?" if near else f"there are {', '.join(columns.names[:20])}"
                raise DataError(f"there is no column `{name}` to drop", hint=hint, span=step.span)
    if not dropping:
        return None, columns
    keeps, left = columns.without([name for step in dropping for name in dropped(step)])
    if not keeps:
        raise DataError("`drop` leaves no column to learn from", span=dropping[0].span)
    return keeps, left


def _set_categories(made: Any, step: Step, columns: Columns) -> bool:
    """Set which columns hold categories on a learner of histograms, unless the script did; True for such a learner.

    A boosting package sees it from the frame; xgboost has to be allowed to.
    """
    if boosts_histograms(step):
        if made.get_params(deep=False)["categorical_features"] in (None, "from_dtype"):
            made.set_params(categorical_features=columns.places("categorical"))
        return True
    if boosts_frames(step) == "xgboost" and not made.get_params(deep=False).get("enable_categorical"):
        made.set_params(enable_categorical=True)
    return False


def owner(parameter: str, steps: tuple[Step, ...]) -> tuple[int, str]:
    """Return stage and name of a tuned parameter: `pca.n_components` by name, a bare one of the last stage that has it.

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
    raise ScriptError(f"`{shown}` has no parameter `{parameter}`")


def _set(steps: tuple[Step, ...], settings: tuple[tuple[str, Any], ...]) -> tuple[Step, ...]:
    changed = list(steps)
    for word, value in settings:
        place, name = owner(word, steps)
        kept = tuple(pair for pair in changed[place].parameters if pair[0] != name)
        changed[place] = replace(changed[place], parameters=(*kept, (name, value)))
    return tuple(changed)


def _last(step: Step, task: Task, seed: int, trust: Trust) -> Any:
    if step.kind == "code":
        return own_object(step, seed, trust)
    check_trust(step, trust.packages)
    return given_object(step, seed, trust) if step.kind == "python" else make(step, task, seed, {}, last=True)


def _preparation(
    steps: tuple[Step, ...], task: Task, columns: Columns, seeds: list[int], trust: Trust, added: tuple[Added, ...]
) -> list[Any]:
    """Return the written steps, each on its kind of columns, and what is added for what they leave undone."""
    lanes: dict[Lane, list[Any]] = {"numeric": [], "categorical": [], "whole": []}
    joined = False
    for place, step in enumerate(steps):
        card = step_card(step)
        joined = joined or joins(card)
        for lane in lanes_of(card, joined):
            lanes[lane].append(_step(step, card.name if card else "", task, seeds[place], lane, trust))
    if "median" in added:
        lanes["numeric"].insert(0, _imputer("median"))
    if "most-frequent" in added:
        lanes["categorical"].insert(0, _imputer("most_frequent"))
    if "one-hot" in added:
        lanes["categorical"].append(make(Step(name="one-hot", kind="step"), task, 0, {}, last=False))
    return [*_side_by_side(columns, lanes), *lanes["whole"]]


def _side_by_side(columns: Columns, lanes: dict[Lane, list[Any]]) -> list[Any]:
    numeric, categorical = columns.places("numeric"), columns.places("categorical")
    if not lanes["numeric"] and not lanes["categorical"]:
        return []
    if not categorical:
        return lanes["numeric"]
    if not numeric:
        return lanes["categorical"]
    return [Lanes([(numeric, lanes["numeric"]), (categorical, lanes["categorical"])])]


def _step(step: Step, name: str, task: Task, seed: int, lane: Lane, trust: Trust) -> Any:
    if step.kind == "code":
        return own_object(step, seed, trust)
    if step.kind == "python":
        return given_object(step, seed, trust)
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
    """Return the inner folds of a target encoder, divided by the trial's own seed, and the step without them."""
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = dict(step.parameters).get("cv", 5)
    wrong = check_stage(step.name, "cv", folds)
    if wrong is not None or not isinstance(folds, int):
        raise ScriptError(wrong or f"`cv` of `{step.name}` must be a whole number", span=step.span)
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
        return _fits_with_weights(type(made))  # type: ignore[arg-type]
    return estimator_class(dotted_of(step, task))[1].weights


@lru_cache(maxsize=64)
def _fits_with_weights(cls: type) -> bool:
    return "sample_weight" in inspect.signature(cls.fit).parameters  # type: ignore[attr-defined]


def _chooses_columns(made: Any) -> bool:
    """Return whether an object is a scikit-learn pipeline or column transformer, which picks columns by name."""
    return hasattr(made, "steps") or hasattr(made, "transformers")


def prepare_whole(table: Table, steps: tuple[Step, ...]) -> Table:
    """Return the table after the steps, with a content hash of its own."""
    if not steps:
        return table
    last = Step(name="majority" if table.task == "classification" else "mean", kind="learner")
    made = build(Learner(name=table.name, steps=(*steps, last)), table.task, columns_of(table), seed=0)
    cells = matrix(table) if made.keeps is None else matrix(table)[:, made.keeps]
    X = np.asarray(made.fit(cells, table.y).prepare(cells), dtype=np.float64)
    frame = pd.DataFrame(X, columns=[f"prepared {i + 1}" for i in range(X.shape[1])])
    mark = digest(table.content_hash, [(s.name, s.parameters) for s in steps])
    return replace(table, X=frame, kinds=("numeric",) * X.shape[1], content_hash=mark)
