"""Whatever text is printed, the terminal only ever sees text."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from evalang.language.text import for_terminal


@given(st.text(st.characters(exclude_categories=())))
def test_no_control_and_nothing_hidden_is_left(text: str) -> None:
    shown = for_terminal(text)
    assert all(unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") or c == "\t" for c in shown)
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not turning & set(map(unicodedata.bidirectional, shown))
    shown.encode("utf-8")


@given(st.text())
def test_twice_is_once_and_lines_are_kept_when_asked(text: str) -> None:
    shown = for_terminal(text)
    assert for_terminal(shown) == shown
    assert for_terminal(text, lines=True).count("\n") == text.count("\n")
    assert "\n" not in shown
