"""What a run leaves behind: its result in its folder, and its lines in the ledger beside the script."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .data.profile import salted
from .data.table import Table
from .errors import RunError, ScriptError
from .findings.lint_report import LintReport
from .ledger.chain import Event, append, events, read, tips
from .ledger.past import Past, changes, design_of, dropped, looks_before, sketch, spent
from .plans.families import families
from .plans.model import Comparison, Plan
from .results.run_result import RunResult, dumps, loads
from .source.record import replace
from .trials.files import write_whole

RESULT = "result.json"


def keep(result: RunResult, folder: Path) -> None:
    """Put the result beside its trials, for `evalang report` and `ev.load`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be made: {error.strerror}", hint="name another folder") from None
    write_whole(folder / RESULT, dumps(result))  # a link put there by somebody is replaced, not followed


def stored(folder: Path) -> RunResult:
    """The result that a run left in its folder."""
    path = folder / RESULT
    if not folder.is_dir():
        raise ScriptError(f"there is no run folder {folder}", hint="evalang run writes runs/SCRIPT beside the script")
    if not path.is_file():
        raise ScriptError(f"{folder} holds no finished run", hint="run the script to its end with evalang run")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ScriptError(f"{path} cannot be read", hint="run the script again") from None
    return loads(text, str(path))


HEAD = "ledger.head"  # in a run folder: the newest line when the run ended
Said = tuple[str, dict[str, Any]]


def recall(folder: str | None, plan: Plan, tables: Mapping[str, Table]) -> Past | None:
    """What was looked at before, and what was frozen; None where no ledger is kept."""
    if folder is None:
        return None
    found = events(read(folder))
    rows = _sketches(found, tables)
    looks = {
        c.name: looks_before(found, {name: rows[name] for name in c.datasets if name in rows}, design_of(plan, c))
        for c in plan.comparisons
        if c.data == "datasets"
    }
    frozen = [one.facts for one in found if one.kind == "frozen" and one.get("study") == study(plan)]
    gone = dropped(found, rows, study(plan)) if rows else ()
    return Past(looks, frozen[-1] if frozen else None, gone)


def spend(plan: Plan, past: Past | None) -> Plan:
    """The plan with the level that earlier looks leave, where a statement corrects over everything so far."""
    if past is None or not any(_so_far(c) for c in plan.comparisons):
        return plan
    comparisons = tuple(_spent(c, len(past.looks.get(c.name, ()))) for c in plan.comparisons)
    return replace(plan, comparisons=comparisons, families=families(comparisons))


def begin(folder: str, plan: Plan, report: LintReport) -> None:
    """A run is started: its designs where they are new or have changed, and what it allows."""
    found, name = events(read(folder)), study(plan)
    mine = [one for one in found if one.get("study") == name]
    said: list[Said] = []
    for c in plan.comparisons:
        design = design_of(plan, c)
        before = [one for one in mine if one.kind == "planned" and one.get("comparison") == c.name]
        if before and before[-1].get("design") == design:
            continue
        if before and any(one.kind == "looked" for one in mine):
            what = [list(one) for one in changes(before[-1].get("design", {}), design)]
            said.append(("changed", {"study": name, "comparison": c.name, "changes": what}))
        said.append(("planned", {"study": name, "comparison": c.name, "design": design}))
    known = {(one.get("code"), one.get("reason")) for one in mine if one.kind == "allowed"}
    for code, reason in dict.fromkeys((a.finding.code, a.reason) for a in report.allowed):
        if (code, reason) not in known:
            said.append(("allowed", {"study": name, "code": code, "reason": reason}))
    append(folder, [*said, ("started", {"study": name})])


def end(folder: str, plan: Plan, tables: Mapping[str, Table]) -> str:
    """Scores of test rows were seen: one line for each design that is new on these rows; the newest line's hash."""
    found = events(read(folder))
    salt, known = _salt(found), {tuple(one.get("sketch", ())): one.get("rows") for one in found if one.kind == "rows"}
    if salt is None:  # a ledger that lost its first line can know no rows again
        return ""
    said: list[Said] = []
    ids: dict[str, str] = {}
    for name, mine in _sketches(found, tables).items():
        ids[name] = known.get(mine) or f"rows-{len(known) + 1}"
        if mine not in known:
            known[mine] = ids[name]
            said.append(("rows", {"rows": ids[name], "count": tables[name].rows, "sketch": list(mine)}))
    looked = [(one.get("study"), one.get("design"), one.get("datasets")) for one in found if one.kind == "looked"]
    for c in plan.comparisons:
        facts: dict[str, Any] = {
            "study": study(plan),
            "comparison": c.name,
            "design": design_of(plan, c),
            "datasets": {name: ids[name] for name in c.datasets if name in ids},
        }
        if facts["datasets"] and (facts["study"], facts["design"], facts["datasets"]) not in looked:
            said.append(("looked", facts))
    made = append(folder, said) if said else ()
    return made[-1].hash if made else next(iter(tips(found)), "")


def study(plan: Plan) -> str:
    """The script's name without its folder and ending."""
    return os.path.splitext(os.path.basename(plan.script))[0]


def _so_far(c: Comparison) -> bool:
    return c.correction is not None and c.correction.so_far


def _spent(c: Comparison, before: int) -> Comparison:
    if not _so_far(c):
        return c
    look = before + 1
    reason = f"look {look} at these rows: {c.alpha.value:g}/({look} x {look + 1})"
    level = replace(c.alpha, value=spent(c.alpha.value, look), origin="derived", reason=reason)
    return replace(c, alpha=level)


def _salt(found: Iterable[Event]) -> str | None:
    return next((one.get("salt") for one in found if one.kind == "opened"), None)


def _sketches(found: Iterable[Event], tables: Mapping[str, Table]) -> dict[str, tuple[str, ...]]:
    salt = _salt(found)
    if salt is None:
        return {}
    return {
        name: sketch(salted(table.row_hashes, salt)) for name, table in tables.items() if table.row_hashes is not None
    }
