"""The same table in every format that is read, packed or not, and what is refused of each."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from evalang.errors import DataError
from tests.data.loading import load_source, refusal

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


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "d.csv").write_text(TEXT)
    return load_source(folder, "csv", "d.csv", target="y", options={"categorical": ("kind",)}).content_hash


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("d.tsv", TABS.encode()),
        ("d.tsv.gz", gzip.compress(TABS.encode())),
        ("d.csv.gz", gzip.compress(TEXT.encode())),
        ("d.csv.bz2", bz2.compress(TEXT.encode())),
        ("d.tab.bz2", bz2.compress(TABS.encode())),
        ("d.csv.xz", lzma.compress(TEXT.encode())),
    ],
    ids=lambda value: value if isinstance(value, str) else "packed",  # packed bytes carry the time of packing
)
def test_packed_and_tabbed_text(tmp_path: Path, expected: str, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    table = load_source(tmp_path, "csv", name, target="y", options={"categorical": ("kind",)})
    assert table.content_hash == expected


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather(tmp_path: Path, expected: str, compression: str) -> None:
    pytest.importorskip("pyarrow")
    FRAME.to_feather(tmp_path / "d.feather", compression=compression)
    assert load_source(tmp_path, "feather", "d.feather", target="y").content_hash == expected


def test_excel(tmp_path: Path, expected: str) -> None:
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(tmp_path / "d.xlsx") as book:
        pd.DataFrame({"other": [1]}).to_excel(book, sheet_name="notes", index=False)
        FRAME.astype({"kind": str}).to_excel(book, sheet_name="rows", index=False)
    options = {"sheet": "rows", "categorical": ("kind",)}
    assert load_source(tmp_path, "excel", "d.xlsx", target="y", options=options).content_hash == expected
    error = refusal(load_source, tmp_path, "excel", "d.xlsx", target="y", options={"sheet": "row"})
    assert "did you mean 'rows'" in error.hint


def _bomb() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (64 << 20))
    return made.getvalue()


def _zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("d.csv", TEXT)
    return made.getvalue()


@pytest.mark.parametrize(
    ("kind", "name", "content", "says"),
    [
        ("csv", "d.csv.xz", TEXT.encode, "ends in .xz and is not packed that way"),
        ("csv", "d.csv.bz2", lambda: bz2.compress(TEXT.encode())[:40], "damaged packed file"),
        ("csv", "d.csv.xz", lambda: lzma.compress(TEXT.encode())[:60], "damaged packed file"),
        ("csv", "d.csv.bz2", lambda: bz2.compress(bz2.compress(TEXT.encode())), "packed twice"),
        ("csv", "d.csv.bz2", lambda: 10 * bz2.compress(b"0,1\n" * (1 << 20)), "times its size"),
        ("csv", "d.csv.xz", lambda: lzma.compress(b"\x80\x04\x95" + TEXT.encode()), "is a pickle"),
        ("feather", "d.feather", lambda: b"ARROW1\0\0" + b"\x13" * 900, "damaged Feather file"),
        ("feather", "d.feather", lambda: b"FEA1" + b"\0" * 90, "no Feather file of version 2"),
        ("csv", "d.csv", lambda: b"ARROW1\0\0" + b"\0" * 90, "is an Arrow file"),
        ("excel", "d.xlsx", TEXT.encode, "no workbook of Excel 2007"),
        ("excel", "d.xlsx", _zipped, "a zip archive and no workbook"),
        ("excel", "d.xlsx", _bomb, "unpacks to 64 MB"),
    ],
)
def test_what_is_refused(tmp_path: Path, kind: str, name: str, content: Callable[[], bytes], says: str) -> None:
    pytest.importorskip({"feather": "pyarrow", "excel": "openpyxl"}.get(kind, "pandas"))
    (tmp_path / name).write_bytes(content())
    assert says in refusal(load_source, tmp_path, kind, name, target="y").message


def test_a_feather_file_that_unpacks_to_too_much(tmp_path: Path) -> None:
    """Sizes are summed up before anything is unpacked."""
    pytest.importorskip("pyarrow")
    pd.DataFrame({"a": [0.0] * 6_000_000, "y": [0.0] * 6_000_000}).to_feather(
        tmp_path / "d.feather", compression="zstd", chunksize=6_000_000
    )
    assert "times its size" in refusal(load_source, tmp_path, "feather", "d.feather", target="y").message


@pytest.mark.parametrize("step", [29, pytest.param(7, marks=pytest.mark.slow)])
def test_a_damaged_feather_file_is_one_sentence(tmp_path: Path, step: int) -> None:
    """One byte after the other turned over: a table or a refusal, never a traceback."""
    pytest.importorskip("pyarrow")
    FRAME.to_feather(tmp_path / "whole.feather", compression="lz4")
    content = (tmp_path / "whole.feather").read_bytes()
    refused = 0
    for place in range(0, len(content), step):
        (tmp_path / "d.feather").write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        try:
            load_source(tmp_path, "feather", "d.feather", target="y")
        except DataError:
            refused += 1
    assert refused > 140 // step
