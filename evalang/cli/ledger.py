"""`evalang ledger`, `freeze`, `verify` and `draw`: the project's record of what was tested and decided."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import EvalangError, ScriptError
from ..language.files import read_plain
from ..language.text import counted, for_terminal
from ..settings import settings_for
from . import screen

if TYPE_CHECKING:
    from ..ledger.chain import Event
    from ..plans.model import Plan

FOLDER = click.Path(path_type=Path)
LEVEL = click.FloatRange(0, 1, min_open=True, max_open=True)


def _say(*lines: str) -> None:
    for line in lines:
        click.echo(for_terminal(line))


@click.group("ledger", invoke_without_command=True)
@click.option("--folder", type=FOLDER, default=Path(), help="Folder with evalang.ledger (default: the current folder).")
@click.option("--alpha", type=LEVEL, default=0.05, show_default=True, help="Significance level of one test.")
@click.option("--to", "picture", type=FOLDER, help="Draw the number of tests and the level over time: FILE.svg.")
@click.pass_context
def ledger_command(context: click.Context, folder: Path, alpha: float, picture: Path | None) -> int:
    """Show the tests on each dataset, the significance level of the next test, and frozen designs.

    \b
    evalang ledger               the tests of the scripts in this folder
    evalang ledger check         detect edited and removed lines
    evalang ledger show duel     every test of one script
    evalang ledger --to tests.svg   a picture of the tests over time
    """
    context.obj = folder
    if context.invoked_subcommand is not None:
        return 0
    from ..ledger.chain import events

    found = events(_lines(folder))
    if picture is not None:
        if picture.suffix != ".svg":
            raise ScriptError(f"--to {picture} does not end in .svg", hint="write --to tests.svg")
        from ..language.files import replace_file
        from ..reports.figures.commands import ledger_picture

        replace_file(str(picture), ledger_picture(found, alpha))
        _say(f"wrote {picture}")
        return 0
    _say(*_overview(found, alpha))
    return 0


@ledger_command.command("check")
@click.pass_obj
def check(folder: Path) -> int:
    """Check that no line was edited or removed: each line holds the hash of the one before.

    Run folders remember the last line, so that lines cut off at the end are noticed too.
    """
    from ..ledger.chain import check_chain

    lines = _lines(folder)
    found = check_chain(lines, heads=heads(str(folder)), project=os.path.basename(os.path.abspath(folder)))
    _say(*(f"{one.level}: {f'line {one.line}: ' * bool(one.line)}{one.sentence}" for one in found))
    wrong = sum(one.level == "error" for one in found)
    _say(f"{len(lines)} lines, {wrong or 'none'} edited or removed")
    return int(wrong > 0)


@ledger_command.command("show")
@click.argument("run")
@click.pass_obj
def show(folder: Path, run: str) -> int:
    """Show everything recorded about one script, in order; RUN is the name of the script or its run folder."""
    from ..ledger.chain import KINDS, events
    from ..ledger.designs import describe_value

    study = os.path.basename(os.path.normpath(run))
    mine = [event for event in events(_lines(folder)) if event.get("study") == study]
    if not mine:
        raise ScriptError(f"the ledger in {folder} has no entry of {study}", hint="evalang ledger lists the scripts")
    for event in mine:
        what = event.get("comparison") or event.get("code") or ""
        _say(f"{event.at}  {KINDS.get(event.kind, event.kind)}{f': {what}' if what else ''}")
        _say(*(f"    {clause} was {was}, is {now}" for clause, was, now in event.get("changes", ())))
        design = event.get("design", {}) if event.kind == "looked" else {}
        _say(*(f"    {clause}: {describe_value(value)}" for clause, value in design.items()))
        _say(*(f"    because {reason}" for reason in (event.get("reason"),) if reason))
    return 0


def _lines(folder: Path) -> tuple[Event | str, ...]:
    """Return the lines of the ledger in a folder, which has to be there."""
    from ..ledger.chain import read

    if not (lines := read(str(folder))):
        hint = "evalang run writes evalang.ledger beside its script: name that folder by --folder"
        raise ScriptError(f"there is no ledger in {'this folder' if folder == Path() else folder}", hint=hint)
    return lines


def heads(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each run folder beside the scripts with the newest line it knows."""
    from ..ledger.chain import HEAD

    for path in sorted(Path(folder).glob(f"runs/*/{HEAD}")):
        if path.is_file() and not path.is_symlink():
            yield f"runs/{path.parent.name}", path.read_text(encoding="utf-8", errors="replace").strip()[:64]


