"""The machine and the versions behind a run: recorded, compared with the last run, never part of a result."""

from __future__ import annotations

import json
import os
import platform
from typing import Any

from threadpoolctl import threadpool_info

from .identity import version

_PACKAGES = ("evalang", "numpy", "scipy", "pandas", "scikit-learn", "statsmodels", "joblib", "threadpoolctl")


def environment() -> dict[str, Any]:
    """Versions, processor and linear algebra; no paths, no names of people or machines."""
    pools = [
        {name: pool.get(name) for name in ("user_api", "internal_api", "version", "architecture", "threading_layer")}
        for pool in threadpool_info()
    ]
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "packages": {name: version(name) for name in _PACKAGES},
        "threads": sorted(pools, key=lambda pool: json.dumps(pool, sort_keys=True)),
        "threads_per_trial": 1,
    }


def versions(evalang: str) -> tuple[tuple[str, str], ...]:
    """The versions behind the numbers, by name."""
    found = environment()
    packages = {name: one for name, one in found["packages"].items() if one}
    pools = {pool["internal_api"]: str(pool["version"]) for pool in found["threads"] if pool["user_api"] == "blas"}
    plain = {"python": found["python"], "system": found["system"], "evalang": evalang}
    return tuple({**packages, **pools, **plain}.items())


def drift(before: dict[str, Any], now: dict[str, Any]) -> tuple[str, ...]:
    """What changed since the trials that are already there were run, as sentences."""
    changes = []
    old, new = before.get("packages"), now["packages"]
    for name in sorted(new):
        earlier = old.get(name) if isinstance(old, dict) else None
        if isinstance(earlier, str) and earlier != new[name]:
            changes.append(f"{name} was {earlier or 'absent'} and is {new[name] or 'absent'}")
    moved = [n for n in ("python", "system") if isinstance(before.get(n), str) and before[n] != now[n]]
    changes += [f"{name} was {before[name]} and is {now[name]}" for name in moved]
    return tuple(f"since the earlier trials {change}" for change in changes)
