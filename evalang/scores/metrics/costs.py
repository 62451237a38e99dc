"""What a learner costs: time and size."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import DataError
from ..answer import Answer


def fit_time(answer: Answer, options: Mapping[str, object]) -> float:
    """Seconds to fit."""
    return _known(answer.fit_seconds, "fit-time")


def predict_time(answer: Answer, options: Mapping[str, object]) -> float:
    """Seconds to predict the test part."""
    return _known(answer.predict_seconds, "predict-time")


def size(answer: Answer, options: Mapping[str, object]) -> float:
    """Bytes of what was learned."""
    return _known(answer.size, "size")


def _known(value: float | int | None, metric: str) -> float:
    if value is None:
        raise DataError(
            f"{metric} was not recorded", hint="only learners that evalang fitted itself have times and sizes"
        )
    return float(value)
