"""Many machines: the same tasks on a dask scheduler. Workers and the scheduler itself may come, go and die.

Whatever the cluster loses is put back and sent again. When that does not help, the run stops and says so: nothing that
a cluster does is ever taken for the failure of a learner.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
import uuid
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from pkgutil import resolve_name
from typing import Any

from ..errors import RunError
from .capture import clean
from .executor import Finished
from .expand import Task
from .fit import Workshop
from .options import RunOptions
from .remote import BATCH, RemoteRun, close_pools, run_remote, unlike, versions
from .resolve import package_behind, used_by
from .same_code import EVALANG
from .starting import pack

ALONE = 60.0  # seconds without scheduler or worker before the run is given up
LOST = 5  # times that one task is sent again
CONNECT = 15.0
AGAIN = 2.0  # seconds of one attempt to reach a scheduler that was lost
LOOK = 1.0  # seconds between two looks at who is there
JUMP = 1.0  # seconds that the wall clock may gain or lose between two looks
AHEAD = 2  # batches for each thread that the scheduler has, and as many more
MOST = 64  # tasks of a batch


class Cluster:
    """Tasks as futures of a dask client."""

    def __init__(self, shop: Workshop, options: RunOptions) -> None:
        self.notes: list[str] = []
        self._address = options.scheduler
        limits = RunOptions(jobs=1, trial_seconds=options.trial_seconds, trial_memory=options.trial_memory)
        wanted = tuple(versions(_behind(shop)).items())
        self._run = RemoteRun(token=uuid.uuid4().hex, wanted=wanted, options=limits)
        self._bytes = pack(shop, options.trial_memory)
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._waiting: deque[Task] = deque()
        self._sent: dict[str, tuple[tuple[Task, ...], Any]] = {}
        self._under_way = 0  # tasks sent
        self._paces: dict[int, float] = {}  # seconds that the tasks of a cell took of late
        self._size = 1  # tasks of a batch, by the latest of them
        self._lost: Counter[str] = Counter()
        self._losses = 0
        self._client: Any = None
        self._packed: Any = None  # the workshop, as a future of the cluster
        self._threads = self._count = 0
        self._asked: set[str] = set()  # workers that can import evalang
        self._off = _clock()
        self._levels: dict[str, int] = {}
        try:
            self._client = self._connect(CONNECT)
            self._client.wait_for_workers(1, timeout=ALONE)
        except Exception as error:  # of any kind: TLS without a certificate, a protocol that lacks its library
            self.close()
            if isinstance(error, RunError):
                raise
            raise RunError(
                f"the scheduler {clean(str(self._address), 100)} cannot be reached: {clean(str(error), 200)}",
                hint="start it with `dask scheduler` and one or more `dask worker ADDRESS --nthreads 1`",
            ) from None
        self._seen = self._looked = time.monotonic()

    def room(self) -> int:
        return max(0, AHEAD * (self._threads + 1) * self._size - self.busy())

    def busy(self) -> int:
        return self._under_way + len(self._waiting)

    def hands(self) -> int:
        return self._threads

    def submit(self, task: Task) -> None:
        self._waiting.append(task)

    def wait(self, seconds: float) -> list[Finished]:
        if time.monotonic() - self._looked > LOOK or not self._threads:
            self._look()
        self._send()
        finished = [one for future in self._arrived(seconds) for one in self._finish(future)]
        if finished:
            self._seen = time.monotonic()
        return finished

    def close(self) -> None:
        self._waiting.clear()
        self._sent.clear()
        self._under_way = 0
        if self._client is not None and self._client.status == "running":
            with contextlib.suppress(Exception):
                self._client.sync(
                    self._client._run, close_pools, self._run.token, wait=True, on_error="ignore", callback_timeout=5
                )
        with contextlib.suppress(Exception):
            self._client.close(timeout=5)
        self._client = None
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)
        self._levels.clear()

    def _connect(self, seconds: float) -> Any:
        try:
            import distributed
        except ImportError:
            raise RunError("running on many machines needs dask", hint='install "evalang[cluster]"') from None
        library: Any = distributed
        self._levels = _silence() | self._levels
        _reach(library, str(self._address), seconds)
        return library.Client(self._address, timeout=seconds, set_as_default=False)

    def _look(self) -> None:
        """Who is there; what a lost scheduler or a lost copy of the data took with it is put back."""
        self._looked = time.monotonic()
        self._threads = 0
        try:
            if self._client.status != "running" or self._clock_jumped():
                self._put_all_back()
                self._client.close(timeout=1)
                self._client = self._connect(AGAIN)
            threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=AGAIN)
            self._ask(threads.keys() - self._asked)
            self._threads = sum(threads.values())
            if self._threads and (self._packed is None or self._packed.status not in ("finished", "pending")):
                self._put_all_back()
                self._packed = self._client.scatter(self._bytes, hash=False, timeout=AGAIN)
        except RunError:
            raise
        except Exception as error:  # of any kind: a cluster that is going down says it in many ways
            self._gone(f"{type(error).__name__}: {error}")
            return
        if self._threads:
            self._seen = time.monotonic()
        else:
            self._gone("it has no worker")

    def _clock_jumped(self) -> bool:
        """A client of dask that sent something at an instant which now lies ahead sends no more until it is there."""
        before, self._off = self._off, _clock()
        return abs(self._off - before) > JUMP

    def _ask(self, workers: set[str]) -> None:
        """Whether new workers have this evalang: a dask worker that cannot read a task ends without a word."""
        if not workers:
            return
        found = self._client.sync(
            self._client._run, resolve_name, "evalang.trials.same_code.EVALANG",
            workers=sorted(workers), wait=True, on_error="return", callback_timeout=AGAIN * 5,
        )  # fmt: skip
        for answer in found.values():
            if isinstance(answer, (ImportError, AttributeError)) and "evalang." in str(answer):
                raise _unlike(unlike("evalang", "of another code", EVALANG))
            if isinstance(answer, ImportError):
                raise _without(str(answer))
            if isinstance(answer, str) and answer != EVALANG:
                raise _unlike(unlike("evalang", answer, EVALANG))
        self._asked |= {worker for worker, answer in found.items() if isinstance(answer, str)}

    def _gone(self, reason: str) -> None:
        self._threads = 0
        if time.monotonic() - self._seen > ALONE:
            raise RunError(
                f"the cluster has been gone for {ALONE:.0f} seconds: {clean(reason, 200)}",
                hint="every finished trial is kept; start scheduler and workers and run again to go on from there",
            )

    def _put_all_back(self) -> None:
        if self._sent:
            self._note(self._under_way)
            for tasks, _ in reversed(self._sent.values()):
                self._waiting.extendleft(reversed(tasks))
            self._sent.clear()
            self._under_way = 0
        self._packed = None

    def _note(self, lost: int) -> None:
        self._losses += lost
        self.notes[:] = [f"the cluster lost work and got it again, {self._losses} times: no trial is missing for it"]

    def _send(self) -> None:
        while self._waiting and self._packed is not None and len(self._sent) < AHEAD * (self._threads + 1):
            if not self._threads:
                return
            tasks = self._batch()
            self._count += 1
            key = f"evalang-{self._run.token}-{self._count}"
            run = replace(self._run, tables=self._packed.key)
            try:
                future = self._client.submit(run_remote, tasks, self._packed, run, key=key, pure=False)
            except Exception:  # the client is closing
                self._waiting.extendleft(reversed(tasks))
                self._threads = 0
                return
            self._sent[key] = (tasks, future)
            self._under_way += len(tasks)
            future.add_done_callback(self._done.put)

    def _batch(self) -> tuple[Task, ...]:
        """Tasks for so long as is worth a journey; one alone of which nothing is known, or that was lost before."""
        tasks = [self._waiting.popleft()]
        most = min(MOST, -(-len(self._waiting) // self._threads))  # the last ones are shared out
        seconds = self._seconds(tasks[0])
        while self._waiting and len(tasks) < most:
            seconds += self._seconds(self._waiting[0])
            if seconds > BATCH:
                break
            tasks.append(self._waiting.popleft())
        return tuple(tasks)

    def _seconds(self, task: Task) -> float:
        return BATCH if task.keys[0] in self._lost else self._paces.get(task.cell, BATCH)

    def _arrived(self, seconds: float) -> Iterator[Any]:
        """Futures that are done: the first after so many seconds at most, the others if they are there."""
        try:
            yield self._done.get(timeout=seconds)
            while True:
                yield self._done.get_nowait()
        except queue.Empty:
            return

    def _finish(self, future: Any) -> list[Finished]:
        tasks, _ = self._sent.pop(future.key, ((), None))
        if not tasks:  # they were put back already
            return []
        self._under_way -= len(tasks)
        try:
            found = future.result(timeout=self._patience(tasks))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            self._again(tasks, error)
            return []
        finally:
            with contextlib.suppress(Exception):
                future.release()
        if isinstance(found, str):
            raise _unlike(found)
        if not found:
            self._again(tasks, RuntimeError("a worker was told that nobody waits for it"))
            return []
        return self._sorted_out(tasks, found)

    def _patience(self, tasks: tuple[Task, ...]) -> float:
        """Seconds for an answer to travel: more for one that was lost before, as it may be long or its way slow."""
        return float(min(ALONE, AGAIN * 4 ** max(self._lost[task.keys[0]] for task in tasks)))

    def _sorted_out(self, tasks: tuple[Task, ...], found: tuple[Finished, ...]) -> list[Finished]:
        """What was done; what a worker found no time for is sent again, and was not lost."""
        asked = {task.keys: task for task in tasks}
        finished = [replace(one, task=asked.pop(one.task.keys)) for one in found]
        self._waiting.extendleft(reversed(asked.values()))
        for one in finished:
            if one.crash is None:
                before = self._paces.get(one.task.cell, one.seconds)
                self._paces[one.task.cell] = max(1e-4, 0.7 * before + 0.3 * one.seconds)
                self._size = min(MOST, max(1, int(BATCH / self._paces[one.task.cell])))
        return finished

    def _again(self, tasks: tuple[Task, ...], error: BaseException) -> None:
        """Lost with a worker or with the scheduler: send them once more."""
        self._note(len(tasks))
        self._lost.update(task.keys[0] for task in tasks)
        missing = _missing_import(error)
        if missing:
            raise _without(missing)
        if max(self._lost[task.keys[0]] for task in tasks) > LOST:
            words = clean(f"{type(error).__name__}: {error}", 200)
            raise RunError(
                f"the cluster lost the same trial {LOST + 1} times: {words}",
                hint="every finished trial is kept; look at what the workers say and run again to go on from there",
            )
        self._waiting.extendleft(reversed(tasks))
        self._threads = 0  # look again before sending


def _behind(shop: Workshop) -> tuple[str, ...]:
    """The distributions that code of somebody's own among the learners is written with."""
    steps = [step for cell in shop.cells for step in cell.learner.steps]
    own = {step.name.partition(":")[0] for step in steps if step.kind == "code"}
    return used_by(own | {package_behind(step) for step in steps} - {""})


