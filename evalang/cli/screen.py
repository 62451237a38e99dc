"""What a command is given and what it shows beside its answer: scripts, findings and errors, progress of long work."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from ..errors import EvalangError, ScriptError
from ..findings.render_text import render_finding
from ..language.files import ENDINGS, LARGEST, LARGEST_DOCUMENT, decode, files_below, is_log_file, read_script
from ..language.text import Finding, SourceText, for_terminal, wants_colour
from .main import print_error

if TYPE_CHECKING:
    from ..trials.options import Progress


def show(findings: tuple[Finding, ...], sources: Mapping[str, SourceText], stream: TextIO) -> None:
    """Write findings with their source lines."""
    for finding in findings:
        stream.write(render_finding(finding, sources.get(finding.span.path), colour=wants_colour(stream)) + "\n\n")


def show_error(error: EvalangError, sources: Mapping[str, SourceText]) -> None:
    """Print the findings of an error, without notes, and its sentence, on stderr."""
    show(tuple(f for f in error.findings if f.level != "note"), sources, sys.stderr)
    print_error(error)


def print_json(document: object) -> None:
    """Print a document as JSON for people and programs."""
    import json

    print(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def print_diff(source: SourceText, text: str) -> None:
    """Print what would change in a script, with passwords masked."""
    from ..findings.fix import diff
    from ..plans.passwords import mask_passwords

    sys.stdout.write(for_terminal(mask_passwords(diff(source, text)), lines=True))


def print_note(note: str) -> None:
    """Print a note on stderr."""
    print(for_terminal(f"evalang: {note}"), file=sys.stderr)


GRAVITY = (0, 4, 1, 2, 3)  # exit codes, the worst last; what is above them ends everything


def worst_code(codes: Iterable[int]) -> int:
    """Return the exit code of several files: a contradicted claim (1) is worse than an inconclusive one (4).

    >>> worst_code([4, 1, 0]), worst_code([])
    (1, 0)
    """
    return max(codes, key=lambda code: GRAVITY.index(code) if code in GRAVITY else code, default=0)


def run_for_each_file(paths: Iterable[str], work: Callable[[str], int]) -> int:
    """Return the worst exit code of the work on every file; a file that cannot be read does not stop the others."""
    worst = 0
    for path in paths:
        try:
            worst = worst_code((worst, work(path)))
        except EvalangError as error:
            show_error(error, {})
            worst = worst_code((worst, error.exit_code))
            if error.exit_code > 3:  # interrupted
                break
    return worst


STDIN = "-"
DOCUMENTS = (".md", ".markdown", ".ipynb")


class Seconds(click.FloatRange):
    """A positive number of seconds; NaN is refused because it would disable the limit."""

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value} is not a positive number of seconds", param, ctx)
        return found


FILE = click.Path(allow_dash=True)  # only for the shell's completion: our own sentences are better
PATH = click.Path(path_type=Path)
OUT_FILE = click.Path(dir_okay=False)
STRICT = click.option("--strict", is_flag=True, help="Raise many warnings to errors (see docs/rules).")
DATA_ROOT = click.option("--data-root", type=PATH, help="Also allow reading data from this folder.")
ALLOW_NET = click.option(
    "--allow-net", multiple=True, metavar="HOST", help="Allow downloads of datasets from this host; may be repeated."
)
JOBS = click.option(
    "--jobs", "-j", type=click.IntRange(1, 1024), help="Fits in parallel (default: the number of cores)."
)
RUN_FOLDER = click.option("--out", type=PATH, help="The run folder (default: runs/SCRIPT beside the script).")
TRUST = click.option(
    "--trust", multiple=True, metavar="PACKAGE", help='Allow code of this package to run, for "package:Class".'
)
NO_LEDGER = click.option("--no-ledger", is_flag=True, help="Do not record this use of the data in the ledger.")
SKIP_LOGS = click.option("--skip-logs", is_flag=True, help="Skip logs of Inspect, which also end in .eval.")
NAME_VALUE: dict[str, Any] = {"multiple": True, "metavar": "NAME=VALUE"}
READER_OPTIONS = (
    click.option(
        "--from", "reader", metavar="READER", help="Tool that wrote the files: csv, inspect, … (default: detected)."
    ),
    click.option("--measuring", metavar="METRIC", help="Metric to use, if the files name none or several."),
    click.option("--better", type=click.Choice(["higher", "lower"]), help="Whether higher or lower is better."),
    click.option("--option", "-o", "options", help="An option of the reader, such as metric=acc.", **NAME_VALUE),
    click.option("--learners", multiple=True, metavar="A,B", help="Learners to compare (default: all of them)."),
    click.option(
        "--groups", metavar="COLUMN", help="Column whose equal values mark related items, such as metadata.passage."
    ),
)


READING = ("reader", "measuring", "better", "options", "learners", "groups")  # what these options are called in Python


def with_reader_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how tables and logs are read."""
    return reduce(lambda made, option: option(made), reversed(READER_OPTIONS), command)


