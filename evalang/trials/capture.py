"""What a learner prints and warns of while it works, kept and kept small, and what it takes: seconds and memory."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from typing import Any

MOST_PRINTED = 64 * 1024
MOST_WRITTEN = 16 << 20  # by C or by programs that a learner starts: nobody can keep it from them, so it is memory
MOST_WARNINGS = 50  # different ones; a learner may warn a million times
MOST_WORDS = 2000  # characters of one warning or failure
# Sequences with ESC and their one-character forms (CSI 9B, OSC 9D), ECMA-48 sections 5.3 and 5.4.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[@-_]"
)
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def clean(text: str, most: int = MOST_WORDS) -> str:
    """Text without terminal escapes, control and direction marks, cut to a length.

    >>> clean("\\x1b[2Jhello\\r\\n")
    'hello\\n'
    """
    plain = _ESCAPES.sub("", text[: most * 4]).translate(_CONTROLS)
    plain = plain.encode("utf-8", "replace").decode()
    return plain if len(plain) <= most else plain[:most] + " …"


class Notes:
    """Warnings counted, one entry for each different one."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}

    def show(self, message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        """Takes the place of `warnings.showwarning`."""
        key = (category.__name__, clean(str(message)))
        if key in self._counts or len(self._counts) < MOST_WARNINGS:
            self._counts[key] = self._counts.get(key, 0) + 1

    def listed(self, before: Notes | None = None) -> tuple[tuple[str, str, int], ...]:
        """(category, message, how often) in order of text, so that no order of events shows; with those of before."""
        counts = dict(before._counts) if before is not None else {}
        for key, count in self._counts.items():
            if key in counts or len(counts) < MOST_WARNINGS:
                counts[key] = counts.get(key, 0) + count
        return tuple((category, message, count) for (category, message), count in sorted(counts.items()))


@contextlib.contextmanager
def noted() -> Iterator[Notes]:
    """Count every warning inside, show none.

    A ResourceWarning comes when the garbage collector runs, about anything in the process: it is nobody's answer here.
    """
    notes = Notes()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.showwarning = notes.show
        yield notes


class _Patient(io.FileIO):
    """What is printed beyond the limit, or on a full disk, is dropped: neither may fail a learner that talks."""

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        with contextlib.suppress(OSError):
            if os.lseek(self.fileno(), 0, os.SEEK_CUR) < MOST_PRINTED:
                super().write(data)
        return size


def _somewhere() -> Any:
    """A file without a name: in memory and of one size, so that no flood fills a disk (Linux); or a real one."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):
            number = os.memfd_create("printed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            os.ftruncate(number, MOST_WRITTEN)
            fcntl.fcntl(number, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
            return os.fdopen(number, "w+b")
    with contextlib.suppress(OSError):
        return tempfile.TemporaryFile()
    return open(os.devnull, "w+b")


class Printed:
    """Everything written to the process's output and error output, by Python or by C, in a worker of our own."""

    def __init__(self) -> None:
        self._file = _somewhere()  # open as long as the worker lives
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        for number in (1, 2):
            os.dup2(self._file.fileno(), number)
        os.set_inheritable(self._file.fileno(), False)
        sys.stdout = io.TextIOWrapper(_Patient(1, "w", closefd=False), "utf-8", "replace", write_through=True)
        sys.stderr = io.TextIOWrapper(_Patient(2, "w", closefd=False), "utf-8", "replace", write_through=True)

    def take(self) -> str:
        """What was written since the last time; a file that somebody closed has nothing to say."""
        with contextlib.suppress(OSError):
            size = os.lseek(self._file.fileno(), 0, os.SEEK_CUR)  # all that write share one place
            if size:
                text = os.pread(self._file.fileno(), min(size, MOST_PRINTED), 0).decode("utf-8", "replace")
                os.lseek(self._file.fileno(), 0, os.SEEK_SET)
                return clean(text, MOST_PRINTED)
        return ""


class _Bounded(io.TextIOBase):
    """A text file that remembers its beginning only."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left = MOST_PRINTED

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._left > 0:
            self._parts.append(text[: self._left])
            self._left -= len(text)
        return len(text)

    def text(self) -> str:
        return clean("".join(self._parts), MOST_PRINTED)


@contextlib.contextmanager
def quiet() -> Iterator[_Bounded]:
    """The same for work in this very process: only what Python prints can be caught."""
    kept = _Bounded()
    with contextlib.redirect_stdout(kept), contextlib.redirect_stderr(kept):
        yield kept


class Meter:
    """What a task costs: seconds, and by how much its process grew at most. Starts when it is made.

    On Linux the kernel keeps the most memory that a process has had resident (VmHWM), and the process itself may set it
    back (proc(5), clear_refs); elsewhere only the most since it began is known (getrusage(2)), so a task that stays
    below an earlier one shows no growth. Memory that an earlier task left with the process and this one used again does
    not count, nor do processes that a learner starts: of several trials the largest says most.
    """

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
