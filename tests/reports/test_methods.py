"""The methods paragraph, the references and the checklist."""

from __future__ import annotations

from dataclasses import replace
from dataclasses import replace as replace_run
from pathlib import Path

from evalang.catalogue.references import REFERENCES
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.plans.build import build
from evalang.plans.model import Calibration, Given, Grid, Learner, Part, Scheme, Step, Tuning
from evalang.reports.bibliography import bibtex, references
from evalang.reports.checklists import checklist
from evalang.reports.comparison import comparison_section
from evalang.reports.document import Paragraph, walk
from evalang.reports.methods import methods
from evalang.reports.sentences import words
from evalang.reports.view import views
from evalang.results.run_result import RunResult

from .judgements import many, pair


def paragraph(**changes: object) -> str:
    base = pair()
    design = replace(base.plan.comparisons[0], **changes)
    from dataclasses import replace as again

    return "\n".join(methods(again(base, plan=replace(base.plan, comparisons=(design,)))))


def test_it_says_how_data_splits_tests_corrections_and_seeds_were_chosen() -> None:
    text = "\n".join(methods(pair()))
    for said in (
        "heart (270 rows, 8 features, 2 classes)",
        "The reason that heart, diabetes and iris were chosen: the sets of the earlier study.",
        "The scheme was 10cv, stratified by class.",
        "The test on each dataset: corrected-t (the folds share training rows).",
        "The 6 tests on datasets were corrected by holm over datasets and metrics.",
        "The seed was 20.",
        "The level was 0.05.",
        "Computed with python 3.11.7, scikit-learn 1.9.1 and numpy 2.4.6.",
        "EV102 (well-worn-data) was allowed: the point is the method.",
    ):
        assert said in text, said


def test_only_rows_dealt_by_chance_are_stratified() -> None:
    for kind in ("leave-one-out", "forward", "given-folds", "given-test"):
        assert "stratified" not in paragraph(scheme=Scheme(kind=kind, text=kind)), kind
    assert "The scheme was 5x2cv, stratified by class." in paragraph(scheme=Scheme(kind="5x2cv", text="5x2cv"))


def test_the_reason_of_a_suite_is_given() -> None:
    assert "The reason that the datasets of ten were chosen: every set of the collection" in "\n".join(methods(many()))


def test_tuning_and_calibration_are_told_only_when_they_happened() -> None:
    assert "No hyper-parameter was tuned by this design." in paragraph()
    assert "candidates" not in paragraph()
    base = pair()
    grid = Grid("max_depth", 3, (2, 4, 8), "{2, 4, 8}")
    tuned = Learner("tree", (Step("decision-tree", "learner"),), grids=(grid,), candidates=3, calibrate="platt")
    design = replace(
        base.plan.comparisons[0],
        tuning=Given(Tuning("part", part=Part(fraction=0.2))),
        calibration=Calibration("part", part=Part(rows=500)),
    )
    from dataclasses import replace as again

    plan = replace(base.plan, learners=(tuned, *base.plan.learners[1:]), comparisons=(design,))
    text = "\n".join(methods(again(base, plan=plan)))
    assert (
        "tree is decision-tree, tuned over 3 candidates (max_depth in {2, 4, 8}), calibrated by Platt scaling." in text
    )
    assert "The candidates of tree were judged on 20% of each training part, for each metric" in text
    assert "the winner was trained again on the whole training part" in text
    assert "Calibration was fitted on 500 rows of each training part." in text
    kept = replace(design, calibration=Calibration("tuning"), metrics=design.metrics[:1])
    text = "\n".join(methods(again(base, plan=replace(plan, comparisons=(kept,)))))
    assert "judged on 20% of each training part, for accuracy, and the winner was not trained again" in text
    assert "Calibration was fitted on the tuning part." in text


TUNED = """set seed 4
learner tree is decision-tree, tune max_depth in {2, 4, 8}, min_samples_leaf in {1, 5}
learner near is scale | knn(n_neighbors = 7)
suite both is iris, monks-1 because "one easy, one hard"
compare tree vs near on both using 5x2cv, tune on 20%, by 5x2cv-t, holm over everything
simulate type-I of mcnemar, 5x2cv-t with n 300, error 10%, 40%, trials 1000, seed 9
"""


