"""What a learner is, down to the versions and the source behind it, and the machine it ran on."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any

from threadpoolctl import ThreadpoolController

from ..catalogue.estimators import BOOSTERS
from ..errors import EvalangError
from ..plans.model import Learner, Step
from .learners import NO_TRUST, CodeFacts, Trust, own_class, package_behind
from .own_code import PLAIN, UnknownSource, is_own_module, reached_code, served_module, source_hash, used_packages
from .trial import digest

_PACKAGES = ("evalang", "numpy", "scipy", "pandas", "scikit-learn", "statsmodels", "joblib", "threadpoolctl")


def thread_pools() -> ThreadpoolController:
    """Return the libraries that have threads of their own; looked for again when modules were loaded meanwhile."""
    return _thread_pools(len(sys.modules))


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> ThreadpoolController:
    return ThreadpoolController()


def environment() -> dict[str, Any]:
    """Return versions, processor and linear algebra; no paths, no names of people or machines."""
    pools = [
        {name: pool.get(name) for name in ("user_api", "internal_api", "version", "architecture", "threading_layer")}
        for pool in thread_pools().info()
    ]
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "packages": {name: version(name) for name in (*_PACKAGES, *(b for b in BOOSTERS if b in sys.modules))},
        "threads": sorted(pools, key=lambda pool: json.dumps(pool, sort_keys=True)),
        "threads_per_trial": 1,
    }


def versions(evalang: str) -> tuple[tuple[str, str], ...]:
    """Return the versions behind the numbers, by name."""
    found = environment()
    packages = {name: one for name, one in found["packages"].items() if one}
    pools = {pool["internal_api"]: str(pool["version"]) for pool in found["threads"] if pool["user_api"] == "blas"}
    plain = {"python": found["python"], "system": found["system"], "evalang": evalang}
    return tuple({**packages, **pools, **plain}.items())


def drift(before: dict[str, Any], now: dict[str, Any]) -> tuple[str, ...]:
    """Return what changed since the stored trials were run: versions, system, kernels of linear algebra."""
    if not before:
        return ()
    changes = []
    old, new = before.get("packages"), now["packages"]
    for name in sorted(new):
        earlier = old.get(name) if isinstance(old, dict) else None
        if isinstance(earlier, str) and earlier != new[name]:
            changes.append(f"{name} was {earlier or 'absent'} and is {new[name] or 'absent'}")
    moved = [n for n in ("python", "system") if isinstance(before.get(n), str) and before[n] != now[n]]
    changes += [f"{name} was {before[name]} and is {now[name]}" for name in moved]
    then, kernels = linear_algebra(before.get("threads")), linear_algebra(now["threads"])
    if not then <= kernels and not kernels <= then:  # a run that fits nothing loads fewer libraries
        changes.append(f"linear algebra was {', '.join(sorted(then))} and is {', '.join(sorted(kernels))}")
    return tuple(changes)


def linear_algebra(pools: Any) -> set[str]:
    """Return the libraries of linear algebra with version and kernel, on which the last digits depend."""
    found = [pool for pool in pools if isinstance(pool, dict)] if isinstance(pools, list) else []
    names = ("internal_api", "version", "architecture")
    return {" ".join(str(one.get(name)) for name in names) for one in found if one.get("user_api") == "blas"}


def learner_identity(learner: Learner, trust: Trust = NO_TRUST) -> str:
    """Return a hash of steps, parameters, values to try and calibration, with the versions and source behind them.

    Raises UnknownSource for code of the user's own whose source cannot be known.
    """
    grids = [(grid.parameter, grid.values) for grid in learner.grids]
    try:
        steps = [(step.kind, step.name, step.parameters, _behind(step, trust)) for step in learner.steps]
    except RecursionError:
        raise UnknownSource(f"{learner.name} has a parameter that refers to itself") from None
    return digest("learner", steps, grids, learner.tries, learner.calibrate, *_later(learner))


def written_identity(learner: Learner, trust: Trust = NO_TRUST) -> str:
    """Return the same without versions and source: an edited comment does not change the seeds."""
    steps = [(s.kind, _name(s, trust), s.parameters) for s in learner.steps]
    grids = [(grid.parameter, grid.values) for grid in learner.grids]
    return digest("written", steps, grids, learner.tries, learner.calibrate, *_later(learner))


def _later(learner: Learner) -> list[object]:
    """What later versions added, only where it is used: other learners keep their identity."""
    added: list[object] = [("threshold", learner.threshold)] if learner.threshold is not None else []
    return added + (["without preparation"] if learner.without_preparation else [])


def _name(step: Step, trust: Trust) -> str:
    return _object_identity(trust.given(step.name), "as written") if step.kind == "python" else step.name


def _behind(step: Step, trust: Trust) -> str:
    if step.kind == "code" and step.name in trust.code:
        facts = trust.code[step.name]
        if facts.unknown:
            raise UnknownSource(facts.unknown)
        return facts.identity
    if step.kind == "code":
        try:
            found = own_class(step.name, trust)
            return class_identity(found, _trusted(found.__module__, trust.packages))
        except EvalangError:  # reported where it is used: as a failure of its trials
            return "cannot be imported"
    if step.kind == "python":
        return _object_identity(trust.given(step.name))
    package = package_behind(step)
    return f"{package} {version(package)}" if package else f"scikit-learn {series('scikit-learn')}"


def class_identity(cls: type, package: str = "") -> str:
    """Return a hash of a class: its place, its distribution's version, its package's source and all code it reaches.

    Raises UnknownSource where the source cannot be known.
    """
    top = cls.__module__.partition(".")[0]
    source = "" if served_module(cls.__module__) else _source(package or cls.__module__)
    return digest(cls.__module__, cls.__qualname__, version(top), source, reached_code(cls))


def _trusted(module: str, packages: frozenset[str]) -> str:
    return next((p for p in sorted(packages) if module == p or module.startswith(p + ".")), module)


def _object_identity(made: Any, behind: str = "") -> str:
    if made is None:
        return "not passed"
    cls = type(made)
    own = cls.__module__.partition(".")[0] not in ("sklearn",)
    source = behind or (class_identity(cls) if own else f"scikit-learn {series('scikit-learn')}")
    parameters = made.get_params(deep=False) if hasattr(made, "get_params") else vars(made)
    shown = sorted((str(name), _value(value, behind)) for name, value in parameters.items())
    return digest(cls.__module__, cls.__qualname__, source, shown)


def _value(value: Any, behind: str) -> str:
    """Return a parameter as text without addresses in memory; nested estimators by what they are."""
    if type(value) in PLAIN:
        return repr(value)
    if hasattr(value, "get_params") and not isinstance(value, type):
        return _object_identity(value, behind)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item, behind) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(k, behind)}: {_value(v, behind)}" for k, v in value.items()) + "}"
    if isinstance(value, partial) and not behind:
        return f"partial {_value(value.func, '')} {_value(value.args, '')} {_value(value.keywords, '')}"
    if isinstance(value, MethodType) and not behind:
        return f"method {_value(value.__func__, '')} {_value(value.__self__, '')}"
    if isinstance(value, type | FunctionType) and not behind:
        return f"{value.__module__}.{value.__qualname__} {digest(reached_code(value))} {_variables(value)}"
    if not behind and is_own_module(type(value).__module__):
        state = vars(value) if hasattr(value, "__dict__") else repr(value)
        return f"{class_identity(type(value))} {_value(state, '')}"
    if callable(value):
        code = getattr(value, "__code__", None)
        body = hashlib.sha256(code.co_code + repr(code.co_consts).encode()).hexdigest() if code is not None else ""
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__name__)} {body}"
    if hasattr(value, "tobytes"):
        return hashlib.sha256(value.tobytes()).hexdigest()
    return repr(value)


def _variables(value: type | FunctionType) -> str:
    """Return what sets one function apart from others of its source: a lambda's code, defaults, enclosing values."""
    if isinstance(value, type):
        return ""
    code = value.__code__
    try:
        enclosed = [cell.cell_contents for cell in value.__closure__ or ()]
    except ValueError:
        raise UnknownSource(f"{value.__qualname__} uses a variable that has no value yet") from None
    held = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *enclosed]
    names = " ".join((*code.co_names, *(repr(one) for one in code.co_consts if not isinstance(one, CodeType))))
    return f"{code.co_code.hex()} {names} {_value([one for one in held if one is not value], '')}"


