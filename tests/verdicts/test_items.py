"""Answers of models to items, from a table on disk to the verdict, against published evaluations."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from evalang.errors import DataError, Refused
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.description import describe
from evalang.reports import html, latex, markdown, terminal
from evalang.reports.assemble import document
from evalang.reports.headline import headlines
from evalang.reports.sentences import short, words
from evalang.results.run_result import RunResult
from evalang.verdicts.arithmetic.tails import Sided, Student
from evalang.verdicts.item_evidence import of_fixed_places
from evalang.verdicts.tests.dependent_rows import cluster_permutation, cluster_t, not_narrower

from ..support.tables import run_on

KNOWN = json.loads((Path(__file__).parent.parent / "golden" / "item_scores.json").read_text(encoding="utf-8"))


def run(folder: Path, frame: pd.DataFrame, script: str) -> RunResult:
    return run_on(folder, script, t=frame)


def gpqa(seed: int | None = None) -> pd.DataFrame:
    """One row a sample; which of the five epochs were right is not kept, and does not matter."""
    known = KNOWN["gpqa"]
    rows = [
        {"score": float(epoch < int(right)), "model": name, "item": f"q{item}", "epoch": epoch}
        for name, word in zip(known["learners"], known["right"], strict=True)
        for item, right in enumerate(word)
        for epoch in range(5)
    ]
    frame = pd.DataFrame(rows)
    return frame if seed is None else frame.sample(frac=1, random_state=seed)


def livebench() -> pd.DataFrame:
    known = KNOWN["livebench"]
    return pd.DataFrame(
        {"score": value, "model": name, "item": f"{task['task']} {i}", "task": task["task"]}
        for task in known["tasks"]
        for name, side in zip(known["learners"], ("first", "second"), strict=True)
        for i, value in enumerate(task[side])
    )


def only(result: RunResult) -> Any:
    (verdict,) = result.verdicts
    assert verdict.test is not None, verdict.undecided_because
    return verdict


COUNTED = 'results t from csv "t.csv", items in "item", measuring accuracy\ncompare first vs second on t'
ANSWERS = (
    'results answers from csv "t.csv" as score ~ model | item / epoch\ncompare all on answers measuring accuracy\n'
)


def test_gpqa_over_items(tmp_path: Path) -> None:
    """SciPy's ttest_rel on the item means: .058586, SE .027788, t(197) = 2.10828, p = .036271."""
    verdict = only(run(tmp_path, gpqa(), ANSWERS))
    test = verdict.test
    assert (test.test, test.unit, test.n_units, verdict.units) == ("row-t", "item", 198, "198 items, 5 epochs each")
    assert test.difference == pytest.approx(0.058586, abs=5e-7)
    assert dict(test.details)["standard_error"] == pytest.approx(0.027788, abs=5e-7)
    assert test.statistic == pytest.approx(2.10828, abs=5e-6)
    assert test.pvalue == pytest.approx(0.036271, abs=5e-7)
    assert (test.interval.low, test.interval.high) == (
        pytest.approx(0.003785, abs=5e-7),
        pytest.approx(0.113387, abs=5e-7),
    )
    assert "row" not in test.method


def test_what_evalconfidence_prints(tmp_path: Path) -> None:
    """Its demo notebook draws 198 items of 5 epochs by a fixed seed: 4.3 points, 1.0 to 7.7, p = 0.0122 (paired t)."""
    rng = np.random.default_rng(9)
    difficulty = rng.normal(0.0, 2.0, 198)
    chances = 1.0 / (1.0 + np.exp(-(difficulty[:, None] + [0.30, 0.0])))
    right = rng.random((198, 5, 2)) < chances[:, None, :]
    item, epoch, model = np.indices(right.shape).reshape(3, -1)
    names = np.array(["model-a", "model-b"])[model]
    frame = pd.DataFrame({"score": right.ravel().astype(int), "model": names, "item": item, "epoch": epoch})
    test = only(run(tmp_path, frame, ANSWERS)).test
    assert round(100 * test.difference, 1) == 4.3
    assert (round(100 * test.interval.low, 1), round(100 * test.interval.high, 1)) == (1.0, 7.7)
    assert round(test.pvalue, 4) == 0.0122


