"""Downloads: only from the host that was asked, whole, and within the limits of size and time."""

from __future__ import annotations

import http.client
import io
import socket
import urllib.request
from email.message import Message

import pytest

from evalang.data import openml
from evalang.data.openml import download
from evalang.errors import DataError

ADDRESS = "https://www.openml.org/x"


class Answer(io.BytesIO):
    """What urllib gets for an answer, as far as it is used."""

    length = 0  # bytes that are still to come

    def __init__(self, code: int, body: bytes = b"", location: str = "") -> None:
        super().__init__(body)
        self.code, self.msg, self.headers = code, "", Message()
        if location:
            self.headers["location"] = location

    def info(self) -> Message:
        return self.headers


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    queue: list[Answer] = []

    class Queued(urllib.request.HTTPSHandler):
        def https_open(self, request: urllib.request.Request) -> Answer:  # type: ignore[override]
            return queue.pop(0)

    monkeypatch.setattr(urllib.request, "HTTPSHandler", Queued)
    monkeypatch.setenv("no_proxy", "*")
    return queue


def _get(most: int = 1000) -> bytes:
    return download(ADDRESS, host="openml.org", most=most)


def test_a_redirect_to_the_same_host_is_followed(answers: list[Answer]) -> None:
    answers += [Answer(302, location="https://api.openml.org/y"), Answer(301, location="/z"), Answer(200, b"rows")]
    assert _get() == b"rows"


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/", "http://www.openml.org/", "file:///etc/passwd", "ftp://www.openml.org/",
        "//169.254.169.254/latest", "https://127.0.0.1/", "https://[::1]/", "https://www.openml.org:22/",
        "https://www.openml.org@evil.example/", "https://[bad/", "gopher://x",
    ],
)  # fmt: skip
def test_other_redirects_are_refused(location: str, answers: list[Answer]) -> None:
    answers += [Answer(302, location=location), Answer(200, b"secret")]
    with pytest.raises(DataError, match=r"openml\.org|no address"):
        _get()
    assert len(answers) == 1


def test_answers_are_limited_in_size_and_time(answers: list[Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    answers.append(Answer(200, b"x" * 5000))
    with pytest.raises(DataError, match="sends more than"):
        _get()
    monkeypatch.setattr(openml, "DOWNLOAD_SECONDS", -1)
    answers.append(Answer(200, b"x" * 500))
    with pytest.raises(DataError, match="took more than"):
        _get()


def test_refusals_of_the_server(answers: list[Answer]) -> None:
    answers.append(Answer(412))
    with pytest.raises(DataError, match=r"www\.openml\.org answered 412 for '/x'"):
        _get()


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nrows", "ended 996 bytes too early"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\nrows", "cannot be reached: IncompleteRead"),
        (b"junk\r\n", "cannot be reached: BadStatusLine"),
    ],
)
def test_half_an_answer_is_an_error(header: bytes, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server hangs up in the middle: rows would be missing without notice."""
    ours, theirs = socket.socketpair()
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(http.client.HTTPSConnection, "connect", lambda self: setattr(self, "sock", ours))
    theirs.sendall(header)
    theirs.shutdown(socket.SHUT_WR)
    with theirs, ours, pytest.raises(DataError, match=message):
        _get()
