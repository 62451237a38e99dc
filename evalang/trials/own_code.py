"""Code beside the script that the command line trusts: read once by its place, and served from memory.

The folder never enters `sys.path`: only a module that somebody named is found, and a `numpy.py` that came with a script
is nobody's numpy. The text travels with the trials, so that workers on other machines learn from the same code, and a
file that is edited while a run is going on changes nothing.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from ..errors import ScriptError
from ..source.record import Record

MOST = 5_000_000  # characters of one trusted package: its text goes to every worker


class LocalModule(Record):
    """One file: `path` is where it was read, for tracebacks."""

    name: str
    path: str
    package: bool
    text: str


class LocalCode(Record):
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
