"""How fast lint is: rules against Lark's bare parse of the same text, and a short script against sqlfluff."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import pytest

from evalang.findings.engine import lint
from evalang.language.parser import parse
from evalang.language.text import SourceText
from evalang.plans.build import build
from tests.language.scripts import bare_parser

pytestmark = pytest.mark.benchmark
FIVE = """dataset d{i} from csv "data/credit.csv"(separator = ";"), target "class", positive "bad", because "own"
learner svm{i} is scale | svm(kernel = "rbf"), tune C in 10^{{-3..3}}, gamma in {{0.001, 0.01, 0.1}}, calibrate platt
learner tree{i} is decision-tree
compare svm{i} vs tree{i} on d{i} using 55 partitions of 10cv, by averaged-t, measuring accuracy, roc-area, seed 20
claim svm{i} better than tree{i} on d{i}
"""


def cpu(action: Callable[[], object], times: int = 3) -> float:
    """The least processor time of a few runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return min(found)


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
