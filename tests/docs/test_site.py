"""The site is built without a warning, and its links inside the repository lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .modules import ROOT

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    for needed in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(needed, reason=f"the site needs {needed}; install evalang[docs]")
    command = [sys.executable, "-m", "sphinx", "-E", "-W", "--keep-going", "-q", "-d", str(tmp_path / "trees")]
    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(tmp_path / "site")], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert "evalang" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "index.md"], ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = [link.partition("#")[0] for link in _LINK.findall(page.read_text(encoding="utf-8"))]
    inside = [link for link in links if link and "://" not in link]
    assert inside
    assert [link for link in inside if not (page.parent / link).exists()] == []
