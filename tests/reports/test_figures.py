"""Every picture shows the numbers of the record: they are read back from what was drawn."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import fsum
from typing import Any

import matplotlib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure as Canvas
from scipy import stats

from evalang.errors import ScriptError
from evalang.plans.model import Metric, Plan
from evalang.reports.assemble import document
from evalang.reports.document import Figure, Paragraph, figures, walk
from evalang.reports.figures import draw
from evalang.reports.figures.choose import KINDS, figure
from evalang.reports.figures.curves import SimulatedRates, simulated_rates
from evalang.reports.figures.intervals import Forest, Mark, Panel
from evalang.reports.figures.picture import COMPACT, NARROW, draw_on, pdf, png, svg_file, svg_inline
from evalang.reports.figures.ranks import CriticalDifference, cliques
from evalang.reports.figures.style import matplotlib_settings
from evalang.results.records import Interval, ScoreRow, Scores
from evalang.results.run_result import RunResult

from ..support.hostile import renamed
from ..support.results import (
    MANY,
    bayes,
    interval,
    large,
    league_with_metrics,
    many,
    mean_ranks,
    pair,
    result,
    rich,
    seeded,
)
from .test_simulated import POWER, TYPE_ONE, simulated


def drawn(made: Figure) -> dict[str, Any]:
    return {a.get_gid(): a for a in draw_on(made).figure.findobj() if a.get_gid()}


@cache
def all_kinds() -> dict[str, Figure]:
    rates = simulated("simulate type-I of mcnemar with n 100, error 10%, 20%, trials 50, seed 1\n")
    there = (rich(), many(), bayes(), league_with_metrics(), rates, seeded())
    return {f.kind: f for made in there for f in figures(document(made))}


# All pictures


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_record_gives_the_same_bytes_and_an_empty_run_none(kind: str) -> None:
    made = all_kinds()[kind]
    assert svg_inline(made) == svg_inline(made)
    with pytest.raises(ScriptError, match="holds nothing for the picture"):
        figure(RunResult(plan=Plan(1, "empty.eval")), kind)


def test_an_unknown_picture_offers_the_nearest() -> None:
    with pytest.raises(ScriptError, match="did you mean critical-difference"):
        figure(many(), "critical-diference")


@pytest.mark.parametrize("write", [svg_file, png, pdf])
def test_a_file_holds_no_time_and_no_version(write: Callable[[Figure], object]) -> None:
    made = all_kinds()["forest"]
    assert write(made) == write(made)


def test_bytes_do_not_depend_on_the_process() -> None:
    code = (
        "import hashlib; from tests.support.results import pair; from evalang.reports.assemble import document;"
        "from evalang.reports.document import figures; from evalang.reports.figures.picture import svg_inline;"
        "print(hashlib.sha256(''.join(svg_inline(f) for f in figures(document(pair()))).encode()).hexdigest())"
    )
    here = hashlib.sha256("".join(svg_inline(f) for f in figures(document(pair()))).encode()).hexdigest()
    env = {"PYTHONHASHSEED": "1", "PATH": "", "MPLBACKEND": "agg"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=120)
    assert done.stdout.strip() == here, done.stderr


def test_axes_of_the_user_are_drawn_on_and_no_setting_or_name_is_changed() -> None:
    before = dict(matplotlib.rcParams)
    own = Canvas()
    axes = own.add_subplot()
    assert draw(renamed(many(), {"svm": r"$\frac$"}), "wins", ax=axes) is own
    own.savefig(io.BytesIO(), format="png")  # a dollar sign starts no formula
    assert axes.texts
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("make", [rich, bayes, seeded])
def test_folded_pictures_are_no_wider_than_a_phone_can_show(make: Callable[[], RunResult]) -> None:
    for one in figures(document(make())):
        width = float(re.search(r'<svg[^>]* width="([\d.]+)"', svg_inline(one))[1])  # type: ignore[index]
        assert one.lead or width <= 100 * COMPACT


def test_the_unit_of_a_metric_stands_on_the_axis() -> None:
    base = pair()
    moved = tuple(replace(v, metric="fit-time") for v in base.verdicts if v.metric == "accuracy")
    made = draw_on(figure(replace(base, verdicts=moved), "forest"))
    assert [axes.get_xlabel() for axes in made.figure.axes] == ["naive-bayes minus tree, fit-time (s)"]


# Intervals


def test_a_forest_of_many_pairs_is_sorted_and_subtracts_the_lower_in_rank() -> None:
    made, ranks = figure(many(), "forest").data, mean_ranks(MANY)
    for label in made.labels:
        first, second = label.split(" - ")
        assert ranks[first] <= ranks[second]
    values = [m.value for m in made.panels[0].marks]
    assert values == sorted(values, reverse=True)


def test_a_forest_of_a_control_is_the_difference_from_it() -> None:
    made = figure(large(5, 4, 1, pairs_on_datasets=False, control=True), "forest").data
    assert made.sides == ("each", "learner-0")
    assert set(made.labels) == {f"learner-{i}" for i in range(1, 5)}
    assert all(m.value == -0.01 for m in made.panels[0].marks)  # the record holds control minus the other


def test_a_forest_of_hundreds_keeps_the_smallest_p_and_counts_the_rest() -> None:
    base = large(3, 300, 1)
    only = replace(base, verdicts=tuple(v for v in base.verdicts if v.dataset is not None))
    made = figure(only, "forest").data
    assert len(made.labels) == 30
    assert "870 rows are not shown" in made.description


def test_an_interval_of_5x2cv_t_is_drawn_around_its_own_estimate() -> None:
    base = pair()
    test = result("5x2cv-t", 0.016, 0.9, details=(("first_difference", -0.2),))
    odd = replace(base.verdicts[0], test=replace(test, interval=interval(-0.3, -0.1)))
    made = figure(replace(base, verdicts=(odd,)), "forest").data
    assert made.panels[0].marks[0].value == 0.2  # naive-bayes, the second of the record, is ahead


def test_an_interval_without_an_end_has_an_arrow() -> None:
    base = pair()
    open_ = Interval(low=-0.02, high=float("inf"), level=0.95, method="t")
    one = figure(replace(base, verdicts=tuple(replace(v, corrected_interval=open_) for v in base.verdicts)), "forest")
    assert [name for name in drawn(one) if name.startswith("open-")]
    assert "An arrow" in one.description
    assert not [name for name in drawn(figure(base, "forest")) if name.startswith("open-")]


def test_the_words_under_a_forest_speak_of_every_panel_and_of_intervals_that_contain_zero() -> None:
    def words(*panels: tuple[str, float, bool]) -> str:
        made = tuple(
            Panel(metric=m, rope=None, marks=(Mark(row=0, value=0.1, low=low, high=0.2, settled=settled, says=""),))
            for m, low, settled in panels
        )
        return Forest(what="difference", labels=("d",), panels=made, interval="95% interval").description

    same = words(("accuracy", 0.01, True), ("f-score", 0.02, True))
    assert "in accuracy and f-score the difference is significant" in same
    assert "contains 0" not in same
    other = words(("accuracy", -0.01, True), ("f-score", -0.02, False))
    assert (
        "in accuracy the difference is significant (filled); in f-score the difference is not significant (hollow)"
        in other
    )
    assert "the direction is significant and the size is uncertain" in other


def test_partition_values_lie_on_the_side_of_the_learner_that_is_ahead() -> None:
    base = rich()
    made = figure(base, "partition-values")
    for i, dataset in enumerate(made.data.datasets):
        mine = [p for p in base.partitions if p.dataset == dataset]
        values = list(drawn(made)[f"values-{i}"].get_ydata())
        assert values == sorted(values)
        assert sum(v > 0.5 for v in values) == sum(p.statistic < 0 for p in mine)  # the second of the record leads
        assert made.data.beyond(i) == sum(p.pvalue <= 0.05 for p in mine)
    low = replace(base, partitions=tuple(replace(p, metric="brier") for p in base.partitions))
    turned = figure(low, "partition-values", metric="brier").data.values
    assert [sorted(1 - v for v in one) for one in made.data.values] == [pytest.approx(list(one)) for one in turned]


# Ranks


@given(st.integers(2, 9), st.data())
def test_cliques_join_exactly_the_joined_pairs_and_none_lies_in_another(count: int, data: st.DataObject) -> None:
    joined = set(data.draw(st.lists(st.sampled_from(list(combinations(range(count), 2))), unique=True)))
    found = cliques(count, joined)
    assert {pair for clique in found for pair in combinations(clique, 2)} == joined
    assert not any(set(a) < set(b) for a in found for b in found)


@given(st.lists(st.integers(10, 60).map(lambda k: k / 10), min_size=2, max_size=12), st.floats(0.1, 3))
def test_bars_of_a_critical_difference_are_the_runs_within_it(ranks: list[float], critical: float) -> None:
    ranks.sort()
    joined = {(i, j) for i, j in combinations(range(len(ranks)), 2) if ranks[j] - ranks[i] <= critical}
    for clique in cliques(len(ranks), joined):
        assert list(clique) == list(range(clique[0], clique[-1] + 1))
        assert ranks[clique[-1]] - ranks[clique[0]] <= critical


def test_the_scale_of_a_critical_difference() -> None:
    """None without nemenyi; one beyond the ranks that are shown ends in an arrow inside."""
    base = many()
    without, wide = (replace(base, rankings=(replace(base.rankings[0], critical_difference=c),)) for c in (None, 50.0))
    made = figure(without, "critical-difference")
    assert "critical-difference" not in drawn(made)
    assert "critical" not in made.title.lower()
    shown = drawn(figure(wide, "critical-difference"))
    assert max(shown["critical-difference"].get_xdata()) == 4
    assert "critical-difference-beyond" in shown
    assert "critical-difference-beyond" not in drawn(figure(base, "critical-difference"))


@pytest.mark.parametrize(("blocks", "level"), [(1, "0.05"), (2, "0.025")])
def test_a_critical_difference_names_the_level_that_its_block_has(blocks: int, level: str) -> None:
    base = many()
    shared = replace(base, verdicts=tuple(replace(v, family_blocks=blocks) for v in base.verdicts))
    made = figure(shared, "critical-difference")
    assert f"at level {level}" in made.description
    assert f"at level {level}" in "".join(t.get_text() for t in draw_on(made).texts)


def test_many_learners_draw_the_best_thirty() -> None:
    made = figure(large(200, 2, 1, pairs_on_datasets=False), "critical-difference").data
    assert (len(made.learners), made.left_out) == (30, 170)
    assert list(made.ranks) == sorted(made.ranks)


LONG = (
    *("gradient-boosted-oblivious-trees-with-target-encoding", "随机森林与梯度提升决策树的组合方法"),
    *("svm", "W" * 40, "a", "b"),
)


@pytest.mark.parametrize("widest", [None, COMPACT, NARROW])
def test_no_label_of_a_critical_difference_diagram_is_cut(widest: float | None) -> None:
    data = CriticalDifference(
        metric="accuracy",
        learners=LONG,
        ranks=(1.0, 2.5, 3.0, 4.0, 5.0, 5.5),
        cliques=((0, 1), (2, 3, 4)),
        critical_difference=9.5,
        n_datasets=8,
        level=0.025,
    )
    made = Figure(key="cd", kind="critical-difference", title="", description="", data=data)
    axes = draw_on(made, widest=widest)
    whole = axes.get_figure(root=True)
    assert whole is not None
    with matplotlib_settings():
        whole.draw_without_rendering()
        for text in axes.texts:
            box = text.get_window_extent()
            assert whole.bbox.x0 <= box.x0 < box.x1 <= whole.bbox.x1, text.get_text()


def test_wins_are_counted_from_the_means() -> None:
    made = figure(many(), "wins")
    shown = drawn(made)
    for (i, one), (j, other) in combinations(enumerate(MANY.values()), 2):
        won = sum(a > b for a, b in zip(one, other, strict=True))
        lost = sum(a < b for a, b in zip(one, other, strict=True))
        assert made.data.counts[i][j] == (won, 10 - won - lost, lost)
        assert made.data.counts[j][i] == (lost, 10 - won - lost, won)
        assert shown[f"cell-{i}-{j}"].get_text() == f"{won}/{10 - won - lost}/{lost}"
    # brier is written as 0.3 (1 - accuracy) there: who wins stays
    up, down = (figure(league_with_metrics(), "wins", metric=m).data.counts for m in ("accuracy", "brier"))
    assert up == down


def test_normalised_scores_run_from_the_baseline_to_the_best() -> None:
    """For cal from the mean observed (Caruana & Niculescu-Mizil, section 2.3): the baseline is too well calibrated."""
    base = league_with_metrics()
    labels = ("accuracy", "roc-area", "brier", "cal")
    rows = list(base.scores.rows())
    rows += [ScoreRow(*r[:6], "cal", 0.3 * (1 - r.score)) for r in rows if r.metric == "accuracy" and r.score]
    zeros = (*base.baselines, *(replace(b, metric="cal", score=0.0) for b in base.baselines if b.metric == "brier"))
    design = replace(base.plan.comparisons[0], metrics=tuple(Metric(m) for m in labels))
    whole = replace(base, plan=replace(base.plan, comparisons=(design,)), scores=Scores.of(rows), baselines=zeros)
    made = figure(whole, "normalised")
    for who, row in zip(made.data.learners, made.data.values, strict=True):
        for metric, value in zip(made.data.metrics, row, strict=True):
            parts = []
            for i in range(10):
                low = metric in ("brier", "cal")
                column = {n: 0.3 * (1 - s[i]) if low else s[i] for n, s in MANY.items()}
                best = (min if low else max)(column.values())
                zero = {"brier": 0.25, "cal": fsum(column.values()) / len(column)}.get(metric, 0.5)
                parts.append((column[who] - zero) / (best - zero))
            assert value == pytest.approx(fsum(parts) / 10, abs=1e-12)
    assert float(drawn(made)["cell-0-0"].get_text()) == pytest.approx(made.data.values[0][0], abs=0.0005)


def test_a_performance_profile_shows_the_shares_of_the_record() -> None:
    base = seeded()
    shown = drawn(figure(base, "performance-profile"))
    for i, one in enumerate(base.runs[0].profiles):
        assert list(shown[f"line-{i}"].get_xdata()) == list(one.scores)
        assert list(shown[f"line-{i}"].get_ydata()) == list(one.shares)


def test_the_scatter_has_the_scores_of_the_table_and_counts_the_sides() -> None:
    made = figure(bayes(), "scatter")
    shown = drawn(made)
    read = [(shown[f"point-{i}"].get_ydata()[0], shown[f"point-{i}"].get_xdata()[0]) for i in range(10)]
    assert read == list(zip(MANY["svm"], MANY["tree"], strict=True))
    assert "above the diagonal svm is better: 10 there, 0 on the other side" in made.description
    assert made.data.says["point-0"] == "set-1: svm 0.880, tree 0.810"


# Curves


def curves(kind: str, *changes: dict[str, Any]) -> Any:
    base = rich()
    one = next(c for c in base.curves if c.kind == kind)
    return figure(replace(base, curves=tuple(replace(one, **change) for change in changes)), kind).data


def test_reliability_pools_folds_by_their_rows_and_shows_them_as_bars() -> None:
    first = {"x": (0.11, 0.85), "y": (0.0, 1.0), "weight": (10.0, 5.0), "fold": 0}
    (series,) = curves("reliability", first, {"x": (0.19,), "y": (0.3,), "weight": (30.0,), "fold": 1}).series
    assert series.x == pytest.approx(((0.11 * 10 + 0.19 * 30) / 40, 0.85))
    assert series.y == pytest.approx((0.3 * 30 / 40, 1.0))
    assert series.rows == (40.0, 5.0)
    made = figure(rich(), "reliability")
    shown = drawn(made)
    for k, series in enumerate(made.data.series):
        high = [shown[f"rows-{k}-{b}"].get_height() for b in range(len(series.rows))]
        assert high == pytest.approx([0.16 * rows / 29 for rows in series.rows])
    assert made.data.says["point-0-0"].endswith("20 rows")
    asked = figure(rich(), "reliability", learners=("naive-bayes",)).data.series
    assert {s.learner for s in asked} == {"naive-bayes"} < {s.learner for s in made.data.series}


def test_roc_bands_are_means_of_the_folds_heights() -> None:
    (band,) = curves("roc", {"x": (0.0, 0.5, 1.0), "y": (0.0, 0.8, 1.0)}, {"x": (0.0, 1.0), "y": (0.0, 1.0)}).bands
    assert band.middle[25] == pytest.approx((0.8 + 0.5) / 2)
    assert band.middle[50] == 1.0
    assert band.low[25] == pytest.approx(0.5 + 0.1 * 0.3)


def test_precision_is_never_read_off_a_straight_line() -> None:
    (band,) = curves("precision-recall", {"x": (0.0, 0.2, 1.0), "y": (1.0, 1.0, 0.4)}).bands
    assert band.middle[10] == 1.0
    assert band.middle[25] == 0.4  # the next recall reached is 1.0


def test_learning_curves_join_comparisons_of_different_sizes() -> None:
    made = figure(rich(), "learning-curve", dataset="letters").data
    assert {s.learner: s.rows for s in made.series} == dict.fromkeys(("tree", "naive-bayes"), (50, 100, 200, 400))
    assert made.series[0].means[0] == pytest.approx(fsum(0.85 - 2.0 / 50**0.5 + 0.003 * i for i in range(3)) / 3)


def test_tuning_profile_takes_the_best_mean_and_counts_the_chosen() -> None:
    data = figure(rich(), "tuning-profile").data
    assert data.values == ("2", "4", "8", "16")
    assert data.chosen == (0, 7, 3, 0)
    assert data.scores[1] == pytest.approx(0.7 + 0.08 - 0.0016 * 16 + 0.005 * 4.5)


FIGURE_SIX = "simulate type-I of resampled-t, kfold-t with error 10%, resamples 5, 20, trials 100, seed 1"


@pytest.mark.parametrize(
    ("script", "bars", "along", "names", "places"),
    [
        (TYPE_ONE, True, "error", ["mcnemar", "kfold-t"], [0.1, 0.2]),
        (FIGURE_SIX, False, "resamples", ["resampled-t", "kfold-t"], [5.0, 20.0]),  # folds stand on the same axis
        (POWER, False, "difference", ["it: averaged-t on wine"], [0.02, 0.2]),  # without the searches
    ],
)
def test_simulated_rates(script: str, bars: bool, along: str, names: list[str], places: list[float]) -> None:
    ((name, data),) = simulated_rates(simulated(script))
    assert isinstance(data, SimulatedRates)
    assert (name, data.bars, data.along, data.level) == ("simulate-1", bars, along, 0.05)
    assert [s.name for s in data.series] == names
    assert [[p.x for p in s.points] for s in data.series] == [places] * len(names)
    with matplotlib_settings():
        canvas = Canvas(figsize=data.size())
        axes = canvas.add_subplot()
        data.draw(axes)
        canvas.draw_without_rendering()
    low, high = axes.get_ylim()
    assert all(low <= p.low <= p.rate <= p.high <= high for s in data.series for p in s.points)
    assert "Wilson" in data.description


# Posteriors


def test_one_bayesian_question_is_led_by_its_shape_and_several_by_bars() -> None:
    shapes = [f.kind for f in figures(document(bayes())) if f.kind.startswith("posterior")]
    assert shapes == ["posterior-simplex", "posterior-density"]
    shown = drawn(figure(rich(), "posterior", comparison="bayes"))
    assert [shown[f"part-0-{k}"].get_width() for k in range(3)] == pytest.approx([0.71, 0.21, 0.08])


def test_the_density_has_the_areas_of_the_verdict() -> None:
    """Added up over the axis from the curve that is drawn; scipy's t says the same."""
    made = figure(bayes(), "posterior-density")
    line, data = drawn(made)["density"], made.data
    x, y = line.get_xdata(), line.get_ydata()
    below = fsum((b - a) * (u + v) / 2 for a, b, u, v in zip(x, x[1:], y, y[1:], strict=False) if b <= -0.02)
    assert below == pytest.approx(data.shares[0], abs=2e-3)  # what lies beyond five scales is not drawn
    assert stats.t.cdf((-0.02 - data.centre) / data.scale, data.df) == pytest.approx(data.shares[0], abs=1e-9)
    assert y == pytest.approx(stats.t.pdf(x, data.df, data.centre, data.scale))
    assert data.ends == ("tree", "naive-bayes")  # as in the headline: who is ahead, minus the other


def test_a_draw_lies_in_the_part_of_the_corner_with_most_weight() -> None:
    made = figure(bayes(), "posterior-simplex")
    cloud = drawn(made)["draws"]
    corners = ((0.0, 0.0), (0.5, 3**0.5 / 2), (1.0, 0.0))
    near = [
        min(range(3), key=lambda k: (x - corners[k][0]) ** 2 + (y - corners[k][1]) ** 2)
        for x, y in zip(cloud.get_xdata(), cloud.get_ydata(), strict=True)
    ]
    shares = [near.count(k) / len(near) for k in range(3)]
    assert shares == pytest.approx(made.data.shares, abs=0.1)  # 4 standard errors of 400 draws
    assert 0.1 < shares[1] < 0.9  # a test that cannot be passed by a cloud in one corner


def test_a_page_of_many_metrics_draws_those_of_the_first_and_says_how_to_get_the_others() -> None:
    page = document(large(4, 5, 9))
    assert len([f for f in figures(page) if f.kind == "critical-difference"]) == 1
    assert any("drawn on request" in b.text for b in walk(page.blocks) if isinstance(b, Paragraph))
