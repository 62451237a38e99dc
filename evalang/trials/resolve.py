"""From the name of a stage to an object, safely; code beside the script only where the command line trusts it."""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from ..catalogue.estimators import BOOSTERS, EstimatorEntry, default_of, find_estimator, list_form
from ..catalogue.learners import TREES, check_role, check_stage, find_learner, find_step, package_of, targets
from ..errors import DataError, RunError, ScriptError
from ..language.nearest import nearest
from ..plans.model import Step

MOST = 5_000_000  # characters of one trusted package: its text goes to every worker


@dataclass(frozen=True, slots=True)
class LocalModule:
    """One file: `path` is where it was read, for tracebacks."""

    name: str
    path: str
    package: bool
    text: str


@dataclass(frozen=True, slots=True)
class LocalCode:
    """Every module beside the script that is trusted, and the folder, for a hint at what is not."""

    modules: tuple[LocalModule, ...] = ()
    folder: str = ""


NO_CODE = LocalCode()


def read_local(folder: Path, trusted: Iterable[str]) -> LocalCode:
    """The trusted modules that lie in a folder; a name that Python knows already is refused."""
    found: list[LocalModule] = []
    for top in sorted({name.partition(".")[0] for name in trusted}):
        place = next((p for p in (folder / top / "__init__.py", folder / f"{top}.py") if p.is_file()), None)
        if place is None or not top.isidentifier():
            continue
        _refuse_known(top, place)
        files = sorted(place.parent.rglob("*.py")) if place.name == "__init__.py" else [place]
        found += [_read(top, place, file) for file in files]
        if sum(len(one.text) for one in found) > MOST:
            raise ScriptError(
                f"{place.parent if place.name == '__init__.py' else place} holds more than {MOST:,} characters of code",
                hint="install it as a package, and trust that",
            )
    return LocalCode(modules=tuple(found), folder=str(folder))


def install(code: LocalCode) -> None:
    """Make the modules importable in this process; those of another text or place are forgotten first."""
    wanted = {one.name: one for one in code.modules}
    if not wanted.items() <= _served.items():
        for name in [name for name in sys.modules if name in _served or name in wanted]:
            if isinstance(getattr(sys.modules[name], "__loader__", None), _Loader):
                del sys.modules[name]
        _served.update(wanted)
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What somebody's code prints while it is imported does not get between the lines of a report."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def beside(code: LocalCode, module: str) -> bool:
    """Whether a module that was not found lies beside the script, and only lacks somebody's trust."""
    top = module.partition(".")[0]
    place = Path(code.folder) if code.folder else None
    return place is not None and ((place / f"{top}.py").is_file() or (place / top / "__init__.py").is_file())


def used_by(modules: Iterable[str]) -> tuple[str, ...]:
    """The distributions that these modules, and what is loaded of their packages, have names from.

    As far as they are loaded: what a function imports when it is called first is not seen.
    """
    tops = {name.partition(".")[0] for name in modules}
    loaded = [module for name, module in tuple(sys.modules.items()) if name.partition(".")[0] in tops]
    used = set(tops)
    for value in [value for module in loaded for value in tuple(vars(module).values())]:
        place = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        used.add(str(place).partition(".")[0])
    made = importlib.metadata.packages_distributions()
    return tuple(sorted({name for top in used for name in made.get(top, ())}))


_served: dict[str, LocalModule] = {}


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        module = _served.get(name)
        if module is None:
            return None
        places = [str(Path(module.path).parent)] if module.package else None
        spec = importlib.machinery.ModuleSpec(name, _Loader(module), origin=module.path, is_package=module.package)
        spec.has_location = True
        if places is not None:
            spec.submodule_search_locations = places
        return spec


class _Loader(importlib.abc.InspectLoader):
    def __init__(self, module: LocalModule) -> None:
        self._module = module

    def get_source(self, fullname: str) -> str:
        return self._module.text

    def is_package(self, fullname: str) -> bool:
        return self._module.package

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._module.text, self._module.path, "exec"), module.__dict__)  # noqa: S102 - trusted by name


def _read(top: str, place: Path, file: Path) -> LocalModule:
    folder = place.parent.parent if place.name == "__init__.py" else place.parent
    parts = list(file.relative_to(folder).with_suffix("").parts)
    package = parts[-1] == "__init__"
    if not file.resolve().is_relative_to(folder.resolve()):
        raise ScriptError(f"{file} is a link that leads out of its folder", hint="put the code itself there")
    try:
        text = importlib.util.decode_source(file.read_bytes())
    except (OSError, SyntaxError, UnicodeDecodeError) as reason:
        raise ScriptError(f"{file} cannot be read: {reason}", hint="save it as UTF-8") from None
    name = ".".join(parts[:-1] if package else parts)
    return LocalModule(name=name, path=str(file.absolute()), package=package, text=text)


