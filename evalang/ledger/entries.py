"""What a run reads from the ledger and writes into it: its start, its uses (looks) of test rows, and its reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from ..errors import RunError
from ..plans.model import Plan
from ..results.records import LookCount
from ..results.run_result import KEPT
from .chain import NAME, Entry, Event, append, newest_hashes, read_events
from .designs import design_changes, design_of
from .history import (
    TEST_OF,
    LedgerHistory,
    Project,
    Rows,
    earlier_looks,
    is_corrected_so_far,
    ledger_needed,
    look_counts,
    read_past,
    salt_of,
    sketches_of,
    with_levels_left,
)

Designs = list[tuple[str, dict[str, Any], tuple[str, ...]]]  # name, design and datasets of each comparison


def project_of(path: str) -> Project:
    """Return the ledger of a script: beside it; of text without a file, in the current folder and without a name."""
    if path.startswith("<"):
        return Project(".")
    return Project(os.path.dirname(path) or ".", os.path.splitext(os.path.basename(path))[0])


class RunLedger:
    """The ledger as one run uses it. Without a project nothing is read or written."""

    def __init__(
        self, project: Project | None, off: str, on_note: Callable[[str], None], read_only: bool = False
    ) -> None:
        """`off` says why no ledger is kept, where the user switched it off; `read_only`: nothing is recorded."""
        self.project, self.status, self._on_note, self._read_only = project, off, on_note, read_only
        self.past: LedgerHistory | None = None
        self.head = ""  # the hash of the newest line, once the looks are recorded
        self._start = ""  # the hash of this run's line; "": the run is in no ledger

    @property
    def writable(self) -> Project | None:
        """The project, once the start of this run is recorded in its ledger."""
        return self.project if self._start else None

    @property
    def frozen_as(self) -> tuple[str, ...]:
        """Code and time of the script's frozen design."""
        return self.past.frozen_as if self.past is not None else ()

    def look_counts(self, plan: Plan) -> tuple[LookCount, ...]:
        """Return which look at its rows each comparison is."""
        return look_counts(plan, self.past)

    def open(self, plan: Plan, rows: Rows) -> Plan:
        """Read what was done before; return the plan with the levels that earlier looks leave."""
        self.past = read_past(self.project, plan, rows)
        return with_levels_left(plan, self.past)

    def record_start(self, plan: Plan, allowed: Iterable[tuple[str, str]]) -> None:
        """Record the start; where the ledger cannot be written the run goes on, and says that it is not counted."""
        if self.project is None or self._read_only:
            return
        try:
            self._start = record_start(self.project, plan, allowed)
            self.status = KEPT
        except RunError as error:
            self._on_note(f"this run is in no ledger: {error.message}")
            self.status = error.message

    def record_looks(self, plan: Plan, rows: Rows) -> Plan | None:
        """Record that scores are about to be seen; return the plan with other levels, if another run was quicker.

        Done before the verdict, so that two runs at once are two looks, the later one with the level that is left.
        `plan` has its levels as written.
        """
        if self.project is None or not self._start or not rows:
            return None
        designs = [(c.name, design_of(plan, c), c.datasets) for c in plan.comparisons]
        self.head = record_looks(self.project, designs, rows, self._start)
        past = read_past(self.project, plan, rows) if _is_overtaken(self.project, self._start) else None
        if past is None or self.past is None or past.looks == self.past.looks:
            return None
        self._on_note("another run tested these rows in the meantime; its test is counted before this one")
        self.past = replace(past, reruns=self.past.reruns)
        return with_levels_left(plan, past)


