"""The GitHub action and the pre-commit hooks that others use: their own files are run, as far as that goes here."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..support.calling import Called

ROOT = Path(__file__).resolve().parents[2]
yaml = pytest.importorskip("yaml", reason="reading the action and the hooks needs PyYAML")
GOOD = 'dataset d from csv "d.csv", target "y", because "ours"\ncompare knn vs svm on d using 5x2cv, seed 1\n'
BAD = "compare knn vs nobody on iris using 10cv, seed 1\n"


def action(name: str = "lint") -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "actions" / name / "action.yml").read_text())
    return found


def step(number: int, folder: Path, name: str = "lint", **inputs: str) -> subprocess.CompletedProcess[str]:
    """A step of the action as the runner runs it: its inputs put into its environment, its script given to bash."""
    found = action(name)
    values = {name: one["default"] for name, one in found["inputs"].items()} | inputs
    chosen = found["runs"]["steps"][number]
    given = {key: values[expression.split(".")[1].rstrip("} ")] for key, expression in chosen["env"].items()}
    tools = folder.parent / "tools"
    tools.mkdir(exist_ok=True)
    if not (tools / "python3").exists():
        (tools / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (tools / "python3").chmod(0o755)
    environment = {**os.environ, **given, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", chosen["run"]]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def test_the_action_annotates_and_fails(tmp_path: Path) -> None:
    studies = tmp_path / "work"
    studies.mkdir()
    (studies / "good.eval").write_text(GOOD)
    warned = step(1, studies, strict="true")
    assert "::warning" in warned.stdout  # EV111: one dataset
    assert warned.returncode == 0
    assert step(1, studies, strict="true", **{"warnings-as-errors": "true"}).returncode == 1
    (studies / "bad.eval").write_text(BAD)
    done = step(1, studies, files="good.eval bad.eval")
    assert done.returncode == 1
    assert "::error file=bad.eval,line=1" in done.stdout


def test_the_gate_fails_a_build_and_writes_the_summary(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    right = [int(i % 5 != 0) for i in range(600)]
    for name, answers in (("old", right), ("worse", [0] * 100 + right[100:])):
        rows = "".join(f"q{i},{x}\n" for i, x in enumerate(answers))
        (work / f"{name}.csv").write_text(f"item,correct\n{rows}")
    done = step(1, work, "gate", old="old.csv", new="worse.csv", margin="1pt")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("### Gate: failed")
    assert step(1, work, "gate", old="old.csv", new="gone.csv", margin="1pt").returncode == 2


def test_an_input_is_never_taken_for_code(tmp_path: Path) -> None:
    studies = tmp_path / "work"
    studies.mkdir()
    (studies / "good.eval").write_text(GOOD)
    done = step(1, studies, files="good.eval $(touch hacked) ;touch hacked")
    assert done.returncode == 2
    assert not (studies / "hacked").exists()
    assert "${{" not in "".join(one["run"] for one in action()["runs"]["steps"])


def test_the_hooks_start_commands_that_exist_and_pass_over_logs(call: Callable[..., Called], folder: Path) -> None:
    (folder / "good.eval").write_text(GOOD)
    with zipfile.ZipFile(folder / "log.eval", "w") as archive:
        archive.writestr("header.json", "{}")
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        program, *words = hook["entry"].split()
        assert program == "evalang"
        assert call(*words, "good.eval").code == 0
        assert "text" not in hook["types"]  # pre-commit itself would pass over a log without a word
        done = call(*words, "log.eval")
        assert done.code == 0, done.out + done.err
        assert "log.eval is a log of Inspect, not a script: skipped" in done.err
