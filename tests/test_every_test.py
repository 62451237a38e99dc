"""Every test of the catalogue through the whole program: script, run, verdict, archive, every kind of report.

The tests' own files check their numbers. Here only what must hold for all of them: it ends, p lies in (0, 1], the
result survives being stored, and no report holds a number that is none. Every scheme and table is tried with every
test, by turns two-sided and one-sided, and one run of each kind of evidence is drawn; `pytest -m slow` tries and draws
them all. All runs share their trials, which are the same for every test of a scheme.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalang.catalogue.tests import TESTS, TestEntry
from evalang.errors import EvalangError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.reports import json, latex, markdown, terminal
from evalang.reports.assemble import document
from evalang.reports.html import render as html
from evalang.results.run_result import RunResult, dumps, loads
from evalang.trials.options import RunOptions

SCHEMES = {
    "holdout": "holdout 1/3",
    "cv": "3cv",
    "repeated-cv": "2x3cv",
    "5x2cv": "5x2cv",
    "partitions-cv": "2 partitions of 3cv",
    "partitions-5x2cv": "2 partitions of 5x2cv",
    "halvings": "3 halvings of 1x4cv",
    "resamples": "3 resamples of 2/3",
    "leave-one-out": "leave-one-out",
    "trainings": "3 trainings of 12",
}
WHOLE = [False, pytest.param(True, marks=pytest.mark.slow)]
METRICS = {"any": "accuracy", "accuracy": "accuracy", "row-loss": "brier", "roc-area": "roc-area"}
HEAD = 'set seed 1\ndataset d from synthetic gaussians(n = 48, overlap = 0.3) because "small"\n'
TABLES = {
    "two": "D,a,b,c\nx,0.5,0.6,0.7\ny,0.5,0.7,0.6\n",
    "five": "D,a,b,c\n" + "".join(f"x{i},0.{50 + i},0.{40 + 3 * i},0.{30 + i}\n" for i in range(5)),
    "equal": "D,a,b,c\n" + "".join(f"x{i},0.{50 + i},0.{50 + i},0.{50 + i}\n" for i in range(8)),
    "constant": "D,a,b,c\n" + "".join(f"x{i},0.{50 + i},0.{52 + i},0.{55 + i}\n" for i in range(8)),
    "tiny": "D,a,b,c\n" + "".join(f"x{i},{i}e-300,{3 * i + 1}e-300,{2 * i}e-300\n" for i in range(8)),
    "huge": "D,a,b,c\n" + "".join(f"x{i},{i}e300,{3 * i + 1}e299,{2 * i}e300\n" for i in range(8)),
    "large": "D,a,b,c\n" + "".join(f"x{i},{i}e158,{3 * i + 1}e158,{7 * i}e158\n" for i in range(8)),
    "many": "D,a,b,c\n" + "".join(f"x{i},0.{100 + 7 * i},0.{90 + 9 * i},0.{101 + 5 * i}\n" for i in range(30)),
}
BEYOND = ("tiny", "huge", "large")


def entries(scope: str) -> list[TestEntry]:
    """Those of two learners or more; that of folds over datasets has tables of its own."""
    return [t for t in TESTS if scope in t.scopes and t.learners != "one" and t.evidence != "dataset-folds"]


# The first of each kind of evidence on rows, and over datasets.
DRAWN = [
    next(t for t in entries(scope) if (t.evidence, t.learners) == kind)
    for scope in ("dataset", "over-datasets")
    for kind in dict.fromkeys((t.evidence, t.learners) for t in entries(scope))
]


def on_data(test: TestEntry, whole: bool) -> list[str]:
    """Scripts with this test on each scheme it fits; the first, or if `whole` each, two-sided and one-sided."""
    metric = METRICS[test.metrics]
    options = ", rope 5 points" if test.name == "tost" or not test.gives_p else ""
    sides = ("", ', expecting naive-bayes better because "x"') if test.one_sided and test.learners == "two" else ("",)
    who = "decision-tree vs naive-bayes" + (" vs knn" if test.learners == "many" else "")
    if test.post_hoc_of and test.learners == "many":
        return []
    return [
        f"{HEAD}compare {who} on d using {SCHEMES[scheme]}, by {test.name}, measuring {metric}{options}{side} as c\n"
        for number, scheme in enumerate(scheme for scheme in test.schemes if scheme in SCHEMES)
        for side in (sides if whole or number == 0 else sides[number % len(sides) :][:1])
    ]


def over_tables(test: TestEntry, table: str, whole: bool) -> list[str]:
    """Scripts with this test over the datasets of a results table; one-sided too where all are equal, or `whole`."""
    head = f'results t from csv "{table}.csv", datasets in "D", measuring accuracy because "made up"\n'
    options = ", rope 5 points" if test.name == "tost" or not test.gives_p else ""
    options += ", seed 1" if test.random else ""
    first = "friedman, " if test.name in ("nemenyi", "bonferroni-dunn") else ""
    if test.learners == "many":
        control = ", control a" if test.name == "bonferroni-dunn" else ""
        return [f"{head}compare a vs b vs c on t by {first}{test.name}{control}{options} as c\n"]
    both = test.one_sided and (whole or table == "equal")
    sides = ("", ', expecting a better because "x"') if both else ("",)
    return [f"{head}compare a vs b on t by {test.name}{options}{side} as c\n" for side in sides]


def _nested(learners: str, cells: list[tuple[object, ...]]) -> str:
    """A long table: for every cell its levels, then a score of each learner."""
    return "".join(
        ",".join(map(str, (*cell[: -len(learners)], name, score))) + "\n"
        for cell in cells
        for name, score in zip(learners, cell[-len(learners) :], strict=True)
    )


def _right(item: int, name: int) -> int:
    return int((item * (name + 2)) % 7 > name)


def _score(dataset: int, fold: int, name: int) -> float:
    return round(0.5 + 0.03 * dataset + 0.01 * ((fold * (name + 3)) % 5) + 0.02 * name * (dataset % 3), 3)


FOLDED = {
    "equal folds": [(f"x{d}", f, _score(d, f, 0), _score(d, f, 1)) for d in range(6) for f in range(5)],
    "unequal folds": [(f"x{d}", f, _score(d, f, 0), _score(d, f, 1)) for d in range(6) for f in range(3 + d)],
    "a constant dataset": [(f"x{d}", f, 0.5 if d == 2 else _score(d, f, 0), 0.5) for d in range(6) for f in range(5)],
    "equal learners": [(f"x{d}", f, _score(d, f, 0), _score(d, f, 0)) for d in range(6) for f in range(5)],
    "one difference everywhere": [(f"x{d}", f, 0.5 + f / 8, 0.625 + f / 8) for d in range(6) for f in range(5)],
}


# A table of items tells of no trainings.
ON_ITEMS = [t for t in entries("dataset") if "items" in t.schemes and t.evidence != "retrained-rows"]


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which every run finds the trials of those before it."""
    return tmp_path_factory.mktemp("trials")


