"""`parse`: a script into its tree, one finding for each statement that cannot be read.

The text is cut at lines that begin with a statement word, which is never a name, and parsed piece by piece: a mistake
costs its own statement and no other.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .build_clauses import CLAUSES, SCHEMES
from .build_nodes import BUILD, Build, Flawed, Problem
from .build_statements import STATEMENTS
from .lexer import AUTOMATON, BLANKS, SKIP, STATEMENT_WORDS, WORDS, Lexer, Token
from .nearest import nearest
from .nodes import Script, Statement, Unread
from .text import Finding, Fix, SourceText, Span

if TYPE_CHECKING:
    from .salvage import Mended, Moved

_BUILD: dict[str, Build] = {**BUILD, **SCHEMES, **CLAUSES, **STATEMENTS}
_SYMBOLS: list[str] = AUTOMATON["symbols"]
_END: int = AUTOMATON["end"]
Row = dict[str, int]  # from zero on, the state a symbol leads to; below, `~rule` is what it shows to be complete
Rule = tuple[int, str, Callable[[list[Any]], Any]]  # how many parts, what they are together, what is made of them
_rows: list[Row | None] = [None] * len(AUTOMATON["rows"])  # a script meets a third of them, so they are read when met
_rules: list[Rule | None] = [None] * len(AUTOMATON["rules"])


def _row(state: int) -> Row:
    numbers = map(int, AUTOMATON["rows"][state].split())
    row = _rows[state] = {_SYMBOLS[symbol]: action for symbol, action in zip(numbers, numbers, strict=True)}
    return row


def _rule(number: int) -> Rule:
    origin, expand1, *symbols = AUTOMATON["rules"][number]
    parts = [_SYMBOLS[symbol] for symbol in symbols]
    rule = _rules[number] = len(parts), _SYMBOLS[origin], _maker(_SYMBOLS[origin], parts, bool(expand1))
    return rule


def _maker(name: str, parts: list[str], expand1: bool) -> Callable[[list[Any]], Any]:
    """What becomes of the parts of a rule: a node, or a list that goes into the node around it (`_clause`)."""
    lists = any(part[0] == "_" and not part.isupper() for part in parts)
    if name[0] == "_":
        return _joined if lists else _itself
    if expand1 and len(parts) == 1:
        return _only
    build = _BUILD[name]
    # Words without a meaning of their own are left out, unless there is nothing else (a column called `dataset`).
    kept = [at for at, part in enumerate(parts) if part[0] != "_"] or list(range(len(parts)))
    if not lists and len(parts) == 1:
        return lambda c: build(c[0].span, c)
    made = tuple.__new__

    def node(c: list[Any]) -> Any:
        path, start, _ = c[0].span
        return build(made(Span, (path, start, c[-1].span[2])), [c[at] for at in kept])

    def node_with_lists(c: list[Any]) -> Any:
        c = _joined(c)
        path, start, _ = c[0].span
        said = [child for child in c if child.__class__ is not Token or child.type[0] != "_"]
        return build(made(Span, (path, start, c[-1].span[2])), said or c)

    return node_with_lists if lists else node


def _itself(c: list[Any]) -> list[Any]:
    return c


def _only(c: list[Any]) -> Any:
    return c[0]


def _joined(c: list[Any]) -> list[Any]:
    """Parts with those of lists among them; the first list grows, so that a thousand members take a thousand steps."""
    joined: list[Any] = c[0] if c[0].__class__ is list else c[:1]
    for child in c[1:]:
        if child.__class__ is list:
            joined += child
        else:
            joined.append(child)
    return joined


class Unexpected(Exception):
    """A token at which no statement goes on; `automaton` knows what could have stood there."""

    def __init__(self, token: Token, automaton: Automaton) -> None:
        super().__init__(token)
        self.token = token
        self.automaton = automaton


class Automaton:
    """A statement while it is read: one step through Lark's LALR tables for each token."""

    __slots__ = ("states", "values")

    def __init__(self) -> None:
        self.states = [0]
        self.values: list[Any] = []

    def feed(self, token: Token) -> None:
        """Take a token; what is complete before it becomes a node. `$END` is the last."""
        states, values, kind = self.states, self.values, token.type
        while True:
            action = (_rows[states[-1]] or _row(states[-1])).get(kind)
            if action is None:
                raise Unexpected(token, self)
            if action >= 0:
                states.append(action)
                values.append(token)
                return
            size, name, make = _rules[~action] or _rule(~action)
            if size == 1:  # more than half of them
                values[-1] = make(values[-1:])
                states.pop()
            else:
                parts = values[-size:]
                del values[-size:], states[-size:]
                values.append(make(parts))
            states.append((_rows[states[-1]] or _row(states[-1]))[name])
            if states[-1] == _END:
                return

    def choices(self) -> Row:
        """The tokens that may be taken here; some of them only seemingly."""
        return _rows[self.states[-1]] or _row(self.states[-1])

    def accepts(self) -> set[str]:
        """The tokens that are taken here."""
        return {kind for kind in self.choices() if kind.isupper() and self._takes(kind)}

    def _takes(self, kind: str) -> bool:
        states = self.states.copy()
        while (action := (_rows[states[-1]] or _row(states[-1])).get(kind)) is not None:
            if action >= 0:
                return True
            size, name, _ = _rules[~action] or _rule(~action)
            del states[-size:]
            states.append((_rows[states[-1]] or _row(states[-1]))[name])
            if states[-1] == _END:
                return True
        return False


