"""What follows `using` becomes a scheme with its numbers checked."""

from __future__ import annotations

from ..syntax import nodes
from .model import Part, Scheme
from .problems import Problems
from .values import LARGEST_COUNT, part, shown

MOST_FOLDS = 100_000
MOST_PARTITIONS = 100_000
_COUNTED = {
    "repeated-cv": "repetitions",
    "partitions-cv": "partitions",
    "partitions-5x2cv": "partitions",
    "resamples": "resamples",
    "trainings": "trainings",
    "bootstrap": "bootstrap samples",
    "forward": "splits",
}
_AT_LEAST = {"repeated-cv": 2, "resamples": 2, "trainings": 2, "bootstrap": 2}


def scheme(found: nodes.Scheme, problems: Problems) -> Scheme | None:
    """The scheme, or None (with EV006) when its numbers make no sense."""
    kind, count, folds = found.kind, found.count, found.folds
    if folds is not None and not 2 <= folds <= MOST_FOLDS:
        problems.bad(
            found.span,
            f"there is no cross-validation with {shown(folds)} folds",
            f"use from 2 to {MOST_FOLDS:,} folds, such as 10cv",
        )
        return None
    if kind in _COUNTED and count is not None and not _AT_LEAST.get(kind, 1) <= count <= MOST_PARTITIONS:
        problems.bad(
            found.span,
            f"{shown(count)} {_COUNTED[kind]} make no scheme",
            f"use from {_AT_LEAST.get(kind, 1)} to {MOST_PARTITIONS:,}",
        )
        return None
    share: Part | None = None
    if found.part is not None:
        share = part(found.part, "holdout" if kind == "holdout" else "a resample of", problems)
        if share is None:
            return None
    if kind == "trainings" and not 1 <= (found.rows or 0) <= LARGEST_COUNT:
        problems.bad(
            found.span, f"a training set cannot have {shown(found.rows or 0)} rows", "write 8 trainings of 300"
        )
        return None
    partitions, per = _shape(kind, count, folds)
    return Scheme(
        kind=kind,
        partitions=partitions,
        folds=per,
        part=share,
        rows=found.rows,
        stratified=found.stratified,
        grouped=found.grouped,
        text=text(kind, partitions, per, found),
        span=found.span,
    )


def _shape(kind: str, count: int | None, folds: int | None) -> tuple[int, int]:
    if kind == "5x2cv":
        return 5, 2
    if kind == "partitions-5x2cv":
        return 5 * (count or 1), 2
    if kind in ("cv", "repeated-cv", "partitions-cv"):
        return count or 1, folds or 10
    if kind == "forward":
        return 1, count or 1
    if kind in ("resamples", "trainings", "bootstrap"):
        return count or 1, 1
    return 1, 1


def text(kind: str, partitions: int, folds: int, found: nodes.Scheme) -> str:
    """The scheme as the language writes it."""
    said = {True: "stratified ", False: "unstratified ", None: ""}[found.stratified]
    before = ("grouped " if found.grouped else "") + said
    amount = found.part.text if found.part else ""
    forms = {
        "holdout": f"holdout {amount}",
        "cv": f"{folds}cv",
        "repeated-cv": f"{partitions}x{folds}cv",
        "5x2cv": "5x2cv",
        "partitions-cv": f"{partitions} partitions of {folds}cv",
        "partitions-5x2cv": f"{partitions // 5} partitions of 5x2cv",
        "resamples": f"{partitions} resamples of {amount}",
        "trainings": f"{partitions} trainings of {found.rows}",
        "leave-one-out": "leave-one-out",
        "bootstrap": f"bootstrap {partitions}",
        "forward": f"forward {folds} splits",
        "given-folds": "given folds",
        "given-test": "given test",
    }
    return before + forms.get(kind, kind)
