"""Databases: SQLite by file, PostgreSQL by address. Only read, one query, one answer.

A PostgreSQL server is reached over the network, so the user has to name it: `--allow-net HOST`, `localhost` for one
on this machine. No password, from the script or from the environment, leaves for a host that was not named. One in the
address is used and never printed; better is none in the script (PGPASSWORD or ~/.pgpass, as for psql).
"""

from __future__ import annotations

import ipaddress
import os
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from sys import getsizeof
from typing import Any
from urllib.parse import quote
from uuid import UUID

import numpy as np
import pandas as pd

from ..errors import DataError
from ..plans.model import Source
from ..plans.passwords import hide_passwords
from .access import Access, resolve
from .files import open_file
from .limits import CELL_CHARACTERS, CELLS, COLUMNS, CONNECT_SECONDS, QUERY_BYTES, QUERY_SECONDS, ROWS
from .quoting import error_about, quoted
from .raw import Raw, categorical_option, checked_names, checked_options
from .table import Array

_FIRST_WORDS = ("select", "with", "values")
_SCHEME = re.compile(r"[a-z][a-z0-9+.]*")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


def read_sql(source: Source, access: Access, query: str | None) -> Raw:
    """Return the rows of one query; `order by` in it fixes their order."""
    options = checked_options(source, {"categorical": tuple})
    address = source.address or source.locator
    label = hide_passwords(source.locator)
    checked = _checked_query(query, label)
    scheme = address.partition(":")[0].lower()
    run = {"sqlite": run_sqlite, "postgresql": run_postgresql, "postgres": run_postgresql}.get(scheme.partition("+")[0])
    if run is None:
        # What is no scheme is not repeated: it may be `host=… password=…`.
        what = (
            f"{quoted(scheme)} databases are not supported"
            if _SCHEME.fullmatch(scheme)
            else "only database addresses are read"
        )
        raise DataError(what, hint="write sqlite:///file.db or postgresql://user@host/name")
    names, columns = run(address, checked, access)
    if not len(columns[0]):
        raise DataError(f"the query on {label} gives no rows", hint="try the query in the client of the database")
    titles = checked_names(names, label, "give the columns names in the query: select a as b")
    frame = pd.DataFrame(dict(zip(titles, columns, strict=True)), copy=False)
    return Raw(frame=frame, source=f"sql {label}", nominal=categorical_option(options, titles, label))


def _checked_query(query: str | None, label: str) -> str:
    plain = (query or "").rstrip("; \t\r\n")
    if not plain.strip():
        raise DataError(f"{label} needs a query", hint='write `query "select … from …"`')
    first = _COMMENT.sub(" ", plain).lstrip(" \t\r\n(").partition(" ")[0].split("\n")[0].lower()
    if not first.startswith(_FIRST_WORDS):
        what = f"a query may only read data, but this query begins with {quoted(first)}"
        raise DataError(what, hint="write a query that begins with select")
    return plain


_ADDRESS = re.compile(r"sqlite(?:\+pysqlite)?:///(?P<path>.+)", re.IGNORECASE | re.DOTALL)
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE})
_NO_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})
_LONGEST_CELL = 4 * CELL_CHARACTERS


def run_sqlite(address: str, query: str, access: Access) -> tuple[list[str], list[Array]]:
    """Return names and columns of the query."""
    match = _ADDRESS.fullmatch(address)
    if match is None or "?" in address:
        raise error_about(hide_passwords(address), "is not an address of a SQLite file", "write sqlite:///file.db")
    locator = match.group("path")
    with open_file(locator, access, expects="a SQLite database") as stream:
        if not stream.read(16) == b"SQLite format 3\x00":
            raise error_about(locator, "is not a SQLite database", "check the name")
    path = resolve(locator, access)
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5)) as connection:
            _restrict(connection)
            cursor = connection.execute(query)
            if cursor.description is None:
                raise DataError("the query gives no columns", hint="write a query that begins with select")
            names = [str(d[0]) for d in cursor.description]
            return names, fetch(cursor, len(names))
    except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeDecodeError, MemoryError) as error:
        what = f"the query on {quoted(locator)} failed: {_reason(error)}"
        raise DataError(what, hint="try it in the sqlite3 shell") from None


def _restrict(connection: sqlite3.Connection) -> None:
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
    return "it does more than read" if re.search("authoriz|prohibited", text) else quoted(text)


_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_ENCRYPTED = ("require", "verify-ca", "verify-full")
_PLAIN = ("disable", "allow", "prefer")
_SERVER = ("host", "port", "user", "password", "dbname")
# What an address may say besides the server; files, services and server options are not for a script to choose.
_SETTINGS = ("sslmode", "application_name", "target_session_attrs", "client_encoding")


def run_postgresql(address: str, query: str, access: Access) -> tuple[list[str], list[Array]]:
    """Return names and columns of the query."""
    try:
        import psycopg
    except ImportError:
        raise DataError("PostgreSQL needs psycopg", hint='pip install "evalang[sql]"') from None
    server = _allowed(_parts(psycopg, address), address, access)
    settings = f"-c default_transaction_read_only=on -c statement_timeout={QUERY_SECONDS * 1000}"
    try:
        with psycopg.connect(**server, connect_timeout=CONNECT_SECONDS, options=settings) as connection:
            connection.read_only = True
            # A cursor of the server takes one statement: `select 1; commit; drop …` is refused.
            with connection.cursor(name="evalang") as cursor:
                cursor.itersize = 1000
                cursor.execute(query)
                names = [column.name for column in cursor.description or ()]
                return names, fetch(cursor, len(names))
    except psycopg.Error as error:
        raise DataError(_postgresql_error(error, server, address), hint="try it in psql") from None


