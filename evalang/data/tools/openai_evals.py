"""Logs of OpenAI Evals: JSON Lines of events, the first with the spec. The unit of pairing is sample_id.

Read are the events `match` (correct or not) and `metrics` (a number for each name). The format has no version; a log
is known by its `spec` line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..files import opened
from ..load import checked_options
from ..long_table import LongTable, Origin
from ..quoting import quoted, quoted_list
from .log_files import found_files, lines, sha256_of
from .logs import APART, LEARNERS, Log, Sample, content_of, side_by_side


def read_openai_evals(source: Source, access: Access) -> LongTable:
    """One log, a folder of them, or a pattern; `(metric = "score")` reads an event `metrics`."""
    options = checked_options(source, {"metric": str, "named": str})
    by, metric = str(options.get("named", "model")), options.get("metric")
    if by not in LEARNERS:
        raise DataError(f"a learner is no {quoted(by)}", hint='write (named = "model"), or "file"')
    names = found_files(source.locator, access, "*.jsonl")
    logs = (_log(name, access, by, str(metric) if metric is not None else None) for name in names)
    right = metric is None
    name = "accuracy" if right else str(metric)
    return side_by_side(logs, metric=name, higher_is_better=True if right else None, apart=APART)


def _log(locator: str, access: Access, by: str, metric: str | None) -> Log:
    spec = _spec(locator, access)
    models = spec.get("completion_fns")
    model = str(models[0]) if isinstance(models, list) and models else ""
    if by == "model" and not model:
        raise DataError(f"{quoted(locator)} names no completion_fns", hint='write (named = "file")')
    config = spec.get("run_config")
    eval_spec = config.get("eval_spec") if isinstance(config, dict) else None
    settings = {"evaluation": eval_spec, "seed": config.get("seed") if isinstance(config, dict) else None}
    if isinstance(config, dict):
        settings["limit"] = config.get("max_samples")
    origin = Origin(path=locator, sha256=sha256_of(locator, access), tool="OpenAI Evals")
    learner = locator.rpartition("/")[2].removesuffix(".jsonl") if by == "file" else model
    return Log(origin, learner, str(spec.get("eval_name", "")), settings, _samples(locator, access, metric))


def _spec(locator: str, access: Access) -> dict[str, Any]:
    with opened(locator, access) as stream:
        for _, line in lines(stream, locator):
            spec = line.get("spec")
            if isinstance(spec, dict):
                return spec
            break
    raise DataError(f"{quoted(locator)} is no log of OpenAI Evals", hint="its first line holds the spec")


def _samples(locator: str, access: Access, metric: str | None) -> Iterator[Sample]:
    """A sample at its graded event; its prompt is in the event `sampling` before."""
    prompts: dict[str, object] = {}
    averaged = False
    graded = 0
    wanted = "match" if metric is None else "metrics"
    kinds: set[str] = set()
    with opened(locator, access) as stream:
        for number, line in lines(stream, locator):
            kind, data = line.get("type"), line.get("data")
            averaged = averaged or "final_report" in line
            if not isinstance(kind, str) or not isinstance(data, dict):
                continue
            kinds.add(kind)
            item = str(line.get("sample_id"))
            if kind == "sampling":
                prompts.setdefault(item, data.get("prompt"))
            elif kind == wanted:
                graded += 1
                what = f"line {number} of {quoted(locator)}"
                yield Sample(
                    item=item,
                    score=_number(data, metric, what),
                    content=content_of(prompts.pop(item), data.get("expected")) if item in prompts else "",
                    why="not graded",
                )
    if not graded:
        only = "only averages, which cannot be paired" if averaged and not kinds else f"no event {wanted}"
        raise DataError(
            f"{quoted(locator)} holds {only}", hint=f"its events are {quoted_list(sorted(kinds)) or 'none'}"
        )


def _number(data: dict[str, Any], metric: str | None, what: str) -> float | None:
    value = data.get("correct" if metric is None else metric)
    if value is None or isinstance(value, bool):
        return None if value is None else float(value)
    if not isinstance(value, int | float) or not abs(value) < float("inf"):
        raise DataError(f"{what} has the grade {quoted(value)}", hint="true, false or a number")
    return float(value)
