"""A script has at most one megabyte with all it includes, and so has a block of a document."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalang.errors import ScriptError
from evalang.findings.embedded import extract
from evalang.language.files import LARGEST, read_script
from evalang.language.text import SourceText
from evalang.plans.build import build


def test_includes_have_the_room_of_one_script(tmp_path: Path) -> None:
    lines = "# " + "x" * 400_000 + "\n"
    for i in range(3):
        (tmp_path / f"{i}.eval").write_text(lines)
    script = tmp_path / "a.eval"
    script.write_text("".join(f'include "{i}.eval"\n' for i in range(3)))
    found = [f.message for f in build(read_script(script)).findings]
    assert any("what it includes" in message for message in found)


def test_blocks_of_a_document_do_not_grow_as_a_square() -> None:
    text = ("text " * 200 + "\n```eval\n```\n") * 400  # 400 KB, and 80 MB of scripts with the blanks before them
    with pytest.raises(ScriptError, match="too many eval blocks"):
        list(extract(SourceText("x.md", text)))


def test_a_block_is_no_larger_than_a_script() -> None:
    with pytest.raises(ScriptError, match=r"an eval block of x\.md has"):
        list(extract(SourceText("x.md", "```eval\n" + "# " * LARGEST)))
