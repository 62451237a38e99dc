"""The parts of Lark that parse, without those that read grammars.

`import lark` also loads its grammar reader, its Earley and CYK parsers, pickle, tempfile and hashlib, which is half of
its cost and none of it is needed once the tables exist. The package is therefore entered as a module that runs its own
`__init__` only when somebody asks it for a name, so that `import lark` elsewhere goes on working as ever.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any


class _Deferred(ModuleType):
    """A package whose `__init__` has not run yet."""

    def __getattr__(self, name: str) -> Any:
        spec = self.__dict__.get("__spec__")
        if (name.startswith("__") and name != "__version__") or spec is None or spec.loader is None:
            raise AttributeError(name)
        self.__class__ = ModuleType  # type: ignore[assignment]
        spec.loader.exec_module(self)
        return getattr(self, name)


def _defer(package: str) -> None:
    if package in sys.modules:
        return
    spec = PathFinder.find_spec(package)
    if spec is None or spec.loader is None:
        return  # an unusual importer: let the plain import statement below find it
    module = module_from_spec(spec)
    module.__class__ = _Deferred
    sys.modules[package] = module


_defer("lark")

from lark.exceptions import UnexpectedToken  # noqa: E402
from lark.grammar import NonTerminal  # noqa: E402
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift  # noqa: E402
from lark.parsers.lalr_parser import _Parser as LalrParser  # noqa: E402

__all__ = ["IntParseTable", "LalrParser", "NonTerminal", "Reduce", "Shift", "UnexpectedToken"]
