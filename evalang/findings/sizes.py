"""How many rows the parts of a scheme have, once the rows of the dataset are known."""

from __future__ import annotations

from ..plans.model import Scheme
from .case import Case
from .facts import Facts


def rows_of(facts: Facts, dataset: str) -> int | None:
    """Rows of a dataset, from the data when it was opened, else from the plan."""
    profile = facts.profiles.get(dataset) if facts.profiles is not None else None
    if profile is not None:
        return profile.rows
    known = facts.datasets.get(dataset)
    return known.rows if known is not None else None


def training_rows(scheme: Scheme, rows: int) -> float:
    """Mean rows of a training part; all of them where only the data tells."""
    found = scheme.train_rows(rows)
    return found if found is not None else float(rows)


def judged_rows(case: Case, rows: int, given: int | None) -> float | None:
    """Rows on which a test of rows rests: the test part, or all rows when folds are pooled."""
    scheme = case.comparison.scheme
    if scheme is None:
        return None
    if scheme.card.needs == "tested_on":
        return float(given) if given is not None else None
    return scheme.judged_rows(rows)


def tuning_rows(case: Case, rows: int) -> float | None:
    """Rows on which settings are judged; None without a tuning part."""
    comparison = case.comparison
    if comparison.tuning is None or comparison.scheme is None:
        return None
    training = training_rows(comparison.scheme, rows)
    tuning = comparison.tuning.value
    if tuning.where == "part" and tuning.part is not None:
        return float(tuning.part.of(training))
    return training / tuning.folds if tuning.where == "cv" and tuning.folds else None


def calibration_rows(case: Case, rows: int) -> float | None:
    """Rows on which calibration is fitted; None without one."""
    comparison = case.comparison
    if comparison.calibration is None or comparison.scheme is None:
        return None
    if comparison.calibration.where == "tuning":
        return tuning_rows(case, rows)
    part = comparison.calibration.part
    return float(part.of(training_rows(comparison.scheme, rows))) if part is not None else None
