"""Runs of HELM: a folder for each, with run_spec.json and per_instance_stats.json. The unit of pairing is the instance.

The text of the instances is in instances.json or scenario_state.json, where the run kept one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..files import open_file
from ..quoting import error_about, quoted, quoted_list
from ..raw import LongTable, checked_options
from .log_files import (
    as_dict,
    as_dicts,
    checked_object,
    exists,
    file_name,
    origin_of,
    read_items,
    read_object,
    sibling,
)
from .logs import Log, Sample, content_hash, read_logs

_STATS = "per_instance_stats.json"
_MODEL = re.compile(r",?model(?:_deployment)?=[^,]*")
_SETTINGS = ("method", "instructions", "max_train_instances", "max_eval_instances", "num_outputs", "temperature")


def read_helm(source: Source, access: Access) -> LongTable:
    """Return every run below a folder; `(metric = "exact_match")` has to be named, since a run has dozens."""
    options = checked_options(source, {"metric": str, "split": str})
    metric, split = options.get("metric"), options.get("split") or "test"
    table = read_logs(
        source, access, _STATS, read=lambda n: [_log(n, access, metric, split)], advice="keep the runs of one suite"
    )
    return replace(table, metric=metric)


def _log(locator: str, access: Access, metric: str | None, split: str) -> Log:
    if file_name(locator) != _STATS:
        hint = f"name the folder of the runs; averages (stats.json) cannot be paired, {_STATS} can"
        raise error_about(locator, "is not a file of HELM that evalang reads", hint)
    spec_file = sibling(locator, "run_spec.json")
    if not exists(spec_file, access):
        raise DataError(f"there is no {quoted(spec_file)}", hint="copy the whole folder of the run")
    spec = read_object(spec_file, access)
    adapter = as_dict(spec.get("adapter_spec"))
    if "model" not in adapter or "name" not in spec:
        raise DataError(f"run_spec.json beside {quoted(locator)} names no model", hint="check that it is a run of HELM")
    contents = dict(_contents(locator, access))

    def samples() -> Iterator[Sample]:
        with open_file(locator, access) as stream:
            for record in read_items(stream, locator):
                found = _sample(checked_object(record, quoted(locator)), locator, metric, split)
                if found is not None:
                    yield replace(found, content=contents.get(found.item, ""))

    origin = origin_of(locator, access, "HELM")
    dataset = _MODEL.sub("", str(spec["name"])).rstrip(":,")
    return Log(origin, str(adapter["model"]), dataset, {name: adapter.get(name) for name in _SETTINGS}, samples())


def _contents(locator: str, access: Access) -> Iterator[tuple[str, str]]:
    """Yield each instance and the hash of its content."""
    for name, key in (("instances.json", ""), ("scenario_state.json", "request_states")):
        file = sibling(locator, name)
        if exists(file, access):
            with open_file(file, access) as stream:
                for found in read_items(stream, file, key):
                    instance = as_dict(as_dict(found).get("instance") if key else found)
                    yield str(instance.get("id")), content_hash(instance.get("input"), instance.get("references"))
            return


def _sample(record: dict[str, Any], locator: str, metric: str | None, split: str) -> Sample | None:
    item, trial, stats = record.get("instance_id"), record.get("train_trial_index", 0), record.get("stats")
    if not isinstance(item, str) or not isinstance(trial, int) or not isinstance(stats, list):
        what = f"an instance of {quoted(locator)} has no instance_id or no stats"
        raise DataError(what, hint="check that the file was written by HELM")
    if record.get("perturbation"):
        return None
    values: dict[str, float] = {}
    for stat in as_dicts(stats):
        name = as_dict(stat.get("name"))
        if name.get("split") != split or name.get("perturbation"):
            continue
        if isinstance(mean := stat.get("mean"), int | float) and math.isfinite(mean):
            values[str(name.get("name"))] = float(mean)
    if metric is None:
        hint = f'choose one: (metric = "{next(iter(values)) if len(values) == 1 else "exact_match"}")'
        many = "1 metric" if len(values) == 1 else f"{len(values)} metrics"
        raise error_about(locator, f"has {many}: {quoted_list(values, 30)}", hint)
    return Sample(item, values.get(metric), epoch=trial + 1, why=f"without {metric}") if values else None
