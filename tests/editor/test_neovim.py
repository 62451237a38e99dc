"""A real Neovim opens a script, gets findings, applies a repair and renames across files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.node import ROOT

pytest.importorskip("pygls", reason="the language server needs pygls: pip install 'evalang[editor]'")
SCRIPT = """include "common.eval"
dataset own from csv "own.csv", target "y", because "ours alone"
compare mine vs knn on own, iris
  using 5x2cv
  as duel
claim mine better than knn on own
"""
TRANSCRIPT = """a log of Inspect AI: filetype ''
open study.eval: filetype 'evalang'
finding: line 4, WARN EV310
finding: line 3, INFO EV501
hover on mine: learner mine is decision-tree
repair: write all safe repairs (2 safe repairs)
renamed mine to ours
study.eval| compare ours vs knn on own, iris
study.eval|   holm over datasets
study.eval| claim ours better than knn on own
common.eval| learner ours is decision-tree
"""


def test_a_session(tmp_path: Path) -> None:
    if shutil.which("nvim") is None:
        pytest.skip("no Neovim here: install it to see a real editor at work")
    (tmp_path / "common.eval").write_text("learner mine is decision-tree\n")
    (tmp_path / "study.eval").write_text(SCRIPT)
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("header.json", "{}")
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "PYTHON": sys.executable,
        "PLUGIN": str(ROOT / "grammar" / "editors" / "neovim" / "evalang.lua"),
        "TRANSCRIPT": str(tmp_path / "transcript"),
        "SCRIPT": str(tmp_path / "study.eval"),
        "COMMON": str(tmp_path / "common.eval"),
        "LOG": str(tmp_path / "log.eval"),
    }
    session = Path(__file__).with_name("neovim_session.lua")
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {session}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, cwd=tmp_path)
    written = tmp_path / "transcript"
    said = written.read_text() if written.exists() else done.stderr
    print(said)
    assert done.returncode == 0, said + done.stderr
    lines = iter(said.splitlines())
    for expected in TRANSCRIPT.splitlines():
        assert expected in lines, f"{expected!r} is missing, or out of order, in\n{said}"
