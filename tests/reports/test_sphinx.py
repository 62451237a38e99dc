"""A small project, built: the directive in reStructuredText and in MyST."""

from __future__ import annotations

from pathlib import Path

import pytest
from sphinx.application import Sphinx

PAGE = """\
Title
=====

.. evalang::
   :figures: forest

   compare decision-tree vs naive-bayes on iris using 5x2cv, seed 1
"""
MYST = """\
# Other

```{evalang}
:hide-script:
:tables:

compare decision-tree vs naive-bayes on wine using 5x2cv, seed 1
```
"""


def built(tmp_path: Path, pages: dict[str, str]) -> Path:
    source = tmp_path / "source"
    source.mkdir()
    (source / "conf.py").write_text('extensions = ["evalang.sphinx", "myst_parser"]\nmaster_doc = "index"\n')
    for name, text in pages.items():
        (source / name).write_text(text)
    out = tmp_path / "out"
    with open(tmp_path / "log", "w") as log:
        app = Sphinx(source, source, out, tmp_path / "trees", "html", status=None, warning=log)
        app.build()
    return out


def test_both_forms_show_script_words_tables_and_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    index = f"{PAGE}\n.. toctree::\n\n   other\n"
    out = built(tmp_path, {"index.rst": index, "other.md": MYST})
    page = (out / "index.html").read_text()
    assert "highlight-evalang" in page
    assert "iris" in page
    assert "<svg" in page
    assert "lexer name" not in (tmp_path / "log").read_text()
    other = (out / "other.html").read_text()
    assert "verdict" in other
    assert "on wine" not in other
    assert "highlight-evalang" not in other


def test_a_mistake_is_a_warning_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    built(tmp_path, {"index.rst": "Title\n=====\n\n.. evalang::\n\n   compare a vs b on nowhere using 10cv\n"})
    said = (tmp_path / "log").read_text()
    assert "index.rst:4" in said
    assert "EV002" in said
