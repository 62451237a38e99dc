"""The headline says what the verdicts say and no more: random records, and the cases by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalang.language.text import Finding
from evalang.plans.model import Metric, Plan
from evalang.reports import html, latex, markdown, terminal
from evalang.reports.assemble import document
from evalang.reports.comparison import comparison_section
from evalang.reports.document import Figure, Paragraph, Section, walk
from evalang.reports.headline import Headline, headline, headlines
from evalang.reports.view import views
from evalang.results.numbers import estimate_of
from evalang.results.records import Interval, Posterior, Ranking, ScoreRow, Scores, Verdict
from evalang.results.run_result import RunResult

from ..support.results import bayes, comparison, interval, large, learner, many, mean_ranks, pair, result, rich, verdict

NAMES = ("majority", "tree", "forest", "svm", "knn")


@st.composite
def records(draw: st.DrawFn) -> RunResult:
    """Any scores and any p: two to five learners, a baseline among them, on one or several datasets or over them."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(2, 5))]
    over = draw(st.booleans())
    sets = tuple(f"set-{i}" for i in range(draw(st.integers(2, 6) if over else st.integers(1, 3))))
    metric = draw(st.sampled_from(("accuracy", "rmse")))
    sign = 1 if metric == "accuracy" else -1
    score = st.floats(0.1, 1.0).map(lambda x: round(x, 3))
    scores = {n: tuple(draw(score) for _ in sets) for n in names}
    verdicts = []
    places = (None,) if over else sets
    control = draw(st.none() | st.sampled_from(names)) if len(names) > 2 else None
    for first, second in combinations(names, 2):
        if control is not None and control not in (first, second):
            continue
        for place in places:
            at = [sets.index(place)] if place else range(len(sets))
            gap = sum(scores[first][i] - scores[second][i] for i in at) / len(at)
            p = draw(st.floats(0.0, 1.0))
            settled = p <= 0.05 and gap != 0
            decision = ("first-better" if gap * sign > 0 else "second-better") if settled else "not-settled"
            half = abs(gap) * 0.5 if settled else abs(gap) + 0.1
            kind = draw(st.sampled_from(("undecided", "", "", "", "")))
            verdicts.append(
                verdict(
                    "c",
                    place,
                    (first, second),
                    None if kind else result("wilcoxon", gap, p, half, unit="dataset" if over else "fold"),
                    metric=metric,
                    adjusted_p=None if kind else p,
                    family_size=3,
                    correction="holm",
                    decision=kind or decision,
                    undecided_because="a trial failed" if kind else "",
                    datasets=sets if over else (),
                    question=9 if over else 8,
                )
            )
    rankings = ()
    if over and len(names) > 2:
        ranks = mean_ranks({n: tuple(sign * x for x in s) for n, s in scores.items()})
        rankings = (
            Ranking(comparison="c", metric=metric, learners=tuple(ranks), ranks=tuple(ranks.values()), n_datasets=9),
        )
    rows = [ScoreRow("c", n, d, 0, 0, 0, metric, s) for n in names for d, s in zip(sets, scores[n], strict=True)]
    design = comparison("c", tuple(names), sets, metrics=(Metric(metric),), control=control)
    plan = Plan(1, "c.eval", comparisons=(design,), learners=tuple(learner(n, implicit=True) for n in names))
    return RunResult(plan=plan, verdicts=tuple(verdicts), rankings=rankings, scores=Scores.of(rows))


@given(records())
def test_better_is_said_of_settled_pairs_alone(record: RunResult) -> None:
    (told,) = headlines(record)
    shown = {}
    for v in record.verdicts:
        shown.setdefault(frozenset(v.learners), []).append(v)
    for winner, loser in told.better:
        mine = [v for v in shown[frozenset((winner, loser))] if v.decision in ("first-better", "second-better")]
        assert any(v.learners[0 if v.decision == "first-better" else 1] == winner for v in mine)
        assert all(v.adjusted_p is not None and v.adjusted_p <= v.alpha for v in mine)
    if not any(v.settled for v in record.verdicts):
        assert told.better == ()
        assert not re.search(r"\b(is|are) (better than|worse)\b", told.text)
    for first, second in told.open:
        assert not all(v.settled for v in shown[frozenset((first, second))])


