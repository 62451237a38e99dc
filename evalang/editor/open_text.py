"""A text as an editor holds it, and the scripts in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..findings.embedded import cell_script, extract, has_magic
from ..language.decode import ENDINGS as ENDINGS
from ..language.text import SourceText
from .python import python_scripts
from .whole_script import EmbeddedScript

_HEAD = 4096  # characters looked at
_LONE_RETURN = re.compile("\r(?!\n)")


@dataclass(frozen=True, slots=True)
class OpenText:
    """A text with its address; `path` is its place on the disk, "" for a text that has none."""

    uri: str
    path: str
    text: str
    language: str = "evalang"
    version: int | None = None


def scripts(document: OpenText) -> tuple[EmbeddedScript, ...]:
    """The scripts of a document, in order."""
    text = document.text
    # As when a file is read: a byte-order mark means nothing, a lone return ends a line; no character moves.
    plain = _LONE_RETURN.sub("\n", text) if "\r" in text else text
    if plain.startswith("PK\x03\x04") or "\0" in plain[:_HEAD]:
        return ()  # a log of Inspect AI has the same ending and is a ZIP archive
    path = document.path or document.uri
    if document.language == "markdown" or path.endswith((".md", ".markdown")):
        return tuple(_blocks(path, plain))
    if document.language == "python":
        if has_magic(plain):
            return (EmbeddedScript(cell_script(path, plain)),)
        return tuple(python_scripts(path, plain))
    if document.language in ("evalang", "eval") or path.endswith(ENDINGS):
        return (EmbeddedScript(cell_script(path, plain) if has_magic(plain) else SourceText(path, plain)),)
    return ()


def _blocks(path: str, text: str) -> Iterator[EmbeddedScript]:
    """Each block reaches from its fence to its end; around it everything is blank."""
    for source in extract(SourceText(path if path.endswith(".md") else path + ".md", text)):
        inside = source.text
        begin = len(inside) - len(inside.lstrip())
        line = text.rfind("\n", 0, begin) + 1
        yield EmbeddedScript(SourceText(path, inside), begin=line, end=len(inside))
