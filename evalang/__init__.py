"""evalang: a small language for comparing learning algorithms honestly.

>>> import evalang as ev
>>> [f.code for f in ev.lint("compare tree vs naive-bayes on iris using 10cv").findings if f.level == "error"]
['EV002']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"
__all__ = (
    "Analysis",
    "EvalangError",
    "LintReport",
    "Plan",
    "Refused",
    "Result",
    "Runs",
    "aggregate",
    "analyse",
    "compare",
    "given",
    "lint",
    "load",
    "parse",
    "plan",
    "run",
)

if TYPE_CHECKING:
    from .api import Result, aggregate, analyse, compare, given, lint, load, parse, plan, run
    from .errors import EvalangError, Refused
    from .findings.lint_report import LintReport
    from .plans.model import Plan
    from .results.records import Runs
    from .verdicts.analysis import Analysis


_HOMES = {
    "Analysis": "verdicts.analysis",
    "EvalangError": "errors",
    "LintReport": "findings.lint_report",
    "Plan": "plans.model",
    "Refused": "errors",
    "Runs": "results.records",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that `import evalang` costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'evalang' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES.get(name, 'api')}", __name__), name)


def load_ipython_extension(shell: Any) -> None:
    """Register the `%%evalang` cell magic, for `%load_ext evalang`."""
    from .notebook import register

    register(shell)
