"""Damaged scripts: nothing crashes, findings lie inside the text, and one mistake costs one statement."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.errors import ScriptError
from evalang.language.files import decode
from evalang.language.grammar import words
from evalang.language.nodes import Script
from evalang.language.parser import lost_names, parse
from evalang.language.text import Finding, SourceText

from .scripts import GOOD, statements

BEFORE = 'dataset before from builtin "iris"\n'
AFTER = "\nestimate after on before using 10cv\n"


def read(text: str) -> tuple[Script, tuple[Finding, ...]]:
    script, findings = parse(SourceText("x.eval", text))
    for finding in findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert finding.message
        assert "\n" not in finding.message
    return script, findings


@pytest.mark.parametrize("step", [23, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_truncated_anywhere(path: Path, step: int) -> None:
    """At every third byte, which hardly a word is shorter than, or every 23rd, from another one on in each script."""
    data = path.read_bytes()
    for end in range(len(path.stem) % step, len(data), step):
        try:
            source = decode(data[:end], "x.eval")
        except ScriptError:  # in the middle of a character
            assert data[:end].decode(errors="ignore") != data[:end].decode(errors="replace")
            continue
        read(source.text)


def mutants(text: str) -> list[str]:
    """Every script with one token left out, given twice, or swapped with the next."""
    tokens = [word for word in words(text, 0, len(text)) if not word.comment]
    found: list[str] = []
    for index, token in enumerate(tokens):
        found.append(text[: token.start] + text[token.end :])
        found.append(text[: token.end] + " " + text[token.start :])
        if index + 1 < len(tokens):
            following = tokens[index + 1]
            middle = text[token.end : following.start]
            found.append(text[: token.start] + following.text + middle + token.text + text[following.end :])
    return found


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_one_mistake_costs_one_statement(step: int) -> None:
    """The statements before and after a damaged one are read, and it gives one finding (goal: 95% of mutants)."""
    total = kept = single = 0
    around = (read(BEFORE)[0].statements[0], read(AFTER)[0].statements[0])
    for number, text in enumerate(statements()):
        for mutant in mutants(text)[number % step :: step]:
            script, findings = read(BEFORE + mutant + AFTER)
            if not findings:
                continue
            total += 1
            kept += script.statements[0] == around[0] and script.statements[-1] == around[1]
            single += len(findings) == 1
    assert total > 2000 // step
    assert kept / total >= 0.95, (kept, total)
    assert single / total >= 0.95, (single, total)


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_same_tree_whatever_the_line_ends(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    plain, findings = read(text)
    assert not findings
    variants = {
        "windows": text.replace("\n", "\r\n"),
        "old mac": text.replace("\n", "\r"),
        "no final line end": text.rstrip("\n"),
        "tabs": text.replace("  ", "\t"),
        "no-break spaces": text.replace("  ", "\u00a0\u3000"),
        "byte-order mark": "\ufeff" + text,
        "form feeds": text.replace("\n", "\n\f"),
    }
    for name, variant in variants.items():
        for source in (SourceText("x", variant), decode(variant.encode(), "x")):
            script, found = parse(source)
            assert not found, (name, found)
            assert script == plain, name


def lost(text: str) -> frozenset[str]:
    source = SourceText("x", text)
    return lost_names(source, parse(source)[0])


def test_names_that_a_mistake_hides() -> None:
    text = 'dataset d frm csv "d.csv"\nlearner "my tree" = tree\nlearner good is tree\n'
    text += "compare a vs b on d usng 5cv as first\n"
    assert lost(text) == {"d", "my tree"}  # the comparison is kept without its clause
    assert lost('dataset d from csv "d.csv"\nlearner x is tree\ncompare x vs x on d as first\n') == frozenset()
