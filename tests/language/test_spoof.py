"""A script says what it shows: no hidden characters, no name of two scripts, outside text and comments."""

from __future__ import annotations

import pytest

from evalang.language.parser import parse
from evalang.language.spoof import spoofs
from evalang.language.text import SourceText

HIDDEN = ["\u202e", "\u2066", "\u061c", "\u200b", "\ufeff", "\u00ad", "\u2028"]
CONTROL = ["\0", "\x08", "\x1b", "\x7f", "\x9b"]


@pytest.mark.parametrize("character", HIDDEN)
def test_hidden_characters(character: str) -> None:
    for text in (
        f"compare a{character} vs b on d",
        f"compare {character}a vs b on d",
        f"compare a vs b{character}c on d",
    ):
        script, findings = parse(SourceText("x", text + "\nset seed 1"))
        assert [f.span.start for f in findings] == [text.index(character)]
        assert f"U+{ord(character):04X}" in findings[0].message
        assert len(script.statements) == 1
    assert not spoofs("x", f'dataset d from csv "a{character}b" # {character}')


@pytest.mark.parametrize("character", CONTROL)
def test_control_characters_are_refused_in_text_too(character: str) -> None:
    assert parse(SourceText("x", f'dataset d from csv "a{character}b"'))[1]
    assert parse(SourceText("x", f"compare a{character} vs b on d"))[1]


@pytest.mark.parametrize("name", ["l\u0435arner", "\u03bfn", "ab\uff43", "a\u0561b"])
def test_mixed_scripts_are_refused(name: str) -> None:
    (problem,) = spoofs("x", f"compare {name} vs b on d")
    assert "two scripts" in problem.message
    assert not spoofs("x", f'compare "{name}" vs b on d # {name}')


@pytest.mark.parametrize(
    "name",
    ["größe", "данные", "データ", "数据A", "한국어", "हिन्दी", "ข้อมูล", "עברית", "µ-σ", "naïve-b"],
)
def test_one_script_is_fine(name: str) -> None:
    assert not spoofs("x", f"compare {name} vs b on d")
    assert not parse(SourceText("x", f"compare {name} vs b on d"))[1]
