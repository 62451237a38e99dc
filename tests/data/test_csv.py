from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from ..support.data_loading import load_csv, load_source, refusal

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
        (PLAIN.replace(",", ";").encode(), {}),
        (PLAIN.replace(",", "\t").encode(), {}),
        (PLAIN.replace(",", ";").replace("2.5", "2,5").encode(), {}),
        ("\n".join(f",{line}" if i == 0 else f"{i - 1},{line}" for i, line in enumerate(PLAIN.split())).encode(), {}),
        (b"# written in March\n" + PLAIN.encode(), {}),
        (b"Visits of March,,\n" + PLAIN.encode(), {}),
        (PLAIN.encode() + b",,\n,,\n", {}),
        (PLAIN.encode("utf-16"), {"encoding": "utf-16"}),
        (PLAIN.replace(",", ";").replace("2.5", "2,5").encode(), {"separator": ";", "decimal": ","}),
        (PLAIN.replace("x", '"x"').replace("yes", '" yes "').encode(), {}),
        (PLAIN.replace("x", "'x'").encode(), {"quote": "'"}),
        (gzip.compress(PLAIN.encode()), {}),
    ],
    ids=[
        "crlf", "cr", "bom", "no-end", "blanks", "semicolon", "tab", "seen-semicolon", "seen-tab",
        "seen-decimal", "index", "comment", "title", "empty-rows", "utf-16", "decimal", "quoted", "quote", "gzip",
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same(content: bytes, options: dict[str, object], tmp_path: Path) -> None:
    expected = load_csv(tmp_path, PLAIN).content_hash
    assert load_csv(tmp_path, content, options=options).content_hash == expected


def test_latin_1_is_told(tmp_path: Path) -> None:
    content = "café,class\n1,é\n2,u\n".encode("latin-1")
    error = refusal(load_csv, tmp_path, content)
    assert "0xe9 in line 1" in error.message
    assert "latin-1" in error.hint
    assert load_csv(tmp_path, content, options={"encoding": "latin-1"}).classes == ("u", "é")


def test_no_header_and_quoted_names(tmp_path: Path) -> None:
    table = load_csv(tmp_path, "1,x\n2,y\n", target="column-2", options={"header": False})
    assert (list(table.X.columns), table.rows) == (["column-1"], 2)
    table = load_csv(tmp_path, '"a,\nb",class\n1,x\n2,y\n')
    assert (list(table.X.columns), table.rows) == (["a,\nb"], 2)


def test_numbers_are_read_to_the_last_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    numbers = rng.random(500) * 10.0 ** rng.integers(-300, 300, 500)
    text = "a,class\n" + "".join(f"{x!r},{'ab'[i % 2]}\n" for i, x in enumerate(numbers.tolist()))
    assert load_csv(tmp_path, text).X["a"].tolist() == numbers.tolist()
    with_missing_word = load_csv(tmp_path, text + "NA,a\n").X["a"].tolist()
    assert with_missing_word[:-1] == numbers.tolist()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b",,\n1,2,3\n", "empty"),
        (b"a,b,class\n", "no rows"),
        (b"a,,class\n1,2,x\n", "column 2 of 'd.csv' has no name"),
        (b"a,b,a\n1,2,x\n", "columns 1 and 3 of 'd.csv' are both named 'a'"),
        (b"a,class\n1,x\n2,y,3\n", "row 2 of 'd.csv' has 3 cells"),
        (b"a,class\n1,x\n2\n", "row 2 of 'd.csv' has 1 cells"),
        (b'a,class\n1,"x\n2,y\n', "cannot be read"),
        (b"a,class\n1,\0\n", "is not text"),
        (PLAIN.encode("utf-16"), "UTF-16"),
        (b"PAR1xxxx", "a Parquet file"),
        (b"SQLite format 3\0", "a SQLite database"),
        (b"PK\x03\x04xx", "a zip archive"),
        (b"\xff\xd8\xff\xe0\x10JFIF", "is not utf-8"),
    ],
)
def test_what_is_no_csv(content: bytes, sentence: str, tmp_path: Path) -> None:
    assert sentence in str(refusal(load_csv, tmp_path, content))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seperator": ";"}, "no option 'seperator'"),
        ({"separator": ";;"}, "one character"),
        ({"separator": "."}, "must differ"),
        ({"separator": 5}, "takes text"),
        ({"encoding": "klingon"}, "not a known encoding"),
        ({"encoding": "zlib"}, "not a known encoding"),
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
