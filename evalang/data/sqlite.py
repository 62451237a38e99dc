"""SQLite by file: opened read-only, with nothing allowed but reading."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from urllib.parse import quote

from ..errors import DataError
from ..language.held import not_alone
from ..plans.canonical import without_password
from .access import Access
from .fetch import fetch
from .limits import CELL_CHARACTERS, QUERY_BYTES, QUERY_SECONDS
from .opened import opened
from .paths import resolve
from .shown import shown
from .table import Array

_ADDRESS = re.compile(r"sqlite(?:\+pysqlite)?:///(?P<path>.+)", re.IGNORECASE | re.DOTALL)
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE})
_NO_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})
_LONGEST_CELL = 4 * CELL_CHARACTERS


def run_sqlite(address: str, query: str, access: Access) -> tuple[list[str], list[Array]]:
    """Names and columns of the query."""
    match = _ADDRESS.fullmatch(address)
    if match is None or "?" in address:
        raise DataError(
            f"{shown(without_password(address))} is no address of a SQLite file", hint="write sqlite:///file.db"
        )
    locator = match.group("path")
    with opened(locator, access, expects="a SQLite database") as stream:
        if not stream.read(16) == b"SQLite format 3\x00":
            raise DataError(f"{shown(locator)} is not a SQLite database", hint="check the name")
    path = resolve(locator, access)
    for ending in ("-wal", "-shm", "-journal"):  # SQLite writes there also while it only reads
        if problem := not_alone(f"{path}{ending}"):
            raise DataError(f"{shown(locator + ending)} {problem}", hint="copy the database to a folder of its own")
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5)) as connection:
            _lock_down(connection)
            cursor = connection.execute(query)
            if cursor.description is None:
                raise DataError("the query gives no columns", hint="write select …")
            names = [str(d[0]) for d in cursor.description]
            return names, fetch(cursor, len(names))
    except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeDecodeError, MemoryError) as error:
        raise DataError(
            f"the query on {shown(locator)} failed: {_reason(error)}", hint="try it in the sqlite3 shell"
        ) from None


def _lock_down(connection: sqlite3.Connection) -> None:
    connection.execute("pragma query_only = on")
    connection.execute("pragma trusted_schema = off")
    connection.execute("pragma cell_size_check = on")
    # Sorting and recursion keep rows of their own: in memory, where the limit counts them, and not on the disk.
    connection.execute("pragma temp_store = memory")
    connection.execute(f"pragma hard_heap_limit = {QUERY_BYTES}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_CELL)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_authorizer(_authorise)
    end = time.monotonic() + QUERY_SECONDS
    connection.set_progress_handler(lambda: int(time.monotonic() > end), 100_000)


def _authorise(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    if action not in _ALLOWED or (action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _NO_FUNCTIONS):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _reason(error: Exception) -> str:
    text = str(error)
    if isinstance(error, MemoryError) or text == "out of memory":
        return f"it needs more than {QUERY_BYTES >> 20} MB to be answered"
    if text == "interrupted":
        return f"it ran for more than {QUERY_SECONDS} seconds"
    if "not authorized" in text or "authoriz" in text or "prohibited" in text:
        return "it does more than read"
    return shown(text)
