"""Failed fits: the verdict, its table and its JSON hold the same means."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from evalang import run


class Fails(ClassifierMixin, BaseEstimator):
    """It cannot be trained."""

    def fit(self, x: Any, y: Any) -> Fails:
        raise ValueError("no luck")

    def predict(self, x: Any) -> Any:
        return np.zeros(len(x))


def test_table_and_json_agree_on_the_mean_of_the_learner_that_did_not_fail() -> None:
    found = run("compare naive-bayes vs broken on wine using 5x2cv, seed 20", {"broken": Fails()}, jobs=0)
    (verdict,) = found.run.verdicts
    assert verdict.decision == "undecided"
    scores = [r.score for r in found.run.scores.rows() if r.learner == "naive-bayes"]
    means = {s.learner: s.mean for s in verdict.scores}
    assert means["broken"] is None
    assert abs((means["naive-bayes"] or 0.0) - float(np.mean(scores))) < 1e-12
    assert f"{np.mean(scores):.3f}" in str(found)
    assert json.dumps(means["naive-bayes"]) in found.to_json()
