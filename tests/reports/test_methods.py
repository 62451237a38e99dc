"""The methods paragraph, the references and the checklist."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalang.catalogue.references import REFERENCES
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans.build import build
from evalang.plans.model import Calibration, Given, Grid, Learner, Part, Scheme, Step, Tuning
from evalang.reports.bibliography import bibtex, references
from evalang.reports.comparison import comparison_section
from evalang.reports.document import Paragraph, walk
from evalang.reports.methods import methods
from evalang.reports.sentences import words
from evalang.reports.view import views
from evalang.results.run_result import RunResult

from ..support.results import pair


def paragraph(learners: tuple[Learner, ...] = (), **changes: Any) -> str:
    """The methods of the pair with a changed design."""
    base = pair()
    design = replace(base.plan.comparisons[0], **changes)
    plan = replace(base.plan, comparisons=(design,), learners=learners or base.plan.learners)
    return "\n".join(methods(replace(base, plan=plan)))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scheme": Scheme(kind="5x2cv", text="5x2cv")}, "The scheme was 5x2cv, stratified by class."),
        (
            {"scheme": Scheme("repeated-cv", partitions=10, folds=5)},
            "5cv is repeated 10 times, each time on a new random split",
        ),
        ({"scheme": Scheme("cv", folds=10)}, "The rows are split at random into 10 folds"),
        (
            {"scheme": Scheme("partitions-5x2cv", partitions=50, folds=2)},
            "5x2cv is repeated 10 times on new random splits",
        ),
        (
            {"scheme": Scheme("resamples", partitions=30, part=Part(fraction=0.5))},
            "The rows are split at random 30 times, with 50% of the rows for training and all other rows for testing.",
        ),
        ({"scheme": Scheme(kind="forward", folds=8)}, "training on all blocks before it."),
        ({"scheme": Scheme(kind="forward", folds=8, rows=90)}, "training on the last 90 rows before it."),
        ({"failures": "worst"}, "A failed fit counted as the worst score."),
        (
            {"expecting": "tree", "expecting_because": "it nests the old one"},
            "one-sided, because `tree` was expected to be better: it nests the old one.",
        ),
    ],
)
def test_a_design_is_told_with_its_own_numbers(changes: dict[str, Any], said: str) -> None:
    assert said in paragraph(**changes)


@pytest.mark.parametrize("kind", ["leave-one-out", "forward", "given-folds", "given-test"])
def test_only_rows_dealt_by_chance_are_stratified(kind: str) -> None:
    assert "stratified" not in paragraph(scheme=Scheme(kind=kind, text=kind))


def test_tuning_and_calibration_are_told_when_they_happened() -> None:
    grid = Grid("max_depth", 3, (2, 4, 8), "{2, 4, 8}")
    tuned = Learner("tree", (Step("decision-tree", "learner"),), grids=(grid,), candidates=3, calibrate="platt")
    learners = (tuned, *pair().plan.learners[1:])
    on_part = Given(Tuning("part", part=Part(fraction=0.2)))
    text = paragraph(learners, tuning=on_part, calibration=Calibration("part", part=Part(rows=500)))
    for said in (
        "`tree` is `decision-tree`, tuned over 3 settings (`max_depth in {2, 4, 8}`), calibrated by Platt scaling.",
        "The settings of `tree` were evaluated on 20% of each training part, separately for each metric",
        "The best setting was refitted on the whole training part",
        "Calibration was fitted on 500 rows of each training part.",
    ):
        assert said in text, said
    one_metric = pair().plan.comparisons[0].metrics[:1]
    text = paragraph(learners, tuning=on_part, calibration=Calibration("tuning"), metrics=one_metric)
    assert "evaluated on 20% of each training part, by accuracy. The best setting was not refitted" in text
    assert "Calibration was fitted on the tuning part." in text


SCRIPT = """set seed 4
learner tree is decision-tree, tune max_depth in {2, 4, 8}, min_samples_leaf in {1, 5}
learner near is scale | knn(n_neighbors = 7)
suite both is iris, monks-1 because "one easy, one hard"
compare tree vs near on both using 5x2cv, tune on 20%, by 5x2cv-t, holm over everything
simulate type-I of mcnemar, 5x2cv-t with n 300, error 10%, 40%, trials 1000, seed 9
"""


def test_every_choice_of_a_plan_is_told() -> None:
    built = build(SourceText("s.eval", SCRIPT))
    assert [f.code for f in built.findings if f.level == "error"] == []
    text = "\n".join(methods(RunResult(plan=built.plan, environment=(("numpy", "2.4.6"),))))
    for said in (
        "`max_depth in {2, 4, 8}` and `min_samples_leaf in {1, 5}`",
        "tuned over 6 settings",
        "knn(n_neighbors = 7)",
        "The datasets were `iris` (150 rows, 3 classes) and `monks-1` (432 rows, 2 classes).",
        "The datasets of `both` were chosen for this reason: one easy, one hard.",
        "The settings of `tree` were evaluated on 20% of each training part",
        "The seed was 4.",
        "Computed with numpy 2.4.6.",
        "the type I error of `mcnemar` and `5x2cv-t` was simulated in 1,000 trials at each of: ",
        "rows 300; error rates of 10% and 40%.",
        "The significance level was 0.05. The seed was 9. Both simulated learners have the same error rate",
    ):
        assert said in text, said


def test_what_was_used_is_cited_and_nothing_else() -> None:
    keys = {r.key for r in references(pair())}
    assert {"dietterich1998", "nadeau2003", "holm1979"} <= keys  # the nine questions, corrected-t, holm
    assert "nemenyi1963" not in keys


def test_bibtex_is_balanced_and_has_every_field() -> None:
    text = bibtex(REFERENCES)
    assert text.count("{") == text.count("}")
    assert text.count("@") == len(REFERENCES)
    assert text.count("\n  year = {") == text.count("\n  author = {") == text.count("\n  title = {") == len(REFERENCES)
    assert "Benavoli, A. and Corani, G. and Mangili, F." in text


def test_all_columns_of_a_table_are_named(tmp_path: Path) -> None:
    """`compare all` names no learner in the script; the report names those it found. All differences are equal here."""
    (tmp_path / "t.csv").write_text("data,a,b,c\n" + "".join(f"d{i},0.{i}1,0.{i}3,0.{i}2\n" for i in range(1, 9)))
    script = 'results t from csv "t.csv", datasets in "data", measuring accuracy because "made up"\n'
    script += "compare all on t by friedman, nemenyi as ranks\n"
    found = run_script(SourceText(str(tmp_path / "s.eval"), script), Request())
    assert "In the comparison `ranks`, `a`, `b` and `c` were compared." in "\n".join(methods(found))
    (view,) = views(found)
    asked = next(b for b in walk(comparison_section(view).blocks) if isinstance(b, Paragraph) and b.label == "Question")
    assert "Learners: `a`, `b` and `c`. Data: `d1`, `d2`, `d3`, `d4`, `d5`, `d6` and 2 others." in asked.text
    told = [words(v).text() for v in view.over_datasets if v.pair]
    assert len(told) == 3
    assert all("corrects p for all pairs" in text for text in told)
    assert not any("only test of its family" in text for text in told)
