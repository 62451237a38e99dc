"""`report` statements."""

from __future__ import annotations

from collections.abc import Mapping

from ..catalogue.formats import FORMATS
from ..syntax import nodes
from .clauses import allowances
from .model import Comparison, Output
from .problems import Problems

_ENDINGS = (*(ending for one in FORMATS if one.asked != "command" for ending in one.endings), "/")
_BY_NAME = "name a comparison by its `as` name, or compare-1 for the first"


def plan_output(statement: nodes.Report, comparisons: Mapping[str, Comparison], problems: Problems) -> Output:
    """A report statement."""
    subject, path = statement.subject, statement.to.value
    if subject is not None and subject.text not in comparisons:
        problems.unknown(subject.span, "comparison", subject.text, comparisons, _BY_NAME)
    if statement.format is None and not path.endswith(_ENDINGS):
        help = "end it in .html, .md, .tex or .json, or add as html"
        problems.bad(statement.to.span, f'"{path}" does not say which format to write', help)
    return Output(
        subject=subject.text if subject else None,
        path=path,
        format=statement.format,
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )
