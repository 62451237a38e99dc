"""Feather files (Arrow on disk), through pyarrow (an extra)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .column_names import checked_names, told_categories
from .limits import CELLS, COLUMNS, FILE_BYTES, RATIO, RATIO_AFTER, ROWS
from .load import checked_options
from .opened import opened
from .parquet import check_types
from .raw import Raw
from .shown import shown

_MAGIC = b"ARROW1\0\0"
_DICTIONARY, _BATCH = 2, 3  # kinds of message that hold values (Arrow, Message.fbs)


def read_feather(source: Source, access: Access) -> Raw:
    """The whole file; what its values unpack to is summed up before any of them is unpacked."""
    options = checked_options(source, {"categorical": tuple})
    locator = source.locator
    try:
        import pyarrow as pa
    except ImportError:
        raise DataError("Feather files need pyarrow", hint='pip install "evalang[parquet]"') from None
    with opened(locator, access, expects="an Arrow file") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise DataError(
                f"{shown(locator)} is no Feather file of version 2", hint="write it with pandas.DataFrame.to_feather"
            )
        try:
            _check_size(pa, stream, locator)
            stream.seek(len(_MAGIC))
            table = _table(pa, stream, locator)
            nominal = check_types(pa, table.schema, locator)
            frame = table.to_pandas(ignore_metadata=True, use_threads=False)
        except (pa.ArrowException, OSError, OverflowError, UnicodeDecodeError, struct.error) as error:
            text = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(
                f"{shown(locator)} is a damaged Feather file: {shown(text)}", hint="write it again"
            ) from None
    names = checked_names(frame.columns, locator)
    frame.columns = names
    told = told_categories(options, names, locator)
    return Raw(frame=frame, source=f"feather {locator}", nominal=told.union(nominal))


def _table(pa: Any, stream: BinaryIO, locator: str) -> Any:
    reader = pa.ipc.open_stream(stream)
    batches = []
    rows = 0
    for batch in reader:
        rows += batch.num_rows
        if rows > ROWS or batch.num_columns > COLUMNS or rows * batch.num_columns > CELLS:
            raise DataError(f"{shown(locator)} has too many rows or columns", hint="take a sample of its rows")
        batches.append(batch)
    table = pa.Table.from_batches(batches, schema=reader.schema.remove_metadata())
    table.validate(full=True)
    return table


def _check_size(pa: Any, stream: BinaryIO, locator: str) -> None:
    stored = unpacked = 0
    for message in pa.ipc.MessageReader.open_stream(stream):
        body = message.body
        stored += body.size if body is not None else 0
        unpacked += sum(_unpacked(message.metadata.to_pybytes(), body))
        if unpacked > FILE_BYTES:
            raise DataError(f"{shown(locator)} unpacks to more than {FILE_BYTES >> 30} GB", hint="take a sample of it")
        if unpacked > RATIO_AFTER and unpacked > RATIO * stored:
            raise DataError(
                f"{shown(locator)} unpacks to more than {RATIO} times its size", hint="save it as CSV, if you trust it"
            )


def _unpacked(metadata: bytes, body: Any) -> Iterator[int]:
    """The size of every buffer of a message: a packed one begins with the size it unpacks to (Arrow, Buffer)."""
    message = struct.unpack_from("<I", metadata)[0]
    kind = _field(metadata, message, 1)
    header = _field(metadata, message, 2)
    if kind is None or header is None or metadata[kind] not in (_DICTIONARY, _BATCH):
        return
    batch: int | None = header + _offset(metadata, header)
    if metadata[kind] == _DICTIONARY:
        data = _field(metadata, header + _offset(metadata, header), 1)
        batch = None if data is None else data + _offset(metadata, data)
    buffers = None if batch is None else _field(metadata, batch, 2)
    if batch is None or buffers is None:
        return
    packed = _field(metadata, batch, 3) is not None
    vector = buffers + _offset(metadata, buffers)
    for place in range(_offset(metadata, vector)):
        start, size = struct.unpack_from("<qq", metadata, vector + 4 + 16 * place)
        if packed and size >= 8:
            size = max(size, struct.unpack_from("<q", body, start)[0])
        yield size


def _offset(data: bytes, place: int) -> int:
    return int(struct.unpack_from("<I", data, place)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a field of a FlatBuffers table stands; None when it is not there."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    if 4 + 2 * number >= struct.unpack_from("<H", data, vtable)[0]:
        return None
    found = struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0]
    return table + found if found else None
