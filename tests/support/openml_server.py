"""A server on this machine that answers like OpenML: studies, tasks, descriptions, ARFF files, folds."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


class OpenMLServer:
    """What it answers by path, what it was asked, and how many bytes it leaves off at the end of an answer."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.short: dict[str, int] = {}

    def data(self, number: int, name: str, arff: bytes, **changes: Any) -> None:
        """A data set and its description."""
        path = f"/data/v1/download/{number}/{name}.arff"
        described = {
            "id": str(number),
            "name": name,
            "version": "1",
            "format": "ARFF",
            "status": "active",
            "url": f"https://api.openml.org{path}",
            "default_target_attribute": "class",
            "md5_checksum": hashlib.md5(arff, usedforsecurity=False).hexdigest(),
            **changes,
        }
        self.answers[path] = arff
        self.answers[f"/api/v1/json/data/{number}"] = json.dumps({"data_set_description": described}).encode()

    def task(self, number: int, data: int, folds: bytes, **changes: Any) -> None:
        """A task on a data set, with its folds."""
        path = f"/api_splits/get/{number}/Task_{number}_splits.arff"
        counts = {"number_repeats": "1", "percentage": "", "number_folds": "3", "stratified_sampling": "true"}
        counts.update(changes.pop("counts", {}))
        procedure = {
            "id": "1",
            "type": changes.pop("procedure", "crossvalidation"),
            "data_splits_url": f"https://www.openml.org{path}",
            "parameter": [{"name": n, "value": v} for n, v in counts.items()],
        }
        target = changes.pop("target", "class")
        answer = {
            "task_id": str(number),
            "task_name": f"Task {number}",
            "task_type_id": "1",
            "task_type": "Supervised Classification",
            "input": [
                {"name": "source_data", "data_set": {"data_set_id": str(data), "target_feature": target}},
                {"name": "estimation_procedure", "estimation_procedure": procedure},
            ],
            **changes,
        }
        self.answers[path] = folds
        self.answers[f"/api/v1/json/task/{number}"] = json.dumps({"task": answer}).encode()

    def study(self, number: int, tasks: list[int]) -> None:
        """A suite."""
        held = {"id": str(number), "main_entity_type": "task", "tasks": {"task_id": tasks}}
        self.answers[f"/api/v1/json/study/{number}"] = json.dumps({"study": held}).encode()

    @contextmanager
    def running(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenMLServer]:
        """Connections to OpenML's hosts end here; everything above the socket is the program's own."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

        def connect(connection: Any) -> None:
            assert connection.host.endswith("openml.org")
            connection.sock = socket.create_connection(server.server_address[:2], timeout=5)

        monkeypatch.setenv("no_proxy", "*")
        monkeypatch.setattr("http.client.HTTPSConnection.connect", connect)
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()


def _handler(owner: OpenMLServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            owner.asked.append(self.path)
            body = owner.answers.get(self.path)
            self.send_response(200 if body is not None else 412)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write((body or b"")[: len(body or b"") - owner.short.get(self.path, 0)])

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    return Handler


def table(rows: int, shift: int = 0) -> bytes:
    """A table of two classes whose first column tells them apart most of the time."""
    lines = [f"{(i * 7 + shift) % 11},{i % 5},{'x' if (i * 7 + shift) % 11 > 4 else 'y'}" for i in range(rows)]
    head = "@relation t\n@attribute a numeric\n@attribute b numeric\n@attribute class {x,y}\n@data\n"
    return (head + "\n".join(lines) + "\n").encode()


def folds(rows: int, count: int = 3, repeats: int = 1) -> bytes:
    """Row i is tested in fold (i + repetition) mod count."""
    lines = [
        f"{'TEST' if (row + repeat) % count == fold else 'TRAIN'},{row},{repeat},{fold}"
        for repeat in range(repeats)
        for fold in range(count)
        for row in range(rows)
    ]
    head = (
        "@RELATION splits\n@ATTRIBUTE type {TRAIN,TEST}\n@ATTRIBUTE rowid INTEGER\n"
        "@ATTRIBUTE repeat INTEGER\n@ATTRIBUTE fold INTEGER\n@DATA\n"
    )
    return (head + "\n".join(lines) + "\n").encode()
