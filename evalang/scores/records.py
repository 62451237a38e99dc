"""What score tables add to the result of a run: scores, failures, tuning candidates, costs, baselines and curves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..catalogue.metrics import find_metric
from ..errors import EvalangError
from ..results.records import Baseline, Curve, ScoreRow, Scores
from ..results.run_result import RunResult
from .answer import positive_scores
from .score_table import ScoreTable

POINTS = 200  # of a curve; more cannot be seen
BINS = 10  # of a reliability diagram (caruana2005 uses ten)


def add_score_records(result: RunResult, tables: Mapping[str, ScoreTable]) -> RunResult:
    """Return the result with everything that the score tables of its comparisons hold."""
    found = tables.values()
    return replace(
        result,
        scores=Scores.of([ScoreRow(*row) for table in found for row in table.score_rows()]),
        halves=Scores.of([ScoreRow(*row) for table in found for row in table.half_rows()]),
        failures=tuple(one for table in found for one in table.failures),
        candidates=tuple(one for table in found for one in table.tried),
        choices=tuple(one for table in found for one in table.choices),
        costs=tuple(one for table in found for one in table.costs),
        warnings=tuple(sorted(sum((table.warnings for table in found), Counter()).items())),
        baselines=tuple(
            Baseline(comparison=name, dataset=dataset, metric=metric, score=score)
            for name, table in tables.items()
            for dataset, metric, score in table.baselines()
        ),
        curves=tuple(curve for name, table in tables.items() for curve in _curves(name, table)),
    )


def _curves(name: str, table: ScoreTable) -> Iterator[Curve]:
    """Yield ROC, precision-recall and reliability of the first partition, where there are two classes and scores."""
    cards = {m.label: find_metric(m.name) for m in table.comparison.metrics}
    label = next((label for label, card in cards.items() if card and card.needs in ("scores", "probabilities")), "")
    for dataset in table.datasets if label else ():
        try:
            answers = table.first_partition(dataset, label)
        except EvalangError:
            continue
        for learner, answer in answers.items():
            if len(answer.classes) != 2 or answer.scores is None:
                continue
            try:
                positive, scores = positive_scores(answer, "the curve")
            except EvalangError:
                continue
            shared = {"comparison": name, "learner": learner, "dataset": dataset, "partition": 0}
            yield from _rank_curves(positive, scores, shared)
            if answer.probabilities:
                yield _reliability(positive, scores, shared)


def _rank_curves(positive: np.ndarray, scores: np.ndarray, shared: dict[str, Any]) -> Iterator[Curve]:
    order = np.argsort(-scores, kind="stable")
    hits, ranked = positive[order], scores[order]
    ends = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)  # rows with equal scores move together
    true, false = np.cumsum(hits)[ends], np.cumsum(~hits)[ends]
    total_true, total_false = int(true[-1]), int(false[-1])
    if not total_true or not total_false:
        return
    x, y = np.append(0.0, false / total_false), np.append(0.0, true / total_true)
    keep = _thin(len(x))
    yield Curve(kind="roc", x=tuple(x[keep].tolist()), y=tuple(y[keep].tolist()), **shared)
    keep = _thin(len(true))
    recall, precision = (true / total_true)[keep], (true / (true + false))[keep]
    yield Curve(kind="precision-recall", x=tuple(recall.tolist()), y=tuple(precision.tolist()), **shared)


def _reliability(positive: np.ndarray, scores: np.ndarray, shared: dict[str, Any]) -> Curve:
    bins = np.minimum((scores * BINS).astype(int), BINS - 1)
    used = [b for b in range(BINS) if np.any(bins == b)]
    return Curve(
        kind="reliability",
        x=tuple(float(scores[bins == b].mean()) for b in used),
        y=tuple(float(positive[bins == b].mean()) for b in used),
        weight=tuple(float(np.count_nonzero(bins == b)) for b in used),
        **shared,
    )


def _thin(length: int) -> np.ndarray:
    return np.unique(np.linspace(0, length - 1, min(length, POINTS)).round().astype(int))
