from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.calling import Called, caller


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., Called]:
    """The command line in this process."""
    return caller(capfd)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
