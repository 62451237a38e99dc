from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from .loading import load_source, refusal


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as base:
        base.executescript(
            "create table orders (a integer, b text, returned text);"
            "insert into orders values (1, 'x', 'no'), (2, null, 'yes'), (3, 'y', 'no');"
            "create table secret (s text); insert into secret values ('s3cret');"
        )
    return tmp_path


def test_a_query_is_a_dataset(shop: Path) -> None:
    query = "-- all of them\nselect * from orders order by a;"
    table = load_source(shop, "sql", "sqlite:///shop.db", query=query, target="returned")
    assert table.X["a"].tolist() == [1, 2, 3]
    assert table.labels.tolist() == ["no", "yes", "no"]
    assert table.source == "sql sqlite:///shop.db"
    query = "with recent as (select * from orders where a > 1) select * from recent"
    assert load_source(shop, "sql", "sqlite:///shop.db", query=query, target="returned").rows == 2


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (None, "no query"),
        ("  ", "no query"),
        ("select * from nowhere", "no such table"),
        ("select a, b from orders where a > 99", "no rows"),
        ("select a, a from orders", "both named 'a'"),
        ("select zeroblob(10) as z, returned from orders", "holds a bytes"),
        ("drop table orders", "begins with 'drop'"),
        ("pragma table_info(orders)", "begins with 'pragma'"),
        ("attach 'other.db' as o", "begins with 'attach'"),
        ("select 1; drop table orders", "failed"),
        ("with x as (select 1) insert into orders select 1, 'x', 'no'", "more than read"),
        ("with x as (select 1) delete from orders", "more than read"),
        ("select load_extension('evil') as a, returned from orders", "failed"),
        ("select writefile('out', 'x') as a, returned from orders", "failed"),
        ("select randomblob(1000000000) as z, returned from orders", "failed"),
    ],
)
def test_nothing_but_reading(query: str | None, sentence: str, shop: Path) -> None:
    before = (shop / "shop.db").read_bytes()
    error = refusal(load_source, shop, "sql", "sqlite:///shop.db", query=query, target="returned")
    assert sentence in error.message
    assert (shop / "shop.db").read_bytes() == before
    assert sorted(p.name for p in shop.iterdir()) == ["shop.db"]


def test_a_query_without_end_is_stopped(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalang.data.sql.QUERY_SECONDS", 0.2)
    query = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) as m, 'x' as returned from n"
    error = refusal(load_source, shop, "sql", "sqlite:///shop.db", query=query, target="returned")
    assert "ran for more than" in error.message


def test_too_many_rows_are_stopped(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalang.data.sql.ROWS", 50_000)
    query = "with recursive n(i) as (select 1 union all select i + 1 from n) select i, 'x' as returned from n"
    assert "too many rows" in refusal(load_source, shop, "sql", "sqlite:///shop.db", query=query).message


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("sqlite://", "no address of a SQLite file"),
        ("sqlite:///:memory:", "no file"),
        ("sqlite:////etc/passwd", "absolute path"),
        ("sqlite:///../shop.db", "leads out"),
        ("sqlite:///shop.db?mode=rwc", "no address of a SQLite file"),
        ("sqlite:///file:shop.db?mode=rwc", "no address"),
        ("sqlite+aiosqlite:///shop.db", "no address"),
        ("sqlite:///missing.db", "no file 'missing.db'"),
        ("sqlite:///notes.txt", "not a SQLite database"),
        ("mysql://me:pw123@host/db", "not read"),
        ("duckdb:///x.db", "not read"),
        ("shop.db", "not read"),
        ("", "not read"),
    ],
)
def test_other_addresses(address: str, sentence: str, shop: Path) -> None:
    (shop / "notes.txt").write_text("a,b\n")
    error = refusal(load_source, shop, "sql", address, query="select 1 as a")
    assert sentence in error.message
    assert "pw123" not in str(error)


def test_a_corrupt_database(shop: Path) -> None:
    content = bytearray((shop / "shop.db").read_bytes())
    content[100:4000] = b"\xff" * 3900
    (shop / "shop.db").write_bytes(content)
    error = refusal(load_source, shop, "sql", "sqlite:///shop.db", query="select * from orders")
    assert "failed" in error.message


def test_a_recursive_query_is_streamed_and_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers lie side by side; the count of rows stops a query that never ends."""
    from evalang.data import sql as module

    monkeypatch.setattr(module, "ROWS", 100_000)
    with closing(sqlite3.connect(tmp_path / "d.db")) as base:
        base.execute("create table t (a)")
    endless = "with recursive t(n) as (select 1 union all select n + 1 from t) select n as a, n % 2 as class from t"
    tracemalloc.start()
    error = refusal(load_source, tmp_path, "sql", "sqlite:///d.db", query=endless)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "too many rows" in error.message
    assert peak < 5 << 20  # 100,000 rows as tuples of objects are 12 MB


def test_what_sqlite_remembers_is_limited_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "d.db")) as base:
        base.execute("create table t (a)")
    grows = (
        "with recursive t(n, s) as (select 1, zeroblob(1000000) union select n + 1, zeroblob(1000000 + n) from t) "
        "select count(*) as a, 'x' as class from t"
    )
    error = refusal(load_source, tmp_path, "sql", "sqlite:///d.db", query=grows)
    assert "needs more than 512 MB" in error.message


def test_numbers_and_text_of_a_column_in_different_chunks(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "d.db")) as base:
        base.execute("create table t (a, b, class)")
        rows = [(i, i if i % 3 else None, "xy"[i % 2]) for i in range(12_000)] + [("late", 2**60, "x")]
        base.executemany("insert into t values (?, ?, ?)", rows)
        base.commit()
    table = load_source(tmp_path, "sql", "sqlite:///d.db", query="select * from t where typeof(a) = 'integer'")
    assert table.numeric == ("a", "b")
    assert table.X["a"].tolist() == [float(i) for i in range(12_000)]
    assert int(table.X["b"].isna().sum()) == 4_000
    assert "'late'" in refusal(load_source, tmp_path, "sql", "sqlite:///d.db", query="select * from t").message