def choose_format(*forms: str, help: str) -> Callable[..., Any]:
    """Return the option --format; the first form is the default."""
    return click.option("--format", "form", type=click.Choice(forms), default=forms[0], help=help)


def note_strict(strict: bool, meant: str) -> None:
    """Print that --strict has changed its meaning in 0.2.0, and the option for the old one."""
    if strict:  # until 0.4.0
        print_note(f"--strict now sets the strict levels of the rules; its old meaning is {meant}")


def read(path: str) -> SourceText:
    """Read one script; `-` is standard input."""
    if path == STDIN:
        return decode(sys.stdin.buffer.read(LARGEST + 1), "<stdin>")
    return read_script(path, most=LARGEST_DOCUMENT if path.endswith(DOCUMENTS) else None)


def folder_of(path: str) -> Path:
    """Return the run folder: runs/SCRIPT beside the script."""
    if path == STDIN:
        return Path("runs") / "stdin"
    return Path(os.path.dirname(path) or ".") / "runs" / Path(path).stem


def expand(paths: Iterable[str], endings: tuple[str, ...] = ENDINGS, *, skip_logs: bool = False) -> Iterator[str]:
    """Yield the files; for a folder, every file below it with one of the endings, in order.

    Links out of the folder are skipped, and so are logs of Inspect that end like a script (with `skip_logs` also those
    named); each is reported.
    """
    for path in paths:
        if path == STDIN or not os.path.isdir(path):
            if not (skip_logs and _is_inspect_log(path)):
                yield path
            continue
        below = sorted(files_below(path, endings))
        found = [name for name in below if not (_is_link_out_of(name, path) or _is_inspect_log(name))]
        if not found:
            hint = "name a script, or a folder with scripts"
            raise ScriptError(f"{path} has no {' or '.join(endings)} file", hint=hint)
        yield from found


def _is_link_out_of(path: str, folder: str) -> bool:
    """Return whether a link leads out of the folder, where `fmt` must not write, and report it."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    if real.startswith(os.path.join(root, "")):
        return False
    print_note(f"{path} is a link out of {folder}: skipped unless you name it")
    return True


def _is_inspect_log(path: str) -> bool:
    """Return whether a file is a log of Inspect, and report it."""
    if path == STDIN or not is_log_file(path):
        return False
    print_note(f"{path} is a log of Inspect, not a script: skipped")
    return True


WIDTH = 30
QUIET_SECONDS = 1.0  # progress is shown only after this long


def make_progress_callback(stream: TextIO | None = None) -> Callable[[Progress], None]:
    """Return a callback that shows how far a run is: a bar on a terminal, one line at the end elsewhere."""
    out = stream or sys.stderr
    terminal, shown = out.isatty(), 0.0

    def show(progress: Progress) -> None:
        nonlocal shown
        now, ended = time.monotonic(), progress.done >= progress.total
        if terminal and (ended or now - shown >= 0.1):
            shown = now
            out.write(f"{_bar(progress.done, progress.total)} {format_progress(progress)}" + "\n" * ended)
            out.flush()
        elif not terminal and ended and not shown:
            shown = now
            failed = f", {progress.failed} failed" if progress.failed else ""
            reused = f", {progress.reused:,} reused" if progress.reused else ""
            print(f"evalang: {progress.done - progress.reused:,} fits done{reused}{failed}", file=out)

    return show


def _bar(done: int, total: int) -> str:
    full = WIDTH * done // max(total, 1)
    return f"\r\x1b[K[{'#' * full}{'.' * (WIDTH - full)}]"


def format_progress(progress: Progress) -> str:
    """Return fits done, rate, time left and failures so far."""
    from ..plans.cost import clock

    left = "" if progress.left is None else f", {'at least ' * progress.at_least}{clock(round(progress.left))} left"
    failed = f", {progress.failed} failed" if progress.failed else ""
    return f"{progress.done:,}/{progress.total:,} fits, {progress.rate:.1f} a second{left}{failed}"


def reading(stream: TextIO | None = None) -> Callable[[str, int, int], None]:
    """Return a callback that shows how far a large file is read, where that takes longer than a moment."""
    out = stream or sys.stderr
    terminal, shown = out.isatty(), 0.0
    begun: dict[str, float] = {}

    def show(path: str, done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        start = begun.setdefault(path, now)
        if done >= total:
            del begun[path]
            if terminal and shown:
                out.write("\r\x1b[K")
                out.flush()
            shown = 0.0
        elif now - start >= QUIET_SECONDS and (now - shown >= 0.1 if terminal else not shown):
            shown = now
            size = f"{total / 1e9:.1f} GB" if total >= 1e9 else f"{total / 1e6:.0f} MB"
            name, bar = for_terminal(path), _bar(done, total)
            percent = f"{bar} reading {name}: {100 * done // total}% of {size}"
            out.write(percent if terminal else f"evalang: reading {name} ({size})\n")
            out.flush()

    return show
