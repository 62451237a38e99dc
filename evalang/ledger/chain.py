"""The file of a ledger: events in a chain of hashes, how they are read and appended, and how the chain is checked."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

from ..errors import RunError, ScriptError
from ..language.files import open_plain

KINDS = {
    "opened": "the ledger was begun",
    "rows": "rows were seen for the first time",
    "planned": "a design was planned",
    "frozen": "a design was frozen",
    "started": "a run was started",
    "looked": "scores of test rows were seen",
    "asked": "a guarded holdout was asked",
    "changed": "a design was changed after its data was tested",
    "allowed": "a finding was allowed",
    "reported": "a report was written",
    "drawn": "datasets were drawn at random",
}
CUT_SHORT = "it was cut off while being written"
LENGTH = 32  # of a hash, in hexadecimal digits: 128 bits


@dataclass(frozen=True, slots=True)
class Event:
    """One line: `facts` belong to its kind, `before` are the hashes of the lines that it follows."""

    kind: str
    at: str  # UTC, to the second
    facts: dict[str, Any]
    before: tuple[str, ...]
    hash: str

    def get(self, name: str, default: Any = None) -> Any:
        """Return a fact, or the default."""
        return self.facts.get(name, default)


def make_event(kind: str, at: str, facts: dict[str, Any], before: tuple[str, ...]) -> Event:
    """Return the event with its hash.

    >>> make_event("opened", "2026-11-16T10:00:00Z", {"project": "thesis"}, ()).hash == event_hash(
    ...     {"event": "opened", "at": "2026-11-16T10:00:00Z", "project": "thesis", "before": []}
    ... )
    True
    """
    fields = {"event": kind, "at": at, **facts, "before": list(before)}
    return Event(kind, at, facts, before, event_hash(fields))


def format_line(event: Event) -> str:
    """Return the event as the ledger holds it, without the line's end."""
    fields = {"event": event.kind, "at": event.at, **event.facts, "before": list(event.before), "hash": event.hash}
    return json.dumps(fields, ensure_ascii=False, allow_nan=False)


def parse_line(text: str) -> Event | str:
    """Return the event of a line, or what is wrong with the line."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        # A line is written from its beginning; one that still has its end was not cut short.
        return "it is not a valid entry: it was edited" if text.rstrip().endswith("}") else CUT_SHORT
    if not isinstance(fields, dict) or not all(isinstance(fields.get(name), str) for name in ("event", "at", "hash")):
        return "it is not a ledger entry"
    before = fields.get("before")
    if not isinstance(before, list) or not all(isinstance(one, str) for one in before):
        return "the line does not say which line it came after"
    kept = {name: value for name, value in fields.items() if name != "hash"}
    if event_hash(kept) != fields["hash"]:
        return "its hash does not match its text: the line was edited"
    facts = {name: value for name, value in kept.items() if name not in ("event", "at", "before")}
    return Event(fields["event"], fields["at"], facts, tuple(before), fields["hash"])


def event_hash(fields: dict[str, Any]) -> str:
    """Return the hash of an event. Names are sorted, so that the order of the JSON does not matter."""
    text = json.dumps(fields, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:LENGTH]


@dataclass(frozen=True, slots=True)
class LineProblem:
    """What `ledger check` says of a line; a note is no sign of tampering."""

    line: int  # from 1; 0: of the ledger as a whole
    level: Literal["error", "note"]
    sentence: str


def check_chain(
    lines: tuple[Event | str, ...], *, heads: Iterable[tuple[str, str]] = (), project: str = ""
) -> tuple[LineProblem, ...]:
    """Return what is wrong with the chain. `heads` are (run folder, hash of the newest line when that run ended)."""
    return (*_each(lines), *_roots(lines, project), *_forks(lines), *_lost(lines, tuple(heads)))


def newest_hashes(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the hashes that no line follows: one, or one for each branch that was merged."""
    found = tuple(events)
    followed = {hash for event in found for hash in event.before}
    return tuple(sorted({event.hash for event in found} - followed))


def _each(lines: tuple[Event | str, ...]) -> Iterable[LineProblem]:
    known: dict[str, Event] = {}
    for number, found in enumerate(lines, start=1):
        if isinstance(found, str):
            yield LineProblem(number, "note" if found == CUT_SHORT else "error", found)
            continue
        if found.hash in known:
            yield LineProblem(number, "note", "the same line occurs twice in the ledger")
        missing = [hash for hash in found.before if hash not in known]
        if missing:
            moved = any(isinstance(one, Event) and one.hash in missing for one in lines[number:])
            how = "is below it: lines were moved" if moved else "is missing or was edited"
            yield LineProblem(number, "error", f"the line it came after ({missing[0][:8]}…) {how}")
        if found.kind not in KINDS:
            yield LineProblem(number, "note", f"a newer evalang wrote it: {found.kind} is not known here")
        before = [known[hash].at for hash in found.before if hash in known]
        if before and found.at < max(before):
            yield LineProblem(number, "note", "it is dated before the line it came after: a clock was set back")
        known[found.hash] = found


def _roots(lines: tuple[Event | str, ...], project: str) -> Iterable[LineProblem]:
    events = [one for one in lines if isinstance(one, Event)]
    roots = [(n, e) for n, e in enumerate(lines, start=1) if isinstance(e, Event) and not e.before]
    if events and not roots:
        yield LineProblem(0, "error", "the first line of the ledger is missing")
    for number, event in roots:
        if event.kind != "opened":
            yield LineProblem(number, "error", "no line comes before it and it is not the first: lines are missing")
    if len(roots) > 1 and len({e.get("salt") for _, e in roots}) > 1:
        yield LineProblem(roots[1][0], "note", "a second ledger begins here: two projects were put together")
    opened = roots[0][1].get("project", "") if roots else ""
    if project and opened and project != opened:
        yield LineProblem(1, "note", f"it was opened in a folder called {opened}: the project was copied or renamed")


