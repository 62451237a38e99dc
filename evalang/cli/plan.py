"""`evalang plan`"""

from __future__ import annotations

import json
import sys

import click

from ..findings.engine import lint
from ..plans.build import build
from ..plans.canonical import fingerprint, to_json
from ..plans.describe import describe
from ..source.escape import for_terminal
from .findings import show
from .inputs import read


@click.command("plan")
@click.argument("file")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="For people, or for programs.")
def command(file: str, form: str) -> int:
    """Show what a script would do: which question, which test and why, which family and level, how many trainings.

    No data is opened and nothing is run. `--format json` follows docs/schema/plan.schema.json.
    """
    built = build(read(file))
    errors = tuple(f for f in built.findings if f.level == "error")
    if form == "json":
        print(json.dumps({"fingerprint": fingerprint(built.plan), "plan": to_json(built.plan)}, indent=2, allow_nan=False))
    else:
        sys.stdout.write(for_terminal(describe(built.plan), lines=True))
    if errors:
        show(errors, built.sources, sys.stderr)
        return 1 if built.readable else 2
    report = lint(built)
    if report.findings and form == "text":
        counts = ", ".join(f"{len([f for f in report.findings if f.level == level])} {level}s" for level in ("error", "warning", "note") if any(f.level == level for f in report.findings))
        print(f"lint: {counts}; see evalang lint {for_terminal(file)}", file=sys.stderr)
    return 0
