"""Many records in a result are written as columns: smaller, the same when read, and nothing to fear from a stranger."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalang.errors import ScriptError
from evalang.results.records import Effect, LearnerScore, TestResult, Verdict
from evalang.results.run_result import RunResult, dumps, loads

from ..support.results import large, many, pair, rich

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TESTS = st.builds(
    TestResult,
    test=st.sampled_from(["nemenyi", "wilcoxon"]),
    statistic=st.none() | FLOATS,
    statistic_name=st.just("z"),
    pvalue=st.none() | st.floats(0, 1),
    df=st.tuples() | st.tuples(FLOATS),
    alternative=st.just("two-sided"),
    difference=st.none() | FLOATS,
    interval=st.none(),
    effect=st.none() | st.builds(Effect, name=st.text(max_size=3), value=FLOATS),
    wins=st.integers(0, 3),
    ties=st.integers(0, 1),
    losses=st.integers(0, 3),
    n_units=st.integers(0, 6),
    unit=st.just("dataset"),
    method=st.text(max_size=5),
    details=st.lists(st.tuples(st.text(max_size=3), FLOATS), max_size=3).map(tuple),
    notes=st.lists(st.text(max_size=4), max_size=2).map(tuple),
)
SCORES = st.builds(LearnerScore, learner=st.sampled_from("ab"), mean=st.none() | FLOATS, n=st.integers(0, 5))
VERDICTS = st.builds(
    Verdict,
    comparison=st.just("trees-or-bayes"),
    dataset=st.none() | st.sampled_from(["x", "y"]),
    metric=st.sampled_from(["accuracy", "brier"]),
    learners=st.permutations(["a", "b", "c"]).map(tuple) | st.permutations(["a", "b"]).map(tuple),
    test=st.none() | TESTS,
    adjusted_p=st.none() | st.floats(0, 1),
    alpha=st.sampled_from([0.05, 0.01]),
    family=st.text(max_size=4),
    decision=st.sampled_from(["undecided", "not-settled"]),
    scores=st.lists(SCORES, max_size=3).map(tuple),
    differences=st.lists(FLOATS, max_size=3).map(tuple),
)


@settings(max_examples=15, deadline=None)
@given(st.lists(VERDICTS, min_size=20, max_size=45))
def test_whatever_the_verdicts_are_they_come_back(verdicts: list[Verdict]) -> None:
    made = replace(pair(), verdicts=tuple(verdicts))
    text = dumps(made)
    assert "columns" in json.loads(text)["run"]["verdicts"]
    again = loads(text, "here")
    assert again == made
    assert dumps(again) == text  # minus zero and the like too


@pytest.mark.parametrize("made", [pair, many, rich, lambda: large(12, 10, 3)])
def test_results_of_all_kinds_come_back(made: type[RunResult]) -> None:
    assert loads(dumps(made()), "here") == made()


def test_a_file_of_version_3_is_still_read() -> None:
    """One record after the other, as it was written before there were columns."""
    base = large(12, 10, 1)
    few = [replace(base, verdicts=base.verdicts[i : i + 10]) for i in range(0, len(base.verdicts), 10)]
    held = json.loads(dumps(few[0]))
    held["version"] = 3
    held["run"]["verdicts"] = [v for one in few for v in json.loads(dumps(one))["run"]["verdicts"]]
    assert all(v["is"] == "Verdict" for v in held["run"]["verdicts"])
    assert loads(json.dumps(held), "here").verdicts == base.verdicts


def test_what_pairs_share_is_written_once() -> None:
    base = large(30, 20, 1, pairs_on_datasets=False)
    text = dumps(base)
    assert len(base.verdicts) >= 435
    verdicts = json.dumps(json.loads(text)["run"]["verdicts"])
    assert verdicts.count('"set-19"') <= 2  # the datasets of 435 pairs


@pytest.mark.parametrize(
    "column",
    [
        {"all": "x"},  # with all others alike: nothing says how many there are
        {"of": ["x"], "at": [0, 1]},
        {"of": ["x"], "at": [-1, 0]},
        {"of": ["x"], "at": [True, 0]},
        {"some": [1, 1], "of": {"table": "Effect", "columns": {"name": ["x"], "value": [1.0]}}},
        {"some": [1, 0], "of": {"table": "Effect", "columns": {"name": ["x", "y"], "value": {"all": 1.0}}}},
        {"table": "Popen", "columns": {"args": ["x", "y"]}},
        {"lengths": [1, 2], "by": {"1": {"each": [["x"]]}}},
        {"lengths": [1, 1], "by": {"1": {"each": [["x"]]}}},
        {"columns": 7},
        7,
    ],
)
def test_columns_that_do_not_fit_are_refused_in_a_sentence(column: object) -> None:
    held = json.loads(dumps(pair()))
    facts = {"rows": {"all": 1}, "features": {"all": 1}, "task": {"all": ""}}
    held["run"]["facts"] = {"table": "DatasetFacts", "columns": {"name": column, **facts}}
    with pytest.raises(ScriptError, match="here"):
        loads(json.dumps(held), "here")
