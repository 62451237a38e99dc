"""`%load_ext evalang` and the `%%evalang` cell magic: a cell is a script, its result shows itself."""

from __future__ import annotations

import argparse
import re
import shlex
import time
from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import EvalangError, ScriptError

if TYPE_CHECKING:
    from .trials.options import Progress

_USAGE = "%%evalang [NAME] [--target COLUMN] [--jobs N] [--strict] [--no-ledger] [--lint | --plan]"
_WORD = re.compile(r"[^\W\d][\w.-]*")


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise EvalangError(f"%%evalang: {message}", hint=_USAGE)


def _options() -> _Options:
    parser = _Options(prog="%%evalang", add_help=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--target")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--no-ledger", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--lint", action="store_true")
    parser.add_argument("--plan", action="store_true")
    return parser


def register(shell: Any) -> None:
    """Add the magic to a running IPython."""
    from IPython.core.error import UsageError

    def evalang(line: str, cell: str) -> Any:
        """Run the cell as an evalang script.

        `%%evalang [NAME] [--target COLUMN] [--jobs N] [--strict] [--no-ledger] [--lint | --plan]`. Learners and data of
        the notebook are known by their names; NAME is bound to the result, and COLUMN is what is predicted.
        """
        try:
            asked = _options().parse_args(_split(line))
            result = _run(cell, shell.user_ns, asked)
        except EvalangError as problem:
            raise UsageError("\n".join(problem.two_lines())) from None
        if asked.name:
            shell.user_ns[asked.name] = result
        return result

    shell.register_magic_function(evalang, magic_kind="cell", magic_name="evalang")


def progress_bar() -> Callable[[Progress], None]:
    """Return a callback that shows the progress of a run as one bar below the cell."""
    from IPython import display

    from .cli.screen import format_progress

    made: Any = display  # its functions have no types
    state: dict[str, Any] = {"shown": 0.0}

    def show(progress: Progress) -> None:
        now = time.monotonic()
        if "handle" in state and now - state["shown"] < 0.2 and progress.done < progress.total:
            return
        state["shown"] = now
        text = escape(format_progress(progress))
        full = f'<progress max="{max(progress.total, 1)}" value="{progress.done}">{text}</progress> {text}'
        shown = made.HTML(f'<div class="evalang" role="status">{full}</div>')
        if "handle" in state:
            state["handle"].update(shown)
        else:
            state["handle"] = made.display(shown, display_id=True)

    return show


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        raise ScriptError(
            "the line of %%evalang has a quote that is not closed", hint="write %%evalang NAME --jobs 2"
        ) from None


def _run(cell: str, namespace: Mapping[str, Any], asked: Any) -> Any:
    from . import api

    names: api.Names = named(cell, namespace)
    if asked.target:
        names = api.with_target(names, asked.target, "--target")
    if asked.lint:
        return api.lint(cell, names, strict=asked.strict)
    if asked.plan:
        return api.plan(cell, names)
    return api.run(cell, names, jobs=asked.jobs, progress=True, ledger=not asked.no_ledger, strict=asked.strict)


def named(cell: str, namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the notebook that the cell names: estimators, frames, (X, y) and dicts of them.

    >>> class Tree:
    ...     def fit(self): ...
    ...     def get_params(self): ...
    >>> sorted(named("compare my-tree vs majority on D", {"my_tree": Tree(), "D": ([1], [2]), "other": Tree()}))
    ['D', 'my-tree']
    """
    words = set(_WORD.findall(cell))
    found = {}
    for name, value in namespace.items():
        if name.startswith("_") or not _usable(value):
            continue
        for spelling in (name, name.replace("_", "-")):
            if spelling in words:
                found[spelling] = value
    return found


def _usable(value: Any) -> bool:
    if isinstance(value, type):
        return False
    if hasattr(value, "fit") and hasattr(value, "get_params"):
        return True
    if isinstance(value, Mapping):
        return bool(value) and all(_usable(v) for v in value.values())
    return (isinstance(value, tuple) and len(value) == 2) or hasattr(value, "columns")
