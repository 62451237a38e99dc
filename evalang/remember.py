"""What a run leaves behind: its result in its folder, and its lines in the ledger beside the script."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import replace as with_costs
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from .data.table import Hashes, Table
from .errors import RunError, ScriptError
from .findings.lint_report import LintReport
from .language.held import read_plain
from .ledger.chain import NAME, Event, Said, append, events, read, tips
from .ledger.frozen import code_of
from .ledger.past import Past, changes, design_of, draws_of, dropped, looks_before, sketch, spent
from .plans.families import families
from .plans.model import Comparison, Plan
from .results.run_result import LookCount, RunResult, dumps, dumps_costs, loads, loads_costs
from .scores.given_predictions import GivenPredictions
from .scores.results import GivenResults
from .trials.files import write_whole

RESULT = "result.json"
COSTS = "times.json"  # seconds and memory of each learner: what no two runs agree in
HEAD = "ledger.head"  # the ledger's newest line when the run ended: an end that was cut off is missed by it


def keep(result: RunResult, folder: Path) -> None:
    """Put the result beside its trials, for `evalang report` and `ev.load`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be made: {error.strerror}", hint="name another folder") from None
    write_whole(folder / RESULT, dumps(result))  # a link put there by somebody is replaced, not followed
    if result.costs:
        write_whole(folder / COSTS, dumps_costs(result))
    if result.head:
        write_whole(folder / HEAD, f"{result.head}\n")


