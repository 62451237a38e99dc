from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evalang.catalogue.sources import BUNDLED, BundledEntry, find_bundled

from .loading import load_source, refusal


@pytest.mark.parametrize("entry", BUNDLED, ids=lambda e: e.name)
def test_every_card_says_what_is_loaded(entry: BundledEntry, tmp_path: Path) -> None:
    table = load_source(tmp_path, "builtin", entry.name)
    assert (table.rows, table.features, table.task) == (entry.rows, entry.features, entry.task)
    assert table.target == entry.target
    assert len(table.classes) == (entry.classes or 0)
    if entry.class_counts:
        assert dict(entry.class_counts) == dict(zip(table.classes, np.bincount(table.y).tolist(), strict=True))
    assert table.content_hash == load_source(tmp_path, "builtin", entry.name).content_hash


def test_every_data_set_that_scikit_learn_carries_is_bundled() -> None:
    import sklearn.datasets as found

    carried = {"iris", "wine", "breast_cancer", "digits", "diabetes", "linnerud"}
    loaders = {name.removeprefix("load_") for name in dir(found) if name.startswith("load_")}
    assert loaders - carried <= {"files", "sample_image", "sample_images", "svmlight_file", "svmlight_files"}
    assert {c.replace("_", "-") for c in carried} <= {e.name for e in BUNDLED}


def test_an_unknown_name_offers_the_nearest(tmp_path: Path) -> None:
    error = refusal(load_source, tmp_path, "builtin", "irsi")
    assert "iris" in error.hint
    assert find_bundled("irsi") is None


def test_iris_is_fishers(tmp_path: Path) -> None:
    table = load_source(tmp_path, "builtin", "iris")
    # Fisher 1936, table I: the means of Iris setosa are 5.006, 3.428, 1.462, 0.246
    means = table.X[table.labels == "setosa"].mean().to_numpy()
    assert means == pytest.approx([5.006, 3.428, 1.462, 0.246], abs=5e-4)


def test_the_light_modules_import_no_numpy() -> None:
    code = (
        "import sys, evalang.catalogue.sources, evalang.catalogue.sources, evalang.data.profile_facts;"
        "heavy = {'numpy', 'pandas', 'scipy', 'sklearn'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
