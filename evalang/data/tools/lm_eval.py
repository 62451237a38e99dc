"""Per-sample files of lm-evaluation-harness (`--log_samples`): samples_TASK_DATE.jsonl, one document a line.

The unit of pairing is the document, by doc_id. The model, the shots and the direction of the metric stand in
results_DATE.json of the same run, beside it. Read are the files of versions 0.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..files import open_file
from ..quoting import error_about, quoted, quoted_list
from ..raw import LongTable, checked_options, choose
from .log_files import as_dict, exists, file_name, origin_of, read_lines, read_object, sibling
from .logs import Log, Sample, content_hash, learner_name, learner_option, read_logs, score_of

VERSIONS = "0.4."
_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl(?:\.gz)?")


@dataclass(slots=True)
class _Choice:
    """Metric and filter: as the script says, or the only ones there are."""

    metric: str | None
    filter: str | None


def read_lm_eval(source: Source, access: Access) -> LongTable:
    """Return every file of samples in a folder, or one, or those of a pattern."""
    options = checked_options(source, {"metric": str, "filter": str, "named": str})
    named = learner_option(options)
    choice = _Choice(options.get("metric"), options.get("filter"))
    directions: set[bool | None] = set()
    patterns = ("samples_*.jsonl", "samples_*.jsonl.gz")
    table = read_logs(source, access, *patterns, read=lambda n: [_log(n, access, named, choice, directions)])
    higher = directions.pop() if len(directions) == 1 else None
    return replace(table, metric=choice.metric, higher_is_better=higher)


def _log(locator: str, access: Access, named: str, choice: _Choice, directions: set[bool | None]) -> Log:
    name = file_name(locator)
    if name.startswith("results_"):
        raise error_about(name, "holds averages, which cannot be paired", "name the samples_….jsonl of the same run")
    match = _NAME.fullmatch(name)
    if match is None:
        raise error_about(name, "is not named as lm-eval names its samples", "write samples_TASK_DATE.jsonl")
    task, date = match.group("task"), match.group("date")
    run = _run(locator, date, access)
    hint = f'keep results_{date or "DATE"}.json beside it, or write (named = "file")'
    learner = learner_name(named, locator, run.get("model_name"), hint)
    origin = origin_of(locator, access, "lm-eval", str(run.get("lm_eval_version") or ""))

    def samples() -> Iterator[Sample]:
        with open_file(locator, access) as stream:
            filters: set[str] = set()
            for number, line in read_lines(stream, locator):
                where = f"line {number} of {quoted(locator)}"
                used = str(line.get("filter", "none"))
                filters.add(used)
                if choice.filter in (None, used):
                    yield _sample(line, where, choice)
        if filters:
            choose(choice.filter, sorted(filters), quoted(locator), "filter")
        directions.add(_direction(run, task, choice.metric))

    return Log(origin, learner, task, _settings(run, task), samples())


def _run(locator: str, date: str | None, access: Access) -> dict[str, Any]:
    """Return the results file of the same run; empty when there is none."""
    name = sibling(locator, f"results_{date}.json")
    if date is None or not exists(name, access):
        return {}
    run = read_object(name, access, too_large="is it a results file?")
    version = run.get("lm_eval_version")
    if version is not None and not str(version).startswith(VERSIONS):
        raise error_about(name, f"was written by lm-eval {quoted(version)}", f"versions {VERSIONS}* are read")
    return run


def _sample(line: dict[str, Any], where: str, choice: _Choice) -> Sample:
    if "doc_id" not in line or "doc" not in line:
        raise DataError(f"{where} has no doc_id or no doc", hint="the files of `lm_eval --log_samples` are read")
    metrics = line.get("metrics")
    known = [m for m in metrics if isinstance(m, str)] if isinstance(metrics, list) else []
    choice.metric = choice.metric or choose(None, known, where, "metric")
    if choice.metric not in line:
        hint = f"it has {quoted_list(known)}" if known else "an earlier version, or another file?"
        raise DataError(f"{where} has no metric {quoted(choice.metric)}", hint=hint)
    return Sample(
        item=str(line["doc_id"]),
        score=_score(line[choice.metric], f"{choice.metric} in {where}"),
        content=content_hash(line["doc"], line.get("target")),
        prompt=str(line.get("prompt_hash") or ""),
        why="not scored",
    )


def _score(value: object, what: str) -> float | None:
    if isinstance(value, list | dict):
        hint = "this metric is computed over all documents at once; choose another"
        raise DataError(f"{what} is not a score of one document", hint=hint)
    return score_of(value, what)


def _direction(run: dict[str, Any], task: str, metric: str | None) -> bool | None:
    higher = as_dict(as_dict(run.get("higher_is_better")).get(task)).get(metric or "")
    return higher if isinstance(higher, bool) else None


def _settings(run: dict[str, Any], task: str) -> dict[str, Any]:
    """Return what has to be the same for a difference to be the model's."""
    of_task = {"task version": "versions", "shots": "n-shot", "task hash": "task_hashes"}
    config = as_dict(run.get("config"))
    return {
        **{name: as_dict(run.get(key)).get(task) for name, key in of_task.items()},
        "limit": config.get("limit"),
        "generation": config.get("gen_kwargs"),
        "seed of the shots": config.get("fewshot_seed"),
        "system instruction": run.get("system_instruction_sha"),
        "chat template": bool(run.get("chat_template")) if run else None,
        "lm-eval": run.get("lm_eval_version"),
    }
