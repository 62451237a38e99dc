"""`evalang compare`: compare tables and logs without a script."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
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
@click.option("--script", "out", type=click.Path(dir_okay=False), help="Also write the equivalent script to this file.")
@click.option(
    "--ledger/--no-ledger",
    default=None,
    help="Count this use of the data in evalang.ledger beside the files (default: where there is one already).",
)
@screen.STRICT
def compare_command(
    files: tuple[str, ...], out: str | None, ledger: bool | None, strict: bool, **reading_options: Any
) -> int:
    """Compare the learners of a table or of logs: plan, verdict, smallest difference, and the script for it.

    What the columns of a table stand for is guessed from their names and values, and printed as a script. Where a
    table can be read in two ways, evalang asks; without a terminal it prints both scripts and ends with exit code 2.

    \b
    evalang compare results.csv                  a column for each learner, or a row for each score
    evalang compare predictions.parquet          a column named truth, and predictions of each learner
    evalang compare a.csv b.csv                  one learner each, joined by the column of ids; or tables
                                                 of the same columns, one below the other
    evalang compare results.csv --script study.eval
    evalang compare logs/a.eval logs/b.eval
    evalang compare logs/                        a folder: models by items
    evalang compare results_*.csv                tables of the AutoML benchmark
    evalang compare runs/ -o metric=exact_match  a run of HELM has dozens of metrics
    """
    from ..data.access import Access
    from ..ledger.chain import NAME as LEDGER
    from ..ledger.history import Project
    from ..pipeline import Request, run_script
    from ..plans.description import describe
    from ..reports.assemble import document
    from ..reports.terminal import show as show_document
    from ..settings import settings_for
    from .tables import SCRIPT_NAME, ReadingOptions, choose_reading, join_files, place_files, read_as_scripts

    root, locator = place_files(files, out)
    access = Access(root=Path(root or "."), on_read=screen.reading())
    options, named, joined = ReadingOptions(**reading_options), files[0], b""
    if len(files) > 1 and not options.are_logs(files):
        joined = join_files(files, root, access, options)
        named, locator = "the joined table", f"{Path(out).stem}.csv" if out else "joined.csv"
        kept = Path(root or ".") / locator
        if out and kept.exists() and kept.read_bytes() != joined:
            raise ScriptError(f"there is already another file {kept}", hint="choose another name for --script")
        scratch = Path(click.get_current_context().with_resource(tempfile.TemporaryDirectory()))
        (scratch / locator).write_bytes(joined)
        access = Access(root=scratch, on_read=screen.reading())
        files, options = (str(scratch / locator),), replace(options, reader="csv", options=())
    meaning, script = choose_reading(read_as_scripts(files, locator, access, options), named)
    if meaning:
        print(for_terminal(f"{named} is read as {meaning}.") + "\n")
    source = SourceText(out or os.path.join(root, SCRIPT_NAME), script)
    settings = settings_for(source.path)
    off = settings.why_no_ledger("--no-ledger" if ledger is False else "")
    counted = not off and (ledger or os.path.isfile(os.path.join(root, LEDGER)))
    request = Request(
        on_note=lambda note: print(for_terminal(note)),
        reading=access.on_read,
        tables=access.tables,
        data_root=access.root if joined else None,
        ledger=Project(root or ".") if counted else None,
        ledger_off=off,
        strict=strict or settings.strict,
    )
    try:
        result = run_script(source, request)
    except EvalangError as error:
        screen.show_error(error, {source.path: source})
        print(for_terminal(f"\nThe files were read as this script:\n\n{script}", lines=True), file=sys.stderr)
        return error.exit_code
    plan = describe(result.plan, ran=True)
    sys.stdout.write(for_terminal(plan, lines=True) + "\n")
    show_document(document(result, background=False), sys.stdout, full=False)
    sys.stdout.write("\n" + "".join(for_terminal(line) + "\n" for line in _smallest(result)))
    if out:
        from ..language.files import replace_file

        replace_file(out, script.encode("utf-8"))
        if joined:
            replace_file(os.path.join(root, locator), joined)
        print("\n" + for_terminal(f"The same as a script is in {out}: evalang run {out}"))
    else:
        words = f"\nThe same as a script, to be kept as {source.path}:\n\n{source.text}"
        sys.stdout.write(for_terminal(words, lines=True))
        if joined:
            print("\nIts table is kept with it by --script study.eval.")
    return int(any(f.level == "error" for f in result.findings))


def _smallest(result: RunResult) -> list[str]:
    """Return the smallest difference found with 80% power: of each test between two learners, else the range of all."""
    from ..results.numbers import plural, significant
    from ..verdicts.power import smallest_difference

    tested = [(v, v.test, smallest_difference(v)) for v in result.verdicts if v.pair and v.test is not None]
    known = [(v, test, size) for v, test, size in tested if size is not None or test.test.startswith("mcnemar")]
    if not known:
        return ["The smallest detectable difference is unknown: the test has no confidence interval."]
    pairs = len({v.learners for v, _, _ in known})
    sizes = sorted(size for _, _, size in known if size is not None)
    if pairs > 1 and sizes:
        span = " to ".join(dict.fromkeys(significant(size, 2) for size in (sizes[0], sizes[-1])))
        none = (
            f"; {plural(len(known) - len(sizes), 'test finds', 'tests find')} none" if len(sizes) < len(known) else ""
        )
        return [f"Smallest difference that is found with 80% power: {span} ({plural(pairs, 'pair')}{none})."]
    lines = []
    for verdict, test, size in known:
        where = verdict.dataset or f"{len(verdict.datasets)} datasets"
        what = f"a difference of {significant(size, 2)}" if size is not None else "no difference"
        few = f" by {plural(test.n_units, 'item')}" if size is None else ""
        who = " and ".join(verdict.learners) if pairs == 1 else "any two"
        lines.append(f"Between {who} on {where}, {what} would be found with 80% power{few}.")
    return list(dict.fromkeys(lines))
