"""A suite of OpenML: its tasks become datasets, named like their data sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..plans.model import Dataset
from .access import Access
from .openml import MOST_DESCRIPTION, Get, answer_list, checked_number, description, name_of, task_of
from .openml_shelf import Shelf

STUDY = "https://www.openml.org/api/v1/json/study/{number}"


def listed_tasks(suite: Dataset, access: Access) -> tuple[Dataset, ...]:
    """The tasks of a suite that is known by its number alone."""
    number = checked_number(suite.source.locator, "suite", "openml")
    shelf = Shelf(access, f"the suite openml {number}")
    answer = shelf.get(STUDY.format(number=number), MOST_DESCRIPTION)
    tasks = answer_list(answer, "study", f"the suite openml {number}")
    shelf.keep()
    stem = suite.name.removesuffix("*")
    made = [(stem + task, replace(suite.source, kind="openml-task", locator=task)) for task in tasks]
    return tuple(replace(suite, name=name, source=source) for name, source in made)


def named_task(dataset: Dataset, access: Access, taken: Iterable[str]) -> Dataset:
    """The same dataset under the name of its data set, with the task's number behind it where that is taken."""
    number = dataset.source.locator
    shelf = Shelf(access, f"openml-task {number}")
    name = _name(number, shelf.get)
    shelf.keep()
    return replace(dataset, name=f"{name}-{number}" if name in taken or not name else name)


def _name(number: str, get: Get) -> str:
    task = task_of(number, get)
    return name_of(description(task.data, get)).strip()
