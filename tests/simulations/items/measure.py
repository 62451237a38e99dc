"""Every setting of items, run so often, and the rates stored beside those of the other tests."""

from __future__ import annotations

import csv
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..levels.outcome import OUTCOME, by_what, counted, write_csv
from ..levels.unfolded import HEAD
from .draws import ItemDesign
from .wrongs import ItemSetting, all_pairs, in_groups, on_items

STORED = OUTCOME / "items.csv"
SLOW = "all pairs"  # from script to verdict, so run less often
EASY, EQUAL, APART = (2.5, 2.5), (0.0, 0.0), (0.4, 0.0)
NAMES = {EASY: "easy, equal models", EQUAL: "equal models", APART: "models apart"}


def settings() -> Iterator[ItemSetting]:
    """Items alone, in groups, and all pairs of five models."""
    for items in (50, 200, 1000):
        for epochs in (1, 5):
            size = f"{items} items, {epochs} epoch{'s' * (epochs > 1)}"
            for abilities, said in NAMES.items():
                design = ItemDesign(items=items, epochs=epochs, abilities=abilities)
                yield ItemSetting(what="items", name=f"{size}, {said}", design=design, wrong=on_items)
            for groups in (10, 20, 50):
                if items < 2 * groups:
                    continue
                for uneven in (False, True):
                    for abilities in (EQUAL, APART):
                        design = ItemDesign(
                            items=items, epochs=epochs, abilities=abilities, groups=groups, uneven=uneven
                        )
                        said = f"{groups} {'uneven' if uneven else 'equal'} groups, {NAMES[abilities]}"
                        yield ItemSetting(what="groups", name=f"{size}, {said}", design=design, wrong=in_groups)
    for abilities, said in (((0.0,) * 5, "five equal models"), ((0.0, 0.0, 0.3, 0.6, 1.2), "five models, two equal")):
        for items in (50, 200):
            for by in ("row-t", "mcnemar-exact"):
                design = ItemDesign(items=items, epochs=1, abilities=abilities)
                yield ItemSetting(what=SLOW, name=f"{items} items, {said}", design=design, wrong=all_pairs(by), by=by)
        for groups, by in ((10, "cluster-permutation"), (20, "cluster-permutation"), (50, "cluster-t")):
            design = ItemDesign(items=200, epochs=1, abilities=abilities, groups=groups)
            name = f"200 items, {groups} equal groups, {said}"
            yield ItemSetting(what=SLOW, name=name, design=design, wrong=all_pairs(by), by=by)


def wrongs_of(setting: ItemSetting, runs: int) -> Counter[str]:
    """By test and what it does, in how many of the runs it was wrong; 0 is kept."""
    rng = np.random.default_rng(zlib.crc32(f"{setting.what}/{setting.name}".encode()))
    found: Counter[str] = Counter()
    for _ in range(runs):
        found.update({name: int(wrong) for name, wrong in setting.wrong(setting.design, rng).items()})
    return found


def measure(runs: int, path: Path = STORED) -> None:
    """Add what is missing to the stored rates, setting by setting; all pairs with a tenth of the runs."""
    rows: list[tuple[object, ...]] = []
    if path.exists():
        with path.open(newline="") as file:
            rows = [tuple(row) for row in csv.reader(file)][1:]
    done = {row[:3] for row in rows}
    for setting in settings():
        if any(key[:2] == (setting.what, setting.name) and str(key[2]).startswith(setting.by) for key in done):
            continue
        times = runs // 10 if setting.what == SLOW else runs
        for name, wrong in wrongs_of(setting, times).items():
            rows.append((setting.what, setting.name, name, *counted(wrong, times)))
        write_csv(path, HEAD, rows)
    head = ("data and test", "settings", "lowest", "highest", "above .06", "highest in")
    write_csv(path.with_name("items-ranges.csv"), head, by_what(path))
