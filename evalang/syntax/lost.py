"""Names whose definitions could not be read, so that one mistake is not followed by "there is no such name"."""

from __future__ import annotations

import re

from ..source.text import SourceText
from .lexer import PATTERNS
from .nodes import (
    AsName,
    CompareStatement,
    DatasetStatement,
    EstimateStatement,
    LearnerStatement,
    PredictionsStatement,
    ResultsStatement,
    Script,
    SuiteStatement,
)

_NAME = f"({PATTERNS['NAME']}|{PATTERNS['STRING']})"
_DEFINED = rf"(?:\A\ufeff?|[\r\n])[ \t]*(?:dataset|suite|learner|results|predictions)[ \t]+{_NAME}"
_CALLED = rf"(?<![\w.-])as[ \t]+{_NAME}"


def lost_names(source: SourceText, script: Script) -> frozenset[str]:
    """Names that the text seems to define and the tree does not; empty for a script without mistakes."""
    known: set[str] = set()
    for statement in script.statements:
        if isinstance(
            statement, (DatasetStatement, SuiteStatement, LearnerStatement, ResultsStatement, PredictionsStatement)
        ):
            known.add(statement.name.text)
        elif isinstance(statement, (CompareStatement, EstimateStatement)):
            known.update(clause.name.text for clause in statement.clauses if isinstance(clause, AsName))
    found = (match[1] for pattern in (_DEFINED, _CALLED) for match in re.finditer(pattern, source.text))
    return frozenset(name[1:-1].replace('""', '"') if name[0] == '"' else name for name in found) - known
