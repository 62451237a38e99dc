"""`evalang verify`"""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..errors import ScriptError
from ..language.text import for_terminal
from .freeze import at_hand
from .screen import FILE


@click.command("verify")
@click.argument("file", type=FILE)
@click.argument("code")
@click.option("--data-root", type=click.Path(path_type=Path), help="A folder that data may also be read from.")
@click.option("--allow-net", multiple=True, metavar="HOST", help="A host that datasets may be read from.")
def command(file: str, code: str, data_root: Path | None, allow_net: tuple[str, ...]) -> int:
    """Tell whether a script is the one that was frozen under CODE, and list every deviation with its reason.

    The ledger is proven first. Exit code 0: the same, or every deviation has a reason (allow EV802 because "…").

    \b
    evalang verify study.eval EV-ABCDE-FGHIJ-KLMNO-PQRST
    """
    from ..ledger.chain import events, prove
    from ..ledger.chain import read as read_ledger
    from ..ledger.frozen import deviations, find_frozen
    from .ledger import heads

    folder = os.path.dirname(file) or "."
    lines = read_ledger(folder)
    wrong = [one for one in prove(lines, heads=heads(folder)) if one.level == "error"]
    frozen = find_frozen(events(lines), code)
    if frozen is None:
        raise ScriptError(f"no design was frozen under {code} in this ledger", hint="evalang ledger lists the codes")
    _, plan, now = at_hand(file, data_root, allow_net)
    found = tuple(deviations(frozen.facts, now, plan))
    for one in wrong:
        click.echo(for_terminal(f"ledger, line {one.line}: {one.sentence}"))
    for deviation in found:
        why = f' because "{deviation.reason}"' if deviation.reason else ", and no reason is given"
        click.echo(for_terminal(f"{deviation.what} was {deviation.was}, is {deviation.now}{why}"))
    looked = [e for e in events(lines) if e.kind == "looked" and e.get("study") == now["study"]]
    early = [e for e in looked if e.at < frozen.at]
    if early:
        click.echo(
            f"{len(early)} look{'s' * (len(early) > 1)} at its test rows came before it was frozen ({early[0].at})."
        )
    if not found and not wrong:
        click.echo(f"This is the design that was frozen on {frozen.at}.")
    return int(bool(wrong) or any(not one.reason for one in found))
