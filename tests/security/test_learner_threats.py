"""Threats that come with a learner (T1, T2, T3, T21): code by name or parameter, files, endless work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from evalang.catalogue.learners import check_role, check_stage, targets
from evalang.errors import EvalangError, ScriptError
from evalang.plans.model import Learner, Step
from evalang.trials.learners import Trust, own_class
from evalang.trials.prepare import Columns, build

PLAIN = Columns(kinds=("numeric",), missing=(False,))

T1 = [
    "os.system",
    "subprocess.Popen",
    "builtins.eval",
    "logging.os.system",
    "sklearn.datasets._base.shutil.rmtree",
    "sklearn.utils._set_output.importlib.import_module",
    "sklearn.svm.SVC.__class__.__base__",
    "sklearn.svm._classes.SVC",  # the right class by a private way
    "sklеarn.svm.SVC",  # a Cyrillic letter
    "sklearn.svm.SVС",  # another
    "sklearn.svm.SVC ",
    "sklearn..svm.SVC",
    "__import__",
    "sklearn",
    "",
]


def learner(name: str, kind: Any = "estimator", **parameters: Any) -> Learner:
    return Learner(name="x", steps=(Step(name=name, kind=kind, parameters=tuple(parameters.items())),))


@pytest.mark.parametrize("kind", ["estimator", "learner"])
@pytest.mark.parametrize("name", T1)
def test_t1_only_names_of_the_table_exist(name: str, kind: str) -> None:
    assert targets(name) == ()
    before = set(sys.modules)
    with pytest.raises(ScriptError):
        build(learner(name, kind), "classification", PLAIN, 1)
    assert set(sys.modules) == before  # refused before anything was imported


def test_t1_a_step_is_looked_up_the_same_way() -> None:
    steps = (Step(name="logging.os.system", kind="estimator"), Step(name="svm", kind="learner"))
    with pytest.raises(ScriptError, match="not a scikit-learn estimator"):
        build(Learner(name="x", steps=steps), "classification", PLAIN, 1)


T2 = [
    ("sklearn.preprocessing.FunctionTransformer", "func", "os.system"),
    ("sklearn.neighbors.KNeighborsClassifier", "metric", "!python/object"),
    ("sklearn.model_selection.GridSearchCV", "pre_dispatch", "__import__('os').system('id')"),
    ("sklearn.model_selection.GridSearchCV", "scoring", "os.system"),
    ("sklearn.ensemble.HistGradientBoostingClassifier", "scoring", "os.system"),
    ("sklearn.pipeline.Pipeline", "memory", "/tmp/evil"),
    ("sklearn.cluster.FeatureAgglomeration", "memory", "/tmp/evil"),
    ("sklearn.feature_extraction.text.CountVectorizer", "tokenizer", "os.system"),
    ("sklearn.svm.SVC", "kernel", "lambda x: x"),
    ("sklearn.ensemble.BaggingClassifier", "estimator", "os.system"),
    ("svm", "kernel", "os.system"),
    ("select", "score_func", "os.system"),
    ("log", "func", "os.system"),
    ("svm", "__class__", "os.system"),
    ("svm", "C", len),
    ("svm", "kernel", print),
]


@pytest.mark.parametrize(("name", "parameter", "value"), T2)
def test_t2_no_parameter_takes_code(name: str, parameter: str, value: Any) -> None:
    assert check_stage(name, parameter, value) is not None
    kind = "estimator" if "." in name else "learner"
    with pytest.raises(EvalangError):
        build(learner(name, kind, **{parameter: value}), "classification", PLAIN, 1)
    with pytest.raises(EvalangError):  # nor does a tuned one
        build(learner(name, kind), "classification", PLAIN, 1, ((parameter, value),))


def test_t2_no_callable_file_or_cache_can_be_set_anywhere() -> None:
    """Over the whole table: nothing that takes a callable, a path or a cache is open for a script's values."""
    from evalang.catalogue.estimators import estimator_names, find_estimator

    never = {"memory", "input", "pre_dispatch", "func", "inverse_func", "tokenizer", "preprocessor", "n_jobs"}
    never |= {"random_state", "verbose", "estimator", "estimators", "base_estimator", "score_func", "token_pattern"}
    for dotted in estimator_names():
        entry = find_estimator(dotted)
        assert entry is not None
        for name in set(entry.settable) & never:
            spec = dict(entry.specs)[name][1:]
            assert all(one in ("none", "list") for one in spec), (dotted, name, spec)
            assert "list" not in spec or entry.needs_estimator, dotted


