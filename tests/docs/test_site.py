"""The site is built without a warning, and its links inside the repository lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .modules import ROOT

_CODE = re.compile(r"(?ms)^ *(```+|~~~+).*?^ *\1|`[^`\n]*`")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def built(folder: Path, builder: str, docs: Path = ROOT / "docs") -> subprocess.CompletedProcess[str]:
    """What Sphinx says; every warning is an error."""
    for needed in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(needed, reason=f"the site needs {needed}; install evalang[docs]")
    options = ["-E", "-W", "--keep-going", "-q", "-b", builder, "-d", str(folder / "trees")]
    command = [sys.executable, "-m", "sphinx", *options, str(docs), str(folder / "site")]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


@pytest.mark.slow
def test_pages_are_read_and_joined_without_a_warning(tmp_path: Path) -> None:
    """All but the writing of the pages, which takes ten times as long."""
    done = built(tmp_path, "dummy")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    done = built(tmp_path, "html")
    assert done.returncode == 0, done.stderr
    assert "evalang" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "conf.py").write_text('extensions = ["myst_parser"]\n', encoding="utf-8")
    (docs / "index.md").write_text("# A page\n\n[there](nowhere.md)\n", encoding="utf-8")
    done = built(tmp_path, "dummy", docs)
    assert done.returncode != 0
    assert "nowhere.md" in done.stderr


def test_links_lead_somewhere() -> None:
    """Of every page, apart from what stands in code; whether Sphinx joins the pages is slow to ask."""
    found = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        prose = _CODE.sub("", page.read_text(encoding="utf-8"))
        links = [link.partition("#")[0] for link in _LINK.findall(prose)]
        found += [(page, link) for link in links if link and "://" not in link and not link.startswith("mailto:")]
    assert len(found) > 100
    assert [(page.name, link) for page, link in found if not (page.parent / link).exists()] == []


def test_a_long_page_begins_with_a_summary_and_no_page_has_a_placeholder() -> None:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"OWNER/|ADDRESS-OF|TODO|TBD", text), page
        prose = re.sub(r"<!--.*?-->", "", _CODE.sub("", text), flags=re.DOTALL)
        assert len(prose.split()) < 1500 or "Summary" in prose[:400], page
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 150
