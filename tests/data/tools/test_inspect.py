"""Logs of Inspect, made by hand to its format: numbers, pairing by id and by content, and what is refused."""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evalang.errors import DataError

from ...support.tool_logs import inspect_log, read, refused, write_eval, write_json

A = inspect_log("lab/a", {1: "C", 2: "I", 3: "P", 4: "N"})
B = inspect_log("lab/b", {1: "C", 2: "C", 3: "C", 4: "I"})


def test_zip_and_json_say_the_same(tmp_path: Path) -> None:
    write_eval(tmp_path / "zip" / "a.eval", A)
    write_eval(tmp_path / "zip" / "b.eval", B)
    write_json(tmp_path / "json" / "a.json", A)
    write_json(tmp_path / "json" / "b.json", B)
    zipped, plain = read(tmp_path, "inspect", "zip/"), read(tmp_path, "inspect", "json")
    assert zipped.frame.equals(plain.frame)
    assert zipped.frame["learner"].tolist() == ["lab/a"] * 4 + ["lab/b"] * 4
    assert zipped.frame["score"].tolist() == [1.0, 0.0, 0.5, 0.0, 1.0, 1.0, 1.0, 0.0]
    assert zipped.frame["item"].tolist() == ["1", "2", "3", "4"] * 2
    assert zipped.columns == {"score": "score", "learner": "learner", "dataset": "dataset", "item": "item"}
    assert (zipped.metric, zipped.higher_is_better) == ("accuracy", True)
    assert (zipped.differing, zipped.left_out) == ((), ())
    origin, digest = zipped.origins[0], hashlib.sha256((tmp_path / "zip" / "a.eval").read_bytes()).hexdigest()
    assert (origin.path, origin.sha256, origin.tool, origin.version) == ("zip/a.eval", digest, "Inspect", "0.3.150")


def test_epochs_and_metadata_are_columns(tmp_path: Path) -> None:
    write_eval(tmp_path / "a.eval", inspect_log("lab/a", {"x": ("C", "I"), "y": ("C", "C")}, epochs=2))
    table = read(tmp_path, "inspect", "a.eval")
    assert table.columns["epoch"] == "epoch"
    assert table.frame["epoch"].tolist() == [1, 2, 1, 2]
    assert table.frame["metadata.passage"].tolist() == ["p0"] * 4


