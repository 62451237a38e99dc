"""What a project has done with its data: every look at test rows, every frozen design, in a file beside the scripts.

Others use `Event` and `Ledger` (what the file holds), `read` and `append` (the file), `prove` (the chain), `sketch` and
`shared` (rows that are known again), `Past` and `looks_before` (what was looked at), `spent` (what level is left).
"""

from .chain import Problem, prove
from .event import Event
from .file import NAME, append, read
from .past import Look, Past, looks_before, spent
from .sketch import shared, sketch

__all__ = [
    "NAME", "Event", "Look", "Past", "Problem", "append", "looks_before", "prove", "read", "shared", "sketch", "spent",
]  # fmt: skip
