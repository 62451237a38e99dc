"""Missing answers: counted as wrong, left out for a reason, or with the item; never averaged away silently."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalang.errors import DataError, EvalangError
from evalang.reports import sentences
from evalang.reports.tables import improvement_sentence
from evalang.results import numbers
from evalang.results.run_result import RunResult

from ..support.tables import run_on

SCRIPT = 'results r from csv "t.csv" as score ~ model | item / epoch\ncompare {} on r measuring {}{}\n'

WIDE = 'results r from csv "t.csv", items in "item", measuring accuracy\n'


def answers(seed: int = 1, tasks: int = 80, models: str = "abc") -> pd.DataFrame:
    """Return 80 tasks with five runs by each model, 0 or 1, as Terminal-Bench has them."""
    rng = np.random.default_rng(seed)
    ease = rng.beta(0.6, 0.6, tasks)
    rows = [
        (float(rng.random() < np.clip(ease[t] + 0.03 * m, 0, 1)), model, f"t{t}", run)
        for m, model in enumerate(models)
        for t in range(tasks)
        for run in range(1, 6)
    ]
    return pd.DataFrame(rows, columns=["score", "model", "item", "epoch"])


def with_holes(frame: pd.DataFrame, model: str = "b") -> pd.DataFrame:
    """Return the table without 116 wrong answers of one model: what ended without a result had failed."""
    wrong = frame.index[(frame.model == model) & (frame.score == 0.0)][:116]
    assert len(wrong) == 116
    return frame.drop(index=wrong)


def run(folder: Path, frame: pd.DataFrame, clause: str, who: str = "a vs b", metric: str = "accuracy") -> RunResult:
    return run_on(folder, SCRIPT.format(who, metric, clause), t=frame)


def paired(frame: pd.DataFrame, one: str = "a", two: str = "b") -> tuple[float, float, int]:
    """Return the mean difference of task means with its p, by SciPy, over tasks that both have."""
    means = frame.groupby(["item", "model"]).score.mean().unstack()[[one, two]].dropna()
    found = stats.ttest_rel(means[one], means[two])
    return float((means[one] - means[two]).mean()), float(found.pvalue), len(means)


def test_without_a_word_nothing_is_judged(tmp_path: Path) -> None:
    with pytest.raises(EvalangError) as found:
        run(tmp_path, with_holes(answers()), "")
    (finding,) = [f for f in found.value.findings if f.level == "error"]
    assert finding.code == "EV119"
    assert finding.message.startswith("model `b` lacks 116 of 400 answers in table `r` (29.0%)")
    assert "missing count as wrong" in finding.help


@pytest.mark.parametrize("as_rows", [True, False])
def test_counted_as_wrong_is_the_full_table_with_failures(tmp_path: Path, as_rows: bool) -> None:
    """A row without a score and a row that is not there are the same."""
    full, holes = answers(), with_holes(answers())
    if as_rows:
        holes = full.assign(score=full.score.where(full.index.isin(holes.index)))
    (verdict,) = run(tmp_path, holes, ", missing count as wrong").verdicts
    difference, p, n = paired(full)
    assert verdict.test.difference == pytest.approx(difference, abs=1e-12)
    assert verdict.test.pvalue == pytest.approx(p, rel=1e-9)
    assert verdict.test.n_units == n
    assert [s.mean for s in verdict.scores] == pytest.approx([full[full.model == m].score.mean() for m in "ab"])
    assert not verdict.unmet


def test_left_out_drops_runs_and_says_whether_the_verdict_survives(tmp_path: Path) -> None:
    holes = with_holes(answers())
    (verdict,) = run(tmp_path, holes, ', missing left out because "a server was down"').verdicts
    difference, p, n = paired(holes)
    assert verdict.test.difference == pytest.approx(difference, abs=1e-12)
    assert verdict.test.pvalue == pytest.approx(p, rel=1e-9)
    assert verdict.test.n_units == n < 80
    (said,) = verdict.unmet
    assert f"b lacks 116 of 400), and with them {80 - n} items" in said
    full = paired(answers())
    changes = (p <= 0.05) != (full[1] <= 0.05) or (p <= 0.05 and difference * full[0] < 0)
    assert changes  # the example is one whose verdict hangs on it
    assert "change the verdict to: inconclusive" in said


def test_complete_cases_drops_every_task_with_a_gap(tmp_path: Path) -> None:
    holes = with_holes(answers())
    counts = holes[holes.model == "b"].groupby("item").size()
    whole = set(counts.index[counts == 5])
    (verdict,) = run(tmp_path, holes, ", complete cases").verdicts
    assert verdict.test.n_units == len(whole)
    assert verdict.test.pvalue == pytest.approx(paired(holes[holes.item.isin(whole)])[1], rel=1e-9)
    (said,) = verdict.test.notes  # no condition: the verdict is the same
    assert f"and with them {80 - len(whole)} items" in said
    assert said.endswith("counted as wrong, they give the same verdict.")
    assert not verdict.unmet


def test_a_pair_without_gaps_keeps_its_items(tmp_path: Path) -> None:
    holes = with_holes(answers())
    clause = ', holm over learners, missing left out because "a server was down"'
    found = {v.learners: v for v in run(tmp_path, holes, clause, "all").verdicts}
    for (one, two), verdict in found.items():
        difference, p, n = paired(holes, one, two)
        assert (verdict.test.n_units, verdict.test.difference) == (n, pytest.approx(difference))
        assert verdict.test.pvalue == pytest.approx(p, rel=1e-9)
        assert bool(verdict.unmet or verdict.test.notes) == ("b" in (one, two))


def test_a_metric_without_a_worst_value_cannot_count_as_wrong(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the metric points has none"):
        run(tmp_path, with_holes(answers()), ", missing count as wrong", metric="points(better = higher)")
    clause = ', missing left out because "lost"'
    (verdict,) = run(tmp_path, with_holes(answers()), clause, metric="points(better = higher)").verdicts
    assert "cannot count as wrong" in verdict.unmet[-1]


def test_fewer_samples_by_design_are_not_missing(tmp_path: Path) -> None:
    frame = answers()
    fewer = frame[(frame.model != "b") | (frame.epoch == 1)]
    found = run(tmp_path, fewer, "")
    assert {"EV119", "EV123"} & {f.code for f in found.findings} == {"EV123"}
    (verdict,) = found.verdicts
    assert not [said for said in verdict.unmet if "issing" in said]
    found = run(tmp_path, frame[(frame.model != "b") | (frame.epoch != 3)], "")  # one whole epoch
    assert {"EV119", "EV123"} & {f.code for f in found.findings} == {"EV123"}
    short = frame[(frame.item != "t3") | (frame.epoch < 3)]  # two runs of one task for everybody
    assert run(tmp_path, short, "").verdicts[0].test.n_units == 80


def staggered() -> pd.DataFrame:
    """Return 40 items x 3 epochs: on items 0-7 A has no row of epoch 2 and B none of epoch 1.

    A is right on items 0-29: 30 x 3 - 8 = 82 answers. B is right on items 0-21: 22 x 3 - 8 = 58 answers.
    """
    rows = [
        (float(item < right), model, f"q{item}", epoch)
        for model, right, absent in (("A", 30, 2), ("B", 22, 1))
        for item in range(40)
        for epoch in (1, 2, 3)
        if item > 7 or epoch != absent
    ]
    return pd.DataFrame(rows, columns=["score", "model", "item", "epoch"])


def test_epochs_of_one_label_are_compared_not_their_number(tmp_path: Path) -> None:
    """Both models lack one epoch of the same items, each another one."""
    frame = staggered()
    with pytest.raises(EvalangError) as found:
        run(tmp_path, frame, "", "A vs B")
    (finding,) = [f for f in found.value.findings if f.level == "error"]
    assert (finding.code, "lacks 8 of 120 answers in table `r` (6.7%)" in finding.message) == ("EV119", True)
    (counted,) = run(tmp_path, frame, ", missing count as wrong", "A vs B").verdicts
    assert [s.mean for s in counted.scores] == pytest.approx([82 / 120, 58 / 120])  # .6833, .4833
    (whole,) = run(tmp_path, frame, ", complete cases", "A vs B").verdicts
    assert whole.test.n_units == 32
    assert [s.mean for s in whole.scores] == pytest.approx([22 / 32, 14 / 32])


def test_labels_that_are_not_shared_are_only_counted(tmp_path: Path) -> None:
    """Runs numbered on from model to model, or drawn from more numbers than a model has runs, are not missing."""
    frame = answers(models="ab")
    apart = frame.assign(epoch=frame.epoch + 5 * (frame.model == "b"))
    short = apart[(apart.item != "t3") | (apart.epoch % 5 < 2)]  # two runs of one task for everybody
    assert run(tmp_path, short, "").verdicts[0].test.n_units == 80
    drawn = frame.assign(epoch=(frame.epoch + frame.item.str[1:].astype(int) * (frame.model == "b")) % 9)
    assert run(tmp_path, drawn, "").verdicts[0].test.n_units == 80


def test_an_estimate_leaves_out_or_counts(tmp_path: Path) -> None:
    holes = with_holes(answers())
    head = 'results r from csv "t.csv" as score ~ model | item / epoch\nestimate b on r measuring accuracy'

    def score(clause: str) -> float | None:
        return run_on(tmp_path, f"{head}, {clause}\n", t=holes).estimates[0].score

    full = answers()
    assert score("missing count as wrong") == pytest.approx(full[full.model == "b"].score.mean())
    left = holes[holes.model == "b"].groupby("item").score.mean().mean()
    assert score('missing left out because "lost"') == pytest.approx(left)


def test_a_majority_of_four_runs_has_a_test(tmp_path: Path) -> None:
    """With an even number of samples a majority may be a tie, half right: a test of differences takes it."""
    four = answers()[lambda t: t.epoch < 5]
    (verdict,) = run(tmp_path, four, "", metric="accuracy(epochs = majority)").verdicts
    right = four.groupby(["item", "model"]).score.mean().unstack()
    votes = right.where(right == 0.5, (right > 0.5).astype(float))
    found = stats.ttest_rel(votes.a, votes.b)
    assert verdict.undecided_because == ""
    assert verdict.test.pvalue == pytest.approx(found.pvalue, rel=1e-9)
    (other,) = run(tmp_path, four, " by mcnemar", metric="accuracy(epochs = majority)").verdicts
    assert "a majority of an even number of samples can be a tie" in other.undecided_because


def test_a_table_of_datasets_says_whether_the_verdict_survives(tmp_path: Path) -> None:
    a = [0.8, 0.81, 0.79, 0.85, 0.9, 0.7, 0.75, 0.88]
    frame = pd.DataFrame({"d": list("stuvwxyz"), "a": a, "b": [x - 0.02 - i / 500 for i, x in enumerate(a)]})
    frame.loc[[0, 1], "a"] = np.nan
    head = 'results r from csv "t.csv", datasets in "d", measuring accuracy\ncompare a vs b on r by wilcoxon, '

    def only(clause: str):
        return run_on(tmp_path, head + clause + "\n", t=frame).verdicts[0]

    left = only("complete cases")
    counted = only("missing count as wrong")
    exact = stats.wilcoxon(np.nan_to_num(frame.a) - frame.b).pvalue
    assert counted.test.pvalue == pytest.approx(exact)
    assert (left.decision, counted.decision) == ("first-better", "not-settled")
    assert any("2 of 8 datasets are left out" in s and "change the verdict to: inconclusive" in s for s in left.unmet)


def test_items_that_nobody_answered_count_as_left_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"item": range(60), "a": rng.integers(0, 2, 60), "b": rng.integers(0, 2, 60)}, dtype=object)
    table.loc[range(8), "a"] = None
    table.loc[range(5, 14), "b"] = None  # 3 items lack both
    result = run_on(tmp_path, WIDE + 'compare a vs b on r, missing left out because "x"\n', t=table)
    test = result.verdicts[0].test
    assert test is not None
    assert test.n_units == 46
    assert any("and with them 14 items" in note for note in (*result.verdicts[0].unmet, *test.notes))


def test_no_reason_but_p_is_given_where_p_is_not_significant(tmp_path: Path) -> None:
    """28 and 15 disagreements: McNemar's p is .067, although its interval leaves out 0."""
    first = [1] * 28 + [0] * 15 + [1] * 107
    second = [0] * 28 + [1] * 15 + [1] * 107
    table = pd.DataFrame({"item": range(150), "a": first, "b": second})
    (verdict,) = run_on(tmp_path, WIDE + "compare a vs b on r by mcnemar\n", t=table).verdicts
    assert verdict.adjusted_p == pytest.approx(stats.chi2.sf((28 - 15 - 1) ** 2 / 43, 1))
    assert "because" not in sentences.say_fully(verdict)


