"""What a script may reach: decided on the command line or by the caller in Python, never by the script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The folder of the script, `--data-root`, `--allow-net`, and what Python handed over."""

    root: Path
    data_root: Path | None = None
    allow_net: bool = False
    handed: Mapping[str, object] = field(default_factory=dict, repr=False)
