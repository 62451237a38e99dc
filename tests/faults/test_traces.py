"""What a learner does to its process is not found there by the next, and what it starts does not outlive the run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evalang.cli.main import run

from ..running import running, until
from ..trials.made import FIVEFOLD, TENFOLD, THIRD, carry_out, catalogue, options, own, stored, table
from .child import end, start

WAYS = (
    "errors", "recursion", "path", "finders", "class", "modules", "environment", "folder", "filters", "signals",
    "configuration", "function", "thread", "priority", "files", "frames", "blas", "json", "deep",
    "table", "backend", "digits", "sockets", "temporary", "loops", "starting", "sizes", "processors", "generator",
)  # fmt: skip


def test_the_next_learner_finds_nothing_of_it(tmp_path: Path) -> None:
    """One worker, so that every learner runs where all the others ran; twenty-nine ways to spoil a process."""
    priority, frames = os.getpriority(os.PRIO_PROCESS, 0), pd.get_option("display.precision")
    learners = [catalogue("tree", "decision-tree")]
    for what in WAYS:
        learners.append(own(f"meddles-{what}", "Meddles", what=what))
        learners.append(own(f"after-{what}", "Finds", priority=priority, frames=frames, after=what))
    _, outcome = carry_out(learners, [table()], THIRD, options(tmp_path, 1))
    assert outcome.complete
    assert [(f.learner, f.failure.message) for f in outcome.failed] == []


def test_a_learner_that_changes_nothing_keeps_its_worker(tmp_path: Path) -> None:
    """Whether or not the run has asked for a folder of temporary files before: a new worker for each trial is dear."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for known in (tempfile.gettempdir(), None):
        tempfile.tempdir = known
        learners = [own("plain", "Signs", notes=str(notes)), catalogue("tree", "decision-tree")]
        carry_out(learners, [table()], TENFOLD, options(tmp_path / str(known is None), 1))
    assert len(os.listdir(notes)) == 2


@pytest.mark.parametrize("then", ["return", "hang", "die"])
def test_a_daemon_does_not_outlive_the_run(then: str, tmp_path: Path) -> None:
    note = tmp_path / "note"
    learner = own("bad", "Daemonises", note=str(note), then=then)
    _, outcome = carry_out([learner], [table()], THIRD, options(tmp_path / "run", trial_seconds=2))
    assert outcome.complete
    pid = int(note.read_text())
    until(lambda: not running(pid))


def test_a_learner_that_goes_on_twice_answers_once(tmp_path: Path) -> None:
    """Two processes would write into one socket, and some trials would be those of neither."""
    _, outcome = carry_out(
        [own("bad", "GoesOnTwice"), own("good", "Constant")], [table()], TENFOLD, options(tmp_path, 2)
    )
    assert outcome.complete
    assert [(f.learner, f.failure.message) for f in outcome.failed] == []


def test_nobody_waits_for_the_rest_of_what_a_learner_wrote_into_the_socket(tmp_path: Path) -> None:
    """Without a limit of time the run waited for it for ever."""
    learners = [own("bad", "Babbles"), own("good", "Constant")]
    _, outcome = carry_out(learners, [table()], THIRD, options(tmp_path, 1))
    assert outcome.complete
    assert {f.learner for f in outcome.failed} == {"bad"}
    assert "what is no answer" in outcome.failed[0].failure.message


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


@pytest.mark.parametrize("then", ["exec", "stay", "wiped"])
def test_a_daemon_of_a_dead_worker_is_known_by_its_mark(then: str, tmp_path: Path) -> None:
    """Whether it runs another program, with or without its environment, or goes on as a copy of its worker."""
    note = tmp_path / "note"
    learner = own("bad", "Daemonises", note=str(note), then="die", daemon=then)
    carry_out([learner], [table()], THIRD, options(tmp_path / "run"))
    assert not running(int(note.read_text()))


def test_daemons_of_daemons_do_not_outlive_the_run(tmp_path: Path) -> None:
    """The end of one brings to light those that it had started."""
    notes = tmp_path / "notes"
    notes.mkdir()
    carry_out([own("bad", "Broods", notes=str(notes))], [table()], THIRD, options(tmp_path / "run"))
    assert not [name for name in os.listdir(notes) if running(int(name))]


