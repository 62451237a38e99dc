"""What a report says of a simulation, and single values of it."""

from __future__ import annotations

import pytest

from evalang.errors import ScriptError
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.reports.assemble import document
from evalang.reports.document import Figure, Paragraph, Section
from evalang.reports.figures.choose import figure
from evalang.reports.simulated import rates_table, simulation_words
from evalang.reports.terminal import WIDEST_CELL, render
from evalang.reports.values import multiplicity_value, simulation_value
from evalang.results.run_result import RunResult
from evalang.verdicts.simulation import simulate

from .judgements import rich

TYPE_ONE = "simulate type-I of mcnemar, kfold-t with n 100, error 10%, 20%, trials 200, seed 1"
POWER = (
    "compare decision-tree vs naive-bayes on wine using 10 partitions of 10cv, by averaged-t, seed 1 as it\n"
    "simulate power of it with difference 2%, 20%, trials 200, seed 1"
)


def judged(script: str) -> RunResult:
    plan = build(SourceText("script.eval", script)).plan
    return RunResult(plan=plan, simulations=tuple(o for s in plan.simulations for o in simulate(plan, s)))


def words(script: str) -> str:
    found = judged(script)
    return " ".join(w for s in found.plan.simulations for w in simulation_words(s, found.simulations))


def test_type_one_says_what_it_leaves_out() -> None:
    said = words(TYPE_ONE)
    assert "says little about kfold-t on real folds" in said
    assert "mcnemar on real folds" not in said


def test_type_one_with_training_sets_says_what_was_added() -> None:
    said = words(TYPE_ONE.replace("trials", "shared 2%, trials"))
    assert "standard deviation 2%" in said
    assert "says little" not in said


def test_outcome_tests_alone_need_no_such_note() -> None:
    assert "says little" not in words("simulate type-I of mcnemar with error 10%, trials 50, seed 1")


def test_power_says_what_it_finds_and_what_it_would_take() -> None:
    said = words(POWER)
    assert "half of the time and" in said
    assert "To find a difference of 2.0 points four times in five" in said
    assert "Even 100 partitions in place of 10 find a difference of 2.0 points only" in said
    assert "errs on 20% of the rows" in said


def test_every_number_of_rows_has_its_smallest_difference() -> None:
    said = words(
        "compare decision-tree vs naive-bayes on wine using holdout 1/3, by mcnemar, seed 1 as it\n"
        "simulate power of it with difference 5%, n 300, 600, trials 100, seed 1"
    )
    assert "it: mcnemar on 300 rows finds a difference of" in said
    assert "it: mcnemar on 600 rows finds a difference of" in said


def test_every_number_of_datasets_has_its_smallest_difference() -> None:
    said = words(
        'results r from csv "r.csv", datasets in "d", measuring accuracy\ncompare a vs b on r by sign as it\n'
        "simulate power of it with difference 5%, datasets 12, 1300, trials 100, seed 1"
    )
    assert "it: sign over 12 datasets finds a difference of" in said
    assert "it: sign over 1,300 datasets finds a difference of" in said


def test_resamples_are_called_resamples() -> None:
    said = words(
        "compare decision-tree vs naive-bayes on wine using 10 resamples of 2/3, by corrected-t, seed 1 as it\n"
        "simulate power of it with difference 1%, trials 100, seed 1"
    )
    assert "100 resamples in place of 10" in said
    assert "partitions in place" not in said


@pytest.mark.parametrize("script", [POWER, TYPE_ONE, TYPE_ONE.replace("n 100", "n 100, 1000000, resamples 20, 30")])
def test_no_two_rows_of_the_terminal_read_the_same(script: str) -> None:
    """Without the rate, its interval and the trials: what was asked tells the rows apart, and no cell is cut."""
    found = judged(script)
    table = rates_table("simulate-1", found.simulations)
    told = [i for i, column in enumerate(table.columns) if column.title not in ("rate", "interval", "trials")]
    asked = [tuple(row[i].text for i in told) for row in table.rows]
    assert len(set(asked)) == len(asked) == len(found.simulations)
    assert all(len(text) <= WIDEST_CELL for row in asked for text in row)
    shown = render(document(found))
    assert "…" not in shown[shown.index("Rates of rejection") :].split("\n\n")[0]


