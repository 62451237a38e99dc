"""How fast lint is: rules against Lark's bare parse of the same text, and a short script against sqlfluff."""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evalang.findings.engine import lint
from evalang.language.parser import parse
from evalang.language.text import SourceText
from evalang.plans.build import build
from tests.language.scripts import bare_parser

pytestmark = pytest.mark.benchmark
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
FIVE = """dataset d{i} from csv "data/credit.csv"(separator = ";"), target "class", positive "bad", because "own"
learner svm{i} is scale | svm(kernel = "rbf"), tune C in 10^{{-3..3}}, gamma in {{0.001, 0.01, 0.1}}, calibrate platt
learner tree{i} is decision-tree
compare svm{i} vs tree{i} on d{i} using 55 partitions of 10cv, by averaged-t, measuring accuracy, roc-area, seed 20
claim svm{i} better than tree{i} on d{i}
"""
SHARED = "compare decision-tree vs naive-bayes on breast-cancer, digits using 10cv, by kfold-t as c{i}\n"
SQL = "SELECT a.id, b.name, COUNT(*) AS n\nFROM a\nINNER JOIN b ON a.id = b.id\nGROUP BY a.id, b.name\nORDER BY n;\n"


def cpu(action: Callable[[], object], times: int = 3) -> float:
    """The least processor time of a few runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return min(found)


def child(*commands: list[str], times: int = 9) -> list[float]:
    """The median processor time of a fresh process for each, in turns; what it returns does not matter."""
    found: list[list[float]] = [[] for _ in commands]
    for _ in range(times):
        for command, taken in zip(commands, found, strict=True):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *command], check=False, env=COMPILED, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return [statistics.median(taken) for taken in found]


def script(pattern: str, statements: int) -> str:
    """A script of so many statements."""
    each = pattern.count("\n")
    return "".join(pattern.format(i=i) for i in range(statements // each))


def test_rules_against_larks_parse() -> None:
    text = script(FIVE, 10_000)
    parser = bare_parser("start")
    floor = cpu(lambda: parser.parse(text), 2)
    built = build(SourceText("x", text))
    ours = cpu(lambda: lint(built))
    print(f"all design rules on 10,000 statements: {ours:.2f} s, {ours / floor:.2f} times Lark's parse ({floor:.2f} s)")
    assert ours <= 0.8 * floor


@pytest.mark.parametrize("pattern", [FIVE, SHARED])
def test_rules_are_linear_in_statements(pattern: str) -> None:
    few, many = (build(SourceText("x", script(pattern, n))) for n in (2_000, 20_000))
    gc.collect()
    gc.disable()  # its passes over everything that is alive grow faster than the work
    small, large = cpu(lambda: lint(few)), cpu(lambda: lint(many))
    gc.enable()
    print(f"2,000 statements {small:.3f} s, 20,000 {large:.3f} s: {large / small:.1f} times")
    assert large < 14 * small  # ten times as many statements


def test_a_thousand_scripts_against_larks_parse() -> None:
    """A script and its bare parse in turns, a thousand times: both meet the same noise."""
    text = script(FIVE, 20)
    parser = bare_parser("start")
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(1_000):
        start = time.process_time()
        parser.parse(text)
        between = time.process_time()
        parse(SourceText(f"{number}.eval", text))
        taken[0].append(between - start)
        taken[1].append(time.process_time() - between)
    floor, ours = map(statistics.median, taken)
    print(f"nodes of 20 lines: {1000 * ours:.2f} ms, {ours / floor:.2f} times Lark's parse ({1000 * floor:.2f} ms)")
    assert ours <= 2.5 * floor


def test_five_lines_against_importing_lark_and_click(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_text(script(FIVE, 5), encoding="utf-8")
    lint = ["-m", "evalang", "lint", str(tmp_path / "a.eval")]
    child(lint, times=1)  # saves the parser
    ours, floor = child(lint, ["-c", "import lark, click"])
    print(f"lint of five lines: {ours:.3f} s; import lark, click {floor:.3f} s: {ours / floor:.2f}")
    assert ours <= 4 * floor


def test_a_short_script_against_sqlfluff(tmp_path: Path) -> None:
    pytest.importorskip("sqlfluff")
    (tmp_path / "a.eval").write_text(script(FIVE, 20), encoding="utf-8")
    (tmp_path / "a.sql").write_text(SQL * 4, encoding="utf-8")
    lint = ["-m", "evalang", "lint", str(tmp_path / "a.eval")]
    ours, theirs = child(lint, ["-m", "sqlfluff", "lint", "--dialect", "ansi", str(tmp_path / "a.sql")])
    print(f"lint of 20 lines: {ours:.3f} s; sqlfluff {theirs:.3f} s")
    assert ours <= theirs
