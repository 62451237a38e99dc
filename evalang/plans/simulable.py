"""What can be simulated, from the names of tests and the design alone: nothing is loaded and nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..catalogue.tests import find_test
from .model import Comparison, Scheme, Test

OUTCOMES = (
    "mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "permutation", "proportions", "corrected-proportions",
    "cochran-q", "row-t",
)  # fmt: skip
FOLDS = ("resampled-t", "kfold-t", "corrected-t", "partition-t", "5x2cv-t", "5x2cv-f", "averaged-t")
DATASETS = ("paired-t", "wilcoxon", "sign")
SIMULATED = (*OUTCOMES, *FOLDS, *DATASETS)
RESAMPLED = ("resampled-t", "corrected-t", "partition-t", "kfold-t", "averaged-t")  # `resamples` says how often
MEASURED = ("accuracy", "error")
FEWEST_ROWS = 20  # ours: below it a third or a tenth of the rows is no test set
MOST_ERROR = 2.0 / 3.0  # one and a half times it is the error on half of the rows (Dietterich 1998, 4.1)
MOST_DIFFERENCE = 0.5

Evidence = Literal["rows", "folds", "resamples", "datasets"]
Refusal = tuple[str, str]  # message, help
_MANY_ROWS = 10**9  # in place of rows that only the data can tell
_SCHEMES = "a holdout, cross-validation, 5x2cv and resamples can be simulated"


def why_not(test: str) -> str:
    """The reason why a test is not simulated, as a sentence about it."""
    card = find_test(test)
    if test == "tost":
        return "tost looks for equality, and a simulation counts the differences that are found"
    if test == "bootstrap":
        return "bootstrap draws the rows again within every trial, which is not offered in a simulation"
    if card is None or test in SIMULATED:
        return f"{test} is simulated only on one dataset at a time"
    if card.learners != "two":
        number = "one learner" if card.learners == "one" else "several learners"
        return f"{test} asks about {number}, and a simulation draws two"
    if not card.gives_p:
        return f"{test} gives a posterior and no p-value, so there is no rejection to count"
    if card.evidence == "training-losses":
        return f"{test} needs losses from several training sets, and simulated learners are never trained"
    return f"{test} judges how scores order the rows, and simulated learners are only right or wrong"


def cannot_differ(error: float, difference: float, disagreement: float) -> Refusal | None:
    """Why no two learners have this error, this difference and this share of rows that one alone gets wrong."""
    other = error + difference
    first_only = 0.5 * (disagreement - difference)
    if other > 1.0 + 1e-12:
        return (
            f"a learner cannot err on {other:.4g} of the rows, which is an error of {error:.4g} and a difference of "
            f"{difference:.4g}",
            "name a smaller error or difference",
        )
    low, high = difference, min(error + other, 2.0 - error - other)
    if first_only < -1e-12 or disagreement > high + 1e-12:
        return (
            f"learners that err on {error:.4g} and {other:.4g} of the rows cannot disagree on {disagreement:.4g}",
            f"name a disagreement from {low:.4g} to {high:.4g}" if low <= high else "name a smaller difference",
        )
    return None


def place(scheme: Scheme | None, test: str, rows: int) -> tuple[Evidence, int, int, int] | None:
    """(evidence, rows of a test part, partitions, folds); None where this scheme gives the test nothing."""
    if scheme is None or scheme.card.needs == "tested_on":
        return ("rows", rows, 1, 1) if test in OUTCOMES and rows > 1 else None
    card, size = scheme.card, int(scheme.test_rows(rows) or 0)
    if test in OUTCOMES:
        known = card.part or card.one_kcv or card.pooled
        tested = int(scheme.judged_rows(rows) or 0) if known else 0
        return ("rows", tested, 1, 1) if 1 < tested <= rows else None
    if test not in FOLDS or (test.startswith("5x2cv") and not card.five_by_two) or scheme.trials < 2:
        return None
    if card.dealt and rows >= 2 * scheme.folds:
        return "folds", size, scheme.partitions, scheme.folds
    if card.part == "trained" and 0 < size < rows and test != "averaged-t":
        return "resamples", size, scheme.partitions, 1
    return None


def on_datasets(comparison: Comparison) -> tuple[str, ...]:
    """The tests of a comparison on each dataset that can be simulated."""
    return tuple(t.name for t in comparison.tests if t.name in (*OUTCOMES, *FOLDS))


def over_datasets(comparison: Comparison) -> tuple[str, ...]:
    """The tests of a comparison over datasets that can be simulated."""
    return tuple(t.name for t in comparison.over if t.name in DATASETS)


def no_power(comparison: Comparison, rows: Mapping[str, int | None], stated: tuple[int, ...]) -> Refusal | None:
    """Why the power of a comparison cannot be simulated; None when it can, as far as the plan knows.

    `rows` are those of the datasets (None, or no entry, where only the data can tell), `stated` those of `with rows`.
    """
    said = f"the power of {comparison.name} cannot be simulated"
    if comparison.estimate:
        return f"{said}: it estimates one learner, and power is about telling two apart", "name a comparison"
    if not any(m.name in MEASURED for m in comparison.metrics):
        return (
            f"{said}: simulated learners are right or wrong, and it measures neither",
            "measure accuracy or error as well",
        )
    asked: tuple[Test, ...] = (*comparison.tests, *comparison.over)
    if not asked:
        return f"{said}: it has no test", "name one with by, such as by 5x2cv-t"
    tests = on_datasets(comparison)
    if not tests and not over_datasets(comparison):
        return f"{said}: {why_not(asked[0].name)}", f"one of {', '.join(SIMULATED)} can be simulated"
    if not tests or over_datasets(comparison):
        return None
    counts = stated or tuple(rows.get(d) or _MANY_ROWS for d in comparison.datasets)
    if any(place(comparison.scheme, test, many) is not None for test in tests for many in counts):
        return None
    return _no_place(comparison, tests, max(counts, default=_MANY_ROWS), said)


def _no_place(comparison: Comparison, tests: tuple[str, ...], most: int, said: str) -> Refusal:
    scheme = comparison.scheme
    if scheme is None:
        return f"{said}: nothing says how the rows behind its scores were split", "compare datasets, or predictions"
    if any(place(scheme, test, _MANY_ROWS) is not None for test in tests):
        return f"{said}: {most:,} rows are too few for {tests[0]} on {scheme.text}", "name more rows: with rows 500"
    return f"{said}: {scheme.text} gives {tests[0]} nothing that is drawn in a simulation", _SCHEMES
