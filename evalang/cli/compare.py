"""`evalang compare`: compare tables and logs without a script."""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import DataError, EvalangError, ScriptError
from ..language.text import SourceText, for_terminal
from . import screen

if TYPE_CHECKING:
    from ..data.access import Access
    from ..data.guess_roles import Reading
    from ..data.raw import LongTable
    from ..plans.model import Source
    from ..results.run_result import RunResult

NAME = "compare.evalang"
JOINED = "joined.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the command line says of the files."""

    reader: str | None = None
    measuring: str | None = None
    better: str | None = None
    options: tuple[str, ...] = ()
    groups: str | None = None

    def source(self, kind: str, locator: str, **more: str) -> Source:
        """Return the files as a script names them, with the options of the reader."""
        from ..plans.model import Source

        options: dict[str, str] = {}
        for text in self.options:
            name, sign, value = text.partition("=")
            if not sign:
                raise ScriptError(f"{text} is no option", hint="write NAME=VALUE, as in -o metric=acc")
            options[name] = value
        return Source(kind, locator, tuple((options | more).items()))


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
    files: tuple[str, ...], out: str | None, ledger: bool | None, strict: bool, **wanted: object
) -> int:
    """Compare the learners of a table or of logs: plan, verdict, smallest difference, and the script for it.

    What the columns of a table stand for is guessed from their names and values, and printed as a script. Where a
    table can be read in two ways, evalang asks; without a terminal it prints both scripts and ends with exit code 2.

    \b
    evalang compare results.csv                  a column for each learner, or a row for each score
    evalang compare predictions.parquet          a column named truth, and predictions of each learner
    evalang compare a.csv b.csv                  one learner each, joined by the column of ids
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

    root, locator = _place(files, out)
    access = Access(root=Path(root or "."), on_read=screen.reading())
    asked, named, joined = Wanted(**wanted), files[0], b""  # type: ignore[arg-type]
    if len(files) > 1 and _are_tables(files, asked):
        joined = _join(files, root, access, asked)
        named, locator = "the joined table", f"{Path(out).stem}.csv" if out else JOINED
        kept = Path(root or ".") / locator
        if out and kept.exists() and kept.read_bytes() != joined:
            raise ScriptError(f"there is already another file {kept}", hint="choose another name for --script")
        scratch = Path(click.get_current_context().with_resource(tempfile.TemporaryDirectory()))
        (scratch / locator).write_bytes(joined)
        access = Access(root=scratch, on_read=screen.reading())
        found = scripts_of((str(scratch / locator),), locator, access, replace(asked, reader="csv", options=()))
    else:
        found = scripts_of(files, locator, access, asked)
    meaning, script = found[0] if len(found) == 1 else _asked(found, named)
    if meaning:
        print(for_terminal(f"{named} is read as {meaning}.") + "\n")
    source = SourceText(out or os.path.join(root, NAME), script)
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
    plan = describe(result.plan).partition("\nIn all ")[0]  # as it is once the files are known; nothing is trained
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


def _are_tables(files: Sequence[str], wanted: Wanted) -> bool:
    from ..data.tools import SCORE_READERS, detect

    return all((wanted.reader or detect(name)) not in SCORE_READERS for name in files)


def _join(files: Sequence[str], root: str, access: Access, wanted: Wanted) -> bytes:
    """Return one CSV table of the files, their learners named after them."""
    from ..data.join_tables import join_tables
    from ..data.load import read
    from ..data.tools import detect

    paths = [Path(os.path.relpath(name, root or ".")) for name in files]
    stems = [path.stem for path in paths]
    names = stems if len(set(stems)) == len(stems) else [path.as_posix() for path in paths]
    sources = [wanted.source(wanted.reader or detect(f), path.as_posix()) for f, path in zip(files, paths, strict=True)]
    frames = {name: read(source, access).frame for name, source in zip(names, sources, strict=True)}
    return join_tables(frames).to_csv(index=False).encode("utf-8")


def _asked(found: list[tuple[str, str]], name: str) -> tuple[str, str]:
    """Return the reading that the user chooses; without a terminal, print all of them and end with exit code 2."""
    listed = "".join(f"\n{i}. {meaning}\n\n{script}" for i, (meaning, script) in enumerate(found, start=1))
    shown = for_terminal(f"{name} can be read in {len(found)} ways:\n{listed}", lines=True)
    if sys.stdin.isatty() and sys.stdout.isatty():
        print(shown)
        number = click.prompt("Which one is right", type=click.IntRange(1, len(found)))
        return found[number - 1]
    sys.stdout.write(shown)
    raise ScriptError(
        f"{name} can be read in {len(found)} ways",
        hint="run the right script, or name columns: dataset, fold, item, learner, truth; --measuring chooses a metric",
    )


def _place(files: tuple[str, ...], out: str | None) -> tuple[str, str]:
    """Return the folder that holds all files (of the script, where one is written), and their names in the script."""
    for name in files:
        if not os.path.exists(name):
            raise ScriptError(f"there is no file {name}", hint="is the path right, seen from this folder?")
        if any(sign in name for sign in '{}"') or ("," in name and len(files) > 1):
            raise ScriptError(f"the name {name} has a sign that a script cannot hold", hint="rename the file")
    whole = [os.path.abspath(name) for name in files]
    root = os.path.commonpath([os.path.dirname(name) for name in whole])
    if out:
        root, outside = os.path.dirname(os.path.abspath(out)), root
        if os.path.commonpath([root, outside]) != root:
            raise ScriptError(f"a script in {root} cannot read {files[0]}", hint="write it beside the files or above")
    inside = list(dict.fromkeys(Path(os.path.relpath(name, root)).as_posix() for name in whole))
    locator = inside[0] if len(inside) == 1 else "{" + ",".join(inside) + "}"
    return os.path.relpath(root) if root != os.getcwd() else "", locator


def scripts_of(files: tuple[str, ...], locator: str, access: Access, wanted: Wanted) -> list[tuple[str, str]]:
    """Return every reading of the files: what it takes them for, and the script that says so."""
    from ..data.tools import SCORE_READERS, detect

    kinds = {wanted.reader} if wanted.reader else {detect(name) for name in files}
    if len(kinds) > 1:
        raise ScriptError("the files are of several tools", hint="compare those of one tool; --from names it")
    kind = str(kinds.pop())
    if kind in SCORE_READERS:
        return [("", _script_of_logs(kind, locator, access, wanted))]
    return [(found.meaning, _script_of_table(found)) for found in _readings(kind, locator, access, wanted)]


def _written(source: Source) -> str:
    options = ", ".join(f"{name} = {_quoted(str(value))}" for name, value in source.options)
    return f"{source.kind} {_quoted(source.locator)}" + (f"({options})" if options else "")


def _readings(kind: str, locator: str, access: Access, wanted: Wanted) -> list[Reading]:
    from ..data.guess_roles import Hints, LooksLikeData, guess
    from ..data.load import read

    source = wanted.source(kind, locator)
    hints = Hints(
        source=_written(source),
        stem=Path(locator).stem,
        measuring=wanted.measuring,
        better=wanted.better,
        groups=wanted.groups,
    )
    try:
        return guess(read(source, access).frame, hints)
    except LooksLikeData as error:
        text = f"{locator} is no table of results. A script that learns from it:\n\n{error.script}"
        sys.stdout.write(for_terminal(text, lines=True))
        raise


def _script_of_table(found: Reading) -> str:
    over = found.units == "dataset"
    compared = _compared(found.name, found.learners, 1 if over else found.datasets, found.gaps, found.measuring)
    return f"{found.statement}\n\n{compared}"


def _script_of_logs(kind: str, locator: str, access: Access, wanted: Wanted) -> str:
    from ..data.tools import read_scores
    from ..data.tools.logs import TELL_APART

    source = wanted.source(kind, locator)
    try:
        table = read_scores(source, access)
    except DataError as error:
        if error.hint != TELL_APART or "named" in dict(source.options):
            as_given = re.sub(r'\((\w+) = "([^"]*)"\)', lambda m: f"-o {m[1]}={shlex.quote(m[2])}", error.hint)
            raise DataError(error.message, hint=as_given) from None
        source = wanted.source(kind, locator, named="file")
        table = read_scores(source, access)
    clauses = [f"results logs from {_written(source)}", f"  {_measured(table, wanted)}"]
    if kind == "weka" and {"repeat", "fold"} <= set(table.columns):  # only its cross-validation numbers folds
        runs, folds = (table.frame[table.columns[level]].nunique() for level in ("repeat", "fold"))
        clauses.append(f"  made using {runs}x{folds}cv" if runs > 1 else f"  made using {folds}cv")
    if wanted.groups:
        clauses.append(f"  groups {_quoted(wanted.groups)}")
    return ",\n".join(clauses) + "\n\n" + _question(table)


def _question(table: LongTable) -> str:
    frame, columns = table.frame, table.columns
    learners = list(dict.fromkeys(frame[columns["learner"]].astype("str")))
    places = [column for standing, column in columns.items() if standing not in ("score", "learner", "group")]
    cells = frame.dropna(subset=[columns["score"]]).drop_duplicates([columns["learner"], *places])
    gaps = len(cells) < len(learners) * len(frame.drop_duplicates(places)) if places else False
    datasets = frame[columns["dataset"]].nunique() if "dataset" in columns and "item" in columns else 1
    return _compared("logs", learners, datasets, gaps)


def _compared(name: str, learners: Sequence[str], datasets: int, gaps: bool, measuring: str | None = None) -> str:
    """Return the statement that compares: the default tests, held together by Holm; of one learner, its estimate."""
    plain = all(len(learner.splitlines()) == 1 for learner in learners)  # no text of a script goes over a line's end
    if len(learners) == 1:
        return f"estimate {_quoted(learners[0])} on {name}" + (f" measuring {measuring}" if measuring else "") + "\n"
    pair = f"{_quoted(learners[0])} vs {_quoted(learners[1])}" if len(learners) == 2 and plain else "all"
    over = ["learners"] * (len(learners) > 2) + ["datasets"] * (datasets > 1)
    parts = (
        [f"measuring {measuring}"] * bool(measuring)
        + [f"holm over {', '.join(over)}"] * bool(over)
        + ["complete cases"] * gaps
    )
    return ",\n".join([f"compare {pair} on {name}", *(f"  {part}" for part in parts)]) + "\n"


def _measured(table: LongTable, wanted: Wanted) -> str:
    from ..catalogue.metrics import find_metric

    name = str(wanted.measuring or table.metric or "score")
    found = find_metric(name) or find_metric(name.lower().replace("_", "-"))
    if found is not None and not wanted.better:
        return f"measuring {found.name}"
    if wanted.better is None and table.higher_is_better is None:
        raise DataError(f"it is unknown whether higher or lower {name} is better", hint="add --better higher, or lower")
    way = wanted.better or ("higher" if table.higher_is_better else "lower")
    outcomes = bool(table.frame[table.columns["score"]].dropna().isin((0, 1)).all())
    if not wanted.measuring and way == "higher" and outcomes and "item" in table.columns:
        return "measuring accuracy"  # right or wrong by any name; a test of means wants many more items
    return f"measuring {name if name.isidentifier() else _quoted(name)}(better = {way})"


def _quoted(text: str) -> str:
    from ..data.guess_roles import quote

    return quote(text)


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