def _parts(psycopg: Any, address: str) -> dict[str, Any]:
    """Return the parts of an address as libpq names them."""
    label = hide_passwords(address)
    scheme, _, rest = address.partition("://")
    if scheme.lower() not in _SCHEMES or not rest:
        raise error_about(label, "is not a database address", "write postgresql://user@host/name")
    try:
        found: dict[str, Any] = psycopg.conninfo.conninfo_to_dict(f"postgresql://{rest}")
    except psycopg.Error:
        raise error_about(label, "is not a database address", "write postgresql://user@host/name") from None
    for key in found:
        if key not in _SERVER + _SETTINGS:
            what = f"the option {quoted(key)} in the address {label} is not allowed"
            raise DataError(what, hint=f"use only these options: {', '.join(_SETTINGS)}")
    if found.get("password") == "***":  # a plan read back from JSON has lost it
        del found["password"]
    return found


def _allowed(server: dict[str, Any], address: str, access: Access) -> dict[str, Any]:
    """Return the server, if the user named its host; with TLS, unless it is on this machine."""
    host = server.get("host") or os.environ.get("PGHOST") or ""
    local = _is_local(host)
    name = host.rpartition("@")[2] or "localhost"  # what stands before an @ may be a password
    if not any(access.allows(known, server.get("port")) for known in {"localhost" if local else host, host or name}):
        raise DataError(
            f"{hide_passwords(address)} is on the host {quoted(name)}, which is not allowed yet",
            hint=f"if you trust it with your password, run with --allow-net {'localhost' if local else 'HOST'}",
        )
    # Set even where it is empty: else PGHOSTADDR, or the service that PGSERVICE names, leads elsewhere.
    server |= {"host": host, "hostaddr": ""}
    mode = server.get("sslmode")
    if not local and mode is None and not os.environ.get("PGSSLMODE"):  # what the user set for all of psql holds here
        return server | {"sslmode": "require"}
    if mode is not None and mode not in _ENCRYPTED + _PLAIN * local:
        what = f"{hide_passwords(address)} asks for a connection without TLS"
        raise DataError(what, hint=f"leave sslmode out, or write one of {', '.join(_ENCRYPTED)}")
    return server


def _is_local(host: str) -> bool:
    """Return whether it is a socket or an address of this machine, and no list (any host may follow a comma)."""
    if "," in host:
        return False
    if not host or host.startswith(("/", "@")) or host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _postgresql_error(error: Exception, server: dict[str, Any], address: str) -> str:
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    for secret in (server.get("password"), os.environ.get("PGPASSWORD")):  # a server may repeat what it was sent
        if secret:
            first = first.replace(str(secret), "***")
    return f"the query on {hide_passwords(address)} failed: {first[:300]}"


_CHUNK = 10_000  # rows
_CHUNK_BYTES = 16 << 20
_EXACT = 2**53  # whole numbers up to here are the same as float64
_NUMBERS = frozenset({int, float, type(None)})
_Row = Sequence[Any]


def fetch(answer: Iterable[_Row], columns: int) -> list[Array]:
    """Return the columns of an answer, numbers as float64; refuse it as soon as it is too large."""
    if columns > COLUMNS:
        raise DataError(f"the query gives {columns} columns, too many", hint="name fewer columns")
    parts: list[list[Array]] = [[] for _ in range(columns)]
    rows = size = 0
    for found in _chunks(answer):
        rows += len(found)
        for part, cells in zip(parts, zip(*found, strict=True), strict=True):
            packed = _packed(cells)
            size += packed.nbytes if packed.dtype != object else sum(map(getsizeof, cells))
            part.append(packed)
        if rows > ROWS or rows * columns > CELLS:
            raise DataError("the query gives too many rows", hint="add a condition or `limit` to it")
        if size > QUERY_BYTES:
            what = f"the query gives more than {QUERY_BYTES >> 20} MB"
            raise DataError(what, hint="add a condition or `limit` to it, or save the answer as Parquet")
    return [np.concatenate(part) if part else np.empty(0) for part in parts]


def _chunks(answer: Iterable[_Row]) -> Iterator[list[_Row]]:
    """Yield some rows at a time: few when they are large, as one query can make any number of long texts."""
    chunk: list[_Row] = []
    size = 0
    for row in answer:
        chunk.append(row)
        size += sum(map(getsizeof, row))
        if size > _CHUNK_BYTES or len(chunk) == _CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _packed(cells: tuple[Any, ...]) -> Array:
    """Return numbers as an array, missing ones NaN; anything else as objects."""
    kinds = set(map(type, cells))
    plain = kinds <= _NUMBERS and kinds != {type(None)}
    if plain and all(-_EXACT <= c <= _EXACT for c in cells if type(c) is int):
        return np.array([np.nan if c is None else c for c in cells], dtype=np.float64)
    packed: Array = np.empty(len(cells), dtype=object)
    packed[:] = [str(c) if isinstance(c, UUID) else c for c in cells]
    return packed
