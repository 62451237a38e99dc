"""The candidate tests on folds, computed for many runs at once: p from the differences [run, fold] of a scheme."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from evalang.verdicts.simulation.draws import DrawnFolds
from evalang.verdicts.simulation.pvalues import pvalues

Floats = NDArray[np.floating]


def by(test: str, d: Floats, ratio: float, folds: int) -> Floats:
    """Two-sided p of a test on the differences [run, fold], `folds` of them in each partition."""
    return pvalues(test, DrawnFolds(d=d.astype(float).reshape(len(d), -1, folds), ratio=ratio))


def corrected(d: Floats, ratio: float) -> Floats:
    return by("corrected-t", d, ratio, d.shape[1])


def one_partition(d: Floats, k: int) -> Floats:
    """The mean over all partitions with the standard error and the degrees of freedom of one."""
    return by("partition-t", d, 1 / (k - 1), k)


def five_by_two_t(d: Floats) -> Floats:
    return by("5x2cv-t", d, 1.0, 2)


def averaged(d: Floats, k: int) -> Floats:
    """Bradford and Brodley: the mean t of the partitions, on the degrees of freedom of one (5 for 5x2cv)."""
    return by("averaged-t", d, 1 / (k - 1), k)


def halving(d: Floats, halves: Floats) -> Floats:
    """The mean of 10x10cv against the spread of 5cv between halves that share no row."""
    half = halves.reshape(len(d), -1, 2, 5).mean(axis=3)
    v = ((half[:, :, 0] - half[:, :, 1]) ** 2).mean(axis=1) / 4
    return 2 * stats.t.sf(np.abs(d.mean(axis=1)) / np.sqrt(np.maximum(v, 1e-12)), half.shape[1] - 1)


Scores = dict[str, Floats]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A test under a scheme: the scheme's kind and form, the test, the folds it is made from, and its p."""

    kind: str
    form: str
    test: str
    folds: str
    p: Callable[[Scores], Floats]


def _halves(count: int, test: Callable[[Floats], Floats]) -> Callable[[Scores], Floats]:
    return lambda s: test(s["50x2cv"][:, :count])


def _ten(count: int, test: Callable[[Floats], Floats]) -> Callable[[Scores], Floats]:
    return lambda s: test(s["10x10cv"][:, :count])


def _five(count: int, test: Callable[[Floats], Floats]) -> Callable[[Scores], Floats]:
    return lambda s: test(s["5x5cv"][:, :count])


def _ratio(ratio: float) -> Callable[[Floats], Floats]:
    return lambda d: corrected(d, ratio)


def _resamples(test: Callable[[Floats], Floats]) -> Callable[[Scores], Floats]:
    return lambda s: test(s["30 resamples"])


def _bootstrap(ratio: float) -> Callable[[Scores], Floats]:
    return lambda s: corrected(s["bootstrap 30"], ratio)


def _partition_t(d: Floats) -> Floats:
    return by("partition-t", d, 0.5, 1)


def _halvings(s: Scores) -> Floats:
    return halving(s["10x10cv"], s["halvings"])


MANY = "partitions-5x2cv"
CANDIDATES = (
    Candidate("5x2cv", "5x2cv", "5x2cv-t", "50x2cv", _halves(10, five_by_two_t)),
    Candidate("5x2cv", "5x2cv", "5x2cv-f", "50x2cv", _halves(10, lambda d: by("5x2cv-f", d, 1.0, 2))),
    Candidate("5x2cv", "5x2cv", "corrected-t", "50x2cv", _halves(10, _ratio(1))),
    Candidate("repeated-2cv", "10x2cv", "corrected-t", "50x2cv", _halves(20, _ratio(1))),
    Candidate(MANY, "10 partitions of 5x2cv", "averaged-t", "50x2cv", _halves(100, lambda d: averaged(d, 2))),
    Candidate(MANY, "10 partitions of 5x2cv", "corrected-t", "50x2cv", _halves(100, _ratio(1))),
    Candidate("cv", "5cv", "corrected-t", "5x5cv", _five(5, _ratio(1 / 4))),
    Candidate("cv", "5cv", "corrected-t, ratio doubled", "5x5cv", _five(5, _ratio(2 / 4))),
    Candidate("cv", "10cv", "corrected-t", "10x10cv", _ten(10, _ratio(1 / 9))),
    Candidate("cv", "10cv", "corrected-t, ratio doubled", "10x10cv", _ten(10, _ratio(2 / 9))),
    Candidate("repeated-cv", "5x5cv", "corrected-t", "5x5cv", _five(25, _ratio(1 / 4))),
    Candidate("repeated-cv", "5x5cv", "averaged-t", "5x5cv", _five(25, lambda d: averaged(d, 5))),
    Candidate("repeated-cv", "5x5cv", "partition-t", "5x5cv", _five(25, lambda d: one_partition(d, 5))),
    Candidate("repeated-cv", "10x10cv", "corrected-t", "10x10cv", _ten(100, _ratio(1 / 9))),
    Candidate("repeated-cv", "10x10cv", "averaged-t", "10x10cv", _ten(100, lambda d: averaged(d, 10))),
    Candidate("repeated-cv", "10x10cv", "partition-t", "10x10cv", _ten(100, lambda d: one_partition(d, 10))),
    Candidate("repeated-cv", "10x10cv", "corrected-t, ratio 1.5 times", "10x10cv", _ten(100, _ratio(1.5 / 9))),
    Candidate("repeated-cv", "10x10cv", "corrected-t, ratio doubled", "10x10cv", _ten(100, _ratio(2 / 9))),
    Candidate("halvings", "10x10cv and 10 halvings", "halving-t", "10x10cv", _halvings),
    Candidate("resamples", "30 resamples of 2/3", "corrected-t", "30 resamples", _resamples(_ratio(0.5))),
    # three test sets of a third are all that the rows hold
    Candidate("resamples", "30 resamples of 2/3", "partition-t", "30 resamples", _resamples(_partition_t)),
    Candidate("bootstrap", "bootstrap 30", "corrected-t, ratio .368", "bootstrap 30", _bootstrap(0.368)),
    # left out to distinct rows
    Candidate("bootstrap", "bootstrap 30", "corrected-t, ratio .582", "bootstrap 30", _bootstrap(0.582)),
    Candidate("bootstrap", "bootstrap 30", "corrected-t", "bootstrap 30", _bootstrap(1.2 * 0.582)),
    Candidate("bootstrap", "bootstrap 30", "corrected-t, ratio .8", "bootstrap 30", _bootstrap(0.8)),
)
