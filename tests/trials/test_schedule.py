"""What a run tells, and how plans become tasks."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from evalang.errors import DataError, RunError, ScriptError
from evalang.language.text import Span
from evalang.plans.model import Metric, Scheme
from evalang.scores.metrics import score_candidate
from evalang.scores.score_table import ScoreTable
from evalang.trials.expand import expand, tasks
from evalang.trials.options import Progress, RunOptions
from evalang.trials.run import run

from ..support.engine import FIVEFOLD, THIRD, carry_out, catalogue, comparison, options, own, plan, table

TWO = [catalogue("nb", "naive-bayes"), catalogue("majority")]


@pytest.mark.parametrize("jobs", [0, 2])
def test_progress(jobs: int, tmp_path: Path) -> None:
    seen: list[Progress] = []
    carry_out([own("bad", "Raises"), *TWO], [table()], FIVEFOLD, options(tmp_path, jobs), seen.append)
    assert seen[-1].done == seen[-1].total == 15
    assert seen[-1].failed == 5
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert all(p.rate >= 0 and (p.left is None or p.left >= 0) for p in seen)


def test_trials_shared_by_statements_run_once(tmp_path: Path) -> None:
    made = table()
    each = [
        comparison("one", TWO, [made], FIVEFOLD),
        comparison("two", TWO, [made], FIVEFOLD, metrics=(Metric("brier"),)),
        comparison("three", TWO[:1], [made], Scheme(kind="repeated-cv", partitions=2, folds=5)),
    ]
    outcome = run(plan(each, TWO), {"made": made}, options(tmp_path, 0), score_candidate)
    assert outcome.total == 15
    assert ScoreTable(each[0], outcome).fold_scores("made", "accuracy")["nb"].shape == (1, 5)
    assert ScoreTable(each[2], outcome).fold_scores("made", "accuracy")["nb"].shape == (2, 5)


def test_a_run_without_a_folder_leaves_nothing_behind() -> None:
    one, outcome = carry_out(TWO, [table()], THIRD, RunOptions(jobs=0))
    folder = outcome.folder
    assert ScoreTable(one, outcome).fold_scores("made", "accuracy")["nb"].shape == (1, 1)
    assert folder.exists()
    del outcome
    assert not folder.exists()


def test_the_run_folder_holds_what_repeats_the_run(tmp_path: Path) -> None:
    files = {"script.eval": "compare …", "plan.json": "{}"}
    carry_out(TWO, [table()], THIRD, options(tmp_path, 0, files=files))
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "environment.json",
        "lock",
        "plan.json",
        "script.eval",
        "trials.sqlite",
    ]
    environment = json.loads((tmp_path / "environment.json").read_text())
    assert environment["packages"]["scikit-learn"]
    assert environment["threads_per_trial"] == 1
    assert str(Path.home()) not in (tmp_path / "environment.json").read_text()


def test_a_changed_environment_is_told(tmp_path: Path) -> None:
    carry_out(TWO, [table()], THIRD, options(tmp_path, 0))
    path = tmp_path / "environment.json"
    path.write_text(path.read_text().replace('"numpy": "', '"numpy": "0.'))
    _, outcome = carry_out(TWO, [table()], THIRD, options(tmp_path, 0))
    assert any(note.startswith("since the earlier fits numpy was 0.") for note in outcome.notes)
    assert outcome.ran == 0


def test_a_scheme_that_does_not_fit_the_data_is_refused_first(tmp_path: Path) -> None:
    """18: before any learner is trained, and with its place in the script."""
    place = Span("made.eval", 10, 14)
    with pytest.raises(DataError, match="70 folds cannot be made of 60 rows") as caught:
        carry_out(TWO, [table(60)], Scheme(kind="cv", folds=70, span=place), options(tmp_path))
    assert caught.value.span == place


def test_data_that_is_not_there_is_named(tmp_path: Path) -> None:
    made = table()
    with pytest.raises(RunError, match="the data of dataset `made` is not loaded"):
        run(plan([comparison("c", TWO, [made], THIRD)], TWO), {}, options(tmp_path), score_candidate)


def test_untrusted_code_is_not_imported(tmp_path: Path) -> None:
    bad = own("mine", "Exits")
    one = comparison("c", [bad], [table()], THIRD)
    with pytest.raises(ScriptError, match="not trusted"):
        run(plan([one], [bad]), {"made": table()}, RunOptions(jobs=0, folder=tmp_path), score_candidate)


def test_a_handed_estimator(tmp_path: Path) -> None:
    from sklearn.tree import DecisionTreeClassifier

    from evalang.plans.model import Learner, Step

    mine = Learner(name="mine", steps=(Step(name="mine", kind="python"),))

    def ran(depth: int) -> int:
        given = {"mine": DecisionTreeClassifier(max_depth=depth)}
        return carry_out([mine], [table()], THIRD, RunOptions(jobs=1, folder=tmp_path, objects=given))[1].ran

    assert [ran(2), ran(2), ran(3)] == [1, 0, 1]


def test_many_trials_are_planned_lazily() -> None:
    made = table(200)
    ten = [catalogue(f"l{i}", "knn", n_neighbors=i + 1) for i in range(10)]
    many = comparison("c", ten, [made], Scheme(kind="repeated-cv", partitions=200, folds=10))
    tracemalloc.start()
    layout = expand(plan([many], ten), {"made": made})
    assert layout.trials == 20_000
    count = sum(1 for _ in tasks(layout))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 2_000_000
