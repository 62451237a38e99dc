"""What a script may read, as the command line or the caller in Python decides; paths are resolved inside it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..language.text import nearest
from ..plans.passwords import hide_passwords
from .quoting import error_about, quoted

OnRead = Callable[[str, int, int], None]  # called with a file, its bytes read so far, and its size


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The folder of the script, `--data-root`, the hosts of `--allow-net`, and the values passed in Python."""

    root: Path
    data_root: Path | None = None
    allow_net: tuple[str, ...] = ()  # hosts, as the user named them: `host` or `host:port`
    values: Mapping[str, object] = field(default_factory=dict, repr=False)
    on_read: OnRead | None = field(default=None, repr=False)
    tables: dict[Any, Any] = field(default_factory=dict, repr=False)  # cache of scores by source
    notes: list[str] = field(default_factory=list, repr=False)  # what was read otherwise than it is written

    def allows(self, host: str, port: object = None) -> bool:
        """Return whether the user named this very host; a port counts where one was named."""
        names = {host.lower(), f"{host.lower()}:{port}"}
        return any(named.lower() in names for named in self.allow_net)


_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?://|:)|[A-Za-z][A-Za-z0-9+.-]*::")
_STAY = "paths are relative to the script and stay inside its folder or `--data-root`"


def resolve(locator: str, access: Access) -> Path:
    """Return the real path of a file or folder that exists inside the script's folder or `--data-root`."""
    _check_words(locator)
    roots = [r for r in (access.root, access.data_root) if r is not None]
    outside = False
    for root in roots:
        base = Path(os.path.realpath(root))
        try:
            found = Path(os.path.realpath(base / locator))
        except (OSError, ValueError) as error:
            raise error_about(locator, "is not a usable path", _STAY) from error
        if not found.is_relative_to(base):
            outside = True
        elif os.path.lexists(found):
            return found
    if outside:
        raise error_about(locator, "is outside the folders that a script may read", _STAY)
    near = _nearest_file(Path(os.path.realpath(roots[0])) / locator)
    hint = f"did you mean {quoted(near)}?" if near else _STAY
    raise DataError(f"there is no file {quoted(locator)}", hint=hint)


def _check_words(locator: str) -> None:
    if not locator.strip():
        raise DataError("the path of the data is empty", hint='write it in quotes, as in `from csv "data.csv"`')
    if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in locator):
        raise DataError(f"the path {quoted(locator)} has a control character in it", hint=_STAY)
    if _ADDRESS.match(locator):
        raise error_about(hide_passwords(locator), "is an address, not a path", f"download the file first; {_STAY}")
    if "\\" in locator:
        what = f"the path {quoted(locator)} holds a backslash"
        raise DataError(what, hint="write `/` between folders, on Windows too")
    if locator.startswith(("/", "~")) or re.match(r"[A-Za-z]:", locator):
        raise error_about(locator, "is an absolute path", _STAY)
    if ".." in locator.split("/"):
        raise error_about(locator, "is outside the folders that a script may read", _STAY)


def _nearest_file(path: Path) -> str | None:
    """Return the most similar name in the same folder, of at most a thousand."""
    try:
        with os.scandir(path.parent) as entries:
            names = [e.name for e in islice(entries, 1000)]
    except OSError:
        return None
    return nearest(path.name, sorted(names))