def test_every_choice_of_a_plan_is_told() -> None:
    """What the plan holds is looked up there, and must stand in the paragraph."""
    built = build(SourceText("s.eval", TUNED))
    assert [f.code for f in built.findings if f.level == "error"] == []
    plan = built.plan
    text = "\n".join(methods(RunResult(plan=plan, environment=(("numpy", "2.4.6"),))))
    tree, design, asked = plan.learner("tree"), plan.comparisons[0], plan.simulations[0]
    assert tree is not None
    assert design.seed is not None
    assert len(tree.grids) == 2
    for grid in tree.grids:
        assert f"{grid.parameter} in {grid.form}" in text
    assert f"tuned over {tree.candidates} candidates" in text
    assert "knn(n_neighbors = 7)" in text
    assert f"The data were {len(design.datasets)} datasets: " in text
    assert f"The reason that the datasets of both were chosen: {plan.suites[0].because}." in text
    assert "The candidates of tree were judged on 20% of each training part" in text
    assert f"The seed was {design.seed.value}." in text
    assert "Computed with numpy 2.4.6." in text
    said = dict(asked.settings)
    assert f"the type I error of {' and '.join(asked.subjects)} was simulated in 1,000 trials at each of: " in text
    assert "rows 300; error rates of 10% and 40%." in text
    assert (said["n"], said["error"], said["trials"], said["seed"]) == ((300,), (0.1, 0.4), (1000,), (9,))
    assert "The level was 0.05. The seed was 9. Both simulated learners have the same error rate" in text


def test_failures_and_sides_are_told() -> None:
    assert "A failed trial counted as the worst score." in paragraph(failures="worst")
    text = paragraph(expecting="tree", expecting_because="it nests the old one")
    assert "one-sided, expecting tree to be better: it nests the old one." in text


def test_what_was_used_is_cited_and_nothing_else() -> None:
    keys = {r.key for r in references(pair())}
    assert "dietterich1998" in keys  # the nine questions
    assert "nadeau2003" in keys  # corrected-t
    assert "holm1979" in keys
    assert "nemenyi1963" not in keys


def test_bibtex_is_balanced_and_has_every_field() -> None:
    text = bibtex(REFERENCES)
    assert text.count("{") == text.count("}")
    assert text.count("@") == len(REFERENCES)
    assert text.count("\n  year = {") == text.count("\n  author = {") == text.count("\n  title = {") == len(REFERENCES)
    assert "Benavoli, A. and Corani, G. and Mangili, F." in text


def test_the_scheme_is_told_with_its_own_numbers() -> None:
    base = pair()
    for scheme, said in (
        (Scheme("repeated-cv", partitions=10, folds=5, text="10x5cv"), "10 times 5cv, each on a new partition"),
        (Scheme("cv", folds=10, text="10cv"), "The rows are dealt into 10 folds"),
        (
            Scheme("partitions-5x2cv", partitions=50, folds=2, text="10 partitions of 5x2cv"),
            "10 times a 5x2cv of its own",
        ),
        (Scheme("resamples", partitions=30, part=Part(fraction=0.5), text="x"), "30 times 50% of the rows is drawn"),
    ):
        design = replace(base.plan.comparisons[0], scheme=scheme)
        told = " ".join(methods(replace_run(base, plan=replace(base.plan, comparisons=(design,)))))
        assert said in told


def test_a_window_that_slides_is_told() -> None:
    grows, slides = (paragraph(scheme=Scheme(kind="forward", folds=8, rows=rows)) for rows in (None, 90))
    assert "training on all before it." in grows
    assert "training on the last 90 rows before it." in slides
    assert "all before it" not in slides


def test_the_checklist_has_every_rule_once_with_its_outcome() -> None:
    table = checklist(pair())
    rows = [[c.text for c in row] for row in table.rows]
    assert [(r[0], r[2]) for r in rows] == [
        ("EV301", "warning"),
        ("EV102", "allowed"),
        ("EV101", "passed"),
        ("EV201", "passed"),
        ("EV106", "not applicable"),
    ]
    assert rows[1][3].endswith("Allowed because: the point is the method")
    assert rows[2][1] == "choice-unexplained"
    assert rows[4][3] == "no groups column is declared"


def test_all_columns_of_a_table_are_named(tmp_path: Path) -> None:
    """`compare all` names nobody in the script; the report names whom it found. All differences are equal here."""
    (tmp_path / "t.csv").write_text("data,a,b,c\n" + "".join(f"d{i},0.{i}1,0.{i}3,0.{i}2\n" for i in range(1, 9)))
    script = 'results t from csv "t.csv", datasets in "data", measuring accuracy because "made up"\n'
    script += "compare all on t by friedman, nemenyi as ranks\n"
    judgement = run_script(SourceText(str(tmp_path / "s.eval"), script), Request())
    assert "In ranks, a, b and c were compared." in "\n".join(methods(judgement))
    (view,) = views(judgement)
    asked = next(b for b in walk(comparison_section(view).blocks) if isinstance(b, Paragraph) and b.label == "Asked")
    assert "Of a, b and c, on d1, d2, d3, d4, d5, d6 and 2 others." in asked.text
    told = [words(v).text() for v in view.over_datasets if v.pair]
    assert len(told) == 3
    assert all("which covers all pairs that were compared" in text for text in told)
    assert not any("only test of its family" in text for text in told)
