"""Settings of a project: `[tool.evalang]` in the nearest pyproject.toml, and where they switch the ledger off.

Trust is not a setting: a folder from someone else must not decide which code runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from .errors import ScriptError
from .language.text import nearest

NAME = "pyproject.toml"
LARGEST = 1_000_000  # bytes of a pyproject.toml that is read


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project sets for its scripts; the command line goes before it."""

    strict: bool = False
    select: tuple[str, ...] = ()  # for lint and the editor; a run asks every rule
    ignore: tuple[str, ...] = ()
    data_root: Path | None = None
    jobs: int | None = None
    ledger: bool = True

    def why_no_ledger(self, option: str = "") -> str:
        """Return why no ledger is kept; "" where one is. `option` is how the user switched it off, if so."""
        if option:
            return f"switched off ({option})"
        if os.environ.get("EVALANG_LEDGER", "").lower() == "off":
            return "switched off (EVALANG_LEDGER=off)"
        return "" if self.ledger else f"switched off (ledger = false in {NAME})"


def settings_for(path: str, **given: Any) -> Settings:
    """Return the settings for a script; those of the current folder for text without a file.

    What is `given`, such as `strict` by an option, goes before the project's setting.
    """
    inline = path == "-" or path.startswith("<")
    folder = Path.cwd() if inline else Path(os.path.abspath(path)).parent
    found = next((found for one in (folder, *folder.parents) if (found := _read(one)) is not None), Settings())
    return replace(found, **{name: value for name, value in given.items() if value})


def _read(folder: Path) -> Settings | None:
    """Return the settings in this folder; None where it has none."""
    path = folder / NAME
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() and path.stat().st_size <= LARGEST else ""
    except (OSError, UnicodeDecodeError):
        return None
    if "evalang" not in text:
        return None
    try:
        tool = _parsed(text).get("tool", {})
    except (ValueError, RecursionError) as error:
        raise ScriptError(f"{path} cannot be read: {error}", hint="correct the file: it holds [tool.evalang]") from None
    given = tool.get("evalang") if isinstance(tool, dict) else None
    if given is None:
        return None
    if not isinstance(given, dict):
        raise ScriptError(f"tool.evalang in {path} is not a section", hint="write [tool.evalang] on a line of its own")
    return Settings(**{word.replace("-", "_"): _value(word, value, path) for word, value in given.items()})


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """Return the content of a TOML file; from Python, many runs read the same one."""
    import tomllib

    return tomllib.loads(text)


def _value(word: str, value: Any, path: Path) -> Any:
    if word == "trust":
        raise ScriptError(
            f"[tool.evalang] in {path} sets trust, which only the command line can",
            hint="name the package on the command line: --trust PACKAGE",
        )
    if word not in _KINDS:
        near = nearest(word, _KINDS)
        hint = f"did you mean {near}?" if near else f"the settings are {', '.join(_KINDS)}"
        raise ScriptError(f"[tool.evalang] in {path} sets {word}, which is not a setting", hint=hint)
    fits, example = _KINDS[word]
    if not fits(value):
        raise ScriptError(f"[tool.evalang] in {path}: the value of {word} has the wrong type", hint=f"write {example}")
    if isinstance(value, list):
        return tuple(value)
    if word != "data-root":
        return value
    root = Path(os.path.realpath(path.parent / value))
    if not root.is_relative_to(os.path.realpath(path.parent)):
        raise ScriptError(
            f"data-root in {path} is a folder outside that of the file", hint="use the option --data-root for it"
        )
    return root


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "strict": (_is_bool, "strict = true"),
    "select": (_is_list, 'select = ["EV2", "EV5"]'),
    "ignore": (_is_list, 'ignore = ["EV102"]'),
    "data-root": (lambda value: isinstance(value, str), 'data-root = "data"'),
    "jobs": (lambda value: type(value) is int and 1 <= value <= 1024, "jobs = 2"),
    "ledger": (_is_bool, "ledger = false"),
}
