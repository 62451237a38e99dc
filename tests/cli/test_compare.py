"""`evalang compare`: from logs to a verdict in one command, and the script it prints gives the same verdict."""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evalang.results.records import Interval, TestResult, Verdict
from evalang.verdicts.decide import smallest_difference
from tests.data.readers.made import inspect_log, lm_eval_run, write_eval

from .calling import Called

Call = Callable[..., Called]

A = {i: "C" if i % 2 else "I" for i in range(40)}
B = {i: "I" if i % 10 == 0 else "C" for i in range(40)}


def script_of(out: str) -> str:
    return out.partition("to be kept as ")[2].partition(":\n\n")[2]


def p_values(out: str) -> list[str]:
    """Every p and every difference with its interval that a report names."""
    found = re.findall(r"p\s(?:=|<)\s[\d.]+|[+-]?\d\.\d+\sto\s[+-]?\d\.\d+", out)
    assert found, out
    return found


def test_two_logs_of_inspect(call: Call, folder: Path) -> None:
    write_eval(folder / "logs" / "a.eval", inspect_log("lab/a", A))
    write_eval(folder / "logs" / "b.eval", inspect_log("lab/b", B))
    done = call("compare", "logs/a.eval", "logs/b.eval")
    assert done.code == 0, done.err
    assert "question   3 of 9" in done.out
    assert "lab/b better" in done.out
    assert "would be found 4 times in 5" in done.out
    text = script_of(done.out)
    assert 'results logs from inspect "{a.eval,b.eval}"' in text
    (folder / "logs" / "kept.evalang").write_text(text)
    again = call("run", "logs/kept.evalang")
    assert p_values(again.out) == p_values(done.out)


def test_two_logs_of_one_model_and_a_limit_that_differs(call: Call, folder: Path) -> None:
    write_eval(folder / "plain.eval", inspect_log("lab/a", A))
    write_eval(folder / "long.eval", inspect_log("lab/a", dict(list(B.items())[:30])))
    done = call("compare", "plain.eval", "long.eval")
    assert done.code == 0, done.err
    assert '(named = "file")' in done.out
    assert "complete cases" in script_of(done.out)
    told = " ".join(done.out.split())
    assert told.count("limit of sums: '40' in plain.eval, '30' in long.eval") == 1
    assert "EV217" in told
    (folder / "kept.evalang").write_text(script_of(done.out))
    assert "EV217" in call("lint", "--data", "kept.evalang").out
    assert "EV217" in call("run", "kept.evalang", "--out", "kept").err
    assert "EV217" in call("report", "kept").out


def test_two_runs_of_lm_eval(call: Call, folder: Path) -> None:
    lm_eval_run(folder / "out" / "a", "lab/a", [float(i % 2) for i in range(40)])
    lm_eval_run(folder / "out" / "b", "lab/b", [float(i % 10 > 0) for i in range(40)])
    done = call("compare", "out")
    assert done.code == 0, done.err
    assert "lab/b better" in done.out
    assert "measuring accuracy" in done.out  # exact_match is right or wrong
    assert "mcnemar-midp" in done.out
    named = call("compare", "out", "--measuring", "exact_match")
    assert "measuring exact_match(better = higher)" in named.out
    lm_eval_run(folder / "out" / "b", "lab/b", [i / 40 for i in range(40)])
    assert "measuring exact_match(better = higher)" in call("compare", "out").out


def test_exported_scores_read_by_their_roles_give_the_same_verdict(call: Call, folder: Path) -> None:
    (folder / "own.eval").write_text("set seed 3\ncompare decision-tree vs naive-bayes on iris using 3x5cv\n")
    assert call("run", "own.eval", "--out", "own").code == 0
    assert call("report", "own", "--to", "csv", "--out", "kept").code == 0
    about = json.loads((folder / "kept" / "about.json").read_text())
    column = {role: name for name, role in about["roles"].items()}
    assert set(about["roles"]) <= set((folder / "kept" / "scores.csv").read_text().splitlines()[0].split(","))
    levels = " / ".join(column[role] for role in ("datasets", "repeats", "folds"))
    (folder / "again.eval").write_text(
        f'results own from csv "kept/scores.csv" as {column["score"]} ~ {column["learner"]} | {levels},\n'
        f"  made using {about['made']['compare-1']}, measuring accuracy\n"
        "compare decision-tree vs naive-bayes on own\n"
    )
    assert call("run", "again.eval", "--out", "again").code == 0
    assert call("report", "again", "--to", "csv", "--out", "read").code == 0
    first, second = (
        next(csv.DictReader((folder / place / "verdicts.csv").open(newline=""))) for place in ("kept", "read")
    )
    for number in ("p", "difference", "low", "high"):
        assert float(first[number]) == pytest.approx(float(second[number]))
    assert first["test"] == second["test"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["no.eval"], "there is no file no.eval"),
        (["a.eval"], "there are scores of lab/a alone"),
        (["a.eval", "t.csv"], "the files are of several tools"),
        (["t.csv"], "csv is read by a script"),
        (["x.bin"], "nothing in 'x.bin' says which tool wrote it"),
        (["a.eval", "-o", "scorer"], "scorer is no option"),
        (["a.eval", "-o", "scorer=none"], "has no scorer 'none'"),
    ],
)
def test_what_cannot_be_compared(call: Call, folder: Path, given: list[str], said: str) -> None:
    write_eval(folder / "a.eval", inspect_log("lab/a", A))
    (folder / "t.csv").write_text("Dataset,a,b\nx,1,2\n")
    (folder / "x.bin").write_bytes(b"\x01\x02\x03")
    done = call("compare", *given)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_pipe_is_not_waited_for(call: Call, folder: Path) -> None:
    os.mkfifo(folder / "p.eval")
    done = call("compare", "p.eval")
    assert done.code == 2
    assert "is a device or a pipe" in done.err


def test_the_smallest_difference_is_that_of_miller() -> None:
    """Miller 2024: 969 items find 3 points four times in five when the paired difference has variance 1/9."""
    error = math.sqrt(1 / 9 / 969)
    half = 1.959964 * error
    test = TestResult(
        test="row-t", statistic=0.0, statistic_name="t", pvalue=1.0, df=(1e9,), alternative="two-sided", difference=0.0,
        interval=Interval(low=-half, high=half, level=0.95, method="t"), effect=None, wins=0, ties=0, losses=0,
        n_units=969, unit="item", method="t",
    )  # fmt: skip
    verdict = Verdict(
        comparison="c", dataset="d", metric="accuracy", learners=("a", "b"), test=test, adjusted_p=1.0, alpha=0.05,
        family="f", decision="not-settled",
    )  # fmt: skip
    assert smallest_difference(verdict) == pytest.approx(0.03, abs=1e-5)
