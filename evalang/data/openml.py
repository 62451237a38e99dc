"""Data sets, tasks and suites of OpenML by their numbers; every answer is checked, then stored.

`openml 61` asks https://www.openml.org and hosts below openml.org, nothing else, and only with `--allow-net
openml.org`. The file must have the checksum of its description; `openml 61(sha256 = "...")` pins its content for good.
A task's folds are those of the file that OpenML keeps with it, of its first repetition.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError
from ..plans.model import Dataset, Source
from .access import Access
from .arff import parse_arff
from .files import check_head
from .limits import FILE_BYTES
from .openml_client import HOST, OpenMLClient, checked_address
from .quoting import error_about, quoted
from .raw import Raw, checked_options
from .table import Task

DESCRIPTION = "https://www.openml.org/api/v1/json/data/{number}"
TASK = "https://www.openml.org/api/v1/json/task/{number}"
STUDY = "https://www.openml.org/api/v1/json/study/{number}"
MOST_DESCRIPTION = 4 << 20
_KINDS: dict[str, Task] = {"1": "classification", "2": "regression"}  # OpenML's numbers of kinds of tasks
Get = Callable[[str, int], bytes]


def read_openml(source: Source, access: Access) -> Raw:
    """Return the data set's rows, its own target and the columns that it says are no features."""
    number, pinned = _asked(source, "data set")
    with OpenMLClient(access, f"openml {number}") as client:
        return assemble(number, client.get, pinned)


def read_openml_task(source: Source, access: Access) -> Raw:
    """Return the rows of a task's data set, with the task's target and folds."""
    number, pinned = _asked(source, "task")
    with OpenMLClient(access, f"openml-task {number}") as client:
        return assemble_task(number, client.get, pinned)


def _asked(source: Source, what: str) -> tuple[str, object]:
    options = checked_options(source, {"sha256": str})
    return checked_number(source.locator, what, source.kind), options.get("sha256")


def checked_number(locator: str, what: str, kind: str) -> str:
    """Return the number; DataError when it is none."""
    number = locator.strip()
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 10):
        raise error_about(locator, f"is not an OpenML {what} number", f"write `from {kind} 61`")
    return number


def assemble(number: str, get: Get, pinned: object = None) -> Raw:
    """Return the frame of a data set; `get` returns the content of an address."""
    described = description(number, get)
    if described.get("status") == "deactivated" and pinned is None:
        raise DataError(
            f"openml {number} ({name_of(described)}) was withdrawn: OpenML calls it deactivated",
            hint=f'take a newer version of it, or pin this one: openml {number}(sha256 = "…")',
        )
    content = get(_secure(str(described.get("url", ""))), FILE_BYTES)
    found = hashlib.sha256(content).hexdigest()
    if pinned is not None and str(pinned).lower() != found:
        raise DataError(f"openml {number} has the sha256 {found}, not the one pinned", hint="the data set has changed")
    stated = str(described.get("md5_checksum", "")).lower()
    if stated and hashlib.md5(content, usedforsecurity=False).hexdigest() != stated:
        raise DataError(f"the file of openml {number} differs from its description's checksum", hint="try again later")
    raw = _parsed(content, f"openml {number}")
    columns = set(raw.frame.columns)
    target = _names(described.get("default_target_attribute"))
    ignored = (*_names(described.get("ignore_attribute")), *_names(described.get("row_id_attribute")))
    return replace(
        raw,
        source=f"openml {number} ({name_of(described)}, sha256 {found})",
        target=target[0] if len(target) == 1 and target[0] in columns else None,
        ignored=tuple(n for n in ignored if n in columns),
    )


