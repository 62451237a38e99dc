"""The server reads scripts and loads nothing that computes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_light_imports import HEAVY, ROOT

pytest.importorskip("pygls", reason="the language server needs pygls: pip install 'evalang[editor]'")
PROGRAM = """
import sys
from evalang.cli.main import run
from evalang.editor.workspace import reading_of
reading_of("compare knn vs svm on iris using 10cv").report
code = run(["server"])
print(code, *sys.modules, file=sys.stderr)
"""


def test_nothing_heavy_is_imported(tmp_path: Path) -> None:
    how = {"cwd": tmp_path, "input": "", "capture_output": True, "text": True, "env": {"PYTHONPATH": str(ROOT)}}
    found = subprocess.run([sys.executable, "-c", PROGRAM], **how)
    code, *modules = found.stderr.split()
    assert code == "0", found.stderr
    assert "evalang.editor.handlers" in modules
    assert not set(modules) & set(HEAVY) - {"pickle"}  # which asyncio loads; nothing of ours asks for it
