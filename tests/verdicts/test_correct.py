"""Families: the tests that are corrected together are exactly those the clause names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalang.reports.sentences import words
from evalang.results.numbers import interval_name
from evalang.results.records import Verdict
from evalang.verdicts.judge import judge

from ..support.evidence import MadeEvidence, planned, random_folds
from ..support.tables import run_on

SETS = ("iris", "wine")
METRICS = ("accuracy", "roc-area")
GAPS = {"knn": 0.0, "svm": 0.01, "ridge-like": 0.02}
SCRIPT = """
learner ridge-like is scale | svm
compare knn vs svm vs ridge-like on iris, wine using 10cv, measuring accuracy, roc-area, all pairs, {correction}
"""


def verdicts(correction: str) -> list[Verdict]:
    plan = planned(SCRIPT.format(correction=correction))
    evidence = MadeEvidence(random_folds(3, SETS, METRICS, GAPS))
    return [v for v in judge(plan, {"compare-1": evidence}).verdicts if v.dataset is not None]


@pytest.mark.parametrize(
    ("correction", "size"),
    [
        ("bonferroni over datasets", 2),
        ("bonferroni over learners", 3),
        ("bonferroni over metrics", 2),
        ("bonferroni over datasets, metrics", 4),
        ("bonferroni over datasets, learners, metrics", 12),
        ("bonferroni over everything", 12),
        ("uncorrected", 12),
    ],
)
def test_bonferroni_multiplies_by_the_size_of_the_family(correction: str, size: int) -> None:
    found = verdicts(correction)
    assert len(found) == 12
    for v in found:
        assert v.family_size == size
        factor = 1 if correction == "uncorrected" else size
        assert v.adjusted_p == pytest.approx(min(1.0, factor * v.test.pvalue), rel=1e-12)


def test_holm_steps_down_within_its_family_only() -> None:
    found = verdicts("holm over datasets")
    groups: dict[tuple[object, ...], list[Verdict]] = {}
    for v in found:
        groups.setdefault((v.learners, v.metric), []).append(v)
    assert len(groups) == 6
    for members in groups.values():
        one, two = sorted(members, key=lambda v: v.test.pvalue)
        assert one.adjusted_p == pytest.approx(min(1.0, 2 * one.test.pvalue))
        assert two.adjusted_p == pytest.approx(max(one.adjusted_p, two.test.pvalue))


def test_a_test_that_cannot_be_computed_counts_in_its_family_and_the_report_says_so() -> None:
    plan = planned(SCRIPT.format(correction="bonferroni over datasets"))
    folds = random_folds(3, SETS, METRICS, GAPS)
    for learner in GAPS:
        folds["wine"]["accuracy"][learner] = [[0.5 + (0.1 if learner == "svm" else 0.0)] * 10]  # constant difference
    found = judge(plan, {"compare-1": MadeEvidence(folds)}).verdicts
    broken = [v for v in found if v.dataset == "wine" and v.metric == "accuracy" and v.test is None]
    assert {v.learners for v in broken} == {("knn", "svm"), ("svm", "ridge-like")}
    assert all(v.decision == "undecided" and v.adjusted_p is None and v.undecided_because for v in broken)
    left = next(v for v in found if v.dataset == "iris" and v.metric == "accuracy" and v.learners == ("knn", "svm"))
    assert (left.family_size, left.family_missing) == (2, 1)
    assert left.adjusted_p == pytest.approx(min(1.0, 2 * left.test.pvalue))
    assert "over 2 tests, including 1 that could not be computed" in words(left).found


@pytest.mark.parametrize(
    ("correction", "smallest"),
    [("bonferroni", 5), ("holm", 5), ("hochberg", 5), ("hommel", 5), ("bh", 5), ("yekutieli", 5 * 137 / 60)],
)
def test_two_of_five_planned_are_corrected_for_five(correction: str, smallest: float) -> None:
    """Three datasets give no fold scores at all; the smallest p of the other two meets alpha / 5."""
    sets = ("iris", "wine", "sonar", "glass", "zoo")
    declared = "\n".join(f'dataset {name} from csv "{name}.csv", target "y"' for name in sets[2:])
    script = f"{declared}\ncompare knn vs svm on {', '.join(sets)} using 10cv, {correction} over datasets, seed 1"
    plan = planned(script)
    folds = random_folds(3, sets, ("accuracy",), {"knn": 0.0, "svm": 0.0})
    folds["iris"]["accuracy"]["svm"] += 0.1
    for name in sets[2:]:
        folds[name]["accuracy"] = {"knn": [[0.5] * 10], "svm": [[0.6] * 10]}
    evidence = MadeEvidence(folds)
    found = [v for v in judge(plan, {"compare-1": evidence}).verdicts if v.dataset is not None and v.test is not None]
    assert [(v.dataset, v.family_size, v.family_missing) for v in found] == [("iris", 5, 3), ("wine", 5, 3)]
    least = found[0]
    assert least.adjusted_p == pytest.approx(smallest * least.test.pvalue)


def test_a_post_hoc_of_all_pairs_counts_as_one_test_beside_another(tmp_path: Path) -> None:
    """Half of the level for nemenyi, half for wilcoxon: its interval is one of two at 97.5%."""
    rng = np.random.default_rng(1)
    base = rng.normal(0.8, 0.05, 10)
    table = {"data": [f"d{i}" for i in range(10)]} | {n: base + d + rng.normal(0, 0.01, 10) for n, d in GAPS.items()}
    script = (
        'results t from csv "t.csv", datasets in "data", measuring accuracy\n'
        "compare knn vs svm on t by wilcoxon\ncompare knn vs svm vs ridge-like on t by friedman, nemenyi\n"
    )
    verdicts = run_on(tmp_path, script, t=table).verdicts
    interval = next(v.interval for v in verdicts if v.test is not None and v.test.test == "wilcoxon")
    assert interval_name(interval) == "simultaneous interval (97.5% for each of 2 tests)"
