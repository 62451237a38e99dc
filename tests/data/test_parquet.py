from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from .loading import load_source, refusal

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


def _write(folder: Path, columns: dict[str, object]) -> str:
    pq.write_table(pa.table(columns), folder / "d.parquet")
    return "d.parquet"


def test_the_types_of_the_file(tmp_path: Path) -> None:
    columns = {
        "whole": pa.array([1, None, 3], pa.int32()),
        "text": pa.array(["a", None, "b"]),
        "listed": pa.array(["1", "2", "1"]).dictionary_encode(),
        "truth": pa.array([True, None, False]),
        "price": pa.array([1, 2, 3]).cast(pa.decimal128(30, 2)),
        "when": pa.array([0, 1, None], pa.date32()),
        "moment": pa.array([0, 43_200_000, None], pa.timestamp("ms", tz="UTC")),
        "class": ["x", "y", "x"],
    }
    table = load_source(tmp_path, "parquet", _write(tmp_path, columns))
    assert table.categorical == ("text", "listed")
    numbers = {n: np.nan_to_num(table.X[n], nan=-1).tolist() for n in table.numeric}
    assert numbers == {
        "whole": [1, -1, 3],
        "truth": [1, -1, 0],
        "price": [1, 2, 3],
        "when": [0, 1, -1],
        "moment": [0, 0.5, -1],
    }


def test_the_index_of_pandas_is_no_feature(tmp_path: Path) -> None:
    pd.DataFrame({"a": [1, 2], "class": ["x", "y"]}, index=[5, 6]).to_parquet(tmp_path / "d.parquet")
    table = load_source(tmp_path, "parquet", "d.parquet", drop=("__index_level_0__",))
    assert list(table.X.columns) == ["a"]


@pytest.mark.parametrize(
    "values",
    [
        pa.array([[1], [2]]),
        pa.array([{"a": 1}, {"a": 2}]),
        pa.array([b"\x80\x04", b"x"]),
        pa.array([0, 1], pa.time32("s")),
    ],
    ids=["list", "struct", "bytes", "time"],
)
def test_other_types_are_refused(values: object, tmp_path: Path) -> None:
    error = refusal(load_source, tmp_path, "parquet", _write(tmp_path, {"odd": values, "class": ["x", "y"]}))
    assert "column 'odd' of 'd.parquet'" in error.message


def test_damaged_files(tmp_path: Path) -> None:
    whole = (tmp_path / _write(tmp_path, {"a": [1, 2], "class": ["x", "y"]})).read_bytes()
    for content in (whole[:-8], whole[:40], b"PAR1" + b"\0" * 100 + b"PAR1", whole[:8] + b"\xff" * 60 + whole[68:]):
        (tmp_path / "d.parquet").write_bytes(content)
        assert "damaged" in refusal(load_source, tmp_path, "parquet", "d.parquet").message
    (tmp_path / "d.parquet").write_text("a,class\n1,x\n")
    assert "not a Parquet file" in refusal(load_source, tmp_path, "parquet", "d.parquet").message


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = _write(tmp_path, {"a": [1, 2], "class": ["x", "y"]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    error = refusal(load_source, tmp_path, "parquet", name)
    assert "need pyarrow" in error.message
    assert "evalang[parquet]" in error.hint
