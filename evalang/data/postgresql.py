"""PostgreSQL, through SQLAlchemy and psycopg (an extra): one read-only transaction, one statement."""

from __future__ import annotations

import ipaddress
import os
from typing import Any

from ..errors import DataError
from ..plans.definitions import without_password
from .access import Access
from .fetch import fetch
from .limits import CONNECT_SECONDS, QUERY_SECONDS
from .shown import shown
from .table import Array

_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_ENCRYPTED = ("require", "verify-ca", "verify-full")
# What an address may say besides the server; files, services and server options are not for a script to choose.
_SETTINGS = ("sslmode", "application_name", "target_session_attrs", "client_encoding")


def run_postgresql(address: str, query: str, access: Access) -> tuple[list[str], list[Array]]:
    """Names and columns of the query."""
    try:
        import psycopg  # noqa: F401
        import sqlalchemy as sa
    except ImportError:
        raise DataError("PostgreSQL needs SQLAlchemy and psycopg", hint='pip install "evalang[sql]"') from None
    url = _allowed(_url(sa, address), address, access)
    # Said outright, even where it is empty: else PGHOSTADDR, or the service that PGSERVICE names, leads elsewhere.
    server = {"host": url.host or os.environ.get("PGHOST", ""), "hostaddr": ""}
    settings = f"-c default_transaction_read_only=on -c statement_timeout={QUERY_SECONDS * 1000}"
    engine = sa.create_engine(
        url,
        poolclass=sa.pool.NullPool,
        hide_parameters=True,
        # prepare_threshold 0: a prepared statement is a single one, so `select 1; commit; drop …` is refused
        connect_args={**server, "connect_timeout": CONNECT_SECONDS, "options": settings, "prepare_threshold": 0},
    )
    try:
        with engine.connect().execution_options(
            postgresql_readonly=True, no_parameters=True, stream_results=True, max_row_buffer=1000
        ) as connection:
            answer = connection.exec_driver_sql(query)
            names = [str(n) for n in tuple(answer.keys())]
            return names, fetch(answer, len(names))
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


def _allowed(url: Any, address: str, access: Access) -> Any:
    """The address, if the person named its host; with TLS, unless the server is on this machine."""
    host = url.host or os.environ.get("PGHOST") or ""
    here = _is_here(host)
    named = host.rpartition("@")[2] or "localhost"  # what stands before an @ may be a password
    if not any(access.allows(name, url.port) for name in {"localhost" if here else host, host or "localhost"}):
        raise DataError(
            f"{without_password(address)} is a server, and {shown(named)} is not allowed",
            hint=f"if you trust it with your password, run with --allow-net {'localhost' if here else 'HOST'}",
        )
    if here:
        return url
    mode = url.query.get("sslmode")
    if mode is None and not os.environ.get("PGSSLMODE"):  # what the person set for all of psql holds here too
        return url.update_query_dict({"sslmode": "require"})
    if mode is not None and mode not in _ENCRYPTED:
        raise DataError(
            f"{without_password(address)} asks for a connection without TLS beyond this machine",
            hint=f"leave sslmode out, or write one of {', '.join(_ENCRYPTED)}",
        )
    return url


def _is_here(host: str) -> bool:
    """A socket, or an address of this machine; never a list, in which any host may stand after the first comma."""
    if "," in host:
        return False
    if not host or host.startswith(("/", "@")) or host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _reason(error: Exception, url: Any, address: str) -> str:
    text = str(getattr(error, "orig", None) or error).strip()
    first = text.splitlines()[0] if text else type(error).__name__
    for secret in (url.password, os.environ.get("PGPASSWORD")):  # a server may say what it was sent
        if secret:
            first = first.replace(str(secret), "***")
    return f"the query on {without_password(address)} failed: {first[:300]}"
