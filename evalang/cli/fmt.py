"""`evalang fmt`"""

from __future__ import annotations

import sys

import click

from ..errors import EvalangError
from ..language.format import format_script
from ..language.text import SourceText, for_terminal
from .screen import FILE, STDIN, each, expand, read, show_error


@click.command("fmt")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a file would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change, exit 1 when something would.")
@click.option("--skip-logs", is_flag=True, help="Pass over logs of Inspect, which end in .eval too.")
def command(files: tuple[str, ...], check: bool, diff: bool, skip_logs: bool) -> int:
    """Format scripts: one clause a line where a statement is long, comments kept, meaning unchanged.

    FILES are scripts or folders of them; `-` reads standard input and writes to standard output.

    \b
    evalang fmt study.eval      write it anew
    evalang fmt --diff .        what would change below this folder
    evalang fmt --check .       for continuous integration
    evalang fmt - < study.eval  for editors
    """
    paths = tuple(expand(files, skip_logs=skip_logs))
    code = each(paths, lambda path: _one(path, check, diff))
    if check and not code:
        print(f"{len(paths)} file{'s' * (len(paths) != 1)} formatted already", file=sys.stderr)
    return code


def _one(path: str, check: bool, diff: bool) -> int:
    source = read(path)
    try:
        text = format_script(source)
    except EvalangError as error:
        show_error(error, {source.path: source})
        return error.exit_code
    changed = text != source.text
    if diff:
        from ..plans.canonical import starred

        sys.stdout.write(for_terminal(starred(difference(source, text)), lines=True))
    if check and changed:
        print(for_terminal(f"{source.path} would be changed"), file=sys.stderr if diff else sys.stdout)
    if check or diff:
        return int(changed)
    if path == STDIN:
        sys.stdout.write(text)
    elif changed:
        from ..language.held import replace_file

        replace_file(path, text.encode("utf-8"))
        print(for_terminal(f"{source.path} formatted"), file=sys.stderr)
    return 0


def difference(source: SourceText, after: str) -> str:
    """What would change, as a unified diff."""
    from difflib import unified_diff

    lines = unified_diff(source.text.splitlines(True), after.splitlines(True), source.path, source.path)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
