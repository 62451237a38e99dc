"""Answers of OpenML: downloaded once, with `--allow-net openml.org`, and from then on read from the folder `openml`.

Next to each file is its sha256, in the form that `sha256sum -c` reads. Files are stored only after all that belongs
together was read and checked, so that no half of a download is ever stored.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from ..errors import DataError, RunError
from ..language.files import replace_below
from .access import Access
from .limits import CONNECT_SECONDS, DOWNLOAD_SECONDS, FILE_BYTES
from .quoting import error_about, quoted

HOST = "openml.org"
FOLDER = "openml"
MOST_REDIRECTS = 3
_LONGEST = 120  # characters of a file's name
_UNTRUSTED = "the server's answer is not to be trusted"


class OpenMLClient:
    """Answers by address, from the folder or from OpenML; at the end of a `with` block new ones are stored."""

    def __init__(self, access: Access, wanted: str) -> None:
        self._access = access
        self._wanted = wanted  # what the script asks for, in its own words
        self._new: dict[str, bytes] = {}

    def get(self, address: str, most: int) -> bytes:
        """Return the content at an address."""
        name = file_name(address)
        if name in self._new:
            return self._new[name]
        for root in (self._access.root, self._access.data_root):
            stored = _stored(root / FOLDER / name, root, most) if root is not None else None
            if stored is not None:
                return stored
        if not self._access.allows(HOST):
            raise DataError(
                f"{self._wanted} is on the network, and {HOST} is not allowed", hint=f"run with --allow-net {HOST}"
            )
        self._new[name] = download(address, host=HOST, most=most)
        return self._new[name]

    def __enter__(self) -> OpenMLClient:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Write what was downloaded, unless something in it was wrong."""
        if kind is not None:
            return
        root = str(self._access.data_root or self._access.root)
        try:
            for name, content in self._new.items():
                replace_below(root, f"{FOLDER}/{name}", content)
                checksum = f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()
                replace_below(root, f"{FOLDER}/{name}.sha256", checksum)
        except RunError as error:
            raise DataError(
                f"{self._wanted} was fetched and cannot be kept in {FOLDER}/: {error.message}",
                hint="name a folder that can be written: --data-root",
            ) from None


def file_name(address: str) -> str:
    """Return the name under which the content of an address is stored: its path in plain characters.

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


def _stored(path: Path, root: Path, most: int) -> bytes | None:
    """Return the content of a stored file; None when it is not there, or was not finished."""
    checksum = path.with_name(path.name + ".sha256")
    if not path.is_file() or not checksum.is_file():
        return None
    name = f"{FOLDER}/{path.name}"
    base = os.path.realpath(root)
    if not all(Path(os.path.realpath(file)).is_relative_to(base) for file in (path, checksum)):
        raise error_about(name, "leads out of the folders a script may read", "keep the file itself there")
    if path.stat().st_size > most:
        raise error_about(name, f"has more than {most >> 20} MB", "delete it; it is fetched again")
    content = path.read_bytes()
    with checksum.open("rb") as stream:
        stated = stream.read(64)
    if hashlib.sha256(content).hexdigest().encode() != stated:
        raise error_about(
            name,
            "is no longer what was fetched: its sha256 differs from the one beside it",
            f"delete both files and run with --allow-net {HOST}",
        )
    return content


def download(address: str, *, host: str, most: int = FILE_BYTES) -> bytes:
    """Return the bytes at an https address of `host` or of a host below it, within the limits of size and time."""
    end = time.monotonic() + DOWNLOAD_SECONDS
    place = checked_address(address, host)
    request = urllib.request.Request(address, headers={"User-Agent": "evalang"})
    try:
        with urllib.request.build_opener(_SameHost(host)).open(request, timeout=CONNECT_SECONDS) as answer:
            return _body(answer, most, end, address)
    except urllib.error.HTTPError as error:
        if error.code in (301, 302, 303, 307, 308):
            raise DataError(f"{host} sends from one address to the next", hint="try again later") from None
        hint = "check the number of the data set" if error.code in (404, 412) else "try again later"
        raise DataError(f"{place.hostname} answered {error.code} for {quoted(place.path)}", hint=hint) from None
    except (OSError, http.client.HTTPException) as error:
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        reason = getattr(cause, "strerror", None) or type(cause).__name__
        unknown = isinstance(cause, socket.gaierror)
        what = "is not known to this machine's network" if unknown else f"cannot be reached: {reason}"
        raise DataError(f"{place.hostname} {what}", hint="check the network and try again") from None
    except ValueError:  # of an address to be redirected to
        raise DataError(f"{host} redirects to no address", hint=_UNTRUSTED) from None


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Redirects to the same host only."""

    max_redirections = MOST_REDIRECTS

    def __init__(self, host: str) -> None:
        self._host = host

    def http_error_302(self, req: Any, fp: Any, code: int, msg: str, headers: Any) -> Any:
        checked_address(urljoin(req.full_url, headers.get("location", "")), self._host)
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def checked_address(address: str, host: str) -> SplitResult:
    """Return the parts of an address; anything but https to the expected host is refused."""
    try:
        place = urlsplit(address)
        name, port = (place.hostname or "").lower(), place.port
    except ValueError:
        raise error_about(address, "is not an address", _UNTRUSTED) from None
    if any(ord(c) <= 32 or ord(c) == 127 for c in address):
        raise error_about(address, "is not an address", _UNTRUSTED)
    if place.scheme != "https" or place.username is not None or port not in (None, 443):
        raise error_about(address, "is not a plain https address", f"only https://{host} is asked")
    if name != host and not name.endswith("." + host):
        raise error_about(address, f"is not at {host}", f"only https://{host} is asked")
    return place


def _body(answer: http.client.HTTPResponse, most: int, end: float, address: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read1(1 << 16):
        parts.append(chunk)
        size += len(chunk)
        if size > most:
            raise error_about(address, f"sends more than {most >> 20} MB", "choose a smaller data set")
        if time.monotonic() > end:
            raise error_about(address, f"took more than {DOWNLOAD_SECONDS} seconds", "try again later")
    if answer.length:  # unlike read, read1 takes a broken connection for the end
        raise error_about(address, f"broke off {answer.length} bytes before its end", "try again later")
    return b"".join(parts)
