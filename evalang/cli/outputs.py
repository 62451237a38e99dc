"""`report … to "file"`: what a script asks to be written, inside its own folder."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import ScriptError
from ..plans.model import Output, Plan
from ..reports.write import format_of, write
from ..results.run_result import RunResult
from ..source.text import Source


def check_outputs(plan: Plan, sources: dict[str, Source], script: str, folder: Path) -> None:
    """Refuse a path that leads astray before anything is run."""
    for output in plan.outputs:
        target(output, sources, script, folder)


def write_outputs(result: RunResult, script: str, folder: Path) -> list[Path]:
    """Write every report the script names; the paths written. All are checked before the first is written."""
    sources = {path: Source(path, text) for path, text in result.sources}
    outputs = [(output, target(output, sources, script, folder)) for output in result.plan.outputs]
    return [path for o, place in outputs for path in write(result, place, o.format, subject=o.subject)]


def target(output: Output, sources: dict[str, Source], script: str, folder: Path) -> str:
    """Where a report goes: beside the script or below it, links followed, with the ending of its format."""
    root = Path(os.path.dirname(script) or ".")
    place = root / output.path
    found = sources.get(output.span.path)
    where = {"span": output.span, "position": found.position(output.span.start) if found else None}
    if "\0" in output.path or not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(root)):
        raise ScriptError(
            f'"{output.path}" leads out of the folder of the script',
            hint="write reports beside the script or below it",
            **where,  # type: ignore[arg-type]
        )
    if Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder)):
        raise ScriptError(
            f'"{output.path}" lies in the run folder, where evalang keeps the trials',
            hint="write reports beside the script, or into a folder of their own",
            **where,  # type: ignore[arg-type]
        )
    if output.path.endswith("/"):
        return f"{place}/"
    endings = format_of(output.path, output.format).endings
    if output.format and place.suffix.lower() not in endings and not os.path.isdir(place):
        # A report must not take the place of a table or a program that lies beside the script.
        raise ScriptError(
            f'"{output.path}" does not end like {output.format}',
            hint=f"end it in {endings[0]}",
            **where,  # type: ignore[arg-type]
        )
    return str(place)
