"""A project in a folder of its own, and scripts run in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalang.cli.main import run

Judged = Callable[..., dict[str, Any]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which a ledger is kept."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVALANG_LEDGER", raising=False)
    return tmp_path


@pytest.fixture
def judged(project: Path, capsys: pytest.CaptureFixture[str]) -> Judged:
    """Run a script and return its JSON; `err` is what it printed beside, `code` how it ended."""

    def call(text: str, name: str = "study", *options: str) -> dict[str, Any]:
        (project / f"{name}.eval").write_text(text)
        capsys.readouterr()
        code = run(["run", "--format", "json", *options, f"{name}.eval"])
        printed = capsys.readouterr()
        return {**(json.loads(printed.out) if printed.out else {}), "code": code, "err": printed.err}

    return call


def ledger_codes(result: dict[str, Any]) -> list[str]:
    """The codes of the findings that the ledger gave rise to."""
    return [one["code"] for one in result["findings"] if one["code"].startswith("EV8")]
