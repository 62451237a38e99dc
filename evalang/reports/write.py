"""Writing a report: the old file or the new one, never half of one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from ..errors import RunError, ScriptError
from ..results.run_result import RunResult
from ..source.held import replace_below
from ..source.replace_file import replace_file
from . import csv, json, latex, markdown, terminal
from .build import document
from .document import Document, Figure, figures

Format = Literal["html", "markdown", "latex", "json", "text", "csv"]
ENDINGS: dict[str, Format] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".json": "json",
    ".txt": "text",
    ".csv": "csv",
}
NAMES: dict[Format, str] = {
    "html": "report.html",
    "markdown": "report.md",
    "latex": "report.tex",
    "json": "run.json",
    "text": "report.txt",
    "csv": "verdicts.csv",
}


def format_of(path: str, given: str | None = None) -> Format:
    """The format that is named, or that the ending of the file tells; a folder without a format is HTML."""
    if given is not None:
        if given not in get_args(Format):
            raise ScriptError(f"There is no report format {given}.", hint=f"one of {', '.join(get_args(Format))}")
        return given  # type: ignore[return-value]
    if is_folder(path):
        return "html"
    found = ENDINGS.get(Path(path).suffix.lower())
    if found is None:
        raise ScriptError(f"The ending of {path} names no report format.", hint=f"one of {', '.join(ENDINGS)}")
    return found


def is_folder(path: str) -> bool:
    """Whether a path means a folder: it ends in a slash, or is one."""
    return path.endswith(("/", os.sep)) or Path(path).is_dir()


def write(
    judgement: RunResult,
    path: str,
    format: str | None = None,
    subject: str | None = None,
    root: str | None = None,
) -> tuple[Path, ...]:
    """Writes the report in one format; into a folder also its tables and pictures as files of their own.

    Links below `root`, or below the folder that is written into, are not followed: somebody else may have put them
    there. `path` lies below `root` when that is given.
    """
    kind = format_of(path, format)
    folder = Path(path) if is_folder(path) else None
    files = contents(judgement, kind, subject, whole=folder is not None)
    if folder is None:
        files = {Path(path).name: files[NAMES[kind]]}
    if folder is None and root is None:
        _put(Path(path), *files.values())
        return (Path(path),)
    place = folder or Path(path).parent
    below = "" if root is None else Path(os.path.relpath(place, root)).as_posix() + "/"
    for name, content in files.items():
        replace_below(root or str(place), (below + name).removeprefix("./"), content)
    return tuple(place / name for name in files)


def _put(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path.parent} cannot be made: {error.strerror}", hint="name another folder") from None
    replace_file(str(path), content)


def contents(
    judgement: RunResult,
    kind: Format,
    subject: str | None = None,
    whole: bool = False,
) -> dict[str, bytes]:
    """File name -> bytes; only the report itself unless `whole`."""
    if kind == "json":
        return {NAMES["json"]: json.render(judgement, subject).encode()}
    if kind == "csv":
        files = csv.tables(judgement, subject) | ({"about.json": csv.about(judgement)} if whole else {})
        return {name: text.encode() for name, text in files.items()}
    report = document(judgement, subject)
    return {
        name: text.encode() if isinstance(text, str) else text for name, text in _files(report, kind, whole).items()
    }


def _files(report: Document, kind: Format, whole: bool) -> Mapping[str, str | bytes]:
    if kind == "html":
        from . import html

        return {NAMES["html"]: html.render(report)}
    if kind == "text":
        return {NAMES["text"]: terminal.render(report, full=True)}
    pictures = figures(report) if whole else []
    ending = "pdf" if kind == "latex" else "svg"
    links = {figure.key: f"figures/{figure.key}.{ending}" for figure in pictures}
    drawn = {links[figure.key]: _drawn(figure, ending) for figure in pictures}
    if kind == "markdown":
        return {NAMES["markdown"]: markdown.render(report, links), **drawn}
    tables = latex.pieces(report) if whole else {}
    return {NAMES["latex"]: latex.render(report, links), **tables, **drawn}


def _drawn(figure: Figure, ending: str) -> str | bytes:
    from .figures import picture

    return picture.pdf(figure) if ending == "pdf" else picture.svg_file(figure)
