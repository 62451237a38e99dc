"""Evidence made by hand, so that verdicts can be tested without a single fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.model import Plan
from evalang.scores.evidence import Evidence
from evalang.verdicts.item_evidence import ItemPairs


def planned(text: str) -> Plan:
    """The plan of a script that has nothing wrong with it."""
    found = build(SourceText("made.eval", text), root=Path("."))
    assert not found.findings, [f.message for f in found.findings]
    return found.plan


class MadeEvidence(Evidence):
    """Fold scores by dataset, metric and learner; everything else follows from them or is missing."""

    def __init__(self, folds: dict[str, dict[str, dict[str, Any]]], sizes: tuple[float, float] = (90.0, 10.0)) -> None:
        self._folds = {
            dataset: {m: {x: np.asarray(v, dtype=float) for x, v in by.items()} for m, by in metrics.items()}
            for dataset, metrics in folds.items()
        }
        self._sizes = sizes
        first = next(iter(next(iter(self._folds.values())).values()))
        self.learners = tuple(first)
        self.datasets = tuple(self._folds)
        self.right: dict[str, dict[str, Any]] = {}

    def fold_scores(self, dataset: str, metric: str) -> dict[str, Any]:
        return self._folds[dataset][metric]

    def sizes(self, dataset: str) -> tuple[float, float]:
        return self._sizes

    def mean_rows(self, dataset: str | None) -> tuple[float, float] | None:
        return self._sizes if dataset is not None else None

    def outcomes(self, dataset: str) -> dict[str, Any]:
        return self.right[dataset] if dataset in self.right else super().outcomes(dataset)

    def dataset_scores(self, metric: str) -> dict[str, Any]:
        return {x: np.array([self._folds[d][metric][x].mean() for d in self.datasets]) for x in self.learners}


def random_folds(
    seed: int,
    datasets: tuple[str, ...],
    metrics: tuple[str, ...],
    gaps: dict[str, float],
    shape: tuple[int, int] = (1, 10),
) -> dict[str, dict[str, dict[str, Any]]]:
    """Scores around .8 that differ by each learner's gap."""
    rng = np.random.default_rng(seed)
    return {
        d: {m: {x: 0.8 + gap + rng.normal(0, 0.02, shape) for x, gap in gaps.items()} for m in metrics}
        for d in datasets
    }


def pvalues_of(found: ItemPairs) -> np.ndarray:
    """[learner, learner]: two-sided p of the t of every pair; 1 where two are alike in every group."""
    difference = found.means[:, None] - found.means
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(difference) / np.sqrt(found.variance)
    return np.where(found.variance > 0.0, 2.0 * stats.t.sf(t, found.df), 1.0)
