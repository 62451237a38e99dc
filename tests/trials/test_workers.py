"""The pool of worker processes, driven by workers that are slow, quick, dead, silent or talkative as chance has it.

The workers here are the test's own: it holds their ends of real sockets, so that every interleaving is a sequence of
steps. What is shown: the parent never waits for a worker, every task comes back once, and only a worker that died, lied
or was late costs a trial. No clock of the machine is asked: an end that would wait says so, and what has to come to an
end may take as many turns as it likes, so long as something moves in them.
"""

from __future__ import annotations

import contextlib
import pickle
import selectors
import signal
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from evalang.errors import RunError
from evalang.trials import nursery, schedule, workers
from evalang.trials.expand import Task
from evalang.trials.fit import Workshop
from evalang.trials.nursery import Nursery
from evalang.trials.options import RunOptions
from evalang.trials.processes import Channel, end_all
from evalang.trials.starting import Started, launch_packed, pack, signal_group
from evalang.trials.trial import Trial
from evalang.trials.worker import Ready, TaskAnswer

from ..faults.stress import many
from .made import FIVEFOLD, carry_out, options, own, stored, table

NOBODYS = 2**22 + 1  # a number that no process has: some code may send it a signal
LIMIT = 60.0  # seconds that a trial may take, by the test's own clock
STILL = 5  # turns in which nothing moves: a new worker needs two to be heard and told
WAITS = "the parent waits for a worker"
SIGNED = b"evalang\0"
HEADER = struct.Struct("!8sQ")


def headed(length: int) -> bytes:
    """The head of a message of so many bytes."""
    return HEADER.pack(SIGNED, length)


class ParentsEnd(socket.socket):
    """The parent's end of a socket: where it would wait, it says so."""

    def __init__(self, number: int) -> None:
        super().__init__(fileno=number)
        self.setblocking(True)

    def setblocking(self, flag: bool) -> None:
        self._waits = flag
        super().setblocking(False)

    def send(self, *given: Any) -> int:
        return int(self._at_once(super().send, *given))

    def sendall(self, *given: Any) -> None:
        self._at_once(super().sendall, *given)

    def recv(self, *given: Any) -> bytes:
        return bytes(self._at_once(super().recv, *given))

    def _at_once(self, call: Callable[..., Any], *given: Any) -> Any:
        try:
            return call(*given)
        except BlockingIOError:
            assert not self._waits, WAITS
            raise


