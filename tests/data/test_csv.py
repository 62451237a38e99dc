from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pytest

from .loading import load_csv, load_source, refusal

PLAIN = "a,b,class\n1,x,yes\n2.5,y,no\n,x,yes\n4,,no\n"


def test_cells_are_read_as_written(tmp_path: Path) -> None:
    table = load_csv(tmp_path, PLAIN)
    assert table.X["a"].tolist()[:2] == [1.0, 2.5]
    assert np.isnan(table.X["a"].iloc[2])
    assert table.X["b"].astype(object).where(table.X["b"].notna(), None).tolist() == ["x", "y", "x", None]
    assert table.kinds == ("numeric", "categorical")
    assert table.labels.tolist() == ["yes", "no", "yes", "no"]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (PLAIN.replace("\n", "\r\n").encode(), {}),
        (PLAIN.replace("\n", "\r").encode(), {}),
        (b"\xef\xbb\xbf" + PLAIN.encode(), {}),
        (PLAIN.rstrip("\n").encode(), {}),
        (("\n\n" + PLAIN.replace("\n", "\n\n")).encode(), {}),
        (PLAIN.replace(",", ";").encode(), {"separator": ";"}),
        (PLAIN.replace(",", "\t").encode(), {"separator": "\\t"}),
        (PLAIN.encode("utf-16"), {"encoding": "utf-16"}),
        (PLAIN.replace(",", ";").replace("2.5", "2,5").encode(), {"separator": ";", "decimal": ","}),
        (PLAIN.replace("x", '"x"').replace("yes", '" yes "').encode(), {}),
        (PLAIN.replace("x", "'x'").encode(), {"quote": "'"}),
        (gzip.compress(PLAIN.encode()), {}),
    ],
    ids=[
        "crlf", "cr", "bom", "no-end", "blanks", "semicolon", "tab", "utf-16", "decimal", "quoted", "quote", "gzip",
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same(content: bytes, options: dict[str, object], tmp_path: Path) -> None:
    expected = load_csv(tmp_path, PLAIN).content_hash
    assert load_csv(tmp_path, content, options=options).content_hash == expected


def test_tsv_and_gz_by_their_names(tmp_path: Path) -> None:
    expected = load_csv(tmp_path, PLAIN).content_hash
    (tmp_path / "d.tsv.gz").write_bytes(gzip.compress(PLAIN.replace(",", "\t").encode()))
    assert load_source(tmp_path, "csv", "d.tsv.gz").content_hash == expected


def test_latin_1_is_told(tmp_path: Path) -> None:
    content = "café,class\n1,é\n2,u\n".encode("latin-1")
    error = refusal(load_csv, tmp_path, content)
    assert "0xe9 in line 1" in error.message
    assert "latin-1" in error.hint
    assert load_csv(tmp_path, content, options={"encoding": "latin-1"}).classes == ("u", "é")


def test_no_header(tmp_path: Path) -> None:
    table = load_csv(tmp_path, "1,x\n2,y\n", target="column-2", options={"header": False})
    assert list(table.X.columns) == ["column-1"]
    assert table.rows == 2


def test_a_quoted_name_may_hold_a_line_end_and_a_separator(tmp_path: Path) -> None:
    table = load_csv(tmp_path, '"a,\nb",class\n1,x\n2,y\n')
    assert list(table.X.columns) == ["a,\nb"]
    assert table.rows == 2


def test_numbers_are_read_to_the_last_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    numbers = rng.random(500) * 10.0 ** rng.integers(-300, 300, 500)
    text = "a,class\n" + "".join(f"{x!r},{'ab'[i % 2]}\n" for i, x in enumerate(numbers.tolist()))
    assert load_csv(tmp_path, text).X["a"].tolist() == numbers.tolist()
    with_missing_word = load_csv(tmp_path, text + "NA,a\n").X["a"].tolist()
    assert with_missing_word[:-1] == numbers.tolist()


@pytest.mark.parametrize(
    ("content", "sentence", "hint"),
    [
        (b"", "empty", "written"),
        (b"\n\n\n", "empty", "written"),
        (b",,\n1,2,3\n", "empty", "written"),
        (b"a,b,class\n", "no rows", "written"),
        (b"a,,class\n1,2,x\n", "column 2 of 'd.csv' has no name", "header = false"),
        (b"a,b,a\n1,2,x\n", "columns 1 and 3 of 'd.csv' are both named 'a'", "header"),
        (b"a,class\n1,x\n2,y,3\n", "row 2 of 'd.csv' has 3 cells", "separator"),
        (b"a,class\n1,x,3\n2,y,3\n", "row 1 of 'd.csv' has 3 cells", "separator"),
        (b"a,class\n1,x\n2\n", "row 2 of 'd.csv' has 1 cells", "separator"),
        (b"a;class\n1;x\n2;y\n", "single column", 'separator = ";"'),
        (b"a\tclass\n1\tx\n", "single column", 'separator = "\\t"'),
        (b'a,class\n1,"x\n2,y\n', "cannot be read", "quote"),
        (b"a,class\n1,\0\n", "binary", "text"),
        (PLAIN.encode("utf-16"), "UTF-16", "encoding"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "CSV"),
        (b"PAR1xxxx", "a Parquet file", "from parquet"),
        (b"SQLite format 3\0", "a SQLite database", "from sql"),
        (b"PK\x03\x04xx", "a zip archive", "from excel"),
        (b"\xff\xfe\x00", "UTF-16", "encoding"),
        (b"\xff\xd8\xff\xe0\x10JFIF", "is not utf-8", "encoding"),
    ],
)
def test_what_is_no_csv(content: bytes, sentence: str, hint: str, tmp_path: Path) -> None:
    error = refusal(load_csv, tmp_path, content)
    assert sentence in error.message
    assert hint in error.hint


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seperator": ";"}, "no option 'seperator'"),
        ({"separator": ";;"}, "one character"),
        ({"separator": "\n"}, "one character"),
        ({"separator": "."}, "must differ"),
        ({"separator": 5}, "takes text"),
        ({"encoding": "klingon"}, "no known encoding"),
        ({"encoding": "zlib"}, "no known encoding"),
        ({"encoding": "unicode_escape"}, "no known encoding"),
        ({"encoding": "rot13"}, "no known encoding"),
        ({"header": "no"}, "true or false"),
        ({"categorical": ("none",)}, "no column 'none'"),
        ({"categorical": 3}, "names in quotes"),
    ],
)
def test_wrong_options(options: dict[str, object], sentence: str, tmp_path: Path) -> None:
    assert sentence in refusal(load_csv, tmp_path, PLAIN, options=options).message


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "credit.csv").write_text(PLAIN)
    assert "credit.csv" in refusal(load_source, tmp_path, "csv", "cerdit.csv").hint
    (tmp_path / "folder.csv").mkdir()
    assert "is a folder" in refusal(load_source, tmp_path, "csv", "folder.csv").message


