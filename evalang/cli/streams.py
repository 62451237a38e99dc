"""Standard output and error of a command, whatever they are: closed, of a small alphabet, or read by nobody.

What is said on stderr goes along with the work and may not stop it. What is said on stdout is the work of most
commands, so that a failure there is told, and is an error.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, TextIO, cast

from ..errors import RunError

_WRITTEN_OUT = "evalang-written-out"


def _written_out(error: UnicodeError) -> tuple[str, int]:
    """What an alphabet lacks by its number, in the form that JSON has for it too."""
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2)), error.end


class _Watched:
    """A stream, and what is done when it cannot be written to."""

    def __init__(self, stream: TextIO, failed: Callable[[OSError], None]) -> None:
        self._stream, self._failed = stream, failed

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except OSError as error:
            self._failed(error)
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._failed(error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _dropped(_: OSError) -> None:
    """Nobody reads it, and nothing else is wrong."""


def _told(error: OSError) -> None:
    """A reader that went away (`evalang … | head`) has had enough; anything else is an error."""
    silence(sys.stdout)
    if isinstance(error, BrokenPipeError):
        raise error
    reason = error.strerror or type(error).__name__
    raise RunError(f"standard output cannot be written: {reason}", hint="what a run has done is kept in its folder")


@contextlib.contextmanager
def sturdy() -> Iterator[None]:
    """Streams that every command can write to while it runs."""
    _fill_places()
    before = (sys.stdout, sys.stderr)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or stream.closed:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif hasattr(stream, "reconfigure") and stream.errors == "strict":
            codecs.register_error(_WRITTEN_OUT, _written_out)
            stream.reconfigure(errors=_WRITTEN_OUT)
    sys.stdout, sys.stderr = cast(TextIO, _Watched(sys.stdout, _told)), cast(TextIO, _Watched(sys.stderr, _dropped))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _fill_places() -> None:
    """A file that is opened later may not take the place of a closed stream: what is printed would end up in it."""
    with contextlib.suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) < 3:
            os.set_inheritable(number, True)
        os.close(number)


def silence(stream: TextIO) -> None:
    """Nothing more is written to it, also not by the interpreter when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
