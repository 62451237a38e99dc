"""Writes livebench.csv and gpqa.csv, a row an answer or sample, from the reference values that the tests carry.

    python docs/studies/answers/make_tables.py

GPQA's values are counts of right answers in five epochs; which epochs were right is not kept and changes nothing.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KNOWN = HERE.parents[2] / "tests" / "golden" / "item_scores.json"


def livebench(known: dict[str, Any]) -> Iterable[tuple[object, ...]]:
    """Item, task, and the score of each model."""
    yield ("item", "task", *known["learners"])
    for task in known["tasks"]:
        for i, scores in enumerate(zip(task["first"], task["second"], strict=True), 1):
            yield (f"{task['task']} {i}", task["task"], *(f"{score:g}" for score in scores))


def gpqa(known: dict[str, Any]) -> Iterable[tuple[object, ...]]:
    """Item, epoch, and whether each model was right."""
    yield ("item", "epoch", *(name.rpartition("/")[2] for name in known["learners"]))
    for i, counts in enumerate(zip(*known["right"], strict=True), 1):
        for epoch in range(1, 6):
            yield (f"q{i}", epoch, *(int(epoch <= int(count)) for count in counts))


def main() -> None:
    """Both tables."""
    known = json.loads(KNOWN.read_text(encoding="utf-8"))
    for name, table in (("livebench", livebench(known["livebench"])), ("gpqa", gpqa(known["gpqa"]))):
        with (HERE / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main()
