"""Corrections for many tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

Level = Callable[[float, int], float]  # of alpha and m tests


@dataclass(frozen=True, slots=True)
class CorrectionEntry:
    """The card of a correction for many tests."""

    name: str
    title: str
    controls: Literal["family-wise", "false-discovery", "nothing"]
    stepwise: bool
    first_level: Level  # the largest level at which the smallest p is rejected when all m are equal
    alone_level: Level  # ... when all others are 1: for power, a lower bound if step-wise
    assumes: str
    method: str
    references: tuple[str, ...] = ()


def _whole(alpha: float, m: int) -> float:
    return alpha


def _shared(alpha: float, m: int) -> float:
    return alpha / max(m, 1)


def _sidak(alpha: float, m: int) -> float:
    return -math.expm1(math.log1p(-alpha) / max(m, 1))


def _harmonic(alpha: float, m: int) -> float:
    return alpha / math.fsum(1.0 / i for i in range(1, max(m, 1) + 1))


def _harmonic_share(alpha: float, m: int) -> float:
    return _harmonic(alpha, m) / max(m, 1)


_NOTHING = "nothing (the tests may depend on each other in any way)"
_POSITIVE = "independent or positively dependent tests"
_one_step = partial(CorrectionEntry, controls="family-wise", stepwise=False)
_stepwise = partial(CorrectionEntry, controls="family-wise", stepwise=True, alone_level=_shared)

CORRECTIONS: tuple[CorrectionEntry, ...] = (
    _one_step(
        name="bonferroni",
        title="Bonferroni",
        first_level=_shared,
        alone_level=_shared,
        assumes=_NOTHING,
        method="Each p-value is multiplied by the number of tests, and is at most 1.",
        references=("bonferroni1936", "salzberg1997"),
    ),
    _one_step(
        name="sidak",
        title="Sidak",
        first_level=_sidak,
        alone_level=_sidak,
        assumes=_POSITIVE,
        method="Each p-value p becomes 1 - (1 - p)^m for m tests. The adjusted p-value is the probability that the "
        "smallest of m independent p-values is at most p if no learners differ.",
        references=("sidak1967", "salzberg1997"),
    ),
    _stepwise(
        name="holm",
        title="Holm",
        first_level=_shared,
        assumes=_NOTHING,
        method="The m p-values are sorted from the smallest to the largest and multiplied by m, m - 1, ..., 1. In "
        "this order, an adjusted p-value is never smaller than the adjusted p-value before it. Every result that is "
        "significant under Bonferroni is also significant under Holm, and often more results are.",
        references=("holm1979", "demsar2006"),
    ),
    _stepwise(
        name="hochberg",
        title="Hochberg",
        first_level=_whole,
        assumes=f"{_POSITIVE} (Simes' inequality)",
        method="The m p-values are sorted from the largest to the smallest and multiplied by 1, 2, ..., m. In this "
        "order, an adjusted p-value is never larger than the adjusted p-value before it. Every result that is "
        "significant under Holm is also significant under Hochberg, and often more results are.",
        references=("hochberg1988",),
    ),
    _stepwise(
        name="hommel",
        title="Hommel",
        first_level=_whole,
        assumes=f"{_POSITIVE} (Simes' inequality)",
        method="The adjusted p-values are those of the closed testing procedure with Simes' test for every subset of "
        "the hypotheses. Every result that is significant under Hochberg is also significant under Hommel, and often "
        "more results are.",
        references=("hommel1988", "wright1992"),
    ),
    _stepwise(
        name="bh",
        title="Benjamini-Hochberg",
        controls="false-discovery",
        first_level=_whole,
        assumes=_POSITIVE,
        method="The m p-values are sorted from the smallest to the largest, and each is multiplied by m / rank. In "
        "this order, an adjusted p-value is never larger than the adjusted p-value after it. The method controls the "
        "expected share of false positives among the significant results (false discovery rate), not the probability "
        "of at least one false positive.",
        references=("benjamini1995",),
    ),
    CorrectionEntry(
        name="yekutieli",
        title="Benjamini-Yekutieli",
        controls="false-discovery",
        stepwise=True,
        first_level=_harmonic,
        alone_level=_harmonic_share,
        assumes=_NOTHING,
        method="The adjusted p-values of `bh` are multiplied by 1 + 1/2 + ... + 1/m for m tests.",
        references=("benjamini2001",),
    ),
    CorrectionEntry(
        name="uncorrected",
        title="No correction",
        controls="nothing",
        stepwise=False,
        first_level=_whole,
        alone_level=_whole,
        assumes="that there is only one test",
        method="The p-values are not changed. If all learners are equal, m tests at level alpha give m * alpha false "
        "positives on average.",
        references=("salzberg1997",),
    ),
)


def find_correction(name: str) -> CorrectionEntry | None:
    """Return the card of that name, or None."""
    return next((entry for entry in CORRECTIONS if entry.name == name), None)


@dataclass(frozen=True, slots=True)
class Multiplicity:
    """What to expect of n independent tests at level alpha when nothing differs (Salzberg 1997, section 3)."""

    tests: int
    alpha: float
    expected_false_positives: float
    familywise_error: float  # the chance of at least one: 1 - (1 - alpha)^n
    sidak_alpha: float
    bonferroni_alpha: float


def multiplicity(tests: int, alpha: float) -> Multiplicity:
    """Return the expected false positives n * alpha and the chance 1 - (1 - alpha)^n of at least one.

    >>> round(multiplicity(154, 0.05).familywise_error, 4)
    0.9996
    """
    log_keep = math.log1p(-alpha)
    return Multiplicity(
        tests=tests,
        alpha=alpha,
        expected_false_positives=tests * alpha,
        familywise_error=-math.expm1(tests * log_keep),
        sidak_alpha=-math.expm1(log_keep / tests),
        bonferroni_alpha=alpha / tests,
    )
