"""Places where a test may end the process as a power cut would: `EVALANG_FAULT=point:n` kills it at the n-th visit."""

from __future__ import annotations

import os
import signal

# Every place where something is about to be, or has just been, made lasting.
POINTS = (
    "folder-made",
    "lock-taken",
    "file-begun",
    "file-written",
    "file-renamed",
    "store-made",
    "commit-begun",
    "row-written",
    "commit-ready",
    "commit-done",
    "store-closing",
    "store-closed",
)

_visits: dict[str, int] = {}


def crashpoint(name: str) -> None:
    """Nothing, unless this is the visit at which a test wants the process dead."""
    wanted = os.environ.get("EVALANG_FAULT")
    if not wanted:
        return
    point, _, number = wanted.partition(":")
    if point != name:
        return
    _visits[name] = _visits.get(name, 0) + 1
    if _visits[name] == int(number or "1"):
        os.kill(os.getpid(), signal.SIGKILL)
