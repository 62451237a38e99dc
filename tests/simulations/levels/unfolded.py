"""Type I error of tests that are not made from folds: on time, groups, trainings, rows and datasets.

Each setting draws a true null many times and counts how often each candidate rejects at .05.
"""

from __future__ import annotations

import csv
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.floating]
Tests = dict[str, Floats]  # by candidate: the p of every run
Draw = Callable[[np.random.Generator, int], Tests]
HEAD = ("what", "setting", "test", "runs", "rejections", "rate", "standard error")


@dataclass(frozen=True, slots=True)
class Setting:
    what: str
    name: str
    draw: Draw


def two_sided(t: Floats, df: Floats | float) -> Floats:
    return 2 * stats.t.sf(np.abs(t), df)


# Time: differences of loss per time stamp


def cosine_t(d: Floats, share: float = 0.25) -> Floats:
    """The mean over an equal-weighted cosine long-run variance, t on the number of cosines (Lazarus 2018)."""
    n = d.shape[1]
    many = int(share * n ** (2 / 3))
    waves = np.sqrt(2 / n) * np.cos(np.pi * np.outer(np.arange(1, many + 1), np.arange(n) + 0.5) / n)
    variance = ((d @ waves.T) ** 2).mean(axis=1)
    return two_sided(d.mean(axis=1) / np.sqrt(np.maximum(variance, 1e-12) / n), many)


