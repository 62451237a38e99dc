"""The command line, called in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
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


Call = Callable[..., Called]


def caller(capfd) -> Call:  # type: ignore[no-untyped-def]
    """A function that calls the command line and hands back what it printed; a traceback is never right."""

    def call(*arguments: object) -> Called:
        capfd.readouterr()
        code = run([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Called(code, out, err)

    return call


def forked(*arguments: object, cwd: Path, stdin: bytes = b"", **environment: str) -> Called:
    """The same in a copy of this process: what it imports and changes ends with it, and Python need not start again."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        pid = os.fork()
        if not pid:
            code = 70
            try:
                for number, file in enumerate((given, out, err)):
                    os.dup2(file.fileno(), number)
                sys.stdin, sys.stdout, sys.stderr = (os.fdopen(i, "rw"[i > 0], closefd=False) for i in range(3))
                os.environ.update(environment)
                os.chdir(cwd)
                code = run([str(a) for a in arguments])
                sys.stdout.flush()
                sys.stderr.flush()
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        err.seek(0)
        return Called(code, out.read().decode(), err.read().decode())


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
