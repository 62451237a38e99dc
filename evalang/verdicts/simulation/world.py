"""Dietterich's two simulated learners of equal error rate, on a population of two kinds of rows."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import ScriptError
from ...plans.simulation import MOST_ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The share of rows of the first kind, and each learner's probability of error on either kind.

    Given the kind, the two learners err independently, and every test set is classified anew (Dietterich 1998, 4.1).
    """

    share: float
    first: tuple[float, float]
    second: tuple[float, float]


def dietterich(error: float) -> World:
    """Error rates half and one and a half of `error` on the two halves, the other way round for the second learner."""
    if not 0.0 < error <= MOST_ERROR:
        raise ScriptError(
            f"the simulated learners cannot err on {error:.4g} of the rows",
            hint="one and a half times the error has to be a probability: at most 2/3",
        )
    low, high = 0.5 * error, 1.5 * error
    return World(share=0.5, first=(low, high), second=(high, low))
