"""What a fit prints, warns of, costs and changes in its process: cleaned, measured and put back."""

from __future__ import annotations

import contextlib
import copy
import io
import mmap
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

MAX_PRINTED = 64 * 1024
MAX_WARNINGS = 50  # different ones; a learner may warn a million times
MAX_MESSAGE = 2000  # characters of one warning or failure
# Sequences with ESC and their one-character forms (CSI 9B, OSC 9D), ECMA-48 sections 5.3 and 5.4.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[@-_]"
)
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def clean(text: str, most: int = MAX_MESSAGE) -> str:
    """Return text without terminal escapes, control and direction marks, cut to a length.

    >>> clean("\\x1b[2Jhello\\r\\n")
    'hello\\n'
    """
    plain = _ESCAPES.sub("", text[: most * 4]).translate(_CONTROLS)
    plain = plain.encode("utf-8", "replace").decode()
    return plain if len(plain) <= most else plain[:most] + " …"


class WarningCounts:
    """Warnings counted, one entry for each different one."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}

    def add(self, message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        """Count a warning; takes the place of `warnings.showwarning`."""
        self._count((category.__name__, clean(str(message))), 1)

    def listed(self, before: WarningCounts | None = None) -> tuple[tuple[str, str, int], ...]:
        """Return (category, message, count) in order of text, added to the counts of `before`."""
        total = WarningCounts()
        for counts in (before._counts if before is not None else {}, self._counts):
            for key, count in counts.items():
                total._count(key, count)
        return tuple((category, message, count) for (category, message), count in sorted(total._counts.items()))

    def _count(self, key: tuple[str, str], count: int) -> None:
        if key in self._counts or len(self._counts) < MAX_WARNINGS:
            self._counts[key] = self._counts.get(key, 0) + count


@contextlib.contextmanager
def counted_warnings() -> Iterator[WarningCounts]:
    """Count every warning raised inside and show none.

    A ResourceWarning comes whenever the garbage collector runs, about anything in the process, so it is ignored.
    """
    counts = WarningCounts()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.showwarning = counts.add
        yield counts


class _DroppingWriter(io.FileIO):
    """Drops what is printed beyond the limit: a learner that prints without end may not fill the memory."""

    def write(self, data: Any) -> int:
        with contextlib.suppress(OSError):
            if os.lseek(self.fileno(), 0, os.SEEK_CUR) < MAX_PRINTED:
                super().write(data)
        return memoryview(data).nbytes


class ProcessOutput:
    """Everything this process writes to its output and error output, by Python or by C; for worker processes."""

    def __init__(self) -> None:
        # In memory where that is possible, so that a full disk fails no learner.
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("printed")
        else:
            with tempfile.TemporaryFile() as file:
                self._file = os.dup(file.fileno())
        for name, number in (("stdout", 1), ("stderr", 2)):
            os.dup2(self._file, number)
            raw = _DroppingWriter(number, "w", closefd=False)
            setattr(sys, name, io.TextIOWrapper(raw, "utf-8", "replace", write_through=True))

    def take(self) -> str:
        """Return what was written since the last call; "" if the learner closed the file."""
        with contextlib.suppress(OSError):
            size = os.lseek(self._file, 0, os.SEEK_CUR)  # all writers share one position
            if size:
                text = os.pread(self._file, min(size, MAX_PRINTED), 0).decode("utf-8", "replace")
                os.lseek(self._file, 0, os.SEEK_SET)
                os.ftruncate(self._file, 0)
                return clean(text, MAX_PRINTED)
        return ""


@contextlib.contextmanager
def captured_output() -> Iterator[io.StringIO]:
    """Capture what Python prints inside, for fits in this very process."""
    kept = io.StringIO()
    with contextlib.redirect_stdout(kept), contextlib.redirect_stderr(kept):
        yield kept


class CostMeter:
    """Measures a task: seconds, and by how much its process grew at most. Starts when it is made.

    Linux lets a process reset the largest resident size that the kernel keeps of it (proc(5), clear_refs); elsewhere
    that is the largest since the process started, so a task that stays below an earlier one shows no growth. Processes
    that a learner starts do not count.
    """

    def __init__(self) -> None:
        self._started = time.perf_counter()
        try:
            with open("/proc/self/clear_refs", "wb", buffering=0) as file:
                file.write(b"5")
            self._before = resident()
        except OSError:
            self._before = _peak()

    def read(self) -> tuple[float, int | None]:
        """Return the seconds since the start and the growth in bytes, None where it is unknown."""
        peak = _peak()
        growth = None if peak is None or self._before is None else max(0, peak - self._before)
        return time.perf_counter() - self._started, growth


def _peak() -> int | None:
    with contextlib.suppress(OSError, IndexError), open("/proc/self/status", "rb", buffering=0) as file:
        return int(file.read().partition(b"VmHWM:")[2].split(None, 1)[0]) * 1024
    try:
        import resource  # not there on every platform
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def resident() -> int | None:
    """Return the resident memory of this process in bytes; None where it is unknown."""
    with contextlib.suppress(OSError), open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * mmap.PAGESIZE
    return None


class ProcessState:
    """The settings of this process when the object is made; `restore` puts them back."""

    def __init__(self) -> None:
        import sklearn  # here, so that a run that fits nothing does not load it

        self._environment = dict(os.environ)
        self._folder = _current_folder()
        self._recursion_limit = sys.getrecursionlimit()
        self._numpy_errors = np.geterr()
        self._sklearn, self._sklearn_config = sklearn, sklearn.get_config()
        self._filters = warnings.filters[:]
        self._pandas_options = copy.deepcopy(pd.options.d)

    def restore(self) -> None:
        """Undo what a fit changed."""
        if os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        if self._folder is not None:
            with contextlib.suppress(OSError):  # deleted meanwhile
                os.chdir(self._folder)
        sys.setrecursionlimit(self._recursion_limit)
        np.seterr(**self._numpy_errors)
        self._sklearn.set_config(**self._sklearn_config)
        warnings.filters[:] = self._filters  # type: ignore[index]
        if pd.options.d != self._pandas_options:
            before, now = _flat(self._pandas_options), _flat(pd.options.d)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # some options are deprecated
                for name, value in before.items():
                    if now[name] != value:
                        pd.set_option(name, value)


def _flat(options: Any, prefix: str = "") -> dict[str, Any]:
    """Return the nested options of pandas by their full names."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        found |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return found


def _current_folder() -> str | None:
    """Return the working folder, None if it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return None
