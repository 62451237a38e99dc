from __future__ import annotations

from evalang.language.parser import parse
from evalang.language.recovery import lost_names
from evalang.language.text import SourceText


def lost(text: str) -> frozenset[str]:
    source = SourceText("x", text)
    return lost_names(source, parse(source)[0])


def test_names_of_broken_definitions() -> None:
    text = 'dataset d frm csv "d.csv"\nlearner "my tree" = tree\nlearner good is tree\n'
    text += "compare a vs b on d usng 5cv as first\n"
    assert lost(text) == {"d", "my tree"}  # the comparison is kept without its clause


def test_nothing_is_lost_in_a_sound_script() -> None:
    assert (
        lost('dataset d from csv "d.csv"\nlearner x is tree\ncompare x vs x on d using 5cv as first\n') == frozenset()
    )
