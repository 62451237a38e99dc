"""Tests handed their evidence: who wins when lower is better, and verdicts where the median is a tie."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.errors import EvalangError
from evalang.reports.sentences import words
from evalang.results.records import Verdict

from ..support.tables import run_on


def verdict(folder: Path, table: str, by: str, metric: str = "error") -> Verdict:
    script = f'results t from csv "t.csv", datasets in "D", measuring {metric} because "made up"\n'
    found = run_on(folder, f"{script}compare a vs b on t by {by} as c\n", t="D,a,b\n" + table)
    (one,) = (v for v in found.verdicts if v.pair)
    return one


def test_wins_of_the_sign_test_are_wins_where_lower_is_better(tmp_path: Path) -> None:
    one = verdict(tmp_path, "".join(f"d{i},0.1{i},0.2{i}\n" for i in range(9)), "sign")
    assert one.decision == "first-better"
    assert (one.test.statistic, one.test.wins, one.test.losses) == (9.0, 9, 0)
    assert one.test.effect.value == 1.0
    assert one.test.pvalue == pytest.approx(2 / 2**9)


def test_a_sign_test_names_the_better_learner_though_most_datasets_are_ties(tmp_path: Path) -> None:
    """Twelve losses and no win among forty: the median difference is zero, the direction is not in doubt."""
    rows = "".join(f"d{i},{int(i < 12)},0\n" for i in range(40))
    one = verdict(tmp_path, rows, "sign")
    assert one.decision == "second-better"
    assert one.difference == 0.0
    text = words(one).found
    assert "error lower more often than higher" in text
    assert "equal" not in text


SETS = 'results t from csv "t.csv", datasets in "D", measuring '
ITEMS = 'results t from csv "t.csv", items in "D", learners in "a", "b", measuring '
OWN = "score(better = higher)"


def scores(scale: float) -> str:
    """Two learners on forty datasets or items, `a` ahead by 0.3 to 0.5 points."""
    return "D,a,b\n" + "".join(
        f"d{i},{scale * (80.3 + i % 10 + i % 3 / 10):g},{scale * (80 + i % 10):g}\n" for i in range(40)
    )


@pytest.mark.parametrize("table", [SETS, ITEMS])
@pytest.mark.parametrize(
    ("scale", "metric", "width", "fitted"),
    [
        (1.0, "accuracy", "1 point", 1.0),
        (1.0, "accuracy", "1pt", 1.0),
        (1.0, "f-score", "1%", 1.0),
        (1.0, "accuracy", "1", 1.0),
        (1.0, OWN, "1", 1.0),
        (0.01, "accuracy", "1 point", 0.01),
        (0.01, OWN, "0.01", 0.01),
    ],
)
def test_points_are_read_on_the_scale_of_the_table(
    tmp_path: Path, table: str, scale: float, metric: str, width: str, fitted: float
) -> None:
    claim = f"claim b equivalent to a within {width} on t\nclaim b no worse than a within {width} on t\n"
    for margin in (f", margin {width}", ""):
        found = run_on(tmp_path, f"{table}{metric}\ncompare a vs b on t{margin} as c\n{claim}", t=scores(scale))
        assert [c.status for c in found.claims] == ["supported"] * 2
        assert [c.within for c in found.plan.claims] == [fitted] * 2
        assert {v.rope for v in found.verdicts} == {fitted}


@pytest.mark.parametrize("table", [SETS, ITEMS])
@pytest.mark.parametrize(
    ("scale", "metric", "width", "message", "help"),
    [
        (1.0, OWN, "1 point", "`1 point` means 0.01, but the scores of score are not from 0 to 1 (such as", "`1` for"),
        (1.0, OWN, "1pt", "`1pt` means 0.01", "write `1` for a difference of 1 in score"),
        (1.0, "accuracy", "0.01", "t has percentages (such as 89.5)", "write `1`, in percentage points like the table"),
        (1.0, "accuracy", "100", "`100` covers every difference in accuracy", "write `1 point`"),
        (0.01, "accuracy", "1", "`1` covers nearly every difference in accuracy", "write `1 point`"),
        (0.01, "accuracy", "0.5", "`0.5` covers nearly every", "write `0.5 points`"),
        (0.01, OWN, "1", "`1` covers nearly every difference in score", "write `1 point`"),
        (0.01, OWN, "100%", "`100%` covers nearly every", "write `1 point`"),
    ],
)
def test_a_width_that_does_not_fit_the_scores_is_refused(
    tmp_path: Path, table: str, scale: float, metric: str, width: str, message: str, help: str
) -> None:
    for asked in (
        f"compare a vs b on t, margin {width} as c\n",
        f'compare a vs b on t as c\nclaim b no worse than a within {width} on t, because "within 2%"\n',
    ):
        script = f"{table}{metric}\n{asked}"
        with pytest.raises(EvalangError) as refused:
            run_on(tmp_path, script, t=scores(scale))
        (found,) = [f for f in refused.value.findings if f.level == "error"]
        assert found.code == "EV006"
        assert message in found.message
        assert help in found.help
        assert width in script[found.span.start : found.span.end]


def test_every_permutation_over_datasets_counts_datasets(tmp_path: Path) -> None:
    one = verdict(tmp_path, "".join(f"d{i},0.1{i},0.{2 * i + 10}\n" for i in range(9)), "permutation, seed 1")
    assert one.test.unit == "dataset"


def weighted() -> str:
    """The tree is right where the weights are, the majority where they are not."""
    rows = ["x,y,w"]
    for i in range(60):
        heavy = i % 6 == 0
        rows.append(f"{i % 2 if heavy else 0.5},{'yes' if (i // 6) % 2 and heavy else 'no'},{30 if heavy else 1}")
    return "\n".join(rows) + "\n"


HEAVY = 'set seed 2\ndataset d from csv "w.csv", target "y", positive "yes", weights "w", because "x"\n'


@pytest.mark.parametrize("test", ["mcnemar", "permutation", "row-t", "proportions"])
def test_tests_that_count_rows_are_refused_where_rows_have_weights(tmp_path: Path, test: str) -> None:
    script = f"{HEAVY}compare decision-tree vs majority on d using holdout 1/2, by {test} as c\n"
    with pytest.raises(EvalangError) as found:
        run_on(tmp_path, script, w=weighted())
    assert [f.code for f in found.value.findings if f.level == "error"] == ["EV007"]


def test_the_bootstrap_weighs_the_rows(tmp_path: Path) -> None:
    script = f"{HEAVY}compare decision-tree vs majority on d using holdout 1/2, by bootstrap as c\n"
    (one,) = run_on(tmp_path, script, w=weighted()).verdicts
    scores = {s.learner: s.mean or 0.0 for s in one.scores}
    assert one.difference == pytest.approx(scores["decision-tree"] - scores["majority"])


def test_tost_needs_a_rope_and_never_says_not_told_apart(tmp_path: Path) -> None:
    head = 'results t from csv "t.csv", datasets in "D", measuring accuracy because "made up"\n'
    with pytest.raises(EvalangError) as refused:
        run_on(tmp_path, head + "compare a vs b on t by tost as c\n", t="D,a,b\nd0,0.9,0.5\n")
    assert [f.code for f in refused.value.findings if f.level == "error"] == ["EV007"]
    one = verdict(tmp_path, "".join(f"d{i},0.9{i},0.{50 - i}\n" for i in range(9)), "tost, rope 2 points", "accuracy")
    text = words(one).text()
    assert "are not equivalent within 0.020" in text
    assert "significant" not in text
    assert "no difference was found" not in text


def holdout(folder: Path, clauses: str) -> Verdict:
    script = 'set seed 3\ndataset d from synthetic gaussians(n = 60, overlap = 0.2), positive "b", because "x"\n'
    script += f"compare decision-tree vs naive-bayes on d using {clauses} as c\n"
    (one,) = run_on(folder, script).verdicts
    return one


def test_a_cost_measured_once_is_described_and_not_tested(tmp_path: Path) -> None:
    one = holdout(tmp_path, "holdout 1/3, measuring fit-time")
    assert one.test is None
    assert one.difference is not None
    assert "measured only once" in (one.undecided_because or "")


@pytest.mark.parametrize("rows", [9, *(pytest.param(rows, marks=pytest.mark.slow) for rows in (12, 15))])
def test_draws_without_a_positive_row_are_drawn_again(tmp_path: Path, rows: int) -> None:
    """Lift is undefined on them; among nine to fifteen rows some of ten thousand draws are such."""
    one = holdout(tmp_path, f"holdout {rows} rows, measuring lift")
    assert one.test.test == "bootstrap"


def test_nemenyi_is_not_given_the_power_of_a_paired_t(tmp_path: Path) -> None:
    rows = "".join(f"d{i},0.{71 + i},0.{73 + (i * 7) % 9},0.{72 + (i * 5) % 8}\n" for i in range(6))
    script = 'results t from csv "t.csv", datasets in "D", measuring accuracy because "made up"\n'
    found = run_on(tmp_path, f"{script}compare a vs b vs c on t by nemenyi as c\n", t="D,a,b,c\n" + rows)
    open_ones = [v for v in found.verdicts if v.pair and v.decision == "not-settled"]
    assert open_ones
    assert all(v.power is None for v in open_ones)
