"""Faults 19, 24, 25, 27 to 30, 33 to 36 and threat T23: disks, locks and stores."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from evalang.errors import RunError
from evalang.scores.score_table import ScoreTable
from evalang.trials.files import FolderLock, write_whole
from evalang.trials.options import Progress
from evalang.trials.store import NAME

from ..support.child import BROKEN, DONE, REFUSED, end, small_run, start
from ..support.engine import FIVEFOLD, THIRD, carry_out, catalogue, options, own, stored, table

LEARNERS = [catalogue("tree", "decision-tree"), catalogue("nb", "naive-bayes")]


def small(folder: Path, **more: object) -> tuple[int, int, tuple[str, ...]]:
    """(ran, reused, notes) of ten quick trials in this process."""
    _, outcome = carry_out(LEARNERS, [table()], FIVEFOLD, options(folder, 0, **more))
    assert outcome.complete
    assert outcome.failed == ()
    return outcome.ran, outcome.reused, outcome.notes


def big_run(folder: Path, jobs: int = 0) -> tuple[int, int]:
    """(ran, reused) of ten trials of about 70 kB each."""
    _, outcome = carry_out([catalogue("tree", "decision-tree")], [table(4000, 3)], FIVEFOLD, options(folder, jobs))
    return outcome.ran, outcome.reused


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """24, 35: as on a full disk; what was finished is kept, and a file that cannot be replaced stays as it was."""
    write_whole(tmp_path / "report.html", "old")

    def limited() -> int:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        with pytest.raises(RunError, match="the disk is full"):
            write_whole(tmp_path / "report.html", "new" * 200_000)
        big_run(tmp_path / "run")
        return DONE

    assert end(start(limited)) == REFUSED
    assert (tmp_path / "report.html").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["report.html", "run"]
    ran, reused = big_run(tmp_path / "run")
    assert ran + reused == 5


def test_a_folder_that_cannot_be_written_is_found_out_first(tmp_path: Path) -> None:
    """25: before any fit. Root may write anywhere, so a place where nobody may is used too."""
    with pytest.raises(RunError, match="cannot be written"):
        carry_out([own("bad", "Exits")], [table()], THIRD, options(Path("/proc/evalang")))
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="is a file, not a folder"):
        carry_out(LEARNERS, [table()], THIRD, options(tmp_path / "file"))


def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    """25"""
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)

    def as_somebody() -> int:
        os.setuid(65534)
        carry_out(LEARNERS, [table()], THIRD, options(folder, 0))
        return DONE

    if os.getuid():
        with pytest.raises(RunError, match="cannot be written"):
            carry_out(LEARNERS, [table()], THIRD, options(folder, 0))
    else:
        tmp_path.chmod(0o755)
        assert end(start(as_somebody)) == REFUSED


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    """27"""
    pid = start(lambda: DONE)
    end(pid)
    note = {"pid": pid, "started": "1", "host": socket.gethostname()}
    (tmp_path / "lock").write_text(json.dumps(note))
    _, _, notes = small(tmp_path)
    assert any(f"process {pid}) was taken over" in note for note in notes)


@pytest.mark.parametrize(
    "note",
    [
        "{",
        '{"pid": "x"}',
        "[" * 4096,
        '{"pid": 9, "started": "\\ud800", "host": HERE}',
    ],
)
def test_a_lock_note_that_makes_no_sense_holds_nobody_up(note: str, tmp_path: Path) -> None:
    (tmp_path / "lock").write_text(note.replace("HERE", json.dumps(socket.gethostname())))
    assert small(tmp_path)[0] == 10


def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    """28: from another process, and from this one."""
    lock = FolderLock(tmp_path)
    assert end(start(lambda: small_run(tmp_path))) == REFUSED
    with pytest.raises(RunError, match=f"another run \\(process {os.getpid()}\\) is using"):
        small(tmp_path)
    lock.release()
    assert small(tmp_path)[0] == 10


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


def _sql(statement: str) -> Callable[[Path], None]:
    def execute(path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.commit()
        connection.close()

    return execute


@pytest.mark.parametrize(
    "damage",
    [
        _cut,
        _garbage,
        _sql("CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; END"),
        _sql("DROP TABLE splits"),
    ],
    ids=["cut", "garbage", "trigger", "table"],
)
def test_a_damaged_store_is_refused_until_it_is_replaced(damage: Callable[[Path], None], tmp_path: Path) -> None:
    """29, T23"""
    small(tmp_path)
    expected = stored(tmp_path)
    damage(tmp_path / NAME)
    with pytest.raises(RunError, match="is damaged") as caught:
        small(tmp_path)
    assert "--fresh" in caught.value.hint
    assert small(tmp_path, fresh=True)[0] == 10
    assert stored(tmp_path) == expected


def test_a_flipped_bit_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    """29: wherever it is. SQLite does not check what is in a cell."""

    def scores() -> object:
        return (
            ScoreTable(*carry_out(LEARNERS, [table()], FIVEFOLD, options(tmp_path / "run", 0)))
            .frame()["score"]
            .tolist()
        )

    expected, path = scores(), tmp_path / "run" / NAME
    whole = path.read_bytes()
    noticed = 0
    for place in np.random.default_rng(0).integers(0, len(whole), 60):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x80]) + whole[place + 1 :])
        try:
            found = scores()
        except RunError as error:
            found, noticed = str(error), noticed + 1
        assert found == expected or "is damaged" in str(found), place
    assert noticed > 10


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """30"""
    small(tmp_path)
    _sql("PRAGMA user_version = 99")(tmp_path / NAME)
    before = (tmp_path / NAME).read_bytes()
    with pytest.raises(RunError, match="written by a newer evalang"):
        small(tmp_path)
    assert (tmp_path / NAME).read_bytes() == before


def test_a_linked_store_is_refused(tmp_path: Path) -> None:
    """T23"""
    small(tmp_path / "one")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / NAME).symlink_to(tmp_path / "one" / NAME)
    with pytest.raises(RunError, match="is a link"):
        small(tmp_path / "two")


@pytest.mark.parametrize("name", ["'); DROP TABLE trials; --", 'a"b', "ü\u202eb", "x" * 5000])
def test_names_are_values_never_sql(name: str, tmp_path: Path) -> None:
    """T23"""
    made = table(name=name, content_hash=name)
    learner = catalogue(name, "naive-bayes")
    _, outcome = carry_out([learner], [made], THIRD, options(tmp_path, 0))
    assert outcome.complete
    assert len(stored(tmp_path)) == 3


def test_many_predictions(tmp_path: Path) -> None:
    """33: the parent's memory stays within bounds."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rows = 100_000
    rng = np.random.default_rng(0)
    made = table(rows, 2, y=rng.integers(0, 2, rows), content_hash="large")
    _, outcome = carry_out([catalogue("majority")], [made], FIVEFOLD, options(tmp_path))
    assert outcome.complete
    assert outcome.failed == ()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 120_000  # kilobytes


