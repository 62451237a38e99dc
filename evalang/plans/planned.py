"""What every record of the plan that stands for a piece of the script has in common."""

from __future__ import annotations

from ..source.record import Record, silent
from ..source.span import NOWHERE, Span


class Planned(Record):
    """Anything of the plan that the script asked for at a place."""

    span: Span = silent(default=NOWHERE, kw_only=True)
