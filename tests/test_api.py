"""The verbs of Python: one-liners with estimators, frames and dicts; results; refusals; type hints."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import evalang as ev
from evalang import notebook
from evalang.errors import DataError, ScriptError
from evalang.trials.worker import Starter

SENTENCE = "tree vs bayes on D using 5x2cv, tune on 20%, bonferroni over datasets"


@pytest.fixture(scope="module")
def handed() -> dict[str, object]:
    frame = load_breast_cancer(as_frame=True).frame
    return {
        "tree": DecisionTreeClassifier(),
        "bayes": GaussianNB(),
        "D": {"iris": load_iris(return_X_y=True), "credit": frame, "wine": load_wine()},
    }


@pytest.fixture(scope="module")
def result(handed: dict[str, object]) -> ev.Result:
    return ev.compare(SENTENCE, **handed)


def test_the_sentence_works_with_what_python_hands_over(result: ev.Result) -> None:
    verdicts = result.run.verdicts
    assert {v.dataset for v in verdicts} == {"iris", "credit", "wine"}
    assert {v.learners for v in verdicts} == {("tree", "bayes")}
    assert {v.correction for v in verdicts} == {"bonferroni"}
    assert {v.family_size for v in verdicts} == {3}
    for verdict in verdicts:
        assert verdict.test is not None
        assert verdict.test.test == "corrected-t"
        assert verdict.adjusted_p == pytest.approx(min(1, 3 * verdict.test.pvalue))


def test_summary_prints_and_renders(result: ev.Result) -> None:
    text = str(result.summary())
    assert text == repr(result.summary()) == repr(result)
    for word in ("tree", "bayes", "iris", "credit", "wine", "accuracy"):
        assert word in text
    page = result.summary()._repr_html_()
    assert len(page) < len(result._repr_html_())
    assert "<table" in page
    assert "<script" not in page


def test_frames_are_tidy(result: ev.Result) -> None:
    tables = result.table
    for name in ("scores", "verdicts", "findings", "claims"):
        assert isinstance(getattr(tables, name), pd.DataFrame)
    assert len(tables.scores) == 3 * 2 * 10  # datasets x learners x folds
    assert {"dataset", "learner", "score"} <= set(tables.scores.columns)
    assert len(tables.verdicts) == 3
    assert tables.scores["score"].between(0, 1).all()


def test_the_same_seed_gives_the_same_scores(handed: dict[str, object]) -> None:
    arguments = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB(), "D": load_iris(return_X_y=True)}
    one, same, other = (
        ev.compare("tree vs bayes on D using 5x2cv", seed=s, **arguments).table.scores for s in (1, 1, 2)
    )
    assert one["score"].tolist() == same["score"].tolist()
    assert one["score"].tolist() != other["score"].tolist()
    written = ev.compare("tree vs bayes on D using 5x2cv, seed 2", seed=1, **arguments).table.scores
    assert written["score"].tolist() == other["score"].tolist()


def test_underscores_stand_for_hyphens() -> None:
    arguments = {"small_tree": DecisionTreeClassifier(max_depth=1), "the_data": load_iris(return_X_y=True)}
    for formula in ("small-tree vs majority on the-data using 5x2cv", "small_tree vs majority on the_data using 5x2cv"):
        built = ev.plan(f"compare {formula}", **arguments)
        assert [f for f in built.findings if f.level == "error"] == []
        assert isinstance(built.plan, ev.Plan)
        assert "At most 20 fits" in str(built)
    names = {"C4.5": DecisionTreeClassifier(), "my data": load_iris(return_X_y=True)}
    assert ev.plan('compare "C4.5" vs majority on "my data" using 5x2cv', names).findings == ()


def test_pipelines_and_estimators_within_chains(tmp_path: Path) -> None:
    tree = DecisionTreeClassifier(random_state=0)
    found = ev.run(
        """set seed 1
        learner tuned is scale | tree, tune max_depth in {1, 2, 3}
        compare tuned vs own on flowers using 5x2cv, tune on 20%, allow EV202 because "own is taken as it is" """,
        tree=tree,
        own=make_pipeline(StandardScaler(), GaussianNB()),
        flowers=load_iris(return_X_y=True),
    )
    assert found.run.verdicts
    assert not hasattr(tree, "tree_")  # what was handed over is never fitted itself


def test_every_object_shows_itself_in_a_few_lines() -> None:
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.random((8, 3)), columns=["<b>a</b>", "b", "c"])
    runs = {"x": rng.random((5, 3)), "y": rng.random((5, 3))}
    script = "compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1"
    result = ev.run(script, ledger=False)
    shown = {
        "analysis": ev.analyse(scores),
        "runs": ev.aggregate(runs, seed=1),
        "plan": ev.plan(script),
        "plan of it": ev.plan(script).plan,
        "report": ev.lint("compare decision-tree vs naive-bayes on iris using 10cv by kfold-t"),
        "frames": result.table,
        "result": result,
        "summary": result.summary(),
    }
    for name, one in shown.items():
        assert 0 < len(repr(one).splitlines()) < 30, name
        assert max(map(len, repr(one).splitlines())) < 250, name
        page = one._repr_html_()
        assert page.startswith("<"), name
        assert "<b>a</b>" not in page
    assert "EV403" in repr(shown["report"])
    assert "differ significantly" in repr(shown["analysis"])
    assert list(result.verdicts) == [
        *("comparison", "dataset", "metric", "learners", "difference", "low", "high", "adjusted_p", "test", "verdict"),
    ]
    assert result.verdicts["learners"].tolist() == ["decision-tree vs naive-bayes"]
    assert result.verdicts["adjusted_p"].tolist() == result.table.verdicts["adjusted_p"].tolist()


def test_an_error_in_a_notebook_is_two_lines() -> None:
    with pytest.raises(ev.EvalangError) as caught:
        ev.run("compare decision-tree vs naive-bayes on nowhere using 5x2cv", ledger=False)
    lines = caught.value._render_traceback_()
    assert len(lines) == 2
    assert "EV002" in lines[0]
    assert lines[1].startswith("  help: ")
    with pytest.raises(ev.EvalangError) as other:
        ev.load("nowhere")
    assert other.value._render_traceback_() == [
        "ScriptError: there is no run folder nowhere",
        "  help: evalang run writes the folder runs/SCRIPT beside the script",
    ]


def test_a_refused_run_raises_with_its_findings() -> None:
    with pytest.raises(ev.Refused) as caught:
        ev.compare("tree vs knn on iris using 5x2cv")
    assert [f.code for f in caught.value.findings if f.level == "error"] == ["EV002"]
    assert "EV002" in str(caught.value)
    assert "<li>" in caught.value._repr_html_()


def test_every_error_has_findings_or_a_position() -> None:
    with pytest.raises(ev.EvalangError) as caught:
        ev.parse("compare on\n")
    assert caught.value.findings
    assert caught.value.position == (1, 9)
    with pytest.raises(ev.EvalangError) as caught:
        ev.run("compare on\n")
    assert caught.value.findings
    with pytest.raises(ev.EvalangError) as caught:
        ev.run(
            'set seed 1\n  dataset d from csv "absent.csv", target "y", because "z"\ncompare knn vs svm on d using 5x2cv\n'
        )
    assert caught.value.position == (2, 3)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (DecisionTreeClassifier, "is the class DecisionTreeClassifier"),
        (3, "neither a learner nor a table"),
        ("text", "neither a learner nor a table"),
        (None, "neither a learner nor a table"),
        ({"a": GaussianNB()}, "a dict, but not of tables"),
        ({}, "a dict, but not of tables"),
    ],
)
def test_what_cannot_be_handed_over(value: object, words: str) -> None:
    with pytest.raises(ev.EvalangError, match=words) as caught:
        ev.plan("compare x vs knn on iris using 10cv", x=value)
    assert caught.value.hint


def test_scripts_come_as_text_or_as_a_path(tmp_path: Path) -> None:
    text = "compare knn vs svm on iris using 10cv\n"
    path = tmp_path / "x.eval"
    path.write_text(text)
    trees = [ev.parse(text), ev.parse(path), ev.parse(str(path))]
    assert trees[0] == trees[1] == trees[2]
    with pytest.raises(ev.EvalangError, match="there is no file"):
        ev.parse(str(tmp_path / "absent.eval"))


def test_a_run_can_be_kept_and_loaded(tmp_path: Path) -> None:
    out = tmp_path / "run"
    found = ev.run("set seed 1\ncompare naive-bayes vs majority on iris using 5x2cv\n", out=out)
    again = ev.load(out)
    assert str(again.summary()) == str(found.summary())
    pd.testing.assert_frame_equal(again.table.verdicts, found.table.verdicts)
    with pytest.raises(ev.EvalangError, match="there is no run folder"):
        ev.load(tmp_path / "absent")
    with pytest.raises(ev.EvalangError, match="holds no finished run"):
        ev.load(tmp_path)


def test_what_is_handed_over_is_left_as_it_was(handed: dict[str, Any], result: ev.Result) -> None:
    pd.testing.assert_frame_equal(handed["D"]["credit"], load_breast_cancer(as_frame=True).frame)
    assert not hasattr(handed["tree"], "tree_")


@pytest.mark.parametrize("name", ev.__all__)
def test_everything_public_is_there_and_has_hints(name: str) -> None:
    verb = getattr(ev, name)
    assert verb.__doc__
    if inspect.isfunction(verb):
        later = {
            "Result": ev.Result,
            "Analysis": ev.Analysis,
            "PairsBy": str,
            "Runs": ev.Runs,
            "pd": pd,
        }  # imported by type checkers alone
        hints = typing.get_type_hints(verb, {**vars(inspect.getmodule(verb)), **later})
        assert set(inspect.signature(verb).parameters) | {"return"} == set(hints)
    with pytest.raises(AttributeError):
        ev.nothing  # noqa: B018


def test_compare_all_counts_a_learner_with_two_spellings_once() -> None:
    found = ev.plan(
        "compare all on D using 10cv, holm over learners",
        my_tree=DecisionTreeClassifier(),
        nb=GaussianNB(),
        D=load_iris(return_X_y=True),
    )
    assert found.plan.comparisons[0].learners == ("my-tree", "nb")


def test_compare_takes_what_run_takes(tmp_path: Path) -> None:
    """A folder, own code, and frames of what was found; an estimator without get_params is one too."""

    class Plain:
        def fit(self, X: Any, y: Any) -> Plain:
            self.most = np.bincount(y).argmax()
            return self

        def predict(self, X: Any) -> Any:
            return np.full(len(X), self.most)

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    line = 'plain vs tree on D using 2cv, allow EV402 because "a test"'
    found = ev.compare(line, plain=Plain(), tree=DecisionTreeClassifier(), D=(X, y), out=tmp_path / "x", trust="nobody")
    assert (tmp_path / "x" / "result.json").is_file()
    assert sorted(set(found.scores.learner)) == ["plain", "tree"]
    assert len(found.verdicts) == 1
    assert list(found.parameters.columns[:3]) == ["comparison", "learner", "dataset"]
    again = ev.load(tmp_path / "x")
    pd.testing.assert_frame_equal(again.scores, found.scores)


@pytest.mark.parametrize(("jobs", "workers"), [(0, 0), (1, 1)])
def test_estimators_of_scikit_learn_start_no_more_workers_than_asked_for(
    monkeypatch: pytest.MonkeyPatch, jobs: int, workers: int
) -> None:
    """`jobs=0` fits in this process; two estimators share the one worker of `jobs=1`."""
    started: list[object] = []
    start = Starter.start
    monkeypatch.setattr(Starter, "start", lambda *given: started.append(given) or start(*given))
    ev.compare(
        "tree vs bayes on D using 5x2cv, seed 1",
        tree=DecisionTreeClassifier(),
        bayes=GaussianNB(),
        D=load_iris(return_X_y=True),
        jobs=jobs,
        ledger=False,
    )
    assert len(started) == workers


def test_what_cannot_be_read_is_in_the_text_of_the_error() -> None:
    with pytest.raises(ScriptError) as caught:
        ev.compare("tree vs naive-bayes on D usng 5x2cv", D=load_iris(return_X_y=True))
    found = next(f for f in caught.value.findings if f.code == "EV001")
    assert f"EV001 {found.name}: {found.message} ({found.help})" in str(caught.value)
    assert "evalang lint" not in str(caught.value)
    with pytest.raises(ScriptError) as parsed:
        ev.parse("compare tree vs naive-bayes on D usng 5x2cv")
    assert str(parsed.value).count(parsed.value.message) == 1


def test_a_hint_does_not_send_from_python_to_the_command_line(tmp_path: Path) -> None:
    script = "compare decision-tree vs naive-bayes on iris using 30 resamples of 2/3, by resampled-t, seed 1\n"
    with pytest.raises(ev.EvalangError) as caught:
        ev.run(script)
    assert "lint --fix" not in str(caught.value)
    assert "EV401" in str(caught.value)
    file = tmp_path / "x.eval"
    file.write_text(script)
    with pytest.raises(ev.EvalangError, match="lint --fix"):
        ev.run(file)


def test_the_target_of_a_frame_is_named_in_ways_that_python_has() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "diagnosis": ["x", "y"]})
    with pytest.raises(DataError, match=r'pass \(X, y\), or target="…" to ev.compare'):
        ev.compare("decision-tree vs naive-bayes on D using 5x2cv", D=frame, ledger=False)
    frame = load_iris(as_frame=True).frame.rename(columns={"target": "species"})
    both = [{"D": frame, "target": "species"}, {"D": (frame.drop(columns="species"), frame["species"])}]
    with pytest.raises(ScriptError, match='no frame has a column "kind"'):
        ev.compare("decision-tree vs naive-bayes on D", D=frame, target="kind", ledger=False)
    named, apart = (ev.compare("decision-tree vs naive-bayes on D using 5x2cv", ledger=False, **one) for one in both)
    assert named.scores.equals(apart.scores)


def test_the_target_of_a_frame_is_named_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = load_iris(as_frame=True).frame.rename(columns={"target": "species"})
    magics: dict[str, Any] = {}
    shell = SimpleNamespace(
        user_ns={"df": frame},
        register_magic_function=lambda one, magic_kind, magic_name: magics.update({magic_name: one}),
    )
    notebook.register(shell)
    monkeypatch.setattr("evalang.api.run", lambda cell, names, **_: names)
    found = magics["evalang"]('result --target "species"', "compare decision-tree vs naive-bayes on df using 5x2cv")
    assert found["df"][1].name == "species"
    assert shell.user_ns["result"] is found


def test_a_positive_class_can_be_passed() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    sentence = "decision-tree vs naive-bayes on D using 5x2cv measuring recall"
    with pytest.raises(ev.Refused, match=r'pass positive="…" to ev.compare'):
        ev.compare(sentence, D=(X, y), ledger=False)
    recalls = [ev.compare(sentence, D=(X, y), positive=one, ledger=False).scores["score"].mean() for one in (0, 1)]
    assert recalls[0] != recalls[1]


def test_a_misspelt_argument_offers_the_nearest() -> None:
    with pytest.raises(ScriptError, match="did you mean jobs="):
        ev.compare("decision-tree vs naive-bayes on D", D=load_iris(return_X_y=True), n_jobs=2)


@pytest.mark.parametrize("call", [ev.compare, ev.run, ev.lint, ev.plan, ev.parse])
def test_a_script_that_is_no_text_is_refused(call: Callable[..., object]) -> None:
    with pytest.raises(ScriptError, match="not of type int"):
        call(3)
