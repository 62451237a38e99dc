"""Results where they live: one module for each tool, every one of them a function of this one shape.

A reader takes a source and what may be reached, and gives the scores as a long table whose columns say what they
stand for, with the files it read, their hashes, and what differs between them. A new one is a file here, a line in
READERS, and its word in catalogue/sources.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..long_table import LongTable
from .amlb import read_amlb
from .every_eval_ever import read_every_eval_ever
from .helm import read_helm
from .inspect import read_inspect
from .lm_eval import read_lm_eval
from .mlflow import read_mlflow
from .openai_evals import read_openai_evals
from .rliable import read_rliable
from .sklearn import read_sklearn
from .weka import read_weka


class ScoreReader(Protocol):
    """What every module here gives."""

    def __call__(self, source: Source, access: Access) -> LongTable:
        """The scores behind a source, or a DataError that says in one sentence what is wrong."""


READERS: Mapping[str, ScoreReader] = {
    "inspect": read_inspect,
    "lm-eval": read_lm_eval,
    "amlb": read_amlb,
    "weka": read_weka,
    "sklearn": read_sklearn,
    "mlflow": read_mlflow,
    "helm": read_helm,
    "every-eval-ever": read_every_eval_ever,
    "openai-evals": read_openai_evals,
    "rliable": read_rliable,
}


def read_scores(source: Source, access: Access) -> LongTable:
    """The scores that another tool wrote."""
    reader = READERS.get(source.kind)
    if reader is None:
        raise DataError(f"{source.kind} is no reader of scores", hint=f"there are {', '.join(READERS)}")
    what = f"{source.kind} {source.locator}"
    key = (source.kind, source.locator, source.options)
    if key in access.tables:
        known: LongTable = access.tables[key]
        return known
    try:
        table = access.tables[key] = reader(source, access)
    except MemoryError as error:
        raise DataError(f"{what} does not fit in memory", hint="read fewer logs at once") from error
    except OverflowError as error:  # JSON knows whole numbers of any size
        raise DataError(f"{what} holds a number too large for a score", hint="check how it was written") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(f"{what} cannot be read: {reason}", hint="check the file") from error
    if not len(table.frame):
        raise DataError(f"{what} holds no score", hint="check how it was written")
    return table
