"""Nothing is spent while lint finds an error."""

from __future__ import annotations

from ..errors import Refused, ScriptError
from .report import LintReport


def refuse(report: LintReport) -> None:
    """Stop when lint found errors: ScriptError for what cannot be read, Refused for the rest."""
    errors = report.errors
    if not errors:
        return
    message = f"lint found {len(errors)} error{'s' * (len(errors) != 1)}, so nothing was run"
    hint = 'repair them, or keep one on purpose with allow CODE because "…"'
    if any(f.code == "EV001" for f in errors):
        raise ScriptError(message, hint="correct what cannot be read", findings=report.findings)
    raise Refused(message, hint=hint, findings=report.findings)
