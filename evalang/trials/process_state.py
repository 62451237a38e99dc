"""What ordinary learners change in their process: remembered once, put back after every fit."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from typing import Any

import numpy as np
import pandas as pd


class ProcessState:
    """The settings of this process when the object is made; `restore` puts them back."""

    def __init__(self) -> None:
        import sklearn  # here, so that a run that fits nothing does not load it

        self._environment = dict(os.environ)
        self._folder = _current_folder()
        self._recursion_limit = sys.getrecursionlimit()
        self._numpy_errors = np.geterr()
        self._sklearn, self._sklearn_config = sklearn, sklearn.get_config()
        self._filters = warnings.filters[:]
        self._pandas_options = _pandas_options()

    def restore(self, *, own_code: bool) -> None:
        """Undo what a fit changed; pandas options only after a user's own code, as comparing them takes long."""
        if os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        if self._folder is not None:
            with contextlib.suppress(OSError):  # deleted meanwhile
                os.chdir(self._folder)
        sys.setrecursionlimit(self._recursion_limit)
        np.seterr(**self._numpy_errors)
        self._sklearn.set_config(**self._sklearn_config)
        warnings.filters[:] = self._filters  # type: ignore[index]
        if own_code:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # some options are deprecated
                for name, value in _pandas_options().items():
                    if value != self._pandas_options[name]:
                        pd.set_option(name, self._pandas_options[name])


def _pandas_options() -> dict[str, Any]:
    """Return every option of pandas by its full name."""
    found: dict[str, Any] = {}
    todo = [(name, getattr(pd.options, name)) for name in dir(pd.options)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are deprecated
        for name, value in todo:
            if isinstance(value, type(pd.options)):
                todo += [(f"{name}.{below}", getattr(value, below)) for below in dir(value)]
            else:
                found[name] = value
    return found


def _current_folder() -> str | None:
    """Return the working folder, None if it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return None
