"""What a script may reach: decided on the command line or by the caller in Python, never by the script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The folder of the script, `--data-root`, the hosts of `--allow-net`, and what Python handed over."""

    root: Path
    data_root: Path | None = None
    allow_net: tuple[str, ...] = ()  # hosts, as the person named them: `host` or `host:port`
    handed: Mapping[str, object] = field(default_factory=dict, repr=False)

    def allows(self, host: str, port: int | None = None) -> bool:
        """Whether the person named this very host; a port counts where one was named."""
        names = {host.lower(), f"{host.lower()}:{port}"}
        return any(named.lower() in names for named in self.allow_net)
