"""The log of a store (SQLite's WAL) as bytes: whether commits in it can no longer be read.

SQLite takes the log up to the first frame that is not whole and drops the rest without a word. A last commit that was
never finished is dropped rightly; commits that were finished are a loss, and a loss is said.
File format: https://sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682  # its last bit tells the order of bytes in checksums


def lost_commits(path: Path) -> int:
    """Finished commits behind the first damage of a log; 0 for a whole one, an empty one and none."""
    try:
        data = path.read_bytes()
    except OSError:
        return 0
    if len(data) < _HEADER.size:
        return 0
    magic, _, page, _, salt1, salt2, sum1, sum2 = _HEADER.unpack_from(data)
    order = ">" if magic & 1 else "<"
    size = _FRAME.size + page
    whole = magic & ~1 == _MAGIC and page >= 512 and _sums(data[:24], order, (0, 0)) == (sum1, sum2)
    if not whole:  # nothing of it is read; commits are counted by any frame that looks like the end of one
        return max(1, len(data) // (_FRAME.size + 4096)) if any(data) else 0
    sums, lost, broken = (sum1, sum2), 0, False
    for start in range(_HEADER.size, len(data) - size + 1, size):
        _, commit, one, two, *found = _FRAME.unpack_from(data, start)
        if not broken:
            sums = _sums(data[start : start + 8], order, sums)
            sums = _sums(data[start + _FRAME.size : start + size], order, sums)
            broken = (one, two) != (salt1, salt2) or tuple(found) != sums
        if broken:
            lost += bool(commit) and (one, two) == (salt1, salt2)
    return lost


def _sums(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
