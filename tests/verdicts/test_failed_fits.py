"""Failed fits: the verdict, its table and its JSON hold the same means."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB

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


class FailsAtTimes(GaussianNB):
    """It cannot be trained where four of the first rows meet."""

    def fit(self, x: Any, y: Any, sample_weight: Any = None) -> FailsAtTimes:
        if sum(abs(x[:, 0] - value).min() < 1e-9 for value in load_wine().data[:4, 0]) == 4:
            raise ValueError("no luck")
        return super().fit(x, y, sample_weight)  # type: ignore[no-any-return]


def test_failures_that_count_as_worst_inflate_the_variance_and_the_verdict_says_so() -> None:
    """Without failures the same learner is far better than the baseline; a few zeros hide it."""
    script = "compare {} vs majority on wine using 10x2cv, failures count as worst, seed 20"
    (clear,) = run(script.format("naive-bayes"), jobs=0).run.verdicts
    found = run(script.format("moody"), {"moody": FailsAtTimes()}, jobs=0)
    (verdict,) = found.run.verdicts
    assert clear.test is not None
    assert verdict.test is not None
    assert clear.test.pvalue < 1e-6 < 0.05 < verdict.test.pvalue
    assert clear.unmet == ()
    times = len(found.run.failures)
    (said,) = verdict.unmet
    assert said.startswith(f"moody failed in {times} fit{'s' * (times > 1)} on wine, counted as the worst accuracy")
    assert "increases the variance" in " ".join(str(found).split())
