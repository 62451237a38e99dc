"""A wall clock that jumps in a process and all it forks, without touching that of the machine.

Monotonic clocks never jump, which is what they are for; `time.time`, `time.time_ns` (of every module that has them) and
the `datetime` of the package do. The distance is kept in memory that processes share, so that a jump comes at any
instant from outside.
"""

from __future__ import annotations

import datetime
import mmap
import struct
import sys
import time
from typing import Any


class Clock:
    """To be made before the fork; `install` in the process whose clock shall jump, `jump` in the other."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 8)

    def jump(self, seconds: float) -> None:
        """From now on the clock is so far from the machine's; 0 puts it right."""
        self._shared[:] = struct.pack("d", seconds)

    def off(self) -> float:
        """How far it is from the machine's now."""
        found: float = struct.unpack("d", self._shared[:])[0]
        return found

    def install(self) -> None:
        """In this process and what it forks, from now on."""
        real, real_ns, clock = time.time, time.time_ns, self

        class Jumping(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Any:
                return cls.fromtimestamp(time.time(), tz)

        def jumping() -> float:
            return real() + clock.off()

        def jumping_ns() -> int:
            return real_ns() + int(clock.off()) * 10**9

        for module in tuple(sys.modules.values()):
            ours = getattr(module, "__name__", "").startswith("evalang.")
            for name, value in tuple(vars(module).items()):  # also where it was imported by its name
                if value is real or value is real_ns:
                    setattr(module, name, jumping if value is real else jumping_ns)
                elif value is datetime.datetime and ours:
                    setattr(module, name, Jumping)
