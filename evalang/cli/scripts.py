"""`evalang new` and `evalang fmt`: write a starter script, format scripts."""

from __future__ import annotations

import os
import sys

import click

from ..errors import EvalangError, ScriptError
from ..language.files import replace_file
from ..language.format import format_script
from ..language.text import for_terminal
from ..plans.synonyms import canonical_words
from .screen import FILE, STDIN, expand, read, run_for_each_file, show_error

STARTER = """\
# A first comparison: is a forest better than one tree, when both are tuned with the same care?
#
#   evalang lint study.eval     what would make the result worthless
#   evalang plan study.eval     what will be done, and what it costs
#   evalang run study.eval      do it, and say what may be claimed

# Every random choice derives from this number: the same seed gives the same numbers on the same software.
set seed 20

# The data. These two come with scikit-learn; your own is named like this:
#   dataset credit from csv "credit.csv", target "class", because "the records the learner is built for"
suite carried is breast-cancer, digits
  because "the two classification sets that scikit-learn carries with rows enough for a tuning part"

# The learners. Preparation steps stand before a learner (scale | svm) and are fitted on training rows only.
learner tree is decision-tree, tune max_depth in {1, 4, 16, 64}
learner forest is random-forest, tune max_depth in {1, 4, 16, 64}

# The experiment: a fifth of each training part chooses max_depth, then the winner is trained again on all of it.
# Two datasets are two tests, so the level is shared between them.
compare forest vs tree on carried using 5x2cv, tune on 20%, holm over datasets, as forest-or-tree

# What you hope to write in the paper: checked against the design now, and against the result after the run.
claim forest better than tree on digits
"""


@click.command("new")
@click.argument("folder", default=".", type=click.Path(file_okay=False))
def new_command(folder: str) -> int:
    """Write study.eval, a commented starter script that runs, into FOLDER (this one by default).

    \b
    evalang new my-study
    evalang run my-study/study.eval
    """
    path = os.path.join(folder, "study.eval") if folder != "." else "study.eval"
    if os.path.lexists(path):
        raise ScriptError(f"{path} is already there", hint="name another folder: evalang new my-study")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ScriptError(f"{folder} cannot be made: {error.strerror}", hint="name a folder that can be") from None
    replace_file(path, STARTER.encode("utf-8"))
    print(for_terminal(f"wrote {path}; now: evalang run {path}"))
    return 0


@click.command("fmt")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a file would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change, exit 1 when something would.")
@click.option("--skip-logs", is_flag=True, help="Skip logs of Inspect, which end in .eval too.")
def fmt_command(files: tuple[str, ...], check: bool, diff: bool, skip_logs: bool) -> int:
    """Format scripts: one clause a line where a statement is long, names as the catalogue writes them.

    Comments and meaning stay.

    FILES are scripts or folders of them; `-` reads standard input and writes to standard output.

    \b
    evalang fmt study.eval      format the file
    evalang fmt --diff .        what would change below this folder
    evalang fmt --check .       for continuous integration
    evalang fmt - < study.eval  for editors
    """
    paths = tuple(expand(files, skip_logs=skip_logs))
    code = run_for_each_file(paths, lambda path: _one(path, check, diff))
    if check and not code:
        print(f"{len(paths)} file{'s' * (len(paths) != 1)} formatted already", file=sys.stderr)
    return code


def _one(path: str, check: bool, diff: bool) -> int:
    source = read(path)
    try:
        text = format_script(source, canonical_words)
    except EvalangError as error:
        show_error(error, {source.path: source})
        return error.exit_code
    changed = text != source.text
    if diff:
        from ..findings.fix import diff as unified_diff
        from ..plans.passwords import mask_passwords

        sys.stdout.write(for_terminal(mask_passwords(unified_diff(source, text)), lines=True))
    if check and changed:
        print(for_terminal(f"{source.path} would be changed"), file=sys.stderr if diff else sys.stdout)
    if check or diff:
        return int(changed)
    if path == STDIN:
        sys.stdout.write(text)
    elif changed:
        from ..language.files import replace_file

        replace_file(path, text.encode("utf-8"))
        print(for_terminal(f"{source.path} formatted"), file=sys.stderr)
    return 0
