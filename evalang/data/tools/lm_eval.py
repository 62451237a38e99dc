"""Per-sample files of lm-evaluation-harness (`--log_samples`): samples_TASK_DATE.jsonl, one document a line.

The unit of pairing is the document, by doc_id. The model, the shots and the direction of the metric stand in
results_DATE.json of the same run, beside it. Read are the files of versions 0.4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..files import opened
from ..limits import VALUE_CHARACTERS
from ..load import checked_options
from ..long_table import LongTable, Origin
from ..quoting import quoted, quoted_list
from .log_files import beside, checked_object, found_files, lines, loads, sha256_of, there
from .logs import APART, LEARNERS, Log, Sample, content_of, side_by_side

VERSIONS = "0.4."
_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl(?:\.gz)?")


@dataclass(slots=True)
class _Choice:
    """Metric and filter: as the script says, or the only ones there are."""

    metric: str | None
    filter: str | None


def read_lm_eval(source: Source, access: Access) -> LongTable:
    """Every file of samples in a folder, or one, or those of a pattern."""
    options = checked_options(source, {"metric": str, "filter": str, "named": str})
    by = str(options.get("named", "model"))
    if by not in LEARNERS:
        raise DataError(f"a learner is no {quoted(by)}", hint='write (named = "model"), or "file"')
    metric, kept = options.get("metric"), options.get("filter")
    choice = _Choice(metric if isinstance(metric, str) else None, kept if isinstance(kept, str) else None)
    directions: set[bool | None] = set()
    names = found_files(source.locator, access, "samples_*.jsonl", "samples_*.jsonl.gz")
    found = side_by_side(
        (_log(name, access, by, choice, directions) for name in names),
        metric=None, higher_is_better=None, apart=APART,
    )  # fmt: skip
    higher = directions.pop() if len(directions) == 1 else None
    return replace(found, metric=choice.metric, higher_is_better=higher)


def _log(locator: str, access: Access, by: str, choice: _Choice, directions: set[bool | None]) -> Log:
    name = locator.rpartition("/")[2]
    if name.startswith("results_"):
        raise DataError(
            f"{quoted(name)} holds averages, which cannot be paired", hint="name the samples_….jsonl of the same run"
        )
    match = _NAME.fullmatch(name)
    if match is None:
        raise DataError(f"{quoted(name)} is not named as lm-eval names its samples", hint="samples_TASK_DATE.jsonl")
    task, date = match.group("task"), match.group("date")
    run = _run(locator, date, access)
    if by == "model" and not run.get("model_name"):
        hint = f'keep results_{date or "DATE"}.json beside it, or write (named = "file")'
        raise DataError(f"{quoted(name)} does not say which model it is of", hint=hint)
    origin = Origin(
        path=locator, sha256=sha256_of(locator, access), tool="lm-eval", version=str(run.get("lm_eval_version") or "")
    )

    def samples() -> Iterator[Sample]:
        with opened(locator, access) as stream:
            filters: set[str] = set()
            for number, line in lines(stream, locator):
                where = f"line {number} of {quoted(locator)}"
                used = str(line.get("filter", "none"))
                filters.add(used)
                if choice.filter is None and len(filters) > 1:
                    hint = f'choose one: (filter = "{min(filters)}")'
                    raise DataError(f"{quoted(locator)} has several filters: {quoted_list(sorted(filters))}", hint=hint)
                if choice.filter in (None, used):
                    yield _sample(line, where, choice)
        if choice.filter is not None and choice.filter not in filters:
            hint = f"it has {quoted_list(sorted(filters))}"
            raise DataError(f"{quoted(locator)} has no filter {quoted(choice.filter)}", hint=hint)
        directions.add(_direction(run, task, choice.metric))

    learner = name.removesuffix(".gz").removesuffix(".jsonl") if by == "file" else str(run.get("model_name"))
    return Log(origin, learner, task, _settings(run, task), samples())


def _run(locator: str, date: str | None, access: Access) -> dict[str, Any]:
    """The results file of the same run; empty when there is none."""
    name = beside(locator, f"results_{date}.json")
    if date is None or not there(name, access):
        return {}
    with opened(name, access) as stream:
        data = stream.read(VALUE_CHARACTERS + 1)
    if len(data) > VALUE_CHARACTERS:
        raise DataError(f"{quoted(name)} is larger than {VALUE_CHARACTERS >> 20} MB", hint="is it a results file?")
    run = checked_object(loads(data, quoted(name)), quoted(name))
    version = run.get("lm_eval_version")
    if version is not None and not str(version).startswith(VERSIONS):
        raise DataError(
            f"{quoted(name)} was written by lm-eval {quoted(version)}", hint=f"versions {VERSIONS}* are read"
        )
    return run


def _sample(line: dict[str, Any], where: str, choice: _Choice) -> Sample:
    if "doc_id" not in line or "doc" not in line:
        raise DataError(f"{where} has no doc_id or no doc", hint="the files of `lm_eval --log_samples` are read")
    metrics = line.get("metrics")
    there = [m for m in metrics if isinstance(m, str)] if isinstance(metrics, list) else []
    if choice.metric is None:
        if len(there) != 1:
            said = f"several metrics: {quoted_list(there)}" if there else "no list of its metrics"
            hint = f'choose one: (metric = "{there[0] if there else "acc"}")'
            raise DataError(f"{where} has {said}", hint=hint)
        choice.metric = there[0]
    if choice.metric not in line:
        hint = f"it has {quoted_list(there)}" if there else "an earlier version, or another file?"
        raise DataError(f"{where} has no metric {quoted(choice.metric)}", hint=hint)
    item = str(line["doc_id"])
    return Sample(
        item=item,
        score=_number(line[choice.metric], f"{choice.metric} in {where}"),
        content=content_of(line["doc"], line.get("target")),
        prompt=str(line.get("prompt_hash") or ""),
        why="not scored",
    )


def _number(value: object, what: str) -> float | None:
    if isinstance(value, list | dict):
        hint = "such a metric is reckoned over all documents at once; choose another"
        raise DataError(f"{what} is no score of one document", hint=hint)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if not isinstance(value, int | float) or not abs(value) < math.inf:
        raise DataError(f"{what} is {quoted(value)}", hint="a number")
    return float(value)


def _direction(run: dict[str, Any], task: str, metric: str | None) -> bool | None:
    told = run.get("higher_is_better")
    found = told.get(task) if isinstance(told, dict) else None
    said = found.get(metric) if isinstance(found, dict) else None
    return said if isinstance(said, bool) else None


def _settings(run: dict[str, Any], task: str) -> dict[str, Any]:
    """What has to be the same for a difference to be the model's."""

    def of_task(name: str) -> object:
        found = run.get(name)
        return found.get(task) if isinstance(found, dict) else None

    config = run.get("config")
    config = config if isinstance(config, dict) else {}
    return {
        "task version": of_task("versions"),
        "shots": of_task("n-shot"),
        "task hash": of_task("task_hashes"),
        "limit": config.get("limit"),
        "generation": config.get("gen_kwargs"),
        "seed of the shots": config.get("fewshot_seed"),
        "system instruction": run.get("system_instruction_sha"),
        "chat template": bool(run.get("chat_template")) if run else None,
        "lm-eval": run.get("lm_eval_version"),
    }
