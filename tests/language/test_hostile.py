"""Input that is meant to hurt: each is answered at once, with a sentence."""

from __future__ import annotations

import time

import pytest

from evalang.language.parser import MOST_MISTAKES, parse
from evalang.language.text import SourceText

BIG = 100_000
HOSTILE = {
    "nested pairs": "learner x is svm(a = " + "[" * BIG + "]" * BIG + ")",
    "digits": "set seed " + "9" * 5000,
    "quote of a megabyte": 'dataset d from csv "' + "a" * 1_000_000,
    "name with dots": "suite s is a" + ".a" * BIG + ".",
    "long unknown word": "compare a vs b on d " + "x" * 1_000_000,
    "misspelt statements": "comparee a vs b\n" * 3000,
    "combining marks": "compare a" + "\u0301" * BIG + " vs b on d using",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile(text: str) -> None:
    start = time.perf_counter()
    _, findings = parse(SourceText("x", text))
    assert findings
    for finding in findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert len(finding.message) < 600
        assert len(finding.help) < 600
        assert len(findings) <= MOST_MISTAKES + 1
    assert time.perf_counter() - start < 20  # seconds on a busy machine; none is quadratic


@pytest.mark.slow
def test_linear() -> None:
    """Ten times the statements take about ten times as long."""
    one = "compare a vs b on d1, d2 using 10x10cv, by corrected-t, measuring accuracy, holm over datasets, seed 1\n"

    def seconds(count: int) -> float:
        source = SourceText("x", one * count)
        start = time.process_time()
        script, _ = parse(source)
        assert len(script.statements) == count
        return time.process_time() - start

    seconds(100)
    assert seconds(20_000) < 20 * seconds(2_000)