def test_what_a_design_would_take_stands_in_words() -> None:
    table = rates_table("simulate-1", judged(POWER).simulations)
    assert "100 partitions in place of 10" in [cell.text for row in table.rows for cell in row]
    assert not any("instead-of" in column.title for column in table.columns)


def test_values() -> None:
    found = judged(TYPE_ONE)
    rate = next(o.rate for o in found.simulations if o.subject == "mcnemar" and dict(o.settings)["error"] == 0.2)
    assert simulation_value(found, "simulate-1.mcnemar.error 20%.rate") == f"{rate:.3f}"
    assert simulation_value(found, "simulate-1.kfold-t.error 10%.folds 10.trials") == "200"
    assert " to " in (simulation_value(found, "simulate-1.kfold-t.error 10%.interval") or "")
    assert simulation_value(found, "trees-or-bayes.p") is None


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("simulate-1.mcnemar.rate", "fits 2 rates"),
        ("simulate-1.sign.error 10%.rate", "fits no rate"),
        ("simulate-1.mcnemar.error 10%", "names no value"),
        ("simulate-1.mcnemar.error 10%.rows", "has no rows"),
    ],
)
def test_what_fits_nothing_is_said(address: str, said: str) -> None:
    with pytest.raises(ScriptError, match=said):
        simulation_value(judged(TYPE_ONE), address)


def test_power_values_tell_the_curve_from_the_searches() -> None:
    found = judged(POWER)
    assert simulation_value(found, "simulate-1.averaged-t.difference 20%.rate") == "1.000"
    assert (simulation_value(found, "simulate-1.averaged-t.target 0.8.difference") or "").endswith("points")


def test_multiplicity() -> None:
    """Salzberg 1997, section 3; .000333 and .000325 by inc-05."""
    asked = ("expected", "familywise", "sidak", "bonferroni")
    assert [multiplicity_value(f"multiplicity 154.{a}") for a in asked] == ["7.7", "0.9996", "0.000333", "0.000325"]
    assert multiplicity_value("all-ten.p") is None
    with pytest.raises(ScriptError):
        multiplicity_value("multiplicity 154.p")


def test_a_run_that_only_simulates_says_so_at_its_head() -> None:
    report = document(judged("simulate type-I of mcnemar with n 100, trials 50, seed 1\n"))
    assert report.subtitle == "1 simulation"
    shown = render(report)
    assert "0 comparisons" not in shown
    assert "Type I error at the level 0.05: mcnemar (" in shown


def test_a_run_without_a_simulation_has_no_picture_of_one() -> None:
    with pytest.raises(ScriptError, match="holds nothing for the picture simulation"):
        figure(rich(), "simulation")


def test_the_answer_carries_its_limit_and_the_picture() -> None:
    answer = document(judged(TYPE_ONE)).blocks[0]
    assert isinstance(answer, Section)
    said, drawn = answer.blocks
    assert isinstance(said, Paragraph)
    assert said.text.endswith("so this is no promise for kfold-t on real folds.")
    assert isinstance(drawn, Figure)
    assert drawn.lead
    keys = [b.key for section in document(judged(TYPE_ONE)).blocks for b in section.blocks if isinstance(b, Figure)]  # type: ignore[union-attr]
    assert keys == [drawn.key]
    trained = document(judged(TYPE_ONE.replace("trials", "shared 2%, trials"))).blocks[0]
    assert isinstance(trained, Section)
    assert "no promise" not in trained.blocks[0].text  # type: ignore[union-attr]
