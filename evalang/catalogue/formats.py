"""The formats of a report: one table for the language, the command line and the writer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A format, the endings of its files, and its file in a run folder; empty for a format of several files."""

    name: str
    endings: tuple[str, ...]  # the first is offered
    file: str
    asked: Literal["word", "ending", "command"]  # `as WORD` in a script, by the ending in a script, or --to alone
    folder: str = ""  # of a format of several files

    @property
    def place(self) -> str:
        """Where `evalang report` puts it in the run folder."""
        return self.folder or self.file


FORMATS = (
    ReportFormat("html", (".html", ".htm"), "report.html", "word"),
    ReportFormat("markdown", (".md", ".markdown", ".qmd"), "report.md", "word"),
    ReportFormat("latex", (".tex",), "report.tex", "word"),
    ReportFormat("json", (".json",), "run.json", "word"),
    ReportFormat("text", (".txt",), "report.txt", "ending"),
    ReportFormat("csv", (".csv",), "verdicts.csv", "command", "tables/"),
    ReportFormat("parquet", (".parquet",), "verdicts.parquet", "command", "tables/"),
    ReportFormat("every-eval-ever", (), "", "command", "every-eval-ever/"),
    ReportFormat("checklists", (), "", "command", "checklists/"),
)
_BY_NAME = {one.name: one for one in FORMATS}
_BY_ENDING = {ending: one for one in FORMATS for ending in one.endings}


def find_format(name: str) -> ReportFormat | None:
    """Return the format of a name, or None."""
    return _BY_NAME.get(name)


def format_by_ending(ending: str) -> ReportFormat | None:
    """Return the format of a file's ending (with its dot), or None."""
    return _BY_ENDING.get(ending.lower())
