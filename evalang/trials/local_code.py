"""Code that lies beside the script and that the command line trusts: read as text, importable in every worker."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from ..errors import ScriptError

MAX_CHARACTERS = 5_000_000  # characters of one trusted package: its text goes to every worker


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
        found += [_read(top, place, file) for file in files]
        if sum(len(one.text) for one in found) > MAX_CHARACTERS:
            whole = place.parent if place.name == "__init__.py" else place
            raise ScriptError(
                f"{whole} holds more than {MAX_CHARACTERS:,} characters of code",
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


def lies_beside(code: LocalCode, module: str) -> bool:
    """Return whether a module that was not found lies beside the script and is only not trusted."""
    top = module.partition(".")[0]
    place = Path(code.folder) if code.folder else None
    return place is not None and ((place / f"{top}.py").is_file() or (place / top / "__init__.py").is_file())


_served: dict[str, LocalModule] = {}


def served_module(name: str) -> LocalModule | None:
    """Return a module beside the script that `install` made importable."""
    return _served.get(name)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        module = _served.get(name)
        return None if module is None else importlib.util.spec_from_loader(name, _Loader(module))


class _Loader(importlib.abc.ExecutionLoader):
    def __init__(self, module: LocalModule) -> None:
        self._module = module

    def get_source(self, fullname: str) -> str:
        return self._module.text

    def get_filename(self, fullname: str) -> str:
        return self._module.path

    def is_package(self, fullname: str) -> bool:
        return self._module.package


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
    """Refuse a file with the name of an installed module: a trusted name means one thing."""
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
