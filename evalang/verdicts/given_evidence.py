"""Evidence from given tables: results and predictions of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ..catalogue.metrics import find_metric
from ..data.access import Access
from ..data.given_predictions import GivenPredictions, load_predictions
from ..data.given_results import GivenResults, Items, UnknownLearner, load_results, pair_spread
from ..data.profile_facts import TableFacts
from ..errors import DataError, TestError
from ..language.text import nearest
from ..plans.levels import shares
from ..plans.model import Comparison, Metric, Plan, ResultsTable
from ..plans.opened_data import OpenedTable
from ..results.records import Verdict
from ..scores.answer import Answer, encode, positive_scores
from ..scores.evidence import Evidence, Flags, Floats
from ..scores.metrics import score
from ..scores.row_values import row_values
from .item_evidence import ItemEvidence
from .tests.dependent_rows import enough_groups

_TAKEN = (
    "The table does not say how its scores were made. evalang assumes one {folds}-fold cross-validation; if they are "
    "resamples, the test gives far too many false positives"
)


def load_existing(plan: Plan, access: Access) -> dict[str, GivenResults | GivenPredictions]:
    """Return the table of every comparison on results or predictions, by the comparison's name."""
    results = {r.name: r for r in plan.results}
    predictions = {p.name: p for p in plan.predictions}
    found: dict[str, GivenResults | GivenPredictions] = {}
    for comparison in plan.comparisons:
        whole = comparison.complete_cases
        if comparison.data == "results":
            found[comparison.name] = _load(comparison, results[comparison.datasets[0]], access)
        elif comparison.data == "predictions":
            planned, asked = predictions[comparison.datasets[0]], comparison.learners
            found[comparison.name] = load_predictions(planned, access, complete_cases=whole, compared=asked)
    return found


def _load(comparison: Comparison, planned: ResultsTable, access: Access) -> GivenResults:
    """Return the results of the learners that are compared."""
    try:
        return load_results(
            planned,
            access,
            learners=() if comparison.estimate else comparison.learners,  # the items are those of all learners
            least=1 if comparison.estimate else 2,
            metric=comparison.metrics[0],
            missing="complete" if comparison.complete_cases else comparison.missing,
        )
    except UnknownLearner as error:
        places = dict(zip(comparison.learners, comparison.learner_spans, strict=False))
        raise DataError(error.message, hint=error.hint, span=places.get(error.learner, comparison.span)) from None


def facts_of(tables: Mapping[str, GivenResults | GivenPredictions]) -> dict[str, TableFacts]:
    """Return the facts that rules may use of the tables that were read, by comparison."""
    return {name: table.facts if isinstance(table, GivenResults) else _of_rows(table) for name, table in tables.items()}


def _of_rows(table: GivenPredictions) -> TableFacts:
    groups = len(np.unique(table.groups.astype(str))) if table.groups is not None else 0
    right = np.array([answers == table.truth for answers in table.predictions], dtype=np.float64)
    square, spread = pair_spread(right) if not table.numeric else (0.0, 0.0)
    return TableFacts(
        name=table.name,
        learners=table.learners,
        datasets=(table.name,),
        groups=groups,
        sizes=((len(table.truth), groups),),
        group_columns=table.group_columns,
        training=table.training,
        equal=table.equal,
        text_twins=table.text_twins,
        two_valued=_two_valued(table),
        labelled=tuple(n for n, kind in zip(table.learners, table.kinds, strict=True) if kind == "labels"),
        largest_class=0.0
        if table.numeric
        else float(np.unique(table.truth, return_counts=True)[1].max() / len(table.truth)),
        pair_squares=(square,),
        pair_spreads=(spread,),
    )


def _two_valued(table: GivenPredictions) -> tuple[str, ...]:
    """Return the learners whose numbers are only two, if another learner has more."""
    numbers = {
        n: len(np.unique(said))
        for n, said, kind in zip(table.learners, table.predictions, table.kinds, strict=True)
        if kind == "numbers"
    }
    return tuple(n for n, values in numbers.items() if values == 2 < max(numbers.values()))


def opened_table(table: GivenResults | GivenPredictions) -> OpenedTable:
    """Return what a plan needs to know of an opened table."""
    if isinstance(table, GivenPredictions):
        return OpenedTable(learners=table.learners, metric=table.default_metric)
    facts, entry = table.facts, find_metric(table.metric)
    bounded = entry is not None and entry.high == 1.0
    sizes = [scores if bounded else np.abs(scores) for scores in table.units]
    return OpenedTable(
        largest=max((float(np.nanmax(one, initial=0.0)) for one in sizes), default=0.0),
        learners=table.learners,
        datasets=table.datasets,
        levels=table.levels,
        graded=facts.graded or facts.epochs[1] > 1,
        tied=facts.tied,
        grouped=facts.groups > 0,
        many_groups=facts.groups > 0 and all(enough_groups(*_groups(items)) for items in table.items),
    )


