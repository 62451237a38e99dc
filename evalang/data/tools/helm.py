"""Runs of HELM: a folder for each, with run_spec.json and per_instance_stats.json. The unit of pairing is the instance.

The text of the instances is in instances.json or scenario_state.json, where the run kept one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..files import opened
from ..limits import VALUE_CHARACTERS
from ..load import checked_options
from ..long_table import LongTable, Origin
from ..quoting import quoted, quoted_list
from .log_files import JsonStream, beside, checked_object, found_files, loads, sha256_of, there
from .logs import Log, Sample, content_of, side_by_side

_STATS = "per_instance_stats.json"
_MODEL = re.compile(r",?model(?:_deployment)?=[^,]*")
_SETTINGS = ("method", "instructions", "max_train_instances", "max_eval_instances", "num_outputs", "temperature")


def read_helm(source: Source, access: Access) -> LongTable:
    """Every run below a folder; `(metric = "exact_match")` has to be named, since a run has dozens."""
    options = checked_options(source, {"metric": str, "split": str})
    metric, split = options.get("metric"), str(options.get("split", "test"))
    found = found_files(source.locator, access, _STATS)
    logs = (_log(name, access, str(metric) if metric is not None else None, split) for name in found)
    return side_by_side(
        logs,
        metric=str(metric) if metric is not None else None,
        higher_is_better=None,
        apart="keep the runs of one suite",
    )


def _log(locator: str, access: Access, metric: str | None, split: str) -> Log:
    if locator.rpartition("/")[2] != _STATS:
        hint = f"name the folder of the runs; averages (stats.json) cannot be paired, {_STATS} can"
        raise DataError(f"{quoted(locator)} is not what is read of HELM", hint=hint)
    spec = _spec(beside(locator, "run_spec.json"), access)
    adapter = spec.get("adapter_spec")
    if not isinstance(adapter, dict) or "model" not in adapter or "name" not in spec:
        raise DataError(f"run_spec.json beside {quoted(locator)} names no model", hint="is it a run of HELM?")
    texts = dict(_texts(locator, access))

    def samples() -> Iterator[Sample]:
        with opened(locator, access) as stream:
            for record in JsonStream(stream, locator).elements():
                found = _sample(checked_object(record, quoted(locator)), locator, metric, split)
                if found is not None:
                    content = texts.get(found.item, "")
                    yield Sample(found.item, found.score, content, found.epoch, found.why)

    origin = Origin(path=locator, sha256=sha256_of(locator, access), tool="HELM")
    dataset = _MODEL.sub("", str(spec["name"])).rstrip(":,")
    return Log(origin, str(adapter["model"]), dataset, {name: adapter.get(name) for name in _SETTINGS}, samples())


def _spec(locator: str, access: Access) -> dict[str, Any]:
    if not there(locator, access):
        raise DataError(f"there is no {quoted(locator)}", hint="keep the folder of a run whole")
    with opened(locator, access) as stream:
        return checked_object(loads(stream.read(VALUE_CHARACTERS), quoted(locator)), quoted(locator))


def _texts(locator: str, access: Access) -> Iterator[tuple[str, str]]:
    """Instance and hash of its content."""
    plain, whole = beside(locator, "instances.json"), beside(locator, "scenario_state.json")
    if there(plain, access):
        with opened(plain, access) as stream:
            for one in JsonStream(stream, plain).elements():
                yield _content(one)
    elif there(whole, access):
        with opened(whole, access) as stream:
            for _, state in JsonStream(stream, whole).members((), each="request_states"):
                if isinstance(state, dict):
                    yield _content(state.get("instance"))


def _content(instance: object) -> tuple[str, str]:
    one = instance if isinstance(instance, dict) else {}
    return str(one.get("id")), content_of(one.get("input"), one.get("references"))


def _sample(record: dict[str, Any], locator: str, metric: str | None, split: str) -> Sample | None:
    item, trial, stats = record.get("instance_id"), record.get("train_trial_index", 0), record.get("stats")
    if not isinstance(item, str) or not isinstance(trial, int) or not isinstance(stats, list):
        raise DataError(f"an instance of {quoted(locator)} has no instance_id or no stats", hint="is it of HELM?")
    if record.get("perturbation"):
        return None
    values: dict[str, float] = {}
    for stat in stats:
        name = stat.get("name") if isinstance(stat, dict) else None
        if not isinstance(name, dict) or name.get("split") != split or name.get("perturbation"):
            continue
        if isinstance(mean := stat.get("mean"), int | float) and math.isfinite(mean):
            values[str(name.get("name"))] = float(mean)
    if metric is None:
        hint = f'choose one: (metric = "{next(iter(values)) if len(values) == 1 else "exact_match"}")'
        many = "1 metric" if len(values) == 1 else f"{len(values)} metrics"
        raise DataError(f"{quoted(locator)} has {many}: {quoted_list(values, 30)}", hint=hint)
    if not values:
        return None
    return Sample(item, values.get(metric), epoch=trial + 1, why=f"without {metric}")
