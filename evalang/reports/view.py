"""A result sorted by comparison once, so that tables and pictures look nothing up twice."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import fsum

from ..catalogue.learners import find_learner
from ..plans.model import Comparison, Plan
from ..results.run_result import RunResult
from ..results.trial_rows import Baseline, Curve, MissingScore, PartitionResult, ScoreRow, Tried
from ..results.verdict import Estimate, LearnerScore, Ranking, Verdict
from .numbers import higher_is_better

Means = dict[str, dict[str, dict[str, LearnerScore]]]  # metric -> dataset -> learner


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One comparison with everything the result holds about it, in the order of the script; baselines come last."""

    comparison: Comparison
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: tuple[str, ...]
    on_datasets: list[Verdict] = field(default_factory=list)
    over_datasets: list[Verdict] = field(default_factory=list)
    estimates: list[Estimate] = field(default_factory=list)
    rankings: list[Ranking] = field(default_factory=list)
    rows: list[ScoreRow] = field(default_factory=list)
    partitions: list[PartitionResult] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    candidates: list[Tried] = field(default_factory=list)
    baselines: list[Baseline] = field(default_factory=list)
    failures: list[MissingScore] = field(default_factory=list)
    means: Means = field(default_factory=dict)
    trivial: frozenset[str] = frozenset()  # learners that know nothing: they are named last, whatever they score

    @property
    def unit(self) -> str:
        """What a test over datasets counts: a dataset, or an item of a benchmark."""
        return next((v.test.unit for v in self.over_datasets if v.test is not None and v.test.unit), "dataset")

    @property
    def name(self) -> str:
        """The comparison's name."""
        return self.comparison.name

    @property
    def verdicts(self) -> list[Verdict]:
        """Those over datasets first: they answer the wider question."""
        return [*self.over_datasets, *self.on_datasets]

    def best(self, metric: str, dataset: str) -> tuple[str, ...]:
        """The learners with the best mean there; several when they tie."""
        row = self.means.get(metric, {}).get(dataset, {})
        scored = {name: s.mean for name, s in row.items() if s.mean is not None}
        if not scored:
            return ()
        top = (max if higher_is_better(metric) else min)(scored.values())
        # Means of the same scores in another order differ in the last bit: twelve digits are compared.
        return tuple(name for name, mean in scored.items() if f"{mean:.12g}" == f"{top:.12g}")


def views(result: RunResult, subject: str | None = None) -> tuple[View, ...]:
    """One view per comparison and estimate of the plan, or of the one named."""
    chosen = {c.name: c for c in result.plan.comparisons if subject in (None, c.name)}
    parts: dict[str, dict[str, list]] = {name: defaultdict(list) for name in chosen}  # type: ignore[type-arg]
    for kind in ("estimates", "rankings", "partitions", "curves", "candidates", "baselines", "failures"):
        for record in getattr(result, kind):
            if record.comparison in parts:
                parts[record.comparison][kind].append(record)
    for verdict in result.verdicts:
        if verdict.comparison in parts:
            where = "over_datasets" if verdict.dataset is None else "on_datasets"
            parts[verdict.comparison][where].append(verdict)
    for row in result.scores.rows():
        if row.comparison in parts:
            parts[row.comparison]["rows"].append(row)
    return tuple(_view(result.plan, comparison, parts[name]) for name, comparison in chosen.items())


def _view(plan: Plan, comparison: Comparison, parts: dict[str, list]) -> View:  # type: ignore[type-arg]
    means = _means(parts)
    seen = dict.fromkeys(d for datasets in means.values() for d in datasets)
    declared = comparison.datasets if comparison.data == "datasets" else comparison.in_table
    datasets = (*declared, *(d for d in seen if d not in set(declared)))
    # The metric that decides comes first.
    labels = [m.label for m in comparison.metrics]
    primary = [comparison.primary] if comparison.primary in labels else []
    metrics = dict.fromkeys((*primary, *labels, *means))
    named = dict.fromkeys(n for datasets in means.values() for row in datasets.values() for n in row)
    # `compare all on TABLE` names nobody: the columns of the table are known to its verdicts.
    named |= dict.fromkeys(n for verdict in parts["over_datasets"] for n in verdict.learners)
    learners = tuple(dict.fromkeys((*comparison.learners, *named)))
    trivial = frozenset(name for name in learners if _is_baseline(plan, name))
    return View(
        comparison=comparison,
        learners=(*(n for n in learners if n not in trivial), *(n for n in learners if n in trivial)),
        trivial=trivial,
        datasets=datasets or comparison.datasets,
        metrics=tuple(metrics),
        means=means,
        **parts,
    )


def _is_baseline(plan: Plan, name: str) -> bool:
    """By its card: `majority`, or a learner that is declared as one; a column of a table by its name."""
    learner = plan.learner(name)
    cards = [find_learner(step.name) for step in learner.steps] if learner is not None else [find_learner(name)]
    return any(card is not None and card.baseline for card in cards)


def _means(parts: dict[str, list]) -> Means:  # type: ignore[type-arg]
    """Mean scores as the verdicts hold them, so that table and sentence agree; else from the trials.

    A verdict that is undecided holds no score of either learner, though only one may have failed.
    """
    means: Means = defaultdict(lambda: defaultdict(dict))
    for verdict in parts["on_datasets"]:
        row = means[verdict.metric][verdict.dataset]
        for score in verdict.scores:
            if score.mean is not None:
                row.setdefault(score.learner, score)
    for estimate in parts["estimates"]:
        score = LearnerScore(learner=estimate.learner, mean=estimate.score, spread=estimate.spread, n=estimate.n_units)
        means[estimate.metric][estimate.dataset].setdefault(estimate.learner, score)
    cells: dict[tuple[str, str, str], list[float | None]] = defaultdict(list)
    for trial in parts["rows"]:
        if trial.learner not in means[trial.metric][trial.dataset]:
            cells[trial.metric, trial.dataset, trial.learner].append(trial.score)
    for (metric, dataset, learner), found in cells.items():
        whole = [s for s in found if s is not None]
        mean = fsum(whole) / len(whole) if whole and len(whole) == len(found) else None
        means[metric][dataset][learner] = LearnerScore(learner=learner, mean=mean, n=len(whole))
    for verdict in parts["on_datasets"]:
        for score in verdict.scores:  # no score anywhere: it failed
            means[verdict.metric][verdict.dataset].setdefault(score.learner, score)
    return {m: {d: dict(row) for d, row in datasets.items() if row} for m, datasets in means.items()}
