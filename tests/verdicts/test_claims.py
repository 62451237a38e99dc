"""Claims against verdicts: supported, contradicted or not settled, and why."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import evalang as ev
from evalang.results import numbers, run_result
from evalang.results.records import ClaimOutcome
from evalang.verdicts.judge import judge

from ..support.evidence import MadeEvidence, planned, random_folds
from ..support.tables import run_on

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
    ("claim", "gaps", "metric", "status"),
    [
        ("first better than second on iris", FAR, "accuracy", "supported"),
        ("second better than first on iris", FAR, "accuracy", "contradicted"),
        ("first better than second on iris", NEAR, "accuracy", "not settled"),
        ("first better than second on iris, wine", FAR, "accuracy", "supported"),
        ("first same as second within 5% on iris", NEAR, "accuracy", "supported"),
        ("first same as second within 5% on iris", FAR, "accuracy", "contradicted"),
        ("first same as second within 0.1% on iris", NEAR, "accuracy", "not settled"),
        ("second no worse than first within 1% on iris", FAR, "accuracy", "contradicted"),
        ("first no worse than second within 1% on iris", FAR, "accuracy", "supported"),
        ("second no worse than first within 5% on wine", NEAR, "accuracy", "supported"),
        ("second better than first on iris", FAR, "error", "supported"),  # low is good
        ("first better than second on iris", FAR, "error", "contradicted"),
        ("second no worse than first within 1% on iris", FAR, "error", "supported"),
        ("first no worse than second within 1% on iris", FAR, "error", "contradicted"),
    ],
)
def test_claims_and_the_numbers_in_their_reasons(claim: str, gaps: dict[str, float], metric: str, status: str) -> None:
    """Every number in a bracket stands so in a table: p, the ends of the intervals, the levels."""
    found = outcome(f"claim {claim}", gaps, f", measuring {metric}", metric)
    assert found.status == status, found.reason
    known: set[str] = set()
    for verdict in found.verdicts:
        known |= {numbers.p(verdict.adjusted_p, verdict.alpha), numbers.alpha_text(verdict.alpha)}
        for i in (verdict.interval, verdict.equivalence_interval):
            known |= {*numbers.interval(i, verdict.metric).split(" to "), f"{100 * i.level:g}"} if i else set()
    written = re.findall(r"-?\d[\d.]*(?:e-\d+)?", found.reason.partition("(")[2])
    assert written or "iris, wine" in claim  # of several verdicts only their number is said
    assert set(written) <= known
    assert (
        not written or "adjusted p" in found.reason or "simultaneous interval" in found.reason
    )  # two datasets: a family of two


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
    assert p["first"] + p["second"] == pytest.approx(1.0)
    assert p["first"] < 0.5
    assert np.isfinite(p["second"])


def test_what_has_no_valid_test_has_no_supported_claim() -> None:
    """The folds of leave-one-out have no valid test; a tost of their own once supported such claims."""
    text = BASE.replace("10x10cv", "leave-one-out").format(
        more="", claim="claim first same as second within 5% on iris"
    )
    folds = random_folds(5, ("iris", "wine"), ("accuracy",), NEAR, (1, 150))
    judged = judge(planned(text), {"compare-1": MadeEvidence(folds)})
    assert all(v.test is None for v in judged.verdicts)
    assert judged.claims[0].status == "not settled"


def test_5x2cv_t_rests_on_one_fold_and_bounds_nothing() -> None:
    text = BASE.replace("10x10cv", "5x2cv, by 5x2cv-t, rope 30 points").format(
        more="", claim="claim first same as second within 30% on iris"
    )
    judged = judge(
        planned(text), {"compare-1": MadeEvidence(random_folds(5, ("iris", "wine"), ("accuracy",), NEAR, (5, 2)))}
    )
    assert [v.matters for v in judged.verdicts] == ["cannot-tell", "cannot-tell"]
    assert judged.claims[0].status == "not settled"


@given(seed=st.integers(0, 10**6), gap=st.floats(-0.06, 0.06), margin=st.integers(1, 8), lower=st.booleans())
@settings(max_examples=30, deadline=None)
def test_a_claim_says_no_more_than_the_intervals_beside_the_verdict(
    seed: int, gap: float, margin: int, lower: bool
) -> None:
    metric = "error" if lower else "accuracy"
    claims = [f"claim {a} {said} {b} within {margin}% on iris" for said in ("same as", "no worse than")
              for a, b in (("first", "second"), ("second", "first"))]  # fmt: skip
    plan = planned(BASE.format(claim="\n".join(claims), more=f", measuring {metric}"))
    folds = random_folds(seed, ("iris", "wine"), (metric,), {"first": gap, "second": 0.0}, (10, 10))
    judged = judge(plan, {"compare-1": MadeEvidence(folds)})
    beside = next(v for v in judged.verdicts if v.dataset == "iris")
    bound = margin / 100
    for claim, found in zip(plan.claims, judged.claims, strict=True):
        turn = (claim.left == "first") == lower
        narrow, wide = (numbers.turned(i) if turn else i for i in (beside.equivalence_interval, beside.interval))
        inside = narrow.low >= -bound and (claim.relation == "no-worse" or narrow.high <= bound)
        assert (found.status == "supported") == inside, found.reason
        if found.status == "contradicted":
            assert wide.high < -bound or wide.low > bound


# Differences over 12 datasets: mean 0.0300, standard error 0.0065, t(11) = 1.796 at 95% and 2.201 at 97.5%, so the 90%
# interval is 0.0183 to 0.0417 and the 95% interval 0.0157 to 0.0443.
GAPS = [0.03 + x * 0.0065 * 12**0.5 * (11 / 12) ** 0.5 for x in (-1, 1) * 6]


@pytest.mark.parametrize("by", ["tost", "paired-t"])
@pytest.mark.parametrize(
    ("margin", "decided", "status"),
    [
        (5.0, "equivalent", "supported"),
        (4.3, "equivalent", "supported"),  # inside at 90%, not at 95%
        (3.0, "not-settled", "not settled"),
        (1.7, "not-settled", "not settled"),  # outside at 90%, not at 95%
        (1.0, "not-equivalent", "contradicted"),
    ],
)
def test_equivalence_follows_one_rule_with_and_without_tost(
    by: str, margin: float, decided: str, status: str, tmp_path: Path
) -> None:
    """Equivalent if the 1 - 2 alpha interval lies inside the margin, not equivalent if the 1 - alpha interval lies
    outside it, else inconclusive."""
    rows = "".join(f"d{i},{0.8 + gap},0.8\n" for i, gap in enumerate(GAPS))
    (tmp_path / "t.csv").write_text("D,a,b\n" + rows)
    script = tmp_path / "s.eval"
    script.write_text(
        'results t from csv "t.csv", datasets in "D", measuring accuracy because "made up"\n'
        f"compare a vs b on t by {by}, rope {margin} points\nclaim a same as b within {margin}% on t"
        + (', allow EV702 because "its interval is read"\n' if by == "paired-t" else "\n")
    )
    run = ev.run(script)
    (verdict,), (claim,) = run.run.verdicts, run.run.claims
    assert claim.status == status, claim.reason
    for interval, level, half in ((verdict.equivalence_interval, 0.90, 0.01167), (verdict.interval, 0.95, 0.01431)):
        assert interval.level == pytest.approx(level)
        assert (interval.low, interval.high) == pytest.approx((0.03 - half, 0.03 + half), abs=2e-5)
    assert verdict.matters == {"supported": "too-small", "contradicted": "matters"}.get(status, "cannot-tell")
    if by == "tost":
        assert verdict.decision == decided
    shown = run.to_json()
    assert '"equivalence_interval"' in shown
    assert run_result.loads(run_result.dumps(run.run), "result.json").verdicts == run.run.verdicts
    text = str(run)
    assert "quivalence" in text
    assert "90% interval" in text
    assert "95% interval" in text


def test_a_claim_by_a_posterior_names_its_probability_and_no_p() -> None:
    more = ", by bayes-correlated-t, rope 1%"
    near = outcome("claim first better than second on iris", NEAR, more)
    assert near.status == "not settled"
    assert "a verdict needs 0.95" in near.reason
    far = outcome("claim first better than second on iris", FAR, more)
    assert far.status == "supported"
    for one in (near, far):
        assert "probability" in one.reason
        assert "adjusted p" not in one.reason


def test_an_interval_without_ends_is_said_in_words(tmp_path: Path) -> None:
    table = {"set": ["s1", "s2", "s3", "s4"], "a": [0.8, 0.7, 0.6, 0.9], "b": [0.7, 0.72, 0.5, 0.8]}
    script = 'results r from csv "r.csv", datasets in "set", measuring accuracy\ncompare a vs b on r\n'
    (found,) = run_on(tmp_path, f"{script}claim a no worse than b within 1% on r\n", r=table).claims
    assert found.status == "not settled"
    assert "interval of `a` minus `b` unbounded" in found.reason


def signed_rank_p(d: list[float]) -> float:
    """Return the two-sided p of the signed ranks by all 2^n signs."""
    ranks = stats.rankdata(np.abs(d))
    centre = ranks.sum() / 2
    far = abs(ranks[np.array(d) > 0].sum() - centre)
    return float(np.mean([abs(ranks @ signs - centre) >= far - 1e-9 for signs in product((0, 1), repeat=len(d))]))


OPEN = [0.01, -0.02, 0.03, -0.04, 0.05, -0.06, 0.07, -0.08]
SIX_WINS = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]  # p = 2/64: significant alone, not among two


@pytest.mark.parametrize("shared", [True, False], ids=["one family", "two families"])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("one", "two"), [(OPEN, SIX_WINS), (OPEN, [*SIX_WINS, 0.07, 0.08]), (SIX_WINS, SIX_WINS), (OPEN, OPEN)]
)
def test_a_claim_on_new_datasets_counts_every_statement_whatever_their_order(
    one: list[float], two: list[float], sign: int, shared: bool
) -> None:
    """Statements that share a dataset are one family, corrected by Holm; else each has its own level."""
    for first, second in ((one, two), (two, one)):
        gaps = [[sign * gap for gap in side] for side in (first, second)]
        suites = [[f"d{i}" for i in range(len(first))], [f"e{i}" for i in range(len(second))]]
        if shared:  # the smallest difference: both lists begin with it
            suites[1][0] = "d0"
        names = dict.fromkeys(suites[0] + suites[1])
        text = "".join(f'dataset {n} from csv "{n}.csv", target "y"\n' for n in names)
        text += "learner first is decision-tree\nlearner second is naive-bayes\n"
        for i, members in enumerate(suites, start=1):
            text += f'suite s{i} is {", ".join(members)}, sampled from "archive {i}"\n'
            text += f"compare first vs second on s{i} using 5x2cv, by wilcoxon\n"
        plan = planned(text + "claim first better than second on new datasets\n")
        evidence = {}
        for i, (members, side) in enumerate(zip(suites, gaps, strict=True), start=1):
            scores = {d: {"accuracy": {"first": np.full((5, 2), 0.6 + gap), "second": np.full((5, 2), 0.6)}}
                      for d, gap in zip(members, side, strict=True)}  # fmt: skip
            evidence[f"compare-{i}"] = MadeEvidence(scores)
        judged = judge(plan, evidence)
        raw = [signed_rank_p(side) for side in gaps]
        small, large = sorted(raw)
        holm = [min(1.0, 2 * small) if p == small else max(2 * small, large) for p in raw]
        significant = [p <= 0.05 for p in (holm if shared else raw)]
        over = [v for v in judged.verdicts if v.dataset is None]
        assert [v.adjusted_p for v in over] == pytest.approx(holm if shared else raw)
        (claim,) = judged.claims
        if sign < 0 and any(significant):
            assert claim.status == "contradicted"
        else:
            assert claim.status == ("supported" if all(significant) else "not settled")
        assert claim.verdicts == tuple(over)