def test_a_column_for_each_model_needs_no_melting(tmp_path: Path) -> None:
    wide = gpqa().pivot(index=["item", "epoch"], columns="model", values="score").reset_index()
    script = (
        'results answers from csv "t.csv", items in "item", repeats in "epoch", measuring accuracy\n'
        "compare all on answers\n"
    )
    verdict = only(run(tmp_path, wide, script))
    assert verdict.units == "198 items, 5 epochs each"
    assert verdict.test.pvalue == pytest.approx(0.036271, abs=5e-7)


@pytest.mark.parametrize(
    ("by", "pvalue"),
    [("", 0.132), (' by row-t, allow EV414 because "to be seen"', 0.0248)],
)
def test_livebench_by_task(tmp_path: Path, by: str, pvalue: float) -> None:
    script = (
        'results answers from csv "t.csv" as score ~ model | item, groups "task"\n'
        f"compare all on answers measuring accuracy, seed 1{by}\n"
    )
    verdict = only(run(tmp_path, livebench(), script))
    assert verdict.test.pvalue == pytest.approx(pvalue, abs=5e-4)
    assert verdict.units == "1,136 items, in 18 groups"
    assert verdict.decision == ("not-settled" if not by else "first-better")


def test_livebench_cluster_t_needs_more_clusters_than_there_are(tmp_path: Path) -> None:
    """CR2 gives p = .131 here, and 18 clusters of unequal size are refused by the test itself."""
    from evalang.verdicts.arithmetic.tails import t_pvalue
    from evalang.verdicts.tests.dependent_rows import clusters_of, cr2

    frame = livebench()
    sides = [frame[frame.model == name] for name in KNOWN["livebench"]["learners"]]
    found = clusters_of(sides[0].score, sides[1].score, sides[0].task.to_numpy(), "cluster-t")
    variance, _ = cr2(found)
    d = sides[0].score.to_numpy() - sides[1].score.to_numpy()
    assert np.sqrt(variance) / (d.std(ddof=1) / np.sqrt(d.size)) == pytest.approx(1.42, abs=0.06)
    # The reference takes the plain cluster-robust error (CR1) on 17 degrees of freedom.
    residual = found.sums - found.mean * found.sizes
    error = np.sqrt(18 / 17 * np.sum(residual**2)) / found.rows
    assert t_pvalue(found.mean / error, 17.0, "two-sided") == pytest.approx(0.131, abs=1e-3)


def test_a_cell_with_two_scores_is_refused(tmp_path: Path) -> None:
    frame = livebench()
    again = frame.iloc[[5]].assign(score=1.0 - frame.score.iloc[5] / 2)
    script = 'results r from csv "t.csv" as score ~ model | item\ncompare all on r measuring accuracy\n'
    with pytest.raises(DataError, match="two scores of"):
        run(tmp_path, pd.concat([frame, again]), script)
    twin = pd.concat([frame, frame.iloc[[5]]])
    assert only(run(tmp_path, twin, script)).test.n_units == 1136


