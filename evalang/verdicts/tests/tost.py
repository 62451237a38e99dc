"""tost: are two learners equal within a margin? Two one-sided t tests with the scheme's own standard error."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.checks import Floats, check_options, plural, require_units
from ..arithmetic.differences import (
    five_by_two_differences,
    fold_differences,
    is_constant,
    paired_differences,
    size_ratio,
    units_of,
)
from ..arithmetic.tails import Student, effect_on, plain_student, t_interval, t_pvalue
from .partition_tests import averaged_student, five_by_two_student
from .t_tests import flat_partitions, folds_per_partition

BASES = ("paired-t", "row-t", "corrected-t", "partition-t", "5x2cv-t", "averaged-t")  # whose standard error it can take


def tost(
    first: Any,
    second: Any,
    *,
    margin: float,
    base: str = "paired-t",
    train_size: float | None = None,
    test_size: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    unit: str = "",
) -> TestResult:
    """p = max(P(t > (m + margin)/se), P(t < (m - margin)/se)): small when the difference lies within the margin.

    "greater" asks only whether the first is no more than `margin` below the second (no worse), "less" only whether it
    is no more than `margin` above. `base` names the test whose standard error and degrees of freedom are used: paired-t
    (datasets), row-t, corrected-t, 5x2cv-t or averaged-t. The interval has level 2 * level - 1, as equivalence needs.
    Reference: schuirmann1987.
    """
    check_options(alternative, level)
    if not margin > 0.0:
        raise TestError(f"tost needs a margin above 0, and it is {margin:g}", hint="give it by `within` or `rope`")
    d, student = _student(first, second, base, train_size, test_size)
    unit = unit or {"paired-t": "dataset", "row-t": "test row"}.get(base, "fold")
    if student.se == 0.0:
        raise TestError(
            f"tost: the difference is {student.estimate:.6g} on every {unit}, so it has no variance and there is no t",
            hint=f"all {d.size} {plural(unit, d.size)} lie {_where(student.estimate, margin)} the margin of {margin:g}",
        )
    t_low, t_high = student.t(-margin), student.t(margin)
    p_low, p_high = t_pvalue(t_low, student.df, "greater"), t_pvalue(t_high, student.df, "less")
    by_side = {"greater": (t_low, p_low), "less": (t_high, p_high)}
    statistic, p = by_side.get(alternative, max((t_low, p_low), (t_high, p_high), key=lambda side: side[1]))
    width = 2.0 * level - 1.0 if level > 0.5 else level
    return TestResult(
        test="tost",
        statistic=statistic,
        statistic_name="t",
        pvalue=p,
        df=(student.df,),
        alternative=alternative,
        difference=student.estimate,
        interval=t_interval(student.estimate, student.se, student.df, "two-sided", width),
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
