"""Suites of OpenML: fetched once from a server on this machine, then read without it; what may be wrong with one."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import evalang as ev
from evalang.catalogue.sources import OPENML_SUITES, find_openml_suite
from evalang.data.access import Access
from evalang.data.openml_client import file_name
from evalang.data.table import Table
from evalang.errors import DataError, EvalangError
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.description import describe

from .loading import load_source, refusal
from .openml_server import OpenMLServer, folds, table

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


def _task(folder: Path, number: int = 21, net: bool = True) -> Table:
    access = Access(root=folder, allow_net=("openml.org",) if net else ())
    return load_source(folder, "openml-task", str(number), access=access)


def _refused(folder: Path, net: bool = True, kind: str = "openml-task", number: int = 21) -> DataError:
    access = Access(root=folder, allow_net=("openml.org",) if net else ())
    return refusal(load_source, folder, kind, str(number), access=access)


def test_a_task_has_its_target_and_its_folds(server: OpenMLServer, tmp_path: Path) -> None:
    found = _task(tmp_path)
    assert found.target == "class"
    assert list(found.X.columns) == ["a", "b"]
    assert found.folds is not None
    assert np.array_equal(found.folds, np.arange(60) % 3)
    assert hashlib.sha256(folds(60)).hexdigest() in found.source
    again = _task(tmp_path, 22)
    assert again.folds is not None
    assert np.array_equal(again.folds, np.arange(45) % 3)  # of two repetitions the first


def test_fetched_once_and_then_offline(server: OpenMLServer, tmp_path: Path) -> None:
    first = _task(tmp_path)
    asked = len(server.asked)
    assert asked == 4  # task, description, rows, folds
    again = _task(tmp_path, net=False)
    assert len(server.asked) == asked
    assert again.content_hash == first.content_hash
    kept = sorted(p.name for p in (tmp_path / "openml").iterdir())
    assert len(kept) == 8
    for note in (tmp_path / "openml").glob("*.sha256"):
        digest, name = note.read_text().split()
        assert hashlib.sha256((tmp_path / "openml" / name).read_bytes()).hexdigest() == digest


def test_the_data_root_is_where_they_are_kept(server: OpenMLServer, tmp_path: Path) -> None:
    (tmp_path / "script").mkdir()
    (tmp_path / "root").mkdir()
    access = Access(root=tmp_path / "script", data_root=tmp_path / "root", allow_net=("openml.org",))
    load_source(tmp_path, "openml-task", "21", access=access)
    assert not (tmp_path / "script" / "openml").exists()
    assert len(list((tmp_path / "root" / "openml").glob("*.arff"))) == 2


def test_a_suite_is_run_and_run_again_without_the_network(server: OpenMLServer, tmp_path: Path) -> None:
    (tmp_path / "s.eval").write_text(SCRIPT)
    said = {"ledger": False, "jobs": 1}
    first = ev.run(tmp_path / "s.eval", out=tmp_path / "one", allow_net="openml.org", **said)  # type: ignore[arg-type]
    asked = len(server.asked)
    assert _names(first) == ["first", "second"]
    tested = first.folds.query("dataset == 'first' and part == 'test'")
    assert sorted(zip(tested["fold"] - tested["fold"].min(), tested["row"], strict=True)) == sorted(
        (row % 3, row) for row in range(60)
    )
    again = ev.run(tmp_path / "s.eval", out=tmp_path / "two", **said)  # type: ignore[arg-type]
    assert len(server.asked) == asked
    assert again.scores.equals(first.scores)
    assert [v.dataset for v in first.run.claims[0].verdicts] == ["first", "second"]


def _names(result: ev.Result) -> list[str]:
    return [name for name in result.verdicts["dataset"] if isinstance(name, str)]


def test_two_tasks_on_one_data_set_have_two_names(server: OpenMLServer, tmp_path: Path) -> None:
    server.task(22, 31, folds(60))
    (tmp_path / "s.eval").write_text(SCRIPT)
    found = ev.run(tmp_path / "s.eval", out=tmp_path / "o", allow_net="openml.org", ledger=False, jobs=1)
    assert _names(found) == ["first", "first-22"]


def test_not_allowed_and_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("socket.getaddrinfo", nothing)
    error = _refused(tmp_path, net=False)
    assert error.message == "openml-task 21 is on the network, and openml.org is not allowed"
    assert error.hint == "run with --allow-net openml.org"
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr("socket.getaddrinfo", _no_name)
    assert _refused(tmp_path).message == "www.openml.org is not known to this machine's network"
    assert not (tmp_path / "openml").exists()


def _no_name(*_: object, **__: object) -> None:
    raise socket.gaierror(-2, "Name or service not known")


DATA, SPLITS = "/data/v1/download/31/first.arff", "/api_splits/get/21/Task_21_splits.arff"


@pytest.mark.parametrize("path", [DATA, SPLITS, "/api/v1/json/task/21"])
def test_half_a_download_is_not_kept(path: str, server: OpenMLServer, tmp_path: Path) -> None:
    server.short[path] = 40
    assert "broke off 40 bytes before its end" in _refused(tmp_path).message
    assert not (tmp_path / "openml").exists()
    server.short.clear()
    assert _task(tmp_path).rows == 60


def test_a_file_cut_at_the_end_of_a_line(server: OpenMLServer, tmp_path: Path) -> None:
    server.answers[SPLITS] = b"\n".join(folds(60).splitlines()[:-5]) + b"\n"
    assert "are no 1x3cv of 60 rows" in _refused(tmp_path).message
    server.answers[SPLITS] = folds(60)
    server.answers[DATA] = b"\n".join(table(60).splitlines()[:-5]) + b"\n"
    assert "differs from its description's checksum" in _refused(tmp_path).message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"TEST,0,0,0", b"TRAIN,0,0,0"),  # a row that nobody tests
        (b"TRAIN,1,0,0", b"TEST,1,0,0"),  # tested twice
        (b"TRAIN,1,0,0", b"TRAIN,2,0,0"),  # a row twice in one fold
        (b"TEST,0,0,0", b"TEST,60,0,0"),  # a row that is not there
        (b"TEST,0,0,0", b"TEST,0,0,3"),  # a fold too many
        (b"@ATTRIBUTE rowid INTEGER", b"@ATTRIBUTE row INTEGER"),
    ],
)
def test_folds_that_are_none(before: bytes, after: bytes, server: OpenMLServer, tmp_path: Path) -> None:
    assert before in folds(60)
    server.answers[SPLITS] = folds(60).replace(before, after, 1)
    assert "are no 1x3cv of 60 rows" in _refused(tmp_path).message


def test_a_kept_file_that_was_changed(server: OpenMLServer, tmp_path: Path) -> None:
    _task(tmp_path)
    kept = tmp_path / "openml" / file_name(f"https://api.openml.org{DATA}")
    kept.write_bytes(kept.read_bytes().replace(b"0,0,y", b"9,0,y", 1))
    error = _refused(tmp_path, net=False)
    assert "is no longer what was fetched" in error.message
    kept.unlink()
    assert "not allowed" in _refused(tmp_path, net=False).message
    assert _task(tmp_path).rows == 60


def test_a_folder_that_leads_elsewhere(server: OpenMLServer, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data" / "openml").symlink_to(tmp_path / "elsewhere")
    assert "openml is a link" in _refused(tmp_path / "data").message
    assert not list((tmp_path / "elsewhere").iterdir())


def test_names_that_can_be_foreseen(server: OpenMLServer, tmp_path: Path) -> None:
    """Nothing is written through a link that somebody put where a half-written file would lie, or the whole one."""
    victim, shelf = tmp_path / "victim", tmp_path / "data" / "openml"
    victim.write_text("mine")
    shelf.mkdir(parents=True)
    name = file_name(f"https://api.openml.org{DATA}")
    for link in (f".{name}.{os.getpid()}", f".{name}.sha256.{os.getpid()}", name, f"{name}.sha256"):
        (shelf / link).symlink_to(victim if link.startswith(".") else tmp_path / "none")
    assert _task(tmp_path / "data").rows == 60
    assert victim.read_text() == "mine"
    assert not (tmp_path / "none").exists()
    assert not (shelf / name).is_symlink()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"task_type_id": "5", "task_type": "Clustering"}, "is 'Clustering', which is neither"),
        ({"procedure": "holdout"}, "is judged by 'holdout', not by cross-validation"),
        ({"procedure": "leaveoneout"}, "is judged by 'leaveoneout', not by cross-validation"),
        ({"target": "colour"}, "the target 'colour' of openml-task 21 is no column of openml 31"),
        ({"input": 3}, "the answer about openml-task 21 cannot be read"),
        ({"input": []}, "the answer about openml-task 21 cannot be read"),
        ({"counts": {"number_folds": "5"}}, "are no 1x5cv of 60 rows"),
    ],
)
def test_tasks_of_the_wrong_kind(
    changes: dict[str, object], sentence: str, server: OpenMLServer, tmp_path: Path
) -> None:
    server.task(21, 31, folds(60), **changes)
    assert sentence in _refused(tmp_path).message


def test_a_data_set_that_was_withdrawn(server: OpenMLServer, tmp_path: Path) -> None:
    server.data(31, "first", table(60), status="deactivated")
    error = _refused(tmp_path)
    assert error.message == "openml 31 (first) was withdrawn: OpenML calls it deactivated"
    pinned = {"sha256": hashlib.sha256(table(60)).hexdigest()}
    access = Access(root=tmp_path, allow_net=("openml.org",))
    assert load_source(tmp_path, "openml-task", "21", access=access, options=pinned).rows == 60


def test_numbers_that_openml_does_not_know(server: OpenMLServer, tmp_path: Path) -> None:
    assert "answered 412" in _refused(tmp_path, number=99).message
    (tmp_path / "s.eval").write_text(SCRIPT.replace("openml 7", "openml 8"))
    server.answers["/api/v1/json/study/8"] = b'{"study": {"id": "8", "runs": {"run_id": [1]}}}'
    with pytest.raises(EvalangError) as caught:
        ev.run(tmp_path / "s.eval", out=tmp_path / "o", allow_net="openml.org", ledger=False)
    assert caught.value.message == "the suite openml 8 lists no tasks"
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


def test_a_suite_that_nobody_knows_by_name() -> None:
    built = build(SourceText("s.eval", SCRIPT.replace("openml 7", 'openml "CC19"')))
    assert [(f.code, f.message) for f in built.findings] == [("EV002", 'there is no suite of OpenML named "CC19"')]


def test_how_many_tasks_a_number_has_is_not_guessed() -> None:
    text = describe(build(SourceText("s.eval", SCRIPT)).plan)
    assert "s/* (the tasks of OpenML's suite 7)" in text
    assert "How many trainings it takes, only the data can tell." in text


@pytest.mark.parametrize(
    "address",
    [
        "https://api.openml.org/../../etc/passwd", "https://api.openml.org/a/%2e%2e/b",
        "https://api.openml.org/" + "x" * 999,
        "https://api.openml.org/x y\\z:\u00e9.arff", "https://api.openml.org/..", "https://api.openml.org/",
    ],
)  # fmt: skip
def test_names_of_kept_files_are_plain(address: str) -> None:
    name = file_name(address)
    assert len(name) <= 130
    assert ".." not in name
    assert not set(name) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
