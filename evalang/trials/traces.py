"""What a learner did to the process it ran in: put back where that can be done, else a reason to end the process.

The next learner on the same worker must find what the first one found, or it fails for another's doing.
"""

from __future__ import annotations

import builtins
import contextlib
import decimal
import gc
import locale
import mmap
import multiprocessing
import operator
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import joblib
import numpy as np
import pandas as pd
import sklearn
from threadpoolctl import ThreadpoolController

from .processes import descendants

# Modules whose functions every learner uses: looked at after every trial, all others after code of somebody's own.
_WATCHED = (builtins, os, sys, time, random, warnings, np, np.random, np.linalg, sklearn, sklearn.base)
_LIBRARIES = ("numpy", "scipy", "pandas", "joblib")
_IMPORTING = ("path", "meta_path", "path_hooks")
_SIGNALS = tuple(
    getattr(signal, f"SIG{name}")
    for name in ("INT", "TERM", "HUP", "ALRM", "VTALRM", "PROF", "CHLD", "PIPE", "USR1", "USR2", "FPE", "SEGV", "ABRT")
    if hasattr(signal, f"SIG{name}")
)
MOST_FILES = 64  # left open by learners
LEAK = 2**30  # bytes by which trials may let a process grow; with a limit on memory, a quarter of that


class Traces:
    """The state of the process when it is made, and how to come back to it."""

    def __init__(self, memory: int | None) -> None:
        self._environment = dict(os.environ)
        self._folder = _folder()
        self._importing = tuple((name, getattr(sys, name), getattr(sys, name)[:]) for name in _IMPORTING)
        self._modules = {name: sys.modules[name] for name in tuple(sys.modules)}
        self._loaded = list(map(id, self._modules.values()))
        self._recursion = sys.getrecursionlimit()
        self._digits, self._interval = sys.get_int_max_str_digits(), sys.getswitchinterval()
        self._errors = np.geterr()
        self._printed: dict[str, Any] = dict(np.get_printoptions())
        self._configuration = sklearn.get_config()
        self._locale = locale.setlocale(locale.LC_ALL)
        self._filters = warnings.filters[:]
        self._showing = warnings.showwarning
        self._decimal = decimal.getcontext().copy()
        self._garbage = (gc.isenabled(), gc.get_threshold())
        self._streams = (sys.stdout, sys.stderr)
        self._handlers = {number: signal.getsignal(number) for number in _SIGNALS}
        self._mask = os.umask(0)
        os.umask(self._mask)
        self._functions = tuple((module, _functions(module)) for module in _WATCHED)
        self._places = tuple(map(_held, [*_modules(), *_classes()]))
        self._temporary = tempfile.tempdir
        self._starting = multiprocessing.get_start_method(allow_none=True)
        self._frames = _options_of_pandas()
        self._threads, self._known = ThreadpoolController(), len(sys.modules)
        self._steady = self._fixed()
        self._most = address_space() + (LEAK if memory is None else memory * 2**20 // 4)

    def restore(self, *, own: bool = False) -> str:
        """Put back what can be put back; why the process cannot go on, or "". `own`: after code of somebody's own."""
        steps = (self._put_back_process, self._put_back_python, self._put_back_libraries, self._put_back_settings)
        for step in steps if own else steps[:-1]:
            try:
                step()
            except Exception as error:
                return f"its state cannot be put back: {type(error).__name__}"
        if own and self._patched():
            return "its libraries were changed"
        return self._spent()

    def _patched(self) -> bool:
        """Libraries that make scikit-learn faster put classes and methods of theirs in the place of its own."""
        try:
            return not all(get(place) == held for place, get, held in self._places)
        except Exception:  # a name that is gone, or something that cannot even be compared
            return True

    def _put_back_process(self) -> None:
        if os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        if self._folder is not None:
            os.chdir(self._folder)
        os.umask(self._mask)
        for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for number, handler in self._handlers.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)
        if locale.setlocale(locale.LC_ALL) != self._locale:
            locale.setlocale(locale.LC_ALL, self._locale)

    def _put_back_python(self) -> None:
        for name, where, found in self._importing:
            where[:] = found
            setattr(sys, name, where)
        # What a learner imported stays, as it is found again anyway; what it took away or replaced comes back.
        if list(map(id, map(sys.modules.get, self._modules))) != self._loaded:
            sys.modules.update(self._modules)
        sys.setrecursionlimit(self._recursion)
        sys.settrace(None)
        sys.setprofile(None)
        sys.stdout, sys.stderr = self._streams
        warnings.filters[:] = self._filters  # type: ignore[index]
        warnings.showwarning = self._showing
        decimal.setcontext(self._decimal.copy())
        (gc.enable if self._garbage[0] else gc.disable)()
        gc.set_threshold(*self._garbage[1])

    def _put_back_libraries(self) -> None:
        np.seterr(**self._errors)
        np.seterrcall(None)
        np.set_printoptions(**self._printed)
        sklearn.set_config(**self._configuration)

    def _put_back_settings(self) -> None:
        """What only code of somebody's own changes, and what takes a moment to look at."""
        socket.setdefaulttimeout(None)
        tempfile.tempdir = self._temporary
        sys.set_int_max_str_digits(self._digits)
        sys.setswitchinterval(self._interval)
        multiprocessing.set_start_method(self._starting, force=True)
        if "asyncio" in sys.modules:
            sys.modules["asyncio"].set_event_loop_policy(None)
        now = _options_of_pandas()
        for name, value in self._frames.items():
            if now[name] != value:
                pd.set_option(name, value)
        if len(sys.modules) != self._known:  # it brought libraries along, which have threads of their own
            self._threads, self._known = ThreadpoolController(), len(sys.modules)
        for library in self._threads.lib_controllers:
            if library.num_threads != 1:
                library.set_num_threads(1)

    def _spent(self) -> str:
        now = self._fixed()
        for name, value in self._steady.items():
            if now[name] != value:
                return f"its {name} changed"
        if threading.active_count() > 1:
            return "it has threads that go on"
        if descendants(os.getpid()):
            return "it has processes that go on"
        with contextlib.suppress(OSError):
            if len(os.listdir("/proc/self/fd")) > MOST_FILES:
                return "it has many open files"
        if address_space() > self._most:
            return "it has grown"
        return ""

    def _fixed(self) -> dict[str, object]:
        """What a learner may change and nobody can change back: a fingerprint."""
        import resource  # a worker has it; a platform without workers may not

        return {
            "priority": os.getpriority(os.PRIO_PROCESS, 0),
            "limits": [resource.getrlimit(value) for name, value in vars(resource).items() if name[:7] == "RLIMIT_"],
            "processors": _processors(),
            "random state": id(np.random.mtrand.get_bit_generator()),
            "group": (os.getpgrp(), os.getuid(), os.getgid()),
            "output": tuple(_file(number) for number in (0, 1, 2)),
            "functions": tuple(_fingerprint(module, names) for module, names in self._functions),
        }


