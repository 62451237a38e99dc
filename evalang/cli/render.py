"""`evalang render`"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from ..language.text import for_terminal
from .screen import FILE, STDIN, each, folder_of, read

if TYPE_CHECKING:
    from ..results.run_result import RunResult


@click.command("render")
@click.argument("documents", nargs=-1, required=True, type=FILE)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a document is out of date.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1, 1024), help="Trials side by side (default: the cores that are there)."
)
@click.option("--data-root", type=click.Path(path_type=Path), help="A folder that data may also be read from.")
@click.option(
    "--allow-net", multiple=True, metavar="HOST", help="A host that datasets may be read from; may be repeated."
)
def command(
    documents: tuple[str, ...], check: bool, jobs: int | None, data_root: Path | None, allow_net: tuple[str, ...]
) -> int:
    """Run the eval blocks of Markdown documents and write what they come to below them.

    The blocks of a document are one script. After a block that compares stand its verdicts; a value in the text,
    written in backticks as eval: NAME, is filled in. Pictures are written into a folder beside the document (paper.md:
    paper-figures). Rendering again replaces what was filled in before.

    \b
    evalang render paper.md
    evalang render --check paper.md docs/study.md   for continuous integration
    """

    def one(path: str) -> int:
        from ..data.files import beside
        from ..language.held import replace_below, replace_file
        from ..reports.embed import render

        source = read(path)
        drawn: dict[str, str] = {}

        def draw(key: str, svg: str) -> str:
            name = f"{Path(path).stem}-figures/{key}.svg"
            drawn[name] = svg
            return quote(name)

        text = render(
            source.text,
            lambda script: _judged(script, path, source.path, jobs, data_root, allow_net),
            None if path == STDIN else lambda name: beside(path, name),
            None if path == STDIN else draw,
        )
        place = Path(path).parent
        if check:
            # Pictures of one result differ between versions of matplotlib, so one that is there is not compared.
            old = text != source.text or not all((place / name).is_file() for name in drawn)
            if old:
                print(for_terminal(f"{source.path} is out of date"))
            return int(old)
        for name, svg in drawn.items():
            replace_below(str(place), name, svg.encode("utf-8"))
        if path == STDIN:
            sys.stdout.write(text)
        elif text != source.text:
            replace_file(path, text.encode("utf-8"))
            print(for_terminal(f"{source.path} rendered"), file=sys.stderr)
        return 0

    return each(documents, one)


def _judged(
    script: str, path: str, shown: str, jobs: int | None, data_root: Path | None, allow_net: tuple[str, ...]
) -> RunResult:
    """What a document's script comes to; its trials are kept beside the document, so that only changes cost."""
    from ..errors import EvalangError
    from ..language.text import SourceText
    from ..pipeline import Request, conduct
    from ..trials.options import RunOptions
    from .screen import bar, show

    source = SourceText(shown, script)
    folder = folder_of(path) if path != STDIN and os.path.isfile(path) else None
    options = RunOptions(jobs=jobs, folder=folder, within=folder.parents[1] if folder else None)
    try:
        return conduct(source, Request(options=options, data_root=data_root, allow_net=allow_net, progress=bar()))
    except EvalangError as error:
        show(error.findings, {source.path: source}, sys.stderr)
        error.findings = ()
        raise
