"""Scores that other tools wrote, one module for each tool.

A source comes in (a file, a folder or a pattern); out goes a long table whose columns say what they stand for, with
the files that were read, their hashes, and what differs between them. To add a tool, write a module with a function
`read_<tool>(source, access) -> LongTable` and add its row to READERS in catalogue/sources.py.
"""

from __future__ import annotations

import os
import re

from ...catalogue.sources import READERS, find_reader, reader_of_file
from ...errors import DataError
from ...language.files import is_log
from ...plans.model import Source
from ..access import Access
from ..load import faults_reported, reader_function
from ..quoting import error_about, quoted
from ..raw import LongTable

SCORE_READERS = tuple(reader.name for reader in READERS if reader.is_scores)


def read_scores(source: Source, access: Access) -> LongTable:
    """Return the scores that another tool wrote; a source is read once."""
    reader = find_reader(source.kind)
    if reader is None or not reader.is_scores:
        raise DataError(f"{source.kind} is not a reader of scores", hint=f"the readers are {', '.join(SCORE_READERS)}")
    what = f"{source.kind} {source.locator}"
    key = (source.kind, source.locator, source.options)
    try:
        with faults_reported(source, "read fewer logs at once"):
            table: LongTable = access.tables.get(key) or reader_function(reader)(source, access)
    except OverflowError as error:  # JSON knows whole numbers of any size
        hint = "check how the file was written"
        raise DataError(f"{what} holds a number too large for a score", hint=hint) from error
    access.tables[key] = table
    if not len(table.frame):
        raise DataError(f"{what} holds no score", hint="check how the file was written")
    return table


_HEAD = 1 << 14
_COLUMNS = (
    ("amlb", ("task", "framework", "fold", "result")),
    ("weka", ("Key_Dataset", "Key_Run", "Key_Scheme")),
    ("sklearn", ("split0_test_",)),
)
_MOST_FILES = 200  # files of a folder
LOOKED_FOR = (
    f"tables end in {', '.join(ending for reader in READERS for ending in reader.endings)}; logs of "
    f"{', '.join(reader.name for reader in READERS if reader.is_scores)} are recognised by content, or named by --from"
)


def detect(path: str) -> str:
    """Return the reader of a file or folder."""
    if os.path.isdir(path):
        names = [name for _, _, files in os.walk(path) for name in files]
        if "per_instance_stats.json" in names:
            return "helm"
        if any(name.startswith("samples_") and name.endswith(".jsonl") for name in names):
            return "lm-eval"
        return _of_files(path)
    name = os.path.basename(path)
    if not os.path.isfile(path):  # a pipe without a writer would wait for ever
        raise error_about(path, "is a device or a pipe, not a file", "name a file")
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise error_about(path, f"cannot be read: {reason}", "check the name") from None
    if is_log(head) and not name.lower().endswith(".xlsx"):
        return "inspect"
    if re.fullmatch(r"samples_.+\.jsonl(\.gz)?", name):
        return "lm-eval"
    if name.endswith(".jsonl") and head.lstrip().startswith(b'{"spec"'):
        return "openai-evals"
    if head.lstrip().startswith(b"{") and b'"schema_version"' in head:
        return "every-eval-ever"
    if name.endswith(".json") and head.lstrip().startswith((b"[", b"{")):
        return "json"
    first = head.partition(b"\n")[0].decode("utf-8", "replace")
    for kind, columns in _COLUMNS:
        if all(column in first for column in columns):
            return kind
    if (table := reader_of_file(name)) is not None:
        return table
    raise DataError(f"{quoted(path)} is neither a table nor a log that evalang reads", hint=LOOKED_FOR)


def _of_files(folder: str) -> str:
    """Return the one tool whose files are in a folder, among others such as a README."""
    found: set[str] = set()
    inside = sorted(os.path.join(place, name) for place, _, files in os.walk(folder) for name in files)
    for path in inside[:_MOST_FILES]:
        try:
            kind = detect(path)
        except DataError:
            continue
        if kind in SCORE_READERS:
            found.add(kind)
    if len(found) > 1:
        what = f"holds files of {', '.join(sorted(found))}"
        raise error_about(folder, what, "name the files of one tool, or choose a tool by --from")
    if not found:
        raise error_about(folder, "holds no log that evalang reads", LOOKED_FOR)
    return found.pop()
