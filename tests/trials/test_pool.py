"""Worker processes: what they share, what they leave behind, and what the parent does when they end."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from evalang.errors import RunError
from evalang.plans.model import Learner, Scheme
from evalang.scores.score_table import ScoreTable
from evalang.trials import pool, run
from evalang.trials.expand import Task, expand, tasks
from evalang.trials.options import RunOptions, StartMethod
from evalang.trials.pool import Finished, WorkerPool
from evalang.trials.prepare import prepare_table
from evalang.trials.task import TaskContext
from evalang.trials.worker import Starter

from ..support.engine import (
    FIVEFOLD,
    TENFOLD,
    TRUSTED,
    carry_out,
    catalogue,
    comparison,
    options,
    own,
    plan,
    score_candidate,
    table,
)
from ..support.running import children, running, until

MEDDLES, FINDS = own("meddles", "Meddles"), own("finds", "Meddles", other=1)
TREE = catalogue("tree", "decision-tree")


def context_of(learners: list[Learner], scheme: Scheme = FIVEFOLD) -> tuple[TaskContext, list[Task]]:
    """What a pool needs for these learners on one table, and its tasks."""
    trust = run.Trust(packages=TRUSTED)
    layout = expand(plan([comparison("c", learners, [table()], scheme)], learners), {"made": table()}, trust)
    ready = {"made": prepare_table(table(), trust)}
    context = TaskContext(cells=layout.cells, tables=ready, scorer=score_candidate, fail_on_warning=False)
    return context, list(tasks(layout))


def finish(learners: list[Learner], method: StartMethod = "fork", **more: Any) -> list[Finished]:
    """Everything that comes back from a pool that fits these learners."""
    context, todo = context_of(learners)
    executor = WorkerPool(Starter(context, method), RunOptions(**more))
    try:
        return [one for found in executor.results(iter(todo)) for one in found]
    finally:
        executor.cancel()


@pytest.mark.parametrize("jobs", [0, 1, 2, 4])
def test_what_a_learner_changes_in_its_process_changes_no_number(jobs: int, tmp_path: Path) -> None:
    """Settings of numpy, scikit-learn, pandas, warnings, the environment and the working folder, in every fit.

    Its answer tells which settings it found: all fits of both learners find the same, with any number of workers.
    """
    forest = catalogue("forest", "random-forest", n_estimators=3)
    one, outcome = carry_out([MEDDLES, forest, FINDS], [table(classes=0)], TENFOLD, options(tmp_path, jobs))
    assert not outcome.failed
    answers = ScoreTable(one, outcome).answers("made", "rmse")
    assert len({float(x) for name in ("meddles", "finds") for x in answers[name].labels}) == 1
    assert os.getcwd() != "/"
    assert "MEDDLED" not in os.environ


def test_a_learner_that_keeps_memory_gets_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its fits do not fail, whether the next one was already sent to the process or not."""
    monkeypatch.setattr("evalang.trials.worker.MAX_GROWTH", 2**26)
    found = finish([own("grows", "Grows", megabytes=40, most=160)], jobs=1)
    assert [one.crash or one.trials[0].failure for one in found] == [None] * 5


def test_a_worker_that_has_run_own_code_serves_only_that_learner() -> None:
    found = finish([own("one", "Pid", which=1), TREE, own("two", "Pid", which=2)], jobs=2)
    assert all(one.crash is None and one.trials[0].failure is None for one in found)
    pids: dict[str, set[str]] = {}
    for one in found:
        if one.trials[0].printed:
            pids.setdefault(one.task.own_code, set()).add(one.trials[0].printed.strip())
    first, second = pids.values()
    assert first
    assert second
    assert not first & second


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_any_way_to_start_a_worker_gives_the_same_answers(method: StartMethod) -> None:
    found = finish([TREE, own("ends", "Ends", code=3, without=7)], method, trial_memory=500)
    crashes = [one.crash for one in found if one.crash is not None]
    assert [(one.kind, one.message) for one in crashes] == [("exit", "ended its process (exit code 3)")]
    assert len(found) == 10


def test_many_quick_trials(tmp_path: Path) -> None:
    """With many quick trials, parent and workers once waited for each other without end."""
    scheme = Scheme(kind="repeated-cv", partitions=40, folds=10)
    _, outcome = carry_out([own("quick", "Constant")], [table(30)], scheme, options(tmp_path, 2))
    assert (outcome.ran, outcome.failed) == (400, ())


def test_answers_larger_than_a_pipe(tmp_path: Path) -> None:
    """A worker that waits to send is read from, whatever is sent to it meanwhile."""
    made = table(60_000)
    scheme = Scheme(kind="repeated-cv", partitions=3, folds=5)
    _, outcome = carry_out([catalogue("majority"), own("constant", "Constant")], [made], scheme, options(tmp_path, 2))
    assert (outcome.ran, outcome.failed) == (30, ())


def test_workers_that_cannot_start_are_an_error_and_no_failed_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "serve", lambda *_: os._exit(1))
    with pytest.raises(RunError, match="5 worker processes in a row ended before a fit"):
        finish([TREE], jobs=2)


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_workers_end_with_a_killed_parent(method: StartMethod, tmp_path: Path) -> None:
    """The parent is killed during a fit that takes an hour."""
    from ..support.child import end, start

    def work() -> int:
        context, todo = context_of([own("slow", "Slow", seconds=3600.0)])
        executor = WorkerPool(Starter(context, method), RunOptions(jobs=2))
        while True:
            if todo and executor.capacity():
                executor.submit(todo.pop())
                (tmp_path / "busy").touch()
            executor.poll(0.1)

    pid = start(work)
    until((tmp_path / "busy").exists)
    until(lambda: len(children(pid)) == 2)
    workers = children(pid)
    os.kill(pid, signal.SIGKILL)
    end(pid)
    until(lambda: not any(running(worker) for worker in workers), 10)
