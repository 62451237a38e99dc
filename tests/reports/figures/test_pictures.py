"""Every picture shows the numbers of the record: they are read back from what was drawn."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from dataclasses import replace as replace_record
from functools import cache
from itertools import combinations
from math import fsum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.errors import ScriptError
from evalang.plans.model import Metric
from evalang.reports.assemble import document
from evalang.reports.document import Figure, figures
from evalang.reports.figures import draw
from evalang.reports.figures.choose import KINDS, figure
from evalang.reports.figures.intervals import Forest, Mark, Panel
from evalang.reports.figures.picture import COMPACT, NARROW, draw_on, pdf, png, svg_file, svg_inline
from evalang.reports.figures.ranks import CriticalDifference, cliques
from evalang.reports.figures.style import matplotlib_settings
from evalang.results.records import Interval, Ranking, ScoreRow, Scores
from evalang.results.run_result import RunResult

from ..judgements import MANY, bayes, large, league_with_metrics, many, mean_ranks, pair, result, rich, seeded
from ..test_simulated import judged


def drawn(made: Figure) -> dict[str, Any]:
    axes = draw_on(made)
    return {a.get_gid(): a for a in axes.figure.findobj() if a.get_gid()}


@cache
def all_kinds() -> dict[str, Figure]:
    simulated = judged("simulate type-I of mcnemar with n 100, error 10%, 20%, trials 50, seed 1\n")
    there = (rich(), many(), bayes(), league_with_metrics(), simulated, seeded())
    found = [f for j in there for f in figures(document(j))]
    return {f.kind: f for f in found}


def test_there_is_one_of_each_kind() -> None:
    assert set(all_kinds()) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_record_gives_the_same_bytes(kind: str) -> None:
    made = all_kinds()[kind]
    assert svg_inline(made) == svg_inline(made)


@pytest.mark.parametrize("write", [svg_file, png, pdf])
def test_the_same_picture_gives_the_same_file(write: Callable[[Figure], object]) -> None:
    """What may differ is what a format writes beside the picture: a time, a version, names of its parts."""
    made = all_kinds()["forest"]
    assert write(made) == write(made)


def test_bytes_do_not_depend_on_the_process() -> None:
    code = (
        "import hashlib; from tests.reports.judgements import rich; from evalang.reports.assemble import document;"
        "from evalang.reports.document import figures; from evalang.reports.figures.picture import svg_inline;"
        "print(hashlib.sha256(''.join(svg_inline(f) for f in figures(document(rich()))).encode()).hexdigest())"
    )
    here = hashlib.sha256("".join(svg_inline(f) for f in figures(document(rich()))).encode()).hexdigest()
    env = {"PYTHONHASHSEED": "1", "PATH": "", "MPLBACKEND": "agg"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=120)
    assert done.stdout.strip() == here, done.stderr


def test_the_forest_shows_every_difference_with_the_interval_of_its_verdict() -> None:
    judgement = pair()
    made = figure(judgement, "forest")
    shown = drawn(made)
    assert [p.metric for p in made.data.panels] == ["accuracy", "brier"]
    for k, panel in enumerate(made.data.panels):
        assert f"rope-{k}" in shown
        for row, dataset in enumerate(made.data.labels):
            verdict = next(v for v in judgement.verdicts if (v.dataset, v.metric) == (dataset, panel.metric))
            mark = shown[f"mark-{k}-{row}"]
            # The record holds tree minus naive-bayes; the headline says that naive-bayes is better.
            assert mark.get_xdata()[0] == -verdict.difference
            assert list(shown[f"interval-{k}-{row}"].get_xdata()) == [-verdict.interval.high, -verdict.interval.low]  # type: ignore[union-attr]
            assert (mark.get_markerfacecolor() != "#ffffff") == verdict.settled


def test_a_forest_of_many_pairs_subtracts_the_lower_in_rank_and_its_rows_are_sorted() -> None:
    made = figure(many(), "forest").data
    ranks = mean_ranks(MANY)
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
    judgement = large(3, 300, 1)
    only = replace(judgement, verdicts=tuple(v for v in judgement.verdicts if v.dataset is not None))
    made = figure(only, "forest").data
    assert len(made.labels) == 30
    assert "870 rows are not shown" in made.description


def test_an_interval_of_5x2cv_t_is_drawn_around_its_own_estimate() -> None:
    base = pair()
    test = result("5x2cv-t", 0.016, 0.9, details=(("first_difference", -0.2),))
    odd = replace(base.verdicts[0], test=replace(test, interval=Interval(low=-0.3, high=-0.1, level=0.95, method="t")))
    made = figure(replace(base, verdicts=(odd,)), "forest").data
    assert made.panels[0].marks[0].value == 0.2  # naive-bayes, the second of the record, is ahead


def test_partition_values_lie_on_the_side_of_whoever_is_ahead() -> None:
    judgement = rich()
    made = figure(judgement, "partition-values")
    for i, dataset in enumerate(made.data.datasets):
        mine = [p for p in judgement.partitions if p.dataset == dataset]
        values = list(drawn(made)[f"values-{i}"].get_ydata())
        assert values == sorted(values)
        assert sum(v > 0.5 for v in values) == sum(p.statistic < 0 for p in mine)  # the second of the record leads
        assert made.data.beyond(i) == sum(p.pvalue <= 0.05 for p in mine)


def test_partition_values_turn_round_where_low_is_good() -> None:
    base = rich()
    low = replace(base, partitions=tuple(replace(p, metric="brier") for p in base.partitions))
    up, down = figure(base, "partition-values").data, figure(low, "partition-values", metric="brier").data
    assert [sorted(1 - v for v in one) for one in up.values] == [pytest.approx(list(other)) for other in down.values]


@given(st.integers(2, 9), st.data())
def test_cliques_join_exactly_the_joined_pairs_and_none_lies_in_another(count: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(count), 2))
    joined = set(data.draw(st.lists(st.sampled_from(pairs), unique=True)))
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


def test_a_diagram_without_nemenyi_has_no_scale() -> None:
    base = many()
    ranking: Ranking = replace(base.rankings[0], critical_difference=None, test="wilcoxon")
    made = figure(replace(base, rankings=(ranking,)), "critical-difference")
    assert "critical-difference" not in drawn(made)
    assert "critical" not in made.title.lower()


def test_many_learners_draw_the_best_thirty_in_a_moment() -> None:
    made = figure(large(200, 2, 1, pairs_on_datasets=False), "critical-difference")
    assert len(made.data.learners) == 30
    assert made.data.left_out == 170
    assert list(made.data.ranks) == sorted(made.data.ranks)


def test_wins_are_counted_from_the_means() -> None:
    made = figure(many(), "wins")
    names = list(MANY)
    for i, j in combinations(range(4), 2):
        won = sum(a > b for a, b in zip(MANY[names[i]], MANY[names[j]], strict=True))
        lost = sum(a < b for a, b in zip(MANY[names[i]], MANY[names[j]], strict=True))
        assert made.data.counts[i][j] == (won, 10 - won - lost, lost)
        assert made.data.counts[j][i] == (lost, 10 - won - lost, won)
        assert drawn(made)[f"cell-{i}-{j}"].get_text() == f"{won}/{10 - won - lost}/{lost}"


def test_wins_turn_round_where_low_is_good() -> None:
    up = figure(league_with_metrics(), "wins", metric="accuracy").data
    down = figure(league_with_metrics(), "wins", metric="brier").data
    assert up.counts == down.counts  # brier is written as 0.3 (1 - accuracy) there: who wins stays


def test_normalised_scores_are_zero_at_the_baseline_and_one_at_the_best() -> None:
    data = figure(league_with_metrics(), "normalised").data
    for who, row in zip(data.learners, data.values, strict=True):
        for metric, value in zip(data.metrics, row, strict=True):
            parts = []
            for i in range(10):
                column = {n: s[i] if metric != "brier" else 0.3 * (1 - s[i]) for n, s in MANY.items()}
                best = min(column.values()) if metric == "brier" else max(column.values())
                base = 0.25 if metric == "brier" else 0.5
                parts.append((column[who] - base) / (best - base))
            assert abs(value - fsum(parts) / 10) < 1e-12
    shown = drawn(figure(league_with_metrics(), "normalised"))
    assert float(shown["cell-0-0"].get_text()) == pytest.approx(data.values[0][0], abs=0.0005)


def test_normalised_cal_runs_from_the_mean_observed_to_the_best() -> None:
    """Caruana & Niculescu-Mizil, section 2.3: the baseline is too well calibrated to be the 0 of cal."""
    base = league_with_metrics()
    design = base.plan.comparisons[0]
    rows = [r for r in base.scores.rows() if r.metric != "brier"]
    rows += [ScoreRow(*r[:6], "cal", 0.3 * (1 - r.score)) for r in base.scores.rows() if r.metric == "accuracy"]
    zeros = [replace(b, metric="cal", score=0.0) if b.metric == "brier" else b for b in base.baselines]
    labels = tuple(Metric(m) for m in ("accuracy", "roc-area", "cal"))
    plan = replace_record(base.plan, comparisons=(replace_record(design, metrics=labels),))
    data = figure(replace(base, plan=plan, scores=Scores.of(rows), baselines=tuple(zeros)), "normalised").data
    at = data.metrics.index("cal")
    assert fsum(row[at] for row in data.values) == pytest.approx(0.0, abs=1e-12)
    for who, row in zip(data.learners, data.values, strict=True):
        parts = []
        for i in range(10):
            each = [0.3 * (1 - s[i]) for s in MANY.values()]
            middle = fsum(each) / len(each)
            parts.append((0.3 * (1 - MANY[who][i]) - middle) / (min(each) - middle))
        assert row[at] == pytest.approx(fsum(parts) / 10)


def test_reliability_pools_folds_by_their_rows() -> None:
    base = rich()
    curve = next(c for c in base.curves if c.kind == "reliability")
    two = (
        replace(curve, x=(0.11, 0.85), y=(0.0, 1.0), weight=(10.0, 5.0), fold=0),
        replace(curve, x=(0.19,), y=(0.3,), weight=(30.0,), fold=1),
    )
    (series,) = figure(replace(base, curves=two), "reliability").data.series
    assert series.x == pytest.approx(((0.11 * 10 + 0.19 * 30) / 40, 0.85))
    assert series.y == pytest.approx((0.3 * 30 / 40, 1.0))
    assert series.rows == (40.0, 5.0)


def test_curves_of_the_learners_that_are_asked_for() -> None:
    base = rich()
    curve = next(c for c in base.curves if c.kind == "reliability")
    two = replace(base, curves=(curve, replace(curve, learner="naive-bayes")))
    shown = {s.learner for s in figure(two, "reliability").data.series}
    assert shown == {curve.learner, "naive-bayes"}
    assert {s.learner for s in figure(two, "reliability", learners=("naive-bayes",)).data.series} == {"naive-bayes"}


def test_roc_bands_are_means_of_the_folds_heights() -> None:
    base = rich()
    curve = next(c for c in base.curves if c.kind == "roc")
    two = (replace(curve, x=(0.0, 0.5, 1.0), y=(0.0, 0.8, 1.0)), replace(curve, x=(0.0, 1.0), y=(0.0, 1.0)))
    (band,) = figure(replace(base, curves=two), "roc").data.bands
    assert band.middle[25] == pytest.approx((0.8 + 0.5) / 2)
    assert band.middle[50] == 1.0
    assert band.low[25] == pytest.approx(0.5 + 0.1 * 0.3)


def test_precision_is_never_read_off_a_straight_line() -> None:
    base = rich()
    curve = next(c for c in base.curves if c.kind == "precision-recall")
    steep = (replace(curve, x=(0.0, 0.2, 1.0), y=(1.0, 1.0, 0.4)),)
    (band,) = figure(replace(base, curves=steep), "precision-recall").data.bands
    assert band.middle[10] == 1.0
    assert band.middle[25] == 0.4  # the next recall reached is 1.0


def test_posterior_parts_add_up_and_stand_with_their_learner() -> None:
    made = figure(rich(), "posterior", comparison="bayes")
    shown = drawn(made)
    widths = [shown[f"part-0-{k}"].get_width() for k in range(3)]
    assert widths == pytest.approx([0.71, 0.21, 0.08])
    assert sum(widths) == pytest.approx(1)


def test_the_density_has_the_areas_of_the_verdict() -> None:
    """Added up over the axis from the curve that is drawn; scipy's t says the same."""
    from scipy import stats

    made = figure(bayes(), "posterior-density")
    line = drawn(made)["density"]
    x, y = line.get_xdata(), line.get_ydata()
    below = fsum((b - a) * (u + v) / 2 for a, b, u, v in zip(x, x[1:], y, y[1:], strict=False) if b <= -0.02)
    data = made.data
    assert below == pytest.approx(data.shares[0], abs=2e-3)  # what lies beyond five scales is not drawn
    assert stats.t.cdf((-0.02 - data.centre) / data.scale, data.df) == pytest.approx(data.shares[0], abs=1e-9)
    assert y == pytest.approx(stats.t.pdf(x, data.df, data.centre, data.scale))
    assert data.ends == ("tree", "naive-bayes")  # as in the headline: who is ahead, minus the other


