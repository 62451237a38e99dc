"""Parquet and Feather files, through pyarrow (an extra). The notes that pandas leaves in them are ignored."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, BinaryIO

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .files import open_file
from .limits import CELL_CHARACTERS, CELLS, COLUMNS, FILE_BYTES, RATIO, RATIO_AFTER, ROWS
from .quoting import error_about, quoted
from .raw import Raw, categorical_option, checked_names, checked_options, without_row_numbers

BATCH_ROWS = 65_536
UNNAMED = "__index_level_0__"  # how pandas keeps an index without a name
_FEWEST_ROWS = 64  # of a batch of texts that repeat the text before them
_WIDTH = 8  # bytes of a value or an index in memory
_FEATHER = b"ARROW1\0\0"
_DICTIONARY, _BATCH = 2, 3  # kinds of message that hold values (Arrow, Message.fbs)


def read_parquet(source: Source, access: Access) -> Raw:
    """Return the whole file, read batch by batch; the size of what is unpacked is limited."""
    locator, options = source.locator, checked_options(source, {"categorical": tuple})
    with _damage_reported(source, "Parquet") as pa, open_file(locator, access, expects="a Parquet file") as stream:
        import pyarrow.parquet as pq

        if stream.peek(4)[:4] != b"PAR1":  # type: ignore[attr-defined]
            what = "is not a Parquet file"
            raise error_about(locator, what, "check the name, or write another kind of source, such as `from csv`")
        stored = stream.seek(0, 2)
        stream.seek(0)
        metadata = pq.read_metadata(stream)
        rows, columns = metadata.num_rows, metadata.num_columns
        if columns > COLUMNS or rows > ROWS or rows * columns > CELLS:
            raise error_about(locator, f"has {rows} rows and {columns} columns, too many", "take a sample of its rows")
        schema = metadata.schema.to_arrow_schema().remove_metadata()
        nominal = _check_types(pa, schema, locator)
        batch_rows = _check_groups(metadata, stored, locator)
        # Texts come as indices into a dictionary where that is possible, so that their size is known beforehand.
        texts = [field.name for field in schema if _is_text(pa, field.type)] if batch_rows == BATCH_ROWS else []
        file = pq.ParquetFile(stream, memory_map=False, read_dictionary=texts)
        batches = []
        unpacked = 0
        for batch in file.iter_batches(batch_rows, use_threads=False):
            unpacked += sum(_size(pa, column, locator) for column in batch.columns)
            _check_unpacked(unpacked, stored, locator)
            batches.append(batch.cast(schema))
        return _raw(pa.Table.from_batches(batches, schema=schema), source, options, nominal)


def read_feather(source: Source, access: Access) -> Raw:
    """Return the whole file; what its values unpack to is summed up before any of them is unpacked."""
    locator, options = source.locator, checked_options(source, {"categorical": tuple})
    with _damage_reported(source, "Feather") as pa, open_file(locator, access, expects="an Arrow file") as stream:
        if stream.read(len(_FEATHER)) != _FEATHER:
            what = "is not a Feather file of version 2"
            raise error_about(locator, what, "write it with pandas.DataFrame.to_feather")
        _check_messages(pa, stream, locator)
        stream.seek(len(_FEATHER))
        reader = pa.ipc.open_stream(stream)
        nominal = _check_types(pa, reader.schema, locator)
        batches = []
        rows = 0
        for batch in reader:
            rows += batch.num_rows
            if rows > ROWS or batch.num_columns > COLUMNS or rows * batch.num_columns > CELLS:
                raise error_about(locator, "has too many rows or columns", "take a sample of its rows")
            batches.append(batch)
        return _raw(pa.Table.from_batches(batches, schema=reader.schema.remove_metadata()), source, options, nominal)


@contextmanager
def _damage_reported(source: Source, form: str) -> Iterator[ModuleType]:
    """Give pyarrow; its errors become one DataError."""
    try:
        import pyarrow as pa
    except ImportError:
        raise DataError(f"{form} files need pyarrow", hint='pip install "evalang[parquet]"') from None
    try:
        yield pa
    except (pa.ArrowException, OSError, OverflowError, UnicodeDecodeError, struct.error) as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise error_about(source.locator, f"is a damaged {form} file: {quoted(text)}", "write it again") from None


def _raw(table: Any, source: Source, options: dict[str, object], nominal: list[str]) -> Raw:
    table.validate(full=True)  # texts that are no UTF-8 would fail later, one by one
    frame = table.to_pandas(ignore_metadata=True, use_threads=False)
    frame.columns = checked_names(frame.columns, source.locator)
    notes = []
    if UNNAMED in frame.columns and "index" not in frame.columns:
        frame, note = without_row_numbers(frame[[UNNAMED, *frame.columns.drop(UNNAMED)]])
        notes.append(note)
    named = categorical_option(options, list(frame.columns), source.locator)
    return Raw(frame=frame, source=f"{source.kind} {source.locator}", nominal=named.union(nominal), notes=tuple(notes))


def _check_types(pa: ModuleType, schema: Any, locator: str) -> list[str]:
    """Return the columns with a dictionary of words, which are categories; refuse what is no plain value."""
    of = pa.types
    plain = (of.is_boolean, of.is_integer, of.is_floating, of.is_decimal, of.is_date, of.is_timestamp, of.is_duration)
    nominal = []
    for field in schema:
        kind = field.type
        if of.is_dictionary(kind):
            nominal.append(field.name.strip())
            kind = kind.value_type
        if not (_is_text(pa, kind) or of.is_null(kind) or any(is_kind(kind) for is_kind in plain)):
            what = f"column {quoted(field.name)} of {quoted(locator)} holds {quoted(kind)}, not a number or text"
            raise DataError(what, hint="leave the column out when the file is written")
    return nominal


def _is_text(pa: ModuleType, kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _check_unpacked(unpacked: int, stored: int, locator: str) -> None:
    if unpacked > FILE_BYTES:
        raise error_about(locator, f"unpacks to more than {FILE_BYTES >> 30} GB", "take a sample of its rows")
    if unpacked > RATIO_AFTER and unpacked > RATIO * stored:
        what = f"unpacks to more than {RATIO} times its size"
        raise error_about(locator, what, "if you trust the file, save it as CSV")


def _check_groups(metadata: Any, stored: int, locator: str) -> int:
    """Return how many rows to read at a time, once the sizes of all groups of rows are within the limits."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    _check_unpacked(sum(group.total_byte_size for group in groups), stored, locator)
    chunks = [group.column(number) for group in groups for number in range(metadata.num_columns)]
    # In this encoding a few bits can repeat a megabyte of the text before, and no size in the file counts it.
    repeating = [chunk.total_uncompressed_size for chunk in chunks if "DELTA_BYTE_ARRAY" in chunk.encodings]
    return max(_FEWEST_ROWS, min(BATCH_ROWS - 1, FILE_BYTES // max(1, *repeating))) if repeating else BATCH_ROWS


def _size(pa: ModuleType, column: Any, locator: str) -> int:
    """Return the bytes of a column's values written out."""
    size = _WIDTH * len(column)
    if _is_text(pa, column.type):
        return size + int(column.nbytes)
    if not pa.types.is_dictionary(column.type) or not _is_text(pa, column.type.value_type):
        return size
    import pyarrow.compute as pc

    lengths = pc.binary_length(column.dictionary)
    longest = pc.max(lengths).as_py() or 0
    if longest > CELL_CHARACTERS:
        raise error_about(locator, f"has a cell of {longest} bytes", "leave the column out")
    size += int(pc.sum(lengths).as_py() or 0)
    return size + int(pc.sum(pc.cast(lengths.take(column.indices), "int64")).as_py() or 0)


def _check_messages(pa: ModuleType, stream: BinaryIO, locator: str) -> None:
    """Add up what the values of a Feather file unpack to: pyarrow unpacks a batch before its size can be asked."""
    stored = unpacked = 0
    for message in pa.ipc.MessageReader.open_stream(stream):
        stored += message.body.size if message.body is not None else 0
        unpacked += sum(_buffer_sizes(message.metadata.to_pybytes(), message.body))
        _check_unpacked(unpacked, stored, locator)


def _buffer_sizes(metadata: bytes, body: Any) -> Iterator[int]:
    """Yield the size of every buffer of a message: a packed one begins with the size it unpacks to (Arrow, Buffer)."""
    message = _offset(metadata, 0)
    kind, header = _field(metadata, message, 1), _field(metadata, message, 2)
    if kind is None or header is None or metadata[kind] not in (_DICTIONARY, _BATCH):
        return
    if metadata[kind] == _DICTIONARY:
        header = _field(metadata, header + _offset(metadata, header), 1)
    batch = None if header is None else header + _offset(metadata, header)
    buffers = None if batch is None else _field(metadata, batch, 2)
    if batch is None or buffers is None:
        return
    packed = _field(metadata, batch, 3) is not None
    vector = buffers + _offset(metadata, buffers)
    for number in range(_offset(metadata, vector)):
        start, size = struct.unpack_from("<qq", metadata, vector + 4 + 16 * number)
        yield max(size, struct.unpack_from("<q", body, start)[0]) if packed and size >= 8 else size


def _offset(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", data, at)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Return where a field of a FlatBuffers table is; None when the table lacks it."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    if 4 + 2 * number >= struct.unpack_from("<H", data, vtable)[0]:
        return None
    found = struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0]
    return table + found if found else None
