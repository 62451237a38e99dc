"""Logs of evaluations side by side: the same items by id and by content, and what else differs between the logs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from ...errors import DataError
from ..limits import LOG_SAMPLES
from ..long_table import LongTable, Origin, Standing
from ..quoting import quoted, quoted_list

NAMED = 5  # of many, these are named
LEARNERS = ("model", "file")  # what a log is called by
APART = 'write (named = "file") to compare logs of one model'


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


def content_of(*parts: object) -> str:
    """The hash of an item's content, whatever the order of its keys."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def side_by_side(
    logs: Iterable[Log], *, metric: str | None, higher_is_better: bool | None, apart: str = ""
) -> LongTable:
    """The scores of all logs in one table. `apart` says how two logs of one model are told apart."""
    gathered = _Gathered(apart)
    for log in logs:
        gathered.add(log)
    return gathered.table(metric, higher_is_better)


def _whole(name: str) -> str:
    """A name that can be written down: JSON may hold half of a character, which no file or screen takes."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


class _Gathered:
    """What was read so far: rows, whose item each is, and the settings of every log."""

    def __init__(self, apart: str) -> None:
        self._apart = apart
        self._rows: dict[str, list[Any]] = {"learner": [], "dataset": [], "item": [], "epoch": [], "score": []}
        self._about: dict[str, dict[int, str | float]] = {}
        self._items: dict[tuple[str, str], tuple[str, str, str]] = {}  # content, prompt, path of the first log
        self._cells: dict[tuple[str, str, str, int], str] = {}
        self._logs: list[Log] = []
        self._left_out: list[str] = []
        self._prompts: dict[tuple[str, str], list[str]] = {}
        self._unproven: set[str] = set()

    def add(self, log: Log) -> None:
        without: dict[str, list[str]] = {}
        count = 0
        log = replace(log, learner=_whole(log.learner), dataset=_whole(log.dataset))
        for given in log.samples:
            count += 1
            sample = given if given.item.isascii() else replace(given, item=_whole(given.item))
            self._check_item(log, sample)
            if sample.score is None:
                without.setdefault(sample.why or "not scored", []).append(sample.item)
            else:
                self._keep(log, sample, sample.score)
        self._logs.append(log)
        for why, items in without.items():
            if len(items) == count:
                raise DataError(
                    f"{quoted(log.origin.path)} has {count} samples and no score: {why}",
                    hint="score it first, or leave the log out",
                )
            what = f"{len(items)} samples" if len(items) > 1 else "1 sample"
            self._left_out.append(f"{log.learner} on {log.dataset}: {what} {why} ({quoted_list(items, NAMED)})")

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
                raise DataError(f"{quoted(log.origin.path)} holds {again}", hint="keep one of the two")
            alike = log.origin.path.rpartition("/")[2].startswith(log.learner)  # already called by its file
            apart = "give the two files different names" if alike else self._apart
            raise DataError(f"{quoted_list(sorted(where))} are both of {log.learner} and hold {again}", hint=apart)
        self._cells[cell] = log.origin.path
        if len(self._cells) > LOG_SAMPLES:
            raise DataError(f"the logs hold more than {LOG_SAMPLES} scores", hint="read fewer of them")
        for name, about in sample.about.items():
            self._about.setdefault(name, {})[len(self._rows["score"])] = about
        for name, value in zip(self._rows, (*cell, score), strict=True):
            self._rows[name].append(value)

    def table(self, metric: str | None, higher_is_better: bool | None) -> LongTable:
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
        """Every setting that is not the same in all logs of one dataset, with a log for each value."""
        found: list[str] = []
        for dataset in dict.fromkeys(log.dataset for log in self._logs):
            logs = [log for log in self._logs if log.dataset == dataset]
            for name in dict.fromkeys(name for log in logs for name in log.settings):
                values: dict[str, str] = {}
                for log in logs:
                    values.setdefault(_said(log.settings.get(name)), log.origin.path)
                if len(values) > 1:
                    said = ", ".join(f"{value} in {path}" for value, path in list(values.items())[:NAMED])
                    found.append(f"{name} of {dataset}: {said}")
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


def _said(value: object) -> str:
    """A setting in a few words."""
    if value is None or value == {} or value == []:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    # The beginnings of two long prompts may be alike: their hashes are not.
    return quoted(text) if len(text) <= NAMED * 8 else f"{quoted(text)} ({content_of(text)[:8]})"
