"""`evalang test`: every test of the catalogue, from counts, lists and files, against R and the papers."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from evalang.catalogue.tests import TESTS
from tests.golden.load import Case, all_cases, cases

from ..support.calling import Call


def listed(values: list[float]) -> str:
    return ",".join(repr(v) for v in values)


def computed(call: Call, *arguments: object) -> dict[str, Any]:
    found = call("test", *arguments, "--format", "json")
    assert found.code == 0, found.err
    data: dict[str, Any] = json.loads(found.out)
    return data


def test_a_table_of_a_file_in_words(call: Call, folder: Path) -> None:
    """Bramer's Figure 15.2: mean 0.7, standard error 2.19, t 0.32 on 9 degrees of freedom."""
    case = next(c for c in all_cases() if c["options"].get("section") == "Figure 15.2")
    a, b = case["inputs"]["A"], case["inputs"]["B"]
    (folder / "fig15.csv").write_text("A,B\n" + "\n".join(f"{x},{y}" for x, y in zip(a, b, strict=True)))
    out = call("test", "paired-t", "fig15.csv", "B", "A").out
    for words in ("t = 0.319468 on 9 degrees of freedom", "0.7 (first minus second)", "2.19114", "10 (dataset)"):
        assert words in out


# ------------------------------------------------------------------ counts


@pytest.mark.parametrize("case", cases("mcnemar_chi2", behavior="value")[:4])  # all of them: test_golden
def test_mcnemar_from_counts_as_r(call: Call, case: Case) -> None:
    n01, n10 = case["inputs"]["n01"], case["inputs"]["n10"]
    correction = str(case["options"]["correction"]).lower()
    found = computed(call, "mcnemar", n01, n10, "-o", "exact_below=0", "-o", f"correction={correction}")
    assert found["statistic"] == pytest.approx(case["expected"]["statistic"], rel=1e-8)
    assert found["pvalue"] == pytest.approx(case["expected"]["p_value"], rel=1e-8)


def test_the_exact_test_counts_tails(call: Call) -> None:
    # 2 P(X <= 2) for X ~ B(12, 1/2): (1 + 12 + 66) / 2048
    for name in ("mcnemar-exact", "binomial"):
        assert computed(call, name, 2, 10)["pvalue"] == pytest.approx(2 * 79 / 4096)
    half = math.comb(12, 2) / 4096
    assert computed(call, "mcnemar-midp", 2, 10)["pvalue"] == pytest.approx(2 * 79 / 4096 - half)
    assert computed(call, "mcnemar", 0, 0)["pvalue"] == 1


def test_proportions_from_counts(call: Call) -> None:
    # Both wrong 50, first wrong alone 35, second wrong alone 15, both right 200: 215/300 against 235/300.
    p1, p2, n = 215 / 300, 235 / 300, 300
    pooled = (p1 + p2) / 2
    z = (p1 - p2) / math.sqrt(2 * pooled * (1 - pooled) / n)
    for arguments in ((50, 35, 15, 200), (35, 15, "--rows", 300, "--both-right", 200)):
        found = computed(call, "proportions", *arguments)
        assert found["difference"] == pytest.approx(p1 - p2)
        assert found["statistic"] == pytest.approx(z)
    found = computed(call, "corrected-proportions", 35, 15, "--rows", 300)
    assert found["statistic"] == pytest.approx((15 - 35) / math.sqrt(50))


def test_intervals_of_a_share(call: Call) -> None:
    found = computed(call, "wilson", 0, 10)
    z2 = 1.959963984540054**2
    assert found["interval"]["high"] == pytest.approx(z2 / (10 + z2))
    found = computed(call, "clopper-pearson", 0, 10)
    assert found["interval"]["high"] == pytest.approx(1 - 0.025 ** (1 / 10))


# ------------------------------------------------------------------ lists


@pytest.mark.parametrize("case", cases("paired_t", behavior="value")[:6])
def test_paired_t_from_lists_as_r(call: Call, case: Case) -> None:
    a, b = case["inputs"]["a"], case["inputs"]["b"]
    side = {"two.sided": "two-sided"}.get(case["options"]["alternative"], case["options"]["alternative"])
    data = computed(call, "paired-t", listed(a), listed(b), "--side", side, "--level", case["options"]["conf"])
    assert data["statistic"] == pytest.approx(case["expected"]["statistic"], rel=1e-6)
    assert data["pvalue"] == pytest.approx(case["expected"]["p_value"], rel=1e-6, abs=1e-12)


