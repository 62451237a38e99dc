"""`evalang freeze`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import ScriptError
from ..language.text import for_terminal
from .screen import FILE, STDIN, read

if TYPE_CHECKING:
    from ..plans.model import Plan


def _preregistration(plan: Plan, facts: dict[str, Any], code: str, at: str) -> str:
    from ..reports.preregistration import preregistration

    return preregistration(plan, facts, code, at)


def _statement(plan: Plan, facts: dict[str, Any], code: str, at: str) -> str:
    from ..reports.preregistration import statement

    return statement(facts, code, at)


def _crate(plan: Plan, facts: dict[str, Any], code: str, at: str) -> str:
    from ..reports.preregistration import crate

    return crate(plan, facts, code, at)


_WRITERS = {".md": _preregistration, ".json": _statement}
_CRATE = "ro-crate-metadata.json"  # the one name that RO-Crate gives its file


@click.command("freeze")
@click.argument("file", type=FILE)
@click.option("--data-root", type=click.Path(path_type=Path), help="A folder that data may also be read from.")
@click.option("--allow-net", multiple=True, metavar="HOST", help="A host that datasets may be read from.")
@click.option("--to", "out", type=click.Path(path_type=Path), help="Also write it for others: FILE.md or FILE.json.")
def command(file: str, data_root: Path | None, allow_net: tuple[str, ...], out: Path | None) -> int:
    """Write the design of a script into the ledger before the first fit, and print the code that stands for it.

    The code holds the design, the claims, the hashes of the data and the versions, and every line of the ledger before
    it. Put it into the paper, the preregistration or the commit; evalang verify tells whether a run is the one that was
    frozen.

    \b
    evalang freeze study.eval
    evalang freeze study.eval --to preregistration.md   under the customary headings
    evalang freeze study.eval --to frozen.json          an in-toto statement
    evalang freeze study.eval --to ro-crate-metadata.json
    evalang verify study.eval EV-…
    """
    from ..ledger.chain import append, events
    from ..ledger.chain import read as read_ledger
    from ..ledger.frozen import code_of

    if out is not None and out.suffix not in _WRITERS:
        raise ScriptError(f"{out} ends in neither .md nor .json", hint="name a file that does")
    folder, plan, facts = at_hand(file, data_root, allow_net)
    found = events(read_ledger(folder))
    same = [e for e in found if e.kind == "frozen" and e.facts == facts]
    made = same[0] if same else append(folder, [("frozen", facts)])[-1]
    looked = [e for e in found if e.kind == "looked" and e.get("study") == facts["study"]]
    if same:
        click.echo(f"The design of {facts['study']} is frozen since {made.at}.")
    elif looked:
        click.echo(f"Frozen after {len(looked)} look{'s' * (len(looked) > 1)} at its test rows; the ledger shows both.")
    click.echo(code_of(made))
    if out is not None:
        from ..language.held import replace_file

        writer = _crate if out.name == _CRATE else _WRITERS[out.suffix]
        replace_file(str(out), writer(plan, facts, code_of(made), made.at).encode())
        click.echo(for_terminal(f"wrote {out}"))
    return 0


def at_hand(file: str, data_root: Path | None, allow_net: tuple[str, ...]) -> tuple[str, Plan, dict[str, Any]]:
    """The ledger's folder, the plan, and what freezing the script would write now."""
    from .. import __version__
    from ..ledger.frozen import frozen_facts
    from ..pipeline import Request, look, plan_script
    from ..remember import project_of
    from ..trials.identity import versions

    if file == STDIN:
        raise ScriptError("a design is frozen beside its script", hint="name the file")
    planned = plan_script(read(file), request := Request(data_root=data_root, allow_net=allow_net))
    built, tables, _, _ = look(planned, request)
    data = {name: table.content_hash for name, table in tables.items()}
    kept = {name: text for name, text in versions(__version__) if name in ("evalang", "scikit-learn", "numpy", "scipy")}
    project = project_of(file)
    return project.folder, built.plan, frozen_facts(project.study, built.plan, data, kept)
