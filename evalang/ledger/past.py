"""What was looked at before: earlier looks at the same rows, and what level is left for the next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..source.record import Record
from .event import Event
from .sketch import shared

SAME = 0.1  # of the rows: from here on a look counts as one at the same rows


class Look(Record):
    """An earlier look: when, by which statement of which script, under which design, and how much was shared."""

    at: str
    study: str
    comparison: str
    design: dict[str, Any]  # the clauses, in words
    datasets: tuple[tuple[str, float], ...]  # of ours: the share of its rows that were looked at

    @property
    def learners(self) -> dict[str, str]:
        """Name and what it is."""
        return dict(self.design.get("learners", {}))


class Past(Record):
    """What the ledger knows of a script's data and design before this run."""

    looks: dict[str, tuple[Look, ...]]  # at the rows of each comparison, by its name
    frozen: dict[str, Any] | None = None  # the facts of the newest `frozen` of this script
    dropped: tuple[tuple[str, str], ...] = ()  # (dataset, when) of earlier runs of this script, whose rows are gone


def looks_before(
    events: Iterable[Event], rows: Mapping[str, tuple[str, ...]], design: Mapping[str, Any]
) -> tuple[Look, ...]:
    """Looks at the same rows under other designs, before this design looked for the first time; oldest first.

    `rows` gives the sketch of each dataset of the comparison, `design` its clauses in words. What comes later does not
    count: the level that a look had is not taken from it, and the same run again says the same.
    """
    known: dict[str, tuple[str, ...]] = {}
    found: dict[str, Look] = {}
    for event in events:
        if event.kind == "rows":
            known[event.get("rows", "")] = tuple(event.get("sketch", ()))
        if event.kind != "looked":
            continue
        theirs = [known.get(id, ()) for id in event.get("datasets", {}).values()]
        share = {name: max((shared(mine, other) for other in theirs), default=0.0) for name, mine in rows.items()}
        seen = tuple((name, part) for name, part in share.items() if part >= SAME)
        said = event.get("design", {})
        if seen and said == design:
            break
        key = json.dumps(said, sort_keys=True)
        if seen and key not in found:
            found[key] = Look(event.at, event.get("study", ""), event.get("comparison", ""), said, seen)
    return tuple(found.values())


def dropped(events: Iterable[Event], rows: Mapping[str, tuple[str, ...]], study: str) -> tuple[tuple[str, str], ...]:
    """Datasets that an earlier run of this script scored, none of whose rows are among `rows`."""
    known: dict[str, tuple[str, ...]] = {}
    gone: dict[str, str] = {}
    for event in events:
        if event.kind == "rows":
            known[event.get("rows", "")] = tuple(event.get("sketch", ()))
        if event.kind == "looked" and event.get("study") == study:
            for name, id in event.get("datasets", {}).items():
                if not any(shared(known.get(id, ()), mine) >= SAME for mine in rows.values()):
                    gone.setdefault(name, event.at)
    return tuple(gone.items())


def spent(alpha: float, look: int, declared: int | None = None) -> float:
    """The level of the look of that number (from 1): a/(j(j + 1)), whose sum is a over any number of looks; or a/K.

    >>> spent(0.05, 1), round(sum(spent(0.05, j) for j in range(1, 1000)), 4)
    (0.025, 0.05)
    """
    if declared is not None:
        return alpha / declared if look <= declared else 0.0
    return alpha / (look * (look + 1))
