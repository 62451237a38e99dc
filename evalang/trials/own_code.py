"""Code of the user's own: modules beside the script that are trusted, and the source that a class reaches."""

from __future__ import annotations

import ast
import hashlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import inspect
import linecache
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ..errors import ScriptError


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
    """Return the trusted modules that lie in a folder; a name that Python knows already is refused."""
    found: list[LocalModule] = []
    for top in sorted({name.partition(".")[0] for name in trusted}):
        place = next((p for p in (folder / top / "__init__.py", folder / f"{top}.py") if p.is_file()), None)
        if place is None or not top.isidentifier():
            continue
        _refuse_known(top, place)
        files = sorted(place.parent.rglob("*.py")) if place.name == "__init__.py" else [place]
        found += [_read(place, file) for file in files]
    return LocalCode(modules=tuple(found), folder=str(folder))


def install(code: LocalCode) -> None:
    """Make the modules importable in this process; those of another text or place are forgotten first."""
    wanted = {one.name: one for one in code.modules}
    if not wanted.items() <= _served.items():
        for name in [name for name in sys.modules if name in _served or name in wanted]:
            if getattr(sys.modules[name], "__loader__", None) is _LOCAL:
                del sys.modules[name]
        _served.update(wanted)
    if _LOCAL not in sys.meta_path:
        sys.meta_path.insert(0, _LOCAL)


def lies_beside(code: LocalCode, module: str) -> bool:
    """Return whether a module that was not found lies beside the script and is only not trusted."""
    top = module.partition(".")[0]
    place = Path(code.folder) if code.folder else None
    return place is not None and ((place / f"{top}.py").is_file() or (place / top / "__init__.py").is_file())


_served: dict[str, LocalModule] = {}


def served_module(name: str) -> LocalModule | None:
    """Return a module beside the script that `install` made importable."""
    return _served.get(name)


