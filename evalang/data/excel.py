"""A sheet of an Excel workbook, through openpyxl (an extra). Formulas count with the values that were saved."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from typing import Any

import pandas as pd

from ..errors import DataError
from ..language.text import nearest
from ..plans.model import Source
from .access import Access
from .files import open_file
from .limits import CELLS, COLUMNS, FILE_BYTES, RATIO, RATIO_AFTER, UNPACKED_BYTES
from .quoting import error_about, quoted, quoted_list
from .raw import Raw, categorical_option, checked_names, checked_options


def read_excel(source: Source, access: Access) -> Raw:
    """Return the rows of a sheet (the first unless one is named) below its first row, which holds the names."""
    options = checked_options(source, {"sheet": str, "categorical": tuple})
    locator = source.locator
    try:
        import openpyxl
    except ImportError:
        raise DataError("Excel workbooks need openpyxl", hint='pip install "evalang[excel]"') from None
    with open_file(locator, access, expects="a zip archive or a spreadsheet") as stream:
        content = stream.read(FILE_BYTES)
    _check_size(content, locator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and validations that openpyxl drops
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
            rows = _rows(_sheet(book, options.get("sheet"), locator), locator)
    except DataError:
        raise
    except Exception as error:  # a damaged workbook fails in many ways
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise error_about(locator, f"cannot be read as Excel: {quoted(text)}", "save it again") from None
    if len(rows) < 2:
        what = "has no rows below the first one, which holds the names"
        raise error_about(locator, what, 'name another sheet: (sheet = "…")')
    names = checked_names(rows[0], locator, "write the names of the columns into the first row")
    frame = pd.DataFrame(rows[1:], columns=names)
    return Raw(frame=frame, source=f"excel {locator}", nominal=categorical_option(options, names, locator))


def _check_size(content: bytes, locator: str) -> None:
    """Refuse a workbook that unpacks to too much; zipfile reads no more of a member than its stated size."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            if "xl/workbook.xml" not in archive.namelist():
                raise error_about(locator, "is a zip archive, not a workbook", "save it as .xlsx")
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error):
        raise error_about(locator, "is not a workbook of Excel 2007 or later", "save it as .xlsx") from None
    if unpacked > UNPACKED_BYTES or (unpacked > RATIO_AFTER and unpacked > RATIO * len(content)):
        raise error_about(locator, f"unpacks to {unpacked >> 20} MB, too many", "save the sheet as CSV")


def _sheet(book: Any, name: str | None, locator: str) -> Any:
    if name is None:
        return book.worksheets[0]
    if name not in book.sheetnames:
        near = nearest(name, book.sheetnames)
        hint = f"did you mean {quoted(near)}?" if near else f"its sheets are {quoted_list(book.sheetnames)}"
        raise error_about(locator, f"has no sheet {quoted(name)}", hint)
    return book[name]


def _rows(sheet: Any, locator: str) -> list[tuple[Any, ...]]:
    """Return every row that is not empty, all as wide as the names; a wider one is refused."""
    found: list[tuple[Any, ...]] = []
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        kept = list(row)
        while kept and kept[-1] in (None, ""):
            kept.pop()
        if not kept:
            continue
        width = len(found[0]) if found else len(kept)
        where = f"row {number} of {quoted(locator)}"
        if len(kept) > width:
            what = f"{where} has more cells than the first row has names"
            raise DataError(what, hint="give each column a name in the first row")
        if width > COLUMNS or width * len(found) > CELLS:
            raise error_about(locator, "has too many cells", "take a sample of its rows")
        if error := next((cell for cell in kept if isinstance(cell, str) and cell in _ERRORS), None):
            raise DataError(f"{where} holds {error}, a failed formula", hint="correct the formula, and save the file")
        found.append((*kept, *[None] * (width - len(kept))))
    return found


# What a formula gives that has no value; #N/A stands for a missing value among numbers, as everywhere.
_ERRORS = frozenset({"#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"})
