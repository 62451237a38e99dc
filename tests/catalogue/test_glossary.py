"""Every word of a simulate statement can be explained."""

from __future__ import annotations

import pytest

from evalang.catalogue.cards import card
from evalang.catalogue.glossary import GLOSSARY


@pytest.mark.parametrize(
    "word", ["simulate", "type-I", "simulate power", "shared", "disagreement", "spread", "difference"]
)
def test_words_of_simulate(word: str) -> None:
    assert (card(word) or "").startswith(f"# {word}\n")


def test_no_word_twice() -> None:
    words = [word for word, _ in GLOSSARY]
    assert len(set(words)) == len(words)
