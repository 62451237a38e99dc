"""Steps fitted on the whole dataset, for scripts that allow it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from evalang.data.access import Access
from evalang.data.load import load
from evalang.plans.model import Dataset, Source, Step
from evalang.trials.prepare import prepare_whole

IRIS = Dataset(name="iris", source=Source(kind="builtin", locator="iris"))


def test_scaling_uses_every_row_and_changes_the_hash() -> None:
    table = load(IRIS, access=Access(root=Path(".")))
    assert prepare_whole(table, ()) is table
    scaled = prepare_whole(table, (Step(name="scale", kind="step"),))
    assert scaled.content_hash != table.content_hash
    assert np.allclose(scaled.X.to_numpy().mean(axis=0), 0)
    assert np.allclose(scaled.X.to_numpy().std(axis=0), 1)
    assert (scaled.y == table.y).all()


def test_selection_looks_at_the_target_of_every_row() -> None:
    table = load(IRIS, access=Access(root=Path(".")))
    kept = prepare_whole(table, (Step(name="select", kind="step", parameters=(("k", 2),)),))
    petals = table.X[["petal length (cm)", "petal width (cm)"]].to_numpy()
    assert np.array_equal(kept.X.to_numpy(), petals)  # the two that tell the species best
