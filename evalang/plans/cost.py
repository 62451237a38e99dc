"""What a plan costs in time and memory, from a pilot: a few of its own trials, which the run finds in its store.

The pilot leaves `pilot.json` in the run folder, so that a later `plan` can reckon with it without opening any data.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..codec import field_names

NAME = "pilot.json"
BESIDE = 0.005  # seconds of a worker beside each quick trial, sending and storing it (docs/design/engine.md)


@dataclass(frozen=True, slots=True)
class CellCost:
    """One learner on one dataset under one scheme."""

    learner: str
    dataset: str
    digest: str
    trials: int
    amount: float  # the same, each counted by the rows of its fold as a share of the first fold's
    left: float  # what of it is not in the store
    seconds: float | None  # of one; None where nothing is known
    measured: int  # trials they were measured on, 0 where they come from another dataset
    nearest: str  # that dataset
    memory: int | None  # bytes
    grows: bool  # folds differ in size


@dataclass(frozen=True, slots=True)
class PlanCost:
    """All of them, for so many workers; `places` says which cells each comparison looks at."""

    fingerprint: str  # of the plan
    jobs: int
    resident: int  # bytes that a worker has before its first trial, most of them shared with the others
    cells: tuple[CellCost, ...]
    places: tuple[tuple[str, int], ...]
    beside: float = BESIDE  # as the pilot found it; a machine that others use has more of it


def wall(cost: PlanCost, share: float = 1.0, *, left: bool = False) -> float | None:
    """Seconds by the clock for a share of the trials, or for what is left; None where some are not known at all."""
    known = [(one.left if left else share * one.amount, one.seconds) for one in cost.cells]
    if any(amount > 0 and seconds is None for amount, seconds in known):
        return None
    timed = [(amount, seconds) for amount, seconds in known if seconds is not None and amount > 0]
    work = sum(amount * (seconds + cost.beside) for amount, seconds in timed)
    return max(work / cost.jobs, max((seconds for _, seconds in timed), default=0.0))


def dumps(cost: PlanCost) -> str:
    """As JSON."""
    held: dict[str, Any] = {name: getattr(cost, name) for name in field_names(PlanCost)}
    held["cells"] = [{name: getattr(one, name) for name in field_names(CellCost)} for one in cost.cells]
    return json.dumps({"version": 1, **held}, indent=1, allow_nan=False) + "\n"


def loads(text: str) -> PlanCost | None:
    """What a pilot left; None for anything else, which a stranger may have written."""
    try:
        held = json.loads(text)
        cells = tuple(CellCost(**{name: one[name] for name in field_names(CellCost)}) for one in held["cells"])
        places = tuple((str(name), int(place)) for name, place in held["places"])
        beside = held.get("beside", BESIDE)  # a file of an earlier version does not say
        found = PlanCost(str(held["fingerprint"]), int(held["jobs"]), int(held["resident"]), cells, places, beside)
        sound = found.jobs > 0 and all(0 <= place < len(cells) for _, place in places)
        sound = sound and all(_positive(n) for one in cells for n in (one.amount, one.left, one.seconds or 0.0))
        sound = sound and _positive(beside)
    except (ValueError, TypeError, LookupError):
        return None
    return found if sound else None


def _positive(number: object) -> bool:
    return isinstance(number, int | float) and math.isfinite(number) and number >= 0


def clock(seconds: float) -> str:
    """A time for people, in two figures or so.

    >>> clock(0.0042), clock(3.14159), clock(75), clock(4000), clock(200_000)
    ('0.0042 s', '3.1 s', '75 s', '67 min', '56 h')
    """
    if seconds < 100:
        return f"{float(f'{seconds:.2g}'):g} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"


def _size(memory: float) -> str:
    return f"{memory / 2**30:.1f} GB" if memory >= 2**30 else f"{memory / 2**20:.0f} MB"


def describe_cost(cost: PlanCost) -> Iterator[str]:
    """What was measured, what was assumed, and what it comes to."""
    yield "time and memory of one trial (tuning, training, predicting), from a pilot:"
    width = max((len(f"{one.learner} on {one.dataset}") for one in cost.cells), default=0)
    for one in cost.cells:
        yield f"  {f'{one.learner} on {one.dataset}':{width}}  {_measured(one)}"
    known = [one for one in cost.cells if one.seconds is not None]
    if any(one.nearest for one in known):
        yield "  assumed: time in proportion to rows, which is too little for learners that grow faster than that"
    if any(one.grows for one in known):
        yield "  assumed: folds of different sizes take time in proportion to the rows they train on"
    trials, whole, left = sum(one.trials for one in cost.cells), wall(cost), wall(cost, left=True)
    workers = f"{cost.jobs} worker{'s' * (cost.jobs != 1)}"
    if whole is None or left is None:
        missing = sum(one.seconds is None for one in cost.cells)
        yield f"In all {trials:,} trials; {missing} of {len(cost.cells)} lines are not known: raise --pilot-seconds."
    else:
        work = sum(one.amount * (one.seconds or 0.0) for one in cost.cells)
        more = f", {clock(left)} for what is not in the store yet" if left < 0.99 * whole else ""
        yield f"In all {trials:,} trials: about {clock(whole)} with {workers} (--jobs), {clock(work)} of work{more}."
    peak = max((one.memory or 0 for one in cost.cells), default=0)
    yield (
        f"Memory: a trial takes up to {_size(peak)} beyond the {_size(cost.resident)} of its process, which workers "
        f"mostly share: {_size(cost.resident + cost.jobs * peak)} and a little more with {workers}."
    )
    yield "Tests and reports come on top; no score has been looked at."


def _measured(one: CellCost) -> str:
    if one.seconds is None:
        return f"not measured ({one.trials:,} trials)"
    grown = f", {_size(one.memory)}" if one.memory is not None else ""
    how = f"as on {one.nearest}, by rows" if one.nearest else f"median of {one.measured}"
    return f"{clock(one.seconds)}{grown} ({how}); {one.trials:,} trials, {clock(one.amount * one.seconds)}"
