"""A headless Chromium, spoken to over two pipes in its own protocol."""

from __future__ import annotations

import base64
import functools
import http.server
import json
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, ClassVar

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe")  # fmt: skip


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder without a word; modules and WebAssembly under their types."""

    extensions_map: ClassVar[dict[str, str]] = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *given: Any) -> None:
        pass


class Site:
    """A folder on a port of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.start()
        self.address = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """On the port that it had, if it had one."""
        handler = functools.partial(Quiet, directory=str(self.folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """One page of a browser."""

    def __init__(self, profile: Path) -> None:
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()

        def place() -> None:  # the browser reads from 3 and writes to 4
            os.dup2(down_read, 63)
            os.dup2(up_write, 64)
            os.dup2(63, 3)
            os.dup2(64, 4)

        self.process = subprocess.Popen(
            [str(CHROMIUM), *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            close_fds=False, preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(down_read)
        os.close(up_write)
        self.down = os.fdopen(down_write, "wb", buffering=0)
        self.up = os.fdopen(up_read, "rb")
        self.number = 0
        self.said: list[str] = []  # errors
        self.heard: list[str] = []  # every word on the console, whoever says it
        self.requested: list[str] = []
        target = self.send("Target.createTarget", {"url": "about:blank"}, "")["targetId"]
        self.session = self.send("Target.attachToTarget", {"targetId": target, "flatten": True}, "")["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, params: dict[str, Any] | None = None, session: str | None = None) -> Any:
        number = self._write(method, params, session)
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def _write(self, method: str, params: dict[str, Any] | None = None, session: str | None = None) -> int:
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params or {}}
        chosen = self.session if session is None else session
        if chosen:
            message["sessionId"] = chosen
        self.down.write(json.dumps(message).encode() + b"\0")
        return self.number

    def _read(self) -> dict[str, Any]:
        data = bytearray()
        while (letter := self.up.read(1)) != b"\0":
            assert letter, "the browser has gone"
            data += letter
        answer: dict[str, Any] = json.loads(data)
        params = answer.get("params", {})
        if answer.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.heard.append(json.dumps(params)[:500])
        if answer.get("method") == "Page.javascriptDialogOpening":  # nothing goes on until it is answered
            self.heard.append(json.dumps(params)[:500])
            self._write("Page.handleJavaScriptDialog", {"accept": True})
        if answer.get("method") == "Runtime.exceptionThrown":
            self.said.append(json.dumps(params["exceptionDetails"])[:500])
        elif answer.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.said.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif answer.get("method") == "Network.requestWillBeSent":
            self.requested.append(params["request"]["url"])
        return answer

    def open(self, address: str) -> None:
        self.send("Page.navigate", {"url": address})

    def do(self, program: str) -> Any:
        """The value of an expression; a promise is waited for."""
        given = {"expression": program, "awaitPromise": True, "returnByValue": True, "userGesture": True}
        answer = self.send("Runtime.evaluate", given)
        assert "exceptionDetails" not in answer, json.dumps(answer["exceptionDetails"])[:800]
        return answer["result"].get("value")

    def until(self, program: str, patience: float = 90) -> Any:
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            found = self.do(f"(() => {{ try {{ return {program} }} catch (e) {{ return null }} }})()")
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {program}; the page said {self.said}")

    def type(self, text: str) -> None:
        self.send("Input.insertText", {"text": text})

    def screen(self, width: int, height: int, dark: bool = False) -> None:
        """Such a screen, until `plain`."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.send("Emulation.setDeviceMetricsOverride", size)
        scheme = "dark" if dark else "light"
        self.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def plain(self) -> None:
        """As it was started: an empty page on its own screen, nothing said or asked for."""
        self.send("Emulation.clearDeviceMetricsOverride")
        self.send("Emulation.setEmulatedMedia", {"features": []})
        self.open("about:blank")
        self.until("location.href === 'about:blank'")
        for kept in (self.said, self.heard, self.requested):
            kept.clear()

    def printed(self) -> bytes:
        """The page as the command `--print-to-pdf` prints it."""
        given = {"displayHeaderFooter": True, "printBackground": True}
        return base64.b64decode(self.send("Page.printToPDF", given)["data"])

    def screenshot(self, path: Path, width: int, height: int, dark: bool = False) -> None:
        self.screen(width, height, dark)
        time.sleep(0.4)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", {"format": "png"})["data"]))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.down.close()
        self.up.close()
