"""The tests of a comparison: those it names, or the ones fit for its question."""

from __future__ import annotations

from ..catalogue.entry import MetricEntry, SchemeEntry, TestEntry
from ..catalogue.metrics import find_metric
from ..catalogue.tests import TESTS, find_test
from ..source.nearest import nearest
from ..source.record import Record
from ..syntax import nodes
from .default_test import interval, on_each, over_datasets
from .families import first_level
from .model import Metric, Test
from .problems import Problems
from .values import options


class Tests(Record):
    """What is tested on each dataset, what over datasets, and why something expected is not."""

    __test__ = False

    each: tuple[Test, ...] = ()
    over: tuple[Test, ...] = ()
    note: str = ""


class Question(Record):
    """What decides on the test: a kind of scheme or table, and how many learners, pairs and datasets there are."""

    scheme: SchemeEntry
    learners: int
    pairs: int
    datasets: int
    alpha: float
    estimate: bool = False


def default_tests(question: Question, metrics: tuple[Metric, ...]) -> Tests:
    """The tests when the script names none."""
    cards = tuple([card for m in metrics if (card := find_metric(m.name)) is not None])
    if question.estimate:
        return Tests(each=(interval(question.scheme, cards),))
    if question.scheme.only_scores:
        return Tests(over=over_datasets(question.learners, cards))
    each, note = on_each(question.scheme, question.learners, cards)
    if question.datasets < 2:
        return Tests(each=each, note=note)
    return _over(question, cards, each, note)


def _over(question: Question, metrics: tuple[MetricEntry, ...], each: tuple[Test, ...], note: str) -> Tests:
    """With tests over datasets, unless they could not reject however the datasets fall."""
    over = over_datasets(question.learners, metrics)
    card = find_test(over[-1].name) if over else None
    if card is None:
        return Tests(each=each, note=note)
    smallest = card.smallest_p(question.datasets, question.learners, 2)
    needed = first_level("holm", question.alpha, question.pairs)
    if smallest <= needed:
        return Tests(each=each, over=over, note=note)
    floor = f"with {question.datasets} datasets {card.name} cannot give a p below {smallest:.3g}"
    return Tests(each=each, note=f"no test over datasets: {floor}, and {needed:.3g} is needed")


def named_tests(by: nodes.By, data: str, estimate: bool, problems: Problems) -> Tests:
    """The tests that `by` names: one, or an omnibus with its post-hoc."""
    each: list[Test] = []
    over: list[Test] = []
    first: TestEntry | None = None
    for call in by.tests:
        card = _card(call, first, estimate, problems)
        if card is None:
            continue
        first = first or card
        test = Test(name=card.name, options=options(call.arguments, problems), span=call.span)
        spread = "over-datasets" in card.scopes and (data == "results" or "dataset" not in card.scopes)
        (over if spread else each).append(test)
    return Tests(each=tuple(each), over=tuple(over))


def _card(call: nodes.Call, first: TestEntry | None, estimate: bool, problems: Problems) -> TestEntry | None:
    card = find_test(call.name.text)
    if card is None:
        remedy = "see `evalang explain --all` for the tests"
        problems.unknown(call.name.span, "test", call.name.text, (t.name for t in TESTS), remedy)
        return None
    for_one = card.learners == "one"
    if estimate and not for_one and card.name != "bootstrap":
        help = "name wilson, clopper-pearson or bootstrap, or leave the choice to evalang"
        problems.disagree(call.span, f"{card.name} compares learners, and this is an estimate of one", help)
        return None
    if for_one and not estimate:
        help = "write estimate, or name a test that compares"
        problems.disagree(call.span, f"{card.name} judges one learner, and this is a comparison", help)
        return None
    if first is not None and first.name not in card.post_hoc_of:
        fitting = [t.name for t in TESTS if first.name in t.post_hoc_of]
        offer = f", or one of {', '.join(fitting)} after {first.name}" if fitting else ""
        problems.disagree(call.span, f"{card.name} is no post-hoc of {first.name}", f"name one test{offer}")
        return None
    for argument in call.arguments:
        word = argument.name.text
        if word not in card.options:
            near = nearest(word, card.options)
            offer = f"; did you mean {near}?" if near else f"; it has {', '.join(card.options) or 'none'}"
            problems.parameter(argument.span, f"{card.name} has no option {word}{offer}")
    return card