@given(records())
def test_the_leader_named_is_the_one_of_the_table(record: RunResult) -> None:
    (told,) = headlines(record)
    learners = record.plan.comparisons[0].learners
    if len(learners) == 2 or not record.rankings:
        return
    ranks = dict(zip(record.rankings[0].learners, record.rankings[0].ranks, strict=True))
    assert f"{ranks[told.leader]:.9f}" == f"{min(ranks.values()):.9f}"
    others = {n for n in ranks if f"{ranks[n]:.9f}" == f"{ranks[told.leader]:.9f}"}
    assert told.leader != "majority" or others == {"majority"}
    if others == {told.leader}:
        assert told.text.count(" has the best mean") == 1
        assert re.search(rf"`{told.leader}`(, a baseline,)? has the best mean", told.text)


@given(records())
def test_an_interval_that_is_printed_contains_the_estimate_beside_it(record: RunResult) -> None:
    (told,) = headlines(record)
    for size, low, high in re.findall(
        r"by (\d[\d.]*), (?:\d+% |simultaneous )?interval (-?[\d.]+) to (-?[\d.]+)", told.text
    ):
        assert float(low) - 0.002 <= float(size) <= float(high) + 0.002
    for v in record.verdicts:
        if v.interval is not None:
            estimate = estimate_of(v)
            assert estimate is not None
            assert v.interval.low - 1e-9 <= estimate <= v.interval.high + 1e-9


@given(records())
def test_baselines_are_named_last(record: RunResult) -> None:
    (told,) = headlines(record)
    for listed in re.findall(r"(?:better than|differ significantly from|tested against) ([\w, `-]+?)[;.]", told.text):
        names = [n.strip("`") for n in re.split(r", | and ", listed) if n]
        assert "majority" not in names[:-1]


@given(records())
def test_every_format_begins_with_the_headline(record: RunResult) -> None:
    (told,) = headlines(record)
    made = document(record)
    first = made.blocks[0]
    assert isinstance(first, Section)
    assert next(b for b in first.blocks if isinstance(b, Paragraph)).text == told.text
    opening = told.sentences[0].split(" (")[0][:30]
    plain = re.sub(r"\s+", " ", terminal.render_summary(made))
    assert plain.startswith(opening)
    assert opening.split(" in ")[0] in markdown.render(made)
    assert opening.split(" in ")[0].partition("`")[0] in latex.render(made)


def test_a_report_shows_its_one_picture_right_behind_the_headline() -> None:
    kinds = {}
    for name, record in (("pair", pair()), ("many", many()), ("control", large(5, 4, 1, False, True))):
        answer = document(record).blocks[0]
        assert isinstance(answer, Section)
        kinds[name] = [b.kind for b in answer.blocks if isinstance(b, Figure)]
    assert kinds == {"pair": ["forest"], "many": ["critical-difference"], "control": ["forest"]}
    page = html.render(document(many()))
    assert page.index("<code>forest</code> has the best mean") < page.index("<svg") < page.index("<table")


def on_heart(base: RunResult, *verdicts: Verdict) -> Headline:
    design = replace(base.plan.comparisons[0], datasets=("heart",))
    return headlines(replace(base, plan=replace(base.plan, comparisons=(design,)), verdicts=verdicts))[0]


def one(**changes: Any) -> Headline:
    base = pair()
    return on_heart(base, replace(base.verdicts[0], unmet=(), **changes))


def test_two_learners_on_one_dataset() -> None:
    said = one().text
    size = "accuracy higher by 0.080, 95% interval 0.060 to 0.100"
    assert said.startswith(f"`naive-bayes` is better than `tree` on `heart`: {size}")
    assert "`naive-bayes` wins 7, loses 1 and ties 2 of 10 folds (corrected-t, adjusted p = 0.002)." in said
    assert said.endswith(
        "The difference matters in practice: the 95% interval lies outside the equivalence margin of 0.010."
    )


