"""One file over https, from a host that is known beforehand, within the limits of size and time.

The address is looked up once, every answer must be a public one, and the connection goes to the answer that was
checked, so that a name cannot point elsewhere a moment later.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from urllib.parse import SplitResult, urljoin, urlsplit

from ..errors import DataError
from .access import Access
from .limits import CONNECT_SECONDS, DOWNLOAD_SECONDS, FILE_BYTES
from .shown import shown

MOST_REDIRECTS = 3
_AGENT = "evalang"


def download(address: str, *, host: str, access: Access, most: int = FILE_BYTES) -> bytes:
    """The bytes at an https address of `host` or of a host below it."""
    if not access.allows(host):
        raise DataError(
            f"{shown(address)} is on the network, and {host} is not allowed", hint=f"run with --allow-net {host}"
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
                    f"{place.hostname} answered {answer.status} for {shown(place.path)}", hint=_advice(answer.status)
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
        raise DataError(f"{shown(location)} is no address", hint="the server's answer is not to be trusted") from None


def checked_address(address: str, host: str) -> SplitResult:
    """The parts of an address; anything but https to the expected host is refused."""
    try:
        place = urlsplit(address)
        name = (place.hostname or "").lower()
        port = place.port
    except ValueError:
        raise DataError(f"{shown(address)} is no address", hint="the server's answer is not to be trusted") from None
    if any(ord(c) <= 32 or ord(c) == 127 for c in address):
        raise DataError(f"{shown(address)} is no address", hint="the server's answer is not to be trusted")
    if place.scheme != "https" or place.username is not None or port not in (None, 443):
        raise DataError(f"{shown(address)} is not a plain https address", hint=f"only https://{host} is asked")
    if name != host and not name.endswith("." + host):
        raise DataError(f"{shown(address)} is not at {host}", hint=f"only https://{host} is asked")
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
            raise DataError(f"{shown(address)} sends more than {most >> 20} MB", hint="choose a smaller data set")
        if time.monotonic() > end:
            break
    if time.monotonic() > end:  # also when we hung up, which looks like the end of the file
        raise DataError(f"{shown(address)} took more than {DOWNLOAD_SECONDS} seconds", hint="try again later")
    if answer.length:  # unlike read, read1 takes a connection that broke for the end
        raise DataError(f"{shown(address)} broke off {answer.length} bytes before its end", hint="try again later")
    return b"".join(parts)


def _advice(status: int) -> str:
    return "check the number of the data set" if status in (404, 412) else "try again later"
