"""`evalang gate`: an exit code for a build, by whether the new version is worse than the old one."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import DataError, EvalangError, ScriptError
from ..language.files import ENDINGS, is_log_file
from ..language.text import SourceText, for_terminal
from ..results.numbers import higher_is_better, spoken
from . import screen
from .main import UNREADABLE

if TYPE_CHECKING:
    from ..pipeline import Request
    from ..results.run_result import RunResult
    from .tables import ReadingOptions

NOT_WORSE, WORSE, INCONCLUSIVE = 0, 1, 4
_MARGIN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(pt|pts|pp|points?|%|percent)?\s*")
_COUNT_THEM = (
    'add the missing answers, or gate a script with `missing count as wrong` or `missing left out because "…"`'
)
_WORDS = {NOT_WORSE: "passed", WORSE: "failed", INCONCLUSIVE: "inconclusive"}


@click.command("gate")
@click.argument("old", type=screen.FILE)
@click.argument("new", type=screen.FILE, required=False)
@click.option(
    "--margin", metavar="1pt", help="How much worse NEW may be: 1pt, 0.5%, or a number such as 20 for milliseconds."
)
@click.option(
    "--inconclusive",
    type=click.Choice(["pass", "fail"]),
    help="End with exit code 0 (pass) or 1 (fail) instead of 4 if inconclusive.",
)
@screen.choose_format("text", "markdown", help="Output format.")
@screen.with_reader_options
@screen.TRUST
@screen.STRICT
def gate_command(
    old: str, new: str | None, margin: str | None, inconclusive: str | None, form: str, trust: tuple[str, ...],
    strict: bool, **reading_options: Any,
) -> int:  # fmt: skip
    """Fail a build when NEW is worse than OLD by more than a margin.

    OLD and NEW are logs, tables of scores, or predictions of the same items. If you name one script instead, its claims
    decide. The gate writes no ledger. Exit codes: 0 not worse than the margin, 1 worse, 2 no answer, 4 inconclusive.

    \b
    evalang gate main.eval branch.eval --margin 1pt
    evalang gate main.csv branch.csv --margin 1pt --format markdown
    evalang gate study.eval --inconclusive pass
    """
    from ..pipeline import Request
    from ..trials.options import RunOptions
    from .tables import ReadingOptions

    with tempfile.TemporaryDirectory() as scratch:
        try:
            reading = ReadingOptions(**reading_options, guess_direction=False)
            source = _source(old, new, margin, Path(scratch), reading)
            options = RunOptions(folder=Path(scratch) / "run", trusted=frozenset(trust))
            off = "a gate keeps none"
            request = Request(options=options, ledger_off=off, strict=strict)
            result, missing = _run(source, request, margin or "")
        except EvalangError as error:
            screen.show_error(error, {})
            if form == "markdown":
                print("### Gate: cannot be judged\n\nThe log of this step says why.")
            return UNREADABLE
    if not result.claims:
        hint = "add a claim, such as: claim new no worse than old within 1% on DATASET"
        raise ScriptError(f"the script {old} has no claim, so the gate has nothing to decide", hint=hint)
    found = _answer(result)
    sys.stdout.write((_markdown if form == "markdown" else _text)(result, found, missing))
    return {"pass": NOT_WORSE, "fail": WORSE}.get(inconclusive or "", found) if found == INCONCLUSIVE else found


def _directions(result: RunResult) -> str:
    """Return for each metric which scores are better: accuracy, higher is better."""
    metrics = dict.fromkeys(verdict.metric for verdict in result.verdicts)
    ways = [f"{spoken(m)}, {'higher' if higher_is_better(m) else 'lower'} is better" for m in metrics]
    return "; ".join(ways)


def _answer(result: RunResult) -> int:
    statuses = {claim.status for claim in result.claims}
    return WORSE if "contradicted" in statuses else INCONCLUSIVE if "not settled" in statuses else NOT_WORSE


def _run(source: SourceText, request: Request, margin: str) -> tuple[RunResult, str]:
    """Return the result, and what it says of missing answers; refuse two files whose answer hangs on them.

    More than 1% missing is refused by EV119, because the script of two files does not say how to count them. `margin`
    is empty for a script; one that does not fit the scores is refused by EV006, in the words of the script.
    """
    from ..pipeline import run_script

    try:
        result = run_script(source, request)
    except EvalangError as error:
        errors = [f for f in error.findings if f.level == "error"]
        if margin and errors and all(f.code == "EV119" for f in errors):
            lacks = errors[0].message.partition(", and the script")[0]
            raise DataError(f"the gate cannot judge, because {lacks}", hint=_COUNT_THEM) from None
        if margin and errors and errors[0].code == "EV006":
            message = re.sub(r"^`.*?`", f"--margin {margin}", errors[0].message)
            hint = re.sub(r"`(\S+?)(?: (p)oints?)?`", lambda m: f"--margin {m[1]}{'pt' * bool(m[2])}", errors[0].help)
            raise ScriptError(message, hint=hint) from None
        if margin and "missing count as wrong" in (error.hint or ""):
            hint = "add the missing scores, or gate a script with `complete cases`"
            raise DataError(error.message, hint=hint) from None
        raise
    notes = (said for v in result.verdicts if v.test for said in (*v.unmet, *v.test.notes))
    missing = next((said for said in notes if said.startswith("Missing answers are left out")), "")
    if not margin or not missing or "cannot count as wrong" in missing:
        return result, missing
    head, claim, rest = source.text.rpartition("\n\nclaim ")
    other = SourceText(source.path, f"{head},\n  missing count as wrong{claim}{rest}")
    without, counted = (_WORDS[_answer(one)] for one in (result, run_script(other, request)))
    if without != counted:
        lacks = missing.partition("(")[2].partition("), and with")[0]
        said = f"{lacks} answers: {without} without them, {counted} if they count as wrong"
        raise DataError(f"the gate cannot judge, because {said}", hint=_COUNT_THEM)
    return result, missing


def _source(old: str, new: str | None, margin: str | None, scratch: Path, options: ReadingOptions) -> SourceText:
    """Return the script that decides: the one that is named, or one that compares the two files."""
    from ..data.guess_roles import quote
    from .tables import SCRIPT_NAME, place_files, read_files

    if new is None:
        if not old.endswith(ENDINGS) or is_log_file(old):
            hint = f"write evalang gate {old} NEW --margin 1pt, or name a script that makes claims"
            raise ScriptError("the gate compares two files, but only one is named", hint=hint)
        if margin is not None:
            what = "--margin cannot be used with a script, because its claims name their own margin"
            raise ScriptError(what, hint="leave out --margin")
        return screen.read(old)
    if margin is None:
        hint = "add how much worse NEW may be: --margin 1pt, or --margin 0.5 in the unit of the metric"
        raise ScriptError("the option --margin is missing", hint=hint)
    given = _MARGIN.fullmatch(margin)
    if given is None or float(given[1]) <= 0.0:
        hint = "write --margin 1pt, --margin 1%, or --margin 0.5 in the unit of the metric"
        raise ScriptError(f"--margin {margin} is not a positive number, share or number of points", hint=hint)
    unit = "%" if given[2] in ("%", "percent") else " point" if given[1] == "1" else " points"
    within = f"{given[1]}{unit}" if given[2] else given[1]
    names: tuple[str, ...] = ("old", "new")
    root, _ = place_files((old, new), "")
    if options.are_logs((old, new)):
        names = _names((old, new), root, options)
        if names[0] == names[1]:
            options = replace(options, options=(*options.options, "named=file"))
            names = _names((old, new), root, options)
    found = read_files((old, new), options, scratch, learners=names)
    if len(found.readings) > 1:
        ways = "; ".join(meaning for meaning, _ in found.readings)
        raise DataError(f"{old} can be read in several ways: {ways}", hint="rename its columns: item, score, epoch")
    script = found.readings[0][1].replace(",\n  complete cases\n", "\n")  # many missing answers are refused
    table = re.search(r"^(results|predictions) (\S+) from", script, re.M)
    assert table is not None
    trained = "this classifier " if table[1] == "predictions" else ""
    claim = f"claim {trained}{quote(names[1])} no worse than {quote(names[0])} within {within} on {table[2]}\n"
    return SourceText(os.path.join(scratch if found.joined else root, SCRIPT_NAME), f"{script}\n{claim}")


def _names(files: tuple[str, ...], root: str, options: ReadingOptions) -> tuple[str, ...]:
    """Return the model of each log; a log of several models cannot be old or new."""
    from ..data.access import Access
    from ..data.tools import read_scores

    names, access = [], Access(root=Path(root or "."))
    for file in files:
        table = read_scores(options.source(options.kind_of(file), os.path.relpath(file, root or ".")), access)
        models = list(dict.fromkeys(table.frame[table.columns["learner"]].astype(str)))
        if len(models) > 1:
            what = f"{file} has {len(models)} models ({', '.join(models[:5])})"
            hint = "give each model a file of its own, or write a script with a claim"
            raise DataError(f"{what}, but the gate compares one model with one model", hint=hint)
        names += models
    return tuple(names)


def _text(result: RunResult, found: int, missing: str) -> str:
    from ..reports.assemble import claim_blocks
    from ..reports.document import Paragraph

    said = dict.fromkeys(filter(None, (missing, *(text for verdict in result.verdicts for text in verdict.unmet))))
    lines = [f"Gate: {_WORDS[found]} ({_directions(result)})", *said]
    lines[1:1] = [f"{b.label}: {b.text}" for b in claim_blocks(result) if isinstance(b, Paragraph)]
    return "".join(for_terminal(line) + "\n" for line in lines)


def _markdown(result: RunResult, found: int, missing: str) -> str:
    from ..reports.assemble import claim_blocks, document
    from ..reports.document import Paragraph
    from ..reports.markdown import fragment

    whole = fragment(document(result, background=False, pictures=False).blocks, level=4)
    said = [Paragraph(text=missing)] if missing else []
    head = f"### Gate: {_WORDS[found]} ({_directions(result)})\n\n{fragment((*claim_blocks(result), *said))}"
    return f"{head}\n<details><summary>The comparison</summary>\n\n{whole}\n</details>\n"