def _refuse_known(top: str, place: Path) -> None:
    """A trusted name means one thing: a file may not stand in for what is installed."""
    loaded = sys.modules.get(top)
    if isinstance(getattr(loaded, "__loader__", None), _Loader):
        return
    try:
        known = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        known = None
    if known is None or known.origin is None:
        other = top in sys.stdlib_module_names
    else:
        other = known.origin in ("built-in", "frozen") or Path(known.origin).resolve() != place.resolve()
    if other:
        raise ScriptError(
            f"{place.name if place.stem == top else top} beside the script has the name of a module that is installed",
            hint=f"rename it, or take it away if you mean the installed {top}",
        )


Task = Literal["classification", "regression"]


def estimator_class(dotted: str) -> tuple[type, EstimatorEntry]:
    """The class of a dotted name, by identity with the table; anything else is refused without importing it.

    >>> estimator_class("sklearn.svm.SVC")[0].__name__
    'SVC'
    """
    entry = find_estimator(dotted)
    if entry is None:
        raise ScriptError(
            f"{dotted[:200]} is no scikit-learn estimator",
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
        with quiet():
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
            hint="install the version the catalogue was made from, or make the table again",
        )
    return found


def dotted_of(step: Step, task: Task) -> str:
    """The dotted name behind a catalogue or dotted name, for classes or for numbers."""
    learner = find_learner(step.name) if step.kind == "learner" else None
    if learner is not None:
        dotted = learner.classifier if task == "classification" else learner.regressor
        if dotted is None:
            raise DataError(f"{step.name} predicts {_other(task)}, and the target holds {_these(task)}", span=step.span)
        return dotted
    card = find_step(step.name) if step.kind == "step" else None
    if card is not None:
        return card.transformer
    if step.kind == "estimator":
        return step.name
    raise ScriptError(f"there is no {step.kind} {step.name[:200]}", span=step.span)


def make(step: Step, task: Task, seed: int, extra: Mapping[str, Any], *, last: bool) -> Any:
    """A fresh estimator of the catalogue or of scikit-learn, with its parameters and its own seed.

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
        raise DataError(f"{step.name} is no {_role(task)}, and the target holds {_these(task)}", span=step.span)
    settings = _ours(step, entry) | dict(extra) | {name: _formed(entry, name, value) for name, value in step.parameters}
    learner = find_learner(step.name)
    if learner is not None and learner.trees:
        settings = _with_trees(settings, entry, task)
    if entry.random and default_of(entry, "random_state") != "deprecated":
        settings["random_state"] = seed
    unknown = sorted(set(settings) - set(entry.parameters))
    if unknown:
        raise DataError(f"{step.name} has no parameter {unknown[0]} for a target of {_these(task)}", span=step.span)
    return cls(**settings | _SILENT.get(package_of(step.name), {}))


# One thread and nothing printed or written: results do not depend on the cores, and trials run side by side.
_SILENT: dict[str, dict[str, Any]] = {
    "lightgbm": {"n_jobs": 1, "verbose": -1},
    "xgboost": {"n_jobs": 1, "verbosity": 0},
    "catboost": {"thread_count": 1, "logging_level": "Silent", "allow_writing_files": False},
}


def package_behind(step: Step) -> str:
    """The package, beside scikit-learn, that a stage of the catalogue is taken from; "" for every other stage."""
    return package_of(step.name) if step.kind in ("learner", "estimator") else ""


def _ours(step: Step, entry: EstimatorEntry) -> dict[str, Any]:
    """The catalogue's defaults, less those that only the estimator for the other kind of target has."""
    learner = find_learner(step.name)
    card = learner or find_step(step.name)
    everything = learner is not None and learner.trees
    return {n: value for n, value in (card.defaults if card else ()) if everything or n in entry.parameters}


def _with_trees(settings: dict[str, Any], entry: EstimatorEntry, task: Task) -> dict[str, Any]:
    """What the ensemble itself does not take goes to the trees it is made of; their seeds it sets itself."""
    cls, tree = estimator_class(TREES[0] if task == "classification" else TREES[1])
    passed = {n: value for n, value in settings.items() if n not in entry.parameters and n in tree.parameters}
    kept = {n: value for n, value in settings.items() if n not in passed}
    return kept | {"estimator": cls(**{n: _formed(tree, n, value) for n, value in passed.items()})}


