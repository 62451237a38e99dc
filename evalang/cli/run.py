"""`evalang run`: lint, fit, test and print the answer, and write the reports that the script names."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import EvalangError, ScriptError
from ..language.text import Finding, SourceText, counted, for_terminal
from . import screen
from .main import print_error

if TYPE_CHECKING:
    from ..plans.build import Built
    from ..plans.model import Output, Plan
    from ..results.run_result import RunResult
    from ..trials.folder import Outcome
    from .unchanged import Inputs


def write_outputs(result: RunResult, script: str, folder: Path) -> list[Path]:
    """Write every report that the script names, and return the paths; all are checked before the first is written."""
    sources = {path: SourceText(path, text) for path, text in result.sources}
    outputs = [(output, resolve_report_path(output, sources, script, folder)) for output in result.plan.outputs]
    from ..reports.write import write

    return [path for o, place in outputs for path in write(result, place, o.format, subject=o.subject)]


def resolve_report_path(output: Output, sources: dict[str, SourceText], script: str, folder: Path) -> str:
    """Return where a report goes: beside the script or below it, links followed, with the ending of its format."""
    from ..reports.write import format_of

    root = Path(os.path.dirname(script) or ".")
    place, is_folder, wrong = root / output.path, output.path.endswith("/"), ""
    if "\0" in output.path or not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(root)):
        wrong, hint = "leads out of the folder of the script", "write reports beside the script or below it"
    elif Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder)):
        wrong = "is in the run folder, where evalang stores the fits"
        hint = "write reports beside the script, or into a folder of their own"
    elif not is_folder:
        endings = format_of(output.path, output.format).endings
        if output.format and place.suffix.lower() not in endings and not os.path.isdir(place):
            # a report must not replace a table or a program beside the script
            wrong, hint = f"does not end like a {output.format} file", f"let its name end in {endings[0]}"
    if wrong:
        source = sources.get(output.span.path)
        position = source.position(output.span.start) if source else None
        raise ScriptError(f'"{output.path}" {wrong}', hint=hint, span=output.span, position=position)
    return f"{place}/" if is_folder else str(place)


NEED_A_RUN = ("fresh", "verify", "keep_failures", "scheduler")  # with these options a stored result is not used
MANY_VERDICTS = 10_000  # writing them takes a moment
MOST_REASONS = 5  # why fits failed, printed at the end of a run


@click.command("run")
@click.argument("files", nargs=-1, required=True, type=screen.FILE)
@screen.JOBS
@click.option("--fresh", is_flag=True, help="Delete the fits of earlier runs and start again.")
@click.option("--keep-failures", is_flag=True, help="Do not repeat fits that failed in an earlier run.")
@screen.RUN_FOLDER
@screen.choose_format("text", "json", help="Output format; for several scripts, json is a list.")
@screen.DATA_ROOT
@screen.TRUST
@screen.ALLOW_NET
@click.option("--scheduler", metavar="ADDRESS", help="Address of a dask scheduler (tcp://…) for a cluster.")
@click.option(
    "--trial-seconds", type=screen.Seconds(), help="Time limit of one fit, including tuning (default: 6 hours)."
)
@click.option("--trial-memory", type=click.IntRange(1), metavar="MB", help="Memory limit of one fit.")
@screen.STRICT
@click.option(
    "--learner-warnings",
    type=click.Choice(["show", "fail"]),
    default="show",
    help="fail: a Python warning of a learner makes its fit a failure.",
)
@click.option(
    "--start-method",
    type=click.Choice(["fork", "forkserver", "spawn"]),
    help="How worker processes start (default: spawn; on Linux fork, and forkserver with your own code).",
)
@click.option(
    "--verify",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Repeat N finished fits; exit code 1 if a result differs.",
)
@click.option(
    "--export", is_flag=True, help="Also write scores, splits and predictions as Parquet (CSV without pyarrow)."
)
@screen.NO_LEDGER
@click.option("--full", is_flag=True, help="Print the whole report, not only the answer.")
def run_command(
    files: tuple[str, ...], form: str, full: bool, out: Path | None, data_root: Path | None, allow_net: tuple[str, ...],
    trust: tuple[str, ...], export: bool, no_ledger: bool, strict: bool, learner_warnings: str, **options: Any,
) -> int:  # fmt: skip
    """Check the design, train, test, and say what you can claim.

    FILES are scripts or folders of them; `-` is standard input. A stopped run continues where it stopped, and a
    run of a changed script fits only what has changed. Nothing is trained while lint finds an error.

    \b
    evalang run study.eval
    evalang run --jobs 1 --full study.eval      uses one core
    evalang run --format json study.eval > result.json
    evalang run --trust my_package study.eval   for "my_package:MyLearner" of an installed package

    If the script names a class of a Python file beside it, evalang imports and runs that file:
    `learner mine is my_model.MyModel`.
    """
    from ..api import save_result
    from ..language.files import make_below

    screen.note_strict(strict, "--learner-warnings fail")
    paths = tuple(screen.expand(files))
    if out is not None and len(paths) > 1:
        hint = "leave out --out, or run the scripts one by one"
        raise ScriptError("--out names one folder, but there are several scripts", hint=hint)
    printed: list[str] = []

    def run_file(path: str) -> int:
        source, folder = screen.read(path), out or screen.folder_of(path)
        script_folder = None if out else folder.parents[1]
        plans: list[Plan] = []  # the plan, for the JSON of a script that is refused
        outcomes: list[Outcome] = []
        inputs: list[Inputs] = []
        limits = {"within": script_folder, "trusted": frozenset(trust), "fail_on_warning": learner_warnings == "fail"}
        try:
            result = run_shown(
                source, path, folder, options | limits,
                data_root=data_root, allow_net=allow_net, no_ledger=no_ledger, strict=strict,
                on_built=lambda built: plans.append(built.plan), on_inputs=inputs.append, on_trials=outcomes.append,
                export=export, beside=True,
            )  # fmt: skip
        except EvalangError as error:
            if not error.findings:
                raise
            print_error(error)
            if form == "json":
                printed.append(_render_refused(plans[0], error))
            return error.exit_code
        if script_folder is not None:
            make_below(str(script_folder), f"{folder.parent.name}/{folder.name}")
        if len(result.verdicts) >= MANY_VERDICTS:
            screen.print_note(f"writing {len(result.verdicts):,} verdicts")
        save_result(result, folder)
        for found in inputs:
            found.write(result)
        _write_and_record_outputs(result, source.path, folder)
        if form == "json":
            from ..reports.json import render

            printed.append(render(result).strip())
        else:
            _print_report(result, folder, full)
        _print_failures(result, folder)
        refused = any(f.level == "error" and f.code != "EV705" for f in result.findings)
        if result.left_open:
            failed, open_ = counted(len(result.failures), "fit"), counted(result.left_open, "question")
            screen.print_note(f"{failed} failed; {open_} undecided for that reason")
        statuses = {claim.status for claim in result.claims}
        differing = any(outcome.differing for outcome in outcomes)  # found by --verify
        if refused or "contradicted" in statuses or result.left_open > 0 or differing:
            return 1
        return 0 if result.supported else 4

    code = screen.run_for_each_file(paths, run_file)
    if form == "json" and printed:
        print(printed[0] if len(paths) == 1 else "[\n" + ",\n".join(printed) + "\n]")
    return code


def _render_refused(plan: Plan, error: EvalangError) -> str:
    """Return the JSON of a refused run, with the findings that say why."""
    from ..reports.json import render
    from ..results.run_result import RunResult

    return render(RunResult(plan=plan, findings=error.findings)).strip()


def _print_failures(result: RunResult, folder: Path) -> None:
    """Print the different reasons of failed fits, and how to see their tracebacks."""
    reasons = dict.fromkeys((f.learner, f.message) for f in result.failures if f.kind != "score")
    for learner, message in list(reasons)[:MOST_REASONS]:
        screen.print_note(f"{learner} failed: {message}")
    if reasons:
        screen.print_note(f"tracebacks: evalang report {folder} --failures")


def run_shown(
    source: SourceText, path: str, folder: Path | None, options: dict[str, Any], *, data_root: Path | None,
    no_ledger: bool, strict: bool, on_built: Callable[[Built], None] = lambda _: None,
    on_inputs: Callable[[Inputs], None] | None = None, **more: Any,
) -> RunResult:  # fmt: skip
    """Return the result of a script with the settings of its project, and print each finding once on stderr.

    With `on_inputs`, nothing is run if the run folder has the result of the same inputs: then that result is returned.
    """
    from ..ledger.entries import project_of
    from ..settings import settings_for

    settings = settings_for(path, strict=strict, data_root=data_root, jobs=options["jobs"])
    data_root, strict = settings.data_root, settings.strict
    shown = set[Finding]()
    ledger_off = settings.why_no_ledger("--no-ledger" if no_ledger else "")

    def show(findings: Iterable[Finding], sources: Mapping[str, SourceText]) -> None:
        new = tuple(f for f in findings if f.level != "note" and f not in shown)
        shown.update(new)
        if inputs is not None:
            inputs.findings += new
        screen.show(new, sources, sys.stderr)

    def note(text: str) -> None:
        if inputs is not None:
            inputs.is_simple = False
        screen.print_note(text)

    def check_plan(built: Built) -> None:
        on_built(built)
        if inputs is not None:
            inputs.note_plan(built)
        for output in built.plan.outputs:  # a path that leads astray is refused before anything runs
            resolve_report_path(output, built.sources, source.path, folder or screen.folder_of(path))

    project = None if ledger_off else project_of(source.path)
    inputs = None
    plain = not (data_root or more.get("export") or any(options.get(name) for name in NEED_A_RUN))
    if on_inputs is not None and folder is not None and plain:
        from .unchanged import Inputs

        facts = options | {"jobs": None, "net": more.get("allow_net"), "strict": strict, "off": ledger_off}
        inputs = Inputs(source, folder, facts, project)
        found = inputs.stored_result()
        on_inputs(inputs)
        if found is not None:
            result, findings = found
            show(findings, {name: SourceText(name, text) for name, text in result.sources})
            return result

    from ..pipeline import Request, run_script
    from ..trials.options import RunOptions

    request = Request(
        options=RunOptions(**(options | {"folder": folder, "jobs": settings.jobs})),
        data_root=data_root,
        progress=screen.make_progress_callback(),
        reading=screen.reading(),
        on_plan=check_plan,
        on_findings=lambda report: show(report.findings, report.sources),
        on_note=note,
        ledger=project,
        ledger_off=ledger_off,
        strict=strict,
        **more,
    )
    try:
        return run_script(source, request)
    except EvalangError as error:
        show(error.findings, {source.path: source})
        raise


def _write_and_record_outputs(result: RunResult, path: str, folder: Path) -> None:
    """Write the reports that the script names, and record their names in the ledger."""
    from ..ledger.entries import project_of, record_reports
    from ..results.run_result import KEPT

    written = write_outputs(result, path, folder)
    for one in written:
        print(for_terminal(f"wrote {one}"), file=sys.stderr)
    if written and result.ledger == KEPT:
        project = project_of(path)
        record_reports(project.folder, project.study, (one.name for one in written))


def _print_report(result: RunResult, folder: Path, full: bool) -> None:
    """Print the answer and its table, or the whole report with `full`; then where the run is kept."""
    from ..reports.assemble import document
    from ..reports.terminal import show as show_document
    from ..results.run_result import KEPT

    show_document(document(result, background=full, pictures=False), sys.stdout, full=full, short=not full)
    if result.ledger and result.ledger != KEPT:
        print(for_terminal(f"This run is not in a ledger ({result.ledger})."), file=sys.stderr)
    words = f"The run is kept in {folder}\nThe whole report as a page: evalang report {folder} --open"
    print("\n".join(for_terminal(line) for line in words.split("\n")), file=sys.stderr)
