"""The one way to call a statistical test: its name and a shape of evidence give its result.

`TESTS` says for each card where its function is and which shapes it takes. The function is named after the card and
takes the fields of the shape by name. Only the module asked for is imported, so that a McNemar test does not wait for
the libraries of an anova.
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
from .evidence import (
    DatasetFolds,
    DatasetScores,
    Disagreements,
    FoldScores,
    GroupedRows,
    HalvedScores,
    LearnerFolds,
    LearnerItems,
    LearnerLosses,
    LearnerRows,
    Many,
    ManyDatasetScores,
    ManyOutcomes,
    One,
    Outcomes,
    Pair,
    RetrainedRows,
    RowLosses,
    RowPredictions,
    RowScores,
    Shape,
    ShuffledScores,
    Successes,
    TimedRows,
    TrainingLosses,
)

if TYPE_CHECKING:
    from .tests.intervals import ScoreInterval

Function = Callable[..., Any]
Shapes = tuple[type[Any], ...]

_COUNTED: Shapes = (Outcomes, Disagreements)
_UNITS: Shapes = (RowLosses, Outcomes, DatasetScores)

# Test -> module of its function in `tests/`, and the shapes of evidence that it takes, its own first.
TESTS: dict[str, tuple[str, Shapes]] = {
    "mcnemar": ("outcome_tests", _COUNTED),
    "mcnemar-exact": ("outcome_tests", _COUNTED),
    "mcnemar-midp": ("outcome_tests", _COUNTED),
    "binomial": ("outcome_tests", _COUNTED),
    "proportions": ("outcome_tests", _COUNTED),
    "corrected-proportions": ("outcome_tests", _COUNTED),
    "cochran-q": ("outcome_tests", (ManyOutcomes,)),
    "row-t": ("t_tests", (RowLosses,)),
    "delong": ("delong", (RowScores,)),
    "permutation": ("resampling_tests", _UNITS),
    "bootstrap": ("resampling_tests", (*_UNITS, RowPredictions)),
    "cluster-t": ("group_tests", (GroupedRows,)),
    "cluster-permutation": ("group_tests", (GroupedRows,)),
    "forward-t": ("time_tests", (TimedRows,)),
    "diebold-mariano": ("time_tests", (TimedRows,)),
    "quasi-f": ("training_tests", (TrainingLosses,)),
    "retrained-t": ("training_tests", (RetrainedRows,)),
    "resampled-t": ("t_tests", (FoldScores,)),
    "kfold-t": ("t_tests", (FoldScores,)),
    "corrected-t": ("t_tests", (FoldScores,)),
    "partition-t": ("t_tests", (FoldScores,)),
    "5x2cv-t": ("partition_tests", (FoldScores,)),
    "5x2cv-f": ("partition_tests", (FoldScores,)),
    "averaged-t": ("partition_tests", (FoldScores,)),
    "halving-t": ("partition_tests", (HalvedScores,)),
    "bayes-correlated-t": ("bayes_tests", (FoldScores,)),
    "tost": ("tost", (FoldScores, *_UNITS)),
    "paired-t": ("t_tests", (DatasetScores,)),
    "sign": ("sign_tests", (DatasetScores,)),
    "wilcoxon": ("sign_tests", (DatasetScores,)),
    "bayes-signed-rank": ("bayes_tests", (DatasetScores,)),
    "mixed-model": ("mixed_model", (DatasetFolds,)),
    "friedman": ("rank_tests", (ManyDatasetScores,)),
    "iman-davenport": ("rank_tests", (ManyDatasetScores,)),
    "nemenyi": ("rank_tests", (ManyDatasetScores,)),
    "bonferroni-dunn": ("rank_tests", (ManyDatasetScores,)),
    "anova": ("anova", (ManyDatasetScores,)),
    "wilson": ("intervals", (Successes,)),
    "clopper-pearson": ("intervals", (Successes,)),
    "corrected-interval": ("intervals", (LearnerFolds,)),
    "training-interval": ("intervals", (LearnerLosses,)),
    "item-interval": ("intervals", (LearnerItems,)),
    "retrained-interval": ("training_tests", (LearnerRows,)),
    "randomization": ("resampling_tests", (ShuffledScores,)),
}
NEEDED = {  # by a test that has no default for it
    "rows": "the number of test rows",
    "both_right": "the rows both get right",
    "margin": "a margin",
    "rng": "a generator of random numbers",
}
_COMMON_OPTIONS = ("level", "alternative", "rng", "rope", "margin", "base")  # options that every test may be given


def card_of(test: str) -> TestEntry:
    """Return the card of a test; TestError when there is none."""
    card = find_test(test)
    if card is None:
        raise TestError(f"there is no test named {test}")
    return card


@cache
def function_of(test: str) -> Function:
    """Return the function of a card.

    >>> function_of("iman-davenport").__name__
    'iman_davenport'
    """
    name = card_of(test).name.replace("5x2cv", "five_by_two").replace("-", "_")
    found: Function = getattr(import_module(f".tests.{TESTS[test][0]}", __package__), name)
    return found


def shapes_of(test: str) -> Shapes:
    """Return the shapes of evidence that a test takes, its own first.

    >>> [shape.__name__ for shape in shapes_of("mcnemar")]
    ['Outcomes', 'Disagreements']
    """
    return TESTS[card_of(test).name][1]


@cache
def parameters_of(test: str) -> dict[str, bool]:
    """Return the parameters of a test's function, and whether each one is required."""
    found = inspect.signature(function_of(test)).parameters.values()
    return {p.name: p.default is p.empty for p in found}


