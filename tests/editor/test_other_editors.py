"""What other editors are given: each file is read as that editor reads it, and starts the server that there is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from evalang.cli.main import NAMES
from tests.editor.test_colours import EDITORS, make


def test_helix() -> None:
    settings = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    server = settings["language-server"]["evalang"]
    assert server["command"] == "evalang"
    assert server["args"][0] in NAMES
    assert settings["language"][0]["language-servers"] == ["evalang"]
    assert settings["language"][0]["file-types"] == ["evalang", "eval"]


def test_sublime() -> None:
    text = (EDITORS / "sublime" / "LSP.sublime-settings").read_text()
    client = json.loads(re.sub(r"(?m)^\s*//.*$", "", text))["clients"]["evalang"]
    assert client["command"] == ["evalang", "server"]
    syntax = make().sublime()
    assert f"scope: {client['selector']}\n" in syntax
    for pattern in re.findall(r"- match: (.*)", syntax):
        re.compile(json.loads(pattern))


def test_emacs_knows_a_script_from_a_log(tmp_path: Path) -> None:
    if shutil.which("emacs") is None:
        pytest.skip("no Emacs here: install emacs to see the mode at work")
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("header.json", "{}")
    (tmp_path / "study.eval").write_text('compare a vs b on d # why "so"\n')
    (tmp_path / "other.evalang").write_text("")
    files = [str(tmp_path / name) for name in ("study.eval", "other.evalang", "log.eval")]
    comment = "(if (nth 4 (syntax-ppss (min 25 (point-max)))) 'comment 'code)"
    program = f'(dolist (file \'{_lisp(files)}) (find-file file) (princ (format "%s %s\\n" major-mode {comment})))'
    mode = str(EDITORS / "emacs" / "evalang-mode.el")
    command = ["emacs", "-Q", "--batch", "-l", mode, "--eval", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    shown = done.stdout.splitlines()
    assert shown[:2] == ["evalang-mode comment", "evalang-mode code"], done.stdout + done.stderr
    assert not shown[2].startswith("evalang-mode")


def _lisp(words: list[str]) -> str:
    return "(" + " ".join(f'"{word}"' for word in words) + ")"
