"""What a project has done with its data: every look at test rows and every frozen design, in a file beside the scripts.

Plans and hashes of rows come in; lines of `evalang.ledger`, the history of a script and the levels that earlier looks
leave go out. Touch `chain` for the file and its proof, `history` for how rows and looks are recognised and levels
spent, `designs` for what counts as a change and for freeze codes, `entries` for what a run writes, `guarded` for
guarded holdouts and `draws` for random draws of datasets. The bytes and hashes of existing lines never change.
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
