"""The same rows read from a real PostgreSQL server, started for the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalang.data.access import Access
from evalang.data.load import load
from evalang.data.table import Table
from evalang.errors import DataError
from evalang.plans.model import Dataset, Source
from evalang.plans.passwords import hide_passwords

from ..support.data_loading import load_csv
from ..support.postgres import ESCAPED, PASSWORD, Server, running_server

QUERY = "select * from flowers order by place"
CSV = "place,width,colour,picked,kind\n1,0.1,red,True,a\n2,0.2,,False,b\n3,,blue,True,a\n4,1e-3,red,,b\n"
CREATE = """
create table flowers (place integer, width double precision, colour text, picked boolean, kind varchar(3));
insert into flowers values (3, null, 'blue', true, 'a'), (1, 0.1, 'red', true, 'a'), (2, 0.2, null, false, 'b'),
  (4, 1e-3, 'red', null, 'b');
create table victim (a integer);
insert into victim values (1);
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as running:
        running.ask(CREATE)
        yield running


def _load(address: str, query: str, *, allow_net: tuple[str, ...] = ("127.0.0.1",)) -> Table:
    source = Source(kind="sql", locator=hide_passwords(address), address=address)
    dataset = Dataset(name="d", source=source, query=query, target="kind")
    return load(dataset, access=Access(root=Path("/"), allow_net=allow_net))


def test_the_rows_are_those_of_the_csv(server: Server, tmp_path: Path) -> None:
    table = _load(server.address(), QUERY)
    assert table.content_hash == load_csv(tmp_path, CSV, target="kind").content_hash
    assert table.classes == ("a", "b")
    assert table.kinds == ("numeric", "numeric", "categorical", "numeric")


def test_the_network_has_to_be_allowed(server: Server) -> None:
    with pytest.raises(DataError, match="is not allowed") as caught:
        _load(server.address(), QUERY, allow_net=("db.example.org",))
    assert "--allow-net" in caught.value.hint


def test_the_password_is_never_shown(server: Server) -> None:
    source = _load(server.address(), QUERY).source
    assert PASSWORD not in source
    assert ESCAPED not in source
    for address, query in (
        (server.address("wrong-pass-word"), QUERY),
        (server.address(), "select nothing from nowhere"),
        (server.address() + "?sslmode=bogus-mode", QUERY),
        (server.address() + "?passfile=/etc/passwd", QUERY),
        (f"postgresql://tester:wrong-pass-word@127.0.0.1:{server.port}/postgres/x y", QUERY),
    ):
        with pytest.raises(DataError) as caught:
            _load(address, query)
        said = str(caught.value) + repr(caught.value) + repr(caught.value.__cause__)
        assert PASSWORD not in said
        assert ESCAPED not in said
        assert "wrong-pass-word" not in said
        assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    "query",
    [
        "drop table victim",
        "delete from victim",
        "select 1 as a, 'b' as kind; delete from victim",
        "select 1 as a, 'b' as kind; commit; delete from victim",
        "with gone as (delete from victim returning a) select a, 'b' as kind from gone",
        "select a, 'b' as kind into stolen from victim",
        "copy victim to program 'id'",
        "/* select */ update victim set a = 2",
        "select set_config('default_transaction_read_only', 'off', false) as a; delete from victim",
    ],
)
def test_nothing_is_written(server: Server, query: str) -> None:
    with pytest.raises(DataError):
        _load(server.address(), query)
    assert server.ask("select a from victim") == "1"
    assert server.ask("select count(*) from pg_tables where tablename = 'stolen'") == "0"


def test_a_percent_sign_is_only_a_percent_sign(server: Server) -> None:
    table = _load(
        server.address(), "select place % 2 as odd, place, kind from flowers where colour like '%e%' order by 2"
    )
    assert table.X["odd"].tolist() == [1.0, 1.0, 0.0]
