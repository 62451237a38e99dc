"""How fast: start-up against `import lark, click`, and 10,000 statements against Lark's bare parse of the same text."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalang.language.parser import parse
from evalang.language.text import SourceText

from .larks import contextual

# Without bytecode on disk every start compiles, which is not what a user has.
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
pytestmark = pytest.mark.benchmark
FIVE = """dataset d{i} from csv "data/credit.csv"(separator = ";"), target "class", positive "bad", because "own"
learner svm{i} is scale | svm(kernel = "rbf"), tune C in 10^{{-3..3}}, gamma in {{0.001, 0.01, 0.1}}, calibrate platt
learner tree{i} is decision-tree
compare svm{i} vs tree{i} on d{i} using 55 partitions of 10cv, by averaged-t, measuring accuracy, roc-area, seed 20
claim svm{i} better than tree{i} on d{i}
"""


def cpu(*codes: str, times: int = 15) -> list[float]:
    """The median processor time of a fresh interpreter for each, in turns: no machine is equally busy all the time."""
    found: list[list[float]] = [[] for _ in codes]
    for _ in range(times):
        for code, taken in zip(codes, found, strict=True):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", code], check=True, env=COMPILED)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return [statistics.median(taken) for taken in found]


def test_start_up() -> None:
    script = Path(__file__).parent.parent / "scripts" / "good" / "comparisons.eval"
    code = (
        "from evalang.language.decode import read_script; from evalang.language.parser import parse\n"
        f"assert not parse(read_script({str(script)!r}))[1]"
    )
    cpu(code, times=1)
    ours, theirs = cpu(code, "import lark, click")
    print(f"read a script / import lark, click: {ours / theirs:.2f}")
    assert ours < 1.4 * theirs


def test_ten_thousand_statements() -> None:
    text = "".join(FIVE.format(i=i) for i in range(2000))
    lark = contextual("start")
    lark.parse(FIVE.format(i=0))
    parse(SourceText("x", FIVE.format(i=0)))
    start = time.process_time()
    script, findings = parse(SourceText("x", text))
    ours = time.process_time() - start
    assert len(script.statements) == 10_000
    assert not findings
    start = time.process_time()
    lark.parse(text)
    theirs = time.process_time() - start
    print(f"tree of 10,000 statements / Lark's bare parse: {ours / theirs:.2f}")
    assert ours < 1.6 * theirs


def test_memory_of_a_hundred_thousand() -> None:
    code = (
        "import resource\n"
        "from evalang.language.text import SourceText; from evalang.language.parser import parse\n"
        f"five = {FIVE!r}\n"
        "script, _ = parse(SourceText('x', ''.join(five.format(i=i) for i in range(20_000))))\n"
        "assert len(script.statements) == 100_000\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    megabytes = int(out) / 1024
    print(f"100,000 statements: {megabytes:.0f} MB")
    assert megabytes < 700
