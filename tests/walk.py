"""The way of a sentence through the program: the modules whose functions a run really calls, in order."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import evalang

PACKAGE = Path(evalang.__file__).parent
SENTENCE = """
set seed 7
dataset D from builtin "breast-cancer", positive "malignant" because "the clinical set at hand"
learner A is decision-tree, tune max_depth in {2, 4}
learner B is naive-bayes
compare A vs B on D using 5x2cv, tune on 20%, bonferroni over datasets
"""


class Walk:
    """Listens to every call of a function of evalang in this process, except while modules are being imported."""

    def __init__(self) -> None:
        self.modules: dict[str, int] = {}  # calls, by module, in the order of the first
        self.functions: dict[str, int] = {}  # calls, by module and name
        self.conducted: list[str] = []  # what conduct.py itself calls in other layers, in order, each once

    def __enter__(self) -> Walk:
        sys.setprofile(self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _hear(self, frame: FrameType, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if event != "call" or not path.startswith(str(PACKAGE)) or _importing(frame):
            return
        module = Path(path).relative_to(PACKAGE).as_posix()
        self.modules[module] = self.modules.get(module, 0) + 1
        name = f"{module}:{frame.f_code.co_name}"
        self.functions[name] = self.functions.get(name, 0) + 1
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        if caller == str(PACKAGE / "conduct.py") and module.split("/")[0] not in ("conduct.py", "source", "cli"):
            function = frame.f_code.co_qualname.removesuffix(".__init__")
            if "." not in function and f"{module} {function}" not in self.conducted:  # a dot: a field of a record
                self.conducted.append(f"{module} {function}")


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            return True
        frame = frame.f_back
    return False


def walk(folder: Path) -> Walk:
    """What `evalang run` of the mission's sentence calls."""
    from evalang.cli.main import run

    script = folder / "sentence.eval"
    script.write_text(SENTENCE, encoding="utf-8")
    heard = Walk()
    with heard:
        code = run(["run", "--jobs", "1", str(script)])
    assert code == 0
    return heard
