"""Whatever a user hands in: one sentence, where it is, what to do, and no traceback."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from ..support.calling import Call
from ..support.permissions import permissions_hold

COMMANDS = ("lint", "plan", "run", "fmt")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "kind",
    ["missing", "empty-folder", "is not text", "utf-16", "latin-1", "pipe", "socket", "loop", "unreadable", "too-long"],
)
def test_a_file_that_is_no_script(call: Call, folder: Path, command: str, kind: str) -> None:
    path = folder / "x.eval"
    if kind == "empty-folder":
        path.mkdir()
    elif kind == "is not text":
        path.write_bytes(bytes(range(256)) * 10)
    elif kind == "utf-16":
        path.write_text("learner x is knn", encoding="utf-16")
    elif kind == "latin-1":
        path.write_bytes("# é\n".encode("latin-1"))
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        socket.socket(socket.AF_UNIX).bind("x.eval")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "unreadable":
        path.write_text("learner x is knn")
        path.chmod(0)
    elif kind == "too-long":
        path = folder / ("x" * 300 + ".eval")
    with permissions_hold():
        found = call(command, path.name)
    assert found.code == 2
    assert found.out == "" or (command == "lint" and "0 scripts" in found.out)
    assert found.err.startswith("evalang: ")
    assert len(found.err) < 900
    assert "help:" in found.err or kind in ("loop", "unreadable", "too-long")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_table_is_no_script(call: Call, folder: Path, command: str) -> None:
    (folder / "loans.csv").write_text("age,income,default\n30,1000,no\n")
    found = call(command, "loans.csv")
    assert found.code == 2
    assert "loans.csv is a table, not a script" in found.err
    assert "evalang compare loans.csv" in found.err


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_the_help_on_encodings_works_on_the_command_line(call: Call, folder: Path, encoding: str) -> None:
    rows = "".join(f"é{i},0.{i},0.{i + 1}\n" for i in range(1, 8))
    for name in ("t.csv", "u.csv"):
        (folder / name).write_text("dataset,a,b\n" + rows, encoding=encoding)
    for files in (("t.csv",), ("t.csv", "u.csv")):
        found = call("compare", *files, "--no-ledger")
        assert found.code == 2
        assert f"write -o encoding={encoding}" in found.err
    found = call("compare", "t.csv", "--no-ledger", "-o", f"encoding={encoding}")
    assert found.code == 0, found.err


def test_the_help_on_a_first_line_of_data_works_on_the_command_line(call: Call, folder: Path) -> None:
    (folder / "t.csv").write_text("".join(f"d{i},0.5,0.5\n" for i in range(8)))
    assert "-o header=false" in call("compare", "t.csv").err
    found = call("compare", "t.csv", "--no-ledger", "-o", "header=false")
    assert found.code == 0, found.err
    assert 'from csv "t.csv"(header = false)' in found.out


def test_an_empty_script(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text("")
    assert call("lint", "x.eval").code == 0
    assert call("plan", "x.eval").code == 0
    found = call("run", "x.eval")
    assert found.code == 2
    assert "no `compare` or `estimate` statement" in found.err


def test_a_script_that_includes_itself(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text('include "x.eval"\n')
    for command in ("lint", "plan", "run"):
        found = call(command, "x.eval")
        assert found.code == 2
        assert "includes itself" in found.out + found.err
        assert "x.eval:1:9" in found.out + found.err


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("compare knn vs svm on irs using 10cv, seed 1", 1, 'there is no dataset named "irs"'),
        ("compare knn vs smv on iris using 10cv, seed 1", 1, 'there is no learner named "smv"'),
        ("learner x is knn(k = 3)\ncompare x vs svm on iris using 10cv, seed 1", 1, 'knn has no parameter "k"'),
        ("learner x is os.system\ncompare x vs svm on iris using 10cv, seed 1", 1, 'no learner named "os.system"'),
        ("compare knn vs svm on iris using 1cv, seed 1", 1, "the number of folds cannot be 1"),
        (f"compare knn vs svm on iris using 10cv, seed {'9' * 5000}", 2, "5,000 characters"),
        ("learner x is svm, tune C in 1..1000000000000\ncompare x vs knn on iris using 10cv, seed 1", 1, "would take"),
    ],
)
def test_what_the_plan_refuses(call: Call, folder: Path, text: str, code: int, words: str) -> None:
    (folder / "x.eval").write_text(text)
    for command in ("lint", "plan", "run"):
        found = call(command, "x.eval")
        assert found.code == code
        assert words in found.out + found.err
        assert "x.eval:" in found.out + found.err
        assert "help: " in found.out + found.err
    assert not (folder / "runs").exists()


ROWS = [f"{i},{i % 7},{'yes' if i % 3 else 'no'}" for i in range(60)]
DATA = 'dataset d from csv "d.csv", target "y", because "made"\ncompare knn vs naive-bayes on d using 10x10cv, seed 1\n'


@pytest.mark.parametrize(
    ("name", "lines", "script", "words"),
    [
        ("missing file", None, DATA, "d.csv"),
        ("empty file", [], DATA, "d.csv"),
        ("unknown column", ["a,b,z", *ROWS], DATA, "no column 'y'"),
        ("one class", ["a,b,y", *(r.replace("no", "yes") for r in ROWS)], DATA, "y"),
        ("class with one member", ["a,b,y", *ROWS, "1,1,maybe"], DATA, "maybe"),
        ("text among numbers", ["a,b,y", *ROWS, "1,oops,yes"], DATA.replace('"y"', '"b" as regression'), "oops"),
        ("missing target", ["a,b,y", *ROWS, "1,1,"], DATA, "y"),
        ("ragged", ["a,b,y", *ROWS, "1,1,yes,4,5"], DATA, "d.csv"),
        ("is not text", None, DATA, "d.csv"),
        ("folder", None, DATA, "d.csv"),
        ("outside", None, DATA.replace("d.csv", "../../etc/passwd"), "passwd"),
    ],
    ids=lambda v: v if isinstance(v, str) and len(v) < 25 else "",
)
def test_what_the_data_refuses(
    call: Call, folder: Path, name: str, lines: list[str] | None, script: str, words: str
) -> None:
    if name == "is not text":
        (folder / "d.csv").write_bytes(b"\x80\x04\x95" + bytes(range(256)))
    elif name == "folder":
        (folder / "d.csv").mkdir()
    elif lines is not None:
        (folder / "d.csv").write_text("\n".join(lines) + "\n" if lines else "")
    (folder / "x.eval").write_text(script)
    found = call("run", "x.eval")
    assert found.code in (1, 2)
    assert words in found.err
    assert "root:" not in found.err
    if name not in ("class with one member",):
        assert found.out == ""
    assert call("lint", "--data", "x.eval").code == found.code


def test_names_cannot_steer_the_terminal(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text('compare "a\x1b]0;owned\x07" vs knn on "d\u202e" using 10cv\n', encoding="utf-8")
    for command in ("lint", "plan", "run", "fmt"):
        found = call(command, "x.eval")
        assert "\x1b]0" not in found.out + found.err
        assert "\u202e" not in found.out + found.err


def test_a_folder_that_cannot_be_written(call: Call, folder: Path) -> None:
    (folder / "x.eval").write_text("set seed 1\ncompare naive-bayes vs majority on iris using 10x10cv\n")
    (folder / "taken").write_text("a file")
    found = call("run", "x.eval", "--out", "taken")
    assert found.code in (1, 2)
    assert "taken" in found.err
    found = call("run", "x.eval", "--out", "taken/below")
    assert found.code in (1, 2)
    found = call("new", "taken/below")
    assert found.code == 2
    assert "cannot be created" in found.err


def test_the_reader_of_our_output_may_go_away(folder: Path) -> None:
    import subprocess
    import sys

    from ..support.calling import ROOT

    line = f"{sys.executable} -m evalang explain --all | head -n 1; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(
        ["bash", "-c", line], capture_output=True, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert found.returncode == 0
    assert found.stderr == b""
    assert found.stdout == b"rules\n"
