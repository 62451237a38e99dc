"""From a key to the findings of a script of a thousand lines, against lint of the same text in this process."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import pytest

from evalang.findings.engine import lint
from evalang.language.text import SourceText
from evalang.plans.build import build
from tests.benchmarks.test_lint_speed import FIVE, script
from tests.support.talk import Talk, inserted

pytest.importorskip("pygls", reason="the language server needs pygls: pip install 'evalang[editor]'")
pytestmark = pytest.mark.benchmark
MOST = 1.5  # times lint; a key is read by the same steps, and its answer is sent


def test_a_key_costs_at_most_half_more_than_lint(tmp_path: Path) -> None:
    text = script(FIVE, 1000)
    assert text.count("\n") == 1000
    path = tmp_path / "long.eval"
    uri = path.as_uri()
    talk = Talk(tmp_path)
    try:
        talk.open(uri, text)
        talk.findings(uri, 1)
        ratios = []
        for version in range(2, 9):
            line = 120 * version - 199
            begin = time.perf_counter()
            talk.change(uri, version, inserted(line, 0, "# a key\n"))
            came, found = talk.findings(uri, version)
            key = came - begin
            lines = text.splitlines(keepends=True)
            text = "".join([*lines[:line], "# a key\n", *lines[line:]])
            begin = time.perf_counter()
            report = lint(build(SourceText(str(path), text)))
            ratios.append(key / (time.perf_counter() - begin))
            assert sorted(one["code"] for one in found) == sorted(one.code for one in report.findings)
        print(f"key to findings, times lint: {statistics.median(ratios):.2f} {[round(r, 2) for r in ratios]}")
        assert statistics.median(ratios) <= MOST
    finally:
        talk.close()
