"""delong: do two scoring classifiers have the same area under the ROC curve on the same test rows?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, Effect, TestResult
from ...scores.row_values import placements
from ..arithmetic.checks import Floats, check_options, outcomes, pair, same_shape
from ..arithmetic.differences import no_difference, tie_equal, units_of
from ..arithmetic.tails import clip, z_interval, z_pvalue

NO_VARIANCE = 1e-24  # placements are fractions of counts: any real variance is far larger


def delong(
    truth: Any, first: Any, second: Any, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """z = (A1 - A2) / sqrt(var), var from the placements of each positive among the negatives and the other way round.

    var = S10 / m + S01 / n, with S10 and S01 the variances of the placements' differences over the m positives and the
    n negatives; tied scores count one half. Reference: delong1988.
    """
    check_options(alternative, level)
    positive = outcomes(truth, "truth")
    one, two = pair(first, second)
    same_shape(positive, one, ("truth", "first"))
    m, n = int(np.count_nonzero(positive)), int(np.count_nonzero(~positive))
    if m < 2 or n < 2:
        raise TestError(f"delong needs at least 2 positive and 2 negative test rows, and there are {m} and {n}")
    (pos1, neg1), (pos2, neg2) = placements(positive, tie_equal(one)), placements(positive, tie_equal(two))
    up, down = pos1 - pos2, neg1 - neg2
    up[np.abs(up) < 1e-12] = 0.0
    down[np.abs(down) < 1e-12] = 0.0
    variance = float(up.var(ddof=1)) / m + float(down.var(ddof=1)) / n
    difference = math.fsum(up) / m
    flat = variance <= NO_VARIANCE
    if flat and abs(difference) > 1e-12:
        raise TestError(
            f"delong: the areas differ by {difference:.6g} with no variance, so there is no z",
            hint="the bootstrap or the permutation test does not need a variance",
        )
    se = math.sqrt(variance)
    z = 0.0 if flat else difference / se
    differences = np.concatenate([up, down])
    return TestResult(
        test="delong",
        statistic=z,
        statistic_name="z",
        pvalue=1.0 if flat else z_pvalue(z, alternative),
        alternative=alternative,
        difference=difference,
        interval=None if flat else clip(z_interval(difference, se, alternative, level), -1.0, 1.0),
        effect=Effect(name="z over the root of the rows", value=z / math.sqrt(m + n)),
        **units_of(differences, "test row"),
        method=f"normal approximation, placements of {m} positives and {n} negatives",
        details=(
            ("first", float(pos1.mean())),
            ("second", float(pos2.mean())),
            ("variance_first", float(pos1.var(ddof=1)) / m + float(neg1.var(ddof=1)) / n),
            ("variance_second", float(pos2.var(ddof=1)) / m + float(neg2.var(ddof=1)) / n),
            ("covariance", _covariance(pos1, pos2) / m + _covariance(neg1, neg2) / n),
        ),
        notes=(no_difference("test row"),) if not differences.any() else (),
    )


def _covariance(x: Floats, y: Floats) -> float:
    return float(((x - x.mean()) * (y - y.mean())).sum() / (x.size - 1))
