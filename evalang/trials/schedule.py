"""Running a plan: only what is missing, on whatever workers there are, every result lasting as soon as it is known."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import FrameType

from ..data.table import Table
from ..plans.model import Plan
from .executor import Executor, Finished, Here
from .expand import Layout, Task, expand, keys, tasks
from .fit import Workshop, check_folds, check_learners, failed
from .folder import FailedTrial, Outcome, RunFolder, StoredFacts, Unsteady
from .options import ONE_BY_ONE, Progress, Report, RunOptions, compares_times
from .pace import Pace
from .pipeline import Trust, bench
from .second_run import differs, sample
from .trial import Failure, Judge, Trial
from .workers import Local, wanted

# Windows has no SIGHUP, and asks with SIGBREAK too.
_ASKING = tuple(one for one in signal.Signals if one.name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"))


class Stop:
    """Whether somebody asked to stop."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, number: int, frame: FrameType | None) -> None:
        """The signal handler."""
        self.asked += 1
        if self.asked > 1:
            raise KeyboardInterrupt


@contextlib.contextmanager
def listening() -> Iterator[Stop]:
    """Handle the signals while a run is on; in other threads than the main one they cannot be handled."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.ask) for number in _ASKING}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


LEFT = "stored trials belong to no statement of this plan"
PATIENCE = 5.0  # seconds that running trials get after somebody asked to stop
TICK = 0.2
TELL = 0.05  # seconds between two reports of progress
# Failures that another attempt may mend: after an installation, or when the machine is less busy.
_WORTH_ANOTHER_RUN = ("signal", "exit", "import")


def run(
    plan: Plan, tables: Mapping[str, Table], options: RunOptions, judge: Judge, progress: Report | None = None
) -> Outcome:
    """Run every trial of a plan that is not in the store yet. `judge` is score_candidate of scores/metrics/score.py."""
    begun = time.monotonic()
    trust = Trust(packages=options.trusted, handed=options.handed, local=options.local)
    layout = expand(plan, tables, trust)
    alone = options.jobs is None and compares_times(plan)
    options = replace(options, jobs=1) if alone else options
    folder = RunFolder(options)
    folder.notes += [ONE_BY_ONE] if alone else []
    try:
        schedule = _Schedule(layout, tables, options, judge, folder, trust)
        with listening() as stop:
            schedule.run(stop, progress)
        folder.notes += schedule.notes()
        return Outcome(
            folder=folder.path,
            layout=layout,
            total=layout.trials,
            ran=schedule.ran,
            reused=schedule.reused,
            failed=schedule.failures(),
            notes=tuple(folder.notes),
            interrupted=stop.asked > 0,
            seconds=time.monotonic() - begun,
            environment=folder.environment,
            verified=schedule.verified,
            unsteady=tuple(schedule.unsteady),
            keeper=folder,
            pace=schedule.pace,
        )
    finally:
        folder.close()


class _Schedule:
    """One run, from the list of what is missing to the last commit."""

    def __init__(
        self,
        layout: Layout,
        tables: Mapping[str, Table],
        options: RunOptions,
        judge: Judge,
        folder: RunFolder,
        trust: Trust,
    ) -> None:
        self._layout, self._options, self._folder, self._store = layout, options, folder, folder.store
        self._done = folder.store.done()
        self._notes: list[str] = []
        self._again: list[Task] = []
        self._blamed: dict[int, Failure] = {}  # cells whose learner cannot be imported
        self._shop = Workshop(
            cells=layout.cells,
            benches={name: bench(tables[name], trust) for name in sorted({c.dataset for c in layout.cells})},
            judge=judge,
            strict=options.strict,
            partitions={},
        )
        check_folds(self._shop)
        check_learners(self._shop)
        self._facts = StoredFacts(layout, tables, folder.store, self._shop)
        self._notes += self._facts.changed()
        if folder.store.healed:
            self._facts.mend()
        self._wanted = {key for cell in layout.cells for *_, key in keys(cell)}
        self._missing = {key for key in self._wanted if not self._is_done(key)}
        if options.strict:
            kept = folder.store.trials(sorted(self._wanted - self._missing))
            self._missing |= {trial.key for trial in kept if trial.failure is None and trial.warnings}
        self.reused = len(self._wanted) - len(self._missing)
        self.pace = Pace(self._shop)
        self.ran = 0
        self.verified = 0
        self.unsteady: list[Unsteady] = []
        self._failed = sum(1 for key in self._wanted - self._missing if self._done[key])

    def run(self, stop: Stop, progress: Report | None) -> None:
        """Until nothing is missing or somebody asks to stop."""
        if not self._missing and not self._options.verify:
            return
        self.pace.expect(self._missing, self._store)
        executor = self._executor()
        begun = time.monotonic()
        try:
            self._drive(executor, self._tasks(), stop, begun, progress)
            # What took its worker down gets one more chance, alone: it may have been the others' memory.
            for task in self._again:
                if not stop.asked:
                    self._drive(executor, iter((task,)), stop, begun, progress, last=True)
            if self._options.verify and not stop.asked:
                self._verify(executor, stop)
            self._notes += executor.notes
        finally:
            executor.close()

    def _verify(self, executor: Executor, stop: Stop) -> None:
        """Run some finished trials again and note those that differ; nothing is written."""
        todo = sample(self._layout, self._store.done(), self._options.verify)
        more = True
        while (more or executor.busy()) and not stop.asked:
            while more and executor.room() > 0:
                task = next(todo, None)
                more = task is not None
                if task is not None:
                    executor.submit(task)
            for one in executor.wait(TICK):
                self._compare(one)
        names = sorted({(one.learner, one.dataset) for one in self.unsteady})
        self._notes += [
            f"{learner} gave other answers on {dataset} when it was run a second time: "
            "its randomness does not come from its seed"
            for learner, dataset in names
        ]

    def _compare(self, one: Finished) -> None:
        cell = self._layout.cells[one.task.cell]
        trials = one.trials or failed(one.task, cell, one.crash or Failure(kind="exit", error="", message=""))
        for stored, again in zip(self._store.trials(one.task.keys), trials, strict=True):
            self.verified += 1
            if differs(stored, again):
                place = {"partition": stored.partition, "fold": stored.fold, "training": stored.training}
                self.unsteady.append(Unsteady(learner=cell.learner.name, dataset=cell.dataset, **place))

    def notes(self) -> list[str]:
        """What the reader should know."""
        left = len(self._done.keys() - self._wanted)
        if left:
            self._notes.append(f"{left} {LEFT}; they are kept and not reported")
        return self._notes

    def failures(self) -> tuple[FailedTrial, ...]:
        """Every failed trial of the plan, from this run or an earlier one."""
        found: list[FailedTrial] = []
        now = self._store.done()
        for cell in self._layout.cells:
            bad = [key for *_, key in keys(cell) if now.get(key)]
            for trial in self._store.trials(bad):
                if trial.failure is not None:
                    place = {"partition": trial.partition, "fold": trial.fold, "training": trial.training}
                    found.append(
                        FailedTrial(learner=cell.learner.name, dataset=cell.dataset, failure=trial.failure, **place)
                    )
        return tuple(found)

    def _is_done(self, key: str) -> bool:
        failure = self._done.get(key)
        if not failure:
            return failure is not None
        kind, _, limits = failure.partition(" ")
        if kind in _WORTH_ANOTHER_RUN:
            return False
        if kind == "warning":
            return self._options.strict
        return kind not in ("timeout", "memory") or limits == self._options.limits

    def _tasks(self) -> Iterator[Task]:
        if self._options.pilot is not None:
            return self.pace.pilot(self._kept(), self._options.pilot)
        return self.pace.first_of_each(self._kept)

    def _kept(self) -> Iterator[Task]:
        for task in tasks(self._layout):
            kept = [(t, k) for t, k in zip(task.trainings, task.keys, strict=True) if k in self._missing]
            if kept:
                yield replace(task, trainings=tuple(t for t, _ in kept), keys=tuple(k for _, k in kept))

    def _executor(self) -> Executor:
        if self._options.scheduler is not None:
            from .cluster import Cluster

            return Cluster(self._shop, self._options)
        if wanted(self._options) < 1:
            here = Here(self._shop)
            if self._options.limits:
                here.notes.append("trials in this process can be held to no limit of time or memory")
            return here
        most = max(len(self._missing), self._options.verify, 1)  # more workers would have nothing to do
        local = Local(self._shop, replace(self._options, jobs=min(wanted(self._options), most)))
        if local.standing:
            return local
        local.close()
        here = Here(self._shop)
        here.notes += [
            *local.notes,
            "no worker process could be started: the trials run in this process, without limits",
        ]
        return here

    def _drive(
        self,
        executor: Executor,
        todo: Iterator[Task],
        stop: Stop,
        begun: float,
        progress: Report | None,
        last: bool = False,
    ) -> None:
        more = True
        until, told = float("inf"), 0.0
        while more or executor.busy():
            if stop.asked and until == float("inf"):
                more, until = False, time.monotonic() + PATIENCE
            if time.monotonic() > until:
                return
            while more and executor.room() > 0:
                task = next(todo, None)
                more = task is not None
                if task is not None:
                    self._start(executor, task)
            finished = executor.wait(TICK)
            if finished:
                self._keep(finished, last)
            if progress is not None and time.monotonic() > told + TELL:
                told = time.monotonic()
                progress(self._progress(begun, executor.hands()))
        if progress is not None:
            progress(self._progress(begun, executor.hands()))

    def _start(self, executor: Executor, task: Task) -> None:
        blame = self._blamed.get(task.cell)
        if blame is None:
            executor.submit(task)
            self.pace.sent(task)
        else:  # a learner that cannot be imported fails once, not once for every fold
            self._commit([(task.cell, trial) for trial in failed(task, self._layout.cells[task.cell], blame)])

    def _keep(self, finished: list[Finished], last: bool) -> None:
        ready: list[tuple[int, Trial]] = []
        for one in finished:
            self.pace.back(one.task)
            trials = one.trials
            if one.crash is not None:
                if not last and one.crash.kind != "timeout":
                    self._again.append(one.task)
                    continue
                trials = failed(one.task, self._layout.cells[one.task.cell], one.crash)
            for trial in trials:
                if trial.failure is not None and trial.failure.kind == "import":
                    self._blamed[one.task.cell] = trial.failure
                ready.append((one.task.cell, self._limited(trial)))
        self._commit(ready)

    def _limited(self, trial: Trial) -> Trial:
        if trial.failure is None or trial.failure.kind != "memory":
            return trial
        return replace(trial, failure=replace(trial.failure, limits=self._options.limits))

    def _commit(self, trials: list[tuple[int, Trial]]) -> None:
        if not trials:
            return
        self._folder.commit([trial for _, trial in trials], self._facts.needed(trials))
        self.ran += len(trials)
        for place, trial in trials:
            self.pace.took(place, trial)
        self._failed += sum(1 for _, trial in trials if trial.failure is not None)

    def _progress(self, begun: float, hands: int) -> Progress:
        seconds = time.monotonic() - begun
        left = self.pace.left(hands)
        return Progress(
            done=self.reused + self.ran,
            total=len(self._wanted),
            failed=self._failed,
            rate=self.ran / seconds if seconds > 0 else 0.0,
            left=None if left is None else left.seconds,
            at_least=left is not None and left.at_least,
        )
