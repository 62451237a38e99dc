"""A metric that only chooses, settings or a threshold, is held to the data as one that is measured."""

from __future__ import annotations

import pytest

from .scripts import codes, linted

TUMOURS = 'dataset tumours from builtin "breast-cancer"{} because "r"\n'
TREE = "learner tree is decision-tree, tune max_depth in {2, 4}\n"
ASKED = "compare {} vs naive-bayes on tumours using 5x2cv, measuring accuracy, {}, seed 20\n"


@pytest.mark.parametrize(
    "clause",
    [
        "tune on 20%, threshold on tuning for f-score",
        "tune on 20% for balanced-accuracy, threshold on 20% for f-score",
        "tune on 20% for f-score",
        "tune using 3cv for lift",
    ],
)
def test_it_needs_the_positive_class(clause: str) -> None:
    text = TREE + ASKED.format("tree", clause)
    (found,) = [f for f in linted(TUMOURS.format("") + text).findings if f.code == "EV606"]
    script = TUMOURS.format("") + text
    assert script[found.span.start : found.span.end] in ("f-score", "lift")
    assert "EV606" not in codes(linted(TUMOURS.format(', positive "malignant"') + text))


def test_it_judges_what_the_target_holds() -> None:
    found = codes(linted(TUMOURS.format("") + TREE + ASKED.format("tree", "tune on 20% for rmse")))
    assert "EV606" in found
