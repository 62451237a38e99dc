"""Data sets, tasks and suites of OpenML by their numbers; every answer is checked, then stored.

`openml 61` asks https://www.openml.org and hosts below openml.org, nothing else, and only with `--allow-net
openml.org`. The file must have the checksum of its description; `openml 61(sha256 = "...")` pins its content for good.
A task's folds are those of the file that OpenML keeps with it, of its first repetition.

Answers are downloaded once and from then on read from the folder `openml`. Next to each file is its sha256, in the form
that `sha256sum -c` reads. Files are stored only after all that belongs together was read and checked.
"""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import os
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import SplitResult, urljoin, urlsplit

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import DataError, RunError
from ..language.files import replace_below
from ..plans.model import Dataset, Source
from .access import Access
from .arff import parse_arff
from .files import check_head
from .limits import CONNECT_SECONDS, DOWNLOAD_SECONDS, FILE_BYTES
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
    return _read(source, access, "data set", assemble)


def read_openml_task(source: Source, access: Access) -> Raw:
    """Return the rows of a task's data set, with the task's target and folds."""
    return _read(source, access, "task", assemble_task)


def _read(source: Source, access: Access, what: str, assembled: Callable[[str, Get, object], Raw]) -> Raw:
    pinned = checked_options(source, {"sha256": str}).get("sha256")
    number = checked_number(source.locator, what, source.kind)
    with OpenMLClient(access, f"{source.kind} {number}") as client:
        return assembled(number, client.get, pinned)


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
        what = f"openml {number} ({name_of(described)}) was withdrawn: OpenML calls it deactivated"
        raise DataError(what, hint=f'take a newer version of it, or pin this one: openml {number}(sha256 = "…")')
    content = get(_secure(str(described.get("url", ""))), FILE_BYTES)
    found = hashlib.sha256(content).hexdigest()
    if pinned is not None and str(pinned).lower() != found:
        raise DataError(
            f"openml {number} has the sha256 {found}, which differs from the one in the script",
            hint="the data set has changed at OpenML; to use the new version, write its sha256 into the script",
        )
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
        what = f"the target {quoted(task.target)} of openml-task {number} is not a column of openml {task.data}"
        raise DataError(what, hint="use a different task on this data set")
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
    kind_name = str(answer.get("task_type", "unknown"))
    try:
        inputs = {str(one["name"]): one for one in answer["input"]}
        kind = _KINDS.get(str(answer["task_type_id"]))
        if kind is None:
            what = f"openml-task {number} is {quoted(kind_name)}, which is neither classification nor regression"
            raise DataError(what, hint="choose a task of supervised classification or regression")
        data = inputs["source_data"]["data_set"]
        procedure = inputs["estimation_procedure"]["estimation_procedure"]
        if procedure.get("type") != "crossvalidation":
            what = f"openml-task {number} uses {quoted(procedure.get('type'))}, not cross-validation"
            raise DataError(
                what, hint="read its data set by `from openml`, and write `using` with a scheme of your own"
            )
        parameters = {str(one["name"]): one.get("value") for one in procedure.get("parameter", ())}
        return OpenMLTask(
            number=number,
            kind=kind,
            data=checked_number(str(data.get("data_set_id", "")), "data set", "openml"),
            target=str(data.get("target_feature", "")),
            splits=_secure(str(procedure.get("data_splits_url", ""))),
            repeats=int(parameters.get("number_repeats") or 1),
            folds=int(parameters.get("number_folds") or 1),
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        raise DataError(f"the answer about openml-task {number} cannot be read", hint="check the number") from None


def _folds(frame: pd.DataFrame, task: OpenMLTask, rows: int) -> NDArray[np.int64]:
    """Return the fold that tests each row in the first repetition; the file must be the whole of a cross-validation."""
    broken = DataError(
        f"the folds of openml-task {task.number} are not those of {task.repeats}x{task.folds}cv on {rows} rows",
        hint="a part of the file may be missing: try again later",
    )
    frame = frame.rename(columns=str.lower)
    if not {"type", "rowid", "repeat", "fold"} <= set(frame.columns):
        raise broken
    cells = frame[["rowid", "repeat", "fold"]].apply(pd.to_numeric, errors="coerce")
    limits = {"rowid": rows, "repeat": task.repeats, "fold": task.folds}
    inside = bool((cells >= 0).all(axis=None) and (cells < pd.Series(limits)).all(axis=None))
    tests = frame["type"].astype(str).str.upper() == "TEST"
    first = cells[tests & (cells["repeat"] == 0)].sort_values("rowid")
    whole = inside and len(cells) == task.repeats * task.folds * rows and not cells.duplicated().any()
    if not whole or not np.array_equal(first["rowid"], np.arange(rows)):
        raise broken
    return np.asarray(first["fold"], dtype=np.int64)


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
    if not listed:
        raise DataError(f"{what} lists no tasks", hint="a suite of OpenML is a study of tasks: check the number")
    numbers = listed if isinstance(listed, list) else [listed]
    return list(dict.fromkeys(checked_number(str(one), "task", "openml-task") for one in numbers))


def name_task(dataset: Dataset, access: Access, taken: Iterable[str]) -> Dataset:
    """Return the dataset under the name of its data set, followed by the task's number where that name is taken."""
    number = dataset.source.locator
    with OpenMLClient(access, f"openml-task {number}") as client:
        name = name_of(description(task_of(number, client.get).data, client.get)).strip()
    return replace(dataset, name=f"{name}-{number}" if name in taken or not name else name)


HOST = "openml.org"
FOLDER = "openml"
MOST_REDIRECTS = 3
_LONGEST = 120  # characters of a file's name
_UNTRUSTED = "the answer of the server cannot be trusted"


class OpenMLClient:
    """Answers by address, from the folder or from OpenML; at the end of a `with` block new ones are stored."""

    def __init__(self, access: Access, wanted: str) -> None:
        self._access = access
        self._wanted = wanted  # what the script asks for, in its own words
        self._new: dict[str, bytes] = {}

    def get(self, address: str, most: int) -> bytes:
        """Return the content at an address."""
        name = file_name(address)
        if name in self._new:
            return self._new[name]
        for root in (self._access.root, self._access.data_root):
            stored = _stored(root / FOLDER / name, root) if root is not None else None
            if stored is not None:
                return stored
        if not self._access.allows(HOST):
            what = f"{self._wanted} has to be downloaded from {HOST}, which is not allowed yet"
            raise DataError(what, hint=f"run with --allow-net {HOST}")
        self._new[name] = download(address, host=HOST, most=most)
        return self._new[name]

    def __enter__(self) -> OpenMLClient:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Write what was downloaded, unless something in it was wrong."""
        if kind is not None:
            return
        root = str(self._access.data_root or self._access.root)
        try:
            for name, content in self._new.items():
                replace_below(root, f"{FOLDER}/{name}", content)
                checksum = f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()
                replace_below(root, f"{FOLDER}/{name}.sha256", checksum)
        except RunError as error:
            what = f"{self._wanted} was downloaded but cannot be stored in {FOLDER}/: {error.message}"
            raise DataError(what, hint="name a folder with write permission by --data-root") from None


def file_name(address: str) -> str:
    """Return the name under which the content of an address is stored: its path in plain characters.

    >>> file_name("https://www.openml.org/api/v1/json/data/61")
    'api-v1-json-data-61.json'
    """
    place = urlsplit(address)
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{place.path}-{place.query}".strip("/-"))
    stem, ending = os.path.splitext(plain)
    if ending.lower() not in (".arff", ".json"):
        stem, ending = plain, ".json" if "-json-" in plain else ""
    if len(plain) > _LONGEST or ".." in plain:
        stem = f"{stem[:40].replace('..', '-')}-{hashlib.sha256(address.encode()).hexdigest()[:32]}"
    return stem + ending


def _stored(path: Path, root: Path) -> bytes | None:
    """Return the content of a stored file; None when it is not there, or was not finished."""
    checksum = path.with_name(path.name + ".sha256")
    if not path.is_file() or not checksum.is_file():
        return None
    name = f"{FOLDER}/{path.name}"
    base = os.path.realpath(root)
    if not all(Path(os.path.realpath(file)).is_relative_to(base) for file in (path, checksum)):
        raise error_about(name, "is outside the folders that a script may read", "keep the file itself there")
    content = path.read_bytes()
    if not checksum.read_bytes().startswith(hashlib.sha256(content).hexdigest().encode()):
        what = "has changed since it was downloaded: its sha256 differs from the one stored beside it"
        raise error_about(name, what, f"delete both files and run with --allow-net {HOST}")
    return content


def download(address: str, *, host: str, most: int = FILE_BYTES) -> bytes:
    """Return the bytes at an https address of `host` or of a host below it, within the limits of size and time."""
    end = time.monotonic() + DOWNLOAD_SECONDS
    place = checked_address(address, host)
    request = urllib.request.Request(address, headers={"User-Agent": "evalang"})
    try:
        with urllib.request.build_opener(_SameHost(host)).open(request, timeout=CONNECT_SECONDS) as answer:
            return _body(answer, most, end, address)
    except urllib.error.HTTPError as error:
        if error.code in (301, 302, 303, 307, 308):
            raise DataError(f"{host} redirects too many times", hint="try again later") from None
        hint = "check the number of the data set" if error.code in (404, 412) else "try again later"
        raise DataError(f"{place.hostname} answered {error.code} for {quoted(place.path)}", hint=hint) from None
    except (OSError, http.client.HTTPException) as error:
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        what = f"cannot be reached: {getattr(cause, 'strerror', None) or type(cause).__name__}"
        if isinstance(cause, socket.gaierror):
            what = "is not known to this machine's network"
        raise DataError(f"{place.hostname} {what}", hint="check the network and try again") from None
    except ValueError:  # of an address to be redirected to
        raise DataError(f"{host} redirects to no address", hint=_UNTRUSTED) from None


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Redirects to the same host only."""

    max_redirections = MOST_REDIRECTS

    def __init__(self, host: str) -> None:
        self._host = host

    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        checked_address(urljoin(req.full_url, headers.get("location", "")), self._host)
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def checked_address(address: str, host: str) -> SplitResult:
    """Return the parts of an address; anything but https to the expected host is refused."""
    try:
        place = urlsplit(address)
        name, port = (place.hostname or "").lower(), place.port
    except ValueError:
        raise error_about(address, "is not an address", _UNTRUSTED) from None
    if any(ord(c) <= 32 or ord(c) == 127 for c in address):
        raise error_about(address, "is not an address", _UNTRUSTED)
    what = "is not a plain https address"
    if place.scheme == "https" and place.username is None and port in (None, 443):
        if name == host or name.endswith("." + host):
            return place
        what = f"is not at {host}"
    raise error_about(address, what, f"only https://{host} is asked")


def _body(answer: http.client.HTTPResponse, most: int, end: float, address: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read1(1 << 16):
        parts.append(chunk)
        size += len(chunk)
        if size > most:
            raise error_about(address, f"sends more than {most >> 20} MB", "choose a smaller data set")
        if time.monotonic() > end:
            raise error_about(address, f"took more than {DOWNLOAD_SECONDS} seconds", "try again later")
    if answer.length:  # unlike read, read1 takes a broken connection for the end
        raise error_about(address, f"ended {answer.length} bytes too early", "try again later")
    return b"".join(parts)
