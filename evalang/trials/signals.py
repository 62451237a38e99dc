"""Ctrl-C, SIGTERM and a lost terminal: once means stop and keep, twice means at once."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

# Windows has no SIGHUP, and asks with SIGBREAK too.
_ASKING = tuple(one for one in signal.Signals if one.name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"))


class Stop:
    """Whether somebody asked to stop."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, number: int, frame: FrameType | None) -> None:
        """The signal handler."""
        self.asked += 1
        if self.asked > 1:
            raise KeyboardInterrupt


@contextlib.contextmanager
def listening() -> Iterator[Stop]:
    """Handle the signals while a run is on; in other threads than the main one they cannot be handled."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.ask) for number in _ASKING}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
