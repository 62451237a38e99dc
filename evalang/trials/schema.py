"""The tables of a store, and opening one that a stranger may have written."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..errors import RunError
from .record import checksum

VERSION = 1
APPLICATION = 0x45564C31  # "EVL1"
TABLES = {
    "trials": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, volatile TEXT NOT NULL, "
    "failure TEXT NOT NULL, sum INTEGER NOT NULL",
    "splits": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, sum INTEGER NOT NULL",
    "datasets": "key TEXT PRIMARY KEY, result TEXT NOT NULL, arrays BLOB NOT NULL, sum INTEGER NOT NULL",
}


class Damaged(Exception):
    """The file is no store of ours, or not a whole one."""


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection that trusts nothing in the file: no functions in its schema, no extensions, no foreign tables."""
    if path.is_symlink():
        raise RunError(f"{path} is a link", hint="a store has to be a file of its own")
    address = path.absolute().as_uri() + ("?mode=rwc" if write else "?mode=ro")
    connection = sqlite3.connect(address, uri=True, isolation_level=None, cached_statements=64)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def make(connection: sqlite3.Connection) -> None:
    """Empty tables, lasting at every commit."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for name, columns in TABLES.items():
        connection.execute(f"CREATE TABLE {name} ({columns}) WITHOUT ROWID")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise Damaged for a file that cannot be used, RunError for one of a newer evalang."""
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        found = {
            (kind, name): sql for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master")
        }
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    if application == APPLICATION and version > VERSION:
        raise RunError(
            f"{path} was written by a newer evalang (store version {version}, this one knows {VERSION})",
            hint="use that version, or give this run another folder with --out",
        )
    wanted = {("table", name): f"CREATE TABLE {name} ({columns}) WITHOUT ROWID" for name, columns in TABLES.items()}
    if application != APPLICATION or version != VERSION or found != wanted:
        # A view or a trigger that we never made has no business here.
        raise Damaged("its tables are not those of a store")
    try:
        answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    if answer != "ok":
        raise Damaged(str(answer))


def check_rows(connection: sqlite3.Connection) -> None:
    """Raise Damaged when any row is not what was written. A key that changed would not even be found any more."""
    changed = 0
    try:
        for name in TABLES:
            changed += sum(1 for row in connection.execute(f"SELECT * FROM {name}") if not sound(row))
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    if changed:
        raise Damaged(f"{changed} {'rows have' if changed > 1 else 'row has'} changed on disk")


def sound(row: tuple[object, ...]) -> bool:
    """Whether a row is of the right types and its last value is the checksum of the others."""
    *values, total = row
    return all(isinstance(value, str | bytes) for value in values) and total == checksum(*values)  # type: ignore[arg-type]
