"""Short ways to write a file and load it as a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalang.data.access import Access
from evalang.data.load import load
from evalang.data.table import Table
from evalang.errors import DataError
from evalang.language.text import Span
from evalang.plans.model import Dataset, Source

SPAN = Span("script.eval", 8, 20)


def load_source(folder: Path, kind: Any, locator: str, /, *, access: Access | None = None, **said: Any) -> Table:
    """Load a source of the folder as dataset `d`; `options` go to the source, the rest to the dataset."""
    options = tuple(said.pop("options", {}).items())
    source = Source(kind=kind, locator=locator, options=options)
    return load(Dataset(name="d", source=source, span=SPAN, **said), access=access or Access(root=folder))


def load_csv(folder: Path, text: str | bytes, /, **said: Any) -> Table:
    """Write the text to d.csv and load it."""
    content = text if isinstance(text, bytes) else text.encode()
    (folder / "d.csv").write_bytes(content)
    return load_source(folder, "csv", "d.csv", **said)


def refusal(function: Any, *args: Any, **said: Any) -> DataError:
    """The error a call ends in: one sentence, with advice and the place in the script."""
    with pytest.raises(DataError) as caught:
        function(*args, **said)
    error = caught.value
    assert error.message
    assert "\n" not in error.message
    assert error.message.isprintable()
    assert error.hint
    assert error.span == SPAN
    return error
