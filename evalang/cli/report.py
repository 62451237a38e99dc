"""`evalang report` and `evalang render`: reports of finished runs, and eval blocks filled in documents."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from ..catalogue.formats import FORMATS, format_by_ending
from ..errors import ScriptError
from ..language.text import SourceText, for_terminal
from . import screen

if TYPE_CHECKING:
    from ..results.run_result import RunResult

_INCOHERENT = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
DOCUMENTS = (".md", ".markdown", ".qmd", ".rmd", ".txt")  # that render fills
_FOLDERS = {  # formats of several files, unless one file is named
    one.name: one.endings for one in FORMATS if one.folder or one.name == "latex"
}
_PLACES = {one.name: one.place for one in FORMATS}
QUARTO = "quarto"  # another word for Markdown, in a file of Quarto's


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "form",
    type=click.Choice([*sorted(_PLACES, key=lambda name: name != "text"), QUARTO]),
    help="Output format.",
    show_default="by the ending of --out, else text on the screen",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="File to write (a folder, if the format has several files)."
)
@click.option("--subject", metavar="COMPARISON", help="Report only this comparison.")
@click.option("--failures", is_flag=True, help="Instead of the report, print every failed fit with its traceback.")
@click.option("--open", "open_", is_flag=True, help="Write the HTML page and open it in a browser.")
def report_command(
    run: Path, form: str | None, out: Path | None, subject: str | None, failures: bool, open_: bool
) -> int:
    """Write the report of a finished RUN folder in any format; nothing is fitted.

    Text goes to the screen; other formats are written into the run folder unless --out says otherwise.

    \b
    evalang report runs/study
    evalang report runs/study --open
    evalang report runs/study --failures
    evalang report runs/study --to html --out paper.html
    evalang report runs/study --to latex --subject forest-or-tree
    evalang report runs/study --to csv --out outcome/   verdicts and scores, date and versions; parquet alike
    evalang report runs/study --to every-eval-ever      a record of each model with its samples
    """
    from ..api import load_result

    beside = run.parent / "runs" / run.stem
    if run.is_file() and beside.is_dir():
        raise ScriptError(f"{run} is a file, not a run folder", hint=f"write evalang report {beside}")
    if form is None and not open_:
        form = _form_of(out)
    result = load_result(run)
    try:
        if failures:
            _print_failures(result, run, subject)
            return 0
        written = _report(result, run, "html" if open_ else str(form), out, subject)
    except _INCOHERENT as error:  # every field has the right type, but they contradict each other
        if os.environ.get("EVALANG_DEBUG"):
            raise
        raise ScriptError(
            f"the result in {run} is damaged: its parts contradict each other ({type(error).__name__})",
            hint="run the script again",
        ) from None
    if open_:
        page = next(path for path in written if path.suffix == ".html")
        if click.launch(str(page.resolve())) != 0:
            print(for_terminal(f"no browser could be started: open {page}"), file=sys.stderr)
    return 0


def _form_of(out: Path | None) -> str:
    """Return the format of a file's ending; text for the screen."""
    if out is None:
        return "text"
    found = format_by_ending(out.suffix)
    if found is None:
        hint = "add --to and the format, such as --to latex, or end the file in .html, .md, .qmd, .tex, .json or .csv"
        raise ScriptError(f"the ending of --out {out} is not a known format", hint=hint)
    return found.name


def _print_failures(result: RunResult, run: Path, subject: str | None) -> None:
    """Print every failed fit with its traceback; those of a guarded test part stay hidden, as in the report."""
    from ..scores.export import StoredTrials

    visible = tuple(c for c in result.plan.comparisons if not c.guarded and c.data == "datasets")
    found = list(StoredTrials(run, replace(result.plan, comparisons=visible), subject).failures()) if visible else []
    for where, failure in found:
        text = failure.traceback or f"{failure.error}: {failure.message}"
        print("\n".join(for_terminal(line) for line in (where, *text.splitlines())) + "\n")
    if not found:
        print("no fit failed")


