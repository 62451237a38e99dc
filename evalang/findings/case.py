"""A case: a comparison with the cards of everything it names, and what the catalogue knows about its learners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..catalogue.estimators import EstimatorEntry, find_estimator
from ..catalogue.learners import LEARNERS, STEPS, LearnerEntry, find_learner, find_step, targets
from ..catalogue.metrics import MetricEntry
from ..catalogue.schemes import SchemeEntry
from ..catalogue.tests import TestEntry
from ..language.text import Span, Subject
from ..plans import model

# A dotted name that stands behind a catalogue name has that name's card: sklearn.svm.SVC is an svm.
_CARD_BY_CLASS: dict[str, LearnerEntry] = {}
for _entry in LEARNERS:
    for _dotted in (_entry.classifier, _entry.regressor):
        if _dotted is not None:
            _CARD_BY_CLASS.setdefault(_dotted, _entry)
_SCALERS = frozenset(name for step in STEPS if step.scales for name in (step.name, step.transformer))
_SCALES = ("Scaler", "Normalizer", "QuantileTransformer", "PowerTransformer")
_DISTANCES = (
    "sklearn.svm.", "sklearn.neighbors.", "sklearn.neural_network.", "sklearn.linear_model.", "sklearn.kernel_ridge.",
    "sklearn.gaussian_process.", "sklearn.semi_supervised.Label",
)  # fmt: skip
_SCALE_INVARIANT = frozenset(  # no penalty and no distance: another scale changes nothing
    f"sklearn.linear_model.{name}"
    for name in ("LinearRegression", "TheilSenRegressor", "RANSACRegressor", "QuantileRegressor", "Lars", "LarsCV")
)
# Their probabilities repeat the class they drew, so they do not rank the rows.
_CLASSES_ONLY = frozenset({"stratified-guess"})


@dataclass(frozen=True, slots=True)
class Traits:
    """A learner of the plan, and what is known about it without importing anything."""

    learner: model.Learner
    card: LearnerEntry | None = None  # None for user code, objects passed from Python, and rarer estimators
    established: bool | None = None  # from the catalogue or scikit-learn; None when only Python knows
    stochastic: bool = False  # its randomness changes what is learned
    random: bool = False  # draws random numbers at all
    scaled: bool = True  # has a step that scales, or may: user code
    needs_scaling: bool = False  # measures distances or penalises sizes
    distorts: str = ""  # how its probabilities are off; empty: they are meant as such
    searches: bool = False  # tries settings of its own inside each fit
    gives: Literal["labels", "scores", "probabilities"] | None = None
    budget: int | None = None  # settings tried; None when there is nothing to tune

    @property
    def name(self) -> str:
        """The name the user gave."""
        return self.learner.name


def find_traits(learner: model.Learner) -> Traits:
    """Return what is known about a learner."""
    last = learner.steps[-1] if learner.steps else None
    description = learner.described
    if description is not None or (last is not None and last.kind == "unknown"):
        random = description is not None and description.randomised
        gives_scores = description is not None and description.gives_scores
        tries = description.tries if description is not None else None  # None: not known, so no rule judges it
        return Traits(learner, stochastic=random, random=random, gives="scores" if gives_scores else None, budget=tries)
    card = _card(last)
    behind = targets(last.name) if last is not None and last.kind in ("learner", "estimator") and card is None else ()
    estimator = find_estimator(behind[0]) if behind else None
    exempt = card is not None and (card.baseline or (not card.tunable and not learner.grids))
    known = card or estimator
    gives = "labels" if card is not None and card.name in _CLASSES_ONLY else known.gives if known else None
    return Traits(
        learner=learner,
        card=card,
        established=last.kind in ("learner", "estimator") if last is not None and last.kind != "python" else None,
        stochastic=card.stochastic if card else _trains_randomly(estimator) or getattr(last, "kind", "") == "code",
        random=(card is not None and card.stochastic)
        or (estimator is not None and estimator.random)
        or learner.tries is not None
        or any(entry.random for step in learner.steps[:-1] if (entry := find_step(step.name)) is not None),
        scaled=any(_may_scale(step) for step in learner.steps[:-1]),
        needs_scaling=card.needs_scaling if card else _measures(estimator),
        distorts=_distortion(card, estimator),
        searches=estimator is not None and estimator.dotted.endswith("CV"),
        gives="probabilities" if gives == "scores" and learner.calibrate != "none" else gives,
        budget=None if exempt else learner.candidates,
    )


def _may_scale(step: model.Step) -> bool:
    """Return whether a step puts columns on one scale, or may: what scikit-learn calls a scaler, and user code."""
    return step.name in _SCALERS or step.kind in ("code", "python", "unknown") or step.name.endswith(_SCALES)


def _measures(estimator: EstimatorEntry | None) -> bool:
    """Return whether an estimator without a card of ours measures distances or penalises the size of coefficients."""
    return (
        estimator is not None and estimator.dotted.startswith(_DISTANCES) and estimator.dotted not in _SCALE_INVARIANT
    )


def _distortion(card: LearnerEntry | None, estimator: EstimatorEntry | None) -> str:
    if card is not None:
        return card.distorts
    if estimator is not None and estimator.dotted.startswith("sklearn.naive_bayes."):
        return "extreme"
    margins = estimator is not None and estimator.gives == "scores" and "classifier" in estimator.kinds
    return "margins" if margins else ""


def _trains_randomly(estimator: EstimatorEntry | None) -> bool:
    """Return whether an estimator without a card of ours is of a kind whose training is random: ensembles and nets."""
    kinds = ("sklearn.ensemble.", "sklearn.neural_network.")
    return estimator is not None and estimator.random and estimator.dotted.startswith(kinds)


def _card(step: model.Step | None) -> LearnerEntry | None:
    if step is None:
        return None
    if step.kind == "learner":
        found = find_learner(step.name)
        return None if found is None or found.generic else found
    return _CARD_BY_CLASS.get(step.name) if step.kind == "estimator" else None


def equivalence_key(step: model.Step) -> tuple[object, ...]:
    """Return a key that is equal for two steps that do the same: the estimator behind a name, and its parameters."""
    card = _card(step)
    behind = (card.classifier, card.defaults) if card is not None else (step.name, ())
    plain = card is not None and step.kind == "learner"
    given = dict((*(card.defaults if plain and card else ()), *step.parameters))
    classes = [found for dotted in targets(step.name) if (found := find_estimator(dotted)) is not None]
    # A parameter that is set to its default changes nothing.
    changed = [
        (name, value)
        for name, value in given.items()
        if not classes or any(name not in found.specs or found.specs[name][0] != value for found in classes)
    ]
    return (behind[0] or step.name, card.regressor if card else "", tuple(sorted(changed, key=str)))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding points, and what it is about."""

    span: Span
    subject: Subject


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """A test of the plan together with its card."""

    test: model.Test
    card: TestEntry
    over: bool  # over datasets

    @property
    def written(self) -> bool:
        """Whether the script names it."""
        return self.test.origin == "written"


