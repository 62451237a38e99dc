"""What opened data adds to a plan, against the same script that says it beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evalang.language.text import SourceText
from evalang.plans.build import Built, build
from evalang.plans.opened_data import OpenedDataset, with_opened_data

_NUMBERS = {name: OpenedDataset(task="regression", rows=120) for name in ("a", "b", "c", "d", "e", "f", "g")}


def _built(text: str, task: str = "") -> Built:
    data = "".join(f'dataset {name} from csv "{name}.csv", target "y"{task}\n' for name in _NUMBERS)
    return build(SourceText("script.eval", data + text))


@pytest.mark.parametrize(
    "text",
    [
        "compare linear-regression vs mean on a using 10x10cv",
        "compare linear-regression vs mean on a, b, c, d, e, f, g using 5x2cv, holm over datasets",
        "compare linear-regression vs mean vs knn on a using holdout 1/3",
        "compare linear-regression vs mean on a using 10cv, by corrected-t, rope 2",
        "compare linear-regression vs mean on a using 10cv, measuring mae",
        "estimate mean on a using holdout 1/3",
        "compare linear-regression vs mean on a using 10cv\n"
        "claim linear-regression better than mean on a, measuring rmse",
    ],
)
def test_the_task_comes_out_the_same_whoever_says_it(text: str) -> None:
    """With `as regression` the plan knows at once what the data say otherwise."""
    said, opened = _built(text, " as regression").plan, with_opened_data(_built(text), _NUMBERS).plan
    for before, after in zip(said.comparisons, opened.comparisons, strict=True):
        assert replace(after, fits=before.fits, span=before.span) == replace(before, span=before.span)
    assert [f.size for f in opened.families] == [f.size for f in said.families]
    assert [c.evidence for c in opened.claims] == [c.evidence for c in said.claims]


def test_a_rope_in_points_has_no_meaning_once_the_target_is_a_number() -> None:
    text = "compare linear-regression vs mean on a using 10cv, rope 2 points"
    assert not _built(text).findings
    found = with_opened_data(_built(text), _NUMBERS)
    (told,) = found.findings
    (said,) = _built(text, " as regression").findings
    assert (told.code, told.message, told.help) == (said.code, said.message, said.help)
    assert found.sources[told.span.path].text[told.span.start : told.span.end] == "2 points"
    assert found.plan.comparisons[0].rope is None


def test_nothing_changes_where_the_data_say_nothing_new() -> None:
    built = _built("compare decision-tree vs naive-bayes on a using 10cv, rope 1%")
    assert with_opened_data(built, {}) == built
