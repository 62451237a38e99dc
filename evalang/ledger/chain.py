"""The proof that a ledger is whole: every line gives its hash, and the line it came after is there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ..source.record import Record
from .event import CUT_SHORT, KINDS, Event


class Problem(Record):
    """What `ledger check` says of a line; a note is no sign of tampering."""

    line: int  # from 1; 0: of the ledger as a whole
    level: Literal["error", "note"]
    sentence: str


def prove(
    lines: tuple[Event | str, ...], *, heads: Iterable[tuple[str, str]] = (), project: str = ""
) -> tuple[Problem, ...]:
    """What is wrong. `heads` are (where it is kept, hash of the newest line then): run folders and freeze codes."""
    return (*_each(lines), *_roots(lines, project), *_forks(lines), *_lost(lines, tuple(heads)))


def tips(events: Iterable[Event]) -> tuple[str, ...]:
    """The hashes that no other line came after: one, or one for each branch that was merged."""
    found = tuple(events)
    followed = {hash for event in found for hash in event.before}
    return tuple(sorted({event.hash for event in found} - followed))


def _each(lines: tuple[Event | str, ...]) -> Iterable[Problem]:
    known: dict[str, Event] = {}
    for number, found in enumerate(lines, start=1):
        if isinstance(found, str):
            yield Problem(number, "note" if found == CUT_SHORT else "error", found)
            continue
        if found.hash in known:
            yield Problem(number, "note", "the same line stands in the ledger twice")
        missing = [hash for hash in found.before if hash not in known]
        if missing:
            said = (
                "is gone or was edited" if not _later(lines, number, missing) else "stands below it: lines were moved"
            )
            yield Problem(number, "error", f"the line it came after ({missing[0][:8]}…) {said}")
        if found.kind not in KINDS:
            yield Problem(number, "note", f"a newer evalang wrote it: {found.kind} is not known here")
        before = [known[hash].at for hash in found.before if hash in known]
        if before and found.at < max(before):
            yield Problem(number, "note", "it is dated before the line it came after: a clock was set back")
        known[found.hash] = found


def _later(lines: tuple[Event | str, ...], number: int, missing: list[str]) -> bool:
    return any(isinstance(one, Event) and one.hash in missing for one in lines[number:])


def _roots(lines: tuple[Event | str, ...], project: str) -> Iterable[Problem]:
    events = [one for one in lines if isinstance(one, Event)]
    roots = [(n, e) for n, e in enumerate(lines, start=1) if isinstance(e, Event) and not e.before]
    if events and not roots:
        yield Problem(0, "error", "the first line of the ledger is gone")
    for number, event in roots:
        if event.kind != "opened":
            yield Problem(number, "error", "it came after no line, and does not open the ledger: some are gone")
    if len(roots) > 1 and len({e.get("salt") for _, e in roots}) > 1:
        yield Problem(roots[1][0], "note", "a second ledger begins here: two projects were put together")
    opened = roots[0][1].get("project", "") if roots else ""
    if project and opened and project != opened:
        yield Problem(1, "note", f"it was opened in a folder called {opened}: the project was copied or renamed")


def _forks(lines: tuple[Event | str, ...]) -> Iterable[Problem]:
    """Two lines after the same one are two branches, merged; each of them is whole, or the lines above said so."""
    after: dict[str, int] = {}
    for number, found in enumerate(lines, start=1):
        for hash in found.before if isinstance(found, Event) else ():
            if hash in after:
                yield Problem(number, "note", f"a branch begins here, beside line {after[hash]}: ledgers were merged")
            after.setdefault(hash, number)


def _lost(lines: tuple[Event | str, ...], heads: tuple[tuple[str, str], ...]) -> Iterable[Problem]:
    there = {one.hash for one in lines if isinstance(one, Event)}
    for where, hash in heads:
        if hash not in there:
            yield Problem(
                0, "error", f"{where} knows of a line that is gone ({hash[:8]}…): the end was cut off or edited"
            )
