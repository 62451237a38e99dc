from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The first example of a property pays for imports, and a busy machine is no defect.
settings.register_profile("suite", settings(), deadline=None)
settings.load_profile("suite")


def pytest_collection_finish() -> None:
    """What is imported and collected stays until the end; looking through it for garbage again and again takes long."""
    gc.freeze()


COUNTED = {"cli", "docs", "faults", "ledger", "security", "test_run_scripts.py", "test_pipeline.py", "test_shown.py"}


@pytest.fixture(autouse=True)
def _calls_from_python_are_not_counted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests call `ev.run` from the repository's own folder, except where the command line runs in another one."""
    if request.path.relative_to(Path(__file__).parent).parts[0] in COUNTED:
        monkeypatch.delenv("EVALANG_LEDGER", raising=False)
    else:
        monkeypatch.setenv("EVALANG_LEDGER", "off")


# Worker processes where nothing is said of them: where the engine is tested as many as there are cores, on the command
# line one, and none elsewhere. Each is a copy of the process of all tests and costs more than the trials of a script.
WORKERS = {"benchmarks": None, "faults": None, "trials": None, "cli": 1, "security": 1}


@pytest.fixture(autouse=True)
def _no_more_workers_than_needed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    few = WORKERS.get(request.path.relative_to(Path(__file__).parent).parts[0], 0)
    if few is not None and "evalang.trials.pool" in sys.modules:
        monkeypatch.setattr(sys.modules["evalang.trials.pool"], "available_cores", lambda: few)


@pytest.fixture
def judge_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[Any, ...]], None]:
    """Other rules than the program's, for one test."""
    from evalang.findings import engine

    return lambda rules: monkeypatch.setattr(engine, "RULES", rules)
