"""What the trials gave, by the names of the script: scores, what has none, what tuning tried, curves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingScore:
    """A trial without an answer, or an answer without a score for one metric (`metric` says which)."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    kind: str
    message: str
    training: int = 0
    metric: str | None = None


class ScoreRow(NamedTuple):
    """One score of one trial. `partition` and `fold` count from 0; `trained` is the rows trained on (0: unknown)."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    training: int
    metric: str
    score: float | None
    trained: int = 0
    tested: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The scores of all trials by column, so that a hundred thousand of them stay small. Columns are equally long."""

    comparison: tuple[str, ...] = ()
    learner: tuple[str, ...] = ()
    dataset: tuple[str, ...] = ()
    partition: tuple[int, ...] = ()
    fold: tuple[int, ...] = ()
    training: tuple[int, ...] = ()
    metric: tuple[str, ...] = ()
    score: tuple[float | None, ...] = ()
    trained: tuple[int, ...] = ()
    tested: tuple[int, ...] = ()

    @classmethod
    def of(cls, rows: list[ScoreRow]) -> Scores:
        """Columns from rows."""
        if not rows:
            return cls()
        columns = list(zip(*rows, strict=True))
        return cls(**dict(zip(ScoreRow._fields, columns, strict=True)))

    def rows(self) -> Iterator[ScoreRow]:
        """Rows from columns."""
        columns = (getattr(self, name) for name in ScoreRow._fields)
        return (ScoreRow(*values) for values in zip(*columns, strict=True))

    def __len__(self) -> int:
        return len(self.score)


class ItemRow(NamedTuple):
    """One score of one item; `epoch` counts from 1, `group` is empty where items stand alone."""

    learner: str
    item: str
    epoch: int
    group: str
    content: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScores:
    """The scores of the items of one dataset, as they were read: [learner][item][epoch], with fewer epochs for some."""

    comparison: str
    dataset: str
    learners: tuple[str, ...]
    items: tuple[str, ...]
    scores: tuple[tuple[tuple[float, ...], ...], ...]
    means: tuple[tuple[str, tuple[float, ...]], ...]  # metric, and the mean of each learner in it
    groups: tuple[str, ...] = ()  # of each item; (): they stand alone
    contents: tuple[str, ...] = ()  # the hash of each item's text; (): the source holds none

    def rows(self) -> Iterator[ItemRow]:
        """One row a score."""
        for learner, of_items in zip(self.learners, self.scores, strict=True):
            for place, (item, epochs) in enumerate(zip(self.items, of_items, strict=True)):
                group = self.groups[place] if self.groups else ""
                content = self.contents[place] if self.contents else ""
                for epoch, score in enumerate(epochs, start=1):
                    yield ItemRow(learner, item, epoch, group, content, score)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionResult:
    """What one partition alone would have said: Bradford and Brodley's spread."""

    comparison: str
    dataset: str
    metric: str
    learners: tuple[str, str]
    partition: int
    statistic: float | None
    pvalue: float | None
    df: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One learner's curve on one fold (or pooled: fold -1). Thin it to at most some hundred points.

    roc: x false-positive rate, y true-positive rate. precision-recall: x recall, y precision.
    reliability: x mean predicted probability of a bin, y share of positives in it, weight its rows;
    `calibrated` False is the curve before calibration.
    """

    kind: Literal["roc", "precision-recall", "reliability"]
    comparison: str
    learner: str
    dataset: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    weight: tuple[float, ...] = ()
    partition: int = -1
    fold: int = -1
    calibrated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One candidate of tuning in one trial: its score on the tuning rows, and whether it was chosen for the metric."""

    comparison: str
    learner: str
    dataset: str
    partition: int
    fold: int
    metric: str
    setting: tuple[tuple[str, str | int | float | bool | None], ...]
    score: float | None
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The score of predicting the share of positives: the zero of normalised scores (Caruana 2.3)."""

    comparison: str
    dataset: str
    metric: str
    score: float
