"""A real cluster: scheduler and workers as processes, lost and started again. Nothing of it is a learner's failure."""

from __future__ import annotations

import gc
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalang.errors import RunError
from evalang.plans.model import Learner, Scheme, Step
from evalang.trials import cluster
from evalang.trials.folder import Outcome
from evalang.trials.options import Progress, Report, RunOptions

from .dask_processes import Dask, dask
from .made import THIRD, carry_out, catalogue, options, own, stored, table

pytest.importorskip("distributed", reason='many machines need the extra "evalang[cluster]"')

SCHEME = Scheme(kind="repeated-cv", partitions=2, folds=5)
LIMITS = {"trial_seconds": 20.0, "trial_memory": 400}


def learners() -> list[Learner]:
    """A tree, something that takes a moment, one that ends its process on some folds, one that wants too much."""
    return [
        catalogue("tree", "decision-tree"),
        own("slow", "Slow", seconds=0.05),
        own("ends", "Ends", code=3, without=7),
        own("hungry", "OutOfMemory", megabytes=2000),
    ]


def carried_out(how: RunOptions, progress: Report | None = None) -> Outcome:
    return carry_out(learners(), [table()], SCHEME, how, progress)[1]


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[tuple[str, str], int]]:
    """The folder of an undisturbed run with processes here, and how its trials failed."""
    folder = tmp_path_factory.mktemp("home")
    return folder, kinds(carried_out(options(folder, 2, **LIMITS)))


def kinds(outcome: Outcome) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for one in outcome.failed:
        found[one.learner, one.failure.kind] = found.get((one.learner, one.failure.kind), 0) + 1
    return found


def after(done: int, *steps: object) -> Report:
    """Do these things, one by one, each when so many more trials are done."""
    left = list(steps)

    def report(progress: Progress) -> None:
        nonlocal done
        if left and progress.done >= done:
            done = progress.done + 8
            left.pop(0)()  # type: ignore[operator]

    return report


@pytest.mark.slow
def test_workers_and_the_scheduler_come_and_go(
    at_home: tuple[Path, dict[tuple[str, str], int]], tmp_path: Path
) -> None:
    """Byte-identical, with the failures of learners and no others; limits hold there too."""
    folder, failures = at_home
    assert failures == {("ends", "exit"): 2, ("hungry", "memory"): 10}
    with dask(tmp_path) as there:

        def only_worker_replaced() -> None:
            there.kill_worker()
            there.start_worker()

        def all_restarted() -> None:
            there.kill_scheduler()
            there.kill_worker()
            there.start_scheduler()
            there.start_worker()

        how = replace(options(tmp_path / "run", **LIMITS), scheduler=there.address)
        outcome = carried_out(how, after(5, only_worker_replaced, all_restarted, there.start_worker))
    assert outcome.complete
    assert kinds(outcome) == failures
    assert stored(tmp_path / "run") == stored(folder)
    assert any("the cluster lost work and got it again" in note for note in outcome.notes)


def test_a_cluster_that_is_gone_stops_the_run(
    at_home: tuple[Path, dict[tuple[str, str], int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = at_home

    def gone(there: Dask) -> None:
        monkeypatch.setattr(cluster, "ALONE", 4.0)
        there.kill_scheduler()
        there.kill_worker()

    with dask(tmp_path) as there:
        how = replace(options(tmp_path / "run", **LIMITS), scheduler=there.address)
        with pytest.raises(RunError, match="the cluster has been gone for 4 seconds") as caught:
            carried_out(how, after(8, lambda: gone(there)))
    assert caught.value.exit_code == 1
    assert "every finished trial is kept" in caught.value.hint
    kept = stored(tmp_path / "run")
    assert 8 <= sum(1 for key in kept if key.startswith("trials")) < 40
    assert kept.items() <= stored(folder).items()
    resumed = carried_out(options(tmp_path / "run", 2, **LIMITS))
    assert resumed.reused >= 8
    assert stored(tmp_path / "run") == stored(folder)


def test_a_clock_that_jumps_back_stops_no_client(
    at_home: tuple[Path, dict[tuple[str, str], int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client of dask sends nothing before an instant that it set by the wall clock; a jump puts it years ahead."""
    folder, _ = at_home
    made: list[Any] = []
    connect = cluster.Cluster._connect

    def connected(self: cluster.Cluster, seconds: float) -> Any:
        made.append(connect(self, seconds))
        return made[-1]

    def jump() -> None:
        made[-1].scheduler_comm.next_deadline = time.time() + 1e8
        monkeypatch.setattr(cluster, "_clock", lambda: -1e8)

    monkeypatch.setattr(cluster.Cluster, "_connect", connected)
    monkeypatch.setattr(cluster, "AHEAD", 4)  # so that something is left to be sent
    with dask(tmp_path) as there:
        outcome = carried_out(replace(options(tmp_path / "run", **LIMITS), scheduler=there.address), after(8, jump))
    assert outcome.complete
    assert len(made) == 2
    assert stored(tmp_path / "run") == stored(folder)


@pytest.mark.parametrize("address", ["garbage", "nothing://x:1", ""])
def test_an_address_that_is_none_is_said_at_once(address: str, tmp_path: Path) -> None:
    """No client is made that would try to end itself for half a minute, and then say so in a traceback."""
    begun = time.monotonic()
    with pytest.raises(RunError, match=f"the scheduler {address} cannot be reached") as caught:
        carry_out(
            [catalogue("tree", "decision-tree")], [table()], SCHEME, replace(options(tmp_path), scheduler=address)
        )
    assert "dask scheduler" in caught.value.hint
    gc.collect()
    assert time.monotonic() - begun < cluster.CONNECT


def test_a_worker_without_evalang_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could not read a task, would end without a word, and the run would wait for another."""
    with dask(tmp_path, workers=0) as found:
        found.start_worker(without="evalang")
        monkeypatch.setattr(cluster, "ALONE", 40.0)
        with pytest.raises(RunError, match="a worker of the cluster cannot import what the trials need") as caught:
            carried_out(replace(options(tmp_path / "run"), scheduler=found.address))
    assert caught.value.hint.startswith("install evalang")


@pytest.mark.parametrize("there", ["other", "none"])
def test_own_code_that_is_not_the_same_on_a_worker_stops_the_run(
    there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the numbers of another learner would be stored as its own, or the lack of it as its failure."""
    body = "from tests.faults.estimators import Constant\nclass Mine(Constant):\n    pass\n"
    here, far = tmp_path / "here", tmp_path / "far"
    for folder in (here, far):
        folder.mkdir()
    (here / "mine.py").write_text(body)
    if there == "other":
        (far / "mine.py").write_text(body + "    def predict(self, X):\n        return super().predict(X) * 0\n")
    monkeypatch.syspath_prepend(str(here))
    learner = Learner(name="mine", steps=(Step(name="mine:Mine", kind="code"),))
    with dask(tmp_path, workers=0) as found:
        found.start_worker(path=str(far))
        how = replace(options(tmp_path / "run"), scheduler=found.address, trusted=frozenset({"mine"}))
        with pytest.raises(RunError, match="has not the code of mine that") as caught:
            carry_out([learner], [table()], THIRD, how)
    assert caught.value.exit_code == 1
    assert not [key for key in stored(tmp_path / "run") if key.startswith("trials")]
