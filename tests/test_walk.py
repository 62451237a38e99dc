"""The walk of docs/design/data-flow.md is the one a run takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .walk import Walk, walk

PAGE = Path(__file__).parents[1] / "docs" / "design" / "data-flow.md"
MOST_MODULES = 120  # on the walk; 202 before the spine was redrawn


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    return walk(tmp_path_factory.mktemp("walk"))


def test_the_list_is_what_is_called(heard: Walk) -> None:
    listed = re.findall(r"(?m)^(\d+)\. `([\w/.]+)` `(\w+)`", PAGE.read_text(encoding="utf-8"))
    assert [int(number) for number, *_ in listed] == list(range(1, len(listed) + 1))
    assert [f"{module} {function}" for _, module, function in listed] == heard.conducted


def test_one_parse_and_one_build(heard: Walk) -> None:
    assert heard.functions["syntax/parser.py:parse"] == 1
    assert heard.functions["plans/build.py:build"] == 1
    assert heard.functions["findings/engine.py:lint"] == 3


def test_a_rule_is_asked_at_its_own_stage_only(heard: Walk) -> None:
    assert heard.functions["findings/rules/script.py:unused"] == 1
    assert heard.functions["findings/rules/tuning.py:edge_of_grid"] == 1


def test_the_walk_does_not_get_longer(heard: Walk) -> None:
    assert len(heard.modules) <= MOST_MODULES, "a stranger has to follow it; join what belongs together"