@dataclass(frozen=True, slots=True)
class Case:
    """A comparison or estimate together with everything its rules look up."""

    comparison: model.Comparison
    scheme: SchemeEntry | None  # None: a dataset without `using`, which is EV007
    learners: tuple[Traits, ...]
    datasets: tuple[model.Dataset, ...]
    metrics: tuple[MetricEntry, ...]
    tests: tuple[PlannedTest, ...]
    table: model.ResultsTable | model.PredictionsTable | None  # what stands in place of datasets
    families: tuple[model.Family, ...]
    claims: tuple[model.Claim, ...]

    def at(
        self, *places: Span | str, dataset: str | None = None, metric: str = "", learners: tuple[str, ...] = ()
    ) -> Place:
        """Return the place of a finding about this comparison: the first span or clause that stands in the script."""
        spans = [self.comparison.span_of(place) if isinstance(place, str) else place for place in places]
        span = next((span for span in spans if span.path), spans[-1])
        return Place(span, Subject(self.comparison.name, dataset, metric, learners))

    @property
    def scheme_span(self) -> Span:
        """Where the scheme stands."""
        scheme = self.comparison.scheme
        return scheme.span if scheme is not None and scheme.span.path else self.comparison.span_of("using")

    def learner_span(self, name: str) -> Span:
        """Return where the comparison names a learner."""
        named = zip(self.comparison.learners, self.comparison.learner_spans, strict=False)
        return next((span for learner, span in named if learner == name), self.comparison.span)

    def has_clause(self, clause: str) -> bool:
        """Return whether the statement has the clause, even with a wrong value (EV006) or unreadable (EV001)."""
        return any(word == clause for word, _ in self.comparison.spans)

    @property
    def suggested_seed_clause(self) -> str:
        """The seed clause to add to advice that draws random numbers; empty where a seed is given."""
        return "" if self.comparison.seed is not None else ", seed 1"

    def like_scheme(self, text: str) -> str:
        """Return another scheme, grouped or stratified as the one of the script is.

        Groups that every dataset declares are kept together in any case.
        """
        scheme = self.comparison.scheme
        declared = bool(self.datasets) and all(dataset.groups for dataset in self.datasets)
        if declared or (scheme is not None and scheme.grouped):
            return f"grouped {text}"
        if scheme is None or scheme.stratified is None:
            return text
        return f"{'stratified' if scheme.stratified else 'unstratified'} {text}"

    @property
    def halves(self) -> str:
        """The scheme to advise: of what was measured (the study of levels) the cheapest that keeps its level."""
        return f"{self.like_scheme('10x2cv')}{self.suggested_seed_clause}"

    @property
    def units(self) -> str:
        """What the script has in place of test rows: "items" of a table of answers, else "rows"."""
        return "items" if self.kind == "items" else "rows"

    @property
    def kind(self) -> str:
        """The kind of scheme, "results" and "predictions" included."""
        return self.scheme.kind if self.scheme else ""
