"""The syntax tree: one frozen record per construct, each with the span it stands on.

Spans and spellings do not take part in comparison, so two trees are equal when they say the same. The statements stand
here; their clauses and values are in clauses.py and values.py and have their names here too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .clauses import *  # noqa: F403
from .clauses import Clause
from .values import *  # noqa: F403
from .values import Amount, Call, DataSource, Described, Name, Node, Text

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class DatasetStatement(Node):
    name: Name
    source: DataSource | Described
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class SuiteStatement(Node):
    """A list of datasets, or (with a source and no members) every file of a folder."""

    name: Name
    members: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    source: DataSource | None = None


@dataclass(frozen=True, slots=True)
class LearnerStatement(Node):
    name: Name
    pipeline: tuple[Call, ...] | Described
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultsStatement(Node):
    name: Name
    source: DataSource
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class PredictionsStatement(Node):
    name: Name
    source: DataSource
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class CompareStatement(Node):
    """`learners` is empty for `compare all on ...`."""

    learners: tuple[Name, ...]
    datasets: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


@dataclass(frozen=True, slots=True)
class EstimateStatement(Node):
    learner: Name
    datasets: tuple[Name, ...]
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


@dataclass(frozen=True, slots=True)
class ClaimStatement(Node):
    """`datasets` is empty without `on`, and for `on new datasets`; `each` is for `on each of`."""

    left: Name
    relation: Literal["better", "no-worse", "same"]
    right: Name
    within: Amount | None
    datasets: tuple[Name, ...]
    new_datasets: bool = False
    each: bool = False
    clauses: tuple[Clause, ...] = ()
    this_classifier: bool = False


@dataclass(frozen=True, slots=True)
class SimulateStatement(Node):
    kind: Literal["type-I", "power"]
    subjects: tuple[Call, ...]
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportStatement(Node):
    subject: Name | None
    to: Text
    format: Literal["html", "markdown", "latex", "json"] | None = None
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class SetStatement(Node):
    """`set seed 20`: a default for the statements below it, held as the clause it stands for."""

    clause: Clause
    clauses: tuple[Clause, ...] = ()  # `because` and `allow` only


@dataclass(frozen=True, slots=True)
class IncludeStatement(Node):
    path: Text
    clauses: tuple[Clause, ...] = ()  # `because` and `allow` only


Statement = (
    DatasetStatement
    | SuiteStatement
    | LearnerStatement
    | ResultsStatement
    | PredictionsStatement
    | CompareStatement
    | EstimateStatement
    | ClaimStatement
    | SimulateStatement
    | ReportStatement
    | SetStatement
    | IncludeStatement
)


@dataclass(frozen=True, slots=True)
class Script(Node):
    """A whole file: the statements that could be read; what could not is in the findings beside it."""

    statements: tuple[Statement, ...]
