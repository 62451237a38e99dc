"""Text, tables and pictures say the same: numbers are read back from each and compared with the record."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from evalang.reports import html, latex, markdown, terminal
from evalang.reports import json as json_report
from evalang.reports.assemble import document
from evalang.reports.document import figures
from evalang.reports.figures.picture import draw_on
from evalang.reports.sentences import words
from evalang.reports.tables import UNMET, paper_table
from evalang.reports.view import views
from evalang.results.records import Scores, Verdict
from evalang.results.run_result import RunResult

from ..support.html_page import Page, ReadTable
from ..support.results import MANY as SCORES
from ..support.results import many, mean_ranks, pair


def table(page: Page, caption: str) -> ReadTable:
    return next(t for t in page.tables if t.caption.startswith(caption))


def artists(figure_kind: str, base: RunResult, metric: str) -> dict:
    found = [f for f in figures(document(base)) if f.kind == figure_kind]
    figure = next(f for f in found if figure_kind == "forest" or f.title.endswith(metric))
    axes = draw_on(figure)
    return {a.get_gid(): a for a in axes.figure.findobj() if a.get_gid()}


def close(shown: float, value: float) -> bool:
    return abs(shown - value) <= 0.0005 + 1e-12


def assert_sentence_agrees(verdict: Verdict) -> None:
    """The sentence names the learner with the better mean; size, interval and wins are told from its side."""
    said, difference, test, interval = words(verdict).found, verdict.difference, verdict.test, verdict.interval
    assert difference is not None
    assert test is not None
    assert interval is not None
    (ends,) = re.findall(r"95% interval ([-\d.]+) to ([-\d.]+\d)", said)  # once, and on the side of the learner ahead
    way = -1 if difference < 0 else 1
    for shown, end in zip(map(float, ends), sorted((way * interval.low, way * interval.high)), strict=True):
        assert close(shown, end)
    if abs(difference) < 1e-12:
        assert "the mean scores are equal" in said
        return
    (ahead,) = re.findall(r"(?:^|: )`(\S+)` is (?:better than|ahead by)", said)
    means = {s.learner: s.mean or 0.0 for s in verdict.scores}
    assert ahead == (max if verdict.metric == "accuracy" else min)(means, key=lambda name: means[name])
    assert close(float(re.search(r"(higher|lower|ahead) by (\S+),", said)[2]), abs(difference))  # type: ignore[index]
    assert "t(9) = 2.50." in said
    assert "Cohen's dz = 0.79" in said
    assert ("lower by" in said) == (verdict.metric == "brier" and "is better than" in said)
    wins, losses = (test.wins, test.losses) if ahead == verdict.learners[0] else (test.losses, test.wins)
    assert f"; `{ahead}` wins {wins}, loses {losses} and ties {test.ties} of 10 folds" in said


@pytest.mark.parametrize("metric", ["accuracy", "brier"])
def test_difference_interval_and_p_agree_in_sentence_table_picture_and_json(metric: str) -> None:
    base = pair()
    page = Page(html.render(document(base), pictures=False))
    rows = table(page, f"Verdicts in {metric}").rows
    drawn = artists("forest", base, metric)
    assert {"rope-0", "rope-1"} <= set(drawn)
    panel = ["accuracy", "brier"].index(metric)
    places = next(f for f in figures(document(base)) if f.kind == "forest").data.numbers["labels"]
    answer = table(page, f"naive-bayes and tree in {metric}").rows
    published = [c for c in json.loads(json_report.render(base))["comparisons"] if c["metric"] == metric]
    mine = [v for v in base.verdicts if v.metric == metric]
    assert len(rows) == len(mine) == len(published) == 3
    for verdict, row, told, entry in zip(mine, rows, answer, published, strict=True):
        i = places.index(verdict.dataset)
        assert [told[3].text, told[4].text, told[-1].text] == [row[1].text, row[2].text, row[-1].text]
        difference, interval = verdict.difference, verdict.interval
        assert difference is not None
        assert interval is not None
        # table: the record holds tree minus naive-bayes, the headline says that naive-bayes is better
        assert close(float(row[1].text), -difference)
        low, high = (float(n) for n in row[2].text.split(" to "))
        assert close(low, -interval.high)
        assert close(high, -interval.low)
        # picture
        marks = drawn[f"marks-{panel}-{'filled' if verdict.settled else 'hollow'}"]
        assert (-difference, i) in list(zip(marks.get_xdata(), marks.get_ydata(), strict=True))
        # JSON carries the whole number
        assert entry["difference"] == difference
        assert entry["interval"]["low"] == interval.low
        assert entry["adjusted_p"] == verdict.adjusted_p
        # sentence
        assert_sentence_agrees(verdict)
        # verdict
        said_in_table = row[-1].text.removesuffix(UNMET)
        assert said_in_table in ("inconclusive", "naive-bayes better")
        assert (row[-1].text != said_in_table) == bool(verdict.unmet)
        assert (said_in_table == "inconclusive") == (verdict.adjusted_p > verdict.alpha)  # type: ignore[operator]


@pytest.mark.parametrize("metric", ["accuracy", "brier"])
def test_means_and_best_agree_between_formats_and_with_the_folds(metric: str) -> None:
    base = pair()
    made = document(base)
    read = table(Page(html.render(made, pictures=False)), f"naive-bayes and tree in {metric}")
    pick = max if metric == "accuracy" else min
    plain = terminal.render(made, full=True)
    tex = latex.render(made)
    text = markdown.render(made)
    for row in read.rows:
        scores = {}
        for learner, cell in zip(read.heads[1:3], row[1:3], strict=True):
            place = (row[0].text, learner, metric)
            mine = [r.score for r in base.scores.rows() if (r.dataset, r.learner, r.metric) == place]
            scores[learner] = sum(mine) / len(mine)  # type: ignore[arg-type]
            shown = cell.text.split(" ")[0]
            assert close(float(shown), scores[learner])
            for other in (plain, tex, text):
                assert shown in other
            assert (rf"\textbf{{{shown}" in tex) or not cell.bold
        best = pick(scores.values())
        assert [c.bold for c in row[1:3]] == [abs(s - best) < 1e-12 for s in scores.values()]


def test_marks_are_those_not_told_apart_from_the_best() -> None:
    read = paper_table(views(pair())[0], "accuracy")
    assert read is not None
    heads = [c.title for c in read.columns]
    marked = {(row[0].text, head) for row in read.rows for head, c in zip(heads, row, strict=True) if c.mark == "†"}
    assert marked == {("diabetes", "tree")}


def test_a_learner_that_failed_takes_no_score_from_the_other() -> None:
    base = pair()
    empty = tuple(replace(s, mean=None, spread=None) for s in base.verdicts[0].scores)
    failed = replace(base.verdicts[0], decision="undecided", test=None, adjusted_p=None, scores=empty)
    gone = ("tree", "heart", 3)
    rows = [r._replace(score=None) if (r.learner, r.dataset, r.fold) == gone else r for r in base.scores.rows()]
    made = replace(base, verdicts=(failed, *base.verdicts[1:]), scores=Scores.of(rows))
    read = paper_table(views(made)[0], "accuracy")
    assert read is not None
    heart = dict(zip((c.title for c in read.columns), (c.text for c in read.rows[0]), strict=True))
    assert heart == {"dataset": "heart", "tree": "failed", "naive-bayes": "0.830"}


def test_the_last_rows_are_the_mean_and_the_mean_rank() -> None:
    read = table(Page(html.render(document(many()), pictures=False)), "Mean accuracy")
    mean_row, rank_row = read.rows[-2:]
    assert [mean_row[0].text, rank_row[0].text] == ["mean", "mean rank"]
    expected = mean_ranks(SCORES)
    for head, mean_cell, rank_cell in zip(read.heads[1:], mean_row[1:], rank_row[1:], strict=True):
        assert close(float(mean_cell.text), sum(SCORES[head]) / 10)
        assert abs(float(rank_cell.text) - expected[head]) <= 0.005
        assert mean_cell.bold == rank_cell.bold == (head == "forest")
    assert read.heads[-1] == "majority"


def test_the_matrix_of_pairs_has_p_above_and_the_difference_below() -> None:
    base = many()
    read = table(Page(html.render(document(base), pictures=False)), "Pairs in accuracy")
    names = read.heads[1:]
    pairs = {frozenset(v.learners): v for v in base.verdicts if v.pair}
    for i, row in enumerate(read.rows):
        assert row[0].text == names[i]
        for j, cell in enumerate(row[1:]):
            if i == j:
                assert cell.text == ""
                continue
            verdict = pairs[frozenset((names[i], names[j]))]
            gap = verdict.difference if verdict.learners[0] == names[i] else -verdict.difference  # type: ignore[operator]
            assert close(float(cell.text), verdict.adjusted_p if j > i else gap)  # type: ignore[arg-type]
            assert cell.bold == verdict.settled
