"""Sentences written from pictures are held against the verdicts: one on a pair that no headline names counts too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evalang.results.run_result import dumps

from .compare_sentences import main
from .judgements import many, pair


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("01 better: svm > majority", True),  # neither of them leads: the headline is silent on this pair
        ("01 better: majority > svm", False),
        ("01 open: svm ? tree", True),
        ("01 open: svm ? majority", False),
        ("01 better: forest > tree; open: forest ? svm", True),
        ("01 open: forest ? nobody", False),  # no verdict: a picture says nothing of it
        ("02 better: naive-bayes > tree", True),
        ("02 open: naive-bayes ? tree", False),  # settled on one of three datasets
    ],
)
def test_a_pair_is_held_against_its_verdict(line: str, right: bool, tmp_path: Path) -> None:
    (tmp_path / "01.json").write_text(dumps(many()))
    (tmp_path / "02.json").write_text(dumps(pair()))
    sentences = tmp_path / "sentences"
    sentences.write_text(f"# by hand\n{line}\n")
    assert main([str(sentences), str(tmp_path)]) == int(not right)


def test_the_metric_that_decides_is_asked(tmp_path: Path) -> None:
    """A win in another metric is no win."""
    base = pair()
    moved = tuple(replace(v, decision="not-settled") if v.metric == "accuracy" else v for v in base.verdicts)
    (tmp_path / "01.json").write_text(dumps(replace(base, verdicts=moved)))
    (tmp_path / "said").write_text("01 open: naive-bayes ? tree")
    assert main([str(tmp_path / "said"), str(tmp_path)]) == 0
