"""Simultaneous intervals of t tests on the same units: by the largest t of the family, which Bonferroni only bounds.

Differences of learners on the same rows or datasets go up and down together, and the correlation can be seen. For a
control this is Dunnett's interval for paired units, for all pairs the max-t interval (Tukey's, where the correlations
are those of equal variances).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats

from ..errors import EvalangError
from .apply import PairPlace, over_datasets, rng_of, row_losses
from .correct import Corrected
from .evidence import Evidence, Floats
from .tested import Tested

T_ON_UNITS = ("row-t", "paired-t")  # their intervals are t quantiles times a standard error over the same units
DRAWS = 100_000  # the coverage is then that asked for to .0007
MOST = 300  # pairs; of more, Bonferroni's


def critical_value(correlation: Floats, df: float, alpha: float, rng: np.random.Generator) -> float:
    """c with P(max |t| <= c) = 1 - alpha for t statistics of this correlation on common degrees of freedom.

    >>> one = critical_value(np.eye(1), 20, 0.05, np.random.default_rng(1))
    >>> abs(one - stats.t.isf(0.025, 20)) < 0.03
    True
    """
    values, vectors = np.linalg.eigh(correlation)
    used = values > 1e-9  # pairs of k learners have k - 1 directions
    root = vectors[:, used] * np.sqrt(values[used])
    largest = []
    for start in range(0, DRAWS, 5000):
        drawn = rng.standard_normal((min(5000, DRAWS - start), root.shape[1])) @ root.T
        largest.append(np.abs(drawn).max(axis=1) / np.sqrt(rng.chisquare(df, len(drawn)) / df))
    return float(np.quantile(np.concatenate(largest), 1.0 - alpha, method="higher"))


def with_max_t(
    tested: Sequence[Tested], adjusted: Sequence[Corrected], evidence: Mapping[str, Evidence]
) -> list[Corrected]:
    """Where a whole family is t tests on the same units, its intervals at the level that holds for all of them."""
    found = list(adjusted)
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, (one, shared) in enumerate(zip(tested, adjusted, strict=True)):
        if shared.family is not None and shared.kind == "simultaneous":
            key = (one.comparison.name, one.dataset, one.metric.label, shared.family.name)
            groups.setdefault(key, []).append(i)
    for members in groups.values():
        pairs = [i for i in members if not tested[i].omnibus]
        if not _fits([tested[i] for i in pairs], found[members[0]], len(members)):
            continue
        alpha = found[members[0]].family.alpha * len(pairs) / len(members)  # type: ignore[union-attr]
        each = _each([tested[i] for i in pairs], alpha, evidence[tested[pairs[0]].comparison.name])
        if each is None:
            continue
        way = "Dunnett" if tested[pairs[0]].comparison.control else "max-t"
        for i in pairs:
            found[i] = dataclasses.replace(found[i], alpha=max(each, found[i].alpha or 0.0), way=way)
    return found


def _fits(pairs: Sequence[Tested], shared: Corrected, members: int) -> bool:
    """Whether these are the whole family: the same t test of several pairs on the same units, all of them computed."""
    names = {one.test.name for one in pairs if one.test is not None}
    return (
        1 < len(pairs) <= MOST
        and names <= set(T_ON_UNITS)
        and len(names) == 1
        and (shared.size, shared.missing, shared.blocks) == (members, 0, 1)
        and all(one.result is not None and one.result.alternative == "two-sided" for one in pairs)
    )


def _each(pairs: Sequence[Tested], alpha: float, evidence: Evidence) -> float | None:
    """One minus the level of each single interval with which all hold at once; None where there is no correlation."""
    try:
        d = np.column_stack([_differences(one, evidence) for one in pairs])
    except EvalangError:
        return None
    spread = d.std(axis=0)
    if len(d) < 3 or not (spread > 1e-12 * np.abs(d).max(initial=1e-300)).all():
        return None
    first = pairs[0]
    rng = rng_of(first.comparison, "max-t", first.metric.label, first.dataset or "")
    df = len(d) - 1
    return float(2.0 * stats.t.sf(critical_value(np.atleast_2d(np.corrcoef(_turned(d).T)), df, alpha, rng), df))


def _turned(d: Floats) -> Floats:
    """The columns in an order and with signs that depend on their contents only, not on which learner comes first."""
    first = d[(d != 0.0).argmax(axis=0), np.arange(d.shape[1])]
    signed = d * np.where(first < 0.0, -1.0, 1.0) + 0.0  # no zero is a negative one
    return signed[:, sorted(range(d.shape[1]), key=lambda i: signed[:, i].tobytes())]


def _differences(one: Tested, evidence: Evidence) -> Floats:
    pair = (one.learners[0], one.learners[1])
    if one.dataset is None:
        shown = over_datasets(evidence, one.metric, pair)
        return np.asarray(shown.first - shown.second)
    rows = row_losses(
        PairPlace(comparison=one.comparison, evidence=evidence, metric=one.metric, pair=pair, dataset=one.dataset)
    )
    return np.asarray(rows.first - rows.second, dtype=np.float64)
