"""Logs of evaluations joined in one table: items are paired by id and content, and other differences are listed."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..limits import LOG_SAMPLES
from ..quoting import error_about, quoted, quoted_list
from ..raw import LongTable, Origin, Standing
from .log_files import UnreadableLog, file_name, find_files, is_folder

NAMED = 5  # of many, these are named
TELL_APART = 'write (named = "file") to compare logs of one model'


def learner_option(options: Mapping[str, Any]) -> str:
    """Return what names the learner of a log, by the option `named`: its "model" or its "file"."""
    named: str = options.get("named") or "model"
    if named not in ("model", "file"):
        raise DataError(f"the option named = {quoted(named)} is unknown", hint='write (named = "model"), or "file"')
    return named


def learner_name(named: str, locator: str, model: object, hint: str = 'write (named = "file")') -> str:
    """Return the learner of a log: its model, or the name of its file; DataError where it names no model."""
    if named == "file":
        return re.sub(r"\.(eval|jsonl?)(\.gz)?$", "", file_name(locator))
    if not model:
        raise error_about(file_name(locator), "does not say which model it is of", hint)
    return str(model)


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


def read_logs(
    source: Source,
    access: Access,
    *patterns: str,
    read: Callable[[str], list[Log]],
    advice: str = TELL_APART,
    beside: Container[str] = (),
) -> LongTable:
    """Return the scores of the logs that a source names, without files named as in `beside`.

    `advice` says how two logs of one model are kept apart. Of a folder, a log that cannot be read or has no scores is
    left out and named, unless all are.
    """
    names = [name for name in find_files(source.locator, access, *patterns) if file_name(name) not in beside]
    several = is_folder(source.locator, access)
    logs: list[Log] = []
    parts: list[pd.DataFrame] = []
    left_out: list[str] = []
    refused: list[DataError] = []
    for name in names:
        try:
            headers = read(name)
        except DataError as error:
            headers, refused = [], [*refused, error]
        for log in headers:
            try:
                frame, notes = _samples_frame(log, LOG_SAMPLES - sum(map(len, parts)))
            except UnreadableLog as error:
                refused.append(error)
            else:
                logs.append(log)
                parts.append(frame)
                left_out += notes
        if refused and not several:
            raise refused[0]
    if refused and not parts:
        raise refused[0]
    left_out += [f"{error.message}; it is left out" for error in refused]
    return replace(_joined(pd.concat(parts, ignore_index=True), logs, advice), left_out=tuple(left_out))


_CELL = ["learner", "dataset", "item", "epoch"]
_PROOF = ["content", "prompt", "path"]


def _samples_frame(log: Log, most: int) -> tuple[pd.DataFrame, list[str]]:
    """Return a row for each sample of a log, and sentences about those without a score."""
    samples = list(islice(log.samples, most + 1))
    if len(samples) > most:
        raise DataError(f"the logs hold more than {LOG_SAMPLES} scores", hint="read fewer of them")
    learner, dataset = _encodable(log.learner), _encodable(log.dataset)
    frame = pd.DataFrame(
        {
            "learner": learner,
            "dataset": dataset,
            "item": [_encodable(sample.item) for sample in samples],
            "epoch": np.array([sample.epoch for sample in samples], dtype=np.int64),
            "score": np.array([sample.score for sample in samples], dtype=np.float64),
            "content": [sample.content for sample in samples],
            "prompt": [sample.prompt for sample in samples],
            "path": log.origin.path,
        }
    )
    frame = frame.join(pd.DataFrame([sample.about for sample in samples], dtype=object))
    reasons = pd.Series([sample.why or "not scored" for sample in samples])[frame["score"].isna()]
    notes = []
    for why, rows in frame.groupby(reasons, sort=False):
        if len(rows) == len(frame):
            what = f"{quoted(log.origin.path)} has {len(rows)} samples and no score: {why}"
            raise UnreadableLog(what, hint="score the samples first, or leave the log out")
        count = f"{len(rows)} samples" if len(rows) > 1 else "1 sample"
        notes.append(f"{learner} on {dataset}: {count} {why} ({quoted_list(rows['item'], NAMED)})")
    return frame, notes


def _encodable(name: str) -> str:
    """Return a name that can be encoded: JSON may hold half of a surrogate pair."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _joined(whole: pd.DataFrame, logs: list[Log], advice: str) -> LongTable:
    """Return one table of the samples of all logs, once their items are the same and no cell stands twice."""
    first = whole.groupby(["dataset", "item"], sort=False)[_PROOF].transform("first")
    known = (whole["content"] != "") & (first["content"] != "")
    differs = known & (whole["content"] != first["content"])
    if differs.any():
        row, before = whole[differs].iloc[0], first[differs].iloc[0]
        raise DataError(
            f"item {quoted(row['item'])} of {row['dataset']} differs between {quoted(row['path'])} and "
            f"{quoted(before['path'])}",
            hint="the two logs did not ask the same question; run both on the same version of the data",
        )
    prompted = (whole["prompt"] != "") & (first["prompt"] != "") & (whole["prompt"] != first["prompt"])
    prompts = [
        f"prompt of {len(rows)} items between {one} and {other} ({quoted_list(rows['item'], NAMED)})"
        for (one, other), rows in whole[prompted].groupby([first["path"][prompted], "path"], sort=False)
    ]
    learners = whole.groupby("dataset")["learner"].nunique()
    unproven = [
        f"{dataset}: its logs hold no text of the items, so that they are paired by their names alone"
        for dataset in sorted(set(whole["dataset"][~known]))
        if learners[dataset] > 1
    ]
    scored = whole["score"].notna()
    _refuse_repeated(whole[scored], advice)
    frame = pd.concat([whole[scored], whole[~scored]]).drop_duplicates(_CELL)
    columns: dict[Standing, str] = {"score": "score", "learner": "learner", "dataset": "dataset", "item": "item"}
    several = bool((frame["epoch"] != 1).any())
    texts = whole.drop_duplicates(["dataset", "item"])
    return LongTable(
        frame=frame.drop(columns=_PROOF if several else ["epoch", *_PROOF]).reset_index(drop=True),
        columns=columns | {"epoch": "epoch"} if several else columns,
        origins=tuple(log.origin for log in logs),
        contents={(d, i): c for d, i, c in zip(texts["dataset"], texts["item"], texts["content"], strict=True) if c},
        differing=(*_differing_settings(logs), *prompts, *unproven),
    )


