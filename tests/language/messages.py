"""Findings as the fixtures of tests/scripts/broken hold them: place, message, caret line, help."""

from __future__ import annotations

from evalang.language.parser import parse
from evalang.language.text import SourceText


def messages(source: SourceText) -> str:
    """One block for each finding; the number of statements that could be read at the end."""
    script, findings = parse(source)
    lines: list[str] = []
    for finding in findings:
        line, column = source.position(finding.span.start)
        width = max(
            1,
            min(finding.span.end, source.starts[line] - 1 if line < len(source.starts) else len(source.text))
            - finding.span.start,
        )
        lines.append(f"{line}:{column}: {finding.code} {finding.message}")
        lines.append("  | " + source.line(line)[:120])
        lines.append("  | " + " " * min(column - 1, 120) + "^" * min(width, 120))
        lines.append(f"  {finding.help}")
    lines.append(f"statements read: {len(script.statements)}")
    return "\n".join(lines) + "\n"