def test_a_damaged_gzip_file(tmp_path: Path) -> None:
    packed = gzip.compress(PLAIN.encode() * 100)
    for content in (packed[:-20], packed[:30] + b"garbage!" + packed[38:]):
        (tmp_path / "d.csv.gz").write_bytes(content)
        assert "damaged" in refusal(load_source, tmp_path, "csv", "d.csv.gz").message
    (tmp_path / "d.csv.gz").write_bytes(PLAIN.encode())
    assert "not packed" in refusal(load_source, tmp_path, "csv", "d.csv.gz").message
    (tmp_path / "d.csv.gz").write_bytes(gzip.compress(packed))
    assert "packed twice" in refusal(load_source, tmp_path, "csv", "d.csv.gz").message


def test_zeros_that_pack_well_are_no_bomb(tmp_path: Path) -> None:
    text = "a,class\n" + "0,x\n0,y\n" * 20_000
    buffer = io.BytesIO(gzip.compress(text.encode()))
    assert len(text) > 200 * len(buffer.getvalue())
    (tmp_path / "d.csv.gz").write_bytes(buffer.getvalue())
    assert load_source(tmp_path, "csv", "d.csv.gz").rows == 40_000


@pytest.mark.parametrize("cell", ["1.100", "-2.345.678", "1.100,5", "1.5"])
def test_points_among_decimal_commas_are_not_read_as_decimals(cell: str, tmp_path: Path) -> None:
    """1.100 is eleven hundred there, and was once read as 1.1."""
    rows = "".join(f"{i},5;{cell if i % 2 else 999};{'xy'[i % 2]}\n" for i in range(20))
    options = {"separator": ";", "decimal": ","}
    error = refusal(load_csv, tmp_path, "a;b;class\n" + rows, options=options)
    assert f"holds numbers with points, such as '{cell}'" in error.message
    table = load_csv(tmp_path, "a;b;class\n" + rows, options=options | {"categorical": "b"})
    assert table.kinds == ("numeric", "categorical")


def test_dates_and_names_with_points_stay_among_decimal_commas(tmp_path: Path) -> None:
    rows = "".join(f"{i},5;{1 + i % 28}.11.2026;v1.{i % 3}.2;{'xy'[i % 2]}\n" for i in range(40))
    table = load_csv(tmp_path, "a;day;build;class\n" + rows, options={"separator": ";", "decimal": ","})
    assert table.rows == 40
    assert table.X["a"].tolist()[:2] == [0.5, 1.5]
