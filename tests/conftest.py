from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_collection_finish() -> None:
    """What is imported and collected stays until the end; looking through it for garbage again and again takes long."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _calls_from_python_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests call `ev.run` from the repository's own folder; those of the ledger switch it on again."""
    monkeypatch.setenv("EVALANG_LEDGER", "off")


# What these test is also how the trials are run: by as many processes as there are cores, where nothing is said.
ENGINE = tuple(str(Path(__file__).parent / name) for name in ("benchmarks", "cli", "faults", "security", "trials"))


@pytest.fixture(autouse=True)
def _trials_run_in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two copies of a process as large as that of all tests cost more than the trials of a small script."""
    if not str(request.path).startswith(ENGINE) and "evalang.trials.workers" in sys.modules:
        monkeypatch.setattr(sys.modules["evalang.trials.workers"], "cores", lambda: 0)


@pytest.fixture
def judge_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[tuple[Any, ...]], None]]:
    """Other rules than the program's, for one test; which are chosen is remembered, so it is forgotten twice."""
    from evalang.findings import engine

    def give(rules: tuple[Any, ...]) -> None:
        monkeypatch.setattr(engine, "RULES", rules)
        engine._chosen.cache_clear()

    yield give
    engine._chosen.cache_clear()
