"""The ledger's file: nothing lost, nothing silently repaired, every edit found."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import random
from pathlib import Path
from typing import Any

import pytest

from evalang.errors import RunError, ScriptError
from evalang.ledger import NAME, LineProblem, append, check_chain, read
from evalang.ledger.chain import events, format_line, make_event, newest_hashes


def filled(folder: Path, count: int = 12) -> Path:
    for number in range(count):
        append(str(folder), [("looked", {"study": "duel", "number": number})])
    return folder / NAME


def wrong(folder: Path, **more: Any) -> list[LineProblem]:
    return [one for one in check_chain(read(str(folder)), **more) if one.level == "error"]


def test_a_line_names_the_line_before(tmp_path: Path) -> None:
    path = filled(tmp_path, 3)
    said = [json.loads(line) for line in path.read_text().splitlines()]
    assert [one["event"] for one in said] == ["opened", "looked", "looked", "looked"]
    assert [one["before"] for one in said] == [[], *([one["hash"]] for one in said[:-1])]
    assert check_chain(read(str(tmp_path))) == ()


def _edited(whole: bytes, number: int, chance: random.Random) -> bytes:
    """One byte changed, some removed, one put in, or a line removed."""
    place = chance.randrange(len(whole))
    if number % 4 == 0:
        return whole[:place] + bytes([(whole[place] + chance.randrange(1, 255)) % 256]) + whole[place + 1 :]
    if number % 4 == 1:
        return whole[:place] + whole[place + chance.randrange(1, 40) :]
    if number % 4 == 2:
        return whole[:place] + bytes([chance.choice(b'019af"{},')]) + whole[place:]
    lines = whole.splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    return b"".join(lines)


def test_every_edit_is_found(tmp_path: Path) -> None:
    path = filled(tmp_path)
    before, whole, chance = read(str(tmp_path)), path.read_bytes(), random.Random(5)
    heads = [("runs/duel", newest_hashes(events(before))[0])]
    for number in range(400):
        path.write_bytes(_edited(whole, number, chance))
        try:
            now = read(str(tmp_path))
        except ScriptError:
            continue
        assert now == before or check_chain(now, heads=heads), path.read_bytes()


def test_a_cut_tail_is_found_by_what_was_kept_elsewhere(tmp_path: Path) -> None:
    path = filled(tmp_path)
    head = newest_hashes(events(read(str(tmp_path))))[0]
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-2]))
    assert wrong(tmp_path) == [], "the lines that are left are whole, and nothing here can know of the others"
    assert "runs/duel refers to a missing line" in wrong(tmp_path, heads=[("runs/duel", head)])[0].sentence


def test_a_kill_in_the_middle_of_a_line(tmp_path: Path) -> None:
    path = filled(tmp_path, 3)
    path.write_bytes(path.read_bytes()[:-30])
    append(str(tmp_path), [("looked", {"study": "later"})])
    found = read(str(tmp_path))
    assert [one.get("study") for one in events(found)] == [None, "duel", "duel", "later"]
    assert [(one.line, one.level) for one in check_chain(found)] == [(4, "note")]
    assert "cut off" in check_chain(found)[0].sentence


def test_two_branches_merge_without_losing_a_line(tmp_path: Path) -> None:
    """As git does with `merge=union`: the lines of both sides, one after the other."""
    path = filled(tmp_path, 2)
    common = path.read_text()
    append(str(tmp_path), [("looked", {"study": "side", "number": n}) for n in range(2)])
    side = path.read_text().removeprefix(common)
    path.write_text(common)
    append(str(tmp_path), [("looked", {"study": "main", "number": n}) for n in range(3)])
    path.write_text(path.read_text() + side)
    found = read(str(tmp_path))
    assert [str(one.get("study")) for one in events(found)][3:] == ["main"] * 3 + ["side"] * 2
    assert [one.level for one in check_chain(found)] == ["note"]
    assert "ledgers were merged" in check_chain(found)[0].sentence
    append(str(tmp_path), [("looked", {"study": "after"})])
    joined = events(read(str(tmp_path)))
    assert len(joined[-1].before) == 2
    assert newest_hashes(joined) == (joined[-1].hash,)


def test_marks_of_a_conflict_are_refused(tmp_path: Path) -> None:
    path = filled(tmp_path, 2)
    path.write_text("<<<<<<< HEAD\n" + path.read_text())
    with pytest.raises(ScriptError, match="conflict marks of git in line 1"):
        read(str(tmp_path))


def test_two_runs_at_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        pool.map(_twenty, [str(tmp_path)] * 4)
    found = read(str(tmp_path))
    assert len(found) == 81
    assert check_chain(found) == ()


def _twenty(folder: str) -> None:
    for number in range(20):
        append(folder, [("looked", {"number": number})])


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path, 2)
    before, write = path.read_bytes(), os.write

    def full(handle: int, text: Any) -> int:
        if len(text) < 40:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, bytes(text)[: len(text) // 2])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(RunError, match="No space left"):
        append(str(tmp_path), [("looked", {"study": "duel"})])
    assert path.read_bytes() == before


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("")
    (tmp_path / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RunError, match="it is a link"):
        append(str(tmp_path), [("looked", {})])
    with pytest.raises(ScriptError, match="it is a link"):
        read(str(tmp_path))


def test_a_clock_that_was_set_back_and_a_copied_project(tmp_path: Path) -> None:
    filled(tmp_path, 1)
    text = (tmp_path / NAME).read_text()
    (found,) = check_chain(read(str(tmp_path)), project="another")
    assert found.sentence.startswith("it was opened in a folder called")
    last = json.loads(text.splitlines()[-1])
    early = make_event("looked", "2001-01-01T00:00:00Z", {"study": "duel"}, (last["hash"],))
    (tmp_path / NAME).write_text(text + format_line(early) + "\n")
    assert [one.sentence for one in check_chain(read(str(tmp_path)))] == [
        "it is dated before the line it came after: a clock was set back"
    ]
