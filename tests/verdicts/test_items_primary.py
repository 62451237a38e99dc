"""`primary`: the metric that decides; the others describe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.reports.headline import headline
from evalang.reports.view import views
from evalang.results.run_result import RunResult
from evalang.verdicts.tests.resampling_tests import bootstrap


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
    pd.DataFrame({"y": y, "hits": hits, "plain": plain}).to_csv(folder / "p.csv", index=False)
    script = (
        'predictions p from csv "p.csv", truth "y", learners in "hits", "plain", positive 1\n'
        "compare this classifier hits vs plain on p measuring accuracy, recall, "
        f"{primary}holm over metrics, seed 1\nclaim this classifier hits better than plain on p\n"
    )
    return run_script(SourceText(str(folder / "s.eval"), script), Request())


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


def test_the_headline_is_about_the_primary_metric(tmp_path: Path) -> None:
    (view,) = views(found(tmp_path, "primary recall, "))
    assert headline(view).text.startswith("hits is better than plain on p: recall higher by")
