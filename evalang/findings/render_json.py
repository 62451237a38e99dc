"""Findings for other programs, as JSON of version 1 (docs/schema/lint.schema.json)."""

from __future__ import annotations

from collections.abc import Iterable

from ..language.text import Finding, Fix, SourceText
from .lint_report import LintReport

VERSION = 1
Json = dict[str, object]


def document(files: Iterable[tuple[str, LintReport]]) -> Json:
    """The whole answer of `lint --format json`: one entry per (path, report)."""
    return {"version": VERSION, "files": [one_file(path, report) for path, report in files]}


def one_file(path: str, report: LintReport) -> Json:
    """A script: what was found, what passed, what could not be judged, what is allowed."""
    return {
        "path": clean(path),
        "findings": [finding(found, report.sources.get(found.span.path)) for found in report.findings],
        "passed": [{"code": p.code, "name": p.name} for p in report.passed],
        "not_applicable": [{"code": s.code, "name": s.name, "reason": clean(s.reason)} for s in report.not_applicable],
        "not_judged": [{"codes": list(one.codes), "reason": clean(one.reason)} for one in report.unjudged],
        "allowed": [
            {**finding(a.finding, report.sources.get(a.finding.span.path)), "reason": clean(a.reason)}
            for a in report.allowed
        ],
    }


def finding(found: Finding, source: SourceText | None) -> Json:
    """One finding; lines and columns count from 1, the end stands behind the last character."""
    start = source.position(found.span.start) if source else None
    end = source.position(found.span.end) if source else None
    return {
        "code": found.code,
        "name": found.name,
        "level": found.level,
        "stage": found.stage,
        "message": clean(found.message),
        "help": clean(found.help),
        "path": clean(found.span.path),
        "subject": clean(found.subject.name),
        "line": start.line if start else None,
        "column": start.column if start else None,
        "end_line": end.line if end else None,
        "end_column": end.column if end else None,
        "fix": fix(found.fix, source) if found.fix is not None else None,
    }


def fix(found: Fix, source: SourceText | None) -> Json:
    """A repair: its title, whether `--fix` writes it, and its edits by line and column."""
    edits = []
    for edit in found.edits if source is not None else ():
        assert source is not None
        start, end = source.position(edit.span.start), source.position(edit.span.end)
        edits.append(
            {
                "line": start.line,
                "column": start.column,
                "end_line": end.line,
                "end_column": end.column,
                "text": clean(edit.text),
            }
        )
    return {"title": clean(found.title), "safe": found.safe, "edits": edits}


def clean(text: str) -> str:
    """Text that every reader of JSON accepts: a surrogate that stands alone becomes the replacement character."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text
