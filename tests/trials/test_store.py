"""The store gives back what it was given, and nothing it was not."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn

from evalang.errors import RunError
from evalang.trials.store import Store, from_row, pack, to_row, unpack
from evalang.trials.trial import Candidate, Failure, LearnerAnswer, Trial

KINDS = st.sampled_from([np.uint8, np.uint16, np.uint32, np.int32, np.int64, np.float64, np.bool_])
LITERALS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)
ARRAYS = KINDS.flatmap(lambda kind: hn.arrays(kind, hn.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=6)))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.text(min_size=1, max_size=5), ARRAYS, max_size=4))
def test_arrays_come_back_the_same(arrays: dict[str, np.ndarray]) -> None:  # type: ignore[type-arg]
    heading, body = pack(arrays)
    found = unpack(json.loads(json.dumps(heading)), body)
    assert list(found) == list(arrays)
    for name, values in arrays.items():
        assert found[name].dtype == values.dtype
        assert found[name].shape == values.shape
        assert found[name].tobytes() == values.tobytes()


def test_objects_cannot_be_stored() -> None:
    with pytest.raises(TypeError, match="cannot be stored"):
        pack({"a": np.array([{}], dtype=object)})


PARAMETERS = st.lists(st.tuples(st.text(max_size=4), LITERALS), max_size=2).map(tuple)
TRIALS = st.builds(
    Trial,
    key=st.text("0123456789abcdef", min_size=40, max_size=40),
    partition=st.integers(0, 99),
    fold=st.integers(0, 99),
    training=st.integers(0, 9),
    train_size=st.integers(0, 10**6),
    test_size=st.integers(0, 10**6),
    answers=st.lists(
        st.builds(
            LearnerAnswer,
            metrics=st.lists(st.text(max_size=5), max_size=2).map(tuple),
            labels=hn.arrays(np.uint8, 5),
            scores=st.one_of(st.none(), hn.arrays(np.float64, (5, 3))),
            probabilities=st.booleans(),
            chosen=PARAMETERS,
            size=st.one_of(st.none(), st.integers(0, 10**9)),
            fit_seconds=st.floats(0, 1e6),
            predict_seconds=st.floats(0, 1e6),
        ),
        max_size=2,
    ).map(tuple),
    tuned_for=st.lists(st.text(max_size=5), max_size=2).map(tuple),
    candidates=st.lists(
        st.builds(
            Candidate,
            parameters=PARAMETERS,
            scores=st.lists(st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)), max_size=2).map(
                tuple
            ),
            failure=st.text(max_size=9),
        ),
        max_size=2,
    ).map(tuple),
    warnings=st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5), st.integers(1, 9)), max_size=2).map(tuple),
    failure=st.one_of(
        st.none(), st.builds(Failure, kind=st.just("timeout"), error=st.text(max_size=5), message=st.text(max_size=9))
    ),
    printed=st.text(max_size=20),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TRIALS)
def test_trials_come_back_the_same(trial: Trial) -> None:
    again = from_row(*to_row(trial))
    assert to_row(again) == to_row(trial)
    assert again.failure == trial.failure
    assert again.candidates == trial.candidates
    assert [g.chosen for g in again.answers] == [g.chosen for g in trial.answers]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TRIALS, st.data())
def test_a_row_that_somebody_changed_is_refused_in_words(trial: Trial, data: st.DataObject) -> None:
    """T23: whatever is written there, reading it gives a trial or a RunError, never anything else."""
    key, result, arrays, volatile = to_row(trial)
    parsed = json.loads(result)
    name = data.draw(st.sampled_from(sorted(parsed)))
    parsed[name] = data.draw(
        st.one_of(st.none(), st.integers(), st.text(max_size=3), st.lists(st.integers(), max_size=3))
    )
    with contextlib.suppress(RunError):
        from_row(key, json.dumps(parsed), arrays, volatile)


def empty_trial(number: int) -> Trial:
    return Trial(key=f"{number:040x}", partition=0, fold=number, training=0, train_size=1, test_size=1)


def test_a_commit_is_whole_or_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.commit([empty_trial(1)])

    def some() -> object:
        yield empty_trial(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.commit(some())  # type: ignore[arg-type]
    store.commit([empty_trial(3)])
    assert sorted(store.done()) == [empty_trial(1).key, empty_trial(3).key]
    store.close()


def test_commits_are_lasting_settings(tmp_path: Path) -> None:
    """26, power loss: what SQLite needs to be told so that a commit survives it."""
    store = Store(tmp_path)
    one = {
        n: store._connection.execute(f"PRAGMA {n}").fetchone()[0]
        for n in ("journal_mode", "synchronous", "trusted_schema")
    }
    assert one == {"journal_mode": "wal", "synchronous": 1, "trusted_schema": 0}
    store.close()


def test_an_empty_folder_has_no_store_to_read(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="has no finished fits"):
        Store(tmp_path, write=False)
    assert list(tmp_path.iterdir()) == []
