"""Workflow commands: one line per finding, and no way out of it."""

from __future__ import annotations

import pytest

from evalang.findings.render_json import github

from .hostile import NAMES, script
from .scripts import linted


def test_a_command() -> None:
    report = linted(
        'dataset d from csv "d.csv", target "y" because "r"\ncompare decision-tree vs naive-bayes on d using 5x2cv\n'
    )
    lines = github([report]).splitlines()
    (seed,) = [line for line in lines if "EV310" in line]
    assert seed.startswith("::warning file=script.eval,line=2,endLine=2,col=49,endColumn=54,title=EV310 no-seed::")
    assert {line.split(" ")[0] for line in lines} == {"::warning", "::notice"}


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_stay_in_their_line(name: str) -> None:
    report = linted(script(name))
    lines = github([report]).split("\n")
    assert len(lines) == len(report.findings) + 1
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines[:-1])
