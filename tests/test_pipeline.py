"""Scripts from text to verdict, on small built-in data: the real modules, no mocks."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import evalang.pipeline
from evalang.errors import DataError, EvalangError, Refused, ScriptError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.reports import json as json_report
from evalang.results.run_result import VERSION, RunResult, dumps, loads
from evalang.trials.options import RunOptions

IN_PROCESS = RunOptions(jobs=0)
SENTENCE = """
set seed 7
dataset D from builtin "breast-cancer", positive "malignant" because "the clinical set at hand"
learner A is decision-tree, tune max_depth in {2, 4}
learner B is naive-bayes
compare A vs B on D using 5x2cv, tune on 20%, bonferroni over datasets
"""
ABSENT = 'set seed 1\ndataset D from csv "missing.csv", target "y" because "x"\n'
ALLOWED = "set seed 4\n" + "".join(
    f'set allow {code} because "a test"\n' for code in ("EV101", "EV404", "EV602", "EV704", "EV707")
)


def run(text: str, folder: Path, options: RunOptions = IN_PROCESS, **more: object) -> RunResult:
    path = folder / "script.eval"
    path.write_text(text, encoding="utf-8")
    return run_script(SourceText(str(path), text), Request(options=options, **more))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def sentence(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    return run(SENTENCE, tmp_path_factory.mktemp("sentence"))


def test_the_sentence_the_language_exists_for(sentence: RunResult) -> None:
    assert [f.code for f in sentence.findings if f.level != "note"] == []
    (verdict,) = sentence.verdicts
    assert verdict.learners == ("A", "B")
    assert verdict.test is not None
    assert verdict.test.test == "corrected-t"
    assert sentence.trials == len(sentence.scores) == 20
    assert {c.setting for c in sentence.candidates} == {(("max_depth", 2),), (("max_depth", 4),)}
    assert {"python", "evalang", "numpy", "scikit-learn"} <= set(dict(sentence.environment))


def test_the_same_script_gives_the_same_verdicts_and_the_archive_gives_them_back(
    sentence: RunResult, tmp_path: Path
) -> None:
    again = run(SENTENCE, tmp_path)
    assert (again.verdicts, again.scores) == (sentence.verdicts, sentence.scores)
    assert loads(dumps(sentence), "here") == sentence
    assert json.loads(dumps(sentence))["version"] == VERSION


def test_an_archive_of_the_first_version_is_still_read(sentence: RunResult) -> None:
    held = json.loads(dumps(sentence))
    held["run"]["findings"] = [{**f, "subject": f["subject"]["comparison"]} for f in held["run"]["findings"]]
    held["run"]["verdicts"] = [{**v, "equivalence": None} for v in held["run"]["verdicts"]]
    for name, was in (("RunResult", "Judgement"), ("Tried", "Candidate")):
        held = json.loads(json.dumps(held).replace(f'"is": "{name}"', f'"is": "{was}"'))
    before = loads(json.dumps({"version": 1, "judgement": held["run"]}), "here")
    assert (before.candidates, before.verdicts) == (sentence.candidates, sentence.verdicts)
    assert [f.subject.name for f in before.findings] == [f["subject"] for f in held["run"]["findings"]]


@pytest.mark.parametrize(
    "text", ["", "{}", '{"version": 2, "run": {"is": "Popen"}}', '{"version": 99, "judgement": {}}', "[" * 100_000]
)
def test_a_hand_made_archive_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ScriptError, match="here"):
        loads(text, "here")


@pytest.mark.parametrize(
    ("text", "error", "words", "line"),
    [
        ("set seed 1\n", ScriptError, "no `compare`", None),
        (ABSENT + "compare decision-tree vs naive-bayes on D using 5x2cv by resampled-t\n", Refused, "EV401", None),
        (ABSENT + "compare decision-tree vs naive-bayes on D using 5x2cv\n", DataError, "missing.csv", 2),
        (
            ABSENT
            + 'learner mine is "team_package.models:Team"(depth = 3)\ncompare mine vs naive-bayes on D using 5x2cv',
            ScriptError,
            "not trusted.*--trust team_package",
            3,
        ),
    ],
    ids=["nothing to do", "lint before data", "missing file", "own code before data"],
)
def test_what_stops_a_run_names_its_place(
    text: str, error: type[EvalangError], words: str, line: int | None, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words) as caught:
        run(text, tmp_path)
    assert line is None or (caught.value.position is not None and caught.value.position.line == line)


def test_passwords_are_kept_nowhere(tmp_path: Path) -> None:
    text = (
        'dataset D from sql "postgresql://me:s3cret@127.0.0.1:1/db", query "select 1", target "y" because "x"\n'
        "compare decision-tree vs naive-bayes on D using 5x2cv, seed 1\n"
    )
    with pytest.raises(DataError) as caught:
        run(text, tmp_path, RunOptions(jobs=0, folder=tmp_path / "run"), allow_net=("localhost",))
    assert "s3cret" not in str(caught.value)
    kept = [p for p in (tmp_path / "run").rglob("*") if p.is_file()]
    assert not any(b"s3cret" in p.read_bytes() for p in kept)


def test_json_counts_the_rows_behind_a_single_score(tmp_path: Path) -> None:
    """Of folds it counts the folds, whose mean it is."""
    (tmp_path / "said.csv").write_text("y,a,b\n" + "p,.9,.6\n" * 30 + "p,.4,.7\n" * 6 + "n,.2,.1\n" * 20)
    on_few = "compare decision-tree vs naive-bayes on few using {}, seed 1\n"
    found = run(
        'predictions said from csv "said.csv", truth "y", learners in "a", "b", positive "p"\n'
        "compare a vs b on said measuring brier\n"
        'dataset few from synthetic gaussians(n = 30, overlap = 0.3) because "small"\n'
        + "".join(on_few.format(scheme) for scheme in ("holdout 1/3, measuring brier", "leave-one-out", "5cv")),
        tmp_path,
    )
    entries = json.loads(json_report.render(found))["comparisons"]
    assert [[s["n"] for s in one["scores"]] for one in entries] == [[56] * 2, [10] * 2, [30] * 2, [5] * 2]


def test_gaps_and_unknown_learners_of_a_table(tmp_path: Path) -> None:
    rows = ["Dataset,A,B"] + [f"d{i},{80 + i},{78 + i - (i % 3)}" for i in range(8)] + ["d8,-99,70", "d9,91,unknown"]
    (tmp_path / "scores.csv").write_text("\n".join(rows) + "\n")
    text = 'results t from csv "scores.csv", datasets in "Dataset", measuring accuracy, missing -99, "unknown"\n'
    with pytest.raises(DataError, match="d8"):
        run(text + "compare A vs B on t by wilcoxon\n", tmp_path)
    (verdict,) = run(text + "compare A vs B on t by wilcoxon, complete cases\n", tmp_path).verdicts
    assert verdict.datasets == tuple(f"d{i}" for i in range(8))
    (tmp_path / "scores.csv").write_text("Dataset,tree,bayes\na,1,2\nb,2,3\nc,2,1\n")
    with pytest.raises(DataError, match=r"no learner tre.*tree"):
        run('results t from csv "scores.csv", measuring rmse\ncompare tre vs bayes on t by sign\n', tmp_path)


@pytest.mark.parametrize(
    ("compare", "scheme", "question", "of_learners"),
    [
        ("compare", "holdout 1/2", 3, "not settled"),
        ("compare this classifier", "holdout 1/2", 3, "not settled"),
        ("compare", "4 trainings of 20", 7, "supported"),
        ("compare", "10x2cv", 8, "supported"),
    ],
)
def test_each_dataset_of_several_answers_its_own_question(
    compare: str, scheme: str, question: int, of_learners: str, tmp_path: Path
) -> None:
    found = run(
        f"{ALLOWED}{compare} decision-tree vs majority on iris, wine using {scheme}, bonferroni over datasets\n"
        "claim decision-tree better than majority on iris, wine\n"
        "claim this classifier decision-tree better than majority on iris, wine\n",
        tmp_path,
    )
    assert {v.question for v in found.verdicts if v.dataset is not None} == {question}
    assert [c.status for c in found.claims] == [of_learners, "supported"]
    assert ("one training set" in found.claims[0].reason) == (of_learners == "not settled")


def test_estimates_have_an_interval_around_their_score(tmp_path: Path) -> None:
    found = run(
        'set seed 4\nset allow EV101 because "a test"\n'
        "estimate decision-tree on iris using 10cv\n"
        "estimate this classifier decision-tree on iris using holdout 1/3\n"
        "estimate decision-tree on iris using 4 trainings of 20\n"
        "estimate decision-tree on iris using holdout 1/3\n",
        tmp_path,
    )
    assert [e.question for e in found.estimates] == [6, 1, 5, 1]
    for estimate in found.estimates:
        assert estimate.score is not None
        assert estimate.interval is not None, estimate.undecided_because
        assert 0 <= estimate.interval.low <= estimate.score <= estimate.interval.high <= 1


def test_randomization_repeats_the_procedure_on_shuffled_labels(tmp_path: Path) -> None:
    found = run(
        'set seed 4\nset allow EV101 because "a test"\n'
        "estimate naive-bayes on iris using 5cv, by randomization(shuffles = 19)\n",
        tmp_path,
    )
    (estimate,) = found.estimates
    assert estimate.test is not None
    assert estimate.test.pvalue == 1 / 20  # no shuffle comes near the true labels of iris
    assert estimate.test.n_units == 19
    assert found.trials == 5 * 20
    assert abs(dict(estimate.test.details)["mean_on_shuffled_labels"] - 1 / 3) < 0.1


# Simulations come before training, with the data's own sizes.

FEW = 'dataset few from csv "few.csv", target "y" because "r"\n'
TABLE = 'results old from csv "{}.csv", datasets in "d", measuring accuracy\ncompare one vs two on old by {} as c\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = random.Random(1)
    kinds = [rng.choice("ab") for _ in range(18)]
    rows = [f"{rng.gauss(kind == 'a', 1):.3f},{rng.random():.3f},{kind}" for kind in kinds]
    (tmp_path / "few.csv").write_text("\n".join(["x,z,y", *rows]))
    scores = [f"s{i},{0.7 + i / 50},{0.6 + i / 30}" for i in range(6)]
    (tmp_path / "scores.csv").write_text("\n".join(["d,one,two", *scores]))
    (tmp_path / "one.csv").write_text("\n".join(["d,one,two", scores[0]]))
    said = [f"{rng.choice('ab')},{rng.choice('ab')},{rng.choice('ab')}" for _ in range(70)]
    (tmp_path / "said.csv").write_text("\n".join(["truth,one,two", *said]))
    return tmp_path


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "compare decision-tree vs naive-bayes on iris using 10x10cv, seed 1 as c\n"
            "simulate type-I of mcnemar with n 10, trials 10, seed 1",
            "`n` cannot be 10",
        ),
        (
            f"{FEW}compare decision-tree vs naive-bayes on few using 10cv, seed 1 as c\n"
            "simulate power of c with difference 5%, trials 10, seed 1",
            "18 rows are too few for corrected-t on 10cv",
        ),
        (
            "compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1 as c\nsimulate power of c with seed 1",
            "only the simulation finds out",
        ),
        (
            TABLE.format("one", 'sign, allow EV408 because "the simulation is asked"')
            + "simulate power of c with difference 5%, trials 20, seed 1",
            "sign needs two datasets",
        ),
    ],
)
def test_nothing_is_trained_for_what_cannot_be_simulated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, words: str
) -> None:
    def untrained(*_: Any, **__: Any) -> None:
        raise AssertionError("something was trained")

    def refuse(*_: Any) -> None:
        raise ScriptError(words)

    monkeypatch.setattr(evalang.pipeline, "run_trials", untrained)
    if words.startswith("only"):
        monkeypatch.setattr(evalang.pipeline, "simulate", refuse)
    with pytest.raises(EvalangError, match=words):
        run(script, folder)


@pytest.mark.parametrize(
    ("script", "word", "size"),
    [
        (f"{TABLE.format('scores', 'wilcoxon')}simulate power of c with difference 5%, trials 20", "datasets", 6),
        (
            f"{TABLE.format('scores', 'wilcoxon')}simulate power of c with difference 5%, datasets 9, trials 20",
            "datasets",
            9,
        ),
        (
            'predictions said from csv "said.csv", truth "truth"\ncompare one vs two on said by mcnemar as c\n'
            "simulate power of c with difference 20%, trials 20",
            "rows",
            70,
        ),
        (
            f"{FEW}compare decision-tree vs naive-bayes on few using 3cv, seed 1 as c\n"
            "simulate power of c with difference 20%, trials 20",
            "rows",
            18,
        ),
    ],
    ids=["results", "as written", "predictions", "file"],
)
def test_a_simulation_has_the_size_of_the_data(folder: Path, script: str, word: str, size: float) -> None:
    found = run(f"{script}, seed 1", folder).simulations
    assert {dict(o.settings)[word] for o in found if "instead-of" not in dict(o.settings)} == {size}
