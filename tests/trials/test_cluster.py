"""A real cluster: scheduler and workers as processes, lost and started again. Nothing of it is a learner's failure."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from evalang.errors import RunError
from evalang.plans.model import Learner, Scheme, Step
from evalang.trials import dask as engine
from evalang.trials.dask import RemoteRun, run_batch, versions
from evalang.trials.folder import Outcome
from evalang.trials.options import Progress, Report, RunOptions
from evalang.trials.own_code import used_packages

from ..support.calling import forked
from ..support.child import end, start
from ..support.dask_processes import Dask, dask
from ..support.engine import THIRD, carry_out, catalogue, options, own, stored, table
from ..support.running import children, trials_in, until
from .test_own_code import MINE, run_alone

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


@pytest.fixture(scope="module")
def scheduled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """A cluster for all that leave its scheduler alone, and at most one worker as usual."""
    with dask(tmp_path_factory.mktemp("standing"), workers=0) as found:
        yield found


@pytest.fixture
def standing(scheduled: Dask) -> Dask:
    """The same with a worker, the one that is there or a new one: starting it takes seconds."""
    if not scheduled.workers:
        scheduled.start_worker()
    return scheduled


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
    assert any("and repeated them, so no fit is missing" in note for note in outcome.notes)


def test_a_cluster_that_is_gone_stops_the_run(
    at_home: tuple[Path, dict[tuple[str, str], int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = at_home

    def gone(there: Dask) -> None:
        monkeypatch.setattr(engine, "GONE_SECONDS", 2.0)
        there.kill_scheduler()
        there.kill_worker()

    with dask(tmp_path) as there:
        how = replace(options(tmp_path / "run", **LIMITS), scheduler=there.address)
        with pytest.raises(RunError, match=r"the cluster at tcp://.* has been gone for 2 seconds") as caught:
            carried_out(how, after(8, lambda: gone(there)))
    assert caught.value.exit_code == 1
    assert "finished fits are kept" in caught.value.hint
    kept = stored(tmp_path / "run")
    assert 8 <= sum(1 for key in kept if key.startswith("trials")) < 40
    assert kept.items() <= stored(folder).items()
    resumed = carried_out(options(tmp_path / "run", 2, **LIMITS))
    assert resumed.reused >= 4  # failed ones are tried again
    assert stored(tmp_path / "run") == stored(folder)


@pytest.mark.parametrize("address", ["garbage", "nothing://x:1", "", "tls://127.0.0.1:9", "ucx://127.0.0.1:9"])
def test_an_address_that_is_none_is_said_at_once(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No client is made that would try to end itself for half a minute, and then say so in a traceback."""

    def client(*_: object, **__: object) -> None:
        raise AssertionError("a client was made")

    monkeypatch.setattr(import_module("distributed"), "Client", client)
    with pytest.raises(RunError, match=f"the scheduler {address} cannot be reached") as caught:
        carry_out(
            [catalogue("tree", "decision-tree")], [table()], SCHEME, replace(options(tmp_path), scheduler=address)
        )
    assert "dask scheduler" in caught.value.hint


def test_a_worker_without_evalang_is_named(scheduled: Dask, tmp_path: Path) -> None:
    """It could not read a task, would end without a word, and the run would wait for another."""
    how = replace(options(tmp_path / "run"), scheduler=scheduled.address)
    missing = pytest.raises(RunError, match="a worker of the cluster cannot import a package that the fits need")
    with scheduled.with_worker(without="evalang"), missing as caught:
        carried_out(how)
    assert caught.value.hint.startswith("install evalang")


