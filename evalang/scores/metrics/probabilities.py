"""Metrics that take scores for probabilities."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import DataError
from ..answer import Answer, Numbers, class_scores, mean, positive_scores

SMALLEST = 2.0**-52  # what a probability of 0 counts as in cross-entropy, as in scikit-learn; written on its card
SUMS_TO_ONE = 1e-3  # single precision over many classes


def brier(answer: Answer, options: Mapping[str, object]) -> float:
    """Mean of half the squared distance between the probabilities and the truth; (p - y)² for two classes."""
    return mean(squared_loss(answer), answer)


def root_brier(answer: Answer, options: Mapping[str, object]) -> float:
    """Square root of the Brier score: RMS in Caruana & Niculescu-Mizil."""
    return float(np.sqrt(brier(answer, options)))


def cross_entropy(answer: Answer, options: Mapping[str, object]) -> float:
    """Mean of -ln(probability of the true class), probabilities raised to at least 2^-52."""
    return mean(log_loss(answer), answer)


def cal(answer: Answer, options: Mapping[str, object]) -> float:
    """Mean over all windows of 100 neighbours of |share of positives - mean probability|.

    Caruana & Niculescu-Mizil, section 2.2; rows of equal probability enter with their mean outcome.
    """
    window = options["window"]
    assert isinstance(window, int)
    if answer.rows < window:
        raise DataError(
            f"cal needs {window} test rows, the test part has {answer.rows}",
            hint="test on more rows, or take brier or cross-entropy",
        )
    _checked(answer, "cal")
    positive, chance = positive_scores(answer, "cal")
    order = np.argsort(chance, kind="stable")
    ordered = chance[order]
    starts = np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
    sizes = np.diff(np.append(starts, len(ordered)))
    outcome = np.repeat(np.add.reduceat(positive[order].astype(np.float64), starts) / sizes, sizes)
    gap = np.append(0.0, np.cumsum(outcome - ordered))
    return float(np.abs(gap[window:] - gap[:-window]).mean() / window)


def squared_loss(answer: Answer) -> Numbers:
    """One Brier loss per row."""
    chance = _checked(answer, "brier")
    if chance.ndim == 1:
        two: Numbers = np.square(chance - (answer.truth == 1))
        return two
    rows = np.arange(answer.rows)
    true = chance[rows, answer.truth]
    loss: Numbers = 0.5 * (np.square(chance).sum(axis=1) - np.square(true) + np.square(1.0 - true))
    return loss


def log_loss(answer: Answer) -> Numbers:
    """One cross-entropy loss per row; never negative."""
    chance = _checked(answer, "cross-entropy")
    if chance.ndim == 1:
        true = np.where(answer.truth == 1, chance, 1.0 - chance)
    else:
        true = chance[np.arange(answer.rows), answer.truth]
    loss: Numbers = -np.log(np.clip(true, SMALLEST, 1.0))
    return loss + 0.0


def _checked(answer: Answer, metric: str) -> Numbers:
    chance = class_scores(answer, metric)
    wrong = (chance < 0.0) | (chance > 1.0)
    if wrong.any():
        row = int(np.flatnonzero(wrong.reshape(answer.rows, -1).any(axis=1))[0])
        raise DataError(f"{metric} needs probabilities, and test row {row + 1} has one outside 0 to 1")
    if chance.ndim == 2:
        off = np.abs(chance.sum(axis=1) - 1.0) > SUMS_TO_ONE
        if off.any():
            row = int(np.flatnonzero(off)[0])
            raise DataError(f"{metric} needs probabilities, and those of test row {row + 1} do not sum to 1")
    return chance
