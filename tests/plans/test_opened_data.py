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
        "estimate mean on a using holdout 1/3",
        "compare linear-regression vs mean on a using 10cv\n"
        "claim linear-regression better than mean on a, measuring rmse",
    ],
)
def test_the_task_comes_out_the_same_from_the_script_or_the_data(text: str) -> None:
    """With `as regression` the plan knows at once what the data say otherwise."""
    written, opened = _built(text, " as regression").plan, with_opened_data(_built(text), _NUMBERS).plan
    for before, after in zip(written.comparisons, opened.comparisons, strict=True):
        assert replace(after, fits=before.fits, span=before.span) == replace(before, span=before.span)
    assert [f.size for f in opened.families] == [f.size for f in written.families]
    assert [c.evidence for c in opened.claims] == [c.evidence for c in written.claims]


@pytest.mark.parametrize(
    ("rows", "learner", "scheme"),
    [
        (400_000, "knn", "10x2cv"),
        (600_000, "knn", "5x2cv"),
        (20_000, "tuned", "5x2cv"),
        (2_000_000, "tuned", "holdout 1/3"),
    ],
)
def test_the_rows_choose_the_scheme_where_the_script_names_none(rows: int, learner: str, scheme: str) -> None:
    """The plan is then the one of the script that names it: question, tests, families and number of fits."""
    text = "learner tuned is knn, tune n_neighbors in 1..60\ncompare {} vs mean on a{}, tune on 20%, seed 1\n"
    known = {"a": OpenedDataset(task="classification", rows=rows, classes=2)}
    (planned,) = _built(text.format(learner, "")).plan.comparisons
    assert planned.scheme is not None
    assert (planned.scheme.text, planned.scheme.origin) == ("10x2cv", "default")
    chosen = with_opened_data(_built(text.format(learner, "")), known).plan
    written = with_opened_data(_built(text.format(learner, f" using {scheme}")), known).plan
    assert (chosen.comparisons, chosen.families) == (written.comparisons, written.families)
    (found,) = chosen.comparisons
    assert found.scheme is not None
    assert (found.scheme.text, found.scheme.origin) == (scheme, "default")
    assert (f"{rows:,} rows" in found.scheme.reason) == (scheme != "10x2cv")


def test_a_rope_in_points_has_no_meaning_once_the_target_is_a_number() -> None:
    text = "compare linear-regression vs mean on a using 10cv, rope 2 points"
    assert not _built(text).findings
    found = with_opened_data(_built(text), _NUMBERS)
    (finding,) = found.findings
    (written,) = _built(text, " as regression").findings
    assert (finding.code, finding.message, finding.help) == (written.code, written.message, written.help)
    assert found.sources[finding.span.path].text[finding.span.start : finding.span.end] == "rope 2 points"
    assert found.plan.comparisons[0].rope is None


def test_nothing_changes_where_the_data_say_nothing_new() -> None:
    built = _built("compare decision-tree vs naive-bayes on a using 10cv, rope 1%")
    assert with_opened_data(built, {}) == built
