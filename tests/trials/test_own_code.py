"""Code beside the script: found by its place and its name alone, checked once before anything is fitted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.calling import caller, forked

MINE = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Mine(ClassifierMixin, BaseEstimator):
    def __init__(self, depth=1):
        self.depth = depth

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)
"""
SCRIPT = """
learner mine is {chain} because "the method on trial"
dataset flowers from builtin "iris" because "known to everybody"
compare mine vs majority on flowers using 2cv, seed 1, allow EV101 because "a test", allow EV402 because "a test"
"""


def run_alone(folder: Path, chain: str, *more: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which has nothing of this one's path."""
    (folder / "s.eval").write_text(SCRIPT.format(chain=chain))
    command = [sys.executable, "-P", "-m", "evalang", "run", "s.eval", "--format", "json", *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_file_beside_the_script_just_works(tmp_path: Path) -> None:
    """A numpy.py beside the script, which it does not name, is not imported."""
    (tmp_path / "mylearner.py").write_text("import helper\n" + MINE + "\nprint('imported', helper.WORD)\n")
    (tmp_path / "helper.py").write_text("WORD = 'with help'\n")
    (tmp_path / "numpy.py").write_text("raise SystemExit('this is not numpy')\n")
    done = run_alone(tmp_path, '"mylearner:Mine"(depth = 3)', "--trust", "mylearner")
    assert (done.returncode, done.stdout) == (1, "")
    assert "helper is a file beside the script that is not trusted yet: add --trust helper" in done.stderr
    assert "s.eval:2:" in done.stderr
    done = run_alone(tmp_path, '"mylearner:Mine"(depth = 3)', "--trust", "mylearner", "--trust", "helper")
    found = json.loads(done.stdout)
    assert not found["failures"]
    assert len(found["comparisons"]) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("code", "chain", "words"),
    [
        ("", '"absent:Mine"', "put absent.py beside the script, or install the package absent"),
        (MINE, '"mylearner:Mien"', "did you mean Mine?"),
        (MINE, '"mylearner:Mine"(dpeth = 3)', "did you mean depth?"),
        (MINE, '"mylearner:Mine", tune colour in {1, 2}', "has no parameter `colour`"),
        ("raise SystemExit(0)", '"mylearner:Mine"', "importing mylearner failed: SystemExit"),
        ("def broken(:", '"mylearner:Mine"', "importing mylearner failed: SyntaxError"),
        (MINE.replace("self.depth = depth", "self.depth = [depth]"), '"mylearner:Mine"(depth = 3)', "cannot be cloned"),
        (MINE.replace("def predict", "def foretell"), '"mylearner:Mine"', "has no method `predict`"),
        (MINE.replace("self.depth = depth", "1 / 0"), '"mylearner:Mine"', "cannot be created: ZeroDivisionError"),
        (
            MINE.replace("Classifier", "Regressor"),
            '"mylearner:Mine"',
            "is a regressor, but the target of dataset `flowers`",
        ),
    ],
)
def test_a_mistake_stops_before_the_first_fit(
    tmp_path: Path,
    code: str,
    chain: str,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "mylearner.py").write_text(code)
    trust = chain.split(":")[0].strip('"')
    tuned = ", tune using 2cv" if "tune" in chain else ""
    text = SCRIPT.format(chain=chain).replace("using 2cv,", f"using 2cv{tuned},")
    (tmp_path / "t.eval").write_text(text)
    monkeypatch.chdir(tmp_path)
    done = caller(capfd)("run", "t.eval", "--no-ledger", "--trust", trust)
    assert done.code in (1, 2), done.err
    assert words in done.err
    assert "t.eval:2:" in done.err
    assert "fits done" not in done.err


def test_a_file_does_not_stand_in_for_what_is_installed(tmp_path: Path) -> None:
    (tmp_path / "scipy.py").write_text(MINE)
    (tmp_path / "s.eval").write_text(SCRIPT.format(chain='"scipy:Mine"'))
    done = forked("run", "s.eval", "--trust", "scipy", cwd=tmp_path)
    assert done.code == 2
    assert "scipy.py beside the script has the same name as an installed module" in done.err


@pytest.mark.slow
def test_the_neural_net_of_the_how_to_page_runs(tmp_path: Path) -> None:
    """The files are those of the page; one worker and two workers give the same numbers."""
    pytest.importorskip("torch")
    pytest.importorskip("skorch")
    page = (Path(__file__).parents[2] / "docs" / "howto" / "own-learner.md").read_text("utf-8")
    for name in ("nets.py", "nets.eval"):
        text = page.partition(f"<!-- file: {name} -->")[2].partition("\n```")[2]
        (tmp_path / name).write_text(text.partition("\n")[2].partition("```")[0])
    found = []
    for jobs in ("1", "2"):
        words = ["run", "nets.eval", "--trust", "nets", "--jobs", jobs, "--out", jobs, "--format", "json"]
        command = [sys.executable, "-P", "-m", "evalang", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        found.append(json.loads(done.stdout))
        assert not found[-1]["failures"], done.stderr
    assert found[0]["comparisons"] == found[1]["comparisons"]


def test_a_misspelt_module_gets_the_name_of_the_file_beside_the_script(tmp_path: Path) -> None:
    (tmp_path / "mylearner.py").write_text(MINE)
    done = run_alone(tmp_path, '"mylerner:Mine"')
    assert done.returncode == 2
    assert "did you mean mylearner?" in done.stderr
