"""Scores that Python hands over: the forms that are taken for results, and the formula that their names say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..catalogue.metrics import find_metric
from ..errors import ScriptError
from .levels import standing_by_name
from .model import Scheme, Standing

LEARNERS = frozenset((  # names of the column that holds the learners of a table with a row for each score
    "learner", "model", "algorithm", "method", "classifier", "regressor", "system", "estimator", "framework",
    "approach", "agent", "algo", "policy",
))  # fmt: skip
SCORE, LEARNER = "score", "learner"
_ORDER: tuple[Standing, ...] = ("dataset", "repeat", "seed", "fold", "item", "epoch")
_OF_SKORE = {"roc-area": "roc_auc", "cross-entropy": "log_loss", "brier": "brier_score"}
_SKORE = 'pass a CrossValidationReport of each learner, with the same splitter: {"tree": report, …}'


def scores_formula(name: str, value: Any) -> tuple[str, ...] | None:
    """Return score, learner and levels of the value; None when it is no table of results.

    A frame is results when its columns name a learner, a score and a level; a dict when it holds arrays, or what
    `cross_validate` of scikit-learn returned, by learner. What a place in an array stands for is never guessed.

    >>> scores_formula("scores", {"item": ["q1", "q2"], "a": [1, 0], "b": [1, 1]})
    ('score', 'learner', 'item')
    """
    if is_cross_validated(value):
        scorer = scorer_of(name, value)
        return (metric_of(scorer), LEARNER, *(("repeat",) if folds_of(name, value)[0] > 1 else ()), "fold")
    if is_arrays(value):
        levels = levels_in(list(value))
        if not levels:
            raise ScriptError(
                f"the axes of the arrays of {name} are unknown",
                hint='add their names under "item", "fold", "seed" or "dataset": {"item": ids, "a": scores, …}',
            )
        return (SCORE, LEARNER, *levels)
    if hasattr(value, "columns"):
        return _of_columns(name, [str(column) for column in value.columns])
    return None


def scores_scheme(name: str, value: Any) -> Scheme | None:
    """Return the scheme of the scores, where the rows of the folds prove it; else None."""
    if not is_cross_validated(value):
        return None
    repeats, folds = folds_of(name, value)
    if repeats == 1:
        return Scheme(kind="cv", folds=folds, text=f"{folds}cv")
    return Scheme(kind="repeated-cv", partitions=repeats, folds=folds, text=f"{repeats}x{folds}cv")


@dataclass(frozen=True, slots=True, repr=False)
class GivenScores:
    """Scores with the clauses of a `results` statement, in the words of the language."""

    value: Any
    clauses: str

    def __repr__(self) -> str:
        return f"<scores ({type(self.value).__name__}) with the clauses {self.clauses}>"

    @property
    def besides(self) -> tuple[str, ...]:
        """The columns that the clauses name."""
        return tuple(re.findall(r'"([^"]+)"', self.clauses))


def from_skore(name: str, value: Any, measuring: Sequence[str]) -> Any:
    """Return skore's reports as `cross_validate` returns them, in the metric of the script; another value as it is.

    skore itself is not needed: a report is known by the module of its class, and asked by the names of its own API.
    """
    reports = getattr(value, "reports_", value) if _of_skore(value) else value
    if isinstance(reports, Mapping) and reports and all(_of_skore(one) for one in reports.values()):
        return {str(learner): _validated(f"{name}: {learner}", one, measuring) for learner, one in reports.items()}
    if _of_skore(value):
        kind = type(value).__name__
        raise ScriptError(f"`{name}` is a {kind} of skore, which holds no comparison", hint=_SKORE)
    return value


def _of_skore(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "skore"


def _validated(where: str, report: Any, measuring: Sequence[str]) -> dict[str, Any]:
    splits: Any = getattr(report, "split_indices", None)
    metrics: Any = getattr(report, "metrics", None)
    if splits is None or not hasattr(metrics, "get"):
        raise ScriptError(f"{where} is a {type(report).__name__}, which has no folds to pair by", hint=_SKORE)
    if len(set(measuring)) > 1:
        raise ScriptError(
            f"{where} can be read in one metric, but the script measures several", hint="name one of them"
        )
    default = "accuracy" if "classification" in str(getattr(report, "ml_task", "")) else "rmse"
    metric = measuring[0] if measuring else default
    skore_name = _OF_SKORE.get(metric, metric.replace("-", "_"))
    if skore_name not in metrics.available():
        raise ScriptError(f"{where} has no {metric}", hint=f"it has {', '.join(metrics.available())}")
    scores = metrics.get(skore_name, aggregate=None).to_numpy()
    if scores.shape != (1, len(splits)):
        raise ScriptError(f"{where} has a {metric} for each class", hint="measure accuracy, or another single number")
    return {"fit_time": [], f"test_{metric}": scores[0], "indices": {"test": [test for _, test in splits]}}


def is_arrays(value: Any) -> bool:
    """Return whether the value is a dict of scores by learner, with the names of the units beside them."""
    return isinstance(value, Mapping) and bool(value) and all(_flat(one) for one in value.values())


def is_cross_validated(value: Any) -> bool:
    """Return whether the value is a dict of what `cross_validate` returned, by learner."""
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(isinstance(one, Mapping) and "fit_time" in one and _tested(one) for one in value.values())
    )


def levels_in(columns: Sequence[str]) -> list[str]:
    """Return the columns whose names suggest a role, the widest first."""
    known = [(standing, column) for column in columns if (standing := standing_by_name(column)) in _ORDER]
    return [column for standing, column in sorted(known, key=lambda one: _ORDER.index(one[0]))]


def scorer_of(name: str, value: Mapping[str, Any]) -> str:
    """Return the one scorer that all learners have: "score" when it was not named."""
    scorers = {scorer for one in value.values() for scorer in _tested(one)}
    if len(scorers) > 1:
        listed = ", ".join(sorted(scorers))
        raise ScriptError(f"`{name}` holds several scores: {listed}", hint="pass those of one scorer")
    return scorers.pop()


def metric_of(scorer: str) -> str:
    """Return our word for a scorer of scikit-learn, negated or not.

    >>> metric_of("roc_auc"), metric_of("neg_brier_score"), metric_of("score")
    ('roc-area', 'brier', 'score')
    """
    card = find_metric(scorer)
    return card.name if card else scorer.removeprefix("neg_")


def folds_of(name: str, value: Mapping[str, Any]) -> tuple[int, int]:
    """Return (repetitions, folds), as the rows of the test folds prove them; an error if learners had other folds."""
    first: tuple[str, list[frozenset[int]]] | None = None
    for learner, one in value.items():
        indices = one.get("indices")
        if not isinstance(indices, Mapping) or "test" not in indices:
            raise ScriptError(
                f"`{name}` does not say which rows the folds of learner `{learner}` hold, so their pairing is unknown",
                hint="call cross_validate(…, return_indices=True)",
            )
        folds = [frozenset(int(row) for row in rows) for rows in indices["test"]]
        counts = {len(one[f"test_{scorer}"]) for scorer in _tested(one)}
        if counts != {len(folds)}:
            raise ScriptError(
                f"`{name}` has {len(folds)} folds of learner `{learner}` but a different number of scores",
                hint="pass what cross_validate returned, unchanged",
            )
        first = first or (str(learner), folds)
        if folds != first[1]:
            raise ScriptError(
                f"in `{name}` learners `{learner}` and `{first[0]}` have different folds",
                hint="pass the same cv to both, with a random_state: StratifiedKFold(10, shuffle=True, random_state=0)",
            )
    assert first is not None
    folds = first[1]
    every = frozenset().union(*folds)
    size = next((k for k in range(1, len(folds) + 1) if sum(map(len, folds[:k])) >= len(every)), 0)
    parts = [folds[at : at + size] for at in range(0, len(folds), size)] if size > 1 else []
    if not parts or any(sum(map(len, part)) != len(every) or frozenset().union(*part) != every for part in parts):
        raise ScriptError(
            f"the test folds of `{name}` do not hold each row exactly once",
            hint="pass a cross-validation, or write resamples to a file: results … made using 30 resamples of 2/3",
        )
    return len(parts), size


def _of_columns(name: str, columns: list[str]) -> tuple[str, ...] | None:
    learners = [column for column in columns if column.strip().lower() in LEARNERS]
    levels = levels_in(columns)
    scores = [c for c in columns if c.lower() == SCORE or find_metric(c)]
    if not learners or not levels or not scores:
        return None
    for columns_of_kind, what in ((learners, "learner"), (scores, "score")):
        if len(columns_of_kind) > 1:
            listed = ", ".join(columns_of_kind)
            raise ScriptError(f"{name} has several columns of the {what}: {listed}", hint="keep one of them")
    return (scores[0], learners[0], *levels)


def _flat(value: Any) -> bool:
    """Return whether the value is a list or array of one dimension; (X, y) and frames are datasets."""
    if isinstance(value, list):
        return not any(isinstance(one, (list, tuple, Mapping)) for one in value)
    return getattr(value, "ndim", None) == 1


def _tested(one: Mapping[str, Any]) -> list[str]:
    return [key.removeprefix("test_") for key in map(str, one) if key.startswith("test_")]