def test_a_daemon_that_is_always_another_does_not_outlive_the_run(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    learner = own("bad", "Broods", notes=str(notes), restless=True)
    carry_out([learner], [table()], THIRD, options(tmp_path / "run"))
    last = (notes / "last").read_text()
    time.sleep(0.5)
    assert (notes / "last").read_text() == last


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the limit that is the mark")
def test_a_daemon_is_known_where_somebody_lowered_the_limit_before(tmp_path: Path) -> None:
    import resource

    note = tmp_path / "note"

    def work() -> int:
        resource.setrlimit(resource.RLIMIT_RTTIME, (200_000, 200_000))
        learner = own("bad", "Daemonises", note=str(note), then="die", daemon="wiped")
        carry_out([learner], [table()], THIRD, options(tmp_path / "run"))
        return 0

    assert end(start(work)) == 0
    assert not running(int(note.read_text()))


def test_a_daemon_of_a_killed_run_ends_with_the_next(tmp_path: Path) -> None:
    """Nobody is left to end it when run and workers are gone at once; whoever takes the folder over does."""
    note, folder = tmp_path / "note", tmp_path / "run"
    learner = own("bad", "Daemonises", note=str(note), then="hang", daemon="wiped")

    def work() -> int:
        carry_out([learner], [table()], THIRD, options(folder))
        return 0

    parent = start(work)
    until(lambda: note.exists() and note.read_text())
    os.kill(parent, signal.SIGKILL)
    end(parent)
    daemon = int(note.read_text())
    assert running(daemon)
    _, outcome = carry_out([own("good", "Constant")], [table()], THIRD, options(folder))
    until(lambda: not running(daemon))
    assert any("what its learners had started was ended" in one for one in outcome.notes), outcome.notes


def test_a_leak_over_many_trials_is_stopped(tmp_path: Path) -> None:
    """Each trial stays below its limit, and a worker that keeps what they took is replaced in time."""
    learner = own("leaks", "Leaks", megabytes=100, most=250)
    _, outcome = carry_out([learner], [table()], FIVEFOLD, options(tmp_path, 1, trial_memory=400))
    assert [f.failure.message for f in outcome.failed] == []


def test_a_folder_that_is_gone_keeps_no_worker_from_its_work(tmp_path: Path) -> None:
    """The folder in which the command was given may be deleted before or while it runs."""
    here = tmp_path / "here"
    here.mkdir()

    def work() -> int:
        os.chdir(here)
        here.rmdir()
        _, outcome = carry_out([own("good", "Constant")], [table()], THIRD, options(tmp_path / "run"))
        return int(bool(outcome.failed) or not outcome.complete)

    assert end(start(work)) == 0


@pytest.mark.parametrize("place", ["nowhere", "full"])
def test_a_learner_that_talks_needs_no_disk(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder for temporary files, or a full disk below it: what is printed is lost, and no trial."""

    real = tempfile.TemporaryFile

    def no_memory(*_: object) -> int:
        raise OSError

    def made(**where: Any) -> Any:
        if where:  # a probe of the run folder
            return real(**where)
        if place == "nowhere":
            raise FileNotFoundError("no usable temporary directory")
        return Path("/dev/full").open("r+b", buffering=0)

    monkeypatch.setattr(tempfile, "TemporaryFile", made)
    monkeypatch.setattr(os, "memfd_create", no_memory, raising=False)
    _, outcome = carry_out([own("talks", "Talks")], [table()], THIRD, options(tmp_path / "run"))
    assert [f.failure.message for f in outcome.failed] == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files in memory of one size")
def test_a_flood_of_output_fills_no_disk(tmp_path: Path) -> None:
    """What C or a program writes is not to be held back; it ends at the size of a file that cannot grow."""
    learners = [own("floods", "Floods", megabytes=64), own("talks", "Talks")]
    _, outcome = carry_out(learners, [table()], THIRD, options(tmp_path, 1))
    assert [f.failure.message for f in outcome.failed] == []


def test_no_process_file_system(tmp_path: Path) -> None:
    """As in a jail: no list of open files, of children, of memory. The trials are the same."""
    script = tmp_path / "a.eval"
    script.write_text("set seed 1\ncompare decision-tree vs majority on iris using 10cv\n")
    words = [sys.executable, "-m", "evalang", "run", "--jobs", "2", str(script)]
    without = ["unshare", "--mount", "sh", "-c", 'mount --make-rprivate / && umount -l /proc && exec "$@"', "sh"]
    there = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    try:
        found = subprocess.run([*without, *words, "--out", str(tmp_path / "jail")], env=there, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no unshare here")
    if b"unshare" in found.stderr or b"umount" in found.stderr:
        pytest.skip("/proc cannot be taken away here")
    assert found.returncode == 0, found.stderr
    assert run([*words[3:], "--out", str(tmp_path / "home")]) == 0
    assert stored(tmp_path / "jail") == stored(tmp_path / "home")
