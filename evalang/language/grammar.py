"""The words of the language and its parser: Lark, given the grammar file and what the table of clauses adds to it.

Which words are reserved and which comma ends a list follows from the rows of clauses. `words` reads the tokens and
comments of a text, whatever the parser thinks of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import tempfile
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark import Lark

from ..errors import InternalError
from .builder import NodeBuilder
from .nodes import ROWS, STATEMENT_WORDS, STATEMENTS

# Never names, beside the statement words.
RESERVED = frozenset([*STATEMENT_WORDS, "vs", "on", "using", "by", "because", "from", "is", "over", "at", "measuring"])

_BEGINS = [form.partition(" ") for row in ROWS.values() if row.begins for form in row.begins.split(" | ")]
# Words that begin a clause after a comma whatever follows; `on` does so without being a clause.
CLAUSE_WORDS = frozenset([*(first for first, _, second in _BEGINS if not second), "on"])
# Words that do so only together with what follows, and may be names else.
CLAUSE_PAIRS: dict[str, tuple[str, ...]] = {}
for _first, _, _second in _BEGINS:
    if _second and _first != "0":
        CLAUSE_PAIRS[_first] = (*CLAUSE_PAIRS.get(_first, ()), _second)
IN_FULL = {row.begins.split()[0]: row.full for row in reversed(ROWS.values()) if row.full}


def clause_lists() -> str:
    """Return the rules of the grammar that say what each statement takes."""
    lines = []
    for statement in STATEMENTS.split():
        rules = [row.rule for row in ROWS.values() if statement in row.statements.split()]
        lines.append(f"_{statement}_clause: {' | '.join(rules)}")
    return "\n".join(lines)


BLANKS = " \\t\\f\\r\\n\\u00a0\\u3000"
SKIP = r"\s*+(?:#[^\r\n]*+\s*+)*+"  # white space and comments; compiles in a quarter of the time that BLANKS take
END = r"(?!\w|[.-]\w)"  # of a word


def clause_comma() -> str:
    """Return the pattern of a comma that ends a list: what follows it begins a clause.

    `weights = 3` and `weights in {1, 2}` are members of a list.
    """
    words = "|".join(sorted(CLAUSE_WORDS))
    parameter = rf"=|in{END}{SKIP}(?:[{{0-9-]|log{SKIP}\()"
    name = rf'"|[0-9]+x[0-9]+cv-\w|(?!(?:{"|".join(sorted(CLAUSE_WORDS | RESERVED))}){END})[^\W\d_]'
    second = {"0": "-?[0-9]", "NAME": name}
    forms = [rf"(?:{words}){END}(?!{SKIP}(?:{parameter}))"]
    for first, seconds in CLAUSE_PAIRS.items():
        following = "|".join(second.get(one) or one + (END if one.isalpha() else "") for one in seconds)
        forms.append(rf"{first}{END}{SKIP}(?:{following})")
    counted = "|".join(second for first, _, second in _BEGINS if first == "0")
    forms.append(rf"[0-9]+{SKIP}(?:{counted}){END}")
    return rf",(?={SKIP}(?:{'|'.join(forms)}))"


_PACKAGE = Path(__file__).resolve().parent.parent
PLACES = (_PACKAGE / "grammar" / "evalang.lark", _PACKAGE.parent / "grammar" / "evalang.lark")


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


def build_parser(**options: Any) -> Lark:
    """Return a new parser of one statement, which takes the words that `words` finds."""
    # All tokens are kept, so that a node knows where its first and its last word stand.
    given = {"start": "statement", "transformer": NodeBuilder(), "lexer": "basic", **options}
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
    """Return the file name of a saved parser; it changes with the grammar, Lark, and the code that a parser holds."""
    made_by = [Path(__file__).with_name(f"{module}.py").read_bytes() for module in ("grammar", "builder", "nodes")]
    digest = hashlib.sha256(f"{lark.__version__}\n{grammar_text()}".encode() + b"".join(made_by)).hexdigest()
    return f"parser-{digest[:32]}.bin"


def _cache_folder() -> Path | None:
    """Return the user's own folder for saved parsers, closed to others; None where there is none.

    Loading a saved parser can run code, so no other user may write there.
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


_COMMENT = re.compile(r"#[^\r\n]*")


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
        return self.kind == "CLAUSE_COMMA"


@cache
def words_of_language() -> dict[str, str]:
    """Return every word and sign of the language with its terminal."""
    return {one.pattern.value: one.name for one in parser().terminals if one.pattern.type == "str"}


@cache
def terminal_words() -> dict[str, str]:
    """Return the word or sign of every terminal that has one."""
    return {terminal: word for word, terminal in words_of_language().items()}


@cache
def pattern(terminal: str) -> str:
    """Return the regular expression of a terminal."""
    return parser().get_terminal(terminal).pattern.to_regexp()


# Writing systems that use several scripts at once, and add Latin letters; no letter of theirs looks like a Latin one.
_EAST_ASIAN = {"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}
_SCRIPT_NAMES = {"MICRO": "GREEK", "FEMININE": "LATIN", "MASCULINE": "LATIN"}  # of characters named otherwise


def mixed_scripts(name: str) -> list[tuple[str, str]]:
    """Return the first letter of each script of a name that mixes scripts, and the script; else nothing."""
    if name.isascii():
        return []
    letters: dict[str, str] = {}
    for letter in filter(str.isalpha, name):
        script = unicodedata.name(letter, "UNKNOWN").split()[0]
        letters.setdefault(_SCRIPT_NAMES.get(script, script), letter)
    apart = letters.keys() - _EAST_ASIAN - {"LATIN"}
    return [(letter, script.capitalize()) for script, letter in letters.items()] if apart and len(letters) > 1 else []


@cache
def _expression() -> re.Pattern[str]:
    """Return one expression for all tokens, in the order in which Lark tries them; what is none is UNKNOWN."""
    keep = [one for one in parser().terminals if one.pattern.type == "re" or not one.pattern.value[0].isalnum()]
    keep.sort(key=lambda one: (-one.priority, -len(one.pattern.value)))
    forms = [f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in keep]
    return re.compile("|".join([*forms, r"(?P<UNKNOWN>[\s\S])"]))


def words(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield tokens and comments of `text[start:end]` in order; between brackets no comma ends a list."""
    match = _expression().match
    position, depth = start, 0
    while found := match(text, position, end):
        kind = found.lastgroup or ""
        begin, position = found.span()
        if kind == "WS":
            continue
        if kind == "COMMENT":
            yield from comments(text, begin, position)
            continue
        word = found[0]
        yield Word("COMMA" if depth and word == "," else kind, word, begin, position, depth)
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
