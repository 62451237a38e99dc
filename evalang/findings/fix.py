"""Fixes: write the safe repairs of findings into a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..language.text import Edit, Finding, SourceText
from ..plans.build import build
from .engine import lint

_UNREAD = ("EV001", "EV002")  # syntax and unknown names
ROUNDS = 20  # each round repairs at least one finding of every statement; a statement has fewer clauses than that


def apply(source: SourceText, findings: Iterable[Finding]) -> str:
    """Return the text after the safe repairs of these findings; of two that touch, the first is applied."""
    taken: list[Edit] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or not fix.safe or any(edit.span.path != source.path for edit in fix.edits):
            continue
        if not any(_meet(edit, other) for edit in fix.edits for other in taken):
            taken += fix.edits
    text = source.text
    for edit in sorted(taken, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _meet(one: Edit, other: Edit) -> bool:
    """Return whether two edits touch: they share a character or an edge."""
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def repair(source: SourceText, judge: Callable[[SourceText], Iterable[Finding]] | None = None) -> str:
    """Return the text with every safe repair applied, until `judge` (lint of the design by default) offers none.

    What cannot be read is repaired first: an error that only shows then was there all along. Of the other repairs, a
    round that would make the script unreadable, or bring an error that was not there, is not written.
    """
    ask = judge or (lambda script: lint(build(script)).findings)
    now = source
    findings = tuple(ask(now))
    for _ in range(ROUNDS):
        spelling = [f for f in findings if f.code in _UNREAD and f.fix is not None and f.fix.safe]
        text = apply(now, spelling or findings)
        if text == now.text:
            break
        after = SourceText(now.path, text)
        left_over = tuple(ask(after))
        if _unread(left_over) > _unread(findings) if spelling else _errors(left_over) - _errors(findings):
            break
        now, findings = after, left_over
    return now.text


def _unread(findings: Iterable[Finding]) -> int:
    return sum(finding.code in _UNREAD for finding in findings)


def _errors(findings: Iterable[Finding]) -> set[str]:
    return {finding.code for finding in findings if finding.level == "error"}


def diff(source: SourceText, text: str) -> str:
    """Return what changes from a script to another text, as a unified diff."""
    from difflib import unified_diff

    before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
    lines = unified_diff(before, after, source.path, source.path)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
