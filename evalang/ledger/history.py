"""What earlier runs did: rows recognised by their hashes, earlier looks and the level that those leave, and draws.

A look is one use of test rows: a design whose scores on them were seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any

from ..errors import ScriptError
from ..plans.families import with_families
from ..plans.model import Comparison, Plan
from .chain import Event, read_events
from .designs import design_of, freeze_code

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..results.records import LookCount

Rows = Mapping[str, "NDArray[np.uint64]"]  # a hash of every row, by dataset or table

Sketch = tuple[str, ...]  # the smallest hashes of some rows, which stand for all of them
SIZE = 256
DIGITS = 15  # of a hash, in hexadecimal: 60 bits, exact in JSON of every language as text
TEST_OF = "test of "  # and a file: what `evalang test` is called
MIN_SHARED_ROWS = 0.1  # of the rows: from here on a look counts as one at the same rows


@dataclass(frozen=True, slots=True)
class Project:
    """The folder of the ledger and the script's name in it; "" for text that has no file and so no name."""

    folder: str
    study: str = ""
    table: str = ""  # the file that `evalang compare` read without a script


@dataclass(frozen=True, slots=True)
class Look:
    """An earlier look: when, by which statement of which script, under which design, and how much was shared."""

    at: str
    study: str
    comparison: str
    design: dict[str, Any]  # the clauses, in words
    datasets: tuple[tuple[str, float], ...]  # of ours: the share of its rows that were looked at

    @property
    def name(self) -> str:
        """The statement and its script."""
        if self.comparison.startswith(TEST_OF):
            return self.comparison
        return f"{self.comparison} of {self.study}" if self.study else f"{self.comparison} of text without a file"

    @property
    def learners(self) -> dict[str, str]:
        """The name of each learner and its chain."""
        learners = self.design.get("learners", {})
        return dict(learners) if isinstance(learners, dict) else dict.fromkeys(learners, "")


@dataclass(frozen=True, slots=True)
class LedgerHistory:
    """What the ledger knows of a script's data and design before this run."""

    looks: dict[str, tuple[Look, ...]]  # at the rows of each comparison, by its name
    frozen: dict[str, Any] | None = None  # the facts of the newest `frozen` of this script
    dropped: tuple[tuple[str, str], ...] = ()  # (dataset, when) of earlier runs of this script, whose rows are gone
    study: str = ""  # the script's name; "": text without a file, which has no runs of its own before
    frozen_as: tuple[str, ...] = ()  # code and time of `frozen`
    draws: tuple[Draw, ...] = ()
    reruns: frozenset[str] = frozenset()  # comparisons that were run before on all of these rows, unchanged


def read_past(project: Project | None, plan: Plan, rows: Rows) -> LedgerHistory | None:
    """Return what was looked at before and what was frozen; None without a ledger."""
    if project is None:
        return None
    found = read_events(project.folder)
    sketches = sketches_of(found, rows)
    looks: dict[str, tuple[Look, ...]] = {}
    reruns = set()
    for c in plan.comparisons:
        mine, design = {name: sketches[name] for name in c.datasets if name in sketches}, design_of(plan, c)
        looks[c.name] = earlier_looks(found, mine, design)
        if any(one.get("design") == design and set(seen.values()) == {1.0} for one, seen in _looks_at(found, mine)):
            reruns.add(c.name)
    frozen = [one for one in found if one.kind == "frozen" and project.study and one.get("study") == project.study]
    return LedgerHistory(
        looks,
        frozen[-1].facts if frozen else None,
        dropped_datasets(found, sketches, project.study) if sketches and project.study else (),
        study=project.study,
        frozen_as=(freeze_code(frozen[-1]), frozen[-1].at) if frozen else (),
        draws=first_draws(found),
        reruns=frozenset(reruns),
    )


def sketch(hashes: Iterable[int]) -> Sketch:
    """Return the smallest distinct hashes, as the ledger writes them.

    >>> sketch([3, 1, 3])
    ('000000000000001', '000000000000003')
    """
    return tuple(f"{one:0{DIGITS}x}" for one in sorted(set(hashes))[:SIZE])


