"""One stage of `a | b | c`, whatever it is called: which estimators stand behind it, and which parameters it takes."""

from __future__ import annotations

from functools import lru_cache

from ..source.nearest import nearest
from .estimators import EstimatorEntry, check_parameter, estimator_names, find_estimator, nearest_estimator
from .learners import LEARNERS, find_learner
from .steps import STEPS, find_step

_FIXED = {"log": ()}  # steps of which nothing can be set
TREES = ("sklearn.tree.DecisionTreeClassifier", "sklearn.tree.DecisionTreeRegressor")  # for classes and for numbers


@lru_cache(maxsize=512)
def targets(name: str) -> tuple[str, ...]:
    """Dotted names behind a stage: of a learner for classes and for numbers, of a step, of a dotted name itself.

    >>> targets("decision-tree")
    ('sklearn.tree.DecisionTreeClassifier', 'sklearn.tree.DecisionTreeRegressor')
    >>> targets("os.system")
    ()
    """
    learner, step = find_learner(name), find_step(name)
    if learner is not None:
        return tuple(dotted for dotted in (learner.classifier, learner.regressor) if dotted is not None)
    if step is not None:
        return (step.transformer,)
    return (name,) if "." in name and find_estimator(name) is not None else ()


@lru_cache(maxsize=512)
def stage_parameters(name: str) -> tuple[str, ...]:
    """The parameters that may be set or tuned."""
    if name in _FIXED:
        return _FIXED[name]
    return tuple(dict.fromkeys(p for entry in _takers(name) for p in entry.settable))


def check_stage(name: str, parameter: str, value: object) -> str | None:
    """What is wrong with `name(parameter = value)`, as a sentence, or None; fine when it fits classes or numbers.

    >>> check_stage("knn", "n_neighbours", 3)
    'knn has no parameter "n_neighbours"; did you mean n_neighbors?'
    """
    known = stage_parameters(name)
    entries = _takers(name)
    if not any(parameter in entry.parameters for entry in entries) or name in _FIXED:
        near = nearest(parameter, known)
        return f'{name} has no parameter "{parameter}"' + (f"; did you mean {near}?" if near else "")
    owners = [entry for entry in _entries(name) if parameter in entry.parameters] or entries
    wrong = [check_parameter(entry, parameter, value) for entry in owners if parameter in entry.parameters]
    return None if None in wrong else wrong[0]


@lru_cache(maxsize=512)
def check_role(name: str, last: bool) -> str | None:
    """What is wrong with this stage at its place (the last one learns, the others prepare), or None."""
    for entry in _entries(name):
        if entry.handed:
            return f"{name} is built from other estimators, which a script cannot hand over"
    learns = any("classifier" in entry.kinds or "regressor" in entry.kinds for entry in _entries(name))
    prepares = find_step(name) is not None or any("transformer" in entry.kinds for entry in _entries(name))
    if last and not learns:
        return f"{name} prepares data and learns nothing; end the chain with a learner"
    if not last and (not prepares or find_learner(name) is not None):
        return f"{name} is a learner and can only stand at the end of the chain"
    return None


def nearest_stage(name: str) -> str | None:
    """The stage most like this name; dotted names are compared with dotted ones."""
    if "." in name:
        return nearest_estimator(name)
    words = [entry.name for entry in LEARNERS] + [entry.name for entry in STEPS]
    return nearest(name, words) or next((d for d in estimator_names() if d.rpartition(".")[2] == name), None)


def _entries(name: str) -> tuple[EstimatorEntry, ...]:
    return tuple(entry for entry in map(find_estimator, targets(name)) if entry is not None)


def _takers(name: str) -> tuple[EstimatorEntry, ...]:
    """Whose parameters may be written: the estimators' own, then those of the trees they are made of."""
    learner = find_learner(name)
    members = TREES if learner is not None and learner.trees else ()
    return _entries(name) + tuple(entry for entry in map(find_estimator, members) if entry is not None)