def test_an_open_pair_says_who_is_ahead_and_no_more() -> None:
    told = one(decision="not-settled", adjusted_p=0.42, matters="cannot-tell")
    assert told.text.startswith("No significant difference between `tree` and `naive-bayes` on `heart` in accuracy:")
    assert (told.leader, told.open) == ("", (("tree", "naive-bayes"),))


def test_a_failed_trial_is_said_with_its_reason() -> None:
    told = one(decision="undecided", test=None, scores=(), adjusted_p=None, undecided_because="tree failed on fold 3.")
    assert told.text == "There is no verdict on `tree` and `naive-bayes` on `heart` in accuracy: tree failed on fold 3."


def test_an_interval_around_another_estimate_is_not_set_beside_the_mean() -> None:
    test = result("5x2cv-t", -0.08, 0.001, details=(("first_difference", -0.2),))
    told = one(test=replace(test, interval=interval(-0.3, -0.1)), matters="cannot-tell")
    assert "higher by 0.080; `naive-bayes` wins" in told.text
    assert "interval" not in told.sentences[0]


def test_a_direction_without_a_size_is_said_so() -> None:
    wide = Interval(low=-0.2, high=0.04, level=0.99, method="", kind="simultaneous", members=6)
    told = one(corrected_interval=wide, rope=None, matters="no-rope")
    assert told.sentences[-1].startswith("The direction is significant, but the size is uncertain")


def test_tests_that_do_not_agree_are_named() -> None:
    base = pair()
    first = base.verdicts[0]
    second = replace(first, test=result("5x2cv-f", -0.08, 0.3), decision="not-settled", adjusted_p=0.3)
    told = on_heart(base, first, second)
    assert "corrected-t: `naive-bayes` is better; 5x2cv-f: inconclusive" in told.text
    assert told.leader == ""


def test_the_same_outcome_in_another_metric_is_the_same_on_every_dataset() -> None:
    base = pair()
    assert headlines(base)[0].text.endswith("The outcome is the same in brier.")
    turned = {"heart": "not-settled", "diabetes": "second-better", "iris": "not-settled"}  # as many, on another dataset
    moved = tuple(
        replace(v, decision=turned[v.dataset or ""], adjusted_p=0.01) if v.metric == "brier" else v  # type: ignore[arg-type]
        for v in base.verdicts
    )
    told = headlines(replace(base, verdicts=moved))[0].text
    assert told.endswith("In brier, `naive-bayes` is better on `diabetes`, inconclusive on `heart` and `iris`.")


def test_the_probabilities_of_a_posterior_and_what_would_settle_it() -> None:
    told = next(h for h in headlines(rich()) if h.comparison == "bayes")
    assert told.picture == "posterior"
    assert all(share in told.text for share in ("0.080", "0.210", "0.710"))
    test = result(
        "bayes-correlated-t", -0.08, None, posterior=Posterior(p_left=0.97, p_rope=0.02, p_right=0.01, rope=0.01)
    )
    assert one(test=test, adjusted_p=None).text.startswith("`naive-bayes` is better than `tree` on `heart` in")
    over, on = headlines(bayes())
    assert over.text.startswith("Neither of `svm` and `tree` is clearly better")
    assert "A verdict needs a probability of at least 0.95." in over.text
    assert on.text.startswith("`naive-bayes` is better than `tree` on `heart`")
    assert "settles it" not in on.text


def test_items_are_called_items() -> None:
    league = many()
    items = tuple(replace(v, test=replace(v.test, unit="item")) for v in league.verdicts)  # type: ignore[type-var]
    told = headlines(replace(league, verdicts=items))[0].text
    assert "over 10 items" in told
    assert "dataset" not in told
    base = pair()
    counted = replace(base, verdicts=tuple(replace(v, units="198 items, 5 epochs each") for v in base.verdicts))
    assert "198 items, 5 epochs each" in document(counted).subtitle
    assert "dataset" not in document(counted).subtitle
    assert "3 datasets" in document(base).subtitle


