"""Learners that misbehave, each in one way, and learners that tell what was done to them."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import threadpoolctl


class Constant:
    """Predicts the most frequent class (or the mean) of its training rows; parameters are kept as they come."""

    def __init__(self, **parameters: Any) -> None:
        self.parameters = parameters
        self.__dict__.update(parameters)

    def fit(self, X: Any, y: Any) -> Constant:
        self.misbehave(X, y)
        values, counts = np.unique(y, return_counts=True)
        self.answer = values[np.argmax(counts)]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.answer)

    def misbehave(self, X: Any, y: Any) -> None:
        """Nothing, here."""

    def meant(self, X: Any) -> bool:
        """Whether this is the fold to misbehave on: the one that tests row `without`, or all when none is named."""
        row = self.parameters.get("without")
        return row is None or float(row) not in X[:, 0]


class Raises(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        if self.meant(X):
            raise ValueError("the data are not to my taste")


class RaisesAt(Constant):
    """Fails in its `turn`-th fit, counted in a file `note`."""

    def misbehave(self, X: Any, y: Any) -> None:
        with Path(self.parameters["note"]).open("a") as file:
            file.write(".")
        if len(Path(self.parameters["note"]).read_text()) == self.parameters["turn"]:
            raise ValueError("not this time")


class _Awkward(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")
        self.held = lambda: one


class RaisesAwkward(Constant):
    """An exception that cannot be pickled or made again from its arguments."""

    def misbehave(self, X: Any, y: Any) -> None:
        raise _Awkward(1, 2)


class _Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class RaisesMute(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        raise _Mute


class Exits(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        sys.exit(3)


class Interrupts(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        raise KeyboardInterrupt


class Ends(Constant):
    """Ends its process: `code` without clean-up, or `signal` by name. With `once`, a file, only the first time."""

    def misbehave(self, X: Any, y: Any) -> None:
        if not self.meant(X):
            return
        once = self.parameters.get("once")
        if once is not None:
            if Path(once).exists():
                return
            Path(once).touch()
        if "signal" in self.parameters:
            os.kill(os.getpid(), getattr(signal, self.parameters["signal"]))
            time.sleep(5)
        os._exit(self.parameters.get("code", 1))


class Segfaults(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        if self.meant(X):
            ctypes.string_at(0)


class Recurses(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        self.misbehave(X, y)


class OutOfMemory(Constant):
    """Asks for so many megabytes; without a limit it claims to have failed."""

    def misbehave(self, X: Any, y: Any) -> None:
        megabytes = self.parameters.get("megabytes")
        if megabytes is None:
            raise MemoryError
        self.held = np.ones(megabytes * 2**17)


class Hangs(Constant):
    """Sleeps; with `deaf` it takes no notice of SIGTERM."""

    def misbehave(self, X: Any, y: Any) -> None:
        if self.meant(X):
            if self.parameters.get("deaf"):
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)


class Slow(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        time.sleep(self.parameters.get("seconds", 0.05) + len(X) * self.parameters.get("per_row", 0.0))


class Signs(Constant):
    """Leaves the number of its process in the folder `notes`."""

    def misbehave(self, X: Any, y: Any) -> None:
        (Path(self.parameters["notes"]) / str(os.getpid())).touch()


class GoesOnTwice(Constant):
    """Forks, and does not look which of the two it is."""

    def misbehave(self, X: Any, y: Any) -> None:
        os.fork()


class Forks(Constant):
    """Starts a process that outlives the fit, and writes its number to `note`; then it ends as told."""

    def misbehave(self, X: Any, y: Any) -> None:
        child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
        Path(self.parameters["note"]).write_text(str(child.pid))
        if self.parameters.get("then") == "hang":
            time.sleep(600)


class Prints(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        print("\x1b[2Jhello", "x" * 200_000)
        os.write(1, bytes(range(256)))
        os.write(2, b"\xff\xfe from C\n")


class Talks(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        for _ in range(3):
            print("x" * 100_000)


class Floods(Constant):
    """Writes so many megabytes as C does, past everything that Python could hold back."""

    def misbehave(self, X: Any, y: Any) -> None:
        for _ in range(self.parameters["megabytes"]):
            with contextlib.suppress(OSError):
                os.write(1, b"x" * 2**20)
        assert os.fstat(1).st_size <= 32 << 20


class Babbles(Constant):
    """Writes into every open file the head of what would be a message of 65,536 bytes, did it not lack its sign."""

    def misbehave(self, X: Any, y: Any) -> None:
        for number in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(number, b"\0\0\0\0\0\1\0\0")


class Warns(Constant):
    def misbehave(self, X: Any, y: Any) -> None:
        for i in range(self.parameters.get("times", 3)):
            warnings.warn("did not settle", UserWarning, stacklevel=2)
            warnings.warn(f"pass {i}", RuntimeWarning, stacklevel=2)


class Collects(Constant):
    """Has the garbage of its process collected while it is trained."""

    def misbehave(self, X: Any, y: Any) -> None:
        gc.collect()


class Mutates(Constant):
    """Writes into what it was given: `what` is X or y."""

    def misbehave(self, X: Any, y: Any) -> None:
        target = X if self.parameters["what"] == "X" else y
        target[...] = 0


class Answers(Constant):
    """Gives predictions of a wrong `form`."""

    def predict(self, X: Any) -> Any:
        n, form = len(X), self.parameters["form"]
        forms = {
            "short": np.zeros(n - 1),
            "long": np.zeros(n + 1),
            "wide": np.zeros((n, 2)),
            "text": np.array(["a"] * n),
            "objects": np.array([{}] * n, dtype=object),
            "none": None,
            "nan": np.full(n, np.nan),
            "inf": np.full(n, np.inf),
            "stranger": np.full(n, 77),
            "half": np.full(n, 0.5),
        }
        return forms.get(form, np.zeros(n, dtype=int))


class Scores(Constant):
    """Gives probabilities of a wrong `form`."""

    def predict_proba(self, X: Any) -> Any:
        n, form = len(X), self.parameters["form"]
        forms = {
            "nan": np.full((n, 2), np.nan),
            "sum": np.full((n, 2), 0.9),
            "beyond": np.column_stack([np.full(n, -1.0), np.full(n, 2.0)]),
            "text": np.full((n, 2), "a"),
            "short": np.full((n - 1, 2), 0.5),
        }
        return forms[form]


class Unavailable(Constant):
    """Needs a package that is not there."""

    def misbehave(self, X: Any, y: Any) -> None:
        if "note" in self.parameters:
            with Path(self.parameters["note"]).open("a") as file:
                file.write("x")
        import a_package_that_nobody_has  # type: ignore[import-not-found]  # noqa: F401


class GlobalDraws(Constant):
    """Draws from numpy's global state, whatever seed it is given."""

    def predict(self, X: Any) -> Any:
        return (np.random.random(len(X)) < 0.5).astype(int)