def _groups(items: Items) -> tuple[int, float]:
    """Return the number of groups, and the number of equal groups that would carry as much."""
    sizes = np.unique(items.groups, return_counts=True)[1] if items.groups is not None else np.ones(1)
    return len(sizes), float(sizes.sum() ** 2 / (sizes**2).sum())


def existing_evidence(plan: Plan, tables: Mapping[str, GivenResults | GivenPredictions]) -> dict[str, Evidence]:
    """Return the evidence of every comparison on results or predictions."""
    positive = {p.name: p.positive for p in plan.predictions}
    found: dict[str, Evidence] = {}
    for comparison in plan.comparisons:
        table = tables.get(comparison.name)
        if isinstance(table, GivenResults):
            found[comparison.name] = _of_results(table, comparison)
        elif isinstance(table, GivenPredictions):
            found[comparison.name] = PredictionsEvidence(table, comparison, positive[comparison.datasets[0]])
    return found


def _of_results(table: GivenResults, comparison: Comparison) -> ItemEvidence | ResultsEvidence:
    if table.items:
        return ItemEvidence(table, _learners(comparison.learners, table.learners, comparison), comparison)
    return ResultsEvidence(table, comparison)


def counted_as_wrong(evidence: Mapping[str, Evidence], plan: Plan) -> dict[str, Evidence]:
    """Return the evidence of comparisons that left out missing answers, with these answers counted as wrong."""
    left_out = {c: e.results.as_wrong for c, e in evidence.items() if isinstance(e, ItemEvidence | ResultsEvidence)}
    return {c.name: _of_results(found, c) for c in plan.comparisons if (found := left_out.get(c.name)) is not None}


def _learners(asked: tuple[str, ...], there: tuple[str, ...], comparison: Comparison) -> tuple[str, ...]:
    for place, name in enumerate(asked):
        if name not in there:
            near = nearest(name, there)
            span = comparison.learner_spans[place] if place < len(comparison.learner_spans) else comparison.span
            raise DataError(
                f"{comparison.datasets[0]} has no learner {name}",
                hint=f"did you mean {near}?" if near else f"it has {', '.join(there[:10])}",
                span=span,
            )
    return asked or there


class ResultsEvidence(Evidence):
    """Scores of every dataset and learner, and of every fold where the table has them."""

    def __init__(self, results: GivenResults, comparison: Comparison) -> None:
        self.results = results
        self.name = results.name
        self.learners = _learners(comparison.learners, results.learners, comparison)
        self.datasets = results.datasets
        self._columns = {x: results.column(x) for x in self.learners}  # each of many thousand verdicts asks for them

    def _metric(self, metric: str) -> None:
        if metric.partition("(")[0] != self.results.metric:
            raise TestError(f"{self.name} holds {self.results.metric}, not {metric}")

    def fold_scores(self, dataset: str, metric: str) -> dict[str, Floats]:
        self._metric(metric)
        place = self.datasets.index(dataset)
        if not self.results.fold_scores:
            return {x: np.array([[self.results.column(x)[place]]]) for x in self.learners}
        table = self.results.fold_scores[place]
        return {x: table[self.results.learners.index(x)] for x in self.learners}

    def sizes(self, dataset: str) -> tuple[float, float]:
        """Return those of the scheme that the table was made by; else of K folds all but one are trained on.

        Only their ratio is used.
        """
        made = shares(self.results.made) if self.results.made is not None else None
        if made is not None:
            return made
        folds = self.results.fold_scores[self.datasets.index(dataset)].shape[-1] if self.results.fold_scores else 0
        if folds < 2:
            raise self.absent("sizes of training and test parts")
        return folds - 1.0, 1.0

    def runs(self) -> dict[str, Floats]:
        """Return [run, task] of every learner where seeds are whole runs, as many on every task; else an empty dict."""
        seeds = self.results.seeds
        counts = np.array([np.count_nonzero(~np.isnan(one), axis=1) for one in seeds])  # [task, learner]
        if not seeds or (counts != counts[0]).any() or counts.min() < 2:
            return {}
        table = np.stack(seeds, axis=2)  # [learner, run, task]
        places = {x: self.results.learners.index(x) for x in self.learners}
        return {x: table[i, : counts[0, i]] for x, i in places.items()}

    def caveats(self, dataset: str | None) -> tuple[str, ...]:
        tables = self.results.fold_scores
        folds = tables[self.datasets.index(dataset)].shape[-1] if dataset is not None and tables else 0
        return (_TAKEN.format(folds=folds),) if folds > 1 and self.results.made is None else ()

    def notes(self, dataset: str | None) -> tuple[str, ...]:
        return self.results.unequal_seeds if dataset is None else ()

    def left_out(self, verdict: Verdict) -> str:
        gone = self.results.left_out if verdict.dataset is None else ()
        named = ", ".join(gone[:6]) + (", …" if len(gone) > 6 else "")
        of = len(gone) + len(self.datasets)
        return f"{len(gone)} of {of} datasets are left out for a missing score: {named}" if gone else ""

    def dataset_scores(self, metric: str) -> dict[str, Floats]:
        self._metric(metric)
        return self._columns


