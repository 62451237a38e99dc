"""OpenML: downloaded once from a server on this machine, then read without it; what may be wrong with an answer."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.datasets

import evalang as ev
from evalang.catalogue.sources import OPENML_SUITES, find_openml_suite
from evalang.data.access import Access
from evalang.data.openml import DESCRIPTION, assemble, file_name
from evalang.data.table import Table
from evalang.errors import EvalangError
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.description import describe

from ..support.data_loading import load_source, refusal
from ..support.openml_server import OpenMLServer, folds, table

RECORDED = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml"
DATA, SPLITS = "/data/v1/download/31/first.arff", "/api_splits/get/21/Task_21_splits.arff"
SCRIPT = """
suite s from openml 7 because "all of it"
compare knn vs naive-bayes on s using given folds, measuring accuracy, holm over datasets
claim knn better than naive-bayes on s
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenMLServer]:
    made = OpenMLServer()
    made.study(7, [21, 22])
    made.data(31, "first", table(60))
    made.data(32, "second", table(45, shift=3))
    made.task(21, 31, folds(60))
    made.task(22, 32, folds(45, repeats=2), counts={"number_repeats": "2"})
    with made.running(monkeypatch):
        yield made


def _load(folder: Path, number: object = 21, kind: str = "openml-task", net: bool = True, **said: Any) -> Table:
    access = Access(root=folder, allow_net=("openml.org",) if net else ())
    return load_source(folder, kind, str(number), access=access, **said)


def _refused(folder: Path, *args: Any, **said: Any) -> str:
    return refusal(_load, folder, *args, **said).message


def _recorded(number: str) -> dict[str, bytes]:
    """OpenML's answers by address, as scikit-learn recorded them for its own tests."""
    folder = RECORDED / f"id_{number}"
    if not folder.is_dir():
        pytest.skip("this scikit-learn comes without its recorded answers")
    described = gzip.decompress((folder / f"api-v1-jd-{number}.json.gz").read_bytes())
    content = gzip.decompress(next(folder.glob("data-v1-dl-*.arff.gz")).read_bytes())
    address = json.loads(described)["data_set_description"]["url"].replace("http://", "https://")
    return {DESCRIPTION.format(number=number): described, address: content}


@pytest.mark.parametrize(
    ("number", "rows", "columns", "target", "ignored"),
    [("61", 150, 5, "class", ()), ("40945", 1309, 14, "survived", ()), ("62", 101, 18, "type", ("animal",))],
)
def test_recorded_answers(number: str, rows: int, columns: int, target: str, ignored: tuple[str, ...]) -> None:
    answers = _recorded(number)
    raw = assemble(number, lambda address, most: answers[address])
    assert (raw.frame.shape, raw.target, raw.ignored) == ((rows, columns), target, ignored)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"url": "https://openml.org.evil.example/x.arff"}, "not at openml.org"),
        ({"url": "https://evilopenml.org/x.arff"}, "not at openml.org"),
        ({"url": "file:///etc/passwd"}, "not a plain https address"),
        ({"url": "https://me:pw@api.openml.org/x"}, "not a plain https address"),
        ({"url": "https://api.openml.org:22/x"}, "not a plain https address"),
        ({"url": "https://api.openml.org/x\r\nHost: evil"}, "not an address"),
        ({"format": "Pickle"}, "stored as 'pickle'"),
        ({"md5_checksum": "0" * 32}, "differs from its description"),
        ({"status": "deactivated"}, "openml 31 (first) was withdrawn: OpenML calls it deactivated"),
    ],
)
def test_descriptions_that_cannot_be_trusted(
    changes: dict[str, str], sentence: str, server: OpenMLServer, tmp_path: Path
) -> None:
    server.data(31, "first", table(60), **changes)
    assert sentence in _refused(tmp_path, 31, "openml")
    assert len(server.asked) == (2 if "md5_checksum" in changes else 1)
    assert not (tmp_path / "openml").exists()


@pytest.mark.parametrize("answer", [b"", b"[]", b"[" * 100_000, b'{"data_set_description": 3}'])
def test_descriptions_that_cannot_be_read(answer: bytes, server: OpenMLServer, tmp_path: Path) -> None:
    server.answers["/api/v1/json/data/31"] = answer
    assert "cannot be read" in _refused(tmp_path, 31, "openml")


def test_pinned_files_ignored_columns_and_pickles(server: OpenMLServer, tmp_path: Path) -> None:
    server.data(31, "first", table(60), row_id_attribute="a")
    right, wrong = {"sha256": hashlib.sha256(table(60)).hexdigest()}, {"sha256": "0" * 64}
    assert list(_load(tmp_path, 31, "openml", options=right).X.columns) == ["b"]
    assert "which differs from the one in the script" in _refused(tmp_path, 31, "openml", options=wrong)
    server.data(33, "third", b"\x80\x04K\x01.")
    assert "is a pickle" in _refused(tmp_path, 33, "openml")


