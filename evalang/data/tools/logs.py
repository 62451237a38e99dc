"""Logs of evaluations joined in one table: items are paired by id and content, and other differences are listed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pandas as pd

from ...errors import DataError
from ..limits import LOG_SAMPLES
from ..quoting import error_about, quoted, quoted_list
from ..raw import LongTable, Origin, Standing
from .log_files import UnreadableLog

T = TypeVar("T")
NAMED = 5  # of many, these are named
TELL_APART = 'write (named = "file") to compare logs of one model'


def text_option(options: Mapping[str, object], name: str) -> str | None:
    """Return the text of an option; None when it is not given."""
    value = options.get(name)
    return value if isinstance(value, str) else None


def learner_option(options: Mapping[str, object]) -> str:
    """Return what names the learner of a log, by the option `named`: its "model" or its "file"."""
    named = text_option(options, "named") or "model"
    if named not in ("model", "file"):
        raise DataError(f"a learner is no {quoted(named)}", hint='write (named = "model"), or "file"')
    return named


def score_of(value: object, what: str, hint: str = "a number") -> float | None:
    """Return a finite score, None for one that is missing or NaN; anything else is refused."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if not isinstance(value, int | float) or not abs(value) < math.inf:
        raise DataError(f"{what} is {quoted(value)}", hint=hint)
    return float(value)


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer: `content` is the hash of the item's own text, `prompt` that of what the model was quoted."""

    item: str
    score: float | None  # None: not scored, and `why` says why
    content: str = ""
    epoch: int = 1
    why: str = ""
    prompt: str = ""
    about: Mapping[str, str | float] = field(default_factory=dict)  # columns besides, for `groups`


@dataclass(frozen=True, slots=True)
class Log:
    """One log; `settings` are what should be the same in all: prompt, limits, versions."""

    origin: Origin
    learner: str
    dataset: str
    settings: Mapping[str, Any]
    samples: Iterable[Sample]  # may be read only once


def content_hash(*parts: object) -> str:
    """Return the hash of an item's content, whatever the order of its keys."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def join_logs(
    names: Iterable[T],
    read: Callable[[T], Log],
    *,
    metric: str | None,
    higher_is_better: bool | None,
    advice: str = "",
    skip_unreadable: bool = False,
) -> LongTable:
    """Return the scores of all logs in one table; `advice` says how two logs of one model are kept apart.

    With `skip_unreadable` (a folder) a log that cannot be read or has no scores is left out and named, unless all are.
    """
    joined = _JoinedLogs(advice)
    refused: list[DataError] = []
    for name in names:
        try:
            log = read(name)
        except DataError as error:
            refused.append(error)
        else:
            try:
                joined.add(log)
            except UnreadableLog as error:
                refused.append(error)
        if refused and not skip_unreadable:
            raise refused[0]
    table = joined.table(metric, higher_is_better)
    if refused and not len(table.frame):
        raise refused[0]
    return replace(table, left_out=(*table.left_out, *(f"{error.message}; it is left out" for error in refused)))


def _writable(name: str) -> str:
    """Return a name that can be encoded: JSON may hold half of a surrogate pair."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


