"""The one way to call a statistical test: its name and its numbers give its result.

`TESTS` says for each card where its function is, and the shapes of evidence that give its numbers. The function is
named after the card. Only the module asked for is imported, so that a McNemar test does not wait for scikit-learn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from ..catalogue.tests import find_test
from ..errors import TestError
from . import shapes
from .evidence import TestSubject

Shape = Callable[[TestSubject], shapes.Numbers]
_UNITS = (shapes.row_losses, shapes.outcomes, shapes.dataset_scores)
_COUNTED = (shapes.outcomes,)
_FOLDS = (shapes.fold_scores,)
_DATASETS = (shapes.dataset_scores,)
_MANY = (shapes.many_dataset_scores,)

# Test -> module of its function in `tests/`, and the shapes of evidence that it takes, its own first.
TESTS: dict[str, tuple[str, tuple[Shape, ...]]] = {
    "mcnemar": ("outcome_tests", _COUNTED),
    "mcnemar-exact": ("outcome_tests", _COUNTED),
    "mcnemar-midp": ("outcome_tests", _COUNTED),
    "binomial": ("outcome_tests", _COUNTED),
    "proportions": ("outcome_tests", _COUNTED),
    "corrected-proportions": ("outcome_tests", _COUNTED),
    "cochran-q": ("outcome_tests", (shapes.many_outcomes,)),
    "row-t": ("t_tests", (shapes.row_losses,)),
    "delong": ("delong", (shapes.row_scores,)),
    "permutation": ("resampling_tests", _UNITS),
    "bootstrap": ("resampling_tests", (*_UNITS, shapes.row_predictions)),
    "cluster-t": ("group_tests", (shapes.grouped_rows,)),
    "cluster-permutation": ("group_tests", (shapes.grouped_rows,)),
    "forward-t": ("time_tests", (shapes.timed_rows,)),
    "diebold-mariano": ("time_tests", (shapes.timed_rows,)),
    "quasi-f": ("training_tests", (shapes.training_losses,)),
    "retrained-t": ("training_tests", (shapes.retrained_rows,)),
    "resampled-t": ("t_tests", _FOLDS),
    "kfold-t": ("t_tests", _FOLDS),
    "corrected-t": ("t_tests", _FOLDS),
    "partition-t": ("t_tests", _FOLDS),
    "5x2cv-t": ("partition_tests", _FOLDS),
    "5x2cv-f": ("partition_tests", _FOLDS),
    "averaged-t": ("partition_tests", _FOLDS),
    "halving-t": ("partition_tests", (shapes.halved_scores,)),
    "bayes-correlated-t": ("bayes_tests", _FOLDS),
    "tost": ("tost", (shapes.fold_scores, *_UNITS)),
    "paired-t": ("t_tests", _DATASETS),
    "sign": ("sign_tests", _DATASETS),
    "wilcoxon": ("sign_tests", _DATASETS),
    "bayes-signed-rank": ("bayes_tests", _DATASETS),
    "mixed-model": ("mixed_model", (shapes.dataset_folds,)),
    "friedman": ("rank_tests", _MANY),
    "iman-davenport": ("rank_tests", _MANY),
    "nemenyi": ("rank_tests", _MANY),
    "bonferroni-dunn": ("rank_tests", _MANY),
    "anova": ("anova", _MANY),
    "wilson": ("intervals", (shapes.successes,)),
    "clopper-pearson": ("intervals", (shapes.successes,)),
    "corrected-interval": ("intervals", (shapes.learner_folds,)),
    "training-interval": ("intervals", (shapes.learner_losses,)),
    "item-interval": ("intervals", (shapes.learner_items,)),
    "retrained-interval": ("training_tests", (shapes.learner_rows,)),
    "randomization": ("resampling_tests", (shapes.learner_folds,)),  # the interval beside the procedure's p
}
NEEDED = {  # by a test that has no default for it, and how the command line gives it
    "rows": ("the number of test rows", "--rows, or give four counts"),
    "both_right": ("the rows both get right", "--both-right, or give four counts"),
    "margin": ("a margin", "rope 1 point, or --margin 0.01 on the command line"),
    "rng": ("a generator of random numbers", "rng=numpy.random.default_rng(seed)"),
}


@cache
def function_of(test: str) -> Callable[..., Any]:
    """Return the function of a card.

    >>> function_of("iman-davenport").__name__
    'iman_davenport'
    """
    name = test.replace("5x2cv", "five_by_two").replace("-", "_")
    found: Callable[..., Any] = getattr(import_module(f".tests.{TESTS[test][0]}", __package__), name)
    return found


@cache
def parameters_of(test: str) -> dict[str, bool]:
    """Return the parameters of a test's function, and whether each one is required."""
    found = inspect.signature(function_of(test)).parameters.values()
    return {p.name: p.default is p.empty for p in found}


def compute(test: str, **given: Any) -> Any:
    """Return the result of a test on its numbers: a TestResult, a PostHoc or a ScoreInterval.

    `given` are the numbers of a shape and the options; each test takes those that its function has, and None leaves the
    default. Outcomes are counted for a test that takes counts. TestError names what is missing.

    >>> round(compute("mcnemar", n01=15, n10=35, alternative="two-sided").pvalue, 4)
    0.0072
    """
    card, known = find_test(test), parameters_of(test)
    assert card is not None
    if "n01" in known and "first" in given:
        given |= shapes.disagreements(given["first"], given["second"], test)
    absent = {name for name, value in given.items() if value is None and (name in NEEDED or not known.get(name))}
    named = {name: given[name] for name in known.keys() & given.keys() - absent}
    if not card.one_sided:
        named.pop("alternative", None)
    for name, (what, how) in NEEDED.items():
        if known.get(name) and name not in named:
            raise TestError(f"{test} needs {what}", hint=f"add {how}")
    return function_of(test)(**named)
