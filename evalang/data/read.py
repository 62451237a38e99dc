"""A source, read into a frame by the reader of its kind."""

from __future__ import annotations

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .limits import CELLS, COLUMNS
from .raw import Raw


def read(source: Source, access: Access, *, query: str | None = None) -> Raw:
    """The frame behind a source; also for results and predictions, which have columns and no target."""
    try:
        raw = _read(source, access, query)
    except DataError:
        raise
    except MemoryError as error:
        raise DataError(
            f"{source.kind} {source.locator} does not fit in memory", hint="take a sample of its rows"
        ) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(f"{source.kind} {source.locator} cannot be read: {reason}", hint="check the file") from error
    rows, columns = raw.frame.shape
    if rows == 0:
        raise DataError(f"{raw.source} has no rows", hint="check how it was written")
    if columns > COLUMNS or rows * columns > CELLS:
        raise DataError(f"{raw.source} has {rows} rows and {columns} columns, too many", hint="take a sample of it")
    return raw


def _read(source: Source, access: Access, query: str | None) -> Raw:
    if query is not None and source.kind != "sql":
        raise DataError(f"a query belongs to `from sql`, not to `from {source.kind}`", hint="leave the query out")
    match source.kind:
        case "builtin":
            from .builtin import read_builtin

            return read_builtin(source)
        case "synthetic":
            from .generators import read_synthetic

            return read_synthetic(source)
        case "csv":
            from .csv import read_csv

            return read_csv(source, access)
        case "parquet":
            from .parquet import read_parquet

            return read_parquet(source, access)
        case "arff":
            from .arff import read_arff

            return read_arff(source, access)
        case "sql":
            from .sql import read_sql

            return read_sql(source, access, query)
        case "openml":
            from .openml import read_openml

            return read_openml(source, access)
        case "python":
            from .handed import read_handed

            return read_handed(source, access)
        case _:
            raise DataError(f"{source.kind} cannot be opened", hint="see `evalang explain from` for what can be read")
