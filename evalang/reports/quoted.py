"""Numbers that stand in a file beside the document, such as those a paper printed: one cell, or the whole table.

`paper.csv: figure 15.2: t` is the cell under the head `t` in the row that begins with `figure 15.2`;
`table outcome/table2.csv` is all of the file. What the file says is shown as it is written there.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

from ..errors import ScriptError
from ..language.nearest import nearest
from ..results import numbers
from .escape import markdown

Beside = Callable[[str], str]  # the text of a file by its path from the document

MOST_ROWS = 1_000
_CELL = re.compile(r"(?P<file>[^:]+\.csv): (?P<row>.+): (?P<column>.+)")
_TABLE = re.compile(r"table (?P<file>[^:]+\.csv)")
_FILE = re.compile(r"[^:]+\.csv(?::|\Z)")
_NUMBER = re.compile(r"[-+−]?[0-9.,]*[0-9][0-9.,]*%?[*†‡]?")


def quoted(address: str, beside: Beside | None) -> str | None:
    """The cell or the table in Markdown, or None when the address asks for something else.

    >>> quoted("paper.csv: tree: error", lambda name: "learner,error\\ntree,0.12\\n")
    '0.12'
    """
    cell, table = _CELL.fullmatch(address), _TABLE.fullmatch(address)
    if cell is None and table is None and _FILE.match(address):
        hint = "write `eval: FILE.csv: ROW: COLUMN` for a cell, `eval: table FILE.csv` for all of it"
        raise ScriptError(f"{address} names a file, and not what of it.", hint=hint)
    if cell is None and table is None:
        return None
    asked = cell or table
    assert asked is not None
    name = asked["file"].strip()
    if beside is None:
        raise ScriptError(f"{address} asks for a file, and this document lies in no folder.", hint="save it first")
    rows = _rows(name, beside(name))
    return _grid(rows) if cell is None else markdown(_cell(name, rows, cell["row"].strip(), cell["column"].strip()))


def _rows(name: str, text: str) -> list[list[str]]:
    try:
        read = csv.reader(io.StringIO(text), strict=True)
        rows = [[" ".join(cell.split()) for cell in row] for row in read if row]
    except csv.Error as reason:
        raise ScriptError(f"{name} is no table: {reason}.", hint="write it as CSV, with a line of heads") from None
    if len(rows) < 2:
        raise ScriptError(f"{name} has no rows under its heads.", hint="write it as CSV, with a line of heads")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise ScriptError(f"Row {number} of {name} has {len(row)} cells, its heads are {len(rows[0])}.")
    return rows


def _cell(name: str, rows: list[list[str]], row: str, column: str) -> str:
    heads = rows[0]
    if heads.count(column) != 1:
        raise ScriptError(f"{name} has {heads.count(column)} columns {column}.", hint=_near(column, heads))
    found = [one for one in rows[1:] if one[0] == row]
    if len(found) != 1:
        raise ScriptError(f"{name} has {len(found)} rows {row}.", hint=_near(row, [one[0] for one in rows[1:]]))
    cell = found[0][heads.index(column)]
    if not cell:
        raise ScriptError(f"{name} has nothing under {column} in the row {row}.", hint="fill it in, or quote another")
    return cell


def _near(word: str, words: list[str]) -> str:
    near = nearest(word, words)
    return f"did you mean {near}?" if near is not None and near != word else f"it has {numbers.listing(words, most=8)}"


def _grid(rows: list[list[str]]) -> str:
    """Columns of numbers stand to the right."""
    heads, body = rows[0], rows[1 : MOST_ROWS + 1]
    right = [all(_NUMBER.fullmatch(row[place]) for row in body if row[place]) for place in range(len(heads))]
    shown = [[markdown(cell) or " " for cell in row] for row in (heads, *body)]
    shown.insert(1, ["---:" if one else "---" for one in right])
    cut = [f"\nThe first {MOST_ROWS:,} of {len(rows) - 1:,} rows."] if len(rows) - 1 > MOST_ROWS else []
    return "\n" + "\n".join(["", *(f"| {' | '.join(row)} |" for row in shown), *cut, "", ""])
