"""tables.py is what make_tables writes for the grammar as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalang.syntax import lexer
from evalang.syntax.make_tables import build
from evalang.syntax.lexer import TABLES
from evalang.syntax.make_tables import tables as written
from evalang.syntax.parser import Nodes

from .scripts import GOOD


def test_tables_match_the_grammar() -> None:
    assert Path(TABLES).read_text(encoding="utf-8") == written(build()), "run: python docs/make_all.py"


def test_same_tables_whatever_the_hash_seed() -> None:
    code = "import sys, evalang.syntax.make_tables as m; sys.stdout.buffer.write(m.tables(m.build()).encode())"
    seeds = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert seeds[0] == seeds[1] == Path(TABLES).read_bytes()


def test_another_lark_builds_its_own_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are Lark's own business, so those of another version are not trusted; what is read stays the same."""
    import evalang.syntax.parser as engine
    from evalang.source.decode import read_script
    from evalang.syntax.parser import parse

    script = read_script(GOOD[0])
    loaded = parse(script)
    fresh = engine.Engine()
    fresh.lark = lexer.parser(Nodes(), made_by="0.0")
    assert hasattr(fresh.lark, "grammar")  # a loaded parser has none
    assert not hasattr(engine.engine().lark, "grammar")
    monkeypatch.setattr(engine, "_engines", [fresh])
    assert parse(script) == loaded


def test_the_part_of_the_tables_that_a_text_needs_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a text is sound or not: a mistake is explained by the whole tables."""
    import evalang.syntax.parser as engine
    from evalang.source.decode import read_script
    from evalang.source.text import SourceText
    from evalang.syntax.parser import parse

    known = [read_script(path) for path in GOOD]
    pieces = [
        *known,
        SourceText("none", ""),
        *(SourceText(s.path, s.text[: len(s.text) // 2] + " vs vs") for s in known),
    ]
    whole = engine.Engine()
    for source in pieces:
        monkeypatch.setattr(engine, "_engines", [whole])
        expected = parse(source)
        monkeypatch.setattr(engine, "_engines", [])
        monkeypatch.setattr(engine, "_partial", [])
        assert parse(source) == expected
        assert len(source.text) > engine.SHORT or engine._partial[0].words is not None
        assert bool(engine._engines) == bool(expected[1]) or len(source.text) > engine.SHORT, source.path


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
    } == lexer.RESERVED
