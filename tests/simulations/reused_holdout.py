"""Attacks on a test part that is asked again and again: python -m tests.simulations.reused_holdout

Nothing can be learned: every classifier is right on every row with probability one half. `looks - 1` of them are asked
for, and of the answers a vote is made that does well on the rows that answered; the last question is about the vote.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalang.verdicts.thresholdout import TOLERANCE, answer, rows_needed

Floats = NDArray[np.float64]
ATTACKS = ("select", "vote", "differ")


def ask(guess: float, held: float, rng: np.random.Generator) -> float:
    return answer(float(guess), float(held), rng)[0]


def last_answer(rows: int, looks: int, attack: str, guarded: bool, rng: np.random.Generator) -> float:
    """What is shown of the vote; the truth is one half."""
    train, held = (rng.integers(0, 2, size=(rows, looks - 1), dtype=np.int8) for _ in range(2))
    guess, seen = train.mean(0), held.mean(0)
    told = np.array([ask(g, h, rng) for g, h in zip(guess, seen, strict=True)]) if guarded else seen
    if attack == "select":  # Dwork et al.: those that stand out alike in training and in the answers
        far = 0.5 / np.sqrt(rows)
        alike = np.sign(guess - 0.5) == np.sign(told - 0.5)
        weights = np.where(alike & (abs(guess - 0.5) >= far) & (abs(told - 0.5) >= far), np.sign(told - 0.5), 0.0)
    elif attack == "vote":
        weights = np.sign(told - 0.5)
    else:  # only what the answers say beyond the guess
        weights = told - guess if guarded else told - 0.5
    if not np.any(weights):
        return 0.5
    last = [_right(one, weights) for one in (train, held)]
    return ask(last[0], last[1], rng) if guarded else last[1]


def _right(votes: NDArray[np.int8], weights: Floats) -> float:
    total: Any = (2.0 * votes.astype(np.float32) - 1.0) @ weights.astype(np.float32)
    return float((total > 0).mean() + 0.5 * (total == 0).mean())


def main(
    every: tuple[int, ...] = (10, 20, 50, 100, 200, 500, 1000),
    sizes: tuple[int, ...] = (500, 1000, 2000, 4000, 8000),
    most: int = 300,
) -> None:
    rng = np.random.default_rng(12)
    for looks in every:
        for rows in sizes:
            runs = min(most, max(40, int(6e7 / (2 * rows * looks))))
            for attack in ATTACKS:
                shown = [np.array([last_answer(rows, looks, attack, one, rng) for _ in range(runs)]) for one in (0, 1)]
                off = np.quantile(abs(shown[1] - 0.5), 0.95)
                print(
                    looks,
                    rows,
                    attack,
                    runs,
                    f"reused {shown[0].mean():.3f} guarded {shown[1].mean():.3f} 95% {off:.3f}",
                )
    print(f"the tolerance is {TOLERANCE}; test rows asked for: {[rows_needed(n) for n in (20, 50, 100, 1000)]}")


if __name__ == "__main__":
    main()
