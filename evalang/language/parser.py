"""`parse`: a script into its tree, one finding for each statement that cannot be read.

The text is cut at lines that begin with a statement word, which is never a name, and parsed piece by piece: a mistake
costs its own statement and no other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lark import UnexpectedToken

from .builder import PlacedToken, Problem, StatementWithError
from .clauses import BLANKS, END, RESERVED
from .grammar import parser
from .nearest import nearest
from .nodes import STATEMENT_WORDS, Script, Statement, Unread
from .text import Finding, Fix, SourceText, Span
from .tokens import mixed_scripts, words, words_of_language

if TYPE_CHECKING:
    from .recovery import Draft

DEEPEST = 100  # open brackets; nothing in the language needs more than three


def feed_words(path: str, text: str, start: int, end: int, draft: Draft | None = None) -> Any:
    """Return Lark's parser after the words of `text[start:end]`; raises UnexpectedToken, or Problem.

    A word of the language is a name where only a name fits, unless it is reserved. A draft has its words elsewhere.
    """
    fed: Any = parser().parse_interactive("")
    known = words_of_language()
    for word in words(text, start, end):
        if word.comment:
            continue
        kind = word.kind
        if word.text[0].isalnum() and (own := known.get(word.text)):
            if kind != "NAME" or word.text in RESERVED or own in fed.choices():
                kind = own
        elif kind == "NAME" and mixed_scripts(word.text):
            kind = "MIXED_SCRIPTS"
        elif word.depth == DEEPEST and word.text in "([{":
            kind = "TOO_DEEP"
        span = Span(path, word.start, word.end)
        _feed(fed, kind, word.text, draft.span(span) if draft else span)
    return fed


def _feed(fed: Any, kind: str, text: str, span: Span) -> Any:
    token = PlacedToken(kind, text)
    token.span = span
    try:
        return fed.feed_token(token)
    except UnexpectedToken as error:
        error.interactive_parser = fed
        raise


def read_statement(path: str, text: str, start: int, end: int, draft: Draft | None = None) -> Any:
    """Return the statement at `text[start:end]`; raises UnexpectedToken, or Problem."""
    return _feed(feed_words(path, text, start, end, draft), "$END", "", Span(path, end, end))


_CUT = re.compile(rf"(?:\A\ufeff?|(?<=[\r\n]))[ \t\f\u00a0\u3000]*({'|'.join(STATEMENT_WORDS)}){END}")
MOST_MISTAKES = 1000  # of one script; what has more is no script, and each takes a while to explain
_FIRST_WORD = re.compile(r"\w[\w.-]*")
_MARGIN = re.compile(rf"(?<=[\r\n])[^{BLANKS}#,]")


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
            self._piece(start, end)
            if len(self.findings) >= MOST_MISTAKES:
                message = f"reading stops here, after {MOST_MISTAKES:,} mistakes"
                self.findings.append(syntax_finding(self.findings[-1].span, message, "correct these first"))
                break
        span = Span(self.path, 0, len(text))
        return Script(tuple(self.statements), span=span), tuple(self.findings)

    def _piece(self, start: int, end: int) -> None:
        """Read one statement, and the misspelt statements below it."""
        rest: int | None = start
        while rest is not None and len(self.findings) < MOST_MISTAKES:
            rest = self._statement(rest, end)

    def _statement(self, start: int, end: int) -> int | None:
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
        from .recovery import MOST_MENDED, Draft, mended

        draft = Draft(self.text[start:end], range(start, end + 1))
        again = self._read(draft.text, 0, len(draft.text))
        if isinstance(again, Problem):
            problem = again
        for _ in range(MOST_MENDED):
            tried = [(one, self._read(one.text, 0, len(one.text))) for one in mended(draft, problem)]
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
        for found in _MARGIN.finditer(self.text, start + 1, min(at + 1, end)):
            cut = found.start()
        return cut

    def _next_misspelt(self, start: int, end: int) -> int | None:
        """Return the start of the next line at the margin whose first word is nearly a statement word."""
        for found in _MARGIN.finditer(self.text, start, end):
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
