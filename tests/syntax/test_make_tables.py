"""tables.py is what make_tables writes for the grammar as it stands."""

from __future__ import annotations

import os
import subprocess
import sys

from evalang.syntax import tables
from evalang.syntax.make_tables import TABLES, build
from evalang.syntax.make_tables import tables as written


def test_tables_match_the_grammar() -> None:
    assert TABLES.read_text(encoding="utf-8") == written(build()), "run: python -m evalang.syntax.make_tables"


def test_same_tables_whatever_the_hash_seed() -> None:
    code = "import sys, evalang.syntax.make_tables as m; sys.stdout.buffer.write(m.tables(m.build()).encode())"
    seeds = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert seeds[0] == seeds[1] == TABLES.read_bytes()


def test_tables_are_plain_values() -> None:
    """Nothing to unpickle: strings in tuples and dictionaries."""
    assert all(type(row) is str for row in (*tables.ROWS, *tables.PRODUCTIONS))
    assert all(type(k) is str and type(v) is str for k, v in (*tables.TERMINALS.items(), *tables.WORDS.items()))


def test_reserved_words() -> None:
    """The statement words and the twelve others that are never names."""
    assert {
        "dataset",
        "suite",
        "learner",
        "results",
        "predictions",
        "compare",
        "estimate",
        "claim",
        "simulate",
        "report",
        "set",
        "include",
        "vs",
        "on",
        "using",
        "by",
        "because",
        "from",
        "is",
        "over",
        "at",
        "measuring",
    } == tables.RESERVED
