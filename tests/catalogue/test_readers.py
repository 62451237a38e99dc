"""The readers: the words after `from`."""

from __future__ import annotations

from evalang.catalogue.sources import READERS
from evalang.language.colours import READ


def test_the_words_that_are_coloured_are_the_readers() -> None:
    assert tuple(reader.name for reader in READERS) == READ
