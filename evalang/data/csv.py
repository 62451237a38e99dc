"""Comma-separated text, also packed with gzip, bzip2 or xz."""

from __future__ import annotations

import csv
import io
import re
import warnings
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import pandas as pd

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .files import checked_encoding, open_file, read_limited, to_utf8
from .limits import CELLS, COLUMNS, LINE_BYTES
from .quoting import error_about, quoted
from .raw import Raw, categorical_option, checked_names, checked_options, without_row_numbers

OPTIONS: dict[str, type] = dict.fromkeys(("separator", "encoding", "decimal", "quote"), str)
OPTIONS |= {"header": bool, "categorical": tuple}
UNNAMED = ("Unnamed: 0", "")  # what pandas calls an index that was saved without a name
_SEEN_ROWS = 1000  # rows that show the decimal mark
# pandas parses exactly since 3.1, and deprecates the option.
_EXACT: dict[str, Any] = (
    {} if tuple(int(p) for p in pd.__version__.split(".")[:2]) >= (3, 1) else {"float_precision": "round_trip"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    separator: str
    encoding: str
    header: bool
    decimal: str
    quote: str


def read_csv(source: Source, access: Access) -> Raw:
    """Return every cell of the file, typed by column; rows of unequal length are refused."""
    locator = source.locator
    options = checked_options(source, OPTIONS)
    style = _style(locator, options)
    with open_file(locator, access) as stream:
        content = read_limited(stream, locator)
    content, title = _below_title(to_utf8(content, style.encoding, locator), style)
    style, notes = _seen_style(content, style, options, locator)
    notes[:0] = [f"its first line is a title and is left out ({title})"] if title else []
    names = _header(content, style, locator)
    frame = _parse(content, names, style, locator)
    if style.header and names[0] in UNNAMED:
        frame, note = without_row_numbers(frame)
        notes.append(note)
    empty = frame.isna().all(axis=1) if frame.shape[1] > 1 and frame.iloc[:, 0].isna().any() else None
    if empty is not None and empty.any() and not empty.all():
        frame = frame[~empty].reset_index(drop=True)
        notes.append(f"{int(empty.sum())} of its rows are empty and are left out")
    nominal = categorical_option(options, list(frame.columns), locator)
    if style.decimal != ".":
        _refuse_points(frame, nominal, style, locator)
    return Raw(frame=frame, source=f"csv {locator}", nominal=nominal, notes=tuple(notes))


def _below_title(content: bytes, style: _Style) -> tuple[bytes, str]:
    """Return the text without a first line that is a comment or a title above the names, and that line."""
    first, _, below = content.partition(b"\n")
    title = first.decode("utf-8", "replace").strip(" \r,;\t\ufeff")
    rows = [re.split(r"[,;\t|]", line.decode("utf-8", "replace")) for line in below.split(b"\n", 2)[:2]]
    widths = {len(row) for row in rows if any(row)}
    comment = title.startswith("#") and not re.search(r"[,;\t|]", title)
    padded = " " in title and re.search(rb"[,;\t|]\s*$", first) and not re.search(r"[,;\t|]", title)
    if not style.header or not (comment or padded) or len(rows) < 2 or len(widths) != 1 or widths <= {1}:
        return content, ""
    return below, title


def _seen_style(content: bytes, style: _Style, options: dict[str, Any], locator: str) -> tuple[_Style, list[str]]:
    """Return the style with the separator and the decimal mark that the text shows, where the script names none."""
    notes: list[str] = []
    if "separator" not in options:
        head: list[str] = next((r for r in _records(content, style, locator) if not _blank(r)), [])
        other = next((sign for sign in ";\t|" if len(head) == 1 and sign in head[0]), None)
        if other is not None:
            style = replace(style, separator=other)
            notes.append(f"its columns are separated by {'tabs' if other == chr(9) else other}")
    if "decimal" not in options and style.separator != ",":
        first = islice(_records(content, style, locator), _SEEN_ROWS)
        cells = [cell.strip().rstrip("% ") for record in first for cell in record]
        commas = [cell for cell in cells if re.fullmatch(r"[-+]?\d+,\d+", cell)]
        if commas and not any(re.fullmatch(r"[-+]?\d*\.\d+", cell) for cell in cells):
            style = replace(style, decimal=",")
            notes.append(f"the comma in its numbers is read as a decimal point ({commas[0]})")
    return style, notes


def _style(locator: str, options: dict[str, Any]) -> _Style:
    tabs = re.search(r"\.(tsv|tab)(\.(gz|bz2|xz))?$", locator.lower())
    separator: str = options.get("separator", "\t" if tabs else ",")
    separator = "\t" if separator in ("\\t", "tab") else separator
    style = _Style(
        separator=separator,
        encoding=checked_encoding(options.get("encoding", "utf-8")),
        header=options.get("header", True),
        decimal=options.get("decimal", "."),
        quote=options.get("quote", '"'),
    )
    for name, value in (("separator", separator), ("decimal", style.decimal), ("quote", style.quote)):
        if len(value) != 1 or value in "\r\n" or not value.isascii():
            what = f"the {name} of a CSV file is one character, not {quoted(value)}"
            raise DataError(what, hint=f'write ({name} = ",")')
    if len({separator, style.decimal, style.quote}) < 3:
        what = "separator, decimal and quote of a CSV file must differ"
        raise DataError(what, hint='write (separator = ";", decimal = ",")')
    return style


def _header(content: bytes, style: _Style, locator: str) -> list[str]:
    first: list[str] = next((record for record in _records(content, style, locator) if not _blank(record)), [])
    cells = [cell.strip() for cell in first]
    if not any(cells):
        raise error_about(locator, "is empty", "check how the file was written")
    rows = content.count(b"\n") + 1
    if len(cells) > COLUMNS or rows * len(cells) > CELLS:
        raise error_about(locator, f"has {len(cells)} columns and some {rows} rows, too many", "take a sample")
    if not style.header:
        return [f"column-{i}" for i in range(1, len(cells) + 1)]
    if not cells[0] and "index" not in cells:
        cells[0] = UNNAMED[0]
    return checked_names(cells, locator, "write (header = false) after the path if the first line holds data")


def _records(content: bytes, style: _Style, locator: str) -> Any:
    before = csv.field_size_limit(LINE_BYTES)  # of the whole process: restored afterwards
    text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
    reader = csv.reader(text, delimiter=style.separator, quotechar=style.quote)
    try:
        yield from reader
    except csv.Error as error:
        what = f"line {reader.line_num} of {quoted(locator)} cannot be read: {error}"
        raise DataError(what, hint="look for a quote that is not closed") from None
    finally:
        csv.field_size_limit(before)


def _parse(content: bytes, names: list[str], style: _Style, locator: str) -> pd.DataFrame:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame: pd.DataFrame = pd.read_csv(
                io.BytesIO(content),
                sep=style.separator,
                header=0 if style.header else None,
                names=names,
                quotechar=style.quote,
                decimal=style.decimal,
                keep_default_na=False,
                na_values=[""],
                index_col=False,
                low_memory=False,
                encoding="utf-8",
                **_EXACT,
            )
    except (pd.errors.ParserWarning, OverflowError, ValueError) as error:
        _refuse_ragged(content, names, style, locator)
        what = f"cannot be read as CSV: {quoted(str(error))}"
        raise error_about(locator, what, "look for a quote that is not closed") from None
    if len(frame) == 0:
        raise error_about(locator, "has a header and no rows", "check how the file was written")
    if frame.iloc[:, -1].isna().any():  # pandas fills short rows with missing cells
        _refuse_ragged(content, names, style, locator)
    return frame


def _blank(record: list[str]) -> bool:
    """Return whether pandas skips the line."""
    return not record or (len(record) == 1 and not record[0].strip())


def _refuse_ragged(content: bytes, names: list[str], style: _Style, locator: str) -> None:
    filled = (record for record in _records(content, style, locator) if not _blank(record))
    for row, record in enumerate(filled, start=0 if style.header else 1):
        if len(record) != len(names):
            what = f"row {row} of {quoted(locator)} has {len(record)} cells, but there are {len(names)} columns"
            raise DataError(what, hint="quote cells that hold the separator, and look for missing cells")


def _refuse_points(frame: pd.DataFrame, nominal: frozenset[str], style: _Style, locator: str) -> None:
    """Refuse points in numbers with a decimal comma: 1.234 is more than a thousand there."""
    mark = re.escape(style.decimal)
    number = re.compile(rf"[-+]?\d{{1,3}}(\.\d{{3}})+({mark}\d+)?|[-+]?\d+\.\d+|[-+]?\d+({mark}\d+)?")
    for name in (n for n in frame.columns if n not in nominal and frame[n].dtype.kind not in "biuf"):
        words = [str(word).strip() for word in frame[name].dropna().unique()]
        found = [word for word in words if number.fullmatch(word)]
        pointed = next((word for word in found if "." in word), None)
        if pointed is not None and 2 * len(found) > len(words):
            raise DataError(
                f"column {quoted(name)} of {quoted(locator)} holds numbers with points, such as {quoted(pointed)}, "
                f"but its decimal mark is {quoted(style.decimal)}",
                hint="save the numbers without thousands marks, or name the column in `categorical` if it holds names",
            )
