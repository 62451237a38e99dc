"""Streams that are closed, full, of a small alphabet or read by nobody stop no command with a fault of our own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ..support.calling import ROOT

SCRIPT = 'set seed 1\ncompare decision-tree vs majority on iris using 5x2cv\nlearner x is naive-bayes because "± …"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.eval").write_text(SCRIPT)
    return tmp_path


def called(folder: Path, *words: str, close: tuple[int, ...] = (), **how: Any) -> subprocess.CompletedProcess[bytes]:
    """`evalang …` with some of its streams closed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **how.pop("environment", {})}
    return subprocess.run(
        [sys.executable, "-m", "evalang", *words],
        cwd=folder, env=environment, timeout=120, check=False,
        preexec_fn=lambda: [os.close(number) for number in close] and None, **how,
    )  # fmt: skip


@pytest.mark.parametrize("close", [(0, 1, 2), *(pytest.param((n,), marks=pytest.mark.slow) for n in (1, 2))])
def test_a_closed_stream_is_one_that_nobody_reads(close: tuple[int, ...], folder: Path) -> None:
    assert called(folder, "run", "study.eval", close=close).returncode == 0
    assert json.loads((folder / "runs" / "study" / "result.json").read_bytes())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_stdout_is_told(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        found = called(folder, "explain", "EV501", stdout=full, stderr=subprocess.PIPE)
    assert found.returncode == 1
    assert found.stderr.startswith(b"evalang: standard output cannot be written: No space left on device\n")


def test_words_on_stderr_that_nobody_reads_stop_no_run(folder: Path) -> None:
    """As in `evalang run study.eval 2>&1 | head -1`: there was no run, and nobody to say so. Here of a plan."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        found = called(folder, "plan", "--format", "json", "study.eval", stdout=subprocess.PIPE, stderr=writing)
    finally:
        os.close(writing)
    assert found.returncode == 0
    assert len(json.loads(found.stdout)["plan"]["comparisons"]) == 1


def test_an_alphabet_that_lacks_a_character(folder: Path) -> None:
    """What cannot be shown is written by its number, as JSON has it, so that a program reads the character again."""
    words = ("plan", "--format", "json", "study.eval")
    narrow = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    found = called(folder, *words, capture_output=True, environment=narrow)
    wide = called(folder, *words, capture_output=True, environment={"PYTHONIOENCODING": "utf-8"})
    assert found.returncode == wide.returncode == 0
    assert found.stdout.isascii()
    assert not wide.stdout.isascii()
    assert json.loads(found.stdout) == json.loads(wide.stdout)
