"""Edited code is never answered from the store: every module of the user's own that a learner reaches counts."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalang.trials.identity import _value, changed_since, class_identity
from evalang.trials.own_code import UnknownSource, reached_code, used_packages

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


def _run(folder: Path, *trusted: str, more: tuple[str, ...] = ()) -> tuple[dict[str, Any], float, str]:
    """The result, the mean score of the own learner and what was said, of a run with `library` on the path."""
    (folder / "s.eval").write_text(SCRIPT)
    trust = [word for name in ("top", *trusted) for word in ("--trust", name)]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "evalang", "run", "s.eval", "--format", "json", "--no-ledger", *trust, *more],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "library")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    (comparison,) = found["comparisons"]
    (mean,) = (one["mean"] for one in comparison["scores"] if one["learner"] == "mine")
    return found, mean, done.stderr


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
    tmp_path: Path, imports: str, base: str, depth: str, edited: str, text: str, trusted: tuple[str, ...]
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "helper.py").write_text("def depth():\n    import inner\n    return inner.DEPTH\n")
    (tmp_path / "top.py").write_text(LEARNER.format(imports=imports, base=base, depth=depth))
    (tmp_path / edited).write_text(text)
    _, shallow, _ = _run(tmp_path, *trusted)
    (tmp_path / edited).write_text(text.replace("= 1", "= 8"))
    _, deep, _ = _run(tmp_path, *trusted)
    assert deep > shallow + 0.1


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
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


CELLS = """
import json, linecache, sys, warnings
import evalang as ev

def cell(number, text):
    name = f"<cell {number}>"
    if sys.argv[1] == "notebook":
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), globals())

cell(1, "from sklearn.tree import DecisionTreeClassifier\\nDEPTH = " + sys.argv[2])
cell(2, '''
class Mine(DecisionTreeClassifier):
    def fit(self, X, y):
        self.set_params(max_depth=DEPTH)
        return super().fit(X, y)
''')
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = ev.run(sys.argv[3], mine=Mine(), out="kept", jobs=1, ledger=False)
scores = result.scores
mean = scores[scores.learner == "mine"].score.mean()
print(json.dumps([mean, result.run.trials, [str(one.message) for one in caught]]))
"""


def _run_cells(folder: Path, kind: str, depth: int) -> tuple[float, int, list[str]]:
    script = SCRIPT.partition("\n")[2].partition("\n")[2]  # without the learner, which comes from Python
    command = [sys.executable, "-c", CELLS, kind, str(depth), script]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    mean, ran, notes = json.loads(done.stdout)
    return mean, ran, notes


def test_a_class_in_a_notebook_counts_with_the_variables_that_it_uses(tmp_path: Path) -> None:
    shallow, ran, _ = _run_cells(tmp_path, "notebook", 1)
    assert ran == 4
    assert _run_cells(tmp_path, "notebook", 1) == (shallow, 0, [])
    deep, ran, _ = _run_cells(tmp_path, "notebook", 8)
    assert ran == 2
    assert deep > shallow + 0.1


def test_a_class_without_source_is_always_fitted_again_and_the_run_says_so(tmp_path: Path) -> None:
    for _ in range(2):
        _, _, notes = _run_cells(tmp_path, "standard input", 1)
        assert notes == ["the source of Mine is in no file, so every run fits mine again"]
    deep, ran, _ = _run_cells(tmp_path, "standard input", 8)
    assert ran == 2
    assert deep > 0.8


def test_a_failed_fit_is_tried_again_unless_failures_are_kept(tmp_path: Path) -> None:
    """The cause is outside the code: a file that was missing."""
    (tmp_path / "top.py").write_text(LEARNER.format(imports="", base=TREE, depth="len(open('depth.txt').read())"))
    assert len(_run(tmp_path)[0]["failures"]) == 2
    (tmp_path / "depth.txt").write_text("12345678")
    assert len(_run(tmp_path, more=("--keep-failures",))[0]["failures"]) == 2
    found, mean, _ = _run(tmp_path)
    assert not found["failures"]
    assert mean > 0.8


def test_a_traceback_is_kept_and_the_last_line_of_own_code_is_named(tmp_path: Path) -> None:
    (tmp_path / "top.py").write_text(LEARNER.format(imports="import json", base=TREE, depth="json.loads('broken')"))
    found, _, said = _run(tmp_path)
    assert {one["message"] for one in found["failures"]} == {
        "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (top.py, line 8, in fit)"
    }
    assert "mine failed: JSONDecodeError: Expecting value" in said
    assert "(top.py, line 8, in fit)" in said
    command = [sys.executable, "-P", "-m", "evalang", "report", "runs/s", "--failures"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True).stdout
    assert shown.count("Traceback (most recent call last)") == 2
    assert f'File "{tmp_path / "top.py"}", line 8, in fit' in shown
    assert "self.set_params(max_depth=json.loads('broken'))" in shown
    assert "decoder.py" in shown


def test_a_function_with_an_unset_variable_has_no_known_source() -> None:
    def unset() -> None:
        with pytest.raises(UnknownSource, match="uses a variable that has no value yet"):
            _value(lambda x: later(x), "")
        later = abs

    unset()


COMPUTED = "import importlib\nDEPTH = importlib.import_module('pl' + 'ug').DEPTH"


def test_a_module_with_a_computed_name_counts_once_a_worker_has_imported_it(tmp_path: Path) -> None:
    """No import statement leads to it, so the worker records that it was imported."""
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "plug.py").write_text("DEPTH = 1\n")
    (tmp_path / "top.py").write_text(LEARNER.format(imports=COMPUTED, base=TREE, depth="DEPTH"))
    _, shallow, _ = _run(tmp_path)
    assert "run again" not in _run(tmp_path)[2]
    (tmp_path / "library" / "plug.py").write_text("DEPTH = 8\n")
    _, deep, said = _run(tmp_path)
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


def test_own_code_is_imported_by_the_worker_so_that_its_threads_live_there(tmp_path: Path) -> None:
    """A copy of a process has none of its threads, and a GPU context is lost in the same way."""
    depth = "8 if THREAD.is_alive() else 1 / 0"
    (tmp_path / "top.py").write_text(LEARNER.format(imports=THREAD, base=TREE, depth=depth))
    for method in ("forkserver", "spawn"):
        found, _, said = _run(tmp_path, more=("--fresh", "--jobs", "1", "--start-method", method))
        assert not found["failures"], said


def test_verify_names_what_changed(tmp_path: Path) -> None:
    (tmp_path / "top.py").write_text(LEARNER.format(imports="", base=TREE, depth="len(open('depth.txt').read())"))
    (tmp_path / "depth.txt").write_text("1")
    _run(tmp_path)
    (tmp_path / "depth.txt").write_text("12345678")
    verify = ("--verify", "4", "--jobs", "1")
    said = _run(tmp_path, more=verify)[2]
    assert "mine gives other answers on flowers than the stored ones, and repeats them when it is run again" in said
    assert "something that it reads besides its code and its data has changed" in said
    environment = tmp_path / "runs" / "s" / "environment.json"
    before = json.loads(environment.read_text())
    before["packages"]["numpy"] = "0.1"
    environment.write_text(json.dumps(before))
    for _ in range(2):  # also after a run that has noted the new version
        assert "run again: numpy was 0.1 and is" in _run(tmp_path, more=verify)[2]
