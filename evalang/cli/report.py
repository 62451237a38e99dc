"""`evalang report`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..source.escape import for_terminal

_ENDINGS = {"html": "report.html", "markdown": "report.md", "latex": "report.tex", "json": "run.json"}


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--to", "form", type=click.Choice(["text", *_ENDINGS]), default="text", help="The format to write.")
@click.option("--out", type=click.Path(path_type=Path), help="The file (or folder, for latex) to write.")
@click.option("--subject", help="Only this comparison.")
def command(run: Path, form: str, out: Path | None, subject: str | None) -> int:
    """Write the report of a finished RUN folder in any format; nothing is fitted.

    Text goes to the screen; other formats are written into the run folder unless --out says otherwise.
    """
    from ..reports.build import document
    from ..reports.terminal import show
    from ..reports.write import write
    from ..stored import stored

    judgement = stored(run)
    if form == "text":
        show(document(judgement, subject), sys.stdout, full=True)
        return 0
    target = out or run / _ENDINGS[form]
    for path in write(judgement, str(target), form, subject=subject):
        print(for_terminal(f"wrote {path}"))
    return 0
