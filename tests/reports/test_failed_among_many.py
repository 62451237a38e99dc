"""Three learners of which one failed: the first words say so, and why."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import evalang as ev


class Never(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Cannot be trained."""

    def fit(self, X: Any, y: Any) -> Never:
        raise ValueError("takes no missing values")

    def predict(self, X: Any) -> Any:
        return X


def test_the_reason_is_said() -> None:
    X, y = np.random.default_rng(1).normal(size=(40, 2)), np.arange(40) % 2
    line = "never vs bayes vs most on D using 5x2cv, measuring accuracy, all pairs, holm over learners"
    given = {"never": Never(), "bayes": GaussianNB(), "most": DummyClassifier()}
    result = ev.compare(line, **given, D=(X, y), jobs=1, seed=3, ledger=False)
    said = " ".join(str(result).split())
    assert said.startswith("Nothing is decided among never, bayes and most in accuracy: never has no score on D")
    assert "takes no missing values" in said
