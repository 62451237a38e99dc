"""What a learner does to its process is not found there by the next, and what it starts does not outlive the run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ..trials.made import FIVEFOLD, THIRD, carry_out, options, own, table
from .test_learner_faults import _running

WAYS = (
    "errors", "recursion", "path", "modules", "environment", "folder", "filters", "signals", "configuration",
    "function", "thread", "priority", "files",
)  # fmt: skip


def test_the_next_learner_finds_nothing_of_it(tmp_path: Path) -> None:
    """One worker, so that every learner runs where all the others ran; thirteen ways to spoil a process."""
    priority = os.getpriority(os.PRIO_PROCESS, 0)
    learners = []
    for what in WAYS:
        learners.append(own(f"meddles-{what}", "Meddles", what=what))
        learners.append(own(f"after-{what}", "Finds", priority=priority, after=what))
    _, outcome = carry_out(learners, [table()], THIRD, options(tmp_path, 1))
    assert outcome.complete
    assert [(f.learner, f.failure.message) for f in outcome.failed] == []


@pytest.mark.parametrize("then", ["return", "hang", "die"])
def test_a_daemon_does_not_outlive_the_run(then: str, tmp_path: Path) -> None:
    note = tmp_path / "note"
    learner = own("bad", "Daemonises", note=str(note), then=then)
    _, outcome = carry_out([learner], [table()], THIRD, options(tmp_path / "run", trial_seconds=3))
    assert outcome.complete
    pid = int(note.read_text())
    until = time.monotonic() + 5
    while _running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _running(pid)


def test_what_the_user_starts_is_left_alone(tmp_path: Path) -> None:
    """A notebook or a server starts sessions of its own while a run sweeps up after workers that died."""
    started: list[subprocess.Popen[bytes]] = []

    def progress(_: object) -> None:
        if not started:
            sleeps = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
            started.append(subprocess.Popen(sleeps, start_new_session=True))

    learners = [own("good", "Constant"), own("bad", "Daemonises", note=str(tmp_path / "note"), then="die")]
    _, outcome = carry_out(learners, [table()], FIVEFOLD, options(tmp_path / "run"), progress)
    try:
        assert {f.learner for f in outcome.failed} == {"bad"}
        assert started[0].poll() is None
    finally:
        started[0].kill()
        started[0].wait()


@pytest.mark.parametrize("then", ["exec", "stay"])
def test_a_daemon_of_a_dead_worker_is_known_by_its_mark(then: str, tmp_path: Path) -> None:
    """Whether it runs another program or goes on as a copy of its worker."""
    note = tmp_path / "note"
    learner = own("bad", "Daemonises", note=str(note), then="die", daemon=then)
    carry_out([learner], [table()], THIRD, options(tmp_path / "run"))
    assert not _running(int(note.read_text()))


def test_a_leak_over_many_trials_is_stopped(tmp_path: Path) -> None:
    """Each trial stays below its limit, and a worker that keeps what they took is replaced in time."""
    learner = own("leaks", "Leaks", megabytes=100, most=250)
    _, outcome = carry_out([learner], [table()], FIVEFOLD, options(tmp_path, 1, trial_memory=400))
    assert [f.failure.message for f in outcome.failed] == []