def shared_fraction(mine: Sketch, theirs: Sketch) -> float:
    """Return the share of my rows that are theirs too, estimated from the sketches.

    >>> shared_fraction(sketch(range(100)), sketch(range(50, 500)))
    0.5
    """
    if not mine or not theirs:
        return 0.0
    # Texts of equal length compare as their numbers do. A sketch shorter than SIZE holds every row.
    last = min((one[-1] for one in (mine, theirs) if len(one) == SIZE), default="g")
    sample = [one for one in mine if one <= last]
    return len(set(sample).intersection(theirs)) / len(sample) if sample else 0.0


def salt_of(events: Iterable[Event]) -> str | None:
    """Return the ledger's salt; None when its first line is gone."""
    return next((one.get("salt") for one in events if one.kind == "opened"), None)


def sketches_of(events: Iterable[Event], rows: Rows) -> dict[str, Sketch]:
    """Return the sketch of each dataset's rows under the ledger's salt; {} when the ledger has none."""
    salt = salt_of(events)
    return {} if salt is None else {name: sketch(salted(hashes, salt)) for name, hashes in rows.items()}


def salted(hashes: NDArray[np.uint64], salt: str) -> list[int]:
    """Return salted hashes of 60 bits; rows cannot be recovered from them."""
    key = bytes.fromhex(salt)
    words = map(bytes, hashes.view("V8"))
    return [int.from_bytes(blake2b(word, key=key, digest_size=8).digest(), "big") >> 4 for word in words]


def earlier_looks(events: Iterable[Event], rows: Mapping[str, Sketch], design: Mapping[str, Any]) -> tuple[Look, ...]:
    """Return looks at the same rows under other designs, before this design looked for the first time; oldest first.

    Later looks and those of the same run do not count: they do not change the level of an earlier look, so a repeated
    run gives the same result.
    """
    found: dict[str, tuple[str, Look]] = {}  # by design: the run and its look
    for event, seen in _looks_at(events, rows):
        clauses, run = event.get("design", {}), event.get("run", "")
        if clauses == design:
            return tuple(look for other, look in found.values() if other != run or not run)
        look = Look(
            event.at,
            event.get("study") or event.get("table", ""),
            event.get("comparison", ""),
            clauses,
            tuple(seen.items()),
        )
        found.setdefault(json.dumps(clauses, sort_keys=True), (run, look))
    return tuple(look for _, look in found.values())


def _looks(events: Iterable[Event]) -> Iterator[tuple[Event, dict[str, Sketch]]]:
    """Yield each look with the sketches of the rows that it saw, by dataset."""
    known: dict[str, Sketch] = {}
    for event in events:
        if event.kind == "rows":
            known[event.get("rows", "")] = tuple(event.get("sketch", ()))
        if event.kind == "looked":
            yield event, {name: known.get(id, ()) for name, id in event.get("datasets", {}).items()}


def _looks_at(events: Iterable[Event], rows: Mapping[str, Sketch]) -> Iterator[tuple[Event, dict[str, float]]]:
    """Yield each look at some of these rows, with the share of the rows of each dataset that it saw."""
    for event, theirs in _looks(events):
        share = {
            name: max((shared_fraction(mine, one) for one in theirs.values()), default=0.0)
            for name, mine in rows.items()
        }
        seen = {name: part for name, part in share.items() if part >= MIN_SHARED_ROWS}
        if seen:
            yield event, seen


def dropped_datasets(events: Iterable[Event], rows: Mapping[str, Sketch], study: str) -> tuple[tuple[str, str], ...]:
    """Return the datasets that an earlier run of this script scored and whose rows are all gone, with the time."""
    gone: dict[str, str] = {}
    for event, theirs in _looks(events):
        for name, sketch in theirs.items() if event.get("study") == study else ():
            if not any(shared_fraction(sketch, mine) >= MIN_SHARED_ROWS for mine in rows.values()):
                gone.setdefault(name, event.at)
    return tuple(gone.items())


