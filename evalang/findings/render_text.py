"""Findings for people: at a terminal, and as the remarks of a reviewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..language.text import Finding, Level, SourceText, counted, for_terminal
from ..plans.passwords import mask_passwords
from .lint_report import LintReport, Unjudged
from .page import sections
from .rules import find_rule

_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
MOST_CODES = 8  # of rules that could not judge; the JSON has all
WIDEST = 160  # characters of a source line shown; a longer one is cut around the words meant
_HEADS: dict[Level, str] = {
    "error": "Must be fixed before the results mean anything",
    "warning": "Weakens what may be concluded",
    "note": "Would strengthen the study",
}
_PLAIN = str.maketrans({"*": r"\*", "_": r"\_", "`": r"\`", "<": "&lt;", "[": r"\["})


def render_report(reports: Iterable[LintReport], *, colour: bool = False, notes: bool = False) -> str:
    """Return every error and warning with its place, what the author allows, and a short summary.

    Notes are named by their codes; `notes` shows them in full.
    """
    reports = tuple(reports)
    parts = [part for report in reports for part in _report(report, colour, notes)]
    return "\n".join([*parts, render_summary(reports, notes=notes), ""])


def _report(report: LintReport, colour: bool, notes: bool) -> Iterator[str]:
    for finding in report.findings:
        if notes or finding.level != "note":
            yield render_finding(finding, report.sources.get(finding.span.path), colour=colour) + "\n"
    for allowed in report.allowed:
        source = report.sources.get(allowed.finding.span.path)
        where = _where(allowed.finding, source)
        line = for_terminal(f"allowed[{allowed.finding.code}] {allowed.finding.name}, because {allowed.reason}")
        yield f"{where}{_painted(line, _DIM, colour)}\n"


def render_finding(finding: Finding, source: SourceText | None, *, colour: bool = False) -> str:
    """Return one finding.

    script.eval:2:9: error[EV201] svm has 21 settings to choose from ...
      |
    2 | compare svm vs tree on D using 5x2cv
      |         ^^^
      = note: tuned-on-test (Salzberg 1997, sections 3.3 and 3.5, step 4B)
      = help: add `tune on 20%`
    """
    head = _painted(f"{finding.level}[{finding.code}]", _COLOURS[finding.level], colour)
    lines = [f"{_where(finding, source)}{head} {_painted(for_terminal(finding.message), _BOLD, colour)}"]
    shown = _excerpt(finding, source, colour) if source is not None and finding.span.end > finding.span.start else []
    margin = " " * (len(str(source.position(finding.span.start).line)) + 1 if source is not None else 2)
    lines += shown
    lines.append(f"{margin}= note: {for_terminal(_note(finding))}")
    if finding.help:
        lines.append(f"{margin}= help: {for_terminal(finding.help)}")
    if finding.fix is not None and finding.fix.safe:
        lines.append(f"{margin}= fix: {for_terminal(finding.fix.title)} (--fix does it)")
    return "\n".join(lines)


def _where(finding: Finding, source: SourceText | None) -> str:
    if source is None:
        return f"{for_terminal(finding.span.path)}: " if finding.span.path else ""
    place = source.position(finding.span.start)
    return f"{for_terminal(source.path)}:{place.line}:{place.column}: "


def _note(finding: Finding) -> str:
    rule = find_rule(finding.code)
    found = rule.page.partition("## References")[2].strip().splitlines() if rule else []
    reason = " ".join(line.strip() for line in found).rstrip(".")
    cited = any(c.isdigit() for c in reason)  # "Ours" and "the language reference" tell nothing at this place
    return f"{finding.name} ({reason})" if cited else f"{finding.name} (`evalang explain {finding.code}`)"


def _excerpt(finding: Finding, source: SourceText, colour: bool) -> list[str]:
    """Return the first line of the words meant, with the words underlined."""
    place = source.position(finding.span.start)
    line = mask_passwords(source.line(place.line))
    begin = place.column - 1
    length = min(max(finding.span.end - finding.span.start, 1), max(len(line) - begin, 1))
    cut = max(0, begin - WIDEST // 2) if len(line) > WIDEST else 0
    line = line[cut : cut + WIDEST]
    begin -= cut
    length = min(length, max(len(line) - begin, 1))
    before, words, after = (
        for_terminal(p) for p in (line[:begin], line[begin : begin + length], line[begin + length :])
    )
    blank = "".join("\t" if c == "\t" else " " for c in before)
    number = str(place.line)
    mark = _painted("^" * max(len(words), 1), _COLOURS[finding.level], colour)
    margin = " " * len(number)
    return [
        _painted(f"{margin} |", _DIM, colour),
        f"{_painted(f'{number} |', _DIM, colour)} {before}{words}{after}".rstrip(),
        f"{_painted(f'{margin} |', _DIM, colour)} {blank}{mark}",
    ]


def _painted(text: str, code: str, colour: bool) -> str:
    return f"{code}{text}{_RESET}" if colour and text else text


def render_summary(reports: Iterable[LintReport], *, notes: bool = False) -> str:
    """Return the last lines: which notes there are, then how many of each level, and how many are allowed."""
    reports = tuple(reports)
    found = [f for report in reports for f in report.findings]
    advice = sorted({f.code for f in found if f.level == "note"})
    named = [for_terminal(_unjudged(one)) for report in reports for one in report.unjudged]
    named += [f"notes: {', '.join(advice)}; --notes shows them"] if advice and not notes else []
    return "\n".join([*named, _counts(reports, found)])


def _unjudged(one: Unjudged) -> str:
    more = f" and {len(one.codes) - MOST_CODES} more" if len(one.codes) > MOST_CODES else ""
    return f"not checked: {', '.join(one.codes[:MOST_CODES])}{more}: {one.reason}"


def _counts(reports: tuple[LintReport, ...], found: list[Finding]) -> str:
    levels = [f.level for f in found]
    allowed = sum(len(report.allowed) for report in reports)
    words = [counted(levels.count(level), level) for level in ("error", "warning", "note") if level in levels]
    words += [f"{allowed} allowed"] if allowed else []
    safe = sum(f.fix is not None and f.fix.safe for f in found)
    offer = f"; --fix repairs {safe} of them" if safe else ""
    nothing = "nothing found in what was judged" if any(report.unjudged for report in reports) else "nothing found"
    return f"{counted(len(reports), 'script')}: {', '.join(words) or nothing}{offer}"


def render_review(report: LintReport) -> str:
    """Return the remarks of a reviewer in Markdown, the gravest first, each rule once."""
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
        lines += ["I have no objections to the design as described.", ""]
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
    remarks = " ".join(messages[:3])
    more = f" The same applies in {len(messages) - 3} more places." if len(messages) > 3 else ""
    advice = f" *Suggestion:* {_sentence(first.help)}" if first.help else ""
    return f"{number}. {remarks}{more}{advice}{_reference(first.code)}"


def _sentence(text: str) -> str:
    plain = text.strip().translate(_PLAIN)
    named = not plain.partition(" ")[0].isalpha()  # `5x2cv-t`, `naive-bayes` are written as they are
    return (plain if named else plain[:1].upper() + plain[1:]).rstrip(".") + "."


def _reference(code: str) -> str:
    """Return the cited source, if any, and the rule's code."""
    rule = find_rule(code)
    cited = " ".join(sections(rule).get("References", "").split()).rstrip(".") if rule else ""
    shown = f"{cited}; {code}" if any(letter.isdigit() for letter in cited) else code
    return f" ({shown})"
