"""Commands that help to write scripts: `new` (a starter), `fmt`, `explain` and `server` (for an editor)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ..errors import EvalangError, ScriptError
from ..language.files import replace_file
from ..language.format import format_script
from ..language.text import for_terminal, nearest
from ..plans.names import canonical_words
from . import screen

STARTER = Path(__file__).with_name("starter.eval")


@click.command("new")
@click.argument("folder", default=".", type=click.Path(file_okay=False))
def new_command(folder: str) -> int:
    """Write study.eval, a commented starter script that runs, into FOLDER (default: the current folder).

    \b
    evalang new my-study
    evalang run my-study/study.eval
    """
    path = os.path.join(folder, "study.eval") if folder != "." else "study.eval"
    if os.path.lexists(path):
        raise ScriptError(f"the file {path} exists already", hint="name another folder: evalang new my-study")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        what = f"the folder {folder} cannot be created: {error.strerror}"
        raise ScriptError(what, hint="name another folder") from None
    replace_file(path, STARTER.read_bytes())
    print(for_terminal(f"wrote {path}; now: evalang run {path}"))
    return 0


@click.command("fmt")
@click.argument("files", nargs=-1, required=True, type=screen.FILE)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a file would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change, exit 1 when something would.")
@screen.SKIP_LOGS
def fmt_command(files: tuple[str, ...], check: bool, diff: bool, skip_logs: bool) -> int:
    """Format scripts: one clause per line in long statements, canonical names. Comments and meaning stay.

    FILES are scripts or folders of them; `-` reads standard input and writes to standard output.

    \b
    evalang fmt study.eval      format the file
    evalang fmt --diff .        what would change below this folder
    evalang fmt --check .       for continuous integration
    evalang fmt - < study.eval  for editors
    """
    paths = tuple(screen.expand(files, skip_logs=skip_logs))
    code = screen.run_for_each_file(paths, lambda path: _format_file(path, check, diff))
    if check and not code:
        print(f"{len(paths)} file{'s' * (len(paths) != 1)} formatted already", file=sys.stderr)
    return code


def _format_file(path: str, check: bool, diff: bool) -> int:
    """Format one script, or show the change; return the exit code."""
    source = screen.read(path)
    try:
        text = format_script(source, canonical_words)
    except EvalangError as error:
        screen.show_error(error, {source.path: source})
        return error.exit_code
    changed = text != source.text
    if diff:
        screen.print_diff(source, text)
    if check and changed:
        print(for_terminal(f"{source.path} would be changed"), file=sys.stderr if diff else sys.stdout)
    if check or diff:
        return int(changed)
    if path == screen.STDIN:
        sys.stdout.write(text)
    elif changed:
        replace_file(path, text.encode("utf-8"))
        print(for_terminal(f"{source.path} formatted"), file=sys.stderr)
    return 0


def explained_words() -> list[str]:
    """Return everything that can be explained."""
    from ..catalogue.cards import names
    from ..findings.rules import RULES

    words = [name for _, entries in names() for name, _ in entries]
    return [*words, *(word for rule in RULES for word in (rule.code, rule.name))]


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [word for word in explained_words() if word.startswith(incomplete)]


@click.command("explain")
@click.argument("words", nargs=-1, shell_complete=_complete)
@click.option("--all", "everything", is_flag=True, help="List everything that can be explained.")
def explain_command(words: tuple[str, ...], everything: bool) -> int:
    """Explain a rule, a test, a metric, a correction, a scheme, a learner or a word.

    The text says what it is, when to use it and when not, and where it comes from.

    \b
    evalang explain EV501         a finding, and what to do about it
    evalang explain corrected-t   a statistical test
    evalang explain tune on       a word of the language
    evalang explain peeking       a common term, and what evalang calls it
    evalang explain --all         everything there is
    """
    from ..catalogue.cards import card, explain_term
    from ..findings.page import page

    if everything or not words:
        sys.stdout.write(_everything())
        return 0
    word = " ".join(words)
    dashed = word.lower().replace("_", "-").replace(" ", "-")
    found = page(word) or explain_term(word) or card(word) or card(dashed)
    if found is None:
        near = nearest(word, explained_words())
        hint = f"did you mean {near}?" if near else "evalang explain --all lists everything"
        raise ScriptError(f'there is no page on "{word}"', hint=hint)
    sys.stdout.write(for_terminal(found.replace("**", ""), lines=True))  # Markdown, read on a terminal
    return 0


def _everything() -> str:
    from ..catalogue.cards import names
    from ..findings.rules import RULES

    lines = ["rules", *(f"  {rule.code}  {rule.level:8}{rule.name}" for rule in RULES)]
    for section, entries in names():
        lines += ["", section, *(f"  {name:24}{title}" for name, title in entries)]
    return "\n".join(lines) + "\n"


@click.command("server")
@click.option(
    "--pages",
    default="",
    metavar="ADDRESS",
    help="Address of the rule pages with {page} or {code} in it, for links in findings.",
)
@click.option("--stdio", is_flag=True, hidden=True, help="The only transport; editors pass it.")
def server_command(pages: str, stdio: bool) -> int:
    """Serve an editor: findings while you write, repairs, hover, completion, hints, rename, formatting.

    Your editor starts it and uses the Language Server Protocol over standard input and output. No script runs unless
    you ask for it there, and of the data only the first line of a CSV file is read.

    \b
    pip install "evalang[editor]"   what it needs
    evalang server                  what the editor starts
    """
    try:
        import pygls  # noqa: F401
    except ImportError as error:
        raise ScriptError("the language server needs pygls", hint='pip install "evalang[editor]"') from error
    from ..editor.server import serve

    serve(pages)
    return 0