def test_a_draw_lies_in_the_part_of_the_corner_with_most_weight() -> None:
    made = figure(bayes(), "posterior-simplex")
    cloud = drawn(made)["draws"]
    corners = {"second": (0.0, 0.0), "rope": (0.5, 3**0.5 / 2), "first": (1.0, 0.0)}
    near = [
        min(corners, key=lambda c: (x - corners[c][0]) ** 2 + (y - corners[c][1]) ** 2)
        for x, y in zip(cloud.get_xdata(), cloud.get_ydata(), strict=True)
    ]
    shares = [near.count(c) / len(near) for c in corners]
    assert shares == pytest.approx(made.data.shares, abs=0.1)  # 4 standard errors of 400 draws
    assert 0.1 < shares[1] < 0.9  # a test that cannot be passed by a cloud in one corner


def test_the_scatter_has_the_scores_of_the_table_and_counts_the_sides() -> None:
    made = figure(bayes(), "scatter")
    shown = drawn(made)
    read = [(shown[f"point-{i}"].get_ydata()[0], shown[f"point-{i}"].get_xdata()[0]) for i in range(10)]
    assert read == list(zip(MANY["svm"], MANY["tree"], strict=True))
    assert "above the diagonal svm is better: 10 there, 0 on the other side" in made.description
    assert made.data.says["point-0"] == "set-1: svm 0.880, tree 0.810"


