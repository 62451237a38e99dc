"""Edited code is never answered from the store: every module of the user's own that a learner reaches counts."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import linecache
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sklearn.tree import DecisionTreeClassifier

import evalang as ev
from evalang.cli.main import run as command_line
from evalang.trials.identity import changed_since, class_identity
from evalang.trials.own_code import UnknownSource, reached_code, used_packages

from ..support.calling import caller

LEARNER = """
from sklearn.tree import DecisionTreeClassifier
{imports}


class Mine({base}):
    def fit(self, X, y):
        self.set_params(max_depth={depth})
        return super().fit(X, y)
"""
SCRIPT = """
learner mine is "top:Mine" because "the method on trial"
dataset flowers from builtin "iris" because "known to everybody"
compare mine vs majority on flowers using 2cv, seed 1, allow EV101 because "a test", allow EV402 because "a test"
"""
BASE = "from sklearn.tree import DecisionTreeClassifier\nclass Base(DecisionTreeClassifier):\n    depth = 1\n"
TREE = "DecisionTreeClassifier"


Run = Callable[..., tuple[dict[str, Any], float, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The command in this process, which never imports own code: workers do, and all are copies of one fork server."""
    (tmp_path / "library").mkdir()
    (tmp_path / "s.eval").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "library"))
    call = caller(capfd)

    def run(*options: str, trust: tuple[str, ...] = ()) -> tuple[dict[str, Any], float, str]:
        """The result, the mean score of the own learner and what was said."""
        trusted = [word for name in ("top", *trust) for word in ("--trust", name)]
        done = call("run", "s.eval", "--format", "json", "--no-ledger", "--jobs", "1", *trusted, *options)
        assert done.out, done.err
        result = json.loads(done.out)
        (comparison,) = result["comparisons"]
        (mean,) = (row["mean"] for row in comparison["scores"] if row["learner"] == "mine")
        return result, mean, done.err

    return run


@pytest.mark.parametrize(
    ("imports", "base", "depth", "edited", "text", "trusted"),
    [
        ("from conf import DEPTH", TREE, "DEPTH", "conf.py", "DEPTH = 1\n", ("conf",)),
        ("from base import Base", "Base", "self.depth", "base.py", BASE, ("base",)),
        ("import helper", TREE, "helper.depth()", "library/inner.py", "DEPTH = 1\n", ()),
    ],
    ids=["constant", "base class", "library on the path"],
)
def test_an_edited_helper_is_fitted_again(
    run: Run, tmp_path: Path, imports: str, base: str, depth: str, edited: str, text: str, trusted: tuple[str, ...]
) -> None:
    (tmp_path / "library" / "helper.py").write_text("def depth():\n    import inner\n    return inner.DEPTH\n")
    (tmp_path / "top.py").write_text(LEARNER.format(imports=imports, base=base, depth=depth))
    (tmp_path / edited).write_text(text)
    _, shallow, _ = run(trust=trusted)
    (tmp_path / edited).write_text(text.replace("= 1", "= 12"))  # longer: Python tells edits within a second by size
    _, deep, _ = run(trust=trusted)
    assert deep > shallow + 0.1


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)  # an edit is noticed by the file that Python compiled
    folder = tmp_path / "reachable"
    (folder / "deep").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "deep" / "__init__.py").write_text("from .. import far\nfrom ..side import *\n")
    (folder / "far.py").write_text("FAR = 1\n")
    (folder / "side.py").write_text("import importlib\nplug = importlib.import_module('plug')\n")
    (tmp_path / "plug.py").write_text("PLUG = 1\n")
    (tmp_path / "unused.py").write_text("UNUSED = 1\n")
    (folder / "mine.py").write_text("import sklearn, json\nfrom . import deep\nclass Mine:\n    pass\n")
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] in ("reachable", "plug")]:
        del sys.modules[name]


def test_relative_and_absolute_imports_are_followed_outside_installed_packages(package: Path) -> None:
    found = reached_code(importlib.import_module("reachable.mine").Mine)
    names = ["plug", "reachable", "reachable.deep", "reachable.far", "reachable.mine", "reachable.side"]
    assert [name for name, _ in found] == names


def test_a_module_edited_after_its_import_has_no_known_source_until_it_is_loaded_again(package: Path) -> None:
    mine = importlib.import_module("reachable.mine").Mine
    before = class_identity(mine)
    (package / "unused.py").write_text("UNUSED = 2\n")
    assert class_identity(mine) == before
    (package / "plug.py").write_text("PLUG = 22\n")
    with pytest.raises(UnknownSource, match=r"plug\.py was edited after"):
        class_identity(mine)
    importlib.reload(sys.modules["plug"])
    assert class_identity(mine) != before


CELL = """
class Mine(DecisionTreeClassifier):
    def fit(self, X, y):
        self.set_params(max_depth=DEPTH)
        return super().fit(X, y)
"""


@pytest.fixture
def no_main_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook: the main module has no file."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


def _run_cell(folder: Path, depth: int, *, in_notebook: bool) -> tuple[float, int, list[str]]:
    """The mean score, the fits and the notes of a run with a class typed in a notebook, or given to `exec`."""
    if in_notebook:
        linecache.cache["<cell>"] = (len(CELL), None, CELL.splitlines(True), "<cell>")
    else:
        linecache.cache.pop("<cell>", None)
    cell: dict[str, Any] = {"__name__": "__main__", "DecisionTreeClassifier": DecisionTreeClassifier, "DEPTH": depth}
    exec(compile(CELL, "<cell>", "exec"), cell)  # noqa: S102 - what a notebook does
    script = SCRIPT.partition("\n")[2].partition("\n")[2]  # without the learner, which comes from Python
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = ev.run(script, mine=cell["Mine"](), out=folder / "kept", jobs=1, ledger=False)
    scores = result.scores
    mean = scores[scores.learner == "mine"].score.mean()
    return mean, result.run.trials, [str(warning.message) for warning in caught]


