"""Whole runs on a table of results, start included, against autorank on the same file: processor time, interleaved."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.benchmark
PEER = (
    "import pandas, autorank, warnings; warnings.simplefilter('ignore'); "
    "autorank.autorank(pandas.read_csv('t.csv', index_col=0), alpha=.05, verbose=False, force_mode='nonparametric')"
)


def processor_seconds(folder: Path, *command: str) -> float:
    """Return the processor time of a command in one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "EVALANG_LEDGER": "off"}
    subprocess.run([sys.executable, *command], cwd=folder, env=os.environ | one_thread, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    ("tests", "goal"), [("wilcoxon, all pairs, holm over learners", 1.2), ("friedman, nemenyi", 0.8)]
)
def test_fifty_learners_on_five_hundred_datasets(tests: str, goal: float, tmp_path: Path) -> None:
    pytest.importorskip("autorank")
    rng = np.random.default_rng(0)
    level = 0.6 + 0.3 * rng.random((500, 1))
    scores = level + rng.normal(0, 0.02, (500, 50)) + np.linspace(0, 0.02, 50)
    frame = pd.DataFrame(np.clip(scores, 0, 1).round(6), columns=[f"l{j}" for j in range(50)])
    frame.insert(0, "set", [f"d{i}" for i in range(500)])
    frame.to_csv(tmp_path / "t.csv", index=False)
    script = f'results t from csv "t.csv", datasets in "set", measuring accuracy\ncompare all on t by {tests}\n'
    (tmp_path / "t.eval").write_text(script, encoding="utf-8")
    run = ("-m", "evalang", "run", "t.eval", "--out", "out")
    both = [(processor_seconds(tmp_path, *run), processor_seconds(tmp_path, "-c", PEER)) for _ in range(3)]
    ours, theirs = (statistics.median(side) for side in zip(*both, strict=True))
    print(f"{tests}: {ours:.2f} s against {theirs:.2f} s, {ours / theirs:.2f}")
    assert ours <= goal * theirs
