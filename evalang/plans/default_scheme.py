"""The scheme of a comparison without `using`; docs/howto/which-design.md explains the choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..language.text import listed
from .model import Dataset, Part, Scheme

HUGE = 1_000_000  # rows; ours: from here on one training
EXPENSIVE = 1_000_000  # rows trained on in each repeat (rows times fits per fold); ours: from here on five repeats

GIVEN_TEST = Scheme(kind="given-test", text="given test", origin="default")
GIVEN_FOLDS = Scheme(kind="given-folds", text="given folds", origin="default")
FORWARD = Scheme(kind="forward", folds=8, text="forward 8 splits", origin="default")
HOLDOUT = Scheme(kind="holdout", part=Part(fraction=1 / 3), text="holdout 1/3", origin="default")
FIVE = Scheme(kind="5x2cv", partitions=5, folds=2, text="5x2cv", origin="default")
TEN = Scheme(kind="repeated-cv", partitions=10, folds=2, text="10x2cv", origin="default")


def default_scheme(datasets: Sequence[Dataset], this_classifier: bool, fits: int) -> Scheme:
    """Return the scheme that fits these datasets, with the reason; `fits` are the trainings on each fold.

    A dataset that is unlike the others decides: the linter says what the others lack.
    """

    def having(wanted: Callable[[Dataset], object]) -> str:
        names = [d.name for d in datasets if wanted(d)]
        return f"{listed(names)} {'has' if len(names) == 1 else 'have'}" if names else ""

    if found := having(lambda d: d.tested_on):
        return replace(GIVEN_TEST, reason=f"{found} a test file")
    if found := having(lambda d: d.folds or d.source.kind == "openml-task"):
        return replace(GIVEN_FOLDS, reason=f"{found} given folds")
    grouped = having(lambda d: d.groups)
    if found := having(lambda d: d.time):
        return _chosen(FORWARD, f"{found} a time column: trained on the past, tested on the future", grouped)
    rows = max((d.rows or 0 for d in datasets), default=0)
    if this_classifier:
        return _chosen(HOLDOUT, "the question is about the trained classifiers", grouped)
    if rows > HUGE:
        why = f"{rows:,} rows: one training of each learner; the answer is about the trained classifiers"
        return _chosen(HOLDOUT, why, grouped)
    if rows * fits > EXPENSIVE:
        why = f"{rows:,} rows and {fits:,} fits on every fold: half as many repeats as 10x2cv"
        return _chosen(FIVE, why, grouped)
    later = "" if all(d.rows for d in datasets) else "; very large data gets fewer repeats once it is opened"
    return _chosen(TEN, f"its test keeps its level and finds more than that of 5x2cv{later}", grouped)


def _chosen(scheme: Scheme, reason: str, grouped: str) -> Scheme:
    if not grouped:
        return replace(scheme, reason=reason)
    reason = f"{reason}; {grouped} groups, and no group is in training and test"
    return replace(scheme, grouped=True, text=f"grouped {scheme.text}", reason=reason)