def test_another_level_than_usual_is_printed_with_p(tmp_path: Path) -> None:
    table = pd.DataFrame({"item": range(100), "a": [1] * 60 + [0] * 40, "b": [0] * 15 + [1] * 50 + [0] * 35})
    for clause, level in (("", ""), (" at alpha 0.01", " at level 0.01")):
        (verdict,) = run_on(tmp_path, f"{WIDE}compare a vs b on r{clause}\n", t=table).verdicts
        assert numbers.p_of(verdict).endswith(level)
        assert ("at level" in numbers.p_of(verdict)) == bool(level)


def seeds() -> pd.DataFrame:
    """Return accuracies of two models on eight datasets, five seeds of each."""
    rng = np.random.default_rng(3)
    rows = [
        (0.7 + 0.02 * d + 0.01 * (m == "b") + rng.normal(0, 0.01), m, f"d{d}", s)
        for m in "ab"
        for d in range(8)
        for s in range(5)
    ]
    return pd.DataFrame(rows, columns=["score", "model", "dataset", "random_seed"])


@pytest.mark.parametrize("as_rows", [True, False])
@pytest.mark.parametrize("everywhere", [True, False])
def test_learners_may_differ_in_their_number_of_seeds(everywhere: bool, as_rows: bool, tmp_path: Path) -> None:
    """Each mean is over a learner's own seeds; runs are compared where a learner has as many on every dataset."""
    full = seeds()
    gone = (full.model == "b") & (full.random_seed == 2) & (everywhere | (full.dataset == "d3"))
    frame = full[~gone]
    script = 'results r from csv "t.csv" as score ~ model | dataset / random_seed\n'
    script += "compare a vs b on r measuring accuracy{}\n"
    given = full.assign(score=full.score.mask(gone)) if as_rows else frame
    result = run_on(tmp_path, script.format(""), t=given)
    (verdict,) = result.verdicts
    means = frame.groupby(["dataset", "model"]).score.mean().unstack()
    assert [s.mean for s in verdict.scores] == pytest.approx([means[m].mean() for m in "ab"])
    assert verdict.test.pvalue == pytest.approx(stats.wilcoxon(means.a, means.b).pvalue)
    said = "8 of 8 datasets (on d0: a 5, b 4)" if everywhere else "1 of 8 datasets (on d3: a 5, b 4)"
    assert any(said in note for note in verdict.test.notes)
    assert not verdict.unmet
    if everywhere:
        (runs,) = result.runs
        wins = [
            (x > y) for _, one in frame.groupby("dataset") for x in one[one.model == "a"].score
            for y in one[one.model == "b"].score
        ]  # fmt: skip
        assert runs.improvements[0].probability == pytest.approx(np.mean(wins))
        assert "different numbers of runs of each" in improvement_sentence(runs.improvements[0], runs)
    else:
        assert not result.runs
        assert any(note.startswith("Intervals over runs are left out") for note in verdict.test.notes)
    (wrong,) = run_on(tmp_path, script.format(", missing count as wrong"), t=given).verdicts
    zeros = full.score.mask(gone, 0.0).groupby(full.model).mean()
    assert [s.mean for s in wrong.scores] == pytest.approx([zeros[m] for m in "ab"])


@pytest.mark.parametrize(("column", "role"), [("random_seed", False), ("init", True)])
def test_a_column_that_tells_two_scores_apart_is_offered_with_its_role(column: str, role: bool, tmp_path: Path) -> None:
    script = 'results r from csv "t.csv" as score ~ model | dataset\ncompare a vs b on r measuring accuracy\n'
    with pytest.raises(DataError) as found:
        run_on(tmp_path, script, t=seeds().rename(columns={"random_seed": column}))
    assert f"add `/ {column}` to the formula" in found.value.hint
    assert (f'`seeds in "{column}"`' in found.value.hint) is role
