"""Rows that are known again: the smallest of their salted hashes, which tell overlap and no content.

Of two sets hashed alike, the hashes below the smaller of their largest kept ones are a fair sample of both, so the
share of one that lies in the other can be read off them.
"""

from __future__ import annotations

from collections.abc import Iterable

SIZE = 256
DIGITS = 15  # of a hash, in hexadecimal: 60 bits, exact in JSON of every language as text


def sketch(hashes: Iterable[int]) -> tuple[str, ...]:
    """The smallest different hashes, as they stand in the ledger.

    >>> sketch([3, 1, 3])
    ('000000000000001', '000000000000003')
    """
    return tuple(f"{one:0{DIGITS}x}" for one in sorted(set(hashes))[:SIZE])


def shared(mine: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    """The share of my rows that are theirs too, as far as the sketches can tell.

    >>> shared(sketch(range(100)), sketch(range(50, 500)))
    0.5
    """
    if not mine or not theirs:
        return 0.0
    # texts of equal length compare as the numbers they write
    ends = [one[-1] for one in (mine, theirs) if len(one) == SIZE]  # a shorter sketch holds every row
    last = min(ends, default="g")
    sample = [one for one in mine if one <= last]
    return len(set(sample).intersection(theirs)) / len(sample) if sample else 0.0