def test_one_bayesian_question_is_led_by_its_shape_and_several_by_bars() -> None:
    assert [f.kind for f in figures(document(bayes())) if f.kind.startswith("posterior")] == [
        "posterior-simplex",
        "posterior-density",
    ]
    assert "posterior" in {f.kind for f in figures(document(rich()))}


def test_the_bars_below_a_reliability_diagram_are_its_rows() -> None:
    made = figure(rich(), "reliability")
    shown = drawn(made)
    for k, series in enumerate(made.data.series):
        high = [shown[f"rows-{k}-{b}"].get_height() for b in range(len(series.rows))]
        assert high == pytest.approx([0.16 * rows / 29 for rows in series.rows])
    assert made.data.says["point-0-0"].endswith("20 rows")


def test_a_critical_difference_beyond_the_ranks_ends_in_an_arrow_inside() -> None:
    base = many()
    wide = replace(base, rankings=(replace(base.rankings[0], critical_difference=50.0),))
    shown = drawn(figure(wide, "critical-difference"))
    assert max(shown["critical-difference"].get_xdata()) == 4
    assert "critical-difference-beyond" in shown
    assert "critical-difference-beyond" not in drawn(figure(base, "critical-difference"))


def test_learning_curves_join_comparisons_of_different_sizes() -> None:
    made = figure(rich(), "learning-curve", dataset="letters")
    assert {s.learner: s.rows for s in made.data.series} == {
        "tree": (50, 100, 200, 400),
        "naive-bayes": (50, 100, 200, 400),
    }
    expected = fsum(0.85 - 2.0 / 50**0.5 + 0.003 * i for i in range(3)) / 3
    assert made.data.series[0].means[0] == pytest.approx(expected)