class PlainDraws(Constant):
    """Draws from Python's own global state."""

    def predict(self, X: Any) -> Any:
        return np.array([random.random() < 0.5 for _ in range(len(X))]).astype(int)


class Unseeded(Constant):
    """Draws from what no seed reaches."""

    def predict(self, X: Any) -> Any:
        return np.frombuffer(os.urandom(len(X)), dtype=np.uint8) % 2


class Leak(Exception):
    """A row was shown in training and asked for afterwards."""


class Memoriser(Constant):
    """Remembers the rows it was shown and refuses to be asked about any of them. Its answer is how many there were."""

    def fit(self, X: Any, y: Any) -> Memoriser:
        self.seen = set(X[:, 0].tolist())
        self.target = float(len(y))
        return self

    def predict(self, X: Any) -> Any:
        both = self.seen & set(X[:, 0].tolist())
        if both:
            raise Leak(f"rows {sorted(both)[:3]} were shown before")
        return np.full(len(X), self.target)


class MemoriserOfClasses(Memoriser):
    """The same for classes, with scores so that it can be calibrated."""

    def predict(self, X: Any) -> Any:
        super().predict(X)
        return np.zeros(len(X), dtype=int)

    def decision_function(self, X: Any) -> Any:
        super().predict(X)
        return X[:, 1]


