"""Pictures of simulated rates: figure 5, figure 6, a power curve."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from evalang.reports.figures import style
from evalang.reports.figures.curves import SimulatedRates, simulated_rates

from ..test_simulated import POWER, TYPE_ONE, judged

FIGURE_SIX = "simulate type-I of resampled-t, kfold-t with error 10%, resamples 5, 20, trials 100, seed 1"


def only(script: str) -> SimulatedRates:
    ((name, data),) = simulated_rates(judged(script))
    assert name == "simulate-1"
    return data


def test_figure_five_has_a_bar_for_each_test_and_error_rate() -> None:
    data = only(TYPE_ONE)
    assert (data.bars, data.along, data.level) == (True, "error", 0.05)
    assert [s.name for s in data.series] == ["mcnemar", "kfold-t"]
    assert [[p.x for p in s.points] for s in data.series] == [[0.1, 0.2]] * 2


def test_figure_six_puts_resamples_and_folds_on_one_axis() -> None:
    data = only(FIGURE_SIX)
    assert (data.bars, data.along) == (False, "resamples")
    assert [[p.x for p in s.points] for s in data.series] == [[5.0, 20.0]] * 2


def test_a_power_curve_leaves_the_searches_out() -> None:
    data = only(POWER)
    assert data.kind == "power"
    assert [[p.x for p in s.points] for s in data.series] == [[0.02, 0.2]]


@pytest.mark.parametrize("script", [TYPE_ONE, FIGURE_SIX, POWER])
def test_it_draws_with_whiskers_inside_the_axes(script: str) -> None:
    data = only(script)
    with style.matplotlib_settings():
        figure = Figure(figsize=data.size())
        axes = figure.add_subplot()
        data.draw(axes)
        figure.canvas.draw()
    low, high = axes.get_ylim()
    assert all(low <= p.low <= p.rate <= p.high <= high for s in data.series for p in s.points)
    assert axes.get_ylabel() in ("type I error", "power")
    assert data.title
    assert "Wilson" in data.description


def test_nothing_simulated_makes_no_picture() -> None:
    assert simulated_rates(judged("compare decision-tree vs naive-bayes on wine using 5x2cv, seed 1")) == ()