def read_statement(path: str, text: str, start: int, end: int, moved: Sequence[Moved] = ()) -> Any:
    """The statement at `text[start:end]`; raises Unexpected, or Problem.

    `moved` are the words of a text that stand elsewhere in the script.
    """
    automaton = Automaton()
    feed = automaton.feed
    tokens = Lexer(path, text, start, end).tokens(automaton.choices)
    if moved:
        from .salvage import put_back

        tokens = (Token(one.type, one.text, put_back(one.span, moved)) for one in tokens)
    for token in tokens:
        feed(token)
    feed(Token("$END", "", Span(path, end, end)))
    return automaton.values[-1]


_CUT = re.compile(rf"(?:\A\ufeff?|(?<=[\r\n]))[ \t\f\u00a0\u3000]*({'|'.join(STATEMENT_WORDS)})(?!\w|[.-]\w)")
MOST_MISTAKES = 1000  # of one script; what has more is no script, and each takes a while to explain
_FIRST_WORD = re.compile(r"\w[\w.-]*")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_MARGIN = re.compile(rf"(?<=[\r\n])[^{BLANKS}#,]")


def parse(source: SourceText) -> tuple[Script, tuple[Finding, ...]]:
    """The tree of everything that could be read, and a finding EV001 for everything that could not."""
    return _Reader(source).read()


