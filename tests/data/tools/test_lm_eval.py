"""Sample files of lm-evaluation-harness, made by hand to the format of its version 0.4."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ...support.tool_logs import DATE, lm_eval_run, read, refused


def test_two_runs_are_models_by_documents(tmp_path: Path) -> None:
    path = lm_eval_run(tmp_path / "out" / "lab__a", "lab/a", [1.0, 0.0, 1.0])
    lm_eval_run(tmp_path / "out" / "lab__b", "lab/b", [0.0, 0.0, 1.0])
    table = read(tmp_path, "lm-eval", "out/")
    assert table.frame.to_dict("list") == {
        "learner": ["lab/a"] * 3 + ["lab/b"] * 3,
        "dataset": ["sums"] * 6,
        "item": ["0", "1", "2"] * 2,
        "score": [1.0, 0.0, 1.0, 0.0, 0.0, 1.0],
    }
    assert (table.metric, table.higher_is_better) == ("exact_match", True)
    assert [(o.tool, o.version) for o in table.origins] == [("lm-eval", "0.4.9.2")] * 2
    assert table.differing == ()
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
    assert read(tmp_path, "lm-eval", f"out/lab__a/{path.name}.gz").frame["score"].tolist() == [1.0, 0.0, 1.0]


def test_other_prompts_shots_and_versions_are_named_and_other_documents_refused(tmp_path: Path) -> None:
    lm_eval_run(tmp_path / "a", "lab/a", [1.0, 0.0])
    shots = {"n-shot": {"sums": 5}}
    lm_eval_run(tmp_path / "b", "lab/b", [1.0, 0.0], prompt="Question: {}", versions={"sums": 2.0}, **shots)
    differing = read(tmp_path, "lm-eval", "./").differing
    assert [text.partition(" of ")[0] for text in differing] == ["task version", "shots", "prompt"]
    assert "2 items" in differing[-1]
    lm_eval_run(tmp_path / "b", "lab/b", [1.0, 0.0], docs={1: "What is 1 + 2?"})
    refused("item '1' of sums differs between", tmp_path, "lm-eval", "./")


def test_several_filters_have_to_be_chosen_from(tmp_path: Path) -> None:
    lm_eval_run(tmp_path, "lab/a", [1.0, 0.0], filters=("strict-match", "flexible-extract"))
    refused("several filters: 'flexible-extract', 'strict-match'", tmp_path, "lm-eval", "./")
    assert len(read(tmp_path, "lm-eval", "./", filter="strict-match").frame) == 2
    refused("has no filter 'lax'", tmp_path, "lm-eval", "./", filter="lax")


def test_without_its_results_the_model_is_asked_for(tmp_path: Path) -> None:
    path = lm_eval_run(tmp_path, "lab/a", [1.0], lm_eval_version="1.2.0")
    for locator, sentence in (
        (path.name, r"written by lm-eval '1.2.0' \(versions 0.4.\* are read\)"),
        (f"results_{DATE}.json", "holds averages, which cannot be paired"),
    ):
        refused(sentence, tmp_path, "lm-eval", locator)
    (tmp_path / f"results_{DATE}.json").unlink()
    refused("does not say which model it is of", tmp_path, "lm-eval", "./")
    table = read(tmp_path, "lm-eval", "./", named="file")
    assert table.frame["learner"].tolist() == [f"samples_sums_{DATE}"]
    assert table.higher_is_better is None
    (tmp_path / "answers.jsonl").write_text("{}\n")
    refused("is not named as lm-eval names its samples", tmp_path, "lm-eval", "answers.jsonl")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"doc": {}}, "line 1 of .* has no doc_id"),
        ({"doc_id": 0, "doc": {}, "metrics": ["a", "b"], "a": 1, "b": 1}, "several metrics: 'a', 'b'"),
        ({"doc_id": 0, "doc": {}, "a": 1}, "has no metric"),
        ({"doc_id": 0, "doc": {}, "metrics": ["bleu"], "bleu": ["ref", "hyp"]}, "is not a score of one document"),
        ({"doc_id": 0, "doc": {}, "metrics": ["acc"]}, "has no metric 'acc'"),
        ({"doc_id": 0, "doc": {}, "metrics": ["acc"], "acc": "high"}, "is 'high'"),
        ({"doc_id": 0, "doc": {}, "metrics": ["acc"], "acc": None}, "has 1 samples and no score"),
    ],
)
def test_lines_that_hold_no_score(tmp_path: Path, line: dict[str, object], said: str) -> None:
    path = lm_eval_run(tmp_path, "lab/a", [])
    path.write_text(json.dumps(line) + "\n")
    refused(said, tmp_path, "lm-eval", path.name)
