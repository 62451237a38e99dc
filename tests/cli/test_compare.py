"""`evalang compare`: from logs to a verdict in one command, and the script it prints gives the same verdict."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import pytest

from evalang.results.records import Interval, TestResult, Verdict
from evalang.verdicts.power import smallest_difference

from ..support.calling import Call
from ..support.tool_logs import inspect_log, lm_eval_run, write_eval

A = {i: "C" if i % 2 else "I" for i in range(40)}
B = {i: "I" if i % 10 == 0 else "C" for i in range(40)}


def script_of(out: str) -> str:
    return out.partition("you can save as ")[2].partition(":\n\n")[2]


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
    assert "which of these models is better" in done.out
    assert "lab/b better" in done.out
    assert "Smallest difference with 80% power: 0." in done.out
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
    named = call("compare", "out", "--measuring", "exact_match", "--no-ledger")  # a second metric is EV807
    assert "measuring exact_match(better = higher)" in named.out
    lm_eval_run(folder / "out" / "b", "lab/b", [i / 40 for i in range(40)])
    assert "measuring exact_match(better = higher)" in call("compare", "out", "--no-ledger").out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["no.eval"], "there is no file no.eval"),
        (["a.eval", "t.csv"], "the files were written by several tools"),
        (["m.csv"], "each row is another value of 'model', with one score for each metric: 'accuracy'"),
        (["t.csv", "m.csv"], "t has several columns that may be scores: 'a', 'b'"),
        (["k.csv"], "column 'a' holds numbers with a comma, such as '1,200', which may mean thousands or decimals"),
        (["x.bin"], "tables end in .csv, .tsv, .tab, .parquet"),
        (["a.eval", "-o", "scorer"], "-o scorer has no value"),
        (["a.eval", "-o", "scorer=none"], "has no scorer 'none'"),
    ],
)
def test_what_cannot_be_compared(call: Call, folder: Path, given: list[str], said: str) -> None:
    write_eval(folder / "a.eval", inspect_log("lab/a", A))
    (folder / "t.csv").write_text("Dataset,a,b\nx,1,2\n")
    (folder / "m.csv").write_text("model,accuracy\na,0.8\nb,0.9\n")
    (folder / "k.csv").write_text('set,a,b\nx,"1,200",3\ny,"2,300",4\n')
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
    """Miller 2024: 969 items find 3 points with 80% power when the paired difference has variance 1/9."""
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


def mid_p(wins: int, losses: int) -> float:
    """McNemar's mid-p from its definition: half of the weight of what was seen is left out."""
    n, least = wins + losses, min(wins, losses)
    tail = sum(math.comb(n, k) for k in range(least + 1)) / 2**n
    return min(1.0, 2 * tail - math.comb(n, least) / 2**n)


def test_three_items_find_nothing(call: Call, folder: Path) -> None:
    assert mid_p(3, 0) > 0.05  # the most that three items can say
    write_eval(folder / "a.eval", inspect_log("lab/a", {0: "C", 1: "C", 2: "C"}))
    write_eval(folder / "b.eval", inspect_log("lab/b", {0: "I", 1: "C", 2: "I"}))
    done = call("compare", "a.eval", "b.eval")
    assert done.code == 0, done.err
    assert "No difference has 80% power" in done.out


@pytest.mark.parametrize("wrong", [1, 9])
def test_the_smallest_difference_is_the_one_of_the_report(call: Call, folder: Path, wrong: int) -> None:
    write_eval(folder / "a.eval", inspect_log("lab/a", dict.fromkeys(range(40), "C")))
    write_eval(folder / "b.eval", inspect_log("lab/b", {i: "I" if i < wrong else "C" for i in range(40)}))
    told = " ".join(call("compare", "a.eval", "b.eval").out.split())
    last = re.findall(r"Smallest difference with 80% power: (0\.\d+)\.", told)
    assert len(last) == 1, told
    report = re.findall(r"items, 80% power at level 0.05 needs a difference of at least (0\.\d+)", told)
    assert [round(float(x), 2) for x in report] == ([float(last[0])] if wrong == 1 else [])
    assert "as seen here" not in told  # fewer than 5% disagree, or the verdict is settled
    size = float(last[0]) + 0.005
    share = max(wrong / 40, size)
    power = sum(
        math.comb(40, n) * share**n * (1 - share) ** (40 - n)
        * sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if mid_p(k, n - k) <= 0.05)
        for n in range(1, 41)
        for p in [(share + size) / (2 * share)]
    )  # fmt: skip
    assert power > 0.8  # by enumeration of every outcome of the test itself


