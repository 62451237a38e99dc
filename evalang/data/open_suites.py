"""Suites whose members are known when they are opened: a folder's tables, the tasks of OpenML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import DataError
from ..plans.model import Dataset, Plan
from .access import Access
from .shown import shown_list
from .suite_folder import folder_members


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSuites:
    """The datasets that take the place of each name in the plan, and the files of folders that are none."""

    members: Mapping[str, tuple[Dataset, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def open_suites(plan: Plan, access: Access) -> OpenedSuites:
    """What every suite of the plan holds, in its own order."""
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
                notes.append(f"{dataset.source.locator} also holds {shown_list(others)}, which are no tables")
    return OpenedSuites(members=members, notes=tuple(notes))


def _members(dataset: Dataset, access: Access, taken: set[str]) -> tuple[tuple[Dataset, ...], list[str]]:
    """The datasets that stand behind a name, none of them under a name that is taken, and files that are no tables."""
    if dataset.source.kind == "folder":
        return folder_members(dataset, access, taken)
    from .suite_openml import listed_tasks, named_task

    tasks = listed_tasks(dataset, access) if dataset.source.kind == "openml-suite" else (dataset,)
    found: dict[str, Dataset] = {}
    for task in tasks:
        one = named_task(task, access, taken | found.keys())
        found[one.name] = one
    return tuple(found.values()), []
