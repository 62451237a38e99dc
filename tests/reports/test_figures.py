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
from evalang.plans.model import Plan
from evalang.reports.assemble import document
from evalang.reports.document import Figure, Paragraph, figures, walk
from evalang.reports.figures import draw
from evalang.reports.figures.choose import KINDS, figure
from evalang.reports.figures.curves import GRID, simulated_rates
from evalang.reports.figures.intervals import Forest, Mark, Panel
from evalang.reports.figures.picture import COMPACT, NARROW, draw_on, pdf, png, svg_file, svg_inline
from evalang.reports.figures.ranks import cliques, draw_ranks
from evalang.reports.figures.style import Picture, matplotlib_settings
from evalang.results.records import Interval
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
    with pytest.raises(ScriptError, match="has no data for the figure"):
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


# Intervals


def test_a_forest_of_many_pairs_is_sorted_and_subtracts_the_lower_in_rank() -> None:
    made, ranks = figure(many(), "forest").data.numbers, mean_ranks(MANY)
    for label in made["labels"]:
        first, second = label.split(" - ")
        assert ranks[first] <= ranks[second]
    values = [m.value for m in made["panels"][0].marks]
    assert values == sorted(values, reverse=True)


def test_a_forest_of_hundreds_keeps_the_smallest_p_and_counts_the_rest() -> None:
    base = large(3, 300, 1)
    only = replace(base, verdicts=tuple(v for v in base.verdicts if v.dataset is not None))
    made = figure(only, "forest").data
    assert len(made.numbers["labels"]) == 30
    assert "870 rows are not shown" in made.description


def test_an_interval_of_5x2cv_t_is_drawn_around_its_own_estimate() -> None:
    base = pair()
    test = result("5x2cv-t", 0.016, 0.9, details=(("first_difference", -0.2),))
    odd = replace(base.verdicts[0], test=replace(test, interval=interval(-0.3, -0.1)))
    made = figure(replace(base, verdicts=(odd,)), "forest").data
    assert made.numbers["panels"][0].marks[0].value == 0.2  # naive-bayes, the second of the record, is ahead


def test_an_interval_without_an_end_has_an_arrow() -> None:
    base = pair()
    open_ = Interval(low=-0.02, high=float("inf"), level=0.95, method="t")
    one = figure(replace(base, verdicts=tuple(replace(v, corrected_interval=open_) for v in base.verdicts)), "forest")
    assert "An arrow" in one.description
    assert draw_on(one).get_xlim()[1] < 1  # and it ends inside the picture


def test_the_words_under_a_forest_speak_of_every_panel_and_of_intervals_that_contain_zero() -> None:
    def words(*panels: tuple[str, float, bool]) -> str:
        made = tuple(
            Panel(metric=m, rope=None, marks=(Mark(row=0, value=0.1, low=low, high=0.2, settled=settled, says=""),))
            for m, low, settled in panels
        )
        return Forest(what="difference", labels=("d",), panels=made, interval="95% interval").description

    same = words(("accuracy", 0.01, True), ("f-score", 0.02, True))
    assert "In accuracy and f-score, the difference is significant." in same
    assert "contains 0" not in same
    other = words(("accuracy", -0.01, True), ("f-score", -0.02, False))
    assert "In accuracy, the difference is significant; in f-score, the difference is not significant." in other
    assert "A filled point is significant, a hollow one is not." in other
    assert "the direction is significant and the size is uncertain" in other


def test_partition_values_lie_on_the_side_of_the_learner_that_is_ahead() -> None:
    base = rich()
    made = figure(base, "partition-values")
    shown = made.data.numbers
    for i, dataset in enumerate(shown["values"]):
        mine = [p for p in base.partitions if p.dataset == dataset]
        values = list(drawn(made)[f"values-{i}"].get_ydata())
        assert values == sorted(values)
        assert sum(v > 0.5 for v in values) == sum(p.statistic < 0 for p in mine)  # the second of the record leads
        assert shown["beyond"][dataset] == sum(p.pvalue <= 0.05 for p in mine)
    low = replace(base, partitions=tuple(replace(p, metric="brier") for p in base.partitions))
    turned = figure(low, "partition-values", metric="brier").data.numbers["values"]
    for dataset, values in shown["values"].items():
        assert sorted(1 - v for v in values) == pytest.approx(turned[dataset])


# Ranks


@given(st.integers(2, 9), st.data())
def test_cliques_join_exactly_the_joined_pairs_and_none_lies_in_another(count: int, data: st.DataObject) -> None:
    joined = set(data.draw(st.lists(st.sampled_from(list(combinations(range(count), 2))), unique=True)))
    found = cliques(count, joined)
    assert {pair for clique in found for pair in combinations(clique, 2)} == joined
    assert not any(set(a) < set(b) for a in found for b in found)


