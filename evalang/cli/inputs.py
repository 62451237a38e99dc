"""The files a command is given: scripts, folders of them, documents with scripts inside, or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator

import click

from ..errors import ScriptError
from ..source.decode import ENDINGS, LARGEST, LARGEST_DOCUMENT, decode, is_log_file, read_script
from ..source.escape import for_terminal
from ..source.text import Source

STDIN = "-"
DOCUMENTS = (".md", ".markdown", ".ipynb")
FILE = click.Path(allow_dash=True)  # only for the shell's completion: our own sentences are better
_SKIPPED = {"node_modules", "__pycache__", "runs"}


def read(path: str) -> Source:
    """One script; `-` is standard input."""
    if path == STDIN:
        return decode(sys.stdin.buffer.read(LARGEST + 1), "<stdin>")
    return read_script(path, most=LARGEST_DOCUMENT if path.endswith(DOCUMENTS) else None)


def expand(paths: Iterable[str], endings: tuple[str, ...] = ENDINGS, *, skip_logs: bool = False) -> Iterator[str]:
    """Files as they are; a folder gives every file below it that has one of the endings, in order.

    Logs of Inspect that end like a script are passed over in a folder, and everywhere with `skip_logs`; each is named.
    """
    for path in paths:
        if path == STDIN or not os.path.isdir(path):
            if not (skip_logs and _passed_over(path)):
                yield path
            continue
        found = [name for name in sorted(_below(path, endings)) if not _passed_over(name)]
        if not found:
            hint = "name a script, or a folder with scripts"
            raise ScriptError(f"{path} holds no {' or '.join(endings)} file", hint=hint)
        yield from found


def _passed_over(path: str) -> bool:
    """A log among scripts, said on stderr."""
    if path == STDIN or not is_log_file(path):
        return False
    print(for_terminal(f"evalang: {path} is a log of Inspect, not a script: passed over"), file=sys.stderr)
    return True


def _below(folder: str, endings: tuple[str, ...]) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if not f.startswith(".") and f not in _SKIPPED]
        yield from (os.path.join(place, f) for f in files if f.endswith(endings))
