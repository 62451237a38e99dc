"""From the name of a stage to an estimator: of the catalogue, of scikit-learn, a user's own, or given from Python."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import pickle
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from ..catalogue.estimators import BOOSTERS, EstimatorEntry, default_of, find_estimator, list_form
from ..catalogue.learners import TREES, check_role, check_stage, find_learner, find_step, package_of, targets
from ..errors import DataError, RunError, ScriptError
from ..language.text import nearest
from ..plans.model import Learner, Step
from .own_code import NO_CODE, PLAIN, LocalCode, install, lies_beside

Task = Literal["classification", "regression"]


@dataclass(frozen=True, slots=True)
class CodeFacts:
    """What a worker found of a class of the user's own; `unknown` says why its source cannot be known."""

    identity: str
    unknown: str = ""
    packages: tuple[str, ...] = ()  # distributions that its modules import


@dataclass(frozen=True, slots=True)
class Trust:
    """What may be used beside the catalogue: packages named on the command line, objects given from Python."""

    packages: frozenset[str] = frozenset()
    objects: Mapping[str, Any] = field(default_factory=dict)
    local: LocalCode = NO_CODE
    code: Mapping[str, CodeFacts] = field(default_factory=dict)  # by step; without it the class is imported here

    def given(self, name: str) -> Any:
        """Return an object given from Python; a worker unpacks it, which imports the user's code."""
        made = self.objects.get(name)
        return pickle.loads(made) if isinstance(made, bytes) else made  # noqa: S301 - packed by the run's process


NO_TRUST = Trust()


def estimator_class(dotted: str) -> tuple[type, EstimatorEntry]:
    """Return the class of a dotted name of the table; anything else is refused without importing it.

    >>> estimator_class("sklearn.svm.SVC")[0].__name__
    'SVC'
    """
    entry = find_estimator(dotted)
    if entry is None:
        raise ScriptError(
            f"{dotted[:200]} is not a scikit-learn estimator",
            hint='name a learner of the catalogue or a scikit-learn estimator; own code is written "package:Class"',
        )
    return _imported(dotted), entry


@lru_cache(maxsize=256)
def _imported(dotted: str) -> type:
    entry = find_estimator(dotted)
    assert entry is not None
    place, _, name = dotted.rpartition(".")
    package = package_of(dotted)
    try:
        with prints_to_stderr():
            loaded = importlib.import_module(place)
    except (ImportError, OSError) as reason:  # OSError: a library that it is linked with
        if not package:
            raise
        fresh = isinstance(reason, ModuleNotFoundError) and reason.name == package
        said = "is not installed" if fresh else f"cannot be imported: {str(reason)[:300]}"
        raise RunError(f"{package} {said}", hint=f'pip install "evalang[{BOOSTERS[package]}]"') from None
    found = getattr(loaded, name, None)
    if not isinstance(found, type) or found.__module__ != entry.module or found.__qualname__ != name:
        raise RunError(
            f"the installed {package or 'scikit-learn'} has no {dotted} where the catalogue expects it",
            hint="install a version of the package that evalang supports",
        )
    return found


def dotted_of(step: Step, task: Task) -> str:
    """Return the dotted name of the estimator behind a stage, for a target of classes or of numbers."""
    learner = find_learner(step.name) if step.kind == "learner" else None
    if learner is not None:
        dotted = learner.classifier if task == "classification" else learner.regressor
        if dotted is None:
            predicts = "numbers" if task == "classification" else "classes"
            what = f"`{step.name}` predicts {predicts}, but the target has {_values(task)}"
            remedy = "name a learner of classes, or write `as regression` after the dataset if its target is a number"
            raise DataError(
                what, hint=remedy if predicts == "numbers" else "use a learner that predicts numbers", span=step.span
            )
        return dotted
    card = find_step(step.name) if step.kind == "step" else None
    if card is not None:
        return card.transformer
    if step.kind == "estimator":
        return step.name
    raise ScriptError(f"there is no {step.kind} {step.name[:200]}", span=step.span)