def assemble_task(number: str, get: Get, pinned: object = None) -> Raw:
    """Return the frame of a task's data set; its folds are a column that is no feature."""
    task = task_of(number, get)
    raw = assemble(task.data, get, pinned)
    columns = list(raw.frame.columns)
    if task.target not in columns:
        raise DataError(
            f"the target {quoted(task.target)} of openml-task {number} is not a column of openml {task.data}",
            hint="take another task on this data set",
        )
    content = get(task.splits, FILE_BYTES)
    folds = _folds(_parsed(content, f"the folds of openml-task {number}").frame, task, len(raw.frame))
    name = next(n for n in (f"fold of task {number}{' ' * k}" for k in range(len(columns) + 1)) if n not in columns)
    return replace(
        raw,
        frame=pd.concat([raw.frame, pd.Series(folds, name=name)], axis=1),
        source=f"openml-task {number} on {raw.source}, folds sha256 {hashlib.sha256(content).hexdigest()}",
        target=task.target,
        task=task.kind,
        folds=name,
        ignored=tuple(n for n in raw.ignored if n != task.target),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMLTask:
    """What OpenML says of a task."""

    number: str
    kind: Task
    data: str  # the number of its data set
    target: str
    splits: str  # the address of its folds
    repeats: int
    folds: int


def task_of(number: str, get: Get) -> OpenMLTask:
    """Return the task; DataError when it cannot be run here: clustering, a holdout, a learning curve."""
    answer = _answer(get(TASK.format(number=number), MOST_DESCRIPTION), "task", f"openml-task {number}")
    try:
        inputs = {str(one["name"]): one for one in answer["input"]}
        kind = _KINDS.get(str(answer["task_type_id"]))
        kind_name = str(answer.get("task_type", "unknown"))
        data = inputs["source_data"]["data_set"] if kind else {}
        procedure = inputs["estimation_procedure"]["estimation_procedure"] if kind else {}
        parameters = {str(one["name"]): one.get("value") for one in procedure.get("parameter", ())}
        way = str(procedure.get("type", ""))
        counts = [str(parameters.get(name) or 1) for name in ("number_repeats", "number_folds")]
    except (KeyError, TypeError, AttributeError, ValueError):
        raise DataError(f"the answer about openml-task {number} cannot be read", hint="check the number") from None
    if kind is None:
        raise DataError(
            f"openml-task {number} is {quoted(kind_name)}, which is neither classification nor regression",
            hint="take a supervised task",
        )
    if way != "crossvalidation" or not all(c.isascii() and c.isdigit() and len(c) < 6 for c in counts):
        raise DataError(
            f"openml-task {number} is judged by {quoted(way)}, not by cross-validation",
            hint="read its data set by `from openml` and write a scheme of your own",
        )
    return OpenMLTask(
        number=number,
        kind=kind,
        data=checked_number(str(data.get("data_set_id", "")), "data set", "openml"),
        target=str(data.get("target_feature", "")),
        splits=_secure(str(procedure.get("data_splits_url", ""))),
        repeats=int(counts[0]),
        folds=int(counts[1]),
    )


def _folds(frame: pd.DataFrame, task: OpenMLTask, rows: int) -> NDArray[np.int64]:
    """Return the fold that tests each row in the first repetition; the file must be the whole of a cross-validation."""
    broken = DataError(
        f"the folds of openml-task {task.number} are no {task.repeats}x{task.folds}cv of {rows} rows",
        hint="a part of the file may be missing: try again later",
    )
    named = {str(name).lower(): name for name in frame.columns}
    if not {"type", "rowid", "repeat", "fold"} <= named.keys():
        raise broken
    row, repeat, fold = (
        pd.to_numeric(frame[named[n]], errors="coerce").to_numpy() for n in ("rowid", "repeat", "fold")
    )
    inside = (row >= 0) & (row < rows) & (fold >= 0) & (fold < task.folds) & (repeat >= 0) & (repeat < task.repeats)
    if len(frame) != task.repeats * task.folds * rows or not inside.all():
        raise broken
    place = ((repeat * task.folds + fold) * rows + row).astype(np.int64)
    tested = frame[named["type"]].astype(str).str.upper().to_numpy() == "TEST"
    first = tested & (repeat == 0)
    if len(np.unique(place)) != len(place) or not np.array_equal(np.sort(row[first]), np.arange(rows)):
        raise broken
    tested_in = np.empty(rows, dtype=np.int64)
    tested_in[row[first].astype(np.int64)] = fold[first].astype(np.int64)
    return tested_in


def description(number: str, get: Get) -> dict[str, Any]:
    """Return what OpenML says of a data set."""
    answer = get(DESCRIPTION.format(number=number), MOST_DESCRIPTION)
    described = _answer(answer, "data_set_description", f"openml {number}")
    kind = str(described.get("format", "")).lower()
    if kind not in ("arff", "sparse_arff"):
        raise DataError(f"openml {number} is stored as {quoted(kind)}, not as ARFF", hint="download it as CSV")
    return described


def name_of(described: dict[str, Any]) -> str:
    """Return the printable part of a data set's name."""
    return "".join(c for c in str(described.get("name", "")) if c.isprintable())[:80]


def _answer(content: bytes, outer: str, what: str) -> dict[str, Any]:
    try:
        found = json.loads(content)[outer]
    except (ValueError, KeyError, TypeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DataError(f"the description of {what} cannot be read", hint="check the number")
    return cast(dict[str, Any], found)


def _parsed(content: bytes, locator: str) -> Raw:
    check_head(content[:512], locator)
    return parse_arff(cast(BinaryIO, io.BytesIO(content)), locator)


def _secure(address: str) -> str:
    """Return the https address where an older answer names http; DataError when it is not at OpenML."""
    if address.startswith("http://"):
        address = "https://" + address.removeprefix("http://")
    checked_address(address, HOST)
    return address


def _names(value: object) -> tuple[str, ...]:
    """Return one name, several with commas between them, or a list, as a tuple."""
    if isinstance(value, list):
        return tuple(str(v) for v in value)
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else ()


def list_tasks(suite: Dataset, access: Access) -> tuple[Dataset, ...]:
    """Return the tasks of a suite that is known by its number alone."""
    number = checked_number(suite.source.locator, "suite", "openml")
    with OpenMLClient(access, f"the suite openml {number}") as client:
        tasks = _task_numbers(client.get(STUDY.format(number=number), MOST_DESCRIPTION), f"the suite openml {number}")
    stem = suite.name.removesuffix("*")
    sources = {stem + task: replace(suite.source, kind="openml-task", locator=task) for task in tasks}
    return tuple(replace(suite, name=name, source=source) for name, source in sources.items())


def _task_numbers(content: bytes, what: str) -> list[str]:
    """Return the numbers in an answer such as {"study": {"tasks": {"task_id": [3, 6]}}}."""
    tasks = _answer(content, "study", what).get("tasks")
    listed = tasks.get("task_id") if isinstance(tasks, dict) else None
    numbers = [str(one) for one in (listed if isinstance(listed, list) else [listed])]
    if not numbers or not all(one.isascii() and one.isdigit() and len(one) < 10 for one in numbers):
        raise DataError(f"{what} lists no tasks", hint="a suite of OpenML is a study of tasks: check the number")
    return list(dict.fromkeys(numbers))


def name_task(dataset: Dataset, access: Access, taken: Iterable[str]) -> Dataset:
    """Return the dataset under the name of its data set, followed by the task's number where that name is taken."""
    number = dataset.source.locator
    with OpenMLClient(access, f"openml-task {number}") as client:
        name = name_of(description(task_of(number, client.get).data, client.get)).strip()
    return replace(dataset, name=f"{name}-{number}" if name in taken or not name else name)