@pytest.mark.parametrize("number", ["iris", "-1", "1/../2", "٣", "9" * 30, ""])
def test_what_is_no_number(number: str, tmp_path: Path) -> None:
    assert "is not an OpenML data set number" in _refused(tmp_path, number, "openml")


def test_a_task_has_its_target_and_its_folds(server: OpenMLServer, tmp_path: Path) -> None:
    found, again = _load(tmp_path), _load(tmp_path, 22)
    assert (found.target, list(found.X.columns)) == ("class", ["a", "b"])
    assert found.folds is not None
    assert np.array_equal(found.folds, np.arange(60) % 3)
    assert hashlib.sha256(folds(60)).hexdigest() in found.source
    assert again.folds is not None
    assert np.array_equal(again.folds, np.arange(45) % 3)  # of two repetitions the first


def test_downloaded_once_into_the_data_root_and_then_offline(server: OpenMLServer, tmp_path: Path) -> None:
    for name in ("script", "root"):
        (tmp_path / name).mkdir()
    access = Access(root=tmp_path / "script", data_root=tmp_path / "root", allow_net=("openml.org",))
    first = load_source(tmp_path, "openml-task", "21", access=access)
    assert len(server.asked) == 4  # task, description, rows, folds
    assert _load(tmp_path / "root", net=False).content_hash == first.content_hash
    assert len(server.asked) == 4
    assert not (tmp_path / "script" / "openml").exists()
    checksums = list((tmp_path / "root" / "openml").glob("*.sha256"))
    assert len(checksums) == 4
    for checksum in checksums:
        digest, name = checksum.read_text().split()
        assert hashlib.sha256((tmp_path / "root" / "openml" / name).read_bytes()).hexdigest() == digest


def test_not_allowed_and_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr("socket.getaddrinfo", unknown)
    error = refusal(_load, tmp_path, net=False)
    assert error.message == "openml-task 21 has to be downloaded from openml.org, which is not allowed yet"
    assert error.hint == "run with --allow-net openml.org"
    assert _refused(tmp_path) == "www.openml.org is not known to this machine's network"


@pytest.mark.parametrize("path", [DATA, SPLITS, "/api/v1/json/task/21"])
def test_half_a_download_is_not_stored(path: str, server: OpenMLServer, tmp_path: Path) -> None:
    server.short[path] = 40
    assert "ended 40 bytes too early" in _refused(tmp_path)
    assert not (tmp_path / "openml").exists()
    server.short.clear()
    assert _load(tmp_path).rows == 60


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"TEST,0,0,0", b"TRAIN,0,0,0"),  # a row that no fold tests
        (b"TRAIN,1,0,0", b"TEST,1,0,0"),  # tested twice
        (b"TRAIN,1,0,0", b"TRAIN,2,0,0"),  # a row twice in one fold
        (b"TEST,0,0,0", b"TEST,60,0,0"),  # a row that is not there
        (b"TEST,0,0,0", b"TEST,0,0,3"),  # a fold too many
        (b"TEST,0,0,0\n", b""),  # a line cut off
        (b"@ATTRIBUTE rowid INTEGER", b"@ATTRIBUTE row INTEGER"),
    ],
)
def test_folds_that_are_none(before: bytes, after: bytes, server: OpenMLServer, tmp_path: Path) -> None:
    assert before in folds(60)
    server.answers[SPLITS] = folds(60).replace(before, after, 1)
    assert "are not those of 1x3cv on 60 rows" in _refused(tmp_path)


def test_a_stored_file_that_was_changed(server: OpenMLServer, tmp_path: Path) -> None:
    _load(tmp_path)
    stored = tmp_path / "openml" / file_name(f"https://api.openml.org{DATA}")
    stored.write_bytes(stored.read_bytes().replace(b"0,0,y", b"9,0,y", 1))
    assert "has changed since it was downloaded" in _refused(tmp_path, net=False)
    stored.unlink()
    assert "not allowed" in _refused(tmp_path, net=False)
    assert _load(tmp_path).rows == 60


