"""Tuning: every candidate judged on rows it has not seen, each metric its own winner, the first of equals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from evalang.errors import RunError
from evalang.plans.model import Calibration, Given, Grid, Learner, Metric, Part, Scheme, Tuning
from evalang.scores.score_table import ScoreTable
from evalang.trials.splits import Cuts, Partition, folds
from evalang.trials.tune import settings

from ..support.engine import THIRD, carry_out, catalogue, options, own, table, trials_of

NEIGHBOURS = (1, 3, 9, 25)
GRID = (Grid(parameter="n_neighbors", size=4, values=NEIGHBOURS, form=""),)
PART = Tuning(where="part", part=Part(fraction=0.25))


def knn() -> Learner:
    return replace(catalogue("knn"), grids=GRID, candidates=4)


def scored(made: Any, trained: Any, judged: Any, k: int) -> tuple[float, float]:
    """Accuracy and area by scikit-learn alone."""
    X = made.X.to_numpy()
    fitted = KNeighborsClassifier(k).fit(X[trained], made.y[trained])
    return (
        float(accuracy_score(made.y[judged], fitted.predict(X[judged]))),
        float(roc_auc_score(made.y[judged], fitted.predict_proba(X[judged])[:, 1])),
    )


def test_candidates_and_winners_by_hand(tmp_path: Path) -> None:
    """Everything worked out again with scikit-learn on the same rows."""
    made = table(120, 2)
    both = (Metric("accuracy"), Metric("roc-area"))
    carry_out([knn()], [made], Scheme(kind="cv", folds=3), options(tmp_path, 0), tuning=Given(PART), metrics=both)
    for trial, fold in zip(trials_of(tmp_path), folds(Scheme(kind="cv", folds=3), made, 20, Cuts(PART)), strict=True):
        expected = [scored(made, fold.train, fold.tuning, k) for k in NEIGHBOURS]
        assert [c.scores for c in trial.candidates] == [pytest.approx(e) for e in expected]
        assert [dict(c.parameters)["n_neighbors"] for c in trial.candidates] == list(NEIGHBOURS)
        for place, name in enumerate(("accuracy", "roc-area")):
            best = NEIGHBOURS[int(np.argmax([e[place] for e in expected]))]
            given = trial.answer(name)
            assert given is not None
            assert dict(given.chosen)["n_neighbors"] == best
            whole = np.sort(np.concatenate([fold.train, fold.tuning]))
            X = made.X.to_numpy()
            again = KNeighborsClassifier(best).fit(X[whole], made.y[whole])
            assert (given.labels == again.predict(X[fold.test])).all()


def test_inner_cross_validation_by_hand(tmp_path: Path) -> None:
    made = table(120, 2)
    tuning = Tuning(where="cv", folds=4)
    carry_out([knn()], [made], THIRD, options(tmp_path, 0), tuning=Given(tuning))
    (trial,) = trials_of(tmp_path)
    partition = Partition(THIRD, made, 20, 0)
    inner = list(partition.inner(partition.fold(0).train, 0, 4))
    for candidate, k in zip(trial.candidates, NEIGHBOURS, strict=True):
        assert candidate.scores == (pytest.approx(np.mean([scored(made, a, b, k)[0] for a, b in inner])),)


def test_lower_is_better_where_the_metric_says_so(tmp_path: Path) -> None:
    made = table(90, 0)
    carry_out([knn()], [made], THIRD, options(tmp_path, 0), tuning=Given(PART))
    (trial,) = trials_of(tmp_path)
    errors = [c.scores[0] for c in trial.candidates]
    assert dict(trial.answers[0].chosen)["n_neighbors"] == NEIGHBOURS[int(np.argmin(errors))]  # type: ignore[arg-type]


def test_the_first_of_equals_wins(tmp_path: Path) -> None:
    equal = replace(
        own("same", "Constant"), grids=(Grid(parameter="a", size=3, values=(7, 5, 6), form=""),), candidates=3
    )
    carry_out([equal], [table()], THIRD, options(tmp_path, 0), tuning=Given(PART))
    (trial,) = trials_of(tmp_path)
    assert trial.answers[0].chosen == (("a", 7),)


def test_one_winner_for_all_metrics_when_the_script_says_so(tmp_path: Path) -> None:
    tuning = replace(PART, metric=Metric("accuracy"))
    both = (Metric("accuracy"), Metric("roc-area"), Metric("brier"))
    carry_out([knn()], [table(120)], THIRD, options(tmp_path, 0), tuning=Given(tuning), metrics=both)
    (trial,) = trials_of(tmp_path)
    assert len(trial.answers) == 1
    assert trial.answer("brier") is trial.answers[0]
    assert trial.tuned_for == ("accuracy",)


def test_two_statements_share_their_candidates(tmp_path: Path) -> None:
    """Metrics of both choose from the same candidates: the learner is tuned once."""
    from evalang.scores.metrics import score_candidate
    from evalang.trials.run import run

    from ..support.engine import comparison, plan

    made = table(120)
    each = [
        comparison(name, [knn()], [made], THIRD, tuning=Given(PART), metrics=(Metric(metric),))
        for name, metric in (("one", "accuracy"), ("two", "roc-area"))
    ]
    outcome = run(plan(each, [knn()]), {"made": made}, options(tmp_path, 0), score_candidate)
    assert outcome.total == 1
    assert [
        ScoreTable(c, outcome).fold_scores("made", n)["knn"].shape
        for c, n in zip(each, ("accuracy", "roc-area"), strict=True)
    ] == [(1, 1)] * 2


def test_a_candidate_that_fails_loses(tmp_path: Path) -> None:
    """n_neighbors above the rows of the training part cannot be asked."""
    wide = replace(
        catalogue("knn"), grids=(Grid(parameter="n_neighbors", size=2, values=(500, 3), form=""),), candidates=2
    )
    carry_out([wide], [table(60)], THIRD, options(tmp_path, 0), tuning=Given(PART))
    (trial,) = trials_of(tmp_path)
    assert trial.candidates[0].scores == (None,)
    assert trial.candidates[0].failure
    assert trial.answers[0].chosen == (("n_neighbors", 3),)


def test_when_every_candidate_fails_the_trial_says_why(tmp_path: Path) -> None:
    bad = replace(own("bad", "Raises"), grids=(Grid(parameter="a", size=2, values=(1, 2), form=""),), candidates=2)
    _, outcome = carry_out([bad], [table(60)], THIRD, options(tmp_path, 0), tuning=Given(PART))
    assert [f.failure.message for f in outcome.failed] == ["every candidate failed: the data are not to my taste"]
    assert all("ValueError: the data are not to my taste" in f.failure.traceback for f in outcome.failed)


def test_try_takes_a_sample_of_the_grid() -> None:
    grids = tuple(Grid(parameter=p, size=100, values=tuple(range(100)), form="") for p in ("a", "b", "c"))
    some = replace(catalogue("knn"), grids=grids, candidates=50, tries=50)
    first, again, other = (list(settings(some, root)) for root in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == 50
    assert len(list(settings(replace(some, tries=None, grids=grids[:2]), 1))) == 10_000
    assert len({dict(s)["a"] for s in first}) > 25


def test_trainings_share_one_tuning(tmp_path: Path) -> None:
    forest = replace(
        catalogue("forest", "random-forest", n_estimators=3),
        grids=(Grid(parameter="max_features", size=2, values=(1, 2), form=""),),
        candidates=2,
        trainings=3,
    )
    carry_out([forest], [table(90)], THIRD, options(tmp_path, 0), tuning=Given(PART))
    found = trials_of(tmp_path)
    assert [t.training for t in found] == [0, 1, 2]
    assert len({t.candidates for t in found}) == 1
    assert len({t.answers[0].labels.tobytes() + t.answers[0].scores.tobytes() for t in found}) > 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("learner", "more", "words"),
    [
        (knn(), {}, "sets no rows aside for tuning"),
        (replace(catalogue("svm"), calibrate="platt"), {}, "sets no rows aside for calibration"),
        (
            catalogue("svm"),
            {"calibration": Calibration(where="tuning")},
            "calibrates on the tuning part, but has no tuning part",
        ),
        (
            knn(),
            {"tuning": Given(Tuning(where="cv", folds=3)), "without_retraining": True},
            "no single trained learner to keep",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_before_any_fit(learner: Learner, more: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=words):
        carry_out([learner], [table()], THIRD, options(tmp_path, 0), **more)
    assert not (tmp_path / "trials.sqlite").exists()


def test_platt_makes_probabilities_of_margins(tmp_path: Path) -> None:
    svm = replace(catalogue("svm", "scale", "svm"), calibrate="platt")
    part = Calibration(where="part", part=Part(fraction=0.3))
    carry_out([svm], [table(200)], THIRD, options(tmp_path, 0), calibration=part)
    (trial,) = trials_of(tmp_path)
    given = trial.answers[0]
    assert given.probabilities
    assert given.scores is not None
    assert given.scores.min() >= 0
    assert given.scores.max() <= 1
    assert ((given.scores > 0.5) == (given.labels == 1)).all()
    assert len(np.unique(given.scores)) > 20
