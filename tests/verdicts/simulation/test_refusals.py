"""Whatever the plan lets through can be simulated: no refusal, no warning and no empty answer is left for the run."""

from __future__ import annotations

import math
import warnings

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.plans.simulation import SIMULATED
from evalang.verdicts.simulation import simulate

ROWS = st.sampled_from(["", "n 2", "n 19", "n 20", "rows 21", "n 30, 40", "rows 7", "n 600"])
SHARE = st.sampled_from(["0%", "1%", "5%", "14%", "30%", "45%", "60%", "2/3", "90%", "99.9%"])
COUNT = st.sampled_from(["1", "2", "3", "20, 21", "31"])
SCHEMES = (
    "holdout 1/3",
    "holdout 2 rows",
    "10cv",
    "2x5cv",
    "5x2cv",
    "2 partitions of 5x2cv",
    "3 resamples of 2/3",
    "1 resamples of 2/3",
    "leave-one-out",
    "bootstrap 4",
    "3 partitions of 3cv",
    "given folds",
    "3 trainings of 20",
)
TESTS = ("mcnemar", "row-t", "permutation", "kfold-t", "corrected-t", "averaged-t", "5x2cv-t", "5x2cv-f", "resampled-t")


def words(**values: str | None) -> str:
    return "".join(f", {word} {value}" for word, value in values.items() if value)


def holds(script: str) -> None:
    """The plan refuses it, or it is simulated without a word."""
    built = build(SourceText("script.eval", script))
    assume(not any(f.level == "error" for f in built.findings))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [o for s in built.plan.simulations for o in simulate(built.plan, s)]
    assert found
    assert all(math.isfinite(o.rate) and 0.0 <= o.rate <= 1.0 for o in found)
    assert len({(o.subject, o.settings) for o in found}) == len(found)  # something tells every two apart


relaxed = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@given(
    tests=st.lists(st.sampled_from(SIMULATED), min_size=1, max_size=3),
    rows=ROWS,
    error=st.none() | SHARE,
    resamples=st.none() | COUNT,
    datasets=st.none() | COUNT,
    shared=st.none() | SHARE,
)
@relaxed
def test_type_one(
    tests: list[str], rows: str, error: str | None, resamples: str | None, datasets: str | None, shared: str | None
) -> None:
    said = words(error=error, resamples=resamples, datasets=datasets, shared=shared)
    holds(f"simulate type-I of {', '.join(tests)} with trials 3{', ' + rows if rows else ''}{said}, seed 1")


@given(
    scheme=st.sampled_from(SCHEMES),
    test=st.sampled_from(TESTS),
    rows=ROWS,
    error=st.none() | SHARE,
    difference=st.none() | SHARE,
    disagreement=st.none() | SHARE,
    shared=st.none() | SHARE,
)
@relaxed
def test_power(
    scheme: str,
    test: str,
    rows: str,
    error: str | None,
    difference: str | None,
    disagreement: str | None,
    shared: str | None,
) -> None:
    said = words(error=error, difference=difference, disagreement=disagreement, shared=shared)
    holds(
        f"compare decision-tree vs naive-bayes on iris using {scheme}, by {test}, seed 1 as c\n"
        f"simulate power of c with trials 3{', ' + rows if rows else ''}{said}, seed 1"
    )


@given(
    test=st.sampled_from(["wilcoxon", "sign", "paired-t"]),
    rows=ROWS,
    datasets=st.none() | COUNT,
    spread=st.none() | SHARE,
    error=st.none() | SHARE,
)
@relaxed
def test_power_over_datasets(test: str, rows: str, datasets: str | None, spread: str | None, error: str | None) -> None:
    said = words(datasets=datasets, spread=spread, error=error)
    holds(
        'results r from csv "r.csv", datasets in "d", measuring accuracy\n'
        f"compare a vs b on r by {test} as c\n"
        f"simulate power of c with trials 3{', ' + rows if rows else ''}{said}, seed 1"
    )
