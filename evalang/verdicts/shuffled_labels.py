"""Randomization: the whole procedure repeated on shuffled labels (Salzberg 1997, section 3.1; Jensen and Cohen 2000).

The shuffles become datasets and estimates of their own, so that they run, resume and are stored like every other trial.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from hashlib import sha256

import numpy as np

from ..data.table import Table
from ..plans.model import Comparison, Plan
from ..results.test_result import Alternative, TestResult
from ..source.record import replace
from .apply import metric_card, rng_of
from .evidence import Evidence
from .tests.randomization import randomization

SHUFFLES = 99  # the smallest number that can reach p = 0.01
MOST = 10_000


def shuffles_of(comparison: Comparison) -> int:
    """How many shuffles an estimate asks for; 0 when it is not judged by randomization."""
    for test in comparison.tests:
        if test.name == "randomization":
            asked = dict(test.options).get("shuffles", SHUFFLES)
            return min(max(int(asked), 1), MOST) if isinstance(asked, int | float) else SHUFFLES
    return 0


def shuffled(plan: Plan, tables: Mapping[str, Table]) -> tuple[Plan, dict[str, Table]]:
    """The plan with one more estimate for every shuffle, and the tables with shuffled targets."""
    comparisons: list[Comparison] = list(plan.comparisons)
    found = dict(tables)
    for comparison in plan.comparisons:
        for number in range(shuffles_of(comparison)):
            names = tuple(_name(d, comparison, number) for d in comparison.datasets)
            comparisons.append(replace(comparison, name=_name(comparison.name, comparison, number), datasets=names))
            for dataset, name in zip(comparison.datasets, names, strict=True):
                found[name] = _shuffle(tables[dataset], name, comparison, number)
    return replace(plan, comparisons=tuple(comparisons)), found


def _name(word: str, comparison: Comparison, number: int) -> str:
    return f"{word} ({comparison.name}, shuffle {number + 1})"


def _shuffle(table: Table, name: str, comparison: Comparison, number: int) -> Table:
    rng = rng_of(comparison, "shuffle", table.name, str(number))
    order = rng.permutation(table.rows)
    mark = sha256(
        f"{table.content_hash} {comparison.seed.value if comparison.seed else 0} {number}".encode()
    ).hexdigest()
    return dataclasses.replace(table, name=name, y=table.y[order], content_hash=mark)


def judged(comparison: Comparison, dataset: str, metric: str, evidence: Mapping[str, Evidence]) -> TestResult | None:
    """The score on the true labels against those on shuffled ones."""
    count = shuffles_of(comparison)
    if not count:
        return None
    observed = _score(evidence[comparison.name], dataset, metric)
    scores = [
        _score(evidence[_name(comparison.name, comparison, i)], _name(dataset, comparison, i), metric)
        for i in range(count)
    ]
    card = metric_card(next(m for m in comparison.metrics if m.label == metric))
    side: Alternative = "greater" if card.higher_is_better else "less"
    return randomization(observed, np.array(scores), alternative=side, level=1.0 - comparison.alpha.value)


def _score(evidence: Evidence, dataset: str, metric: str) -> float:
    return float(evidence.fold_scores(dataset, metric)[evidence.learners[0]].mean())
