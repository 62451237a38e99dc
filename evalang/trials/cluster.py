"""Many machines: the same tasks on a dask scheduler. Workers may come, go and die; results are the same.

Time and memory limits of a trial are those of the cluster's own workers (`--memory-limit`, the nanny): a process here
cannot end one there.
"""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
import time
from dataclasses import replace
from functools import lru_cache
from typing import Any

from threadpoolctl import threadpool_limits

from ..errors import RunError
from .capture import clean, quiet
from .cell import Task
from .executor import Finished
from .fit import Workshop, run_task
from .identity import version
from .options import RunOptions
from .trial import Failure, Trial

ALONE = 60.0  # seconds without a single worker before the run is given up
CONNECT = 15.0

_one_at_a_time = threading.Lock()  # warnings, output and numpy's global state belong to a whole process


def run_remote(task: Task, shop: Workshop, wanted: dict[str, str]) -> tuple[Trial, ...] | str:
    """A task on a worker of the cluster, or why it cannot run there; idempotent, as dask may run it twice."""
    found = versions()
    for name, here in wanted.items():
        if found[name] != here:
            return f"a worker of the cluster has {name} {found[name] or 'not at all'}, and this machine has {here}"
    with _one_at_a_time, threadpool_limits(limits=1), quiet() as printed:
        trials = run_task(task, shop)
    return tuple(replace(t, printed=printed.text()) for t in trials)


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """What a result depends on, on the machine that asks: other versions may give other numbers."""
    return {**{name: version(name) for name in ("evalang", "numpy", "scipy", "scikit-learn")}, "python": _python()}


def _python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


class Cluster:
    """Tasks as futures of a dask client."""

    def __init__(self, shop: Workshop, options: RunOptions) -> None:
        self.notes: list[str] = []
        try:
            import distributed
        except ImportError:
            raise RunError("running on many machines needs dask", hint='install "evalang[cluster]"') from None
        try:
            client: Any = distributed.Client
            self._client: Any = client(options.scheduler, timeout=CONNECT, set_as_default=False)
            self._client.wait_for_workers(1, timeout=ALONE)
        except (OSError, TimeoutError, ValueError) as error:
            raise RunError(
                f"the scheduler {options.scheduler} cannot be reached: {str(error)[:200]}",
                hint="start it with `dask scheduler` and one or more `dask worker ADDRESS --nthreads 1`",
            ) from None
        if options.trial_seconds is not None or options.trial_memory is not None:
            self.notes.append("limits of a trial do not reach a cluster: set them where its workers are started")
        self._shop = self._client.scatter(shop, broadcast=True)
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._tasks: dict[str, tuple[Task, Any]] = {}
        self._seen = time.monotonic()
        self._count = 0

    def room(self) -> int:
        return max(4, 2 * self._threads()) - len(self._tasks)

    def busy(self) -> int:
        return len(self._tasks)

    def submit(self, task: Task) -> None:
        self._count += 1
        key = f"evalang-{task.keys[0]}-{self._count}"
        future = self._client.submit(run_remote, task, self._shop, versions(), key=key, pure=False)
        self._tasks[key] = (task, future)
        future.add_done_callback(self._done.put)

    def wait(self, seconds: float) -> list[Finished]:
        finished: list[Finished] = []
        until = time.monotonic() + seconds
        while True:
            try:
                left = max(0.0, until - time.monotonic()) if not finished else 0.0
                future = self._done.get(timeout=left) if left else self._done.get_nowait()
            except queue.Empty:
                break
            known = self._tasks.pop(future.key, None)
            if known is not None:
                finished.append(self._finish(known[0], future))
        if finished:
            self._seen = time.monotonic()
        elif self._tasks:
            self._someone_there()
        return finished

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel([future for _, future in self._tasks.values()], force=True)
        self._tasks.clear()
        with contextlib.suppress(Exception):
            self._client.close(timeout=5)

    def _finish(self, task: Task, future: Any) -> Finished:
        try:
            found = future.result()
            if isinstance(found, str):
                raise RunError(found, hint="give every worker the versions of this machine, then run again")
            return Finished(task=task, trials=tuple(found))
        except RunError:
            raise
        except ImportError as error:
            raise RunError(
                f"a worker of the cluster cannot import what the trials need: {clean(str(error), 200)}",
                hint="install it where the workers run, then run again",
            ) from None
        except Exception as error:  # a worker that died too often, or was told to go
            words = f"was lost with its worker ({type(error).__name__})"
            return Finished(task=task, crash=Failure(kind="signal", error="WorkerDied", message=words))
        finally:
            future.release()

    def _threads(self) -> int:
        with contextlib.suppress(Exception):
            return int(sum(self._client.nthreads().values()))
        return 1

    def _someone_there(self) -> None:
        with contextlib.suppress(Exception):
            if self._client.nthreads():
                self._seen = time.monotonic()
        if time.monotonic() - self._seen > ALONE:
            raise RunError(
                f"the cluster has had no worker for {ALONE:.0f} seconds",
                hint="start workers and run again; every finished trial is kept",
            )