def test_epochs_forgotten_are_no_items(tmp_path: Path) -> None:
    """Five rows a question are not five questions: without the level the same cell stands five times."""
    script = 'results r from csv "t.csv" as score ~ model | item\ncompare all on r measuring accuracy\n'
    with pytest.raises(DataError, match="two scores of") as found:
        run(tmp_path, gpqa(), script)
    assert "epoch" in found.value.hint


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("accuracy(epochs = majority)", lambda c: float(c > 2.5)),
        ("pass(k = 1)", lambda c: c / 5),
        ("pass(k = 2)", lambda c: 1 - (5 - c) * (4 - c) / 20),
        ("pass(k = 5)", lambda c: float(c > 0)),
    ],
)
def test_how_samples_become_one_score(tmp_path: Path, metric: str, expected: Any) -> None:
    result = run(tmp_path, gpqa(), ANSWERS.replace("accuracy", metric))
    verdict = next(v for v in result.verdicts if v.pair)
    means = [np.mean([expected(int(c)) for c in word]) for word in KNOWN["gpqa"]["right"]]
    assert [s.mean for s in verdict.scores] == pytest.approx(means, abs=1e-12)
    assert [s.n for s in verdict.scores] == [198, 198]  # items, not the one mean of them


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("pass(k = 4, all = true)", "pass has no option all"),
        ("pass", "pass counts the samples of an item"),
        ("pass(k = 0)", "pass counts the samples of an item"),
    ],
)
def test_pass_without_its_k_or_with_more(tmp_path: Path, metric: str, message: str) -> None:
    with pytest.raises(Refused) as found:
        run(tmp_path, gpqa(), ANSWERS.replace("accuracy", metric))
    assert [message in f.message for f in found.value.findings] == [True]


def test_pass_at_more_than_was_sampled_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as found:
        run(tmp_path, gpqa(), ANSWERS.replace("accuracy", "pass(k = 6)"))
    assert "`pass(k = 6)` needs 6 samples per item, but some items have only 5" in str(found.value)


def test_one_gap_in_a_thousand_items_is_left_out_and_named(tmp_path: Path) -> None:
    frame = livebench().drop(index=[3])
    script = 'results r from csv "t.csv" as score ~ model | item\ncompare all on r measuring accuracy{}\n'
    verdict = only(run(tmp_path, frame, script.format("")))
    assert verdict.test.n_units == 1135
    assert "lacks 1 of 1,136), and with them 1 item" in verdict.test.notes[-1]
    assert only(run(tmp_path, frame, script.format(", complete cases"))).test.n_units == 1135


