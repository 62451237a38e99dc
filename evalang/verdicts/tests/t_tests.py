"""Paired t tests on datasets, rows, resamples and folds, corrected for shared training rows or not; and tost."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...catalogue.tests import exceeding
from ...errors import TestError
from ...results.records import TestResult
from ..arithmetic.checks import Floats, plural, require_units
from ..arithmetic.differences import (
    about_weighted_mean,
    five_by_two_differences,
    fold_differences,
    is_constant,
    paired_differences,
    row_weights,
    size_ratio,
    units_of,
)
from ..arithmetic.tails import USUAL, Sided, Student, effect_on, plain_student, t_interval, t_on_differences, t_pvalue
from .partition_tests import averaged_student, five_by_two_student

ENOUGH = 25  # rows for the square of the skewness, for the t of a mean (Cochran's rule)


def paired_t(first: Any, second: Any, *, asked: Sided = USUAL) -> TestResult:
    """Student's paired t: t = mean(d) / (sd(d) / sqrt(n)) with n - 1 degrees of freedom, d = first - second.

    >>> result = paired_t([85, 70, 85, 74, 77, 73, 75, 76], [80, 73, 85, 68, 73, 64, 75, 69])
    >>> round(result.statistic, 2), round(result.pvalue, 4)
    (2.41, 0.0467)

    References: bramer2020, demsar2006.
    """
    d = paired_differences(first, second)
    found = t_on_differences(d, "paired-t", "dataset", asked)
    nothing = asked.interval(0.0, 0.0, "no difference anywhere")
    return replace(
        found,
        interval=found.interval or nothing,
        method=f"t with {found.df[0]:g} degrees of freedom",
        details=(("standard error", found.details[0][1]), ("standard deviation", math.sqrt(found.details[1][1]))),
    )


def row_t(first: Any, second: Any, *, weights: Any = None, asked: Sided = USUAL) -> TestResult:
    """t = mean(d) / (s_d / sqrt(n)) with n - 1 degrees of freedom, d the rows' losses of the first minus the second.

    With `weights` of the rows, where folds differ in size, the mean is the weighted one, m, and s that of w (d - m). It
    asks about these two classifiers, on one test set of independent rows; it knows nothing of other training sets.
    Reference: student1908.
    """
    d = paired_differences(first, second)
    spread = d if weights is None else about_weighted_mean(d, row_weights(weights, d.size, "row-t"))
    found = t_on_differences(d, "row-t", "test row", asked, None if weights is None else plain_student(spread))
    skew = 0.0 if is_constant(d) else _skewness(d)
    if d.size >= ENOUGH * skew**2:
        return found
    above = exceeding("row-t", "holdout")
    assert above is not None
    warning = (
        f"the differences of these {d.size} rows are skewed (skewness {skew:.1f}); in simulations with so few skewed "
        f"rows, row-t at the level 5% had a type I error of up to {100 * above.rate:.1f}%"
    )
    return replace(found, unmet=(warning,))


def _skewness(d: Floats) -> float:
    """Return the third standardised moment."""
    away = d - d.mean()
    return float((away**3).mean() / (away**2).mean() ** 1.5)


def resampled_t(first: Any, second: Any, *, asked: Sided = USUAL) -> TestResult:
    """t = mean(d) sqrt(n) / s on n - 1 degrees of freedom, n resamples.

    The training sets overlap and so do the test sets, so s is too small and the level is not kept; more resamples make
    it worse. Here to be warned about and to be simulated. Reference: dietterich1998.
    """
    d = fold_differences(first, second)
    return t_on_differences(d.ravel(), "resampled-t", "resample", asked)


def kfold_t(first: Any, second: Any, *, asked: Sided = USUAL) -> TestResult:
    """t = mean(d) sqrt(k) / s on k - 1 degrees of freedom, k folds.

    Test sets are disjoint, training sets share rows. On the folds of more than one partition it says in a note that the
    same rows are counted again. Reference: dietterich1998 (section 3.4).
    """
    d = fold_differences(first, second)
    times = d.shape[0]
    note = f"{times} splits test every row {times} times, but kfold-t counts repeated rows as new rows."
    again = (note,) if times > 1 else ()
    found = t_on_differences(d.ravel(), "kfold-t", "fold", asked)
    return replace(found, notes=(*found.notes, *again))


def partition_t(
    first: Any, second: Any, *, train_size: float | None = None, test_size: float | None = None, asked: Sided = USUAL
) -> TestResult:
    """t = mean(d) / sqrt((n2/n + n2/n1) s^2), n2 of the n rows tested and n1 trained on; s^2 over all folds.

    n2/n is 1/k for k folds: repeating the partition reduces the noise of the mean but adds no new rows. Degrees of
    freedom are those of one partition, k - 1; of resamples, which have no partition, all but one. Of a single partition
    it is the corrected t. Reference: nadeau2003; the study of levels has the measurement behind it.
    """
    d = fold_differences(first, second)
    ratio = size_ratio(train_size, test_size, "partition-t")
    if d.size < 2:
        raise TestError("partition-t needs at least 2 folds, and there is 1")
    return t_on_differences(
        d.ravel(),
        "partition-t",
        "fold",
        asked,
        plain_student(d, ratio / (1.0 + ratio) + ratio, folds_per_partition(d.shape) - 1.0),
        method=f"variance of one pass through the rows on {d.size} folds, test/training = {ratio:.4g}",
    )


def folds_per_partition(shape: tuple[int, ...]) -> int:
    """Return the folds of one partition; resamples, which have no partition, count as one."""
    return shape[1] if shape[1] > 1 else shape[0]


def corrected_t(
    first: Any, second: Any, *, train_size: float | None = None, test_size: float | None = None, asked: Sided = USUAL
) -> TestResult:
    """t = mean(d) / sqrt((1/J + n2/n1) s^2) on J - 1 degrees of freedom, n2 test and n1 training rows.

    J counts all resamples, or all folds of all partitions; for repeated k-fold n2/n1 is 1/(k - 1). On a 5x2cv the t
    and p of 5x2cv-t stand in the details, and decide nothing. References: nadeau2003, bouckaert2004.
    """
    d = fold_differences(flat_partitions(first), flat_partitions(second))
    ratio = size_ratio(train_size, test_size, "corrected-t")
    where = f" of {d.shape[0]} partitions" if d.shape[0] > 1 and d.shape[1] > 1 else ""
    details = [("uncorrected_t", 0.0 if is_constant(d) or d.size < 2 else plain_student(d).t())]
    if d.shape == (5, 2) and (halves := five_by_two_student(d)).se > 0.0:
        p = t_pvalue(halves.t(), halves.df, asked.alternative)
        details += [("5x2cv-t (not deciding)", halves.t()), ("5x2cv-t p (not deciding)", p)]
    return t_on_differences(
        d.ravel(),
        "corrected-t",
        "fold",
        asked,
        plain_student(d, 1.0 / d.size + ratio),
        method=f"Nadeau-Bengio variance on {d.size} {plural('fold', d.size)}{where}, test/training = {ratio:.4g}",
        details=details,
    )


def flat_partitions(scores: Any) -> Any:
    """Return N partitions of 5x2cv as one list of replications; other scores as they are."""
    return np.reshape(scores, (-1, np.shape(scores)[-1])) if np.ndim(scores) == 3 else scores


BASES = ("paired-t", "row-t", "corrected-t", "partition-t", "5x2cv-t", "averaged-t")  # whose standard error it can take


def tost(
    first: Any,
    second: Any,
    *,
    margin: float,
    base: str = "paired-t",
    train_size: float | None = None,
    test_size: float | None = None,
    asked: Sided = USUAL,
    unit: str = "",
) -> TestResult:
    """p = max(P(t > (m + margin)/se), P(t < (m - margin)/se)): small when the difference lies within the margin.

    "greater" asks only whether the first is no more than `margin` below the second (no worse), "less" only whether it
    is no more than `margin` above. `base` names the test whose standard error and degrees of freedom are used: paired-t
    (datasets), row-t, corrected-t, 5x2cv-t or averaged-t. The interval has level 2 * level - 1, as equivalence needs.
    Reference: schuirmann1987.
    """
    if not margin > 0.0:
        raise TestError(f"tost needs a margin above 0, and it is {margin:g}", hint="give it by `within` or `margin`")
    d, student = _student(first, second, base, train_size, test_size)
    unit = unit or {"paired-t": "dataset", "row-t": "test row"}.get(base, "fold")
    if student.se == 0.0:
        raise TestError(
            f"tost: the difference is {student.estimate:.6g} on every {unit}, so its variance is 0 and t cannot be "
            "computed",
            hint=f"all {d.size} {plural(unit, d.size)} lie {_where(student.estimate, margin)} the margin of {margin:g}",
        )
    t_low, t_high = student.t(-margin), student.t(margin)
    p_low, p_high = t_pvalue(t_low, student.df, "greater"), t_pvalue(t_high, student.df, "less")
    by_side = {"greater": (t_low, p_low), "less": (t_high, p_high)}
    statistic, p = by_side.get(asked.alternative, max((t_low, p_low), (t_high, p_high), key=lambda side: side[1]))
    width = 2.0 * asked.level - 1.0 if asked.level > 0.5 else asked.level
    return TestResult(
        test="tost",
        statistic=statistic,
        statistic_name="t",
        pvalue=p,
        df=(student.df,),
        alternative=asked.alternative,
        difference=student.estimate,
        interval=t_interval(student.estimate, student.se, student.df, Sided(level=width)),
        effect=effect_on(d, unit),
        **units_of(d, unit),
        method=f"two one-sided t tests against a margin of {margin:g}, standard error of {base}",
        details=(
            ("margin", float(margin)),
            ("t_lower", t_low),
            ("p_lower", p_low),
            ("t_upper", t_high),
            ("p_upper", p_high),
            ("standard_error", student.se),
        ),
    )


def _student(
    first: Any, second: Any, base: str, train_size: float | None, test_size: float | None
) -> tuple[Floats, Student]:
    """Return the differences, and their mean with the standard error and degrees of freedom of `base`."""
    if base == "5x2cv-t":
        d = five_by_two_differences(first, second, "tost")
        return d, five_by_two_student(d)
    if base == "averaged-t":
        d = paired_differences(first, second, ndim=3 if np.ndim(first) == 3 else 2)
        return d, averaged_student(d)
    if base not in BASES:
        raise TestError(f"tost cannot take the standard error of '{base}'", hint="one of: " + ", ".join(BASES))
    d = fold_differences(flat_partitions(first), flat_partitions(second))
    require_units(d.size, 2, "unit", "tost")
    if is_constant(d):
        return d, Student(estimate=float(d.flat[0]), se=0.0, df=float(d.size - 1))
    if base == "partition-t":
        ratio = size_ratio(train_size, test_size, "tost")
        return d, plain_student(d, ratio / (1.0 + ratio) + ratio, folds_per_partition(d.shape) - 1.0)
    if base == "corrected-t":
        return d, plain_student(d, 1.0 / d.size + size_ratio(train_size, test_size, "tost"))
    return d, plain_student(d)


def _where(estimate: float, margin: float) -> str:
    return "within" if abs(estimate) < margin else "outside"
