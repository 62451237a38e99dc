"""Scripts run by the real command line in a process that can be watched, signalled and killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from evalang.trials.store import NAME, Store

from .cli.calling import ROOT, Called

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

    def until_done(self, folder: Path, count: int, seconds: float = 60) -> int:
        """Wait until so many trials are lasting; how many are."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = trials_in(folder)
            if found >= count:
                return found
            assert self._process.poll() is None, self.ended()
            time.sleep(0.01)
        raise AssertionError(f"the run made no {count} trials")

    def until_started(self, folder: Path, seconds: float = 60) -> None:
        """Wait until it has its folder and its store."""
        until = time.monotonic() + seconds
        while not (folder / NAME).exists():
            assert self._process.poll() is None, self.ended()
            assert time.monotonic() < until
            time.sleep(0.02)

    def until_listening(self, seconds: float = 60) -> None:
        """Wait until it handles what asks it to stop: SIGTERM is nobody's before, as SIGINT is Python's own."""
        self._until("SigCgt", signal.SIGTERM, True, seconds)

    def until_heard(self, number: signal.Signals, seconds: float = 60) -> None:
        """Wait until a signal that was sent has come: two at once would be one."""
        self._until("ShdPnd", number, False, seconds)

    def _until(self, line: str, number: signal.Signals, wanted: bool, seconds: float) -> None:
        until = time.monotonic() + seconds
        status = Path(f"/proc/{self._process.pid}/status")
        while True:
            mask = int(status.read_text().partition(f"{line}:")[2].split()[0], 16)
            if bool(mask & 1 << (number - 1)) == wanted:
                return
            assert time.monotonic() < until
            time.sleep(0.02)

    def send(self, number: signal.Signals) -> None:
        """A signal to the run alone."""
        self._process.send_signal(number)

    def ended(self, seconds: float = 60) -> Called:
        """What it came to."""
        out, err = self._process.communicate(timeout=seconds)
        return Called(self._process.returncode, out.decode(), err.decode())

    def kill(self) -> None:
        """As the machine would."""
        self.send(signal.SIGKILL)
        assert self.ended().code == -signal.SIGKILL


def trials_in(folder: Path) -> int:
    """Finished trials in a run folder."""
    if not (folder / NAME).exists():
        return 0
    store = Store(folder, write=False)
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