FORMATS = {
    "terminal": lambda found: terminal.render(document(found)),
    "html": lambda found: re.sub("(?s)<script.*?</script>", "", html.render(document(found), pictures=False)),
    "markdown": lambda found: markdown.render(document(found)),
    "latex": lambda found: latex.render(document(found)),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("clause", [", margin {}\n", "\nclaim first equivalent to second within {} on t\n"])
def test_a_shown_equivalence_is_not_called_inconclusive(tmp_path: Path, clause: str, form: str) -> None:
    """The end of the 90% interval is near the normal one of 15 and 13 disagreements among 2,500 items."""
    first = np.r_[np.ones(15), np.zeros(13), np.ones(2472)]
    second = np.r_[np.zeros(15), np.ones(13), np.ones(2472)]
    end = (first - second).mean() + stats.norm.ppf(0.95) * (first - second).std() / 50
    for margin, inside in ((f"{100 * end + 0.05:.2f}%", True), (f"{100 * end - 0.05:.2f}%", False)):
        frame = pd.DataFrame({"item": range(2500), "first": first, "second": second})
        found = run(tmp_path, frame, COUNTED + clause.format(margin))
        shown = " ".join(FORMATS[form](found).replace("\n! ", " ").split())
        assert found.verdicts[0].decision == "not-settled"
        assert ("equivalent within 0.00" in short(found.verdicts[0])) is inside
        assert ("nconclusive" in shown or "o significant difference" in shown) is not inside
        assert len(re.findall(r"re equivalent within 0\.00", shown)) >= 2 * inside  # the answer, and what you can claim


def test_the_best_of_several_models_is_equivalent_to_the_others_within_the_margin(tmp_path: Path) -> None:
    right = pd.DataFrame({f"m{j}": np.arange(3000) % 97 != j for j in range(3)}).astype(int).assign(item=range(3000))
    for margin, said in ((2, "`m0` is equivalent to `m1` and `m2` within 0.020"), (0.2, "No significant difference")):
        script = COUNTED.replace("first vs second", "all") + f" margin {margin} points, holm over learners\n"
        assert said in headlines(run(tmp_path, right, script))[0].text


def test_one_item_only_and_constant_scores(tmp_path: Path) -> None:
    script = 'results r from csv "t.csv" as score ~ model | item\ncompare a vs b on r measuring accuracy by row-t\n'
    one = pd.DataFrame({"score": [1.0, 0.0], "model": ["a", "b"], "item": ["q", "q"]})
    with pytest.raises(Refused, match="at least 2 items"):
        run(tmp_path, one, script)
    same = pd.DataFrame({"score": 0.5, "model": ["a", "b"] * 9, "item": np.repeat(np.arange(9), 2)})
    assert only(run(tmp_path, same, script)).test.pvalue == 1.0
    shifted = same.assign(score=np.where(same.model == "a", 0.75, 0.5))
    verdict = run(tmp_path, shifted, script).verdicts[0]
    assert verdict.test is None
    assert "variance is 0" in verdict.undecided_because


def test_an_item_in_two_groups_is_refused(tmp_path: Path) -> None:
    frame = livebench()
    frame.loc[0, "task"] = "another"
    script = 'results r from csv "t.csv" as score ~ model | item, groups "task"\ncompare all on r measuring accuracy\n'
    with pytest.raises(DataError, match="is in the groups"):
        run(tmp_path, frame, script)


def test_tasks_that_nobody_said_are_warned_about(tmp_path: Path) -> None:
    """1,136 items counted each for itself give p = .0248, and the column of tasks is there."""
    script = 'results r from csv "t.csv" as score ~ model | item\ncompare all on r measuring accuracy\n'
    result = run(tmp_path, livebench(), script)
    assert only(result).test.pvalue == pytest.approx(0.0248, abs=5e-5)
    (found,) = [f for f in result.findings if f.code == "EV420"]
    assert 'groups "task"' in found.help


def test_a_claim_about_items_is_judged_by_their_test(tmp_path: Path) -> None:
    first, second = KNOWN["gpqa"]["learners"]
    claims = f'claim "{first}" better than "{second}" on answers\nclaim "{second}" better than "{first}" on answers\n'
    found = run(tmp_path, gpqa(), ANSWERS + claims).claims
    assert [c.status for c in found] == ["supported", "contradicted"]
    assert len(found[0].verdicts) == 1


def _differences() -> list[Any]:
    known = KNOWN["livebench"]
    return [np.subtract(task["first"], task["second"]) for task in known["tasks"]]


@pytest.mark.parametrize("level", ["groups", "datasets"])
def test_the_two_levels_of_a_benchmark_are_told_apart(tmp_path: Path, level: str) -> None:
    """LiveBench: settled for new items of these 18 tasks, and not for tasks like these."""
    frame, parts = livebench(), _differences()
    clause = '| item, groups "task"' if level == "groups" else "| dataset / item"
    script = (
        f'results lb from csv "t.csv" as score ~ model {clause}\n'
        f"compare {' vs '.join(KNOWN['livebench']['learners'])} on lb measuring accuracy, holm over datasets, seed 1\n"
    )
    result = run(tmp_path, frame.rename(columns={"task": "dataset"}) if level == "datasets" else frame, script)
    verdict = next(v for v in result.verdicts if v.dataset is None or level == "groups")
    sizes = np.array([len(part) for part in parts], dtype=float)
    shares = sizes / sizes.sum() if level == "groups" else np.full(18, 1 / 18)
    each = shares**2 * np.array([np.var(part, ddof=1) for part in parts]) / sizes
    df = each.sum() ** 2 / np.sum(each**2 / (sizes - 1))
    centre = float(shares @ [part.mean() for part in parts])
    low, high = stats.t.interval(0.95, df, centre, np.sqrt(each.sum()))
    these = verdict.on_these
    assert (these.places, these.unit) == (18, level[:-1])
    assert (these.difference, these.interval.low, these.interval.high) == pytest.approx((centre, low, high))
    assert verdict.decision == "not-settled"  # the two answers differ, and both are right
    assert low > 0
    said = words(verdict).found
    assert f"On new items of these 18 {level} only" in said
    assert f"The verdict itself is about other {level} like these." in said


def test_by_tasks_of_one_size_the_stratified_error_is_that_of_a_linear_model_of_tasks() -> None:
    """statsmodels: the mean of task means, each task with a level of its own and all with one residual variance."""
    rng = np.random.default_rng(4)
    parts = [rng.normal(0.1 * k, 1.0, 12) for k in range(5)]
    parts = [part.mean() + (part - part.mean()) / part.std(ddof=1) for part in parts]
    centre, interval = of_fixed_places(parts, np.full(5, 0.2), 0.95)
    levels = np.repeat(np.eye(5), 12, axis=0)
    found = sm.OLS(np.concatenate(parts), levels).fit().t_test(np.full(5, 0.2))
    assert centre == pytest.approx(float(found.effect[0]))
    assert (interval.low, interval.high) == pytest.approx(tuple(found.conf_int()[0]))


def test_items_of_one_group_each_have_nothing_within(tmp_path: Path) -> None:
    frame = livebench().assign(task=lambda f: f["item"])
    script = (
        'results lb from csv "t.csv" as score ~ model | item, groups "task"\n'
        f"compare {' vs '.join(KNOWN['livebench']['learners'])} on lb measuring accuracy, seed 1\n"
    )
    assert only(run(tmp_path, frame, script)).on_these is None


def test_no_error_of_zero_stands_beside_equal_models(tmp_path: Path) -> None:
    """Nothing was seen to differ; that is no interval of width zero for new items of the same groups."""
    frame = pd.DataFrame(
        {"score": i % 3 == 0, "model": m, "item": f"q{i}", "task": f"t{i % 10}"} for m in "ab" for i in range(40)
    ).astype({"score": float})
    table = 'results r from csv "t.csv" as score ~ model | item, groups "task"\n'
    script = f"{table}compare a vs b on r measuring accuracy, seed 1"
    verdict = only(run(tmp_path, frame, script))
    assert verdict.test.pvalue == 1.0
    assert verdict.on_these is None


@pytest.mark.parametrize("statement", ["compare a vs b on r", "estimate a on r"])
def test_who_answers_items_is_called_a_model(tmp_path: Path, statement: str) -> None:
    """A language model is no trained classifier, and forty items are no large test set."""
    rng = np.random.default_rng(2)
    cells = [(m, i) for m in "ab" for i in range(40)]
    frame = pd.DataFrame(
        {"score": float(rng.random() < 0.6), "model": m, "item": f"q{i}", "task": f"t{i % 10}"} for m, i in cells
    )
    table = 'results r from csv "t.csv" as score ~ model | item, groups "task", measuring accuracy\n'
    seed = " seed 1" if statement.startswith("compare") else ""
    said = " ".join(markdown.render(document(run(tmp_path, frame, table + statement + seed))).split())
    assert " (as run here) on new groups of items like those of `r`" in said
    assert "trained classifier" not in said
    assert "large test set" not in said


@pytest.mark.parametrize("side", ["two-sided", "greater"])
@pytest.mark.parametrize("test", ["cluster-permutation", "cluster-t"])
def test_an_answer_about_other_groups_is_no_surer_than_one_about_these(tmp_path: Path, test: str, side: str) -> None:
    """Groups that differ less than their items by chance: by their sums alone p is below .001, for new items .04."""
    alike = [1.0, -1.0, 1.0, 0.0]
    parts = [np.array(alike)] * 12 + [np.array([1.0, 0.0, 1.0, 0.0])]
    rows = [
        {"score": float((d > 0) if name == "a" else (d < 0)), "model": name, "item": f"{g} {i}", "text": f"t{g:02}"}
        for g, part in enumerate(parts)
        for i, d in enumerate(part)
        for name in ("a", "b")
    ]
    one_sided = ', expecting a better because "newer"' if side == "greater" else ""
    verdict = only(
        run(
            tmp_path,
            pd.DataFrame(rows),
            'results t from csv "t.csv" as score ~ model | item, groups "text"\n'
            f"compare a vs b on t measuring accuracy, by {test}, at 0.01, seed 1{one_sided}\n",
        )
    )
    variance = np.array([part.var(ddof=1) for part in parts]) * 4 / 52**2
    df = variance.sum() ** 2 / np.sum(variance**2 / 3)
    mean, se = np.concatenate(parts).mean(), variance.sum() ** 0.5
    sides = 2 if side == "two-sided" else 1
    assert verdict.test.pvalue == pytest.approx(sides * stats.t.sf(mean / se, df))
    low = mean - stats.t.isf(0.01 / sides, df) * se
    assert verdict.test.interval.low == pytest.approx(low)
    assert verdict.test.interval.low <= 0.0
    assert verdict.decision == "not-settled"
    assert verdict.test.interval.low <= verdict.on_these.interval.low or side == "greater"
    assert verdict.test.interval.high >= verdict.on_these.interval.high
    assert "the uncertainty cannot be smaller" in words(verdict).found


def test_the_larger_p_and_the_wider_interval_agree() -> None:
    """Whatever the groups and the level: p is at most alpha where zero lies outside the interval, and only there."""
    rng = np.random.default_rng(1)
    widened = 0
    for k in range(300):
        side, level = ("two-sided", "greater", "less")[k % 3], (0.8, 0.95, 0.99)[k % 5 % 3]
        asked = Sided(alternative=side, level=level)  # type: ignore[arg-type]
        groups = np.repeat(np.arange(10), rng.integers(2, 7, 10))
        d = rng.normal(0.3, 1.0, groups.size) + rng.normal(0, rng.choice([0.0, 0.5]), 10)[groups]
        parts = [d[groups == g] for g in range(10)]
        shares = np.array([part.size for part in parts]) / d.size
        variance = shares**2 * [part.var(ddof=1) / part.size for part in parts]
        df = variance.sum() ** 2 / np.sum(variance**2 / [part.size - 1 for part in parts])
        fixed = Student(estimate=float(d.mean()), se=float(variance.sum() ** 0.5), df=float(df))
        for made in (
            cluster_t(d, 0 * d, groups=groups, asked=asked),
            cluster_permutation(d, 0 * d, groups=groups, rng=rng, asked=asked),
        ):
            found = not_narrower(made, fixed, asked)
            assert found.interval is not None
            assert made.interval is not None
            assert found.pvalue is not None
            assert (found.pvalue <= 1 - level) == (not found.interval.low <= 0.0 <= found.interval.high)
            assert found.interval.low <= made.interval.low <= made.interval.high <= found.interval.high
            widened += found != made
    assert 50 < widened < 550


def test_three_models_on_six_tasks_say_why_nothing_is_over_the_tasks(tmp_path: Path) -> None:
    """Wilcoxon on six tasks gives no p below 1/32; with holm over three pairs it has to be below .0167."""
    rng = np.random.default_rng(3)
    rows = [
        {"score": float(rng.random() < chance), "model": name, "item": f"{task} {i}", "task": task, "epoch": epoch}
        for name, chance in (("a", 0.8), ("b", 0.7), ("c", 0.6))
        for task in "uvwxyz"
        for i in range(20)
        for epoch in range(2)
    ]
    head = 'results t from csv "t.csv" as score ~ model | task / item / epoch, datasets in "task", items in "item"\n'
    script = f"{head}compare a vs b vs c on t measuring accuracy\n"
    result = run(tmp_path, pd.DataFrame(rows), script)
    planned = describe(build(SourceText("s.eval", script)).plan)
    assert "no test with fewer than 7 datasets" in planned
    assert "in addition to a test over datasets, the difference on these datasets only" in planned
    found = document(result)
    assert found.subtitle.startswith("1 comparison, 3 models, 120 items in 6 datasets")
    assert "No test over datasets: the smallest p of wilcoxon with 6 datasets is 0.0312" in headlines(result)[0].text
    read = describe(result.plan)
    assert "can claim      for each dataset, which learner is better on items like its own\n" in read
    assert "also" not in read