def test_t2_what_is_built_from_other_estimators_cannot_be_named() -> None:
    for dotted in (
        "sklearn.pipeline.Pipeline",
        "sklearn.ensemble.StackingClassifier",
        "sklearn.frozen.FrozenEstimator",
    ):
        assert check_role(dotted, last=True) is not None


def test_t3_no_learner_opens_files() -> None:
    dotted = "sklearn.feature_extraction.text.CountVectorizer"
    steps = (
        Step(name=dotted, kind="estimator", parameters=(("input", "filename"),)),
        Step(name="naive-bayes", kind="learner"),
    )
    with pytest.raises(ScriptError, match="may not open files"):
        build(Learner(name="x", steps=steps), "classification", PLAIN, 1)


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("random-forest", "n_estimators", 10**9),
        ("neural-net", "hidden_layer_sizes", (10**6, 10**6)),
        ("neural-net", "max_iter", 10**12),
        ("random-forest", "n_jobs", 10_000),
        ("sklearn.feature_extraction.text.CountVectorizer", "token_pattern", "(a+)+$"),
        ("polynomial", "degree", 10**6),
        pytest.param("decision-tree", "max_depth", 10**5000, id="5000 digits"),
        pytest.param("neural-net", "hidden_layer_sizes", (10**5000,), id="5000 digits in a list"),
        pytest.param("neural-net", "hidden_layer_sizes", (3,) * 100_000, id="100,000 layers"),
    ],
)
def test_t21_no_parameter_asks_for_endless_work(name: str, parameter: str, value: Any) -> None:
    wrong = check_stage(name, parameter, value)
    assert wrong is not None
    assert len(wrong) < 500


def test_own_code_needs_the_command_lines_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "team_of_ours"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "models.py").write_text(
        "from subprocess import Popen\n"
        "import os\n"
        "class Own:\n"
        "    def __init__(self, depth=1): self.depth = depth\n"
        "    def fit(self, X, y): return self\n"
        "    def predict(self, X): return [0] * len(X)\n"
        "class Idle: pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    name = "team_of_ours.models:Own"
    for trusted in (frozenset[str](), frozenset({"team"}), frozenset({"team_of_ours_2"})):
        with pytest.raises(ScriptError, match="--trust team_of_ours"):
            own_class(name, Trust(trusted))
    assert "team_of_ours" not in sys.modules
    trusted = frozenset({"team_of_ours"})
    made = build(learner(name, "code", depth=3), "classification", PLAIN, 1, trust=Trust(packages=trusted))
    assert made.learner.depth == 3
    for wrong in ("team_of_ours.models:Popen", "team_of_ours.models:os", "team_of_ours.models:Idle"):
        with pytest.raises(ScriptError):
            own_class(wrong, Trust(trusted))
    for form in ("team_of_ours.models", "team_of_ours.models:os.system", "team_of_ours/models:Own", ":Own", "a b:Own"):
        with pytest.raises(ScriptError):
            own_class(form, Trust(trusted))
    with pytest.raises(ScriptError, match="does not take these parameters"):
        build(learner(name, "code", colour=3), "classification", PLAIN, 1, trust=Trust(packages=trusted))


def test_own_code_that_fails_to_import_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_of_ours.py").write_text("raise ValueError('no licence')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(EvalangError, match="importing broken_of_ours failed: ValueError: no licence"):
        own_class("broken_of_ours:Own", Trust(frozenset({"broken_of_ours"})))
