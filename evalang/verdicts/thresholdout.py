"""Thresholdout (Dwork et al. 2015): estimates on a test part that can be used many times without overfitting it.

A question asks for the score of one learner. If the score of cross-validation inside the training part (the guess) is
near the score on the test part, the answer is the guess. Otherwise the test part is opened: the answer is its score
with normal noise. The threshold of "near" has noise too. The constants are those of the published experiment.
`docs/design/guarded-holdout.md` has the simulation behind `rows_needed` and `TOLERANCE`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import EvalangError
from ..plans.model import Comparison
from ..results.records import Estimate, Interval
from ..scores.evidence import Evidence

THRESHOLD, NOISE = 0.04, 0.01
TOLERANCE = 0.06  # 95 of 100 answers are as near to the truth, also after every question of three attacks was used up
LEVEL = 0.95
ROWS_AN_OPENING = 200  # test rows for each answer that comes from the test part itself
_ALL_OPENED = "the test rows have been used as often as the script allows; use new test rows"
_NEEDED = ((20, 1_000), (50, 2_000), (1_000, 4_000))  # questions, test rows


Place = tuple[str, str, str]  # dataset, learner, metric


def rows_needed(looks: int) -> int | None:
    """Return the test rows with which so many questions are answered within the tolerance; None: not simulated.

    >>> rows_needed(20), rows_needed(100), rows_needed(5000)
    (1000, 4000, None)
    """
    return next((rows for most, rows in _NEEDED if looks <= most), None)


def answer(guess: float, held: float, rng: np.random.Generator) -> tuple[float, bool]:
    """Return the guess if the score on the test part (`held`) agrees with it, else that score with noise (0 to 1).

    The second value says whether the test part was opened.
    """
    if abs(guess - held) < rng.normal(THRESHOLD, NOISE):
        return guess, False
    return min(1.0, max(0.0, held + float(rng.normal(0.0, NOISE)))), True


def tolerance(value: float) -> Interval:
    """Return the answer with its tolerance."""
    low, high = max(0.0, value - TOLERANCE), min(1.0, value + TOLERANCE)
    return Interval(low=low, high=high, level=LEVEL, method="tolerance of a guarded holdout, by simulation")


def questions(comparison: Comparison, evidence: Evidence) -> list[tuple[Place, float, float]]:
    """Return a question for each learner, dataset and metric: the guess, and the score on the test part.

    The last fold is the test part, and the mean of the others the guess. The score is never shown and never kept.
    """
    found = []
    for metric in comparison.metrics:
        for dataset in comparison.datasets:
            for learner, scores in evidence.fold_scores(dataset, metric.label).items():
                *guesses, held = scores.ravel().tolist()
                found.append(((dataset, learner, metric.label), sum(guesses) / len(guesses), held))
    return found


def guarded_estimates(
    c: Comparison, evidence: Evidence, record: Callable[[Place, tuple[float, bool]], float | None]
) -> tuple[Estimate, ...]:
    """Return the estimates of a guarded holdout.

    `record` keeps the answer to (dataset, learner, metric) with whether the test part was opened for it, and returns
    the answer that counts: the one given before, if there is one, or None where the test part may not be opened again.
    """
    rng = np.random.default_rng()  # from the system: noise that can be predicted hides nothing
    try:
        asked = questions(c, evidence)
    except EvalangError as error:
        places = ((d, x, m.label) for m in c.metrics for d in c.datasets for x in c.learners)
        return tuple(_estimate(c, place, None, str(error)) for place in places)
    found = []
    for place, guess, held in asked:
        value = record(place, answer(guess, held, rng))
        found.append(_estimate(c, place, value, _ALL_OPENED if value is None else ""))
    return tuple(found)


def _estimate(c: Comparison, place: Place, value: float | None, why: str = "") -> Estimate:
    dataset, learner, metric = place
    return Estimate(
        comparison=c.name,
        learner=learner,
        dataset=dataset,
        metric=metric,
        score=value,
        interval=tolerance(value) if value is not None else None,
        method="guarded holdout",
        question=c.question,
        undecided_because=why,
    )