class PredictionsEvidence(Evidence):
    """The predictions of each learner for every row."""

    def __init__(self, predictions: GivenPredictions, comparison: Comparison, positive: tuple[Any, ...]) -> None:
        self.name = predictions.name
        self.learners = _learners(comparison.learners, predictions.learners, comparison)
        self.datasets = (predictions.name,)
        self.metrics: Mapping[str, Metric] = {m.label: m for m in comparison.metrics}
        self._answers = {x: _answer(predictions, x, positive) for x in self.learners}
        self._groups = predictions.groups

    def answers(self, dataset: str, metric: str) -> dict[str, Answer]:
        return self._answers

    def fold_scores(self, dataset: str, metric: str) -> dict[str, Floats]:
        asked = self.metrics[metric]
        return {x: np.array([[score(asked.name, a, asked.options)]]) for x, a in self._answers.items()}

    def sizes(self, dataset: str) -> tuple[float, float]:
        return 0.0, float(next(iter(self._answers.values())).rows)

    def outcomes(self, dataset: str) -> dict[str, Flags]:
        if not next(iter(self._answers.values())).classes:
            raise self.absent("classes, so nothing is right or wrong")
        return {x: np.asarray(a.labels == a.truth) for x, a in self._answers.items()}

    def row_values(self, dataset: str, metric: str) -> dict[str, Floats]:
        return {
            x: row_values(self.metrics[metric].name, a, self.metrics[metric].options)[None, :]
            for x, a in self._answers.items()
        }

    def row_places(self, dataset: str, kind: Literal["groups", "time"]) -> Any:
        if kind == "time" or self._groups is None:
            raise self.absent(kind)
        return self._groups

    def row_scores(self, dataset: str) -> tuple[Any, dict[str, Floats]]:
        found = {x: positive_scores(a, "roc-area") for x, a in self._answers.items()}
        return next(iter(found.values()))[0], {x: scores for x, (_, scores) in found.items()}

    def rows_of_one_score(self, dataset: str, learner: str) -> int:
        return int(self.sizes(dataset)[1])

    def dataset_scores(self, metric: str) -> dict[str, Floats]:
        return {x: v.ravel() for x, v in self.fold_scores(self.name, metric).items()}


def _answer(predictions: GivenPredictions, learner: str, positive: tuple[Any, ...]) -> Answer:
    """Return labels as they are; numbers as scores of the second class (one half or more means positive)."""
    place = predictions.learners.index(learner)
    given, kind = predictions.predictions[place], predictions.kinds[place]
    if predictions.numeric:
        return Answer(truth=predictions.truth, labels=given)
    classes = tuple(sorted({*predictions.truth.tolist(), *(given.tolist() if kind == "labels" else [])}, key=str))
    if positive and len(classes) == 2 and str(positive[0]) in map(str, classes):
        classes = tuple(sorted(classes, key=lambda c: str(c) == str(positive[0])))
    truth = encode(predictions.truth, classes)
    code = 1 if positive and len(classes) == 2 else None
    if kind == "labels":
        return Answer(truth=truth, labels=encode(given, classes, learner), classes=classes, positive=code)
    if len(classes) != 2:
        raise DataError(
            f"{learner} has one number for each row, but the truth has {len(classes)} classes",
            hint="give the predicted class of each row",
        )
    inside = bool(np.all((given >= 0) & (given <= 1)))
    labels = (given >= (0.5 if inside else 0.0)).astype(np.intp)
    return Answer(truth=truth, labels=labels, scores=given, classes=classes, positive=code, probabilities=inside)
