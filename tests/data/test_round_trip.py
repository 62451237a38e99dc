"""The same rows give the same hash whatever they are stored in."""

from __future__ import annotations

import csv
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.data.access import Access
from evalang.data.load import load
from evalang.plans.model import Dataset, Source

from ..support.data_loading import load_source

NUMBERS = st.one_of(
    st.none(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
)
# Words with everything that needs quoting somewhere; none reads as a number, a truth or a missing value.
WORDS = st.one_of(
    st.none(),
    st.sampled_from(["red", "a b", "it's", 'say "x"', "a,b", "a;b", "back\\slash", "{x}", "%x", "é漢", "a'b\"c", "x?"]),
)
ROW = st.tuples(NUMBERS, WORDS, st.booleans(), st.sampled_from(["no", "yes", "may be"]))
COLUMNS = ("n", "w", "b", "kind")


def _write_csv(rows: list[Any], folder: Path) -> Source:
    with (folder / "d.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)  # floats by repr, None as an empty cell
    return Source("csv", "d.csv")


def _write_parquet(rows: list[Any], folder: Path) -> Source:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    numbers = pd.array([None if r[0] is None else float(r[0]) for r in rows], dtype="Float64")
    frame = pd.DataFrame({"n": numbers, "w": pd.array([r[1] for r in rows], dtype="string")})
    frame["b"] = [r[2] for r in rows]
    frame["kind"] = [r[3] for r in rows]
    frame.to_parquet(folder / "d.parquet")
    return Source("parquet", "d.parquet")


def _quoted(word: str | None) -> str:
    return "?" if word is None else "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _write_arff(rows: list[Any], folder: Path) -> Source:
    words = sorted({r[1] for r in rows if r[1] is not None})
    lines = ["% a comment", "@RELATION x", "@attribute n NUMERIC", f"@attribute w {{{','.join(map(_quoted, words))}}}"]
    lines += ["@attribute 'b' integer", "@attribute kind {no, yes, 'may be'}", "", "@DATA"]
    lines += [f"{'?' if n is None else repr(n)}, {_quoted(w)}, {int(b)}, '{k}'" for n, w, b, k in rows]
    (folder / "d.arff").write_text("\n".join(lines))
    return Source("arff", "d.arff")


def _write_sqlite(rows: list[Any], folder: Path) -> Source:
    (folder / "d.db").unlink(missing_ok=True)
    with closing(sqlite3.connect(folder / "d.db")) as base:
        base.execute("create table t (n numeric, w text, b boolean, kind text)")
        base.executemany("insert into t values (?, ?, ?, ?)", rows)
        base.commit()
    return Source("sql", "sqlite:///d.db")


@settings(max_examples=25, deadline=None)
@given(st.lists(ROW, min_size=2, max_size=12).filter(lambda rows: len({r[3] for r in rows}) > 1))
def test_equal_hashes(rows: list[Any]) -> None:
    if all(r[1] is None for r in rows):  # a column without a value has no kind of its own
        rows = [(rows[0][0], "red", *rows[0][2:]), *rows[1:]]
    hashes = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for write in (_write_csv, _write_parquet, _write_arff, _write_sqlite):
            source = write(rows, folder)
            query = "select * from t" if source.kind == "sql" else None
            dataset = Dataset(name="d", source=source, target="kind", query=query)
            hashes[source.kind] = load(dataset, access=Access(root=folder)).content_hash
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    dataset = Dataset(name="d", source=Source("python", "f"), target="kind")
    hashes["python"] = load(dataset, access=Access(root=folder, values={"f": frame})).content_hash
    assert len(set(hashes.values())) == 1, hashes


def test_the_target_of_a_pair(tmp_path: Path) -> None:
    """(X, y) and the same rows in a frame are the same table."""
    frame = pd.DataFrame({"a": [1, 2, 3], "target": ["x", "y", "x"]})
    handed = {"frame": frame, "pair": (frame[["a"]], frame["target"])}
    access = Access(root=tmp_path, values=handed)
    one, two = (load_source(tmp_path, "python", name, access=access) for name in handed)
    assert one.content_hash == two.content_hash
