"""Runs of HELM, Every Eval Ever and OpenAI Evals, made by hand to their formats."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from evalang.data import tools as readers
from evalang.language.parser import parse
from evalang.language.text import SourceText as Text

from ...support.tool_logs import read, refused


def helm_run(folder: Path, model: str, scores: dict[str, float], **changed: Any) -> None:
    folder.mkdir(parents=True)
    adapter = {"model": model, "temperature": 0.0, "max_train_instances": 5, **changed.pop("adapter", {})}
    spec = {"name": f"mmlu:subject=law,model={model.replace('/', '_')}", "adapter_spec": adapter}
    (folder / "run_spec.json").write_text(json.dumps(spec))
    stats = [
        {
            "instance_id": item,
            "train_trial_index": 0,
            "stats": [
                {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": score},
                {"name": {"name": "num_bytes", "split": "test"}, "count": 1, "mean": 9.0},
                {"name": {"name": "exact_match", "split": "valid"}, "count": 1, "mean": 7.0},
            ],
        }
        for item, score in scores.items()
    ]
    (folder / "per_instance_stats.json").write_text(json.dumps(stats))
    texts = changed.pop("texts", {item: f"Is {item} right?" for item in scores})
    if texts:
        instances = [{"id": item, "input": {"text": text}, "references": []} for item, text in texts.items()]
        (folder / "instances.json").write_text(json.dumps(instances))


def test_helm_runs_are_models_by_instances(tmp_path: Path) -> None:
    helm_run(tmp_path / "runs" / "a", "lab/a", {"id1": 1.0, "id2": 0.0})
    helm_run(tmp_path / "runs" / "b", "lab/b", {"id1": 0.0, "id2": 0.0})
    table = read(tmp_path, "helm", "runs/", metric="exact_match")
    assert table.frame.values.tolist() == [
        ["lab/a", "mmlu:subject=law", "id1", 1.0],
        ["lab/a", "mmlu:subject=law", "id2", 0.0],
        ["lab/b", "mmlu:subject=law", "id1", 0.0],
        ["lab/b", "mmlu:subject=law", "id2", 0.0],
    ]
    assert table.differing == ()
    refused("has 2 metrics: 'exact_match', 'num_bytes'", tmp_path, "helm", "runs/")


def test_helm_names_what_it_leaves_out_and_what_differs(tmp_path: Path) -> None:
    helm_run(tmp_path / "runs" / "a", "lab/a", {"id1": float("nan"), "id2": 0.0})
    helm_run(tmp_path / "runs" / "b", "lab/b", {"id1": 0.0, "id2": float("inf")}, adapter={"max_train_instances": 0})
    table = read(tmp_path, "helm", "runs/", metric="exact_match")
    assert table.frame["score"].dropna().tolist() == [0.0, 0.0]
    assert [("id1" in text, "id2" in text) for text in table.left_out] == [(True, False), (False, True)]
    assert [text.partition(" of ")[0] for text in table.differing] == ["max_train_instances"]


def test_helm_proves_items_where_it_kept_their_text(tmp_path: Path) -> None:
    helm_run(tmp_path / "runs" / "a", "lab/a", {"id1": 1.0})
    helm_run(tmp_path / "runs" / "b", "lab/b", {"id1": 1.0}, texts={"id1": "Is it wrong?"})
    refused("item 'id1' of mmlu:subject=law differs between", tmp_path, "helm", "runs/", metric="exact_match")
    states = [{"instance": {"id": "id1", "input": {"text": "Is id1 right?"}, "references": []}}]
    (tmp_path / "runs" / "b" / "instances.json").unlink()
    unproven = "mmlu:subject=law: its logs hold no text of the items, so that they are paired by their names alone"
    assert read(tmp_path, "helm", "runs/", metric="exact_match").differing == (unproven,)
    (tmp_path / "runs" / "b" / "scenario_state.json").write_text(json.dumps({"request_states": states}))
    assert read(tmp_path, "helm", "runs/", metric="exact_match").differing == ()
    (tmp_path / "runs" / "a" / "stats.json").write_text("[]")
    refused(r"averages .* cannot be paired", tmp_path, "helm", "runs/a/stats.json", metric="exact_match")


def ever(folder: Path, name: str, scores: dict[str, object], **changed: Any) -> None:
    """A file of averages and its samples, to the schema of version 0.3."""
    model = f"lab/{name}"
    lines = [
        {
            "schema_version": "0.3.0", "model_id": model, "evaluation_name": "sums", "sample_id": item,
            "input": {"raw": changed.get("raw", f"What is {item}?"), "formatted": "Q", "reference": ["4"]},
            "evaluation": {"score": score},
        }
        for item, score in scores.items()
    ]  # fmt: skip
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    if changed.get("samples", True):
        (folder / f"{name}_samples.jsonl").write_bytes(data)
    head = {
        "schema_version": changed.get("version", "0.3.0"),
        "model_info": {"id": model, "name": name},
        "eval_library": {"name": "lighteval", "version": "0.9"},
        "evaluation_results": [
            {"evaluation_name": "sums", "metric_config": {"metric_name": "accuracy", "lower_is_better": False}}
        ],
        "detailed_evaluation_results": {
            "file_path": f"data/x/{name}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": changed.get("checksum", hashlib.sha256(data).hexdigest()),
        },
    }
    (folder / f"{name}.json").write_text(json.dumps(head))


def test_every_eval_ever_with_its_samples(tmp_path: Path) -> None:
    ever(tmp_path, "a", {"q1": 1.0, "q2": 0.0})
    ever(tmp_path, "b", {"q1": 0.0, "q2": None})
    table = read(tmp_path, "every-eval-ever", "*.json")
    assert table.frame["score"].tolist()[:3] == [1.0, 0.0, 0.0]
    assert table.frame["score"].isna().tolist() == [False, False, False, True]  # q2 of b: an answer that is missing
    assert (table.metric, table.higher_is_better) == ("accuracy", True)
    assert table.left_out == ("lab/b on sums: 1 sample not scored ('q2')",)
    assert (table.origins[0].tool, table.origins[0].version) == ("Every Eval Ever (lighteval)", "0.9")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"samples": False}, "holds averages, which cannot be paired"),
        ({"version": "0.9.0"}, r"schema version '0.9.0' \(versions 0.2.\*, 0.3.\* are read\)"),
        ({"checksum": "0" * 64}, "is not the file that 'b.json' belongs to"),
        ({"raw": "Something else?"}, "item 'q1' of sums differs between"),
    ],
)
def test_every_eval_ever_refused(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    ever(tmp_path, "a", {"q1": 1.0})
    ever(tmp_path, "b", {"q1": 1.0}, **changed)
    refused(said, tmp_path, "every-eval-ever", "{a.json,b.json}")


def openai(path: Path, model: str, right: dict[str, bool], expected: str = "4") -> None:
    lines: list[dict[str, Any]] = [{"spec": {"completion_fns": [model], "eval_name": "sums", "run_config": {}}}]
    for item, correct in right.items():
        lines.append({"sample_id": item, "type": "sampling", "data": {"prompt": f"What is {item}?", "sampled": "x"}})
        lines.append({"sample_id": item, "type": "match", "data": {"correct": correct, "expected": expected}})
    lines.append({"final_report": {"accuracy": 0.5}})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_openai_evals(tmp_path: Path) -> None:
    openai(tmp_path / "a.jsonl", "gpt-a", {"s.0": True, "s.1": False})
    openai(tmp_path / "b.jsonl", "gpt-b", {"s.0": True, "s.1": True})
    table = read(tmp_path, "openai-evals", "*.jsonl")
    assert table.frame["score"].tolist() == [1.0, 0.0, 1.0, 1.0]
    assert (table.metric, table.higher_is_better) == ("accuracy", True)
    openai(tmp_path / "b.jsonl", "gpt-b", {"s.0": True}, expected="5")
    refused(r"item 's.0' of sums differs between", tmp_path, "openai-evals", "*.jsonl")
    openai(tmp_path / "a.jsonl", "gpt-a", {})
    refused("only averages, which cannot be paired", tmp_path, "openai-evals", "a.jsonl")
    (tmp_path / "a.jsonl").write_text('{"doc_id": 0}\n')
    refused("is not a log of OpenAI Evals", tmp_path, "openai-evals", "a.jsonl")


def test_every_option_of_a_reader_can_be_written_in_a_script() -> None:
    """A reserved word cannot stand before `=`, so no option may be called by one."""
    found = set()
    for path in Path(readers.__file__).parent.glob("*.py"):
        for known in re.findall(r"checked_options\(source, \{([^}]*)\}\)", path.read_text(encoding="utf-8")):
            found |= set(re.findall(r'"(\w+)": ', known))
    assert {"scorer", "named", "metric", "experiment", "split"} <= found
    for name in found:
        tree, findings = parse(Text("s.eval", f'results r from inspect "x"({name} = "y")\n'))
        assert not findings, name
        assert len(tree.statements) == 1
