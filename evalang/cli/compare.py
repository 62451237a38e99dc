"""`evalang compare`: compare logs and tables of other tools without a script."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import DataError, EvalangError, ScriptError
from ..language.text import SourceText, for_terminal
from .screen import FILE, STRICT, show_error

if TYPE_CHECKING:
    from ..data.access import Access
    from ..data.long_table import LongTable
    from ..results.run_result import RunResult

NAME = "compare.evalang"


@click.command("compare")
@click.argument("logs", nargs=-1, required=True, type=FILE)
@click.option("--from", "reader", metavar="READER", help="What wrote them (inspect, lm-eval, amlb, …), else seen.")
@click.option("--measuring", metavar="METRIC", help="The metric, where the files name none or several.")
@click.option("--better", type=click.Choice(["higher", "lower"]), help="Which way a metric goes that nobody knows.")
@click.option("--option", "-o", "given", multiple=True, metavar="NAME=VALUE", help="An option of the reader.")
@click.option("--groups", metavar="COLUMN", help="Items that share a text or a task, such as metadata.passage.")
@click.option("--no-ledger", is_flag=True, help="Keep this look out of the ledger beside the logs; the report says so.")
@STRICT
def compare_command(
    logs: tuple[str, ...], reader: str | None, measuring: str | None, better: str | None, given: tuple[str, ...],
    groups: str | None, no_ledger: bool, strict: bool,
) -> int:  # fmt: skip
    """Compare logs or tables that other tools wrote: plan, verdict, smallest difference, and the script for it.

    \b
    evalang compare logs/a.eval logs/b.eval
    evalang compare logs/                        a folder: models by items
    evalang compare results_*.csv                tables of the AutoML benchmark
    evalang compare runs/ -o metric=exact_match  a run of HELM has dozens of metrics
    """
    from ..data.access import Access
    from ..ledger.history import Project
    from ..pipeline import Request, run_script
    from ..plans.description import describe
    from ..reports.assemble import document
    from ..reports.terminal import show as show_document
    from ..settings import settings_for
    from .screen import reading

    root, locator = _place(logs)
    access = Access(root=Path(root or "."), on_read=reading())
    script = _script(logs, locator, access, (reader, measuring, better, given, groups))
    source = SourceText(os.path.join(root, NAME), script)
    settings = settings_for(source.path)
    off = settings.why_no_ledger("--no-ledger" if no_ledger else "")
    request = Request(
        on_note=lambda note: print(for_terminal(note)),
        reading=access.on_read,
        tables=access.tables,
        ledger=None if off else Project(root or "."),
        ledger_off=off,
        strict=strict or settings.strict,
    )
    try:
        result = run_script(source, request)
    except EvalangError as error:
        show_error(error, {source.path: source})
        return error.exit_code
    plan = describe(result.plan).partition("\nIn all ")[0]  # as it is once the files are known; nothing is trained
    sys.stdout.write(for_terminal(plan, lines=True) + "\n")
    show_document(document(result, background=False), sys.stdout, full=False)
    sys.stdout.write("\n" + "".join(for_terminal(line) + "\n" for line in _smallest(result)))
    sys.stdout.write(for_terminal(f"\nThe same as a script, to be kept as {source.path}:\n\n{source.text}", lines=True))
    return int(any(f.level == "error" for f in result.findings))


def _place(logs: tuple[str, ...]) -> tuple[str, str]:
    """The folder that holds all the logs, and what the script calls them there."""
    for name in logs:
        if not os.path.exists(name):
            raise ScriptError(f"there is no file {name}", hint="is the path right, seen from this folder?")
        if any(sign in name for sign in '{}"') or ("," in name and len(logs) > 1):
            raise ScriptError(f"the name {name} has a sign that a script cannot hold", hint="rename the file")
    whole = [os.path.abspath(name) for name in logs]
    root = os.path.commonpath([os.path.dirname(name) for name in whole])
    inside = list(dict.fromkeys(Path(os.path.relpath(name, root)).as_posix() for name in whole))
    locator = inside[0] if len(inside) == 1 else "{" + ",".join(inside) + "}"
    return os.path.relpath(root) if root != os.getcwd() else "", locator


def _script(logs: tuple[str, ...], locator: str, access: Access, said: tuple[object, ...]) -> str:
    """The script, after one look at what the files hold."""
    from ..data.tools import SCORE_READERS, read_scores
    from ..data.tools.detect import detect
    from ..data.tools.logs import TELL_APART
    from ..plans.model import Source as From

    reader, measuring, better, given, groups = said
    kinds = {str(reader)} if reader else {detect(name) for name in logs}
    kind = kinds.pop()
    if kinds or kind not in SCORE_READERS:
        if kinds:
            raise ScriptError("the files are of several tools", hint="compare those of one tool; --from names it")
        raise ScriptError(
            f"{kind} is read by a script, which says what its columns are",
            hint=f'results table from {kind} "{locator}", datasets in "…", measuring accuracy',
        )
    options = dict(_option(text) for text in given)  # type: ignore[attr-defined]
    try:
        table = read_scores(From(kind, locator, tuple(options.items())), access)
    except DataError as error:
        if error.hint != TELL_APART or "named" in options:
            raise DataError(error.message, hint=_as_options(error.hint)) from None
        options["named"] = "file"
        table = read_scores(From(kind, locator, tuple(options.items())), access)
    brackets = f"({', '.join(f'{k} = {_quoted(v)}' for k, v in options.items())})" if options else ""
    clauses = [f"results logs from {kind} {_quoted(locator)}{brackets}", f"  {_measured(table, measuring, better)}"]
    if kind == "weka" and {"repeat", "fold"} <= set(table.columns):  # only its cross-validation numbers folds
        runs, folds = (table.frame[table.columns[level]].nunique() for level in ("repeat", "fold"))
        clauses.append(f"  made using {runs}x{folds}cv" if runs > 1 else f"  made using {folds}cv")
    if groups:
        clauses.append(f"  groups {_quoted(str(groups))}")
    return ",\n".join(clauses) + "\n\n" + _question(table)


def _question(table: LongTable) -> str:
    """Two learners are one test; more are all pairs, held together by Holm or, over datasets, by Nemenyi."""
    frame, columns = table.frame, table.columns
    learners = list(dict.fromkeys(frame[columns["learner"]].astype("str")))
    if len(learners) < 2:
        raise DataError(f"there are scores of {learners[0]} alone", hint="name a second log")
    places = [column for standing, column in columns.items() if standing not in ("score", "learner", "epoch", "group")]
    cells = frame.drop_duplicates([columns["learner"], *places])
    gaps = len(cells) < len(learners) * len(frame.drop_duplicates(places)) if places else False
    text = f"compare {_quoted(learners[0])} vs {_quoted(learners[1])} on logs"
    if any(len(name.splitlines()) > 1 for name in learners):  # no text of a script goes over the end of a line
        text = "compare all on logs"
    datasets = frame[columns["dataset"]].nunique() if "dataset" in columns else 1
    parts = []
    if len(learners) > 2:
        text = "compare all on logs"
        over = "item" not in columns and datasets > 4
        parts.append("by friedman, nemenyi" if over else "holm over learners" + (", datasets" if datasets > 1 else ""))
    elif "item" not in columns and datasets > 4:
        parts.append("by wilcoxon")
    elif datasets > 1:
        parts.append("holm over datasets")
    if gaps:
        parts.append("complete cases")
    return ",\n".join([text, *(f"  {part}" for part in parts)]) + "\n"


def _measured(table: LongTable, measuring: object, better: object) -> str:
    from ..catalogue.metrics import find_metric

    name = str(measuring or table.metric or "score")
    found = find_metric(name) or find_metric(name.lower().replace("_", "-"))
    if found is not None and not better:
        return f"measuring {found.name}"
    if better is None and table.higher_is_better is None:
        raise DataError(f"nobody knows whether more of {name} is better", hint="add --better higher, or lower")
    way = better or ("higher" if table.higher_is_better else "lower")
    outcomes = bool(table.frame[table.columns["score"]].isin((0, 1)).all())
    if not measuring and way == "higher" and outcomes and "item" in table.columns:
        return "measuring accuracy"  # right or wrong by any name; a test of means wants many more items
    return f"measuring {name if name.isidentifier() else _quoted(name)}(better = {way})"


def _option(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise ScriptError(f"{text} is no option", hint="write NAME=VALUE, as in -o metric=acc")
    return name, value


def _as_options(hint: str) -> str:
    """What a script writes in brackets, as this command takes it."""
    return re.sub(r'\((\w+) = "([^"]*)"\)', lambda m: f"-o {m[1]}={shlex.quote(m[2])}", hint)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _smallest(result: RunResult) -> list[str]:
    """A sentence for each pair."""
    from ..results.numbers import plural, significant
    from ..verdicts.power import smallest_difference

    lines = []
    for verdict in result.verdicts:
        if not verdict.pair or verdict.test is None:
            continue
        found = smallest_difference(verdict)
        where = verdict.dataset or f"{len(verdict.datasets)} datasets"
        what = f"a difference of {significant(found, 2)}" if found is not None else "no difference"
        few = f" by {plural(verdict.test.n_units, 'item')}" if found is None else ""
        if found is not None or verdict.test.test.startswith("mcnemar"):
            lines.append(
                f"Between {' and '.join(verdict.learners)} on {where}, {what} would be found 4 times in 5{few}."
            )
    return lines or ["The smallest difference that could have been found is not known: the test has no interval."]
