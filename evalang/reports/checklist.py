"""The checklist of a report: evalang's own rules with their outcome."""

from __future__ import annotations

from ..findings.rules import RULES
from ..results.run_result import RunResult
from .document import ColumnHead, ReportTable, TableCell

_ORDER = {"error": 0, "warning": 1, "note": 2, "allowed": 3, "passed": 4, "not applicable": 5}


def checklist(result: RunResult) -> ReportTable:
    """Return one row per rule and finding."""
    named = {rule.code: rule.name for rule in RULES}
    rows: list[tuple[str, str, str, str, str]] = [
        (f.code, f.name, f.level, f.message, f.subject.name) for f in result.findings
    ]
    rows += [
        (f.code, f.name, "allowed", f"{f.message.rstrip('.')}. Allowed because: {why}", f.subject.name)
        for f, why in result.allowed
    ]
    rows += [(code, named.get(code, ""), "passed", "", "") for code in result.passed]
    rows += [(code, named.get(code, ""), "not applicable", why, "") for code, why in result.not_applicable]
    rows.sort(key=lambda row: (_ORDER[row[2]], row[0]))
    return ReportTable(
        key="checklist",
        title="Checklist",
        columns=tuple(ColumnHead(title=t) for t in ("rule", "name", "outcome", "what", "where")),
        rows=tuple(tuple(TableCell(text=word) for word in row) for row in rows),
        notes=("A rule that did not apply was not checked: the reason is given beside it.",)
        if result.not_applicable
        else (),
    )
