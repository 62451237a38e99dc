"""The nearest word."""

from __future__ import annotations

import pytest

from evalang.language.text import nearest

NAMES = ["accuracy", "roc-area", "random-forest", "recall"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("acuracy", "accuracy"),
        ("ROC_area", "roc-area"),
        ("randmo-forest", "random-forest"),
        ("zebra", None),
        ("x" * 10_000, None),
    ],
)
def test_near_words_are_found_and_far_ones_are_not(word: str, meant: str | None) -> None:
    assert nearest(word, NAMES) == meant
    assert nearest(word, []) is None
