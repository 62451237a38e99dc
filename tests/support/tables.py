"""Scripts that are run on tables of the test's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.results.run_result import RunResult


def run_on(folder: Path, script: str, **tables: str | pd.DataFrame | Mapping[str, Any]) -> RunResult:
    """Write each table to a CSV file named after its argument, and run the script as if it stood beside them."""
    for name, table in tables.items():
        text = table if isinstance(table, str) else pd.DataFrame(table).to_csv(index=False)
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return run_script(SourceText(str(folder / "s.eval"), script), Request())
