"""`evalang ledger`"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import ScriptError
from ..language.text import for_terminal

if TYPE_CHECKING:
    from ..ledger.chain import Event

FOLDER = click.Path(path_type=Path)


@click.group("ledger", invoke_without_command=True)
@click.option("--folder", type=FOLDER, default=Path(), help="The project's folder, where evalang.ledger lies.")
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True)
@click.option("--to", "picture", type=FOLDER, help="Draw looks and level over time: FILE.svg.")
@click.pass_context
def command(context: click.Context, folder: Path, alpha: float, picture: Path | None) -> int:
    """Show what the project has looked at: rows, looks, designs, the level that is left, what was frozen.

    \b
    evalang ledger               of the scripts in this folder
    evalang ledger check         prove that no line was edited or taken away
    evalang ledger show duel     every look of one script
    evalang ledger --to looks.svg   as a picture over time
    """
    context.obj = folder
    if context.invoked_subcommand is not None:
        return 0
    from ..ledger.chain import events, read

    found = events(read(str(folder)))
    if not found:
        raise ScriptError(f"there is no ledger in {folder}", hint="evalang run begins one beside its script")
    if picture is not None:
        if picture.suffix != ".svg":
            raise ScriptError(f"{picture} does not end in .svg", hint="the picture is written as SVG")
        from ..language.held import replace_file
        from ..reports.ledger_picture import ledger_picture

        replace_file(str(picture), ledger_picture(found, alpha))
        click.echo(for_terminal(f"wrote {picture}"))
        return 0
    for line in _overview(found, alpha):
        click.echo(for_terminal(line))
    return 0


@command.command("check")
@click.pass_obj
def check(folder: Path) -> int:
    """Prove the chain: every line gives its hash, the line it came after is there, the run folders know no other."""
    from ..ledger.chain import prove, read

    lines = read(str(folder))
    if not lines:
        raise ScriptError(f"there is no ledger in {folder}", hint="evalang run begins one beside its script")
    found = prove(lines, heads=heads(str(folder)), project=os.path.basename(os.path.abspath(folder)))
    for one in found:
        where = f"line {one.line}: " if one.line else ""
        click.echo(for_terminal(f"{one.level}: {where}{one.sentence}"))
    wrong = sum(one.level == "error" for one in found)
    click.echo(f"{len(lines)} lines, {wrong} of them not to be trusted" if wrong else f"{len(lines)} lines, all whole")
    return int(wrong > 0)


@command.command("show")
@click.argument("run")
@click.pass_obj
def show(folder: Path, run: str) -> int:
    """Every event of one script (RUN is its name, or its run folder), in order."""
    from ..ledger.chain import KINDS, events, read
    from ..ledger.past import shown

    study = os.path.basename(os.path.normpath(run))
    mine = [event for event in events(read(str(folder))) if event.get("study") == study]
    if not mine:
        raise ScriptError(f"the ledger in {folder} knows nothing of {study}", hint="evalang ledger lists the scripts")
    for event in mine:
        what = event.get("comparison") or event.get("code") or ""
        click.echo(for_terminal(f"{event.at}  {KINDS.get(event.kind, event.kind)}{f': {what}' if what else ''}"))
        for clause, was, now in event.get("changes", ()):
            click.echo(for_terminal(f"    {clause} was {was}, is {now}"))
        for clause, value in event.get("design", {}).items() if event.kind == "looked" else ():
            click.echo(for_terminal(f"    {clause}: {shown(value)}"))
        if event.get("reason"):
            click.echo(for_terminal(f"    because {event.get('reason')}"))
    return 0


def heads(folder: str) -> Iterator[tuple[str, str]]:
    """(run folder, the newest line it knows) of the run folders beside the scripts."""
    from ..remember import HEAD

    for path in sorted(Path(folder).glob(f"runs/*/{HEAD}")):
        if path.is_file() and not path.is_symlink():
            yield f"runs/{path.parent.name}", path.read_text(encoding="utf-8", errors="replace").strip()[:64]


def _overview(found: tuple[Event, ...], alpha: float) -> Iterator[str]:
    from ..ledger.frozen import code_of
    from ..ledger.past import looks_before, spent

    yield f"{len(found)} lines since {found[0].at}"
    for rows in (event for event in found if event.kind == "rows"):
        id = rows.get("rows")
        mine = [e for e in found if e.kind == "looked" and id in e.get("datasets", {}).values()]
        names = dict.fromkeys(name for e in mine for name, its in e.get("datasets", {}).items() if its == id)
        looks = looks_before(found, {id: tuple(rows.get("sketch", ()))}, {})  # counted as a run counts them
        who = dict.fromkeys(one.name for one in looks)
        yield ""
        yield f"{id}: {rows.get('count'):,} rows, called {', '.join(names)}"
        yield f"  looked at {len(looks)} time{'s' * (len(looks) != 1)}: {', '.join(who)}"
        if looks:
            chance = 1 - (1 - alpha) ** len(looks)
            yield f"  at level {alpha:g} each, something is found where nothing differs with up to {100 * chance:.3g}%"
            yield f"  the next look over everything so far has level {spent(alpha, len(looks) + 1):.3g}"
    for event in (event for event in found if event.kind == "frozen"):
        yield ""
        yield f"{event.get('study')}: frozen on {event.at} as {code_of(event)}"
    for event in (event for event in found if event.kind == "drawn"):
        yield ""
        yield f"{event.get('list')}: {len(event.get('drawn', ()))} of {event.get('of')} drawn on {event.at}"
