"""Faults of learners: each costs its own cells and nothing else. Numbers are those of README.md in this folder."""

from __future__ import annotations

import gc
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from evalang.plans.model import Comparison, Given, Grid, Learner, Part, Tuning
from evalang.scores.score_table import ScoreTable
from evalang.trials.folder import Outcome
from evalang.trials.store import Store
from evalang.trials.trial import Failure

from ..support.child import end, start
from ..support.engine import FIVEFOLD, THIRD, carry_out, catalogue, options, own, stored, table
from ..support.running import running, until

GOOD = catalogue("majority")


def failures(
    folder: Path, learner: Learner, *, jobs: int = 1, **more: object
) -> tuple[Comparison, Outcome, list[Failure]]:
    """Run a faulty learner beside a good one; the good one must not notice."""
    comparison, outcome = carry_out([learner, GOOD], [table()], FIVEFOLD, options(folder, jobs, **more))
    assert outcome.complete
    assert outcome.total == 10
    assert {f.learner for f in outcome.failed} <= {learner.name}
    return comparison, outcome, [f.failure for f in outcome.failed]


RAISED: list[tuple[str, dict[str, str], str, str, str]] = [
    ("Raises", {}, "exception", "ValueError", "the data are not to my taste"),  # 1
    ("RaisesAwkward", {}, "exception", "_Awkward", "1 and 2"),  # 2
    ("RaisesMute", {}, "exception", "_Mute", "its message cannot be shown"),  # 2
    ("Exits", {}, "exit", "SystemExit", "3"),  # 3
    ("Interrupts", {}, "exit", "KeyboardInterrupt", "KeyboardInterrupt with no message"),  # 3
    ("OutOfMemory", {}, "memory", "MemoryError", "MemoryError with no message"),  # 6
    ("Recurses", {}, "exception", "RecursionError", "maximum recursion depth exceeded"),  # 6
    ("Mutates", {"what": "X"}, "exception", "ValueError", "assignment destination is read-only"),  # 15
    ("Mutates", {"what": "y"}, "exception", "ValueError", "assignment destination is read-only"),  # 15
    ("Unavailable", {}, "import", "ModuleNotFoundError", "No module named 'a_package_that_nobody_has'"),  # 32
]
PASSED_ON = ("RaisesAwkward", "RaisesMute", "Interrupts", "OutOfMemory")  # by a worker to its parent


@pytest.mark.parametrize(
    ("cls", "parameters", "kind", "error", "words", "jobs"),
    [(*one, jobs) for one in RAISED for jobs in (0, 1) if jobs == 0 or one[0] in PASSED_ON],
)
def test_what_a_fit_raises_fails_its_trials_only(
    cls: str, parameters: dict[str, str], kind: str, error: str, words: str, jobs: int, tmp_path: Path
) -> None:
    _, _, found = failures(tmp_path, own("bad", cls, **parameters), jobs=jobs)
    assert len(found) == 5
    assert {(f.kind, f.error, f.message) for f in found} == {(kind, error, words)}


@pytest.mark.parametrize(
    ("cls", "form", "words"),
    [  # 10, 11
        ("Answers", "short", "predicted 11 for 12 rows"),
        ("Answers", "long", "predicted 13 for 12 rows"),
        ("Answers", "wide", "predicted 12 x 2 for 12 rows"),
        ("Answers", "text", "predicted values of type <U1, not classes"),
        ("Answers", "objects", "predicted values of type object, not classes"),
        ("Answers", "none", "predicted a single value for 12 rows"),
        ("Answers", "nan", "predicted nan for row 1 of the part"),
        ("Answers", "inf", "predicted inf for row 1 of the part"),
        ("Answers", "stranger", "predicted a class that the dataset does not have"),
        ("Answers", "half", "predicted a class that the dataset does not have"),
        ("Scores", "nan", "gave a score that is not a finite number"),
        ("Scores", "beyond", "gave probabilities outside 0 and 1"),
        ("Scores", "short", "gave scores of shape 11 for 12 rows and 2 classes"),
    ],
)
def test_answers_are_held_to_the_contract(cls: str, form: str, words: str, tmp_path: Path) -> None:
    _, _, found = failures(tmp_path, own("bad", cls, form=form), jobs=0)
    assert {(f.kind, f.message) for f in found} == {("contract", words)}


