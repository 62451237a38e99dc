"""`evalang lint`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import ScriptError
from ..findings.embedded import extract
from ..findings.engine import lint, unknown_choice
from ..findings.report import LintReport
from ..plans.build import build
from ..source.escape import for_terminal
from ..source.text import Source
from .inputs import DOCUMENTS, expand, read


@click.command("lint")
@click.argument("files", nargs=-1, required=True)
@click.option("--data", "opened", is_flag=True, help="Open the data too, for the rules that need its facts.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--format", "form", type=click.Choice(["text", "json", "sarif", "github"]), default="text")
@click.option("--fix", is_flag=True, help="Write the repairs that are safe.")
@click.option("--diff", is_flag=True, help="Show the repairs that are safe; write nothing.")
@click.option("--select", multiple=True, metavar="CODE", help="Only these rules (EV501, EV5, a name); may be repeated.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these rules; may be repeated.")
@click.option("--data-root", type=click.Path(path_type=Path), help="A folder that data may also be read from.")
@click.option("--allow-net", is_flag=True, help="Let --data open network connections.")
def command(
    files: tuple[str, ...], opened: bool, strict: bool, form: str, fix: bool, diff: bool,
    select: tuple[str, ...], ignore: tuple[str, ...], data_root: Path | None, allow_net: bool,
) -> int:  # fmt: skip
    """Judge the design of experiments: what would make a result worthless, found before a single fit.

    FILES are scripts, folders, Markdown documents or notebooks with eval blocks; `-` is standard input.
    No data is opened without --data, and no code of the script's folder ever runs.
    """
    chosen, left = _words(select), _words(ignore)
    for word in (*chosen, *left):
        wrong = unknown_choice(word)
        if wrong:
            raise ScriptError(wrong)
    reports: list[tuple[str, LintReport]] = []
    for path in expand(files, (".eval",)):
        for source in _sources(path):
            if fix or diff:
                source = _repaired(source, path, fix, chosen, left)  # noqa: PLW2901
            reports.append((source.path, _lint(source, path, opened, chosen, left, data_root, allow_net)))
    if not diff:
        _write(reports, form)
    return _code([report for _, report in reports], strict)


def _words(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for one in given for word in one.split(",") if word)


def _sources(path: str) -> list[Source]:
    if path.endswith(DOCUMENTS):
        return list(extract(read(path)))
    return [read(path)]


def _lint(
    source: Source, path: str, opened: bool, select: tuple[str, ...], ignore: tuple[str, ...], data_root: Path | None, allow_net: bool
) -> LintReport:
    built = build(source)
    report = lint(built, select=select, ignore=ignore)
    if not opened or report.errors:
        return report
    from ..conduct import Request, profiles_of

    built, profiles = profiles_of(built, source, Request(data_root=data_root, allow_net=allow_net))
    return lint(built, profiles=profiles, select=select, ignore=ignore)


def _repaired(source: Source, path: str, write: bool, select: tuple[str, ...], ignore: tuple[str, ...]) -> Source:
    from ..findings.fix import diff as shown
    from ..findings.fix import repair
    from ..source.replace_file import replace_file

    if path.endswith(DOCUMENTS) or path == "-":
        raise ScriptError("repairs are written into scripts only", hint="name a .eval file")
    text = repair(source, select=select, ignore=ignore)
    if not write:
        sys.stdout.write(for_terminal(shown(source, text), lines=True))
        return Source(source.path, text)
    if text != source.text:
        replace_file(path, text.encode("utf-8"))
    return Source(source.path, text)


def _write(reports: list[tuple[str, LintReport]], form: str) -> None:
    found = [report for _, report in reports]
    if form == "json":
        import json

        from ..findings.render_json import document

        print(json.dumps(document(reports), indent=2, ensure_ascii=False, allow_nan=False))
    elif form == "sarif":
        import json

        from .. import __version__
        from ..findings.render_sarif import sarif

        print(json.dumps(sarif(found, __version__), indent=2, ensure_ascii=False, allow_nan=False))
    elif form == "github":
        from ..findings.render_github import github

        sys.stdout.write(github(found))
    else:
        from ..findings.render_text import text
        from .findings import colourful

        sys.stdout.write(text(found, colour=colourful(sys.stdout)))


def _code(reports: list[LintReport], strict: bool) -> int:
    if any(f.code == "EV001" for report in reports for f in report.findings):
        return 2
    if any(report.crashed for report in reports):
        return 3
    return int(any(report.at_least("warning" if strict else "error") for report in reports))
