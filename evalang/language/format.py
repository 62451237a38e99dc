"""`format_script`: the canonical text of a script. Comments stay, the tree stays, and formatting twice changes nothing.

A statement stands on one line where it fits; else its head stands on one line and each clause on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from ..codec import field_names
from ..errors import ScriptError
from . import nodes
from .grammar import Word, comments, words, words_of_language
from .nodes import Name, Node, Statement
from .parser import parse
from .text import SourceText

WIDTH = 100
CLAUSE = "  "
CONTINUED = "    "
# After these heads the first clause goes on without a comma, as one would say it.
_SPOKEN = ("compare", "estimate", "claim", "simulate", "report", "set", "include")
_BARE = re.compile(r"[A-Za-z]\w*(?:[.-]\w+)*", re.ASCII)
_TIGHT_BEFORE = frozenset([",", ")", "]", "}", "(", "^", ".."])
_TIGHT_AFTER = frozenset(["(", "[", "{", "^", ".."])
# Older words of the language, which are still read, and what is written now.
_OLDER: dict[type, tuple[str, str]] = {nodes.Rope: ("rope", "margin"), nodes.UntilSettled: ("settled", "conclusive")}
_SAME = {"same": "equivalent", "as": "to"}
NO_NAMES: Mapping[int, str] = MappingProxyType({})


Renaming = Callable[[tuple[Statement, ...]], dict[int, str]]


def format_script(source: SourceText, renaming: Renaming | None = None) -> str:
    """Return the script in canonical form; ScriptError with the findings when it cannot be read.

    `renaming` gives the canonical text of names, by where they begin.
    """
    script, findings = parse(source)
    if findings:
        count = "a mistake" if len(findings) == 1 else f"{len(findings)} mistakes"
        raise ScriptError(
            f"{source.path} has {count} in its syntax and was left as it is",
            hint="first correct what `evalang lint` shows",
            span=findings[0].span,
            position=source.position(findings[0].span.start),
            findings=findings,
        )
    text = source.text
    renamed = renaming(script.statements) if renaming else NO_NAMES
    lines: list[str] = []
    position = 0
    for statement in script.statements:
        _between(text, position, statement.span.start, lines)
        lines += format_statement(text, statement, renamed)
        position = statement.span.end
    _between(text, position, len(text), lines)
    end = "\r\n" if "\r\n" in text else "\n"
    formatted = "".join(line + end for line in lines)
    # A comment before datasets that move to the head may end its statement now, where it is laid out otherwise.
    again = SourceText(source.path, formatted)
    moved = any(_moved_datasets(text, statement) for statement in script.statements)
    return format_script(again, renaming) if moved else formatted


def canonical_keywords(text: str, statement: Statement) -> dict[int, str]:
    """Return the present word for every older one of the language, by where it begins."""
    found: dict[int, str] = {}
    for clause in (*((statement.clause,) if isinstance(statement, nodes.SetStatement) else ()), *statement.clauses):
        old = _OLDER.get(type(clause))
        for word in words(text, clause.span.start, clause.span.end) if old else ():
            if old and word.text == old[0]:
                found[word.start] = old[1]
    if isinstance(statement, nodes.ClaimStatement) and statement.relation == "same":
        between = list(words(text, statement.left.span.end, statement.right.span.start))
        found |= {word.start: _SAME.get(word.text, word.text) for word in between if not word.comment}
    return found


def _moved_datasets(text: str, statement: Statement) -> int | None:
    """Return where the `on` before the datasets of an experiment or claim stands, if a clause stands before it."""
    on = nodes.CompareStatement | nodes.EstimateStatement | nodes.ClaimStatement
    if not isinstance(statement, on) or not statement.clauses:
        return None
    end = statement.datasets[0].span.start if statement.datasets else statement.span.end
    before = words(text, statement.clauses[0].span.start, end) if statement.clauses[0].span.start < end else ()
    return max((word.start for word in before if word.text == "on"), default=None)


def _between(text: str, start: int, end: int, lines: list[str]) -> None:
    """Add the comments between two statements, with at most one blank line in a row, none at the top or the bottom."""
    position = start
    after_statement = bool(lines)
    for comment in comments(text, start, end):
        gap = text[position : comment.start]
        if after_statement and position == start and not comment.own_line and not _has_comment(lines[-1]):
            lines[-1] += "  " + comment.text
        else:
            if _blank(gap) and lines:
                lines.append("")
            # A comment set in right below a statement belongs to it.
            below = after_statement and not _blank(text[start : comment.start])
            indented = below and not _at_margin(text, comment.start)
            lines.append((CLAUSE if indented else "") + comment.text)
        position = comment.end
    if end < len(text) and _blank(text[position:end]) and lines:
        lines.append("")


def _has_comment(line: str) -> bool:
    return any(word.comment for word in words(line, 0, len(line)))


def _blank(gap: str) -> bool:
    return gap.replace("\r\n", "\n").replace("\r", "\n").count("\n") > 1


def _at_margin(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in "\r\n\ufeff"


def format_statement(text: str, statement: Statement, renamed: Mapping[int, str] = NO_NAMES) -> list[str]:
    """Return the lines of one statement, comments inside it included."""
    chunks = _chunks(text, statement, {**canonical_keywords(text, statement), **renamed})
    if not any(word.comment for chunk in chunks for word in chunk):
        line = _one_line([_text(chunk) for chunk in chunks])
        if len(line) <= WIDTH:
            return [line]
    lines: list[str] = []
    for number, chunk in enumerate(chunks):
        _lay(chunk, CLAUSE if number else "", lines)
    return lines


def _one_line(chunks: list[str]) -> str:
    head, *clauses = chunks
    if not clauses:
        return head
    spoken = head.split(" ")[0] in _SPOKEN or head.endswith(" described as") or clauses[0].startswith("because ")
    first = " " if spoken else ", "
    return head + first + ", ".join(clauses)


def _chunks(text: str, statement: Statement, renamed: Mapping[int, str]) -> list[list[Word]]:
    """Return the words of the head and of each clause; commas between clauses are left out and come back where needed.

    The datasets belong to the head, also where they stand after a clause: `compare a vs b using 10cv on iris`.
    """
    clauses = statement.clauses
    ends = {clause.span.start: clause.span.end for clause in clauses}
    bare = needless_quotes(text, statement)
    moved = _moved_datasets(text, statement)
    head: list[Word] = []
    chunks = [head]
    chunk, end = head, statement.span.end
    for word in words(text, statement.span.start, statement.span.end):
        if word.start in ends and head:
            _end_with_no_comma(chunk)
            chunk, end = [], ends[word.start]
            chunks.append(chunk)
        elif word.start == moved:
            chunk = head
        elif moved and word.text == "because" and chunk is head and moved < word.start < end:
            chunk = chunks[-1]  # the reason of the clause before the datasets: `allow EV401 on iris because "..."`
        if not word.parting:
            new = renamed.get(word.start) or (word.text[1:-1] if word.start in bare else word.text)
            chunk.append(replace(word, text=new) if new != word.text else word)
    # Without a comma the next reason would be read as that of `expecting`.
    for one, two in pairwise(clauses):
        if isinstance(one, nodes.Expecting) and one.reason is None and isinstance(two, nodes.Because):
            _add_comma(chunks, one.span.start)
    return chunks


def _end_with_no_comma(chunk: list[Word]) -> None:
    """Drop the comma before a clause that no comma rule knows (`randomised`)."""
    last = max(i for i, word in enumerate(chunk) if not word.comment)
    if chunk[last].text == "," and last:
        del chunk[last]


def _add_comma(chunks: list[list[Word]], start: int) -> None:
    for chunk in chunks[:-1]:
        if chunk[0].start == start:
            last = max(i for i, word in enumerate(chunk) if not word.comment)
            chunk.insert(last + 1, Word("CLAUSE_COMMA", ",", chunk[last].end, chunk[last].end))


def _text(chunk: list[Word]) -> str:
    out: list[str] = []
    for word in chunk:
        if word.parting:
            continue  # a line has its commas from `_one_line`
        out += (space(out[-1], word.text) if out else "", word.text)
    return "".join(out)


def _lay(chunk: list[Word], indent: str, lines: list[str]) -> None:
    """Put a head or clause on lines of its own, broken at commas, `vs`, `on` and `|` when it is too long."""
    line = ""
    before = ""
    for index, word in enumerate(chunk):
        if word.comment:
            if line and not word.own_line:
                lines.append(f"{line}  {word.text}")
            else:
                if line:
                    lines.append(line)
                more = any(not chunk[later].comment for later in range(index + 1, len(chunk)))
                lines.append((CONTINUED if more else CLAUSE) + word.text)
            line = ""
            continue
        gap = space(before, word.text) if before else ""
        if line and _may_break(before, word) and len(line) + len(gap) + _run(chunk, index) > WIDTH:
            lines.append(line)
            line = ""
        line = (line + gap if line else (CONTINUED if before else indent)) + word.text
        before = word.text
    if line:
        lines.append(line)


def _may_break(before: str, after: Word) -> bool:
    """Return whether a line may end here: after a comma outside the lists of a call, or before a linking word."""
    return after.depth < 2 and (before == "," or after.text in ("vs", "|", "on", "from", "is", "because"))


def _run(chunk: list[Word], index: int) -> int:
    """Return the length of the words from here to the next place where the line may be broken."""
    length = 0
    before = ""
    for at in range(index, len(chunk)):  # no slice: each would copy all that is left of a long list
        word = chunk[at]
        if word.comment or (before and _may_break(before, word)):
            break
        length += len(word.text) + (len(space(before, word.text)) if before else 0)
        before = word.text
    return length


def space(before: str, after: str) -> str:
    """Return the white space between two tokens.

    >>> space("svm", "("), space("=", "3"), space("a", "vs")
    ('', ' ', ' ')
    """
    if after in _TIGHT_BEFORE or before in _TIGHT_AFTER or (after == "{" and before == "^"):
        return ""
    return " "


def needless_quotes(text: str, statement: Node) -> set[int]:
    """Return where quoted names begin that could be written without their quotes."""
    found: set[int] = set()
    waiting: list[object] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, Name):
            at = node.span.start
            if text.startswith('"', at) and _BARE.fullmatch(node.text) and node.text not in words_of_language():
                found.add(at)
        elif isinstance(node, Node):
            waiting.extend(getattr(node, field) for field in field_names(type(node)) if field != "span")
    return found
