"""Hints, hover, symbols, colours, repairs and formatting, against the plan and the tree they come from."""

from __future__ import annotations

import pytest

from evalang.editor.edits import all_safe, format_range, format_typed, format_whole, repairs
from evalang.editor.hover import hints, hover, lenses
from evalang.editor.navigation import folds, links, symbols
from evalang.editor.protocol import diagnoses, tokens
from evalang.editor.workspace import reading_of
from evalang.findings.fix import repair
from evalang.language.text import Edit, SourceText

TEXT = """set seed 20
learner mine is scale | svm(kernel = "rbf"), tune C in {1, 2, 4}
compare mine vs naive-bayes on iris, wine, digits
  using 5x2cv
  tune on 20%
  bonferroni over datasets
  as duel
claim mine better than naive-bayes on iris
"""


def written(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def test_hints_say_what_is_implicit() -> None:
    shown = [(hint.text, TEXT[: hint.offset].splitlines()[-1].split()[0]) for hint in hints(reading_of(TEXT))]
    assert ("question 9", "compare") in shown
    assert ("by corrected-t", "using") in shown
    # two learners, ten folds, three datasets; mine tries three settings and is trained again
    assert (f"{(3 + 1) * 10 * 3 + 10 * 3} fits", "using") in shown
    assert ("3 tests, level 0.0167", "bonferroni") in shown
    named = TEXT.replace("5x2cv\n", "5x2cv\n  by 5x2cv-t\n")
    assert not any(hint.text.startswith("by") for hint in hints(reading_of(named)))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("mine vs", "learner mine is scale | svm"),
        ("naive-bayes on", "naive-bayes: "),
        ("iris, wine", "150 rows"),
        ("5x2cv\n", "Five repeats"),
        ("bonferroni", "Bonferroni"),
        ("kernel", '`"linear"`'),
        ("C in", "**C** of svm"),
        ("compare", "**trainings:**"),
        ("tune on", "choose the best candidate"),
    ],
)
def test_hover_explains(word: str, said: str) -> None:
    found = hover(reading_of(TEXT), TEXT.index(word))
    assert found is not None
    assert said in found.text
    assert TEXT[found.span.start : found.span.end] == word.split()[0].rstrip(",")


def test_the_code_of_a_rule_shows_its_page() -> None:
    text = 'compare knn vs svm on iris using 10cv, allow EV310 because "x"\n'
    found = hover(reading_of(text), text.index("EV310"))
    assert found is not None
    assert found.text.startswith("# EV310")
    assert [target for _, target in links(reading_of(text))] == ["EV310"]


def test_a_finding_points_to_what_it_speaks_of() -> None:
    text = "learner tree is knn\nlearner tree is svm\ncompare tree vs knn on iris using 10cv, seed 1\n"
    related = next(related for finding, _, related in diagnoses(reading_of(text)) if finding.code == "EV003")
    assert [(span.start, said) for span, said in related] == [(8, "tree is defined here")]


def test_every_repair_is_offered_and_all_safe_ones_are_those_of_lint() -> None:
    text = TEXT.replace("  bonferroni over datasets\n", "").replace("set seed 20\n", "")
    reading = reading_of(text)
    offered = [r for r in repairs(reading, 0, len(text)) if r.finding is not None and not r.title.startswith("keep")]
    assert [r.edits for r in offered] == [f.fix.edits for f in reading.report.findings if f.fix is not None]
    assert len(offered) >= 2
    together = all_safe(reading)
    assert together is not None
    assert written(text, together.edits) == repair(SourceText("script.eval", text))
    kept = next(r for r in repairs(reading, 0, len(text)) if "allow EV501" in r.title)
    assert "EV501" not in [f.code for f in reading_of(written(text, kept.edits)).report.findings]


def test_symbols_folds_and_lenses() -> None:
    reading = reading_of("# one\n# two\n" + TEXT)
    claim = "mine better than naive-bayes on iris"
    shown = [(s.name, s.kind) for s in symbols(reading)]
    assert shown == [("set seed 20", "set"), ("mine", "learner"), ("duel", "compare"), (claim, "claim")]
    assert sorted(kind for _, kind in folds(reading)) == ["comment", "region"]
    assert [title for _, title, _ in lenses(reading)][1] == "plan: 150 fits"


def test_every_token_has_the_kind_of_its_role() -> None:
    reading = reading_of(TEXT + '# end\nresults time from csv "t.csv", datasets in "d"\n')
    shown = {(reading.source.text[start:end], kind) for start, end, kind, _ in tokens(reading)}
    names = {("mine", "class"), ("iris", "variable"), ("duel", "namespace"), ("scale", "function")}
    inner = {("C", "parameter"), ("kernel", "parameter"), ('"rbf"', "string"), ("5x2cv", "number")}
    words = {("using", "keyword"), ("# end", "comment"), ("bonferroni", "method"), ("datasets", "keyword")}
    assert names | inner | words <= shown
    starts = [start for start, *_ in tokens(reading)]
    assert starts == sorted(set(starts))


def test_formatting_of_the_whole_a_range_and_the_statement_just_left() -> None:
    untidy = "set  seed 1\nlearner a   is knn\nlearner b  is  svm\nlearner c usng\n"
    assert format_whole(reading_of(untidy)) == ()  # it has a mistake
    at = untidy.index("b  is")
    assert written(untidy, format_range(reading_of(untidy), at, at)) == untidy.replace("b  is  svm", "b is svm")
    left = "learner a   is knn\n\n"
    assert written(left, format_typed(reading_of(left), len(left))) == "learner a is knn\n\n"
    going = "compare a vs b on iris,\n"
    assert written(going, format_typed(reading_of(going), len(going))) == going + "  "
    whole = "set  seed 1\nlearner a   is knn\n"
    assert written(whole, format_whole(reading_of(whole))) == "set seed 1\nlearner a is knn\n"
