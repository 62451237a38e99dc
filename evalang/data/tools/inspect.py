"""Logs of Inspect (inspect-ai): zip files that end in .eval, or JSON. The unit of pairing is the sample, by its id.

Format: https://inspect.aisi.org.uk/eval-logs.html, log version 2. A sample's value is a number, or C, I, P, N as
Inspect's own `value_to_float` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..files import open_file
from ..limits import VALUE_BYTES
from ..quoting import error_about, quoted, quoted_list
from ..raw import LongTable, checked_options, choose
from .archive import ZIP, Archive
from .log_files import (
    UnreadableLog,
    as_dict,
    as_dicts,
    checked_object,
    origin_of,
    parse_object,
    read_items,
    read_members,
)
from .logs import Log, Sample, content_hash, learner_name, learner_option, read_logs, score_of

VERSION = 2
_BESIDE = ("logs.json", "eval-set.json")  # what Inspect writes beside them
_NEEDED = ("version", "status", "eval", "plan")
_HEADER = (*_NEEDED, "results", "invalidated")
_SAMPLE = frozenset(
    ("id", "epoch", "input", "choices", "target", "scores", "error", "invalidation", "metadata", "limit")
)
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_VALUES = "a number, or C, I, P or N"
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_ABOUT = 40  # entries of a sample's metadata that become columns
_LIMITS = ("limit", "sample_id", "epochs", "message_limit", "token_limit", "time_limit", "working_limit", "cost_limit")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options in brackets: which scorer, which part of its value, what a learner is."""

    scorer: str | None
    part: str | None
    learner: str


def read_inspect(source: Source, access: Access) -> LongTable:
    """Return every log of a folder, or one, or those of a pattern."""
    options = checked_options(source, {"scorer": str, "part": str, "named": str})
    asked = _Asked(options.get("scorer"), options.get("part"), learner_option(options))
    grades = _Grades()
    table = read_logs(
        source, access, "*.eval", "*.json", read=lambda n: [_log(n, access, asked, grades)], beside=_BESIDE
    )
    if grades.plain or not grades.seen:
        return table
    return replace(table, metric="accuracy", higher_is_better=True)


class _Grades:
    """Whether every value was a grade (right or wrong), or some a plain number, whose direction Inspect never says."""

    def __init__(self) -> None:
        self.seen = False
        self.plain = False


def _log(locator: str, access: Access, asked: _Asked, grades: _Grades) -> Log:
    with open_file(locator, access, expects=ZIP) as stream:
        zipped = stream.peek(4)[:4].startswith(b"PK")  # type: ignore[attr-defined]
        if zipped:
            header = _zip_header(Archive(stream, locator), locator)
        else:
            header = read_members(stream, locator, _HEADER, before="samples", needed=_NEEDED)
    spec = _checked(header, locator)
    version = str(as_dict(spec.get("packages")).get("inspect_ai", ""))
    origin = origin_of(locator, access, "Inspect", version, expects=ZIP)
    samples = _zip_samples if zipped else _json_samples
    judge = _judge(spec)

    def scored() -> Iterator[Sample]:
        empty = True
        for sample in samples(locator, access):
            empty = False
            yield _sample(sample, locator, asked, grades, judge)
        if empty:
            hint = "an average cannot be paired; run the evaluation with log_samples"
            raise UnreadableLog(f"{quoted(locator)} holds no samples, only {_aggregate(header)}", hint=hint)

    learner = learner_name(asked.learner, locator, spec.get("model"))
    task = str(spec.get("task") or learner_name("file", locator, None))
    return Log(origin, learner, task, _settings(header, spec), scored())


def _zip_header(archive: Archive, locator: str) -> dict[str, Any]:
    if "header.json" not in archive:
        if "_journal/start.json" in archive:
            raise error_about(locator, "was never finished", "`inspect eval-retry` finishes it, or leave it out")
        raise _no_log(locator)
    return parse_object(archive.read("header.json", VALUE_BYTES), f"header.json in {quoted(locator)}")


def _checked(header: dict[str, Any], locator: str) -> dict[str, Any]:
    """Return the `eval` part of a header; DataError for a log that cannot be read."""
    spec = header.get("eval")
    if not isinstance(spec, dict) or "version" not in header:
        raise _no_log(locator)
    if header["version"] != VERSION:
        what = f"is an Inspect log of version {quoted(header['version'])}"
        raise error_about(locator, what, f"version {VERSION} is read; `inspect log convert` may bring it there")
    if header.get("invalidated"):
        raise error_about(locator, "is marked as invalid in the log itself", "leave the log out")
    if header.get("status") != "success":
        what = f"ended with status {quoted(header.get('status'))}"
        raise error_about(locator, what, "`inspect eval-retry` finishes it, or leave it out")
    return spec


def _no_log(locator: str) -> DataError:
    return error_about(locator, "is not a log of Inspect", "a log has header.json in a zip, or `eval` in JSON")