def _overview(found: tuple[Event, ...], alpha: float) -> Iterator[str]:
    from ..ledger.designs import freeze_code
    from ..ledger.history import earlier_looks, level_of_look

    yield f"{len(found)} lines since {found[0].at}"
    for rows in (event for event in found if event.kind == "rows"):
        id = rows.get("rows")
        mine = [e for e in found if e.kind == "looked" and id in e.get("datasets", {}).values()]
        names = dict.fromkeys(name for e in mine for name, its in e.get("datasets", {}).items() if its == id)
        looks = earlier_looks(found, {id: tuple(rows.get("sketch", ()))}, {})  # counted as a run counts them
        who = dict.fromkeys(one.name for one in looks)
        yield ""
        yield f"{id}: {rows.get('count'):,} rows, called {', '.join(names)}"
        yield f"  tested {len(looks)} time{'s' * (len(looks) != 1)}: {', '.join(who)}"
        if looks:
            chance = 1 - (1 - alpha) ** len(looks)
            yield f"  at level {alpha:g} each: false-positive rate of up to {100 * chance:.3g}%"
            yield f"  the next test with `over everything so far` has level {level_of_look(alpha, len(looks) + 1):.3g}"
    for event in (event for event in found if event.kind == "frozen"):
        yield ""
        yield f"{event.get('study')}: frozen on {event.at} as {freeze_code(event)}"
    for event in (event for event in found if event.kind == "drawn"):
        yield ""
        yield f"{event.get('list')}: {len(event.get('drawn', ()))} of {event.get('of')} drawn on {event.at}"


_CRATE = "ro-crate-metadata.json"  # the one name that RO-Crate gives its file


@click.command("freeze")
@click.argument("file", type=screen.FILE)
@screen.DATA_ROOT
@screen.ALLOW_NET
@click.option("--to", "out", type=FOLDER, help="Also write the frozen design as a document: FILE.md or FILE.json.")
@screen.STRICT
def freeze_command(
    file: str, data_root: Path | None, allow_net: tuple[str, ...], out: Path | None, strict: bool
) -> int:
    """Write the design of a script into the ledger before the first fit, and print its code.

    The code is a hash of the design, the claims, the data, the versions and the ledger so far. Put it into the paper,
    the preregistration or the commit; evalang verify checks whether a script is the frozen one.

    \b
    evalang freeze study.eval
    evalang freeze study.eval --to preregistration.md   with the usual headings
    evalang freeze study.eval --to frozen.json          an in-toto statement
    evalang freeze study.eval --to ro-crate-metadata.json
    evalang verify study.eval EV-…
    """
    from ..ledger.chain import append, read_events
    from ..ledger.designs import freeze_code

    if out is not None and out.suffix not in (".md", ".json"):
        raise ScriptError(f"--to {out} ends in neither .md nor .json", hint="write --to preregistration.md")
    folder, plan, facts = at_hand(file, data_root, allow_net, strict=settings_for(file, strict=strict).strict)
    found = read_events(folder)
    same = [e for e in found if e.kind == "frozen" and e.facts == facts]
    made = same[0] if same else append(folder, [("frozen", facts)])[-1]
    looked = [e for e in found if e.kind == "looked" and e.get("study") == facts["study"]]
    if same:
        _say(f"The design of {facts['study']} was already frozen on {made.at}.")
    elif looked:
        times = counted(len(looked), "time")
        _say(f"This design was frozen after its test rows had been used {times}; the ledger shows both.")
    _say(freeze_code(made))
    if out is not None:
        from ..language.files import replace_file
        from ..reports import preregistration as texts

        code, at = freeze_code(made), made.at
        if out.name == _CRATE:
            text = texts.crate(plan, facts, code, at)
        elif out.suffix == ".md":
            text = texts.preregistration(plan, facts, code, at)
        else:
            text = texts.statement(facts, code, at)
        replace_file(str(out), text.encode())
        _say(f"wrote {out}")
    return 0


def at_hand(
    file: str, data_root: Path | None, allow_net: tuple[str, ...], *, strict: bool = False
) -> tuple[str, Plan, dict[str, Any]]:
    """Return the ledger's folder, the plan, and what freezing the script would write now."""
    from .. import __version__
    from ..ledger.designs import frozen_facts
    from ..ledger.entries import project_of
    from ..pipeline import Request, load_data, plan_script
    from ..trials.identity import versions

    if file == screen.STDIN:
        what = "a script from standard input cannot be frozen, because the ledger is in the folder of the script"
        raise ScriptError(what, hint="write the script to a file and name the file")
    root = settings_for(file, data_root=data_root).data_root
    request, source = Request(data_root=root, allow_net=allow_net, strict=strict), screen.read(file)
    try:
        loaded = load_data(plan_script(source, request), request)
    except EvalangError as error:
        screen.show(tuple(f for f in error.findings if f.level == "error"), {file: source}, sys.stderr)
        raise
    plan, data = loaded.built.plan, {name: table.content_hash for name, table in loaded.tables.items()}
    kept = {name: text for name, text in versions(__version__) if name in ("evalang", "scikit-learn", "numpy", "scipy")}
    project = project_of(file)
    return project.folder, plan, frozen_facts(project.study, plan, data, kept)


