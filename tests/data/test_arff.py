from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalang.data.table import Table

from ..support.data_loading import load_source, refusal

HEAD = (
    "@relation r\n@attribute a numeric\n@attribute 'the colour' {red, 'dark blue', \"it's\"}\n@attribute class {x,y}\n"
)


def _load(folder: Path, text: str) -> Table:
    (folder / "d.arff").write_text(text)
    return load_source(folder, "arff", "d.arff")


def test_a_file_of_wekas_kind(tmp_path: Path) -> None:
    text = HEAD + "@DATA\n% nothing\n1, red, x\n?,'dark blue',y\n\n2.5e1,\"it's\",x\n3 , ?, y\n4,'it\\'s',x\n"
    table = _load(tmp_path, text)
    assert np.nan_to_num(table.X["a"], nan=-1).tolist() == [1, -1, 25, 3, 4]
    colours = table.X["the colour"].astype(object)
    assert colours.where(colours.notna(), None).tolist() == ["red", "dark blue", "it's", None, "it's"]
    assert table.labels.tolist() == ["x", "y", "x", "y", "x"]
    assert table.kinds == ("numeric", "categorical")


def test_declared_values_are_categories_though_they_are_numbers(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a {1,2,3}\n@attribute class {0,1}\n@data\n1,0\n2,1\n"
    table = _load(tmp_path, text)
    assert table.kinds == ("categorical",)
    assert table.classes == ("0", "1")


def test_sparse_rows(tmp_path: Path) -> None:
    head = "@relation r\n@attribute a numeric\n@attribute b {n,m}\n@attribute class {x,y}\n"
    text = head + "@data\n{0 3, 2 y}\n{1 m}\n{}\n{0 ?}\n"
    table = _load(tmp_path, text)
    assert np.nan_to_num(table.X["a"], nan=-1).tolist() == [3, 0, 0, -1]
    assert table.X["b"].astype(object).tolist() == ["n", "m", "n", "n"]
    assert table.labels.tolist() == ["y", "x", "x", "x"]


def test_tabs_between_cells_and_text(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a string\n@attribute b real\n@attribute class {x,y}\n@data\nu\t1\tx\nv\t2\ty\n"
    table = _load(tmp_path, text)
    assert table.X["b"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("% only\n% remarks\n", "no @data"),
        ("@data\n1\n", "declares no @attribute"),
        (HEAD, "no @data"),
        (HEAD + "@data\n", "no rows"),
        ("hello\n", "line 1 of 'd.arff' begins with 'hello'"),
        ("@attribute\n@data\n1\n", "line 1 of 'd.arff' declares an attribute without a name"),
        ("@attribute ' \n@data\n1\n", "line 1"),
        ("@attribute a {x, y\n@data\nx\n", "the type '{x,'"),
        ("@attribute a {x, 'y}\n@data\nx\n", "not closed"),
        ("@attribute a relational\n@data\nx\n", "type 'relational'"),
        ("@attribute a\n@data\nx\n", "type ''"),
        ("@attribute a real\n@attribute a real\n@data\n1,2\n", "both named 'a'"),
        (HEAD + "@data\n1,red\n", "line 6 of 'd.arff' has 2 cells, and there are 3 attributes"),
        (HEAD + "@data\n1,red,x,y\n", "line 6 of 'd.arff' has 4 cells"),
        (HEAD + "@data\none,red,x\n", "row 1 of the attribute 'a' of 'd.arff' is 'one', not a number"),
        (HEAD + "@data\n1,green,x\n", "row 1 of the attribute 'the colour' of 'd.arff' is 'green', not one of"),
        (HEAD + "@data\n1,'red,x\n", "not closed"),
        (HEAD + "@data\n{0 1, 99 x}\n", "names an attribute that does not exist"),
        (HEAD + f"@data\n{{{2**40} 1}}\n", "names an attribute that does not exist"),
        (HEAD + "@data\n{0 1\n", "does not close a quote or brace"),
    ],
)
def test_mistakes(text: str, sentence: str, tmp_path: Path) -> None:
    assert sentence in refusal(_load, tmp_path, text).message
