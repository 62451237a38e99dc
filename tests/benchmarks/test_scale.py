"""Parsing, planning and linting of long scripts: against Lark's own parse, linear, and within a gigabyte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.benchmark
ROOT = Path(__file__).resolve().parents[2]
TEN = """dataset d{i} from csv "d{i}.csv", target "y", because "ours"
learner l{i} is scale | svm(kernel = "rbf"), tune C in 10^{{-3..3}}, gamma in {{0.001, 0.01}}
learner m{i} is random-forest(n_estimators = 100), tune max_features in {{1, 2, 4}}
suite s{i} is d{i} because "all"
compare l{i} vs m{i} on d{i} using 5x2cv, tune on 20%, measuring accuracy, roc-area, holm over metrics as a{i}
compare l{i} vs m{i} on s{i} using 10x10cv, tune on 20%, holm over everything as b{i}
compare l{i} vs m{i} vs decision-tree on d{i}, breast-cancer using 55 partitions of 10cv, control l{i} as c{i}
estimate l{i} on d{i} using 10cv, tune using 5cv as e{i}
claim l{i} better than m{i} on d{i}
claim l{i} no worse than m{i} within 1% on s{i} according to b{i}
"""
OURS = """
import resource, sys, time
from evalang.findings.engine import lint
from evalang.plans.build import build
from evalang.plans.description import fingerprint
from evalang.language.text import SourceText
text = open(sys.argv[1]).read()
lint(build(SourceText("warm.eval", text[:2000])))
begun = time.process_time()
built = build(SourceText("x.eval", text))
lint(built)
print(time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(built.findings))
"""
LARK = """
import sys, time
from evalang.language.grammar import grammar_text
import lark
parser = lark.Lark(grammar_text(), parser="lalr", propagate_positions=True)
text = open(sys.argv[1]).read()
begun = time.process_time()
parser.parse(text)
print(time.process_time() - begun)
"""


def measured(program: str, folder: Path, statements: int) -> list[float]:
    path = folder / f"{statements}.eval"
    if not path.exists():
        path.write_text("set seed 1\n" + "".join(TEN.format(i=i) for i in range(statements // 10)))
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, env=known, check=True
    )
    return [float(word) for word in found.stdout.split()]


def test_ten_thousand_statements_against_larks_own_parse(tmp_path: Path) -> None:
    pairs = [(measured(OURS, tmp_path, 10_000), measured(LARK, tmp_path, 10_000)) for _ in range(3)]
    ours, theirs = min(p[0][0] for p in pairs), min(p[1][0] for p in pairs)
    assert pairs[0][0][2] == 0
    print(f"\nparse, plan and lint {ours:.2f} s, Lark's parse {theirs:.2f} s, ratio {ours / theirs:.2f}")
    assert ours <= 3 * theirs


def test_a_hundred_thousand_statements_are_linear_and_fit_in_a_gigabyte(tmp_path: Path) -> None:
    small = min(measured(OURS, tmp_path, 10_000)[0] for _ in range(2))
    seconds, megabytes, findings = measured(OURS, tmp_path, 100_000)
    print(f"\n10,000: {small:.2f} s; 100,000: {seconds:.2f} s, {megabytes:.0f} MB")
    assert findings == 0
    assert seconds <= 15 * small
    assert megabytes < 1024
