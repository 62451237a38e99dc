"""Write a report in any format: a file is replaced as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ..catalogue.formats import FORMATS, ReportFormat, find_format, format_by_ending
from ..errors import RunError, ScriptError
from ..language.files import replace_below, replace_file
from ..results.run_result import RunResult
from . import frames, json, latex, markdown, terminal
from .assemble import document
from .document import Document, Figure, figures

Files = Mapping[str, str | bytes]  # by name; the report itself among them


def format_of(path: str, given: str | None = None) -> ReportFormat:
    """Return the format that is named, or that of the file's ending; a folder without a format is HTML."""
    if given is not None or is_folder(path):
        found = find_format(given or "html")
        if found is None:
            known = ", ".join(one.name for one in FORMATS)
            raise ScriptError(f"There is no report format {given}.", hint=f"one of {known}")
        return found
    found = format_by_ending(Path(path).suffix)
    if found is None:
        endings = ", ".join(ending for one in FORMATS for ending in one.endings)
        raise ScriptError(f"The ending of {path} names no report format.", hint=f"one of {endings}")
    return found


def is_folder(path: str) -> bool:
    """Return whether a path means a folder: it ends in a slash, or is one."""
    return path.endswith(("/", os.sep)) or os.path.isdir(path)


def write(
    result: RunResult, path: str, format: str | None = None, subject: str | None = None, root: str | None = None
) -> tuple[Path, ...]:
    """Write the report in one format; into a folder also its tables and pictures as files of their own.

    Links below `root`, or below the target folder, are not followed: another user may have put them there. `path` lies
    below `root` when that is given.
    """
    kind = format_of(path, format)
    folder = Path(path) if is_folder(path) or not kind.file else None
    files = contents(result, kind, subject, whole=folder is not None)
    if folder is None:
        files = {Path(path).name: files[kind.file]}
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


def contents(run: RunResult, kind: ReportFormat, subject: str | None = None, whole: bool = False) -> dict[str, bytes]:
    """Return files by name; only the report itself unless `whole`."""
    files = RENDERERS[kind.name](run, subject, whole)
    return {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}


def _html(run: RunResult, subject: str | None, whole: bool) -> Files:
    from . import html

    return {"report.html": html.render(document(run, subject))}


def _markdown(run: RunResult, subject: str | None, whole: bool) -> Files:
    report = document(run, subject)
    links, drawn = _pictures(report, "svg", whole)
    return {"report.md": markdown.render(report, links), **drawn}


def _latex(run: RunResult, subject: str | None, whole: bool) -> Files:
    report = document(run, subject)
    links, drawn = _pictures(report, "pdf", whole)
    return {"report.tex": latex.render(report, links), **(latex.pieces(report) if whole else {}), **drawn}


def _text(run: RunResult, subject: str | None, whole: bool) -> Files:
    return {"report.txt": terminal.render(document(run, subject, pictures=False), full=True, whole=True)}


def _csv(run: RunResult, subject: str | None, whole: bool) -> Files:
    more = {"about.json": frames.about(run), **frames.printed(run, subject)} if whole else {}
    return frames.tables(run, subject) | more


def _parquet(run: RunResult, subject: str | None, whole: bool) -> Files:
    return frames.parquet(run, subject) | ({"about.json": frames.about(run)} if whole else {})


def _every_eval_ever(run: RunResult, subject: str | None, whole: bool) -> Files:
    from .every_eval_ever import records

    return records(run, subject)


def _checklists(run: RunResult, subject: str | None, whole: bool) -> Files:
    from .reporting_lists import reporting_lists

    made = reporting_lists(run)
    return {
        "checklists.md": markdown.render(made),
        "checklists.tex": latex.with_letters(latex.NEEDS + latex.fragment(made.blocks)),
    }


RENDERERS: Mapping[str, Callable[[RunResult, str | None, bool], Files]] = {
    "html": _html,
    "markdown": _markdown,
    "latex": _latex,
    "json": lambda run, subject, whole: {"run.json": json.render(run, subject)},
    "text": _text,
    "csv": _csv,
    "parquet": _parquet,
    "every-eval-ever": _every_eval_ever,
    "checklists": _checklists,
}


def _pictures(report: Document, ending: str, whole: bool) -> tuple[dict[str, str], Files]:
    """Return links by the keys of the figures, and the drawn files."""
    if not whole:
        return {}, {}
    from .figures import picture

    draw: Callable[[Figure], str | bytes] = picture.pdf if ending == "pdf" else picture.svg_file
    links = {figure.key: f"figures/{figure.key}.{ending}" for figure in figures(report)}
    return links, {links[figure.key]: draw(figure) for figure in figures(report)}