def _forks(lines: tuple[Event | str, ...]) -> Iterable[LineProblem]:
    """Yield a note for each second line after the same one: two branches were merged."""
    after: dict[str, int] = {}
    for number, found in enumerate(lines, start=1):
        for hash in found.before if isinstance(found, Event) else ():
            if hash in after:
                sentence = f"a branch begins here, beside line {after[hash]}: ledgers were merged"
                yield LineProblem(number, "note", sentence)
            after.setdefault(hash, number)


def _lost(lines: tuple[Event | str, ...], heads: tuple[tuple[str, str], ...]) -> Iterable[LineProblem]:
    there = {one.hash for one in lines if isinstance(one, Event)}
    for where, hash in heads:
        if hash not in there:
            sentence = f"{where} refers to a missing line ({hash[:8]}…): the end was cut off or edited"
            yield LineProblem(0, "error", sentence)


NAME = "evalang.ledger"
HEAD = "ledger.head"  # in a run folder: the hash of the newest line when the run ended, so that a cut end is noticed
LARGEST = 256 * 2**20
_HERE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CONFLICT = ("<<<<<<< ", "=======", ">>>>>>> ")
_HINT = "keep the lines of both sides, and remove the three marks; evalang ledger check then recognises the merge"


def read(folder: str) -> tuple[Event | str, ...]:
    """Return every line, as an event or as what is wrong with it; () where there is no ledger."""
    path = os.path.join(folder, NAME)
    try:
        handle = open_plain(path, os.O_RDONLY | _HERE)
        try:
            return _lines(_content(handle, path), path)
        finally:
            os.close(handle)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ScriptError(f"{path} cannot be read: {_why(error)}", hint="check the permissions of the file") from None


def events(lines: Sequence[Event | str]) -> tuple[Event, ...]:
    """Return the lines that could be read."""
    return tuple(one for one in lines if isinstance(one, Event))


def read_events(folder: str) -> tuple[Event, ...]:
    """Return the events of a ledger; () where there is none."""
    return events(read(folder))


Entry = tuple[str, dict[str, Any]]  # kind and facts
Entries = Sequence[Entry] | Callable[[tuple[Event, ...]], Sequence[Entry]]


def append(folder: str, entries: Entries) -> tuple[Event, ...]:
    """Append (kind, facts) of each entry and return the new events; a ledger that is not there is begun.

    Entries that depend on the lines that are there are a function of them, called under the lock.
    """
    path = os.path.join(folder, NAME)
    try:
        handle = open_plain(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _HERE)
        try:
            _lock(handle)
            return _put(handle, path, entries)
        finally:
            os.close(handle)
    except OSError as error:
        hint = "check the permissions and the free space, or run with --no-ledger"
        raise RunError(f"{path} cannot be written: {_why(error)}", hint=hint) from None


def _put(handle: int, path: str, entries: Entries) -> tuple[Event, ...]:
    content = _content(handle, path)
    there = events(_lines(content, path))
    before = newest_hashes(there)
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    made: list[Event] = []
    if not there:
        import secrets

        project = os.path.basename(os.path.dirname(os.path.abspath(path)))
        made.append(make_event("opened", at, {"project": project, "version": 1, "salt": secrets.token_hex(16)}, ()))
        before = (made[-1].hash,)
    for kind, facts in entries((*there, *made)) if callable(entries) else entries:
        made.append(make_event(kind, at, facts, before))
        before = (made[-1].hash,)
    # A line that a kill cut short stays as it is (`ledger check` reports it); the next one begins on a new line.
    start = b"" if not content or content.endswith(b"\n") else b"\n"
    _write_whole(handle, start + "".join(format_line(event) + "\n" for event in made).encode(), len(content))
    return tuple(made)


def _write_whole(handle: int, text: bytes, size: int) -> None:
    """Write all of it to the disk; where that fails, nothing."""
    try:
        left = memoryview(text)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(handle, size)  # what was there stays; only our own half line goes
        raise


def _content(handle: int, path: str) -> bytes:
    size = os.fstat(handle).st_size
    if size > LARGEST:
        raise ScriptError(f"{path} is too large to read: {size:,} bytes", hint=f"a ledger has at most {LARGEST:,}")
    found = bytearray()
    while part := os.pread(handle, 2**20, len(found)) if hasattr(os, "pread") else os.read(handle, 2**20):
        found += part
    return bytes(found)


def _lines(content: bytes, path: str) -> tuple[Event | str, ...]:
    try:
        texts = content.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        texts = [one.decode("utf-8", "replace") for one in content.split(b"\n")]
    for number, text in enumerate(texts, start=1):
        if text.startswith(_CONFLICT):
            raise ScriptError(f"{path} has conflict marks of git in line {number}", hint=_HINT)
    return tuple(parse_line(text) for text in texts if text.strip())


def _lock(handle: int) -> None:
    """Wait for the lock of the file, so that two runs write one after the other; it ends with the handle."""
    with contextlib.suppress(ImportError):  # a platform without it: O_APPEND alone keeps lines whole
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)


def _why(error: OSError) -> str:
    return "it is a link" if error.errno == errno.ELOOP else str(error.strerror)
