"""One training taken for the learner: the quoted range is the measured one, and every way out that is offered works."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

from evalang.findings.fix import apply
from evalang.findings.rules.tests import ONE_TRAINING_ERROR
from evalang.language.text import SourceText
from tests.simulations.levels.one_training import mid_p
from tests.simulations.levels.outcome import OUTCOME

from .scripts import PATH, codes, linted

DATA = 'dataset waves from builtin "waveform" because "r"\n'
HELD = "compare decision-tree vs naive-bayes on waves using holdout 1/3, seed 1\n"


def test_the_quoted_rate_is_the_highest_of_the_study() -> None:
    rates: list[float] = []
    with (OUTCOME / "one-training.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            rates.append(float(row["rate"]))
            assert float(row["rate"]) == pytest.approx(int(row["rejections"]) / int(row["runs"]), abs=5e-4)
    assert max(rates) == ONE_TRAINING_ERROR


def test_mid_p_of_the_study_by_hand() -> None:
    first, second = np.array([1, 1, 1, 0, 1], dtype=bool), np.array([0, 0, 0, 1, 1], dtype=bool)
    assert mid_p(first, second) == pytest.approx(2 * (1 / 16) + 4 / 16)  # 2 P(X < 1) + P(X = 1), X of 4 at one half
    assert mid_p(first, first) == 1.0


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("EV404", HELD),
        ("EV404", HELD.replace(", seed", ", by tost, rope 2%, seed")),
        ("EV404", HELD.replace(" using", "\n  using").replace("holdout 1/3", "holdout 1/3, measuring roc-area")),
        ("EV311", HELD.replace("decision-tree", "random-forest")),
        ("EV707", HELD + "claim decision-tree better than naive-bayes on waves\n"),
        (
            "EV707",
            HELD.replace("decision-tree", "bagged-trees") + "claim  naive-bayes better than bagged-trees on waves\n",
        ),
    ],
)
def test_asking_about_the_trained_classifiers_leaves_nothing_to_say(code: str, text: str) -> None:
    report = linted(DATA + text)
    found = [f for f in report.findings if f.code == code]
    assert len(found) == 1
    assert found[0].fix is not None
    assert not found[0].fix.safe  # it changes what is asked
    chosen = replace(found[0], fix=replace(found[0].fix, safe=True))
    assert codes(linted(apply(SourceText(PATH, DATA + text), [chosen]))) == []


def test_where_it_would_not_help_nothing_is_offered() -> None:
    again = (
        DATA
        + 'learner wild is decision-tree(splitter = "random"), train 3 times\n'
        + HELD.replace("decision-tree", "wild")
    )
    (found,) = [
        f for f in linted(again + "claim wild better than naive-bayes on waves\n").findings if f.code == "EV707"
    ]
    assert found.fix is None  # claim this classifier would be EV704: which of the three?
