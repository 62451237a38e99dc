from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from evalang.data.table import Table

from ..support.data_loading import load_source, refusal


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as base:
        base.executescript(
            "create table orders (a integer, b text, returned text);"
            "insert into orders values (1, 'x', 'no'), (2, null, 'yes'), (3, 'y', 'no');"
            "create table secret (s text); insert into secret values ('s3cret');"
        )
    return tmp_path


def _load(folder: Path, query: str | None, address: str = "sqlite:///shop.db", **said: str) -> Table:
    return load_source(folder, "sql", address, query=query, **said)


def test_a_query_is_a_dataset(shop: Path) -> None:
    query = "-- all of them\nselect * from orders order by a;"
    table = _load(shop, query, target="returned")
    assert table.X["a"].tolist() == [1, 2, 3]
    assert table.labels.tolist() == ["no", "yes", "no"]
    assert table.source == "sql sqlite:///shop.db"
    query = "with recent as (select * from orders where a > 1) select * from recent"
    assert _load(shop, query, target="returned").rows == 2


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (None, "needs a query"),
        ("select * from nowhere", "no such table"),
        ("select a, b from orders where a > 99", "no rows"),
        ("select a, a from orders", "both named 'a'"),
        ("select zeroblob(10) as z, returned from orders", "holds a bytes"),
        ("drop table orders", "begins with 'drop'"),
        ("pragma table_info(orders)", "begins with 'pragma'"),
        ("select 1; drop table orders", "failed"),
        ("with x as (select 1) insert into orders select 1, 'x', 'no'", "more than read"),
        ("select load_extension('evil') as a, returned from orders", "failed"),
        ("select randomblob(1000000000) as z, returned from orders", "failed"),
    ],
)
def test_nothing_but_reading(query: str | None, sentence: str, shop: Path) -> None:
    before = (shop / "shop.db").read_bytes()
    assert sentence in refusal(_load, shop, query, target="returned").message
    assert (shop / "shop.db").read_bytes() == before
    assert sorted(p.name for p in shop.iterdir()) == ["shop.db"]


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("sqlite://", "not an address of a SQLite file"),
        ("sqlite:///:memory:", "no file"),
        ("sqlite:////etc/passwd", "absolute path"),
        ("sqlite:///../shop.db", "is outside the folders"),
        ("sqlite:///shop.db?mode=rwc", "not an address of a SQLite file"),
        ("sqlite+aiosqlite:///shop.db", "not an address"),
        ("sqlite:///missing.db", "no file 'missing.db'"),
        ("sqlite:///notes.txt", "not a SQLite database"),
        ("mysql://me:pw123@host/db", "'mysql' databases are not supported"),
        ("shop.db", "'shop.db' databases are not supported"),
        ("", "only database addresses"),
    ],
)
def test_other_addresses(address: str, sentence: str, shop: Path) -> None:
    (shop / "notes.txt").write_text("a,b\n")
    error = refusal(_load, shop, "select 1 as a", address)
    assert sentence in error.message
    assert "pw123" not in str(error)


def test_a_corrupt_database(shop: Path) -> None:
    content = bytearray((shop / "shop.db").read_bytes())
    content[100:4000] = b"\xff" * 3900
    (shop / "shop.db").write_bytes(content)
    assert "failed" in refusal(_load, shop, "select * from orders").message


ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select "
GROWS = "with recursive t(n, s) as (select 1, zeroblob(1000000) union select n+1, zeroblob(1000000+n) from t) select "


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (ENDLESS + "max(i) as m, 'x' as class from n", "ran for more than"),
        (ENDLESS + "i as a, i % 2 as class from n", "too many rows"),
        (GROWS + "count(*) as a, 'x' as class from t", "needs more than 512 MB"),
    ],
)
def test_a_query_without_end_is_stopped(query: str, sentence: str, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time, rows, and what SQLite keeps in memory are limited; numbers do not become objects."""
    monkeypatch.setattr("evalang.data.sql.ROWS", 100_000)
    if "max" in query:
        monkeypatch.setattr("evalang.data.sql.QUERY_SECONDS", 0.2)
    tracemalloc.start()
    message = refusal(_load, shop, query).message
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sentence in message
    assert peak < 5 << 20  # 100,000 rows as tuples of objects are 12 MB


def test_numbers_and_text_of_a_column_in_different_chunks(shop: Path) -> None:
    with closing(sqlite3.connect(shop / "shop.db")) as base:
        base.execute("create table t (a, b, class)")
        rows = [(i, i if i % 3 else None, "xy"[i % 2]) for i in range(12_000)] + [("late", 2**60, "x")]
        base.executemany("insert into t values (?, ?, ?)", rows)
        base.commit()
    table = _load(shop, "select * from t where typeof(a) = 'integer'")
    assert table.numeric == ("a", "b")
    assert table.X["a"].tolist() == [float(i) for i in range(12_000)]
    assert int(table.X["b"].isna().sum()) == 4_000
    assert "'late'" in refusal(_load, shop, "select * from t").message
