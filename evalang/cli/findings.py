"""Findings for people, wherever a command has to show them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

from ..errors import EvalangError
from ..findings.render_text import one
from ..source.finding import Finding
from ..source.text import Source


def colourful(stream: TextIO) -> bool:
    """Colour only for a terminal that wants it (NO_COLOR is obeyed)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show(findings: tuple[Finding, ...], sources: Mapping[str, Source], stream: TextIO) -> None:
    """Findings with their source lines."""
    for finding in findings:
        stream.write(one(finding, sources.get(finding.span.path), colour=colourful(stream)) + "\n\n")


def show_errors(error: EvalangError, source: Source) -> None:
    """The findings an error carries, or its sentence, on stderr."""
    from .main import complain

    if error.findings:
        show(error.findings, {source.path: source}, sys.stderr)
    else:
        complain(error)
