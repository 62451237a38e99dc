"""Defaults with their origins, and how far a `set` reaches."""

# ruff: noqa: E501  a script reads best in one line
from __future__ import annotations

from pathlib import Path

from evalang.language.decode import read_script
from evalang.plans.build import build
from evalang.plans.model import Comparison
from tests.plans.planning import TABLES, clean, only, planned


def of(text: str) -> tuple[Comparison, ...]:
    return clean(text).plan.comparisons


def test_every_default_is_written_out_with_its_origin() -> None:
    found = only("compare t vs n on a using 10cv")
    assert (found.alpha.value, found.alpha.origin, found.alpha.reason) == (0.05, "default", "the customary level")
    assert ([m.name for m in found.metrics], found.metrics_origin) == (["accuracy"], "default")
    assert (found.tests[0].origin, bool(found.tests[0].reason)) == ("default", True)
    assert (found.seed, found.rope, found.tuning, found.correction) == (None, None, None, None)
    assert found.failures == "undecided"
    assert found.name == "compare-1"


def test_what_is_written_is_marked_as_written() -> None:
    found = only("compare t vs n on a using 10cv, at 1%, seed 7, rope 2 points, tune on 1/5, measuring mcc")
    assert (found.alpha.value, found.alpha.origin) == (0.01, "written")
    assert found.seed is not None
    assert (found.seed.value, found.seed.origin) == (7, "written")
    assert found.rope is not None
    assert (found.rope.value, found.rope.origin) == (0.02, "written")
    assert found.tuning is not None
    assert found.tuning.value.part is not None
    assert (found.tuning.value.part.fraction, found.tuning.origin) == (0.2, "written")
    assert found.metrics_origin == "written"


def test_numbers_default_to_rmse() -> None:
    assert [m.name for m in only("compare t vs n on r using 10cv").metrics] == ["rmse"]


def test_the_metric_of_a_results_table_comes_from_the_table() -> None:
    found = only('results s from csv "s.csv" as mae ~ who | dataset\ncompare t vs n on s')
    assert ([m.name for m in found.metrics], found.metrics_origin) == (["mae"], "derived")


def test_unnamed_comparisons_are_numbered_in_order() -> None:
    text = "compare t vs n on a using 10cv\nestimate t on a using 10cv\ncompare t vs n on b using 10cv as x\ncompare t vs n on c using 10cv"
    assert [c.name for c in of(text)] == ["compare-1", "estimate-2", "x", "compare-4"]


def test_set_holds_for_the_statements_below_it() -> None:
    first, second, third = of(
        "compare t vs n on a using 10cv\nset seed 5\ncompare t vs n on b using 10cv\nset seed 6\ncompare t vs n on c using 10cv"
    )
    assert first.seed is None
    assert second.seed is not None
    assert third.seed is not None
    assert [(s.value, s.origin) for s in (second.seed, third.seed)] == [(5, "set"), (6, "set")]


def test_set_reaches_alpha_rope_tuning_and_metrics_and_gives_way_to_what_is_written() -> None:
    sets = "set alpha 0.01\nset rope 1 point\nset tune on 20%\nset measuring mcc\n"
    kept, written = of(
        sets
        + "compare t vs n on a using 10cv\ncompare t vs n on a using 10cv, at 5%, rope 3%, tune using 4cv, measuring error"
    )
    for found, origin, alpha, rope, where, metric in (
        (kept, "set", 0.01, 0.01, "part", "mcc"),
        (written, "written", 0.05, 0.03, "cv", "error"),
    ):
        assert found.rope is not None
        assert found.tuning is not None
        assert {found.alpha.origin, found.rope.origin, found.tuning.origin, found.metrics_origin} == {origin}
        assert (found.alpha.value, found.rope.value) == (alpha, rope)
        assert (found.tuning.value.where, found.metrics[0].name) == (where, metric)


def test_the_later_of_two_tuning_settings_holds() -> None:
    (found,) = of("set tune on 20%\nset tune using 5cv\ncompare t vs n on a using 10cv")
    assert found.tuning is not None
    assert (found.tuning.value.where, found.tuning.value.folds) == ("cv", 5)


def test_set_stays_in_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "common.eval").write_text(
        "set seed 1\nset alpha 0.01\n" + TABLES + "compare t vs n on a using 10cv as inner\n"
    )
    main = tmp_path / "main.eval"
    main.write_text('set seed 2\ninclude "common.eval"\ncompare t vs n on a using 10cv as outer\n')
    found = {c.name: c for c in build(read_script(main)).plan.comparisons}
    assert found["inner"].seed is not None
    assert found["outer"].seed is not None
    assert (found["inner"].seed.value, found["inner"].alpha.value) == (1, 0.01)
    assert (found["outer"].seed.value, found["outer"].alpha.value) == (2, 0.05)


def test_set_allow_is_for_every_statement_below() -> None:
    plan = planned('set allow EV310 because "a demonstration"\nset alpha 0.1, allow EV410 because "a pilot"').plan
    assert [(a.code, a.reason, a.everywhere) for a in plan.allow] == [
        ("EV310", "a demonstration", True),
        ("EV410", "a pilot", True),
    ]


def test_a_simulation_knows_its_level_and_seed() -> None:
    text = "set seed 4\nset alpha 0.1\nsimulate type-I of mcnemar with n 300, error 10%, 20%\nsimulate type-I of mcnemar with n 30, seed 9"
    first, second = planned(text).plan.simulations
    assert dict(first.settings) == {"n": (300,), "error": (0.1, 0.2), "alpha": (0.1,), "seed": (4,)}
    assert dict(second.settings) == {"n": (30,), "alpha": (0.1,), "seed": (9,)}


def test_fractions_of_every_spelling_mean_the_same() -> None:
    parts = [only(f"compare t vs n on a using holdout {text}").scheme for text in ("20%", "1/5", "0.2")]
    assert len(set(parts)) == 1
    scheme = only("compare t vs n on a using holdout 500 rows").scheme
    assert scheme is not None
    assert scheme.part is not None
    assert scheme.part.rows == 500


def test_corrections_mean_the_same_in_any_order() -> None:
    one = only("compare t vs n on a, b using 10cv, holm over metrics, datasets").correction
    other = only("compare t vs n on a, b using 10cv, holm over datasets, metrics").correction
    assert one == other
    assert one is not None
    assert one.over == ("datasets", "metrics")
