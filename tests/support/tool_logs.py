"""Small logs made by hand to the documented formats."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evalang.data.access import Access
from evalang.data.raw import LongTable
from evalang.data.tools import read_scores
from evalang.errors import DataError
from evalang.plans.model import Source

Json = dict[str, Any]


def read(folder: Path, kind: str, locator: str, **options: str) -> LongTable:
    """What the reader makes of a locator below a folder."""
    return read_scores(Source(kind, locator, tuple(options.items())), Access(root=folder))


def refused(match: str, folder: Path, kind: str, locator: str, **options: str) -> None:
    """Check that the source is refused in such words."""
    with pytest.raises(DataError, match=match):
        read(folder, kind, locator, **options)


def inspect_log(model: str, answers: Mapping[object, object], **changed: Any) -> Json:
    """A log of Inspect, version 2, in its JSON form; `answers`: the value of each sample by its id."""
    epochs = changed.pop("epochs", 1)
    texts = changed.pop("texts", {})
    config = {"limit": len(answers), "epochs": epochs, **changed.pop("config", {})}
    template = changed.pop("template", "{question}")
    samples = [
        {
            "id": item,
            "epoch": epoch + 1,
            "input": texts.get(item, f"What is {item} + 1?"),
            "target": "C",
            "messages": [{"role": "user", "content": 'with "quotes" and [brackets'}],
            "scores": {"match": {"value": value[epoch] if isinstance(value, tuple) else value, "answer": "x"}},
            "metadata": {"passage": f"p{index // 2}"},
            "events": [{"event": "model", "data": {"nested": [1, {"deep": "]}"}]}}],
        }
        for index, (item, value) in enumerate(answers.items())
        for epoch in range(epochs)
    ]
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "sums",
            "task_version": 0,
            "model": model,
            "dataset": {"name": "sums", "location": "sums.json", "samples": len(answers)},
            "config": config,
            "packages": {"inspect_ai": "0.3.150"},
            "scorers": [{"name": "match", "options": {}}],
        },
        "plan": {
            "name": "plan",
            "steps": [{"solver": "prompt_template", "params": {"template": template}}],
            "config": {"temperature": 0.0},
        },
        "results": {"total_samples": len(samples), "scores": [{"name": "match", "scorer": "match"}]},
        "samples": samples,
        **changed,
    }


def write_json(path: Path, log: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(log, indent=2), encoding="utf-8")
    return path


def write_eval(path: Path, log: Json, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """The same log as the zip file that Inspect writes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {key: value for key, value in log.items() if key != "samples"}
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"], "plan": log["plan"]}))
        for sample in log["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("summaries.json", "[]")
        archive.writestr("header.json", json.dumps(header))
    return path


DATE = "2026-01-21T03-44-18.458309"


def lm_eval_run(folder: Path, model: str, scores: Sequence[object], **changed: Any) -> Path:
    """The two files of one run of lm-evaluation-harness 0.4, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    docs = changed.pop("docs", {})
    prompt = changed.pop("prompt", "Q: {}")
    filters = changed.pop("filters", ("none",))
    lines = [
        {
            "doc_id": i,
            "doc": {"question": docs.get(i, f"What is {i} + 1?")},
            "target": str(i + 1),
            "resps": [["x"]],
            "filter": used,
            "metrics": ["exact_match"],
            "prompt_hash": prompt.format(i),
            "exact_match": score,
        }
        for used in filters
        for i, score in enumerate(scores)
    ]
    path = folder / f"samples_sums_{DATE}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    run = {
        "results": {"sums": {"exact_match,none": 0.5}},
        "versions": {"sums": 1.0},
        "n-shot": {"sums": 0},
        "higher_is_better": {"sums": {"exact_match": True}},
        "config": {"limit": None},
        "lm_eval_version": "0.4.9.2",
        "model_name": model,
        **changed,
    }
    (folder / f"results_{DATE}.json").write_text(json.dumps(run), encoding="utf-8")
    return path
