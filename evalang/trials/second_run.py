"""Running finished trials a second time: a learner whose randomness does not come from its seed is found out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from .expand import Layout, Task, tasks
from .store_rows import to_row
from .trial import Trial


def sample(layout: Layout, done: dict[str, str], count: int) -> Iterator[Task]:
    """Tasks with about so many finished trials, taken in turn from every learner on every dataset.

    Which of a cell's trials they are depends on nothing but their keys: the same ones in every run.
    """
    waiting: dict[int, list[Task]] = {}
    for task in tasks(layout):
        if all(done.get(key) == "" for key in task.keys):
            waiting.setdefault(task.cell, []).append(task)
    for found in waiting.values():
        found.sort(key=lambda task: hashlib.sha256(task.keys[0].encode()).digest(), reverse=True)
    while waiting and count > 0:
        for cell in tuple(waiting):
            if count <= 0:
                return
            task = waiting[cell].pop()
            if not waiting[cell]:
                del waiting[cell]
            count -= len(task.keys)
            yield task


def differs(stored: Trial, again: Trial) -> bool:
    """Whether two runs of one trial differ in anything but times."""
    return to_row(stored)[:3] != to_row(again)[:3]