def test_tuning_profile_takes_the_best_mean_and_counts_the_chosen() -> None:
    data = figure(rich(), "tuning-profile").data
    assert data.values == ("2", "4", "8", "16")
    assert data.chosen == (0, 7, 3, 0)
    assert data.scores[1] == pytest.approx(0.7 + 0.08 - 0.0016 * 16 + 0.005 * 4.5)


def test_axes_can_be_handed_in_and_nothing_of_the_users_changes() -> None:
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    before = dict(matplotlib.rcParams)
    own = Canvas()
    axes = own.add_subplot()
    assert draw(many(), "critical-difference", ax=axes) is own
    assert axes.lines
    assert dict(matplotlib.rcParams) == before


def test_a_dollar_sign_starts_no_formula_on_axes_of_the_users_own() -> None:
    from matplotlib.figure import Figure as Canvas

    from ..hostile import renamed

    own = Canvas()
    draw(renamed(many(), {"svm": r"$\frac$"}), "wins", ax=own.add_subplot())
    own.savefig(__import__("io").BytesIO(), format="png")


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_run_does_not_hold_is_said(kind: str) -> None:
    from evalang.plans.model import Plan

    with pytest.raises(ScriptError, match="holds nothing for the picture"):
        figure(RunResult(plan=Plan(1, "empty.eval")), kind)


