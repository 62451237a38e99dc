"""The `time` column: dates with the year last are read where some value tells the day from the month."""

from __future__ import annotations

import pandas as pd
import pytest

from evalang.data.columns import typed_column
from evalang.data.roles import read_time
from evalang.errors import DataError

DAYS = pd.date_range("2023-01-01 14:05", periods=400, freq="D")


def read(texts: list[str]) -> tuple[list[float], list[str]]:
    series = pd.Series(texts)
    notes: list[str] = []
    column = typed_column(series, name="when", missing=(), nominal=False)
    return read_time(column, "loads", series, notes).tolist(), notes


@pytest.mark.parametrize(
    ("form", "first"),
    [("%d.%m.%Y", "day"), ("%d/%m/%Y", "day"), ("%d-%m-%Y %H:%M", "day"), ("%m/%d/%Y", "month"), ("%Y-%m-%d", None)],
)
def test_dates_are_read_as_they_are_written(form: str, first: str | None) -> None:
    moments, notes = read(DAYS.strftime(form).tolist())
    whole = DAYS if "%H" in form else DAYS.normalize()
    assert moments == whole.astype("datetime64[ns]").astype("int64").tolist()
    assert notes == ([f"loads: the dates in 'when' are read {first} first"] if first else [])


def test_dates_with_dots_have_the_day_first() -> None:
    moments, notes = read(["01.02.2023", "02.02.2023"])
    assert (moments[1] - moments[0]) / 3600e9 == 24
    assert notes == ["loads: the dates in 'when' are read day first"]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["01/02/2023", "03/02/2023"], "no number above 12 shows which number is the day"),
        (["13.02.2023", "02.13.2023"], "both day and month come first"),
        (["13.02.2023", "31.02.2023"], "row 2 of the time column 'when' of loads holds '31.02.2023', which is not a"),
        (["13.02.2023", "soon"], "which is not a date"),
    ],
)
def test_other_dates_are_refused(texts: list[str], words: str) -> None:
    with pytest.raises(DataError) as refused:
        read(texts)
    assert words in refused.value.message
