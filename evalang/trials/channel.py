"""A socket between parent and worker. The parent never waits at it: it writes what fits, reads what is there."""

from __future__ import annotations

import pickle
import socket
import struct
from typing import Any

_HEADER = struct.Struct("!Q")
LONGEST = 2**32  # bytes; what announces more is no message of ours
_PIECE = 2**18
_TURN = 256  # pieces read at one time, so that a talkative worker cannot keep the others waiting


class Channel:
    """The parent's end. `gone` says why nothing more will come through it, "" while something may."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self.gone = ""
        self._end = end
        self._coming, self._going = bytearray(), bytearray()

    @property
    def pending(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._going) and not self.gone

    def fileno(self) -> int:
        """For a selector."""
        return self._end.fileno()

    def put(self, message: bytes) -> None:
        """Send a message, now or as soon as there is room."""
        self._going += _HEADER.pack(len(message)) + message
        self.flush()

    def flush(self) -> None:
        """Write as much as the socket takes without waiting."""
        try:
            while self._going and not self.gone:
                del self._going[: self._end.send(self._going[:_PIECE])]
        except BlockingIOError:
            return
        except OSError:  # whatever the other end still said is to be read first: reading finds out that it is gone
            self._going.clear()

    def take(self) -> list[Any]:
        """The messages that have come in whole, without waiting for the rest of any."""
        self._read()
        found: list[Any] = []
        while len(self._coming) >= _HEADER.size:
            length = _HEADER.unpack_from(self._coming)[0]
            if length > LONGEST:
                self.gone = f"announced a message of {length} bytes"
                break
            end = _HEADER.size + length
            if len(self._coming) < end:
                break
            body = bytes(self._coming[_HEADER.size : end])
            del self._coming[:end]
            try:
                found.append(pickle.loads(body))  # noqa: S301 - our own worker's words, or a trusted learner's
            except Exception as error:
                self.gone = f"sent what cannot be read ({type(error).__name__})"
                break
        return found

    def close(self) -> None:
        self._end.close()

    def _read(self) -> None:
        try:
            for _ in range(_TURN):
                piece = self._end.recv(_PIECE)
                if not piece:
                    self.gone = self.gone or "closed its pipe"
                    return
                self._coming += piece
        except BlockingIOError:
            return
        except OSError:
            self.gone = self.gone or "closed its pipe"


def send(end: socket.socket, message: object) -> None:
    """The worker's way: it may wait, as the parent always reads."""
    body = pickle.dumps(message, protocol=5)
    end.sendall(_HEADER.pack(len(body)))
    end.sendall(body)


def receive(end: socket.socket) -> Any:
    """The next message for a worker; EOFError when the parent is gone."""
    length = _HEADER.unpack(_exactly(end, _HEADER.size))[0]
    return pickle.loads(_exactly(end, length))  # noqa: S301 - from the process that started this one


def _exactly(end: socket.socket, count: int) -> bytes:
    found = bytearray()
    while len(found) < count:
        piece = end.recv(min(_PIECE, count - len(found)))
        if not piece:
            raise EOFError
        found += piece
    return bytes(found)
