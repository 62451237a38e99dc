"""How many rows the parts of a scheme have, once the rows of the dataset are known."""

from __future__ import annotations

from ..plans.model import Part, Scheme
from .case import Case
from .facts import Facts


def share_of(part: Part, rows: float) -> float:
    """Rows of a part."""
    return float(part.rows) if part.rows is not None else (part.fraction or 0.0) * rows


def rows_of(facts: Facts, dataset: str) -> int | None:
    """Rows of a dataset, from the data when it was opened, else from the plan."""
    profile = facts.profiles.get(dataset) if facts.profiles is not None else None
    if profile is not None:
        return profile.rows
    known = facts.datasets.get(dataset)
    return known.rows if known is not None else None


def training_rows(scheme: Scheme, rows: int) -> float:
    """Mean rows of a training part."""
    if scheme.kind == "holdout" and scheme.part is not None:
        return max(rows - share_of(scheme.part, rows), 0.0)
    if scheme.kind == "resamples" and scheme.part is not None:
        return min(share_of(scheme.part, rows), float(rows))
    if scheme.kind == "trainings" and scheme.rows is not None:
        return float(scheme.rows)
    if scheme.kind in ("5x2cv", "partitions-5x2cv"):
        return rows / 2
    if scheme.kind in ("cv", "repeated-cv", "partitions-cv"):
        return rows * (scheme.folds - 1) / scheme.folds
    if scheme.kind == "forward":
        return rows / 2  # the mean over the splits: from one block to all but one
    return float(rows - 1) if scheme.kind == "leave-one-out" else float(rows)


def test_rows(scheme: Scheme, rows: int) -> float | None:
    """Rows of one test part; None when only the data tells."""
    if scheme.kind == "holdout" and scheme.part is not None:
        return min(share_of(scheme.part, rows), float(rows))
    if scheme.kind == "resamples" and scheme.part is not None:
        return max(rows - share_of(scheme.part, rows), 0.0)
    if scheme.kind in ("5x2cv", "partitions-5x2cv"):
        return rows / 2
    if scheme.kind in ("cv", "repeated-cv", "partitions-cv"):
        return rows / scheme.folds
    if scheme.kind == "forward":
        return rows / (scheme.folds + 1)
    if scheme.kind == "trainings" and scheme.rows is not None:
        return max(rows - float(scheme.partitions * scheme.rows), 0.0)
    return 1.0 if scheme.kind == "leave-one-out" else None


def judged_rows(case: Case, rows: int, given: int | None) -> float | None:
    """Rows on which a test of rows rests: the test part, or all rows when folds are pooled."""
    scheme = case.comparison.scheme
    if scheme is None:
        return None
    if scheme.kind == "given-test":
        return float(given) if given is not None else None
    if scheme.kind == "holdout":
        return test_rows(scheme, rows)
    return float(rows) if case.scheme is not None and case.scheme.rows_tested_once else None


def tuning_rows(case: Case, rows: int) -> float | None:
    """Rows on which settings are judged; None without a tuning part."""
    comparison = case.comparison
    if comparison.tuning is None or comparison.scheme is None:
        return None
    training = training_rows(comparison.scheme, rows)
    tuning = comparison.tuning.value
    if tuning.where == "part" and tuning.part is not None:
        return share_of(tuning.part, training)
    return training / tuning.folds if tuning.where == "cv" and tuning.folds else None


def calibration_rows(case: Case, rows: int) -> float | None:
    """Rows on which calibration is fitted; None without one."""
    comparison = case.comparison
    if comparison.calibration is None or comparison.scheme is None:
        return None
    if comparison.calibration.where == "tuning":
        return tuning_rows(case, rows)
    part = comparison.calibration.part
    return share_of(part, training_rows(comparison.scheme, rows)) if part is not None else None