def test_a_t_test_is_the_paired_one(call: Call) -> None:
    lists = ("0.9,0.8,0.7,0.85", "0.8,0.75,0.72,0.8")
    assert call("test", "ttest", *lists).out == call("test", "paired-t", *lists).out != ""


def test_wilcoxon_with_its_options(call: Call) -> None:
    a, b = "101,103,106,110,115,121", "100,100,100,100,100,100"
    assert computed(call, "wilcoxon", a, b)["pvalue"] == 0.03125  # 2 / 2^6
    assert computed(call, "wilcoxon", a, b, "--side", "greater")["pvalue"] == 0.015625
    assert "normal" in computed(call, "wilcoxon", a, b, "-o", "method=normal")["method"]


def test_five_by_two_from_ten_numbers(call: Call) -> None:
    # Differences p_i^(j): p = 0.02, then s_i^2 by hand.
    d = [0.02, 0.04, 0.01, 0.03, 0.0, 0.02, 0.05, 0.01, 0.02, 0.02]
    s = [((x - (x + y) / 2) ** 2 + (y - (x + y) / 2) ** 2) for x, y in zip(d[::2], d[1::2], strict=True)]
    t = 0.02 / math.sqrt(sum(s) / 5)
    base = [0.8] * 10
    found = computed(call, "5x2cv-t", listed([x + y for x, y in zip(base, d, strict=True)]), listed(base))
    assert found["statistic"] == pytest.approx(t)
    assert found["df"] == [5]


def test_an_open_interval_is_null_in_json(call: Call) -> None:
    found = computed(call, "paired-t", "1,2,4", "0,1,1", "--side", "greater")
    assert found["interval"]["high"] is None


# ------------------------------------------------------------------ files: every test of the catalogue


@pytest.fixture
def files(folder: Path) -> Path:
    rows = ["y,p,q,r,run,la,lb,lc,A,B,C,pair"]
    for i in range(60):
        y, run = i % 2, i // 12
        p = y if i % 5 else 1 - y
        q = y if i % 7 else 1 - y
        r = y if i % 3 else 1 - y
        a, b, c = 0.8 + (i * 37 % 11) / 100, 0.78 + (i * 53 % 13) / 100, 0.7 + (i * 29 % 17) / 100
        right = [int(v == y) for v in (p, q, r)]
        rows.append(f"{y},{p},{q},{r},{run},{right[0]},{right[1]},{right[2]},{a:.4f},{b:.4f},{c:.4f},{i // 2}")
    (folder / "t.csv").write_text("\n".join(rows) + "\n")
    return folder


def arguments(name: str) -> tuple[object, ...]:
    card = next(t for t in TESTS if t.name == name)
    if card.evidence == "count":
        return (83, 100)
    if card.evidence == "procedure":
        return (0.9, "0.5,0.52,0.48,0.51")
    columns: tuple[str, ...] = ("la", "lb", "lc") if card.evidence == "outcomes" else ("A", "B", "C")
    columns = columns[: {"one": 1, "two": 2, "many": 3}[card.learners]]
    extra: tuple[object, ...] = ()
    if name.startswith("5x2cv"):
        return (",".join(f"0.{80 + i}" for i in range(10)), ",".join(f"0.{80 + (i * 7 % 10)}" for i in range(10)))
    if card.evidence == "halved-scores":
        extra = ("--partition", "run")
    if card.evidence in ("retrained-rows", "grouped-rows"):
        extra = ("--partition", "pair" if card.evidence == "grouped-rows" else "run")
    if card.evidence in ("fold-scores", "training-losses", "dataset-folds"):
        extra = ("--partition", "run", "--train", 90, "--test", 10)
    if name == "tost":
        extra = ("--margin", 0.05)
    if card.evidence == "outcomes":
        extra = ("--truth", "none")
    if name == "delong":
        extra = ("--truth", "y")
    return ("t.csv", *columns, *extra)