def level_of_look(alpha: float, look: int, declared: int | None = None) -> float:
    """Return the level of a look by its number j from 1: alpha/(j(j + 1)), whose sum is alpha; or alpha/declared.

    >>> level_of_look(0.05, 1), round(sum(level_of_look(0.05, j) for j in range(1, 1000)), 4)
    (0.025, 0.05)
    """
    if declared is not None:
        return alpha / declared if look <= declared else 0.0
    return alpha / (look * (look + 1))


def with_levels_left(plan: Plan, past: LedgerHistory | None) -> Plan:
    """Return the plan with the level that earlier looks leave, where a statement corrects over everything so far."""
    counted = [c for c in plan.comparisons if is_corrected_so_far(c)]
    if not counted:
        return plan
    if past is None:
        raise ledger_needed(counted[0])
    comparisons = tuple(_with_level_left(c, len(past.looks.get(c.name, ()))) for c in plan.comparisons)
    return with_families(replace(plan, comparisons=comparisons))


def look_counts(plan: Plan, past: LedgerHistory | None) -> tuple[LookCount, ...]:
    """Return which look at its rows each comparison is, and the looks before it."""
    from ..results.records import LookCount  # only a run needs the records of results

    if past is None:
        return ()
    return tuple(
        LookCount(
            comparison=c.name,
            number=len(past.looks.get(c.name, ())) + 1,
            before=tuple((one.at, one.study, one.comparison) for one in past.looks.get(c.name, ())),
            declared=c.correction.looks if c.correction is not None else None,
            corrected=is_corrected_so_far(c),
        )
        for c in plan.comparisons
        if c.scheme is None or c.scheme.looks is None  # a guarded holdout has a budget of its own
    )


def is_corrected_so_far(c: Comparison) -> bool:
    """Return whether a comparison is corrected over everything so far."""
    return c.correction is not None and c.correction.so_far


def ledger_needed(c: Comparison) -> ScriptError:
    """Return the error for a correction over everything so far without a ledger: nothing would count the looks."""
    return ScriptError(
        "a correction `over everything so far` needs the ledger, which counts earlier tests",
        hint="run it where evalang.ledger can be written, with the ledger switched on",
        span=c.correction.span if c.correction is not None else c.span,
    )


def _with_level_left(c: Comparison, before: int) -> Comparison:
    if c.correction is None or not c.correction.so_far:
        return c
    look, declared = before + 1, c.correction.looks
    if declared is not None and look > declared:
        raise ScriptError(
            f"this is test-set use {look} of these rows, and {declared} {'was' if declared == 1 else 'were'} declared",
            hint="the level is used up: use new test rows",
            span=c.correction.span,
        )
    if declared is not None:
        reason = f"test-set use {look} of {declared} declared: {c.alpha.value:g}/{declared}"
    else:
        reason = f"test-set use {look} of these rows: {c.alpha.value:g}/({look} x {look + 1})"
    level = level_of_look(c.alpha.value, look, declared)
    return replace(c, alpha=replace(c.alpha, value=level, origin="derived", reason=reason))


@dataclass(frozen=True, slots=True)
class Draw:
    """Datasets drawn at random from a list."""

    names: tuple[str, ...]
    of: int
    listed_in: str
    seed: int
    at: str


def draw_names(names: Sequence[str], count: int, seed: int) -> tuple[str, ...]:
    """Return `count` of the names in their order. The choice depends on the seed and the names, not on their order.

    >>> set(draw_names(["a", "b", "c", "d"], 2, seed=4)) == set(draw_names(["d", "c", "b", "a"], 2, seed=4))
    True
    """

    def key(name: str) -> tuple[bytes, str]:
        return sha256(f"{seed}\x00{name}".encode("utf-8", "surrogatepass")).digest(), name

    drawn = set(sorted(names, key=key)[:count])
    return tuple(name for name in names if name in drawn)


def first_draws(events: Iterable[Event]) -> tuple[Draw, ...]:
    """Return the first draw from each list: a second draw from the same list would be a choice."""
    first: dict[str, Draw] = {}
    for one in events:
        if one.kind == "drawn":
            made = Draw(tuple(one.get("drawn", ())), one.get("of", 0), one.get("list", ""), one.get("seed", 0), one.at)
            first.setdefault(one.get("population", ""), made)
    return tuple(first.values())
