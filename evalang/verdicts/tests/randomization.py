"""randomization: how good does the whole procedure look on labels that mean nothing?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...results.records import Alternative, Effect, TestResult
from ..arithmetic.differences import TIE_TOLERANCE, mean_and_variance
from ..arithmetic.guarded import check_options, numbers, require_units


def randomization(
    observed: float, shuffled: Any, *, alternative: Alternative = "greater", level: float = 0.95
) -> TestResult:
    """p = (b + 1) / (m + 1), b the number of m shuffles on which the procedure scores at least as well.

    The whole procedure, with all tuning, is repeated on shuffled labels; the mean of those scores is what it reaches by
    searching alone. Say "less" for a metric where lower is better. References: jensen2000, phipson2010.
    """
    check_options(alternative, level)
    score = float(numbers([observed], "observed")[0])
    scores = numbers(shuffled, "shuffled")
    require_units(scores.size, 1, "shuffle", "randomization")
    slack = TIE_TOLERANCE * np.maximum(np.abs(scores), abs(score))
    above = int(np.count_nonzero(scores >= score - slack))
    below = int(np.count_nonzero(scores <= score + slack))
    m = int(scores.size)
    upper, lower = (above + 1) / (m + 1), (below + 1) / (m + 1)
    p = {"greater": upper, "less": lower}.get(alternative, min(1.0, 2.0 * min(upper, lower)))
    mean, variance = mean_and_variance(scores)
    ties = above + below - m
    return TestResult(
        test="randomization",
        statistic=score,
        statistic_name="score on the true labels",
        pvalue=p,
        df=(),
        alternative=alternative,
        difference=score - mean,
        interval=None,
        effect=Effect(
            name="deviations above shuffled labels", value=(score - mean) / math.sqrt(variance) if variance > 0 else 0.0
        ),
        wins=m - above,
        ties=ties,
        losses=m - below,
        n_units=m,
        unit="shuffle",
        method=f"{m} repetitions of the procedure on shuffled labels; no p below 1/{m + 1} is possible",
        details=(("mean_on_shuffled_labels", mean), ("best_on_shuffled_labels", float(scores.max()))),
        notes=("Every score is the same, on true and on shuffled labels.",) if ties == m else (),
    )
