"""`evalang plan`"""

from __future__ import annotations

import sys

import click

from ..findings.engine import lint
from ..plans.build import build
from ..source.text import LEVELS, for_terminal
from .screen import FILE, read, show


@click.command("plan")
@click.argument("file", type=FILE)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="For people, or for programs."
)
def command(file: str, form: str) -> int:
    """Show what a script would do: which question, which test and why, which family and level, how many trainings.

    No data is opened and nothing is run.

    \b
    evalang plan study.eval
    evalang plan --format json study.eval   after docs/schema/plan.schema.json; the fingerprint changes
                                            only when the meaning does
    """
    built = build(read(file))
    if form == "json":
        import json

        from ..plans.canonical import fingerprint, to_json

        printed = {"fingerprint": fingerprint(built.plan), "plan": to_json(built.plan)}
        print(json.dumps(printed, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        from ..plans.describe import describe

        sys.stdout.write(for_terminal(describe(built.plan), lines=True))
    errors = tuple(f for f in built.findings if f.level == "error")
    if errors:
        show(errors, built.sources, sys.stderr)
        return 1 if built.readable else 2
    report = lint(built)
    counts = [(len([f for f in report.findings if f.level == level]), level) for level in LEVELS]
    words = ", ".join(f"{n} {level}{'s' * (n != 1)}" for n, level in counts if n)
    if words:
        print(for_terminal(f"lint: {words}; see evalang lint {file}"), file=sys.stderr)
    return int(bool(report.errors))
