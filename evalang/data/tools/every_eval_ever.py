"""Every Eval Ever: a JSON of averages for each model and evaluation, and beside it the samples, one a line.

Schema: https://github.com/evaleval/every_eval_ever, versions 0.2 and 0.3. Averages alone are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..files import open_file
from ..quoting import error_about, quoted
from ..raw import LongTable, Standing, checked_options, choose
from .log_files import (
    as_dict,
    as_dicts,
    exists,
    find_files,
    origin_of,
    parse_json,
    read_lines,
    read_object,
    sibling,
)
from .logs import Log, Sample, content_hash, read_logs, score_of

VERSIONS = ("0.2.", "0.3.")
FOLDS, CONTENT = "evalang_folds", "content_sha256"  # what our own export adds


def read_every_eval_ever(source: Source, access: Access) -> LongTable:
    """One file of averages with its samples, a folder of them, or a pattern."""
    options = checked_options(source, {"metric": str})
    wanted = options.get("metric")
    names = find_files(source.locator, access, "*.json")
    heads = {name: _chosen(name, _head(name, access), wanted) for name in names}
    results = [one for head in heads.values() for one in _results(head)]
    metrics = {name for one in results if isinstance(name := _metric_of(one), str)}
    flags = {as_dict(one.get("metric_config")).get("lower_is_better") for one in results} - {None}
    found = metrics.pop() if len(metrics) == 1 else None
    higher = not flags.pop() if len(flags) == 1 else None
    if all(_samples_file(name, head, access) is None and _folds(name, head) for name, head in heads.items()):
        table = _of_folds(heads, access)
    else:
        advice = "keep one evaluation of each model"
        table = read_logs(source, access, "*.json", read=lambda n: list(_logs(n, heads[n], access)), advice=advice)
    return replace(table, metric=found, higher_is_better=higher)


def _chosen(locator: str, head: dict[str, Any], metric: object) -> dict[str, Any]:
    """The record with the results of one metric alone: a sample stands in the file once for each of them."""
    metrics = sorted({name for one in _results(head) if isinstance(name := _metric_of(one), str)})
    named = [str(one.get("evaluation_name")) for one in _results(head)]
    if metric is not None or (len(metrics) > 1 and len(set(named)) < len(named)):
        metric = choose(metric, metrics, quoted(locator), "metric")
    kept = [one for one in _results(head) if metric is None or _metric_of(one) == metric]
    return {**head, "evaluation_results": kept}


def _head(locator: str, access: Access) -> dict[str, Any]:
    head = read_object(locator, access)
    version = head.get("schema_version")
    if not isinstance(version, str) or not isinstance(head.get("model_info"), dict):
        raise error_about(locator, "is not a file of Every Eval Ever", "such files have schema_version and model_info")
    if not version.startswith(VERSIONS):
        hint = f"versions {', '.join(f'{v}*' for v in VERSIONS)} are read"
        raise error_about(locator, f"has the schema version {quoted(version)}", hint)
    return head


def _results(head: dict[str, Any]) -> list[dict[str, Any]]:
    return as_dicts(head.get("evaluation_results"))


def _metric_of(result: dict[str, Any]) -> object:
    config = as_dict(result.get("metric_config"))
    return config.get("metric_name") or config.get("metric_id")


def _model(head: dict[str, Any]) -> str:
    return str(head["model_info"].get("id") or head["model_info"].get("name"))


def _tool(head: dict[str, Any]) -> tuple[str, str]:
    """Return what made the evaluation, and its version."""
    library = as_dict(head.get("eval_library"))
    return f"Every Eval Ever ({library.get('name', 'unknown')})", str(library.get("version", ""))


def _samples_file(locator: str, head: dict[str, Any], access: Access) -> str | None:
    """The file of the samples, where there is one beside the record."""
    path = as_dict(head.get("detailed_evaluation_results")).get("file_path")
    named = [sibling(locator, str(path).rpartition("/")[2])] if path else []
    found = (name for name in (*named, locator.removesuffix(".json") + "_samples.jsonl") if exists(name, access))
    return next(found, None)


def _logs(locator: str, head: dict[str, Any], access: Access) -> Iterator[Log]:
    details, name = as_dict(head.get("detailed_evaluation_results")), _samples_file(locator, head, access)
    if name is None:
        wanted = str(details.get("file_path") or "…_samples.jsonl").rpartition("/")[2]
        raise error_about(locator, "holds averages, which cannot be paired", f"put its samples beside it: {wanted}")
    samples = _samples(name, head, access)
    origin = origin_of(name, access, *_tool(head))
    checksum = details.get("checksum") if details.get("hash_algorithm") == "sha256" else None
    if isinstance(checksum, str) and checksum != origin.sha256:
        what = f"is not the file that {quoted(locator)} belongs to: its checksum differs"
        raise error_about(name, what, "keep the two files of one run together")
    settings = {str(one.get("evaluation_name")): one.get("generation_config") for one in _results(head)}
    for evaluation, generation in settings.items():
        about = {"generation": generation, "library": as_dict(head.get("eval_library"))}
        yield Log(origin, _model(head), evaluation, about, samples.get(evaluation, []))


def _samples(locator: str, head: dict[str, Any], access: Access) -> dict[str, list[Sample]]:
    """The samples of each evaluation, which may stand mixed in the file."""
    model = _model(head)
    wanted = {str(one.get("evaluation_name")): one.get("evaluation_result_id") for one in _results(head)}
    found: dict[str, list[Sample]] = {}
    epochs: dict[tuple[str, str], int] = {}
    with open_file(locator, access) as stream:
        for number, line in read_lines(stream, locator):
            where = f"line {number} of {quoted(locator)}"
            evaluation = str(line.get("evaluation_name"))
            result = line.get("evaluation_result_id")
            if evaluation not in wanted or (result and wanted[evaluation] and result != wanted[evaluation]):
                continue
            if line.get("model_id") not in (None, model):
                what = f"{where} is of {quoted(line['model_id'])}, not of {quoted(model)}"
                raise DataError(what, hint="keep the samples of one model in each file")
            item, graded = line.get("sample_id"), line.get("evaluation")
            if item is None or not isinstance(graded, dict):
                what = f"{where} has no sample_id or no evaluation"
                raise DataError(what, hint="without them no scores can be paired")
            place = (evaluation, str(item))
            epochs[place] = epochs.get(place, 0) + 1
            found.setdefault(evaluation, []).append(_sample(line, graded, epochs[place], where))
    return found


def _sample(line: dict[str, Any], graded: dict[str, Any], epoch: int, where: str) -> Sample:
    asked, about = as_dict(line.get("input")), as_dict(line.get("metadata"))
    # A record without texts may hold the hash of the item's text, as ours do.
    content = content_hash(asked["raw"], asked.get("reference")) if asked.get("raw") else str(about.get(CONTENT) or "")
    columns = {f"metadata.{k}": v for k, v in about.items() if isinstance(v, str) and k not in (CONTENT, "epoch")}
    return Sample(
        item=str(line["sample_id"]),
        score=_score(graded, where),
        content=content,
        epoch=epoch,
        why="not scored",
        prompt=content_hash(asked["formatted"]) if asked.get("formatted") else "",
        about=columns,
    )


def _folds(locator: str, head: dict[str, Any]) -> list[tuple[str, float, float, float, float]]:
    """Dataset, repetition, fold, training and score: what evalang itself puts into the details of an average."""
    rows = []
    for one in _results(head):
        text = as_dict(as_dict(one.get("score_details")).get("details")).get(FOLDS)
        if not isinstance(text, str):
            return []
        for row in parse_json(text, f"{FOLDS} in {quoted(locator)}"):
            if not (isinstance(row, list) and len(row) == 4 and all(_finite(value) for value in row)):
                what = f"the field {FOLDS} in {quoted(locator)} is not as evalang writes it"
                raise DataError(what, hint="write the file again: evalang report RUN --to every-eval-ever")
            rows.append((str(one.get("evaluation_name")), *row))
    return rows


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf


def _of_folds(heads: dict[str, dict[str, Any]], access: Access) -> LongTable:
    rows = [(_model(head), *row) for name, head in heads.items() for row in _folds(name, head)]
    frame = pd.DataFrame(rows, columns=["learner", "dataset", "repeat", "fold", "seed", "score"])
    columns: dict[Standing, str] = {"score": "score", "learner": "learner", "dataset": "dataset"}
    levels: tuple[Standing, ...] = ("repeat", "fold", "seed")
    for level in levels:
        if frame[level].nunique() > 1:
            columns[level] = level
        else:
            del frame[level]
    origins = tuple(origin_of(name, access, *_tool(head)) for name, head in heads.items())
    return LongTable(frame=frame, columns=columns, origins=origins)


def _score(graded: dict[str, Any], where: str) -> float | None:
    value = graded.get("score")
    if value is None and isinstance(graded.get("is_correct"), bool):
        return float(graded["is_correct"])
    return score_of(value, f"the score in {where}")
