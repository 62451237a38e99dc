"""`parse`: a script into its tree, with a finding for each mistake.

The text is cut at lines that begin with a statement word, which is never a name, and parsed piece by piece, so a
mistake affects only its own statement. For a correct script `read_statement` is all that is used. The rest keeps what
it can of a broken statement: it makes drafts in which a broken clause is replaced by spaces, or in which a word that is
understood (`loocv`) is written as the language has it, and reads them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lark import UnexpectedToken

from .builder import PlacedToken, Problem, StatementWithError
from .grammar import (
    BLANKS,
    CLAUSE_PAIRS,
    CLAUSE_WORDS,
    END,
    RESERVED,
    mixed_scripts,
    parser,
    pattern,
    words,
    words_of_language,
)
from .nodes import STATEMENT_WORDS, AsName, CompareStatement, EstimateStatement, Script, Statement, Unread
from .text import Edit, Finding, Fix, SourceText, Span, nearest

DEEPEST = 100  # open brackets; nothing in the language needs more than three


def feed_words(path: str, text: str, start: int, end: int, draft: Draft | None = None) -> Any:
    """Return Lark's parser after the words of `text[start:end]`; raises UnexpectedToken, or Problem.

    A word of the language is a name where only a name fits, unless it is reserved. The words of a draft get the spans
    that they have in the script.
    """
    lark_parser: Any = parser().parse_interactive("")
    known = words_of_language()
    for word in words(text, start, end):
        if word.comment:
            continue
        kind = word.kind
        if word.text[0].isalnum() and (own := known.get(word.text)):
            if kind != "NAME" or word.text in RESERVED or own in lark_parser.choices():
                kind = own
        elif kind == "NAME" and mixed_scripts(word.text):
            kind = "MIXED_SCRIPTS"
        elif word.depth == DEEPEST and word.text in "([{":
            kind = "TOO_DEEP"
        span = Span(path, word.start, word.end)
        _feed(lark_parser, kind, word.text, draft.span(span) if draft else span)
    return lark_parser


def _feed(lark_parser: Any, kind: str, text: str, span: Span) -> Any:
    token = PlacedToken(kind, text)
    token.span = span
    try:
        return lark_parser.feed_token(token)
    except UnexpectedToken as error:
        error.interactive_parser = lark_parser
        raise


def read_statement(path: str, text: str, start: int, end: int, draft: Draft | None = None) -> Any:
    """Return the statement at `text[start:end]`; raises UnexpectedToken, or Problem."""
    return _feed(feed_words(path, text, start, end, draft), "$END", "", Span(path, end, end))


_CUT = re.compile(rf"(?:\A\ufeff?|(?<=[\r\n]))[ \t\f\u00a0\u3000]*({'|'.join(STATEMENT_WORDS)}){END}")
MOST_MISTAKES = 1000  # of one script; what has more is no script, and each takes a while to explain
_FIRST_WORD = re.compile(r"\w[\w.-]*")
_LINE_AT_MARGIN = re.compile(rf"(?<=[\r\n])[^{BLANKS}#,]")


def parse(source: SourceText) -> tuple[Script, tuple[Finding, ...]]:
    """Return the tree of everything that could be read, and a finding EV001 for everything that could not."""
    return _Reader(source).read()


def split_statements(text: str) -> list[tuple[int, int]]:
    """Return where the statements of a text stand, each to the beginning of the next; none depends on another."""
    starts = [found.start(1) for found in _CUT.finditer(text)]
    first = starts[0] if starts else len(text)
    begin = _code_start(text, first)
    if begin < first:
        starts.insert(0, begin)
    return list(zip(starts, [*starts[1:], len(text)], strict=bool(starts)))


class _Reader:
    """Reads one source; `statements` and `findings` grow as it goes."""

    def __init__(self, source: SourceText) -> None:
        self.path = source.path
        self.text = source.text
        self.statements: list[Statement] = []
        self.findings: list[Finding] = []

    def read(self) -> tuple[Script, tuple[Finding, ...]]:
        text = self.text
        for start, end in split_statements(text):
            self._read_piece(start, end)
            if len(self.findings) >= MOST_MISTAKES:
                message = f"reading stops here, after {MOST_MISTAKES:,} mistakes"
                self.findings.append(syntax_finding(self.findings[-1].span, message, "correct these first"))
                break
        span = Span(self.path, 0, len(text))
        return Script(tuple(self.statements), span=span), tuple(self.findings)

    def _read_piece(self, start: int, end: int) -> None:
        """Read one statement, and the misspelt statements below it."""
        rest: int | None = start
        while rest is not None and len(self.findings) < MOST_MISTAKES:
            rest = self._read_statement(rest, end)

    def _read_statement(self, start: int, end: int) -> int | None:
        """Read what stands at `start`; return the place to go on at when it is broken and something follows."""
        result = self._read(self.text, start, end)
        if not isinstance(result, Problem):
            self._keep(result)
        elif result.unexpected:
            return self._recover(start, end, result)
        else:
            self._report(result)
        return None

    def _read(self, text: str, start: int, end: int) -> Statement | StatementWithError | Problem:
        try:
            statement: Statement | StatementWithError = read_statement(self.path, text, start, end)
            return statement
        except Problem as problem:
            return problem
        except UnexpectedToken as error:
            from .diagnose import diagnose  # only a broken script pays for it

            try:
                found = diagnose(self.path, text, start, end, error)
            except Problem as another:  # reading on for a better sentence, it met another mistake
                found = another
            found.unexpected = True
            return found

    def _recover(self, start: int, end: int, problem: Problem) -> int | None:
        """Report a mistake; a statement that is complete before the margin line with the mistake is kept."""
        cut = self._margin_before(start, end, problem.span.start)
        if cut is not None and (not problem.meant or problem.meant in STATEMENT_WORDS):  # no misspelt clause
            before = self._read(self.text, start, cut)
            if not isinstance(before, Problem):
                self._keep(before)
                start, rest = cut, self._read(self.text, cut, end)
                problem = rest if isinstance(rest, Problem) else problem
        self._report(problem)
        further = self._next_misspelt(max(start, problem.span.start) + 1, end)
        self._salvage(start, further or end, problem)
        return further

    def _salvage(self, start: int, end: int, problem: Problem) -> None:
        """Keep what is left of a statement without its mistakes, and report those that come after the first."""
        draft = Draft(self.text[start:end], range(start, end + 1))
        again = self._read(draft.text, 0, len(draft.text))
        if isinstance(again, Problem):
            problem = again
        for _ in range(MOST_REPAIRS):
            tried = [(one, self._read(one.text, 0, len(one.text))) for one in drafts_after(draft, problem)]
            whole = next((one for one, got in tried if not isinstance(got, Problem)), None)
            broken = [(one, got) for one, got in tried if isinstance(got, Problem) and one.lost is None]
            later = next(((one, got) for one, got in broken if got.span.start > problem.span.start), None)
            understood = later is not None and problem.fix is not None and problem.fix.safe
            if whole is not None and not understood:
                lost = [Unread(whole.lost[0], span=draft.span(whole.lost[1]))] if whole.lost else []
                self._keep(read_statement(self.path, whole.text, 0, len(whole.text), whole), lost)
                return
            if later is None:
                return
            draft, problem = later
            self._report(draft.problem(problem))

    def _margin_before(self, start: int, end: int, at: int) -> int | None:
        """Return the start of the last line before `at` that begins at the margin, not counting the first line."""
        cut = None
        for found in _LINE_AT_MARGIN.finditer(self.text, start + 1, min(at + 1, end)):
            cut = found.start()
        return cut

    def _next_misspelt(self, start: int, end: int) -> int | None:
        """Return the start of the next line at the margin whose first word is nearly a statement word."""
        for found in _LINE_AT_MARGIN.finditer(self.text, start, end):
            word = _FIRST_WORD.match(self.text, found.start(), end)
            if word and word[0] not in words_of_language() and nearest(word[0], STATEMENT_WORDS):
                return found.start()
        return None

    def _keep(self, result: Statement | StatementWithError, unread: Sequence[Unread] = ()) -> None:
        """Keep a statement, with a sign of every clause that could not be read."""
        if isinstance(result, StatementWithError):
            self._report(result.problem)
            result = result.statement
        self.statements.append(replace(result, clauses=(*result.clauses, *unread)) if unread else result)

    def _report(self, problem: Problem) -> None:
        self.findings.append(syntax_finding(problem.span, problem.message, problem.help, problem.fix))


def syntax_finding(span: Span, message: str, help: str, fix: Fix | None = None) -> Finding:
    """Return a finding EV001."""
    return Finding("EV001", "syntax", "error", message, help, span, fix=fix)


def _code_start(text: str, end: int) -> int:
    """Return where the first word stands, after a byte-order mark, blanks and comments."""
    start = 1 if text.startswith("\ufeff") else 0
    return next((word.start for word in words(text, start, end) if not word.comment), end)


MOST_REPAIRS = 6  # mistakes of one statement; what has more is left as it is
_EXPERIMENTS_AND_CLAIMS = ("compare", "estimate", "claim")
_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\r\n]|"")*"|#[^\r\n]*')
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


def drafts_after(draft: Draft, problem: Problem) -> list[Draft]:
    """Return drafts of the statement without a mistake, the one that loses least first."""
    text, at = draft.text, problem.span.start
    tried = _with_braces(draft, at) if problem.meant == "{" else _with_fix(draft, problem.fix)
    found = [tried] if tried is not None else []
    code_only = _TEXT_OR_COMMENT.sub(lambda one: " " * len(one.group()), text)
    places = [one.start() for one in _BEGINS.finditer(code_only)]
    before = [place for place in places if place <= at][-2:]
    after = [*[place for place in places if place >= max(problem.span.end, at + 1)][:3], len(text)]
    head = _head(text, places)
    own = (at, *reversed(before)) if _meant(problem) else (*reversed(before[-1:]), at, *before[:-1])
    cuts = [(begin, stop) for begin in own for stop in after if head < begin < stop]
    for begin, stop in dict.fromkeys(cuts):
        word = _word(text, before[-1]) if before and begin == at else _word(text, begin)
        lost = _meant(problem) or word, Span(problem.span.path, begin, stop)
        found.append(_without(draft, begin, stop, lost))
    return found


def _head(text: str, places: list[int]) -> int:
    """Return where the part of a statement ends that must be kept: before `on` in an experiment, else at its start."""
    if not text.startswith(_EXPERIMENTS_AND_CLAIMS):
        return 0
    return next((place for place in places if text.startswith("on", place)), len(text))


def _meant(problem: Problem) -> str:
    return problem.meant if problem.meant in _CLAUSES else ""


def _word(text: str, at: int) -> str:
    found = _BEGINS.match(text, at)
    return found.group() if found else ""


def _with_fix(draft: Draft, fix: Fix | None) -> Draft | None:
    """Return the draft after the offered repair; a guess is taken only where nothing has to move for it."""
    if fix is None or len(fix.edits) != 1:
        return None
    (_, start, end), new = fix.edits[0].span, fix.edits[0].text
    if "\n" in draft.text[start:end] or not (fix.safe or len(new) <= end - start):
        return None
    return draft.write(start, end, new)


def _with_braces(draft: Draft, start: int) -> Draft | None:
    """Return the draft with a grid in other brackets as a set of values; None where there is no grid."""
    found = _LIST.match(draft.text, start)
    return draft.write(*found.span(), f"{{{found[1]}}}") if found is not None else None


def _without(draft: Draft, start: int, end: int, lost: tuple[str, Span]) -> Draft:
    """Return the draft with spaces in place of `start` to `end`, and of the comma before it."""
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
    words = [
        (word, start) for start in begun for word in _EXPERIMENTS_AND_CLAIMS if source.text.startswith(word, start)
    ]
    return [f"{word} in line {source.position(start).line}" for word, start in words]
