"""What a mistake costs: what is left of its statement, and which names and statements a script loses.

Words of a broken clause are blanked in place. A word that is understood (`loocv`) is written as the language has it,
and spans of what has moved are mapped back.
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
_QUIET = re.compile(r'"(?:[^"\r\n]|"")*"|#[^\r\n]*')
_LIST = re.compile(r"[\[(]([^\[\](){}\r\n]+)[\])]")
_SCOPES = {"datasets", "learners"}  # `over datasets` is no clause of its own
_CLAUSES = sorted(
    ({*CLAUSE_WORDS, *CLAUSE_PAIRS, "alpha"} | (RESERVED & {"using", "by", "measuring", "on", "at"})) - _SCOPES
)
_BEGINS = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, _CLAUSES))}){END}")


@dataclass(frozen=True, slots=True)
class Moved:
    """Words that replace those of `span`, which moves what follows them."""

    span: Span
    length: int  # of the words that stand there now

    @property
    def growth(self) -> int:
        """By how much the text is longer."""
        return self.length - (self.span.end - self.span.start)

    def back(self, span: Span) -> Span:
        """The place of `span` before; what lies inside the new words is all of the old ones."""
        begin, stop = self.span.start, self.span.start + self.length
        start = min(span.start, begin) if span.start < stop else span.start - self.growth
        end = span.end if span.end <= begin else max(span.end, stop) - self.growth
        return Span(span.path, start, end)


@dataclass(frozen=True, slots=True)
class Mended:
    """A text with one mistake less; `word` is the clause that was left out, empty when nothing was."""

    text: str
    word: str = ""
    span: Span | None = None
    moved: tuple[Moved, ...] = ()

    @property
    def growth(self) -> int:
        """By how much the text is longer."""
        return sum(one.growth for one in self.moved)


def put_back(span: Span, moved: Sequence[Moved]) -> Span:
    """The place in the script of what stands at `span` after all these, the latest last."""
    for one in reversed(moved):
        span = one.back(span)
    return span


def problem_put_back(problem: Problem, moved: Sequence[Moved]) -> Problem:
    """The same problem at its place in the script."""
    fix = problem.fix
    if fix is not None:
        edits = tuple(Edit(put_back(edit.span, moved), edit.text) for edit in fix.edits)
        fix = Fix(fix.title, edits, fix.safe)
    return Problem(put_back(problem.span, moved), problem.message, problem.help, fix, problem.meant)


def mended(text: str, start: int, end: int, problem: Problem) -> list[Mended]:
    """Return the texts to go on with after a mistake, the one that loses least first."""
    tried = _braced(text, problem) if problem.meant == "{" else _repaired(text, problem.fix)
    found = [tried] if tried is not None else []
    quiet = _QUIET.sub(lambda one: " " * len(one.group()), text[start:end])
    places = [start + one.start() for one in _BEGINS.finditer(quiet)]
    at = problem.span.start
    before = [place for place in places if place <= at][-2:]
    after = [*[place for place in places if place >= max(problem.span.end, at + 1)][:3], end]
    head = _head(text, start, places)
    own = (at, *reversed(before)) if _meant(problem) else (*reversed(before[-1:]), at, *before[:-1])
    ways = [(begin, stop) for begin in own for stop in after if head < begin < stop]
    for begin, stop in dict.fromkeys(ways):
        word = _word(text, before[-1]) if before and begin == at else _word(text, begin)
        lost = Span(problem.span.path, begin, stop)
        found.append(Mended(_blanked(text, begin, stop), _meant(problem) or word, lost))
    return found


def _head(text: str, start: int, places: list[int]) -> int:
    """Where the part of a statement ends without which it says nothing: at `on` of an experiment, at its first word."""
    if not text.startswith(("compare", "estimate", "claim"), start):
        return start
    return next((place for place in places if text.startswith("on", place)), len(text))


def _meant(problem: Problem) -> str:
    return problem.meant if problem.meant in _CLAUSES else ""


def _word(text: str, at: int) -> str:
    found = _BEGINS.match(text, at)
    return found.group() if found else ""


def _repaired(text: str, fix: Fix | None) -> Mended | None:
    """Return the text after the offered repair; a guess is taken only where nothing has to move for it."""
    if fix is None or len(fix.edits) != 1:
        return None
    edit = fix.edits[0]
    written = text[edit.span.start : edit.span.end]
    if "\n" in written or not (fix.safe or len(edit.text) <= len(written)):
        return None
    new = edit.text.ljust(len(written))
    moved = (Moved(edit.span, len(new)),) if len(new) > len(written) else ()
    return Mended(text[: edit.span.start] + new + text[edit.span.end :], moved=moved)


def _braced(text: str, problem: Problem) -> Mended | None:
    """A grid in other brackets, judged as the set of its values: whether it is one or an interval, it is tuned."""
    found = _LIST.match(text, problem.span.start)
    return Mended(f"{text[: found.start()]}{{{found[1]}}}{text[found.end() :]}") if found is not None else None


def _blanked(text: str, start: int, end: int) -> str:
    """The text without a stretch, and without the comma before it where another follows or nothing does."""
    lost = re.sub(r"[^\s]", " ", text[start:end])
    kept = text[:start] + lost + text[end:]
    comma = len(kept[:start].rstrip()) - 1
    if comma >= 0 and kept[comma] == ",":
        kept = kept[:comma] + " " + kept[comma + 1 :]
    return kept


_JUDGED = ("compare", "estimate", "claim")


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