def test_a_critical_difference_joins_what_the_ranking_joins() -> None:
    """No scale without nemenyi; one beyond the ranks that are shown ends in an arrow inside."""
    base = many()
    made, ranking = figure(base, "critical-difference").data.numbers, base.rankings[0]
    names = made["learners"]
    joined = {frozenset((names[i], names[j])) for c in made["cliques"] for i, j in combinations(c, 2)}
    assert joined == {frozenset(pair) for pair in ranking.joined}
    assert dict(zip(names, made["ranks"], strict=True)) == mean_ranks(MANY)
    without, wide = (replace(base, rankings=(replace(ranking, critical_difference=c),)) for c in (None, 50.0))
    assert "critical" not in figure(without, "critical-difference").title.lower()
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


LONG = (
    *("gradient-boosted-oblivious-trees-with-target-encoding", "随机森林与梯度提升决策树的组合方法"),
    *("svm", "W" * 40, "a", "b"),
)


@pytest.mark.parametrize("widest", [None, COMPACT, NARROW])
def test_no_label_of_a_critical_difference_diagram_is_cut(widest: float | None) -> None:
    ranks, bars = (1.0, 2.5, 3.0, 4.0, 5.0, 5.5), ((0, 1), (2, 3, 4))
    words = {"title": "", "description": ""}
    data = Picture(
        size=(6.8, 2.0), draw=lambda axes: draw_ranks(axes, LONG, ranks, bars, 9.5, ", at level 0.025"), **words
    )
    made = Figure(key="cd", kind="critical-difference", data=data, **words)
    axes = draw_on(made, widest=widest)
    whole = axes.get_figure(root=True)
    assert whole is not None
    with matplotlib_settings():
        whole.draw_without_rendering()
        for text in axes.texts:
            box = text.get_window_extent()
            assert whole.bbox.x0 <= box.x0 < box.x1 <= whole.bbox.x1, text.get_text()


def test_wins_and_scatter_have_the_means_of_the_table() -> None:
    one, other = MANY["svm"], MANY["tree"]
    won = sum(a > b for a, b in zip(one, other, strict=True))
    assert figure(many(), "wins").data.numbers["counts"][0][2] == (won, 0, 0)
    # brier is written as 0.3 (1 - accuracy) there: who wins stays
    up, down = (figure(league_with_metrics(), "wins", metric=m).data.numbers["counts"] for m in ("accuracy", "brier"))
    assert up == down
    made = figure(bayes(), "scatter")
    assert list(made.data.numbers["points"].values()) == list(zip(one, other, strict=True))
    assert "svm is better above the diagonal (10), tree on the other side (0)" in made.description
    assert 'aria-label="set-1: svm 0.880, tree 0.810"' in svg_inline(made)


def test_normalised_scores_run_from_the_baseline_to_the_best() -> None:
    made = figure(league_with_metrics(), "normalised").data.numbers
    for who, row in zip(made["learners"], made["values"], strict=True):
        for metric, value in zip(made["metrics"], row, strict=True):
            zero = 0.5 if metric != "brier" else 1 - 0.25 / 0.3  # in terms of accuracy
            best = [max(s[i] for s in MANY.values()) for i in range(10)]
            parts = [(MANY[who][i] - zero) / (best[i] - zero) for i in range(10)]
            assert value == pytest.approx(fsum(parts) / 10, abs=1e-12)


# Curves


def curves(kind: str, *changes: dict[str, Any]) -> Any:
    base = rich()
    one = next(c for c in base.curves if c.kind == kind)
    changed = replace(base, curves=tuple(replace(one, **change) for change in changes))
    return figure(changed, kind).data.numbers["series"]


def test_curves_pool_the_folds() -> None:
    """A ROC curve is interpolated, precision is that of the next recall reached, bins are weighted by their rows."""
    folds = ({"x": (0.0, 0.5, 1.0), "y": (0.0, 0.8, 1.0)}, {"x": (0.0, 1.0), "y": (0.0, 1.0)})
    (roc,) = curves("roc", *folds)
    middle, low = (dict(zip(GRID, values, strict=True)) for values in (roc.y, roc.low))
    assert (middle[0.5], middle[1.0]) == pytest.approx(((0.8 + 0.5) / 2, 1.0))
    assert low[0.5] == pytest.approx(0.5 + 0.1 * 0.3)
    (precision,) = curves("precision-recall", {"x": (0.0, 0.2, 1.0), "y": (1.0, 1.0, 0.4)})
    assert [y for x, y in zip(GRID, precision.y, strict=True) if x in (0.2, 0.5)] == [1.0, 0.4]
    first = {"x": (0.11, 0.85), "y": (0.0, 1.0), "weight": (10.0, 5.0), "fold": 0}
    (bins,) = curves("reliability", first, {"x": (0.19,), "y": (0.3,), "weight": (30.0,), "fold": 1})
    assert bins.x == pytest.approx(((0.11 * 10 + 0.19 * 30) / 40, 0.85))
    assert (bins.y, bins.rows) == (pytest.approx((0.3 * 30 / 40, 1.0)), (40.0, 5.0))
    asked = figure(rich(), "reliability", learners=("naive-bayes",)).data.numbers["series"]
    assert {s.learner for s in asked} == {"naive-bayes"}


