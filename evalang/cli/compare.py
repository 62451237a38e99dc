"""`evalang compare`: compare tables and logs without a script."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import EvalangError, ScriptError
from ..language.text import SourceText, for_terminal
from . import screen

if TYPE_CHECKING:
    from ..results.run_result import RunResult


@click.command("compare")
@click.argument("files", nargs=-1, required=True, type=screen.FILE)
@screen.with_reader_options
@click.option("--script", "out", default="", type=screen.OUT_FILE, help="Also write the script to this file.")
@click.option(
    "--ledger/--no-ledger",
    default=None,
    help="Record this use of the data in evalang.ledger beside the files (default: if the file exists).",
)
@screen.STRICT
def compare_command(files: tuple[str, ...], out: str, ledger: bool | None, strict: bool, **reading_options: Any) -> int:
    """Compare the learners of a table or of logs without a script.

    evalang guesses what each column means from its name and values. The command prints the plan, the
    verdict, the smallest difference with 80% power, and the script that it ran. If a table can be read in two ways,
    evalang asks; without a terminal the command prints both scripts and ends with exit code 2.

    \b
    evalang compare results.csv                  a column for each learner, or a row for each score
    evalang compare predictions.parquet          a column named truth, and predictions of each learner
    evalang compare a.csv b.csv                  one learner in each file, joined by the column of ids;
                                                 or several parts of one table
    evalang compare results.csv --script study.eval
    evalang compare logs/a.eval logs/b.eval
    evalang compare logs/                        a folder: models by items
    evalang compare results_*.csv                tables of the AutoML benchmark
    evalang compare runs/ -o metric=exact_match  a run of HELM has dozens of metrics
    """
    from ..ledger.chain import NAME as LEDGER
    from ..ledger.history import Project
    from ..pipeline import run_script
    from ..plans.description import describe
    from ..reports.assemble import document
    from ..reports.terminal import show as show_document
    from ..settings import settings_for
    from .tables import SCRIPT_NAME, ReadingOptions, choose_reading, read_files

    scratch = Path(click.get_current_context().with_resource(tempfile.TemporaryDirectory()))
    found = read_files(files, ReadingOptions(**reading_options), scratch, out=out)
    root, joined = found.root, found.joined
    kept = Path(root) / found.locator
    if out and joined and kept.exists() and kept.read_bytes() != joined:
        raise ScriptError(f"the file {kept} exists with different content", hint="choose another name for --script")
    named = "the joined table" if len(files) > 1 and joined else files[0]
    meaning, script = choose_reading(found.readings, named)
    if meaning:
        print(for_terminal(f"{named} is read as {meaning}.") + "\n")
    source = SourceText(out or os.path.join(root, SCRIPT_NAME), script)
    settings = settings_for(source.path, strict=strict)
    off = settings.why_no_ledger("--no-ledger" if ledger is False else "")
    counted = not off and (ledger or os.path.isfile(os.path.join(root, LEDGER)))
    request = found.request(
        on_note=lambda note: print(for_terminal(note)),
        ledger=Project(root or ".", table=", ".join(os.path.basename(name) for name in files)) if counted else None,
        ledger_off=off,
        strict=settings.strict,
    )
    try:
        result = run_script(source, request)
    except EvalangError as error:
        screen.show_error(error, {source.path: source})
        print(for_terminal(f"\nThe files were read by this script:\n\n{script}", lines=True), file=sys.stderr)
        return error.exit_code
    plan = describe(result.plan, ran=True)
    sys.stdout.write(for_terminal(plan, lines=True) + "\n")
    show_document(document(result, background=False), sys.stdout, full=False)
    print("\n" + for_terminal(_smallest(result)))
    if out:
        from ..language.files import replace_file

        replace_file(out, script.encode("utf-8"))
        if joined:
            replace_file(str(kept), joined)
        print("\n" + for_terminal(f"This comparison is also in the script {out}: evalang run {out}"))
    else:
        words = f"\nThis comparison as a script, which you can save as {source.path}:\n\n{source.text}"
        sys.stdout.write(for_terminal(words, lines=True))
        if joined:
            print("\nThe option --script study.eval writes this script and its table to files.")
    return int(any(f.level == "error" for f in result.findings))


def _smallest(result: RunResult) -> str:
    """Return the smallest difference that a test of two learners finds with 80% power, or the range of all tests."""
    from ..results.numbers import significant
    from ..verdicts.power import smallest_difference

    tests = [verdict for verdict in result.verdicts if verdict.pair and verdict.test is not None]
    sizes = sorted(size for size in map(smallest_difference, tests) if size is not None)
    if not sizes:
        return "No difference has 80% power, or the power of this test is unknown."
    span = " to ".join(dict.fromkeys(significant(size, 2) for size in (sizes[0], sizes[-1])))
    return f"Smallest difference with 80% power: {span}" + f" ({len(tests)} tests)" * (len(tests) > 1) + "."