class _JoinedLogs:
    """What was read so far: rows, the item of each, and the settings of every log."""

    def __init__(self, advice: str) -> None:
        self._advice = advice
        self._rows: dict[str, list[Any]] = {"learner": [], "dataset": [], "item": [], "epoch": [], "score": []}
        self._about: dict[str, dict[int, str | float]] = {}
        self._items: dict[tuple[str, str], tuple[str, str, str]] = {}  # content, prompt, path of the first log
        self._cells: dict[tuple[str, str, str, int], str] = {}
        self._unscored: dict[tuple[str, str, str, int], Sample] = {}
        self._logs: list[Log] = []
        self._left_out: list[str] = []
        self._prompts: dict[tuple[str, str], list[str]] = {}
        self._unproven: set[str] = set()

    def add(self, log: Log) -> None:
        start, unscored = len(self._rows["score"]), len(self._unscored)
        try:
            self._add(log)
        except UnreadableLog:
            self._forget(start, unscored)
            raise

    def _forget(self, start: int, unscored: int) -> None:
        """Remove the rows and the samples without a score from these places on: those of a log that broke off."""
        for key in list(self._unscored)[unscored:]:
            del self._unscored[key]
        names = ("learner", "dataset", "item", "epoch")
        for cell in list(zip(*(self._rows[name][start:] for name in names), strict=True)):
            del self._cells[cell]
        for column in self._rows.values():
            del column[start:]
        for about in self._about.values():
            for row in [row for row in about if row >= start]:
                del about[row]

    def _add(self, log: Log) -> None:
        without: dict[str, list[str]] = {}
        count = 0
        log = replace(log, learner=_writable(log.learner), dataset=_writable(log.dataset))
        for given in log.samples:
            count += 1
            if abs(given.epoch) >= 2**63:
                what = f"has a sample {quoted(given.item)} whose epoch has {len(str(abs(given.epoch)))} digits"
                raise error_about(log.origin.path, what, "number the epochs from 1")
            sample = given if given.item.isascii() else replace(given, item=_writable(given.item))
            self._check_item(log, sample)
            if sample.score is None:
                without.setdefault(sample.why or "not scored", []).append(sample.item)
                self._unscored[log.learner, log.dataset, sample.item, sample.epoch] = sample
            else:
                self._keep(log, sample, sample.score)
        for why, items in without.items():
            if len(items) == count:
                what = f"{quoted(log.origin.path)} has {count} samples and no score: {why}"
                raise UnreadableLog(what, hint="score it first, or leave the log out")
            what = f"{len(items)} samples" if len(items) > 1 else "1 sample"
            self._left_out.append(f"{log.learner} on {log.dataset}: {what} {why} ({quoted_list(items, NAMED)})")
        self._logs.append(log)

    def _check_item(self, log: Log, sample: Sample) -> None:
        key = (log.dataset, sample.item)
        first = self._items.setdefault(key, (sample.content, sample.prompt, log.origin.path))
        if not sample.content or not first[0]:
            self._unproven.add(log.dataset)
        elif sample.content != first[0]:
            raise DataError(
                f"item {quoted(sample.item)} of {log.dataset} has another content in {quoted(log.origin.path)} "
                f"than in {quoted(first[2])}",
                hint="the two logs did not ask the same question; run both on the same version of the data",
            )
        if sample.prompt and first[1] and sample.prompt != first[1]:
            self._prompts.setdefault((first[2], log.origin.path), []).append(sample.item)

    def _keep(self, log: Log, sample: Sample, score: float) -> None:
        cell = (log.learner, log.dataset, sample.item, sample.epoch)
        if cell in self._cells:
            where = {self._cells[cell], log.origin.path}
            again = f"item {quoted(sample.item)} of {log.dataset} twice"
            if len(where) == 1:
                raise error_about(log.origin.path, f"holds {again}", "keep one of the two")
            by_file = log.origin.path.rpartition("/")[2].startswith(log.learner)  # already named by its file
            advice = "give the two files different names" if by_file else self._advice
            raise DataError(f"{quoted_list(sorted(where))} are both of {log.learner} and hold {again}", hint=advice)
        self._cells[cell] = log.origin.path
        if len(self._cells) > LOG_SAMPLES:
            raise DataError(f"the logs hold more than {LOG_SAMPLES} scores", hint="read fewer of them")
        self._add_row(cell, sample, score)

    def _add_row(self, cell: tuple[str, str, str, int], sample: Sample, score: float) -> None:
        for name, about in sample.about.items():
            self._about.setdefault(name, {})[len(self._rows["score"])] = about
        for name, value in zip(self._rows, (*cell, score), strict=True):
            self._rows[name].append(value)

    def table(self, metric: str | None, higher_is_better: bool | None) -> LongTable:
        for cell, sample in self._unscored.items():
            if cell not in self._cells:  # scored in no other log either
                self._add_row(cell, sample, math.nan)
        rows = dict(self._rows)
        columns: dict[Standing, str] = {"score": "score", "learner": "learner", "dataset": "dataset", "item": "item"}
        if set(rows["epoch"]) - {1}:
            columns["epoch"] = "epoch"
        else:
            del rows["epoch"]
        frame = pd.DataFrame(rows)
        for name, values in self._about.items():
            frame[name] = pd.Series(values, dtype=object).reindex(range(len(frame)))
        return LongTable(
            frame=frame,
            columns=columns,
            metric=metric,
            higher_is_better=higher_is_better,
            origins=tuple(log.origin for log in self._logs),
            contents={key: found[0] for key, found in self._items.items() if found[0]},
            left_out=tuple(self._left_out),
            differing=(*self._settings(), *self._other_prompts(), *self._not_proven()),
        )

    def _settings(self) -> list[str]:
        """Return every setting that differs between logs of one dataset, with a log for each value."""
        found: list[str] = []
        for dataset in dict.fromkeys(log.dataset for log in self._logs):
            logs = [log for log in self._logs if log.dataset == dataset]
            for name in dict.fromkeys(name for log in logs for name in log.settings):
                values: dict[str, str] = {}
                for log in logs:
                    values.setdefault(_setting_text(log.settings.get(name)), log.origin.path)
                if len(values) > 1:
                    texts = ", ".join(f"{value} in {path}" for value, path in list(values.items())[:NAMED])
                    found.append(f"{name} of {dataset}: {texts}")
        return found

    def _other_prompts(self) -> list[str]:
        return [
            f"prompt of {len(items)} items between {first} and {second} ({quoted_list(items, NAMED)})"
            for (first, second), items in self._prompts.items()
        ]

    def _not_proven(self) -> list[str]:
        return [
            f"{dataset}: its logs hold no text of the items, so that they are paired by their names alone"
            for dataset in sorted(self._unproven)
            if len({log.learner for log in self._logs if log.dataset == dataset}) > 1
        ]


def _setting_text(value: object) -> str:
    """Return a setting in a few words."""
    if value is None or value == {} or value == []:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    # Two long prompts may begin alike: their hashes differ.
    return quoted(text) if len(text) <= NAMED * 8 else f"{quoted(text)} ({content_hash(text)[:8]})"
