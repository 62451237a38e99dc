"""Every Eval Ever: a JSON of averages for each model and evaluation, and beside it the samples, one a line.

Schema: https://github.com/evaleval/every_eval_ever, versions 0.2 and 0.3. Averages alone are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..limits import VALUE_CHARACTERS
from ..long_table import LongTable, Origin
from ..opened import opened
from ..options import checked_options
from ..shown import shown
from .files import beside, found_files, sha256_of, there
from .json_stream import checked_object, lines, loads
from .logs import Log, Sample, content_of, side_by_side

VERSIONS = ("0.2.", "0.3.")


def read_every_eval_ever(source: Source, access: Access) -> LongTable:
    """One file of averages with its samples, a folder of them, or a pattern."""
    checked_options(source, {})
    names = found_files(source.locator, access, "*.json")
    heads = [(name, _head(name, access)) for name in names]
    lower = {flag for _, head in heads for flag in _lower(head)}
    metrics = {name for _, head in heads for name in _metrics(head)}
    logs = (log for name, head in heads for log in _logs(name, head, access))
    return side_by_side(
        logs,
        metric=metrics.pop() if len(metrics) == 1 else None,
        higher_is_better=not lower.pop() if len(lower) == 1 else None,
        apart="keep one evaluation of each model",
    )


def _head(locator: str, access: Access) -> dict[str, Any]:
    with opened(locator, access) as stream:
        head = checked_object(loads(stream.read(VALUE_CHARACTERS), shown(locator)), shown(locator))
    version = head.get("schema_version")
    if not isinstance(version, str) or not isinstance(head.get("model_info"), dict):
        raise DataError(f"{shown(locator)} is not of Every Eval Ever", hint="schema_version and model_info are missing")
    if not version.startswith(VERSIONS):
        hint = f"versions {', '.join(f'{v}*' for v in VERSIONS)} are read"
        raise DataError(f"{shown(locator)} has the schema version {shown(version)}", hint=hint)
    return head


def _results(head: dict[str, Any]) -> list[dict[str, Any]]:
    found = head.get("evaluation_results")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _configs(head: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for one in _results(head):
        if isinstance(config := one.get("metric_config"), dict):
            yield config


def _lower(head: dict[str, Any]) -> set[bool]:
    return {flag for one in _configs(head) if isinstance(flag := one.get("lower_is_better"), bool)}


def _metrics(head: dict[str, Any]) -> set[str]:
    return {name for one in _configs(head) if isinstance(name := one.get("metric_name") or one.get("metric_id"), str)}


def _samples_file(locator: str, head: dict[str, Any], access: Access) -> tuple[str, str | None]:
    """The file of the samples and the checksum it should have."""
    told = head.get("detailed_evaluation_results")
    path = told.get("file_path") if isinstance(told, dict) else None
    named = [beside(locator, str(path).rpartition("/")[2])] if path else []
    for name in (*named, locator.removesuffix(".json") + "_samples.jsonl"):
        if there(name, access):
            algorithm = told.get("hash_algorithm") if isinstance(told, dict) else None
            checksum = told.get("checksum") if isinstance(told, dict) and algorithm == "sha256" else None
            return name, checksum if isinstance(checksum, str) else None
    raise DataError(
        f"{shown(locator)} holds averages, which cannot be paired",
        hint=f"put its samples beside it: {shown((named or ['…_samples.jsonl'])[0])}",
    )


def _logs(locator: str, head: dict[str, Any], access: Access) -> Iterator[Log]:
    name, checksum = _samples_file(locator, head, access)
    digest = sha256_of(name, access)
    if checksum is not None and checksum != digest:
        raise DataError(f"{shown(name)} is not the file that {shown(locator)} was made with", hint="checksums differ")
    library = head.get("eval_library")
    said = library if isinstance(library, dict) else {}
    tool = f"Every Eval Ever ({said.get('name', 'unknown')})"
    origin = Origin(path=name, sha256=digest, tool=tool, version=str(said.get("version", "")))
    model = str(head["model_info"].get("id") or head["model_info"].get("name"))
    wanted = dict.fromkeys(str(one.get("evaluation_name")) for one in _results(head))
    settings = {str(one.get("evaluation_name")): one.get("generation_config") for one in _results(head)}
    for evaluation in wanted:
        about = {"generation": settings[evaluation], "library": said}
        yield Log(origin, model, evaluation, about, _samples(name, access, model, evaluation))


def _samples(locator: str, access: Access, model: str, evaluation: str) -> Iterator[Sample]:
    epochs: dict[str, int] = {}
    with opened(locator, access) as stream:
        for number, line in lines(stream, locator):
            where = f"line {number} of {shown(locator)}"
            if line.get("evaluation_name") != evaluation:
                continue
            if line.get("model_id") not in (None, model):
                raise DataError(f"{where} is of {shown(line['model_id'])}, not of {shown(model)}", hint="mixed files?")
            item, graded = line.get("sample_id"), line.get("evaluation")
            if item is None or not isinstance(graded, dict):
                raise DataError(f"{where} has no sample_id or no evaluation", hint="without them nothing is paired")
            given = line.get("input")
            asked = given if isinstance(given, dict) else {}
            epochs[str(item)] = epochs.get(str(item), 0) + 1
            yield Sample(
                item=str(item),
                score=_number(graded, where),
                content=content_of(asked.get("raw"), asked.get("reference")) if "raw" in asked else "",
                epoch=epochs[str(item)],
                why="not scored",
                prompt=content_of(asked["formatted"]) if asked.get("formatted") else "",
            )


def _number(graded: dict[str, Any], where: str) -> float | None:
    value = graded.get("score")
    if value is None and isinstance(graded.get("is_correct"), bool):
        return float(graded["is_correct"])
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if not isinstance(value, int | float) or not abs(value) < math.inf:
        raise DataError(f"the score in {where} is {shown(value)}", hint="a number")
    return float(value)
