"""The tokens of a script with what each stands for, as editors colour them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..codec import field_names
from ..language import nodes
from ..language.grammar import words, words_of_language
from ..language.parser import split_statements
from .navigation import mentions
from .workspace import ScriptReading

# The protocol's own names, in the order in which the server announces them.
KINDS = ("keyword", "variable", "class", "function", "method", "parameter", "string", "number", "operator", "comment",
         "enumMember", "namespace")  # fmt: skip
_OF_MENTION = {
    "learner": "class", "dataset": "variable", "suite": "variable", "results": "variable", "predictions": "variable",
    "data": "variable", "comparison": "namespace",
}  # fmt: skip


def tokens(reading: ScriptReading) -> Iterator[tuple[int, int, str, bool]]:
    """Yield where every token begins and ends, its kind, and whether it defines a name.

    Signs other than operators are left to the editor.
    """
    text = reading.source.text
    named: dict[int, tuple[str, bool]] = {}
    for statement in reading.statements:
        _name(statement, named)
        for one in mentions(statement):
            named[one.span.start] = (_OF_MENTION[one.kind], one.defines)
    starts = [start for start, _ in split_statements(text)]
    for start, end in pairwise([0, *starts, len(text)]):  # each is read alone, as the parser does
        for word in words(text, start, end):
            kind, declares = named.get(word.start, (_plain(word.text, word.comment), False))
            if kind:
                yield word.start, word.start + len(word.text), kind, declares


def _plain(word: str, comment: bool) -> str:
    if comment:
        return "comment"
    if word[0] == '"':
        return "string"
    if word[0].isdigit() or word[0] == "-":
        return "number"
    if word[0].isalpha() and word in words_of_language():
        return "keyword"
    if word[0].isalpha():
        return "variable"
    return "operator" if word in ("|", "~", "=", "^", "..", "/") else ""


def _name(node: nodes.Node, named: dict[int, tuple[str, bool]]) -> None:
    """Return names that stand for something of the catalogue, and parameters."""
    if isinstance(node, nodes.Call):
        named[node.name.span.start] = ("function", False)
    elif isinstance(node, nodes.Argument | nodes.TunedParameter | nodes.Setting):
        named[node.name.span.start] = ("parameter", False)
    elif isinstance(node, nodes.Allow):
        named[node.code.span.start] = ("enumMember", False)
    elif isinstance(node, nodes.Correct):
        named[node.method.span.start] = ("method", False)
    for field in field_names(type(node)):
        value = getattr(node, field)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, nodes.Node):
                _name(item, named)
