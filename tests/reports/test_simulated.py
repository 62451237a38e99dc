"""What a report says of a simulation, and single values of it."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from evalang.errors import ScriptError
from evalang.language.text import SourceText
from evalang.plans.build import build
from evalang.reports.assemble import document
from evalang.reports.document import Figure, Paragraph, Section
from evalang.reports.json import render as to_json
from evalang.reports.simulated import rates_table, simulation_words
from evalang.reports.terminal import WIDEST_CELL, render
from evalang.reports.values import multiplicity_value, simulation_value
from evalang.results.run_result import RunResult
from evalang.verdicts.simulation import simulate

TYPE_ONE = "simulate type-I of mcnemar, kfold-t with n 100, error 10%, 20%, trials 200, seed 1"
TRAINED = TYPE_ONE.replace("trials", "shared 2%, trials")
POWER = (
    "compare decision-tree vs naive-bayes on wine using 10 partitions of 10cv, by averaged-t, seed 1 as it\n"
    "simulate power of it with difference 2%, 20%, trials 200, seed 1"
)
OF_ROWS = (
    "compare decision-tree vs naive-bayes on wine using holdout 1/3, by mcnemar, seed 1 as it\n"
    "simulate power of it with difference 5%, n 300, 600, trials 100, seed 1"
)
SOUGHT = r"([.\d]+) points \(95% interval ([.\d]+) to ([.\d]+)\)"
OF_DATASETS = (
    'results r from csv "r.csv", datasets in "d", measuring accuracy\ncompare a vs b on r by sign as it\n'
    "simulate power of it with difference 5%, datasets 12, 1300, trials 100, seed 1"
)
OF_RESAMPLES = (
    "compare decision-tree vs naive-bayes on wine using 10 resamples of 2/3, by corrected-t, seed 1 as it\n"
    "simulate power of it with difference 1%, trials 100, seed 1"
)


@cache
def simulated(script: str) -> RunResult:
    plan = build(SourceText("script.eval", script)).plan
    return RunResult(plan=plan, simulations=tuple(o for s in plan.simulations for o in simulate(plan, s)))


@pytest.mark.parametrize(
    ("script", "said", "unsaid"),
    [
        (TYPE_ONE, ["says little about kfold-t on real folds"], "mcnemar on real folds"),
        (TRAINED, ["standard deviation 2%"], "says little"),
        ("simulate type-I of mcnemar with error 10%, trials 50, seed 1", ["same error rate"], "says little"),
        (
            POWER,
            [
                "with 50% power and",
                "For 80% power to find a difference of 2.0 points, it: ",
                "it: averaged-t has only",
                "is wrong on 20% of the rows",
            ],
            "resamples",
        ),
        (OF_ROWS, [f"it: mcnemar on {n} rows finds a difference of" for n in (300, 600)], "datasets"),
        (OF_DATASETS, [f"it: sign over {n} datasets finds a difference of" for n in ("12", "1,300")], "rows finds"),
        (OF_RESAMPLES, ["100 resamples instead of 10"], "random splits instead"),
    ],
)
def test_words(script: str, said: list[str], unsaid: str) -> None:
    found = simulated(script)
    text = " ".join(w for s in found.plan.simulations for w in simulation_words(s, found.simulations))
    assert [words for words in said if words not in text] == []
    assert unsaid not in text


def test_the_smallest_differences_have_their_intervals_in_words_and_json() -> None:
    found = simulated(OF_ROWS)
    (words, *_) = simulation_words(found.plan.simulations[0], found.simulations)
    shown = [[float(number) / 100 for number in match] for match in re.findall(SOUGHT, words)]
    kept = [dict(o["settings"]) for o in json.loads(to_json(found))["simulations"]]
    sought = [o for o in kept if "target" in o and o["rows"] == 300]
    assert len(sought) == 2
    for numbers, settings in zip(shown, sought, strict=True):
        assert numbers == pytest.approx([settings[word] for word in ("difference", "low", "high")], abs=6e-5)
        assert settings["low"] < settings["difference"] < settings["high"]


@pytest.mark.parametrize("script", [POWER, TYPE_ONE, TYPE_ONE.replace("n 100", "n 100, 1000000, resamples 20, 30")])
def test_no_two_rows_of_the_terminal_read_the_same(script: str) -> None:
    """Without the rate, its interval and the trials: the settings tell the rows apart, and no cell is cut."""
    found = simulated(script)
    table = rates_table("simulate-1", found.simulations)
    told = [i for i, column in enumerate(table.columns) if column.title not in ("rate", "interval", "trials")]
    asked = [tuple(row[i].text for i in told) for row in table.rows]
    assert len(set(asked)) == len(asked) == len(found.simulations)
    assert all(len(text) <= WIDEST_CELL for row in asked for text in row)
    assert ("100 random splits instead of 10" in [text for row in asked for text in row]) == (script == POWER)
    shown = render(document(found))
    assert "…" not in shown[shown.index("Rates of rejection") :].split("\n\n")[0]


def test_values() -> None:
    found, power = simulated(TYPE_ONE), simulated(POWER)
    rate = next(o.rate for o in found.simulations if o.subject == "mcnemar" and dict(o.settings)["error"] == 0.2)
    assert simulation_value(found, "simulate-1.mcnemar.error 20%.rate") == f"{rate:.3f}"
    assert simulation_value(found, "simulate-1.kfold-t.error 10%.folds 10.trials") == "200"
    assert " to " in (simulation_value(found, "simulate-1.kfold-t.error 10%.interval") or "")
    assert simulation_value(found, "trees-or-bayes.p") is None
    assert simulation_value(power, "simulate-1.averaged-t.difference 20%.rate") == "1.000"  # not one of the searches
    assert (simulation_value(power, "simulate-1.averaged-t.target 0.8.difference") or "").endswith("points")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("simulate-1.mcnemar.rate", "fits 2 rates"),
        ("simulate-1.sign.error 10%.rate", "fits no rate"),
        ("simulate-1.mcnemar.error 10%", "names no value"),
        ("simulate-1.mcnemar.error 10%.rows", "has no rows"),
    ],
)
def test_an_address_that_fits_nothing_is_refused(address: str, said: str) -> None:
    with pytest.raises(ScriptError, match=said):
        simulation_value(simulated(TYPE_ONE), address)


def test_multiplicity() -> None:
    """Salzberg 1997, section 3; .000333 and .000325 by inc-05."""
    asked = ("expected", "familywise", "sidak", "bonferroni")
    assert [multiplicity_value(f"multiplicity 154.{a}") for a in asked] == ["7.7", "0.9996", "0.000333", "0.000325"]
    assert multiplicity_value("all-ten.p") is None
    with pytest.raises(ScriptError):
        multiplicity_value("multiplicity 154.p")


def test_the_answer_carries_its_limit_and_the_picture() -> None:
    report = document(simulated(TYPE_ONE))
    answer = report.blocks[0]
    assert isinstance(answer, Section)
    said, drawn = answer.blocks
    assert isinstance(said, Paragraph)
    assert said.text.startswith("Type I error at level 0.05 (the largest rate of each test): ")
    assert said.text.endswith("On real folds the type I error can be higher for kfold-t.")
    assert isinstance(drawn, Figure)
    assert drawn.lead
    assert sum(isinstance(b, Figure) for s in report.blocks if isinstance(s, Section) for b in s.blocks) == 1
    assert report.subtitle == "1 simulation"
    assert "0 comparisons" not in render(report)
    trained = document(simulated(TRAINED)).blocks[0]
    assert isinstance(trained, Section)
    assert "no promise" not in trained.blocks[0].text  # type: ignore[union-attr]
