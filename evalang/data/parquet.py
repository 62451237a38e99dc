"""Parquet files, through pyarrow (an extra)."""

from __future__ import annotations

from typing import Any

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .limits import CELLS, COLUMNS, FILE_BYTES
from .names import checked_names, told_categories
from .opened import opened
from .options import checked_options
from .raw import Raw
from .shown import shown


def read_parquet(source: Source, access: Access) -> Raw:
    """The whole file; its declared size is checked before anything is unpacked, its pandas notes are not read."""
    options = checked_options(source, {"categorical": tuple})
    locator = source.locator
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise DataError("Parquet files need pyarrow", hint='pip install "evalang[parquet]"') from None
    with opened(locator, access, expects="a Parquet file") as stream:
        if stream.peek(4)[:4] != b"PAR1":  # type: ignore[attr-defined]
            raise DataError(f"{shown(locator)} is not a Parquet file", hint="check the name and the kind of source")
        try:
            file = pq.ParquetFile(stream, memory_map=False)
            _check_size(file.metadata, locator)
            nominal = _check_types(pa, file.schema_arrow, locator)
            plain = file.read(use_threads=False).replace_schema_metadata(None)
            frame = plain.to_pandas(ignore_metadata=True, use_threads=False)
        except (pa.ArrowException, OSError, OverflowError, UnicodeDecodeError) as error:
            text = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(
                f"{shown(locator)} is a damaged Parquet file: {shown(text)}", hint="write it again"
            ) from None
    names = checked_names(frame.columns, locator)
    frame.columns = names
    return Raw(
        frame=frame, source=f"parquet {locator}", nominal=told_categories(options, names, locator).union(nominal)
    )


def _check_size(metadata: Any, locator: str) -> None:
    rows, columns = metadata.num_rows, metadata.num_columns
    unpacked = sum(max(metadata.row_group(i).total_byte_size, 0) for i in range(metadata.num_row_groups))
    if columns > COLUMNS or rows * columns > CELLS or unpacked > FILE_BYTES:
        raise DataError(
            f"{shown(locator)} has {rows} rows, {columns} columns and {unpacked >> 20} MB, too many",
            hint="take a sample of its rows",
        )


def _check_types(pa: Any, schema: Any, locator: str) -> list[str]:
    """Only plain values; columns with a dictionary of words are categories."""
    nominal = []
    for field in schema:
        kind = field.type
        if pa.types.is_dictionary(kind):
            nominal.append(field.name.strip())
            kind = kind.value_type
        plain = (
            pa.types.is_boolean(kind)
            or pa.types.is_integer(kind)
            or pa.types.is_floating(kind)
            or pa.types.is_decimal(kind)
            or pa.types.is_string(kind)
            or pa.types.is_large_string(kind)
            or pa.types.is_string_view(kind)
            or pa.types.is_date(kind)
            or pa.types.is_timestamp(kind)
            or pa.types.is_duration(kind)
            or pa.types.is_null(kind)
        )
        if not plain:
            raise DataError(
                f"column {shown(field.name)} of {shown(locator)} holds {shown(str(kind))}, not a number or text",
                hint="leave the column out when the file is written",
            )
    return nominal
