"""One line of the ledger: what happened, when, which lines it came after, and the hash of it all."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from ..source.record import Record

KINDS = {
    "opened": "the ledger was begun",
    "rows": "rows were seen for the first time",
    "planned": "a design was planned",
    "frozen": "a design was frozen",
    "started": "a run was started",
    "looked": "scores of test rows were seen",
    "changed": "a design was changed after a look",
    "allowed": "a finding was allowed",
    "reported": "a report was written",
    "drawn": "datasets were drawn by lot",
}
CUT_SHORT = "it was cut short while it was written, and is no event"
LENGTH = 32  # of a hash, in hexadecimal digits: 128 bits


class Event(Record):
    """What happened. `facts` holds what belongs to its kind; `before` the hashes of the lines it came after."""

    kind: str
    at: str  # UTC, to the second
    facts: dict[str, Any]
    before: tuple[str, ...]
    hash: str

    def get(self, name: str, default: Any = None) -> Any:
        """A fact, or what stands in for it."""
        return self.facts.get(name, default)


def write(kind: str, at: str, facts: dict[str, Any], before: tuple[str, ...]) -> Event:
    """The event with its hash.

    >>> write("opened", "2026-11-16T10:00:00Z", {"project": "thesis"}, ()).hash == event_hash(
    ...     {"event": "opened", "at": "2026-11-16T10:00:00Z", "project": "thesis", "before": []}
    ... )
    True
    """
    said = {"event": kind, "at": at, **facts, "before": list(before)}
    return Event(kind, at, facts, before, event_hash(said))


def line(event: Event) -> str:
    """The event as the ledger holds it, without the line's end."""
    said = {"event": event.kind, "at": event.at, **event.facts, "before": list(event.before), "hash": event.hash}
    return json.dumps(said, ensure_ascii=False, allow_nan=False)


def parse(text: str) -> Event | str:
    """The event of a line, or what is wrong with it."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        # A line is written from its beginning; one that still has its end was not cut short.
        return "it is no event: it was edited" if text.rstrip().endswith("}") else CUT_SHORT
    if not isinstance(said, dict) or not all(isinstance(said.get(name), str) for name in ("event", "at", "hash")):
        return "it is no event of a ledger"
    before = said.get("before")
    if not isinstance(before, list) or not all(isinstance(one, str) for one in before):
        return "it does not say which line it came after"
    kept = {name: value for name, value in said.items() if name != "hash"}
    if event_hash(kept) != said["hash"]:
        return "its text does not give its hash: it was edited"
    facts = {name: value for name, value in kept.items() if name not in ("event", "at", "before")}
    return Event(said["event"], said["at"], facts, tuple(before), said["hash"])


def event_hash(said: dict[str, Any]) -> str:
    """Of the names in order, so that a tool which writes JSON in another order changes nothing."""
    text = json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:LENGTH]
