"""Where other packages went wrong: what they return, what evalang returns, what is right.

One `Line` for each numbered case; `tests/verdicts/test_peers.py` asserts the right answer of ours,
`tests/peers/make_table.py` runs both and writes docs/peers.md.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalang.errors import EvalangError
from evalang.verdicts.analysis import analyse
from evalang.verdicts.arithmetic.tails import Sided
from evalang.verdicts.correct import adjust
from evalang.verdicts.tests.bayes_tests import bayes_signed_rank
from evalang.verdicts.tests.outcome_tests import cochran_q, mcnemar, mcnemar_exact
from evalang.verdicts.tests.partition_tests import five_by_two_f, five_by_two_t
from evalang.verdicts.tests.rank_tests import friedman, nemenyi, range_sf
from evalang.verdicts.tests.resampling_tests import permutation
from evalang.verdicts.tests.sign_tests import wilcoxon
from evalang.verdicts.tests.t_tests import kfold_t, paired_t


def near(value: float, rel: float = 1e-9) -> Callable[[Any], bool]:
    return lambda got: isinstance(got, float) and math.isclose(got, value, rel_tol=rel)


ONE = near(1.0)


@dataclass(frozen=True, slots=True)
class Line:
    """One situation. `is_right` judges what `ours` returns; an EvalangError of ours comes as its text."""

    number: int
    package: str  # distribution name
    issue: str
    situation: str
    theirs: Callable[[], Any]
    ours: Callable[[], Any]
    right: str
    is_right: Callable[[Any], bool] = ONE  # p = 1, unless another answer is named


def answer(call: Callable[[], Any]) -> Any:
    """What a call returns, or the sentence of its error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call()
        except EvalangError as error:
            return f"refused: {error.message}"


# ---------------------------------------------------------------- data of the cases

EQUAL_RIGHT = np.array([1, 0, 1, 1, 0, 1, 1, 0])
FLOAT_A, FLOAT_B = [0.8, 0.7, 0.6, 0.9], [0.7, 0.6, 0.7, 0.6]
TIED = np.full((5, 4), 0.7)
CONSTANT_A, CONSTANT_B = [0.1, 0.2, 0.3, 0.4], [0.0, 0.1, 0.2, 0.3]
SYMMETRIC = [-3.0, -2.0, -1.0, 0.0, 0.0, 1.0, 2.0, 3.0]
WITH_TIES = ([7, 5, 8, 9, 6, 4, 8, 7], [6, 6, 6, 7, 6, 5, 6, 6])
CLEAR = np.array([[0.9, 0.8, 0.7, 0.6]] * 12) + np.arange(12)[:, None] / 100
REPAIRED = (np.array([0.1, 0.9, 0.5, 0.7, 0.3, 0.8]), np.array([0.2, 0.8, 0.6, 0.6, 0.4, 0.7]))


def _estimators() -> tuple[Any, Any, Any, Any]:
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier

    x, y = load_iris(return_X_y=True)
    return DummyClassifier(strategy="prior"), DummyClassifier(strategy="prior"), x, y


def _mlxtend_fit(name: str) -> tuple[float, float]:
    import mlxtend.evaluate

    one, two, x, y = _estimators()
    t, p = getattr(mlxtend.evaluate, name)(estimator1=one, estimator2=two, X=x, y=y, random_seed=1)
    return float(t), float(p)


def _mlxtend_kfold() -> tuple[float, float]:
    from mlxtend.evaluate import paired_ttest_kfold_cv

    one, two, x, y = _estimators()
    t, p = paired_ttest_kfold_cv(estimator1=one, estimator2=two, X=x, y=y, cv=5, shuffle=True, random_seed=1)
    return float(t), float(p)


def _mlxtend_mcnemar(table: list[list[int]], **options: Any) -> tuple[float, float]:
    from mlxtend.evaluate import mcnemar

    chi2, p = mcnemar(ary=np.array(table), **options)
    return chi2 if chi2 is None else float(chi2), float(p)


def _mlxtend_cochran() -> tuple[float, float]:
    from mlxtend.evaluate import cochrans_q

    q, p = cochrans_q(np.ones(8), EQUAL_RIGHT, EQUAL_RIGHT, EQUAL_RIGHT)
    return float(q), float(p)


def _mlxtend_permutation() -> float:
    from mlxtend.evaluate import permutation_test

    return float(permutation_test([1, 1, 1], [1, 1, 1], paired=True, method="exact"))


def _statsmodels_mcnemar(table: list[list[int]], **options: Any) -> tuple[float, float]:
    from statsmodels.stats.contingency_tables import mcnemar

    found = mcnemar(table, **options)
    return float(found.statistic), float(found.pvalue)