def _report(result: RunResult, run: Path, form: str, out: Path | None, subject: str | None) -> tuple[Path, ...]:
    from ..ledger.entries import record_reports
    from ..reports.assemble import document
    from ..reports.terminal import show
    from ..reports.write import write
    from ..results.run_result import KEPT

    names = [c.name for c in result.plan.comparisons]
    if subject is not None and subject not in names:
        raise ScriptError(f"the run has no comparison `{subject}`", hint=f"its comparisons: {', '.join(names)}")
    if form == "text" and out is None:
        show(document(result, subject, pictures=False), sys.stdout, full=True)
        return ()
    place = "report.qmd" if form == QUARTO else _PLACES[form]
    target = str(out) if out is not None else f"{run}/{place}"
    form = "markdown" if form == QUARTO else form
    if form in _FOLDERS and not target.endswith(_FOLDERS[form]):
        target = target.rstrip("/") + "/"  # several files: a folder, whether it is there yet or not
    written = write(result, target, form, subject=subject, root=None if out is not None else str(run))
    if form in ("csv", "parquet") and any(c.data == "datasets" for c in result.plan.comparisons):
        from ..scores.export import StoredTrials, export_trials
        from ..trials.folder import CELLS

        if (run / CELLS).is_file():  # a run of an older evalang does not have it
            folder = Path(target) if target.endswith("/") else Path(target).parent
            written = (*written, *export_trials(StoredTrials(run, result.plan, subject), folder, f".{form}"))
    for path in written:
        print(for_terminal(f"wrote {path}"))
    if result.ledger == KEPT and run.resolve().parent.name == "runs":  # a copy elsewhere has no ledger beside it
        record_reports(str(run.resolve().parents[1]), run.resolve().name, (path.name for path in written))
    return written


@click.command("render")
@click.argument("documents", nargs=-1, required=True, type=screen.FILE)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a document is out of date.")
@screen.JOBS
@screen.DATA_ROOT
@screen.ALLOW_NET
@screen.STRICT
@screen.NO_LEDGER
def render_command(documents: tuple[str, ...], check: bool, **asked: Any) -> int:
    """Run the eval blocks of Markdown documents and write their results below them.

    The blocks of a document are one script. Verdicts follow the block that compares; a value in the text, written in
    backticks as eval: NAME, is filled in. Pictures are written into a folder beside the document (paper.md:
    paper-figures). Rendering again replaces what was filled in before.

    \b
    evalang render paper.md
    evalang render --check paper.md docs/study.md   for continuous integration
    """

    def render_file(path: str) -> int:
        from ..data.files import read_adjacent_file
        from ..language.files import replace_below, replace_file
        from ..reports.embed import has_blocks, render

        if path != screen.STDIN and not path.lower().endswith(DOCUMENTS):
            hint = f"name a file that ends in {', '.join(DOCUMENTS)}; for LaTeX use evalang report RUN --to latex"
            raise ScriptError(f"render cannot fill {path}", hint=hint)
        source = screen.read(path)
        if not has_blocks(source.text):
            print(for_terminal(f"{source.path} has no eval block and no value to fill in"), file=sys.stderr)
        drawn: dict[str, str] = {}

        def draw(key: str, svg: str) -> str:
            name = f"{Path(path).stem}-figures/{key}.svg"
            drawn[name] = svg
            return quote(name)

        text = render(
            source.text,
            lambda script: _run_blocks(script, path, source.path, check=check, **asked),
            None if path == screen.STDIN else lambda name: read_adjacent_file(path, name),
            None if path == screen.STDIN else draw,
        )
        place = Path(path).parent
        if check:
            # Pictures of one result differ between versions of matplotlib, so one that is there is not compared.
            old = text != source.text or not all((place / name).is_file() for name in drawn)
            if old:
                print(for_terminal(f"{source.path} is out of date"))
            return int(old)
        for name, svg in drawn.items():
            replace_below(str(place), name, svg.encode("utf-8"))
        if path == screen.STDIN:
            sys.stdout.write(text)
        elif text != source.text:
            replace_file(path, text.encode("utf-8"))
            print(for_terminal(f"{source.path} rendered"), file=sys.stderr)
        return 0

    return screen.run_for_each_file(documents, render_file)


def _run_blocks(script: str, path: str, shown: str, *, check: bool, jobs: int | None, **asked: Any) -> RunResult:
    """Return the result of the blocks of a document, which are one script; its run folder lies beside the document."""
    from ..errors import EvalangError
    from .run import run_shown

    kept = path != screen.STDIN and os.path.isfile(path)
    folder = screen.folder_of(path) if kept else None
    try:
        return run_shown(
            SourceText(shown, script),
            path,
            folder,
            {"jobs": jobs, "within": folder.parents[1] if folder else None},
            ledger_read_only=check,  # refuses what a run refuses, and writes nothing
            **asked,
        )
    except EvalangError as error:
        error.findings = ()  # they are printed
        raise
