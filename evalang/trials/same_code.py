"""Which evalang this is: its version, and its code where two have the same version number.

Loads nothing else, so that a worker of a cluster can be asked for it whatever the rest of its evalang may be.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from .. import __version__

SHOWN = 10  # letters of the digest


def evalang_at(package: Path) -> str:
    """Version and digest of the package in this folder: its modules and the tables that they read."""
    found = hashlib.sha256()
    for path in sorted(path for ending in ("py", "json") for path in package.rglob(f"*.{ending}")):
        body = path.read_bytes().replace(b"\r\n", b"\n")  # a checkout may have the line ends of its machine
        found.update(f"{path.relative_to(package).as_posix()} {len(body)} ".encode() + body)
    return f"{__version__} with code {found.hexdigest()[:SHOWN]}"


EVALANG = evalang_at(Path(__file__).parents[1])
