"""Exceptions turned into text where they happen: nothing of a learner's own making travels between processes."""

from __future__ import annotations

import traceback
from pathlib import PurePath

from ..errors import EvalangError, RunError
from .capture import clean
from .predict import Broken
from .trial import Failure, FailureKind, digest


def as_failure(error: BaseException) -> Failure:
    """The failure of a trial: its kind, its words, and a hash of the places it came through."""
    return Failure(kind=_kind(error), error=type(error).__name__, message=_words(error), trace=_trace(error))


def _kind(error: BaseException) -> FailureKind:
    if isinstance(error, Broken):
        return "contract"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, ImportError) or (isinstance(error, RunError) and isinstance(error.__cause__, ImportError)):
        return "import"
    if isinstance(error, SystemExit | KeyboardInterrupt):
        return "exit"
    return "exception"


def _words(error: BaseException) -> str:
    try:
        text = error.message if isinstance(error, EvalangError) else str(error)
    except BaseException:  # an exception whose own words fail
        text = "its message cannot be shown"
    first = " ".join(clean(text).split())
    return first or f"{type(error).__name__} with no message"


def _trace(error: BaseException) -> str:
    """The same on every machine: names of files and functions and line numbers, no folders."""
    frames = traceback.extract_tb(error.__traceback__, limit=-30)
    return digest([[PurePath(f.filename).name, f.name, f.lineno or 0] for f in frames])[:16]