def test_a_class_in_a_notebook_counts_with_the_variables_that_it_uses(no_main_file: None, tmp_path: Path) -> None:
    shallow, ran, _ = _run_cell(tmp_path, 1, in_notebook=True)
    assert ran == 4
    assert _run_cell(tmp_path, 1, in_notebook=True) == (shallow, 0, [])
    deep, ran, _ = _run_cell(tmp_path, 8, in_notebook=True)
    assert ran == 2
    assert deep > shallow + 0.1


def test_a_class_without_source_is_always_fitted_again_and_the_run_says_so(no_main_file: None, tmp_path: Path) -> None:
    for depth, fits in ((1, 4), (8, 2)):
        mean, ran, notes = _run_cell(tmp_path, depth, in_notebook=False)
        assert notes == ["the source of Mine is in no file, so every run fits mine again"]
        assert ran == fits
    assert mean > 0.8


def test_a_failed_fit_is_tried_again_unless_failures_are_kept(run: Run, tmp_path: Path) -> None:
    """The cause is outside the code: a file that was missing."""
    (tmp_path / "top.py").write_text(LEARNER.format(imports="", base=TREE, depth="len(open('depth.txt').read())"))
    assert len(run()[0]["failures"]) == 2
    (tmp_path / "depth.txt").write_text("12345678")
    assert len(run("--keep-failures")[0]["failures"]) == 2
    found, mean, _ = run()
    assert not found["failures"]
    assert mean > 0.8


def test_a_traceback_is_kept_and_the_last_line_of_own_code_is_named(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "top.py").write_text(LEARNER.format(imports="import json", base=TREE, depth="json.loads('broken')"))
    found, _, said = run()
    assert {one["message"] for one in found["failures"]} == {
        "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (top.py, line 8, in fit)"
    }
    assert "mine failed: JSONDecodeError: Expecting value" in said
    assert "(top.py, line 8, in fit)" in said
    assert command_line(["report", "runs/s", "--failures"]) == 0
    shown = capfd.readouterr().out
    assert shown.count("Traceback (most recent call last)") == 2
    assert f'File "{tmp_path / "top.py"}", line 8, in fit' in shown
    assert "self.set_params(max_depth=json.loads('broken'))" in shown
    assert "decoder.py" in shown


COMPUTED = "import importlib\nDEPTH = importlib.import_module('pl' + 'ug').DEPTH"


def test_a_module_with_a_computed_name_counts_once_a_worker_has_imported_it(run: Run, tmp_path: Path) -> None:
    """No import statement leads to it, so the worker records that it was imported."""
    (tmp_path / "library" / "plug.py").write_text("DEPTH = 1\n")
    (tmp_path / "top.py").write_text(LEARNER.format(imports=COMPUTED, base=TREE, depth="DEPTH"))
    _, shallow, _ = run()
    assert "run again" not in run()[2]
    (tmp_path / "library" / "plug.py").write_text("DEPTH = 8\n")
    _, deep, said = run()
    assert deep > shallow + 0.1
    assert "the module plug was edited: 2 fits of mine are run again" in said


def test_another_version_of_a_package_that_own_code_imports_is_named() -> None:
    now = importlib.metadata.version("numpy")
    assert changed_since((("package numpy", now),)) == []
    assert changed_since((("package numpy", "0.1"),)) == [f"numpy was 0.1 and is {now}"]
    assert "scikit-learn" in used_packages("tests.support.estimators")


def test_a_module_edited_between_its_import_and_the_first_run_has_no_known_source(package: Path) -> None:
    mine = importlib.import_module("reachable.mine").Mine
    (package / "plug.py").write_text("PLUG = 2\n")  # as long as before, perhaps in the same second
    with pytest.raises(UnknownSource, match=r"plug\.py was edited after"):
        class_identity(mine)


THREAD = """import threading
THREAD = threading.Thread(target=threading.Event().wait, daemon=True)
THREAD.start()"""


def test_own_code_is_imported_by_the_worker_so_that_its_threads_live_there(run: Run, tmp_path: Path) -> None:
    """A copy of a process has none of its threads, and a GPU context is lost in the same way."""
    depth = "8 if THREAD.is_alive() else 1 / 0"
    (tmp_path / "top.py").write_text(LEARNER.format(imports=THREAD, base=TREE, depth=depth))
    for method in ("forkserver", "spawn"):
        found, _, said = run("--fresh", "--start-method", method)
        assert not found["failures"], said


def test_verify_names_what_changed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "top.py").write_text(LEARNER.format(imports="", base=TREE, depth="len(open('depth.txt').read())"))
    (tmp_path / "depth.txt").write_text("1")
    run()
    (tmp_path / "depth.txt").write_text("12345678")
    said = run("--verify", "4")[2]
    assert (
        "mine gives predictions on flowers that differ from the stored ones, and gives them again when it is repeated"
        in said
    )
    assert "the learner reads something else that has changed" in said
    environment = tmp_path / "runs" / "s" / "environment.json"
    before = json.loads(environment.read_text())
    before["packages"]["numpy"] = "0.1"
    environment.write_text(json.dumps(before))
    for _ in range(2):  # also after a run that has noted the new version
        assert "when it is repeated: numpy was 0.1 and is" in run("--verify", "4")[2]
