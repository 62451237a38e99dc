"""What a script loses by a mistake: names, so that none is called unknown for it, and whole statements."""

from __future__ import annotations

import re

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
from .parser import pieces
from .text import SourceText

_JUDGED = ("compare", "estimate", "claim")
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


def lost_statements(source: SourceText, script: Script) -> list[str]:
    """Comparisons, estimates and claims of the text of which the tree has nothing: "compare in line 9"."""
    read = {statement.span.start for statement in script.statements}
    begun = [start for start, _ in pieces(source.text) if start not in read]
    words = [(word, start) for start in begun for word in _JUDGED if source.text.startswith(word, start)]
    return [f"{word} in line {source.position(start).line}" for word, start in words]
