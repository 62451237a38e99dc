"""Calls statistical tests: `compute` by name with numbers, `apply_pair` and `apply_many` as planned with evidence.

`TESTS` says for each card in which module its function is, and which shapes take its arguments from the evidence. The
function is named after the card. Only the module asked for is imported, so that a McNemar test does not wait for
scikit-learn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ..catalogue.metrics import COUNTED
from ..catalogue.tests import find_test
from ..errors import TestError
from ..plans.model import Comparison, Metric, Test
from ..results.records import Alternative, PostHoc, TestResult
from ..scores.metrics import ROOT_METRICS
from ..scores.row_values import reduced_by_mean
from . import shapes
from .arithmetic.tails import Sided
from .item_evidence import ItemEvidence
from .shapes import TestSubject, metric_card
from .tests.dependent_rows import not_narrower, of_flipped, of_variance
from .tests.intervals import variance_split
from .tests.sign_tests import superiority
from .tests.t_tests import BASES

Shape = Callable[[shapes.TestSubject], shapes.Numbers]
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
    "delong": ("outcome_tests", (shapes.row_scores,)),
    "permutation": ("resampling_tests", _UNITS),
    "bootstrap": ("resampling_tests", (*_UNITS, shapes.row_predictions)),
    "cluster-t": ("dependent_rows", (shapes.grouped_rows,)),
    "cluster-permutation": ("dependent_rows", (shapes.grouped_rows,)),
    "forward-t": ("dependent_rows", (shapes.timed_rows,)),
    "diebold-mariano": ("dependent_rows", (shapes.timed_rows,)),
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
    "tost": ("t_tests", (shapes.fold_scores, *_UNITS)),
    "paired-t": ("t_tests", _DATASETS),
    "sign": ("sign_tests", _DATASETS),
    "wilcoxon": ("sign_tests", _DATASETS),
    "bayes-signed-rank": ("bayes_tests", _DATASETS),
    "mixed-model": ("mixed_model", (shapes.dataset_folds,)),
    "friedman": ("rank_tests", _MANY),
    "iman-davenport": ("rank_tests", _MANY),
    "nemenyi": ("rank_tests", _MANY),
    "bonferroni-dunn": ("rank_tests", _MANY),
    "anova": ("rank_tests", _MANY),
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
    if "asked" in known:
        usual: Sided = (function_of(test).__kwdefaults__ or {})["asked"]
        side, level = given.get("alternative") if card.one_sided else None, given.get("level")
        given["asked"] = Sided(side or usual.alternative, usual.level if level is None else level)
    absent = {name for name, value in given.items() if value is None and (name in NEEDED or not known.get(name))}
    named = {name: given[name] for name in known.keys() & given.keys() - absent}
    for name, (what, how) in NEEDED.items():
        if known.get(name) and name not in named:
            raise TestError(f"{test} needs {what}", hint=f"add {how}")
    return function_of(test)(**named)


OF_GROUPS = ("cluster-t", "cluster-permutation")
_BY_ROW = ("test row", "group", "time stamp")  # units made of rows


def expected_side(comparison: Comparison, metric: Metric, pair: tuple[str, ...]) -> Alternative:
    """Return `expecting A better` in terms of first minus second raw score."""
    if comparison.expecting is None or comparison.expecting not in pair:
        return "two-sided"
    first_expected = comparison.expecting == pair[0]
    return "greater" if first_expected == metric_card(metric).higher_is_better else "less"


def rng_of(comparison: Comparison, *key: str) -> np.random.Generator:
    """Return a generator of its own for each test, so that no other test changes its draws.

    No learner is in the key: in another order, or under another name, they have the same draws.
    """
    root = comparison.seed.value if comparison.seed else 0
    words = np.frombuffer("\x1f".join((comparison.name, *key)).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    return np.random.default_rng(np.random.SeedSequence(root, spawn_key=tuple(int(w) for w in words)))


def apply_many(at: TestSubject, test: Test) -> TestResult | PostHoc:
    """Return the result of a test of all learners at once: an omnibus, or every pair (nemenyi, bonferroni-dunn)."""
    numbers = TESTS[test.name][1][0](at)
    found: TestResult | PostHoc = compute(test.name, **numbers, level=1.0 - at.comparison.alpha.value, **_own(test))
    return found


def apply_pair(at: TestSubject, test: Test) -> TestResult:
    """Return the result of a two-learner test, a win being a unit on which the first learner is better.

    TestError when it cannot be computed.
    """
    if isinstance(at.evidence, ItemEvidence) and at.dataset is not None and test.name in OF_GROUPS:
        found = _of_groups(at, at.evidence, test)
    else:
        options = {name: value for name, value in _options(at, test).items() if value is not None}
        found = compute(test.name, **shape_at(test.name, at)(at) | options)
    if at.metric.name in ROOT_METRICS and found.unit in _BY_ROW:
        # Row values are linearised: counting wins on them means nothing.
        found = replace(found, wins=0, ties=0, losses=0)
    if at.comparison.units == "items" and at.dataset is not None:
        found = _in_items(found)
        if isinstance(at.evidence, ItemEvidence) and reduced_by_mean(at.metric):
            split = variance_split(*(at.evidence.samples(at.dataset, name) for name in at.learners))
            found = replace(found, details=(*found.details, *split))
    return found if metric_card(at.metric).higher_is_better else _lower_is_better(found)


def shape_at(test: str, at: TestSubject) -> Shape:
    """Return the shape of evidence for a test at a place: the only one it takes, or the one that fits the metric."""
    takes = TESTS[test][1]
    if at.dataset is None:
        return shapes.dataset_folds if shapes.dataset_folds in takes else shapes.dataset_scores
    counted = at.metric.name in COUNTED
    if test == "tost":
        scheme = at.comparison.scheme_card
        if scheme is None or not scheme.one_test_set:
            return shapes.fold_scores
        if at.comparison.grouped:
            raise TestError(
                "tost treats all rows as independent, but the rows come in groups",
                hint="leave out `by`: equivalence is then decided by the interval of the test of groups",
            )
        return shapes.outcomes if counted and at.comparison.units != "items" else shapes.row_losses
    if isinstance(at.evidence, ItemEvidence):
        return shapes.row_losses if shapes.row_losses in takes else takes[0]
    if shapes.row_predictions in takes:
        weights = next(iter(at.evidence.answers(at.dataset, at.metric.label).values())).weights
        if weights is not None or not metric_card(at.metric).row_loss or at.metric.name in ROOT_METRICS:
            return shapes.row_predictions
    return shapes.outcomes if counted and shapes.outcomes in takes else takes[0]


def _own(test: Test) -> dict[str, Any]:
    """Return the options written behind the name of a test."""
    return {name.replace("-", "_"): value for name, value in test.options}


def _options(at: TestSubject, test: Test) -> dict[str, Any]:
    """Return the options of a two-learner test: those of the comparison, and those written behind its name."""
    comparison, level = at.comparison, 1.0 - at.comparison.alpha.value
    if test.name == "tost":
        if comparison.rope is None:
            raise TestError(
                "tost needs a margin", hint="write which difference does not matter, such as `margin 1 point`"
            )
        return {"level": level, "margin": comparison.rope.value, "base": _tost_base(at)}
    options: dict[str, Any] = {
        "level": level,
        "alternative": expected_side(comparison, at.metric, at.learners),
        "rope": comparison.rope.value if comparison.rope else 0.0,
    }
    if "rng" in parameters_of(test.name):  # making one takes longer than many a test
        options["rng"] = rng_of(comparison, test.name, at.metric.label, at.dataset or "")
    return options | _own(test)


def _tost_base(at: TestSubject) -> str | None:
    """Return the scheme's own difference test, whose standard error tost takes; None for that of the shape."""
    scheme = at.comparison.scheme_card
    if at.dataset is None or scheme is None or scheme.one_test_set:
        return None
    if scheme.halves_test and at.comparison.scheme is not None and at.comparison.scheme.halves:
        return scheme.halves_test
    return scheme.test if scheme.test in BASES else None


