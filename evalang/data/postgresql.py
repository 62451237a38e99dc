"""PostgreSQL, through SQLAlchemy and psycopg (an extra): one read-only transaction, one statement."""

from __future__ import annotations

from typing import Any

from ..errors import DataError
from ..plans.definitions import without_password
from .access import Access
from .columns import Array
from .fetch import fetch
from .limits import CONNECT_SECONDS, QUERY_SECONDS
from .shown import shown

_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
# What an address may say besides the server; files, services and server options are not for a script to choose.
_SETTINGS = ("sslmode", "application_name", "target_session_attrs", "client_encoding")


def run_postgresql(address: str, query: str, access: Access) -> tuple[list[str], list[Array]]:
    """Names and columns of the query."""
    if not access.allow_net:
        raise DataError(
            f"{without_password(address)} is a server, and the network is off",
            hint="run with --allow-net, also for a server on this machine",
        )
    try:
        import psycopg  # noqa: F401
        import sqlalchemy as sa
    except ImportError:
        raise DataError("PostgreSQL needs SQLAlchemy and psycopg", hint='pip install "evalang[sql]"') from None
    url = _url(sa, address)
    settings = f"-c default_transaction_read_only=on -c statement_timeout={QUERY_SECONDS * 1000}"
    engine = sa.create_engine(
        url,
        poolclass=sa.pool.NullPool,
        hide_parameters=True,
        # prepare_threshold 0: a prepared statement is a single one, so `select 1; commit; drop …` is refused
        connect_args={"connect_timeout": CONNECT_SECONDS, "options": settings, "prepare_threshold": 0},
    )
    try:
        with engine.connect().execution_options(
            postgresql_readonly=True, no_parameters=True, stream_results=True, max_row_buffer=10_000
        ) as connection:
            answer = connection.exec_driver_sql(query)
            names = [str(n) for n in tuple(answer.keys())]
            return names, fetch(answer.fetchmany, len(names))
    except sa.exc.SQLAlchemyError as error:
        raise DataError(_reason(error, url, address), hint="try it in psql") from None
    finally:
        engine.dispose()


def _url(sa: Any, address: str) -> Any:
    label = without_password(address)
    try:
        url = sa.engine.make_url(address)
    except (sa.exc.ArgumentError, ValueError):
        raise DataError(f"{shown(label)} is no database address", hint="postgresql://user@host/name") from None
    if url.drivername not in _SCHEMES:
        raise DataError(f"{shown(url.drivername)} is no driver that is used here", hint="write postgresql://")
    for key in url.query:
        if key not in _SETTINGS:
            raise DataError(f"the address {label} may not set {shown(key)}", hint=f"it may set {', '.join(_SETTINGS)}")
    if url.password == "***":  # a plan read back from JSON has lost it
        url = url.set(password=None)
    return url.set(drivername="postgresql+psycopg")


def _reason(error: Exception, url: Any, address: str) -> str:
    text = str(getattr(error, "orig", None) or error).strip()
    first = text.splitlines()[0] if text else type(error).__name__
    if url.password:
        first = first.replace(str(url.password), "***")
    return f"the query on {without_password(address)} failed: {first[:300]}"
