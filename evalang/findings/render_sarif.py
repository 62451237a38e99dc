"""Findings as SARIF 2.1.0, with the page of every rule as its help."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from ..language.text import Finding, SourceText
from .lint_report import Allowed, LintReport
from .page import body, page, sections
from .render_json import Json, clean
from .rule import Rule
from .rules import RULES

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INDEX = {rule.code: i for i, rule in enumerate(RULES)}


def sarif(reports: Iterable[LintReport], version: str) -> Json:
    """One run with every rule and every result; allowed findings are suppressed ones, with the author's reason."""
    reports = tuple(reports)
    results = [result(f, r.sources.get(f.span.path)) for r in reports for f in r.findings]
    results += [_suppressed(a, r.sources.get(a.finding.span.path)) for r in reports for a in r.allowed]
    driver = {"name": "evalang", "version": version, "rules": [descriptor(rule) for rule in RULES]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def descriptor(rule: Rule) -> Json:
    """A rule with its page."""
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


def result(finding: Finding, source: SourceText | None) -> Json:
    """One finding."""
    said: Json = {
        "ruleId": finding.code,
        "level": finding.level,
        "message": {"text": clean(f"{finding.message}. {finding.help}" if finding.help else finding.message)},
    }
    if finding.code in _INDEX:
        said["ruleIndex"] = _INDEX[finding.code]
    if source is not None:
        said["locations"] = [{"physicalLocation": _location(finding, source)}]
        if finding.fix is not None and finding.fix.edits:
            said["fixes"] = [_fix(finding, source)]
    return said


def _location(finding: Finding, source: SourceText) -> Json:
    return {
        "artifactLocation": {"uri": uri(source.path)},
        "region": _region(source, finding.span.start, finding.span.end),
    }


def _region(source: SourceText, start: int, end: int) -> Json:
    first, last = source.position(start), source.position(end)
    return {"startLine": first.line, "startColumn": first.column, "endLine": last.line, "endColumn": last.column}


def _fix(finding: Finding, source: SourceText) -> Json:
    assert finding.fix is not None
    replacements = [
        {
            "deletedRegion": _region(source, edit.span.start, edit.span.end),
            "insertedContent": {"text": clean(edit.text)},
        }
        for edit in finding.fix.edits
    ]
    change = {"artifactLocation": {"uri": uri(source.path)}, "replacements": replacements}
    return {"description": {"text": clean(finding.fix.title)}, "artifactChanges": [change]}


def _suppressed(allowed: Allowed, source: SourceText | None) -> Json:
    justified = {"kind": "inSource", "justification": clean(allowed.reason)}
    return {**result(allowed.finding, source), "suppressions": [justified]}


def uri(path: str) -> str:
    """A path as a relative URI: percent-encoded, never taken for an address of its own.

    >>> uri("my scripts/a b.eval"), uri("javascript:alert(1)")
    ('my%20scripts/a%20b.eval', 'javascript%3Aalert%281%29')
    """
    return quote(clean(path).replace("\\", "/"), safe="/~")
