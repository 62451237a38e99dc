"""`report … to "file"`: what a script asks to be written, inside its own folder."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import ScriptError
from ..plans.model import Output
from ..reports.write import write
from ..source.text import Source
from ..verdicts.verdict import Judgement


def write_outputs(judgement: Judgement, source: Source) -> list[Path]:
    """Write every report the script names; the paths written."""
    root = Path(os.path.dirname(source.path) or ".")
    return [path for output in judgement.plan.outputs for path in _one(judgement, output, root, source)]


def _one(judgement: Judgement, output: Output, root: Path, source: Source) -> list[Path]:
    wanted = Path(os.path.realpath(root / output.path))
    if "\0" in output.path or not wanted.is_relative_to(os.path.realpath(root)):
        raise ScriptError(
            f'"{output.path}" leads out of the folder of the script',
            hint="write reports beside the script or below it",
            span=output.span,
            position=source.position(output.span.start),
        )
    target = str(root / output.path)
    return list(write(judgement, target, output.format, subject=output.subject))