@pytest.mark.parametrize("says", [b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", b""])
def test_a_server_that_is_no_scheduler_is_said(says: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that speaks HTTP, one that never says a word."""
    monkeypatch.setattr(engine, "CONNECT_SECONDS", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        ended = threading.Event()

        def serve() -> None:
            held = []
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    held.append(server.accept()[0])
                    held[-1].sendall(says)
            for one in held:
                one.close()

        beside = threading.Thread(target=serve)
        beside.start()
        try:
            how = replace(options(tmp_path), scheduler=f"tcp://127.0.0.1:{server.getsockname()[1]}")
            with pytest.raises(RunError, match="cannot be reached") as caught:
                carried_out(how)
        finally:
            ended.set()
            beside.join()
    assert "dask scheduler" in caught.value.hint


@pytest.mark.slow
def test_two_runs_share_a_cluster(at_home: tuple[Path, dict[tuple[str, str], int]], tmp_path: Path) -> None:
    """Each has processes of its own on the workers, and neither ends those of the other."""
    folder, _ = at_home
    with dask(tmp_path, workers=2) as there:

        def one(name: str) -> int:
            return int(not carried_out(replace(options(tmp_path / name, **LIMITS), scheduler=there.address)).complete)

        pids = [start(partial(one, name)) for name in ("first", "second")]
        assert [end(pid, 300) for pid in pids] == [0, 0]
    assert stored(tmp_path / "first") == stored(tmp_path / "second") == stored(folder)


@pytest.mark.slow
def test_stopped_by_the_keyboard_on_a_cluster(at_home: tuple[Path, dict[tuple[str, str], int]], tmp_path: Path) -> None:
    """Once: what runs is kept, no process of the run is left on the worker, and it can be taken up."""
    folder, _ = at_home
    with dask(tmp_path) as there:
        how = replace(options(tmp_path / "run", **LIMITS), scheduler=there.address)

        def work() -> int:
            return 130 * carried_out(how, after(5, lambda: os.kill(os.getpid(), signal.SIGINT))).interrupted

        assert end(start(work), 120) == 130
        until(lambda: not children(there.workers[0].pid))
        kept = stored(tmp_path / "run")
        assert kept.items() < stored(folder).items()
        assert carried_out(how).complete
    assert stored(tmp_path / "run") == stored(folder)


@pytest.mark.parametrize("busy", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_run_that_was_killed_leaves_no_process_on_a_worker(busy: bool, standing: Dask, tmp_path: Path) -> None:
    """Nobody tells the worker: in the midst of a trial of an hour, or when all are done and the run has not ended."""
    learner = own("slow", "Slow", seconds=3600.0) if busy else own("nothing", "Constant")
    how = replace(options(tmp_path / "run"), scheduler=standing.address)

    def work() -> int:
        carry_out([learner], [table()], THIRD, how, after(1, partial(time.sleep, 600)))
        return 0

    pid = start(work)
    until(lambda: children(standing.workers[0].pid) if busy else trials_in(tmp_path / "run"))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    until(lambda: not children(standing.workers[0].pid))
    _, after_it = carry_out([own("next", "Constant")], [table()], THIRD, replace(how, folder=tmp_path / "next"))
    assert after_it.complete  # the worker's thread is free again


def test_quick_trials_travel_together_and_none_is_lost(standing: Dask, tmp_path: Path) -> None:
    """A worker that is lost with a batch of them costs the time only."""
    scheme = Scheme(kind="repeated-cv", partitions=14, folds=10)
    quick = [own("nothing", "Constant")]
    carry_out(quick, [table()], scheme, options(tmp_path / "home", 2))
    how = replace(options(tmp_path / "run"), scheduler=standing.address)
    outcome = carry_out(quick, [table()], scheme, how, after(60, standing.replace_worker))[1]
    assert outcome.complete
    assert stored(tmp_path / "run") == stored(tmp_path / "home")
    (lost,) = (note for note in outcome.notes if "and repeated them, so no fit is missing" in note)
    assert int(lost.split()[3]) > 1


def test_what_own_code_is_written_with_is_compared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of a package that an own learner uses may give other numbers."""
    (tmp_path / "uses.py").write_text("import threadpoolctl\nfrom joblib import Memory\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = tuple(used_packages("uses"))
    assert {"threadpoolctl", "joblib"} <= set(found)
    old = {**versions(found), "joblib": "0.1"}
    run = RemoteRun(token="", versions=tuple(old.items()), options=options(tmp_path))
    assert run_batch((), b"", run).refused.startswith("a worker of the cluster has joblib")


def test_a_file_beside_the_script_travels_to_the_workers(standing: Dask, tmp_path: Path) -> None:
    """They have no path to the file: its text goes with the run, and the scores are those of a run at home."""
    (tmp_path / "mylearner.py").write_text(MINE)
    given = ('"mylearner:Mine"(depth = 3)', "--trust", "mylearner")
    away = run_alone(tmp_path, *given, "--out", "away", "--scheduler", standing.address)
    assert not json.loads(away.stdout)["failures"], away.stderr
    home = forked("run", "s.eval", "--format", "json", *given[1:], "--out", "home", cwd=tmp_path)
    assert json.loads(away.stdout)["comparisons"] == json.loads(home.out)["comparisons"]


def test_own_code_that_is_not_the_same_on_a_worker_stops_the_run(
    scheduled: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the numbers of another learner would be stored as its own, or the lack of it as its failure."""
    body = "from tests.support.estimators import Constant\nclass Mine(Constant):\n    pass\n"
    here, far = tmp_path / "here", tmp_path / "far"
    for folder in (here, far):
        folder.mkdir()
    (here / "another.py").write_text(body)
    (far / "another.py").write_text(body + "    def predict(self, X):\n        return super().predict(X) * 0\n")
    (here / "missing.py").write_text(body)
    monkeypatch.syspath_prepend(str(here))
    with scheduled.with_worker(path=str(far)):
        for name in ("another", "missing"):
            learner = Learner(name=name, steps=(Step(name=f"{name}:Mine", kind="code"),))
            run = tmp_path / name
            how = replace(options(run), scheduler=scheduled.address, trusted=frozenset({name}))
            with pytest.raises(RunError, match=f"has different code of {name} from this machine") as caught:
                carry_out([learner], [table()], THIRD, how)
            assert caught.value.exit_code == 1
            assert not [key for key in stored(run) if key.startswith("trials")]


def test_a_worker_with_another_linear_algebra_is_named(
    standing: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "kernels", lambda: ("openblas 0.0.1 Other",))
    how = replace(options(tmp_path / "run"), scheduler=standing.address)
    outcome = carry_out([catalogue("tree", "decision-tree")], [table()], THIRD, how)[1]
    ((worker, found),) = outcome.kernels
    assert worker.startswith("tcp://")
    assert found != "openblas 0.0.1 Other"
    assert any("this machine with openblas 0.0.1 Other: the last digits" in note for note in outcome.notes)


def test_a_scheduler_without_workers_is_said_to_have_none(
    scheduled: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "GONE_SECONDS", 1.0)
    scheduled.end_workers()
    how = replace(options(tmp_path / "run"), scheduler=scheduled.address)
    with pytest.raises(RunError, match="has been gone for 1 seconds: no worker has joined"):
        carry_out([catalogue("tree", "decision-tree")], [table()], THIRD, how)
