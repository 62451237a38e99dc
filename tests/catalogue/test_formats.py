"""One table of formats, and everything that has to know them agrees with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalang.catalogue.formats import FORMATS, format_by_ending
from evalang.language import nodes
from evalang.plans.model import Output
from evalang.reports.write import RENDERERS, contents, format_of
from tests.support.results import pair

GRAMMAR = Path(__file__).parents[2] / "grammar" / "evalang.lark"
WORDS = tuple(one.name for one in FORMATS if one.asked == "word")


def test_the_language_has_a_word_for_each() -> None:
    for record in (Output, nodes.ReportStatement):
        assert tuple(re.findall(r"['\"](\w+)['\"]", record.__annotations__["format"])) == WORDS
    (rule,) = re.findall(r"(?m)^as_format: \S+ \((.*)\)", GRAMMAR.read_text(encoding="utf-8"))
    assert tuple(word.strip(' "').lower() for word in rule.split("|")) == WORDS


def test_every_format_has_a_renderer_that_makes_its_file() -> None:
    assert set(RENDERERS) == {one.name for one in FORMATS}
    for one in FORMATS:
        made = contents(pair(), one)
        assert one.file in made if one.file else made  # a format without a file is a folder of several


@pytest.mark.parametrize("one", [one for one in FORMATS if one.file], ids=lambda one: one.name)
def test_a_file_of_a_format_ends_like_it(one) -> None:  # type: ignore[no-untyped-def]
    assert format_of(one.file) is format_of("anything", one.name) is one
    assert all(format_by_ending(ending.upper()) is one for ending in one.endings)