def pieces(text: str) -> list[tuple[int, int]]:
    """Where the statements of a text stand, each to the beginning of the next; what one says hangs on no other."""
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
        self.suspects: deque[Problem] = deque()

    def read(self) -> tuple[Script, tuple[Finding, ...]]:
        text = self.text
        if not text.isascii() or _CONTROL.search(text):
            from .spoof import spoofs

            self.suspects = deque(spoofs(self.path, text))
        for start, end in pieces(text):
            self._piece(start, end)
            if len(self.findings) >= MOST_MISTAKES:
                message = f"reading stops here, after {MOST_MISTAKES:,} mistakes"
                self.findings.append(syntax_finding(self.findings[-1].span, message, "correct these first"))
                break
        span = Span(self.path, 0, len(text))
        return Script(tuple(self.statements), span=span), tuple(self.findings)

    def _piece(self, start: int, end: int) -> None:
        """One statement, and whatever misspelt ones stand below it."""
        rest: int | None = start
        while rest is not None and len(self.findings) < MOST_MISTAKES:
            rest = self._statement(rest, end)

    def _statement(self, start: int, end: int) -> int | None:
        """Read what stands at `start`; the place to go on at, when it broke and something follows."""
        while self.suspects and self.suspects[0].span.start < start:
            self.suspects.popleft()
        if self.suspects and self.suspects[0].span.start < end:
            self._report(self.suspects[0])
            return None
        try:
            self._keep(read_statement(self.path, self.text, start, end))
        except Problem as problem:
            self._report(problem)
        except Unexpected as error:
            return self._recover(start, end, error)
        return None

    def _recover(self, start: int, end: int, error: Unexpected) -> int | None:
        """Report a mistake; a statement that is complete before the margin line with the mistake is kept."""
        problem = self._diagnose(start, end, error)
        cut = self._margin_before(start, end, problem.span.start)
        if cut is not None and not _is_clause(problem):
            try:
                self._keep(read_statement(self.path, self.text, start, cut))
            except (Unexpected, Problem):
                pass
            else:
                start = cut
                problem = self._at_margin(cut, end, problem)
        self._report(problem)
        further = self._next_misspelt(max(start, problem.span.start) + 1, end)
        self._salvage(start, further or end, problem)
        return further

    def _salvage(self, start: int, end: int, problem: Problem) -> None:
        """Keep what is left of a statement without its mistakes; those that come after the first are told too."""
        from .salvage import MOST_MENDED, mended, problem_put_back

        text = self.text
        moved: list[Moved] = []
        for _ in range(MOST_MENDED):
            tried = [(one, self._read(one.text, start, end + one.growth)) for one in mended(text, start, end, problem)]
            whole = next((one for one, got in tried if not isinstance(got, Problem)), None)
            broken = [(one, got) for one, got in tried if isinstance(got, Problem) and one.span is None]
            later = next(((one, got) for one, got in broken if got.span.start > problem.span.start), None)
            understood = later is not None and problem.fix is not None and problem.fix.safe
            if whole is not None and not understood:
                moved += _moves(whole)
                read = read_statement(self.path, whole.text, start, end + whole.growth, moved)
                self._keep(_without(read, _left_out(whole, moved)))
                return
            if later is None:
                return
            one, problem = later
            text, end = one.text, end + one.growth
            moved += _moves(one)
            self._report(problem_put_back(problem, moved))

    def _read(self, text: str, start: int, end: int) -> Statement | Flawed | Problem:
        try:
            found: Statement | Flawed = read_statement(self.path, text, start, end)
            return found
        except Problem as problem:
            return problem
        except Unexpected as error:
            from .diagnose import diagnose

            try:
                return diagnose(self.path, text, start, end, error)
            except Problem as problem:
                return problem

    def _at_margin(self, start: int, end: int, problem: Problem) -> Problem:
        """The remainder of a piece, which begins with no statement word."""
        try:
            read_statement(self.path, self.text, start, end)
        except Unexpected as error:
            return self._diagnose(start, end, error)
        except Problem as found:
            return found
        return problem

    def _diagnose(self, start: int, end: int, error: Unexpected) -> Problem:
        from .diagnose import diagnose  # only a broken script pays for it

        try:
            return diagnose(self.path, self.text, start, end, error)
        except Problem as found:  # reading on for a better sentence, it met another mistake
            return found

    def _margin_before(self, start: int, end: int, at: int) -> int | None:
        """The last line before `at`, not the first of the piece, that begins at the margin."""
        cut = None
        for found in _MARGIN.finditer(self.text, start + 1, min(at + 1, end)):
            cut = found.start()
        return cut

    def _next_misspelt(self, start: int, end: int) -> int | None:
        """The next line at the margin whose first word is nearly a statement word."""
        for found in _MARGIN.finditer(self.text, start, end):
            word = _FIRST_WORD.match(self.text, found.start(), end)
            if word and word[0] not in WORDS and nearest(word[0], STATEMENT_WORDS):
                return found.start()
        return None

    def _keep(self, result: Statement | Flawed) -> None:
        if isinstance(result, Flawed):
            self._report(result.problem)
            result = result.statement
        self.statements.append(result)

    def _report(self, problem: Problem) -> None:
        self.findings.append(syntax_finding(problem.span, problem.message, problem.help, problem.fix))


def _moves(mended: Mended) -> list[Moved]:
    return [mended.moved] if mended.moved is not None else []


def _left_out(mended: Mended, moved: list[Moved]) -> list[Unread]:
    from .salvage import put_back

    return [Unread(mended.word, span=put_back(mended.span, moved))] if mended.span is not None else []


def _without(found: Statement | Flawed, lost: list[Unread]) -> Statement | Flawed:
    """The statement with a sign of every clause that could not be read."""
    if not lost:
        return found
    if isinstance(found, Flawed):
        return Flawed(_marked(found.statement, lost), found.problem)
    return _marked(found, lost)


def _marked(statement: Statement, lost: list[Unread]) -> Statement:
    return replace(statement, clauses=(*statement.clauses, *lost))


def syntax_finding(span: Span, message: str, help: str, fix: Fix | None = None) -> Finding:
    """An EV001."""
    return Finding("EV001", "syntax", "error", message, help, span, fix=fix)


def _code_start(text: str, end: int) -> int:
    """Where the first word stands, after a byte-order mark, blanks and comments."""
    start = 1 if text.startswith("\ufeff") else 0
    found = SKIP.match(text, start, end)
    return found.end() if found else start


def _is_clause(problem: Problem) -> bool:
    """Whether the mistake looks like a misspelt clause word rather than the start of something else."""
    return bool(problem.meant) and problem.meant not in STATEMENT_WORDS