def code_facts(name: str, trust: Trust) -> CodeFacts:
    """Return the identity of a class of the user's own and the packages it uses; the class is imported."""
    cls = own_class(name, trust)
    try:
        packages = tuple(sorted(used_packages(cls)))
        return CodeFacts(class_identity(cls, _trusted(cls.__module__, trust.packages)), packages=packages)
    except UnknownSource as reason:
        return CodeFacts("", unknown=str(reason))


def imported_code(learner: Learner, trust: Trust, before: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return what a fit of own code depends on besides its identity, by name: hash of a module, version of a package.

    The modules are those that were imported since `before` and that no import statement leads to.
    """
    try:
        classes = [own_class(step.name, trust) for step in learner.steps if step.kind == "code"]
        classes += [type(trust.given(step.name)) for step in learner.steps if step.kind == "python"]
    except Exception:  # of any kind: its fit has failed for that
        return ()
    return observed_code(tuple(classes), frozenset(sys.modules.keys() - before))


@lru_cache(maxsize=64)
def observed_code(classes: tuple[type, ...], loaded: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the modules among those loaded that the classes do not reach statically, and the packages of all."""
    try:
        reached = {name for cls in classes for name, _ in reached_code(cls)}
        extra = {name: mark for name in loaded if is_own_module(name) for name, mark in reached_code(name)}
        packages = {name for cls in classes for name in used_packages(cls)}
        packages |= {name for module in extra for name in used_packages(module)}
    except UnknownSource:  # then nothing is reused
        return ()
    modules = sorted((name, mark) for name, mark in extra.items() if name not in reached)
    return (*modules, *((f"package {name}", package_version(name)) for name in sorted(packages)))


def changed_since(imported: Iterable[tuple[str, str]]) -> list[str]:
    """Return what differs now from the record of `imported_code`, as sentences."""
    found = []
    for name, before in imported:
        package = name.removeprefix("package ")
        if package != name:
            now = package_version(package)
            found += [f"{package} was {before} and is {now or 'not installed'}"] if now != before else []
        elif source_hash(name) != before:
            found.append(f"the module {name} was edited")
    return found


def package_version(distribution: str) -> str:
    """Return the version by which fits of own code are known: a patch release of scikit-learn changes nothing."""
    return series(distribution) if distribution == "scikit-learn" else version(distribution)


def series(distribution: str) -> str:
    """Return major and minor version: after a patch release nothing is run again."""
    return ".".join(version(distribution).split(".")[:2])


def version(distribution: str) -> str:
    """Return the installed version of a distribution, "" when it is not installed."""
    try:
        return _installed(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


@lru_cache(maxsize=64)
def _installed(distribution: str) -> str:
    """Return the version, read once: reading takes ten times as long as a quick trial."""
    return importlib.metadata.version(distribution)


def _source(name: str) -> str:
    """Return a hash of the Python files of a package, or of the one file of a module."""
    module = sys.modules.get(name)
    place = getattr(module, "__file__", None)
    folders = list(getattr(module, "__path__", ()))
    files = sorted(file for folder in folders for file in Path(folder).rglob("*.py"))
    if not files and place is not None:
        files = [Path(place)]
    total = hashlib.sha256()
    for file in files:
        with contextlib.suppress(OSError):
            total.update(file.name.encode() + b"\0" + file.read_bytes())
    return total.hexdigest()
