"""evalang: a small language for comparing learning algorithms honestly.

>>> import evalang as ev
>>> [f.code for f in ev.lint("compare tree vs naive-bayes on iris using 10cv").findings if f.level == "error"]
['EV002']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ("EvalangError", "Refused", "compare", "lint", "load", "parse", "plan", "run")

if TYPE_CHECKING:
    from .api import compare, lint, load, parse, plan, run
    from .errors import EvalangError, Refused


def __getattr__(name: str) -> Any:
    """Verbs are imported when first used, so that `import evalang` costs nothing."""
    if name in ("EvalangError", "Refused"):
        from . import errors

        return getattr(errors, name)
    if name in __all__:
        from . import api

        return getattr(api, name)
    raise AttributeError(f"module 'evalang' has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext evalang`: the `%%evalang` cell magic."""
    from .notebook import register

    register(shell)
