"""`primary`: the metric that decides; the others describe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalang.reports import terminal
from evalang.reports.assemble import document
from evalang.reports.document import tables
from evalang.reports.headline import headline
from evalang.reports.view import views
from evalang.results import numbers
from evalang.results.run_result import RunResult
from evalang.verdicts.tests.partition_tests import five_by_two_t
from evalang.verdicts.tests.resampling_tests import bootstrap

from ..support.tables import run_on


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs here differs by far: ten thousand resamples take seconds and say the same."""
    monkeypatch.setitem(bootstrap.__kwdefaults__, "resamples", 500)


def found(folder: Path, primary: str) -> RunResult:
    """Predictions of a rare class: `hits` finds it, `plain` is right more often."""
    rng = np.random.default_rng(6)
    y = (rng.random(800) < 0.1).astype(int)
    hits = np.where(rng.random(800) < 0.85, y, 1 - y)
    plain = np.where(y == 1, rng.random(800) < 0.3, rng.random(800) < 0.01).astype(int)
    script = (
        'predictions p from csv "p.csv", truth "y", learners in "hits", "plain", positive 1\n'
        "compare this classifier hits vs plain on p measuring accuracy, recall, "
        f"{primary}holm over metrics, seed 1\nclaim this classifier hits better than plain on p\n"
    )
    return run_on(folder, script, p={"y": y, "hits": hits, "plain": plain})


@pytest.mark.parametrize(
    ("primary", "status", "metrics"),
    [
        ("primary recall, ", "supported", {"recall"}),
        ("primary accuracy, ", "contradicted", {"accuracy"}),
        ('allow EV513 because "both are asked for", ', "contradicted", {"accuracy", "recall"}),
    ],
)
def test_a_claim_without_a_metric_is_about_the_primary_one(
    tmp_path: Path, primary: str, status: str, metrics: set[str]
) -> None:
    result = found(tmp_path, primary)
    (claim,) = result.claims
    assert claim.status == status
    assert {v.metric for v in claim.verdicts} == metrics
    assert {v.metric for v in result.verdicts} == {"accuracy", "recall"}  # the others are tested all the same
    assert {v.family_size for v in result.verdicts} == {2}
    if "recall, " in primary:
        (view,) = views(result)
        assert headline(view).text.startswith("`hits` is better than `plain` on `p`: recall higher by")


def test_metrics_that_describe_have_scores_and_no_verdict(tmp_path: Path) -> None:
    script = (
        'dataset cancer from builtin "breast-cancer", positive "malignant" because "rows enough"\n'
        "compare decision-tree vs naive-bayes on cancer using 5x2cv, measuring roc-area, f-score, primary roc-area, "
        "seed 1\n"
    )
    result = run_on(tmp_path, script)
    (view,) = views(result)
    answer = headline(view).text
    assert answer.startswith("`naive-bayes` is better than `decision-tree` on `cancer`: roc-area higher by")
    assert "f-score" not in answer
    deciding, describing = (t for t in tables(document(result)) if t.key.startswith("pairs-"))
    assert [c.title for c in deciding.columns][-2:] == ["p", "verdict"]
    assert [c.title for c in describing.columns] == ["dataset", "naive-bayes", "decision-tree", "difference"]
    assert "f-score is reported without a test, because roc-area is the primary metric." in describing.notes
    t = five_by_two_t(*(view_scores(result, name) for name in ("naive-bayes", "decision-tree")))
    assert any(
        f"Dietterich's 5x2cv-t (not corrected, depends on the order of folds): {numbers.p_is(t.pvalue)}" in note
        for note in deciding.notes
    )
    whole = terminal.render(document(result), full=True)
    assert "no verdict" not in whole
    assert whole.startswith("decision-tree vs naive-bayes on cancer\n")


def view_scores(result: RunResult, name: str) -> list[list[float]]:
    rows = [r for r in result.scores.rows() if r.learner == name and r.metric == "roc-area"]
    return [[r.score for r in rows if r.partition == i] for i in range(5)]
