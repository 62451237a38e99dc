"""Parquet files, through pyarrow (an extra)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .files import opened
from .limits import CELL_CHARACTERS, CELLS, COLUMNS, FILE_BYTES, RATIO, RATIO_AFTER, ROWS
from .load import checked_options
from .parquet_pages import DELTA_BYTE_ARRAY, BadHeader, pages
from .quoting import quoted
from .raw import Raw, checked_names, told_categories

FOOTER_BYTES = 32 << 20  # a description of columns and row groups; unpacked it takes some fifty times that
BATCH_ROWS = 65_536
_WIDTH = 8  # bytes of a value or a place in memory


def read_parquet(source: Source, access: Access) -> Raw:
    """The whole file, batch by batch; sizes are counted, whatever the file says. Its pandas notes are not read."""
    options = checked_options(source, {"categorical": tuple})
    locator = source.locator
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise DataError("Parquet files need pyarrow", hint='pip install "evalang[parquet]"') from None
    with opened(locator, access, expects="a Parquet file") as stream:
        if stream.peek(4)[:4] != b"PAR1":  # type: ignore[attr-defined]
            raise DataError(f"{quoted(locator)} is not a Parquet file", hint="check the name and the kind of source")
        try:
            stored = _check_footer(stream, locator)
            file = pq.ParquetFile(stream, memory_map=False)
            _check_size(file.metadata, locator)
            rows = _check_pages(stream, stored, locator)
            nominal = check_types(pa, file.schema_arrow, locator)
            plain = _unpacked(pa, pq, stream, file, rows, stored, locator)
            frame = plain.to_pandas(ignore_metadata=True, use_threads=False)
        except (pa.ArrowException, BadHeader, OSError, OverflowError, UnicodeDecodeError) as error:
            text = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(
                f"{quoted(locator)} is a damaged Parquet file: {quoted(text)}", hint="write it again"
            ) from None
    names = checked_names(frame.columns, locator)
    frame.columns = names
    return Raw(
        frame=frame, source=f"parquet {locator}", nominal=told_categories(options, names, locator).union(nominal)
    )


def _check_footer(stream: BinaryIO, locator: str) -> int:
    """The file's size; its last bytes say how long the description before them is."""
    stored = stream.seek(-8, 2) + 8
    size = int.from_bytes(stream.read(4), "little")
    stream.seek(0)
    if size > FOOTER_BYTES:
        raise DataError(
            f"{quoted(locator)} describes itself in {size >> 20} MB, too many", hint="write it with fewer row groups"
        )
    return stored


def _check_size(metadata: Any, locator: str) -> None:
    rows, columns = metadata.num_rows, metadata.num_columns
    if columns > COLUMNS or rows > ROWS or rows * columns > CELLS:
        raise DataError(
            f"{quoted(locator)} has {rows} rows and {columns} columns, too many", hint="take a sample of its rows"
        )


