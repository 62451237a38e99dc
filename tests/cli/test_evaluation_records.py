"""A run as records of Every Eval Ever and as tidy tables: other tools can read them, and so can we."""

from __future__ import annotations

import csv
import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from jsonschema import Draft202012Validator

from ..support.calling import Call
from ..support.tool_logs import inspect_log, write_eval

Schema = dict[str, Any]


def record(required: str, **properties: Schema) -> Schema:
    """The schema of an object: the names it must have, and what is known of some."""
    return {"type": "object", "required": required.split(), "properties": properties}


def one_of(*values: str) -> Schema:
    return {"enum": list(values)}


# Required names, types and closed lists of schema 0.3.0, written down by hand.
_TEXT, _NUMBER, _LIST = {"type": "string"}, {"type": "number"}, {"type": "array"}
_TEXTS: Schema = {"type": "object", "additionalProperties": _TEXT}
_END: Schema = {"oneOf": [_NUMBER, one_of("Infinity", "-Infinity")]}
_RESULT = record(
    "evaluation_name source_data metric_config score_details",
    source_data=record("dataset_name source_type", source_type=one_of("other")),
    metric_config=record("lower_is_better", lower_is_better={"type": "boolean"}, min_score=_END, max_score=_END)
    | {"if": {"required": ["score_type"]}, "then": {"required": ["min_score", "max_score"]}},
    score_details=record("score", score=_NUMBER, details=_TEXTS),
)
RECORD = record(
    "schema_version evaluation_id retrieved_timestamp source_metadata model_info eval_library evaluation_results",
    schema_version=one_of("0.3.0"),
    evaluation_id=_TEXT,
    evaluation_timestamp=_TEXT,
    retrieved_timestamp=_TEXT | {"pattern": "^[0-9]+$"},
    source_metadata=record(
        "source_type source_organization_name evaluator_relationship",
        source_type=one_of("documentation", "evaluation_run"),
        source_organization_name=_TEXT,
        evaluator_relationship=one_of("first_party", "third_party", "collaborative", "other"),
    ),
    eval_library=record("name version"),
    model_info=record(
        "name id additional_details",
        additional_details=record(
            "deployment_type model_availability",
            deployment_type=one_of("self_deployed", "externally_managed", "unknown"),
            model_availability=one_of("open_weights", "closed_weights", "unknown"),
        ),
    ),
    evaluation_results=_LIST | {"minItems": 1, "items": _RESULT},
    detailed_evaluation_results=record(
        "format file_path", format=one_of("jsonl"), file_path={"pattern": "^data/[^/]+/[^/]+/[^/]+/[^/]+$"}
    ),
) | {"additionalProperties": False}
_IDS = "schema_version evaluation_id model_id evaluation_name sample_id"
SAMPLE = record(
    f"{_IDS} interaction_type input answer_attribution evaluation output",
    **dict.fromkeys((*_IDS.split(), "evaluation_result_id"), _TEXT),
    interaction_type=one_of("single_turn"),
    input=record("raw reference", raw=_TEXT, reference=_LIST),
    output=record("raw", raw=_LIST),
    answer_attribution=_LIST,
    evaluation=record("score is_correct", score=_NUMBER, is_correct={"type": "boolean"}),
    metadata=_TEXTS,
) | {"additionalProperties": False}
NUMBERS = ("p", "difference", "low", "high", "units")


def items(folder: Path, epochs: int = 1) -> None:
    """Two logs of forty items; the second is right more often."""
    for name, wrong in (("a", 3), ("b", 8)):
        answers = {
            f"q{i}": tuple("I" if i * (e + 1) % wrong == 0 else "C" for e in range(epochs)) if epochs > 1
            else ("I" if i % wrong == 0 else "C")
            for i in range(40)
        }  # fmt: skip
        write_eval(folder / "logs" / f"{name}.eval", inspect_log(f"lab/{name}", answers, epochs=epochs))


def verdict(call: Call, folder: Path, script: str, name: str) -> dict[str, str]:
    """The verdict of a script, by its own export."""
    (folder / f"{name}.eval").write_text(script)
    done = call("run", f"{name}.eval", "--out", f"runs/{name}", "--no-ledger")
    assert done.code == 0, done.err
    assert call("report", f"runs/{name}", "--to", "csv", "--out", f"{name}-csv").code == 0
    with (folder / f"{name}-csv" / "verdicts.csv").open(newline="") as file:
        (found,) = csv.DictReader(file)
    return found


def alike(first: dict[str, str], second: dict[str, str]) -> None:
    assert (first["test"], first["verdict"]) == (second["test"], second["verdict"])
    for number in NUMBERS:  # a test of groups has no interval
        assert bool(first[number]) == bool(second[number])
        assert float(first[number] or 0) == pytest.approx(float(second[number] or 0), abs=1e-15)