def test_a_performance_profile_shows_the_shares_of_the_record() -> None:
    judgement = seeded()
    shown = drawn(figure(judgement, "performance-profile"))
    for i, one in enumerate(judgement.runs[0].profiles):
        assert list(shown[f"line-{i}"].get_xdata()) == list(one.scores)
        assert list(shown[f"line-{i}"].get_ydata()) == list(one.shares)


def test_an_unknown_picture_offers_the_nearest() -> None:
    with pytest.raises(ScriptError, match="did you mean critical-difference"):
        figure(many(), "critical-diference")


def test_the_unit_of_a_metric_stands_on_the_axis() -> None:
    base = pair()
    moved = tuple(replace(v, metric="fit-time") for v in base.verdicts if v.metric == "accuracy")
    made = draw_on(figure(replace(base, verdicts=moved), "forest"))
    assert [axes.get_xlabel() for axes in made.figure.axes] == ["naive-bayes minus tree, fit-time (s)"]


def test_a_critical_difference_names_the_level_it_is_of() -> None:
    """Two blocks share the level of the family: the difference is that of half of it."""
    base = many()
    halved = replace(base, verdicts=tuple(replace(v, family_blocks=2) for v in base.verdicts))
    for run, level in ((base, "0.05"), (halved, "0.025")):
        made = figure(run, "critical-difference")
        assert f"at level {level}" in made.description
        assert f"at level {level}" in "".join(t.get_text() for t in draw_on(made).texts)


LONG = (
    "gradient-boosted-oblivious-trees-with-target-encoding",
    "随机森林与梯度提升决策树的组合方法",
    "svm",
    "W" * 40,
    "a",
    "b",
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
    room = whole.bbox
    for text in axes.texts:
        with matplotlib_settings():
            box = text.get_window_extent()
        assert room.x0 <= box.x0, text.get_text()
        assert box.x1 <= room.x1, text.get_text()


def test_an_interval_without_an_end_has_an_arrow() -> None:
    base = pair()
    open_ = Interval(low=-0.02, high=float("inf"), level=0.95, method="t")
    one = replace(base, verdicts=tuple(replace(v, corrected_interval=open_) for v in base.verdicts))
    made = figure(one, "forest")
    arrows = [name for name in drawn(made) if name.startswith("open-")]
    assert arrows
    assert "An arrow" in made.description
    assert not [name for name in drawn(figure(base, "forest")) if name.startswith("open-")]


@pytest.mark.parametrize("make", [rich, bayes, seeded])
def test_what_is_folded_away_is_drawn_no_wider_than_a_phone_can_show(make: Callable[[], RunResult]) -> None:
    for one in figures(document(make())):
        width = float(re.search(r'<svg[^>]* width="([\d.]+)"', svg_inline(one))[1])  # type: ignore[index]
        assert one.lead or width <= 100 * COMPACT


def test_the_words_under_a_forest_speak_of_every_panel_and_of_intervals_that_contain_zero() -> None:
    def panel(metric: str, low: float, settled: bool) -> Panel:
        return Panel(
            metric=metric, rope=None, marks=(Mark(row=0, value=0.1, low=low, high=0.2, settled=settled, says=""),)
        )

    same = (panel("accuracy", 0.01, True), panel("f-score", 0.02, True))
    words = Forest(what="difference", labels=("d",), panels=same, interval="95% interval").description
    assert "in accuracy and f-score the difference is settled" in words
    assert "contains 0" not in words
    other = (panel("accuracy", -0.01, True), panel("f-score", -0.02, False))
    words = Forest(what="difference", labels=("d",), panels=other, interval="95% interval").description
    assert "in accuracy the difference is settled (filled); in f-score the difference is not settled (hollow)" in words
    assert "the direction is settled and the size is not" in words
