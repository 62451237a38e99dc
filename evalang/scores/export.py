"""Scores, folds and predictions of a run for other programs: Parquet, or CSV where pyarrow is not installed."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..trials.files import write_whole
from ..trials.folder import Outcome
from ..trials.store import Store
from .score_table import ScoreTable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would carry out


def export(tables: Mapping[str, ScoreTable], outcome: Outcome, folder: Path) -> tuple[Path, ...]:
    """Write `scores`, `splits` and `predictions` into a folder; the files written."""
    frames = {
        "scores": pd.concat([table.frame() for table in tables.values()], ignore_index=True),
        "splits": splits(outcome),
        "predictions": pd.concat([table.predictions() for table in tables.values()], ignore_index=True),
    }
    return tuple(_write(folder / name, frame) for name, frame in frames.items())


def splits(outcome: Outcome) -> pd.DataFrame:
    """One line for each row of each fold: dataset, scheme, partition, fold, row, and the part it belongs to."""
    store = Store(outcome.folder, write=False)
    try:
        parts = list(_split_frames(store))
    finally:
        store.close()
    columns = ["dataset", "scheme", "partition", "fold", "row", "part"]
    found = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    return found.sort_values(columns[:5], kind="stable", ignore_index=True)[columns]


def _split_frames(store: Store) -> Iterator[pd.DataFrame]:
    names: dict[str, tuple[str, int]] = {}
    for key, _, _ in store.rows("splits"):
        fact = store.fact("splits", key)
        if fact is None:
            continue
        about, arrays = fact
        data = str(about["dataset"])
        if data not in names:
            found = store.fact("datasets", data)
            names[data] = (str(found[0]["name"]), int(found[0]["rows"])) if found is not None else (data, 0)
        used = dict(arrays)
        if about["rest"]:
            used["train"] = np.setdiff1d(np.arange(names[data][1]), np.concatenate(list(arrays.values())))
        for part, rows in used.items():
            yield pd.DataFrame(
                {
                    "dataset": names[data][0],
                    "scheme": str(about["scheme"]),
                    "partition": int(about["partition"]),
                    "fold": int(about["fold"]),
                    "row": rows,
                    "part": part,
                }
            )


def _write(stem: Path, frame: pd.DataFrame) -> Path:
    buffer = io.BytesIO()
    if importlib.util.find_spec("pyarrow") is not None:
        frame.to_parquet(buffer, index=False)
        path = stem.with_suffix(".parquet")
    else:
        frame.map(_harmless).to_csv(buffer, index=False, lineterminator="\n")
        path = stem.with_suffix(".csv")
    write_whole(path, buffer.getvalue())
    return path


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
