"""`evalang draw`"""

from __future__ import annotations

import csv
import os
from hashlib import sha256
from pathlib import Path

import click

from ..errors import ScriptError
from ..language.held import open_plain
from ..language.text import for_terminal

LARGEST = 16 * 2**20


@click.command("draw")
@click.argument("count", type=click.IntRange(1))
@click.argument("population", type=click.Path(path_type=Path))
@click.option("--seed", type=int, required=True, help="Any number, fixed before the draw.")
def command(count: int, population: Path, seed: int) -> int:
    """Draw COUNT datasets by lot from the names in the first column of POPULATION, a CSV file with a head.

    The draw goes into the ledger beside the file: the list's hash, the seed, the names. Only the first draw from a list
    counts; a second one is refused, since a draw that is repeated until it pleases is no draw.

    \b
    evalang draw 20 archive.csv --seed 4
    """
    from ..ledger.chain import append, events
    from ..ledger.chain import read as read_ledger
    from ..ledger.lot import draw

    names, digest = _names(population)
    if count > len(names):
        raise ScriptError(f"{population} has {len(names)} names, and {count} are to be drawn", hint="draw fewer")
    folder = os.path.dirname(population) or "."
    before = [e for e in events(read_ledger(folder)) if e.kind == "drawn" and e.get("population") == digest]
    if before:
        first = before[0]
        said = f"{len(first.get('drawn', ()))} with seed {first.get('seed')}"
        raise ScriptError(f"from {population.name} was drawn on {first.at} ({said})", hint="the first draw counts")
    drawn = draw(names, count, seed)
    facts = {"list": population.name, "population": digest, "of": len(names), "seed": seed, "drawn": list(drawn)}
    append(folder, [("drawn", facts)])
    where = f"{population.name}, {len(names)} names, by lot, seed {seed}"
    click.echo(for_terminal(f'suite drawn is {", ".join(drawn)}, sampled from "{where}"'))
    return 0


def _names(path: Path) -> tuple[tuple[str, ...], str]:
    """The names, each once, and the hash of their set: another order of the list is the same list."""
    try:
        with os.fdopen(open_plain(os.path.realpath(path)), "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise ScriptError(f"{path} cannot be read: {error.strerror}", hint="name a CSV file") from None
    if len(content) > LARGEST:
        raise ScriptError(f"{path} has more than {LARGEST:,} bytes", hint="a list of names is enough")
    rows = list(csv.reader(content.decode("utf-8-sig", "replace").splitlines()))
    names = tuple(dict.fromkeys(row[0].strip() for row in rows[1:] if row and row[0].strip()))
    if not names:
        raise ScriptError(f"{path} holds no names below its head", hint="one name a line, in the first column")
    return names, sha256("\n".join(sorted(names)).encode()).hexdigest()[:32]