def test_plain_numbers_have_no_direction(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", inspect_log("lab/a", {1: 0.25, 2: 3.5, 3: "7"}))
    table = read(tmp_path, "inspect", "a.json")
    assert table.frame["score"].tolist() == [0.25, 3.5, 7.0]
    assert (table.metric, table.higher_is_better) == (None, None)


def test_one_changed_text_under_the_same_id_is_refused(tmp_path: Path) -> None:
    write_eval(tmp_path / "a.eval", A)
    changed = inspect_log("lab/b", {1: "C", 2: "C", 3: "C", 4: "I"}, texts={3: "What is 3 + 2?"})
    write_eval(tmp_path / "b.eval", changed)
    refused(r"item '3' of sums differs between 'b.eval' and 'a.eval'", tmp_path, "inspect", "*.eval")


def test_ids_of_messages_are_not_content(tmp_path: Path) -> None:
    for name, mark in (("a", "u1"), ("b", "u2")):
        log = inspect_log(f"lab/{name}", {1: "C"}, texts={1: [{"id": mark, "role": "user", "content": "Hello?"}]})
        write_eval(tmp_path / f"{name}.eval", log)
    assert len(read(tmp_path, "inspect", "*.eval").frame) == 2


def test_differing_prompts_limits_and_versions_are_named(tmp_path: Path) -> None:
    write_eval(tmp_path / "a.eval", A)
    other = inspect_log("lab/b", {1: "C"}, template="Think first. {question}", config={"message_limit": 10})
    other["plan"]["config"]["temperature"] = 1.0
    write_eval(tmp_path / "b.eval", other)
    differing = read(tmp_path, "inspect", "*.eval").differing
    words = [text.partition(" of sums")[0] for text in differing]
    assert words == ["data", "solver and prompt", "temperature", "limit", "message_limit"]
    assert any("'1' in b.eval" in text for text in differing)


def test_errors_and_missing_scores_are_left_out_by_name(tmp_path: Path) -> None:
    log = inspect_log("lab/a", {1: "C", 2: "I", 3: math.nan, 4: "C"})
    log["samples"][1]["error"] = {"message": "timeout"}
    write_eval(tmp_path / "a.eval", log)
    table = read(tmp_path, "inspect", "a.eval")
    assert table.frame["item"].tolist() == ["1", "4", "2", "3"]
    assert table.frame["score"].isna().tolist() == [False, False, True, True]
    assert table.left_out == (
        "lab/a on sums: 1 sample ended in an error ('2')",
        "lab/a on sums: 1 sample not scored ('3')",
    )


def test_two_logs_of_one_model_are_told_apart_by_their_files(tmp_path: Path) -> None:
    write_eval(tmp_path / "plain.eval", A)
    write_eval(tmp_path / "thinking.eval", A)
    refused(r"are both of lab/a and hold item '1' of sums twice", tmp_path, "inspect", "*.eval")
    table = read(tmp_path, "inspect", "*.eval", named="file")
    assert sorted(set(table.frame["learner"])) == ["plain", "thinking"]
    write_eval(tmp_path / "y" / "plain.eval", A)
    refused("give the two files different names", tmp_path, "inspect", "{plain.eval,y/plain.eval}", named="file")


def with_(**changed: Any) -> dict[str, Any]:
    return {**A, **changed}


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (with_(version=3), r"is an Inspect log of version '3' \(version 2 is read"),
        (with_(status="started"), "ended with status 'started'"),
        (with_(status="error"), "ended with status 'error'"),
        (with_(invalidated=True), "is marked as invalid"),
        (with_(samples=[]), "holds no samples, only the averages of 'match'"),
        (with_(samples=[{**A["samples"][0], "scores": None}]), "has 1 samples and no score"),
        (with_(samples=[{"epoch": 1, "scores": {}}]), "has no id"),
        (with_(samples=[{**A["samples"][0], "epoch": 10**400}]), "holds a number too large"),
        (with_(samples=[{**A["samples"][0], "scores": {"m": {"value": "maybe"}}}]), "is 'maybe'"),
        (with_(samples=[{**A["samples"][0], "scores": {"m": {"value": [1, 2]}}}]), "a number, or C, I, P or N"),
        (with_(samples=[{**A["samples"][0], "scores": {"m": {"value": math.inf}}}]), "'inf'"),
        (with_(samples=[A["samples"][0], A["samples"][0]]), "'a.*' holds item '1' of sums twice"),
        (
            with_(samples=[{**A["samples"][0], "scores": {"m": {"value": {"p": 1, "r": 0}}}}]),
            "has several parts: 'p', 'r'",
        ),
        (with_(samples=[{**A["samples"][0], "scores": {"m": {"value": 1}, "n": {"value": 1}}}]), "several scorers"),
    ],
)
def test_what_cannot_be_paired_is_refused_in_one_sentence(tmp_path: Path, log: dict[str, Any], said: str) -> None:
    write_json(tmp_path / "a.json", log)
    with pytest.raises(DataError, match=said) as caught:
        read(tmp_path, "inspect", "a.json")
    assert "\n" not in str(caught.value)


def test_scorer_and_part_are_chosen(tmp_path: Path) -> None:
    log = with_(samples=[{**A["samples"][0], "scores": {"m": {"value": {"p": 1, "r": 0.5}}, "n": {"value": "I"}}}])
    write_json(tmp_path / "a.json", log)
    assert read(tmp_path, "inspect", "a.json", scorer="m", part="r").frame["score"].tolist() == [0.5]
    assert read(tmp_path, "inspect", "a.json", scorer="n").frame["score"].tolist() == [0.0]
    refused("has no scorer 'x'", tmp_path, "inspect", "a.json", scorer="x")
    refused("did you mean scorer", tmp_path, "inspect", "a.json", score="n")


def test_files_that_are_no_finished_log(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2}))
    (tmp_path / "study.eval").write_text("compare tree vs knn on iris using 10cv\n")
    write_eval(tmp_path / "large.eval", inspect_log("lab/a", {0: 10**400, 1: 1}))
    for name, sentence in (("a", "was never finished"), ("study", "is not JSON"), ("large", "too large for a score")):
        refused(sentence, tmp_path, "inspect", f"{name}.eval")
