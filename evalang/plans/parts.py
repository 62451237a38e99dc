"""The parts that a plan's records are made of: a metric and a scheme as asked for, conditions, and how scores made
elsewhere came about.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from ..catalogue.metrics import MetricEntry, find_metric
from ..catalogue.schemes import SchemeEntry, find_scheme
from ..errors import ScriptError
from ..language.text import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Placed:
    """Anything of the plan that the script asked for at a place."""

    span: Span = field(compare=False, repr=False, default=NOWHERE, kw_only=True)


RoleWord = Literal["folds", "seeds", "repeats", "items"]


@dataclass(frozen=True, slots=True)
class Role(Placed):
    """What a column of a table is taken for: `seeds in "run"`."""

    column: str
    role: RoleWord


@dataclass(frozen=True, slots=True)
class Copied(Placed):
    """`copied from "Chen 2016, table 3" for xgb, lgbm`; no learners: all of them."""

    origin: str
    learners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Description(Placed):
    """A learner that is only described; what is not said is not known."""

    text: str
    randomised: bool = False
    gives_scores: bool = False
    tries: int | None = None  # settings tried in tuning
    by_hand: bool = False
    hours: float | None = None  # of tuning
    pretrained_on: str | None = None
    stopped_on_test: bool = False
    stopped_on: Part | None = None  # the part that early stopping looked at


Literals = str | int | float | bool | None | tuple["Literals", ...]


@dataclass(frozen=True, slots=True)
class Condition(Placed):
    """`"age" > 18`, one of the conditions that all rows meet."""

    column: str
    relation: Literal["is", "is not", "<", "<=", ">", ">="]
    value: Literals


@dataclass(frozen=True, slots=True)
class JoinedClasses(Placed):
    """`join classes "a", "b" as "ab"`"""

    classes: tuple[Literals, ...]
    name: Literals


@dataclass(frozen=True, slots=True)
class Metric(Placed):
    """A metric with its options; one that the catalogue does not know says itself whether more is better."""

    name: str
    options: tuple[tuple[str, Literals], ...] = ()
    better: Literal["higher", "lower"] | None = None
    epochs: Literal["mean", "majority"] | None = None  # how several samples of one item become one score

    @property
    def label(self) -> str:
        """As it is written in a script: the key under which its scores and verdicts stand.

        >>> Metric("f-score", (("average", "macro"),)).label
        'f-score(average = "macro")'
        """
        own = self.better if self.name != "pass" else None
        if not self.options and self.epochs is None and own is None:
            return self.name
        shown = [
            f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}" for name, value in self.options
        ]
        shown += [f"better = {own}"] if own else []
        shown += [f"epochs = {self.epochs}"] if self.epochs else []
        return f"{self.name}({', '.join(shown)})"

    @property
    def card(self) -> MetricEntry | None:
        """What is known of it; of a metric of one's own its direction, and that it is a mean over items."""
        if self.better is None:
            return find_metric(self.name)
        share = self.name == "pass"
        return MetricEntry(
            name=self.name,
            title=self.label,
            higher_is_better=self.better == "higher",
            low=0.0 if share else None,
            high=1.0 if share else None,
            needs="labels",
            tasks=("many-class",),
            row_loss=True,
        )


@dataclass(frozen=True, slots=True)
class Part:
    """A share of the rows (`fraction`) or a number of them (`rows`); exactly one is given."""

    fraction: float | None = None
    rows: int | None = None

    def of(self, rows: float) -> int:
        """How many of so many rows the part takes: rounded, halves up, at least one.

        >>> Part(fraction=0.2).of(52), Part(fraction=0.5).of(5), Part(rows=7).of(52)
        (10, 3, 7)
        """
        return self.rows if self.rows is not None else max(1, int((self.fraction or 0.0) * rows + 0.5))


