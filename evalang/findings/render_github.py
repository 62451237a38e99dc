"""Findings as GitHub workflow commands, which show them beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from ..language.text import Finding, SourceText
from .lint_report import LintReport

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def github(reports: Iterable[LintReport]) -> str:
    """One line per finding."""
    lines = [one(f, report.sources.get(f.span.path)) for report in reports for f in report.findings]
    return "".join(line + "\n" for line in lines)


def one(finding: Finding, source: SourceText | None) -> str:
    """::error file=a.eval,line=2,col=9,endColumn=12,title=EV201 tuned-on-test::message"""
    properties = [f"file={_property(finding.span.path)}"] if finding.span.path else []
    if source is not None:
        start, end = source.position(finding.span.start), source.position(finding.span.end)
        properties += [f"line={start.line}", f"endLine={end.line}", f"col={start.column}"]
        properties += [f"endColumn={end.column}"] if start.line == end.line else []
    properties.append(f"title={_property(f'{finding.code} {finding.name}')}")
    said = finding.message + (f"\nhelp: {finding.help}" if finding.help else "")
    return f"::{_COMMANDS[finding.level]} {','.join(properties)}::{_data(said)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
