"""What a scheme says of itself is what is dealt: splits, rows to train and to test, and every trait of its card."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.catalogue.schemes import SCHEMES
from evalang.errors import DataError
from evalang.plans.model import Part, Scheme
from evalang.trials.splits import Fold, folds

from ..support.engine import table
from ..support.plans import planned

COMPARE = "compare decision-tree vs naive-bayes on iris"
GIVEN = 4  # given folds of the tables below
_few, _share = st.integers(2, 4), st.sampled_from(("1/3", "1/2", "10%", "0.9", "3 rows", "1 rows"))
FORMS = st.one_of(
    st.builds("holdout {}".format, _share),
    st.builds("{} resamples of {}".format, _few, _share),
    st.builds("{}cv".format, st.integers(2, 12)),
    st.builds("{}x{}cv".format, _few, st.integers(3, 12)),
    st.builds("{} partitions of {}cv".format, st.integers(1, 4), st.integers(2, 12)),
    st.builds("{} partitions of 5x2cv".format, st.integers(1, 3)),
    st.builds("{} trainings of {}".format, _few, st.integers(1, 40)),
    st.builds("bootstrap {}".format, _few),
    st.builds("forward {} splits".format, st.integers(1, 9)),
    st.sampled_from(("5x2cv", "leave-one-out", "given folds", "given test")),
)
EACH = (
    "holdout 1/3", "2cv", "10cv", "3x5cv", "5x2cv", "2 partitions of 4cv", "2 partitions of 5x2cv",
    "3 halvings of 2x4cv", "5 resamples of 2/3", "4 trainings of 10", "leave-one-out", "bootstrap 5",
    "forward 4 splits", "given folds", "given test",
)  # fmt: skip


def written(text: str) -> Scheme:
    """The scheme of a text."""
    (comparison,) = planned(f"{COMPARE} using {text}, seed 1").plan.comparisons
    assert comparison.scheme is not None
    return comparison.scheme


def dealt(scheme: Scheme, rows: int, seed: int = 1) -> tuple[Fold, ...]:
    """Every fold on rows of different moments (the last one is the earliest), a quarter of them a test set."""
    one = table(rows, time=np.arange(rows)[::-1], folds=np.arange(rows) % GIVEN, test_from=rows - rows // 4)
    return folds(scheme, one, seed)


@settings(max_examples=250, deadline=None)
@given(FORMS, st.integers(4, 1000))
def test_it_says_what_is_dealt(text: str, rows: int) -> None:
    scheme = written(text)
    assert scheme.text == text
    try:
        made = dealt(scheme, rows)
    except DataError:  # too few rows; the run says so
        return
    assert scheme.splits(rows, GIVEN) == len(made)
    train, test = (float(np.mean([len(part) for part in each])) for each in _parts(made))
    near = 1.0 if scheme.card.in_time else 1e-9  # blocks of a forward scheme are cut at whole rows
    if scheme.parts(rows) is None:
        assert scheme.card.given or scheme.card.drawn
    else:
        assert scheme.parts(rows) == pytest.approx((train, test), abs=near)
        assert scheme.test_rows(rows) == pytest.approx(test, abs=near)
        assert scheme.ratio(rows) == pytest.approx(test / train, abs=near)
        assert {len(f.test) for f in made} <= {int(test), int(test) + 1} or scheme.card.in_time
    if not scheme.card.given:
        assert scheme.train_rows(rows) == pytest.approx(train, abs=near)
    every, counts = np.unique(np.concatenate([f.test for f in made]), return_counts=True)
    if scheme.card.rows_tested_once:
        assert counts.max() == 1
    judged = scheme.judged_rows(rows)
    if judged is not None:
        assert judged == pytest.approx(len(every), abs=near)


def _parts(made: tuple[Fold, ...]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    return [f.train for f in made], [f.test for f in made]


def _shared(made: list[Fold]) -> list[float]:
    return [len(np.intersect1d(a.train, b.train)) / len(a.train) for a, b in combinations(made, 2)]


@pytest.mark.parametrize("text", EACH)
def test_every_trait_is_seen_in_the_folds(text: str) -> None:
    scheme, rows = written(text), 120
    card, made = scheme.card, dealt(scheme, rows)
    tested = np.concatenate([f.test for f in made])
    again = len(np.unique(tested)) < len(tested)
    assert any(_shared(list(made))) == (card.training_overlap and text != "2cv")
    assert card.one_test_set == (len(made) == 1)
    assert card.disjoint == (len(made) > 1 and len({tuple(f.test) for f in made}) == 1)
    assert card.in_time == all(f.train.min() > f.test.max() for f in made)
    assert card.pooled == all(len(f.test) == 1 for f in made)
    assert card.drawn == any(len(np.unique(f.train)) < len(f.train) for f in made)
    assert card.rows_tested_once == (not again)
    assert card.repeated == (again and not card.disjoint)
    other = dealt(scheme, rows, seed=2)
    assert card.random == any(not np.array_equal(a.test, b.test) for a, b in zip(made, other, strict=True))
    if card.k_fold:
        first = [f for f in made if f.partition == 0]
        assert scheme.overlap == pytest.approx(np.mean(_shared(first)), abs=1e-12)
        assert sorted(np.concatenate([f.test for f in first])) == list(range(rows))


def test_the_ratio_of_a_bootstrap_is_that_of_distinct_rows() -> None:
    scheme, rows = written("unstratified bootstrap 400"), 50
    shares = np.array([len(f.test) / rows for f in dealt(scheme, rows)])
    ratio = scheme.ratio(rows)
    assert ratio is not None
    assert abs(shares.mean() - ratio / (1 + ratio)) < 4 * shares.std() / np.sqrt(len(shares))


def test_partitions_go_together_as_their_test_takes_them() -> None:
    shapes = {text: written(text) for text in ("10x10cv", "5x2cv", "4 partitions of 10cv", "4 partitions of 5x2cv")}
    assert {text: (s.groups, s.together, s.nested) for text, s in shapes.items()} == {
        "10x10cv": (10, 0, None),  # each fold alone
        "5x2cv": (1, 1, None),  # one test; a replication loses both halves or none
        "4 partitions of 10cv": (4, 1, None),
        "4 partitions of 5x2cv": (4, 5, (5, 2)),
    }


def test_a_part_is_rounded_halves_up_and_never_empty() -> None:
    assert [Part(fraction=0.5).of(rows) for rows in (4, 5, 7)] == [2, 3, 4]
    assert Part(fraction=0.01).of(4) == 1
    assert Part(rows=11).of(4) == 11


def test_rows_in_groups_are_counted_only_with_the_data() -> None:
    scheme = written("grouped leave-one-out")
    assert scheme.splits(150) is None
    assert scheme.parts(150) is None


def test_every_kind_that_trains_is_among_them() -> None:
    assert {written(text).kind for text in EACH} | {"guarded-holdout"} == {card.kind for card in SCHEMES if card.trains}