@pytest.mark.parametrize("name", [t.name for t in TESTS])
def test_every_test_of_the_catalogue_can_be_computed(call: Call, files: Path, name: str) -> None:
    data = computed(call, name, *arguments(name))
    if "pvalue" in data and data["pvalue"] is not None:
        assert 0 <= data["pvalue"] <= 1
    text = call("test", name, *arguments(name))
    assert text.out.startswith(f"{name}: ")
    assert "nan" not in text.out


@pytest.mark.parametrize("labels", [("cat", "dog"), (0, 1)], ids=["words", "numbers"])
def test_labels_without_a_truth_are_asked_about(call: Call, folder: Path, labels: tuple[object, object]) -> None:
    rows = [f"{labels[i % 2]},{labels[i % 3 % 2]},{labels[i % 5 % 2]}" for i in range(30)]
    (folder / "p.csv").write_text("\n".join(["label,a,b", *rows]) + "\n")
    asked = call("test", "mcnemar", "p.csv", "a", "b", "--no-ledger")
    assert asked.code == 2
    assert "add --truth label" in asked.err
    assert call("test", "mcnemar", "p.csv", "a", "b", "--truth", "label", "--no-ledger").code == 0
    outcomes = call("test", "mcnemar", "p.csv", "a", "b", "--truth", "none", "--no-ledger")
    assert outcomes.code == (0 if labels == (0, 1) else 2)
    (folder / "alone.csv").write_text("a,b\n" + "\n".join(row.partition(",")[2] for row in rows) + "\n")
    alone = call("test", "mcnemar", "alone.csv", "a", "b", "--no-ledger")
    assert alone.code == outcomes.code
    assert labels == (0, 1) or "name the column of true classes: --truth COLUMN" in alone.err


def test_predictions_are_compared_with_the_truth(call: Call, files: Path) -> None:
    by_truth = computed(call, "mcnemar", "t.csv", "p", "q", "--truth", "y")
    by_outcome = computed(call, "mcnemar", "t.csv", "la", "lb", "--truth", "none")
    # p is wrong in 12 rows (every fifth), q in 9 (every seventh); both in rows 0 and 35.
    assert dict(by_truth["details"]) == {"n01": 10, "n10": 7} == dict(by_outcome["details"])
    assert by_truth["pvalue"] == by_outcome["pvalue"]


def test_labels_may_be_words(call: Call, folder: Path) -> None:
    (folder / "w.csv").write_text("y,a,b\n" + "yes,yes,no\nno,no,no\nyes,no,yes\nno,no,yes\n" * 5)
    found = computed(call, "mcnemar", "w.csv", "a", "b", "--truth", "y")
    assert dict(found["details"]) == {"n01": 5, "n10": 10}


def test_partitions_shape_the_folds(call: Call, files: Path) -> None:
    found = computed(call, "corrected-t", "t.csv", "A", "B", "--partition", "run", "--train", 90, "--test", 10)
    assert found["n_units"] == 60
    assert found["df"] == [59]
    averaged = computed(call, "averaged-t", "t.csv", "A", "B", "--partition", "run", "--train", 90, "--test", 10)
    assert averaged["df"] == [11]  # of one partition of 12


@pytest.mark.parametrize("name", ["corrected-t", "mixed-model"])
def test_sizes_that_are_not_given_are_asked_for(call: Call, files: Path, name: str) -> None:
    assert "--train 90 --test 10" in call("test", name, "t.csv", "A", "B", "--partition", "run").err


def test_many_learners_take_every_column_of_numbers(call: Call, folder: Path) -> None:
    (folder / "s.csv").write_text("dataset,A,B,C\nd1,.9,.8,.7\nd2,.8,.7,.6\nd3,.7,.6,.5\nd4,.9,.7,.6\nd5,.8,.6,.5\n")
    found = computed(call, "friedman", "s.csv")
    assert found["ranks"] == [1, 2, 3]
    assert found["statistic"] == pytest.approx(10)  # 12 n / (k (k + 1)) times the spread of the mean ranks, n = 5
    assert computed(call, "friedman", "s.csv", "--lower")["ranks"] == [3, 2, 1]
    post = call("test", "bonferroni-dunn", "s.csv", "--control", "B")
    assert post.code == 0
    assert "2 against 1" in post.out or "1 against 2" in post.out


