"""A result sorted by comparison, and the order of its learners, for tables, headlines and pictures."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from math import fsum

from ..catalogue.learners import find_learner
from ..plans.model import Comparison, Plan
from ..results import numbers
from ..results.numbers import higher_is_better
from ..results.records import (
    Baseline,
    Curve,
    Estimate,
    LearnerScore,
    MissingScore,
    PartitionResult,
    Ranking,
    Runs,
    ScoreRow,
    TrainingChoice,
    Tried,
    Verdict,
)
from ..results.run_result import RunResult
from .sentences import bayesian, models, posterior_words, winner

MOST_NAMED = 4  # learners in a title
LONGEST_TITLE = 100
_NUMBERED = re.compile(r"(compare|estimate)-\d+")  # names that a script does not give
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
    runs: list[Runs] = field(default_factory=list)
    rows: list[ScoreRow] = field(default_factory=list)
    partitions: list[PartitionResult] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    candidates: list[Tried] = field(default_factory=list)
    choices: list[TrainingChoice] = field(default_factory=list)
    baselines: list[Baseline] = field(default_factory=list)
    failures: list[MissingScore] = field(default_factory=list)
    means: Means = field(default_factory=dict)
    described: frozenset[str] = frozenset()  # metrics that only describe, because another one is primary
    margin_claimed: bool = False  # a claim on this comparison names an equivalence margin
    trivial: frozenset[str] = frozenset()  # baselines: they are named last, whatever they score

    @property
    def unit(self) -> str:
        """The unit of a test over datasets: a dataset, or an item of a benchmark."""
        return next((v.test.unit for v in self.over_datasets if v.test is not None and v.test.unit), "dataset")

    @property
    def name(self) -> str:
        """The comparison's name."""
        return self.comparison.name

    @property
    def title(self) -> str:
        """What is compared: `forest vs tree on 2 datasets`, after the name that the script gives it."""
        who = " vs ".join(self.learners)
        if len(self.learners) > MOST_NAMED or len(who) > LONGEST_TITLE:
            who = self.said(numbers.plural(len(self.learners), "learner"))
        sets = self.datasets[0] if len(self.datasets) == 1 else numbers.plural(len(self.datasets), "dataset")
        text = f"{'Estimate of ' if self.comparison.estimate else ''}{who}{f' on {sets}' if self.datasets else ''}"
        return text if _NUMBERED.fullmatch(self.name) else f"{self.name}: {text}"

    def said(self, text: str) -> str:
        """Return a text in the words of this comparison: metrics by name, items have models, posteriors no p-values."""
        text = numbers.spoken(text)
        if bayesian(chain(self.over_datasets, self.on_datasets)):
            text = posterior_words(text)
        return models(text, (*self.learners, *self.datasets)) if self.comparison.units == "items" else text

    @property
    def verdicts(self) -> list[Verdict]:
        """All verdicts, those over datasets first: they answer the wider question."""
        return [*self.over_datasets, *self.on_datasets]

    def best(self, metric: str, dataset: str) -> tuple[str, ...]:
        """Return the learners with the best mean there; several when they tie."""
        row = self.means.get(metric, {}).get(dataset, {})
        scored = {name: s.mean for name, s in row.items() if s.mean is not None}
        if not scored:
            return ()
        top = (max if higher_is_better(metric) else min)(scored.values())
        # Means of the same scores in another order differ in the last bit: twelve digits are compared.
        return tuple(name for name, mean in scored.items() if f"{mean:.12g}" == f"{top:.12g}")


def views(result: RunResult, subject: str | None = None) -> tuple[View, ...]:
    """Return one view per comparison and estimate of the plan, or of the one named."""
    chosen = {c.name: c for c in result.plan.comparisons if subject in (None, c.name)}
    parts: dict[str, dict[str, list]] = {name: defaultdict(list) for name in chosen}  # type: ignore[type-arg]
    for kind in (
        "estimates", "rankings", "runs", "partitions", "curves", "candidates", "choices", "baselines", "failures",
    ):  # fmt: skip
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
    datasets = tuple(dict.fromkeys((*declared, *seen)))
    # The metric that decides comes first.
    labels = [m.label for m in comparison.metrics]
    primary = [comparison.primary] if comparison.primary in labels else []
    metrics = dict.fromkeys((*primary, *labels, *means))
    named = dict.fromkeys(n for datasets in means.values() for row in datasets.values() for n in row)
    # `compare all on TABLE` names no learner: the columns of the table are known to its verdicts.
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
        described=frozenset(labels) - {m.label for m in comparison.judged},
        margin_claimed=any(c.within is not None and comparison.name in c.evidence for c in plan.claims),
        **parts,
    )


