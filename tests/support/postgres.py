"""A PostgreSQL server of its own for a test, or the sentence why there is none."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PASSWORD = "s3cret:w/ord"
ESCAPED = "s3cret%3Aw%2Ford"


@dataclass(frozen=True)
class Server:
    """How to reach it."""

    port: int
    folder: Path

    def address(self, password: str = ESCAPED) -> str:
        return f"postgresql://tester:{password}@127.0.0.1:{self.port}/postgres"

    def ask(self, text: str) -> str:
        psql = shutil.which("psql") or str(_binaries() / "psql")
        command = [psql, "-h", "127.0.0.1", "-p", str(self.port), "-U", "tester", "-At", "-v", "ON_ERROR_STOP=1"]
        environment = {**os.environ, "PGPASSWORD": PASSWORD}
        done = subprocess.run(
            [*command, "postgres"], input=text, text=True, capture_output=True, check=True, env=environment
        )
        return done.stdout.strip()


def _binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else Path(shutil.which("initdb") or "/none/initdb").parent


def _as_postgres() -> list[str]:
    """PostgreSQL refuses to run as root; Debian's package brings a user for it."""
    return ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []


@contextlib.contextmanager
def running_server() -> Iterator[Server]:
    """A server that listens until the block ends; the test is skipped where none is installed."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    binaries = _binaries()
    if not (binaries / "initdb").exists():
        pytest.skip("no PostgreSQL server is installed (Debian: apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="evalang-pg-"))
    data = folder / "data"
    (folder / "password").write_text(PASSWORD)
    if os.getuid() == 0:
        try:
            owner = pwd.getpwnam("postgres")
        except KeyError:
            shutil.rmtree(folder)
            pytest.skip("PostgreSQL does not run as root and there is no user postgres")
        for path in (folder, folder / "password"):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    prefix = _as_postgres()
    quiet = {"check": True, "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    initdb = [str(binaries / "initdb"), "-D", str(data), "-U", "tester", "-A", "scram-sha-256", "--no-sync"]
    subprocess.run([*prefix, *initdb, "-E", "UTF8", "--pwfile", str(folder / "password")], **quiet)
    control = [*prefix, str(binaries / "pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-w"]
    subprocess.run([*control, "-o", f"-p {port} -h 127.0.0.1 -k {folder} -F", "start"], **quiet)
    try:
        yield Server(port, folder)
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **{**quiet, "check": False})
        shutil.rmtree(folder, ignore_errors=True)