def test_learning_curves_join_comparisons_of_different_sizes() -> None:
    made = figure(rich(), "learning-curve", dataset="letters").data.numbers["series"]
    assert {s.name: s.x for s in made} == dict.fromkeys(("tree", "naive-bayes"), (50, 100, 200, 400))
    scores = [0.85 - 2.0 / 50**0.5 + 0.003 * i for i in range(3)]
    assert made[0].y[0] == pytest.approx(fsum(scores) / 3)
    assert made[0].high[0] == pytest.approx(fsum(scores) / 3 + 0.003)


def test_tuning_profile_takes_the_best_mean_and_counts_the_chosen() -> None:
    shown = figure(rich(), "tuning-profile").data.numbers
    assert shown["values"] == ("2", "4", "8", "16")
    assert shown["chosen"] == (0, 7, 3, 0)
    assert shown["scores"][1] == pytest.approx(0.7 + 0.08 - 0.0016 * 16 + 0.005 * 4.5)


FIGURE_SIX = "simulate type-I of resampled-t, kfold-t with error 10%, resamples 5, 20, trials 100, seed 1"


@pytest.mark.parametrize(
    ("script", "title", "names", "places"),
    [
        (TYPE_ONE, "error rate", ["error 10%", "error 20%"], [0, 1]),
        (FIGURE_SIX, "number of resamples", ["resampled-t", "kfold-t"], [5.0, 20.0]),  # folds too
        (POWER, "difference of accuracies", ["it: averaged-t on wine"], [2, 20]),  # without the searches
    ],
)
def test_simulated_rates(script: str, title: str, names: list[str], places: list[float]) -> None:
    run = simulated(script)
    ((name, data),) = simulated_rates(run)
    assert name == "simulate-1"
    shown, (bottom, top) = data.numbers["series"], data.numbers["y_limits"]
    if script == TYPE_ONE:  # the tests stand side by side, a series for each error rate
        assert data.numbers["names"] == ("mcnemar", "kfold-t")
        shown = [s._replace(x=tuple(map(round, s.x))) for s in shown]
    assert title in data.title
    assert "Wilson" in data.description
    assert [(s.name, list(s.x)) for s in shown] == [(n, pytest.approx(places)) for n in names]
    rates = {o.rate: o.interval for o in run.simulations}
    for s in shown:
        for rate, low, high in zip(s.y, s.low, s.high, strict=True):
            assert bottom <= low == rates[rate].low <= rate <= high == rates[rate].high <= top


# Posteriors


def test_the_density_has_the_areas_of_the_verdict() -> None:
    """Added up over the axis from the curve that is drawn; scipy's t says the same."""
    made = figure(bayes(), "posterior-density")
    line, data = drawn(made)["density"], made.data.numbers
    x, y = line.get_xdata(), line.get_ydata()
    below = fsum((b - a) * (u + v) / 2 for a, b, u, v in zip(x, x[1:], y, y[1:], strict=False) if b <= -0.02)
    assert below == pytest.approx(data["shares"][0], abs=2e-3)  # what lies beyond five scales is not drawn
    exact = stats.t.cdf((-0.02 - data["centre"]) / data["scale"], data["df"])
    assert exact == pytest.approx(data["shares"][0], abs=1e-9)
    assert y == pytest.approx(stats.t.pdf(x, data["df"], data["centre"], data["scale"]))
    assert data["ends"] == ("tree", "naive-bayes")  # as in the headline: who is ahead, minus the other


def test_a_draw_lies_in_the_part_of_the_corner_with_most_weight() -> None:
    made = figure(bayes(), "posterior-simplex")
    cloud = drawn(made)["draws"]
    corners = ((0.0, 0.0), (0.5, 3**0.5 / 2), (1.0, 0.0))
    near = [
        min(range(3), key=lambda k: (x - corners[k][0]) ** 2 + (y - corners[k][1]) ** 2)
        for x, y in zip(cloud.get_xdata(), cloud.get_ydata(), strict=True)
    ]
    shares = [near.count(k) / len(near) for k in range(3)]
    assert shares == pytest.approx(made.data.numbers["shares"], abs=0.1)  # 4 standard errors of 400 draws
    assert 0.1 < shares[1] < 0.9  # a test that cannot be passed by a cloud in one corner


def test_a_page_of_many_metrics_draws_those_of_the_first_and_says_how_to_get_the_others() -> None:
    page = document(large(4, 5, 9))
    assert len([f for f in figures(page) if f.kind == "critical-difference"]) == 1
    said = [b.text for b in walk(page.blocks) if isinstance(b, Paragraph)]
    assert any('`result.figure(name, metric="f-score")` draws' in text for text in said)
