"""The stored rates of every situation, and the checked-in list of what may be above the limit, and why."""

from __future__ import annotations

import csv
import fcntl
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ..levels.outcome import OUTCOME
from .rates import MEASURES, Count

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


def held(situation: str, path: Path = STORED) -> int:
    """How many runs of a situation are stored: each has one verdict, or one estimate."""
    have = stored(path)
    return next((have[situation, m].runs for m in MEASURES if (situation, m) in have), 0)


def forget(situation: str, path: Path = STORED) -> None:
    """Take a situation out, to measure it anew."""
    with _alone():
        _write([c for c in stored(path).values() if c.situation != situation], path)


def keep(counts: Iterable[Count], path: Path = STORED) -> None:
    """Add these counts to those that the file holds; several simulations may keep theirs at once."""
    with _alone():
        found = stored(path)
        for c in counts:
            before = found.get((c.situation, c.measure), replace(c, runs=0, wrong=0))
            found[c.situation, c.measure] = replace(c, runs=before.runs + c.runs, wrong=before.wrong + c.wrong)
        _write(found.values(), path)


@contextmanager
def _alone() -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / "evalang-procedures.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(counts: Iterable[Count], path: Path) -> None:
    part = path.with_suffix(".part")
    with part.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows((c.situation, c.measure, c.runs, c.wrong, f"{c.rate:.4f}", f"{c.error:.4f}") for c in counts)
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
