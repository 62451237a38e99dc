"""A worker is a copy of a process that may have left open files lying about for its garbage collector."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import evalang as ev


class Tidy(GaussianNB):  # type: ignore[misc]
    """Collects garbage while it learns, as any large learner does."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        gc.collect()
        print("tidied up")
        return super().fit(X, y)


class _Held:
    """Something in a cycle, which only the garbage collector ends: a file of it would close a number by then reused."""

    def __init__(self, told: Path) -> None:
        self.told, self.itself = told, self

    def __del__(self) -> None:
        (self.told / str(os.getpid())).touch()


def test_what_the_parent_forgot_is_ended_by_the_parent_alone(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    X, y = chance.normal(size=(60, 3)), chance.integers(0, 2, 60)
    gc.collect()
    gc.disable()
    try:
        _Held(tmp_path)
        result = ev.compare("tidy vs dull on D using 5x2cv", tidy=Tidy(), dull=DummyClassifier(), D=(X, y))
    finally:
        gc.enable()
        gc.collect()
    assert result.run.failures == ()
    assert [path.name for path in tmp_path.iterdir()] == [str(os.getpid())]
