"""tost: are two learners equal within a margin? Two one-sided t tests with the scheme's own standard error."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import TestError
from ...results.records import Alternative, TestResult
from ..arithmetic.differences import (
    Student,
    differences,
    effect_on,
    five_by_two_differences,
    fold_differences,
    plain_student,
    size_ratio,
    t_interval,
    t_pvalue,
    wins_ties_losses,
)
from ..arithmetic.guarded import Floats, check_options, pair, plural, require_units
from .averaged_t import averaged_student
from .five_by_two import five_by_two_student

BASES = (
    "paired-t",
    "row-t",
    "corrected-t",
    "partition-t",
    "5x2cv-t",
    "averaged-t",
)  # tests whose standard error it can take


def tost(
    a: Any,
    b: Any,
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
    d, student = _student(a, b, base, train_size, test_size)
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
    wins, ties, losses = wins_ties_losses(d)
    side: Alternative = "two-sided"
    return TestResult(
        test="tost",
        statistic=statistic,
        statistic_name="t",
        pvalue=p,
        df=(student.df,),
        alternative=alternative,
        difference=student.estimate,
        interval=t_interval(
            student.estimate, student.se, student.df, side, 2.0 * level - 1.0 if level > 0.5 else level
        ),
        effect=effect_on(d, unit),
        wins=wins,
        ties=ties,
        losses=losses,
        n_units=int(d.size),
        unit=unit,
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


def _student(a: Any, b: Any, base: str, train_size: float | None, test_size: float | None) -> tuple[Floats, Student]:
    if base == "5x2cv-t":
        d = five_by_two_differences(a, b, "tost")
        return d, five_by_two_student(d)
    if base == "averaged-t":
        one, two = pair(a, b, ndim=3 if np.ndim(a) == 3 else 2)
        d = differences(one, two)
        return d, averaged_student(d)
    if base not in BASES:
        raise TestError(f"tost cannot take the standard error of '{base}'", hint="one of: " + ", ".join(BASES))
    if np.ndim(a) == 3:  # partitions of 5x2cv
        a, b = (np.reshape(x, (-1, np.shape(x)[-1])) for x in (a, b))
    d = fold_differences(a, b)
    require_units(d.size, 2, "unit", "tost")
    if np.all(d == d.flat[0]):
        return d, Student(estimate=float(d.flat[0]), se=0.0, df=float(d.size - 1))
    if base == "partition-t":
        ratio, per = size_ratio(train_size, test_size, "tost"), d.shape[1] if d.shape[1] > 1 else d.shape[0]
        return d, plain_student(d, ratio / (1.0 + ratio) + ratio, per - 1.0)
    if base == "corrected-t":
        return d, plain_student(d, 1.0 / d.size + size_ratio(train_size, test_size, "tost"))
    return d, plain_student(d)


def _where(estimate: float, margin: float) -> str:
    return "within" if abs(estimate) < margin else "outside"
