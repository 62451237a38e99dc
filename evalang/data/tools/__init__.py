"""Scores that other tools wrote, one module for each tool.

A source comes in (a file, a folder or a pattern); out goes a long table whose columns say what they stand for, with
the files that were read, their hashes, and what differs between them. To add a tool, write a module with a function
`read_<tool>(source, access) -> LongTable` and add its row to READERS in catalogue/sources.py.
"""

from __future__ import annotations

from ...catalogue.sources import READERS, find_reader
from ...errors import DataError
from ...plans.model import Source
from ..access import Access
from ..load import reader_function
from ..raw import LongTable

SCORE_READERS = tuple(reader.name for reader in READERS if reader.is_scores)


def read_scores(source: Source, access: Access) -> LongTable:
    """Return the scores that another tool wrote; a source is read once."""
    reader = find_reader(source.kind)
    if reader is None or not reader.is_scores:
        raise DataError(f"{source.kind} does not read scores", hint=f"there are {', '.join(SCORE_READERS)}")
    what = f"{source.kind} {source.locator}"
    key = (source.kind, source.locator, source.options)
    try:
        if key not in access.tables:
            access.tables[key] = reader_function(reader)(source, access)
    except MemoryError as error:
        raise DataError(f"{what} does not fit in memory", hint="read fewer logs at once") from error
    except OverflowError as error:  # JSON knows whole numbers of any size
        raise DataError(f"{what} holds a number too large for a score", hint="check how it was written") from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(f"{what} cannot be read: {reason}", hint="check the file") from error
    table: LongTable = access.tables[key]
    if not len(table.frame):
        raise DataError(f"{what} holds no score", hint="check how it was written")
    return table