def _zip_samples(locator: str, access: Access) -> Iterator[dict[str, Any]]:
    with open_file(locator, access, expects=ZIP) as stream:
        archive = Archive(stream, locator)
        for name in archive.names:
            if name.startswith("samples/") and name.endswith(".json"):
                with archive.open(name) as member:
                    yield read_members(member, f"{locator}: {name}", _SAMPLE)


def _json_samples(locator: str, access: Access) -> Iterator[dict[str, Any]]:
    with open_file(locator, access) as stream:
        for sample in read_items(stream, locator, "samples"):
            if sample is not None:
                yield checked_object(sample, f"a sample of {quoted(locator)}")


def _sample(sample: dict[str, Any], locator: str, asked: _Asked, grades: _Grades, judge: Mapping[str, str]) -> Sample:
    if "id" not in sample:
        raise DataError(f"a sample of {quoted(locator)} has no id", hint="without ids nothing can be paired")
    item, epoch = str(sample["id"]), sample.get("epoch", 1)
    content = content_hash(_plain(sample.get("input")), sample.get("choices"), sample.get("target"))
    if not isinstance(epoch, int):
        what = f"sample {quoted(item)} of {quoted(locator)} has the epoch {quoted(epoch)}"
        raise DataError(what, hint="an epoch is a whole number")
    score, why = None, ""
    if sample.get("error"):
        why = "ended in an error"
    elif sample.get("invalidation"):
        why = "marked as invalid"
    else:
        score = _score(sample, item, locator, asked, grades)
        why = "not scored" if score is None else ""
    about = {
        f"metadata.{name}": value if isinstance(value, str) else float(value)
        for name, value in list(as_dict(sample.get("metadata")).items())[:_ABOUT]
        if isinstance(value, str | int | float) and len(str(value)) <= 200
    }
    about["scorer"] = asked.scorer or next(iter(as_dict(sample.get("scores"))), "")
    return Sample(item=item, score=score, content=content, epoch=epoch, why=why, about={**about, **judge})


def _score(sample: dict[str, Any], item: str, locator: str, asked: _Asked, grades: _Grades) -> float | None:
    scores = as_dict(sample.get("scores"))
    if not scores:
        return None
    name = choose(asked.scorer, scores, quoted(locator), "scorer")
    value = as_dict(scores[name]).get("value")
    if isinstance(value, dict):
        value = value[choose(asked.part, value, f"the value of the scorer {quoted(name)}", "part")]
    return _number(value, f"the score of sample {quoted(item)} in {quoted(locator)}", grades)


def _number(value: object, what: str, grades: _Grades) -> float | None:
    grades.seen = True
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        grade = _GRADES.get(value, _WORDS.get(value.lower()))
        if grade is not None:
            return grade
        try:
            value = float(value)
        except ValueError:
            raise DataError(f"{what} is {quoted(value)}", hint=_VALUES) from None
    score = score_of(value, what, _VALUES)
    grades.plain = grades.plain or score not in (None, 0, 1)
    return score


def _plain(given: object) -> object:
    """Return an input without the ids of its messages, which every run makes anew."""
    if not isinstance(given, list):
        return given
    return [
        {key: message.get(key) for key in ("role", "content")} if isinstance(message, dict) else message
        for message in given
    ]


def _settings(header: dict[str, Any], spec: dict[str, Any]) -> dict[str, Any]:
    """Return what has to be the same for a difference to be the model's."""
    config, plan, data = as_dict(spec.get("config")), as_dict(header.get("plan")), as_dict(spec.get("dataset"))
    generate = {**as_dict(plan.get("config")), **as_dict(spec.get("model_generate_config"))}
    found: dict[str, Any] = {
        "task version": spec.get("task_version"),
        "task arguments": spec.get("task_args"),
        "data": [data.get("name"), data.get("location"), data.get("samples")],
        "solver and prompt": [[s.get("solver"), s.get("params")] for s in as_dicts(plan.get("steps"))],
        "scorer": [[s.get("name"), s.get("options")] for s in as_dicts(spec.get("scorers"))],
        "temperature": generate.get("temperature"),
        "max_tokens": generate.get("max_tokens"),
        "seed": generate.get("seed"),
        "Inspect": as_dict(spec.get("packages")).get("inspect_ai"),
    }
    return {**found, **{name: config.get(name) for name in _LIMITS if config.get(name) is not None}}


def _judge(spec: dict[str, Any]) -> dict[str, str]:
    """Return the model that graded the answers, as a column: an option of a scorer, or the role of a grader."""
    options = [as_dict(scorer.get("options")).get("model") for scorer in as_dicts(spec.get("scorers"))]
    roles = as_dict(spec.get("model_roles"))
    role = roles.get("grader")
    named = [*options, role.get("model") if isinstance(role, dict) else role]
    return next(({"judge": name} for name in named if isinstance(name, str)), {})


def _aggregate(header: dict[str, Any]) -> str:
    named = [str(score.get("name")) for score in as_dicts(as_dict(header.get("results")).get("scores"))]
    return f"the averages of {quoted_list(named)}" if named else "its settings"
