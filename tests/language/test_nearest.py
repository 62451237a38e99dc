"""The nearest word."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.language.nearest import distance, nearest

WORDS = st.text(alphabet="abc-", max_size=8)


def full(first: str, second: str) -> int:
    """Optimal string alignment by plain recursion over a table."""
    table = {(i, j): max(i, j) for i in range(len(first) + 1) for j in range(len(second) + 1) if not i or not j}
    for i in range(1, len(first) + 1):
        for j in range(1, len(second) + 1):
            same = first[i - 1] == second[j - 1]
            best = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (not same))
            if i > 1 and j > 1 and first[i - 1] == second[j - 2] and first[i - 2] == second[j - 1]:
                best = min(best, table[i - 2, j - 2] + 1)
            table[i, j] = best
    return table[len(first), len(second)]


@given(WORDS, WORDS, st.integers(0, 8))
@settings(max_examples=300)
def test_distance_is_that_of_the_whole_table_up_to_the_limit(first: str, second: str, limit: int) -> None:
    assert distance(first, second, limit) == min(full(first, second), limit + 1)


def test_near_words_are_found_and_far_ones_are_not() -> None:
    words = ["accuracy", "roc-area", "random-forest", "recall"]
    assert nearest("acuracy", words) == "accuracy"
    assert nearest("ROC_area", words) == "roc-area"
    assert nearest("randmo-forest", words) == "random-forest"
    assert nearest("zebra", words) is None
    assert nearest("", words) is None
    assert nearest("x" * 10_000, words) is None
    assert nearest("accuracy", []) is None


@given(st.lists(WORDS, max_size=5), WORDS)
def test_order_of_candidates_is_irrelevant(words: list[str], word: str) -> None:
    assert nearest(word, words) == nearest(word, words[::-1])
