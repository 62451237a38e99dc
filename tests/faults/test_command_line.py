"""Faults 1, 14, 22, 23 and 36 as a user meets them: by the real command line.

What has to be signalled, or to meet another, is a process of its own; what only has to be said is called here.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.calling import Called, caller
from ..support.running import Running, result_bytes, trials_in, write_wards

SCRIPT = """
set seed 20
dataset wards from csv "wards.csv", target "outcome", drop "id", "ward", because "every patient of the year"
learner small is {learner} because "quick"
compare small vs naive-bayes on wards using 5x2cv, as one
"""
TRIALS = 20
TRUSTED = ("--trust", "tests.support")


def written(**learner: float) -> str:
    """The script with a learner that sleeps, or with a tree."""
    own = f'"tests.support.estimators:Slow"(seconds = {learner.get("seconds")})'
    return SCRIPT.format(learner=own if "seconds" in learner else f"decision-tree(max_depth = {learner['depth']})")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script with ten trials that take a fifth of a second each, and its data; commands are given there."""
    write_wards(tmp_path / "wards.csv")
    (tmp_path / "study.eval").write_text(written(seconds=0.2))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., Called]:
    return caller(capfd)


def test_stopped_once_it_keeps_and_says_how_to_go_on(folder: Path, call: Callable[..., Called]) -> None:
    """22, 23: other signals are those of test_signals.py."""
    run = folder / "runs" / "study"
    running = Running("run", "study.eval", "--jobs", 2, *TRUSTED, cwd=folder)
    running.until_done(run, 1)
    running.send(signal.SIGINT)
    stopped = running.ended()
    kept = trials_in(run)
    assert stopped.code == 130
    assert 1 <= kept < TRIALS
    assert stopped.out == ""
    assert f"{TRIALS - kept} of {TRIALS} fits are still to do; run the same command again" in stopped.err
    assert "Traceback" not in stopped.err
    assert call("run", "study.eval", "--jobs", 2, *TRUSTED).code == 0
    judgement = json.loads((run / "result.json").read_text())["run"]
    assert (judgement["trials"], judgement["reused"]) == (TRIALS - kept, kept)


def test_an_edited_script_runs_only_what_is_new(folder: Path, call: Callable[..., Called]) -> None:
    """36, and `--fresh`."""
    (folder / "study.eval").write_text(written(depth=5))
    run = folder / "runs" / "study"

    def counts(*more: str) -> tuple[int, int]:
        assert call("run", "study.eval", *more).code == 0
        judgement = json.loads((run / "result.json").read_text())["run"]
        return judgement["trials"], judgement["reused"]

    assert counts() == (20, 0)
    first = result_bytes(run)
    assert counts() == (0, 20)
    (folder / "study.eval").write_text(written(depth=6))
    assert counts() == (10, 10)
    (folder / "study.eval").write_text(
        written(depth=5).replace("as one", "measuring brier, cross-entropy, holm over metrics")
    )
    assert counts() == (0, 20)
    (folder / "study.eval").write_text(written(depth=5))
    assert counts() == (0, 20)
    assert result_bytes(run) == first
    assert counts("--fresh") == (20, 0)
    assert result_bytes(run) == first


MOODY = """
from sklearn.naive_bayes import GaussianNB

class Moody(GaussianNB):
    def fit(self, X, y):
        if not (X[:, 0] == 7).any():  # which each partition of 5x2cv has in one of its two halves
            print("\\x1b]0;pwn\\x07printed")
            raise ValueError("\\x1b[2J\\x1b]0;pwn\\x07\\x9b31mno \\u202eway\\r\\n<script>alert(1)</script>")
        return super().fit(X, y)
"""


def test_failures_stand_in_report_and_json(
    folder: Path, call: Callable[..., Called], monkeypatch: pytest.MonkeyPatch
) -> None:
    """1, 14, T15: the cause in words, nothing that a terminal or a browser would obey."""
    (folder / "moody_package.py").write_text(MOODY)
    script = SCRIPT.format(learner='"moody_package:Moody"')
    monkeypatch.syspath_prepend(str(folder))
    (folder / "study.eval").write_text(script.replace('drop "id", "ward"', 'drop "ward", "age", "sex"'))
    trusted = ("--trust", "moody_package")
    done = call("run", "study.eval", "--format", "json", *trusted)
    assert done.code == 1, done.err  # a question that was asked has no answer
    assert "5 fits failed; 1 question undecided for that reason" in done.err
    found = json.loads(done.out)
    assert len(found["failures"]) == 5
    assert {f["learner"] for f in found["failures"]} == {"small"}
    assert found["comparisons"][0]["verdict"] == "undecided"
    assert "5 failed" in done.err
    text = call("run", "study.eval", *trusted)
    assert text.code == 1
    pages = []
    for form in ("html", "markdown", "latex", "json"):
        assert call("report", "runs/study", "--to", form, "--out", f"page.{form}").code == 0
        page = folder / f"page.{form}"  # of LaTeX a folder: checklist and environment have files of their own
        pages.append("".join(p.read_text() for p in sorted(page.rglob("*.tex"))) if page.is_dir() else page.read_text())
    for shown in (done.out, done.err, text.out, text.err, *pages):
        assert not set(shown) & set("\x1b\x07\x9b\r\u202e")
    assert "ValueError: no way" in text.out
    assert "<script>alert" not in pages[0]
    assert all("no way" in page for page in pages)
    settled = (folder / "study.eval").read_text().replace("as one", "as one, failures count as worst")
    (folder / "study.eval").write_text(settled)
    assert call("run", "study.eval", *trusted).code == 0
