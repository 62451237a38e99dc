"""`evalang lint`: print what would make a result worthless, before anything is fitted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..errors import EvalangError, ScriptError
from ..findings.engine import lint, unknown_choice
from ..findings.lint_report import LintReport, Unjudged
from ..findings.rules import RULES
from ..language.text import Finding, SourceText, wants_colour
from ..plans.build import build
from ..plans.model import Plan
from ..settings import Settings, settings_for
from . import screen
from .main import print_error

Judge = Callable[[SourceText], tuple[LintReport, EvalangError | None]]


@click.command("lint")
@click.argument("files", nargs=-1, required=True, type=screen.FILE)
@click.option("--data", "opened", is_flag=True, help="Open the data and check the rules that need it.")
@screen.STRICT
@click.option("--warnings-as-errors", is_flag=True, help="End with exit code 1 on a warning too.")
@screen.choose_format(
    "text", "json", "sarif", "github", help="Output format: sarif is for code scanning, github for annotations."
)
@click.option("--notes", is_flag=True, help="Show notes in full (default: only their codes).")
@click.option("--fix", is_flag=True, help="Apply the safe repairs to the file.")
@click.option("--diff", is_flag=True, help="Show the safe repairs without applying them.")
@click.option(
    "--select", multiple=True, metavar="CODE", help="Check only this rule (EV501, EV5 or a name); may be repeated."
)
@click.option("--ignore", multiple=True, metavar="CODE", help="Skip this rule; may be repeated.")
@screen.DATA_ROOT
@screen.SKIP_LOGS
@screen.ALLOW_NET
def lint_command(
    files: tuple[str, ...], opened: bool, warnings_as_errors: bool, form: str, notes: bool, fix: bool, diff: bool,
    allow_net: tuple[str, ...], skip_logs: bool, **given: Any,
) -> int:  # fmt: skip
    """Check the design of experiments before anything is trained.

    FILES are scripts, folders, Markdown documents or notebooks with eval blocks; `-` is standard input.
    No data is opened without --data, and no code of the script's folder ever runs.

    \b
    evalang lint study.eval                              every finding, with its repair
    evalang lint --data study.eval                       also the rules that need the data
    evalang lint --strict study.eval                     with the strict levels
    evalang lint --warnings-as-errors --format github .  for continuous integration
    evalang lint --fix study.eval                        make the safe repairs

    To keep a finding on purpose, write: allow EV401 because "repeats the older study".
    """
    screen.note_strict(given["strict"], "--warnings-as-errors")
    given |= {name: checked(given[name]) for name in ("select", "ignore")}
    reports: list[tuple[str, LintReport]] = []

    def judge(path: str) -> int:
        found = settings_for(path, **given)
        settings = replace(found, select=checked(found.select), ignore=checked(found.ignore))
        judges: list[Judge] = [partial(_lint, settings=settings)]
        if opened:
            judges.append(partial(_lint, settings=settings, hosts=allow_net))
        worst = 0
        for source in _sources(path):
            report, error = judges[-1](_repaired(source, path, judges, diff) if fix or diff else source)
            reports.append((source.path, report))
            if error is not None:
                print_error(error)
            worst = max(worst, _code(report, warnings_as_errors), error.exit_code if error is not None else 0)
        return worst

    worst = screen.run_for_each_file(screen.expand(files, skip_logs=skip_logs), judge)
    if not diff:
        _write(reports, form, notes)
    return worst


def checked(given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the codes and names of rules in what was given; ScriptError for one that no rule has."""
    words = tuple(word for one in given for word in one.split(",") if word)
    for wrong in filter(None, map(unknown_choice, words)):
        raise ScriptError(wrong)
    return words


def _sources(path: str) -> list[SourceText]:
    if path.endswith(screen.DOCUMENTS):
        from ..findings.embedded import extract

        found = list(extract(screen.read(path)))
        if not found:
            what, how = "eval block", "begin it by ```eval"
            if path.endswith(".ipynb"):
                what, how = "%%evalang cell", "begin a cell with %%evalang"
            raise ScriptError(f"{path} has no {what}, so there is nothing to check", hint=how)
        return found
    if path.endswith(".py"):
        hint = "lint reads .eval scripts, Markdown documents, and notebooks with %%evalang cells"
        raise ScriptError(f"{path} is a Python file, not a script", hint=hint)
    return [screen.read(path)]