@pytest.mark.parametrize(
    ("cls", "parameters", "kind", "words"),
    [  # 4, 5
        ("Ends", {"code": 3}, "exit", "ended its process (exit code 3)"),
        ("Ends", {"code": 0}, "exit", "ended its process (exit code 0)"),
        ("Segfaults", {}, "signal", "was killed by SIGSEGV"),
        ("Ends", {"signal": "SIGABRT"}, "signal", "was killed by SIGABRT"),
        (
            "Ends",
            {"signal": "SIGKILL"},
            "signal",
            "was killed by SIGKILL, which is what running out of memory looks like",
        ),
    ],
)
def test_a_dead_worker_costs_one_trial(
    cls: str, parameters: dict[str, object], kind: str, words: str, tmp_path: Path
) -> None:
    learner = own("bad", cls, without=7, **parameters)  # type: ignore[arg-type]
    _, outcome, found = failures(tmp_path, learner, jobs=2)
    assert [(f.kind, f.message) for f in found] == [(kind, words)]
    assert outcome.ran == 10


def test_a_worker_that_dies_once_is_forgiven(tmp_path: Path) -> None:
    """4: the trial is run again, alone, and its result is as if nothing had happened."""
    once = own("bad", "Ends", signal="SIGKILL", once=str(tmp_path / "once"))
    _, outcome, found = failures(tmp_path / "run", once, jobs=2)
    assert found == []
    assert outcome.ran == 10


def test_more_memory_than_there_can_be_is_no_failure(tmp_path: Path) -> None:
    """5: more than somebody allowed the whole process."""

    def work() -> int:
        resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))
        _, _, found = failures(tmp_path, own("good", "Constant"), trial_memory=10**7)
        return len(found)

    assert end(start(work)) == 0


def test_memory_is_limited_and_more_is_another_chance(tmp_path: Path) -> None:
    """5, T21: a trial gets so many megabytes and not the machine."""
    learner = own("bad", "OutOfMemory", megabytes=400)
    _, _, found = failures(tmp_path, learner, trial_memory=100)
    assert [(f.kind, f.limits) for f in found] == [("memory", "100 MB")] * 5
    _, same, found = failures(tmp_path, learner, trial_memory=100, keep_failures=True)
    assert (same.ran, len(found)) == (0, 5)
    _, again, found = failures(tmp_path, learner, trial_memory=2000, keep_failures=True)
    assert (again.ran, found) == (5, [])


@pytest.mark.parametrize("deaf", [False, True])
def test_a_hanging_fit_is_ended(deaf: bool, tmp_path: Path) -> None:
    """7: also one that takes no notice of SIGTERM."""
    _, _, found = failures(tmp_path, own("bad", "Hangs", without=7, deaf=deaf), jobs=2, trial_seconds=1.5)
    assert [(f.kind, f.message, f.limits) for f in found] == [("timeout", "took longer than 1.5 seconds", "1.5 s")]


@pytest.mark.parametrize("then", ["return", "hang"])
def test_grandchildren_do_not_outlive_the_run(then: str, tmp_path: Path) -> None:
    """8: what a fit starts is swept with its worker's process group."""
    note = tmp_path / "note"
    _, outcome = carry_out(
        [own("bad", "Forks", note=str(note), then=then)], [table()], THIRD, options(tmp_path / "run", trial_seconds=2)
    )
    assert outcome.complete
    pid = int(note.read_text())
    until(lambda: not running(pid))


def test_inner_jobs_are_forced_to_one(tmp_path: Path) -> None:
    """9, T21: own code is told to use one job; a script of the catalogue may not even ask for more."""
    comparison, outcome = carry_out([own("jobs", "Jobs", n_jobs=64)], [table(classes=0)], THIRD, options(tmp_path))
    assert set(ScoreTable(comparison, outcome).answers("made", "rmse")["jobs"].labels.tolist()) == {1.0}


def test_blas_works_with_one_thread(tmp_path: Path) -> None:
    """9: the environment record says so, and the workers are held to it."""
    _, outcome = carry_out([own("threads", "Threads")], [table(classes=0)], THIRD, options(tmp_path / "more"))
    answers = ScoreTable(_, outcome).answers("made", "rmse")["threads"].labels
    assert set(answers.tolist()) == {1.0}


