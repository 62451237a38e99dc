"""Scripts from text to verdict, on small built-in data: the real modules, no mocks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalang.errors import DataError, Refused, ScriptError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.results.run_result import VERSION, RunResult, dumps, loads
from evalang.trials.options import RunOptions

HERE = RunOptions(jobs=0)  # in this process: nothing here needs to be isolated


def run(text: str, folder: Path, options: RunOptions = HERE, **more: object) -> RunResult:
    path = folder / "script.eval"
    path.write_text(text, encoding="utf-8")
    return run_script(SourceText(str(path), text), Request(options=options, **more))  # type: ignore[arg-type]


SENTENCE = """
set seed 7
dataset D from builtin "breast-cancer", positive "malignant" because "the clinical set at hand"
learner A is decision-tree, tune max_depth in {2, 4}
learner B is naive-bayes
compare A vs B on D using 5x2cv, tune on 20%, bonferroni over datasets
"""


ABSENT = (
    'dataset D from csv "missing.csv", target "y" because "x"\ncompare decision-tree vs naive-bayes on D using 5x2cv'
)


def test_the_sentence_the_language_exists_for(tmp_path: Path) -> None:
    found = run(SENTENCE, tmp_path)
    assert [f.code for f in found.findings if f.level != "note"] == []
    (verdict,) = found.verdicts
    assert verdict.learners == ("A", "B")
    assert verdict.test is not None
    assert verdict.test.test == "corrected-t"
    assert found.trials == 20
    assert len(found.scores) == 20
    assert {c.setting for c in found.candidates} == {(("max_depth", 2),), (("max_depth", 4),)}


def test_the_same_script_gives_the_same_verdicts_and_the_archive_gives_them_back(tmp_path: Path) -> None:
    one, two = run(SENTENCE, tmp_path), run(SENTENCE, tmp_path)
    assert one.verdicts == two.verdicts
    assert one.scores == two.scores
    again = loads(dumps(one), "here")
    assert again == one
    assert json.loads(dumps(one))["version"] == VERSION


def test_an_archive_of_the_first_version_is_still_read(tmp_path: Path) -> None:
    now = run(SENTENCE, tmp_path)
    held = json.loads(dumps(now))
    held["run"]["findings"] = [{**f, "subject": f["subject"]["comparison"]} for f in held["run"]["findings"]]
    for name, was in (("RunResult", "Judgement"), ("Tried", "Candidate")):
        held = json.loads(json.dumps(held).replace(f'"is": "{name}"', f'"is": "{was}"'))
    before = loads(json.dumps({"version": 1, "judgement": held["run"]}), "here")
    assert before.candidates == now.candidates
    assert before.verdicts == now.verdicts
    assert [f.subject.name for f in before.findings] == [f["subject"] for f in held["run"]["findings"]]


def test_a_hand_made_archive_is_refused_in_a_sentence() -> None:
    for text in (
        "",
        "{}",
        '{"version": 1, "judgement": {"is": "Popen"}}',
        '{"version": 2, "run": {"is": "Popen"}}',
        '{"version": 99, "judgement": {}}',
        "[" * 100_000,
    ):
        with pytest.raises(ScriptError, match="here"):
            loads(text, "here")


def test_lint_errors_stop_before_the_data_is_opened(tmp_path: Path) -> None:
    text = ABSENT + ", by resampled-t, seed 1\n"
    with pytest.raises(Refused) as caught:
        run(text, tmp_path)
    assert "EV401" in {f.code for f in caught.value.findings if f.level == "error"}


def test_a_missing_file_is_a_sentence_with_its_place(tmp_path: Path) -> None:
    text = ABSENT + ", seed 1\n"
    with pytest.raises(DataError) as caught:
        run(text, tmp_path)
    assert "missing.csv" in caught.value.message
    assert caught.value.position is not None
    assert caught.value.position.line == 1


def test_existing_results_and_predictions_are_judged_without_a_fit(tmp_path: Path) -> None:
    rows = ["Dataset,A,B"] + [f"d{i},{80 + i},{78 + i - (i % 3)}" for i in range(10)]
    (tmp_path / "scores.csv").write_text("\n".join(rows) + "\n")
    said = ["y,a,b"] + ["p,p,n"] * 30 + ["p,n,p"] * 6 + ["n,n,n"] * 20
    (tmp_path / "said.csv").write_text("\n".join(said) + "\n")
    found = run(
        'results table from csv "scores.csv", datasets in "Dataset", measuring accuracy\n'
        "compare A vs B on table by wilcoxon\n"
        'predictions said from csv "said.csv", truth "y", learners in "a", "b"\n'
        "compare a vs b on said by mcnemar\n",
        tmp_path,
    )
    over, rows_test = found.verdicts
    assert over.dataset is None
    assert over.test is not None
    assert over.test.pvalue == pytest.approx(2 / 2**10)  # A ahead on all ten
    assert over.decision == "first-better"
    assert rows_test.test is not None
    # (|30 - 6| - 1)^2 / 36
    assert rows_test.test.statistic == pytest.approx(23**2 / 36)
    assert rows_test.decision == "first-better"
    assert found.trials == 0


def test_an_unknown_learner_of_a_table_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("Dataset,tree,bayes\na,1,2\nb,2,3\nc,2,1\n")
    with pytest.raises(DataError, match="no learner tre") as caught:
        run('results t from csv "scores.csv", measuring rmse\ncompare tre vs bayes on t by sign\n', tmp_path)
    assert "tree" in caught.value.hint


def test_a_low_metric_is_won_by_the_lower_score(tmp_path: Path) -> None:
    found = run(
        'set seed 3\ndataset F from synthetic friedman1(n = 200) because "made"\n'
        "learner flat is mean\nlearner line is linear-regression\n"
        "compare flat vs line on F using 5x2cv\n",
        tmp_path,
    )
    (verdict,) = found.verdicts
    assert verdict.metric == "rmse"
    assert verdict.decision == "second-better"
    assert verdict.test is not None
    assert verdict.test.difference is not None
    assert verdict.test.difference > 0  # the flat one errs more
    assert (verdict.test.wins, verdict.test.losses) == (0, 10)


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
        "set seed 4\n"
        + "".join(f'set allow {code} because "a test"\n' for code in ("EV101", "EV404", "EV602", "EV704", "EV707"))
        + f"{compare} decision-tree vs majority on iris, wine using {scheme}, bonferroni over datasets\n"
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
        assert estimate.interval.low <= estimate.score <= estimate.interval.high
        assert estimate.interval.low >= 0
        assert estimate.interval.high <= 1


def test_a_script_that_does_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="nothing"):
        run("set seed 1\n", tmp_path)


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


def test_own_code_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    text = (
        'set seed 1\ndataset D from csv "missing.csv", target "y" because "x"\n'
        'learner mine is "team_package.models:Team"(depth = 3)\n'
        "compare mine vs naive-bayes on D using 5x2cv\n"
    )
    with pytest.raises(ScriptError, match="not trusted") as caught:
        run(text, tmp_path)
    assert "--trust team_package" in caught.value.hint
    assert caught.value.position is not None
    assert caught.value.position.line == 3


def test_the_versions_behind_the_numbers_are_kept(tmp_path: Path) -> None:
    found = dict(run(SENTENCE, tmp_path).environment)
    assert {"python", "evalang", "numpy", "scikit-learn"} <= set(found)


def test_what_the_script_calls_missing_is_a_gap_in_a_table(tmp_path: Path) -> None:
    rows = ["Dataset,A,B"] + [f"d{i},{80 + i},{78 + i - (i % 3)}" for i in range(8)] + ["d8,-99,70", "d9,91,unknown"]
    (tmp_path / "scores.csv").write_text("\n".join(rows) + "\n")
    text = 'results t from csv "scores.csv", datasets in "Dataset", measuring accuracy, missing -99, "unknown"\n'
    with pytest.raises(DataError, match="d8"):
        run(text + "compare A vs B on t by wilcoxon\n", tmp_path)
    found = run(text + "compare A vs B on t by wilcoxon, complete cases\n", tmp_path)
    (verdict,) = found.verdicts
    assert verdict.datasets == tuple(f"d{i}" for i in range(8))
