"""Findings as a reviewer would write them: a numbered list in Markdown, to be pasted into a review."""

from __future__ import annotations

from collections.abc import Iterable

from ..language.text import Finding, Level
from .lint_report import LintReport
from .page import sections
from .rules import find_rule

_HEADS: dict[Level, str] = {
    "error": "Has to be mended before the results mean anything",
    "warning": "Weakens what may be concluded",
    "note": "Would strengthen the study",
}
_PLAIN = str.maketrans({"*": r"\*", "_": r"\_", "`": r"\`", "<": "&lt;", "[": r"\["})


def review(report: LintReport) -> str:
    """What is to be said about the design, the gravest first; the same remark about several places is made once."""
    lines = ["### Remarks on the evaluation", ""]
    number = 0
    for level, head in _HEADS.items():
        found = _by_rule(f for f in report.findings if f.level == level)
        if not found:
            continue
        lines += [f"**{head}**", ""]
        for same in found:
            number += 1
            lines.append(_remark(number, same))
        lines.append("")
    if not number:
        lines += ["I find nothing to object to in the design as it is described.", ""]
    for allowed in report.allowed:
        lines.append(f"- The authors keep {allowed.finding.name} on purpose: “{allowed.reason.translate(_PLAIN)}”.")
    return "\n".join(lines).rstrip() + "\n"


def _by_rule(findings: Iterable[Finding]) -> list[list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.code, []).append(finding)
    return list(found.values())


def _remark(number: int, same: list[Finding]) -> str:
    first = same[0]
    messages = [_sentence(one.message) for one in same]
    said = messages[0] if len(messages) == 1 else " ".join(messages[:3])
    more = f" The same holds in {len(messages) - 3} more places." if len(messages) > 3 else ""
    advice = f" *Suggestion:* {_sentence(first.help)}" if first.help else ""
    return f"{number}. {said}{more}{advice}{_reference(first.code)}"


def _sentence(text: str) -> str:
    plain = text.strip().translate(_PLAIN)
    named = not plain.partition(" ")[0].isalpha()  # `5x2cv-t`, `naive-bayes` are written as they are
    return (plain if named else plain[:1].upper() + plain[1:]).rstrip(".") + "."


def _reference(code: str) -> str:
    """Who says so, where somebody does, and the rule's code."""
    rule = find_rule(code)
    cited = " ".join(sections(rule).get("References", "").split()).rstrip(".") if rule else ""
    shown = f"{cited}; {code}" if any(letter.isdigit() for letter in cited) else code
    return f" ({shown})"
