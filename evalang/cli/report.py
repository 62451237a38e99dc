"""`evalang report`"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..catalogue.formats import FORMATS
from ..errors import ScriptError
from ..language.text import for_terminal

if TYPE_CHECKING:
    from ..results.run_result import RunResult

_INCOHERENT = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_FOLDERS = {  # formats of several files, unless one file is named
    one.name: one.endings for one in FORMATS if one.folder or one.name == "latex"
}
_PLACES = {one.name: one.place for one in FORMATS}


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "form",
    type=click.Choice(sorted(_PLACES, key=lambda name: name != "text")),
    default="text",
    help="The format to write.",
    show_default=True,
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file or, for formats of several files, the folder to write."
)
@click.option("--subject", metavar="COMPARISON", help="Only this comparison.")
@click.option("--open", "open_", is_flag=True, help="Write the page (html) and open it in a browser.")
def command(run: Path, form: str, out: Path | None, subject: str | None, open_: bool) -> int:
    """Write the report of a finished RUN folder in any format; nothing is fitted.

    Text goes to the screen; other formats are written into the run folder unless --out says otherwise.

    \b
    evalang report runs/study
    evalang report runs/study --open
    evalang report runs/study --to html --out paper.html
    evalang report runs/study --to latex --subject forest-or-tree
    evalang report runs/study --to csv --out outcome/   verdicts and scores, date and versions; parquet alike
    evalang report runs/study --to every-eval-ever      a record of each model with its samples
    """
    from ..remember import stored

    result = stored(run)
    try:
        written = _report(result, run, "html" if open_ else form, out, subject)
    except _INCOHERENT as error:  # every field is of its kind, and yet they do not belong together
        if os.environ.get("EVALANG_DEBUG"):
            raise
        raise ScriptError(
            f"the result in {run} does not hold together ({type(error).__name__})", hint="run the script again"
        ) from None
    if open_:
        page = next(path for path in written if path.suffix == ".html")
        if click.launch(str(page.resolve())) != 0:
            print(for_terminal(f"no browser could be started; open {page} yourself"), file=sys.stderr)
    return 0


def _report(result: RunResult, run: Path, form: str, out: Path | None, subject: str | None) -> tuple[Path, ...]:
    from ..remember import reported
    from ..reports.assemble import document
    from ..reports.terminal import show
    from ..reports.write import write
    from ..results.run_result import KEPT

    names = [c.name for c in result.plan.comparisons]
    if subject is not None and subject not in names:
        raise ScriptError(f"this run has no comparison {subject}", hint=f"it has {', '.join(names)}")
    if form == "text":
        show(document(result, subject, pictures=False), sys.stdout, full=True)
        return ()
    target = str(out) if out is not None else f"{run}/{_PLACES[form]}"
    if form in _FOLDERS and not target.endswith(_FOLDERS[form]):
        target = target.rstrip("/") + "/"  # several files: a folder, whether it is there yet or not
    written = write(result, target, form, subject=subject, root=None if out is not None else str(run))
    if form in ("csv", "parquet") and any(c.data == "datasets" for c in result.plan.comparisons):
        from ..scores.export import KeptTrials, export_trials
        from ..trials.folder import CELLS

        if (run / CELLS).is_file():  # a run of an older evalang does not have it
            folder = Path(target) if target.endswith("/") else Path(target).parent
            written = (*written, *export_trials(KeptTrials(run, result.plan, subject), folder, f".{form}"))
    for path in written:
        print(for_terminal(f"wrote {path}"))
    if result.ledger == KEPT and run.resolve().parent.name == "runs":  # a copy elsewhere has no ledger beside it
        reported(str(run.resolve().parents[1]), run.resolve().name, (path.name for path in written))
    return written