def make(step: Step, task: Task, seed: int, extra: Mapping[str, Any], *, last: bool) -> Any:
    """Return a fresh estimator of the catalogue or of scikit-learn, with its parameters and its own seed.

    `n_jobs` cannot be written in a script and is left alone, which means one job; setting it makes some learners warn.
    """
    for name, value in step.parameters:
        wrong = check_stage(step.name, name, value) if targets(step.name) else None
        if wrong is not None:
            raise ScriptError(wrong, span=step.span)
    cls, entry = estimator_class(dotted_of(step, task))
    wrong = check_role(step.name, last)
    if wrong is not None:
        raise ScriptError(wrong, span=step.span)
    if last and _role(task) not in entry.kinds:
        raise DataError(f"`{step.name}` is not a {_role(task)}, but the target has {_values(task)}", span=step.span)
    settings = (
        _defaults(step, entry) | dict(extra) | {name: _formed(entry, name, value) for name, value in step.parameters}
    )
    learner = find_learner(step.name)
    if learner is not None and learner.trees:
        settings = _with_trees(settings, entry, task)
    if entry.random and default_of(entry, "random_state") != "deprecated":
        settings["random_state"] = seed
    unknown = sorted(set(settings) - set(entry.parameters))
    if unknown:
        raise DataError(f"{step.name} has no parameter {unknown[0]} for a target of {_values(task)}", span=step.span)
    return cls(**settings | _SILENT.get(package_of(step.name), {}))


# One thread and nothing printed or written: results do not depend on the cores, and trials run side by side.
_SILENT: dict[str, dict[str, Any]] = {
    "lightgbm": {"n_jobs": 1, "verbose": -1},
    "xgboost": {"n_jobs": 1, "verbosity": 0},
    "catboost": {"thread_count": 1, "logging_level": "Silent", "allow_writing_files": False},
}


def package_behind(step: Step) -> str:
    """Return the package, beside scikit-learn, that a stage of the catalogue comes from; "" for other stages."""
    return package_of(step.name) if step.kind in ("learner", "estimator") else ""


def _defaults(step: Step, entry: EstimatorEntry) -> dict[str, Any]:
    """Return the catalogue's defaults, without those that only the estimator for the other kind of target has."""
    learner = find_learner(step.name)
    card = learner or find_step(step.name)
    everything = learner is not None and learner.trees
    return {n: value for n, value in (card.defaults if card else ()) if everything or n in entry.parameters}


def _with_trees(settings: dict[str, Any], entry: EstimatorEntry, task: Task) -> dict[str, Any]:
    """Pass what the ensemble itself does not take to the trees it is made of; it sets their seeds itself."""
    cls, tree = estimator_class(TREES[0] if task == "classification" else TREES[1])
    passed = {n: value for n, value in settings.items() if n not in entry.parameters and n in tree.parameters}
    kept = {n: value for n, value in settings.items() if n not in passed}
    return kept | {"estimator": cls(**{n: _formed(tree, n, value) for n, value in passed.items()})}


@contextlib.contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Keep what a user's code prints while it is imported out of the report."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def own_class(name: str, trust: Trust) -> type:
    """Return the class of "package.module:Class", when the command line trusts the package that defines it."""
    module, colon, short = name.partition(":")
    parts = module.split(".")
    if not colon or not short.isidentifier() or not all(part.isidentifier() for part in parts):
        raise ScriptError(f"{name[:200]!r} is not of the form package:Class")
    package = next((p for p in trust.packages if module == p or module.startswith(p + ".")), None)
    if package is None:
        raise ScriptError(
            f"`{name}` is your own code, which is not trusted yet", hint=f"add --trust {parts[0]} to the command"
        )
    install(trust.local)
    try:
        with prints_to_stderr():
            loaded = importlib.import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as reason:  # a module may even call sys.exit
        missing = reason.name if isinstance(reason, ModuleNotFoundError) else None
        raise RunError(
            f"importing {module} failed: {type(reason).__name__}: {str(reason)[:300]}",
            hint=_missing_hint(missing or "", module, trust.local),
        ) from reason
    found = getattr(loaded, short, None)
    if not isinstance(found, type):
        near = nearest(short, [n for n, v in vars(loaded).items() if isinstance(v, type) and hasattr(v, "fit")])
        raise ScriptError(f"module `{module}` has no class `{short}`", hint=f"did you mean {near}?" if near else "")
    if not (found.__module__ == package or found.__module__.startswith(package + ".")):
        raise ScriptError(f"{short} comes from {found.__module__}, which is not part of {package}")
    if not hasattr(found, "fit"):
        raise ScriptError(f"`{name}` is not a learner: it has no method `fit`")
    return found


def _missing_hint(missing: str, module: str, local: LocalCode) -> str:
    if not missing:
        return ""
    if missing == module.partition(".")[0]:
        return f"put {missing}.py beside the script, or install the package {missing}"
    if lies_beside(local, missing):
        return f"{missing} is a file beside the script that is not trusted yet: add --trust {missing.partition('.')[0]}"
    return f"install {missing}"


