"""Every entry of the table of frequent mistakes explains at least one broken script."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.language import mistakes
from evalang.language.builder import Problem
from evalang.language.mistakes import SYNONYMS, ErrorPlace
from evalang.language.parser import parse
from evalang.language.text import SourceText
from evalang.language.tokens import words_of_language

BROKEN = sorted((Path(__file__).parent.parent / "scripts" / "broken").glob("*.eval"))


def test_every_mistake_is_made_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()

    def noting(mistake: mistakes.Mistake) -> mistakes.Mistake:
        def look(place: ErrorPlace) -> Problem | None:
            problem = mistake(place)
            if problem is not None:
                used.add(mistake.__name__)
            return problem

        return look

    names = {mistake.__name__ for mistake in mistakes.MISTAKES}
    monkeypatch.setattr(mistakes, "MISTAKES", tuple(noting(mistake) for mistake in mistakes.MISTAKES))
    for path in BROKEN:
        parse(SourceText(path.name, path.read_bytes().decode()))
    assert names - used == set()


def test_synonyms_lead_to_words_of_the_language() -> None:
    assert set(SYNONYMS.values()) <= set(words_of_language())


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("compare a vs b on d using 10cv, random_state 1", "seed"),
        ("compare a vs b on d using 10cv, scoring accuracy", "measuring"),
        ('dataset d from csv "d.csv", label "y"', "target"),
        ('import "a.eval"', "include"),
        ("compare a vs b on d using stratifed 10cv", "stratified"),
        ("simulate powr of c", "power"),
        ("compare a vs b on d, usng 10cv", "using"),
        ('suite s is a, b, sampeld from "x"', "sampled"),
    ],
)
def test_what_was_meant(text: str, meant: str) -> None:
    _, (finding,) = parse(SourceText("x", text))
    assert f"`{meant}`" in finding.help
    assert finding.fix is not None
    assert [edit.text for edit in finding.fix.edits] == [meant]
