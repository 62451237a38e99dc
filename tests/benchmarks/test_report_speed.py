"""The report of 10 learners, 20 datasets and 9 metrics: small, and not much dearer than its pictures."""

from __future__ import annotations

import time

import pytest

from evalang.reports import html
from evalang.reports.assemble import document
from evalang.reports.document import figures
from evalang.reports.figures.picture import svg_inline

from ..support.results import large


@pytest.mark.benchmark
def test_a_large_report_is_quick_and_small() -> None:
    judgement = large(10, 20, 9)
    svg_inline(figures(document(judgement))[0])  # matplotlib is imported before the clock runs
    begun = time.process_time()
    text = html.render(document(judgement))
    whole = time.process_time() - begun
    assert len(text.encode()) < 3_000_000
    assert whole < 5
    begun = time.process_time()
    html.render(document(judgement), pictures=False)
    assert time.process_time() - begun < whole
