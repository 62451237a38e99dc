"""Every error of the builder in errors.txt: its code, the words it stands on, its message and its help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalang.plans.opened_data import OpenedDataset, with_opened_data
from tests.support.plans import TABLES, planned

BEFORE = f"""{TABLES}dataset d from csv "d.csv", target "y"
dataset visits from csv "visits.csv", target "y", as classification
results old from csv "old.csv", datasets in "d", measuring accuracy
"""
BLOCKS = (Path(__file__).with_name("errors.txt")).read_text(encoding="utf-8").split("\n\n")
CASES = [block.strip().partition("\n=> ")[::2] for block in BLOCKS if "\n=> " in block]


@pytest.mark.parametrize(("script", "expected"), CASES, ids=[script[:60] for script, _ in CASES])
def test_errors_with_their_place(script: str, expected: str) -> None:
    built = planned(BEFORE + script)
    lines = [re.fullmatch(r"(EV\d+) \[(.*?)\] (.*)", line) for line in expected.split("\n=> ")]
    assert len(built.findings) == len(lines)
    for found, line in zip(built.findings, lines, strict=True):
        assert line is not None
        at = " ".join(built.sources["test.eval"].cut(found.span).split())
        assert (found.code, at) == (line[1], line[2])
        assert line[3] == f"{found.message} -- help: {found.help}"
        assert found.help
        assert found.level == "error"


def test_an_allowance_without_a_reason_allows_nothing() -> None:
    built = planned(BEFORE + "compare t vs n on a using 10cv, allow EV501")
    assert built.plan.comparisons[0].allow == ()


def test_rows_that_the_data_tells_are_too_few_to_simulate() -> None:
    script = "compare knn vs svm on visits using 10cv, seed 1 as c\nsimulate power of c with difference 5%, seed 1"
    built = planned(BEFORE + script)
    assert built.findings == ()
    (found,) = with_opened_data(built, {"visits": OpenedDataset(task="classification", rows=15)}).findings
    assert "15 rows are too few" in found.message
