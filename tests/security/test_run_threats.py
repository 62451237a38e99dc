"""The rows of the threat table that only show when a script is run: T4 outputs, T15, T20, T21, T22."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalang.trials.capture import clean

from ..scripts.run.data import write_data
from ..support.calling import ROOT, Called, caller, forked

DATA = 'dataset flowers from csv "flowers.csv", target "kind", because "made for this test"\n'
COMPARE = "compare decision-tree vs naive-bayes on flowers using 5x2cv, seed 20\n"
NINES = "9" * 5000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script's folder with something beside it that is none of its business."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside").mkdir()
    write_data(inside)
    monkeypatch.chdir(inside)
    return inside


def run(folder: Path, text: str, capfd: pytest.CaptureFixture[str], *more: str) -> Called:
    """A script run in this process."""
    (folder / "study.eval").write_text(text)
    return caller(capfd)("run", "study.eval", *more)


class OutputsContract:
    """T4: nothing is written outside the folder of the script."""

    @pytest.mark.parametrize(
        "path",
        [
            "../x.html",
            "../outside/x.html",
            "a/../../x.html",
            "link/x.html",
            "linked.html",
            "/nowhere/x.html",
            "~/../x.html",
        ],
    )
    def test_reports_stay_inside(self, path: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        (folder / "link").symlink_to(folder.parent / "outside")
        (folder / "linked.html").symlink_to(folder.parent / "outside" / "x.html")
        before = _files(folder.parent, but="inside")
        done = run(folder, DATA + COMPARE + f'report to "{path}"\n', capfd)
        if path == "~/../x.html":  # a folder of that name, not somebody's home
            assert done.code in (0, 2)
        else:
            assert done.code == 2
            assert "leads out of the folder" in done.err
        assert _files(folder.parent, but="inside") == before

    def test_a_linked_file_of_the_run_folder_is_not_followed(
        self, folder: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        victim = folder.parent / "outside" / "victim"
        for name in ("lock", "trials.sqlite", "script.eval", "plan.json", "environment.json"):
            victim.write_text("precious")
            (folder / "runs" / "study").mkdir(parents=True)
            (folder / "runs" / "study" / name).symlink_to(victim)
            done = run(folder, DATA + COMPARE, capfd)
            assert victim.read_text() == "precious", name
            assert done.code in (0, 1)
            subprocess.run(["rm", "-r", str(folder / "runs")], check=True)


class NumbersContract:
    """T20: no number is expanded before it is counted."""

    @pytest.mark.parametrize(
        "text",
        [
            COMPARE.replace("5x2cv", f"{NINES}cv"),
            COMPARE.replace("5x2cv", "holdout 1e400"),
            "learner k is knn, tune n_neighbors in 10^{-1000000..1000000}\n" + COMPARE,
            "learner k is random-forest, tune n_estimators in 1..1000, max_depth in 1..1000, max_features in 1..1000, "
            "min_samples_leaf in 1..1000\n" + COMPARE.replace("naive-bayes on flowers", "k on flowers tune on 20%"),
            "learner k is random-forest, train 1000000000 times\n" + COMPARE,
        ],
        ids=range(5),
    )
    def test_refused_in_a_moment(self, text: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        begun = time.process_time()
        done = run(folder, DATA + text, capfd)
        assert done.code in (1, 2)
        assert "error[EV00" in done.err
        assert not (folder / "runs").exists()
        assert len(done.err) < 10_000
        assert time.process_time() - begun < 3


class LimitsContract:
    """T21: learners that do not end."""

    def test_a_fit_that_takes_too_long(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        text = 'learner slow is random-forest(n_estimators = 100000) because "hostile"\n'
        script = DATA + text + COMPARE.replace("decision-tree", "slow").replace("5x2cv", "holdout 1/2, by mcnemar")
        done = run(folder, script, capfd, "--trial-seconds", "1")
        assert done.code == 1  # the question is left undecided
        assert "took longer than 1 seconds" in done.out


class WorkspaceContract:
    """T22: what lies in the folder of the script is not imported."""

    NAMES = ("click", "conftest", "evalang_plugin", "json", "lark", "numpy", "pandas", "sitecustomize", "sklearn",
             "threadpoolctl", "usercustomize", "distributed", "joblib", "pickle")  # fmt: skip

    def test_the_command_imports_nothing_from_it(self, folder: Path) -> None:
        """By a script like the one pip installs."""
        mark = folder.parent / "outside" / "ran"
        for name in self.NAMES:
            (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write({name!r})\n")
        (folder / "evalang.toml").write_text('plugins = ["evalang_plugin"]\ntrust = ["evalang_plugin"]\n')
        (folder / ".env").write_text("EVALANG_TRUST=evalang_plugin\n")
        (folder / "study.eval").write_text(DATA + COMPARE)
        command = folder.parent / "outside" / "evalang"
        command.write_text("from evalang.__main__ import main\nmain()\n")
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        for arguments in (["lint", "--data"], ["plan"], ["run", "--jobs", "2"]):
            done = subprocess.run(
                [sys.executable, str(command), *arguments, "study.eval"],
                cwd=folder,
                env=environment,
                capture_output=True,
            )
            assert done.returncode == 0, done.stderr
        assert not mark.exists()

    def test_trust_comes_from_the_command_line_only(
        self, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("EVALANG_TRUST", "evil")
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(str(folder / "installed"))
        mark = folder.parent / "outside" / "ran"
        (folder / "installed").mkdir()
        (folder / "installed" / "evil.py").write_text(f"open({str(mark)!r}, 'w').close()\nclass Evil: pass\n")
        (folder / "evalang.toml").write_text('trust = ["evil"]\n')
        script = DATA + 'learner e is "evil:Evil"\n' + COMPARE.replace("decision-tree", "e")
        assert run(folder, "set trust evil\n" + script, capfd).code in (1, 2)
        done = run(folder, script, capfd)
        assert done.code == 2
        assert "--trust evil" in done.err
        assert not mark.exists()

    @pytest.mark.parametrize("written", ["mine.Constant", '"mine:Constant"'])
    def test_only_run_uses_a_file_beside_the_script(
        self, folder: Path, written: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`run` says so in one line; lint, fmt, plan, plan --pilot and render import nothing."""
        monkeypatch.chdir(folder)
        mark = folder.parent / "outside" / "ran"
        (folder / "mine.py").write_text(
            f"open({str(mark)!r}, 'w').close()\nfrom sklearn.dummy import DummyClassifier\n"
            "class Constant(DummyClassifier):\n    pass\n"
        )
        script = DATA + f"learner e is {written}\n" + COMPARE.replace("decision-tree", "e")
        (folder / "study.eval").write_text(script)
        (folder / "page.md").write_text(f"```eval\n{script}\n```\n")
        for command in (("lint",), ("fmt", "--check"), ("plan",), ("plan", "--pilot")):
            forked(*command, "study.eval", cwd=folder)
        assert forked("render", "page.md", cwd=folder).code != 0
        assert not mark.exists()
        done = run(folder, script, capfd)
        assert done.code == 0, done.err
        assert done.err.count("uses `mine`, a Python file beside the script") == 1
        assert mark.exists()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\x1b]0;pwn\x07x", "x"),
        ("\x1b[2Jx", "x"),
        ("\x1b]52;c;ZXZpbA==\x07x", "x"),
        ("\x1b]8;;http://evil\x1b\\x\x1b]8;;\x1b\\", "x"),
        ("\x9b31mx", "x"),
        ("\x9d0;pwn\x9cx", "x"),
        ("\x1bPq#0\x1b\\x", "x"),
        ("a\rx", "ax"),
        ("\u202ex\u2066", "x"),
        ("\x00\x08x\x7f", "x"),
        ("\ud800x", "?x"),
        ("\x1b", ""),
    ],
)
def test_t15_what_learners_say_cannot_steer_a_terminal(text: str, plain: str) -> None:
    assert clean(text) == plain


def _files(folder: Path, but: str) -> dict[str, bytes]:
    found = {}
    for top, names, files in os.walk(folder):
        names[:] = [name for name in names if name != but]
        found.update({os.path.join(top, name): Path(top, name).read_bytes() for name in files})
    return found
