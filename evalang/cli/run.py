"""`evalang run`"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ..errors import EvalangError, ScriptError
from ..findings.report import LintReport
from ..source.text import Source
from .findings import show
from .inputs import STDIN, read

EXPLAINED = "0 done, 1 refused or a claim not supported, 2 unreadable, 3 our own fault, 130 interrupted"


@click.command("run")
@click.argument("files", nargs=-1, required=True)
@click.option("--jobs", "-j", default=1, type=click.IntRange(1, 1024), help="Trials side by side.", show_default=True)
@click.option("--fresh", is_flag=True, help="Start again; trials of earlier runs are thrown away.")
@click.option("--out", type=click.Path(path_type=Path), help="The run folder (default: runs/SCRIPT beside the script).")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="json prints JSON alone on stdout.")
@click.option("--data-root", type=click.Path(path_type=Path), help="A folder that data may also be read from.")
@click.option("--trust", multiple=True, metavar="PACKAGE", help='A package whose code "package:Class" may run.')
@click.option("--allow-net", is_flag=True, help="Let datasets open network connections.")
@click.option("--scheduler", metavar="ADDRESS", help="A dask scheduler, tcp://…; workers may be on many machines.")
@click.option("--trial-seconds", type=float, help="Time limit of one trial.")
@click.option("--trial-memory", type=int, metavar="MB", help="Memory limit of one trial.")
@click.option("--strict", is_flag=True, help="A warning of a learner counts as a failure of its trial.")
@click.option("--full", is_flag=True, help="Print the whole report, not only what it comes to.")
def command(
    files: tuple[str, ...], jobs: int, fresh: bool, out: Path | None, form: str, data_root: Path | None,
    trust: tuple[str, ...], allow_net: bool, scheduler: str | None, trial_seconds: float | None,
    trial_memory: int | None, strict: bool, full: bool,
) -> int:  # fmt: skip
    """Lint, run, test and judge: what may be claimed, in words.

    An earlier run of the same script is taken up where it stopped; only what is missing or has changed is fitted.
    """
    from ..conduct import Request, conduct
    from ..trials.options import RunOptions
    from .progress import bar

    if out is not None and len(files) > 1:
        raise ScriptError("--out names one folder, and there are several scripts", hint="run them one by one")
    worst = 0
    for file in files:
        source = read(file)
        options = RunOptions(
            jobs=jobs,
            fresh=fresh,
            folder=out or folder_of(file, source),
            trial_seconds=trial_seconds,
            trial_memory=trial_memory,
            trusted=frozenset(trust),
            scheduler=scheduler,
            strict=strict,
        )
        request = Request(options=options, data_root=data_root, allow_net=allow_net, progress=bar(), told=_told)
        try:
            judgement = conduct(source, request)
        except EvalangError as error:
            if not error.findings:
                raise
            show(error.findings, {source.path: source}, sys.stderr)
            print(f"evalang: {error}", file=sys.stderr)
            worst = max(worst, error.exit_code)
            continue
        worst = max(worst, _finish(judgement, source, options.folder, form, full))
    return worst


def folder_of(file: str, source: Source) -> Path:
    """runs/SCRIPT beside the script."""
    if file == STDIN:
        return Path("runs") / "stdin"
    return Path(os.path.dirname(file) or ".") / "runs" / Path(file).stem


def _told(report: LintReport) -> None:
    """What the design stage found, before anything is loaded."""
    worth = tuple(f for f in report.findings if f.level != "note")
    if worth:
        show(worth, report.sources, sys.stderr)


def _finish(judgement, source: Source, folder: Path | None, form: str, full: bool) -> int:  # type: ignore[no-untyped-def]
    from ..reports.build import document
    from ..reports.json import render as render_json
    from ..reports.terminal import show as show_document
    from ..source.replace_file import replace_file
    from ..stored import RESULT
    from ..verdicts.archive import dumps
    from .outputs import write_outputs

    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(str(folder / RESULT), dumps(judgement).encode("utf-8"))
    written = write_outputs(judgement, source)
    if form == "json":
        sys.stdout.write(render_json(judgement))
    else:
        show_document(document(judgement), sys.stdout, full=full)
        for path in written:
            print(f"wrote {path}", file=sys.stderr)
        if folder is not None:
            print(f"The run is kept in {folder}; evalang report {folder} --to html writes it as a page.", file=sys.stderr)
    refused = any(f.level == "error" and f.code != "EV705" for f in judgement.findings)
    return int(refused or not judgement.supported)