def diebold_mariano(d: Floats, horizon: int) -> Floats:
    """With the correction of Harvey, Leybourne and Newbold."""
    n = d.shape[1]
    centred = d - d.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1)
    for lag in range(1, horizon):
        variance = variance + 2 * (centred[:, lag:] * centred[:, :-lag]).sum(axis=1) / n
    factor = (n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n
    t = d.mean(axis=1) * np.sqrt(factor * n / np.maximum(variance, 1e-12))
    return np.where(variance > 0, two_sided(t, n - 1), 1.0)


def series(rng: np.random.Generator, runs: int, n: int, phi: float, skewed: bool = False) -> Floats:
    """First-order autoregressions, past their first hundred steps."""
    shocks = rng.exponential(size=(runs, n + 100)) - 1 if skewed else rng.normal(size=(runs, n + 100))
    for t in range(1, n + 100):
        shocks[:, t] += phi * shocks[:, t - 1]
    return shocks[:, 100:]


def _in_time(n: int, phi: float, kind: str) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> Tests:
        if kind == "disagreements":
            d: Floats = (series(rng, runs, n, phi) > 1) * 1.0 - (series(rng, runs, n, phi) > 1)
        else:
            d = series(rng, runs, n, phi, skewed=kind == "skewed")
        lazarus = cosine_t(d, 0.4)
        return {
            "cosine-t": cosine_t(d),
            "cosine-t, .4 of T^(2/3)": lazarus,
            "diebold-mariano, h = 1": diebold_mariano(d, 1),
        }

    return draw


# Groups: sums over clusters of rows


def sign_flip(rng: np.random.Generator, sums: Floats, draws: int = 999) -> float:
    signs = np.where(rng.random((draws, len(sums))) < 0.5, -1, 1)
    return float((1 + (np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9).sum()) / (draws + 1))


def cluster_t(sums: Floats, sizes: Floats) -> tuple[float, float]:
    """p by CR2 with the degrees of freedom of Bell and McCaffrey, and by CR1 with clusters less one."""
    n, count = sizes.sum(), len(sizes)
    mean = sums.sum() / n
    rest, share = sums - sizes * mean, sizes / n
    cr2 = (rest**2 / (1 - share)).sum() / n**2
    cr1 = (rest**2).sum() / n**2 * count / (count - 1)
    pull = sizes / np.sqrt(1 - share)
    spread = np.diag(sizes / (1 - share)) - np.outer(pull, pull) / n
    df = np.trace(spread) ** 2 / (spread**2).sum()
    return (
        float(two_sided(mean / np.sqrt(max(cr2, 1e-12)), df)),
        float(two_sided(mean / np.sqrt(max(cr1, 1e-12)), count - 1)),
    )


def _in_groups(clusters: int, uneven: bool, skewed: bool) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> Tests:
        found = []
        for _ in range(runs):
            sizes = np.maximum(1, np.round(np.exp(rng.normal(2, 1, clusters)))) if uneven else np.full(clusters, 15.0)
            tilt = (rng.exponential(size=clusters) - 1 if skewed else rng.normal(size=clusters)) * 0.15
            sums = rng.normal(sizes * tilt, np.sqrt(sizes) * 0.5)
            found.append((sign_flip(rng, sums), *cluster_t(sums, sizes)))
        flip, cr2, cr1 = np.array(found).T
        return {"sign-flip of cluster sums": flip, "cluster-t, CR2": cr2, "cluster-t, CR1": cr1}

    return draw


# Trainings: the same training set, trained again and again


def _again(rows: int, trainings: int, spread: float) -> Draw:
    """A is trained so many times and each training moves its threshold; B is one classifier; both are right alike."""

    def draw(rng: np.random.Generator, runs: int) -> Tests:
        cut = stats.norm.ppf(0.75)
        found = []
        for _ in range(runs):
            row = rng.normal(size=rows)
            noise = rng.normal(size=(rows, trainings)) * (1 - 0.36 - spread**2) ** 0.5
            a = 0.6 * row[:, None] + spread * rng.normal(size=trainings) + noise < cut
            b = 0.5**0.5 * row + 0.5**0.5 * rng.normal(size=rows) < cut
            found.append(_components(a * 1.0 - b[:, None]))
        cox, satterthwaite, alone = np.array(found).T
        return {"Cochran-Cox": cox, "Satterthwaite": satterthwaite, "rows alone": alone}

    return draw


def _components(d: Floats) -> tuple[float, float, float]:
    """The three p of differences [row, training]; Cochran-Cox only says whether it rejects at .05 (p 0 or 1)."""
    n, trainings = d.shape
    by_row, by_training = d.mean(axis=1), d.mean(axis=0)
    a, b = by_row.var(ddof=1) / n, by_training.var(ddof=1) / trainings
    rest = ((d - by_row[:, None] - by_training + d.mean()) ** 2).sum() / ((n - 1) * (trainings - 1)) / (n * trainings)
    v = max(a + b - rest, a, b, 1e-12)
    t = d.mean() / np.sqrt(v)
    critical = (a * stats.t.ppf(0.975, n - 1) + b * stats.t.ppf(0.975, trainings - 1)) / max(a + b, 1e-12)
    df = v**2 / max(a**2 / (n - 1) + b**2 / (trainings - 1), 1e-24)
    alone = two_sided(d.mean() / np.sqrt(max(a, 1e-12)), n - 1)
    return float(abs(t) < critical), float(two_sided(t, df)), float(alone)


# Rows and datasets


def row_t(d: Floats) -> Floats:
    return two_sided(d.mean(axis=1) / np.sqrt(np.maximum(d.var(axis=1, ddof=1), 1e-12) / d.shape[1]), d.shape[1] - 1)


def percentile(rng: np.random.Generator, d: Floats, draws: int = 399) -> Floats:
    """1 where the percentile bootstrap interval of the mean holds zero, else 0."""
    found = []
    for row in d:
        low, high = np.quantile(row[rng.integers(len(row), size=(draws, len(row)))].mean(axis=1), [0.025, 0.975])
        found.append(float(low <= 0 <= high))
    return np.array(found)


def bootstrap_t(rng: np.random.Generator, d: Floats, draws: int = 399) -> Floats:
    """p of the mean against its studentized bootstrap, two-sided with equal tails."""
    found = []
    for row in d:
        drawn = row[rng.integers(len(row), size=(draws, len(row)))]
        spread = np.maximum(drawn.std(axis=1, ddof=1), 1e-12)
        t = (drawn.mean(axis=1) - row.mean()) / spread
        below = (1 + (t <= row.mean() / max(row.std(ddof=1), 1e-12)).sum()) / (draws + 1)
        found.append(min(1.0, 2 * min(below, 1 - below + 1 / (draws + 1))))
    return np.array(found)


def _skewed_rows(n: int, sigma: float) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> Tests:
        d = np.exp(rng.normal(size=(runs, n)) * sigma) - np.exp(sigma**2 / 2)
        flips = np.array([sign_flip(rng, row) for row in d])
        return {
            "row-t": row_t(d),
            "bootstrap, percentile": percentile(rng, d),
            "bootstrap-t": bootstrap_t(rng, d),
            "sign flips": flips,
        }

    return draw


def _few_datasets(n: int) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> Tests:
        d = rng.normal(size=(runs, n))
        return {"paired-t": row_t(d), "bootstrap, percentile": percentile(rng, d), "bootstrap-t": bootstrap_t(rng, d)}

    return draw


def wilcoxon_split(d: Floats) -> float:
    """Zeros ranked with the others and half of them counted on either side, one left out when odd (Demsar 2006).

    p is exact over the signs of what is not zero.
    """
    zeros = np.flatnonzero(d == 0)
    kept = np.delete(d, zeros[:1]) if len(zeros) % 2 else d
    return _signed(kept, stats.rankdata(np.abs(kept))) if kept.any() else 1.0


def wilcoxon_drop(d: Floats) -> float:
    kept = d[d != 0]
    return _signed(kept, stats.rankdata(np.abs(kept))) if len(kept) else 1.0


def _signed(d: Floats, ranks: Floats) -> float:
    doubled = np.round(2 * ranks[d != 0]).astype(int)
    chance = np.zeros(doubled.sum() + 1)
    chance[0] = 1.0
    for rank in doubled:
        moved = np.zeros_like(chance)
        moved[rank:] = chance[: len(chance) - rank]
        chance = (chance + moved) / 2
    far = np.abs(np.arange(len(chance)) - doubled.sum() / 2)
    seen = abs(np.round(2 * ranks[d > 0]).sum() - doubled.sum() / 2)
    return float(chance[far >= seen - 1e-9].sum())


def _rounded(n: int, spread: float) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> Tests:
        d = np.round(rng.normal(size=(runs, n)) * spread)
        return {
            "wilcoxon, zeros split": np.array([wilcoxon_split(row) for row in d]),
            "wilcoxon, zeros dropped": np.array([wilcoxon_drop(row) for row in d]),
        }

    return draw


def settings() -> Iterator[Setting]:
    for n in (50, 100, 200, 500):
        for phi in (0.0, 0.3, 0.5, 0.8):
            yield Setting("forward", f"{n} time stamps, autocorrelation {phi}", _in_time(n, phi, "normal"))
        for kind in ("skewed", "disagreements"):
            yield Setting("forward", f"{n} time stamps, autocorrelation 0.5, {kind}", _in_time(n, 0.5, kind))
    for clusters in (6, 8, 12, 20, 50):
        for uneven in (False, True):
            for skewed in (False, True):
                name = f"{clusters} {'uneven' if uneven else 'equal'} groups{', skewed effects' if skewed else ''}"
                yield Setting("groups", name, _in_groups(clusters, uneven, skewed))
    for rows in (100, 500):
        for trainings in (2, 3, 5, 15):
            for spread in (0.0, 0.1, 0.3):
                name = f"{rows} rows, {trainings} trainings, spread {spread}"
                yield Setting("train N times", name, _again(rows, trainings, spread))
    for n in (50, 200):
        for sigma in (0.5, 1.0, 1.5):
            yield Setting("skewed losses", f"{n} rows, lognormal with sigma {sigma}", _skewed_rows(n, sigma))
    for n in (8, 10, 20):
        yield Setting("datasets", f"{n} datasets, normal", _few_datasets(n))
    for n in (8, 12, 20, 40):
        for spread in (1.0, 3.0):
            yield Setting("rounded scores", f"{n} datasets, a spread of {spread:.0f} units", _rounded(n, spread))


def measure(folder: Path, runs: int) -> None:
    """Add what is missing to FOLDER/unfolded.csv, setting by setting."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "unfolded.csv"
    if not path.exists():
        path.write_text(",".join(HEAD) + "\n")
    with path.open(newline="") as file:
        done = {(row["what"], row["setting"]) for row in csv.DictReader(file)}
    for setting in settings():
        if (setting.what, setting.name) in done:
            continue
        tests = setting.draw(np.random.default_rng(zlib.crc32(f"{setting.what}/{setting.name}".encode())), runs)
        with path.open("a", newline="") as file:
            for name, p in tests.items():
                rate = float((p <= 0.05).mean())
                row = (runs, int((p <= 0.05).sum()), f"{rate:.4f}", f"{(rate * (1 - rate) / runs) ** 0.5:.4f}")
                csv.writer(file, lineterminator="\n").writerow((setting.what, setting.name, name, *row))
