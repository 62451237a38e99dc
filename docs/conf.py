"""The site: sphinx-build -W docs site"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from evalang import __version__  # noqa: E402

project = "evalang"
author = "The evalang authors"
copyright = "The evalang authors, MIT licence"
version = release = __version__
language = "en-GB"

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "playground", "schema", "**/runs", "**/README.md"]
html_theme = "furo"
html_title = f"evalang {__version__}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["gallery/report.html"]  # a whole report, as a reader gets it
html_show_sourcelink = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


# The playground is built where npm's packages are (docs/playground/build.py); without them nothing links to it.
NODE_MODULES = os.environ.get("EVALANG_NODE_MODULES", "")
if NODE_MODULES:
    tags.add("playground")  # type: ignore[name-defined]  # noqa: F821
    html_js_files = ["try.js"]


def build_playground(app: Any, error: Exception | None) -> None:
    """Beside the pages, in the folder `playground`."""
    if NODE_MODULES and error is None and app.builder.name == "html":
        program = ROOT / "docs" / "playground" / "build.py"
        subprocess.run([sys.executable, str(program), str(Path(app.outdir) / "playground"), NODE_MODULES], check=True)


# Pages that others make have no table of contents of their own, so that they read well where the repository is shown.
CONTENTS = {"rules/index": "rules", "tests/index": "tests", "metrics/index": "metrics", "studies/index": "studies"}


def with_contents(app: Any, name: str, source: list[str]) -> None:
    """Give the page of a folder a hidden table of contents of all that lies in it."""
    if name not in CONTENTS:
        return
    docs = ROOT / "docs"
    inside = sorted(p.relative_to(docs).with_suffix("").as_posix() for p in (docs / CONTENTS[name]).rglob("*.md"))
    entries = [f"/{page}" for page in inside if page != name and not page.endswith("README") and "/runs/" not in page]
    source[0] += "\n".join(["", "```{toctree}", ":hidden:", "", *entries, "```", ""]) if entries else ""


def setup(app: Any) -> None:
    """Scripts are coloured under every name that the pages give them."""
    from evalang.editor.pygments_lexer import EvalangLexer

    for name in ("eval", "evalang", "eval,bad", "eval-fragment"):
        app.add_lexer(name, EvalangLexer)
    app.connect("source-read", with_contents)
    app.connect("build-finished", build_playground)
