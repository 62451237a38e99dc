"""Run a plan: only the trials that are missing, on the workers there are, each stored as soon as it is finished."""

from __future__ import annotations

import contextlib
import hashlib
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
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
from .learners import Trust, is_own_code, needs_clean_process
from .options import ONE_BY_ONE, Progress, Report, RunOptions, compares_times
from .own_code import install
from .pace import TimeEstimator
from .pool import Executor, Finished, InProcessExecutor, WorkerPool, start_method, worker_count
from .prepare import prepare_table
from .store import to_row
from .task import TaskContext, failed
from .trial import Failure, Scorer, Trial
from .worker import Starter

# Windows has no SIGHUP, and sends SIGBREAK too.
STOP_SIGNALS = tuple(one for one in signal.Signals if one.name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"))
UNUSED_TRIALS_NOTE = "stored fits belong to no statement of this plan"
STOP_SECONDS = 0.3  # that running trials get after a request to stop
POLL_SECONDS = 0.2
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
def stop_on_signals() -> Iterator[StopRequest]:
    """Handle the signals while a run is on; Python allows that in the main thread only."""
    stop = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.add) for number in STOP_SIGNALS}
    try:
        yield stop
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
        schedule = _Schedule(layout, tables, options, scorer, folder, trust)
        with stop_on_signals() as stop:
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
            interrupted=stop.count > 0,
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
    ) -> None:
        self._layout, self._options, self._folder, self._store = layout, options, folder, folder.store
        self._done = folder.store.done()
        self._notes: list[str] = []
        self._again: list[Task] = []
        self._import_failures: dict[int, Failure] = {}  # by cell
        self._context = TaskContext(
            cells=layout.cells,
            tables={name: prepare_table(tables[name], trust) for name in sorted({c.dataset for c in layout.cells})},
            scorer=scorer,
            fail_on_warning=options.fail_on_warning,
        )
        self._own_code = any(needs_clean_process(cell.learner, trust) for cell in layout.cells)
        check_folds(self._context)
        self._facts = StoredFacts(layout, tables, folder.store, self._context)
        self._notes += self._facts.changed()
        self._wanted = {key for cell in layout.cells for *_, key in keys(cell)}
        self._missing = {key for key in self._wanted if not self._is_done(key)}
        if options.fail_on_warning:
            stored = folder.store.trials(sorted(self._wanted - self._missing))
            self._missing |= {trial.key for trial in stored if trial.failure is None and trial.warnings}
        self._missing |= self._outdated(trust)
        self.reused = len(self._wanted) - len(self._missing)
        self.pace = TimeEstimator(self._context)
        self.ran = 0
        self.differing = 0
        self.kernels: dict[str, str] = {}
        self._started = time.monotonic()
        self._failed = sum(1 for key in self._wanted - self._missing if self._done[key])

    def run(self, stop: StopRequest, progress: Report | None) -> None:
        """Run until nothing is missing or a signal asks to stop."""
        if not self._missing and not self._options.verify and self._options.pilot is None:
            return
        self.pace.expect(self._missing, self._store)
        if not self._missing and not self._options.verify:
            return  # a pilot of what has run already: the stored fits have the times
        check_learners(self._context, False)
        executor = self._executor()
        try:
            self._run_until_empty(executor, self._tasks(), stop, progress)
            # What took its worker down gets one more chance, alone: it may have been the others' memory.
            for task in self._again:
                if not stop.count:
                    self._run_until_empty(executor, iter((task,)), stop, progress, last=True)
            if self._options.verify and not stop.count:
                self._verify(executor, stop)
            self._notes += executor.notes
            self.kernels = executor.kernels
        finally:
            executor.cancel()

    def notes(self) -> list[str]:
        """Return the notes for the reader."""
        left = len(self._done.keys() - self._wanted)
        if left:
            self._notes.append(f"{left} {UNUSED_TRIALS_NOTE}; they are kept and not reported")
        return self._notes

    def failures(self) -> tuple[FailedTrial, ...]:
        """Return every failed trial of the plan, from this run or an earlier one."""
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
        """Return the stored trials of own code for which a module or a package has changed since."""
        install(trust.local)  # so that the modules beside the script are found; nothing is imported
        found: dict[tuple[str, str], set[str]] = {}
        changes = lru_cache(changed_since)
        for cell in self._layout.cells:
            if is_own_code(cell.learner):
                done = [key for *_, key in keys(cell) if key not in self._missing]
                for key, imported in self._store.imported(done):
                    for change in changes(imported):
                        found.setdefault((cell.learner.name, change), set()).add(key)
        self._notes += [f"{change}: {len(old)} fits of {name} are run again" for (name, change), old in found.items()]
        return {key for old in found.values() for key in old}

    def _tasks(self) -> Iterator[Task]:
        if self._options.pilot is not None:
            return self.pace.pilot(self._missing_tasks(), self._options.pilot)
        return self.pace.first_of_each(self._missing_tasks)

    def _missing_tasks(self) -> Iterator[Task]:
        for task in tasks(self._layout):
            todo = [(t, k) for t, k in zip(task.trainings, task.keys, strict=True) if k in self._missing]
            if todo:
                yield replace(task, trainings=tuple(t for t, _ in todo), keys=tuple(k for _, k in todo))

    def _executor(self) -> Executor:
        jobs = worker_count(self._options)
        if jobs < 1 and self._options.scheduler is None:
            notes = ["fits in this process have no limit of time or memory"] if self._options.limits else []
            return self._in_process(notes)
        starter = self._starter()
        if any(step.kind == "code" for cell in self._layout.cells for step in cell.learner.steps):
            with contextlib.suppress(OSError):  # the executor finds out
                starter.call(check_learners, True)
        if self._options.scheduler is not None:
            from .dask import DaskExecutor

            return DaskExecutor(self._context, starter.packed, self._options)
        most = max(len(self._missing), self._options.verify, 1)  # more workers would have nothing to do
        # Estimators of scikit-learn share workers; code that may leave something behind has workers of its own.
        pool = WorkerPool(starter, replace(self._options, jobs=min(jobs, most)), reserve=self._own_code)
        if pool.concurrency:
            return pool
        note = "no worker process could be started: the fits run in this process, without limits"
        return self._in_process([*pool.notes, note])

    def _in_process(self, notes: list[str]) -> Executor:
        check_learners(self._context, True)
        executor = InProcessExecutor(self._context)
        executor.notes += notes
        return executor

    def _starter(self) -> Starter:
        starter = Starter(self._context, start_method(self._options, own_code=self._own_code))
        if starter.method != "fork":
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

    def _run_until_empty(
        self,
        executor: Executor,
        todo: Iterator[Task],
        stop: StopRequest,
        progress: Report | None,
        last: bool = False,
    ) -> None:
        more = True
        until, reported = float("inf"), 0.0
        while more or executor.pending():
            if stop.count and until == float("inf"):
                more, until = False, time.monotonic() + STOP_SECONDS
            if time.monotonic() > until:
                return
            while more and executor.capacity() > 0:
                task = next(todo, None)
                more = task is not None
                if task is not None:
                    self._submit(executor, task)
            finished = executor.poll(POLL_SECONDS)
            if finished:
                self._store_finished(finished, last)
            if progress is not None and time.monotonic() > reported + PROGRESS_SECONDS:
                reported = time.monotonic()
                progress(self._progress(executor.concurrency))
        if progress is not None:
            progress(self._progress(executor.concurrency))

    def _submit(self, executor: Executor, task: Task) -> None:
        failure = self._import_failures.get(task.cell)
        if failure is None:
            executor.submit(task)
        else:  # a learner that cannot be imported fails once, not once for every fold
            self._commit([(task.cell, trial) for trial in failed(task, self._layout.cells[task.cell], failure)])

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
                failure = trial.failure
                if failure is not None and failure.kind == "import":
                    self._import_failures[one.task.cell] = failure
                elif failure is not None and failure.kind == "memory":
                    trial = replace(trial, failure=replace(failure, limits=self._options.limits))
                ready.append((one.task.cell, trial))
        self._commit(ready)

    def _commit(self, trials: list[tuple[int, Trial]]) -> None:
        if not trials:
            return
        self._store.commit([trial for _, trial in trials], self._facts.needed(trials))
        self.ran += len(trials)
        for place, trial in trials:
            self.pace.finished(place, trial)
        failures = {trial.key for _, trial in trials if trial.failure is not None}
        self._options.failed_now.update(failures)
        self._failed += len(failures)

    def _progress(self, concurrency: int) -> Progress:
        seconds = time.monotonic() - self._started
        left = self.pace.left(concurrency)
        return Progress(
            done=self.reused + self.ran,
            total=len(self._wanted),
            failed=self._failed,
            rate=self.ran / seconds if seconds > 0 else 0.0,
            left=None if left is None else left.seconds,
            at_least=left is not None and left.at_least,
            reused=self.reused,
        )

    def _verify(self, executor: Executor, stop: StopRequest) -> None:
        """Run some finished trials again and note the learners that differ, and why; nothing is stored.

        Those that differ from the store are run once more: a learner that follows its seed repeats itself.
        """
        stored, cells = self._store, self._layout.cells
        asked = sample(self._layout, self._store.done(), self._options.verify)
        first = {one.task: _rows(one.trials) for one in _execute(executor, asked, stop)}
        kept = {task: _rows(stored.trials(task.keys)) for task in first}
        differing = [task for task in first if first[task] != kept[task]]
        self.differing = len(differing)
        repeated = sum(map(len, first.values()))
        if repeated and not differing:
            self._notes.append(f"{counted(repeated, 'fit')} repeated, all the same")

        def names(found: Iterable[Task]) -> set[tuple[str, str]]:
            return {(cells[task.cell].learner.name, cells[task.cell].dataset) for task in found}

        second = {one.task: _rows(one.trials) for one in _execute(executor, iter(differing), stop)}
        random = names(task for task in second if second[task] != first[task])
        why = "; ".join(self._folder.changes) or "something that it reads besides its code and its data has changed"
        for learner, dataset in sorted(names(differing)):
            if (learner, dataset) in random:
                self._notes.append(
                    f"{learner} gave other answers on {dataset} when it was run a second time: its randomness does not "
                    "come from its seed"
                )
            else:
                self._notes.append(
                    f"{learner} gives other answers on {dataset} than the stored ones, and repeats them when it is run "
                    f"again: {why}; --fresh fits all again"
                )


