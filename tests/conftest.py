from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _calls_from_python_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests call `ev.run` from the repository's own folder; those of the ledger switch it on again."""
    monkeypatch.setenv("EVALANG_LEDGER", "off")
