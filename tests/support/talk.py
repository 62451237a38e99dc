"""A client of the language server that says exactly what it is told, also what is wrong."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
Message = dict[str, Any]


class Talk:
    """A server in a process of its own."""

    def __init__(self, root: Path, options: Message | None = None) -> None:
        program = "from evalang.cli.main import run; raise SystemExit(run(['server']))"
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, **pipes)
        self.received: queue.Queue[tuple[float, Message]] = queue.Queue()
        self.others: list[Message] = []
        self.number = 0
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()
        self.complaints: list[bytes] = []
        given = {"rootUri": root.as_uri(), "capabilities": {}, "initializationOptions": options or {}}
        self.capabilities: Message = self.ask("initialize", {"processId": None, **given})["capabilities"]
        self.tell("initialized", {})

    def _listen(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        while True:
            length = 0
            while line := stdout.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                return
            self.received.put((time.perf_counter(), json.loads(stdout.read(length))))

    def _drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.complaints.append(line)

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def tell(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def ask(self, method: str, params: Any) -> Any:
        answer = self.answer(self.begin(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def answer(self, number: int) -> Message:
        return self.wait(lambda message: message.get("id") == number and "method" not in message)[1]

    def wait(self, wanted: Any, patience: float = PATIENCE) -> tuple[float, Message]:
        """The first message that fits, with the time it came; what comes between is kept."""
        for index, message in enumerate(self.others):
            if wanted(message):
                return 0.0, self.others.pop(index)
        end = time.perf_counter() + patience
        while True:
            when, message = self.received.get(timeout=max(0.01, end - time.perf_counter()))
            if wanted(message):
                return when, message
            self.others.append(message)

    def open(self, uri: str, text: str, language: str = "evalang", version: int = 1) -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Message) -> None:
        identifier = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)})

    def findings(self, uri: str, version: int | None) -> tuple[float, list[Message]]:
        """What was published for one version of a document."""

        def fits(message: Message) -> bool:
            params = message.get("params") or {}
            published = message.get("method") == "textDocument/publishDiagnostics"
            return published and params["uri"] == uri and params.get("version") == version

        when, message = self.wait(fits)
        return when, message["params"]["diagnostics"]

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> int:
        if self.alive():
            self.ask("shutdown", None)
            self.tell("exit", None)
        try:
            return self.process.wait(10)
        finally:
            self.process.kill()


def inserted(line: int, character: int, text: str) -> Message:
    place = {"line": line, "character": character}
    return {"range": {"start": place, "end": place}, "text": text}
