"""The command line, called in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from evalang.cli.main import run

ROOT = Path(__file__).resolve().parents[2]


class Called(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


def caller(capfd) -> Callable[..., Called]:  # type: ignore[no-untyped-def]
    """A function that calls the command line and hands back what it printed; a traceback is never right."""

    def call(*arguments: object) -> Called:
        capfd.readouterr()
        code = run([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Called(code, out, err)

    return call


def spawned(*arguments: object, cwd: Path, stdin: bytes = b"", **environment: str) -> Called:
    """The same in a process of its own."""
    known = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    found = subprocess.run(
        [sys.executable, "-m", "evalang", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=120,
        env={**known, "PYTHONPATH": str(ROOT), **environment},
    )
    return Called(found.returncode, found.stdout.decode(), found.stderr.decode())
