"""`report` statements."""

from __future__ import annotations

from collections.abc import Mapping

from ..catalogue.formats import FORMATS
from ..language import nodes
from .clauses import allowances
from .model import Comparison, Output
from .values import Problems

_ENDINGS = (*(ending for one in FORMATS if one.asked != "command" for ending in one.endings), "/")
LONGEST_PATH, LONGEST_NAME = 1000, 230  # a name of 255 bytes is the most, and the report is written beside it first
_BY_NAME = "name a comparison by its `as` name, or compare-1 for the first"


def plan_output(statement: nodes.ReportStatement, comparisons: Mapping[str, Comparison], problems: Problems) -> Output:
    """A report statement."""
    subject, path = statement.subject, statement.to.value
    if subject is not None and subject.text not in comparisons:
        problems.unknown(subject.span, "comparison", subject.text, comparisons, _BY_NAME)
    if len(path) > LONGEST_PATH or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in path.split("/")):
        problems.bad(statement.to.span, "no file system takes a name of this length", "shorten the name of the report")
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