def judged(script: str, folder: Path, trials: Path | None = None) -> RunResult:
    """The run, with every rule that stands in its way allowed: here it is not the design that is tried."""
    for _ in range(4):
        try:
            options = RunOptions(jobs=0, folder=trials)
            return run_script(SourceText(str(folder / "s.eval"), script), Request(options=options))
        except EvalangError as error:
            codes = sorted({f.code for f in error.findings if f.level == "error"})
            missing = [code for code in codes if f"allow {code}" not in script]
            if not missing:
                raise
            line = "".join(f', allow {code} because "tried"' for code in missing)
            script = script.replace(" as c\n", f"{line} as c\n")
    raise AssertionError(script)


def holds(judgement: RunResult, *, drawn: bool) -> None:
    for verdict in judgement.verdicts:
        for p in (verdict.adjusted_p, verdict.test.pvalue if verdict.test else None):
            assert p is None or 0.0 < p <= 1.0
    assert loads(dumps(judgement), "here") == judgement
    report = document(judgement)
    texts = (
        terminal.render(report, full=True),
        markdown.render(report),
        latex.render(report),
        html(report, pictures=drawn),
    )
    for text in (*texts, json.render(judgement)):
        assert not re.search(r"(?<![\w.#-])-?(?:nan|NaN|inf|Infinity)(?![\w.-])", text)


