"""What a mistake costs: what is left of its statement, and which names and statements a script loses.

Words of a broken clause are blanked in place. A word that is understood (`loocv`) is written as the language has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .builder import Problem
from .clauses import CLAUSE_PAIRS, CLAUSE_WORDS, END, RESERVED
from .nodes import AsName, CompareStatement, EstimateStatement, Script
from .parser import split_statements
from .text import Edit, Fix, SourceText, Span
from .tokens import pattern

MOST_MENDED = 6  # mistakes of one statement; what has more is left as it is
_JUDGED = ("compare", "estimate", "claim")
_QUIET = re.compile(r'"(?:[^"\r\n]|"")*"|#[^\r\n]*')
_LIST = re.compile(r"[\[(]([^\[\](){}\r\n]+)[\])]")
_SCOPES = {"datasets", "learners"}  # `over datasets` is no clause of its own
_CLAUSES = sorted(
    ({*CLAUSE_WORDS, *CLAUSE_PAIRS, "alpha"} | (RESERVED & {"using", "by", "measuring", "on", "at"})) - _SCOPES
)
_BEGINS = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, _CLAUSES))}){END}")


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement that is being mended: its text, and where each of its characters stands in the script.

    `lost` is the clause that was left out, with its first word.
    """

    text: str
    places: Sequence[int]
    lost: tuple[str, Span] | None = None

    def write(self, start: int, end: int, new: str, lost: tuple[str, Span] | None = None) -> Draft:
        """Return the draft with new words, which stand where the first of the old ones did."""
        if len(new) == end - start:
            places = self.places
        else:
            places = [*self.places[:start], *[self.places[start]] * len(new), *self.places[end:]]
        return Draft(self.text[:start] + new + self.text[end:], places, lost)

    def span(self, span: Span) -> Span:
        """Return a span of the draft as a span of the script."""
        places, last = self.places, span.end - 1
        if last < span.start or (last and places[last - 1] == places[last]):  # nothing, or new words: all of the old
            return Span(span.path, places[span.start], places[span.end])
        return Span(span.path, places[span.start], places[last] + 1)

    def problem(self, found: Problem) -> Problem:
        """Return a problem of the draft at its place in the script."""
        fix = found.fix and Fix(
            found.fix.title, tuple(Edit(self.span(one.span), one.text) for one in found.fix.edits), found.fix.safe
        )
        return Problem(self.span(found.span), found.message, found.help, fix, found.meant)


def mended(draft: Draft, problem: Problem) -> list[Draft]:
    """Return the drafts to go on with after a mistake, the one that loses least first."""
    text, at = draft.text, problem.span.start
    tried = _braced(draft, at) if problem.meant == "{" else _repaired(draft, problem.fix)
    found = [tried] if tried is not None else []
    quiet = _QUIET.sub(lambda one: " " * len(one.group()), text)
    places = [one.start() for one in _BEGINS.finditer(quiet)]
    before = [place for place in places if place <= at][-2:]
    after = [*[place for place in places if place >= max(problem.span.end, at + 1)][:3], len(text)]
    head = _head(text, places)
    own = (at, *reversed(before)) if _meant(problem) else (*reversed(before[-1:]), at, *before[:-1])
    ways = [(begin, stop) for begin in own for stop in after if head < begin < stop]
    for begin, stop in dict.fromkeys(ways):
        word = _word(text, before[-1]) if before and begin == at else _word(text, begin)
        lost = _meant(problem) or word, Span(problem.span.path, begin, stop)
        found.append(_blanked(draft, begin, stop, lost))
    return found


def _head(text: str, places: list[int]) -> int:
    """Return where the part of a statement ends that must be kept: before `on` in an experiment, else at its start."""
    if not text.startswith(_JUDGED):
        return 0
    return next((place for place in places if text.startswith("on", place)), len(text))


def _meant(problem: Problem) -> str:
    return problem.meant if problem.meant in _CLAUSES else ""


def _word(text: str, at: int) -> str:
    found = _BEGINS.match(text, at)
    return found.group() if found else ""


def _repaired(draft: Draft, fix: Fix | None) -> Draft | None:
    """Return the draft after the offered repair; a guess is taken only where nothing has to move for it."""
    if fix is None or len(fix.edits) != 1:
        return None
    (_, start, end), new = fix.edits[0].span, fix.edits[0].text
    if "\n" in draft.text[start:end] or not (fix.safe or len(new) <= end - start):
        return None
    return draft.write(start, end, new)


def _braced(draft: Draft, start: int) -> Draft | None:
    """Return the draft with a grid in other brackets as a set of values; None where there is no grid."""
    found = _LIST.match(draft.text, start)
    return draft.write(*found.span(), f"{{{found[1]}}}") if found is not None else None


def _blanked(draft: Draft, start: int, end: int, lost: tuple[str, Span]) -> Draft:
    """Return the draft without a stretch, and without the comma before it where another follows or nothing does."""
    before = draft.text[:start].rstrip()
    if before.endswith(","):
        start = len(before) - 1
    return draft.write(start, end, re.sub(r"\S", " ", draft.text[start:end]), lost)


def lost_names(source: SourceText, script: Script) -> frozenset[str]:
    """Return the names that the text seems to define and the tree does not; none for a script without mistakes."""
    name = f"({pattern('NAME')}|{pattern('STRING')})"
    defined = rf"(?:\A\ufeff?|[\r\n])[ \t]*(?:dataset|suite|learner|results|predictions)[ \t]+{name}"
    called = rf"(?<![\w.-])as[ \t]+{name}"
    known: set[str] = set()
    for statement in script.statements:
        if isinstance(statement, (CompareStatement, EstimateStatement)):
            known.update(clause.name.text for clause in statement.clauses if isinstance(clause, AsName))
        elif (definition := getattr(statement, "name", None)) is not None:
            known.add(definition.text)
    found = (match[1] for form in (defined, called) for match in re.finditer(form, source.text))
    return frozenset(name[1:-1].replace('""', '"') if name[0] == '"' else name for name in found) - known


def lost_statements(source: SourceText, script: Script) -> list[str]:
    """Return the comparisons, estimates and claims of which the tree has nothing: "compare in line 9"."""
    read = {statement.span.start for statement in script.statements}
    begun = [start for start, _ in split_statements(source.text) if start not in read]
    words = [(word, start) for start in begun for word in _JUDGED if source.text.startswith(word, start)]
    return [f"{word} in line {source.position(start).line}" for word, start in words]
