"""Findings made while a plan is built: names, values and clauses that cannot be planned."""

from __future__ import annotations

from collections.abc import Iterable

from ..source.finding import Edit, Finding, Fix
from ..source.nearest import nearest
from ..source.record import replace
from ..source.span import Span

MOST_OFFERS = 100  # "did you mean" for so many; each compares with every name, and nobody reads more


class Problems:
    """Collects findings; building goes on after each, so that one run shows them all."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.lost: frozenset[str] = frozenset()  # names whose definitions could not be read

    @property
    def many(self) -> bool:
        """Whether there are so many that no nearest names are looked for."""
        return len(self.findings) >= MOST_OFFERS

    def syntax(self, span: Span, message: str, help: str) -> None:
        """EV001: a file that cannot be read as part of the script."""
        self._add("EV001", "syntax", span, message, help)

    def unknown(self, span: Span, what: str, word: str, candidates: Iterable[str], remedy: str = "") -> None:
        """EV002: a name nobody defined; offers the nearest. A definition that cannot be read has its EV001 already."""
        if word in self.lost:
            return
        near = None if self.many else nearest(word, candidates)
        help = f'did you mean "{near}"?' if near else remedy or f"define {what} {word}, or correct the name"
        self._add("EV002", "unknown-name", span, f'there is no {what} named "{word}"', help)
        if near and near == word.lower().replace("_", "-") and span.end - span.start == len(word):
            fix = Fix(title=f"write `{near}`", edits=(Edit(span, near),))  # another way to write the same word
            self.findings[-1] = replace(self.findings[-1], fix=fix)

    def twice(self, span: Span, word: str, where: str) -> None:
        """EV003: two definitions of one name."""
        self._add(
            "EV003", "defined-twice", span, f'"{word}" is already defined {where}', "give one of the two another name"
        )

    def parameter(self, span: Span, message: str) -> None:
        """EV005: the learner has no such parameter."""
        self._add(
            "EV005", "unknown-parameter", span, *_halves(message, "see the learner's parameters with `evalang explain`")
        )

    def bad(self, span: Span, message: str, help: str) -> None:
        """EV006: a value outside its meaning."""
        self._add("EV006", "bad-value", span, message, help)

    def disagree(self, span: Span, message: str, help: str) -> None:
        """EV007: clauses that cannot stand together."""
        self._add("EV007", "clauses-disagree", span, message, help)

    def _add(self, code: str, name: str, span: Span, message: str, help: str) -> None:
        self.findings.append(Finding(code=code, name=name, level="error", message=message, help=help, span=span))


def _halves(sentence: str, otherwise: str) -> tuple[str, str]:
    message, _, help = sentence.partition("; ")
    return message, help or otherwise