class _LocalModules(importlib.abc.MetaPathFinder, importlib.abc.ExecutionLoader):
    """Finds and loads the modules that are served."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name in _served else None

    def get_source(self, name: str) -> str:
        return _served[name].text

    def get_filename(self, name: str) -> str:
        return _served[name].path

    def is_package(self, name: str) -> bool:
        return _served[name].package


_LOCAL = _LocalModules()


def _read(place: Path, file: Path) -> LocalModule:
    folder = place.parent.parent if place.name == "__init__.py" else place.parent
    parts = list(file.relative_to(folder).with_suffix("").parts)
    package = parts[-1] == "__init__"
    if not file.resolve().is_relative_to(folder.resolve()):
        raise ScriptError(f"{file} is a link to a file outside its folder", hint="replace the link by the file")
    try:
        text = importlib.util.decode_source(file.read_bytes())
    except (OSError, SyntaxError, UnicodeDecodeError) as reason:
        raise ScriptError(f"{file} cannot be read: {reason}", hint="save it as UTF-8") from None
    name = ".".join(parts[:-1] if package else parts)
    return LocalModule(name=name, path=str(file.absolute()), package=package, text=text)


def _refuse_known(top: str, place: Path) -> None:
    """Refuse a file with the name of an installed module: a trusted name means one thing."""
    known = importlib.machinery.PathFinder.find_spec(top)
    origin = known.origin if known is not None else None
    if top in sys.stdlib_module_names or (origin is not None and Path(origin).resolve() != place.resolve()):
        raise ScriptError(
            f"{place.name if place.stem == top else top} beside the script has the same name as an installed module",
            hint=f"rename the file, or remove it if you mean the installed {top}",
        )


PLAIN = (str, bytes, bool, int, float, complex, type(None))
_EVALANG = Path(__file__).resolve().parents[1]


class UnknownSource(Exception):
    """The source behind a learner cannot be known; the message says why."""


def reached_code(value: type | FunctionType | str) -> list[tuple[str, str]]:
    """Return (module, hash of its source) of everything that a class, function or module reaches; () if installed."""
    return sorted(_walk(value).found.items())


def used_packages(value: type | FunctionType | str) -> set[str]:
    """Return the distributions that the modules of a class, a function or a module import."""
    tops = {name.partition(".")[0] for name in _walk(value).installed}
    made = _distributions() if tops else {}
    return {distribution for top in tops for distribution in made.get(top, ())} - {"evalang"}


@lru_cache(maxsize=1)
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


def _walk(value: type | FunctionType | str) -> _Walk:
    walk = _Walk()
    if isinstance(value, str):
        walk.waiting.append(value)
    else:
        for one in value.__mro__ if isinstance(value, type) else (value,):
            walk.add_definition(one)
    walk.follow()
    return walk


@dataclass
class _Walk:
    """What was found so far. A name such as `__main__.Mine` stands for a definition without a file."""

    found: dict[str, str] = field(default_factory=dict)
    installed: set[str] = field(default_factory=set)  # names that lead out of the user's own code
    waiting: list[str] = field(default_factory=list)

    def follow(self) -> None:
        """Find every module that those waiting import, and what these import."""
        seen: set[str] = set()
        while self.waiting:
            name = self.waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            parent = name.rpartition(".")[0]
            self.waiting += [parent] if parent else []
            source = _find_source(name)
            if source is None:
                self.installed.add(name)
                continue
            content, package = source
            self.found[name] = hashlib.sha256(content).hexdigest()
            self.waiting += _imported_names(content, name if package else parent)

    def add_definition(self, value: type | FunctionType) -> None:
        """Add the module of a class or function, or its own source if the module has no file."""
        module = str(value.__module__)
        if module in sys.builtin_module_names or module.partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
            return
        if served_module(module) is not None or getattr(sys.modules.get(module), "__file__", None):
            self.waiting.append(module)
            return
        name = f"{module}.{value.__qualname__}"
        if name in self.found:
            return
        text = _definition_text(value)
        self.found[name] = hashlib.sha256(text.encode()).hexdigest()
        names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        for place, used in _variables(value, names).items():
            self._add_value(f"{module}.{place}", used, value.__name__)

    def _add_value(self, place: str, value: object, user: str) -> None:
        if isinstance(value, ModuleType):
            self.waiting.append(value.__name__)
        elif isinstance(value, type):
            for one in value.__mro__:
                self.add_definition(one)
        elif isinstance(value, FunctionType):
            self.add_definition(value)
        elif callable(value) and not is_own_module(str(getattr(value, "__module__", None) or "builtins")):
            pass  # a function of an extension module
        else:
            self.found[place] = hashlib.sha256(_value_text(value, place.rpartition(".")[2], user)).hexdigest()


def _value_text(value: object, name: str, user: str) -> bytes:
    """Return a plain value or an array as bytes that are equal in every process."""
    if isinstance(value, PLAIN):
        return repr(value).encode()
    if isinstance(value, list | tuple | set | frozenset):
        items = [_value_text(item, name, user) for item in value]
        return type(value).__name__.encode() + b",".join(sorted(items) if isinstance(value, set | frozenset) else items)
    if isinstance(value, dict):
        return b",".join(_value_text(k, name, user) + b":" + _value_text(v, name, user) for k, v in value.items())
    if hasattr(value, "tobytes") and not getattr(getattr(value, "dtype", None), "hasobject", False):
        return f"{getattr(value, 'dtype', '')} {getattr(value, 'shape', '')} ".encode() + bytes(value.tobytes())
    raise UnknownSource(f"{user} uses {name}, a {type(value).__name__} made while the program ran")


def _functions(value: type | FunctionType) -> Iterator[FunctionType]:
    for one in vars(value).values() if isinstance(value, type) else (value,):
        inner: Any = getattr(one, "__func__", None) or getattr(one, "fget", None) or getattr(one, "func", None) or one
        inner = inspect.unwrap(inner) if callable(inner) else inner
        if isinstance(inner, FunctionType):
            yield inner


def _definition_text(value: type | FunctionType) -> str:
    """Return the source of a class or function that is in no module file: typed in a notebook cell, for example."""
    kinds = (ast.ClassDef,) if isinstance(value, type) else (ast.FunctionDef, ast.AsyncFunctionDef)
    for function in _functions(value):
        text = "".join(linecache.getlines(function.__code__.co_filename))
        try:
            nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
        except SyntaxError:
            continue
        for node in reversed(nodes):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if node.name == value.__name__ and first <= function.__code__.co_firstlineno <= (node.end_lineno or 0):
                return inspect.cleandoc("\n" + "\n".join(text.splitlines()[first - 1 : node.end_lineno]))
    raise UnknownSource(f"the source of {value.__name__} is in no file")


def _variables(value: type | FunctionType, names: set[str]) -> dict[str, object]:
    """Return the global and enclosing variables with these names that the definition can use."""
    found: dict[str, object] = {}
    for function in _functions(value):
        found |= {name: function.__globals__[name] for name in names if name in function.__globals__}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":
                found[name] = cell.cell_contents
    return {name: one for name, one in found.items() if one is not value}


_first_read: dict[str, tuple[object, bytes]] = {}  # by module: its spec, which a reload replaces, and its source


def _find_source(name: str) -> tuple[bytes, bool] | None:
    """Return the source of a module and whether it is a package; None if it is installed, missing or without a file."""
    local = served_module(name)
    if local is not None:
        return local.text.encode(), local.package
    loaded = sys.modules.get(name)
    spec = getattr(loaded, "__spec__", None) or (None if loaded is not None else _find_spec(name))
    place = getattr(loaded, "__file__", None) or getattr(spec, "origin", None)
    if place is None or _is_installed(name, place):
        return None
    try:
        content = Path(place).read_bytes()
    except OSError:
        raise UnknownSource(f"the source of {name} cannot be read") from None
    if loaded is not None:
        first = _first_read.get(name)
        known = first is not None and first[0] is spec
        if (first is not None and first[1] != content) if known else _edited_since_import(loaded, Path(place)):
            raise UnknownSource(f"{os.path.basename(place)} was edited after this program had imported it")
        _first_read[name] = (spec, content)
    return content, hasattr(loaded, "__path__") or bool(spec and spec.submodule_search_locations is not None)


def _edited_since_import(module: ModuleType, path: Path) -> bool:
    """Return whether a file is newer than the bytecode that Python wrote when it imported the module."""
    bytecode = Path(getattr(module, "__cached__", None) or "")
    if type(getattr(module, "__loader__", None)) is not importlib.machinery.SourceFileLoader:
        return False
    try:
        source, compiled, head = path.stat(), bytecode.stat(), bytecode.read_bytes()[:16]
    except OSError:
        return False  # Python was told to write none
    if head[4:8] != bytes(4) or not os.access(bytecode, os.W_OK):  # known by a hash, or perhaps of an older file
        return False
    of_source = int(source.st_mtime).to_bytes(8, "little")[:4] + source.st_size.to_bytes(8, "little")[:4]
    return head[8:16] != of_source or source.st_mtime_ns > compiled.st_mtime_ns


def source_hash(name: str) -> str:
    """Return the hash of the source of one of the user's modules as it is now; "" if there is none."""
    try:
        found = _find_source(name)
    except UnknownSource:
        return ""
    return "" if found is None else hashlib.sha256(found[0]).hexdigest()


