"""What may be quoted: files in the document's folder, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.data.files import read_adjacent_file
from evalang.errors import EvalangError


def test_a_file_of_the_folder_or_below(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "paper.csv").write_text("what,value\nβ,1\n", encoding="utf-8")
    assert read_adjacent_file(tmp_path / "page.md", "below/paper.csv") == "what,value\nβ,1\n"


@pytest.mark.parametrize("locator", ["../secret.csv", "/etc/passwd.csv", "link.csv", "~/x.csv", "a\\b.csv"])
def test_nothing_outside(tmp_path: Path, locator: str) -> None:
    (tmp_path / "secret.csv").write_text("what,value\nkey,1\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "link.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(EvalangError):
        read_adjacent_file(tmp_path / "docs" / "page.md", locator)


def test_what_is_no_text_or_too_long_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "bytes.csv").write_bytes(b"what,value\n\xff,1\n")
    (tmp_path / "long.csv").write_bytes(b"a,b\n" * ((1 << 20) + 1))
    with pytest.raises(EvalangError, match="not UTF-8"):
        read_adjacent_file(tmp_path / "page.md", "bytes.csv")
    with pytest.raises(EvalangError, match="larger than 4 MB"):
        read_adjacent_file(tmp_path / "page.md", "long.csv")
    with pytest.raises(EvalangError, match="there is no file"):
        read_adjacent_file(tmp_path / "page.md", "none.csv")