def _refuse_repeated(scored: pd.DataFrame, advice: str) -> None:
    """Refuse two scores of one learner for one item and epoch."""
    again = scored[scored.duplicated(_CELL)]
    if not len(again):
        return
    row = again.iloc[0]
    before = scored[(scored[_CELL] == row[_CELL]).all(axis=1)].iloc[0]
    what = f"item {quoted(row['item'])} of {row['dataset']} twice"
    if before["path"] == row["path"]:
        raise error_about(row["path"], f"holds {what}", "keep one of the two")
    if file_name(row["path"]).startswith(row["learner"]):  # already named by its file
        advice = "give the two files different names"
    paths = quoted_list(sorted((before["path"], row["path"])))
    raise DataError(f"{paths} are both of {row['learner']} and hold {what}", hint=advice)


def _differing_settings(logs: list[Log]) -> Iterator[str]:
    """Yield every setting that differs between logs of one dataset, with a log for each value."""
    for dataset in dict.fromkeys(log.dataset for log in logs):
        alike = [log for log in logs if log.dataset == dataset]
        for name in dict.fromkeys(name for log in alike for name in log.settings):
            values: dict[str, str] = {}
            for log in alike:
                values.setdefault(_setting_text(log.settings.get(name)), log.origin.path)
            if len(values) > 1:
                texts = ", ".join(f"{value} in {path}" for value, path in list(values.items())[:NAMED])
                yield f"{name} of {dataset}: {texts}"


def _setting_text(value: object) -> str:
    """Return a setting in a few words."""
    if value is None or value == {} or value == []:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    # Two long prompts may begin alike: their hashes differ.
    return quoted(text) if len(text) <= NAMED * 8 else f"{quoted(text)} ({content_hash(text)[:8]})"