def _is_baseline(plan: Plan, name: str) -> bool:
    """Return whether a learner is a baseline by its card; a column of a table is looked up by its name."""
    learner = plan.learner(name)
    cards = [find_learner(step.name) for step in learner.steps] if learner is not None else [find_learner(name)]
    return any(card is not None and card.baseline for card in cards)


def _means(parts: dict[str, list]) -> Means:  # type: ignore[type-arg]
    """Return mean scores as the verdicts hold them, so that table and sentence agree; else from the trials.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Learners best first, with the number they are ordered by."""

    metric: str
    by: str  # mean rank or mean
    learners: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def leaders(self) -> tuple[str, ...]:
        """The learners with the best number; several when they tie. Twelve digits are compared."""
        shown = [f"{v:.12g}" for v in self.values]
        return tuple(n for n, v in zip(self.learners, shown, strict=True) if v == shown[0])


def standing(view: View, metric: str) -> Standing | None:
    """Return learners by their recorded mean ranks, else by the mean of the dataset means."""
    ranking = next((r for r in view.rankings if r.metric == metric), None)
    found, by, sign = overall(view, metric), "mean", -1 if numbers.higher_is_better(metric) else 1
    if ranking is not None:
        found, by, sign = dict(zip(ranking.learners, ranking.ranks, strict=True)), "mean rank", 1
    order = sorted(found, key=lambda name: (sign * found[name], name in view.trivial))
    values = tuple(found[name] for name in order)
    return Standing(metric=metric, by=by, learners=tuple(order), values=values) if order else None


def overall(view: View, metric: str) -> dict[str, float]:
    """Return means over the datasets on which every learner has a score; others would not compare."""
    rows = view.means.get(metric, {}).values()
    scored = [{n: s.mean for n, s in row.items() if s.mean is not None} for row in rows]
    shared = [row for row in scored if all(name in row for name in view.learners)]
    return {n: fsum(row[n] for row in shared) / len(shared) for n in view.learners} if shared else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtractionOrder:
    """The order in which pairs are subtracted, in every table and picture: the sign is that of the headline."""

    order: dict[str, int]  # the higher-ranked learner comes first
    control: str | None = None  # is always the second

    def pair(self, learners: tuple[str, ...]) -> tuple[str, str]:
        """Return the same two, in that order."""
        first, second = learners
        if self.control in learners:
            return (second, first) if first == self.control else (first, second)
        return (second, first) if self.order.get(first, 0) > self.order.get(second, 0) else (first, second)

    def turns(self, learners: tuple[str, ...]) -> bool:
        """Return whether a verdict on these has to be turned around."""
        return self.pair(learners) != learners


def subtraction_order(view: View) -> SubtractionOrder:
    """Return the order of subtraction: of two, the better one first; of several, as they stand, a control last."""
    pairs = [v for v in view.verdicts if v.pair]
    if pairs and len({name for v in pairs for name in v.learners}) == 2:
        return SubtractionOrder(order={name: place for place, name in enumerate(_ahead_first(view, pairs))})
    found = standing(view, view.metrics[0]) if view.metrics else None
    names = found.learners if found is not None else baselines_last(view.learners, view)
    return SubtractionOrder(order={name: place for place, name in enumerate(names)}, control=view.comparison.control)


def _ahead_first(view: View, pairs: list[Verdict]) -> tuple[str, ...]:
    mine = [v for v in pairs if v.metric == pairs[0].metric and (v.dataset is None) == (pairs[0].dataset is None)]
    names = baselines_last(mine[0].learners, view)
    wins = [sum(winner(v) == name for v in mine) for name in names]
    ahead = wins[1] > wins[0]
    if wins[0] == wins[1] and len({v.dataset for v in mine}) == 1 and (size := mine[0].difference):
        ahead = mine[0].learners[0 if (size > 0) == numbers.higher_is_better(mine[0].metric) else 1] == names[1]
    return names[::-1] if ahead else names


def baselines_last(names: Iterable[str], view: View) -> tuple[str, ...]:
    """Return the same names, baselines at the end."""
    given = tuple(names)
    return (*(n for n in given if n not in view.trivial), *(n for n in given if n in view.trivial))
