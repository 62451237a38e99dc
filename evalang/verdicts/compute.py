"""The one way to call a statistical test: its name and a shape of evidence give its result.

A test is the function named after its card, in the file of the same name under `tests/` (or in the file of its kin).
Only the file that is asked for is imported, so that a McNemar test does not wait for the libraries of an anova.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

from ..catalogue.tests import TestEntry, find_test
from ..errors import TestError
from ..results.records import PostHoc, TestResult
from . import evidence

if TYPE_CHECKING:
    from .tests.score_intervals import ScoreInterval

Function = Callable[..., Any]
Arguments = tuple[tuple[Any, ...], dict[str, Any]]

# Tests that share a file with their kin.
_FILES = {
    "mcnemar_exact": "mcnemar",
    "mcnemar_midp": "mcnemar",
    "corrected_proportions": "proportions",
    "five_by_two_t": "five_by_two",
    "five_by_two_f": "five_by_two",
    "iman_davenport": "friedman",
    "wilson": "score_intervals",
    "clopper_pearson": "score_intervals",
    "corrected_interval": "score_intervals",
    "training_interval": "score_intervals",
    "retrained_interval": "retrained_t",
    "diebold_mariano": "forward_t",
}

# The shape of evidence -> how a test is called with it; a test is handed those of the names that it knows.
CALLED_WITH: dict[type[Any], Callable[[Any], Arguments]] = {
    evidence.Outcomes: lambda e: ((e.first, e.second), {}),
    evidence.Disagreements: lambda e: ((e.n01, e.n10), {"rows": e.rows, "both_right": e.both_right}),
    evidence.RowLosses: lambda e: ((e.first, e.second), {}),
    evidence.RetrainedRows: lambda e: ((e.first, e.second), {}),
    evidence.GroupedRows: lambda e: ((e.first, e.second), {"groups": e.groups}),
    evidence.TimedRows: lambda e: ((e.first, e.second), {"times": e.times}),
    evidence.RowScores: lambda e: ((e.truth, e.first, e.second), {}),
    evidence.RowPredictions: lambda e: ((e.first, e.second), {"truth": e.truth, "metric": e.metric}),
    evidence.FoldScores: lambda e: ((e.first, e.second), {"train_size": e.train_size, "test_size": e.test_size}),
    evidence.HalvedScores: lambda e: ((e.first, e.second), {"halvings": e.halvings}),
    evidence.TrainingLosses: lambda e: ((e.first, e.second), {}),
    evidence.DatasetScores: lambda e: ((e.first, e.second), {"unit": "dataset"}),
    evidence.DatasetFolds: lambda e: ((e.first, e.second), {"ratios": e.ratios}),
    evidence.ManyOutcomes: lambda e: ((e.right,), {}),
    evidence.ManyDatasetScores: lambda e: (
        (e.scores,),
        {"higher_is_better": e.higher_is_better, "control": e.control},
    ),
    evidence.Successes: lambda e: ((e.right, e.rows), {}),
    evidence.LearnerFolds: lambda e: (
        (e.scores,),
        {"train_size": e.train_size, "test_size": e.test_size, "bounds": e.bounds},
    ),
    evidence.LearnerLosses: lambda e: ((e.losses,), {"bounds": e.bounds}),
    evidence.LearnerItems: lambda e: ((e.scores,), {"values": e.values, "groups": e.groups, "bounds": e.bounds}),
    evidence.LearnerRows: lambda e: ((e.values,), {"bounds": e.bounds}),
    evidence.ShuffledScores: lambda e: ((e.observed, e.shuffled), {}),
}

# (learners, evidence) of a card -> the shape its test is made from.
_SHAPES: dict[tuple[str, str], type[Any]] = {
    ("two", "outcomes"): evidence.Outcomes,
    ("two", "row-losses"): evidence.RowLosses,
    ("two", "retrained-rows"): evidence.RetrainedRows,
    ("two", "grouped-rows"): evidence.GroupedRows,
    ("two", "timed-rows"): evidence.TimedRows,
    ("two", "row-scores"): evidence.RowScores,
    ("two", "fold-scores"): evidence.FoldScores,
    ("two", "halved-scores"): evidence.HalvedScores,
    ("two", "training-losses"): evidence.TrainingLosses,
    ("two", "dataset-scores"): evidence.DatasetScores,
    ("two", "dataset-folds"): evidence.DatasetFolds,
    ("many", "outcomes"): evidence.ManyOutcomes,
    ("many", "dataset-scores"): evidence.ManyDatasetScores,
    ("one", "count"): evidence.Successes,
    ("one", "fold-scores"): evidence.LearnerFolds,
    ("one", "training-losses"): evidence.LearnerLosses,
    ("one", "retrained-rows"): evidence.LearnerRows,
    ("one", "item-scores"): evidence.LearnerItems,
    ("one", "procedure"): evidence.ShuffledScores,
}
_ROWS: tuple[type[Any], ...] = (evidence.RowLosses, evidence.Outcomes, evidence.DatasetScores)
_SEVERAL: dict[str, tuple[type[Any], ...]] = {  # tests that do not mind what their units are
    "permutation": _ROWS,
    "bootstrap": (*_ROWS, evidence.RowPredictions),
    "tost": (evidence.FoldScores, *_ROWS),
}
# The difference test whose standard error tost borrows where nobody names one.
_BASES: dict[type[Any], str] = {
    evidence.FoldScores: "corrected-t",
    evidence.RowLosses: "row-t",
    evidence.Outcomes: "row-t",
    evidence.DatasetScores: "paired-t",
}
NEEDED = {  # by a test that cannot do without it
    "rows": "the number of test rows",
    "both_right": "the rows both get right",
    "margin": "a margin",
    "rng": "a generator of random numbers",
}
_ASKED = ("level", "alternative", "rng", "rope", "margin", "base")


def card_of(test: str) -> TestEntry:
    """The card of a test; TestError when there is none."""
    card = find_test(test)
    if card is None:
        raise TestError(f"there is no test named {test}")
    return card


@cache
def function_of(test: str) -> Function:
    """The function of a card.

    >>> function_of("iman-davenport").__name__
    'iman_davenport'
    """
    name = card_of(test).name.replace("5x2cv", "five_by_two").replace("-", "_")
    return _function(name, name)


def _function(name: str, kin: str) -> Function:
    found: Function = getattr(import_module(f".tests.{_FILES.get(kin, kin)}", __package__), name)
    return found


@cache
def _from_counts(test: str) -> Function | None:
    """The function of the same test from counts, where it has one."""
    name = function_of(test).__name__
    try:
        return _function(f"{name}_counts", name)
    except AttributeError:
        return None


def shapes_of(test: str) -> tuple[type[Any], ...]:
    """The shapes of evidence that a test can be made from, its own first.

    >>> [shape.__name__ for shape in shapes_of("mcnemar")]
    ['Outcomes', 'Disagreements']
    """
    card = card_of(test)
    if test in _SEVERAL:
        return _SEVERAL[test]
    counted = (evidence.Disagreements,) if card.evidence == "outcomes" and _from_counts(test) is not None else ()
    return (_SHAPES[card.learners, card.evidence], *counted)


@overload
def compute(test: str, shown: evidence.Pair | evidence.ShuffledScores, **asked: Any) -> TestResult: ...
@overload
def compute(test: str, shown: evidence.Many, **asked: Any) -> TestResult | PostHoc: ...
@overload
def compute(test: str, shown: evidence.One, **asked: Any) -> ScoreInterval: ...
def compute(test: str, shown: evidence.Shape, **asked: Any) -> TestResult | PostHoc | ScoreInterval:
    """The result of a test on what it is shown; TestError where that is no evidence for it, or not enough.

    `asked` holds what may be asked of every test (level, alternative, rng, rope, margin, base), of which each takes
    what it has, and the options of its own card. None asks for nothing.

    >>> from .shapes import Disagreements
    >>> round(compute("mcnemar", Disagreements(n01=15, n10=35), alternative="two-sided").pvalue, 4)
    0.0072
    """
    shape = type(shown)
    if shape not in shapes_of(test):
        takes = " or ".join(one.__name__ for one in shapes_of(test))
        raise TestError(f"{test} is not made from {shape.__name__}", hint=f"it is made from {takes}")
    card = card_of(test)
    strange = next((name for name in asked if name not in (*_ASKED, *card.options)), None)
    if strange is not None:
        raise TestError(f"{test} has no option {strange}", hint=f"it has {', '.join(card.options) or 'none'}")
    function, arguments, named = _call(test, shown, asked)
    for name in _absent(function, named):
        raise TestError(f"{test} needs {NEEDED[name]}")
    found: TestResult | PostHoc | ScoreInterval = function(*arguments, **named)
    return found


def _call(test: str, shown: evidence.Shape, asked: dict[str, Any]) -> tuple[Function, tuple[Any, ...], dict[str, Any]]:
    """The function and what it is called with."""
    function = function_of(test)
    if isinstance(shown, evidence.Disagreements):
        function = _from_counts(test) or function
    arguments, named = CALLED_WITH[type(shown)](shown)
    named |= {"base": _BASES.get(type(shown))}
    named |= {name: value for name, value in asked.items() if value is not None}
    if not card_of(test).one_sided:
        named.pop("alternative", None)
    known = _parameters(function)
    return function, arguments, {k: v for k, v in named.items() if k in known and v is not None}


def missing(test: str, shown: evidence.Shape, **asked: Any) -> tuple[str, ...]:
    """What the test cannot do without and is not given, by the names of shapes and options.

    >>> from .shapes import Disagreements
    >>> missing("proportions", Disagreements(n01=15, n10=35, rows=200))
    ('both_right',)
    """
    function, _, named = _call(test, shown, asked)
    return _absent(function, named)


def _absent(function: Function, named: dict[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in NEEDED if name in _required(function) and name not in named)


@cache
def _parameters(function: Function) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


@cache
def _required(function: Function) -> frozenset[str]:
    found = inspect.signature(function).parameters.values()
    return frozenset(p.name for p in found if p.kind is p.KEYWORD_ONLY and p.default is p.empty)