def _options_of_pandas() -> dict[str, Any]:
    """Every option by its whole name."""
    found: dict[str, Any] = {}
    todo = [(name, getattr(pd.options, name)) for name in dir(pd.options)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are to go away
        for name, value in todo:
            if isinstance(value, type(pd.options)):
                todo += [(f"{name}.{below}", getattr(value, below)) for below in dir(value)]
            else:
                found[name] = value
    return found


def _folder() -> str | None:
    """None when somebody deleted it."""
    try:
        return os.getcwd()
    except OSError:
        return None


def _functions(module: ModuleType) -> tuple[str, ...]:
    """The names a module has at first: some libraries add to themselves when they are used."""
    return tuple(name for name, value in vars(module).items() if callable(value))


def _fingerprint(place: ModuleType | type, names: tuple[str, ...]) -> int:
    return hash(tuple(map(id, map(vars(place).get, names))))


def _held(place: ModuleType | type) -> tuple[Mapping[str, object], Callable[[Any], tuple[object, ...]], object]:
    """Its names, how to take those that matter, and what stands behind them: what can be called, or is a text."""
    names = [name for name, value in vars(place).items() if callable(value) or type(value) is str]  # one at least
    get = operator.itemgetter(*names, *names[:1])  # of a single name it would give no tuple
    return vars(place), get, get(vars(place))


def _modules() -> list[ModuleType | type]:
    """What is loaded of the libraries that learners use: all of scikit-learn, of the others what is not far down."""
    found: list[ModuleType | type] = []
    for name, module in tuple(sys.modules.items()):
        top, *below = name.split(".")
        near = len(below) < 2 and (top in _LIBRARIES or top in sys.stdlib_module_names)
        if isinstance(module, ModuleType) and (near or top == "sklearn"):
            found.append(module)
    return found


def _classes() -> set[type]:
    """The estimators of scikit-learn with what they inherit, and what tables and jobs are made of."""
    seen: set[type] = {pd.DataFrame, pd.Series, pd.Index, joblib.Parallel}
    todo: set[type] = {sklearn.base.BaseEstimator}
    while todo:
        seen |= todo
        todo = set[type]().union(*(one.__subclasses__() for one in todo)) - seen
    return {up for one in seen for up in one.__mro__ if up.__module__.partition(".")[0] in ("sklearn", *_LIBRARIES)}


def _processors() -> tuple[object, ...]:
    """Those that this process may use, and when; nothing where nobody tells."""
    if not hasattr(os, "sched_getaffinity"):
        return ()
    return os.sched_getaffinity(0), os.sched_getscheduler(0)


def _file(number: int) -> tuple[int, int]:
    try:
        found = os.fstat(number)
    except OSError:
        return (0, 0)
    return found.st_dev, found.st_ino


def address_space() -> int:
    """Bytes of address space, which is what the limit counts; 0 where nobody tells."""
    with contextlib.suppress(OSError), open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * mmap.PAGESIZE
    return 0
