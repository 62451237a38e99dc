"""Nodes of what clauses and statements are about: names, numbers, calls, grids, schemes, sources, formulas."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .text import NOWHERE, Span

# ---------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that stands somewhere in a script."""

    span: Span = field(compare=False, repr=False, default=NOWHERE, kw_only=True)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name, bare or in quotes; whether it was quoted is the formatter's business, not the tree's."""

    text: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """Text in double quotes, unescaped."""

    value: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number; `text` is how it was written, since 10, 10.0 and 1e1 mean different things to a reader."""

    value: int | float
    text: str = field(compare=False, repr=False, default="")


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """`true`, `false` or `none`."""

    value: bool | None


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """A fraction (`20%`, `1/5`, `0.2`), a number of rows (`500 rows`), points (`1 point`) or a bare number.

    `value` is the fraction for `%`, `/` and points (`1 point` is 0.01), else the number itself.
    """

    value: float
    unit: Literal["", "%", "/", "rows", "points"]
    text: str = field(compare=False, repr=False, default="")


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """A list of values in square brackets, for parameters such as `hidden_layer_sizes = [64, 32]`."""

    items: tuple[Value, ...]


Value = Number | Text | Constant | Amount | Sequence | Name


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """`name = value` between brackets."""

    name: Name
    value: Value


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A learner, step, test, metric or generator by name, with its arguments; `code` when it is `"package:Class"`."""

    name: Name
    arguments: tuple[Argument, ...] = ()
    code: bool = False


@dataclass(frozen=True, slots=True)
class Configured(Name):
    """A learner named where it is used, with parameters: `random-forest(n_estimators = 30)`, which is its text."""

    call: Call


@dataclass(frozen=True, slots=True)
class ConditionNode(Node):
    """`"age" > 18`"""

    column: Text
    relation: Literal["is", "is not", "<", "<=", ">", ">="]
    value: Value


@dataclass(frozen=True, slots=True)
class Described(Node):
    """`described as ...` in place of a source or a pipeline: nothing here can be opened or trained."""

    text: Text | None = None


# ---------------------------------------------------------------- grids


@dataclass(frozen=True, slots=True)
class GridSet(Node):
    """`{1, 2, 4}`"""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class GridRange(Node):
    """`1..26`, both ends tried."""

    start: Number
    stop: Number


@dataclass(frozen=True, slots=True)
class GridPowers(Node):
    """`10^{-3..3}`"""

    base: Number
    start: Number
    stop: Number


@dataclass(frozen=True, slots=True)
class GridLog(Node):
    """`log(0.001, 1000, 7)`: that many values, evenly spaced on a logarithmic scale."""

    low: Number
    high: Number
    count: Number


Grid = GridSet | GridRange | GridPowers | GridLog


@dataclass(frozen=True, slots=True)
class TunedParameter(Node):
    """`C in 10^{-3..3}` or `pca.n_components in {2, 5}`"""

    name: Name
    grid: Grid


# ---------------------------------------------------------------- schemes


@dataclass(frozen=True, slots=True)
class SchemeNode(Node):
    """What follows `using`; `kind` is a kind of catalogue/schemes.py.

    `count` is N of partitions, resamples, trainings, bootstrap and forward, or R of RxKcv; `folds` is K;
    `part` is the fraction or rows of holdout and resamples; `rows` is M of `N trainings of M` and of
    `forward N trainings of M`; `looks` of a guarded holdout is how often it may be asked; `halvings` is N of
    `N halvings of RxKcv`.
    """

    kind: str
    count: int | None = None
    folds: int | None = None
    halvings: int | None = None
    part: Amount | None = None
    rows: int | None = None
    looks: int | None = None
    stratified: bool | None = None  # None: not said
    grouped: bool = False


# ---------------------------------------------------------------- sources and formulas


@dataclass(frozen=True, slots=True)
class DataSource(Node):
    """`csv "credit.csv"(separator = ";")`, `openml 1596`, `synthetic gaussians(n = 300)`; the reader comes first."""

    reader: Name
    locator: Text | Number | Call
    options: tuple[Argument, ...] = ()

    @property
    def kind(self) -> str:
        """The reader by name."""
        return self.reader.text


@dataclass(frozen=True, slots=True)
class FormulaNode(Node):
    """`accuracy ~ learner | dataset / fold`"""

    response: Name
    treatment: Name
    blocks: tuple[Name, ...]
