"""T4: what is written into a folder that came from somebody stays in it, whatever links lie there."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalang.cli.main import run
from evalang.data.access import Access, resolve
from evalang.data.files import open_file
from evalang.errors import DataError, RunError
from evalang.language.files import replace_below

from .conftest import STUDY


@pytest.mark.parametrize("form", ["html", "json", "csv", "latex"])
@pytest.mark.parametrize("which", ["files", "folders"])
def test_a_report_into_their_run_folder(
    form: str, which: str, finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs, victims = tmp_path / "theirs", tmp_path / "victims"
    shutil.copytree(finished, theirs)
    victims.mkdir()
    names = ("report.html", "report.md", "run.json", "report.tex", "verdicts.csv", "tables", "figures")
    for name in names:
        (victims / name).write_text("mine") if "." in name else (victims / name).mkdir()
    if which == "folders":
        for name in ("tables", "figures"):
            (theirs / name).symlink_to(victims / name)
    else:
        (theirs / "tables").mkdir()
        for place in (theirs, theirs / "tables"):
            for name in names[:5]:
                (place / name).symlink_to(victims / name)
    code = run(["report", str(theirs), "--to", form])
    words = capsys.readouterr().err
    assert code in (0, 1)
    assert code == 0 or "is a link" in words
    assert (code == 0) or (which == "folders" and form == "csv")
    assert [(victims / n).read_text() for n in names[:5]] == ["mine"] * 5
    assert not [*(victims / "tables").iterdir(), *(victims / "figures").iterdir()]


@pytest.mark.parametrize("part", ["runs", "runs/study"])
def test_a_run_folder_that_is_a_link(part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, outside = tmp_path / "inside", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "study.eval").write_text(STUDY)
    (folder / part).parent.mkdir(exist_ok=True)
    (folder / part).symlink_to(outside, target_is_directory=True)
    assert run(["run", str(folder / "study.eval")]) == 1
    assert "is a link" in capsys.readouterr().err
    assert not list(outside.iterdir())


@pytest.mark.parametrize("form", ["text", "csv"])
@pytest.mark.parametrize("name", ["result.json", "times.json", "cells.json"])
def test_a_report_of_what_lies_elsewhere(
    name: str, form: str, finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file outside is not read through a link in their run folder, not even one of the right kind."""
    theirs, outside = tmp_path / "theirs", tmp_path / "outside"
    shutil.copytree(finished, theirs)
    (theirs / name).rename(outside)
    (theirs / name).symlink_to(outside)
    os.utime(outside, (1_000_000_000, 1_500_000_000))
    code = run(["report", str(theirs), "--to", form])
    assert (code == 2) == (name == "result.json" or (name, form) == ("cells.json", "csv")), capsys.readouterr().err
    assert os.stat(outside).st_atime == 1_000_000_000


@pytest.mark.parametrize("command", [["fmt"], ["lint", "--fix"]])
def test_a_script_that_leads_out_of_the_folder(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who names a folder does not name what a link in it leads to; who names the link does."""
    text = "compare decision-tree  vs naive-bayes on iris, wine using 5x2cv, seed 20\n"
    folder, outside = tmp_path / "folder", tmp_path / "outside.eval"
    folder.mkdir()
    for place in (outside, folder / "inside.eval"):
        place.write_text(text)
    (folder / "away.eval").symlink_to(outside)
    (folder / "near.eval").symlink_to("inside.eval")
    run([*command, str(folder)])
    assert "away.eval is a link out of" in capsys.readouterr().err
    assert outside.read_text() == text
    assert (folder / "inside.eval").read_text() != text
    run([*command, str(folder / "away.eval")])
    assert outside.read_text() != text


def test_a_link_put_there_after_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "outside.csv").write_text("outside")
    file = tmp_path / "inside" / "d.csv"
    file.write_text("inside")

    def resolve_then_exchange(locator: str, access: Access) -> Path:
        found = resolve(locator, access)
        file.unlink()
        file.symlink_to(tmp_path / "outside.csv")
        return found

    monkeypatch.setattr("evalang.data.files.resolve", resolve_then_exchange)
    with pytest.raises(DataError, match="cannot be opened"), open_file("d.csv", Access(root=tmp_path / "inside")):
        pass


@pytest.fixture
def nobody_waits() -> Iterator[None]:
    """A pipe without a writer would be waited for until the end of time."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(100)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pipe_at(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize(
    "name", ["lock", "trials.sqlite", "trials.sqlite-wal", "environment.json", "cells.json", "../../evalang.ledger"]
)
def test_a_run_where_a_pipe_lies(
    name: str, nobody_waits: None, finished: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """It is replaced, or named in one sentence."""
    monkeypatch.delenv("EVALANG_LEDGER", raising=False)
    shutil.copytree(finished.parents[1], tmp_path / "there")
    pipe_at(tmp_path / "there" / "runs" / "study" / name)
    code = run(["run", "--jobs", "1", str(tmp_path / "there" / "study.eval")])
    words = capsys.readouterr().err
    replaced = name in ("environment.json", "cells.json")
    assert (code == 0) == replaced, words
    assert replaced or "not a file" in words or "has to be a file" in words


@pytest.mark.parametrize(
    ("name", "form", "code"),
    [
        ("result.json", "text", 2),
        ("times.json", "text", 0),
        ("cells.json", "text", 0),
        ("cells.json", "csv", 0),
        ("trials.sqlite", "csv", 1),
        ("verdicts.csv", "csv", 0),
        ("report.html", "html", 0),
    ],
)
def test_a_report_where_a_pipe_lies(
    name: str, form: str, code: int, nobody_waits: None, finished: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """It is named where the report needs it, and replaced or done without where not; nothing waits for it."""
    theirs = tmp_path / "theirs"
    shutil.copytree(finished, theirs)
    (theirs / "tables").mkdir()
    for place in (theirs, theirs / "tables") if form == "csv" else (theirs,):
        pipe_at(place / name)
    assert run(["report", str(theirs), "--to", form]) == code, capsys.readouterr().err


def test_a_link_below_the_root_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "x").write_text("mine")
    root = tmp_path / "root"
    replace_below(str(root), "a/b/x", b"1")
    replace_below(str(root), "a/b/x", b"22")
    assert (root / "a" / "b" / "x").read_bytes() == b"22"
    assert [p.name for p in (root / "a" / "b").iterdir()] == ["x"]
    (root / "linked").symlink_to(tmp_path / "victim")
    (root / "x").symlink_to(tmp_path / "victim" / "x")
    with pytest.raises(RunError, match="is a link"):
        replace_below(str(root), "linked/x", b"3")
    with pytest.raises(RunError, match="is a file"):
        replace_below(str(root), "a/b/x/y", b"3")
    replace_below(str(root), "x", b"3")
    assert (root / "x").read_bytes() == b"3"
    assert (tmp_path / "victim" / "x").read_text() == "mine"
