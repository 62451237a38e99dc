"""A folder as a suite: every table in it is a dataset, named like its file."""

from __future__ import annotations

import os
from dataclasses import replace

from ..errors import DataError
from ..plans.model import Dataset
from .access import Access
from .limits import LOG_FILES
from .paths import resolve
from .shown import shown

# Which reader takes a file, by its ending; a CSV file may be packed.
_READERS = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".parquet": "parquet", ".feather": "feather", ".arff": "arff"}
_READERS |= {".xlsx": "excel"}
_PACKED = (".gz", ".bz2", ".xz")


def folder_members(dataset: Dataset, access: Access, taken: set[str]) -> tuple[tuple[Dataset, ...], list[str]]:
    """The datasets of a folder in the order of the files' names, and the files that are none."""
    locator = dataset.source.locator.rstrip("/") or "."
    folder = resolve(locator, access)
    if not folder.is_dir():
        raise DataError(f"{shown(locator)} is no folder", hint='for one file write `dataset … from csv "…"`')
    with os.scandir(folder) as entries:
        names = sorted(e.name for e in entries if not e.name.startswith("."))
    found: dict[str, Dataset] = {}
    others: list[str] = []
    for file in names:
        name, reader = _named(file)
        if reader is None or (folder / file).is_dir():
            others.append(file)
            continue
        if name in found or name in taken:
            raise DataError(
                f"{shown(file)} in {shown(locator)} would be a second dataset named {shown(name)}",
                hint="rename one of the two",
            )
        source = replace(dataset.source, kind=reader, locator=file if locator == "." else f"{locator}/{file}")
        found[name] = replace(dataset, name=name, source=source)
    if not found:
        raise DataError(f"{shown(locator)} holds no table", hint=f"it may hold files that end in {', '.join(_READERS)}")
    if len(found) > LOG_FILES:
        raise DataError(f"{shown(locator)} holds {len(found)} tables, more than {LOG_FILES}", hint="take fewer")
    return tuple(found.values()), others


def _named(file: str) -> tuple[str, str | None]:
    """The name of the dataset in a file, and its reader."""
    plain = file
    for packed in _PACKED:
        plain = plain.removesuffix(packed)
    stem, ending = os.path.splitext(plain)
    reader = _READERS.get(ending.lower())
    return stem, reader if plain == file or reader == "csv" else None
