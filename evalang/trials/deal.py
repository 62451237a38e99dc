"""Dealing rows into bins: by chance, by class, by group.

Classes and groups count by where they first appear, never by what they are called or how they are numbered: the same
rows are dealt in the same way whatever their columns, classes and groups are named.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


def deal(
    sizes: tuple[int, ...], strata: NDArray[Any] | None, groups: NDArray[Any] | None, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The bin of each row; bins have these sizes (about them, where groups must stay together).

    With `strata` each bin holds each class in proportion, up to one row for bins of equal size.
    """
    n = sum(sizes)
    if groups is not None:
        return _deal_groups(sizes, strata, groups, rng)
    order = _by_class(strata, rng) if strata is not None else rng.permutation(n)
    bins = np.empty(n, dtype=np.int64)
    bins[order] = _rhythm(sizes, rng)
    return bins


def in_order_of_appearance(values: NDArray[Any]) -> NDArray[np.int64]:
    """Each value as the place of its first appearance among the different ones: what it is called does not count.

    >>> in_order_of_appearance(np.array(["b", "a", "b", "c"])).tolist()
    [0, 1, 0, 2]
    """
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    coded: NDArray[np.int64] = place[codes]
    return coded


def equal_sizes(n: int, k: int) -> tuple[int, ...]:
    """Sizes of k bins of n rows that differ by one at most."""
    return tuple(n // k + (i < n % k) for i in range(k))


def _by_class(strata: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows in random order within their class, the classes in random order."""
    codes = in_order_of_appearance(strata)
    shuffled = rng.permutation(len(codes))
    rank = rng.permutation(int(codes.max()) + 1)
    order: NDArray[np.int64] = shuffled[np.argsort(rank[codes[shuffled]], kind="stable")]
    return order


def _rhythm(sizes: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    """Bins in turn, so that every run of consecutive places holds each bin in proportion."""
    n, k = sum(sizes), len(sizes)
    if max(sizes) - min(sizes) <= 1:
        # In turn, the larger bins first, so that each gets its size; who is who among equals is left to chance.
        names = np.lexsort((rng.permutation(k), -np.asarray(sizes)))
        return names[np.arange(n) % k]
    places = np.concatenate([(np.arange(size) + 0.5) / size for size in sizes])
    owner = np.repeat(np.arange(k), sizes)
    # Bins of one size fall on the same places: who comes first among them is left to chance.
    return owner[np.lexsort((rng.permutation(k)[owner], np.round(places, 12)))]


def _deal_groups(
    sizes: tuple[int, ...], strata: NDArray[Any] | None, groups: NDArray[Any], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Whole groups, largest first (equals in random order), each to the bin it brings nearest to its share."""
    member = in_order_of_appearance(groups)
    kinds = np.zeros(len(member), dtype=np.int64) if strata is None else in_order_of_appearance(strata)
    counts = np.zeros((int(member.max()) + 1, int(kinds.max()) + 1))
    np.add.at(counts, (member, kinds), 1)
    shares = np.asarray(sizes, dtype=float) / sum(sizes)
    weight = 1.0 / counts.sum(axis=0)  # every class counts the same, however rare
    target = shares[:, None] * counts.sum(axis=0)
    held = np.zeros_like(target)
    home = np.empty(len(counts), dtype=np.int64)
    shuffled = rng.permutation(len(counts))
    for group in shuffled[np.argsort(-counts.sum(axis=1)[shuffled], kind="stable")]:
        lack = (target - held) * weight
        # Reduction of the squared distance from the target if the group went to each bin.
        gain = ((2 * lack - counts[group] * weight) * (counts[group] * weight)).sum(axis=1)
        best = np.flatnonzero(np.isclose(gain, gain.max(), rtol=1e-9, atol=1e-12))
        home[group] = rng.choice(best) if len(best) > 1 else best[0]
        held[home[group]] += counts[group]
    _fill_empty(home, counts.sum(axis=1), len(sizes))
    return home[member]


def _fill_empty(home: NDArray[np.int64], rows: NDArray[np.float64], bins: int) -> None:
    """Every bin gets a group while there are enough: the smallest of the bin that has most of them."""
    for lacking in np.flatnonzero(np.bincount(home, minlength=bins) == 0):
        count = np.bincount(home, minlength=bins)
        if count.max() < 2:
            return
        own = np.flatnonzero(home == count.argmax())
        home[own[np.argmin(rows[own])]] = lacking
