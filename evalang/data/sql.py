"""Databases: SQLite by file, PostgreSQL by address. Only read, one query, one answer.

A PostgreSQL server is reached over the network, so the person has to name it: `--allow-net HOST`, `localhost` for one
on this machine. No password, from the script or from the environment, leaves for a host that was not named. One in the
address is used and never shown; better is none in the script (PGPASSWORD or ~/.pgpass, as for psql).
"""

from __future__ import annotations

import re

import pandas as pd

from ..errors import DataError
from ..plans.definitions import without_password
from ..plans.model import Source
from .access import Access
from .column_names import checked_names, told_categories
from .load import checked_options
from .raw import Raw
from .shown import shown

MOST_QUERY = 100_000  # characters
_FIRST_WORDS = ("select", "with", "values")
_SCHEME = re.compile(r"[a-z][a-z0-9+.]*")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


def read_sql(source: Source, access: Access, query: str | None) -> Raw:
    """The rows of one query; `order by` in it makes sure that the rows come in the same order every time."""
    options = checked_options(source, {"categorical": tuple})
    address = source.address or source.locator
    label = without_password(source.locator)
    checked = _checked_query(query, label)
    scheme = address.partition(":")[0].lower()
    kind = scheme.partition("+")[0]
    if kind == "sqlite":
        from .sqlite import run_sqlite

        names, columns = run_sqlite(address, checked, access)
    elif kind in ("postgresql", "postgres"):
        from .postgresql import run_postgresql

        names, columns = run_postgresql(address, checked, access)
    else:
        # What is no name of a scheme is not repeated: it may be `host=… password=…`.
        what = (
            f"{shown(scheme)} databases are not read"
            if _SCHEME.fullmatch(scheme)
            else "what is no database address is not read"
        )
        raise DataError(what, hint="sqlite:///file.db and postgresql://user@host/name are read")
    if not len(columns[0]):
        raise DataError(f"the query on {label} gives no rows", hint="try it in the database's own client")
    titles = checked_names(names, label, "give the columns names in the query: select a as b")
    frame = pd.DataFrame(dict(zip(titles, columns, strict=True)), copy=False)
    return Raw(frame=frame, source=f"sql {label}", nominal=told_categories(options, titles, label))


def _checked_query(query: str | None, label: str) -> str:
    if query is None or not query.strip():
        raise DataError(f"{label} is given no query", hint='write `query "select … from …"`')
    if len(query) > MOST_QUERY or "\0" in query:
        raise DataError(f"the query on {label} is too long or holds a zero byte", hint="keep it in a view")
    plain = query.strip()
    while plain.endswith(";"):
        plain = plain[:-1].rstrip()
    words = _COMMENT.sub(" ", plain).lstrip(" \t\r\n(").split(None, 1)
    first = words[0].lower() if words else ""
    if first not in _FIRST_WORDS:
        raise DataError(
            f"a query reads and does nothing else, and this one begins with {shown(first)}", hint="write select …"
        )
    return plain
