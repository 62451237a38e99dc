"""Claims against verdicts: supported, contradicted or not settled, and why."""

from __future__ import annotations

import numpy as np
import pytest

from evalang.results.verdict import ClaimOutcome
from evalang.verdicts.judge import judge

from .made_evidence import MadeEvidence, planned, random_folds

BASE = """
learner first is decision-tree
learner second is naive-bayes
compare first vs second on iris, wine using 10x10cv, bonferroni over datasets{more}
{claim}
"""


def outcome(claim: str, gaps: dict[str, float], more: str = "", metric: str = "accuracy") -> ClaimOutcome:
    plan = planned(BASE.format(claim=claim, more=more))
    folds = random_folds(5, ("iris", "wine"), (metric,), gaps, (10, 10))
    return judge(plan, {"compare-1": MadeEvidence(folds)}).claims[0]


FAR = {"first": 0.1, "second": 0.0}
NEAR = {"first": 0.0, "second": 0.0}


@pytest.mark.parametrize(
    ("claim", "gaps", "status"),
    [
        ("claim first better than second on iris", FAR, "supported"),
        ("claim second better than first on iris", FAR, "contradicted"),
        ("claim first better than second on iris", NEAR, "not settled"),
        ("claim first better than second on iris, wine", FAR, "supported"),
        ("claim first same as second within 5% on iris", NEAR, "supported"),
        ("claim first same as second within 5% on iris", FAR, "contradicted"),
        ("claim first same as second within 0.1% on iris", NEAR, "not settled"),
        ("claim second no worse than first within 1% on iris", FAR, "contradicted"),
        ("claim first no worse than second within 1% on iris", FAR, "supported"),
        ("claim second no worse than first within 5% on wine", NEAR, "supported"),
    ],
)
def test_claims(claim: str, gaps: dict[str, float], status: str) -> None:
    found = outcome(claim, gaps)
    assert found.status == status, found.reason
    assert found.reason


def test_a_metric_where_low_is_good_turns_the_claim() -> None:
    more = ", measuring error"
    assert outcome("claim second better than first on iris", FAR, more, "error").status == "supported"
    assert outcome("claim first better than second on iris", FAR, more, "error").status == "contradicted"
    assert outcome("claim second no worse than first within 1% on iris", FAR, more, "error").status == "supported"
    assert outcome("claim first no worse than second within 1% on iris", FAR, more, "error").status == "contradicted"


def test_one_dataset_that_is_not_settled_leaves_the_whole_claim_open() -> None:
    plan = planned(BASE.format(claim="claim first better than second on iris, wine", more=""))
    folds = random_folds(5, ("iris",), ("accuracy",), FAR, (10, 10)) | random_folds(
        6, ("wine",), ("accuracy",), NEAR, (10, 10)
    )
    found = judge(plan, {"compare-1": MadeEvidence(folds)}).claims[0]
    assert found.status == "not settled"
    assert "wine" in found.reason


def test_a_named_test_over_datasets_judges_the_suite() -> None:
    names = tuple(f"d{i}" for i in range(8))
    sets = "\n".join(f'dataset {n} from csv "{n}.csv", target "y"' for n in names)
    plan = planned(
        f"{sets}\nlearner first is decision-tree\nlearner second is naive-bayes\n"
        f'suite all-of-them is {", ".join(names)} because "made"\n'
        "compare first vs second on all-of-them using 5x2cv, by wilcoxon\n"
        "claim first better than second on all-of-them\n"
    )
    folds = random_folds(7, names, ("accuracy",), {"first": 0.05, "second": 0.0}, (5, 2))
    judged = judge(plan, {"compare-1": MadeEvidence(folds)})
    over = [v for v in judged.verdicts if v.dataset is None]
    assert len(over) == 1
    assert over[0].test is not None
    assert over[0].test.pvalue == pytest.approx(2 / 2**8)  # all eight on one side
    assert judged.claims[0].status == "supported"
    assert judged.claims[0].verdicts == (over[0],)


def test_expecting_makes_the_test_one_sided_towards_the_named_learner() -> None:
    text = BASE.format(claim="", more=', expecting {} better because "it nests the other"')
    gaps = {"first": 0.01, "second": 0.0}
    folds = random_folds(5, ("iris", "wine"), ("accuracy",), gaps, (10, 10))
    p = {}
    for name in ("first", "second"):
        found = judge(planned(text.format(name)), {"compare-1": MadeEvidence(folds)}).verdicts
        p[name] = next(v.test.pvalue for v in found if v.dataset == "iris" and v.test is not None)
    assert p["first"] is not None
    assert p["second"] is not None
    assert p["first"] + p["second"] == pytest.approx(1.0)
    assert p["first"] < 0.5
    assert np.isfinite(p["second"])


def test_an_unsettled_difference_with_a_rope_has_an_equivalence_test_beside_it() -> None:
    plan = planned(BASE.format(claim="", more=", rope 5 points"))
    folds = random_folds(5, ("iris", "wine"), ("accuracy",), NEAR, (10, 10))
    found = judge(plan, {"compare-1": MadeEvidence(folds)}).verdicts
    for verdict in found:
        assert verdict.decision == "not-settled"
        assert verdict.equivalence is not None
        assert verdict.equivalence.test == "tost"
        assert verdict.equivalence.pvalue is not None
        assert verdict.equivalence.pvalue < 0.05  # equal learners, spread .02 over 100 folds, against .05