def own_class(name: str, trusted: frozenset[str], local: LocalCode = NO_CODE) -> type:
    """The class of "package.module:Class", when the command line trusts the package that defines it."""
    module, colon, short = name.partition(":")
    parts = module.split(".")
    if not colon or not short.isidentifier() or not all(part.isidentifier() for part in parts):
        raise ScriptError(f"{name[:200]!r} is not of the form package:Class")
    package = next((p for p in trusted if module == p or module.startswith(p + ".")), None)
    if package is None:
        raise ScriptError(
            f"{name} is code of its own, which is not trusted", hint=f"add --trust {parts[0]} to the command"
        )
    install(local)
    try:
        with quiet():
            loaded = importlib.import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as reason:  # a module may even call sys.exit
        missing = reason.name if isinstance(reason, ModuleNotFoundError) else None
        raise RunError(
            f"importing {module} failed: {type(reason).__name__}: {str(reason)[:300]}",
            hint=_where_to_look(missing or "", module, local),
        ) from reason
    found = getattr(loaded, short, None)
    if not isinstance(found, type):
        near = nearest(short, [n for n, v in vars(loaded).items() if isinstance(v, type) and hasattr(v, "fit")])
        raise ScriptError(f"{module} has no class {short}", hint=f"did you mean {near}?" if near else "")
    if not (found.__module__ == package or found.__module__.startswith(package + ".")):
        raise ScriptError(f"{short} comes from {found.__module__}, which is not part of {package}")
    if not hasattr(found, "fit"):
        raise ScriptError(f"{name} cannot learn: it has no method fit")
    return found


def _where_to_look(missing: str, module: str, local: LocalCode) -> str:
    if not missing:
        return ""
    if missing == module.partition(".")[0]:
        return f"put {missing}.py beside the script, or install the package {missing}"
    if beside(local, missing):
        return f"{missing} lies beside the script and is not trusted: add --trust {missing.partition('.')[0]}"
    return f"install {missing}"


def own(step: Step, seed: int, trusted: frozenset[str], local: LocalCode = NO_CODE) -> Any:
    """A fresh object of the user's own class."""
    cls = own_class(step.name, trusted, local)
    try:
        made = cls(**dict(step.parameters))
    except TypeError as reason:
        raise ScriptError(
            f"{step.name} does not take these parameters: {str(reason)[:300]}", span=step.span
        ) from reason
    return seeded(made, seed)


def handed(step: Step, seed: int, given: Mapping[str, Any]) -> Any:
    """A fresh copy of an estimator that Python code handed over."""
    from sklearn.base import clone

    if step.name not in given:
        raise RunError(f"{step.name} was handed over from Python and is not here")
    copy = clone(given[step.name], safe=False)
    return seeded(copy.set_params(**dict(step.parameters)) if step.parameters else copy, seed)


def seeded(made: Any, seed: int) -> Any:
    """Set every `random_state`, nested ones too, to a seed of its own, and every `n_jobs` to 1."""
    if not hasattr(made, "get_params") or not hasattr(made, "set_params"):
        return made
    changes: dict[str, Any] = {}
    held = made.get_params(deep=True)
    for place, name in enumerate(sorted(held)):
        if held[name] == "deprecated":
            continue
        if name == "random_state" or name.endswith("__random_state"):
            changes[name] = seed if name == "random_state" else (seed + 7919 * place) % (2**31 - 1)
        elif (name == "n_jobs" or name.endswith("__n_jobs")) and held[name] is not None:
            changes[name] = 1
    return made.set_params(**changes) if changes else made


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


def _these(task: Task) -> str:
    return "classes" if task == "classification" else "numbers"


def _other(task: Task) -> str:
    return "numbers" if task == "classification" else "classes"


def check_trust(step: Step, trusted: frozenset[str]) -> None:
    """ScriptError for code that is not scikit-learn's, from a package that nobody trusted."""
    module = package_behind(step) or (step.name.partition(":")[0] if step.kind == "code" else "")
    if module and not any(module == package or module.startswith(f"{package}.") for package in trusted):
        raise ScriptError(
            f"{step.name} is code of {'its own' if step.kind == 'code' else module}, which is not trusted",
            hint=f"add --trust {module.partition('.')[0]} to the command if you trust that package",
            span=step.span,
        )
