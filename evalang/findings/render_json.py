"""Findings for other programs: JSON (docs/schema/lint.schema.json), SARIF 2.1.0 and GitHub workflow commands."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from ..language.text import Finding, Fix, SourceText, Span
from .lint_report import LintReport
from .page import body, page, sections
from .rule import Rule
from .rules import RULES

VERSION = 1
Json = dict[str, object]
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INDEX = {rule.code: i for i, rule in enumerate(RULES)}
_CORNERS = ("line", "column", "end_line", "end_column")
_REGION = ("startLine", "startColumn", "endLine", "endColumn")  # of SARIF
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render_json(files: Iterable[tuple[str, LintReport]]) -> Json:
    """Return the document of `lint --format json`: one entry per (path, report)."""
    return {"version": VERSION, "files": [_file(path, report) for path, report in files]}


def _file(path: str, report: LintReport) -> Json:
    """Return one script as JSON: findings, and which rules passed, could not judge, or are allowed."""
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
    """Return one finding; lines and columns count from 1, the end stands behind the last character."""
    return {
        "code": found.code,
        "name": found.name,
        "level": found.level,
        "stage": found.stage,
        "message": clean(found.message),
        "help": clean(found.help),
        "path": clean(found.span.path),
        "subject": clean(found.subject.name),
        **_place(_CORNERS, found.span, source),
        "fix": _fix(found.fix, source) if found.fix is not None else None,
    }


def _place(names: tuple[str, ...], span: Span, source: SourceText | None) -> Json:
    """Return first line, first column, last line and last column of a span under these names."""
    if source is None:
        return dict.fromkeys(names)
    start, end = source.position(span.start), source.position(span.end)
    return dict(zip(names, (start.line, start.column, end.line, end.column), strict=True))


def _fix(found: Fix, source: SourceText | None) -> Json:
    edits = [{**_place(_CORNERS, e.span, source), "text": clean(e.text)} for e in found.edits] if source else []
    return {"title": clean(found.title), "safe": found.safe, "edits": edits}


def clean(text: str) -> str:
    """Return text that every JSON reader accepts: lone surrogates become the replacement character."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def render_sarif(reports: Iterable[LintReport], version: str) -> Json:
    """Return one run with every rule and result; allowed findings are suppressed, with the author's reason."""
    reports = tuple(reports)
    results = [_result(f, r.sources.get(f.span.path)) for r in reports for f in r.findings]
    for report in reports:
        for allowed in report.allowed:
            kept = {"kind": "inSource", "justification": clean(allowed.reason)}
            source = report.sources.get(allowed.finding.span.path)
            results.append({**_result(allowed.finding, source), "suppressions": [kept]})
    driver = {"name": "evalang", "version": version, "rules": [_descriptor(rule) for rule in RULES]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _descriptor(rule: Rule) -> Json:
    """Return a rule with its page, for SARIF."""
    text = body(rule)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": sections(rule).get("What it finds", rule.summary) or rule.summary},
        "defaultConfiguration": {"level": rule.level},
        "help": {"text": text, "markdown": page(rule.code) or text},
        "properties": {"stages": list(rule.stages)},
    }


def _result(finding: Finding, source: SourceText | None) -> Json:
    """Return one finding, for SARIF."""
    result: Json = {
        "ruleId": finding.code,
        "level": finding.level,
        "message": {"text": clean(f"{finding.message}. {finding.help}" if finding.help else finding.message)},
    }
    if finding.code in _INDEX:
        result["ruleIndex"] = _INDEX[finding.code]
    if source is not None:
        file = {"uri": to_uri(source.path)}
        place = {"artifactLocation": file, "region": _place(_REGION, finding.span, source)}
        result["locations"] = [{"physicalLocation": place}]
        if finding.fix is not None and finding.fix.edits:
            replacements = [
                {"deletedRegion": _place(_REGION, e.span, source), "insertedContent": {"text": clean(e.text)}}
                for e in finding.fix.edits
            ]
            change = {"artifactLocation": file, "replacements": replacements}
            result["fixes"] = [{"description": {"text": clean(finding.fix.title)}, "artifactChanges": [change]}]
    return result


def to_uri(path: str) -> str:
    """Return a path as a relative URI: percent-encoded, never taken for an address of its own.

    >>> to_uri("my scripts/a b.eval"), to_uri("javascript:alert(1)")
    ('my%20scripts/a%20b.eval', 'javascript%3Aalert%281%29')
    """
    return quote(clean(path).replace("\\", "/"), safe="/~")


def render_github(reports: Iterable[LintReport]) -> str:
    """Return one line per finding."""
    lines = [_command(f, report.sources.get(f.span.path)) for report in reports for f in report.findings]
    return "".join(line + "\n" for line in lines)


def _command(finding: Finding, source: SourceText | None) -> str:
    """Return a finding as GitHub reads it: ::error file=a.eval,line=2,title=EV201 tuned-on-test::message."""
    properties = [f"file={_property(finding.span.path)}"] if finding.span.path else []
    if source is not None:
        start, end = source.position(finding.span.start), source.position(finding.span.end)
        properties += [f"line={start.line}", f"endLine={end.line}", f"col={start.column}"]
        properties += [f"endColumn={end.column}"] if start.line == end.line else []
    properties.append(f"title={_property(f'{finding.code} {finding.name}')}")
    shown = finding.message + (f"\nhelp: {finding.help}" if finding.help else "")
    return f"::{_COMMANDS[finding.level]} {','.join(properties)}::{_data(shown)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