def test_estimates_and_scores_without_a_test() -> None:
    told = {h.comparison: h.text for h in headlines(rich())}
    assert told["alone"] == "`tree` has accuracy 0.750 (95% interval 0.712 to 0.788) on `heart`."
    assert told["sizes"] == "`tree` and `naive-bayes` were scored but not tested, so there is no verdict."


@pytest.mark.parametrize("code", ["EV105", "EV120"])
@pytest.mark.parametrize("allowed", [False, True])
def test_a_leak_stands_under_the_answer(allowed: bool, code: str) -> None:
    leak = Finding(code=code, name="rows-repeated", level="warning", message="12 rows of heart are twins.", help="")
    base = pair()
    made = document(replace(base, allowed=((leak, "they are real"),)) if allowed else replace(base, findings=(leak,)))
    for written in (terminal.render(made), markdown.render(made), html.render(made, pictures=False)):
        written = re.sub("`|</?code>", "", written)
        told = written.index("12 rows of heart are twins")
        assert written.index("naive-bayes is better") < written.index("Possible data leakage") < told
        assert told < written.index("Difference:")  # before the table


def test_a_metric_of_the_users_own_goes_by_its_name() -> None:
    """Which side is better is said by the tables' titles and the methods, not in every sentence and label."""
    label = "return(better = lower)"
    base = pair()
    (view, *_) = views(replace(base, verdicts=tuple(replace(v, metric=label) for v in base.verdicts)))
    view = replace(view, metrics=(label,))
    told = headline(view).text
    assert "in return" in told or "return lower" in told
    assert "(better" not in told
    for block in walk(comparison_section(view).blocks):
        shown = [getattr(block, name, "") for name in ("text", "title", "summary", "description")]
        shown += list(getattr(block, "notes", ())) + [c.title for c in getattr(block, "columns", ())]
        assert not any("(better" in words for words in shown)


def test_a_condition_stands_once_right_under_the_answer_it_limits() -> None:
    base = pair()
    limited = replace(base, verdicts=tuple(replace(v, unmet=("Few rows.",)) for v in base.verdicts))
    made = document(limited, background=False, pictures=False)
    said = [b.text for b in walk(made.blocks) if isinstance(b, Paragraph)]
    assert said[0] == headlines(base)[0].text
    assert said[1].startswith("Few rows. This warning applies to all")
    assert sum("Few rows." in text for text in said) == 1


def test_a_failed_learner_among_several_leaves_an_answer() -> None:
    """A learner without a score leaves no order of all; the report still begins with an answer."""
    names = ("tree", "forest", "svm")
    rows = [ScoreRow("c", n, "d", 0, 0, 0, "accuracy", s) for n, s in (("forest", 0.9), ("svm", 0.8))]
    more: dict[str, Any] = {"decision": "undecided", "undecided_because": "tree has no score", "family_size": 3}
    pairs = [verdict("c", "d", two, None, correction="holm", **more) for two in combinations(names, 2)]
    learners = tuple(learner(n, implicit=True) for n in names)
    plan = Plan(1, "c.eval", comparisons=(comparison("c", names, ("d",)),), learners=learners)
    record = RunResult(plan=plan, verdicts=tuple(pairs), scores=Scores.of(rows))
    (told,) = headlines(record)
    assert told.text == "There is no verdict on `tree`, `forest` and `svm` in accuracy: tree has no score."
    test = result("corrected-t", 0.1, 0.01, 0.05)
    settled = replace(pairs[-1], decision="first-better", undecided_because="", test=test)
    (told,) = headlines(replace(record, verdicts=(*pairs[:-1], settled)))
    assert told.better == (("forest", "svm"),)
    assert "in accuracy: tree has no score." in told.text
    assert told.text.endswith("`forest` is better than `svm`; 2 of 3 pairs have no verdict.")
    open_ = replace(settled, decision="not-settled", test=replace(test, pvalue=0.4), adjusted_p=0.4)
    (told,) = headlines(replace(record, verdicts=(*pairs[:-1], open_)))
    assert told.better == ()
    assert told.text.endswith(
        "2 of 3 pairs have no verdict; no significant difference was found between `forest` and `svm`."
    )