def test_warnings_are_counted_and_never_shown(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """13"""
    comparison, outcome, found = failures(tmp_path, own("bad", "Warns", times=200), jobs=0)
    assert found == []
    warned = ScoreTable(comparison, outcome).warnings
    assert warned["UserWarning: did not settle"] == 5
    assert len(warned) == 50
    assert len(recwarn) == 0


def test_garbage_of_others_is_no_warning_of_a_learner(tmp_path: Path) -> None:
    """13: when it is collected depends on everything that went before, and results may not."""
    gc.collect()
    gc.disable()
    try:
        for number, litter in enumerate((False, True)):
            held: list[object] = [(tmp_path / "litter").open("w")] if litter else []
            held.append(held)  # found by the collector only
            del held
            carry_out([own("bad", "Collects")], [table()], THIRD, options(tmp_path / str(number), 0))
    finally:
        gc.enable()
    assert stored(tmp_path / "0") == stored(tmp_path / "1")


def test_output_is_kept_short_and_clean(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """14"""
    _, _, found = failures(tmp_path, own("bad", "Prints"))
    assert found == []
    shown = capfd.readouterr()
    assert shown.out == ""
    assert shown.err == ""
    store = Store(tmp_path, write=False)
    printed = [trial.printed for trial in store.trials(store.done()) if trial.printed]
    assert len(printed) == 5
    assert all(text.startswith("hello xxx") and "\x1b" not in text and len(text) <= 65_540 for text in printed)


def test_a_warning_fails_what_was_run_without_it(tmp_path: Path) -> None:
    """13: and what failed by it only is run again without it."""
    for fail, ran, count in ((False, 10, 0), (True, 5, 5), (True, 0, 5), (False, 5, 0)):
        _, outcome, found = failures(tmp_path, own("bad", "Warns", times=1), fail_on_warning=fail, keep_failures=True)
        assert (outcome.ran, len(found)) == (ran, count)
        assert {(f.kind, f.error) for f in found} == ({("warning", "RuntimeWarning")} if fail else set())


def test_a_trainings_warnings_are_its_own(tmp_path: Path) -> None:
    """13: the same whether its fold's other trainings ran with it or not."""
    grid = (Grid(parameter="times", size=2, values=(1, 2), form="{1, 2}"),)
    tuned = replace(own("bad", "Warns"), grids=grid, candidates=2)
    tuning = Given(Tuning(where="part", part=Part(fraction=0.25)))
    for folder, steps in ((tmp_path / "one", (3,)), (tmp_path / "two", (1, 3))):
        for trainings in steps:
            learner = [replace(tuned, trainings=trainings)]
            _, outcome = carry_out(learner, [table()], THIRD, options(folder, 0), tuning=tuning)
            assert outcome.failed == ()
    assert stored(tmp_path / "one") == stored(tmp_path / "two")
    store = Store(tmp_path / "two", write=False)
    # One and two while tuning, then the one that the winner gives each time it is trained.
    warned = [{m: n for _, m, n in trial.warnings}["did not settle"] for trial in store.trials(store.done())]
    assert warned == [1 + 2 + 1] * 3


@pytest.mark.parametrize(("turn", "failing"), [(1, []), (3, [0]), (4, [1]), (5, [2])])
def test_a_training_that_fails_costs_itself_only(turn: int, failing: list[int], tmp_path: Path) -> None:
    """1: two candidates, then three trainings of the winner; a failed candidate is only not chosen."""
    grid = (Grid(parameter="x", size=2, values=(1, 2), form="{1, 2}"),)
    learner = replace(
        own("bad", "RaisesAt", note=str(tmp_path / "n"), turn=turn), grids=grid, candidates=2, trainings=3
    )
    tuning = Given(Tuning(where="part", part=Part(fraction=0.25)))
    _, outcome = carry_out([learner], [table()], THIRD, options(tmp_path / "run", 0), tuning=tuning)
    assert [f.training for f in outcome.failed] == failing
    store = Store(tmp_path / "run", write=False)
    assert {(t.train_size, t.test_size) for t in store.trials(store.done())} == {(40, 20)}


def test_a_learner_that_ignores_its_seed_is_found_out(tmp_path: Path) -> None:
    """16: by running trials a second time; nothing in the store changes."""
    _, outcome, _ = failures(tmp_path, own("bad", "Unseeded"), verify=4)
    before = stored(tmp_path)
    found = [note for note in outcome.notes if "its randomness does not come from its seed" in note]
    assert [note.partition(" gave")[0] for note in found] == ["bad"]
    _, again, _ = failures(tmp_path, own("bad", "Unseeded"), verify=100)
    assert (again.ran, stored(tmp_path)) == (0, before)
    _, steady, _ = failures(tmp_path / "steady", catalogue("forest", "random-forest", n_estimators=5), verify=10)
    assert not any("second time" in note for note in steady.notes)
    assert any(note.endswith("fits repeated, all the same") for note in steady.notes)
    assert (bool(outcome.differing), steady.differing) == (True, 0)


@pytest.mark.parametrize("cls", ["GlobalDraws", "PlainDraws"])
def test_global_random_state_is_seeded_by_key(cls: str, tmp_path: Path) -> None:
    """16: a learner that ignores its seed still gives the same answers in any run."""
    learner = own("bad", cls)
    found = []
    for number, jobs in enumerate((0, 2)):
        comparison, outcome, _ = failures(tmp_path / str(number), learner, jobs=jobs)
        found.append(ScoreTable(comparison, outcome).outcomes("made")["bad"].tolist())
    assert found[0] == found[1]
    assert len(set(found[0])) == 2
