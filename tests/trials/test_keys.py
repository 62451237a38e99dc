"""Keys and the random streams that belong to them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalang.language.text import Span
from evalang.plans.model import Part, Scheme
from evalang.trials.trial import cell_digest, digest, seed, stream, trial_digest

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, VALUES)
def test_equal_values_and_only_they_have_equal_digests(one: object, two: object) -> None:
    assert (digest(one) == digest(two)) == (repr(one) == repr(two))


def test_types_are_told_apart() -> None:
    assert len({digest(v) for v in (1, 1.0, True, "1", "True", [1], None)}) == 7


def test_where_a_thing_is_written_does_not_count() -> None:
    assert digest(Part(fraction=0.2)) == digest(Part(fraction=0.2))
    here, there = Span("a", 1, 2), Span("b", 3, 4)
    assert digest(Scheme(kind="cv", span=here)) == digest(Scheme(kind="cv", span=there))


@given(st.integers(-(2**70), 2**70), st.text())
def test_any_whole_number_is_a_seed(root: int, word: str) -> None:
    assert 0 <= seed(root, word) < 2**31 - 1
    assert seed(root, word) == seed(root, word)


def test_streams_differ_by_root_and_by_key() -> None:
    firsts = [stream(r, k).integers(0, 2**60) for r, k in ((1, "a"), (-1, "a"), (0, "a"), (2, "a"), (1, "b"))]
    assert len(set(firsts)) == 5


def test_every_part_of_the_name_of_a_trial_counts() -> None:
    base: tuple[str | int, ...] = ("data", "learner", "split", "inner", 1, 0, 0, 0)
    others = [
        (*base[:i], part + 1 if isinstance(part, int) else part + "x", *base[i + 1 :]) for i, part in enumerate(base)
    ]
    names = {trial_digest(cell_digest(*parts[:5]), *parts[5:]) for parts in (base, *others)}  # type: ignore[arg-type]
    assert len(names) == len(base) + 1
