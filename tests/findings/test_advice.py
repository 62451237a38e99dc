"""Every help and repair, applied as written, leads to a script without that finding and without a new one of weight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from evalang.catalogue.metrics import METRICS
from evalang.catalogue.tests import TESTS
from evalang.source.finding import Finding, Fix

from .advice import Design, followed
from .scripts import linted

SCHEMES = (
    "holdout 1/3", "10cv", "10x10cv", "5x2cv", "10x2cv", "55 partitions of 10cv", "10 partitions of 5x2cv",
    "30 resamples of 2/3", "8 trainings of 300", "leave-one-out", "bootstrap 50", "stratified 10cv",
    "unstratified 10x2cv",
)  # fmt: skip
NAMED = tuple(test.name for test in TESTS if test.learners != "one")
DATA = ("one", "one, two", "numbers", "visits", "visits, one", "prices")
TABLES = ("table", "sizes", "answers", "grouped")


def _designs() -> Iterator[Design]:
    for scheme in SCHEMES:
        yield from (Design(using=scheme, by=test) for test in ("", *NAMED))
        yield from (Design(using=scheme, data=data, learners=("decision-tree", _other(data))) for data in DATA)
        yield Design(using=scheme, learners=("decision-tree", "naive-bayes", "random-forest"))
        yield Design(using=scheme, learners=("tuned", "also"), others=())
        yield Design(using=scheme, learners=("raw", "decision-tree"))
        yield Design(using=scheme, learners=("reduced", "decision-tree"))
        yield Design(using=scheme, learners=("sure", "random-forest"), measuring="brier")
    for metric in METRICS:
        yield Design(using="10x2cv", measuring=metric.name, learners=("decision-tree", "random-forest"))
        yield Design(using="10x2cv", measuring=metric.name, data="numbers", learners=("decision-tree", "ridge"))
    for table in TABLES:
        yield from (Design(data=table, learners=("a", "b"), by=test) for test in ("", *NAMED))
    yield Design(data="official", using="given test")
    yield Design(data="agreed", using="given folds", by="kfold-t")
    yield Design(data="prices", using="forward 8 splits", learners=("ridge", "decision-tree"), measuring="rmse")


def _other(data: str) -> str:
    return "linear-regression" if data in ("numbers", "prices") else "naive-bayes"


DESIGNS = tuple(dict.fromkeys(_designs()))


def _weighty(text: str) -> list[Finding]:
    return [f for f in linted(text).findings if f.level != "note"]


def _mended(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, key=lambda one: one.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def wrong_advice(design: Design) -> Iterator[tuple[str, str, str]]:
    """(code, what was advised, what came of it) for every piece of advice that does not hold."""
    text = design.text
    before = _weighty(text)
    codes = {f.code for f in before}
    for found in before:
        ways = [(found.fix.title, _mended(text, found.fix))] if found.fix is not None else []
        way = followed(design, found.help)
        ways += [(found.help, way.text)] if way is not None else []
        for said, script in ways:
            after = {f.code for f in _weighty(script)}
            if found.code in after or after - codes:
                yield found.code, said, ", ".join(sorted(after - codes)) or f"{found.code} is still there"


@pytest.mark.parametrize("part", range(8))
def test_advice_applied_as_written(part: int) -> None:
    wrong = {one for design in DESIGNS[part::8] for one in wrong_advice(design)}
    assert wrong == set()


def test_the_designs_draw_advice_of_many_rules() -> None:
    told = {f.code for design in DESIGNS[::3] for f in _weighty(design.text) if f.fix or followed(design, f.help)}
    assert len(told) >= 12, told


def test_a_design_is_what_it_says() -> None:
    assert replace(Design(using="10cv"), by="mcnemar").text.endswith("on one using 10cv, by mcnemar, seed 1\n")
