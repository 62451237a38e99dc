"""The pages made from the catalogue are those that lie in the repository."""

from __future__ import annotations

from pathlib import Path

from .modules import ROOT, module

make_reference = module("make_reference")
DOCS = ROOT / "docs"


def test_generated_pages_are_up_to_date() -> None:
    """To bring them up to date: python docs/make_all.py."""
    stale = [
        name
        for name, text in make_reference.pages().items()
        if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != text
    ]
    assert stale == []


def test_no_page_of_something_that_is_gone() -> None:
    made = set(make_reference.pages())
    here = {f"{folder}/{p.name}" for folder in make_reference.FOLDERS for p in (DOCS / folder).glob("*.md")}
    assert here <= made


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "no-such-test.md").write_text("gone", encoding="utf-8")
    first = make_reference.write(tmp_path)
    assert "tests/no-such-test.md deleted" in first
    assert "glossary.md written" in first
    assert make_reference.write(tmp_path) == []
