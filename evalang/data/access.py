"""What a script may reach: decided on the command line or by the caller in Python, never by the script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Reading = Callable[[str, int, int], None]  # hears of a file how many of its bytes are read; all of them: it is closed


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The folder of the script, `--data-root`, the hosts of `--allow-net`, and what Python handed over."""

    root: Path
    data_root: Path | None = None
    allow_net: tuple[str, ...] = ()  # hosts, as the person named them: `host` or `host:port`
    handed: Mapping[str, object] = field(default_factory=dict, repr=False)
    reading: Reading | None = field(default=None, repr=False)
    tables: dict[Any, Any] = field(
        default_factory=dict, repr=False
    )  # scores that were read, so that none is read twice

    def allows(self, host: str, port: int | None = None) -> bool:
        """Whether the person named this very host; a port counts where one was named."""
        names = {host.lower(), f"{host.lower()}:{port}"}
        return any(named.lower() in names for named in self.allow_net)