def _find_spec(name: str) -> importlib.machinery.ModuleSpec | None:
    """Return the spec of a module that is not loaded, without importing its parents."""
    path: list[str] | None = None
    spec = None
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        try:
            spec = importlib.machinery.PathFinder.find_spec(".".join(parts[:length]), path)
        except (ImportError, ValueError):
            return None
        if spec is None:
            return None
        path = list(spec.submodule_search_locations or ())
    return spec


def is_own_module(name: str) -> bool:
    """Return whether a module is the user's own: in no installed package and not in the standard library."""
    if name == "__main__" or served_module(name) is not None:
        return True
    place = getattr(sys.modules.get(name), "__file__", None) or getattr(_find_spec(name), "origin", None)
    return place is not None and not _is_installed(name, place)


def is_own_file(path: str) -> bool:
    """Return whether a file of a traceback is the user's own; `<cell 3>` of a notebook is, `<frozen abc>` is not."""
    if path.startswith("<"):
        return bool(linecache.getlines(path))
    return not Path(path).resolve().is_relative_to(_EVALANG) and not _is_installed("", path)


@lru_cache(maxsize=4096)
def _is_installed(name: str, place: str) -> bool:
    """Return whether a file belongs to Python, to evalang or to an installed package."""
    if name.partition(".")[0] == "evalang" or place in ("built-in", "frozen"):
        return True
    path = Path(place).resolve()
    if {"site-packages", "dist-packages"} & {*path.parts}:
        return True
    standard = {Path(sysconfig.get_path(one)).resolve() for one in ("stdlib", "platstdlib")}
    return any(path.is_relative_to(folder) for folder in standard)


@lru_cache(maxsize=4096)
def _imported_names(content: bytes, package: str) -> tuple[str, ...]:
    """Return every name that a module may import: `from a import b` names a and perhaps a.b."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):  # an extension module; a syntax error is reported by the import itself
        return ()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names if alias.name != "*")}
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                name = node.args[0].value
                found.add(name if not name.startswith(".") else package + "." + name.lstrip("."))
    return tuple(sorted(name for name in found if name.strip(".")))
