"""The gallery shows every kind of picture, beside the script that is really there."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from evalang.reports.figures.choose import KINDS
from evalang.reports.write import write

from ..support.tex import compiled, overfull

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.insert(0, str(DOCS / "gallery"))

import make_gallery as gallery  # noqa: E402


def test_every_kind_of_picture_is_shown() -> None:
    shown = {kind for script in gallery.GALLERY for kind, _ in script.pictures}
    assert shown == set(KINDS)


@pytest.mark.parametrize("script", gallery.GALLERY, ids=lambda script: script.name)
def test_the_page_has_the_script_as_it_stands_and_pictures_that_lie_beside_it(script: gallery.Script) -> None:
    page = (DOCS / "gallery" / "index.md").read_text()
    text = (DOCS / "gallery" / f"{script.name}.eval").read_text()
    assert f"```eval\n{text.rstrip()}\n```" in page
    for kind, where in script.pictures:
        name = f"{script.name}-{kind}{'-' + where if where else ''}.svg"
        assert f"]({name})" in page
        assert (DOCS / "gallery" / name).read_text().startswith("<svg")


def test_the_example_report_loads_nothing_and_begins_with_the_answer() -> None:
    report = (DOCS / "gallery" / "report.html").read_text()
    assert "default-src &#39;none&#39;" in report
    assert report.index("has the best mean rank in accuracy of 5 learners over 12 datasets") < report.index("<table")
    assert "http://" not in report.replace("http://www.w3.org/", "")


@pytest.mark.slow
def test_running_the_scripts_again_gives_the_page_and_the_pictures(tmp_path: Path) -> None:
    found = gallery.results()
    assert gallery.page(found) == (DOCS / "gallery" / "index.md").read_text()
    gallery.write_files(found, tmp_path)
    names = [name for script in gallery.GALLERY for name in gallery.pictures(script, found[script.name])]
    for name in names:
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX here: install texlive-latex-recommended")
def test_the_latex_of_the_gallery_fits_its_column(tmp_path: Path) -> None:
    """Every line of every report."""
    for name, result in gallery.results().items():
        place = tmp_path / name
        write(result, f"{place}/", "latex")
        assert max(overfull(compiled(place)), default=0.0) <= 2.0, name