class Looks(selectors.DefaultSelector):
    """A selector that may look, and not wait."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout == 0, WAITS
        return super().select(timeout)


class Acted:
    """A worker that does what it is told to, one step at a time; it plays the process too."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        ours, self.end = socket.socketpair()
        self.ours = ParentsEnd(ours.detach())
        self.end.setblocking(False)
        self.moved = 0  # bytes read and written
        self.code: int | None = None
        self.spent = ""
        self.broken = False  # it did what no worker of ours does
        self.coming, self.going = bytearray(), bytearray()

    def poll(self) -> int | None:
        return self.code

    def join(self, seconds: float) -> None:
        assert seconds < 10

    def say(self, message: object) -> None:
        body = pickle.dumps(message)
        self.going += headed(len(body)) + body

    def write(self, most: int) -> None:
        """As much as the socket takes: a real worker would wait here."""
        with contextlib.suppress(OSError):
            sent = self.end.send(self.going[:most]) if self.going and self.code is None else 0
            del self.going[:sent]
            self.moved += sent

    def read(self, most: int) -> None:
        with contextlib.suppress(OSError):
            if self.code is None:
                piece = self.end.recv(most)
                self.coming += piece
                self.moved += len(piece)

    def answer(self, size: int, spent: str = "") -> None:
        """Answer the first task that has come in whole; one that is spent does nothing more."""
        if len(self.coming) < HEADER.size or self.broken or self.spent:
            return
        end = HEADER.size + HEADER.unpack_from(self.coming)[1]
        if len(self.coming) >= end:
            task = pickle.loads(bytes(self.coming[HEADER.size : end]))  # noqa: S301
            del self.coming[:end]
            self.spent = spent
            self.say(self.words(task, size))

    def words(self, task: Task, size: int) -> object:
        printed = "x" * (size // len(task.keys))
        trials = tuple(
            Trial(key=key, partition=0, fold=0, training=0, train_size=0, test_size=0, printed=printed)
            for key in task.keys
        )
        return TaskAnswer(trials=trials, seconds=0.001, spent=self.spent)

    def die(self, code: int, held: bool) -> None:
        """`held`: something it started keeps the socket open."""
        self.code = code
        if not held:
            self.end.close()


WHICH = st.integers(0, 3)
SIZES = st.sampled_from([1, 100, 10_000, 1_000_000])


class Pool(RuleBasedStateMachine):
    """The pool as the schedule uses it, against workers as chance uses them."""

    def make(self) -> Any:
        """The pool, with the acted workers in the place of processes."""
        return workers.Local(None, RunOptions(jobs=self.jobs, trial_seconds=LIMIT), self.started)  # type: ignore[arg-type]

    @initialize(jobs=st.integers(1, 4))
    def begin(self, jobs: int) -> None:
        self.jobs, self.now, self.count = jobs, 1000.0, 0
        self.clock = SimpleNamespace(monotonic=lambda: self.now, sleep=lambda seconds: None)
        self.patches = pytest.MonkeyPatch()
        self.patches.setattr(workers, "time", self.clock)
        self.patches.setattr(workers, "signal_group", self.kill)
        self.patches.setattr(workers, "selectors", SimpleNamespace(**{**vars(selectors), "DefaultSelector": Looks}))
        self.late = False
        self.actors: list[Acted] = []
        self.out: dict[str, Task] = {}
        self.back: set[str] = set()
        self.faults = 0
        self.pool = self.make()

    def started(self, *_: object) -> Started:
        actor = Acted(NOBODYS + len(self.actors))
        actor.say(Ready())
        if not self.late:
            actor.write(10_000)
        self.actors.append(actor)
        return Started(actor, actor.ours)

    def kill(self, process: Acted, number: int) -> None:
        if process.code is None:
            process.die(-number, held=False)

    @property
    def alive(self) -> list[Acted]:
        """Those that the pool counts on."""
        return [actor for actor in self.actors if actor.code is None and actor.ours.fileno() >= 0]

    def actor(self, which: int) -> Acted:
        return self.alive[which % len(self.alive)]

    @rule(width=st.sampled_from([40, 40, 40, 100_000]), count=st.integers(1, 80))
    def submit(self, width: int, count: int) -> None:
        """Tasks of a few bytes, or of so many that a socket does not hold three."""
        for _ in range(count):
            if self.pool.room() <= 0:
                return
            self.count += 1
            task = Task(0, 0, 0, (0,), (f"{self.count}-{0:0{width}}",))
            self.out[task.keys[0]] = task
            self.pool.submit(task)

    @rule()
    def turn(self) -> None:
        for one in self.pool.wait(0):
            key = one.task.keys[0]
            assert key in self.out
            assert key not in self.back
            self.back.add(key)
            if one.crash is None:
                assert tuple(trial.key for trial in one.trials) == one.task.keys
            else:
                self.faults -= 1  # every lost trial has a fault of its own behind it
                assert self.faults >= 0

    @rule(late=st.booleans())
    def start_late(self, late: bool) -> None:
        """Whoever is started from now on says that it is ready when it is told to write, or at once again."""
        self.late = late

    @rule(which=WHICH, most=SIZES)
    def read(self, which: int, most: int) -> None:
        self.actor(which).read(most)

    @rule(which=WHICH, size=SIZES, count=st.integers(1, 64))
    def answer(self, which: int, size: int, count: int) -> None:
        actor = self.actor(which)
        for _ in range(count if size < 10_000 else 1):
            actor.read(100_000)
            actor.answer(size)

    @rule(count=st.integers(1, 12))
    def all_are_quick(self, count: int) -> None:
        """Everybody does what there is, time and again, so that the pool comes to give them much at once."""
        for _ in range(count):
            self.submit(40, self.jobs)
            for actor in self.alive:
                actor.read(100_000)
                actor.answer(1)
                actor.write(100_000)
            self.turn()

    @rule(which=WHICH)
    def answer_for_the_last_time(self, which: int) -> None:
        """It goes when its answer has been heard, and nothing is lost with it."""
        self.actor(which).read(100_000)
        self.actor(which).answer(1, "a learner changed it")

    @rule(which=WHICH, most=SIZES)
    def write(self, which: int, most: int) -> None:
        self.actor(which).write(most)

    @rule(which=WHICH, code=st.sampled_from([0, 1, -9, -11]), held=st.booleans())
    def die(self, which: int, code: int, held: bool) -> None:
        self.faults += 1
        actor = self.actor(which)
        if not actor.moved:  # those that die before they are ready have a test of their own
            actor.write(10_000)
        actor.die(code, held)
        self.turn()

    @rule(which=WHICH, junk=st.sampled_from([b"\0" * 9, b"\0\0\0\0\0\1\0\0", b"x", headed(3) + b"abc", headed(10**12)]))
    def babble(self, which: int, junk: bytes) -> None:
        self.faults += 1
        actor = self.actor(which)
        actor.broken = True
        actor.going += junk

    @rule(which=WHICH)
    def answer_without_being_asked(self, which: int) -> None:
        self.faults += 1
        actor = self.actor(which)
        actor.broken = True
        actor.say(actor.words(Task(0, 0, 0, (0,), ("nobody's",)), 1))

    @rule(seconds=st.sampled_from([1.0, LIMIT + 1]))
    def time_goes_by(self, seconds: float) -> None:
        if seconds > LIMIT:
            self.faults += len(self.alive)
        for _ in range(int(seconds)):
            self.now += 1.0
            self.turn()

    @rule(seconds=st.sampled_from([1.0, LIMIT / 2, 10 * LIMIT]))
    def all_stand_still(self, seconds: float) -> None:
        """Parent and workers are stopped and go on later: nobody is to blame."""
        self.turn()
        self.now += seconds
        self.turn()

    @invariant()
    def is_bounded(self) -> None:
        if hasattr(self, "pool"):
            assert self.pool.busy() == len(self.out) - len(self.back)
            assert self.pool.standing == self.jobs
            assert self.pool.busy() <= self.jobs * workers.MOST_AHEAD * 2

    def teardown(self) -> None:
        if not hasattr(self, "pool"):
            return
        try:
            before, still = -1, 0
            while self.pool.busy() and still < STILL:
                for actor in self.alive:
                    for _ in range(64):
                        actor.read(1_000_000)
                        actor.answer(1)
                        actor.write(1_000_000)
                    if actor.broken:
                        self.faults += 1
                        actor.die(1, held=False)
                self.turn()
                before, still = self.moved, still + 1 if self.moved == before else 0
            assert not self.pool.busy()
            assert self.back == set(self.out)
        finally:
            self.end()

    @property
    def moved(self) -> int:
        """What only grows, with every byte, every worker and every task that comes back."""
        return sum(actor.moved for actor in self.actors) + len(self.actors) + len(self.back)

    def end(self) -> None:
        self.pool.close()
        self.patches.undo()
        for actor in self.actors:
            actor.end.close()


Pool.TestCase.settings = settings(
    max_examples=30, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestPool = Pool.TestCase


class _Waits(Channel):
    """As the first pool sent: until all of it is in the socket."""

    def flush(self) -> None:
        self._end.setblocking(True)
        with contextlib.suppress(OSError):
            self._end.sendall(self._going)
        self._going.clear()
        self._end.setblocking(False)


class _First(workers.Local):
    """As the first pool chose: the worker with the least work, full or not."""

    def submit(self, task: Task) -> None:
        min(self._workers, key=lambda one: one.load).give(task)


class FirstPool(Pool):
    def make(self) -> Any:
        self.patches.setattr(workers, "Channel", _Waits)
        return _First(None, RunOptions(jobs=self.jobs, trial_seconds=LIMIT), self.started)  # type: ignore[arg-type]

    def teardown(self) -> None:
        self.end()


def test_the_first_pool_fails_the_machine() -> None:
    """What the machine is for: a parent that waits in a send to a worker that waits in a send to the parent."""
    once = settings(Pool.TestCase.settings, max_examples=500, phases=[Phase.generate], derandomize=True, database=None)
    with pytest.raises(AssertionError, match=WAITS):
        run_state_machine_as_test(FirstPool, settings=once)


@pytest.mark.parametrize("stopped", [True, False])
def test_a_run_that_stood_still_takes_no_time_from_a_trial(stopped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A suspended job, a paused container: parent and worker are stopped, and nobody worked in that time."""
    clock = SimpleNamespace(monotonic=lambda: now, sleep=lambda seconds: None)
    monkeypatch.setattr(workers, "time", clock)
    monkeypatch.setattr(workers, "signal_group", lambda process, number: process.die(-number, held=False))
    actors: list[Acted] = []

    def started(*_: object) -> Started:
        actors.append(Acted(NOBODYS))
        actors[-1].say(Ready())
        actors[-1].write(1000)
        return Started(actors[-1], actors[-1].ours)

    now = 1000.0
    pool = workers.Local(None, RunOptions(jobs=1, trial_seconds=LIMIT), started)  # type: ignore[arg-type]
    assert not pool.wait(0)
    pool.submit(Task(0, 0, 0, (0,), ("key",)))
    for _ in range(1 if stopped else int(LIMIT) + 1):
        now += LIMIT + 1 if stopped else 1.0
        finished = pool.wait(0)
    assert [one.crash and one.crash.kind for one in finished] == ([] if stopped else ["timeout"])
    if stopped:
        actors[0].read(10_000)
        actors[0].answer(1)
        actors[0].write(10_000)
        assert [one.crash for one in pool.wait(0)] == [None]
    pool.close()


def test_workers_that_are_born_dead_are_nobodys_failure() -> None:
    """A worker that cannot even begin says something about the machine and nothing about a learner."""

    def stillborn(*_: object) -> Started:
        actor = Acted(NOBODYS)
        actor.die(1, held=False)
        return Started(actor, actor.ours)

    pool = workers.Local(None, RunOptions(jobs=2), stillborn)  # type: ignore[arg-type]
    pool.submit(Task(0, 0, 0, (0,), ("k",)))
    turns = (pool.wait(0) for _ in range(10))
    with pytest.raises(RunError, match="5 worker processes in a row ended before they could work"):
        assert not any(turns)
    pool.close()


def test_many_quick_trials(tmp_path: Path) -> None:
    """A small part of `python -m tests.faults.stress`: parent and workers once waited for each other for ever."""
    assert many(tmp_path, 1000, 2, seconds=0)[0] == 1000


def test_a_learner_that_ends_its_process_costs_no_start_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine of a cluster, where a worker is launched: after two starts all others are copies."""
    launched: list[str] = []
    nurseries: list[Nursery] = []

    def launch(packed: bytes, *entry: str) -> Started:
        launched.extend(entry or ("worker",))
        return launch_packed(packed, *entry)

    def local(shop: Workshop, how: RunOptions) -> workers.Local:
        nurseries.append(Nursery(pack(shop, how.trial_memory)))
        return workers.Local(None, how, lambda *_: nurseries[0].start())

    learners = [own("ends", "Ends", code=3, without=7), own("killed", "Ends", signal="SIGKILL"), own("good", "Slow")]
    carry_out(learners, [table()], FIVEFOLD, options(tmp_path / "home", 1))
    monkeypatch.setattr(nursery, "launch_packed", launch)
    monkeypatch.setattr(schedule, "Local", local)
    _, outcome = carry_out(learners, [table()], FIVEFOLD, options(tmp_path / "there", 1))
    assert [f.learner for f in outcome.failed] == ["ends"] + ["killed"] * 5
    assert stored(tmp_path / "there") == stored(tmp_path / "home")
    assert launched == ["worker", "evalang.trials.nursery import nurse"]
    end_all({nurseries[0]._process.pid}, 0)  # type: ignore[union-attr]
    another = nurseries[0].start()  # one that cannot copy is done without
    assert launched[2:] == ["worker"]
    assert another.process.poll() is None
    signal_group(another.process, signal.SIGKILL)
    another.process.join(10)
    another.end.close()
