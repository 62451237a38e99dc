"""How long trials take, by learner and dataset, since learners differ a hundredfold; the unknown is not guessed.

A trial takes as long as the usual one of the same learner on the same dataset, in proportion to the rows of its fold
where folds differ in size. Before the first of them has ended: as the same learner on the dataset nearest in size, in
proportion to rows, which is too little for learners that grow faster than that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import fmean, median
from typing import NamedTuple

from ..plans.cost import BESIDE, CellCost
from .expand import Cell, Task, keys
from .store import Store
from .task import TaskContext
from .trial import Trial

FEW = 5  # trials of a pilot, of each learner on each dataset
SEVERAL = 30  # trials from which on their mean is taken, which adds up; before, the median, which a slow start spares
ENOUGH = 12  # stored trials of a learner on a dataset that tell how long the next one takes
MOST = 101  # times kept of one learner on one dataset: a mean of so many moves little


class Guess(NamedTuple):
    """Seconds of a trial as large as that of the first fold, and what they rest on: so many trials on `nearest`."""

    seconds: float
    trials: int
    nearest: str = ""


class Left(NamedTuple):
    """Seconds still to go; `at_least` while something of unknown length is missing."""

    seconds: float
    at_least: bool


class TimeEstimator:
    """Measured times, and the work that is left."""

    def __init__(self, context: TaskContext) -> None:
        self._cells = context.cells
        self._rows = {name: one.table.rows for name, one in context.tables.items()}
        self._learners = tuple((cell.identity, cell.recipe.fingerprint) for cell in context.cells)
        self._times: dict[int, list[float]] = {}
        self._memory: dict[int, int] = {}
        self._todo: dict[int, float] = {}  # trials by their weight

    def expect(self, missing: set[str], store: Store) -> None:
        """Set what is missing; some stored trials tell how long theirs took."""
        for number, cell in enumerate(self._cells):
            there: list[str] = []
            for _, fold, _, key in keys(cell):
                if key in missing:
                    self._todo[number] = self._todo.get(number, 0.0) + self.weight(number, fold)
                elif len(there) < ENOUGH:
                    there.append(key)
            for trial in store.trials(there):
                self._record(number, trial)

    def first_of_each(self, tasks: Callable[[], Iterator[Task]]) -> Iterator[Task]:
        """Yield first one task of each learner on each dataset, so that failures and slow learners show at once."""
        first: dict[int, Task] = {}
        for task in tasks():
            first.setdefault(task.cell, task)
            if len(first) == len(self._todo):
                break
        yield from first.values()
        yield from (task for task in tasks() if task != first[task.cell])

    def pilot(self, kept: Iterator[Task], seconds: float) -> Iterator[Task]:
        """Yield one task of each cell in turn, small tables first, until each has a few or the time is over.

        A cell's last fold comes first: forward in time it is the largest. Trials that are there already count.
        """
        found: dict[int, list[Task]] = {}
        for task in kept:
            some = found.setdefault(task.cell, [])
            if len(some) < max(FEW, self._cells[task.cell].folds):
                some.append(task)
        until = time.monotonic() + seconds
        order = sorted(found, key=lambda cell: self._rows[self._cells[cell].dataset])
        there = {cell: len(self._times.get(cell, ())) for cell in order}
        for number in range(FEW):
            for cell in order:
                if time.monotonic() > until:
                    return
                if found[cell] and there[cell] <= number:
                    yield found[cell].pop(0 if number else -1)

    def costs(self) -> tuple[CellCost, ...]:
        """Return what each learner on each dataset costs, measured or estimated."""
        found = []
        for place, cell in enumerate(self._cells):
            guess = self.guess(place)
            found.append(
                CellCost(
                    learner=cell.learner.name,
                    dataset=cell.dataset,
                    digest=cell.digest,
                    trials=cell.partitions * cell.folds * cell.trainings,
                    amount=sum(self.weight(place, fold) for _, fold, *_ in keys(cell)),
                    left=max(0.0, self._todo.get(place, 0.0)),
                    seconds=None if guess is None else guess.seconds,
                    measured=0 if guess is None or guess.nearest else guess.trials,
                    nearest="" if guess is None else guess.nearest,
                    memory=self._memory.get(place),
                    grows=_grows(cell),
                )
            )
        return tuple(found)

    def finished(self, cell: int, trial: Trial) -> None:
        """Record a finished trial."""
        self._todo[cell] = self._todo.get(cell, 0.0) - self.weight(cell, trial.fold)
        self._record(cell, trial)

    def _record(self, cell: int, trial: Trial) -> None:
        if trial.seconds is not None:
            times = self._times.setdefault(cell, [])
            times.append(trial.seconds / self.weight(cell, trial.fold))
            del times[:-MOST]
            if trial.memory is not None:
                self._memory[cell] = max(self._memory.get(cell, 0), trial.memory)

    def weight(self, cell: int, fold: int) -> float:
        """Return how much longer than in the first fold a trial takes: forward in time folds grow by a block each."""
        return fold + 1.0 if _grows(self._cells[cell]) else 1.0

    def guess(self, cell: int) -> Guess | None:
        """Return how long a trial takes; None where no trial of this learner has ended anywhere."""
        if cell in self._times:
            times = self._times[cell]
            return Guess(fmean(times) if len(times) > SEVERAL else median(times), len(times))
        rows = self._rows[self._cells[cell].dataset]
        same = [place for place in self._times if self._learners[place] == self._learners[cell]]
        if not same:
            return None
        near = min(same, key=lambda place: abs(self._rows[self._cells[place].dataset] - rows))
        there, found = self._cells[near].dataset, self.guess(near)
        assert found is not None
        return Guess(found.seconds * rows / max(1, self._rows[there]), found.trials, there)

    def left(self, concurrency: int) -> Left | None:
        """Return the seconds left for so many workers; None while nothing is known."""
        guesses = {cell: self.guess(cell) for cell, amount in self._todo.items() if amount > 0}
        known = {cell: guess.seconds for cell, guess in guesses.items() if guess is not None}
        if guesses and not known:
            return None
        seconds = sum(self._todo[cell] * (each + BESIDE) for cell, each in known.items())
        return Left(max([seconds / max(concurrency, 1), *known.values()]), len(known) < len(guesses))


def _grows(cell: Cell) -> bool:
    return cell.scheme.card.in_time and not cell.scheme.window