def _rows(trials: Iterable[Trial]) -> dict[str, tuple[object, ...]]:
    """Return what may not differ between two runs of trials."""
    return {trial.key: to_row(trial)[:3] for trial in trials}


def _execute(executor: Executor, todo: Iterator[Task], stop: StopRequest) -> Iterator[Finished]:
    """Yield tasks as they finish, until there are no more or a signal asks to stop."""
    more = True
    while (more or executor.pending()) and not stop.count:
        while more and executor.capacity() > 0:
            task = next(todo, None)
            more = task is not None
            if task is not None:
                executor.submit(task)
        yield from executor.poll(POLL_SECONDS)


def sample(layout: Layout, done: dict[str, str], count: int) -> Iterator[Task]:
    """Yield tasks with about so many finished trials, taken in turn from every learner on every dataset.

    Which of a cell's trials they are depends on their keys alone: the same ones in every run.
    """
    waiting: dict[int, list[Task]] = {}
    for task in tasks(layout):
        if all(done.get(key) == "" for key in task.keys):
            waiting.setdefault(task.cell, []).append(task)
    for found in waiting.values():
        found.sort(key=lambda task: hashlib.sha256(task.keys[0].encode()).digest(), reverse=True)
    while waiting and count > 0:
        for cell in tuple(waiting):
            if count <= 0:
                return
            task = waiting[cell].pop()
            if not waiting[cell]:
                del waiting[cell]
            count -= len(task.keys)
            yield task
