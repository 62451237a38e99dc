"""Input that is meant to hurt: each is answered at once, with a sentence."""

from __future__ import annotations

import time

import pytest

from evalang.language.parser import parse
from evalang.language.text import SourceText

BIG = 100_000
HOSTILE = {
    "nested pairs": "learner x is svm(a = " + "[" * BIG + "]" * BIG + ")",
    "digits": "set seed " + "9" * 5000,
    "digits of a repeated scheme": "compare a vs b on d using 3x" + "9" * 5000 + "cv",
    "digits of a fraction": "compare a vs b on d using holdout 1/" + "9" * 5000,
    "digits after the point": "set alpha 0." + "9" * 5000,
    "exponent": "set alpha 1e999999999",
    "quote of a megabyte": 'dataset d from csv "' + "a" * 1_000_000,
    "backslashes": "dataset d from csv " + "\\" * 1_000_000,
    "hashes after a comma": "suite s is a, " + "#" * BIG + "\n3",
    "blanks after a comma": "suite s is a, " + " " * 1_000_000 + "3",
    "name with dots": "suite s is a" + ".a" * BIG + ".",
    "long unknown word": "compare a vs b on d " + "x" * 1_000_000,
    "percent signs": "compare a vs b on d tune on 20" + " %" * BIG,
    "lines at the margin": "compare a vs b on d\n" + "x\n" * BIG,
    "misspelt statements": "comparee a vs b\n" * 3000,
    "nul": "compare a\0 vs b on d",
    "bidi everywhere": "compare " + "a\u202e " * 3000,
    "combining marks": "compare a" + "\u0301" * BIG + " vs b on d using",
    "lone surrogate": "compare a\ud800 vs b on d",
    "not a value": "set alpha nan",
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
    assert time.perf_counter() - start < 20  # seconds on a busy machine; none is quadratic


def test_many_parameters_are_no_deeper_than_one() -> None:
    """A list is long, not deep: 20,000 members need no recursion."""
    items = ", ".join(["1"] * 20_000)
    script, findings = parse(SourceText("x", f"learner x is svm(a = [{items}]), tune b in {{{items}}}"))
    assert not findings
    assert len(script.statements) == 1


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
