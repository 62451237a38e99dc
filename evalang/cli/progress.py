"""Progress of long work: a bar on a terminal, one line at the end elsewhere; never on stdout."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import TextIO

from ..source.escape import for_terminal
from ..trials.options import Progress

WIDTH = 30
PATIENCE = 1.0  # seconds that nobody asks about


def bar(stream: TextIO | None = None) -> Callable[[Progress], None]:
    """A callback that shows how far a run is."""
    out = stream or sys.stderr
    return _Bar(out) if out.isatty() else _Line(out)


def words(progress: Progress) -> str:
    """Done, rate, time left, failures so far."""
    left = "" if progress.left is None else f", {clock(progress.left)} left"
    failed = f", {progress.failed} failed" if progress.failed else ""
    return f"{progress.done:,}/{progress.total:,} trials, {progress.rate:.1f} a second{left}{failed}"


def clock(seconds: float) -> str:
    """A time for people.

    >>> clock(5), clock(125), clock(7300)
    ('5 s', '2 min 5 s', '2 h 1 min')
    """
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def reading(stream: TextIO | None = None) -> Callable[[str, int, int], None]:
    """A callback that shows how far a large file is read; what is read in a moment is not spoken of."""
    return _Reading(stream or sys.stderr)


class _Reading:
    """On a terminal a line that goes when the file is read; elsewhere one line that says what takes so long."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._terminal = out.isatty()
        self._begun: dict[str, float] = {}
        self._shown = 0.0

    def __call__(self, path: str, done: int, total: int) -> None:
        now = time.monotonic()
        begun = self._begun.setdefault(path, now)
        if done >= total:
            del self._begun[path]
            if self._terminal and self._shown:
                self._out.write("\r\x1b[K")
                self._out.flush()
            self._shown = 0.0
        elif now - begun >= PATIENCE and now - self._shown >= (
            0.1 if self._terminal else math.inf if self._shown else 0
        ):
            self._shown = now
            self._out.write(self._words(path, done, total))
            self._out.flush()

    def _words(self, path: str, done: int, total: int) -> str:
        size = f"{total / 1e9:.1f} GB" if total >= 1e9 else f"{total / 1e6:.0f} MB"
        name = for_terminal(path)
        if not self._terminal:
            return f"evalang: reading {name} ({size})\n"
        full = WIDTH * done // total
        return f"\r\x1b[K[{'#' * full}{'.' * (WIDTH - full)}] reading {name}: {100 * done // total}% of {size}"


class _Bar:
    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._shown = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        ended = progress.done >= progress.total
        if now - self._shown < 0.1 and not ended:
            return
        self._shown = now
        full = WIDTH * progress.done // max(progress.total, 1)
        self._out.write(f"\r\x1b[K[{'#' * full}{'.' * (WIDTH - full)}] {words(progress)}" + ("\n" if ended else ""))
        self._out.flush()


class _Line:
    """One line when the work is done, for logs."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._said = False

    def __call__(self, progress: Progress) -> None:
        if progress.done >= progress.total and not self._said:
            self._said = True
            failed = f", {progress.failed} failed" if progress.failed else ""
            print(f"evalang: {progress.done:,} trials done{failed}", file=self._out)
