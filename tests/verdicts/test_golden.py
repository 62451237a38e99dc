"""Every stored reference value (R, papers, other programs) against our test of the same name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special

from evalang.errors import TestError
from evalang.results.records import TestResult
from evalang.verdicts.arithmetic.differences import differences
from evalang.verdicts.arithmetic.tails import Sided, cohen_dz, t_pvalue, z_pvalue
from evalang.verdicts.tests.bayes_tests import bayes_correlated_t
from evalang.verdicts.tests.intervals import clopper_pearson, wilson
from evalang.verdicts.tests.outcome_tests import (
    binomial,
    cochran_q,
    corrected_proportions,
    delong,
    mcnemar,
    mcnemar_exact,
    mcnemar_midp,
    proportions,
)
from evalang.verdicts.tests.partition_tests import averaged_t, enough_partitions, five_by_two_f, five_by_two_t
from evalang.verdicts.tests.rank_tests import anova, critical_difference, friedman, iman_davenport, nemenyi
from evalang.verdicts.tests.resampling_tests import bootstrap, permutation
from evalang.verdicts.tests.sign_tests import rank_biserial, sign, signed_ranks, wilcoxon
from evalang.verdicts.tests.t_tests import corrected_t, kfold_t, paired_t, resampled_t, row_t, tost
from evalang.verdicts.tests.training_tests import quasi_f, quasi_f_components
from tests.golden.load import Case, agrees, all_cases, cases

SIDES = {"two.sided": "two-sided", "less": "less", "greater": "greater"}
MIRROR = {"two.sided": "two-sided", "greater": "less", "less": "greater"}  # golden: n01 exceeds n10
ZEROS = {"wilcox": "drop", "pratt": "pratt", "zsplit_demsar": "demsar-split"}
MODES = {"exact": "exact", "approx": "normal", "auto": "auto"}
Got = dict[str, Any]


def _counts(case: Case) -> tuple[int, int]:
    return case["inputs"]["n01"], case["inputs"]["n10"]


def _zeros(case: Case) -> tuple[Any, Any]:
    """The differences of a case, and as many zeros."""
    d = np.array(case["inputs"]["differences"])
    return d, np.zeros_like(d)


def _chi2(case: Case) -> Got:
    found = mcnemar(*_counts(case), correction=case["options"]["correction"], exact_below=0)
    return {"statistic": found.statistic, "p_value": found.pvalue}


def _proportions(cells: dict[str, int]) -> TestResult:
    rows = cells["n00"] + cells["n01"] + cells["n10"] + cells["n11"]
    return proportions(cells["n01"], cells["n10"], both_right=cells["n11"], rows=rows)


def _two_proportions(case: Case) -> Got:
    found = _proportions(case["inputs"])
    share, z = dict(found.details), found.statistic or 0.0
    errors = {"p_A": 1.0 - share["first"], "p_B": 1.0 - share["second"]}
    return {"z": -z, "p_value": found.pvalue, "chi2": z * z, **errors}  # golden counts errors, we count rights


def _wald(case: Case) -> Got:
    found = corrected_proportions(
        *_counts(case), rows=sum(case["inputs"].values()), asked=Sided(level=case["options"]["conf"])
    )
    wald = dict(found.details)
    return {
        "diff": -(found.difference or 0.0),
        "se": wald["wald_standard_error"],
        "lower": -wald["wald_high"],
        "upper": -wald["wald_low"],
    }


def _t_of(found: TestResult) -> Got:
    got: Got = {"statistic": found.statistic, "p_value": found.pvalue, "mean_diff": found.difference}
    if found.pvalue and found.interval is not None:
        ends = {"ci_lower": found.interval.low, "ci_upper": found.interval.high}
        got |= {**ends, "df": found.df[0], "se": found.details[0][1], "log_p": math.log(found.pvalue)}
    return got


def _paired(test: Callable[..., TestResult]) -> Callable[[Case], Got]:
    def run(case: Case) -> Got:
        options, given = case["options"], case["inputs"]
        return _t_of(test(given["a"], given["b"], asked=Sided(SIDES[options["alternative"]], options["conf"])))

    return run


def _kfold(case: Case) -> Got:
    found = kfold_t(case["inputs"]["errors_a"], case["inputs"]["errors_b"])
    return {"statistic": found.statistic, "df": found.df[0], "p_two_sided": found.pvalue}


def _corrected(case: Case) -> Got:
    given = case["inputs"]
    d, zeros = _zeros(case)
    sizes = {"train_size": given.get("n_train", given.get("k", 1) - 1), "test_size": given.get("n_test", 1)}
    found = corrected_t(d, zeros, **sizes)
    sides = {key: corrected_t(d, zeros, **sizes, asked=Sided(key[2:])).pvalue for key in ("p_greater", "p_less")}
    got = _t_of(found) | sides | {"p_two_sided": found.pvalue, "mean": found.difference}
    return got | {"variance": dict(found.details)["variance"], "naive_t": resampled_t(d, zeros).statistic}


def _five_t(case: Case) -> Got:
    d, zeros = _zeros(case)
    found = five_by_two_t(d, zeros)
    if case["options"]["formula"] != "dietterich":  # as Bradford & Brodley print it, about the grand mean
        assert abs((found.statistic or 0.0) - case["expected"]["statistic"]) > 1e-3
        return {"statistic": d[0, 0] / math.sqrt(0.2 * ((d - d.mean()) ** 2).sum())}
    spreads = [value for name, value in found.details if name.startswith("variance_")]
    return {"statistic": found.statistic, "p_two_sided": found.pvalue, "variances": spreads, "df": found.df[0]}


def _five_f(case: Case) -> Got:
    found = five_by_two_f(*_zeros(case))
    return {"statistic": found.statistic, "df1": found.df[0], "df2": found.df[1], "p_value": found.pvalue}


def _averaged(case: Case) -> Got:
    d, zeros = _zeros(case)
    found = averaged_t(d, zeros)
    side: Any = "greater" if (found.statistic or 0.0) > 0 else "less"
    ts = [value for name, value in found.details if name.startswith("t_")]
    one_sided = averaged_t(d, zeros, asked=Sided(side)).pvalue
    both = {"p_two_sided": found.pvalue, "p_one_sided": one_sided}
    return {"t_values": ts, "mean_t": found.statistic, "df": found.df[0], **both}


def _sufficient(case: Case) -> Got:
    given, options = case["inputs"], case["options"]
    found = enough_partitions(
        given["t_values"], df=given["folds"] - 1, alpha=options["alpha1"], alpha2=options["alpha2"]
    )
    assert found.enough == (abs(case["expected"]["statistic_df_folds"]) > case["expected"]["threshold"])
    both = {"statistic_as_printed": found.as_printed, "statistic_df_folds": found.statistic}
    return {**both, "threshold": found.threshold}


def _tost(case: Case) -> Got:
    alpha = case["options"]["alpha"]
    found = tost(*_zeros(case), margin=case["inputs"]["high"], asked=Sided(level=1 - alpha))
    equivalent = bool(found.pvalue <= alpha)
    return _t_of(found) | dict(found.details) | {"p_value": found.pvalue, "equivalent": equivalent}


def _sign(case: Case) -> Got:
    given, options = case["inputs"], case["options"]
    found = sign(given["a"], given["b"], asked=Sided(SIDES[options["alternative"]]), zero_method=options["ties"])
    got = {"wins": found.statistic, "losses": found.losses, "ties": found.ties, "p_value": found.pvalue}
    return got | {"n": dict(found.details)["n used"]}


def _wilcoxon(case: Case) -> Got:
    given, options = case["inputs"], case["options"]
    found = wilcoxon(
        given["a"],
        given["b"],
        asked=Sided(SIDES[options["alternative"]]),
        zero_method=ZEROS[options["zero_method"]],
        method=MODES[options["mode"]],
        correction=options.get("correction", False),
    )
    more = dict(found.details)
    got = {"w_plus": found.statistic, "w_minus": more["W-"], "p_value": found.pvalue, "n_used": more["n used"]}
    if options["zero_method"] == "zsplit_demsar":  # Demsar's T is the smaller sum, so his z is negative
        return got | {"z": -abs(more["z"]), "statistic": min(found.statistic or 0.0, more["W-"])}
    return got | {"z": more.get("z")}


def _friedman(case: Case) -> Got:
    scores, higher = case["inputs"]["scores"], case["inputs"]["higher_is_better"]
    got: Got = {}
    for corrected, end in ((True, ""), (False, "_no_tie_correction")):
        chi2 = friedman(scores, higher_is_better=higher, tie_correction=corrected)
        f = iman_davenport(scores, higher_is_better=higher, tie_correction=corrected)
        got |= {f"chi2{end}": chi2.statistic, "p_value" if corrected else f"p{end}": chi2.pvalue}
        got |= {f"iman_davenport_F{end}": f.statistic, f"iman_davenport_p{end}": f.pvalue}
        if corrected:
            got |= {"avg_ranks": list(chi2.ranks), "df": chi2.df[0], "kendalls_w": chi2.effect.value}
            got |= {"df1": f.df[0], "df2": f.df[1]}
    return got


def _nemenyi(case: Case) -> Got:
    scores = case["inputs"]["scores"]
    found = nemenyi(scores, higher_is_better=case["inputs"]["higher_is_better"])
    table = np.ones((len(scores[0]),) * 2)
    for (i, j), each in zip(found.pairs, found.results, strict=True):
        table[i, j] = table[j, i] = each.pvalue or 0.0
    other = nemenyi(scores, asked=Sided(level=0.9)).critical_difference
    return {"p_values": table.tolist(), "cd_05": found.critical_difference, "cd_10": other}


def _quantiles(case: Case) -> Got:
    k = case["inputs"]["k"]
    levels = {"05": 0.05, "10": 0.1, "01": 0.01}
    got = {f"q_{end}": critical_difference(k, 1, a) / math.sqrt(k * (k + 1) / 6) for end, a in levels.items()}
    return got | {f"bonferroni_dunn_q_{end}": -special.ndtri(a / (2 * (k - 1))) for end, a in levels.items()}


def _anova(case: Case) -> Got:
    found = anova(case["inputs"]["scores"])
    more = dict(found.details)
    return {
        "F": found.statistic,
        "df1": found.df[0],
        "df2": found.df[1],
        "p_value": found.pvalue,
        "ss_algorithm": more["sum of squares, learners"],
        "ss_error": more["sum of squares, error"],
        "gg_epsilon": more["Greenhouse-Geisser epsilon"],
        "p_gg": more["p, Greenhouse-Geisser"],
        "partial_eta_sq": found.effect.value,
    }


def _permutation(case: Case) -> Got:
    a, b = case["inputs"]["a"], case["inputs"]["b"]
    p = {side: permutation(a, b, asked=Sided(side)).pvalue for side in ("greater", "less")}
    both = permutation(a, b)
    return {"mean_diff": both.difference, "p_two_sided": both.pvalue, "p_greater": p["greater"], "p_less": p["less"]}


def _bootstrap(case: Case) -> Got:
    rng = np.random.default_rng(8)
    found = bootstrap(*_zeros(case), rng=rng, resamples=20_000, asked=Sided(level=case["options"]["conf"]))
    assert found.difference == pytest.approx(case["expected"]["mean"], rel=1e-12)
    return {"lower": found.interval.low, "upper": found.interval.high}


def _bayes(case: Case) -> Got:
    found = bayes_correlated_t(*_zeros(case), rope=case["inputs"]["rope"], rho=case["inputs"]["rho"])
    posterior = found.posterior
    shares = {"p_left": posterior.p_left, "p_rope": posterior.p_rope, "p_right": posterior.p_right}
    return {**shares, "scale": dict(found.details)["scale"], "df": found.df[0]}


def _quasi_f(case: Case) -> Got:
    loss = case["inputs"]["loss"]
    found = quasi_f_components(loss)
    f, df, p = found.double
    if len(loss) == 2:
        two = quasi_f(*loss)
        assert (two.statistic, two.pvalue) == pytest.approx((f, p), rel=1e-9)
    got = dict(zip(("ms_A", "ms_AT", "ms_AE", "ms_ATE"), found.squares, strict=True))
    got |= {"F_double_prime": f, "p_double_prime": p, "df1_double_prime": df[0], "df2_double_prime": df[1]}
    prime, df2, p_prime = found.prime or (None, None, None)
    return got | {"F_prime": prime, "p_prime": p_prime, "df1_prime": prime and len(loss) - 1.0, "df2_prime": df2}


def _delong(case: Case) -> Got:
    found = delong(case["inputs"]["y"], case["inputs"]["s1"], case["inputs"]["s2"])
    more = dict(found.details)
    variances = {"var1": more["variance_first"], "var2": more["variance_second"], "cov": more["covariance"]}
    return {"auc1": more["first"], "auc2": more["second"], **variances, "z": found.statistic, "p_value": found.pvalue}


def _share(case: Case) -> Got:
    s, n, level = case["inputs"]["successes"], case["inputs"]["n"], case["options"]["conf"]
    asked = Sided(level=level)
    found = {"wilson": wilson(s, n, asked=asked), "clopper_pearson": clopper_pearson(s, n, asked=asked)}
    return {"estimate": s / n, **{name: [one.interval.low, one.interval.high] for name, one in found.items()}}


def _effect(case: Case) -> Got:
    d = differences(np.array(case["inputs"]["a"], dtype=float), np.array(case["inputs"]["b"], dtype=float))
    return {"cohens_dz": cohen_dz(d).value, "rank_biserial_matched": rank_biserial(*signed_ranks(d)).value}


OURS: dict[str, Callable[[Case], Got]] = {
    "mcnemar_chi2": _chi2,
    "mcnemar_exact": lambda case: {
        "p_value": mcnemar_exact(*_counts(case), asked=Sided(MIRROR[case["options"]["alternative"]])).pvalue
    },
    "mcnemar_midp": lambda case: {"p_value": mcnemar_midp(*_counts(case)).pvalue},
    "two_proportions_z": _two_proportions,
    "paired_prop_diff_ci": _wald,
    "cochran_q": lambda case: _t_of(cochran_q(case["inputs"]["correct"])),
    "paired_t": _paired(paired_t),
    "kfold_cv_t": _kfold,
    "corrected_resampled_t": _corrected,
    "corrected_repeated_kfold_t": _corrected,
    "cv52_t": _five_t,
    "cv52_f": _five_f,
    "averaged_t": _averaged,
    "bb_sufficient_partitions": _sufficient,
    "tost_paired": _tost,
    "sign_test": _sign,
    "wilcoxon": _wilcoxon,
    "friedman": _friedman,
    "nemenyi_posthoc": _nemenyi,
    "nemenyi_cd": lambda case: {
        "cd": critical_difference(case["inputs"]["k"], case["inputs"]["N"], case["options"]["alpha"])
    },
    "nemenyi_q": _quantiles,
    "rm_anova": _anova,
    "paired_permutation": _permutation,
    "bootstrap_percentile_ci": _bootstrap,
    "bayes_correlated_t": _bayes,
    "quasi_f": _quasi_f,
    "delong": _delong,
    "binomial_ci": _share,
    "effect_size": _effect,
}
ELSEWHERE = {  # scores, calibration, power and corrections have their own files
    "paper_example", "classification_metrics", "platt_scaling", "isotonic", "normalized_score", "p_adjust",
    "multiplicity", "power_t", "power_sign_exact", "combine_fisher", "combine_stouffer",
}  # fmt: skip


def holds(case: Case, ours: Callable[[Case], Got]) -> None:
    """Ours agrees, or refuses where nothing is defined."""
    try:
        got = ours(case)
    except TestError:
        assert case["behavior"] != "value"
        return
    shown = {key: value for key, value in got.items() if key in case["expected"]}
    assert shown
    agrees(case, **shown)


@pytest.mark.parametrize("case", cases(*OURS))
def test_agrees(case: Case) -> None:
    holds(case, OURS[case["kind"]])


@pytest.mark.parametrize("case", cases("paired_t"))
def test_row_t_agrees_with_the_paired_t(case: Case) -> None:
    holds(case, _paired(row_t))


def test_every_kind_of_case_is_held() -> None:
    assert {case["kind"] for case in all_cases()} == set(OURS) | ELSEWHERE


def _bramer(case: Case) -> Got:
    """Bramer's quantities, difference B - A as in the chapter."""
    a, b = case["inputs"]["A"], case["inputs"]["B"]
    found = paired_t(b, a, asked=Sided(level=case["inputs"].get("conf", 0.95)))
    se, s = (value for _, value in found.details)
    low, high, mean, n = found.interval.low, found.interval.high, found.difference or 0.0, len(a)
    return {
        "mean_z": mean,
        "mean_diff": mean,
        "s2": s * s,
        "s": s,
        "se": se,
        "t": found.statistic,
        "p_two_sided": found.pvalue,
        "ci_lower": low,
        "ci_upper": high,
        "ci95_lower": low,
        "ci95_upper": high,
        "ci_half_width": (high - low) / 2,
        "step2": n * mean**2,
        "step3": s * s * (n - 1),
    }