def look_counts(partitions: int, looks: int) -> tuple[int, ...]:
    """After how many partitions each look is taken: evenly, the last after all of them.

    >>> look_counts(100, 5), look_counts(7, 3)
    ((20, 40, 60, 80, 100), (3, 5, 7))
    """
    return tuple(dict.fromkeys(-(-partitions * number // looks) for number in range(1, looks + 1)))


GUESSES = 5  # folds of the training part whose mean score is the guess of a guarded holdout
MOST_THRESHOLDS = 500  # tried where one is chosen


@dataclass(frozen=True, slots=True)
class Scheme(Placed):
    """How a dataset is split; `kind` is one of catalogue/schemes.py.

    >>> tens = Scheme(kind="repeated-cv", partitions=10, folds=10)
    >>> tens.splits(200), tens.train_rows(200), tens.test_rows(200), tens.card.test
    (100, 180.0, 20.0, 'partition-t')
    """

    kind: str
    partitions: int = 1  # R of RxKcv, N of partitions, 5 of 5x2cv (5N of N partitions of 5x2cv), N of resamples
    halvings: int = 0  # N of `N halvings of RxKcv`: so many partitions more, each a cross-validation in two halves
    folds: int = 1  # folds in each partition: K, 2 of 5x2cv, 1 of a holdout
    part: Part | None = None  # holdout: kept for testing; resamples: trained on
    rows: int | None = None  # M of `N trainings of M` and of `forward N trainings of M`
    gap: int = 0  # rows left out between training and test rows of a forward scheme
    looks: int | None = None  # how often a guarded holdout may be asked
    stratified: bool | None = None  # None: stratified where the target has classes
    grouped: bool = False
    text: str = field(compare=False, repr=False, default="")  # as written

    @property
    def card(self) -> SchemeEntry:
        """What holds for every scheme of this kind."""
        found = find_scheme(self.kind)
        if found is None:
            raise ScriptError(f"there is no scheme of kind {self.kind}", span=self.span)
        return found

    @property
    def window(self) -> int | None:
        """Rows that are trained on where windows slide forward in time; None where they grow."""
        return self.rows if self.card.in_time else None

    @property
    def halves(self) -> bool:
        """Whether every partition is two halves, each trained on and tested on the other."""
        return self.card.dealt and self.folds == 2

    @property
    def trials(self) -> int:
        """Folds in all; leave-one-out and given folds are known only with the data (1)."""
        return self.dealings * self.folds + (GUESSES if self.looks is not None else 0)

    @property
    def dealings(self) -> int:
        """How often the rows are dealt: the partitions, and the halvings besides."""
        return self.partitions + self.halvings

    @property
    def whole(self) -> int | None:
        """Partitions of all rows, which come before the halvings; None where there are no halvings."""
        return self.partitions if self.halvings else None

    @property
    def groups(self) -> int:
        """How many tests of their own the partitions allow: N of N partitions of 5x2cv, 1 of 5x2cv, R of RxKcv."""
        return self.partitions // self.card.replications

    @property
    def together(self) -> int:
        """Partitions that stand or fall together when a fold fails; 0 where each fold stands alone."""
        if self.card.averaged:
            return self.card.replications
        return 1 if self.card.five_by_two or self.card.halved else 0

    @property
    def nested(self) -> tuple[int, int] | None:
        """(replications, folds) of each partition where it is itself a 5x2cv."""
        return (self.card.replications, self.folds) if self.card.averaged and self.card.replications > 1 else None

    def splits(self, rows: int | None, given: int | None = None) -> int | None:
        """Folds on a dataset of so many rows and (for given folds) folds; None when only the data can tell."""
        if self.card.pooled:
            return None if self.grouped else rows
        return given if self.card.needs == "folds" else self.trials

    def parts(self, rows: int) -> tuple[float, float] | None:
        """Rows of a training part and of a test part, the mean over folds; None when only the data can tell.

        Exact for single rows. Groups and moments that must stay together can move the boundary.
        """
        card, n = self.card, float(rows)
        if card.part:
            size = min(float(self.part_or_third.of(rows)), n)
            return (n - size, size) if card.part == "tested" else (size, n - size)
        if card.disjoint and self.rows is not None:
            return float(self.rows), max(n - self.partitions * self.rows, 0.0)
        if card.dealt:
            return n - n / self.folds, n / self.folds
        if card.in_time:  # from one block of folds + 1 to all but one
            return min(n / 2, float(self.window or rows)), n / (self.folds + 1)
        return (n - 1.0, 1.0) if card.pooled and not self.grouped else None

    @property
    def part_or_third(self) -> Part:
        """The written part of the rows; a third where none is written."""
        return self.part or Part(fraction=1 / 3)

    def train_rows(self, rows: int) -> float | None:
        """Rows of a training part, the mean over folds."""
        found = self.parts(rows)
        return float(rows) if self.card.drawn else found[0] if found else None

    def test_rows(self, rows: int) -> float | None:
        """Rows of a test part, the mean over folds; None also where chance decides it."""
        found = self.parts(rows)
        return found[1] if found else None

    def judged_rows(self, rows: int) -> float | None:
        """Rows that are tested at all, where each is tested once: the test part, or all folds together."""
        card = self.card
        if not card.rows_tested_once or card.needs == "tested_on":
            return None
        if card.in_time:
            return rows - rows / (self.folds + 1)
        return self.test_rows(rows) if card.one_test_set else float(rows)

    def ratio(self, rows: int) -> float | None:
        """Test rows over training rows, as the corrected t takes it; of a bootstrap, distinct rows as expected.

        >>> round(Scheme(kind="bootstrap", partitions=50).ratio(1000), 3)
        0.582
        """
        if self.card.drawn:
            left_out = math.exp(rows * math.log1p(-1.0 / rows)) if rows > 1 else 0.0
            return left_out / (1.0 - left_out)
        found = self.parts(rows)
        return found[1] / found[0] if found and found[0] else None

    @property
    def overlap(self) -> float | None:
        """The share of a training set that it has in common with another of its partition; None when unknown."""
        if self.card.dealt:
            return (self.folds - 2) / (self.folds - 1)
        return None if self.card.training_overlap else 0.0


def unopened(datasets: tuple[str, ...]) -> bool:
    """Whether one of these names stands for any number of datasets.

    >>> unopened(("iris", "archive/*"))
    True
    """
    return any(name.endswith("/*") for name in datasets)
