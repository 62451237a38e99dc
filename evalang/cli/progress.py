"""Progress of long work: a bar on a terminal, one line at the end elsewhere; never on stdout."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from ..trials.options import Progress

WIDTH = 30


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