def _clock() -> float:
    """What the wall clock says beyond the one that never jumps."""
    return time.time() - time.monotonic()


def _silence() -> dict[str, int]:
    """What a cluster loses is said here in one sentence, and dask would add tracebacks; the levels that were there."""
    found = (logging.getLogger(name) for name in tuple(logging.root.manager.loggerDict))
    levels = {one.name: one.level for one in found if one.name.partition(".")[0] in ("distributed", "asyncio")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return levels


def _reach(library: Any, address: str, seconds: float) -> None:
    """OSError or ValueError when nobody is there; a client that cannot connect takes half a minute to end itself."""
    if not address.strip():  # dask would try to reach it all the same
        raise ValueError("the address is empty")

    async def once() -> None:
        secured = library.Security().get_connection_args("client")
        (await library.comm.connect(address, timeout=seconds, **secured)).abort()

    def attempt() -> None:
        try:
            answered.put(asyncio.run(once()))
        except BaseException as error:
            answered.put(error)

    answered: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
    # A notebook has a loop of its own in this thread; and dask waits for ever for one who takes a call and is silent.
    threading.Thread(target=attempt, daemon=True).start()
    try:
        problem = answered.get(timeout=2 * seconds)
    except queue.Empty:
        raise OSError("whoever is there does not answer") from None
    if isinstance(problem, MemoryError):  # the first word of a stranger was taken for a length
        raise OSError("whoever is there is no scheduler") from None
    if problem is not None:
        raise problem


def _unlike(words: str) -> RunError:
    return RunError(words, hint="give every worker the versions and the code of this machine, then run again")


def _without(missing: str) -> RunError:
    return RunError(
        f"a worker of the cluster cannot import what the trials need: {clean(missing, 200)}",
        hint="install evalang and what it needs where the workers run, then run again",
    )


def _missing_import(error: BaseException | None) -> str:
    while error is not None:
        if isinstance(error, ImportError):
            return str(error)
        error = error.__cause__ or error.__context__
    return ""
