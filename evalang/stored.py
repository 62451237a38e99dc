"""A finished run in its folder: written after the run, read back without fitting anything."""

from __future__ import annotations

from pathlib import Path

from .errors import RunError, ScriptError
from .results.archive import dumps, loads
from .results.run_result import RunResult
from .trials.files import write_whole

RESULT = "result.json"


def keep(result: RunResult, folder: Path) -> None:
    """Put the result beside its trials, for `evalang report` and `ev.load`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be made: {error.strerror}", hint="name another folder") from None
    write_whole(folder / RESULT, dumps(result))  # a link put there by somebody is replaced, not followed


def stored(folder: Path) -> RunResult:
    """The result that a run left in its folder."""
    path = folder / RESULT
    if not folder.is_dir():
        raise ScriptError(f"there is no run folder {folder}", hint="evalang run writes runs/SCRIPT beside the script")
    if not path.is_file():
        raise ScriptError(f"{folder} holds no finished run", hint="run the script to its end with evalang run")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ScriptError(f"{path} cannot be read", hint="run the script again") from None
    return loads(text, str(path))