def _dietterich(case: Case) -> Any:
    """Section 5 of the paper: 'table' names its place."""
    cells = {k: v for k, v in case["inputs"].items() if k != "table"}
    found = _proportions(cells)
    chi2 = mcnemar(cells["n01"], cells["n10"], exact_below=0)
    return {
        "two_proportions_z": -(found.statistic or 0.0),
        "two_proportions_p": found.pvalue,
        "error_rate_difference_abs": abs(found.difference or 0.0),
        "mcnemar_corrected_statistic": chi2.statistic,
        "mcnemar_corrected_p": chi2.pvalue,
        "mcnemar_exact_p": mcnemar_exact(cells["n01"], cells["n10"]).pvalue,
        "corrected_z_prime": (chi2.statistic or 0.0) ** 0.5,
    }[case["options"]["quantity"]]


def _fewest(case: Case) -> int:
    return next(n for n in range(1, 20) if (wilcoxon(range(1, n + 1), [0] * n).pvalue or 1) <= case["inputs"]["alpha"])


def _rank_sums(case: Case) -> list[float]:
    found = wilcoxon(case["inputs"]["signed_p"], [0, 0, 0])
    return [found.statistic or 0.0, dict(found.details)["W-"]]


PAPERS: dict[str, Callable[[Case], Any]] = {
    "mcnemar_corrected": lambda case: mcnemar(case["inputs"]["f"], case["inputs"]["s"]).statistic,
    "binomial_upper_tail": lambda case: (
        binomial(case["inputs"]["n"] - case["inputs"]["s"], case["inputs"]["s"], asked=Sided("greater")).pvalue
    ),
    "wilcoxon_rank_sums (+,-)": _rank_sums,
    "min n for all-same-sign two-sided Wilcoxon": _fewest,
    "cv52_t (own input, published formula)": lambda case: five_by_two_t(*_zeros(case)).statistic,
    **dict.fromkeys(("two_proportions_z", "two_proportions_p", "error_rate_difference_abs"), _dietterich),
    **dict.fromkeys(("mcnemar_corrected_statistic", "mcnemar_corrected_p", "mcnemar_exact_p"), _dietterich),
    "corrected_z_prime": _dietterich,
}


