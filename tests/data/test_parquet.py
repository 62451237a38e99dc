from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalang.errors import DataError

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


def _written(folder: Path, columns: dict[str, Any], **options: Any) -> int:
    pq.write_table(
        pa.table(columns),
        folder / "d.parquet",
        compression="zstd",
        write_statistics=False,
        store_schema=False,
        **options,
    )
    return (folder / "d.parquet").stat().st_size


def _bomb(folder: Path, kind: str) -> int:
    """A few hundred bytes that unpack to ten thousand times that and more."""
    long, classes = "x" * 1_000_000, pa.array(["x", "y"] * 30)
    match kind:
        case "a dictionary":
            places = pa.array(np.zeros(2000, dtype=np.int32))
            texts = pa.DictionaryArray.from_arrays(places, pa.array([long]))
            return _written(folder, {"a": texts, "class": pa.array(["x", "y"] * 1000)})
        case "texts that repeat the one before":
            encodings = {"a": "DELTA_BYTE_ARRAY", "class": "PLAIN"}
            return _written(
                folder, {"a": [long] * 60, "class": classes}, use_dictionary=False, column_encoding=encodings
            )
        case "one large page":
            return _written(folder, {"a": [long] * 60, "class": classes}, use_dictionary=False, data_page_size=1 << 30)
        case _:
            zeros = pa.array(np.zeros(6_000_000, dtype=np.int8))
            return _written(folder, {"a": zeros, "class": zeros})


@pytest.mark.parametrize(
    "kind", ["a dictionary", "texts that repeat the one before", "one large page", "rows that are all the same"]
)
def test_what_is_unpacked_is_counted(kind: str, tmp_path: Path) -> None:
    assert _bomb(tmp_path, kind) < 60_000
    assert "unpacks to more than" in refusal(load_source, tmp_path, "parquet", "d.parquet").message


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("encoding", [None, "DELTA_BYTE_ARRAY", "PLAIN"])
def test_every_way_of_writing_texts_is_read(version: str, encoding: str | None, tmp_path: Path) -> None:
    words = [f"word-{i % 7}" if i % 5 else None for i in range(1000)]
    options: dict[str, Any] = {} if encoding is None else {"use_dictionary": False, "column_encoding": encoding}
    columns = {"a": words, "class": ["x", "y"] * 500}
    pq.write_table(pa.table(columns), tmp_path / "d.parquet", data_page_version=version, **options)
    table = load_source(tmp_path, "parquet", "d.parquet")
    assert [None if v != v else v for v in table.X["a"].tolist()] == words


def test_texts_that_are_no_text(tmp_path: Path) -> None:
    """Found by the fuzzer: bytes that are no UTF-8 in a column of text."""
    pq.write_table(pa.table({"a": ["one", "two", "one"], "class": ["x", "y", "x"]}), tmp_path / "d.parquet")
    content = (tmp_path / "d.parquet").read_bytes()
    (tmp_path / "d.parquet").write_bytes(content.replace(b"two", b"\xff\xfe\xfd"))
    assert "damaged Parquet file" in refusal(load_source, tmp_path, "parquet", "d.parquet").message


@pytest.mark.parametrize("number", range(15))
def test_a_footer_with_wrong_numbers_does_not_end_the_process(number: int, tmp_path: Path) -> None:
    """Found by the fuzzer: an earlier pyarrow ended the interpreter itself."""
    pq.write_table(pa.table({"a": [1, 2, 3], "class": ["x", "y", "x"]}), tmp_path / "d.parquet")
    content = bytearray((tmp_path / "d.parquet").read_bytes())
    rng = np.random.default_rng(number)
    for place in rng.integers(len(content) - 400, len(content) - 8, 4):
        content[place] = rng.integers(256)
    (tmp_path / "d.parquet").write_bytes(content)
    with contextlib.suppress(DataError):
        load_source(tmp_path, "parquet", "d.parquet")
