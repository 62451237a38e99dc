"""Files that are scripts, and files that are not; which endings they have."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

import evalang
from evalang.cli.screen import expand
from evalang.errors import ScriptError
from evalang.language import decode as module
from evalang.language.decode import decode, read_script

from ..support.permissions import permissions_hold


def refusal(data: bytes) -> ScriptError:
    with pytest.raises(ScriptError) as caught:
        decode(data, "x.eval")
    assert caught.value.exit_code == 2
    assert caught.value.hint
    return caught.value


def test_reads_a_script(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes("set seed 1 # größe\n".encode())
    source = read_script(path)
    assert source.path == str(path)
    assert source.text == "set seed 1 # größe\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"\xef\xbb\xbfset seed 1", "set seed 1"),
        (b"a\r\nb", "a\r\nb"),
        (b"a\rb\r", "a\nb\n"),
        (b"a\r\n\rb", "a\r\n\nb"),
    ],
)
def test_marks_and_line_ends(data: bytes, text: str) -> None:
    assert decode(data, "x.eval").text == text


def test_not_utf8_names_the_byte_and_the_line() -> None:
    error = refusal(b"set seed 1\nlearner gr" + b"\xf6" + b"sse is tree")
    assert "0xf6" in error.message
    assert "line 2, column 11" in error.message
    assert error.position == (2, 11)
    assert "latin-1" in error.hint


@pytest.mark.parametrize("name", ["utf-16", "utf-32"])
def test_other_encodings_are_named(name: str) -> None:
    assert name.upper() in refusal("set seed 1".encode(name)).message


@pytest.mark.parametrize("data", [b"\x7fELF\x00\x00", b"a\n\x00b", "set".encode("utf-16-le")])
def test_binary(data: bytes) -> None:
    error = refusal(data)
    assert "NUL byte" in error.message
    assert error.position is not None
    assert error.position.line == data[: data.index(b"\x00")].count(b"\n") + 1


def test_missing_file_offers_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "study.eval").write_text("")
    with pytest.raises(ScriptError, match="there is no file") as caught:
        read_script(tmp_path / "studdy.eval")
    assert "study.eval" in caught.value.hint
    with pytest.raises(ScriptError, match="there is no file"):
        read_script(tmp_path / "no" / "such.eval")
    with pytest.raises(ScriptError, match="there is no file"):
        read_script(tmp_path / "study.eval" / "x.eval")


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="is a folder"):
        read_script(tmp_path)
    (tmp_path / "a.eval").write_text("")
    with pytest.raises(ScriptError, match="is a folder") as caught:
        read_script(tmp_path)
    assert "a.eval" in caught.value.hint


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_devices_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.eval")
    with pytest.raises(ScriptError, match="not a file on disk"):
        read_script(tmp_path / "pipe.eval")
    if os.path.exists("/dev/zero"):
        with pytest.raises(ScriptError, match="not a file on disk"):
            read_script("/dev/zero")


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 10)
    path = tmp_path / "a.eval"
    path.write_bytes(b"#" * 11)
    with pytest.raises(ScriptError, match="11 bytes"):
        read_script(path)
    assert "11 bytes" in refusal(b"#" * 11).message


@pytest.mark.parametrize("name", ["a\0b.eval", "x" * 5000])
def test_impossible_names(name: str) -> None:
    with pytest.raises(ScriptError, match="cannot be read"):
        read_script(name)


def test_forbidden(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_text("")
    path.chmod(0)
    with permissions_hold(), pytest.raises(ScriptError, match="permission denied"):
        read_script(path)
    path.chmod(stat.S_IRUSR)


def test_a_script_has_a_megabyte_and_a_document_more(tmp_path: Path) -> None:
    """Ten megabytes of comparisons took two gigabytes to lint; a notebook of that size holds pictures."""
    script = tmp_path / "a.eval"
    script.write_bytes(b"compare svm vs knn on iris using 10cv\n" * 30_000)
    with pytest.raises(ScriptError, match="1,048,576 are the most"):
        read_script(script)
    assert len(read_script(script, most=module.LARGEST_DOCUMENT).text) > module.LARGEST


TEXT = "compare decision-tree vs naive-bayes on iris using 10cv, seed 1\n"


@pytest.mark.parametrize("ending", [".eval", ".evalang"])
def test_both_endings(tmp_path: Path, ending: str) -> None:
    script = tmp_path / f"study{ending}"
    script.write_text(TEXT)
    assert list(expand([str(tmp_path)])) == [str(script)]
    assert read_script(script).text == TEXT
    assert [c.learners for c in evalang.plan(str(script)).plan.comparisons] == [("decision-tree", "naive-bayes")]


@pytest.mark.parametrize("ending", [".eval", ".evalang"])
def test_two_that_differ_only_there(tmp_path: Path, ending: str) -> None:
    for one in (".eval", ".evalang"):
        (tmp_path / f"study{one}").write_text(TEXT)
    with pytest.raises(ScriptError, match="differ in their ending alone and would share a run folder"):
        read_script(tmp_path / f"study{ending}")


def test_others_may_stand_beside(tmp_path: Path) -> None:
    for one in ("study.eval", "study.evalang.bak", "other.evalang"):
        (tmp_path / one).write_text(TEXT)
    assert read_script(tmp_path / "study.eval").text == TEXT


def zipped(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
    return path


@pytest.mark.parametrize("size", [1, 3 << 20])
def test_a_log_of_inspect_is_named_with_how_to_read_it(tmp_path: Path, size: int) -> None:
    log = '{\n  "version": 2,\n  "status": "success",\n  "eval": {"x": "' + "y" * size + '"}}'
    (tmp_path / "json.eval").write_text(log)
    zipped(tmp_path / "zip.eval")
    for name in ("json.eval", "zip.eval"):
        with pytest.raises(ScriptError, match=f"{name} is a log of Inspect") as caught:
            read_script(tmp_path / name)
        assert f'results logs from inspect "{name}"' in caught.value.hint
        assert f"evalang compare {name}" in caught.value.hint


def test_a_log_and_a_script_share_no_run_folder(tmp_path: Path) -> None:
    zipped(tmp_path / "study.eval")
    (tmp_path / "study.evalang").write_text("set seed 1\n")
    assert read_script(tmp_path / "study.evalang").text == "set seed 1\n"
    (tmp_path / "study.eval").write_text("set seed 2\n")
    with pytest.raises(ScriptError, match="differ in their ending alone"):
        read_script(tmp_path / "study.evalang")


def test_a_folder_passes_over_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zipped(tmp_path / "log.eval")
    (tmp_path / "study.eval").write_text("set seed 1\n")
    assert [Path(name).name for name in expand([str(tmp_path)])] == ["study.eval"]
    assert "log.eval is a log of Inspect, not a script: passed over" in capsys.readouterr().err
    assert list(expand([str(tmp_path / "log.eval")])) == [str(tmp_path / "log.eval")]
    assert list(expand([str(tmp_path / "log.eval")], skip_logs=True)) == []
