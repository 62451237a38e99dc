"""The stored outcomes: tables agree with the scores and counts that they are made of, reckoned here in another way."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from evalang.catalogue.metrics import find_metric

from .scripts import STUDIES

WITH_DATE = ("bradford-brodley", "caruana", "dietterich")
TRIALS = {"stand-in": 1000, "letter": 1000, "pima": 1000}


@pytest.mark.parametrize("study", WITH_DATE)
def test_they_say_when_and_with_what(study: str) -> None:
    about = json.loads((STUDIES / study / "outcome" / "about.json").read_text(encoding="utf-8"))
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", about["finished"])
    versions = about.get("environment", about)
    assert {"numpy", "scikit-learn"} <= set(versions)


@pytest.mark.parametrize("task", TRIALS)
def test_power_begins_with_the_type_one_error(task: str) -> None:
    trials = pd.read_csv(STUDIES / "dietterich" / "outcome" / f"{task}.csv")
    power = pd.read_csv(STUDIES / "dietterich" / "outcome" / f"{task}-power.csv")
    assert len(trials) == TRIALS[task]
    for test in ("mcnemar", "proportions", "kfold-t", "5x2cv-t"):
        assert power[test][0] == pytest.approx(trials[test].mean(), abs=5e-4)
    assert power["points apart"].is_monotonic_increasing


def test_turned_conclusions_are_counted_right() -> None:
    """Ours from the counts of single partitions; theirs are the 7.0%, 12.6% and 9.8% of the paper's section 4."""
    here = STUDIES / "bradford-brodley" / "outcome"
    keys = ["scheme", "dataset", "other"]
    both = pd.read_csv(here / "counts.csv").merge(pd.read_csv(here / "averaged.csv"), on=keys)
    assert len(both) == 23 * 2 * 2
    rejected = both["p"] <= 0.05
    kept = both["no_difference"].where(~rejected, both["tddt_1_better"].where(both["mean_t"] > 0, both["other_better"]))
    every = both[["other_better", "no_difference", "tddt_1_better"]].sum(axis=1)
    shares = pd.read_csv(here / "shares.csv").set_index("what")
    for scheme in ("10cv", "5x2cv"):
        these = both["scheme"] == scheme
        share = 1 - kept[these].sum() / every[these].sum()
        assert shares["ours"][scheme] == f"{share:.1%}"
    assert shares["ours"]["together"] == f"{1 - kept.sum() / every.sum():.1%}"
    assert list(shares["paper"]) == ["7.0%", "12.6%", "9.8%"]


def test_the_papers_values_are_laid_over_ours() -> None:
    """Theirs as in the table typed from the paper; every one of them has a mark in the picture."""
    here = STUDIES / "bradford-brodley"
    both = pd.read_csv(here / "outcome" / "turned.csv").set_index("case")
    printed = pd.read_csv(here / "paper-turned.csv")
    printed.index = printed["dataset"] + " " + printed["other"]
    for column in ("paper-10cv", "paper-5x2cv"):
        assert both[column].to_dict() == printed[column].to_dict()
    picture = (here / "outcome" / "turned.svg").read_text(encoding="utf-8")
    marks = re.findall(r'<use [^>]*stroke="(#0072b2|#d55e00)"', picture)
    assert (marks.count("#0072b2"), marks.count("#d55e00")) == (2 * 46 + 1, 2 * 46 + 1)  # and one each in the legend


def test_normalised_scores_come_from_the_stored_ones() -> None:
    """Table 2 of Caruana and Niculescu-Mizil, from the scores of all trials."""
    here = STUDIES / "caruana" / "outcome"
    scores = pd.read_csv(here / "scores.csv.gz")
    zero = pd.read_csv(here / "baselines.csv").set_index(["dataset", "metric"])["score"]
    assert len(scores) == 30 * 7 * 5 * 9
    parts = []
    for (dataset, metric), group in scores.groupby(["dataset", "metric"]):
        card = find_metric(str(metric))
        assert card is not None
        each = group.groupby("learner")["score"].mean()
        bottom = each.mean() if metric == "cal" else zero[dataset, metric]
        best = each.max() if card.higher_is_better else each.min()
        parts.append(group.assign(scaled=(group["score"] - bottom) / (best - bottom)))
    every = pd.concat(parts)
    means = every.groupby("learner")["scaled"].mean()
    table = pd.read_csv(here / "table2.csv")
    printed = {(m, c): float(str(x).rstrip("*†‡")) for m, c, x in table[["model", "C", "MEAN"]].to_numpy()}
    names = {"bst-dt": "BST-DT", "rf": "RF", "svm-rbf": "SVM", "nb": "NB", "k-nn": "KNN"}
    for learner, model in names.items():
        for suffix, letter in (("", "-"), ("-platt", "P"), ("-isotonic", "I")):
            assert printed[model, letter] == pytest.approx(means[learner + suffix], abs=6e-4)
    assert list(printed.values()) == sorted(printed.values(), reverse=True)
    # The first sentence of the page: boosted trees need calibration, naive Bayes most of all.
    assert printed["BST-DT", "P"] > printed["BST-DT", "-"]
    assert printed["NB", "I"] > printed["NB", "-"]


def test_the_answers_are_the_reference_values() -> None:
    """Every score of the two tables, counted item by item, is that of the values that the other tests rest on."""
    known = json.loads((STUDIES.parents[1] / "tests" / "golden" / "item_scores.json").read_text(encoding="utf-8"))
    gpqa = pd.read_csv(STUDIES / "answers" / "gpqa.csv").set_index(["item", "epoch"])
    for name, right in zip(known["gpqa"]["learners"], known["gpqa"]["right"], strict=True):
        counts = gpqa[name.rpartition("/")[2]].groupby("item", sort=False).sum()
        assert "".join(str(count) for count in counts) == right
    table = pd.read_csv(STUDIES / "answers" / "livebench.csv")
    for task in known["livebench"]["tasks"]:
        for name, side in zip(known["livebench"]["learners"], ("first", "second"), strict=True):
            assert table.loc[table["task"] == task["task"], name].tolist() == pytest.approx(task[side], abs=1e-6)
    assert len(table) == sum(len(task["first"]) for task in known["livebench"]["tasks"]) == 1136
