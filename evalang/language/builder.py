"""From a recognised rule to its node: a method of `NodeBuilder`, or a node class that takes the parts as they come.

Lark calls these while it parses, so a wrong value is reported before anything that follows it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, get_args

from lark import Token, Transformer

from . import nodes as n
from .nodes import ROWS, ClauseRow
from .text import Edit, Fix, Span

LONGEST_NUMBER = 100  # characters
Children = list[Any]


class PlacedToken(Token):
    """A token that knows where it stands in the script."""

    __slots__ = ("span",)
    span: Span


class Problem(Exception):
    """A syntax mistake: where, what, what to do, and the word that was probably meant."""

    unexpected = False  # whether a token did not fit; else a value is wrong, and the statement can be read to its end

    def __init__(self, span: Span, message: str, help: str = "", fix: Fix | None = None, meant: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.help = help
        self.fix = fix
        self.meant = meant


@dataclass(slots=True)
class StatementWithError:
    """A statement that could be read although a clause of it is wrong."""

    statement: n.Statement
    problem: Problem


Result = n.Statement | StatementWithError


@dataclass(frozen=True, slots=True)
class _Datasets(n.Node):
    """The datasets of a comparison or claim, until they become a field of it."""

    names: tuple[n.Name, ...]


@dataclass(frozen=True, slots=True)
class _EarlierLooks(n.Node):
    """`everything so far within 50 looks`, until it becomes a field of the correction."""

    looks: n.Number | None = None


def _parts(children: Iterable[Any]) -> Children:
    """Return the children that are nodes, without words and signs."""
    return [child for child in children if child.__class__ is not PlacedToken]


def _tokens(children: Iterable[Any]) -> list[PlacedToken]:
    return [child for child in children if child.__class__ is PlacedToken]


def _span(c: Children) -> Span:
    """Return the stretch from the first part of a rule to its last."""
    first, last = c[0].span, c[-1].span
    return first if first is last else Span(first.path, first.start, last.end)


class NodeBuilder(Transformer[Token, Any]):
    """Builds the nodes of statements."""

    # ------------------------------------------------------------ values

    def number(self, c: Children) -> n.Number:
        return n.Number(self._number_value(c[0]), str(c[0]), span=_span(c))

    whole = number

    def _number_value(self, token: PlacedToken) -> int | float:
        self._check_length(token, token)
        if token.type == "INT" or token.lstrip("-").isdigit():
            return int(token)
        value = float(token)
        if math.isinf(value):
            message = f"the number {token} is too large"
            raise Problem(token.span, message, "the largest is about 1.8e308")
        return value

    def _check_length(self, token: PlacedToken, digits: str) -> None:
        if len(digits) > LONGEST_NUMBER:
            help = f"write it with at most {LONGEST_NUMBER}, for example in the form 1e30"
            raise Problem(token.span, f"this number has {len(digits):,} characters", help)

    def share(self, c: Children) -> n.Amount:
        token: PlacedToken = c[0]
        text = str(token)
        self._check_length(token, text)
        if token.type == "PERCENT":
            return n.Amount(float(text[:-1]) / 100, "%", text, span=_span(c))
        above, below = text.split("/")
        if int(below) == 0:
            help = "the number below the `/` must be above zero"
            raise Problem(token.span, f"{text} divides by zero", help)
        return n.Amount(int(above) / int(below), "/", text, span=_span(c))

    def amount(self, c: Children) -> n.Amount:
        if c[0].type in ("PERCENT", "FRACTION"):
            return self.share(c)
        if c[0].type == "POINTS_SHORT":  # 1pt is 1 point
            text = str(c[0]).removesuffix("pt")
            return n.Amount(float(text) / 100, "points", f"{text} point{'s' * (text != '1')}", span=_span(c))
        value = float(self._number_value(c[0]))
        text = " ".join(c)
        if len(c) == 1:
            return n.Amount(value, "", text, span=_span(c))
        if c[1].type in ("ROWS", "ROW"):
            return n.Amount(value, "rows", text, span=_span(c))
        return n.Amount(value / 100, "points", text, span=_span(c))

    def text(self, c: Children) -> n.Text:
        return n.Text(_unquoted(c[0]), span=_span(c))

    def column_name(self, c: Children) -> n.Text:
        return self.text(c) if c[0].type == "STRING" else n.Text(str(c[0]), span=_span(c))

    def name(self, c: Children) -> n.Name:
        token: PlacedToken = c[0]
        text = str(token)
        if token.type == "STRING":
            text = _unquoted(token)
            if not text.strip():
                help = "write at least one character between the quotes"
                raise Problem(token.span, "a name may not be empty", help)
        return n.Name(text if text.isascii() else unicodedata.normalize("NFC", text), span=_span(c))

    bare_name = column = first_name = first_dataset = name

    def constant(self, c: Children) -> n.Constant:
        return n.Constant({"true": True, "false": False, "none": None}[c[0]], span=_span(c))

    def argument(self, c: Children) -> n.Argument:
        name, value = _parts(c)
        if value.__class__ is n.Name and value.text in ("True", "False", "None"):
            plain = value.text.lower()
            fix = Fix(f"write `{plain}`", (Edit(value.span, plain),))
            message = f"`{value.text}` is not a value of the language"
            raise Problem(value.span, message, f"write `{plain}`", fix, plain)
        return n.Argument(name, value, span=_span(c))

    def call(self, c: Children) -> n.Call:
        token: PlacedToken = c[0]
        called = self.name([token])
        code = token.type == "STRING" and ":" in called.text
        return n.Call(called, _arguments(c[1:]), code, span=_span(c))

    def paired_test(self, c: Children) -> n.Call:
        """Return `paired t-test` under one name."""
        called = n.Name(f"{c[0]} {c[1]}", span=_span(c[:2]))
        return n.Call(called, _arguments(c[2:]), span=_span(c))

    def configured(self, c: Children) -> n.Configured:
        """Return a learner with its parameters, under the name that states them."""
        call = self.call(c)
        given = ", ".join(f"{one.name.text} = {_written(one.value)}" for one in call.arguments)
        return n.Configured(call=call, text=f"{call.name.text}({given})", span=call.span)

    def source(self, c: Children) -> n.DataSource:
        reader = n.Name(str(c[0]), span=c[0].span)
        return n.DataSource(reader, c[1], _arguments(c[2:]), span=_span(c))

    def formula(self, c: Children) -> n.FormulaNode:
        response, treatment, *blocks = _parts(c)
        return n.FormulaNode(response, treatment, tuple(blocks), span=_span(c))

    # ------------------------------------------------------------ schemes

    def scheme(self, c: Children) -> n.SchemeNode:
        scheme: n.SchemeNode = c[-1]
        if len(c) == 1:
            return scheme
        words = _tokens(c)
        stratified = True if "stratified" in words else False if "unstratified" in words else None
        return replace(scheme, stratified=stratified, grouped="grouped" in words, span=_span(c))

    def division(self, kind: str, names: tuple[str, ...], c: Children) -> n.SchemeNode:
        """Return a way to divide rows; its numbers and parts in their order are the fields `names`."""
        values: Children = []
        for item in c:
            if isinstance(item, n.Amount):
                values.append(item)
            elif item[0].isdigit():  # 10, or 10 of 10cv, or both numbers of 10x5cv
                for digits in re.findall("[0-9]+", item):
                    self._check_length(item, digits)
                    values.append(int(digits))
        given = dict(zip(names, values, strict=False))
        if c[-1] == "5x2cv":
            kind, given["folds"] = "partitions-5x2cv" if kind == "partitions-cv" else "5x2cv", 2
        return n.SchemeNode(kind, span=_span(c), **given)

    # ------------------------------------------------------------ clauses

    def positive(self, c: Children) -> n.Positive:
        return n.Positive(tuple(_parts(c)), c[-1] == "rest", span=_span(c))

    def condition(self, c: Children) -> n.ConditionNode:
        relation: Any = " ".join(_tokens(c))
        return n.ConditionNode(c[0], relation, c[-1], span=_span(c))

    def threshold_on(self, c: Children) -> n.ThresholdOn:
        part = c[2] if isinstance(c[2], n.Amount) else None
        metric = c[-1] if isinstance(c[-1], n.Call) else None
        return n.ThresholdOn(part, metric, c[2] == "test", span=_span(c))

    def correct(self, c: Children) -> n.Correct:
        method = n.Name(str(c[0]), span=c[0].span)
        scopes = [one for one in c[2:] if one != ","]
        over: Any = tuple("everything-so-far" if one.__class__ is _EarlierLooks else str(one) for one in scopes)
        looks = [one.looks for one in _parts(scopes) if one.looks is not None]
        return n.Correct(method, over, looks[0] if looks else None, span=_span(c))

    def with_(self, c: Children) -> n.With:
        return n.With(_settings(_parts(c)), span=_span(c))

    def setting(self, c: Children) -> n.Setting:
        return n.Setting(c[0], (c[1],), span=_span(c))

    def seed_between(self, c: Children) -> n.Seed | n.SeedBetween:
        """Return the seed clause of a simulation, with the settings that follow it."""
        seed = n.Seed(c[1], span=_span(c[:2]))
        settings = _settings(_parts(c[2:]))
        return n.SeedBetween(seed, settings, span=_span(c)) if settings else seed

    def datasets(self, c: Children) -> _Datasets:
        return _Datasets(tuple(_parts(c)), span=_span(c))

    # ------------------------------------------------------------ statements

    def described_dataset(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        read.head.append(n.Described(span=read.clauses[0].span))
        return read.statement(n.DatasetStatement)

    def suite(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        read.head[1:] = [tuple(read.head[1:])]
        return read.statement(n.SuiteStatement)

    def suite_from(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        source = read.head.pop()
        return read.statement(n.SuiteStatement, members=(), source=source)

    def learner(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        read.head[1:] = [tuple(read.head[1:])]
        return read.statement(n.LearnerStatement)

    def described_learner(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        read.head[1] = n.Described(read.head[1], span=read.head[1].span)
        return read.statement(n.LearnerStatement)

    def compare(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        *learners, datasets = read.head
        read.head = [tuple(learners), datasets.names]
        return read.statement(n.CompareStatement, this_classifier=c[1] == "this")

    def estimate(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        read.head[1] = read.head[1].names
        return read.statement(n.EstimateStatement, this_classifier=c[1] == "this")

    def claim(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        left, right, *population = read.head
        words = _tokens(c)
        within = read.take(n.Within)
        listed = population[0].names if population and population[0].__class__ is _Datasets else tuple(population)
        relation = next(relation for word, relation in _RELATIONS.items() if word in words)
        read.head = [left, relation, right, within.width if within else None, listed]
        given = {"new_datasets": "new" in words, "each": "each" in words, "this_classifier": c[1] == "this"}
        return read.statement(n.ClaimStatement, **given)

    def simulate(self, c: Children) -> Result:
        read = _Read(_joined_settings(c), _span(c))
        read.head = [str(c[1]), tuple(read.head)]
        return read.statement(n.SimulateStatement)

    def report(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        form = read.take(n.AsFormat)
        *subject, to = read.head
        read.head = [subject[0] if subject else None, to, form.format if form else None]
        return read.statement(n.ReportStatement)

    def set(self, c: Children) -> Result:
        read = _Read(c, _span(c))
        setting, *read.clauses = (*read.head, *read.clauses)  # `strict` is a clause of no other statement
        read.head = [setting]
        return read.statement(n.SetStatement)


_RELATIONS = {"no": "no-worse", "better": "better", "same": "same", "equivalent": "same"}


def _unquoted(token: PlacedToken) -> str:
    return token[1:-1].replace('""', '"')


def _arguments(c: Children) -> tuple[n.Argument, ...]:
    given: tuple[n.Argument, ...] = tuple(_parts(c))
    seen: set[str] = set()
    for one in given:
        if one.name.text in seen:
            raise Problem(one.span, f"`{one.name.text}` is given twice between the brackets", "keep one of the two")
        seen.add(one.name.text)
    return given


def _written(value: n.Value) -> str:
    """Return a value as the language writes it."""
    if isinstance(value, n.Sequence):
        return f"[{', '.join(map(_written, value.items))}]"
    if isinstance(value, n.Text):
        quoted = value.value.replace('"', '""')
        return f'"{quoted}"'
    if isinstance(value, n.Constant):
        return "none" if value.value is None else str(value.value).lower()
    return value.text


def _settings(items: Children) -> tuple[n.Setting, ...]:
    """Return settings with all their values: in `error 10%, 20%` a bare amount belongs to the word before it."""
    settings: list[n.Setting] = []
    for item in items:
        if isinstance(item, n.Setting):
            settings.append(item)
        else:
            last = settings[-1]
            together = Span(last.span.path, last.span.start, item.span.end)
            settings[-1] = n.Setting(last.name, (*last.values, item), span=together)
    return tuple(settings)


def _joined_settings(items: Children) -> Children:
    """Return the parts of a simulation; settings after a seed (`with n 300, seed 1, trials 1000`) join those before."""
    out: Children = []
    for item in items:
        if item.__class__ is not n.SeedBetween:
            out.append(item)
            continue
        out.append(item.seed)
        at = next((i for i, one in enumerate(out) if one.__class__ is n.With), None)
        if at is None:
            word = item.settings[0].name
            message = f"the setting `{word.text}` needs `with` before it"
            raise Problem(word.span, message, "write `with` before the first setting")
        first: n.With = out[at]
        out[at] = n.With((*first.settings, *item.settings), span=first.span)
    return out


class _Read:
    """The parts of a statement: its head, its clauses (each once, reasons where they belong), the first mistake."""

    def __init__(self, c: Children, span: Span) -> None:
        self.span = span
        self.head: Children = []
        self.clauses: Children = []
        self.problem: Problem | None = None
        answered: set[str] = set()
        comma = False
        for item in c:
            row = ROWS.get(item.__class__)
            if item.__class__ is not PlacedToken:
                self._add(item, row, comma, answered)
            comma = item == ","

    def _add(self, item: Any, row: ClauseRow | None, comma: bool, answered: set[str]) -> None:
        if row is None:
            self.head.append(item)
        elif item.__class__ is n.Because and self.clauses and _takes_reason(self.clauses[-1], comma):
            last = self.clauses[-1]
            whole = Span(last.span.path, last.span.start, item.span.end)
            self.clauses[-1] = replace(last, reason=item.reason, span=whole)
        elif row.repeatable or row.question not in answered:
            answered.add(row.question)
            self.clauses.append(item)
        elif self.problem is None:
            self.problem = _twice(item.span, row.name)

    def take(self, kind: type[Any]) -> Any:
        """Remove and return the clause of a kind that becomes a field of its statement."""
        found = next((clause for clause in self.clauses if clause.__class__ is kind), None)
        self.clauses = [clause for clause in self.clauses if clause is not found]
        return found

    def statement(self, kind: Any, **given: Any) -> Result:
        """Return the statement with this head, and with its mistake where there is one."""
        statement = kind(*self.head, clauses=tuple(self.clauses), span=self.span, **given)
        return statement if self.problem is None else StatementWithError(statement, self.problem)


def _takes_reason(last: Any, comma: bool) -> bool:
    """Return whether a clause takes the `because` after it; `expecting` does only if no comma is between."""
    if last.__class__ is n.MissingAnswers:
        return last.policy == "left-out" and last.reason is None
    if last.__class__ is n.Allow:
        return last.reason is None
    return last.__class__ is n.Expecting and last.reason is None and not comma


def _twice(span: Span, name: str) -> Problem:
    said = name if name.startswith("a ") else f"`{name}`"
    help = "keep one of the two; only `allow`, `copied from` and `join classes` may be repeated"
    return Problem(span, f"{said} is given twice in this statement", help)


# What a word of the grammar stands for in a node, where that is not the word itself.
_MEANINGS = {
    "day": "days", "row": "rows", "minute": "minutes", "hour": "hours",
    "fold": "leave-out",  # failures leave out the fold
    "out": "left-out",  # missing left out
}  # fmt: skip


def _maker(node: type[n.Node]) -> Callable[[NodeBuilder, Children], n.Node]:
    """Return what builds a node from the parts of its rule, which are its fields in order."""
    kinds = [str(field.type) for field in fields(node) if field.name != "span"]
    make: Callable[..., n.Node] = node

    def build(self: NodeBuilder, c: Children) -> n.Node:
        parts = _parts(c)
        given: Children = []
        for number, kind in enumerate(kinds, start=1):
            if kind.startswith("Literal"):
                given.append(_MEANINGS.get(c[-1], str(c[-1])))
            elif kind.startswith("tuple"):
                count = len(parts) - (len(kinds) - number)
                given.append(tuple(parts[:count]))
                del parts[:count]
            elif kind == "Amount | None" and not (parts and isinstance(parts[0], n.Amount)):
                given.append(None)  # a word stands in place of a part of the rows
            elif parts:
                given.append(parts.pop(0))
        return make(*given, span=_span(c))

    return build


def _divider(kind: str, *names: str) -> Callable[[NodeBuilder, Children], n.SchemeNode]:
    return lambda self, c: self.division(kind, names, c)


def _statement(node: type[n.Node]) -> Callable[[NodeBuilder, Children], Result]:
    return lambda self, c: _Read(c, _span(c)).statement(node)


_OTHER_NODES: dict[str, type[n.Node]] = {
    "alpha": n.At,
    "grid_log": n.GridLog,
    "grid_powers": n.GridPowers,
    "grid_range": n.GridRange,
    "grid_set": n.GridSet,
    "sequence": n.Sequence,
    "so_far": _EarlierLooks,
    "strict": n.Strict,
    "tuned_parameter": n.TunedParameter,
}
_BUILT: dict[str, Callable[[NodeBuilder, Children], Any]] = {
    **{rule: _maker(node) for rule, node in _OTHER_NODES.items()},
    **{row.rule: _maker(node) for node, row in ROWS.items()},
    "with": NodeBuilder.with_,
    # statements, unless they have a method: their parts are their fields
    **{kind.__name__.removesuffix("Statement").lower(): _statement(kind) for kind in get_args(n.Statement)},
    # schemes
    "holdout": _divider("holdout", "part"),
    "guarded_holdout": _divider("guarded-holdout", "part", "looks"),
    "cv": _divider("cv", "folds"),
    "repeated_cv": _divider("repeated-cv", "count", "folds"),
    "partitions": _divider("partitions-cv", "count", "folds"),
    "halvings": _divider("halvings", "halvings", "count", "folds"),
    "resamples": _divider("resamples", "count", "part"),
    "trainings": _divider("trainings", "count", "rows"),
    "leave_one_out": _divider("leave-one-out"),
    "bootstrap": _divider("bootstrap", "count"),
    "forward": _divider("forward", "count", "rows"),
    "given_folds": _divider("given-folds"),
    "given_test": _divider("given-test"),
}
for _rule, _build in _BUILT.items():
    if not hasattr(NodeBuilder, _rule):
        setattr(NodeBuilder, _rule, _build)
