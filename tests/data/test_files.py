"""The same table in every format that is read, packed or not, and what is refused of each."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalang.data.files import read_adjacent_file
from evalang.errors import EvalangError

from ..support.data_loading import load_source, refusal

FRAME = pd.DataFrame(
    {
        "n": [1.5, 2.0, None, 4.25],
        "word": ["u", "v", None, "w"],
        "flag": [True, False, True, False],
        "kind": pd.Categorical(["1", "2", "1", "2"]),
        "y": ["p", "q", "p", "q"],
    }
)
TEXT = FRAME.to_csv(index=False)
TABS = FRAME.to_csv(index=False, sep="\t")


def _workbook(path: Path) -> None:
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"other": [1]}).to_excel(book, sheet_name="notes", index=False)
        FRAME.astype({"kind": str}).to_excel(book, sheet_name="rows", index=False)


@pytest.mark.parametrize(
    ("kind", "name", "write"),
    [
        ("csv", "d.tsv", lambda path: path.write_text(TABS)),
        ("csv", "d.tsv.gz", lambda path: path.write_bytes(gzip.compress(TABS.encode()))),
        ("csv", "d.csv.bz2", lambda path: path.write_bytes(bz2.compress(TEXT.encode()))),
        ("csv", "d.csv.xz", lambda path: path.write_bytes(lzma.compress(TEXT.encode()))),
        ("feather", "plain.feather", lambda path: FRAME.to_feather(path, compression="uncompressed")),
        ("feather", "lz4.feather", lambda path: FRAME.to_feather(path, compression="lz4")),
        ("feather", "zstd.feather", lambda path: FRAME.to_feather(path, compression="zstd")),
        ("parquet", "d.parquet", lambda path: FRAME.to_parquet(path)),
        ("excel", "d.xlsx", _workbook),
    ],
)
def test_the_same_table_in_every_format(tmp_path: Path, kind: str, name: str, write: Callable[[Path], object]) -> None:
    (tmp_path / "d.csv").write_text(TEXT)
    options: dict[str, Any] = {"categorical": ("kind",)}
    expected = load_source(tmp_path, "csv", "d.csv", target="y", options=options).content_hash
    write(tmp_path / name)
    options |= {"sheet": "rows"} if kind == "excel" else {}
    assert load_source(tmp_path, kind, name, target="y", options=options).content_hash == expected


def test_a_sheet_that_is_not_there(tmp_path: Path) -> None:
    _workbook(tmp_path / "d.xlsx")
    assert "did you mean 'rows'" in refusal(load_source, tmp_path, "excel", "d.xlsx", options={"sheet": "row"}).hint


def _zipped(**members: str | bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def _bomb() -> bytes:
    return _zipped(**{"xl/workbook.xml": "<workbook/>", "xl/worksheets/sheet1.xml": b"0" * (64 << 20)})


@pytest.mark.parametrize(
    ("kind", "name", "content", "says"),
    [
        ("csv", "d.csv.xz", TEXT.encode, "ends in .xz, but is not compressed that way"),
        ("csv", "d.csv.gz", lambda: gzip.compress(TEXT.encode() * 100)[:-20], "damaged compressed file"),
        ("csv", "d.csv.bz2", lambda: bz2.compress(TEXT.encode())[:40], "damaged compressed file"),
        ("csv", "d.csv.xz", lambda: lzma.compress(TEXT.encode())[:60], "damaged compressed file"),
        ("csv", "d.csv.bz2", lambda: bz2.compress(bz2.compress(TEXT.encode())), "compressed twice"),
        ("csv", "d.csv.bz2", lambda: 10 * bz2.compress(b"0,1\n" * (1 << 20)), "times its size"),
        ("csv", "d.csv.xz", lambda: lzma.compress(b"\x80\x04\x95" + TEXT.encode()), "is a pickle"),
        ("feather", "d.feather", lambda: b"ARROW1\0\0" + b"\x13" * 900, "damaged Feather file"),
        ("feather", "d.feather", lambda: b"FEA1" + b"\0" * 90, "not a Feather file of version 2"),
        ("csv", "d.csv", lambda: b"ARROW1\0\0" + b"\0" * 90, "is an Arrow file"),
        ("parquet", "d.parquet", TEXT.encode, "not a Parquet file"),
        ("parquet", "d.parquet", lambda: b"PAR1" + b"\0" * 100 + b"PAR1", "damaged Parquet file"),
        ("excel", "d.xlsx", TEXT.encode, "not a workbook of Excel 2007"),
        ("excel", "d.xlsx", lambda: _zipped(**{"d.csv": TEXT}), "a zip archive, not a workbook"),
        ("excel", "d.xlsx", _bomb, "unpacks to 64 MB"),
    ],
)
def test_what_is_refused(tmp_path: Path, kind: str, name: str, content: Callable[[], bytes], says: str) -> None:
    (tmp_path / name).write_bytes(content())
    assert says in refusal(load_source, tmp_path, kind, name, target="y").message


def test_zeros_that_pack_well_are_no_bomb(tmp_path: Path) -> None:
    packed = gzip.compress(b"a,class\n" + b"0,x\n0,y\n" * 20_000)
    assert 200 * len(packed) < 160_000
    (tmp_path / "d.csv.gz").write_bytes(packed)
    assert load_source(tmp_path, "csv", "d.csv.gz").rows == 40_000


def test_a_feather_file_that_unpacks_to_too_much(tmp_path: Path) -> None:
    """Sizes are summed up before anything is unpacked."""
    zeros = pd.DataFrame({"a": [0.0] * 6_000_000, "y": [0.0] * 6_000_000})
    zeros.to_feather(tmp_path / "d.feather", compression="zstd", chunksize=6_000_000)
    assert "times its size" in refusal(load_source, tmp_path, "feather", "d.feather", target="y").message


def _parquet(folder: Path, columns: dict[str, object], **options: Any) -> Path:
    pq.write_table(pa.table(columns), folder / "d.parquet", **options)
    return folder / "d.parquet"


def test_the_types_of_a_parquet_file(tmp_path: Path) -> None:
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
    _parquet(tmp_path, columns)
    table = load_source(tmp_path, "parquet", "d.parquet")
    assert table.categorical == ("text", "listed")
    assert {n: np.nan_to_num(table.X[n], nan=-1).tolist() for n in table.numeric} == {
        "whole": [1, -1, 3], "truth": [1, -1, 0], "price": [1, 2, 3], "when": [0, 1, -1], "moment": [0, 0.5, -1],
    }  # fmt: skip


@pytest.mark.parametrize(
    "values",
    [pa.array([[1], [2]]), pa.array([{"a": 1}, {"a": 2}]), pa.array([b"\x80", b"x"]), pa.array([0, 1], pa.time32("s"))],
    ids=["list", "struct", "bytes", "time"],
)
def test_other_types_are_refused(values: object, tmp_path: Path) -> None:
    _parquet(tmp_path, {"odd": values, "class": ["x", "y"]})
    assert "column 'odd' of 'd.parquet'" in refusal(load_source, tmp_path, "parquet", "d.parquet").message


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "need pyarrow (pip install" in str(refusal(load_source, tmp_path, "parquet", "d.parquet"))


LONG = "x" * 1_000_000
BOMBS: dict[str, tuple[Callable[[], object], dict[str, Any]]] = {
    "a dictionary": (
        lambda: pa.DictionaryArray.from_arrays(pa.array(np.zeros(2000, dtype=np.int32)), pa.array([LONG])),
        {},
    ),
    "one large page": (lambda: pa.array([LONG] * 60), {"use_dictionary": False, "data_page_size": 1 << 30}),
    "rows that are all the same": (lambda: pa.array(np.zeros(6_000_000, dtype=np.int8)), {}),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_what_a_parquet_file_unpacks_to_is_counted(kind: str, tmp_path: Path) -> None:
    """A few hundred bytes that unpack to ten thousand times that and more."""
    make, options = BOMBS[kind]
    values: Any = make()
    columns = {"a": values, "class": pa.array(["x", "y"] * (len(values) // 2))}
    options = {"compression": "zstd", "write_statistics": False, "store_schema": False, **options}
    assert _parquet(tmp_path, columns, **options).stat().st_size < 60_000
    assert "unpacks to more than" in refusal(load_source, tmp_path, "parquet", "d.parquet").message


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """Found by the fuzzer: bytes that are no UTF-8 in a column of text."""
    path = _parquet(tmp_path, {"a": ["one", "two", "one"], "class": ["x", "y", "x"]})
    path.write_bytes(path.read_bytes().replace(b"two", b"\xff\xfe\xfd"))
    assert "damaged Parquet file" in refusal(load_source, tmp_path, "parquet", "d.parquet").message


def test_what_may_be_quoted_lies_in_the_folder_of_the_document(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "below").mkdir(parents=True)
    (docs / "below" / "paper.csv").write_text("what,value\nβ,1\n", encoding="utf-8")
    assert read_adjacent_file(docs / "page.md", "below/paper.csv") == "what,value\nβ,1\n"
    (tmp_path / "secret.csv").write_text("what,value\nkey,1\n", encoding="utf-8")
    (docs / "link.csv").symlink_to(tmp_path / "secret.csv")
    (docs / "bytes.csv").write_bytes(b"what,value\n\xff,1\n")
    (docs / "long.csv").write_bytes(b"a,b\n" * ((1 << 20) + 1))
    refused = {
        "../secret.csv": "is outside the folders",
        "link.csv": "is outside the folders",
        "/etc/passwd.csv": "absolute",
    }
    refused |= {"bytes.csv": "not UTF-8", "long.csv": "larger than 4 MB", "none.csv": "there is no file"}
    for locator, sentence in refused.items():
        with pytest.raises(EvalangError, match=sentence):
            read_adjacent_file(docs / "page.md", locator)
