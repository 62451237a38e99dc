"""A script's text: its stretches, offsets as lines and columns, how it is made safe to print; what lint finds in it;
and words for messages, such as lists, counts and the nearest name.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TextIO


class Shown:
    """An object that a terminal and a notebook show as its own text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of the file `path`; `path` is as the user wrote it."""

    path: str
    start: int
    end: int


class Position(NamedTuple):
    """A place for people: both numbers count from 1."""

    line: int
    column: int


NOWHERE = Span("", 0, 0)
INLINE = "<python>"  # the path of a script that Python handed over as text


def _line_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    found = text.find("\n")
    while found != -1:
        starts.append(found + 1)
        found = text.find("\n", found + 1)
    return tuple(starts)


class SourceText:
    """One file: its path as the user named it and its text after decoding."""

    __slots__ = ("path", "starts", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.starts = _line_starts(text)

    def position(self, offset: int) -> Position:
        """Return line and column of an offset, both from 1.

        >>> SourceText("a.eval", "ab\\ncd").position(4)
        Position(line=2, column=2)
        """
        line = bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Return the text of a line without its end."""
        start = self.starts[number - 1]
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def cut(self, span: Span) -> str:
        """Return the text of a span."""
        return self.text[span.start : span.end]


# C0 and C1 controls but tab, delete, line and paragraph separators, and everything that turns or hides text:
# bidirectional controls, zero-width characters, the byte-order mark, tags, and surrogates that stand alone.
_UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def for_terminal(text: str, *, lines: bool = False) -> str:
    r"""Return the text with control and invisible characters written out; `lines` keeps line ends.

    >>> for_terminal("a\x1b[2Jb\u202ec")
    'a\\x1b[2Jb\\u202ec'
    """
    if lines:
        return "\n".join(for_terminal(line) for line in text.split("\n"))
    return _UNSAFE.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    number = ord(found.group())
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def wants_colour(stream: TextIO) -> bool:
    """Return whether to write colours to a stream: only to a terminal, and not with NO_COLOR."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


SHOWN = 4  # names spelled out before "and 9 more"; ours


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as in a sentence.

    >>> listed(("a", "b", "c")), listed(("a", "b"), "or"), listed(tuple("abcdefg"))
    ('a, b and c', 'a or b', 'a, b, c, d and 3 more')
    """
    if len(names) <= 1:
        return "".join(names)
    if len(names) > SHOWN + 1:
        return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def listed_names(names: Sequence[str], last: str = "and") -> str:
    """Return names from a script as in a sentence, each in backticks.

    >>> listed_names(("tree", "forest"))
    '`tree` and `forest`'
    """
    return listed([f"`{name}`" for name in names], last)


def listed_columns(names: Sequence[str]) -> str:
    """Return names and values from a data file as in a sentence, each in double quotes.

    >>> listed_columns(("id", "age"))
    '"id" and "age"'
    """
    return listed([f'"{name}"' for name in names])


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it has to be.

    >>> counted(1, "test"), counted(1200, "test"), counted(2, "class")
    ('1 test', '1,200 tests', '2 classes')
    """
    if number == 1:
        return f"1 {noun}"
    ending = "es" if noun.endswith(("s", "x", "ch")) else "s"
    return f"{number:,} {noun}{ending}"


def percent(share: float, digits: int = 1) -> str:
    """Return a share in per cent, without needless zeros.

    >>> percent(0.05), percent(0.9996, 2), percent(0.1262)
    ('5%', '99.96%', '12.6%')
    """
    return f"{round(100 * share, digits):g}%"


def number(value: float) -> str:
    """Return a number with three figures, small ones in full.

    >>> number(0.0625), number(7.7), number(1234.0), number(0.00001234)
    ('0.0625', '7.7', '1,234', '1.23e-05')
    """
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def one(names: Sequence[str], singular: str, plural: str) -> str:
    """Return the form of a verb that goes with a list of names.

    >>> one(("a",), "is", "are"), one(("a", "b"), "is", "are")
    ('is', 'are')
    """
    return singular if len(names) == 1 else plural


Level = Literal["error", "warning", "note"]
Stage = Literal["design", "data", "run"]

LEVELS: tuple[Level, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters of `span` by `text`; an insertion has an empty span."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: what it does in words, and its edits. Only a `safe` one is written by `lint --fix`."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Subject:
    """What a finding is about. An empty field narrows nothing; `statement` is the name of what the author wrote, when
    it is neither the comparison, the dataset nor the learner: a claim, or the learner whose grid ends too soon.
    """

    comparison: str = ""
    dataset: str | None = None
    metric: str = ""
    learners: tuple[str, ...] = ()
    statement: str = ""

    @property
    def name(self) -> str:
        """The name a reader is told."""
        return self.statement or self.comparison or self.dataset or next(iter(self.learners), "")


@dataclass(frozen=True, slots=True)
class Finding:
    """One pitfall found: what (in the user's own names and numbers), where, and how to repair it."""

    code: str
    name: str
    level: Level
    message: str
    help: str
    span: Span = NOWHERE
    stage: Stage = "design"
    subject: Subject = Subject()
    fix: Fix | None = None


_LONGEST = 80  # a longer word has no near one; keeps hostile input cheap


def nearest(word: str, candidates: Iterable[str], share: int = 3) -> str | None:
    """Return the candidate most like `word`, or None when none is near: about one edit in three characters.

    Where many names end alike (adaboost, catboost), fewer edits are allowed: one in `share` characters.

    Letter case and `_` against `-` count for nothing; ties go to the alphabet.

    >>> nearest("roc_aera", ["accuracy", "roc-area"]), nearest("tow", ["two"]), nearest("in", ["join"])
    ('roc-area', 'two', None)
    """
    if not word or len(word) > _LONGEST:
        return None
    plain = _plain(word)
    most = min(max(1, (len(word) + 1) // share), max(len(plain), 2) - 1)
    near = [one for one in candidates if abs(len(one) - len(word)) <= most]
    distance, found = min(((_distance(plain, _plain(one)), one) for one in near), default=(most + 1, None))
    return found if distance <= most else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "-")


def _distance(first: str, second: str) -> int:
    """Return the edits between two words: insert, delete, replace, swap of neighbours."""
    before: list[int] = []
    above = list(range(len(second) + 1))
    for i, left in enumerate(first, start=1):
        row = [i]
        for j, right in enumerate(second, start=1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]
