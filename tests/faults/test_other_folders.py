"""Run folders that others made: of version 0.1, copied with hard links, or without permission to write."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from evalang.api import load_result
from evalang.trials.identity import series

from ..support.calling import forked
from ..support.permissions import permissions_hold


@pytest.fixture
def old_run(tmp_path: Path) -> Path:
    """A folder with runs/small, written by evalang 0.1.0, and its script."""
    folder = tmp_path / "runs" / "small"
    with zipfile.ZipFile(Path(__file__).with_name("run-of-0.1.zip")) as packed:
        packed.extractall(folder)
    shutil.copy(folder / "script.eval", tmp_path / "small.eval")
    return tmp_path


def _fitted(folder: Path) -> tuple[int, int]:
    found = load_result(folder)
    return found.trials, found.reused


def test_a_run_of_the_first_version_is_read_and_its_fits_are_used(old_run: Path) -> None:
    shown = forked("report", "runs/small", cwd=old_run)
    assert (shown.code, "decision-tree" in shown.out) == (0, True), shown.err
    assert forked("run", "small.eval", "--no-ledger", cwd=old_run).code == 0
    before = json.loads((old_run / "runs" / "small" / "environment.json").read_text())
    before = before.get("earlier", [before])[0]
    same = before["packages"]["scikit-learn"].split(".")[:2] == series("scikit-learn").split(".")
    assert _fitted(old_run / "runs" / "small") == ((0, 4) if same else (4, 0))


def test_a_folder_copied_with_hard_links_is_used(old_run: Path) -> None:
    (old_run / "small.eval").write_text((old_run / "small.eval").read_text().replace("seed 1", "seed 2"))
    shutil.copytree(old_run / "runs" / "small", old_run / "copy", copy_function=os.link)
    done = forked("run", "small.eval", "--no-ledger", "--out", "copy", cwd=old_run)
    assert done.code == 0, done.err
    assert sum(_fitted(old_run / "copy")) == 4


def test_a_folder_that_cannot_be_written_is_reported_elsewhere(old_run: Path) -> None:
    folder = old_run / "runs" / "small"
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path == folder else 0o444)
    try:
        with permissions_hold():
            refused = forked("report", "runs/small", "--to", "html", cwd=old_run)
            done = forked("report", "runs/small", "--to", "html", "--out", "page.html", cwd=old_run)
            tables = forked("report", "runs/small", "--to", "csv", "--out", "tables/", cwd=old_run)
    finally:
        folder.chmod(0o755)
    assert refused.code != 0
    assert "Traceback" not in refused.err
    assert (done.code, tables.code) == (0, 0), done.err + tables.err
    assert (old_run / "page.html").stat().st_size > 1000
    assert list((old_run / "tables").iterdir())
