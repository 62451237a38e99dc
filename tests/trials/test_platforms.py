"""Windows and macOS, as far as can be told without them: what only POSIX has is taken away, and a script still runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalang import api

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "set seed 1\ncompare decision-tree vs majority on iris using 2cv\n"
# The libraries are those of this platform, so they are loaded before the names that Windows lacks are taken away.
PROGRAM = """
import asyncio, concurrent.futures.process, importlib, json, multiprocessing, os, pkgutil, signal, subprocess, sys
import matplotlib, pandas, rich.console, scipy.stats, sklearn.ensemble, statsmodels.api, tempfile, threadpoolctl

for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "setsid", "getsid", "killpg", "getpgrp", "getuid", "getgid", "getpriority", "pread",
             "pwrite", "O_NOFOLLOW", "O_CLOEXEC", "O_DIRECTORY", "O_NONBLOCK", "WNOHANG"):
    delattr(os, name)
os.supports_dir_fd = set()
for name in ("SIGHUP", "SIGKILL", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIGUSR1", "setitimer", "pthread_sigmask"):
    delattr(signal, name)
sys.platform = "elsewhere"

import evalang
from evalang import api
from evalang.cli.main import run

code = run(["run", "tiny.eval", "--trial-seconds", "60", "--trial-memory", "4000", "--out", "there"])
alone = api.run(open("tiny.eval").read(), jobs=0)
names = [one.name for one in pkgutil.walk_packages(evalang.__path__, "evalang.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(json.dumps({"code": code, "modules": len(names), "p": [one.adjusted_p for one in alone.run.verdicts]}))
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process without the means of POSIX came to."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "tiny.eval").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said | {"errors": done.stderr, "result": json.loads((folder / "there" / "result.json").read_text())}


def test_every_module_is_imported(elsewhere: dict[str, Any]) -> None:
    assert elsewhere["modules"] > 100


def test_a_script_is_run_and_told_what_is_lacking(elsewhere: dict[str, Any]) -> None:
    assert elsewhere["code"] == 0
    assert re.search(r"0 of \d+ workers could be started: this platform has no process groups", elsewhere["errors"])
    assert "run in this process, without limits" in elsewhere["errors"]
    assert "--trial-memory had no effect" in elsewhere["errors"]


def test_the_verdict_is_that_of_a_run_with_workers(elsewhere: dict[str, Any]) -> None:
    here = [one.adjusted_p for one in api.run(SCRIPT).run.verdicts]
    assert here
    assert elsewhere["p"] == here
    assert [one["adjusted_p"] for one in elsewhere["result"]["run"]["verdicts"]] == here
