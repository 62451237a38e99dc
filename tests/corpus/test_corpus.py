"""Designs from evaluation sections get the findings that a reviewer should name, and no others of weight."""

from __future__ import annotations

import pytest

from evalang.findings.rules import find_rule

from ..findings.scripts import linted
from .designs import Design, designs

DESIGNS = designs()


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_design(design: Design) -> None:
    findings = linted(design.text).findings
    assert {f.code for f in findings if f.level != "note"} <= design.expected
    assert design.expected <= {f.code for f in findings}  # some are notes by default and errors in strict


def test_there_are_enough_and_each_is_argued() -> None:
    assert sum(bool(design.source) for design in DESIGNS) >= 60
    assert all(find_rule(code) is not None for design in DESIGNS for code in design.expected)
    assert sum(not design.expected for design in DESIGNS) >= 20  # sound designs, on which nothing is to be said
