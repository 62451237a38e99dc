"""Answers of models to items, drawn from abilities that are known, and what is true of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
SHARED, OWN, GROUPED = 1.0, 0.7, 0.7  # spreads on the logit scale: of items, of a model on an item, of one on a group
AT, WEIGHT = np.polynomial.hermite_e.hermegauss(80)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemDesign:
    """An evaluation: its size, and the abilities of its models as logits of an item of middle difficulty."""

    items: int
    epochs: int
    abilities: tuple[float, ...]
    groups: int = 0  # 0: items are independent
    uneven: bool = False  # the largest group has about nine times the items of the smallest

    @property
    def places(self) -> NDArray[np.intp] | None:
        """The group of every item."""
        if not self.groups:
            return None
        weight = np.linspace(1.0, 9.0 if self.uneven else 1.0, self.groups)
        ends = np.cumsum(weight) / weight.sum() * self.items
        return np.searchsorted(ends, np.arange(self.items) + 0.5)

    def truth(self, k: int = 1) -> Floats:
        """By model: the chance that at least one of k samples of a new item is right, by quadrature."""
        spread = np.sqrt(SHARED**2 + OWN**2 + (GROUPED**2 if self.groups else 0.0))
        wrong = special.expit(-(np.asarray(self.abilities)[:, None] + spread * AT)) ** k
        return np.asarray(1.0 - wrong @ WEIGHT / WEIGHT.sum())

    def draw(self, rng: np.random.Generator) -> Floats:
        """Right (1) and wrong (0) as [model, item, epoch]."""
        models = len(self.abilities)
        logit = np.asarray(self.abilities)[:, None] + OWN * rng.normal(size=(models, self.items))
        logit += SHARED * rng.normal(size=self.items)
        if (places := self.places) is not None:
            logit += GROUPED * rng.normal(size=(models, self.groups))[:, places]
        chance = special.expit(logit)[:, :, None]
        return (rng.random((models, self.items, self.epochs)) < chance).astype(np.float64)