class Threads(Constant):
    """Answers with the largest number of threads that any library of the process would use."""

    def predict(self, X: Any) -> Any:
        from threadpoolctl import threadpool_info

        return np.full(len(X), float(max((pool["num_threads"] for pool in threadpool_info()), default=1)))


class Jobs(Constant):
    """Answers with the number of jobs it was told to use."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return dict(self.parameters)

    def set_params(self, **parameters: Any) -> Jobs:
        self.parameters.update(parameters)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), float(self.parameters["n_jobs"]))


class AsksForCores(Constant):
    """Fails where it is told of more than one core: by joblib, or by what a library of threads reads when it loads."""

    def misbehave(self, X: Any, y: Any) -> None:
        from joblib import cpu_count

        found = (cpu_count(), cpu_count(only_physical_cores=True), os.environ.get("OMP_NUM_THREADS"))
        assert found == (1, 1, "1"), found


class Busy(Constant):
    """Counts for so many seconds of processor time."""

    def misbehave(self, X: Any, y: Any) -> None:
        until = time.process_time() + self.parameters["seconds"]
        while time.process_time() < until:
            pass


class Meddles(Constant):
    """Changes the process it runs in, in the way that `what` names."""

    def misbehave(self, X: Any, y: Any) -> None:
        what = self.parameters["what"]
        if what == "errors":
            np.seterr(all="raise")
        elif what == "recursion":
            sys.setrecursionlimit(120)
        elif what == "path":
            sys.path.clear()
        elif what == "finders":
            sys.meta_path = []
        elif what == "class":
            from sklearn.tree import DecisionTreeClassifier

            DecisionTreeClassifier.fit = Constant.fit
        elif what == "modules":
            sys.modules["json"] = None  # type: ignore[assignment]
        elif what == "environment":
            os.environ["MEDDLED"] = "1"
        elif what == "folder":
            os.chdir("/")
        elif what == "filters":
            warnings.simplefilter("error")
        elif what == "signals":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.alarm(1)
        elif what == "configuration":
            import sklearn

            sklearn.set_config(transform_output="pandas")
        elif what == "function":
            np.mean = lambda *_, **__: 1 / 0  # type: ignore[assignment]
        elif what == "thread":
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        elif what == "priority":
            os.nice(1)
        elif what == "frames":
            import pandas as pd

            pd.set_option("display.precision", 1)
        elif what == "blas":
            for library in threadpoolctl.ThreadpoolController().lib_controllers:
                library.set_num_threads(2)
        elif what == "json":
            import json

            json.dumps = lambda *_, **__: "{}"
        elif what == "deep":
            import sklearn.utils.validation

            sklearn.utils.validation.check_array = lambda X, *_, **__: np.zeros((len(X), 1))
        elif what == "table":
            import pandas as pd

            pd.DataFrame.to_numpy = lambda *_, **__: 1 / 0  # type: ignore[method-assign]
        elif what == "backend":
            import joblib

            joblib.register_parallel_backend("none", lambda **_: 1 / 0, make_default=True)
        elif what == "digits":
            sys.set_int_max_str_digits(640)
        elif what == "sockets":
            socket.setdefaulttimeout(1e-6)
        elif what == "temporary":
            tempfile.tempdir = "/nowhere"
        elif what == "loops":
            import asyncio

            class Policy(asyncio.DefaultEventLoopPolicy):  # type: ignore[misc, name-defined]
                new_event_loop = None

            asyncio.set_event_loop_policy(Policy())
        elif what == "starting":
            multiprocessing.set_start_method("spawn", force=True)
        elif what == "sizes":
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        elif what == "processors":
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        elif what == "generator":
            np.random.set_bit_generator(np.random.PCG64(1))
        elif what == "files":
            for number in range(3, 64):
                with contextlib.suppress(OSError):
                    os.write(number, b"junk") if not _is_socket(number) else None


def _is_socket(number: int) -> bool:
    return os.readlink(f"/proc/self/fd/{number}").startswith("socket:")


class Finds(Constant):
    """Fails when the process is not as a new one is."""

    def misbehave(self, X: Any, y: Any) -> None:
        import asyncio
        import json

        import joblib
        import pandas as pd
        from sklearn.tree import DecisionTreeClassifier

        assert json is not None
        assert DecisionTreeClassifier.fit is not Constant.fit
        found = {
            "errors": np.geterr()["divide"] != "warn",
            "recursion": sys.getrecursionlimit() < 500,
            "path": not sys.path,
            "finders": not sys.meta_path,
            "environment": "MEDDLED" in os.environ,
            "folder": os.getcwd() == "/",
            "signals": signal.getsignal(signal.SIGTERM) != signal.SIG_DFL,
            "threads": threading.active_count() > 1,
            "frames": pd.get_option("display.precision") != self.parameters["frames"],
            "blas": any(one["num_threads"] != 1 for one in threadpoolctl.threadpool_info()),
            "priority": os.getpriority(os.PRIO_PROCESS, 0) != self.parameters["priority"],
        }
        assert not any(found.values()), [name for name, bad in found.items() if bad]
        assert np.mean([1.0, 3.0]) == 2.0
        assert json.dumps([1]) == "[1]"
        assert pd.DataFrame({"a": [1]}).to_numpy().tolist() == [[1]]
        assert DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).predict([[1.0]]).tolist() == [1]
        assert joblib.Parallel()(joblib.delayed(abs)(n) for n in (-1, 1)) == [1, 1]
        assert len(str(10**4000)) == 4001
        assert socket.getdefaulttimeout() is None
        assert asyncio.run(asyncio.sleep(0, 1)) == 1
        assert multiprocessing.get_start_method(allow_none=True) != "spawn"
        assert os.sched_getscheduler(0) != os.SCHED_BATCH
        assert np.random.get_state(legacy=False)["bit_generator"] == "MT19937"  # type: ignore[call-overload]
        with tempfile.TemporaryFile() as file:
            file.write(b"some")


class Daemonises(Constant):
    """Starts a process that leaves session, group and parent behind, notes its number in `note`, and ends as told."""

    def misbehave(self, X: Any, y: Any) -> None:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                Path(self.parameters["note"]).write_text(str(os.getpid()))
                if self.parameters.get("daemon") == "stay":
                    time.sleep(600)
                wiped = {} if self.parameters.get("daemon") == "wiped" else os.environ
                os.execve(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(600)"], wiped)
            os._exit(0)
        until = time.monotonic() + 20
        while not Path(self.parameters["note"]).exists() and time.monotonic() < until:
            time.sleep(0.01)
        if self.parameters["then"] == "hang":
            time.sleep(600)
        if self.parameters["then"] == "die":
            os.kill(os.getpid(), signal.SIGSEGV)


class Broods(Constant):
    """Starts a daemon that starts a daemon and so on, notes their numbers in the folder `notes`, and dies.

    With `restless` only the last one is left at any time: each makes another and ends.
    """

    def misbehave(self, X: Any, y: Any) -> None:
        notes = Path(self.parameters["notes"])
        if os.fork() == 0:
            os.setsid()
            if self.parameters.get("restless"):
                end = time.monotonic() + 20
                while time.monotonic() < end:
                    if os.fork():
                        os._exit(0)
                    (notes / "last").write_text(str(os.getpid()))
                    time.sleep(0.002)
            else:
                for _ in range(5):
                    if os.fork():
                        break
                    (notes / str(os.getpid())).touch()
                time.sleep(600)
            os._exit(0)
        until = time.monotonic() + 20
        while len(os.listdir(notes)) < (1 if self.parameters.get("restless") else 5) and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGSEGV)


class Leaks(Constant):
    """Keeps so many megabytes for as long as its process lives."""

    def misbehave(self, X: Any, y: Any) -> None:
        _KEPT.append(np.ones(self.parameters["megabytes"] * 2**17))
        assert sum(len(kept) for kept in _KEPT) <= self.parameters["most"] * 2**17, "the leak was not stopped"


_KEPT: list[Any] = []
