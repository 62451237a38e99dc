from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalang.data.columns import as_number, number_text, typed_column
from evalang.errors import DataError

from ..support.data_loading import load_csv, refusal


def _numbers(values: object, **said: object) -> list[float | None]:
    column = typed_column(pd.Series(values), name="a", **said)  # type: ignore[arg-type]
    assert column.kind == "numeric"
    return [None if v != v else v for v in column.values.tolist()]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1.5, None], [1.5, None]),
        (pd.array([1, None], dtype="Int64"), [1, None]),
        ([True, False], [1, 0]),
        (pd.array([True, None], dtype="boolean"), [1, None]),
        (pd.Series([True, None], dtype=object), [1, None]),
        ([Decimal("1.5"), None], [1.5, None]),
        ([" 1 ", "2e3", "-.5"], [1, 2000, -0.5]),
        (["1", "NA", "?", "", "nan", "null", None], [1, None, None, None, None, None, None]),
        ([None, None], [None, None]),
        (pd.to_datetime(["1970-01-02", None, "1970-01-01T12:00"], format="ISO8601"), [1, None, 0.5]),
        (pd.to_datetime(["1970-01-02T01:00+01:00"]), [1]),
        ([datetime.date(1970, 1, 11), None], [10, None]),
        (pd.to_timedelta(["36h", None]), [1.5, None]),
        ([-0.0], [0.0]),
        (np.array([1, 2], dtype=np.uint8), [1, 2]),
    ],
)
def test_numeric_columns(values: object, expected: list[float | None]) -> None:
    assert _numbers(values) == expected


@pytest.mark.parametrize(
    ("values", "categories", "codes"),
    [
        (["b", "a", " b ", None, ""], ("a", "b"), [1, 0, 1, -1, -1]),
        (["x", "NA", "y", "?"], ("?", "NA", "x", "y"), [2, 1, 3, 0]),
        (pd.Categorical(["2", "1", None]), ("1", "2"), [1, 0, -1]),
        (pd.Categorical([2, 1]), ("1", "2"), [1, 0]),
        (pd.Series(["a", 1, 2.0, True, None], dtype=object), ("1", "2", "True", "a"), [3, 0, 1, 2, -1]),
        (["1_000", "٣"], ("1_000", "٣"), [0, 1]),
    ],
)
def test_categorical_columns(values: object, categories: tuple[str, ...], codes: list[int]) -> None:
    column = typed_column(pd.Series(values), name="a")  # type: ignore[arg-type]
    assert (column.kind, column.categories, column.values.tolist()) == ("categorical", categories, codes)


def test_percentages_are_numbers_where_every_cell_is_one() -> None:
    column = typed_column(pd.Series(["79.2%", "5 %", "", "100%"]), name="a")
    assert column.kind == "numeric"
    assert column.values.tolist()[:2] == [0.792, 0.05]
    assert np.isnan(column.values[2])
    assert column.values[3] == 1.0
    assert typed_column(pd.Series(["79%", "80", "x"]), name="a").kind == "categorical"  # 80 is not 0.8


def test_missing_values_are_told_as_text_or_number() -> None:
    assert _numbers([1, -9, 3], missing=(-9,)) == [1, None, 3]
    assert _numbers([1, -9.0, 3], missing=("-9",)) == [1, None, 3]
    assert _numbers(["1", "unknown"], missing=("unknown",)) == [1, None]
    column = typed_column(pd.Series(["a", "?", "b"]), name="a", missing=("?",))
    assert column.values.tolist() == [0, -1, 1]
    assert _numbers([1.0, float("inf")], missing=("inf",)) == [1, None]


def test_text_in_a_numeric_column_names_the_first_cell(tmp_path: Path) -> None:
    rows = [f"{i},{'ab'[i % 2]}" for i in range(40)]
    rows[16] = "seven,a"
    rows[30] = "eight,a"
    error = refusal(load_csv, tmp_path, "age,class\n" + "\n".join(rows) + "\n")
    assert "row 17 of column 'age' holds 'seven'" in error.message
    assert "38 of the column's 40" in error.message
    assert 'missing "seven"' in error.hint
    table = load_csv(tmp_path, "age,class\n" + "\n".join(rows) + "\n", options={"categorical": "age"})
    assert table.kinds == ("categorical",)


@pytest.mark.parametrize("cells", [["low", "2", "high", "4"] * 5, ["1, 2", "a,b", "3,x", "4,5"]])
def test_names_with_numbers_or_commas_are_names(cells: list[str]) -> None:
    assert typed_column(pd.Series(cells), name="a").kind == "categorical"


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, b"bytes", object(), 1j])
def test_what_is_no_value_is_refused(value: object) -> None:
    with pytest.raises(DataError, match="row 2 of column 'a' holds a"):
        typed_column(pd.Series(["x", value], dtype=object), name="a")


def test_giant_numbers(tmp_path: Path) -> None:
    """With half of the cells such numbers the column was taken for names."""
    table = load_csv(tmp_path, f"a,b,class\n{'9' * 300},1,x\n1,18446744073709551616,y\n2,3,x\n")
    assert (table.X["a"].iloc[0], table.X["b"].iloc[1]) == (float("9" * 300), 2.0**64)
    assert typed_column(pd.Series(["0." + "3" * 5000, "1"] * 5), name="a").values.tolist() == [1 / 3, 1.0] * 5
    assert typed_column(pd.Series([10**400, "x"], dtype=object), name="a").kind == "categorical"
    assert [number_text(x) for x in (1.0, -0.0, 0.1, 1e300, -2.0)] == ["1", "0", "0.1", "1e+300", "-2"]
    assert as_number("9" * 5000) == float("inf")


@pytest.mark.parametrize(
    "value",
    ["inf", "-inf", "1e999", "9" * 5000, "-" + "9" * 5000, "1e" + "9" * 5000, 10**400, -(10**400), 10**6000],
    ids=lambda value: str(type(value)),
)
def test_infinite_and_too_large_numbers_are_refused(value: object) -> None:
    with pytest.raises(DataError, match="row 2 of column 'a' is infinite, or too large for a number"):
        typed_column(pd.Series(["1" if isinstance(value, str) else 1, value] * 5, dtype=object), name="a")


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (("1,5", "2,25", "-3,125", ""), "such as '1,5' (write (separator"),
        (("1.234,5", "12,25", "7", "9"), "such as '1.234,5' (save the numbers without thousands marks and write (sep"),
        (("1,234", "12,345,678.5", "17", "4"), "such as '1,234' (save the numbers without thousands marks, or"),
    ],
)
def test_commas_in_numbers_are_noticed(cells: tuple[str, ...], words: str) -> None:
    with pytest.raises(DataError, match="numbers with") as caught:
        typed_column(pd.Series([*cells] * 5), name="price")
    assert words in str(caught.value)
    assert "categorical" in caught.value.hint


@pytest.mark.filterwarnings("error")
def test_a_signalling_nan_of_a_file_is_missing_without_a_word() -> None:
    """Found by the fuzz: adding to one raises a warning of NumPy."""
    bits = np.array([0x7FF0000000000001, 0x3FF0000000000000], dtype=np.uint64)
    found = typed_column(pd.Series(bits.view(np.float64)), name="a")
    assert list(found.missing) == [True, False]