def stored(folder: Path) -> RunResult:
    """The result that a run left in its folder."""
    path = folder / RESULT
    if not folder.is_dir():
        raise ScriptError(f"there is no run folder {folder}", hint="evalang run writes runs/SCRIPT beside the script")
    if not path.is_file():
        raise ScriptError(f"{folder} holds no finished run", hint="run the script to its end with evalang run")
    try:
        text = read_plain(path).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ScriptError(f"{path} cannot be read", hint="run the script again") from None
    try:
        costs = loads_costs(read_plain(folder / COSTS).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        costs = ()
    return with_costs(loads(text, str(path)), costs=costs)


Rows = Mapping[str, Hashes]  # of each dataset or table: what its rows are known again by


@dataclass(frozen=True, slots=True)
class Project:
    """Where the ledger lies, and what the script is called in it; "" for text that has no file and so no name."""

    folder: str
    study: str = ""


def project_of(path: str) -> Project:
    """The ledger of a script: beside it; of text without a file: in the current folder, without a name."""
    if path.startswith("<"):
        return Project(".")
    return Project(os.path.dirname(path) or ".", os.path.splitext(os.path.basename(path))[0])


def rows_of(tables: Mapping[str, Table], given: Mapping[str, GivenResults | GivenPredictions], plan: Plan) -> Rows:
    """What the datasets and the tables of results and predictions are known again by."""
    named = {c.name: c.datasets[0] for c in plan.comparisons if c.name in given}
    found = {name: table.row_hashes for name, table in tables.items()}
    found.update({named[comparison]: table.row_hashes for comparison, table in given.items() if comparison in named})
    return {name: hashes for name, hashes in found.items() if hashes is not None}


def recall(project: Project | None, plan: Plan, rows: Rows) -> Past | None:
    """What was looked at before, and what was frozen; None where no ledger is kept."""
    if project is None:
        return None
    found = events(read(project.folder))
    sketches = sketches_of(found, rows)
    looks = {
        c.name: looks_before(
            found, {name: sketches[name] for name in c.datasets if name in sketches}, design_of(plan, c)
        )
        for c in plan.comparisons
    }
    mine = [one for one in found if project.study and one.get("study") == project.study]
    frozen = [one for one in mine if one.kind == "frozen"]
    gone = dropped(found, sketches, project.study) if sketches and project.study else ()
    return Past(
        looks,
        frozen[-1].facts if frozen else None,
        gone,
        study=project.study,
        frozen_as=(code_of(frozen[-1]), frozen[-1].at) if frozen else (),
        draws=draws_of(found),
    )


def spend(plan: Plan, past: Past | None) -> Plan:
    """The plan with the level that earlier looks leave, where a statement corrects over everything so far."""
    counted = [c for c in plan.comparisons if _so_far(c)]
    if not counted:
        return plan
    if past is None:
        raise _uncounted(counted[0])
    comparisons = tuple(_spent(c, len(past.looks.get(c.name, ()))) for c in plan.comparisons)
    return replace(plan, comparisons=comparisons, families=families(comparisons))


def begin(project: Project, plan: Plan, report: LintReport) -> str:
    """A run is started: its designs where they are new or have changed, and what it allows; the hash of its line."""
    found, name = events(read(project.folder)), project.study
    mine = [one for one in found if name and one.get("study") == name]
    said: list[Said] = []
    for c in plan.comparisons if name else ():
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
    try:
        return append(project.folder, [*said, ("started", {"study": name})])[-1].hash
    except RunError:
        for c in filter(_so_far, plan.comparisons):
            raise _uncounted(c) from None
        raise


def end(project: Project, plan: Plan, rows: Rows, run: str) -> tuple[str, Past | None]:
    """Scores of test rows are seen: a line for each design that is new on these rows.

    The newest line's hash; and the past once more, where another run has looked at something since this one started.
    """
    designs = [(c.name, design_of(plan, c), c.datasets) for c in plan.comparisons]
    head = look(project, designs, rows, run)
    return head, recall(project, plan, rows) if _overtaken(project, run) else None


def look(project: Project, designs: Iterable[tuple[str, dict[str, Any], tuple[str, ...]]], rows: Rows, run: str) -> str:
    """(name, design, datasets) of each look, written where it is new on its rows; the newest line's hash."""
    # Asked under the ledger's lock: of two runs at once the second finds what the first has written.
    made = append(project.folder, lambda found: _new_looks(found, project, designs, rows, run))
    return made[-1].hash if made else next(iter(tips(events(read(project.folder)))), "")


def _new_looks(
    found: Iterable[Event],
    project: Project,
    designs: Iterable[tuple[str, dict[str, Any], tuple[str, ...]]],
    rows: Rows,
    run: str,
) -> list[Said]:
    found = tuple(found)
    known = {tuple(one.get("sketch", ())): one.get("rows") for one in found if one.kind == "rows"}
    if _salt(found) is None:  # a ledger that lost its first line can know no rows again
        return []
    said: list[Said] = []
    ids: dict[str, str] = {}
    for name, mine in sketches_of(found, rows).items():
        # Named by what they are: a number would be given twice on two branches that are merged.
        ids[name] = known.get(mine) or f"rows-{sha256(' '.join(mine).encode()).hexdigest()[:8]}"
        if mine not in known:
            known[mine] = ids[name]
            said.append(("rows", {"rows": ids[name], "count": len(rows[name]), "sketch": list(mine)}))
    looked = [(one.get("study"), one.get("design"), one.get("datasets")) for one in found if one.kind == "looked"]
    for comparison, design, datasets in designs:
        facts: dict[str, Any] = {
            "study": project.study,
            "comparison": comparison,
            "design": design,
            "datasets": {name: ids[name] for name in datasets if name in ids},
        }
        if facts["datasets"] and (project.study, design, facts["datasets"]) not in looked:
            said.append(("looked", {**facts, "run": run}))
    return said


def _overtaken(project: Project, run: str) -> bool:
    there = events(read(project.folder))
    since = next((place for place, one in enumerate(there) if one.hash == run), 0)
    return any(one.kind == "looked" and one.get("run") != run for one in there[since:])


def glance(project: Project, name: str, design: dict[str, Any], rows: Hashes) -> int:
    """One look at the rows of a file, without a script; how many other designs looked at them before."""
    opened = append(project.folder, [("started", {"study": project.study})])
    found = events(read(project.folder))
    before = looks_before(found, sketches_of(found, {name: rows}), design)
    look(project, [(f"test of {name}", design, (name,))], {name: rows}, opened[-1].hash)
    return len(before)


def reported(folder: str, study: str, files: Iterable[str]) -> None:
    """Reports were written (names of files, no paths); one that was written since the last look is not said again."""
    if not os.path.isfile(os.path.join(folder, NAME)):
        return
    found = events(read(folder))
    mine = [one for one in found if one.get("study") == study]
    last = max((place for place, one in enumerate(mine) if one.kind == "looked"), default=-1)
    there = {one.get("file") for one in mine[last + 1 :] if one.kind == "reported"}
    new = [name for name in dict.fromkeys(files) if name not in there]
    if new:
        append(folder, [("reported", {"study": study, "file": name}) for name in new])


def look_counts(plan: Plan, past: Past | None) -> tuple[LookCount, ...]:
    """For the report: which look at its rows each comparison is, and the looks before it."""
    if past is None:
        return ()
    return tuple(
        LookCount(
            comparison=c.name,
            number=len(past.looks.get(c.name, ())) + 1,
            before=tuple((one.at, one.study, one.comparison) for one in past.looks.get(c.name, ())),
            declared=c.correction.looks if c.correction is not None else None,
            corrected=_so_far(c),
        )
        for c in plan.comparisons
        if c.scheme is None or c.scheme.looks is None  # a guarded holdout has a budget of its own
    )


def _so_far(c: Comparison) -> bool:
    return c.correction is not None and c.correction.so_far


def _uncounted(c: Comparison) -> ScriptError:
    """Without a ledger nobody knows how many looks there were, and the next one would not know of this."""
    return ScriptError(
        "a correction over everything so far counts in the ledger",
        hint="run it where evalang.ledger can be written, with the ledger switched on",
        span=c.correction.span if c.correction is not None else c.span,
    )


def _spent(c: Comparison, before: int) -> Comparison:
    if not _so_far(c) or c.correction is None:
        return c
    look, declared = before + 1, c.correction.looks
    if declared is not None and look > declared:
        raise ScriptError(
            f"this is look {look} at these rows, and {declared} {'was' if declared == 1 else 'were'} declared",
            hint="the level is spent: take rows that nobody has looked at",
            span=c.correction.span,
        )
    if declared is not None:
        reason = f"look {look} of {declared} declared at these rows: {c.alpha.value:g}/{declared}"
    else:
        reason = f"look {look} at these rows: {c.alpha.value:g}/({look} x {look + 1})"
    level = replace(c.alpha, value=spent(c.alpha.value, look, declared), origin="derived", reason=reason)
    return replace(c, alpha=level)


def _salt(found: Iterable[Event]) -> str | None:
    return next((one.get("salt") for one in found if one.kind == "opened"), None)


def sketches_of(found: Iterable[Event], rows: Rows) -> dict[str, tuple[str, ...]]:
    """What the ledger keeps of rows, with its own salt; {} where it has none."""
    salt = _salt(found)
    return {} if salt is None else {name: sketch(salted(hashes, salt)) for name, hashes in rows.items()}


def salted(hashes: Hashes, salt: str) -> list[int]:
    """What the ledger's sketch is taken of: 60 bits that say nothing of a row to one who has not got the row."""
    key = bytes.fromhex(salt)
    words = map(bytes, hashes.view("V8"))
    return [int.from_bytes(blake2b(word, key=key, digest_size=8).digest(), "big") >> 4 for word in words]
