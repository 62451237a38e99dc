"""Scores in a dict that Python hands over, as one long frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from ..plans.handed_results import (
    LEARNER,
    SCORE,
    folds_of,
    is_arrays,
    is_cross_validated,
    levels_in,
    metric_of,
    scorer_of,
)
from .shown import shown


def score_frame(value: object, name: str, besides: Sequence[str] = ()) -> pd.DataFrame | None:
    """A row for each score of a dict of arrays or of cross-validations; None when it is neither.

    `besides` are arrays that are no learners: what the clauses beside the scores name.
    """
    if not isinstance(value, Mapping):
        return None
    if is_cross_validated(value):
        return _cross_validated(value, name)
    return _arrays(value, name, besides) if is_arrays(value) else None


def _arrays(value: Mapping[Any, Any], name: str, besides: Sequence[str]) -> pd.DataFrame:
    lengths = {str(key): len(one) for key, one in value.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{shown(key)} {length}" for key, length in lengths.items())
        raise DataError(f"the arrays of {name} differ in length: {said}", hint="one score for each learner and unit")
    indexes = [one.index for one in value.values() if isinstance(one, pd.Series)]
    if any(not index.equals(indexes[0]) for index in indexes):
        raise DataError(f"the series of {name} have different indexes", hint="bring them into one order first")
    wide = pd.DataFrame({str(key): np.asarray(one) for key, one in value.items()})
    columns = list(wide.columns)
    about = [c for c in columns if c in {*levels_in(columns), *besides}]
    return wide.melt(about, var_name=LEARNER, value_name=SCORE)


def _cross_validated(value: Mapping[Any, Any], name: str) -> pd.DataFrame:
    repeats, folds = folds_of(name, value)
    scorer = scorer_of(name, value)
    sign = -1.0 if scorer.startswith("neg_") else 1.0
    parts = [
        pd.DataFrame(
            {
                LEARNER: str(learner),
                "repeat": np.repeat(np.arange(repeats), folds),
                "fold": np.tile(np.arange(folds), repeats),
                metric_of(scorer): sign * np.asarray(one[f"test_{scorer}"], dtype=float),
            }
        )
        for learner, one in value.items()
    ]
    return pd.concat(parts, ignore_index=True)
