"""Answers of OpenML in the folder `openml` of the data: fetched once, and from then on read without the network.

Beside each file lies its sha256, in the form that `sha256sum -c` reads. A file is kept only after all that belongs
together was read and found right, so that half a download never comes to lie there.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import ipaddress
import os
import re
import socket
import ssl
import threading
import time
from pathlib import Path
from urllib.parse import SplitResult, urljoin, urlsplit

from ..errors import DataError, RunError
from ..language.held import replace_below
from .access import Access
from .limits import CONNECT_SECONDS, DOWNLOAD_SECONDS, FILE_BYTES
from .quoting import quoted

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
        raise DataError(f"{quoted(name)} leads out of the folders a script may read", hint="keep the file itself there")
    if path.stat().st_size > most:
        raise DataError(f"{quoted(name)} has more than {most >> 20} MB", hint="delete it; it is fetched again")
    content = path.read_bytes()
    with note.open("rb") as stream:
        stated = stream.read(64)
    if hashlib.sha256(content).hexdigest().encode() != stated:
        raise DataError(
            f"{quoted(name)} is no longer what was fetched: its sha256 differs from the one beside it",
            hint=f"delete both files and run with --allow-net {HOST}",
        )
    return content


def _inside(path: Path, root: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


MOST_REDIRECTS = 3
_AGENT = "evalang"


def download(address: str, *, host: str, access: Access, most: int = FILE_BYTES) -> bytes:
    """The bytes at an https address of `host` or of a host below it."""
    if not access.allows(host):
        raise DataError(
            f"{quoted(address)} is on the network, and {host} is not allowed", hint=f"run with --allow-net {host}"
        )
    end = time.monotonic() + DOWNLOAD_SECONDS
    for _ in range(MOST_REDIRECTS + 1):
        place = checked_address(address, host)
        connection = _Pinned(place.hostname or "", place.port or 443)
        # A server that sends a byte now and then would keep every single wait short.
        answered = threading.Event()
        threading.Thread(target=_hang_up, args=(connection, end, answered), daemon=True).start()
        try:
            path = (place.path or "/") + (f"?{place.query}" if place.query else "")
            connection.request("GET", path, headers={"User-Agent": _AGENT, "Accept": "*/*"})
            answer = connection.getresponse()
            if answer.status in (301, 302, 303, 307, 308):
                address = _target(address, answer.getheader("Location") or "")
                continue
            if answer.status != 200:
                raise DataError(
                    f"{place.hostname} answered {answer.status} for {quoted(place.path)}", hint=_advice(answer.status)
                )
            return _body(answer, most, end, address)
        except (OSError, http.client.HTTPException) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise DataError(
                f"{place.hostname} cannot be reached: {reason}", hint="check the network and try again"
            ) from None
        finally:
            answered.set()
            connection.close()
    raise DataError(f"{host} sends from one address to the next", hint="try again later")


def _target(address: str, location: str) -> str:
    try:
        return urljoin(address, location)
    except ValueError:
        raise DataError(f"{quoted(location)} is no address", hint="the server's answer is not to be trusted") from None


def checked_address(address: str, host: str) -> SplitResult:
    """The parts of an address; anything but https to the expected host is refused."""
    try:
        place = urlsplit(address)
        name = (place.hostname or "").lower()
        port = place.port
    except ValueError:
        raise DataError(f"{quoted(address)} is no address", hint="the server's answer is not to be trusted") from None
    if any(ord(c) <= 32 or ord(c) == 127 for c in address):
        raise DataError(f"{quoted(address)} is no address", hint="the server's answer is not to be trusted")
    if place.scheme != "https" or place.username is not None or port not in (None, 443):
        raise DataError(f"{quoted(address)} is not a plain https address", hint=f"only https://{host} is asked")
    if name != host and not name.endswith("." + host):
        raise DataError(f"{quoted(address)} is not at {host}", hint=f"only https://{host} is asked")
    return place


def public_address(host: str, port: int) -> str:
    """A public address of the host; a private, local or reserved one is refused."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise DataError(
            f"{host} is not known to this machine's network", hint="check the network and try again"
        ) from error
    numbers = [str(entry[4][0]) for entry in found]
    for number in numbers:
        plain = ipaddress.ip_address(number.partition("%")[0])
        inner = getattr(plain, "ipv4_mapped", None) or plain
        if not inner.is_global or inner.is_multicast:
            raise DataError(f"{host} leads to {number}, which is not a public address", hint="this is not done")
    if not numbers:
        raise DataError(f"{host} has no address", hint="check the network and try again")
    return numbers[0]


class _Pinned(http.client.HTTPSConnection):
    """A connection to the very address that was checked, with the certificate of the name."""

    def __init__(self, host: str, port: int) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, port, timeout=CONNECT_SECONDS, context=self._tls)

    def connect(self) -> None:
        number = public_address(self.host, self.port)
        plain = socket.create_connection((number, self.port), timeout=CONNECT_SECONDS)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)

    def abort(self) -> None:
        """End a wait from another thread."""
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


def _hang_up(connection: _Pinned, end: float, answered: threading.Event) -> None:
    """Again and again once the time is over: at the first try the connection may not be there yet."""
    wait = max(end - time.monotonic(), 0.0)
    while not answered.wait(wait):
        connection.abort()
        wait = 0.05


def _body(answer: http.client.HTTPResponse, most: int, end: float, address: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read1(1 << 16):
        parts.append(chunk)
        size += len(chunk)
        if size > most:
            raise DataError(f"{quoted(address)} sends more than {most >> 20} MB", hint="choose a smaller data set")
        if time.monotonic() > end:
            break
    if time.monotonic() > end:  # also when we hung up, which looks like the end of the file
        raise DataError(f"{quoted(address)} took more than {DOWNLOAD_SECONDS} seconds", hint="try again later")
    if answer.length:  # unlike read, read1 takes a connection that broke for the end
        raise DataError(f"{quoted(address)} broke off {answer.length} bytes before its end", hint="try again later")
    return b"".join(parts)


def _advice(status: int) -> str:
    return "check the number of the data set" if status in (404, 412) else "try again later"
