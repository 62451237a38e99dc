"""The text of a file that lies beside a document, or in a folder below it; nothing else can be quoted."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import DataError
from ..language.decode import decode
from .access import Access
from .opened import opened
from .shown import shown

LARGEST = 4 << 20  # bytes; what is quoted is read by people


def beside(document: str | os.PathLike[str], locator: str) -> str:
    """The file at this path from the document's folder."""
    with opened(locator, Access(root=Path(document).parent)) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise DataError(f"{shown(locator)} is larger than {LARGEST >> 20} MB", hint="quote a table made from it")
    return decode(data, locator, most=LARGEST).text
