"""Writing a report: the old file or the new one, never half of one."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from ..errors import RunError, ScriptError
from ..verdicts.verdict import Judgement
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


def replace_file(path: Path, content: bytes) -> None:
    """Writes beside the file, makes it durable, and renames: a reader or a crash never meets a half-written file."""
    target = path.resolve() if path.is_symlink() else path
    part = target.parent / f".{target.name[:40]}.{secrets.token_hex(8)}.part"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            part.unlink()
        if isinstance(problem, OSError):
            raise _cannot(path, problem) from None
        raise
    _sync_folder(target.parent)


def _cannot(path: Path, problem: OSError) -> RunError:
    why = problem.strerror or type(problem).__name__
    return RunError(f"The report {path} cannot be written: {why}.", hint="name another file, or make room")


def _sync_folder(folder: Path) -> None:
    """A rename is durable only when its folder is (not possible on every system, and then not needed to go on)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


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
    judgement: Judgement,
    path: str,
    format: str | None = None,
    subject: str | None = None,
) -> tuple[Path, ...]:
    """Writes the report in one format; into a folder also its tables and pictures as files of their own."""
    kind = format_of(path, format)
    folder = Path(path) if is_folder(path) else None
    files = contents(judgement, kind, subject, whole=folder is not None)
    if folder is None:
        replace_file(Path(path), files[NAMES[kind]])
        return (Path(path),)
    written = []
    for name, content in files.items():
        replace_file(folder / name, content)
        written.append(folder / name)
    return tuple(written)


def contents(
    judgement: Judgement,
    kind: Format,
    subject: str | None = None,
    whole: bool = False,
) -> dict[str, bytes]:
    """File name -> bytes; only the report itself unless `whole`."""
    if kind == "json":
        return {NAMES["json"]: json.render(judgement, subject).encode()}
    if kind == "csv":
        return {name: text.encode() for name, text in csv.tables(judgement, subject).items()}
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
