"""Where the packages of npm are that some tests need, and a plain sentence where they are not."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def modules(*names: str) -> Path:
    """The folder node_modules that EVALANG_NODE_MODULES names, with these packages in it; else the test is skipped."""
    folder = Path(os.environ.get("EVALANG_NODE_MODULES", ""))
    missing = [name for name in names if not (folder / name).is_dir()]
    if not os.environ.get("EVALANG_NODE_MODULES") or missing or shutil.which("node") is None:
        wanted = ", ".join(missing or names)
        pytest.skip(f"needs node and the npm packages {wanted} in the folder that EVALANG_NODE_MODULES names")
    return folder


def node(program: str, *arguments: str) -> str:
    """What a program for node prints."""
    given = ["node", "--input-type=module", "-e", program, *arguments]
    return subprocess.run(given, capture_output=True, text=True, check=True, cwd=ROOT).stdout