def own_object(step: Step, seed: int, trust: Trust) -> Any:
    """Return a fresh object of the user's own class."""
    cls = own_class(step.name, trust)
    try:
        made = cls(**dict(step.parameters))
    except TypeError as reason:
        raise ScriptError(
            f"{step.name} does not take these parameters: {str(reason)[:300]}", span=step.span
        ) from reason
    return seeded(made, seed)


def given_object(step: Step, seed: int, trust: Trust) -> Any:
    """Return a fresh copy of an estimator given from Python."""
    made = trust.given(step.name)
    if made is None:
        raise RunError(f"learner `{step.name}` was passed from Python, so it cannot be loaded from the script alone")
    changes, held = dict(step.parameters), _plain_parameters(made)
    if held is not None and changes.keys() <= held.keys():  # the same as clone, in a tenth of the time
        held |= changes
        return type(made)(**held | _own_seeds(held, seed))
    from sklearn.base import clone

    copy = clone(made, safe=False)
    return seeded(copy.set_params(**changes) if changes else copy, seed)


def _plain_parameters(made: Any) -> dict[str, Any] | None:
    """Return the parameters of an unfitted estimator of scikit-learn that has only plain ones; None for any other."""
    cls = type(made)
    held = dict(vars(made)) if cls.__module__.startswith("sklearn.") else {}
    plain = bool(held) and all(type(value) in PLAIN for value in held.values())
    return held if plain and held.keys() == _parameters(cls) else None  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _parameters(cls: type) -> frozenset[str]:
    return frozenset(inspect.signature(cls).parameters)


def is_own_code(learner: Learner) -> bool:
    """Return whether a stage of the learner is the user's own code."""
    return any(step.kind in ("code", "python") for step in learner.steps)


_SAFE_TO_FORK = frozenset({"sklearn", "numpy", "scipy", "pandas", "builtins"})  # no GPU, no threads of their own


def needs_clean_process(learner: Learner, trust: Trust) -> bool:
    """Return whether code runs that may have threads or a GPU context, which no copy of this process would have."""
    for step in learner.steps:
        if step.kind == "code":
            return True
        if step.kind == "python":
            made = trust.given(step.name)
            held = made.get_params(deep=True).values() if hasattr(made, "get_params") else ()
            classes = [one if isinstance(one, type) else type(one) for one in (made, *held)]
            if any(cls.__module__.partition(".")[0] not in _SAFE_TO_FORK for cls in classes):
                return True
    return False


def seeded(made: Any, seed: int) -> Any:
    """Set every `random_state`, nested ones too, to a seed of its own, and every `n_jobs` to 1."""
    if not hasattr(made, "get_params") or not hasattr(made, "set_params"):
        return made
    changes = _own_seeds(made.get_params(deep=True), seed)
    return made.set_params(**changes) if changes else made


def _own_seeds(held: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return the parameters to set for a fit of its own seed, in one thread."""
    changes: dict[str, Any] = {}
    for place, name in enumerate(sorted(held)):
        if held[name] == "deprecated":
            continue
        if name == "random_state" or name.endswith("__random_state"):
            changes[name] = seed if name == "random_state" else (seed + 7919 * place) % (2**31 - 1)
        elif (name == "n_jobs" or name.endswith("__n_jobs")) and held[name] is not None:
            changes[name] = 1
    return changes


def _formed(entry: EstimatorEntry, name: str, value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    form = list_form(entry, name)
    if form == "array":
        import numpy as np  # plan and lint read the names of this module and load nothing heavy

        return np.asarray(value)
    return [list(item) if isinstance(item, tuple) else item for item in value] if form == "list" else value


def _role(task: Task) -> str:
    return "classifier" if task == "classification" else "regressor"


def _values(task: Task) -> str:
    return "classes" if task == "classification" else "numbers"


def check_trust(step: Step, trusted: frozenset[str], folder: str = "") -> None:
    """Raise ScriptError for the user's own code that is not trusted; the catalogue's packages need no trust.

    `folder` is that of the script, where a file of nearly this name may lie.
    """
    module = step.name.partition(":")[0] if step.kind == "code" else ""
    if module and not any(module == package or module.startswith(f"{package}.") for package in trusted):
        package = module.partition(".")[0]
        hint = f"add --trust {package} to the command if you trust that package"
        if folder and importlib.util.find_spec(package) is None:
            files = [file.stem for file in Path(folder).glob("*.py")]
            if package not in files:
                near = nearest(package, files)
                hint = f"install the package and add --trust {package}: no {package}.py lies beside the script"
                hint = f"there is no {package}.py; did you mean {near}?" if near else hint
        raise ScriptError(f"`{step.name}` is your own code, which is not trusted yet", hint=hint, span=step.span)
