"""OpenML's answers as scikit-learn recorded them for its own tests, and some that are wrong on purpose."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import sklearn.datasets

from evalang.data.access import Access
from evalang.data.load import load
from evalang.data.openml import DESCRIPTION, assemble
from evalang.errors import DataError
from evalang.plans.model import Dataset, Source

from .loading import load_source, refusal

RECORDED = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml"
ARFF = b"@relation r\n@attribute id numeric\n@attribute a numeric\n@attribute kind {x,y}\n@data\n1,5,x\n2,6,y\n"


class Server:
    """Answers by address, and remembers what was asked."""

    def __init__(self, answers: dict[str, bytes]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def get(self, address: str, most: int) -> bytes:
        self.asked.append(address)
        answer = self.answers[address]
        assert len(answer) <= most
        return answer


def _described(**changes: Any) -> Server:
    described = {
        "id": "7",
        "name": "made-up",
        "format": "ARFF",
        "url": "https://api.openml.org/data/v1/download/7/x.arff",
        "default_target_attribute": "kind",
        "row_id_attribute": "id",
        "md5_checksum": hashlib.md5(ARFF, usedforsecurity=False).hexdigest(),
        **changes,
    }
    answer = json.dumps({"data_set_description": described}).encode()
    return Server({DESCRIPTION.format(number="7"): answer, "https://api.openml.org/data/v1/download/7/x.arff": ARFF})


def _recorded(number: str) -> Server:
    folder = RECORDED / f"id_{number}"
    if not folder.is_dir():
        pytest.skip("this scikit-learn comes without its recorded answers")
    described = gzip.decompress((folder / f"api-v1-jd-{number}.json.gz").read_bytes())
    content = gzip.decompress(next(folder.glob("data-v1-dl-*.arff.gz")).read_bytes())
    address = json.loads(described)["data_set_description"]["url"].replace("http://", "https://")
    return Server({DESCRIPTION.format(number=number): described, address: content})


@pytest.mark.parametrize(
    ("number", "rows", "columns", "target", "ignored"),
    [
        ("61", 150, 5, "class", ()),
        ("3", 3196, 37, "class", ()),
        ("40945", 1309, 14, "survived", ()),
        ("62", 101, 18, "type", ("animal",)),
        ("42585", 344, 7, "species", ()),
    ],
)
def test_recorded_answers(number: str, rows: int, columns: int, target: str, ignored: tuple[str, ...]) -> None:
    server = _recorded(number)
    raw = assemble(number, server.get)
    assert raw.frame.shape == (rows, columns)
    assert raw.target == target
    assert raw.ignored == ignored
    assert server.asked == list(server.answers)


def test_a_recorded_data_set_that_was_withdrawn() -> None:
    """Australian, version 1: scikit-learn warns of it."""
    server = _recorded("292")
    with pytest.raises(DataError, match="was withdrawn"):
        assemble("292", server.get)
    _, content = server.answers.values()
    raw = assemble("292", server.get, hashlib.sha256(content).hexdigest())
    assert (raw.frame.shape, raw.target) == ((85, 15), "Y")


def test_iris_of_openml_is_iris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = _recorded("61")
    monkeypatch.setattr("evalang.data.openml_client.download", lambda a, host, access, most: server.get(a, most))
    dataset = Dataset(name="d", source=Source("openml", "61"))
    table = load(dataset, access=Access(root=tmp_path, allow_net=("openml.org",)))
    ours = load_source(tmp_path, "builtin", "iris")
    assert table.classes == ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
    assert table.y.tolist() == ours.y.tolist()
    # OpenML's copy is UCI's, which differs from Fisher's in rows 35 and 38 (documented by scikit-learn)
    differ = (table.X.to_numpy() != ours.X.to_numpy()).any(axis=1)
    assert differ.nonzero()[0].tolist() == [34, 37]
    assert "sha256" in table.source


def test_columns_that_are_no_features(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = _described()
    monkeypatch.setattr("evalang.data.openml_client.download", lambda a, host, access, most: server.get(a, most))
    dataset = Dataset(name="d", source=Source("openml", "7"))
    table = load(dataset, access=Access(root=tmp_path, allow_net=("openml.org",)))
    assert list(table.X.columns) == ["a"]


def test_offline_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("socket.getaddrinfo", nothing)
    monkeypatch.setattr("socket.socket.connect", nothing)
    error = refusal(load_source, tmp_path, "openml", "1596")
    assert "openml.org is not allowed" in error.message
    assert "--allow-net" in error.hint


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"url": "https://evil.example/x.arff"}, "not at openml.org"),
        ({"url": "https://openml.org.evil.example/x.arff"}, "not at openml.org"),
        ({"url": "https://evilopenml.org/x.arff"}, "not at openml.org"),
        ({"url": "file:///etc/passwd"}, "not a plain https address"),
        ({"url": "ftp://api.openml.org/x"}, "not a plain https address"),
        ({"url": "https://me:pw@api.openml.org/x"}, "not a plain https address"),
        ({"url": "https://api.openml.org:22/x"}, "not a plain https address"),
        ({"url": "https://api.openml.org/x\r\nHost: evil"}, "no address"),
        ({"url": ""}, "not a plain https address"),
        ({"format": "Pickle"}, "stored as 'pickle'"),
        ({"md5_checksum": "0" * 32}, "differs from its description"),
    ],
)
def test_answers_that_are_not_to_be_trusted(changes: dict[str, str], sentence: str) -> None:
    server = _described(**changes)
    with pytest.raises(DataError, match=sentence):
        assemble("7", server.get)
    if "url" in changes:
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer", [b"", b"<html>", b"[]", b"{}", b"null", b"[" * 100_000, b'{"data_set_description": 3}']
)
def test_descriptions_that_are_none(answer: bytes) -> None:
    server = Server({DESCRIPTION.format(number="7"): answer})
    with pytest.raises(DataError, match="cannot be read"):
        assemble("7", server.get)


def test_a_pinned_file() -> None:
    server = _described()
    pinned = hashlib.sha256(ARFF).hexdigest()
    assert assemble("7", server.get, pinned).frame.shape == (2, 3)
    with pytest.raises(DataError, match="not the one pinned"):
        assemble("7", server.get, "0" * 64)


def test_a_pickle_in_place_of_the_file() -> None:
    server = _described(md5_checksum="")
    server.answers["https://api.openml.org/data/v1/download/7/x.arff"] = b"\x80\x04K\x01."
    with pytest.raises(DataError, match="is a pickle"):
        assemble("7", server.get)


@pytest.mark.parametrize("number", ["iris", "-1", "1/../2", "٣", "9" * 30, ""])
def test_what_is_no_number(number: str, tmp_path: Path) -> None:
    assert "no number of an OpenML data set" in refusal(load_source, tmp_path, "openml", number).message
