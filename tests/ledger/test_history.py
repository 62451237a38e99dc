"""Rows and tables that are recognised, and the level that earlier looks leave."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalang.data.hashes import row_hashes, score_hashes, truth_hashes
from evalang.ledger import earlier_looks, level_of_look, shared_fraction, sketch
from evalang.ledger.chain import make_event
from evalang.ledger.history import salted

SALT = "0123456789abcdef" * 2
CHANCE = np.random.default_rng(3)
FRAME = pd.DataFrame(CHANCE.normal(size=(3000, 4)), columns=list("abcd")).assign(word=CHANCE.choice(["x", "y"], 3000))


def sketched(frame: pd.DataFrame) -> tuple[str, ...]:
    return sketch(salted(row_hashes(frame), SALT))


@pytest.mark.parametrize(
    ("other", "share"),
    [
        (FRAME.rename(columns={"a": "q", "word": "label"}), 1.0),
        (FRAME[["word", "d", "a", "c", "b"]], 1.0),
        (FRAME.sample(frac=1, random_state=2), 1.0),
        (FRAME.iloc[:600], 0.2),
        (FRAME.assign(a=FRAME.a + 1), 0.0),
    ],
    ids=["renamed", "reordered", "shuffled", "a fifth", "other values"],
)
def test_rows_are_known_again(other: pd.DataFrame, share: float) -> None:
    assert shared_fraction(sketched(FRAME), sketched(other)) == pytest.approx(share, abs=0.08)


def test_subsets_files_and_salts(tmp_path: Path) -> None:
    assert shared_fraction(sketched(FRAME.iloc[100:300]), sketched(FRAME)) == pytest.approx(1.0)
    FRAME.to_csv(tmp_path / "f.csv", index=False)
    assert sketched(pd.read_csv(tmp_path / "f.csv", dtype=str)) == sketched(FRAME)
    assert shared_fraction(sketch(salted(row_hashes(FRAME), "ff" * 16)), sketched(FRAME)) == 0.0


TRUTH = pd.Series(CHANCE.integers(0, 2, 2000))
SCORES = pd.DataFrame({"data": [f"d{i}" for i in range(50)], "a": CHANCE.random(50), "b": CHANCE.random(50)})


@pytest.mark.parametrize(
    ("mine", "theirs", "share"),
    [
        (truth_hashes(TRUTH), truth_hashes(TRUTH.copy()), 1.0),
        (truth_hashes(TRUTH), truth_hashes(pd.Series(CHANCE.integers(0, 2, 2000))), 0.0),
        (truth_hashes(TRUTH.sort_values()), truth_hashes(TRUTH.sort_values()[100:]), 0.0),
        (score_hashes(SCORES), score_hashes(SCORES.assign(c=CHANCE.random(50))), 1.0),
        (score_hashes(SCORES[["b", "data"]].iloc[::-1]), score_hashes(SCORES), 1.0),
        (score_hashes(SCORES.assign(a=CHANCE.random(50), b=CHANCE.random(50))), score_hashes(SCORES), 0.0),
    ],
)
def test_given_tables_are_recognised(mine: Any, theirs: Any, share: float) -> None:
    assert shared_fraction(sketch(salted(mine, SALT)), sketch(salted(theirs, SALT))) == share


def test_looks_at_the_same_rows_under_other_designs() -> None:
    rows = make_event("rows", "1", {"rows": "r1", "sketch": list(sketched(FRAME))}, ())
    looked = [
        make_event("looked", str(n), {"study": "s", "design": {"seed": seed}, "datasets": {"d": "r1"}}, ())
        for n, seed in enumerate((1, 2, 2, 3))
    ]
    found = earlier_looks([rows, *looked], {"mine": sketched(FRAME.iloc[:500])}, {"seed": 3})
    assert [(one.design, one.datasets) for one in found] == [({"seed": s}, (("mine", 1.0),)) for s in (1, 2)]
    assert earlier_looks([rows, *looked], {"mine": sketched(FRAME + FRAME)}, {"seed": 3}) == ()


def test_the_level_is_kept_over_any_number_of_looks() -> None:
    """Fifty looks where nothing differs: at .05 each something is found nearly always, with the level spent in .05."""
    chance = random.Random(7)
    plain = kept = divided = 0
    for _ in range(4000):
        values = [chance.random() for _ in range(50)]
        plain += any(p <= 0.05 for p in values)
        kept += any(p <= level_of_look(0.05, j) for j, p in enumerate(values, start=1))
        divided += any(p <= 0.05 / j for j, p in enumerate(values, start=1))  # the looks so far: a level given back
    assert plain / 4000 == pytest.approx(1 - 0.95**50, abs=0.02)
    assert kept / 4000 <= 0.05 + 3 * (0.05 * 0.95 / 4000) ** 0.5
    assert divided / 4000 == pytest.approx(0.20, abs=0.02)
    assert sum(level_of_look(0.05, j, declared=50) for j in range(1, 200)) == pytest.approx(0.05)
