"""Compile LaTeX and read its log."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def compiled(folder: Path, name: str = "report.tex", by: str = "pdflatex") -> str:
    """Compile a file and return its log."""
    command = [by, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    return (folder / name).with_suffix(".log").read_text(errors="replace")


def overfull(log: str) -> list[float]:
    """Return by how many points lines stick out of their column."""
    return [float(found) for found in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