def _lint(
    source: SourceText, settings: Settings, hosts: tuple[str, ...] | None = None
) -> tuple[LintReport, EvalangError | None]:
    """Return what was found, and why the data could not be opened; with `hosts`, even none, data are opened."""
    built = build(source)
    judged = partial(lint, select=settings.select, ignore=settings.ignore, strict=settings.strict)
    report = judged(built)
    if hosts is None:
        here = None if settings.select else _readable(built.plan, source.path)
        return (_unopened(report, f"`--data` reads {here} and checks them") if here else report), None
    if any(found.level == "error" for found in built.findings):
        return _unopened(report, "the data was not opened, since the script cannot be planned as it is"), None
    plan = built.plan
    described = [d.name for d in plan.datasets if d.used and d.source.kind == "described"]
    described += [x.name for x in plan.learners if x.used and x.described]
    if described:
        reason = f"the data were not opened, because {described[0]} is declared with `described as`"
        return _unopened(report, reason), None
    from ..pipeline import PlannedScript, Request, load_data

    request = Request(data_root=settings.data_root, allow_net=hosts)
    try:
        data = load_data(PlannedScript(source, built, report), request)
    except EvalangError as error:
        return _unopened(report, "the data could not be opened"), error
    return judged(data.built, profiles=data.profiles, before=report, tables=data.facts), None


def _readable(plan: Plan, script: str) -> str | None:
    """Return the first file of data that is there, as the script names it; None without any."""
    used = [one.source for kind in (plan.datasets, plan.results, plan.predictions) for one in kind if one.used]
    named = (source.locator for source in used if source.kind not in ("builtin", "described", "python", "sql"))
    return next((name for name in named if name and (Path(script).parent / name).exists()), None)


def _unopened(report: LintReport, reason: str) -> LintReport:
    """Return the report of the design, with the rules of the data as not judged."""
    codes = tuple(rule.code for rule in RULES if "data" in rule.stages and "ledger" not in rule.needs)
    return replace(report, unjudged=(*report.unjudged, Unjudged(codes, reason)))


def _repaired(source: SourceText, path: str, judges: list[Judge], only_show: bool) -> SourceText:
    """Return the script with the safe repairs of what each judge finds; they are shown, or written into the file."""
    from ..findings.fix import repair
    from ..language.files import replace_file

    if path.endswith(screen.DOCUMENTS) or (path == screen.STDIN and not only_show):
        hint = "name a .eval file, or leave the option out"
        raise ScriptError("--fix and --diff repair .eval scripts only", hint=hint)
    text = source.text
    for judge in judges:
        text = repair(SourceText(source.path, text), partial(_findings, judge))
    if only_show:
        screen.print_diff(source, text)
    elif text != source.text:
        replace_file(path, text.encode("utf-8"))
    return SourceText(source.path, text)


def _findings(judge: Judge, script: SourceText) -> tuple[Finding, ...]:
    return judge(script)[0].findings


def _write(reports: list[tuple[str, LintReport]], form: str, notes: bool) -> None:
    found = [report for _, report in reports]
    if form == "text":
        from ..findings.render_text import render_report

        if found:  # else no file could be read, and stderr says why
            sys.stdout.write(render_report(found, colour=wants_colour(sys.stdout), notes=notes))
        return
    from .. import __version__
    from ..findings import render_json as renderers

    if form == "github":
        sys.stdout.write(renderers.render_github(found))
        return
    screen.print_json(renderers.render_json(reports) if form == "json" else renderers.render_sarif(found, __version__))


def _code(report: LintReport, warnings_as_errors: bool) -> int:
    if report.crashed:
        return 3
    if any(f.code == "EV001" for f in report.findings):
        return 2
    return int(bool(report.at_least("warning" if warnings_as_errors else "error")))
