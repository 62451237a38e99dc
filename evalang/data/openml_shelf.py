"""Answers of OpenML in the folder `openml` of the data: fetched once, and from then on read without the network.

Beside each file lies its sha256, in the form that `sha256sum -c` reads. A file is kept only after all that belongs
together was read and found right, so that half a download never comes to lie there.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from ..errors import DataError, RunError
from ..language.held import replace_below
from .access import Access
from .download import download
from .shown import shown

HOST = "openml.org"
FOLDER = "openml"
_LONGEST = 120  # characters of a file's name


class Shelf:
    """Gives what lies there, asks OpenML for the rest, and keeps it when it is told to."""

    def __init__(self, access: Access, wanted: str) -> None:
        self._access = access
        self._wanted = wanted  # what the script asks for, in its own words
        self._new: dict[str, bytes] = {}

    def get(self, address: str, most: int) -> bytes:
        """The content at an address."""
        name = file_name(address)
        if name in self._new:
            return self._new[name]
        for root in (self._access.root, self._access.data_root):
            kept = _kept(root / FOLDER / name, root, most) if root is not None else None
            if kept is not None:
                return kept
        if not self._access.allows(HOST):
            raise DataError(
                f"{self._wanted} is on the network, and {HOST} is not allowed", hint=f"run with --allow-net {HOST}"
            )
        self._new[name] = download(address, host=HOST, access=self._access, most=most)
        return self._new[name]

    def keep(self) -> None:
        """Write what was fetched; all of it was found right."""
        root = str(self._access.data_root or self._access.root)
        try:
            for name, content in self._new.items():
                replace_below(root, f"{FOLDER}/{name}", content)
                note = f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()
                replace_below(root, f"{FOLDER}/{name}.sha256", note)
        except RunError as error:
            raise DataError(
                f"{self._wanted} was fetched and cannot be kept in {FOLDER}/: {error.message}",
                hint="name a folder that can be written: --data-root",
            ) from None
        self._new.clear()


def file_name(address: str) -> str:
    """The name under which the content of an address is kept: its path in plain characters.

    >>> file_name("https://www.openml.org/api/v1/json/data/61")
    'api-v1-json-data-61.json'
    """
    place = urlsplit(address)
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{place.path}-{place.query}".strip("/-"))
    stem, ending = os.path.splitext(plain)
    if ending.lower() not in (".arff", ".json"):
        stem, ending = plain, ".json" if "-json-" in plain else ""
    if len(plain) > _LONGEST or ".." in plain:
        stem = f"{stem[:40].replace('..', '-')}-{hashlib.sha256(address.encode()).hexdigest()[:32]}"
    return stem + ending


def _kept(path: Path, root: Path, most: int) -> bytes | None:
    """The content of a kept file; None when it is not there, or was not finished."""
    note = path.with_name(path.name + ".sha256")
    if not path.is_file() or not note.is_file():
        return None
    name = f"{FOLDER}/{path.name}"
    if not (_inside(path, root) and _inside(note, root)):
        raise DataError(f"{shown(name)} leads out of the folders a script may read", hint="keep the file itself there")
    if path.stat().st_size > most:
        raise DataError(f"{shown(name)} has more than {most >> 20} MB", hint="delete it; it is fetched again")
    content = path.read_bytes()
    with note.open("rb") as stream:
        stated = stream.read(64)
    if hashlib.sha256(content).hexdigest().encode() != stated:
        raise DataError(
            f"{shown(name)} is no longer what was fetched: its sha256 differs from the one beside it",
            hint=f"delete both files and run with --allow-net {HOST}",
        )
    return content


def _inside(path: Path, root: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
