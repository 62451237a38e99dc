"""What a task costs: seconds, and by how much its process grew at most.

On Linux the kernel keeps the most memory that a process has had resident (VmHWM), and the process itself may set it
back (proc(5), clear_refs); elsewhere only the most since it began is known (getrusage(2)), so a task that stays below
an earlier one shows no growth. Memory that an earlier task left with the process and this one used again does not
count, nor do processes that a learner starts: of several trials the largest says most.
"""

from __future__ import annotations

import contextlib
import sys
import time


class Meter:
    """Starts when it is made."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()
        self._before = resident() if _set_back() else _most_so_far()

    def read(self) -> tuple[float, int | None]:
        """Seconds since then, and bytes; None where nothing tells."""
        peak = _most_so_far()
        grown = None if peak is None or self._before is None else max(0, peak - self._before)
        return time.perf_counter() - self._begun, grown


def _set_back() -> bool:
    with contextlib.suppress(OSError):
        with open("/proc/self/clear_refs", "wb", buffering=0) as file:
            file.write(b"5")
        return True
    return False


def _most_so_far() -> int | None:
    found = _status(b"VmHWM:")
    if found is not None:
        return found
    try:
        import resource  # not there on every platform
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def resident() -> int | None:
    """Bytes of memory that this process has now; None where nobody tells."""
    return _status(b"VmRSS:")


def _status(word: bytes) -> int | None:
    """A line of /proc/self/status, which counts in kB."""
    with contextlib.suppress(OSError, ValueError), open("/proc/self/status", "rb") as file:
        for line in file.read().splitlines():
            if line.startswith(word):
                return int(line.split()[1]) * 1024
    return None