def test_nothing_is_written_through_a_link(server: OpenMLServer, tmp_path: Path) -> None:
    victim, folder = tmp_path / "victim", tmp_path / "data" / "openml"
    victim.write_text("mine")
    folder.mkdir(parents=True)
    name = file_name(f"https://api.openml.org{DATA}")
    for link in (f".{name}.{os.getpid()}", name, f"{name}.sha256"):
        (folder / link).symlink_to(victim if link.startswith(".") else tmp_path / "none")
    assert _load(tmp_path / "data").rows == 60
    assert victim.read_text() == "mine"
    assert not (tmp_path / "none").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "openml").symlink_to(tmp_path / "data")
    assert "openml is a link" in _refused(tmp_path / "other")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"task_type_id": "5", "task_type": "Clustering"}, "is 'Clustering', which is neither"),
        ({"procedure": "holdout"}, "uses 'holdout', not cross-validation"),
        ({"target": "colour"}, "the target 'colour' of openml-task 21 is not a column of openml 31"),
        ({"input": 3}, "the answer about openml-task 21 cannot be read"),
        ({"input": []}, "the answer about openml-task 21 cannot be read"),
        ({"counts": {"number_folds": "5"}}, "are not those of 1x5cv on 60 rows"),
    ],
)
def test_tasks_of_the_wrong_kind(changes: dict[str, Any], sentence: str, server: OpenMLServer, tmp_path: Path) -> None:
    server.task(21, 31, folds(60), **changes)
    assert sentence in _refused(tmp_path)


def _run(folder: Path, out: str, **said: Any) -> ev.Result:
    return ev.run(folder / "s.eval", out=folder / out, ledger=False, jobs=1, **said)


def _names(result: ev.Result) -> list[str]:
    return [name for name in result.verdicts["dataset"] if isinstance(name, str)]


def test_a_suite_is_run_and_run_again_without_the_network(server: OpenMLServer, tmp_path: Path) -> None:
    (tmp_path / "s.eval").write_text(SCRIPT)
    first = _run(tmp_path, "one", allow_net="openml.org")
    asked = len(server.asked)
    assert _names(first) == ["first", "second"]
    tested = first.folds.query("dataset == 'first' and part == 'test'")
    assert sorted(zip(tested["fold"] - tested["fold"].min(), tested["row"], strict=True)) == sorted(
        (row % 3, row) for row in range(60)
    )
    assert _run(tmp_path, "two").scores.equals(first.scores)
    assert len(server.asked) == asked
    assert [v.dataset for v in first.run.claims[0].verdicts] == ["first", "second"]


def test_names_and_numbers_of_a_suite(server: OpenMLServer, tmp_path: Path) -> None:
    server.task(22, 31, folds(60))
    (tmp_path / "s.eval").write_text(SCRIPT)
    assert _names(_run(tmp_path, "one", allow_net="openml.org")) == ["first", "first-22"]
    assert "answered 412" in _refused(tmp_path, 99)
    (tmp_path / "s.eval").write_text(SCRIPT.replace("openml 7", "openml 8"))
    server.answers["/api/v1/json/study/8"] = b'{"study": {"id": "8", "runs": {"run_id": [1]}}}'
    with pytest.raises(EvalangError, match="the suite openml 8 lists no tasks") as caught:
        _run(tmp_path, "two", allow_net="openml.org")
    assert caught.value.position is not None


def test_the_plan_counts_the_tasks_of_a_known_suite() -> None:
    """72 and 35 are the numbers of Bischl et al. 2021 and Fischer et al. 2023."""
    assert [(s.name, s.study, len(set(s.tasks)), s.task) for s in OPENML_SUITES] == [
        ("OpenML-CC18", 99, 72, "classification"),
        ("OpenML-CTR23", 353, 35, "regression"),
    ]
    assert find_openml_suite("cc18") is find_openml_suite("OpenML-CC18") is find_openml_suite("99")
    for name, tasks, metric in (("CC18", 72, "accuracy"), ("CTR23", 35, "rmse")):
        text = SCRIPT.replace("openml 7", f'openml "{name}"').replace(", measuring accuracy", "")
        built = build(SourceText("s.eval", text))
        assert not built.findings
        comparison = built.plan.comparisons[0]
        assert len(comparison.datasets) == tasks == len(built.plan.claims[0].datasets)
        assert comparison.metrics[0].name == metric
        assert f"s ({tasks} tasks of OpenML: " in describe(built.plan)
    unknown = build(SourceText("s.eval", SCRIPT.replace("openml 7", 'openml "CC19"'))).findings
    assert [(f.code, f.message) for f in unknown] == [("EV002", 'there is no suite of OpenML named "CC19"')]
    text = describe(build(SourceText("s.eval", SCRIPT)).plan)
    assert "s/* (all tasks of OpenML suite 7)" in text
    assert "The number of fits is not known before the data are read." in text


@pytest.mark.parametrize("path", ["../../etc/passwd", "a/%2e%2e/b", "x" * 999, "x y\\z:\u00e9.arff", "..", ""])
def test_names_of_stored_files_are_plain(path: str) -> None:
    name = file_name(f"https://api.openml.org/{path}")
    assert len(name) <= 130
    assert ".." not in name
    assert not set(name) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