def _of_groups(at: TestSubject, evidence: ItemEvidence, test: Test) -> TestResult:
    """Return a test of groups of items; all pairs share one computation and the same sign changes."""
    asked = Sided(
        alternative=expected_side(at.comparison, at.metric, at.learners), level=1.0 - at.comparison.alpha.value
    )
    found, i, j = evidence.grouped(test.name, at.on, at.metric, at.learners)
    if test.name == "cluster-t":
        result = of_variance(found.clusters(i, j), float(found.variance[i, j]), found.df, asked)
    else:
        flips = evidence.flips(at.on, at.metric, rng_of(at.comparison, test.name, at.metric.label, at.on))
        result = of_flipped(found.clusters(i, j), flips.sums[i] - flips.sums[j], flips.sizes, asked)
    fixed = evidence.in_fixed_groups(at.on, at.metric, at.learners)
    return result if fixed is None else not_narrower(result, fixed, asked)


def _in_items(found: TestResult) -> TestResult:
    """Return the same result in words for items: a row of a table of scores is a question, a task."""

    def reworded(text: str) -> str:
        return text.replace("test row", "item").replace("by row", "by item")

    return replace(
        found,
        unit=reworded(found.unit),
        method=reworded(found.method),
        statistic_name=reworded(found.statistic_name),
        notes=tuple(map(reworded, found.notes)),
        details=tuple(("items" if name == "rows" else name, value) for name, value in found.details),
    )


def _lower_is_better(found: TestResult) -> TestResult:
    """Return the result with wins and losses exchanged; a statistic that counts wins turns with them."""
    turned = replace(found, wins=found.losses, losses=found.wins)
    if found.statistic_name != "wins" or found.statistic is None:
        return turned
    effect = superiority(turned.wins, turned.ties, turned.losses)
    return replace(turned, statistic=found.statistic + turned.wins - found.wins, effect=effect)