# ------------------------------------------------------------------ what is not a test


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("mcnemar", "35"), "mcnemar is not computed from 1 counts"),
        (("mcnemar", "35", "15", "3"), "mcnemar is not computed from 3 counts"),
        (("mcnemar", "35", "15", "--rows", "20"), "--rows 20 is less than the sum of the counts"),
        (("paired-t", "35", "15"), "paired-t is not computed from 2 counts"),
        (("proportions", "35", "15"), "needs the number of test rows"),
        (("proportions", "35", "15", "--rows", "300"), "needs the rows both get right"),
        (("wilson", "101", "100"), ""),
        (("mcnemar", "-3", "5"), ""),
        (("mcnemar", "3.5", "5"), ""),
        (("paired-t", "1,2,x", "1,2,3"), '"x" is not a number in the list'),
        (("paired-t", "1,2,nan", "1,2,3"), '"nan" is not a number'),
        (("paired-t", "1,2,", "1,2,3"), "a number is missing in the list"),
        (("paired-t", "1,2,3", "1,2"), ""),
        (("paired-t", "1", "2,3"), ""),
        (("paired-t", "1,2", "1,2", "1,2"), "compares two columns, but there are 3"),
        (("friedman", "1,2,3", "1,2"), "the lists differ in length"),
        (("paired-t", "s.txt", "A", "B"), "neither a number nor a table"),
        (("paired-t", "s.csv", "A", "Z"), "no column 'Z'"),
        (("paired-t", "s.csv", "A", "name"), "is 'd1', which is not a number"),
        (("paired-t", "s.csv", "A", "holes"), "has no score"),
        (("mcnemar", "s.csv", "A", "B"), "have values that are not 1 (right) or 0 (wrong)"),
        (("delong", "s.csv", "A", "B"), "needs the true classes"),
        (("tost", "s.csv", "A", "B"), "tost needs a margin"),
        (("bonferroni-dunn", "s.csv", "A", "B", "C", "--control", "Z"), "there is no column Z"),
        (("wilcoxon", "s.csv", "A", "B", "-o", "zero=1"), "wilcoxon has no option zero"),
        (("nemenyi", "s.csv", "A", "B", "C", "--side", "less"), "has no one-sided form"),
        (("paired-t", "s.csv", "A", "B", "--levle", "0.9"), "no option --levle"),
        (("paired-t", "s.csv", "A", "B", "--level", "2"), "--level"),
        (("paired-t", "folder.csv", "A", "B"), "folder.csv"),
        (("paired-t", "empty.csv", "A", "B"), "empty.csv"),
        (("paired-t", "binary.csv", "A", "B"), "binary.csv"),
        (("paired-t", "s.csv", "A", "B", "--partition", "Z"), "no column 'Z'"),
        (("kfold-t", "s.csv", "A", "B", "--partition", "uneven"), "the random splits of --partition differ"),
        (("mcnemr", "1", "2"), "did you mean mcnemar?"),
        (("mann-whitney", "s.csv", "A", "B"), "did you mean wilcoxon, for paired scores?"),
        (("mcnemar", "35", "x"), '"x" is not a number help: counts are whole numbers'),
        (("paired-t", "missing.csv", "A", "B"), "there is no file missing.csv help: check its path"),
        (("t-test", "s.csv", "A", "d1"), 's.csv has no column "d1": the table has a row for each score'),
    ],
    ids=lambda v: " ".join(v)[:50] if isinstance(v, tuple) else "",
)
def test_a_sentence_for_every_mistake(call: Call, folder: Path, arguments: tuple[str, ...], words: str) -> None:
    (folder / "s.csv").write_text("name,A,B,C,holes,uneven\nd1,.9,.8,.7,1,1\nd2,.8,.7,.6,,1\nd3,.7,.6,.5,3,2\n")
    (folder / "folder.csv").mkdir()
    (folder / "empty.csv").write_text("")
    (folder / "binary.csv").write_bytes(bytes(range(256)))
    found = call("test", *arguments)
    assert found.code == 2
    assert words in " ".join(found.err.split())
    assert found.out == ""


@pytest.mark.parametrize(("name", "wrong"), [("mcnemar", "-3"), ("wilson", "2.5")])
def test_counts_are_whole_numbers_from_0(name: str, wrong: str, call: Call) -> None:
    done = call("test", name, wrong, "5")
    assert done.code == 2
    assert f"{wrong} is not a count" in done.err
    assert "a count is a whole number, 0 or more" in done.err
