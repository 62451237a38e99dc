"""Learners that misbehave, each in one way, and learners that tell what was done to them."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import signal
import subprocess
import sys
import time
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np


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
        for _ in range(100):
            print("y" * 100_000)
        assert os.fstat(1).st_size < 1_000_000, "what is printed would fill the memory"


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
    """Changes every setting of its process that ordinary learners change; its answer depends on all of them."""

    def fit(self, X: Any, y: Any) -> Meddles:
        import pandas as pd
        import sklearn

        with np.errstate(all="ignore"):
            pass
        self.found = [
            np.geterr()["divide"],
            os.environ.get("MEDDLED", ""),
            os.getcwd(),
            str(sklearn.get_config()["assume_finite"]),
            str(pd.get_option("display.precision")),
            str(len(warnings.filters)),
        ]
        np.seterr(all="ignore")
        os.environ["MEDDLED"] = "1"
        os.chdir("/")
        sklearn.set_config(assume_finite=True)
        pd.set_option("display.precision", 2)
        warnings.simplefilter("ignore", RuntimeWarning)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), float(zlib.crc32("|".join(self.found).encode())))


class Pid(Constant):
    """Prints the number of its process."""

    def misbehave(self, X: Any, y: Any) -> None:
        print(os.getpid())


class Grows(Constant):
    """Keeps so many megabytes for as long as its process lives; fails when that becomes too much."""

    def misbehave(self, X: Any, y: Any) -> None:
        _KEPT.append(np.ones(self.parameters["megabytes"] * 2**17))
        assert len(_KEPT) * self.parameters["megabytes"] <= self.parameters["most"]


_KEPT: list[Any] = []
