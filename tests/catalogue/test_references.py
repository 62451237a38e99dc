"""The bibliography: sorted, unique, and complete for what the cards cite."""

from __future__ import annotations

import re
from pathlib import Path

from evalang.catalogue.references import REFERENCES, find_reference
from evalang.catalogue.tests import TESTS


def test_sorted_and_unique() -> None:
    keys = [reference.key for reference in REFERENCES]
    assert keys == sorted(set(keys))


def test_entries_are_whole() -> None:
    for reference in REFERENCES:
        assert reference.key.endswith(str(reference.year))
        assert reference.authors
        assert reference.title
        assert reference.where
        assert re.fullmatch(r"[a-z]+\d{4}", reference.key)
        assert not reference.doi or reference.doi.startswith("10.")


def test_every_card_of_a_test_cites_known_works() -> None:
    unknown = {(card.name, key) for card in TESTS for key in card.references if find_reference(key) is None}
    assert not unknown


def test_every_work_is_cited_somewhere() -> None:
    """By its key, or by its first author and year on one line, in the program or on a page."""
    root = Path(__file__).parents[2]
    places = [*root.glob("evalang/**/*.py"), *root.glob("docs/**/*.md")]
    text = "\n".join(place.read_text(encoding="utf-8") for place in places if place.name != "references.md")
    words, small = set(re.findall(r"\w+", text)), text.lower()  # a search for every key would take seconds
    lost = []
    for one in REFERENCES:
        author = one.key.rstrip("0123456789")
        by_name = rf"\b{author}\b[^\n]{{0,40}}\b{one.year}\b"
        if one.key not in words and not re.search(by_name, small):
            lost.append(one.key)
    assert lost == []


def test_unknown_key() -> None:
    assert find_reference("nobody2000") is None
