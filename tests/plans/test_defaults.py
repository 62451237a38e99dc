"""Defaults with their origins, how far a `set` reaches, which question is asked, and which test is taken for it."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

import re
from pathlib import Path

import pytest

from evalang.language.files import read_script
from evalang.plans.build import build
from evalang.plans.comparison import HOLDOUT
from evalang.plans.default_tests import QUESTIONS, describe_allowed_claim
from evalang.plans.model import Comparison
from tests.support.plans import TABLES, clean, only, planned, the

PREDICTIONS = 'predictions p from csv "p.csv", truth "y", learners in "u", "v"\n'
RESULTS = 'results s from csv "s.csv", datasets in "d", measuring accuracy\n'
MANY = "".join(f'dataset d{i} from csv "d{i}.csv", target "y"\n' for i in range(12))
FIVE, SIX, TWELVE = (", ".join(f"d{i}" for i in range(n)) for n in (5, 6, 12))
TWO, THREE, ONE = "compare t vs n on a using ", "compare t vs n vs k on a using ", "estimate t on a using "


def of(text: str) -> tuple[Comparison, ...]:
    return clean(text).plan.comparisons


def test_every_default_is_written_out_with_its_origin() -> None:
    found = only("compare t vs n on a using 10cv")
    assert (found.alpha.value, found.alpha.origin, found.alpha.reason) == (0.05, "default", "the usual level")
    assert ([m.name for m in found.metrics], found.metrics_origin) == (["accuracy"], "default")
    assert (found.tests[0].origin, bool(found.tests[0].reason)) == ("default", True)
    assert (found.seed, found.rope, found.tuning, found.correction) == (None, None, None, None)
    assert (found.failures, found.name) == ("undecided", "compare-1")
    assert [m.name for m in only("compare t vs n on r using 10cv").metrics] == ["rmse"]
    table = only('results s from csv "s.csv" as mae ~ who | dataset\ncompare t vs n on s')
    assert ([m.name for m in table.metrics], table.metrics_origin) == (["mae"], "derived")


@pytest.mark.parametrize(
    ("clauses", "rest", "scheme", "reason"),
    [
        ("", "", "10x2cv", "has few false positives"),
        (', groups "g"', "", "grouped 10x2cv", "x has groups"),
        (', time "day"', ", gap 3 rows", "forward 8 splits, gap 3 rows", "x has a time column"),
        (', folds "part", groups "g"', "", "given folds", "x has a column of folds"),
        (', tested on csv "test.csv", time "day"', "", "given test", "x has a test file"),
    ],
)
@pytest.mark.parametrize("statement", ["compare t vs n", "estimate t"])
def test_the_data_choose_the_scheme_where_the_script_names_none(
    statement: str, clauses: str, rest: str, scheme: str, reason: str
) -> None:
    data = f'dataset x from csv "x.csv", target "y", as classification{clauses}\n'
    written = only(f"{data}{statement} on x using {scheme}, seed 1")
    chosen = only(f"{data}{statement} on x, seed 1{rest}")
    assert chosen.scheme is not None
    assert (chosen.scheme.text, chosen.scheme.origin) == (scheme, "default")
    assert reason in chosen.scheme.reason
    assert chosen == written  # judged as if it were written
    assert only(f"{data}compare this classifier t vs n on x, seed 1").scheme_card == (
        written.scheme_card
        if written.scheme_card and (written.scheme_card.given or written.scheme_card.in_time)
        else HOLDOUT.card
    )


def test_set_reaches_alpha_rope_tuning_and_metrics_and_gives_way_to_what_is_written() -> None:
    by_set, written = of(
        "set alpha 0.01\nset rope 1 point\nset tune on 20%\nset measuring mcc\ncompare t vs n on a using 10cv\n"
        "compare t vs n on b using 10cv, at 5%, rope 3%, tune using 4cv, measuring error, seed 7"
    )
    for found, origin, alpha, rope, where, metric in (
        (by_set, "set", 0.01, 0.01, "part", "mcc"),
        (written, "written", 0.05, 0.03, "cv", "error"),
    ):
        tuning = the(found.tuning)
        assert {found.alpha.origin, the(found.rope).origin, tuning.origin, found.metrics_origin} == {origin}
        assert (found.alpha.value, the(found.rope).value) == (alpha, rope)
        assert (tuning.value.where, found.metrics[0].name) == (where, metric)
    assert (the(written.seed).value, the(written.seed).origin) == (7, "written")


def test_the_later_setting_holds_for_the_statements_below_it() -> None:
    text = "compare t vs n on a using 10cv\nset seed 5\nset tune on 20%\nestimate t on b using 10cv\nset seed 6\nset tune using 5cv\ncompare t vs n on c using 10cv as x"
    first, second, third = of(text)
    assert [c.name for c in (first, second, third)] == ["compare-1", "estimate-2", "x"]
    assert (first.seed, first.tuning) == (None, None)
    assert [(the(c.seed).value, the(c.seed).origin) for c in (second, third)] == [(5, "set"), (6, "set")]
    assert [the(c.tuning).value.where for c in (second, third)] == ["part", "cv"]


def test_set_stays_in_its_own_file(tmp_path: Path) -> None:
    common = f"set seed 1\nset alpha 0.01\n{TABLES}compare t vs n on a using 10cv as inner\n"
    (tmp_path / "common.eval").write_text(common)
    main = tmp_path / "main.eval"
    main.write_text('set seed 2\ninclude "common.eval"\ncompare t vs n on b using 10cv as outer\n')
    found = {c.name: (the(c.seed).value, c.alpha.value) for c in build(read_script(main)).plan.comparisons}
    assert found == {"inner": (1, 0.01), "outer": (2, 0.05)}


def test_set_allow_is_for_every_statement_below() -> None:
    plan = planned('set allow EV310 because "a demonstration"\nset alpha 0.1, allow EV410 because "a pilot"').plan
    found = [(a.code, a.reason, a.everywhere) for a in plan.allow]
    assert found == [("EV310", "a demonstration", True), ("EV410", "a pilot", True)]


def test_the_order_after_over_does_not_count() -> None:
    one, other = (
        only(f"compare t vs n on a, b using 10cv, holm over {over}").correction
        for over in ("metrics, datasets", "datasets, metrics")
    )
    assert one == other
    assert the(one).over == ("datasets", "metrics")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("estimate this classifier t on a using holdout 1/3", 1),
        ("estimate this classifier t on a using 10cv", 2),
        ("compare this classifier t vs n on a using holdout 1/3", 3),
        (PREDICTIONS + "compare u vs v on p", 3),
        ("compare this classifier t vs n on a using 10cv", 4),
        (ONE + "8 trainings of 300", 5),
        (ONE + "10cv", 6),
        (ONE + "holdout 1/3", 1),
        (TWO + "8 trainings of 300", 7),
        (TWO + "5x2cv", 8),
        (TWO + "holdout 1/3", 3),
        ("compare t vs n on a, b using 5x2cv", 9),
        (RESULTS + "compare t vs n on s", 9),
    ],
)
def test_the_question(text: str, number: int) -> None:
    found = only(text)
    assert found.question == number
    assert found.question_reason
    assert QUESTIONS[number]


def test_a_claim_about_learners_is_not_offered_for_trained_classifiers() -> None:
    assert describe_allowed_claim(only("compare this classifier t vs n on a using holdout 1/3")).endswith(
        "nothing about the learners"
    )
    assert describe_allowed_claim(only(TWO + "5x2cv")).endswith("nothing about other datasets")
    assert "300 rows" in describe_allowed_claim(only(TWO + "8 trainings of 300"))


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        (TWO + "holdout 1/3", ["mcnemar-midp"]),
        ("learner w is decision-tree, train 5 times\ncompare w vs n on a using holdout 1/3", ["retrained-t"]),
        ("learner w is decision-tree, train 5 times\nestimate w on a using holdout 1/3", ["retrained-interval"]),
        (PREDICTIONS + "compare u vs v on p", ["mcnemar-midp"]),
        ("compare t vs n on r using holdout 1/3, measuring rmse", ["row-t"]),
        (TWO + "holdout 1/3, measuring cross-entropy", ["row-t"]),
        (TWO + "holdout 1/3, measuring roc-area", ["delong"]),
        (TWO + "holdout 1/3, measuring f-score", ["bootstrap"]),
        (TWO + "5x2cv", ["corrected-t"]),
        (TWO + "10x10cv", ["partition-t"]),
        (TWO + "given folds", ["corrected-t"]),
        (TWO + "8 trainings of 300, measuring roc-area", ["quasi-f"]),
        (TWO + "leave-one-out", []),  # only the difference
        (THREE + "holdout 1/3", ["cochran-q", "mcnemar-midp"]),
        (ONE + "holdout 1/3", ["wilson"]),
        (ONE + "holdout 1/3, measuring roc-area", ["bootstrap"]),
        (ONE + "10cv", ["corrected-interval"]),
        (ONE + "8 trainings of 300", ["training-interval"]),
        (ONE + "holdout 1/3, by clopper-pearson", ["clopper-pearson"]),
    ],
)
def test_on_each_dataset(text: str, tests: list[str]) -> None:
    found = only(text)
    assert [t.name for t in found.tests] == tests
    assert found.over == ()
    assert found.tests or found.over_note
    assert all(t.origin == "default" and t.reason for t in found.tests) or " by " in text


def test_the_page_of_schemes_names_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "language" / "schemes.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([^`]+)` \| .* \| ([\w-]+)[^|]*\|$", page)
    assert len(rows) > 10
    listed = {form: [] if test == "none" else [test] for form, test in rows}
    assert {form: [t.name for t in only(TWO + form).tests] for form in listed} == listed


@pytest.mark.parametrize(
    ("text", "over"),
    [
        (f"compare t vs n on {TWELVE} using 10cv", [("wilcoxon", ())]),
        (f"compare t vs n on {TWELVE} using 10cv, measuring rmse", [("sign", ())]),
        (f"compare t vs n on {TWELVE} using 10cv, measuring accuracy, fit-time", [("wilcoxon", ("accuracy",)), ("sign", ("fit-time",))]),
        (f"compare t vs n vs k on {TWELVE} using 10cv", [("iman-davenport", ()), ("wilcoxon", ())]),
    ],
)  # fmt: skip
def test_over_datasets(text: str, over: list[tuple[str, tuple[str, ...]]]) -> None:
    found = only(MANY + text)
    assert [t.name for t in found.tests] == ["corrected-t"]
    assert [(t.name, t.metrics) for t in found.over] == over


def test_a_test_over_datasets_that_could_never_reject_is_left_out_and_says_why() -> None:
    # Five datasets: the smallest two-sided p of the signed-rank test is 2 / 2^5 = 0.0625.
    found = only(MANY + f"compare t vs n on {FIVE} using 10cv")
    why = "no test over datasets: the smallest p of wilcoxon with 5 datasets is 0.0625, which is above the level 0.05"
    assert (found.over, found.over_note) == ((), why)
    # Three learners on six: 2 / 2^6 = 0.03125 against 0.05 / 3; the omnibus is a gate. With a control 0.05 / 2.
    assert "level 0.0167" in only(MANY + f"compare t vs n vs k on {SIX} using 10cv").over_note
    assert "level 0.025" in only(MANY + f"compare t vs n vs k on {SIX} using 10cv, control t").over_note


def test_mixed_metrics_on_one_test_set_get_a_test_each() -> None:
    found = only(TWO + "holdout 1/3, measuring accuracy, error, roc-area, brier, f-score")
    assert [(t.name, t.metrics) for t in found.tests] == [
        ("mcnemar-midp", ("accuracy", "error")),
        ("delong", ("roc-area",)),
        ("row-t", ("brier",)),
        ("bootstrap", ("f-score",)),
    ]


@pytest.mark.parametrize(
    ("text", "each", "over"),
    [
        (f"compare t vs n vs k on {TWELVE} using 10cv by friedman, nemenyi", [], ["friedman", "nemenyi"]),
        (f"compare t vs n on {TWELVE} using 10cv by averaged-t", ["averaged-t"], []),
        (TWO + "10cv, rope 1 point, by tost", ["tost"], []),
        (TWO + "10cv, margin 1.5pt, by tost", ["tost"], []),
        (RESULTS + "compare t vs n on s by permutation", [], ["permutation"]),
    ],
)
def test_named_tests_go_where_they_belong(text: str, each: list[str], over: list[str]) -> None:
    found = only(MANY + text)
    assert ([t.name for t in found.tests], [t.name for t in found.over]) == (each, over)
    assert {t.origin for t in (*found.tests, *found.over)} == {"written"}
