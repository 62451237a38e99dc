"""Every entry of the table of frequent mistakes explains at least one broken script."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.language import mistakes
from evalang.language.builder import Problem
from evalang.language.grammar import words_of_language
from evalang.language.mistakes import MISTAKES, SYNONYMS, ErrorPlace
from evalang.language.nodes import SetStatement
from evalang.language.parser import parse
from evalang.language.text import SourceText

BROKEN = sorted((Path(__file__).parent.parent / "scripts" / "broken").glob("*.eval"))
AFTER_USING = (
    *("10CV", "loocv", "leave-one-group-out", "10 times 10cv", "30% holdout", "10cv alpha", "5x2cv with mcnemar"),
)
OTHERS = (
    *(f"compare a vs b on d using {words}" for words in AFTER_USING),
    "compare a vs b on d by kfold-t, alpha = 0.05",
    "learner x is svm( = 3)",
    "learner x is svm, calibrate on 20%",
    "learner x is knn, tune k in [1]",
    "set seed=3",
    "p < 0.05",
    "compare a vs b on d using 10cv, alpha 5",
    'compare a vs b on csv "d.csv"',
    'dataset d from frame, target "y"',
)
SHARES = tuple(one for one in MISTAKES if "/[ " in getattr(one, "form", ""))  # `90/10`, `80/20`: one of them is enough


def test_every_mistake_is_made_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[int] = set()

    def noting(number: int) -> mistakes.Mistake:
        def look(place: ErrorPlace) -> Problem | None:
            problem = MISTAKES[number](place)
            if problem is not None:
                used.add(number)
            return problem

        return look

    monkeypatch.setattr(mistakes, "MISTAKES", tuple(map(noting, range(len(MISTAKES)))))
    for text in (*(path.read_bytes().decode() for path in BROKEN), *OTHERS):
        parse(SourceText("x", text))
    assert [one for number, one in enumerate(MISTAKES) if number not in used and one not in SHARES] == []


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


@pytest.mark.parametrize(
    "character", ["\u202e", "\u2066", "\u061c", "\u200b", "\ufeff", "\u00ad", "\u2028", "\x08", "\x9b"]
)
def test_hidden_characters_are_named(character: str) -> None:
    """A script says what it shows, outside text and comments."""
    for text in (f"compare a{character} vs b on d", f"compare a vs b{character}c on d"):
        script, findings = parse(SourceText("x", text + "\nset seed 1"))
        assert findings[0].span.start == text.index(character)
        assert f"U+{ord(character):04X}" in findings[0].message
        assert len(script.statements) == 2
    assert not parse(SourceText("x", f'dataset d from csv "a{character}b" # {character}'))[1]


NAMES = (
    *("größe", "Ångström", "λ", "данные", "a²", "nº1", "データ", "数据A", "한국어", "हिन्दी"),
    *("ข้อมูล", "עברית", "µ-σ", "naïve-b"),
)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_script(name: str) -> None:
    assert not parse(SourceText("x", f"compare {name} vs b on d"))[1]


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("tr\u0435e", "`t` is Latin, `\u0435` is Cyrillic"),
        ("\u0455vm", "`\u0455` is Cyrillic, `v` is Latin"),
        ("\u03bfak-1", "`\u03bf` is Greek, `a` is Latin"),
        ("c4.\u0441", "`c` is Latin, `\u0441` is Cyrillic"),
    ],
)
def test_a_name_keeps_to_one_script(name: str, letters: str) -> None:
    for text in (f"compare {name} vs b on d", f"compare b vs a on d, {name}", f"learner {name} is svm"):
        script, (finding,) = parse(SourceText("x", text + "\nset seed 1"))
        assert finding.span == ("x", text.index(name), text.index(name) + len(name))
        assert letters in finding.message
        assert f'"{name}"' in finding.help
        assert isinstance(script.statements[-1], SetStatement)
    assert not parse(SourceText("x", f'compare "{name}" vs b on d # {name}'))[1]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("compare a vs b on d using 10cv, alpha 5", "write `at 5%`"),
        (
            'compare a vs b on csv "in/d.csv"',
            'write `dataset d from csv "in/d.csv", target "…"` above, and `on d` here',
        ),
        (
            'dataset d from frame, target "y"',
            "write `on frame` without this statement; name the target by `%%evalang --target`, "
            "or target= of ev.compare",
        ),
    ],
)
def test_the_help_says_what_to_type(text: str, typed: str) -> None:
    assert [found.help for found in parse(SourceText("x", text))[1]] == [typed]
