"""From a recognised rule to its node: one function per rule of the grammar, called while Lark parses."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import nodes as n
from .lexer import Token
from .text import Edit, Fix, Span

LONGEST_NUMBER = 100  # characters
Children = list[Any]


class Problem(Exception):
    """A syntax mistake: where, what, what to do, and the word that was probably meant."""

    def __init__(self, span: Span, message: str, help: str = "", fix: Fix | None = None, meant: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.help = help
        self.fix = fix
        self.meant = meant


class Flawed:
    """A statement that could be read although a clause of it is wrong."""

    __slots__ = ("problem", "span", "statement")

    def __init__(self, statement: n.Statement, problem: Problem) -> None:
        self.statement = statement
        self.problem = problem
        self.span = statement.span


class NodePart:
    """Something between a rule and a node (the learners of a comparison), with its place."""

    __slots__ = ("span", "value")

    def __init__(self, span: Span, value: Any) -> None:
        self.span = span
        self.value = value


@dataclass(frozen=True, slots=True)
class Within(n.Node):
    """`within 1%`, before it becomes a field of the claim."""

    width: n.Amount


@dataclass(frozen=True, slots=True)
class AsFormat(n.Node):
    """`as latex`, before it becomes a field of the report."""

    format: str


# ---------------------------------------------------------------- values


def whole(token: Token, digits: str | None = None) -> int:
    """The whole number of a token, or of some digits of it (`10` of `10cv`)."""
    text = token.text if digits is None else digits
    _check_length(token, text)
    return int(text)


def _check_length(token: Token, text: str) -> None:
    if len(text) > LONGEST_NUMBER:
        raise Problem(
            token.span,
            f"this number has {len(text):,} characters",
            f"write it with at most {LONGEST_NUMBER}, for example in the form 1e30",
        )


def _value_of(token: Token) -> int | float:
    text = token.text
    _check_length(token, text)
    if token.type == "INT" or text.lstrip("-").isdigit():
        return int(text)
    value = float(text)
    if math.isinf(value):
        raise Problem(token.span, f"the number {text} is too large to be held", "the largest is about 1.8e308")
    return value


def _share_of(token: Token) -> n.Amount:
    text = token.text
    _check_length(token, text)
    if token.type == "PERCENT":
        return n.Amount(float(text[:-1]) / 100, "%", text, span=token.span)
    above, below = text.split("/")
    if int(below) == 0:
        raise Problem(token.span, f"{text} divides by zero", "a fraction such as 1/3 has a number above zero below")
    return n.Amount(int(above) / int(below), "/", text, span=token.span)


def number(span: Span, c: Children) -> n.Number:
    return n.Number(_value_of(c[0]), c[0].text, span=span)


def share(span: Span, c: Children) -> n.Amount:
    return _share_of(c[0])


def amount(span: Span, c: Children) -> n.Amount:
    first: Token = c[0]
    if first.type in ("PERCENT", "FRACTION"):
        return _share_of(first)
    value = float(_value_of(first))
    if len(c) == 1:
        return n.Amount(value, "", first.text, span=span)
    text = f"{first.text} {c[1].text}"
    if c[1].type in ("ROWS", "ROW"):
        return n.Amount(value, "rows", text, span=span)
    return n.Amount(value / 100, "points", text, span=span)


def _unquoted(token: Token) -> str:
    return token.text[1:-1].replace('""', '"')


def text(span: Span, c: Children) -> n.Text:
    return n.Text(_unquoted(c[0]), span=span)


def name(span: Span, c: Children) -> n.Name:
    token: Token = c[0]
    said = token.text
    if token.type == "STRING":
        said = _unquoted(token)
        if not said.strip():
            raise Problem(span, "a name may not be empty", "write at least one character between the quotes")
    if not said.isascii():
        said = unicodedata.normalize("NFC", said)
    return n.Name(said, span=span)


def constant(span: Span, c: Children) -> n.Constant:
    return n.Constant({"true": True, "false": False, "none": None}[c[0].text], span=span)


def sequence(span: Span, c: Children) -> n.Sequence:
    return n.Sequence(_nodes(c), span=span)


def _nodes(c: Children) -> tuple[Any, ...]:
    return tuple(x for x in c if x.__class__ is not Token)


def argument(span: Span, c: Children) -> n.Argument:
    said = c[1]
    if said.__class__ is n.Name and said.text in ("True", "False", "None"):
        plain = said.text.lower()
        fix = Fix(f"write `{plain}`", (Edit(said.span, plain),))
        raise Problem(said.span, f"`{said.text}` is not a value of the language", f"write `{plain}`", fix, plain)
    return n.Argument(c[0], c[1], span=span)


def arguments(span: Span, c: Children) -> NodePart:
    given: tuple[n.Argument, ...] = _nodes(c)
    seen: set[str] = set()
    for one in given:
        if one.name.text in seen:
            raise Problem(one.span, f"`{one.name.text}` is given twice between the brackets", "keep one of the two")
        seen.add(one.name.text)
    return NodePart(span, given)


def call(span: Span, c: Children) -> n.Call:
    token: Token = c[0]
    called = name(token.span, [token])
    given = c[1].value if len(c) > 1 else ()
    return n.Call(called, given, token.type == "STRING" and ":" in called.text, span=span)


def configured(span: Span, c: Children) -> n.Configured:
    """A learner with its parameters, under the name that says them."""
    said = call(span, c)
    given = ", ".join(f"{one.name.text} = {_written(one.value)}" for one in said.arguments)
    return n.Configured(call=said, text=f"{said.name.text}({given})", span=span)


def _written(value: n.Value) -> str:
    """A value as the language writes it."""
    if isinstance(value, n.Sequence):
        return f"[{', '.join(map(_written, value.items))}]"
    if isinstance(value, n.Text):
        quoted = value.value.replace('"', '""')
        return f'"{quoted}"'
    if isinstance(value, n.Constant):
        return "none" if value.value is None else str(value.value).lower()
    return value.text


def grid_set(span: Span, c: Children) -> n.GridSet:
    return n.GridSet(_nodes(c), span=span)


def grid_range(span: Span, c: Children) -> n.GridRange:
    return n.GridRange(c[0], c[1], span=span)


def grid_powers(span: Span, c: Children) -> n.GridPowers:
    return n.GridPowers(c[0], c[1], c[2], span=span)


def grid_log(span: Span, c: Children) -> n.GridLog:
    low, high, count = _nodes(c)
    return n.GridLog(low, high, count, span=span)


def source(span: Span, c: Children) -> n.DataSource:
    reader = n.Name(c[0].text, span=c[0].span)
    return n.DataSource(reader, c[1], c[2].value if len(c) > 2 else (), span=span)


def formula(span: Span, c: Children) -> n.FormulaNode:
    return n.FormulaNode(c[0], c[1], tuple(c[2:]), span=span)


Build = Callable[[Span, Children], Any]

BUILD: dict[str, Build] = {
    "number": number,
    "whole": number,
    "share": share,
    "amount": amount,
    "text": text,
    "name": name,
    "bare_name": name,
    "column": name,
    "first_name": name,
    "first_dataset": name,
    "constant": constant,
    "sequence": sequence,
    "argument": argument,
    "arguments": arguments,
    "call": call,
    "configured": configured,
    "grid_set": grid_set,
    "grid_range": grid_range,
    "grid_powers": grid_powers,
    "grid_log": grid_log,
    "source": source,
    "formula": formula,
    "tuned_parameter": lambda span, c: n.TunedParameter(c[0], c[1], span=span),
    "pipeline": lambda span, c: NodePart(span, tuple(c)),
    "datasets": lambda span, c: NodePart(span, tuple(c)),
}
