"""Zip files of strangers: bombs, damage, methods nobody reads."""

from __future__ import annotations

import io
import struct
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from evalang.cli.screen import reading
from evalang.data.access import Access
from evalang.data.tools import read_scores
from evalang.data.tools.archive import Archive
from evalang.errors import DataError
from evalang.plans.model import Source

from ...support.tool_logs import inspect_log, read, refused, write_eval


def archive(fill: Callable[[zipfile.ZipFile], object], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", method) as made:
        warnings.simplefilter("ignore")
        fill(made)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (archive(lambda z: z.writestr("samples/1.json", b"0" * (40 << 20))), "unpacks to more than 200 times its size"),
        (archive(lambda z: z.writestr("a", "x"), zipfile.ZIP_BZIP2), "packed by method 12"),
        (b"PK\x03\x04 and nothing more", "is a damaged zip file"),
    ],
)
def test_refused_by_the_table_of_contents(data: bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        Archive(io.BytesIO(data), "log.eval")


def test_members_are_read_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "samples/gsm8k:12_epoch_1.json"  # a colon leads nowhere
    found = Archive(io.BytesIO(archive(lambda z: z.writestr(name, b"x" * 100))), "log.eval")
    assert found.read(name, 100) == b"x" * 100
    with pytest.raises(DataError, match="is larger than"):
        found.read(name, 99)
    data = bytearray(archive(lambda z: z.writestr("a.json", bytes(range(256)) * 40)))
    data[60] ^= 0xFF
    with pytest.raises(DataError, match="is a damaged zip file"):
        Archive(io.BytesIO(bytes(data)), "log.eval").read("a.json", 1 << 20)
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(DataError, match="is encrypted"):
        Archive(io.BytesIO(bytes(data)), "log.eval")
    monkeypatch.setattr("evalang.data.tools.archive.LOG_MEMBERS", 2)
    data = bytearray(archive(lambda z: [z.writestr(f"{i}.json", "{}") for i in range(3)]))
    with pytest.raises(DataError, match="holds 3 files, more than 2"):
        Archive(io.BytesIO(bytes(data)), "log.eval")


def zstd_archive(members: dict[str, bytes], said: int | None = None) -> bytes:
    """A zip file whose members are packed with zstd (APPNOTE 4.4.5, method 93), as Inspect writes it."""
    zstandard = pytest.importorskip("zstandard", reason="needs zstandard: pip install evalang[logs]")
    body, table = b"", b""
    for name, data in members.items():
        packed = zstandard.ZstdCompressor().compress(data)
        sizes = (zlib.crc32(data), len(packed), len(data) if said is None else said)
        common = struct.pack("<HHHHHIIIHH", 63, 0, 93, 0, 0x21, *sizes, len(name), 0)
        table += b"PK\x01\x02" + struct.pack("<H", 63) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
        table += name.encode()
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(members), len(members), len(table), len(body), 0)
    return body + table + end


def test_members_packed_with_zstd_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"some text " * 1000
    found = Archive(io.BytesIO(zstd_archive({"a.json": b"{}", "b.json": text})), "log.eval")
    assert found.read("a.json", 100) == b"{}"
    assert found.read("b.json", 1 << 20) == text
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(DataError, match=r"packed with zstd.*evalang\[logs\]"):
        found.read("a.json", 100)


@pytest.mark.parametrize("said", [5, 50_000])
def test_a_member_of_another_size_than_said(said: int) -> None:
    found = Archive(io.BytesIO(zstd_archive({"a.json": b"0123456789" * 100}, said)), "log.eval")
    with pytest.raises(DataError, match="is a damaged zip file"):
        found.read("a.json", 1 << 20)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write_eval(tmp_path / "secret" / "a.eval", inspect_log("lab/a", {1: "C"}))
    (tmp_path / "study" / "logs").mkdir(parents=True)
    (tmp_path / "study" / "logs" / "a.eval").symlink_to(tmp_path / "secret" / "a.eval")
    refused("is outside the folders", tmp_path / "study", "inspect", "logs/")
    refused("is outside the folders", tmp_path / "study", "inspect", "../secret/")
    refused("pattern in the name of a folder", tmp_path / "study", "inspect", "l*/a.eval")


def test_reading_is_told_and_a_table_is_read_once(tmp_path: Path) -> None:
    write_eval(tmp_path / "a.eval", inspect_log("lab/a", {f"q{i}": "C" for i in range(50)}))
    heard: list[tuple[str, int, int]] = []
    access = Access(root=tmp_path, on_read=lambda *told: heard.append(told))
    asked = Source("inspect", "a.eval")
    first = read_scores(asked, access)
    size = (tmp_path / "a.eval").stat().st_size
    assert {(path, total) for path, _, total in heard} == {("a.eval", size)}
    assert all(0 <= done <= total for _, done, total in heard)
    assert heard[-1] == ("a.eval", size, size)
    heard.clear()
    assert read_scores(asked, access) is first
    assert not heard


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "said"),
    [
        (Terminal(), "\r\x1b[K[" + "#" * 7 + "." * 23 + "] reading big.eval: 25% of 2.0 GB\r\x1b[K"),
        (io.StringIO(), "evalang: reading big.eval (2.0 GB)\n"),
    ],
)
def test_only_what_takes_long_is_shown(monkeypatch: pytest.MonkeyPatch, out: io.StringIO, said: str) -> None:
    now = [0.0]
    monkeypatch.setattr("evalang.cli.screen.time.monotonic", lambda: now[0])
    tell = reading(out)
    for path, total in (("small.eval", 10), ("big.eval", 2_000_000_000)):
        tell(path, 0, total)
        if total > 10:
            now[0] += 2.0
            tell(path, total // 4, total)
            now[0] += 0.01
            tell(path, total // 3, total)  # too soon after the last
        tell(path, total, total)
    assert out.getvalue() == said


def test_a_sample_that_is_too_large_to_unpack_whole_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_eval(tmp_path / "a.eval", inspect_log("lab/a", {"q1": "C", "q2": "I"}))
    whole = read(tmp_path, "inspect", "a.eval").frame
    monkeypatch.setattr("evalang.data.tools.log_files.VALUE_BYTES", 300)
    monkeypatch.setattr("evalang.data.tools.log_files._BLOCK", 20)
    pd.testing.assert_frame_equal(read(tmp_path, "inspect", "a.eval").frame, whole)