@overload
def compute(test: str, evidence: Pair | ShuffledScores, **options: Any) -> TestResult: ...
@overload
def compute(test: str, evidence: Many, **options: Any) -> TestResult | PostHoc: ...
@overload
def compute(test: str, evidence: One, **options: Any) -> ScoreInterval: ...
def compute(test: str, evidence: Shape, **options: Any) -> TestResult | PostHoc | ScoreInterval:
    """Return the result of a test on a shape of evidence; TestError where the shape is wrong, or too little.

    `options` are those that every test may be given (level, alternative, rng, rope, margin, base), of which each takes
    those it has, and those of its own card. None leaves the default.

    >>> round(compute("mcnemar", Disagreements(n01=15, n10=35), alternative="two-sided").pvalue, 4)
    0.0072
    """
    takes, own_options = shapes_of(test), card_of(test).options
    if type(evidence) not in takes:
        names = " or ".join(one.__name__ for one in takes)
        raise TestError(f"{test} is not made from {type(evidence).__name__}", hint=f"it is made from {names}")
    strange = next((name for name in options if name not in _COMMON_OPTIONS and name not in own_options), None)
    if strange is not None:
        raise TestError(f"{test} has no option {strange}", hint=f"it has {', '.join(own_options) or 'none'}")
    named = _arguments(test, evidence, options)
    for name in _absent(test, named):
        raise TestError(f"{test} needs {NEEDED[name]}")
    found: TestResult | PostHoc | ScoreInterval = function_of(test)(**named)
    return found


def missing(test: str, evidence: Shape, **options: Any) -> tuple[str, ...]:
    """Return the names of required arguments that neither the shape nor the options give.

    >>> missing("proportions", Disagreements(n01=15, n10=35, rows=200))
    ('both_right',)
    """
    return _absent(test, _arguments(test, evidence, options))


def _arguments(test: str, evidence: Shape, options: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the shape and the options that the test's function takes."""
    known = parameters_of(test)
    if isinstance(evidence, Outcomes) and "n01" in known:
        evidence = evidence.disagreements(test)
    fields = {name: getattr(evidence, name, None) for name in known}
    named = fields | {name: value for name, value in options.items() if name in known and value is not None}
    if not card_of(test).one_sided:
        named.pop("alternative", None)
    absent = (name for name, value in named.items() if value is None and (name in NEEDED or not known[name]))
    return {name: named[name] for name in named.keys() - set(absent)}


def _absent(test: str, named: dict[str, Any]) -> tuple[str, ...]:
    required = parameters_of(test)
    return tuple(name for name in NEEDED if required.get(name) and name not in named)