@click.command("verify")
@click.argument("file", type=screen.FILE)
@click.argument("code")
@screen.DATA_ROOT
@screen.ALLOW_NET
def verify_command(file: str, code: str, data_root: Path | None, allow_net: tuple[str, ...]) -> int:
    """Check whether a script still has the design frozen under CODE, and list every deviation with its reason.

    First, the command checks that the ledger (the file that lists all runs) was not edited. The exit code is 0 if
    nothing has changed, or if every change has a reason in the script (allow EV802 because "…").

    \b
    evalang verify study.eval EV-ABCDE-FGHIJ-KLMNO-PQRST
    """
    from ..ledger.chain import check_chain, events
    from ..ledger.chain import read as read_ledger
    from ..ledger.designs import deviations, find_frozen

    folder = os.path.dirname(file) or "."
    lines = read_ledger(folder)
    wrong = [one for one in check_chain(lines, heads=heads(folder)) if one.level == "error"]
    frozen = find_frozen(events(lines), code)
    if frozen is None:
        what = f"the ledger in {folder} has no frozen design {code}"
        raise ScriptError(what, hint=f"evalang ledger --folder {folder} lists the codes")
    _, plan, now = at_hand(file, data_root, allow_net)
    found = tuple(deviations(frozen.facts, now, plan))
    _say(*(f"ledger, line {one.line}: {one.sentence}" for one in wrong))
    for deviation in found:
        why = f' because "{deviation.reason}"' if deviation.reason else ", without a reason"
        _say(f"{deviation.what} was `{deviation.was}` and is now `{deviation.now}`{why}")
    looked = [e for e in events(lines) if e.kind == "looked" and e.get("study") == now["study"]]
    early = [e for e in looked if e.at < frozen.at]
    if early:
        times = counted(len(early), "time")
        _say(f"The test rows were used {times} before the design was frozen ({early[0].at}).")
    if not found and not wrong:
        _say(f"The design is the one that was frozen on {frozen.at}.")
    return int(bool(wrong) or any(not one.reason for one in found))


@click.command("draw")
@click.argument("count", type=click.IntRange(1))
@click.argument("population", type=click.Path(path_type=Path))
@click.option("--seed", type=int, required=True, help="Seed of the draw: any number that you choose in advance.")
def draw_command(count: int, population: Path, seed: int) -> int:
    """Draw COUNT datasets at random from the names in the first column of POPULATION, a CSV file with a header.

    evalang records the hash of the list, the seed and the names in the ledger beside the file. A second draw from the
    same list is refused, because a draw that is repeated until it fits is not random.

    \b
    evalang draw 20 archive.csv --seed 4
    """
    from ..ledger.chain import append, read_events
    from ..ledger.history import draw_names

    names, digest = _names(population)
    if count > len(names):
        raise ScriptError(f"{population} has only {len(names)} names, so {count} cannot be drawn", hint="draw fewer")
    folder = os.path.dirname(population) or "."
    before = [e for e in read_events(folder) if e.kind == "drawn" and e.get("population") == digest]
    if before:
        first = before[0]
        drawn = f"drawn on {first.at} ({len(first.get('drawn', ()))} with seed {first.get('seed')})"
        what = f"a sample from {population.name} was already {drawn}, and only the first draw counts"
        raise ScriptError(what, hint="use that sample; evalang ledger lists it")
    sample = draw_names(names, count, seed)
    facts = {"list": population.name, "population": digest, "of": len(names), "seed": seed, "drawn": list(sample)}
    append(folder, [("drawn", facts)])
    where = f"{population.name}, {len(names)} names, random sample, seed {seed}"
    _say(f'suite drawn is {", ".join(sample)}, sampled from "{where}"')
    return 0


def _names(path: Path) -> tuple[tuple[str, ...], str]:
    """Return the names, each once, and the hash of their set, which does not depend on their order."""
    try:
        content = read_plain(os.path.realpath(path))
    except OSError as error:
        raise ScriptError(f"{path} cannot be read: {error.strerror}", hint="name a CSV file of datasets") from None
    rows = list(csv.reader(content.decode("utf-8-sig", "replace").splitlines()))
    names = tuple(dict.fromkeys(row[0].strip() for row in rows[1:] if row and row[0].strip()))
    if not names:
        what = f"{path} has no names below its header"
        raise ScriptError(what, hint="write one name in each row, in the first column")
    return names, sha256("\n".join(sorted(names)).encode()).hexdigest()[:32]