@pytest.mark.parametrize("case", [c for c in cases("paper_example") if c.values[0]["options"]["quantity"] in PAPERS])
def test_papers(case: Case) -> None:
    agrees(case, value=PAPERS[case["options"]["quantity"]](case))


@pytest.mark.parametrize(
    "case", [c for c in cases("paper_example", prefix="paper-bramer") if "A" in c.values[0]["inputs"]]
)
def test_bramer(case: Case) -> None:
    got = _bramer(case)[case["options"]["quantity"]]
    agrees(case, value=got)
    if case["expected"]["published"] is not None and case["expected"]["status"] == "agrees":
        assert abs(got - case["expected"]["published"]) <= case["expected"]["published_tolerance"]


@pytest.mark.parametrize(
    "case", [c for c in cases("paper_example") if "critical" in c.values[0]["options"]["quantity"]]
)
def test_critical_values(case: Case) -> None:
    """Bramer's table of t, Dietterich's t(29) and chi-squared."""
    value = case["expected"]["value"]
    p = z_pvalue(math.sqrt(value)) if "chi2" in case["options"]["quantity"] else t_pvalue(value, case["inputs"]["df"])
    assert p == pytest.approx(case["inputs"].get("p", 0.05), rel=1e-9)


def test_the_misprinted_5x2cv_t_of_bradford_and_brodley() -> None:
    (case,) = (c.values[0] for c in cases("paper_example", prefix="paper-bb-018"))
    assert five_by_two_t(*_zeros(case)).statistic == pytest.approx(1.603567451, rel=1e-8)  # as the case's note has it


def test_nist_numacc4_keeps_its_digits() -> None:
    """NIST StRD NumAcc4: certified mean 10000000.2 and standard deviation 0.1 (1001 values)."""
    values = [10000000.2] + [10000000.1, 10000000.3] * 500
    found = paired_t(values, [0.0] * len(values))
    assert found.difference == pytest.approx(10000000.2, rel=1e-14)
    assert dict(found.details)["standard deviation"] == pytest.approx(0.1, rel=1e-7)  # the data are not in binary64