def record_start(project: Project, plan: Plan, allowed: Iterable[tuple[str, str]]) -> str:
    """Record a run with new or changed designs and (code, reason) of allowed findings; return the hash of its line."""
    name = project.study
    mine = [one for one in read_events(project.folder) if name and one.get("study") == name]
    entries: list[Entry] = []
    for c in plan.comparisons if name else ():
        design = design_of(plan, c)
        before = [one for one in mine if one.kind == "planned" and one.get("comparison") == c.name]
        if before and before[-1].get("design") == design:
            continue
        if before and any(one.kind == "looked" for one in mine):
            changes = [list(one) for one in design_changes(before[-1].get("design", {}), design)]
            entries.append(("changed", {"study": name, "comparison": c.name, "changes": changes}))
        entries.append(("planned", {"study": name, "comparison": c.name, "design": design}))
    known = {(one.get("code"), one.get("reason")) for one in mine if one.kind == "allowed"}
    new = (one for one in dict.fromkeys(allowed) if one not in known)
    entries += [("allowed", {"study": name, "code": code, "reason": reason}) for code, reason in new]
    try:
        return append(project.folder, [*entries, ("started", {"study": name})])[-1].hash
    except RunError:
        for c in filter(is_corrected_so_far, plan.comparisons):
            raise ledger_needed(c) from None
        raise


def record_looks(project: Project, designs: Designs, rows: Rows, run: str) -> str:
    """Record each look that is new on its rows; return the hash of the newest line."""
    # Asked under the ledger's lock: of two runs at once the second finds what the first has written.
    made = append(project.folder, lambda found: _new_looks(found, project, designs, rows, run))
    return made[-1].hash if made else next(iter(newest_hashes(read_events(project.folder))), "")


def record_single_look(project: Project, name: str, design: dict[str, Any], rows: Any) -> int:
    """Record one look at the rows of a file, without a script; return how many other designs looked before."""
    started = append(project.folder, [("started", {"study": project.study})])
    found = read_events(project.folder)
    before = earlier_looks(found, sketches_of(found, {name: rows}), design)
    record_looks(project, [(f"{TEST_OF}{name}", design, (name,))], {name: rows}, started[-1].hash)
    return len(before)


def record_reports(folder: str, study: str, files: Iterable[str]) -> None:
    """Record the names of written reports, each once since the last look."""
    if not os.path.isfile(os.path.join(folder, NAME)):
        return
    mine = [one for one in read_events(folder) if one.get("study") == study]
    last = max((place for place, one in enumerate(mine) if one.kind == "looked"), default=-1)
    there = {one.get("file") for one in mine[last + 1 :] if one.kind == "reported"}
    new = [name for name in dict.fromkeys(files) if name not in there]
    if new:
        append(folder, [("reported", {"study": study, "file": name}) for name in new])


def _new_looks(found: tuple[Event, ...], project: Project, designs: Designs, rows: Rows, run: str) -> list[Entry]:
    if salt_of(found) is None:  # a ledger that lost its first line cannot recognise rows
        return []
    known = {tuple(one.get("sketch", ())): one.get("rows") for one in found if one.kind == "rows"}
    entries: list[Entry] = []
    ids: dict[str, str] = {}
    for name, mine in sketches_of(found, rows).items():
        # Named by their content: a number would be given twice on two branches that are merged.
        ids[name] = known.get(mine) or f"rows-{sha256(' '.join(mine).encode()).hexdigest()[:8]}"
        if mine not in known:
            known[mine] = ids[name]
            entries.append(("rows", {"rows": ids[name], "count": len(rows[name]), "sketch": list(mine)}))
    looked = [(one.get("study"), one.get("design"), one.get("datasets")) for one in found if one.kind == "looked"]
    for comparison, design, datasets in designs:
        used = {name: ids[name] for name in datasets if name in ids}
        if used and (project.study, design, used) not in looked:
            facts = {"study": project.study, "comparison": comparison, "design": design, "datasets": used, "run": run}
            facts |= {"table": project.table} if project.table else {}
            entries.append(("looked", facts))
    return entries


def _is_overtaken(project: Project, run: str) -> bool:
    """Return whether another run has looked at something since this one started."""
    there = read_events(project.folder)
    since = next((place for place, one in enumerate(there) if one.hash == run), 0)
    return any(one.kind == "looked" and one.get("run") != run for one in there[since:])
