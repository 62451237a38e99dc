"""Tables and logs on the command line as the script that `compare`, `gate` and `power` run."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pandas as pd

from ..catalogue.metrics import find_metric
from ..data.access import Access
from ..data.guess_roles import Hints, LooksLikeData, Reading, guess, quote
from ..data.load import read
from ..data.raw import LongTable, find_column
from ..data.reshape import join_tables, reshaped
from ..data.score_columns import lower_is_better
from ..data.tools import SCORE_READERS, detect, read_scores
from ..data.tools.logs import TELL_APART
from ..errors import DataError, ScriptError
from ..language.text import for_terminal
from ..plans.model import Source
from . import screen

if TYPE_CHECKING:
    from ..pipeline import Request

_SCORED = re.compile(r", scored by ([^,;]+)")
SCRIPT_NAME = "compare.evalang"  # of the script that was not written by the user


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """What the command line says of the files."""

    reader: str | None = None
    measuring: str | None = None
    better: str | None = None
    options: tuple[str, ...] = ()
    groups: str | None = None
    learners: tuple[str, ...] = ()
    guess_direction: bool = True  # whether more counts as better where no name says so

    def source(self, kind: str, locator: str, **more: str) -> Source:
        """Return the files as a script names them, with the options of the reader."""
        options: dict[str, str | bool] = {}
        for text in self.options:
            name, sign, value = text.partition("=")
            if not sign:
                raise ScriptError(f"-o {text} has no value", hint="write -o NAME=VALUE, such as -o metric=acc")
            options[name] = value == "true" if value in ("true", "false") else value
        return Source(kind, locator, tuple((options | more).items()))

    @property
    def named_learners(self) -> tuple[str, ...]:
        """The names of --learners, which may be given once with commas."""
        return tuple(name.strip() for text in self.learners for name in text.split(",") if name.strip())

    def kind_of(self, name: str) -> str:
        """Return the reader of a file: the one that was named, or the detected one."""
        return self.reader or detect(name)

    def are_logs(self, files: Sequence[str]) -> bool:
        """Return whether the files are logs of another tool, not plain tables; refuse a mixture."""
        kinds = {self.kind_of(name) for name in files}
        if len(kinds) > 1 and kinds & set(SCORE_READERS):
            what = f"the files were written by several tools: {', '.join(sorted(kinds))}"
            raise ScriptError(what, hint="compare files of one tool")
        return not kinds.isdisjoint(SCORE_READERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesRead:
    """Files as scripts: every reading, the folder that the script belongs into, and how the run gets the data."""

    readings: list[tuple[str, str]]  # what the files are taken for, and the script that says so
    root: str
    access: Access
    locator: str  # the data in the script
    joined: bytes = b""  # one table made of several files

    def request(self, **more: Any) -> Request:
        """Return what a run of one of the scripts is asked for: the data are read as they were here."""
        from ..pipeline import Request

        root = self.access.root if self.joined else None
        return Request(reading=self.access.on_read, tables=self.access.tables, data_root=root, **more)


def read_files(
    files: tuple[str, ...], options: ReadingOptions, scratch: Path, *, out: str = "", learners: Sequence[str] = ()
) -> FilesRead:
    """Read logs, a table, or several tables, which are joined in the folder `scratch`; `out` is a script to write."""
    root, locator = place_files(files, out)
    access = Access(root=Path(root or "."), on_read=screen.reading())
    if options.are_logs(files):
        readings = [("", _script_of_logs(files, locator, access, options))]
        return FilesRead(readings=readings, root=root, access=access, locator=locator)
    table = reshaped(_read_tables(files, root, access, options, learners), options.measuring)
    if len(files) == 1 and not table.notes:
        source = options.source(options.kind_of(files[0]), locator)
        readings = _scripts_of_table(table.frame, source, options)
        return FilesRead(readings=readings, root=root, access=access, locator=locator)
    name = Path(out or ("joined" if len(files) > 1 else f"{Path(locator).stem}-read")).stem + ".csv"
    joined = table.frame.to_csv(index=False).encode("utf-8")
    (scratch / name).write_bytes(joined)
    access, source = Access(root=scratch, on_read=access.on_read), Source("csv", name)
    found = _scripts_of_table(_read_table(source, access), source, options)
    readings = [("; ".join((meaning, *table.notes)), script) for meaning, script in found]
    return FilesRead(readings=readings, root=root, access=access, locator=name, joined=joined)


def _read_tables(
    files: Sequence[str], root: str, access: Access, options: ReadingOptions, learners: Sequence[str]
) -> pd.DataFrame:
    """Return the table of a file, or one table of files of one learner each, named `learners` or like the files."""
    paths = [Path(os.path.relpath(name, root or ".")).as_posix() for name in files]
    stems = [Path(path).stem for path in paths]
    names = learners or (stems if len(set(stems)) == len(stems) else paths)
    frames = {
        name: _read_table(options.source(options.kind_of(file), path), access)
        for name, file, path in zip(names, files, paths, strict=True)
    }
    return join_tables(frames) if len(files) > 1 else frames[names[0]]


def _read_table(source: Source, access: Access) -> pd.DataFrame:
    """Return the table of a file; an error names options as the command line takes them."""
    try:
        return read(source, access).frame
    except DataError as error:
        raise _for_command_line(error) from None


def _for_command_line(error: DataError) -> DataError:
    """Return the error with the options of its hint as `-o name=value`, not as a script writes them."""
    hint = re.sub(
        r'\((\w+) = (?:"([^"]*)"|(\w+))\)(?: after the path)?',
        lambda option: f"-o {option[1]}={shlex.quote(option[2] or option[3])}",
        error.hint,
    )
    return DataError(error.message, hint=hint)


def choose_reading(found: list[tuple[str, str]], name: str) -> tuple[str, str]:
    """Return the only reading, or the one that the user chooses; without a terminal, print all and raise an error."""
    if len(found) == 1:
        return found[0]
    listed = "".join(f"\n{i}. {meaning}\n\n{script}" for i, (meaning, script) in enumerate(found, start=1))
    shown = for_terminal(f"{name} can be read in {len(found)} ways:\n{listed}", lines=True) + "\n"
    if sys.stdin.isatty() and sys.stdout.isatty():
        print(shown)
        number = click.prompt("Which one is right", type=click.IntRange(1, len(found)))
        return found[number - 1]
    sys.stdout.write(shown)
    scores = list(dict.fromkeys(match[1] for meaning, _ in found if (match := _SCORED.search(meaning))))
    hint = "keep the right script in a file and run it, or rename columns: dataset, fold, item, learner, truth"
    if len(scores) > 1:
        hint = "choose the score: " + ", or ".join(f"--measuring {shlex.quote(score)}" for score in scores)
    raise ScriptError(f"{name} can be read in {len(found)} ways", hint=hint)


def place_files(files: tuple[str, ...], out: str) -> tuple[str, str]:
    """Return the folder that holds all files (of the script, where one is written), and their names in the script."""
    for name in files:
        if not os.path.exists(name):
            raise ScriptError(f"there is no file {name}", hint="check its path, relative to this folder")
        if any(sign in name for sign in '{}"') or ("," in name and len(files) > 1):
            raise ScriptError(f"the file name {name} has a character that scripts do not allow", hint="rename the file")
    whole = [os.path.abspath(name) for name in files]
    root = os.path.commonpath([os.path.dirname(name) for name in whole])
    if out:
        root, outside = os.path.dirname(os.path.abspath(out)), root
        if os.path.commonpath([root, outside]) != root:
            what = f"a script in {root} cannot read {files[0]}, which is outside its folder"
            raise ScriptError(what, hint="write the script beside the files, or in a folder above them")
    inside = [Path(os.path.relpath(name, root)).as_posix() for name in whole]
    again = next((files[i] for i, name in enumerate(inside) if name in inside[:i]), None)
    if again is not None:
        raise ScriptError(f"the file {again} is named twice", hint="name each file once")
    locator = inside[0] if len(inside) == 1 else "{" + ",".join(inside) + "}"
    return os.path.relpath(root) if root != os.getcwd() else "", locator


def _source_clause(source: Source) -> str:
    values = {name: str(v).lower() if isinstance(v, bool) else quote(str(v)) for name, v in source.options}
    options = ", ".join(f"{name} = {value}" for name, value in values.items())
    return f"{source.kind} {quote(source.locator)}" + (f"({options})" if options else "")


def _scripts_of_table(frame: pd.DataFrame, source: Source, options: ReadingOptions) -> list[tuple[str, str]]:
    """Return every reading of a table: what it is taken for, and the script that says so."""
    hints = Hints(
        source=_source_clause(source),
        stem=Path(source.locator).stem,
        measuring=options.measuring,
        better=options.better,
        groups=options.groups,
        learners=options.named_learners,
        guess_direction=options.guess_direction,
    )
    try:
        readings = guess(frame, hints)
    except LooksLikeData as error:
        text = f"{source.locator} is not a table of results. This script trains learners on it:\n\n{error.script}"
        sys.stdout.write(for_terminal(text, lines=True))
        raise
    return [(reading.meaning, _script_of_table(reading, bool(options.learners))) for reading in readings]


def _script_of_table(reading: Reading, chosen: bool) -> str:
    datasets = 1 if reading.units == "dataset" else reading.datasets
    comparison = _comparison(reading.name, reading.learners, datasets, reading.gaps, reading.measuring, chosen)
    return f"{reading.statement}\n\n{comparison}"


def _script_of_logs(files: Sequence[str], locator: str, access: Access, options: ReadingOptions) -> str:
    kind = options.kind_of(files[0])
    source = options.source(kind, locator)
    try:
        table = read_scores(source, access)
    except DataError as error:
        if error.hint != TELL_APART or "named" in dict(source.options):
            raise _for_command_line(error) from None
        source = options.source(kind, locator, named="file")
        table = read_scores(source, access)
    clauses = [f"results logs from {_source_clause(source)}", f"  {_metric_clause(table, options)}"]
    if kind == "weka" and {"repeat", "fold"} <= set(table.columns):  # only its cross-validation numbers folds
        runs, folds = (table.frame[table.columns[level]].nunique() for level in ("repeat", "fold"))
        clauses.append(f"  made using {runs}x{folds}cv" if runs > 1 else f"  made using {folds}cv")
    if options.groups:
        clauses.append(f"  groups {quote(options.groups)}")
    return ",\n".join(clauses) + "\n\n" + _comparison_of_logs(table, options.named_learners)


def _comparison_of_logs(table: LongTable, chosen: Sequence[str]) -> str:
    frame, columns = table.frame, table.columns
    learners = list(dict.fromkeys(frame[columns["learner"]].astype("str")))
    learners = [find_column(name, learners, "the logs", "--learners") for name in chosen] or learners
    places = [column for standing, column in columns.items() if standing not in ("score", "learner", "group")]
    cells = frame.dropna(subset=[columns["score"]]).drop_duplicates([columns["learner"], *places])
    gaps = len(cells) < len(learners) * len(frame.drop_duplicates(places)) if places else False
    datasets = frame[columns["dataset"]].nunique() if "dataset" in columns and "item" in columns else 1
    return _comparison("logs", learners, datasets, gaps, chosen=bool(chosen))


def _comparison(
    name: str, learners: Sequence[str], datasets: int, gaps: bool, measuring: str | None = None, chosen: bool = False
) -> str:
    """Return the statement that compares: the default tests, held together by Holm; of one learner, its estimate."""
    plain = all(len(learner.splitlines()) == 1 for learner in learners)  # no text of a script goes over a line's end
    metric = [f"measuring {measuring}"] * bool(measuring)
    if len(learners) == 1:
        parts = [" ".join([f"estimate {quote(learners[0])} on {name}", *metric])]
        parts += ['  missing left out because "the table has no score there"'] * gaps
        return ",\n".join(parts) + "\n"
    pair = " vs ".join(map(quote, learners)) if (len(learners) == 2 or chosen) and plain else "all"
    over = ["learners"] * (len(learners) > 2) + ["datasets"] * (datasets > 1)
    parts = metric + [f"holm over {', '.join(over)}"] * bool(over) + ["complete cases"] * gaps
    return ",\n".join([f"compare {pair} on {name}", *(f"  {part}" for part in parts)]) + "\n"


def _metric_clause(table: LongTable, options: ReadingOptions) -> str:
    name = str(options.measuring or table.metric or "score")
    found = find_metric(name) or find_metric(name.lower().replace("_", "-"))
    if found is not None and options.better in (None, "higher" if found.higher_is_better else "lower"):
        return f"measuring {found.name}"
    higher = False if lower_is_better(name) else table.higher_is_better
    if options.better is None and higher is None:
        what = f"it is unknown whether higher or lower {name} is better"
        raise DataError(what, hint="add --better higher, or --better lower")
    way = options.better or ("higher" if higher else "lower")
    outcomes = bool(table.frame[table.columns["score"]].dropna().isin((0, 1)).all())
    if not options.measuring and way == "higher" and outcomes and "item" in table.columns:
        return "measuring accuracy"  # right or wrong by any name; a test of means wants many more items
    return f"measuring {name if name.isidentifier() else quote(name)}(better = {way})"
