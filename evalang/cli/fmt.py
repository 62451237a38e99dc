"""`evalang fmt`"""

from __future__ import annotations

import sys

import click

from ..errors import EvalangError
from ..source.escape import for_terminal
from ..source.replace_file import replace_file
from ..source.text import Source
from ..syntax.format import format_script
from .inputs import STDIN, expand, read


@click.command("fmt")
@click.argument("files", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a file would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change, exit 1 when something would.")
def command(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Format scripts: one clause a line where a statement is long, comments kept, meaning unchanged.

    FILES are scripts or folders of them; `-` reads standard input and writes to standard output.
    """
    from .findings import show_errors

    worst = changed = total = 0
    for path in expand(files):
        total += 1
        source = read(path)
        try:
            text = format_script(source)
        except EvalangError as error:
            show_errors(error, source)
            worst = max(worst, error.exit_code)
            continue
        before = source.original if hasattr(source, "original") else source.text
        changed += text != before
        if diff:
            sys.stdout.write(for_terminal(difference(source, before, text), lines=True))
        elif path == STDIN and not check:
            sys.stdout.write(text)
        elif check and text != before:
            print(for_terminal(f"{source.path} would be changed"))
        elif text != before:
            replace_file(path, text.encode("utf-8"))
            print(for_terminal(f"{source.path} formatted"), file=sys.stderr)
    if check and not changed and not worst:
        print(f"{total} file{'s' * (total != 1)} formatted already", file=sys.stderr)
    return worst or int(bool((check or diff) and changed))


def difference(source: Source, before: str, after: str) -> str:
    """What would change, as a unified diff."""
    from difflib import unified_diff

    lines = unified_diff(before.splitlines(True), after.splitlines(True), source.path, source.path)
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
