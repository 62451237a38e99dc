"""Permissions of files that hold for root as well: it lays its capability to read everything down for a while."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_VERSION_3 = 0x20080522  # of the structures, linux/capability.h
_READS_EVERYTHING = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
_Header = ctypes.c_uint32 * 2
_Sets = ctypes.c_uint32 * 6  # effective, permitted and inheritable, each for capabilities 0 to 31 and then 32 to 63


@contextmanager
def permissions_hold() -> Iterator[None]:
    """Within it a file of mode 0 cannot be opened, whoever runs the tests."""
    if os.name == "nt":
        pytest.skip("Windows has no modes of files")
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root reads everything here, and only Linux lets it lay that down")
    libc = ctypes.CDLL(None, use_errno=True)
    header, held = _Header(_VERSION_3, 0), _Sets()
    assert libc.capget(header, held) == 0, os.strerror(ctypes.get_errno())
    fewer = _Sets(held[0] & ~_READS_EVERYTHING, *held[1:])
    assert libc.capset(header, fewer) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        assert libc.capset(header, held) == 0, os.strerror(ctypes.get_errno())
