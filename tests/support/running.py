"""Scripts run by the real command line in a process that can be watched, signalled and killed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from evalang.errors import RunError
from evalang.trials.store import Store

from .calling import ROOT, Called

# What two runs of one script may differ in; everything else in result.json is the same to the byte.
VOLATILE = ("started", "finished", "environment", "trials", "reused", "head")


class Running:
    """`evalang …` under way."""

    def __init__(self, *arguments: object, cwd: Path, **environment: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "evalang", *map(str, arguments)],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )

    def until_done(self, folder: Path, count: int) -> int:
        """Wait until so many trials are lasting; how many are."""
        self._until(lambda: trials_in(folder) >= count)
        return trials_in(folder)

    def _until(self, condition: Callable[[], object]) -> None:
        def holds() -> object:
            assert self._process.poll() is None, self.ended()
            return condition()

        until(holds)

    def send(self, number: signal.Signals) -> None:
        """A signal to the run alone."""
        self._process.send_signal(number)

    def ended(self, seconds: float = 120) -> Called:
        """What it came to."""
        out, err = self._process.communicate(timeout=seconds)
        return Called(self._process.returncode, out.decode(), err.decode())

    def kill(self) -> None:
        """As the machine would."""
        self.send(signal.SIGKILL)
        assert self.ended().code == -signal.SIGKILL


def until(condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait for something; so long only where it never comes, as a busy machine may take its time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def running(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(pid: int) -> set[int]:
    """The child processes of a process, with those of its fork server in the server's place."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for path in Path(f"/proc/{pid}/task").glob("*/children"):
            found.update(map(int, path.read_text().split()))
        for child in tuple(found):
            line = command_line(child)
            if b"multiprocessing.resource_tracker" in line:
                found.remove(child)
            elif b"multiprocessing.forkserver" in line and b"multiprocessing.forkserver" not in command_line(pid):
                found = found - {child} | children(child)
    return found


def command_line(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def trials_in(folder: Path) -> int:
    """Finished trials in a run folder."""
    try:
        store = Store(folder, write=False)
    except RunError:  # the run has not made it yet
        return 0
    try:
        return len(store.done())
    finally:
        store.close()


def result_bytes(folder: Path) -> bytes:
    """result.json without the things named in VOLATILE."""
    found = json.loads((folder / "result.json").read_bytes())
    for name in VOLATILE:
        del found["run"][name]
    return json.dumps(found).encode()


def write_wards(path: Path, rows: int = 240, wards: int = 24) -> list[dict[str, str]]:
    """Patients of several wards as a CSV file: numbers, categories and missing values; the rows as text."""
    rng = np.random.default_rng(1)
    found = []
    for number in range(rows):
        bad = rng.random() < 0.5
        found.append(
            {
                "id": str(number),
                "ward": f"w{number % wards}",
                "age": "" if rng.random() < 0.05 else f"{rng.normal(50 + 8 * bad, 10):.1f}",
                "dose": f"{rng.normal(bad, 1):.3f}",
                "sex": str(rng.choice(["f", "m", ""], p=[0.48, 0.48, 0.04])),
                "outcome": "bad" if bad else "good",
            }
        )
    lines = [",".join(found[0]), *(",".join(row.values()) for row in found)]
    path.write_text("\n".join(lines) + "\n")
    return found
