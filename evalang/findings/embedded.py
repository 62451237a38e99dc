"""Scripts inside other documents: fenced `eval` blocks of Markdown, and cells of notebooks.

Each block is a script of its own. Its Source is as long as the document up to its end, with everything around it
blanked out, so that lines, columns and offsets are those of the document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..errors import ScriptError
from ..language.files import LARGEST, too_large
from ..language.text import SourceText

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*(.*?)[ \t\r]*$")
_MAGIC = re.compile(r"^%%evalang\b[^\n]*")
_OURS = ("eval", "evalang")
MOST_BLANKED = 32 << 20  # characters of all blocks with the blanks before them; blocks x length grows as a square


def extract(source: SourceText) -> Iterator[SourceText]:
    """Yield the scripts of a document, by its ending: .ipynb is a notebook, anything else Markdown."""
    total = 0
    for block in _cells(source) if source.path.endswith(".ipynb") else _blocks(source):
        total += len(block.text)
        if total > MOST_BLANKED:
            raise ScriptError(f"{source.path} holds too many eval blocks for its length", hint="split the document")
        yield block


def _blocks(source: SourceText) -> Iterator[SourceText]:
    text = source.text
    begin, mark = 0, ""
    opened: tuple[int, bool] | None = None  # where the block begins, and whether it is ours
    while begin <= len(text):
        end = text.find("\n", begin)
        stop = len(text) if end < 0 else end
        found = _FENCE.match(text[begin:stop])
        if found and opened is None:
            mark, opened = found.group(1), (stop + 1, _ours(found.group(2)))
        elif found and opened is not None and found.group(1).startswith(mark) and not found.group(2):
            if opened[1]:
                _checked(source.path, begin - opened[0])
                yield SourceText(source.path, _blanked(text, opened[0], begin))
            opened = None
        begin = stop + 1
    if opened is not None and opened[1]:  # a fence that is never closed runs to the end
        _checked(source.path, len(text) - opened[0])
        yield SourceText(source.path, _blanked(text, opened[0], len(text)))


def _ours(info: str) -> bool:
    """Return whether an info string is eval, {eval} or {evalang}; `eval,bad` shows a mistake on purpose."""
    words = re.split(r"[\s,{}]+", info.strip("{} "))
    return words[0] in _OURS and "bad" not in words[1:]


def _checked(path: str, size: int) -> None:
    if size > LARGEST:
        raise too_large(f"an eval block of {path}", size, LARGEST)


def _blanked(text: str, start: int, end: int) -> str:
    before = re.sub(r"[^\r\n]+", lambda line: " " * len(line.group()), text[:start])
    inside = re.sub(r"(?m)^[ \t]*>[ \t>]*", lambda quote: " " * len(quote.group()), text[start:end])
    return before + inside


def _cells(source: SourceText) -> Iterator[SourceText]:
    try:
        notebook = json.loads(source.text)
        cells = notebook.get("cells", [])
        language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "")
    except (ValueError, AttributeError, RecursionError) as error:
        raise ScriptError(
            f"{source.path} is not a notebook: it cannot be read as JSON", hint="save it again"
        ) from error
    for number, cell in enumerate(cells if isinstance(cells, list) else [], start=1):
        if not isinstance(cell, dict):
            continue
        lines = cell.get("source", "")
        text = "".join(str(line) for line in lines) if isinstance(lines, list) else str(lines)
        path = f"{source.path}#cell-{number}"
        if cell.get("cell_type") == "markdown":
            yield from _blocks(SourceText(path, text))
        elif cell.get("cell_type") == "code" and (_MAGIC.match(text) or language in _OURS):
            _checked(path, len(text))
            yield cell_script(path, text)


def has_magic(text: str) -> bool:
    """Return whether the text of a cell begins with `%%evalang`."""
    return _MAGIC.match(text) is not None


def cell_script(path: str, text: str) -> SourceText:
    """Return the script in a cell, its magic blanked out."""
    return SourceText(path, _MAGIC.sub(lambda magic: " " * len(magic.group()), text, count=1))
