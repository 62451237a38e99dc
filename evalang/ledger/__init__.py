"""The ledger: every test on each dataset and every frozen design, in a file beside the scripts.

The input is plans and hashes of rows. The output is lines of `evalang.ledger`, the history of a script, and the
significance levels that earlier tests leave. `chain` writes and checks the file, `history` recognises rows, earlier
tests and draws, and divides levels, `designs` compares designs and makes freeze codes, `entries` says what a run
writes, and `guarded` counts the uses of guarded holdouts. The code calls a use of test rows a look. A sketch is
the smallest salted hashes of the rows: two sketches tell which share of their rows two datasets have in common. The
bytes and hashes of existing lines must never change.
"""

from .chain import NAME, Event, LineProblem, append, check_chain, read
from .history import LedgerHistory, Look, earlier_looks, level_of_look, shared_fraction, sketch

__all__ = [
    "NAME",
    "Event",
    "LedgerHistory",
    "LineProblem",
    "Look",
    "append",
    "check_chain",
    "earlier_looks",
    "level_of_look",
    "read",
    "shared_fraction",
    "sketch",
]
