"""The learners and the shuffling of rows, compiled (learners.c): more runs in an hour.

A C compiler, `cc`, is needed for the long run alone; without it the NumPy forms are taken. `agree` holds the compiled
learners to those before anything is measured.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

from .learners import LEARNERS, RIDGE, Floats, Ints, Learner, looked_through

SOURCE = Path(__file__).with_name("learners.c")
HERE = shutil.which("cc") is not None


class Rows(ctypes.Structure):
    """As in learners.c."""

    _fields_ = (
        *((name, ctypes.c_int) for name in ("n", "features", "sets")),
        *((name, ctypes.c_void_p) for name in ("x", "y", "held")),
    )


@cache
def library() -> ctypes.CDLL:
    """learners.c, compiled for this machine."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "learners.so"
        # Not -ffast-math: a library linked with it makes the whole process flush the smallest numbers to zero.
        quick = (
            "-fassociative-math",
            "-freciprocal-math",
            "-fno-signed-zeros",
            "-fno-trapping-math",
            "-fno-math-errno",
        )
        options = ("-O3", "-march=native", *quick, "-shared", "-fPIC", "-o", str(made))
        subprocess.run(["cc", *options, str(SOURCE), "-lm"], check=True)
        return ctypes.CDLL(str(made))


def call(name: str, x: Floats, y: Ints, weights: Ints, *more: object) -> Ints:
    """The answers of the C function of this name."""
    columns = np.ascontiguousarray(x.T, dtype=np.float32)
    labels, held = y.astype(np.uint8), np.ascontiguousarray(weights, dtype=np.uint8)
    answers = np.empty(held.shape, dtype=np.uint8)
    rows = Rows(len(y), len(columns), len(held), *(a.ctypes.data for a in (columns, labels, held)))
    library()[name](ctypes.byref(rows), *more, ctypes.c_void_p(answers.ctypes.data))
    return answers


def neighbours(x: Floats, y: Ints, weights: Ints, *, k: int) -> Ints:
    return call("neighbours", x, y, weights, ctypes.c_int(k), ctypes.c_int(looked_through(weights, k)))


def tree(x: Floats, y: Ints, weights: Ints, *, depth: int) -> Ints:
    orders = np.ascontiguousarray(np.argsort(x.T.astype(np.float32), axis=1), dtype=np.int32)
    return call("tree", x, y, weights, ctypes.c_void_p(orders.ctypes.data), ctypes.c_int(depth))


def _named(name: str, *more: object) -> Callable[[Floats, Ints, Ints], Ints]:
    return lambda x, y, weights: call(name, x, y, weights, *more)


FAST: dict[str, Learner] = {
    "centroid": _named("centroid"),
    "discriminant": _named("discriminant", ctypes.c_float(RIDGE)),
    "naive-bayes": _named("bayes", ctypes.c_float(RIDGE)),
    "logistic": _named("logistic"),
    "1-nn": partial(neighbours, k=1),
    "5-nn": partial(neighbours, k=5),
    "stump": partial(tree, depth=1),
    "small-tree": partial(tree, depth=3),
}


def learner(name: str) -> Learner:
    return FAST[name] if HERE and name in FAST else LEARNERS[name]


def permuted(rng: np.random.Generator, rows: Ints) -> Ints:
    """Each line of rows in an order of its own."""
    if not HERE:
        return rng.permuted(rows, axis=1)
    made = np.array(rows, dtype=np.int64, order="C")
    state = ctypes.c_uint64(int(rng.integers(2**63)))
    library()["shuffle"](state, *map(ctypes.c_int, made.shape), ctypes.c_void_p(made.ctypes.data))
    return made


def agree(x: Floats, y: Ints, weights: Ints) -> dict[str, float]:
    """Of each compiled learner: the share of answers to rows not trained on that are those of the NumPy form."""
    asked = weights == 0
    return {
        name: float((fast(x, y, weights) == LEARNERS[name](x, y, weights))[asked].mean()) for name, fast in FAST.items()
    }
