"""`evalang plan`: print what a script would do, and with --pilot or --budget what it costs."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import EvalangError, ScriptError
from ..findings.engine import lint
from ..findings.lint_report import count_levels
from ..language.files import read_plain
from ..language.text import SourceText, for_terminal
from ..plans.build import build
from ..settings import Settings, settings_for
from . import screen

if TYPE_CHECKING:
    from ..data.table import Table
    from ..plans.build import Built
    from ..plans.cost import PlanCost
    from ..plans.model import Plan

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}  # by the first letter: sec, min, minutes, hours


@click.command("plan")
@click.argument("file", type=screen.FILE)
@screen.choose_format("text", "json", help="Output format.")
@click.option("--data", "opened", is_flag=True, help="Open the data to show sizes and preparation.")
@click.option("--pilot", is_flag=True, help="Estimate time and memory from a few fits, which the run reuses.")
@click.option(
    "--pilot-seconds",
    type=screen.Seconds(),
    default=60.0,
    show_default=True,
    help="The pilot starts no new fit after this many seconds.",
)
@click.option("--budget", metavar="TIME", help="Show what fits into this time (2h, 5m, 90s); needs a pilot.")
@screen.JOBS
@screen.RUN_FOLDER
@screen.DATA_ROOT
@screen.TRUST
@screen.ALLOW_NET
@screen.STRICT
def plan_command(file: str, form: str, budget: str | None, out: Path | None, **asked: Any) -> int:
    """Show what a script would do: the question, the test and why, the family and level, and the number of fits.

    No data is opened and nothing is run without --data or --pilot. A pilot shows times and memory and no score.

    \b
    evalang plan study.eval
    evalang plan --data study.eval          with sizes, and how columns are prepared
    evalang plan --pilot study.eval         how long it takes, and how much memory
    evalang plan --budget 2h study.eval     what two hours are enough for, after a pilot
    evalang plan --format json study.eval   after docs/schema/plan.schema.json; the fingerprint changes
                                            only when the meaning does
    """
    source = screen.read(file)
    settings = settings_for(file, **{name: asked.pop(name) for name in ("strict", "data_root", "jobs")})
    seconds = _seconds(budget) if budget is not None else None
    folder = out or screen.folder_of(file)
    built = build(source)
    lines: list[str] = []
    if (asked["opened"] or asked["pilot"]) and not any(f.level == "error" for f in built.findings):
        try:
            built, lines = _opened(source, built, folder, out is None, settings, asked)
        except EvalangError as error:
            if not error.findings:
                raise
            screen.show_error(error, {source.path: source})
            return error.exit_code
    if form == "json":
        from ..codec import to_json
        from ..plans.description import fingerprint

        screen.print_json({"fingerprint": fingerprint(built.plan), "plan": to_json(built.plan)})
    else:
        from ..plans.description import describe

        sys.stdout.write(for_terminal(describe(built.plan, ran=asked["pilot"]), lines=True))
    out_ = sys.stderr if form == "json" else sys.stdout
    lines += _cost(source, built, folder, seconds)
    print(*(for_terminal(line) for line in lines), sep="\n", end="\n" * bool(lines), file=out_)
    return _judged(file, built, settings.strict)


def _judged(file: str, built: Built, strict: bool) -> int:
    errors = tuple(f for f in built.findings if f.level == "error")
    if errors:
        screen.show(errors, built.sources, sys.stderr)
        return 1 if built.readable else 2
    report = lint(built, strict=strict)
    if report.findings:
        notes = "--notes " * any(found.level == "note" for found in report.findings)
        words = f"lint: {count_levels(report.findings)}; see evalang lint {notes}{file}"
        print(for_terminal(words), file=sys.stderr)
    return int(bool(report.errors))


def _opened(
    source: SourceText, written: Built, folder: Path, beside: bool, settings: Settings, asked: dict[str, Any]
) -> tuple[Built, list[str]]:
    """Return the plan completed from the data, and lines on the preparation of columns; run the pilot if asked for."""
    from ..ledger.entries import project_of
    from ..pipeline import PlannedScript, Request, load_data, open_script, run_pilot, with_counted_rows
    from ..trials.options import RunOptions

    within = folder.parents[1] if beside else None
    trusted = frozenset(asked["trust"])
    limit = asked["pilot_seconds"] if asked["pilot"] else None
    request = Request(
        options=RunOptions(jobs=settings.jobs, folder=folder, within=within, trusted=trusted, pilot=limit),
        data_root=settings.data_root,
        allow_net=asked["allow_net"],
        reading=screen.reading(),
        strict=settings.strict,
        on_note=screen.print_note,
        progress=screen.make_progress_callback() if sys.stderr.isatty() else None,
        ledger=project_of(source.path),
    )
    if not asked["pilot"]:
        data = load_data(PlannedScript(source, written, lint(written)), request)
        built = with_counted_rows(data.built, data.tables)
        return built, _preparation(built.plan, data.tables)
    opened = open_script(source, request)
    lines = _preparation(opened.plan, opened.tables)
    if opened.tables:
        _, failed = run_pilot(opened, request, written.plan)
        lines += [f"failed in the pilot: {f.learner} on {f.dataset}: {f.failure.message}" for f in failed[:10]]
    return with_counted_rows(opened.built, opened.tables), lines


def _preparation(plan: Plan, tables: Mapping[str, Table]) -> list[str]:
    """Return the columns of every dataset by their kind, and a line for each default preparation of them."""
    from ..data.quoting import quoted_list
    from ..plans.preparation import WORDS
    from ..trials.prepare import prepared_of

    columns = []
    for name, table in tables.items():
        named = [
            (word, [column for column, its in zip(table.X.columns, table.kinds, strict=True) if its == kind])
            for word, kind in (("numbers", "numeric"), ("categories", "categorical"))
        ]
        columns.append(f"  {name}: " + "; ".join(f"{word} {quoted_list(found)}" for word, found in named if found))
    alike: dict[tuple[str, str], list[str]] = {}
    for dataset, learner, added in prepared_of(plan, tables):
        words = "; ".join(WORDS[one] for one in added) or "no preparation, columns are used as they are"
        alike.setdefault((dataset, words), []).append(learner)
    lines = [f"  {dataset}: {', '.join(names)}: {words}" for (dataset, words), names in alike.items()]
    heads = ["Columns to learn from:", *columns, ""] if columns else []
    return heads + (["Preparation that evalang adds, by dataset:", *lines, ""] if lines else [])


def _cost(source: SourceText, built: Built, folder: Path, seconds: float | None) -> list[str]:
    """Return lines on the times measured by a pilot of this plan, and on what the budget suffices for."""
    found = _piloted(source, folder)
    if found is None:
        if seconds is not None:
            raise ScriptError(
                "--budget needs the times of a pilot, and there is none of this plan",
                hint="add --pilot, which runs a few fits and measures their time; the run reuses them",
            )
        return []
    from ..plans.cost import describe_budget, describe_cost

    return [*describe_cost(found), *(describe_budget(built.plan, found, seconds) if seconds is not None else ())]


def _piloted(source: SourceText, folder: Path) -> PlanCost | None:
    from ..plans.cost import NAME, loads
    from ..plans.description import fingerprint

    try:
        text = read_plain(folder / NAME).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    found = loads(text)
    return found if found is not None and found.fingerprint == fingerprint(build(source).plan) else None


def _seconds(budget: str) -> float:
    """Return the seconds of 2h, 1.5 h, 5m, 90min, 1h30m, 2 hours, 30s."""
    part = r"(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)(?![a-z])\s*"
    total = sum(float(number) * _UNITS[unit[0]] for number, unit in re.findall(part, budget))
    if not re.fullmatch(f"(?:{part})+", budget.strip()) or not 0 < total < 1e9:
        raise ScriptError(f"--budget {budget} is not a duration", hint="write 2h, 5m, 1h30m or 90s")
    return total
