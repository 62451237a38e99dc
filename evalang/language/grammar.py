"""The grammar as Lark reads it: the parser of one statement, its lexer, and the words of the language."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token
from lark.lexer import Lexer, TerminalDef

from ..errors import InternalError
from .builder import NodeBuilder
from .clauses import RESERVED, clause_comma, clause_lists

_PACKAGE = Path(__file__).resolve().parent.parent
PLACES = (_PACKAGE / "grammar" / "evalang.lark", _PACKAGE.parent / "grammar" / "evalang.lark")
DEEPEST = 100  # open brackets; nothing in the language needs more than three
_COMMENT = re.compile(r"#[^\r\n]*")


def grammar_path(places: tuple[Path, ...] = PLACES) -> Path:
    """Return the grammar file: a wheel carries it inside the package, a checkout has it beside the package."""
    for place in places:
        if place.is_file():
            return place
    raise InternalError(
        "the grammar file evalang.lark is missing from this installation",
        hint="install evalang again",
    )


@cache
def grammar_text() -> str:
    """Return the whole grammar in Lark's notation, with the rules and the terminal that come from the clause table."""
    written = grammar_path().read_text(encoding="utf-8")
    return f"{written}\n{clause_lists()}\nCLAUSE_COMMA.1: /{clause_comma()}/\n"


# ---------------------------------------------------------------- tokens


@dataclass(frozen=True, slots=True)
class Word:
    """A token or a comment with its place; `kind` is its terminal, which for a word of the language is NAME too."""

    kind: str
    text: str
    start: int
    end: int
    depth: int = 0  # open brackets before it
    own_line: bool = False  # a comment with nothing before it on its line

    @property
    def comment(self) -> bool:
        return self.kind == "COMMENT"

    @property
    def parting(self) -> bool:
        """Whether this is a comma that parts two clauses."""
        return self.kind == "CLAUSE_COMMA" and self.depth == 0


def _keywords(terminals: Iterable[TerminalDef]) -> dict[str, str]:
    return {one.pattern.value: one.name for one in terminals if one.pattern.type == "str"}


def _token_pattern(terminals: Iterable[TerminalDef]) -> re.Pattern[str]:
    """Return one expression for all tokens; words of the language are names, what is no token is UNKNOWN."""
    keep = [one for one in terminals if one.pattern.type == "re" or not one.pattern.value[0].isalnum()]
    keep.sort(key=lambda one: (-one.priority, -len(one.pattern.value)))
    forms = [*((one.name, one.pattern.to_regexp()) for one in keep), ("UNKNOWN", "(?s:.)")]
    return re.compile("|".join(f"(?P<{name}>{form})" for name, form in forms))


class StatementLexer(Lexer):
    """Gives Lark the tokens of a statement.

    A word of the language is a keyword where the parser can take it and a name elsewhere; a reserved word is always a
    keyword. Between brackets no comma ends a list.
    """

    __future_interface__ = 2  # Lark passes the state of the parser

    def __init__(self, conf: Any) -> None:
        self.pattern = _token_pattern(conf.terminals)
        self.keywords = _keywords(conf.terminals)
        self.ignored = frozenset(conf.ignore)

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        """Yield the tokens one at a time: the next one is read after the parser has taken the last."""
        states = parser_state.parse_conf.states
        keywords, ignored, match = self.keywords, self.ignored, self.pattern.match
        text, position, end = lexer_state.text.text, lexer_state.text.start, lexer_state.text.end
        depth = 0
        while found := match(text, position, end):
            kind: str = found.lastgroup or ""
            start, position = position, found.end()
            if kind in ignored:
                continue
            word = found[0]
            if kind == "NAME" or kind == "RXKCV":
                keyword = keywords.get(word)
                if keyword is not None and (
                    keyword in states[parser_state.position] or word in RESERVED or kind == "RXKCV"
                ):
                    kind = keyword
            elif kind == "CLAUSE_COMMA":
                if depth:
                    kind = "COMMA"
            elif word in ("(", "[", "{"):
                depth += 1
                if depth > DEEPEST:
                    kind = "TOO_DEEP"
            elif word in (")", "]", "}"):
                depth -= 1
            yield Token(kind, word, start, end_pos=position)


# ---------------------------------------------------------------- the parser


def build_parser(**options: Any) -> Lark:
    """Return a new parser of one statement; this takes about half a second."""
    # All tokens are kept, so that a node knows where its first and its last word stand.
    given = {"start": "statement", "transformer": NodeBuilder(), "lexer": StatementLexer, **options}
    return Lark(grammar_text(), parser="lalr", keep_all_tokens=True, maybe_placeholders=False, **given)


@cache
def parser() -> Lark:
    """Return the parser: loaded where it was saved before (the playground, the user's cache), else built and saved."""
    folder = _cache_folder()
    for place in filter(None, (grammar_path().parent, folder)):
        # A file that another version left is no reason to fail.
        with contextlib.suppress(Exception), open(place / saved_name(), "rb") as file:
            return Lark.load(file)
    built = build_parser()
    if folder is not None:
        with contextlib.suppress(OSError):
            save_parser(built, folder / saved_name())
    return built


def save_parser(built: Lark, path: Path) -> None:
    """Write a file that `parser` loads; it appears whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        built.save(file)
    os.replace(file.name, path)


def saved_name() -> str:
    """Return the file name of a saved parser, which changes with the grammar, the table of clauses and Lark."""
    digest = hashlib.sha256(f"{lark.__version__}\n{grammar_text()}".encode()).hexdigest()
    return f"parser-{digest[:32]}.bin"


def _cache_folder() -> Path | None:
    """Return the user's own folder for saved parsers, closed to others; None where there is none.

    Loading a saved parser can run code, so nobody else may write there.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.cache")
    folder = Path(base, "evalang", "parser")
    if not folder.is_absolute():  # a user without a home
        return None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    user = os.getuid() if hasattr(os, "getuid") else None  # Windows has no user numbers
    own = user is None or (found.st_uid == user and not found.st_mode & 0o077)
    return folder if own and stat.S_ISDIR(found.st_mode) else None


# ---------------------------------------------------------------- words, whatever the parser thinks of them


@cache
def words_of_language() -> dict[str, str]:
    """Return every word and sign of the language with its terminal."""
    return _keywords(parser().terminals)


@cache
def terminal_words() -> dict[str, str]:
    """Return the word or sign of every terminal that has one."""
    return {terminal: word for word, terminal in words_of_language().items()}


@cache
def pattern(terminal: str) -> str:
    """Return the regular expression of a terminal."""
    return parser().get_terminal(terminal).pattern.to_regexp()


@cache
def _expression() -> re.Pattern[str]:
    return _token_pattern(parser().terminals)


def words(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield tokens and comments of `text[start:end]` in order; at what is no token only comments are left."""
    match = _expression().match
    position, depth = start, 0
    while found := match(text, position, end):
        kind = found.lastgroup or ""
        begin, position = found.span()
        if kind == "WS":
            continue
        if kind == "UNKNOWN":
            yield from comments(text, begin, end)
            return
        if kind == "COMMENT":
            yield from comments(text, begin, position)
            continue
        word = found[0]
        yield Word(kind, word, begin, position, depth)
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1


def comments(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield the comments in a stretch without tokens."""
    for found in _COMMENT.finditer(text, start, end):
        line = max(text.rfind("\n", 0, found.start()), text.rfind("\r", 0, found.start())) + 1
        alone = not text[line : found.start()].strip("\ufeff \t\f\u00a0\u3000")
        yield Word("COMMENT", found[0].rstrip(), found.start(), found.end(), own_line=alone)
