"""Run a plan: only the trials that are missing, on the workers there are, each stored as soon as it is finished."""

from __future__ import annotations

import contextlib
import hashlib
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, takewhile, zip_longest
from types import FrameType

from ..data.table import Table
from ..errors import RunError
from ..language.text import counted
from ..plans.model import Plan
from .capture import clean
from .check import check_folds, check_learners
from .expand import Layout, Task, expand, keys, tasks
from .folder import FailedTrial, Outcome, RunFolder, StoredFacts
from .identity import changed_since
from .learners import Trust, is_own_code
from .options import ONE_BY_ONE, Progress, Report, RunOptions, compares_times
from .own_code import install
from .pace import TimeEstimator
from .pool import TOGETHER_SECONDS, Executor, Finished, InProcessExecutor, WorkerPool, start_method, worker_count
from .prepare import prepare_table
from .store import to_row
from .task import TaskContext, failed
from .trial import Scorer, Trial
from .worker import Starter

# Windows has no SIGHUP, and sends SIGBREAK too.
STOP_SIGNALS = tuple(one for one in signal.Signals if one.name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"))
UNUSED_TRIALS_NOTE = "stored fits belong to no statement of this plan"
STOP_SECONDS = 0.3  # that running trials get after a request to stop
PROGRESS_SECONDS = 0.05  # between two reports of progress


class StopRequest:
    """Counts the signals that ask to stop; the second one interrupts at once."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        self.count += 1
        if self.count > 1:
            raise KeyboardInterrupt


@contextlib.contextmanager
def stop_on_signals(stop: StopRequest) -> Iterator[None]:
    """Count the signals while a run is on; Python allows that in the main thread only."""
    here = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, stop.add) for number in STOP_SIGNALS if here}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(
    plan: Plan, tables: Mapping[str, Table], options: RunOptions, scorer: Scorer, progress: Report | None = None
) -> Outcome:
    """Run every trial of a plan that is not stored yet; `scorer` is score_candidate of scores/metrics.py."""
    trust = Trust(packages=options.trusted, objects=options.objects, local=options.local, code=options.code)
    layout = expand(plan, tables, trust, options.run_id)
    one_by_one = options.jobs is None and compares_times(plan)
    options = replace(options, jobs=1) if one_by_one else options
    folder = RunFolder(options)
    folder.notes += layout.notes if options.folder is not None else ()
    folder.notes += [ONE_BY_ONE] if one_by_one else []
    try:
        schedule = _Schedule(layout, tables, options, scorer, folder, trust, progress)
        with stop_on_signals(schedule.stop):
            schedule.run()
        return Outcome(
            folder=folder.path,
            layout=layout,
            total=layout.trials,
            ran=schedule.ran,
            reused=schedule.reused,
            failed=schedule.failures(),
            notes=tuple(folder.notes),
            interrupted=schedule.stop.count > 0,
            temporary_folder=folder,
            pace=schedule.pace,
            kernels=tuple(schedule.kernels.items()),
            differing=schedule.differing,
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
        scorer: Scorer,
        folder: RunFolder,
        trust: Trust,
        report: Report | None,
    ) -> None:
        self._layout, self._options, self._folder, self._store = layout, options, folder, folder.store
        self.stop, self._report, self._notes = StopRequest(), report, folder.notes
        self._done = folder.store.done()
        self._again: list[Task] = []
        self._context = TaskContext(
            cells=layout.cells,
            tables={name: prepare_table(tables[name], trust) for name in sorted({c.dataset for c in layout.cells})},
            scorer=scorer,
            fail_on_warning=options.fail_on_warning,
        )
        check_folds(self._context)
        self._facts = StoredFacts(layout, tables, folder.store, self._context)
        self._notes += self._facts.changed()
        self._wanted = {key for cell in layout.cells for *_, key in keys(cell)}
        self._missing = {key for key in self._wanted if not self._is_done(key)} | self._outdated(trust)
        left = len(self._done.keys() - self._wanted)
        self._notes += [f"{left} {UNUSED_TRIALS_NOTE}; they are kept and not reported"] if left else []
        self.reused = len(self._wanted) - len(self._missing)
        self.pace = TimeEstimator(self._context)
        self.ran = self.differing = 0
        self.kernels: dict[str, str] = {}
        self._started = time.monotonic()
        self._failed = sum(1 for key in self._wanted - self._missing if self._done[key])

    def run(self) -> None:
        """Run until nothing is missing or a signal asks to stop."""
        pilot, verify = self._options.pilot, self._options.verify
        if self._missing or pilot is not None:
            self.pace.expect(self._missing, self._store)
        if not self._missing and not verify:
            return  # of a pilot the stored fits have the times
        check_learners(self._context, False)
        executor = self._executor()
        try:
            todo = self._missing_tasks
            self._run_all(executor, self.pace.first_of_each(todo) if pilot is None else self.pace.pilot(todo(), pilot))
            # What took its worker down gets one more chance, alone: it may have been the others' memory.
            for task in self._again:
                self._run_all(executor, iter((task,)), last=True)
            if verify and not self.stop.count:
                self._verify(executor)
            self._notes += executor.notes
            self.kernels = executor.kernels
        finally:
            executor.cancel()

    def failures(self) -> tuple[FailedTrial, ...]:
        """Return every failed trial of the plan, from this run or an earlier one."""
        now = self._store.done()
        return tuple(
            FailedTrial(cell.learner.name, cell.dataset, trial.partition, trial.fold, trial.training, trial.failure)
            for cell in self._layout.cells
            for trial in self._store.trials(key for *_, key in keys(cell) if now.get(key))
            if trial.failure is not None
        )

    def _is_done(self, key: str) -> bool:
        """Return whether a trial need not run: it has an answer, or its failure is kept and its cause still holds."""
        failure = self._done.get(key)
        if not failure:
            return failure is not None
        if not self._options.keep_failures:
            return key in self._options.failed_now
        kind, _, limits = failure.partition(" ")
        if kind == "warning":
            return self._options.fail_on_warning
        return kind not in ("timeout", "memory") or limits == self._options.limits

    def _outdated(self, trust: Trust) -> set[str]:
        """Return stored trials to run again: code that they imported has changed, or a warning of theirs now fails."""
        install(trust.local)  # so that the modules beside the script are found; nothing is imported
        found: set[str] = set()
        edited: Counter[tuple[str, str]] = Counter()
        changes = lru_cache(changed_since)
        for cell in self._layout.cells:
            own = is_own_code(cell.learner)
            if not own and not self._options.fail_on_warning:
                continue
            for trial in self._store.trials(key for *_, key in keys(cell) if self._is_done(key)):
                changed = changes(trial.imported) if own else []
                edited.update((cell.learner.name, change) for change in changed)
                if changed or (self._options.fail_on_warning and trial.failure is None and trial.warnings):
                    found.add(trial.key)
        self._notes += [f"{change}: {count} fits of {name} are run again" for (name, change), count in edited.items()]
        return found

    def _missing_tasks(self) -> Iterator[Task]:
        for task in tasks(self._layout):
            todo = [(t, k) for t, k in zip(task.trainings, task.keys, strict=True) if k in self._missing]
            if todo:
                yield replace(task, trainings=tuple(t for t, _ in todo), keys=tuple(k for _, k in todo))

    def _executor(self) -> Executor:
        jobs, note = worker_count(self._options), ""
        if jobs < 1 and self._options.scheduler is None:
            note = "fits in this process have no limit of time or memory" if self._options.limits else ""
        else:
            starter = self._starter()
            if any(step.kind == "code" for cell in self._layout.cells for step in cell.learner.steps):
                with contextlib.suppress(OSError):  # the executor finds out
                    starter.call(check_learners, True)
            if self._options.scheduler is not None:
                from .dask import DaskExecutor

                return DaskExecutor(self._context, starter.packed, self._options)
            most = max(len(self._missing), self._options.verify, 1)  # more workers would have nothing to do
            pool = WorkerPool(starter, replace(self._options, jobs=min(jobs, most)))
            if pool.concurrency:
                return pool
            self._notes += pool.notes
            note = "no worker process could be started: the fits run in this process, without limits"
        self._notes += [note] if note else []
        check_learners(self._context, True)
        return InProcessExecutor(self._context, 0.0 if self._options.folder else TOGETHER_SECONDS)

    def _starter(self) -> Starter:
        own_code = any(cell.own_code for cell in self._layout.cells)
        starter = Starter(self._context, start_method(self._options, own_code=own_code))
        if starter.method == "fork":
            return starter
        try:
            starter.packed  # noqa: B018 - packed here, to find out whether it can be
        except Exception as error:  # of any kind: pickling calls the user's code
            reason = clean(f"{type(error).__name__}: {error}", 200)
            words = f"the learners cannot be sent to a new process ({reason})"
            if starter.method == self._options.start_method or sys.platform != "linux":
                raise RunError(words, hint="run with --start-method fork, or jobs=0 from Python") from None
            self._notes.append(f"{words}: workers are copies of this process, without its threads and GPU contexts")
            return Starter(self._context, "fork")
        return starter

    def _run_all(self, executor: Executor, todo: Iterator[Task], last: bool = False) -> None:
        """Run tasks and store what they give, until a signal asks to stop."""
        until, reported = float("inf"), 0.0
        for finished in executor.results(takewhile(lambda _: not self.stop.count, todo)):
            self._store_finished(finished, last)
            if self.stop.count:
                until = min(until, time.monotonic() + STOP_SECONDS)
            if time.monotonic() > until:
                return
            if time.monotonic() > reported + PROGRESS_SECONDS:
                reported = time.monotonic()
                self._show_progress(executor.concurrency)
        self._show_progress(executor.concurrency)

    def _store_finished(self, finished: list[Finished], last: bool) -> None:
        ready: list[tuple[int, Trial]] = []
        for one in finished:
            trials = one.trials
            if one.crash is not None:
                if not last and one.crash.kind != "timeout":
                    self._again.append(one.task)
                    continue
                trials = failed(one.task, self._layout.cells[one.task.cell], one.crash)
            for trial in trials:
                if trial.failure is not None and trial.failure.kind == "memory":
                    trial = replace(trial, failure=replace(trial.failure, limits=self._options.limits))
                ready.append((one.task.cell, trial))
        if not ready:
            return
        self._store.commit([trial for _, trial in ready], self._facts.needed(ready))
        self.ran += len(ready)
        for place, trial in ready:
            self.pace.finished(place, trial)
        failures = {trial.key for _, trial in ready if trial.failure is not None}
        self._options.failed_now.update(failures)
        self._failed += len(failures)

    def _show_progress(self, concurrency: int) -> None:
        if self._report is None:
            return
        seconds = time.monotonic() - self._started
        left = self.pace.left(concurrency)
        self._report(
            Progress(
                done=self.reused + self.ran,
                total=len(self._wanted),
                failed=self._failed,
                rate=self.ran / seconds if seconds > 0 else 0.0,
                left=None if left is None else left.seconds,
                at_least=left is not None and left.at_least,
                reused=self.reused,
            )
        )

    def _verify(self, executor: Executor) -> None:
        """Run some finished trials again and note the learners that differ, and why; nothing is stored.

        Those that differ from the store are run once more: a learner that follows its seed repeats itself.
        """
        first = self._repeat(executor, sample(self._layout, self._store.done(), self._options.verify))
        differing = [task for task, found in first.items() if found != _rows(self._store.trials(task.keys))]
        second = self._repeat(executor, differing)
        self.differing = len(differing)
        if first and not differing:
            self._notes.append(f"{counted(sum(map(len, first.values())), 'fit')} repeated, all the same")
        cells = self._layout.cells
        random = {task.cell for task in second if second[task] != first[task]}
        why = "; ".join(self._folder.changes) or "the learner reads something else that has changed"
        for place in sorted({task.cell for task in differing}):
            learner, dataset = cells[place].learner.name, cells[place].dataset
            if place in random:
                self._notes.append(
                    f"{learner} gave different predictions on {dataset} when it was run a second time: its "
                    "randomness does not come from its seed"
                )
            else:
                self._notes.append(
                    f"{learner} gives predictions on {dataset} that differ from the stored ones, and gives them "
                    f"again when it is repeated: {why}; --fresh runs all fits again"
                )

    def _repeat(self, executor: Executor, todo: Iterable[Task]) -> dict[Task, dict[str, tuple[object, ...]]]:
        """Return what comes of tasks that are run again, until a signal asks to stop."""
        found: dict[Task, dict[str, tuple[object, ...]]] = {}
        for finished in executor.results(iter(todo)):
            found |= {one.task: _rows(one.trials) for one in finished}
            if self.stop.count:
                break
        return found


def _rows(trials: Iterable[Trial]) -> dict[str, tuple[object, ...]]:
    """Return what may not differ between two runs of trials."""
    return {trial.key: to_row(trial)[:3] for trial in trials}


def sample(layout: Layout, done: Mapping[str, str], count: int) -> list[Task]:
    """Return tasks with about so many finished trials, taken in turn from every learner on every dataset.

    Which of a cell's trials they are depends on their keys alone: the same ones in every run.
    """
    by_cell: dict[int, list[Task]] = {}
    for task in sorted(tasks(layout), key=lambda task: hashlib.sha256(task.keys[0].encode()).digest()):
        if all(done.get(key) == "" for key in task.keys):
            by_cell.setdefault(task.cell, []).append(task)
    in_turn = [task for row in zip_longest(*by_cell.values()) for task in row if task is not None]
    before = accumulate((len(task.keys) for task in in_turn), initial=0)
    return [task for task, there in zip(in_turn, before, strict=False) if there < count]