def _statsmodels_adjusted(method: str) -> list[float]:
    from statsmodels.stats.multitest import multipletests

    return [float(p) for p in multipletests([0.01, math.nan, 0.03], method=method)[1]]


def _statsmodels_cochran() -> float:
    from statsmodels.stats.contingency_tables import cochrans_q

    return float(cochrans_q(np.ones((8, 3))).pvalue)


def _scipy(name: str, *arguments: Any, **options: Any) -> float:
    from scipy import stats

    return float(getattr(stats, name)(*arguments, **options).pvalue)


def _scipy_range() -> float:
    from scipy.stats import studentized_range

    return float(studentized_range.sf(15.0, 10, np.inf))


def _posthocs_nemenyi() -> float:
    import scikit_posthocs

    return float(scikit_posthocs.posthoc_nemenyi_friedman(CLEAR).iloc[0, 3])


def _posthocs_wilcoxon() -> float:
    import pandas as pd
    import scikit_posthocs

    one, two = REPAIRED
    frame = pd.DataFrame({"v": np.concatenate([one, two]), "g": ["a"] * 6 + ["b"] * 6})
    return float(scikit_posthocs.posthoc_wilcoxon(frame, val_col="v", group_col="g", sort=True).iloc[0, 1])


def _autorank(scores: Any, *, order: str = "descending") -> Any:
    import contextlib
    import io

    import autorank
    import pandas as pd

    frame = pd.DataFrame(scores, columns=[f"p{j}" for j in range(np.shape(scores)[1])])
    with contextlib.redirect_stdout(io.StringIO()) as out:
        result = autorank.autorank(frame, alpha=0.05, verbose=False, order=order, force_mode="nonparametric")
        autorank.create_report(result)
    return result, out.getvalue()


def _autorank_best_first() -> str:
    scores = np.random.default_rng(0).random((20, 4)) * 0.1 + np.linspace(0, 0.3, 4)
    result, _ = _autorank(scores)
    return "best to worst: " + ", ".join(str(name) for name in result.rankdf.index)


def _autorank_nan() -> str:
    scores = np.random.default_rng(0).random((10, 3))
    scores[3, 1] = np.nan
    _, text = _autorank(scores)
    found = next(
        (part for part in text.replace("\n", " ").split(". ") if "p=nan" in part and "difference" in part), text
    )
    return found.strip()[:170]


def _autorank_constant() -> str:
    result, _ = _autorank(TIED)
    row = result.rankdf.iloc[-1]
    return f"effect {row['effect_size']}, {row['magnitude']}"


def _baycomp_nan() -> Any:
    import baycomp

    found = baycomp.two_on_multiple(np.array([0.5, np.nan, 0.7]), np.array([0.4, 0.6, 0.6]), rope=0.01)
    return tuple(float(p) for p in found)


def _p(result: Any) -> Any:
    return result.pvalue


def _best_first() -> str:
    scores = np.random.default_rng(0).random((20, 4)) * 0.1 + np.linspace(0, 0.3, 4)
    found = analyse(scores, [f"p{j}" for j in range(4)], [f"d{i}" for i in range(20)])
    return "best to worst: " + ", ".join(found.learners)


def _nan_table() -> Any:
    scores = np.random.default_rng(0).random((10, 3))
    scores[3, 1] = np.nan
    return _p(friedman(scores))


def _mirror(alternative: str) -> float:
    one, two = WITH_TIES
    return _p(wilcoxon(one, two, asked=Sided(alternative)))


