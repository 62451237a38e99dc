"""mixed-model against lme4's published values, statsmodels in plain lines and the closed form of equal numbers of
folds."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats
from statsmodels.regression.mixed_linear_model import MixedLM

from evalang.errors import EvalangError, TestError
from evalang.language.text import SourceText
from evalang.pipeline import Request, run_script
from evalang.verdicts.tests.mixed_model import mixed_model
from evalang.verdicts.tests.t_tests import paired_t

from ..support.tables import run_on

# Davies and Goldsmith (1972), and the simulated yields of Box and Tiao (1973): Dyestuff and Dyestuff2 of lme4.
DYESTUFF = np.array(
    [
        [1545, 1440, 1440, 1520, 1580],
        [1540, 1555, 1490, 1560, 1495],
        [1595, 1550, 1605, 1510, 1560],
        [1445, 1440, 1595, 1465, 1545],
        [1595, 1630, 1515, 1635, 1625],
        [1520, 1455, 1450, 1480, 1445],
    ]
)
DYESTUFF2 = np.array(
    [
        [7.298, 3.846, 2.434, 9.566, 7.990],
        [5.220, 6.556, 0.608, 11.788, -0.892],
        [0.110, 10.386, 13.434, 5.510, 8.166],
        [2.212, 4.852, 7.092, 9.288, 4.980],
        [0.282, 9.014, 4.458, 9.446, 7.198],
        [1.722, 4.782, 8.106, 0.758, 3.758],
    ]
)


def drawn(seed: int, datasets: int, folds: tuple[int, ...] = (10,), spread: float = 0.03) -> list[NDArray[Any]]:
    """Differences of datasets whose numbers of folds go round."""
    rng = np.random.default_rng(seed)
    sizes = [folds[i % len(folds)] for i in range(datasets)]
    return [0.01 + rng.normal(0.0, spread) + rng.normal(0.0, 0.02, size) for size in sizes]


def zeros(d: Any) -> list[NDArray[Any]]:
    return [np.zeros(len(one)) for one in d]


@pytest.mark.parametrize(
    ("table", "published"),
    [  # intercept, its standard error, t, standard deviations of batch and residual, as lmer prints them
        (DYESTUFF, (1527.50, 19.38, 78.80, 42.00, 49.51)),
        (DYESTUFF2, (5.6656, 0.6784, 8.352, 0.0, 3.716)),
    ],
)
def test_the_values_that_lme4_prints(table: NDArray[Any], published: tuple[float, ...]) -> None:
    found = mixed_model(table, np.zeros(table.shape))
    details = dict(found.details)
    seen = (found.difference, details["standard_error"], found.statistic)
    seen += (details["spread over datasets"], details["spread of folds"])
    for value, printed in zip(seen, published, strict=True):
        digits = len(str(printed).partition(".")[2])
        assert value == pytest.approx(printed, abs=0.6 * 10.0**-digits)
    assert found.df == (5.0,)


def test_statsmodels_in_plain_lines_where_it_converges() -> None:
    """With different numbers of folds, where there is no closed form."""
    for seed in (1, 2, 4):
        d = drawn(seed, 8, (5, 10, 20))
        every, groups = np.concatenate(d), np.repeat(np.arange(8), [len(one) for one in d])
        plain = MixedLM(every / 0.02, np.ones((every.size, 1)), groups).fit(reml=True)
        assert plain.converged
        found = mixed_model(d, zeros(d))
        assert found.difference == pytest.approx(0.02 * plain.fe_params[0], rel=1e-4)
        assert dict(found.details)["standard_error"] == pytest.approx(0.02 * plain.bse_fe[0], rel=1e-3)
        assert dict(found.details)["spread of folds"] == pytest.approx(0.02 * math.sqrt(plain.scale), rel=1e-3)


def _matrix_fit(d: list[NDArray[Any]], ratios: NDArray[Any]) -> tuple[float, float, float, float]:
    """Return estimate, standard error, spread and variance of folds by whole matrices.

    V = within (I + block of r_i) + spread (block of ones), both variances searched freely on the log scale; nothing is
    profiled out, and no formula of the test is used.
    """
    every = np.concatenate(d)
    member = np.repeat(np.arange(len(d)), [len(one) for one in d])
    same = (member[:, None] == member).astype(float)
    noise = np.eye(every.size) + same * ratios[member][:, None]
    ones = np.ones(every.size)

    def parts(at: NDArray[Any]) -> tuple[float, float, float]:
        v = math.exp(at[0]) * noise + math.exp(at[1]) * same
        solved = np.linalg.solve(v, np.column_stack([ones, every]))
        information = float(ones @ solved[:, 0])
        mean = float(ones @ solved[:, 1]) / information
        square = float((every - mean) @ (solved[:, 1] - mean * solved[:, 0]))
        return np.linalg.slogdet(v)[1] + math.log(information) + square, mean, information

    start = np.log([np.mean([one.var() for one in d]), np.var([one.mean() for one in d])])
    found = min(
        (
            optimize.minimize(
                lambda at: parts(at)[0], start + shift, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
            )
            for shift in ((0.0, 0.0), (0.0, -3.0))
        ),
        key=lambda fit: float(fit.fun),
    )
    _, mean, information = parts(found.x)
    return mean, information**-0.5, math.exp(found.x[1]), math.exp(found.x[0])


@pytest.mark.parametrize("seed", range(6))
def test_unequal_folds_are_those_of_a_likelihood_by_whole_matrices(seed: int) -> None:
    """Every dataset has a number of folds of its own, and with it a ratio of test to training rows of its own."""
    rng = np.random.default_rng(100 + seed)
    sizes = rng.integers(2, 15, rng.integers(5, 9))
    d = drawn(200 + seed, len(sizes), tuple(int(n) for n in sizes), (0.03, 0.06, 0.2)[seed % 3])
    ratios = 1.0 / (np.array([len(one) for one in d]) - 1.0) if seed % 2 else np.zeros(len(d))
    found = mixed_model(d, zeros(d), ratios=ratios)
    mean, error, spread, within = _matrix_fit(d, ratios)
    details = dict(found.details)
    assert (found.difference, details["standard_error"]) == pytest.approx((mean, error), rel=1e-5)
    assert details["spread over datasets"] ** 2 == pytest.approx(spread, rel=1e-4)
    assert details["spread of folds"] ** 2 == pytest.approx(within, rel=1e-4)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(mean) / error, len(d) - 1), rel=1e-5)


def test_equal_numbers_of_folds_have_a_closed_form() -> None:
    """The larger of the standard error of the means and of that which folds alone would give."""
    for seed in range(12):
        d = np.array(drawn(seed, 6, (10,), (0.0, 0.01, 0.05)[seed % 3]))
        ratio = (0.0, 1.0 / 9.0)[seed % 2]
        means, within = d.mean(axis=1), d.var(axis=1, ddof=1).mean()
        found = mixed_model(d, np.zeros(d.shape), ratios=np.full(6, ratio))
        by_means = means.var(ddof=1) / 6
        if by_means > (0.1 + ratio) * within / 6 * 1.0001:
            assert found.pvalue == pytest.approx(paired_t(means, np.zeros(6)).pvalue, rel=1e-5)
        elif ratio:
            assert dict(found.details)["standard_error"] == pytest.approx(math.sqrt((0.1 + ratio) * within / 6))
        else:
            assert dict(found.details)["standard_error"] == pytest.approx(d.std(ddof=1) / math.sqrt(60), rel=1e-6)
        assert found.difference == pytest.approx(means.mean(), rel=1e-6)


def test_where_statsmodels_alone_is_wrong_and_says_that_it_converged() -> None:
    """Datasets that differ far more than their folds: docs/peers.md."""
    rng = np.random.default_rng(1)
    d = rng.normal(0.0, 1.0, (6, 1)) + rng.normal(0.0, 1e-4, (6, 10))
    scale = d.std(ddof=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = MixedLM(d.ravel() / scale, np.ones((60, 1)), np.repeat(np.arange(6), 10)).fit(reml=True)
    right = d.mean(axis=1).std(ddof=1) / math.sqrt(6)
    assert plain.converged
    assert plain.bse_fe[0] * scale < 0.8 * right
    assert dict(mixed_model(d, np.zeros(d.shape)).details)["standard_error"] == pytest.approx(right, rel=1e-3)


def test_folds_of_a_dataset_share_noise_that_is_no_spread_of_datasets() -> None:
    d = np.array(drawn(8, 10))
    plain, shared = (dict(mixed_model(d, np.zeros(d.shape), ratios=r).details) for r in (None, np.full(10, 1 / 9)))
    assert plain["standard_error"] == pytest.approx(shared["standard_error"])
    taken = plain["spread over datasets"] ** 2 - shared["spread over datasets"] ** 2
    assert taken == pytest.approx(plain["spread of folds"] ** 2 / 9)


def test_the_rope_divides_what_is_likely_on_another_dataset() -> None:
    d = np.array(drawn(9, 10))
    found = mixed_model(d, np.zeros(d.shape), rope=0.01)
    details = dict(found.details)
    parts = [value for name, value in found.details if name.startswith("another dataset")]
    assert math.fsum(parts) == pytest.approx(1.0)
    scale = math.hypot(details["spread over datasets"], details["standard_error"])
    assert parts[0] == pytest.approx(stats.t.sf((0.01 - (found.difference or 0.0)) / scale, 9))
    turned = mixed_model(np.zeros(d.shape), d, rope=0.01)
    assert dict(turned.details)["another dataset: second higher"] == pytest.approx(parts[0])


def test_what_cannot_be_fitted_is_refused_in_a_sentence() -> None:
    d = np.array(drawn(10, 8))
    for given, said in (
        (d[:4], "at least 5 datasets"),
        (d[:, :1], "several folds of every dataset"),
        (np.repeat(d[:, :1], 5, axis=1), "all folds of a dataset have the same difference"),
        (np.full((6, 5), 0.25), "variance is 0"),
    ):
        with pytest.raises(TestError, match=said):
            mixed_model(given, np.zeros(given.shape))
    with pytest.raises(TestError, match="as many ratios"):
        mixed_model(d, np.zeros(d.shape), ratios=[0.1])


def chances_said(means: NDArray[Any], within: NDArray[Any], folds: int, rope: float) -> NDArray[Any]:
    """The chance that the first is higher by more than the rope on another dataset, in closed form for equal folds."""
    datasets, noise = means.shape[1], within / 9.0
    variance = np.maximum(means.var(axis=1, ddof=1), within / folds + noise)
    scale = np.sqrt(variance - within / folds - noise + variance / datasets)
    return np.asarray(stats.t.cdf((means.mean(axis=1) - rope) / scale, datasets - 1))


def test_the_closed_form_of_the_chances_is_that_of_the_test() -> None:
    for seed in range(6):
        d = np.array(drawn(seed, 8, (10,), (0.0, 0.02, 0.05)[seed % 3]))
        found = dict(mixed_model(d, np.zeros(d.shape), ratios=np.full(8, 1 / 9), rope=0.005).details)
        said = chances_said(d.mean(axis=1)[None], d.var(axis=1, ddof=1).mean(keepdims=True), 10, 0.005)
        assert found["another dataset: first higher"] == pytest.approx(said[0], abs=1e-4)


@pytest.mark.parametrize(
    ("spread", "related", "off"),
    [(1.0, 0.1, (0.055, 0.03, 0.02)), (1.0, 0.3, (0.075, 0.05, 0.04)), (2.0, 0.3, (0.06, 0.04, 0.025))],
)
def test_chances_on_another_dataset_are_as_far_off_as_the_card_says(
    spread: float, related: float, off: tuple[float, ...]
) -> None:
    """The mean of what is said less the truth, 5,000 draws a cell, differences of up to two spreads, three ropes."""
    rng = np.random.default_rng(17)
    draws, folds = 5_000, 10
    for datasets, most in zip((5, 10, 20), off, strict=True):
        for difference in (0.0, 0.5 * spread, spread, 2.0 * spread):
            sd = math.sqrt(spread**2 + related + (1.0 - related) / folds)
            means = difference + sd * rng.normal(size=(draws, datasets))
            free = datasets * (folds - 1)
            within = (1.0 - related) * rng.chisquare(free, draws) / free
            for rope in (0.0, 0.5, 1.0):
                truth = float(stats.norm.cdf((difference - rope) / spread))
                gap = float(chances_said(means, within, folds, rope).mean()) - truth
                assert abs(gap) < most + 0.004  # four standard errors of the mean
                assert (gap if truth >= 0.5 else -gap) < 0.01  # towards one half, or hardly off


SCRIPT = (
    'results t from csv "t.csv" as score ~ learner | dataset / fold, measuring accuracy, made using 10cv\n'
    "compare a vs b on t by {test}, rope 1 point\n"
)


def written(d: list[NDArray[Any]]) -> str:
    """A table of folds in which b has .7 everywhere and a differs by `d`."""
    lines = ["dataset,fold,learner,score"]
    for i, one in enumerate(d):
        for j, value in enumerate(one):
            lines += [f"d{i},{j},a,{float(0.7 + value)!r}", f"d{i},{j},b,0.7"]
    return "\n".join(lines) + "\n"


def test_a_table_of_folds_is_judged_by_name(tmp_path: Path) -> None:
    d = drawn(14, 8)
    (verdict,) = run_on(tmp_path, SCRIPT.format(test="mixed-model"), t=written(d)).verdicts
    direct = mixed_model(d, zeros(d), ratios=np.full(8, 1 / 9), rope=0.01)
    assert verdict.test.pvalue == pytest.approx(direct.pvalue)
    assert dict(verdict.test.details) == pytest.approx(dict(direct.details))
    assert "an estimated standard deviation of" in verdict.test.notes[0]


def test_other_over_datasets_tests_take_the_same_table(tmp_path: Path) -> None:
    """`made using` says how folds were made, and does not make the datasets of the table one."""
    run = run_on(tmp_path, SCRIPT.format(test="wilcoxon"), t=written(drawn(15, 8)))
    assert [v.test.n_units for v in run.verdicts if v.test is not None] == [8]


@pytest.mark.parametrize(
    ("compared", "said"),
    [("on iris, wine using 3cv", "at least 5 datasets"), ("on iris, wine using holdout 1/3", "several folds")],
)
def test_designs_that_cannot_give_it_are_refused_before_anything_runs(compared: str, said: str) -> None:
    sets = "".join(f'dataset {x} from builtin "{x}" because "small"\n' for x in ("iris", "wine"))
    script = f"{sets}compare decision-tree vs naive-bayes {compared} by mixed-model, seed 1\n"
    with pytest.raises(EvalangError) as refused:
        run_script(SourceText("s.eval", script), Request())
    assert said in str(refused.value) + "".join(f.message for f in getattr(refused.value, "findings", ()))
