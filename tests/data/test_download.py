from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalang.data import openml_client as module
from evalang.data.access import Access
from evalang.data.openml_client import download, public_address
from evalang.errors import DataError

ONLINE = Access(root=Path(), allow_net=("openml.org",))


def _resolves(*numbers: str) -> Callable[..., list[Any]]:
    return lambda host, port, type=0: [(socket.AF_INET, type, 6, "", (n, port)) for n in numbers]


@pytest.mark.parametrize(
    "number",
    [
        "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::", "fe80::1%eth0",
    ],
)  # fmt: skip
def test_private_addresses_are_refused(number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.socket, "getaddrinfo", _resolves("1.1.1.1", number))
    with pytest.raises(DataError, match="not a public address"):
        public_address("www.openml.org", 443)


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that answers differently the second time (rebinding) is asked only once."""
    answers = iter([_resolves("1.1.1.1"), _resolves("127.0.0.1")])
    monkeypatch.setattr(module.socket, "getaddrinfo", lambda *a, **k: next(answers)(*a, **k))
    asked = []

    def connect(place: tuple[str, int], timeout: float) -> None:
        asked.append(place)
        raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(module.socket, "create_connection", connect)
    with pytest.raises(DataError, match="cannot be reached: refused"):
        download("https://www.openml.org/x", host="openml.org", access=ONLINE)
    assert asked == [("1.1.1.1", 443)]


class Answer(io.BytesIO):
    """What http.client gives for an answer, as far as it is used."""

    def __init__(self, status: int, body: bytes = b"", location: str = "", wait: float = 0.0) -> None:
        super().__init__(body)
        self.status = status
        self.location = location
        self.wait = wait
        self.length: int | None = None  # bytes that are still to come, where the server said how many there are

    def getheader(self, name: str) -> str:
        return self.location

    def read1(self, size: int | None = -1, /) -> bytes:
        time.sleep(self.wait)
        return super().read1(1 if self.wait else size)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    queue: list[Answer] = []
    monkeypatch.setattr(module._Pinned, "request", lambda *a, **k: None)
    monkeypatch.setattr(module._Pinned, "getresponse", lambda self: queue.pop(0))
    return queue


def _get(most: int = 1000) -> bytes:
    return download("https://www.openml.org/x", host="openml.org", access=ONLINE, most=most)


def test_a_redirect_to_the_same_host_is_followed(answers: list[Answer]) -> None:
    answers += [Answer(302, location="https://api.openml.org/y"), Answer(301, location="/z"), Answer(200, b"rows")]
    assert _get() == b"rows"


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/", "http://www.openml.org/", "file:///etc/passwd", "ftp://www.openml.org/",
        "//169.254.169.254/latest", "https://127.0.0.1/", "https://2130706433/", "https://0x7f.1/", "https://[::1]/",
        "https://www.openml.org:22/", "https://www.openml.org@evil.example/", "https://[bad/", "gopher://x", "s3://b/k",
    ],
)  # fmt: skip
def test_other_redirects_are_refused(location: str, answers: list[Answer]) -> None:
    answers += [Answer(302, location=location), Answer(200, b"secret")]
    with pytest.raises(DataError):
        _get()
    assert len(answers) == 1


def test_redirects_without_end(answers: list[Answer]) -> None:
    answers += [Answer(302, location="/again")] * 20
    with pytest.raises(DataError, match="from one address to the next"):
        _get()


def test_answers_are_capped_in_size_and_time(answers: list[Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    answers.append(Answer(200, b"x" * 5000))
    with pytest.raises(DataError, match="sends more than"):
        _get()
    monkeypatch.setattr(module, "DOWNLOAD_SECONDS", 0.05)
    answers.append(Answer(200, b"x" * 500, wait=0.02))
    with pytest.raises(DataError, match="took more than"):
        _get()


@pytest.mark.parametrize("status", [404, 412, 500])
def test_refusals_of_the_server(status: int, answers: list[Answer]) -> None:
    answers.append(Answer(status))
    with pytest.raises(DataError, match=f"answered {status}"):
        _get()


def test_a_broken_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise http.client.BadStatusLine("junk")

    monkeypatch.setattr(module._Pinned, "request", broken)
    with pytest.raises(DataError, match="cannot be reached"):
        _get()


@pytest.mark.parametrize("slow", [0.0, 0.6], ids=["at once", "after the time is over"])
def test_a_server_that_drips_is_hung_up_on(slow: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The header never ends; the whole of the time counts, not the single wait, however late it connects."""
    ours, theirs = socket.socketpair()
    ours.settimeout(20)
    monkeypatch.setattr(module, "DOWNLOAD_SECONDS", 0.3)

    def connect(self: http.client.HTTPSConnection) -> None:
        time.sleep(slow)
        self.sock = ours

    monkeypatch.setattr(module._Pinned, "connect", connect)
    began = time.monotonic()
    try:
        with pytest.raises(DataError, match="cannot be reached"):
            _get()
    finally:
        theirs.close()
        ours.close()
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("header", "closes", "told"),
    [
        (b"Content-Length: 1000\r\n", True, "broke off 996 bytes before its end"),
        (b"Transfer-Encoding: chunked\r\n", True, "cannot be reached: IncompleteRead"),
        (b"Content-Length: 1000\r\n", False, "took more than"),
    ],
)
def test_half_a_file_is_no_file(header: bytes, closes: bool, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server hangs up in the middle, or says nothing more until we do: rows would be missing without a word."""
    ours, theirs = socket.socketpair()
    ours.settimeout(20)
    monkeypatch.setattr(module, "DOWNLOAD_SECONDS", 20 if closes else 0.3)
    monkeypatch.setattr(module._Pinned, "connect", lambda self: setattr(self, "sock", ours))
    theirs.sendall(b"HTTP/1.1 200 OK\r\n" + header + b"\r\n" + (b"3e8\r\n" if b"chunked" in header else b"") + b"rows")
    if closes:
        theirs.shutdown(socket.SHUT_WR)
    try:
        with pytest.raises(DataError, match=told):
            _get()
    finally:
        theirs.close()
        ours.close()