@pytest.mark.parametrize("whole", WHOLE)
@pytest.mark.parametrize("test", entries("dataset"), ids=lambda t: t.name)
def test_on_every_scheme_it_fits(test: TestEntry, whole: bool, tmp_path: Path, trials: Path) -> None:
    for number, script in enumerate(on_data(test, whole)):
        if test.evidence == "grouped-rows":  # its rows have no groups, which is told before anything is fitted
            with pytest.raises(EvalangError, match="has 0 groups"):
                judged(script, tmp_path, trials)
        else:
            holds(judged(script, tmp_path, trials), drawn=whole or (number == 0 and test in DRAWN))


@pytest.mark.parametrize("whole", WHOLE)
@pytest.mark.parametrize("table", [table for table in TABLES if table not in BEYOND])
@pytest.mark.parametrize("test", entries("over-datasets"), ids=lambda t: t.name)
def test_over_every_kind_of_table(test: TestEntry, table: str, whole: bool, tmp_path: Path) -> None:
    (tmp_path / f"{table}.csv").write_text(TABLES[table], encoding="utf-8")
    for number, script in enumerate(over_tables(test, table, whole)):
        holds(judged(script, tmp_path), drawn=whole or (table == "equal" and number == 0 and test in DRAWN))


@pytest.mark.parametrize("table", BEYOND)
@pytest.mark.parametrize("test", entries("over-datasets"), ids=lambda t: t.name)
def test_a_table_beyond_all_numbers_is_refused_in_a_sentence(test: TestEntry, table: str, tmp_path: Path) -> None:
    """A fault of the program is no EvalangError."""
    (tmp_path / f"{table}.csv").write_text(TABLES[table], encoding="utf-8")
    with pytest.raises(
        EvalangError, match=r"too large or too small to compute with|is impossible: accuracy is at least 0"
    ):
        judged(over_tables(test, table, False)[0], tmp_path)


@pytest.mark.parametrize("test", ON_ITEMS, ids=lambda t: t.name)
def test_on_items(test: TestEntry, tmp_path: Path) -> None:
    cells = [(item // 3, item, *(_right(item, name) for name in range(3))) for item in range(48)]
    (tmp_path / "q.csv").write_text("passage,item,model,score\n" + _nested("abc", cells), encoding="utf-8")
    groups = ', groups "passage"' if test.evidence == "grouped-rows" else ""
    options = (", rope 5 points" if test.name == "tost" else "") + (", seed 1" if test.random else "")
    who = "a vs b vs c" if test.learners == "many" else "a vs b"
    head = f'results q from csv "q.csv" as score ~ model | item{groups} because "made up"\n'
    run = judged(f"{head}compare {who} on q by {test.name}, measuring accuracy{options} as c\n", tmp_path)
    assert any(verdict.test is not None for verdict in run.verdicts)
    holds(run, drawn=test.name == ON_ITEMS[0].name)


@pytest.mark.parametrize("rope", ["", ", rope 1 point"])
@pytest.mark.parametrize("table", FOLDED)
def test_over_folds_of_datasets(table: str, rope: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("dataset,fold,learner,accuracy\n" + _nested("ab", FOLDED[table]), encoding="utf-8")
    head = 'results t from csv "t.csv" as accuracy ~ learner | dataset / fold because "made up"\n'
    holds(judged(f"{head}compare a vs b on t by mixed-model{rope} as c\n", tmp_path), drawn=table == "equal learners")
