"""What each sentence means: trees, values, positions, the place of every comma and `because`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalang.codec import field_names
from evalang.language import nodes as n
from evalang.language.files import read_script
from evalang.language.grammar import RESERVED
from evalang.language.parser import parse
from evalang.language.text import SourceText

from .scripts import GOOD, tree


def one(text: str) -> Any:
    (statement,) = tree(text)
    return statement


def clause(text: str, kind: type[Any]) -> Any:
    return next(c for c in one(text).clauses if isinstance(c, kind))


def test_the_sentence() -> None:
    said = one("compare A vs B on D using 5x2cv, tune on 20%, bonferroni over datasets")
    tuning, correction = n.TuneOn(n.Amount(0.2, "%")), n.Correct(n.Name("bonferroni"), ("datasets",))
    clauses = (n.Using(n.SchemeNode("5x2cv", 5, 2)), tuning, correction)
    assert said == n.CompareStatement((n.Name("A"), n.Name("B")), (n.Name("D"),), clauses)


@pytest.mark.parametrize(
    ("written", "value", "unit"),
    [("20%", 0.2, "%"), ("1/5", 0.2, "/"), ("500 rows", 500, "rows"), ("2.5 points", 0.025, "points")],
)
def test_amounts(written: str, value: float, unit: str) -> None:
    part = clause(f"compare a vs b on d using 10cv, tune on {written}", n.TuneOn).part
    assert (part.value, part.unit) == (pytest.approx(value, abs=0), unit)
    assert part.text == written


@pytest.mark.parametrize(
    ("scheme", "kind", "expected"),
    [
        ("10cv", "cv", {"folds": 10}),
        ("10x5cv", "repeated-cv", {"count": 10, "folds": 5}),
        ("5x2cv", "5x2cv", {"count": 5, "folds": 2}),
        ("55 partitions of 10cv", "partitions-cv", {"count": 55, "folds": 10}),
        ("3 partitions of 5x2cv", "partitions-5x2cv", {"count": 3, "folds": 2}),
        ("10 halvings of 3x4cv", "halvings", {"count": 3, "folds": 4, "halvings": 10}),
        ("30 resamples of 2/3", "resamples", {"count": 30, "part": n.Amount(2 / 3, "/")}),
        ("8 trainings of 300", "trainings", {"count": 8, "rows": 300}),
        ("holdout 1000 rows", "holdout", {"part": n.Amount(1000, "rows")}),
        ("leave-one-out", "leave-one-out", {}),
        ("bootstrap 200", "bootstrap", {"count": 200}),
        ("forward 8 splits", "forward", {"count": 8}),
        ("given test", "given-test", {}),
        ("stratified 3cv", "cv", {"folds": 3, "stratified": True}),
        ("grouped stratified 3cv", "cv", {"folds": 3, "grouped": True, "stratified": True}),
    ],
)
def test_schemes(scheme: str, kind: str, expected: dict[str, Any]) -> None:
    from evalang.catalogue.schemes import find_scheme

    said = clause(f"compare a vs b on d using {scheme}", n.Using).scheme
    assert said == n.SchemeNode(kind, **expected)
    assert find_scheme(kind) is not None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", n.Number(1)),
        ("-1e-3", n.Number(-0.001)),
        ('"a ""b"" \\n"', n.Text('a "b" \\n')),
        ("true", n.Constant(True)),
        ("none", n.Constant(None)),
        ("rbf", n.Name("rbf")),
        ("10%", n.Amount(0.1, "%")),
        ("[[1], []]", n.Sequence((n.Sequence((n.Number(1),)), n.Sequence(())))),
    ],
)
def test_values(written: str, value: n.Value) -> None:
    (call,) = one(f"learner x is y(p = {written}, time = 1)").pipeline
    assert call.arguments[0] == n.Argument(n.Name("p"), value)
    assert call.arguments[1].name.text == "time"
    assert type(getattr(call.arguments[0].value, "value", None)) is type(getattr(value, "value", None))


@pytest.mark.parametrize(
    ("written", "grid"),
    [
        ("{1, 2}", n.GridSet((n.Number(1), n.Number(2)))),
        ("-3..-1", n.GridRange(n.Number(-3), n.Number(-1))),
        ("10^{-3..3}", n.GridPowers(n.Number(10), n.Number(-3), n.Number(3))),
        ("log(0.001, 1000, 7)", n.GridLog(n.Number(0.001), n.Number(1000), n.Number(7))),
    ],
)
def test_grids(written: str, grid: n.Grid) -> None:
    said = clause(f"learner x is svm, tune a.b in {written}, weights in {{1}}, calibrate platt", n.Tune)
    assert said.parameters[0] == n.TunedParameter(n.Name("a.b"), grid)
    assert said.parameters[1].name.text == "weights"


def test_because_of_the_statement_and_of_the_clause() -> None:
    text = 'compare a vs b on d allow EV401 because "one" allow EV402, because "two", because "three"'
    said = one(text)
    allowed = (n.Allow(n.Name("EV401"), n.Text("one")), n.Allow(n.Name("EV402"), n.Text("two")))
    assert said.clauses == (*allowed, n.Because(n.Text("three")))
    assert text[said.clauses[0].span.start : said.clauses[0].span.end] == 'allow EV401 because "one"'
    head, why = "compare a vs b on d expecting a better", n.Text("x")
    assert one(f'{head} because "x"').clauses == (n.Expecting(n.Name("a"), why),)
    assert one(f'{head}, because "x"').clauses == (n.Expecting(n.Name("a")), n.Because(why))
    assert one("set allow EV401").clause == n.Allow(n.Name("EV401"), None)
    assert one('set allow EV401 because "x"').clause == n.Allow(n.Name("EV401"), n.Text("x"))


def test_settings_of_a_simulation() -> None:
    said = clause("simulate power of c with n 300, error 10%, 20%, seed 1, trials 1000", n.With)
    settings = {s.name.text: [v.value for v in s.values] for s in said.settings}
    assert list(settings.items()) == [("n", [300]), ("error", [0.1, 0.2]), ("trials", [1000])]
    assert clause("simulate power of c with n 300, seed 1, trials 1000", n.Seed).value.value == 1


def test_claims() -> None:
    assert one("claim a no worse than b within 1% on d") == one("claim a no worse than b on d within 1%")
    assert one("claim a better than b on new datasets").new_datasets
    assert one("claim a better than b on new").datasets == (n.Name("new"),)
    assert one("claim a better than b on each of s").each
    assert one("claim this classifier a same as b on d").this_classifier


def test_names_are_composed_and_code_is_told_from_a_quoted_name() -> None:
    assert one("compare cafe\u0301 vs B on d").learners == (n.Name("caf\u00e9"), n.Name("B"))
    assert [one(f'learner x is "{name}"(d = 3)').pipeline[0].code for name in ("p.m:C", "p.m.C")] == [True, False]


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_never_names(word: str) -> None:
    for text in (f"compare a vs {word} on d", f"suite s is a, {word}", f"learner {word} is svm"):
        assert parse(SourceText("x", text))[1]
    assert one(f'suite s is a, "{word}"').members[1].text == word
    assert one(f"suite s is a, {word}-x").members[1].text == f"{word}-x"


@pytest.mark.parametrize("word", ["time", "control", "new", "all", "this", "tune"])
def test_other_words_may_be_names(word: str) -> None:
    assert one(f"compare {word} vs b on d").learners[0].text == word
    assert one(f"compare a vs {word} on {word}").datasets[0].text == word
    assert one(f'dataset {word} from builtin "iris"').name.text == word


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_a_good_script_is_read_and_every_node_knows_its_place(path: Path) -> None:
    """A node stands inside its parent, and a name, number or text on its own words."""
    source = read_script(path)
    script, findings = parse(source)
    assert not findings
    waiting: list[tuple[Any, int, int]] = [(s, 0, len(source.text)) for s in script.statements]
    seen = 0
    while waiting:
        node, start, end = waiting.pop()
        if isinstance(node, tuple):
            waiting += [(item, start, end) for item in node]
        elif isinstance(node, n.Node):
            seen += 1
            assert start <= node.span.start < node.span.end <= end, node
            assert node.span.path == str(path)
            text = source.cut(node.span)
            if isinstance(node, n.Number) or (isinstance(node, n.Name) and text[0] != '"' and text.isascii()):
                assert text == node.text
            elif isinstance(node, n.Text):
                assert text in (node.value, '"' + node.value.replace('"', '""') + '"')
            # Settings may go on after the seed that stands among them.
            inside = (0, len(source.text)) if isinstance(node, n.With) else (node.span.start, node.span.end)
            waiting += [(getattr(node, field), *inside) for field in field_names(type(node)) if field != "span"]
    assert seen > 3


def test_columns_need_no_quotes() -> None:
    quoted = 'where "age" > 18, drop "id", "day", target "class", groups "patient", time "hour"'
    bare = quoted.replace('"', "")
    assert one(f'dataset d from csv "d.csv", {quoted}') == one(f'dataset d from csv "d.csv", {bare}')
