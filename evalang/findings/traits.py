"""What the catalogue knows about a learner of the plan: one look-up for all rules."""

from __future__ import annotations

from typing import Literal

from ..catalogue.entry import LearnerEntry
from ..catalogue.estimators import EstimatorEntry, find_estimator
from ..catalogue.learners import LEARNERS, find_learner
from ..catalogue.steps import STEPS, find_step
from ..plans.model import Description, Learner, Step
from ..source.record import Record

# A dotted name that stands behind a catalogue name has that name's card: sklearn.svm.SVC is an svm.
_BEHIND: dict[str, LearnerEntry] = {}
for _entry in LEARNERS:
    for _dotted in (_entry.classifier, _entry.regressor):
        if _dotted is not None:
            _BEHIND.setdefault(_dotted, _entry)
_SCALERS = frozenset(name for step in STEPS if step.scales for name in (step.name, step.transformer))
# What such a learner calls probabilities is the class it drew, once more: there is no order of the rows in it.
_CLASSES_ONLY = frozenset({"stratified-guess"})


class Traits(Record):
    """A learner of the plan, and what is known about it without importing anything."""

    learner: Learner
    card: LearnerEntry | None  # None for code of one's own, for what Python hands over, and for rarer estimators
    established: bool | None  # from the catalogue or scikit-learn; None when only Python knows
    stochastic: bool  # its randomness changes what is learned
    random: bool  # draws random numbers at all
    scaled: bool  # has a step that scales
    gives: Literal["labels", "scores", "probabilities"] | None
    budget: int | None  # settings tried; None when there is nothing to tune

    @property
    def name(self) -> str:
        """The name the user gave."""
        return self.learner.name


def traits_of(learner: Learner) -> Traits:
    """Looks a learner up."""
    if learner.described is not None:
        return _described(learner, learner.described)
    last = learner.steps[-1] if learner.steps else None
    card = _card(last)
    estimator = find_estimator(last.name) if last is not None and last.kind == "estimator" and card is None else None
    exempt = card is not None and (card.baseline or (not card.tunable and not learner.grids))
    gives = (
        "labels"
        if card and card.name in _CLASSES_ONLY
        else card.gives
        if card
        else estimator.gives
        if estimator
        else None
    )
    return Traits(
        learner=learner,
        card=card,
        established=_established(last),
        stochastic=card.stochastic if card else _learns_by_chance(estimator),
        random=(card is not None and card.stochastic)
        or (estimator is not None and estimator.random)
        or learner.tries is not None
        or any(_random(step) for step in learner.steps[:-1]),
        scaled=any(step.name in _SCALERS for step in learner.steps),
        gives="probabilities" if gives == "scores" and learner.calibrate != "none" else gives,
        budget=None if exempt else learner.candidates,
    )


def _described(learner: Learner, said: Description) -> Traits:
    """A learner that is only described: what it says of itself."""
    return Traits(
        learner=learner,
        card=None,
        established=None,
        stochastic=said.randomised,
        random=said.randomised,
        scaled=False,
        gives="scores" if said.gives_scores else None,
        budget=said.tries,
    )


def _learns_by_chance(estimator: EstimatorEntry | None) -> bool:
    """Whether an estimator without a card of ours is of a kind whose training is random: ensembles and nets."""
    kinds = ("sklearn.ensemble.", "sklearn.neural_network.")
    return estimator is not None and estimator.random and estimator.dotted.startswith(kinds)


def _card(step: Step | None) -> LearnerEntry | None:
    if step is None:
        return None
    if step.kind == "learner":
        return find_learner(step.name)
    return _BEHIND.get(step.name) if step.kind == "estimator" else None


def _established(step: Step | None) -> bool | None:
    if step is None or step.kind == "python":
        return None
    return step.kind in ("learner", "estimator")


def _random(step: Step) -> bool:
    card = find_step(step.name)
    return card is not None and card.random
