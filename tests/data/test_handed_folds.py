"""Folds, groups, times and weights from Python: scikit-learn's own scores come out, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evalang as ev
from evalang.errors import DataError, ScriptError
from evalang.reports.methods import methods

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:240, :6], Y[:240]
GROUPS = np.arange(len(Y)) // 6
LEARNERS = {"a": DecisionTreeClassifier(max_depth=1, random_state=0), "b": GaussianNB()}


def _numbers(part: Any) -> Any:
    return np.flatnonzero(part) if np.asarray(part).dtype == bool else part


def _masks() -> list[tuple[Any, Any]]:
    tested = np.arange(len(Y)) % 3
    return [(tested != fold, tested == fold) for fold in range(3)]


@pytest.mark.parametrize(
    ("cv", "groups", "scheme", "test"),
    [
        (KFold(4), None, "given folds", "corrected-t"),
        (StratifiedKFold(3, shuffle=True, random_state=2), None, "given folds", "corrected-t"),
        (GroupKFold(5), GROUPS, "grouped given folds", "corrected-t"),
        (LeaveOneGroupOut(), GROUPS // 8, "grouped given folds", "corrected-t"),
        (RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0), None, "3x5cv", "partition-t"),
        (ShuffleSplit(6, test_size=0.25, random_state=1), None, "6 resamples of 180 rows", "partition-t"),
        (TimeSeriesSplit(4), None, "forward 4 splits", "forward-t"),
        (_masks(), None, "given folds", "corrected-t"),
        ([(list(range(160)), list(range(160, 240)))], None, "holdout 80 rows", "mcnemar-midp"),
    ],
)
def test_the_scores_are_those_of_scikit_learn(cv: Any, groups: Any, scheme: str, test: str) -> None:
    sentence = "a vs b on D"
    result = ev.compare(sentence, D=(X, Y), cv=cv, groups=groups, **LEARNERS)
    comparison = result.run.plan.comparisons[0]
    assert comparison.scheme is not None
    assert (comparison.scheme.text, comparison.tests[0].name) == (scheme, test)
    plain = [tuple(map(_numbers, fold)) for fold in cv] if isinstance(cv, list) else cv
    for name, learner in LEARNERS.items():
        expected = cross_val_score(learner, X, Y, cv=plain, groups=groups)
        rows = [row for row in result.run.scores.rows() if row.learner == name]
        assert [row.score for row in sorted(rows, key=lambda r: (r.partition, r.fold))] == list(expected)
    said = " ".join(methods(result.run))
    assert f"The folds of D were handed over: {'a list of' if isinstance(cv, list) else type(cv).__name__}" in said


def test_the_same_folds_whatever_the_number_of_workers_and_other_folds_are_other_trials(tmp_path: Any) -> None:
    def scores(seed: int, jobs: int, folder: str) -> tuple[list[Any], int]:
        cv = ShuffleSplit(3, test_size=0.25, random_state=seed)
        result = ev.compare("a vs b on D", D=(X, Y), cv=cv, jobs=jobs, out=tmp_path / folder, **LEARNERS)
        return [(r.learner, r.partition, r.score) for r in result.run.scores.rows()], result.run.reused

    first, _ = scores(1, 1, "one")
    assert scores(1, 2, "two") == (first, 0)
    assert scores(1, 1, "one") == (first, 6)
    other, reused = scores(2, 1, "one")
    assert (other != first, reused) == (True, 0)


def test_groups_times_and_weights_by_name_or_by_row() -> None:
    frame = pd.DataFrame(X[:, :2], columns=["u", "v"]).assign(patient=GROUPS, day=np.arange(len(Y)), target=Y)
    by_name = ev.compare("a vs b on D using grouped 4cv", D=frame.drop(columns="day"), groups="patient", **LEARNERS)
    by_row = ev.compare("a vs b on D using grouped 4cv", D=frame[["u", "v", "target"]], groups=list(GROUPS), **LEARNERS)
    assert by_name.run.scores.score == by_row.run.scores.score
    several = ev.compare(
        "a vs b on D using forward 3 splits, holm over datasets",
        D={"one": (X, Y), "two": (X[:120], Y[:120])},
        time={"one": np.arange(240), "two": np.arange(120)},
        **LEARNERS,
    )
    assert len(several.run.scores) == 12
    shops = frame.assign(patient=np.arange(240) % 3, day=np.arange(240) // 3)
    sentence = "a vs b on D using forward 3 splits, gap 2 rows"
    named = ev.compare(sentence, D=shops, time="day", series="patient", **LEARNERS)
    rows = ev.compare(sentence, D=(X[:, :2], Y), time=shops["day"], series=list(shops["patient"]), **LEARNERS)
    assert named.run.scores.score == rows.run.scores.score
    assert [fact.series for fact in named.run.facts] == [3]
    weighted = ev.compare("a vs b on D using 3x3cv", D=(X, Y), weights=np.linspace(0, 1, len(Y)), **LEARNERS)
    assert weighted.run.plan.datasets[0].weights == "(weights)"


def test_sparse_and_polars_are_the_same_table() -> None:
    plain = ev.compare("a vs b on D using 3cv", D=(X, Y), **LEARNERS).run
    assert ev.compare("a vs b on D using 3cv", D=(sparse.csr_matrix(X), Y), **LEARNERS).run.scores == plain.scores
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({f"x{i + 1}": X[:, i] for i in range(X.shape[1])} | {"target": Y})
    assert ev.compare("a vs b on D using 3cv", D=frame, **LEARNERS).run.scores.score == plain.scores.score


@pytest.mark.parametrize(
    ("cv", "says"),
    [
        (5, "write using 5cv in the sentence"),
        ([([0, 1], [1, 2])], "row 1 is trained on and tested"),
        ([([0, 0], [1])], "holds a row twice"),
        ([([0], [240])], "names row 240, and there are 240 rows"),
        ([([], [1])], "a part that holds no rows"),
        ([[1, 2, 3]], "no pair of training rows and test rows"),
        ([], "gives no fold"),
        ([(range(100), range(100, 200)), (range(140), range(140, 240))], "are of no scheme"),
        (GroupKFold(5), "hand over groups as well"),
    ],
)
def test_what_is_no_division(cv: Any, says: str) -> None:
    with pytest.raises(DataError) as caught:
        ev.compare("a vs b on D", D=(X, Y), cv=cv, **LEARNERS)
    assert says in str(caught.value)


def test_what_does_not_go_together() -> None:
    with pytest.raises(ScriptError, match="keep one of the two"):
        ev.compare("a vs b on D using 5cv", D=(X, Y), cv=KFold(3), **LEARNERS)
    with pytest.raises(ScriptError, match="no dataset to which cv"):
        ev.compare("a vs b on iris", cv=KFold(3), **LEARNERS)
    with pytest.raises(DataError, match="one value for each row"):
        ev.compare("a vs b on D using grouped 5cv", D=(X, Y), groups=[1, 2], **LEARNERS)


def test_a_refusal_in_a_notebook_is_its_sentences() -> None:
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    with capture_output() as heard:
        cell = "import evalang as ev\nev.run('compare knn vs svmm on iris using 10cv, seed 1')"
        InteractiveShell.instance().run_cell(cell)
    assert "Refused: " in heard.stdout
    assert "EV002" in heard.stdout
    assert "Traceback" not in heard.stdout
    assert "pipeline.py" not in heard.stdout


def test_a_script_divides_its_rows_itself() -> None:
    with pytest.raises(ScriptError, match="cv is the splitter KFold") as refused:
        ev.run("compare knn vs naive-bayes on iris using 5x2cv, seed 1", cv=KFold(3))
    assert "ev.compare takes a splitter as cv=" in refused.value.hint
