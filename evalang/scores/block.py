"""The cells of one dataset of a long table, on axes that have names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..data.quoting import quoted as shown
from ..data.quoting import quoted_list as shown_list
from ..errors import DataError
from ..plans.model import Scheme
from .results import Floats

Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAsked:
    """What the script wants of a table."""

    name: str = "results"
    where: str = "the table"
    learners: tuple[str, ...] = ()  # those that are compared; () is all of them
    metric: str = "accuracy"
    higher_is_better: bool = True
    made: Scheme | None = None
    trainings: int | None = None
    complete_cases: bool = False
    spreads: int = 0  # cells that were a mean with a spread, where the table was not long


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """The rows that are compared, every name as a number in order of its first row."""

    values: Floats
    rows: Codes  # their places in the frame
    learner: Codes
    learners: tuple[str, ...]
    levels: dict[str, tuple[Codes, list[str]]]  # standing -> codes, names
    contents: Mapping[tuple[str, str], str] = field(default_factory=dict)  # hash of an item's text, by dataset and item


class Block:
    """The cells of one dataset."""

    def __init__(self, asked: TableAsked, coded: Coded, name: str, rows: Codes) -> None:
        self.name, self.asked, self.coded, self.rows = name, asked, coded, rows
        self.axes: dict[str, tuple[Codes, list[str]]] = {}
        for standing, (codes, names) in coded.levels.items():
            if standing != "dataset":
                there, inverse = _first_seen(codes[rows])
                self.axes[standing] = (inverse, [names[i] for i in there])

    def filled(self, *standings: str) -> Floats:
        """[learner, ...] over the levels that there are; NaN where there is no score. A level that is absent is 1."""
        shape = [len(self.coded.learners)]
        index: list[Codes] = [self.coded.learner[self.rows]]
        for standing in standings:
            codes, names = self.axes.get(standing, (np.zeros(len(self.rows), dtype=np.intp), [""]))
            shape.append(len(names))
            index.append(codes)
        found = np.full(shape, np.nan)
        found[tuple(index)] = self.coded.values[self.rows]
        return found

    def nest_folds(self) -> None:
        """Folds that are numbered on from repetition to repetition are numbered within each of them."""
        if "fold" not in self.axes or "repeat" not in self.axes:
            return
        (repeat, repeats), (fold, folds) = self.axes["repeat"], self.axes["fold"]
        pairs, inverse = _first_seen(repeat * len(folds) + fold)
        sizes = np.bincount(pairs // len(folds), minlength=len(repeats))
        if len(set(sizes.tolist())) > 1:
            said = ", ".join(f"{shown(r)} has {n}" for r, n in list(zip(repeats, sizes, strict=True))[:4])
            raise DataError(
                f"{self.asked.where}: the partitions of {shown(self.name)} differ in their number of folds ({said})",
                hint="every partition needs the same number of folds",
            )
        if int(sizes[0]) == len(folds):
            return
        place, seen = np.zeros(len(pairs), dtype=np.intp), np.zeros(len(repeats), dtype=np.intp)
        for i, pair in enumerate(pairs):
            place[i] = seen[pair // len(folds)]
            seen[pair // len(folds)] += 1
        self.axes["fold"] = (place[inverse], [str(i + 1) for i in range(int(sizes[0]))])

    def gaps(self, found: Floats, standings: Sequence[str]) -> Iterator[tuple[str, str]]:
        """(learner, place) of every cell without a score."""
        for at in np.argwhere(np.isnan(found)):
            words = [self.name] if "dataset" in self.coded.levels else []
            words += [self.axes[s][1][i] for s, i in zip(standings, at[1:], strict=True) if s in self.axes]
            yield self.coded.learners[at[0]], " / ".join(words) or self.name

    def groups(self) -> Codes | None:
        """The group of every item; an item in two groups is refused."""
        if "group" not in self.axes:
            return None
        (item, names), (group, words) = self.axes["item"], self.axes["group"]
        found = np.full(len(names), -1, dtype=np.intp)
        found[item] = group
        torn = np.flatnonzero(found[item] != group)
        if torn.size:
            which = names[item[torn[0]]]
            both = sorted({words[g] for g in group[item == item[torn[0]]]})
            raise DataError(
                f"{self.asked.where}: the item {shown(which)} is in the groups {shown_list(both)}",
                hint="an item belongs to one group; is the item named alike in several files?",
            )
        return found

    def contents(self, items: Sequence[str]) -> tuple[str, ...]:
        """The hash of each item's text; () unless all of them are known."""
        found = tuple(self.coded.contents.get((self.name, item), "") for item in items)
        return found if all(found) else ()


def _first_seen(codes: Codes) -> tuple[Codes, Codes]:
    """The values in order of their first place, and for each place the number of its value."""
    found, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return found[order], rank[inverse]