LINES: tuple[Line, ...] = (
    Line(1, "mlxtend", "#718, #838", "permutation test of two learners that are equal on every row",
         _mlxtend_permutation, lambda: _p(permutation([1, 1, 1], [1, 1, 1])),
         "1: every swap is as extreme as the data"),
    Line(5, "mlxtend", "#306, #851, #989", "McNemar exact, 8 against 8 disagreements",
         lambda: _mlxtend_mcnemar([[10, 8], [8, 10]], exact=True)[1], lambda: _p(mcnemar_exact(8, 8)),
         "1: twice the tail, cut at 1"),
    Line(6, "mlxtend", "", "McNemar, no disagreement at all: two identical classifiers",
         lambda: _mlxtend_mcnemar([[10, 0], [0, 10]]), lambda: _p(mcnemar(0, 0)), "p = 1"),
    Line(7, "mlxtend", "", "McNemar with continuity correction, 1 against 1",
         lambda: _mlxtend_mcnemar([[10, 1], [1, 10]], corrected=True), lambda: _p(mcnemar(1, 1, exact_below=0)),
         "chi-squared 0, p = 1 (R drops the correction)"),
    Line(8, "mlxtend", "", "5x2cv t of two equal learners",
         lambda: _mlxtend_fit("paired_ttest_5x2cv"),
         lambda: _p(five_by_two_t(np.full((5, 2), 0.3), np.full((5, 2), 0.3))),
         "t = 0, p = 1"),
    Line(9, "mlxtend", "", "5x2cv F of two equal learners",
         lambda: _mlxtend_fit("combined_ftest_5x2cv"),
         lambda: _p(five_by_two_f(np.full((5, 2), 0.3), np.full((5, 2), 0.3))),
         "p = 1"),
    Line(10, "mlxtend", "", "k-fold t of two equal learners",
         _mlxtend_kfold, lambda: _p(kfold_t(np.full(5, 0.3), np.full(5, 0.3))), "t = 0, p = 1"),
    Line(11, "mlxtend", "", "Cochran's Q of three identical learners",
         _mlxtend_cochran, lambda: _p(cochran_q(np.column_stack([EQUAL_RIGHT] * 3))), "Q = 0, p = 1"),
    Line(14, "statsmodels", "cf. huggingface/evaluate #795", "McNemar chi-squared, no disagreement at all",
         lambda: _statsmodels_mcnemar([[10, 0], [0, 10]], exact=False), lambda: _p(mcnemar(0, 0, exact_below=0)),
         "p = 1"),
    Line(15, "statsmodels", "", "McNemar with continuity correction, 3 against 3",
         lambda: _statsmodels_mcnemar([[10, 3], [3, 10]], exact=False, correction=True),
         lambda: _p(mcnemar(3, 3, exact_below=0)),
         "chi-squared 0, p = 1 (R)"),
    Line(16, "statsmodels", "#950", "McNemar exact, 15 against 35",
         lambda: _statsmodels_mcnemar([[10, 15], [35, 10]], exact=True)[1], lambda: _p(mcnemar_exact(15, 35)),
         "0.0066004 (twice Salzberg's tail)", near(2 * 0.003300223983405459, 1e-12)),
    Line(19, "statsmodels", "", "Holm on .01, a missing p-value, .03",
         lambda: _statsmodels_adjusted("holm"), lambda: list(adjust([0.01, None, 0.03], "holm")),
         ".02, missing, .03: it is not a test (R)", lambda got: got == [0.02, None, 0.03]),
    Line(21, "statsmodels", "", "Cochran's Q, every learner right on every row",
         _statsmodels_cochran, lambda: _p(cochran_q(np.ones((8, 3)))), "p = 1"),
    Line(22, "scipy", "#26026", "Wilcoxon exact, 60 datasets all won",
         lambda: _scipy("wilcoxon", np.arange(1.0, 61.0), method="exact"),
         lambda: _p(wilcoxon(np.arange(1.0, 61.0), np.zeros(60))),
         "2 / 2^60 = 1.73e-18", near(2.0**-59, 1e-15)),
    Line(23, "scipy", "#13689, #15856", "Wilcoxon on whole numbers with ties and a zero, which is ranked",
         lambda: _scipy("wilcoxon", *WITH_TIES, zero_method="zsplit"),
         lambda: _p(wilcoxon(*WITH_TIES, zero_method="pratt")),
         "28 of the 128 signs are as extreme: 0.21875 (enumeration)", near(28 / 128, 1e-15)),
    Line(24, "scipy", "#19872", "Wilcoxon with ties: p of less(A, B) minus p of greater(B, A)",
         lambda: (_scipy("wilcoxon", *WITH_TIES, alternative="less")
                  - _scipy("wilcoxon", *WITH_TIES[::-1], alternative="greater")),
         lambda: _mirror("less") - _p(wilcoxon(*WITH_TIES[::-1], asked=Sided("greater"))),
         "0", lambda got: got == 0.0),
    Line(25, "scipy", "#10223", "Wilcoxon, zeros by Pratt, differences symmetric about zero",
         lambda: _scipy("wilcoxon", SYMMETRIC, zero_method="pratt"),
         lambda: _p(wilcoxon(SYMMETRIC, [0.0] * 8, zero_method="pratt")),
         "1"),
    Line(26, "scipy", "#26028, #26030", "largest p of Wilcoxon over 300 symmetric samples, minus 1",
         lambda: max(_scipy("wilcoxon", np.r_[x, -x]) for x in _samples()) - 1.0,
         lambda: max(_p(wilcoxon(np.r_[x, -x], np.zeros(2 * x.size))) for x in _samples()) - 1.0,
         "0: never above 1", lambda got: got <= 0.0),
    Line(27, "scipy", "#17667", "Wilcoxon on .8-.7, .7-.6, .6-.7, .9-.6: three sizes are tied",
         lambda: _scipy("wilcoxon", FLOAT_A, FLOAT_B), lambda: _p(wilcoxon(FLOAT_A, FLOAT_B)),
         "0.5: as with 8, 7, 6, 9 against 7, 6, 7, 6 (enumeration)", near(0.5)),
    Line(28, "scipy", "", "studentized range, q = 15, 10 learners",
         _scipy_range, lambda: float(range_sf(np.array([15.0]), 10)[0]),
         "1.2495e-24 (mpmath; R says 9.5e-14)", near(1.2495e-24, 1e-4)),
    Line(29, "scipy", "", "Friedman, all learners tie everywhere",
         lambda: _scipy("friedmanchisquare", *TIED.T), lambda: _p(friedman(TIED)), "p = 1"),
    Line(30, "scipy", "", "paired t, the same difference on every dataset",
         lambda: _scipy("ttest_rel", CONSTANT_A, CONSTANT_B), lambda: _p(paired_t(CONSTANT_A, CONSTANT_B)),
         "no variance, so no t, and the message says why; the sign test gives 0.125",
         lambda got: isinstance(got, str) and "variance is 0" in got),
    Line(30, "scipy", "", "paired t, no difference on any dataset",
         lambda: _scipy("ttest_rel", CONSTANT_A, CONSTANT_A), lambda: _p(paired_t(CONSTANT_A, CONSTANT_A)), "p = 1"),
    Line(31, "scipy", "#3611", "Friedman, 3,000 learners of which 2,999 tie: t^3 is beyond 32 bits",
         lambda: _scipy("friedmanchisquare", *_many_ties().T), lambda: _p(friedman(_many_ties())),
         "1 / 3000^3 = 3.7e-11: the chance that one learner leads on all four (exact)", near(1 / 3000**3)),
    Line(33, "scikit-posthocs", "#60", "Nemenyi, first against last of four on twelve datasets that all agree",
         _posthocs_nemenyi, lambda: nemenyi(CLEAR).results[2].pvalue,
         "7.5e-08 (R's ptukey: 7.5e-08)", lambda got: 5e-8 < got < 1e-7),
    Line(34, "scikit-posthocs", "#98", "Wilcoxon of a pair out of a long frame, sort=True",
         _posthocs_wilcoxon, lambda: _p(wilcoxon(*REPAIRED)), "1: three differences of +.1 and three of -.1"),
    Line(38, "autorank", "#10, #11, PR #46", "which learner is named first when p3 has the highest scores",
         _autorank_best_first, _best_first, "p3, p2, p1, p0", lambda got: got == "best to worst: p3, p2, p1, p0"),
    Line(38, "autorank", "", "one score of thirty is missing",
         _autorank_nan, _nan_table,
         "refused, with the cell", lambda got: isinstance(got, str) and "row 4, column 2" in got),
    Line(38, "autorank", "", "all scores are the same: size of the effect",
         _autorank_constant, lambda: f"Kendall's W {friedman(TIED).effect.value}",
         "no effect: 0", lambda got: got == "Kendall's W 0.0"),
    Line(39, "baycomp", "", "Bayesian signed-rank test with a missing score",
         _baycomp_nan,
         lambda: bayes_signed_rank([0.5, math.nan, 0.7], [0.4, 0.6, 0.6], rng=np.random.default_rng(1)).posterior,
         "refused, with the unit", lambda got: isinstance(got, str) and "unit 2" in got),
)  # fmt: skip


def _samples() -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.integers(1, 50, size=n).astype(float) for n in range(3, 13) for _ in range(30)]


def _many_ties() -> np.ndarray:
    scores = np.full((4, 3000), 0.5)
    scores[:, 0] = 0.9
    return scores


# Lines of the list that are judged elsewhere or do not concern evalang, with the reason.
NOT_HERE: dict[int, str] = {
    2: "evalang takes right and wrong per row; which learner a win belongs to is tested in test_outcome_tests.py",
    3: "tests/verdicts/test_outcome_tests.py",
    4: "see 5",
    12: "concerns only the names of variables inside mlxtend, so there is no result to compare",
    13: "evalang has corrected-t and refuses resampled-t (EV401); test_peers.py",
    17: "a third outcome is refused; test_outcome_tests.py",
    18: "the reject flag is adjusted <= alpha everywhere; tests/verdicts/test_corrections.py",
    20: "the studentized range is needed with infinite degrees of freedom only",
    32: "no Conover test",
    35: "no Tukey test of unpaired groups",
    36: "critical-difference bars belong to the reports",
    37: "no Dwass-Steel-Critchlow-Fligner test",
    40: "tests/verdicts/test_peers.py, corrections of whole families",
}
