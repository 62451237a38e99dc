"""For every metric and scheme: the verdict's difference is that of the table, inside its interval, on the same side."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalang as ev
from evalang.catalogue.metrics import METRICS
from evalang.reports.assemble import document
from evalang.reports.document import tables
from evalang.reports.tables import BY_ROW_NOTE
from evalang.verdicts.tests.resampling_tests import bootstrap

ROWS = 843  # every test part has the hundred rows that cal needs, and folds are not of one size
WRITTEN = {"cal": "cal(window = 10)", "cost": "cost(fp = 1, fn = 5)", "top-k": "top-k(k = 2)"}
COSTS = ("time", "size")  # they change from run to run, and one training has one of them
TASKS = {
    "two-class": ("decision-tree(max_depth = 2)", "naive-bayes", ', positive "yes"'),
    "many-class": ("decision-tree(max_depth = 2)", "naive-bayes", ""),
    "regression": ("decision-tree(max_depth = 2)", "linear-regression", ""),
}
BY_ROW = ("forward 4 splits", "4 trainings of 40")  # their tests judge means over rows alone
SCHEMES = (
    "holdout 1/3",
    "5cv",
    "2x5cv",
    "5x2cv",
    "10x2cv",
    "2 partitions of 5cv",
    "2 partitions of 5x2cv",
    "3 halvings of 2x4cv",
    "6 resamples of 2/3",
    "4 trainings of 40",
    "bootstrap 6",
    "forward 4 splits",
    "given folds",
)
QUICK = {
    ("two-class", "5x2cv"),
    ("two-class", "4 trainings of 40"),
    ("two-class", "holdout 1/3, train 3 times"),
    ("regression", "holdout 1/3"),
    ("regression", "holdout 1/3, train 3 times"),
    ("regression", "forward 4 splits"),
}
CASES = [
    pytest.param(task, scheme, marks=() if (task, scheme) in QUICK else pytest.mark.slow)
    for task in TASKS
    for scheme in (*SCHEMES, "holdout 1/3, train 3 times")
]


def written(task: str) -> dict[str, str]:
    """Metric by name, as the script writes it."""
    return {m.name: WRITTEN.get(m.name, m.name) for m in METRICS if task in m.tasks and m.needs not in COSTS}


def table_of(task: str) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(ROWS, 4))
    tilt = x[:, 0] + 0.5 * x[:, 1] + rng.normal(size=ROWS)
    target: dict[str, object] = {
        "two-class": np.where(tilt > 0, "yes", "no"),
        "many-class": np.array(["low", "middle", "high"])[np.digitize(tilt, [-0.7, 0.7])],
        "regression": 40 + 3 * tilt,
    }
    return pd.DataFrame(x, columns=list("pqrs")).assign(
        y=target[task], day=np.sort(rng.integers(0, 300, ROWS)), fold=rng.permutation(ROWS) % 5
    )


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The difference and the side do not depend on their number; ten thousand for every metric take seconds."""
    monkeypatch.setitem(bootstrap.__kwdefaults__, "resamples", 500)


@pytest.mark.parametrize(("task", "scheme"), CASES)
def test_the_verdict_is_the_table(task: str, scheme: str, tmp_path: Path) -> None:
    first, second, positive = TASKS[task]
    using, _, again = scheme.partition(", ")
    needed = {"forward 4 splits": "day", "given folds": "fold"}.get(using)
    table_of(task).drop(columns={"day", "fold"} - {needed}).to_csv(tmp_path / "d.csv", index=False)
    roles = {"day": ', time "day"', "fold": ', folds "fold"'}.get(needed or "", "")
    metrics = written(task)
    script = tmp_path / "s.eval"
    script.write_text(
        f'set seed 3\ndataset d from csv "d.csv", target "y"{roles}{positive}\n'
        f"learner a is {first}{', ' + again if again else ''}\nlearner b is {second}\n"
        f"compare {'this classifier ' if 'holdout' in using and not again else ''}a vs b on d using {using}, "
        f"measuring {', '.join(metrics.values())}, holm over metrics\n"
    )
    result = ev.run(script)
    assert {v.metric for v in result.run.verdicts} == set(metrics.values())
    means = result.table.scores.groupby(["metric", "learner"])["score"].mean()
    tested = 0
    for verdict in result.run.verdicts:
        found, test = verdict.difference, verdict.test
        if test is None or found is None:
            assert verdict.decision == "undecided", verdict
            continue
        tested += 1
        by_table = float(means[verdict.metric, "a"] - means[verdict.metric, "b"])
        scores = {x.learner: x.mean for x in verdict.scores}
        assert found == pytest.approx(scores["a"] - scores["b"], abs=1e-9), (verdict.metric, test.test)
        assert found == pytest.approx(by_table, abs=1e-9), (verdict.metric, test.test)
        if test.interval is not None:
            low, high = test.interval.low, test.interval.high
            assert low - 1e-9 <= found <= high + 1e-9, (verdict.metric, test.test)
        if verdict.decision in ("first-better", "second-better"):
            ahead = found * next(m.sign for m in METRICS if metrics.get(m.name) == verdict.metric)
            assert (ahead > 0) == (verdict.decision == "first-better"), verdict.metric
        assert test.pvalue is None or (math.isfinite(test.pvalue) and 0 < test.pvalue <= 1)
    loss = [m.name for m in METRICS if m.name in metrics and (m.row_loss or m.name == "roc-area")]
    unfit = ("cal" in metrics) + (task == "many-class" and "holdout" in using)  # delong knows two classes
    assert tested >= (len(loss) - 1 if using in BY_ROW else len(metrics) - unfit), tested


def test_the_root_of_rows_scored_together(tmp_path: Path) -> None:
    """Of one row the rmse is its error without a sign, whose mean over rows is the mae: the verdict was about that."""
    table_of("regression").drop(columns=["day", "fold"]).head(60).to_csv(tmp_path / "d.csv", index=False)
    script = tmp_path / "s.eval"
    script.write_text(
        'set seed 3\ndataset d from csv "d.csv", target "y"\n'
        "compare decision-tree vs linear-regression on d using leave-one-out, measuring rmse, by row-t\n"
    )
    (verdict,) = ev.run(script).run.verdicts
    first, second = (score.mean for score in verdict.scores)
    assert verdict.difference == pytest.approx(first - second, abs=1e-9)


@pytest.mark.parametrize(("dataset", "by", "said"), [("wine", "mcnemar-midp", True), ("iris", "mcnemar-midp", False)])
def test_a_difference_of_rows_beside_means_of_unequal_folds_says_so(dataset: str, by: str, said: bool) -> None:
    """178 rows in ten folds are not of one size, 150 are."""
    result = ev.run(f"compare this classifier naive-bayes vs majority on {dataset} using 10cv, by {by}, seed 1\n")
    (table,) = [t for t in tables(document(result.run)) if t.key.startswith("pairs")]
    means = result.table.scores.groupby("learner")["score"].mean()
    (verdict,) = result.run.verdicts
    apart = abs(means[verdict.learners[0]] - means[verdict.learners[1]] - (verdict.difference or 0.0))
    assert (apart > 1e-9) == said
    assert (BY_ROW_NOTE in table.notes) == said
