from __future__ import annotations

import gc

import pytest


def pytest_collection_finish() -> None:
    """What is imported and collected stays until the end; looking through it for garbage again and again takes long."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _calls_from_python_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests call `ev.run` from the repository's own folder; those of the ledger switch it on again."""
    monkeypatch.setenv("EVALANG_LEDGER", "off")
