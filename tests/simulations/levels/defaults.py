"""The default test of every scheme held against what was measured: which cells are above the limit and not excused."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from .outcome import OUTCOME, above

EXCEPTIONS = Path(__file__).with_name("exceptions.csv")
MOST = 6  # with so many exceptions a test is no default any more
FORMS = {  # what was measured of each kind of scheme
    "cv": ("5cv", "10cv"),
    "given-folds": ("5cv", "10cv"),
    "repeated-cv": ("5x5cv", "10x10cv"),
    "partitions-cv": ("5x5cv", "10x10cv"),
    "5x2cv": ("5x2cv",),
    "partitions-5x2cv": ("10 partitions of 5x2cv",),
    "halvings": ("10x10cv and 10 halvings",),
    "resamples": ("30 resamples of 2/3",),
    "bootstrap": ("bootstrap 30",),
}
NO_DEFAULT = {("cv", "stump"), ("given-folds", "stump")}  # a script that names no test gets none there
Cell = tuple[str, str, str, str, str]  # scheme, test, learner, n, null


def excused() -> dict[Cell, str]:
    """The checked-in exceptions with their reason."""
    with EXCEPTIONS.open(newline="") as file:
        return {(r["scheme"], r["test"], r["learner"], r["n"], r["null"]): r["why"] for r in csv.DictReader(file)}


UNFOLDED = {  # tests that are taken by default and not made from folds: as the study names them
    ("forward", "cosine-t"): "forward-t",
    ("groups", "sign-flip of cluster sums"): "cluster-permutation",
    ("train N times", "Cochran-Cox"): "retrained-t",
    ("skewed losses", "row-t"): "row-t",
    ("rounded scores", "wilcoxon, zeros split"): "wilcoxon",
}
Setting = tuple[str, str, str]  # what, setting, test


def unfolded_excused() -> dict[Setting, str]:
    """The checked-in exceptions of tests that are not made from folds."""
    with EXCEPTIONS.with_name("unfolded-exceptions.csv").open(newline="") as file:
        return {(r["what"], r["setting"], r["test"]): r["why"] for r in csv.DictReader(file)}


def unfolded_over() -> dict[Setting, float]:
    """The rate of every setting in which such a default is above the limit by more than chance."""
    with (OUTCOME / "unfolded.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["what"], row["test"]) in UNFOLDED]
    return {
        (r["what"], r["setting"], r["test"]): float(r["rate"])
        for r in rows
        if above(int(r["rejections"]), int(r["runs"]))
    }


def over() -> list[Cell]:
    """Every measured cell above the limit by more than chance."""
    return [cell for cell, (rejections, runs) in _nulls().items() if above(rejections, runs)]


def problems(defaults: Mapping[str, str]) -> list[str]:
    """In words, what speaks against these defaults (kind of scheme: test, "" for none)."""
    measured, known, high = _nulls(), excused(), over()
    found = []
    for kind, test in defaults.items():
        for form in FORMS[kind] if test else ():
            own = [cell for cell in high if cell[:2] == (form, test) and (kind, cell[2]) not in NO_DEFAULT]
            if not any(cell[:2] == (form, test) for cell in measured):
                found.append(f"{form} by {test} was not measured")
            if len(own) >= MOST:
                found.append(f"{form} by {test} is above the limit in {len(own)} cells, so it is no default")
            found += [f"{', '.join(cell)} is above the limit and no exception" for cell in own if cell not in known]
    return found


def _nulls() -> dict[Cell, tuple[int, int]]:
    with (OUTCOME / "levels.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["null"] in ("symmetric", "crossing")]
    return {
        (r["scheme"], r["test"], r["learner"], r["n"], r["null"]): (int(r["rejections"]), int(r["runs"])) for r in rows
    }
