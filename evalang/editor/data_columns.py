"""The columns of a data file, from its first line alone."""

from __future__ import annotations

import csv
import io
import os
import stat

from ..language import nodes

LONGEST = 64 * 1024  # bytes read; a longer first line has no columns worth offering


def columns(source: nodes.DataSource, folder: str, root: str) -> tuple[str, ...]:
    """The names in the header of a CSV file inside `root`; () for anything else. No link is followed."""
    if source.kind not in ("csv", "weka") or not isinstance(source.locator, nodes.Text):
        return ()
    head = _head(os.path.join(folder, source.locator.value), root)
    if head is None:
        return ()
    given = {one.name.text: one.value for one in source.options}
    separator, encoding = given.get("separator"), given.get("encoding")
    mark = separator.value if isinstance(separator, nodes.Text) and len(separator.value) == 1 else ","
    try:
        text = head.decode(encoding.value if isinstance(encoding, nodes.Text) else "utf-8-sig")
        row = next(csv.reader(io.StringIO(text), delimiter=mark), [])
    except (UnicodeDecodeError, LookupError, csv.Error, ValueError):
        return ()
    return tuple(dict.fromkeys(name.strip() for name in row if name.strip()))


def _head(path: str, root: str) -> bytes | None:
    """The first line of a regular file below `root`; None when a link leads to it or the line is too long."""
    plain, top = os.path.abspath(path), os.path.abspath(root)
    try:
        if os.path.commonpath((top, plain)) != top or _linked(plain, top):
            return None
        handle = os.open(plain, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        data = file.read(LONGEST)
    end = data.find(b"\n")
    return data[:end] if end >= 0 else data if len(data) < LONGEST else None


def _linked(path: str, top: str) -> bool:
    """Whether a part of a path below `top` is a link."""
    while len(path) > len(top):
        if os.path.islink(path):
            return True
        path = os.path.dirname(path)
    return False