def test_the_power_of_many_pairs_is_one_line(call: Call, folder: Path) -> None:
    for name, wrong in {"a": 2, "b": 9, "c": 18}.items():
        write_eval(folder / f"{name}.eval", inspect_log(f"lab/{name}", {i: "CI"[i < wrong] for i in range(40)}))
    power = [line for line in call("compare", "a.eval", "b.eval", "c.eval").out.splitlines() if "80% power" in line]
    assert len(power) == 1
    assert re.fullmatch(r"Smallest difference with 80% power: 0\.\d+ to 0\.\d+ \(3 tests\)\.", power[0])


def test_names_that_a_script_has_to_quote(call: Call, folder: Path) -> None:
    write_eval(folder / "a.eval", inspect_log('lab\\"a", x', A))
    write_eval(folder / "b.eval", inspect_log("lab/b", B))
    done = call("compare", "a.eval", "b.eval")
    assert done.code == 0, done.err
    assert 'compare "lab\\""a"", x" vs "lab/b" on logs' in script_of(done.out)
    write_eval(folder / "b.eval", inspect_log("lab/b\nnew", B))
    done = call("compare", "a.eval", "b.eval")
    assert done.code == 0, done.err
    assert "compare all on logs" in script_of(done.out)


def test_a_folder_is_told_by_what_lies_in_it(call: Call, folder: Path) -> None:
    rows = [f"t{t},{n},{f},{0.8 + (n == 'y') / 90 + t * f / 999},auc" for t in range(8) for n in "xy" for f in (0, 1)]
    (folder / "tables").mkdir()
    (folder / "tables" / "results.csv").write_text("task,framework,fold,result,metric\n" + "\n".join(rows) + "\n")
    (folder / "tables" / "README.md").write_text("of 2019\n")
    done = call("compare", "tables")
    assert done.code == 0, done.err
    assert 'results logs from amlb "tables"' in done.out
    write_eval(folder / "tables" / "a.eval", inspect_log("lab/a", A))
    done = call("compare", "tables")
    assert done.code == 2
    assert "holds files of amlb, inspect" in done.err


def test_weka_says_that_its_folds_are_those_of_a_cross_validation(call: Call, folder: Path) -> None:
    rows = [
        f"iris,{r},{f},trees.{name},'',{90 + (name == 'J48') + 0.1 * r + 0.3 * f * (name == 'J48')}"
        for r in range(1, 4) for f in range(1, 6) for name in ("J48", "NB")
    ]  # fmt: skip
    head = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n"
    (folder / "w.csv").write_text(head + "\n".join(rows) + "\n")
    done = call("compare", "w.csv")
    assert done.code == 0, done.err
    assert "made using 3x5cv" in script_of(done.out)
    assert "does not say how its scores were made" not in " ".join(done.out.split())


def test_help_is_in_the_words_of_the_command(call: Call, folder: Path) -> None:
    several = inspect_log("lab/a", A)
    for sample in several["samples"]:
        sample["scores"]["other one"] = {"value": "C"}
    write_eval(folder / "a.eval", several)
    done = call("compare", "a.eval")
    assert done.code == 2
    assert "choose one: -o scorer=" in done.err


def test_logs_of_two_tasks_share_no_item(call: Call, folder: Path) -> None:
    write_eval(folder / "a.eval", inspect_log("lab/a", A))
    other = inspect_log("lab/b", B)
    other["eval"]["task"] = "other"
    write_eval(folder / "b.eval", other)
    done = call("compare", "a.eval", "b.eval")
    assert done.code == 2
    assert "check that their names and ids are the same" in done.err


def test_seeds_on_one_split_promise_no_test(call: Call, folder: Path) -> None:
    rows = [f"{name},{seed},{0.7 + 0.001 * seed}" for name in ("new", "old") for seed in range(10)]
    (folder / "seeds.csv").write_text("\n".join(["model,seed,accuracy", *rows]))
    said = call("compare", "seeds.csv").out
    asked = "which learner scored better in these runs; nothing is tested (all runs are on the same data)"
    assert f"question       {asked}" in said
    assert "that the learners differ" not in said
    assert "several datasets" not in said