def test_few_open_files(tmp_path: Path) -> None:
    """34: fewer workers, or none, with a note."""

    def cramped() -> int:
        used = len(os.listdir("/proc/self/fd"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (used + 9, used + 9))
        _, outcome = carry_out(LEARNERS, [table()], FIVEFOLD, options(tmp_path, 40))
        return DONE if outcome.complete and any("workers could be started" in n for n in outcome.notes) else BROKEN

    assert end(start(cramped)) == DONE


def test_changed_data_are_run_again(tmp_path: Path) -> None:
    """19: the table is read once; another content is another trial."""
    assert small(tmp_path)[:2] == (10, 0)
    _, outcome = carry_out(LEARNERS, [table(content_hash="changed")], FIVEFOLD, options(tmp_path, 0))
    assert (outcome.ran, outcome.reused) == (10, 0)
    assert any(note.startswith("made ") for note in outcome.notes)


def test_trials_of_another_rule_of_dealing_are_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of an evalang that divided rows otherwise: nothing of it is mixed in, nothing of it is lost."""
    with monkeypatch.context() as earlier:
        earlier.setattr("evalang.trials.trial.DEALING", 1)
        earlier.setattr("evalang.trials.folder.DEALING", 1)
        assert small(tmp_path)[:2] == (10, 0)
    _, outcome = carry_out(LEARNERS, [table()], FIVEFOLD, options(tmp_path, 0))
    assert (outcome.ran, outcome.reused) == (10, 0)
    assert any("split rows differently; they are run again" in note for note in outcome.notes)
    assert any(note.startswith("10 stored fits belong to no statement") for note in outcome.notes)
    _, outcome = carry_out(LEARNERS, [table()], FIVEFOLD, options(tmp_path, 0))
    assert (outcome.ran, outcome.reused) == (0, 10)
    assert not any("split rows differently" in note for note in outcome.notes)


def test_a_run_folder_deleted_in_mid_run_stops_the_run(tmp_path: Path) -> None:
    def delete(progress: Progress) -> None:
        shutil.rmtree(tmp_path / "run", ignore_errors=True)

    with pytest.raises(RunError, match="was deleted while the run was going on"):
        carry_out([catalogue("majority")], [table()], FIVEFOLD, options(tmp_path / "run", 0), delete)
