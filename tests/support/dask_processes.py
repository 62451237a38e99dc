"""A dask scheduler and dask workers as processes of their own, to be killed and started again."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


class Dask:
    """As the page on many machines starts them, on this one."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._folder = folder
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    def start_scheduler(self) -> None:
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard")

    def start_worker(self, without: str = "", path: str = "") -> None:
        """`without`: a package that it shall not find; `path`: a folder in which it looks for modules first."""
        options = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--memory-limit", "0")
        self.workers.append(
            self._start(
                "worker", self.address, *options, "--local-directory", str(self._folder), without=without, path=path
            )
        )

    def kill_scheduler(self) -> None:
        assert self.scheduler is not None
        self._kill(self.scheduler)
        self.scheduler = None

    def kill_worker(self) -> None:
        self._kill(self.workers.pop(0))

    def replace_worker(self) -> None:
        self.kill_worker()
        self.start_worker()

    @contextlib.contextmanager
    def with_worker(self, without: str = "", path: str = "") -> Iterator[None]:
        """Such a worker in the place of all others; then there is none."""
        self.end_workers()
        self.start_worker(without, path)
        try:
            yield
        finally:
            self.end_workers()

    def numbers(self) -> set[int]:
        """The processes of it all."""
        return {process.pid for process in (*self.workers, self.scheduler) if process is not None}

    def close(self) -> None:
        self.end_workers()
        if self.scheduler is not None:
            self.kill_scheduler()

    def end_workers(self) -> None:
        while self.workers:
            self.kill_worker()

    def _start(self, kind: str, *options: str, without: str = "", path: str = "") -> subprocess.Popen[bytes]:
        root = str(Path(__file__).parents[2])
        program = f"import sys; sys.modules[{without!r}] = None; from distributed.cli.dask_{kind} import main; main()"
        return subprocess.Popen(
            [sys.executable, "-c", program, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,  # Python looks there first, and shall find nothing
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (path, root)))},
        )

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGKILL)
        process.wait()


@contextlib.contextmanager
def dask(folder: Path, workers: int = 1) -> Iterator[Dask]:
    """A scheduler and some workers."""
    found = Dask(folder)
    try:
        found.start_scheduler()
        for _ in range(workers):
            found.start_worker()
        yield found
    finally:
        found.close()
