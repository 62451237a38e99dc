"""ARFF, the attribute-relation file format of Weka, read in one pass over the lines.

Ours, because scipy.io.arff reads neither sparse rows, texts nor missing names.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from ..errors import DataError
from ..plans.model import Source
from .access import Access
from .columns import as_number
from .files import checked_encoding, open_file, read_limited, to_utf8
from .limits import CELLS, COLUMNS
from .quoting import error_about, quoted
from .raw import Raw, checked_names, checked_options

# Repetitions are possessive: nothing is tried twice, so matching takes linear time and no memory.
_QUOTED = r"""'([^'\\]*+(?:\\.[^'\\]*+)*+)'|"([^"\\]*+(?:\\.[^"\\]*+)*+)\""""
_WORD = re.compile(rf"""\s*+(?:{_QUOTED}|([^\s,'"{{}}%]++))""")
_CELL = re.compile(rf"""[ \t]*+(?:{_QUOTED}|([^,'"{{}}]*+))[ \t]*+(,|$)""")
_INDEX = re.compile(r"\s*([0-9]{1,9})\s+")
_ESCAPE = re.compile(r"\\(.)")
_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A declared column; `values` are the declared words of a nominal one."""

    name: str
    kind: str  # "numeric", "nominal", "text"
    values: tuple[str, ...] = ()


def read_arff(source: Source, access: Access) -> Raw:
    """Return the file's rows, with its nominal attributes as categories."""
    options = checked_options(source, {"encoding": str})
    encoding = checked_encoding(options.get("encoding", "utf-8"))
    with open_file(source.locator, access) as stream:
        return parse_arff(stream, source.locator, encoding)


def parse_arff(stream: BinaryIO, locator: str, encoding: str = "utf-8") -> Raw:
    """Return rows and declared types; an error names the first wrong line."""
    text = to_utf8(read_limited(stream, locator), encoding, locator).decode("utf-8")
    lines = enumerate(io.StringIO(text), start=1)
    attributes: list[Attribute] = []
    for number, line in lines:
        words = line.strip()
        if not words or words.startswith("%"):
            continue
        head = words.split(None, 1)[0].lower()
        if head == "@attribute":
            attributes.append(_attribute(words, number, locator))
            if len(attributes) > COLUMNS:
                raise error_about(locator, f"has more than {COLUMNS} attributes", "leave columns out")
        elif head == "@data":
            break
        elif head != "@relation":
            raise _wrong(locator, number, f"begins with {quoted(head)}", "lines before @data begin with @attribute")
    else:
        raise error_about(locator, "has no @data line", "is it an ARFF file?")
    if not attributes:
        raise error_about(locator, "declares no @attribute before @data", "is it an ARFF file?")
    names = checked_names((a.name for a in attributes), locator)
    rows = [cells for number, line in lines if (cells := _row(line, number, attributes, locator)) is not None]
    if not rows:
        raise error_about(locator, "has no rows after @data", "check how the file was written")
    if len(rows) * len(attributes) > CELLS:
        raise error_about(locator, f"has more than {CELLS} cells", "take a sample of its rows")
    columns = {
        name: _column([row[j] for row in rows], attribute, locator)
        for j, (name, attribute) in enumerate(zip(names, attributes, strict=True))
    }
    nominal = frozenset(n for n, a in zip(names, attributes, strict=True) if a.kind == "nominal")
    return Raw(frame=pd.DataFrame(columns), source=f"arff {locator}", nominal=nominal)


def _attribute(line: str, number: int, locator: str) -> Attribute:
    match = _WORD.match(line, len("@attribute"))
    if match is None:
        raise _wrong(locator, number, "declares an attribute without a name", "write @attribute NAME TYPE")
    name = _unquoted(match)
    kind = line[match.end() :].strip()
    if kind.startswith("{") and kind.endswith("}"):
        known = [v for v in _cells(kind[1:-1], number, locator) if v is not None]
        return Attribute(name=name, kind="nominal", values=tuple(dict.fromkeys(known)))
    word = kind.partition(" ")[0].partition("\t")[0].lower()
    if word in _NUMERIC:
        return Attribute(name=name, kind="numeric")
    if word in ("string", "date"):
        return Attribute(name=name, kind="text")
    what = f"gives {quoted(name)} the type {quoted(word)}"
    raise _wrong(locator, number, what, "types are numeric, string, date and {a, b, …}")


def _row(line: str, number: int, attributes: list[Attribute], locator: str) -> list[str | None] | None:
    words = line.strip()
    if not words or words[0] == "%":
        return None
    if words[0] == "{":
        return _sparse(words, number, attributes, locator)
    if "'" in words or '"' in words or "{" in words:
        cells = _cells(words, number, locator)
    else:
        separated = words.split(",") if "," in words or len(attributes) == 1 else words.split()
        cells = [None if (c := cell.strip()) in ("?", "") else c for cell in separated]
    if len(cells) != len(attributes):
        what = f"has {len(cells)} cells, and there are {len(attributes)} attributes"
        raise _wrong(locator, number, what, "look for a comma inside a cell, or a cell left out")
    return cells


def _cells(text: str, number: int, locator: str) -> list[str | None]:
    cells: list[str | None] = []
    place = 0
    while True:
        match = _CELL.match(text, place)
        if match is None:
            raise _wrong(locator, number, "has a quote or brace that is not closed", "write \\' for a quote in a word")
        cells.append(_cell(match))
        if match.group(4) == "":
            return cells
        place = match.end()


def _cell(match: re.Match[str]) -> str | None:
    bare = match.group(3)
    return _unquoted(match) if bare is None else None if bare.strip() in ("?", "") else bare.strip()


def _unquoted(match: re.Match[str]) -> str:
    quoted = match.group(1) if match.group(1) is not None else match.group(2)
    return _ESCAPE.sub(r"\1", quoted) if quoted is not None else match.group(3)


def _sparse(words: str, number: int, attributes: list[Attribute], locator: str) -> list[str | None]:
    """Return the cells of `{1 X, 3 Y}`; other attributes are 0, or the first value of a nominal one."""
    cells: list[str | None] = [a.values[0] if a.values else "0" for a in attributes]
    what = "names an attribute that does not exist, or does not close a quote or brace"
    wrong = _wrong(locator, number, what, "a sparse row is {0 X, 2 Y}; attributes count from 0")
    if not words.endswith("}"):
        raise wrong
    inner = words.removeprefix("{").removesuffix("}").strip()
    place = 0
    while place < len(inner):
        match = _INDEX.match(inner, place)
        cell = _CELL.match(inner, match.end()) if match else None
        if match is None or cell is None or int(match.group(1)) >= len(attributes):
            raise wrong
        cells[int(match.group(1))] = _cell(cell)
        place = cell.end()
    return cells


def _column(cells: list[str | None], attribute: Attribute, locator: str) -> pd.Series[Any]:
    """Return the cells of an attribute; one that is no number, or none of the declared values, is refused."""
    values = dict.fromkeys(attribute.values)
    numbers = {word: as_number(word) for word in set(cells) if word is not None and attribute.kind == "numeric"}
    for row, word in enumerate(cells, start=1) if attribute.kind != "text" else ():
        if word is not None and (word not in values if attribute.kind == "nominal" else numbers[word] is None):
            what = "not one of its values" if attribute.kind == "nominal" else "not a number"
            raise DataError(
                f"row {row} of the attribute {quoted(attribute.name)} of {quoted(locator)} is {quoted(word)}, {what}",
                hint="write ? for a missing value, or declare the value in the @attribute line",
            )
    if attribute.kind == "numeric":
        return pd.Series(np.array([np.nan if w is None else numbers[w] for w in cells], dtype=np.float64))
    return pd.Series(cells, dtype="object")


def _wrong(locator: str, number: int, what: str, hint: str) -> DataError:
    return DataError(f"line {number} of {quoted(locator)} {what}", hint=hint)
