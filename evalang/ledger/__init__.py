"""What a project has done with its data: every look at test rows, every frozen design, in a file beside the scripts.

Others use `Event` and `Ledger` (what the file holds), `read` and `append` (the file), `prove` (the chain), `sketch` and
`shared` (rows that are known again), `Past` and `looks_before` (what was looked at), `spent` (what level is left).
"""

from .chain import NAME, Event, LineProblem, append, prove, read
from .past import Look, Past, looks_before, shared, sketch, spent

__all__ = [
    "NAME",
    "Event",
    "LineProblem",
    "Look",
    "Past",
    "append",
    "looks_before",
    "prove",
    "read",
    "shared",
    "sketch",
    "spent",
]  # fmt: skip
