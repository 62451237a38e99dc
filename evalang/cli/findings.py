"""Findings and errors for people, wherever a command has to show them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from ..errors import EvalangError
from ..findings.render_text import one
from ..source.finding import Finding
from ..source.text import Source
from .main import complain


def colourful(stream: TextIO) -> bool:
    """Colour only for a terminal that wants it (NO_COLOR is obeyed)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show(findings: tuple[Finding, ...], sources: Mapping[str, Source], stream: TextIO) -> None:
    """Findings with their source lines."""
    for finding in findings:
        stream.write(one(finding, sources.get(finding.span.path), colour=colourful(stream)) + "\n\n")


def show_error(error: EvalangError, sources: Mapping[str, Source]) -> None:
    """The findings an error carries, without notes, and its sentence, on stderr."""
    show(tuple(f for f in error.findings if f.level != "note"), sources, sys.stderr)
    complain(error)


def each(paths: Iterable[str], work: Callable[[str], int]) -> int:
    """Do the work for every file and give the worst exit code; what one cannot be read for stops no other."""
    worst = 0
    for path in paths:
        try:
            worst = max(worst, work(path))
        except EvalangError as error:
            show_error(error, {})
            worst = max(worst, error.exit_code)
            if error.exit_code > 3:  # interrupted
                break
    return worst
