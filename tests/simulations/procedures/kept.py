"""The stored rates of every situation, and the checked-in list of what may be above the limit, and why."""

from __future__ import annotations

import csv
import fcntl
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..levels.outcome import OUTCOME
from .rates import Count

STORED = OUTCOME / "procedures.csv"
EXCEPTIONS = Path(__file__).with_name("exceptions.csv")
MOST = 6  # exceptions with which a test is no default any more
HEAD = ("situation", "measure", "runs", "wrong", "rate", "standard error")


def stored(path: Path = STORED) -> dict[tuple[str, str], Count]:
    """By situation and measure."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (r["situation"], r["measure"]): Count(
            situation=r["situation"], measure=r["measure"], runs=int(r["runs"]), wrong=int(r["wrong"])
        )
        for r in rows
    }


def keep(counts: Iterable[Count], path: Path = STORED) -> None:
    """Replace the file by what it holds with these counts in it; several simulations may keep theirs at once."""
    with (Path(tempfile.gettempdir()) / "evalang-procedures.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _keep(counts, path)


def _keep(counts: Iterable[Count], path: Path) -> None:
    found = stored(path) | {(c.situation, c.measure): c for c in counts}
    part = path.with_suffix(".part")
    with part.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows(
            (c.situation, c.measure, c.runs, c.wrong, f"{c.rate:.4f}", f"{c.error:.4f}") for c in found.values()
        )
    part.replace(path)


def exceptions(path: Path = EXCEPTIONS) -> dict[tuple[str, str], str]:
    """(situation, measure) and the reason why it may be above the limit."""
    with path.open(newline="") as file:
        return {(row["situation"], row["measure"]): row["why"] for row in csv.DictReader(file)}


def unexcused(counts: Iterable[Count], excused: Iterable[tuple[str, str]]) -> list[str]:
    """What lies above the limit and is no known exception, in words."""
    known = set(excused)
    return [
        f"{c.situation}: {c.measure} in {c.wrong} of {c.runs} ({c.rate:.3f})"
        for c in counts
        if c.above() and (c.situation, c.measure) not in known
    ]
