"""Suites whose members are known when they are opened: a folder's tables, the tasks of OpenML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..catalogue.sources import READERS
from ..errors import DataError
from ..plans.model import Dataset, Plan
from .access import Access, resolve
from .limits import LOG_FILES
from .quoting import error_about, quoted, quoted_list


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSuites:
    """The datasets that take the place of each name in the plan, and the files of folders that are none."""

    members: Mapping[str, tuple[Dataset, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def open_suites(plan: Plan, access: Access) -> OpenedSuites:
    """Return the members of every suite of the plan, in its own order."""
    members: dict[str, tuple[Dataset, ...]] = {}
    notes: list[str] = []
    unopened = {one.name for suite in plan.suites for one in suite.each}
    taken = {d.name for d in plan.datasets} - unopened
    for dataset in plan.datasets:
        if dataset.used and dataset.name in unopened:
            try:
                members[dataset.name], others = _members(dataset, access, taken)
            except DataError as error:
                raise DataError(error.message, hint=error.hint, span=dataset.span) from error
            taken |= {one.name for one in members[dataset.name]}
            if others:
                notes.append(f"{dataset.source.locator} also holds {quoted_list(others)}, which are no tables")
    return OpenedSuites(members=members, notes=tuple(notes))


def _members(dataset: Dataset, access: Access, taken: set[str]) -> tuple[tuple[Dataset, ...], list[str]]:
    """Return the datasets of a suite, none of them under a name that is taken, and files that are no tables."""
    if dataset.source.kind == "folder":
        return folder_members(dataset, access, taken)
    from .openml import list_tasks, name_task

    tasks = list_tasks(dataset, access) if dataset.source.kind == "openml-suite" else (dataset,)
    found: dict[str, Dataset] = {}
    for task in tasks:
        one = name_task(task, access, taken | found.keys())
        found[one.name] = one
    return tuple(found.values()), []


# Which reader takes a file, by its ending; a CSV file may be packed.
_READERS = {ending: reader.name for reader in READERS for ending in reader.endings}
_PACKED = (".gz", ".bz2", ".xz")


def folder_members(dataset: Dataset, access: Access, taken: set[str]) -> tuple[tuple[Dataset, ...], list[str]]:
    """Return the datasets of a folder in the order of the files' names, and the files that are none."""
    locator = dataset.source.locator.rstrip("/") or "."
    folder = resolve(locator, access)
    if not folder.is_dir():
        raise error_about(locator, "is not a folder", 'for one file write `dataset … from csv "…"`')
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
            raise error_about(
                file, f"in {quoted(locator)} would be a second dataset named {quoted(name)}", "rename one of the two"
            )
        source = replace(dataset.source, kind=reader, locator=file if locator == "." else f"{locator}/{file}")
        found[name] = replace(dataset, name=name, source=source)
    if not found:
        raise error_about(locator, "holds no table", f"it may hold files that end in {', '.join(_READERS)}")
    if len(found) > LOG_FILES:
        raise error_about(locator, f"holds {len(found)} tables, more than {LOG_FILES}", "take fewer")
    return tuple(found.values()), others


def _named(file: str) -> tuple[str, str | None]:
    """Return the name of the dataset in a file, and its reader."""
    plain = file
    for packed in _PACKED:
        plain = plain.removesuffix(packed)
    stem, ending = os.path.splitext(plain)
    reader = _READERS.get(ending.lower())
    return stem, reader if plain == file or reader == "csv" else None
