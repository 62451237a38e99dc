"""A finished run again: the stored result is shown where nothing changed, and only there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import evalang.pipeline

from ..support.calling import ROOT, Called, caller
from ..support.running import result_bytes

SCRIPT = """
dataset wards from csv "wards.csv", target outcome because "the wards of the trial"
compare {learner} vs majority on wards using 5x2cv, seed 1
"""
Run = Callable[..., tuple[Called, bool]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the script; whether anything was done but to show the stored result."""
    monkeypatch.delenv("EVALANG_LEDGER", raising=False)
    rows = "".join(f"{i * 7 % 13},{i * 5 % 11},{'good' if i * 7 % 13 > 6 else 'bad'}\n" for i in range(60))
    (tmp_path / "wards.csv").write_text("dose,age,outcome\n" + rows)
    (tmp_path / "s.eval").write_text(SCRIPT.format(learner="decision-tree"))
    monkeypatch.chdir(tmp_path)
    call, ran, original = caller(capfd), [], evalang.pipeline.run_script

    def counted(*arguments: object) -> object:
        ran.append(1)
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(evalang.pipeline, "run_script", counted)

    def run(*options: str) -> tuple[Called, bool]:
        ran.clear()
        return call("run", "s.eval", "--jobs", "1", *options), bool(ran)

    return run


def test_the_same_output_and_the_same_files(run: Run, tmp_path: Path) -> None:
    """The first look changes the ledger, so the second run is judged by it too; the third shows the same again."""
    first, ran = run()
    assert ran, first
    second, ran = run()
    assert ran
    folder = tmp_path / "runs" / "s"
    before = result_bytes(folder)
    lines = (tmp_path / "evalang.ledger").read_text().splitlines()
    third, ran = run()
    assert not ran
    assert third == second
    assert result_bytes(folder) == before
    more = (tmp_path / "evalang.ledger").read_text().splitlines()[len(lines) :]
    assert [json.loads(line)["event"] for line in more] == ["started"]
    assert (folder / "ledger.head").read_text().strip() == json.loads(more[-1])["hash"]
    assert json.loads((folder / "result.json").read_text())["run"]["trials"] == 0
    assert run("--no-ledger")[1]


def edit(name: str, old: str, new: str) -> Callable[[], object]:
    return lambda: Path(name).write_text(Path(name).read_text().replace(old, new, 1))


@pytest.mark.parametrize(
    ("change", "options"),
    [
        (edit("s.eval", "decision-tree", "naive-bayes"), ()),
        (edit("s.eval", "seed 1", "seed 1  # a comment"), ()),
        (edit("wards.csv", "good", "bad"), ()),
        (edit("runs/s/result.json", "0.", "1."), ()),
        (lambda: os.remove("runs/s/trials.sqlite"), ()),
        (lambda: shutil.rmtree("runs/s"), ()),
        (edit("runs/s/inputs.json", '"pandas": "', '"pandas": "0.'), ()),
        (lambda: Path("runs/s/inputs.json").write_text("[1"), ()),
        (lambda: None, ("--strict",)),
        (lambda: None, ("--verify", "1")),
        (lambda: None, ("--fresh",)),
        (lambda: None, ("--learner-warnings", "fail")),
        (lambda: None, ("--export",)),
    ],
)
def test_what_changes_is_run(change: Callable[[], object], options: tuple[str, ...], run: Run) -> None:
    """Without a ledger; that nothing is done where nothing changed: test_nothing_heavy_is_loaded."""
    run("--no-ledger")
    change()
    assert run("--no-ledger", *options)[1]


def test_another_look_at_the_rows_is_counted(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    run()
    run()
    Path("other.eval").write_text(SCRIPT.format(learner="naive-bayes"))
    assert caller(capfd)("run", "other.eval", "--jobs", "1").code == 0
    assert run()[1]
    assert not run()[1]


@pytest.mark.parametrize(
    "script",
    [
        'learner mine is "own:Mine" because "ours"\n' + SCRIPT.format(learner="mine"),
        SCRIPT.format(learner="knn(n_neighbors = 50)"),  # more than there are rows: its fits fail, and are tried again
    ],
)
def test_own_code_and_failed_fits_are_looked_at_again(script: str, run: Run) -> None:
    Path("own.py").write_text("from sklearn.naive_bayes import GaussianNB\nclass Mine(GaussianNB):\n    pass\n")
    Path("s.eval").write_text(script)
    assert [run("--no-ledger")[1] for _ in range(2)] == [True, True]


def test_nothing_heavy_is_loaded(run: Run, tmp_path: Path) -> None:
    run("--no-ledger")
    assert not run("--no-ledger")[1]
    code = "import sys; from evalang.cli.main import run; run(['run', 's.eval', '--no-ledger'])\n"
    code += "print([name for name in ('numpy', 'pandas', 'scipy', 'sklearn') if name in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert found.stdout.splitlines()[-1] == "[]"
