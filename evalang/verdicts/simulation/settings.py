"""The `with …` of a simulate statement, with our defaults."""

from __future__ import annotations

from dataclasses import dataclass

from ...plans.model import Simulation

ROWS = 300  # Dietterich 1998, 4.2, as are the trials and the number of resamples
TRIALS = 1000
RESAMPLES = 30
FOLDS = 10
ERROR = 0.10
ALPHA = 0.05
DATASETS = 10  # ours: datasets behind one result of a test over datasets


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What was said, by word; a word that was not said has no values."""

    said: dict[str, tuple[float, ...]]

    def values(self, word: str, *default: float) -> tuple[float, ...]:
        """All values of a word in the order they were written, each once."""
        return tuple(dict.fromkeys(self.said.get(word, ()))) or default

    def one(self, word: str, default: float) -> float:
        """The first value of a word."""
        return self.values(word, default)[0]

    @property
    def trials(self) -> int:
        """How often everything is repeated."""
        return int(self.one("trials", TRIALS))

    @property
    def seed(self) -> int:
        """The root of all random numbers; 0 where none is given (EV310 says so)."""
        return int(self.one("seed", 0))

    @property
    def shared(self) -> float:
        """Standard deviation of what a training set does to each learner's error rates."""
        return self.one("shared", 0.0)

    @property
    def alpha(self) -> float:
        """The level of the tests."""
        return self.one("alpha", ALPHA)


def settings_of(simulation: Simulation) -> Settings:
    """The settings of a planned simulation."""
    return Settings(said=dict(simulation.settings))