@pytest.mark.parametrize(
    ("epochs", "measuring", "groups"),
    [(1, "accuracy", ""), (3, "accuracy", ""), (3, "pass(k = 2)", ""), (1, "accuracy", ', groups "metadata.passage"')],
)
def test_items_go_out_and_come_back(call: Call, folder: Path, epochs: int, measuring: str, groups: str) -> None:
    items(folder, epochs)
    compare = '\ncompare "lab/a" vs "lab/b" on logs\n'
    first = verdict(call, folder, f'results logs from inspect "logs/", measuring {measuring}{groups}{compare}', "own")
    assert call("report", "runs/own", "--to", "every-eval-ever", "--out", "out").code == 0
    heads = sorted((folder / "out").rglob("*.json"))
    assert len(heads) == 2
    valid = Draft202012Validator(SAMPLE)
    for path in heads:
        head = json.loads(path.read_text(encoding="utf-8"))
        Draft202012Validator(RECORD).validate(head)
        assert uuid.UUID(path.stem).version == 4
        told = head["detailed_evaluation_results"]
        samples = folder / "out" / told["file_path"]
        assert samples.parent == path.parent
        assert hashlib.sha256(samples.read_bytes()).hexdigest() == told["checksum"]
        lines = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
        assert len(lines) == told["total_rows"] == 40 * epochs
        for line in lines:
            valid.validate(line)
            assert line["evaluation_id"] == head["evaluation_id"]
            assert line["model_id"] == head["model_info"]["id"]
        if measuring == "accuracy":
            mean = sum(line["evaluation"]["score"] for line in lines) / len(lines)
            assert head["evaluation_results"][0]["score_details"]["score"] == pytest.approx(mean)
    back = ', groups "metadata.group"' if groups else ""
    again = f'results logs from every-eval-ever "out/", measuring {measuring}{back}{compare}'
    alike(first, verdict(call, folder, again, "again"))
    # The tidy table says the same once more, by the roles that are written beside it.
    roles = json.loads((folder / "own-csv" / "about.json").read_text())["roles"]
    column = {role: name for name, role in roles.items()}
    levels = " / ".join(column[role] for role in ("datasets", "items", "epochs")[: 2 + (epochs > 1)])
    tidy = f'results logs from csv "own-csv/scores.csv" as {column["score"]} ~ {column["learner"]} | {levels}'
    clause = f', groups "{column["groups"]}"' if groups else ""
    alike(first, verdict(call, folder, f"{tidy}, measuring {measuring}{clause}{compare}", "tidy"))


def test_an_export_still_proves_its_items(call: Call, folder: Path) -> None:
    items(folder)
    (folder / "own.eval").write_text('results r from inspect "logs/", measuring accuracy\ncompare all on r\n')
    assert call("run", "own.eval", "--out", "own").code == 0
    assert call("report", "own", "--to", "every-eval-ever", "--out", "out").code == 0
    assert "EV217" not in call("compare", "out", "--from", "every-eval-ever").out  # hashes of the texts went with it
    path = next(p for p in (folder / "out").rglob("*_samples.jsonl") if p.parent.name == "b")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["metadata"]["content_sha256"] = "0" * 64
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "is not the file that" in call("compare", "out", "--from", "every-eval-ever").out  # and it is left out
    head = next(p for p in path.parent.glob("*.json"))
    told = json.loads(head.read_text())
    told["detailed_evaluation_results"]["checksum"] = hashlib.sha256(path.read_bytes()).hexdigest()
    head.write_text(json.dumps(told))
    assert "item 'q0' of sums differs between" in call("compare", "out", "--from", "every-eval-ever").err


def test_folds_go_out_and_come_back_as_folds(call: Call, folder: Path) -> None:
    compare = "compare decision-tree vs naive-bayes on {} {}\n"
    first = verdict(call, folder, "set seed 3\n" + compare.format("iris", "using 3x5cv"), "own")
    assert call("report", "runs/own", "--to", "every-eval-ever").code == 0  # into the run folder
    place = folder / "runs" / "own" / "every-eval-ever"
    assert not list(place.rglob("*.jsonl"))  # folds are no samples
    for path in place.rglob("*.json"):
        Draft202012Validator(RECORD).validate(json.loads(path.read_text()))
    back = 'results own from every-eval-ever "runs/own/every-eval-ever/", made using 3x5cv, measuring accuracy\n'
    alike(first, verdict(call, folder, back + compare.format("own", ""), "again"))
    assert call("report", "runs/own", "--to", "parquet", "--out", "pq").code == 0
    schema = pyarrow.parquet.read_schema(folder / "pq" / "scores.parquet")
    roles = {field.metadata[b"role"].decode(): field.name for field in schema if field.metadata}
    told = json.loads(schema.metadata[b"evalang"])
    assert told["made"] == {"compare-1": "3x5cv"}
    levels = " / ".join(roles[role] for role in ("datasets", "repeats", "folds"))
    script = (
        f'results own from parquet "pq/scores.parquet" as {roles["score"]} ~ {roles["learner"]} | {levels},\n'
        f"  made using {told['made']['compare-1']}, measuring accuracy\n{compare.format('own', '')}"
    )
    alike(first, verdict(call, folder, script, "parquet"))


def test_two_metrics_are_asked_for_one(call: Call, folder: Path) -> None:
    script = "set seed 3\ncompare decision-tree vs naive-bayes on iris using 5cv, measuring accuracy, f-score"
    (folder / "own.eval").write_text(f"{script}, holm over metrics\n")
    assert call("run", "own.eval", "--out", "own").code == 0
    assert call("report", "own", "--to", "every-eval-ever", "--out", "out").code == 0
    again = 'results o from every-eval-ever "out/"{}, measuring accuracy\ncompare all on o\n'
    (folder / "again.eval").write_text(again.format(""))
    done = call("run", "again.eval")
    assert "has several metrics: 'accuracy'" in done.err
    (folder / "again.eval").write_text(again.format('(metric = "accuracy")'))
    assert call("run", "again.eval").code == 0
