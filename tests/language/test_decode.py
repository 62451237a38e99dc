"""Files that are scripts, and files that are not; which endings they have."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from evalang.cli.screen import expand
from evalang.errors import ScriptError
from evalang.language.files import LARGEST, LARGEST_DOCUMENT, decode, read_script


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("set seed 1 # größe\n".encode(), "set seed 1 # größe\n"),
        (b"\xef\xbb\xbfset seed 1", "set seed 1"),
        (b"a\r\nb", "a\r\nb"),
        (b"a\rb\r", "a\nb\n"),
    ],
)
def test_marks_and_line_ends(tmp_path: Path, data: bytes, text: str) -> None:
    (tmp_path / "a.eval").write_bytes(data)
    source = read_script(tmp_path / "a.eval")
    assert (source.path, source.text) == (str(tmp_path / "a.eval"), text)


@pytest.mark.parametrize(
    ("data", "message", "position"),
    [
        (b"set seed 1\nlearner gr\xf6sse is tree", "byte 0xf6 in line 2, column 11", (2, 11)),
        ("set seed 1".encode("utf-16"), "UTF-16", None),
        (b"\x7fELF\x00\x00", "NUL byte in line 1", (1, 1)),
        (b"#" * ((1 << 20) + 1), "at most 1,048,576", None),
    ],
)
def test_bytes_that_are_no_script(data: bytes, message: str, position: tuple[int, int] | None) -> None:
    with pytest.raises(ScriptError, match=message) as caught:
        decode(data, "x.eval")
    assert caught.value.position == position
    assert caught.value.exit_code == 2
    assert caught.value.hint
    assert "latin-1" in caught.value.hint or "0xf6" not in message


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("studdy.eval", "there is no file", "study.eval"),
        (".", "is a folder", "name a file in it, such as ./large.eval"),
        ("pipe.eval", "not a file on disk", "standard input"),
        ("a\0b.eval", "cannot be read", ""),
        ("large.eval", "at most 1,048,576", "split"),
    ],
)
def test_files_that_are_no_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("study.eval").write_text("")
    Path("large.eval").write_bytes(b"compare svm vs knn on iris using 10cv\n" * 30_000)
    os.mkfifo("pipe.eval")
    with pytest.raises(ScriptError, match=message) as caught:
        read_script(name)
    assert hint in caught.value.hint
    assert len(read_script("large.eval", most=LARGEST_DOCUMENT).text) > LARGEST  # a notebook may hold pictures


@pytest.mark.parametrize(("ending", "other"), [(".eval", ".evalang"), (".evalang", ".eval")])
def test_both_endings_but_not_beside_each_other(tmp_path: Path, ending: str, other: str) -> None:
    script = tmp_path / f"study{ending}"
    script.write_text("set seed 1\n")
    (tmp_path / f"others{other}.bak").write_text("")
    assert list(expand([str(tmp_path)])) == [str(script)]
    assert read_script(script).text == "set seed 1\n"
    (tmp_path / f"study{other}").write_text("set seed 2\n")
    with pytest.raises(ScriptError, match="differ in their ending alone and would share a run folder"):
        read_script(script)
    zipped(tmp_path / f"study{other}")  # a log is no second script
    assert read_script(script).text == "set seed 1\n"


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
