"""`report … to "file"`: what a script asks to be written, inside its own folder."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import ScriptError
from ..plans.model import Output
from ..reports.write import write
from ..source.text import Source
from ..verdicts.verdict import Judgement


def write_outputs(judgement: Judgement, script: str) -> list[Path]:
    """Write every report the script names; the paths written. All are checked before the first is written."""
    root = Path(os.path.dirname(script) or ".")
    sources = {path: Source(path, text) for path, text in judgement.sources}
    outputs = [(output, _inside(output, root, sources)) for output in judgement.plan.outputs]
    return [path for o, target in outputs for path in write(judgement, target, o.format, subject=o.subject)]


def _inside(output: Output, root: Path, sources: dict[str, Source]) -> str:
    """Where it goes: beside the script or below it, links followed."""
    target = root / output.path
    if "\0" not in output.path and Path(os.path.realpath(target)).is_relative_to(os.path.realpath(root)):
        return str(target) + ("/" if output.path.endswith("/") else "")
    found = sources.get(output.span.path)
    raise ScriptError(
        f'"{output.path}" leads out of the folder of the script',
        hint="write reports beside the script or below it",
        span=output.span,
        position=found.position(output.span.start) if found else None,
    )
