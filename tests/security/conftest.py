"""A run folder, as somebody might send it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.cli.main import run

STUDY = (
    "compare decision-tree vs naive-bayes on iris, wine using 5x2cv, seed 20, measuring accuracy, roc-area, "
    "holm over datasets, metrics\n"
)


@pytest.fixture(scope="package")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    (folder / "study.eval").write_text(STUDY)
    assert run(["run", str(folder / "study.eval")]) == 0
    return folder / "runs" / "study"
