"""A finished run, read back from its folder."""

from __future__ import annotations

from pathlib import Path

from .errors import ScriptError
from .verdicts.archive import loads
from .verdicts.verdict import Judgement

RESULT = "result.json"


def stored(folder: Path) -> Judgement:
    """The result that `evalang run` left in a run folder."""
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