def _check_pages(stream: BinaryIO, stored: int, locator: str) -> int:
    """The rows of a batch of texts written out, or 0 when texts can be read as places in a dictionary."""
    total = largest = 0
    delta = False
    for page in pages(stream):
        total += page.unpacked
        _check_unpacked(total, stored, locator)
        largest = max(largest, page.unpacked)  # no text is longer than its page
        delta = delta or page.encoding == DELTA_BYTE_ARRAY
    return max(1, min(BATCH_ROWS, RATIO_AFTER // max(largest, 1))) if delta else 0


def _check_unpacked(unpacked: int, stored: int, locator: str) -> None:
    if unpacked > FILE_BYTES:
        raise DataError(
            f"{quoted(locator)} unpacks to more than {FILE_BYTES >> 30} GB", hint="take a sample of its rows"
        )
    if unpacked > RATIO_AFTER and unpacked > RATIO * stored:
        raise DataError(
            f"{quoted(locator)} unpacks to more than {RATIO} times its size", hint="save it as CSV, if you trust it"
        )


def _unpacked(pa: Any, pq: Any, stream: BinaryIO, file: Any, rows: int, stored: int, locator: str) -> Any:
    """The table; texts come as places in a dictionary where they can, so that their size is known beforehand."""
    schema = file.schema_arrow.remove_metadata()
    texts = [] if rows else [f.name for f in schema if _is_text(pa, f.type)]
    stream.seek(0)
    again = pq.ParquetFile(stream, memory_map=False, read_dictionary=texts)
    batches = []
    total = count = 0
    for batch in again.iter_batches(rows or BATCH_ROWS, use_threads=False):
        count += batch.num_rows
        if count > ROWS or count * batch.num_columns > CELLS:
            raise DataError(f"{quoted(locator)} has too many rows", hint="take a sample of its rows")
        total += sum(_size(pa, column, locator) for column in batch.columns)
        _check_unpacked(total, stored, locator)
        batches.append(batch.cast(schema))
    table = pa.Table.from_batches(batches, schema=schema)
    table.validate(full=True)  # texts that are no UTF-8 would fail later, one by one
    return table


def _is_text(pa: Any, kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _size(pa: Any, column: Any, locator: str) -> int:
    """Bytes of a column's values written out."""
    size = _WIDTH * len(column)
    if _is_text(pa, column.type):
        return size + int(column.nbytes)
    if not pa.types.is_dictionary(column.type) or not _is_text(pa, column.type.value_type):
        return size
    import pyarrow.compute as pc

    lengths = pc.binary_length(column.dictionary)
    longest = pc.max(lengths).as_py() or 0
    if longest > CELL_CHARACTERS:
        raise DataError(f"{quoted(locator)} has a cell of {longest} bytes", hint="leave the column out")
    size += int(pc.sum(lengths).as_py() or 0)
    return size + int(pc.sum(pc.cast(lengths.take(column.indices), "int64")).as_py() or 0)


def check_types(pa: Any, schema: Any, locator: str) -> list[str]:
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
            or _is_text(pa, kind)
            or pa.types.is_date(kind)
            or pa.types.is_timestamp(kind)
            or pa.types.is_duration(kind)
            or pa.types.is_null(kind)
        )
        if not plain:
            raise DataError(
                f"column {quoted(field.name)} of {quoted(locator)} holds {quoted(str(kind))}, not a number or text",
                hint="leave the column out when the file is written",
            )
    return nominal


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
                f"{quoted(locator)} is no Feather file of version 2", hint="write it with pandas.DataFrame.to_feather"
            )
        try:
            _check_size_feather(pa, stream, locator)
            stream.seek(len(_MAGIC))
            table = _table(pa, stream, locator)
            nominal = check_types(pa, table.schema, locator)
            frame = table.to_pandas(ignore_metadata=True, use_threads=False)
        except (pa.ArrowException, OSError, OverflowError, UnicodeDecodeError, struct.error) as error:
            text = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DataError(
                f"{quoted(locator)} is a damaged Feather file: {quoted(text)}", hint="write it again"
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
            raise DataError(f"{quoted(locator)} has too many rows or columns", hint="take a sample of its rows")
        batches.append(batch)
    table = pa.Table.from_batches(batches, schema=reader.schema.remove_metadata())
    table.validate(full=True)
    return table


def _check_size_feather(pa: Any, stream: BinaryIO, locator: str) -> None:
    stored = unpacked = 0
    for message in pa.ipc.MessageReader.open_stream(stream):
        body = message.body
        stored += body.size if body is not None else 0
        unpacked += sum(_unpacked_feather(message.metadata.to_pybytes(), body))
        if unpacked > FILE_BYTES:
            raise DataError(f"{quoted(locator)} unpacks to more than {FILE_BYTES >> 30} GB", hint="take a sample of it")
        if unpacked > RATIO_AFTER and unpacked > RATIO * stored:
            raise DataError(
                f"{quoted(locator)} unpacks to more than {RATIO} times its size", hint="save it as CSV, if you trust it"
            )


def _unpacked_feather(metadata: bytes, body: Any) -> Iterator[int]:
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
