"""Logs of OpenAI Evals: JSON Lines of events, the first with the spec. The unit of pairing is sample_id.

Read are the events `match` (correct or not) and `metrics` (a number for each name). The format has no version; a log
is known by its `spec` line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...plans.model import Source
from ..access import Access
from ..files import open_file
from ..quoting import error_about, quoted, quoted_list
from ..raw import LongTable, checked_options
from .log_files import as_dict, origin_of, read_lines
from .logs import Log, Sample, content_hash, learner_name, learner_option, read_logs, score_of


def read_openai_evals(source: Source, access: Access) -> LongTable:
    """Return one log, a folder of them, or a pattern; `(metric = "score")` reads an event `metrics`."""
    options = checked_options(source, {"metric": str, "named": str})
    named, metric = learner_option(options), options.get("metric")
    table = read_logs(source, access, "*.jsonl", read=lambda n: [_log(n, access, named, metric)])
    return replace(table, metric=metric or "accuracy", higher_is_better=True if metric is None else None)


def _log(locator: str, access: Access, named: str, metric: str | None) -> Log:
    spec = _spec(locator, access)
    models = spec.get("completion_fns")
    model = models[0] if isinstance(models, list) and models else None
    config = as_dict(spec.get("run_config"))
    names = {"evaluation": "eval_spec", "seed": "seed", "limit": "max_samples"}
    settings = {name: config.get(key) for name, key in names.items()}
    origin = origin_of(locator, access, "OpenAI Evals")
    return Log(
        origin,
        learner_name(named, locator, model),
        str(spec.get("eval_name", "")),
        settings,
        _samples(locator, access, metric),
    )


def _spec(locator: str, access: Access) -> dict[str, Any]:
    with open_file(locator, access) as stream:
        _, line = next(read_lines(stream, locator), (0, {}))
    if not isinstance(spec := line.get("spec"), dict):
        raise error_about(locator, "is not a log of OpenAI Evals", "the first line of such a log holds the spec")
    return spec


def _samples(locator: str, access: Access, metric: str | None) -> Iterator[Sample]:
    """Yield a sample at its graded event; its prompt is in the event `sampling` before."""
    prompts: dict[str, object] = {}
    averaged = False
    graded = 0
    wanted = "match" if metric is None else "metrics"
    kinds: set[str] = set()
    with open_file(locator, access) as stream:
        for number, line in read_lines(stream, locator):
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
                yield Sample(
                    item=item,
                    score=score_of(data.get(metric or "correct"), f"the grade in line {number} of {quoted(locator)}"),
                    content=content_hash(prompts.pop(item), data.get("expected")) if item in prompts else "",
                    why="not graded",
                )
    if not graded:
        only = "only averages, which cannot be paired" if averaged and not kinds else f"no event {wanted}"
        events = quoted_list(sorted(kinds)) or "none"
        raise error_about(locator, f"holds {only}", f"its events are {events}")
