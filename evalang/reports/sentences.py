"""Verdicts and estimates in words: what was found, whether it matters, what the answer applies to.

`say` is the one sentence about a verdict; a headline has it at its short length, the appendix at its full one. A
difference that was not found is never called absent: the power of the design stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

from ..catalogue.tests import find_test
from ..results import numbers
from ..results.numbers import estimate_of, own_estimate, touches_zero, turned
from ..results.records import Estimate, Interval, Posterior, TestResult, Verdict
from ..verdicts.decide import (
    DECISIVE_PROBABILITY,
    contradicts_itself,
    ranks_differ,
    select_effect_interval,
    sides_differ,
)

ABSENCE = "Inconclusive does not mean that there is no difference."
NO_MARGIN = "The comparison has no equivalence margin, so it is not judged whether the difference matters in practice."
DIRECTION_ONLY = "Direction significant, size uncertain: the simultaneous interval contains 0."
ONLY_WHETHER = "The result is whether all learners are equal, not which one is better."
NOT_FOUND = "no significant difference was found"
# Words for decisions and claims; the records keep the values of result files.
LABELS = {
    "not-settled": "inconclusive",
    "differ": "different, direction unclear",
    "undecided": "no verdict",
    "equivalent": "equivalent",
    "not-equivalent": "not equivalent",
}
STATUS_LABELS = {"not settled": "inconclusive"}
# Statistics whose sign is that of the difference.
SIGNED = (
    "t",
    "z",
    "mean t",
    "z of mean ranks",
    "difference",
    "posterior mean",
    "mean weight above less below the rope",
)
COUNTED = ("fold", "dataset", "item")  # units of which a win is something a reader can picture
MOST_CLEAR = 3  # pairs that are named where the others are counted
MOST_CLAIMS = 6  # outcomes and places that are named; more are counted


class Words(NamedTuple):
    """The sentences of one verdict. An empty one is left out."""

    found: str
    power: str
    matters: str
    conditions: str
    scope: str

    def text(self) -> str:
        """Return all sentences in one paragraph."""
        return " ".join(filter(None, self))


def words(verdict: Verdict) -> Words:
    """Return the sentences of a verdict."""
    notes = verdict.test.notes if verdict.test else ()
    made = (
        " ".join(filter(None, (say(verdict, full=True), numbers.these_sentence(verdict), *notes))),
        _power(verdict),
        matters(verdict),
        _conditions(verdict.unmet),
        "" if verdict.decision == "undecided" else _scope_of(verdict),
    )
    return Words(*(models(text, verdict.learners) if verdict.units else text for text in made))


_LEARNER = re.compile(r"(?<![\w-])(l|L)earner(s?)(?![\w-])")


def models(text: str, names: Iterable[str] = ()) -> str:
    """Return the text about items, in which learners are models; a name keeps the word.

    >>> models("the 3 learners differ"), models("my learner", ["my learner"])
    ('the 3 models differ', 'my learner')
    """
    if any(map(_LEARNER.search, names)):
        return text
    return _LEARNER.sub(lambda m: f"{'m' if m[1] == 'l' else 'M'}odel{m[2]}", text)


# What was found


def winner(verdict: Verdict) -> str | None:
    """Return the learner that a verdict on a pair shows to be better."""
    if not verdict.pair:
        return None
    return {"first-better": verdict.learners[0], "second-better": verdict.learners[1]}.get(verdict.decision)


def loser(verdict: Verdict) -> str | None:
    """Return the learner that a verdict on a pair shows to be worse."""
    found = winner(verdict)
    return None if found is None else next(name for name in verdict.learners if name != found)


def short(verdict: Verdict) -> str:
    """Return the verdict in two or three words, for a table."""
    if found := winner(verdict):
        return f"{found} better"
    return LABELS[verdict.decision] + (_within(verdict) if "equivalent" in verdict.decision else "")


def say(verdict: Verdict, unit: str = "dataset", last: Collection[str] = (), full: bool = False) -> str:
    """Return one verdict in one sentence, from the winner's side; `full` gives everything that a paper would quote.

    A test over datasets counts `unit`s; of two learners that are alike, those in `last` are named second.
    """
    metric, test, found = verdict.metric, verdict.test, winner(verdict)
    place = _place(verdict, unit)
    if verdict.pair:
        both = " and ".join(sorted(verdict.learners, key=lambda name: name in last))
    else:
        both = f"the {numbers.plural(len(verdict.learners), 'learner')}"
    if verdict.decision == "undecided" or (test is None and not verdict.pair):
        ahead = f"; {_ahead(verdict, full)}" if verdict.difference is not None else ""
        return f"There is no verdict on {both} {place} in {metric}: {reason([verdict])}{ahead}."
    proof = f" ({_proof(verdict, full)})"
    if not verdict.pair:
        if verdict.decision != "differ":
            return f"No significant difference among {both} {place} in {metric}{proof}."
        alone = ", but no pair differs significantly" if verdict.settled_pairs == 0 else ""
        return f"{_capital(both)} are not all equal {place} in {metric}{alone}{proof}."
    if test is not None and test.posterior is not None:
        outcome = f"Neither of {both} is clearly better"
        if found or verdict.decision == "equivalent":
            outcome = f"{found} is better than {loser(verdict)}" if found else f"{both} are practically equal"
        decisive = "" if verdict.settled else f" ({DECISIVE_PROBABILITY:g} would be decisive)"
        more = f"{proof[:-1]}; outside the families of p-values)" if full else ""
        return f"{outcome} {place} in {metric}: {_probabilities(verdict, test.posterior)}{decisive}{more}."
    if found is not None:
        return f"{found} is better than {loser(verdict)} {place}: {metric} {_size(verdict, found, full)}{proof}."
    if verdict.decision == "differ":
        return f"{both} differ {place} in {metric}, but the direction is unclear: {_ahead(verdict, full)}{proof}."
    equivalent = f"equivalent{_within(verdict)} {place} in {metric}: {_ahead(verdict, full)}{proof}."
    if verdict.decision in ("equivalent", "not-equivalent"):
        return f"{both} are {'not ' * (verdict.decision == 'not-equivalent')}{equivalent}"
    if test is not None and test.test == "tost":
        return f"Inconclusive whether {both} are {equivalent}"
    against = _against_p(verdict)
    return f"No significant difference between {both} {place} in {metric}{against}: {_ahead(verdict, full)}{proof}."


def reason(verdicts: Iterable[Verdict], otherwise: str = "no test was made") -> str:
    """Return the first reason for which nothing was decided."""
    return next((v.undecided_because for v in verdicts if v.undecided_because), otherwise).rstrip(".")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _place(verdict: Verdict, unit: str) -> str:
    units = f" ({verdict.units})" if verdict.units else ""
    if verdict.dataset is not None:
        return f"on {verdict.dataset}{units}"
    over = numbers.plural(len(verdict.datasets), unit) if verdict.datasets else "the datasets"
    return f"over {over}{units}"


def _within(verdict: Verdict) -> str:
    return f" within {numbers.score(verdict.rope, verdict.metric)}" if verdict.rope else ""


def _probabilities(verdict: Verdict, posterior: Posterior) -> str:
    """Return the three shares of a posterior, the larger of the outer two first."""
    shares = numbers.sides(posterior, verdict.metric)
    way = 1 if shares[0] >= shares[2] else -1
    first, second = verdict.learners[::way]
    better, neither, worse = (numbers.probability(x) for x in shares[::way])
    margin = numbers.score(posterior.rope, verdict.metric)
    return (
        f"probability {better} that {first} is better by more than {margin}, {worse} that {second} is, {neither} "
        "neither"
    )


def _size(verdict: Verdict, found: str, full: bool) -> str:
    """Return `higher by 0.137, 95% interval 0.100 to 0.174`, always positive on the winner's side."""
    side = "higher" if numbers.higher_is_better(verdict.metric) else "lower"
    if verdict.difference is None or abs(verdict.difference) < numbers.NOISE:
        return f"{side} more often than the other way round{_wins(verdict, found)}"
    return f"{side} by {_amount(verdict, verdict.difference, full)}{_wins(verdict, found)}"


def _ahead(verdict: Verdict, full: bool) -> str:
    """Return which learner is ahead and by how much."""
    difference = verdict.difference
    if difference is None:
        return "no difference was computed"
    if abs(difference) < numbers.NOISE:
        by_median = verdict.test is not None and verdict.test.test in ("sign", "wilcoxon")
        zero = "the median difference is zero" if by_median else "the mean scores are equal"
        return f"{zero}{_interval(verdict, difference, full)}"
    ahead = verdict.learners[0 if (difference > 0) == numbers.higher_is_better(verdict.metric) else 1]
    return f"{ahead} is ahead by {_amount(verdict, difference, full)}{_wins(verdict, ahead)}"


def _amount(verdict: Verdict, difference: float, full: bool) -> str:
    return f"{numbers.score(abs(difference), verdict.metric)}{_interval(verdict, difference, full)}"


def _interval(verdict: Verdict, difference: float, full: bool) -> str:
    """Return the interval on the side of the difference, in a full sentence with what it is of.

    That of 5x2cv-t lies around another number, so a short sentence leaves it out.
    """
    interval, narrow = verdict.interval, verdict.equivalence_interval
    alike = "equivalent" in verdict.decision or (verdict.test is not None and verdict.test.test == "tost")
    if interval is None or (not full and (own_estimate(verdict) or not _has_end(interval))):
        return ""
    turn = difference < 0
    of = f" of {' minus '.join(verdict.learners[:: -1 if turn else 1])}"
    ends = numbers.interval(turned(interval) if turn else interval, verdict.metric)
    text = f", {numbers.interval_word(interval)} {ends}"
    if full:
        touches = ", which touches 0" if touches_zero(interval) else ""
        estimate = estimate_of(verdict)
        if own_estimate(verdict) and estimate is not None:
            first = numbers.signed(-estimate if turn else estimate, verdict.metric)
            touches += f" around the first difference, {first}"
        text = f", {numbers.interval_name(interval)}{of} {ends}{touches}"
    if narrow is None or own_estimate(verdict) or not (full or alike):
        return text
    ends = numbers.interval(turned(narrow) if turn else narrow, verdict.metric)
    return f"{text}; {numbers.interval_level(narrow)} for equivalence {ends}"


def _has_end(interval: Interval) -> bool:
    return isfinite(interval.low) or isfinite(interval.high)


def _wins(verdict: Verdict, found: str) -> str:
    test = verdict.test
    if test is None or test.unit not in COUNTED or not (counted := test.wins + test.ties + test.losses):
        return ""
    won, lost = (test.wins, test.losses) if found == verdict.learners[0] else (test.losses, test.wins)
    shown = [f"wins {won}", f"loses {lost}", *([f"ties {test.ties}"] if test.ties else [])]
    return f"; it {numbers.listing(shown)} of {numbers.plural(counted, test.unit)}"


def _proof(verdict: Verdict, full: bool) -> str:
    """Return test and p, in a full sentence with statistic, correction, effect and number of units."""
    test = verdict.test
    if test is None:
        return "no test"
    if not full:
        if verdict.stopped is None:
            return ", ".join(filter(None, (test.test, numbers.p_of(verdict))))
        more = "more repeats would almost certainly not change the verdict"
        return f"{test.test}, stopped at {numbers.stopped_at(verdict)}: {more}"
    side = "" if test.alternative == "two-sided" else "one-sided"
    test = _from_this_side(verdict, test)
    named = ", ".join(filter(None, (test.test, numbers.statistic(test), side)))
    effect = f"{test.effect.name} {numbers.decimal(test.effect.value, 2)}" if test.effect is not None else ""
    counted = test.unit in COUNTED and test.wins + test.ties + test.losses  # the sentence has them
    units = numbers.plural(test.n_units, test.unit) if test.n_units and not counted else ""
    return "; ".join(filter(None, (named, _p(verdict, test), effect, units)))


def _from_this_side(verdict: Verdict, test: TestResult) -> TestResult:
    """Return the test with statistic and effect on the side of its sentence, as the difference and its interval."""
    if not verdict.pair:
        return test
    first, second = verdict.learners
    difference = 0.0 if verdict.difference is None or abs(verdict.difference) < numbers.NOISE else verdict.difference
    ahead = winner(verdict)
    if difference and ahead is None:
        ahead = first if (difference > 0) == numbers.higher_is_better(verdict.metric) else second
    name, value, effect = test.statistic_name, test.statistic, test.effect
    by_wins = effect is not None and effect.name == "probability of superiority"  # not turned with the metric
    if effect is not None and (ahead == second if by_wins else difference < 0):
        effect = numbers.other_way_round(effect)
    if value is not None and ahead == second and name == "wins":
        value += test.losses - test.wins
    elif value is not None and difference < 0 and (name in SIGNED or name.startswith("mean difference")):
        value = 0.0 - value
    named = {"W+": f"W+ of {first} minus {second}"}.get(name, name.replace("the first", first))
    return replace(test, statistic=value, statistic_name=named, effect=effect)


def _p(verdict: Verdict, test: TestResult) -> str:
    """Return p and how it was corrected."""
    if verdict.stopped is not None:
        return numbers.stopped_words(verdict)
    if verdict.adjusted_p is None:
        return "" if test.pvalue is None else numbers.p_is(test.pvalue, verdict.alpha)
    size, blocks = verdict.family_size, verdict.family_blocks
    factor = f", then multiplied by {blocks} (the groups of tests in its family)" if blocks > 1 else ""
    card = find_test(test.test)
    how = ""
    if size > 1 and verdict.correction == "uncorrected":
        how = f", not corrected, though {numbers.plural(size, 'test was', 'tests were')} made"
    elif size > 1:
        how = f" by {verdict.correction} over a family of {family_of(size, verdict.family_missing)}"
    elif card is not None and card.post_hoc_of and card.learners == "many":
        how = ", corrected for all pairs"
    elif blocks == 1 and verdict.adjusted_p == test.pvalue:
        how = ", the only test of its family"
    return f"{numbers.p_of(verdict)}{how}{factor}"


def family_of(size: int, missing: int) -> str:
    """Return the number of tests of a family; those that could not be computed count as well."""
    uncomputed = f", counting {numbers.count(missing)} that could not be computed" if missing else ""
    return numbers.plural(size, "test") + uncomputed


def _against_p(verdict: Verdict) -> str:
    """Return why nothing is decided although p is significant."""
    if verdict.test is None or verdict.adjusted_p is None or verdict.adjusted_p > verdict.alpha:
        return ""
    if contradicts_itself(verdict.test):
        return ", because the first difference and the mean of all ten point to different sides"
    if ranks_differ(verdict.test, 1 if numbers.higher_is_better(verdict.metric) else -1):
        return ", because mean ranks and mean scores point to different sides"
    if sides_differ(verdict.test):
        return ", because the interval of the test contains 0 although p is significant"
    return ""


# Whether it matters, and what would have been found


def matters(verdict: Verdict) -> str:
    """Return whether the difference matters in practice."""
    if not verdict.pair or verdict.decision == "undecided":
        return ""
    if verdict.direction_only:
        return DIRECTION_ONLY
    if verdict.matters == "no-rope" or verdict.rope is None:
        return NO_MARGIN
    margin = f"the equivalence margin of {numbers.score(verdict.rope, verdict.metric)}"
    inside = verdict.matters == "too-small"
    interval = (verdict.equivalence_interval if inside else None) or verdict.interval
    what = "interval" if interval is None else numbers.interval_level(interval)
    if verdict.test is not None and verdict.test.posterior is not None:
        what = "posterior"
    elif verdict.matters == "cannot-tell" and (
        verdict.test is None or select_effect_interval(verdict.test, verdict.interval) is None
    ):
        return f"No interval bounds the difference, so it cannot be compared with {margin}."
    return {
        "matters": f"It matters in practice: the {what} lies beyond {margin}.",
        "too-small": f"It is too small to matter: the {what} lies inside {margin}.",
        "cannot-tell": f"Whether it matters in practice is inconclusive: the {what} reaches across {margin}.",
    }[verdict.matters]


def _power(verdict: Verdict) -> str:
    if verdict.decision != "not-settled":
        return ""
    power, test = verdict.power, verdict.test
    if test is not None and test.test == "tost":
        if power is None:
            return ""
        margin = numbers.score(power.difference, verdict.metric)
        more = f"; 80% power needs {numbers.plural(power.needed, test.unit)}" if power.needed is not None else ""
        shown = f"{numbers.power(power.power)}, {power.method}{more}"
        return f"This design shows two equal learners to be equivalent within {margin} with power {shown}."
    sentences = [ABSENCE]
    if power is not None and asks_in_points(verdict):
        how = f"{', ' if power.method else ''}{power.method}"
        size = numbers.score(power.difference, verdict.metric)
        sentences.append(f"This design has power {numbers.power(power.power)} for a difference of {size}{how}.")
    sentences.append(reach_sentence(verdict))
    if power is None and verdict.pair and verdict.rope is None:
        sentences.append("The power of this design is not known.")
    return " ".join(filter(None, sentences))


def asks_in_points(verdict: Verdict) -> bool:
    """Return whether the difference whose power is known means something: a margin, or points without a unit."""
    if verdict.rope is not None or numbers.metric_card(verdict.metric) is not None:
        return verdict.rope is not None or not numbers.has_unit(verdict.metric)
    return all(abs(score.mean) <= 1.0 for score in verdict.scores if score.mean is not None)  # of an unknown metric


def reach_sentence(verdict: Verdict) -> str:
    """Return the smallest difference that these units find, and how many would find the one that was asked about."""
    power, test = verdict.power, verdict.test
    if power is None or power.smallest is None or test is None:
        return ""
    smallest = numbers.score(power.smallest, verdict.metric)
    at = f" at level {numbers.alpha_text(power.level)}" if power.level is not None else ""
    text = f"{numbers.plural(test.n_units, test.unit)} have 80% power{at} for differences of at least {smallest}"
    if power.needed is None or not asks_in_points(verdict):
        return f"{text}."
    asked = numbers.score(power.difference, verdict.metric)
    return f"{text}; {asked} needs {numbers.plural(power.needed, test.unit)}."


def _conditions(unmet: tuple[str, ...]) -> str:
    return " ".join(sentence if sentence.endswith(".") else sentence + "." for sentence in unmet)


# What an answer applies to: Dietterich's nine questions

Scope = tuple[str, str]  # the population that an answer applies to, and what it does not apply to


def scope(
    number: int,
    data: str,
    rows: str,
    *,
    items: bool = False,
    regression: bool = False,
    groups: bool = False,
    retrained: str = "",
) -> Scope:
    """Return what the answer to a question (1 to 9) on `data` applies to, for learners trained on `rows`.

    `items` are answered by models as they are; rows or items in `groups` are drawn by group; `retrained` says how
    learners were trained again on one training set.
    """
    model = "model" if items or regression else "classifier"
    one = number in (1, 2, 5, 6)
    learner, models_ = ("the learner", f"the one {model}") if one else ("the learners", f"the two {model}s")
    new = f"new {'groups of ' * groups}{'items' if items else 'rows'} like those of {data}"
    elsewhere = "or any other dataset"
    if retrained:
        return f"{retrained}, on {new}", f"the learners trained on other rows, {elsewhere}"
    if number in (1, 3):
        who = f"this one {model}" if one else f"these {model}s"
        who = f"{who} as run here" if items else who.replace(model, f"trained {model}")
        others = "other versions or settings of a model" if items else "the learner trained on other rows"
        return f"{who}, on {new}", f"{others}, {elsewhere}"
    if number in (2, 4):
        ends = "ends" if one else "end"
        who = f"{learner} (in place of {models_}) trained on {rows}"
        return f"{who}, on {new}", f"{models_} that {ends} up in use, {elsewhere}"
    if number in (5, 7):
        return f"{learner} over training sets of this size, on {new}", f"other training sizes, {elsewhere}"
    if number == 9:
        holds = f"the learners over datasets like {data}, as far as these are a fair sample of such datasets"
        return holds, "any single one of these datasets, or datasets of another kind"
    not_of = f"one {model} trained once, other training sizes, {elsewhere}"
    return f"{learner} trained on {rows}, on {new}", not_of


def _scope(verdicts: list[Verdict]) -> Scope:
    """Return what verdicts on one question apply to."""
    verdict = verdicts[0]
    test, details = verdict.test, dict(verdict.test.details) if verdict.test is not None else {}
    again = "the learners trained again on these same training rows"
    once = " (the one that was trained once: as it was trained)" if "trained once" in details else ""
    data = list(dict.fromkeys(_data(v) for v in verdicts))
    return scope(
        verdict.question,
        data[0] if len(data) == 1 else "each dataset",
        trained_on(v.rows for v in verdicts),
        items=bool(verdict.units) and verdict.dataset is not None,
        regression=numbers.predicts_numbers(verdict.metric),
        groups=test is not None and (test.unit == "group" or "groups" in details),
        retrained=f"{again}{once}" if test is not None and test.test == "retrained-t" else "",
    )


def _data(verdict: Verdict) -> str:
    if verdict.dataset is not None:
        return verdict.dataset
    return numbers.listing(verdict.datasets, most=6) if verdict.datasets else "these datasets"


def _scope_of(verdict: Verdict) -> str:
    holds, not_of = _scope([verdict])
    only = "" if verdict.pair else f"{ONLY_WHETHER} "
    return f"{only}This applies to {holds}. It says nothing about {not_of}."


def trained_on(sizes: Iterable[tuple[float, float] | None]) -> str:
    """Return how many rows were trained on, given those trained and tested on in each place.

    >>> trained_on([(120.0, 120.0)])
    'about 120 rows (half of the data)'
    """
    known = [size for size in sizes if size is not None]
    if not known:
        return "about as many rows as each training set here"
    low, high = (numbers.count(round(f(size[0] for size in known))) for f in (min, max))
    half = " (half of the data)" if all(abs(a - b) <= 1.0 for a, b in known) else ""
    return f"about {low} rows{half}" if low == high else f"about {low} to {high} rows{half}"


# What you can claim


def allowed(verdicts: list[Verdict]) -> tuple[str, str]:
    """Return what verdicts on one question allow to claim, and what not."""
    verdicts = [v for v in verdicts if v.pair] or verdicts  # a test of all at once does not say which one differs
    holds, not_of = _scope(verdicts)
    forbidden = f"Anything about {not_of}."
    return f"{_claimed(verdicts)} This applies to {holds}." if verdicts[0].pair else ONLY_WHETHER, forbidden


def _claimed(verdicts: list[Verdict]) -> str:
    """Return who is better than whom and where: `In accuracy, a is better than b on d; no ... was found on e.`"""
    places: dict[tuple[str | None, str], list[Verdict]] = {}
    for verdict in verdicts:
        places.setdefault((verdict.dataset, verdict.metric), []).append(verdict)
    one_metric = len({metric for _, metric in places}) == 1
    one_dataset = len({dataset for dataset, _ in places}) == 1
    found: dict[str, dict[str, list[str]]] = {}  # outcome -> dataset -> metrics
    for (dataset, metric), tested in places.items():
        for outcome in outcomes(tested):
            found.setdefault(outcome, {}).setdefault(dataset or "all datasets together", []).append(metric)
    if len(found) > MOST_CLAIMS:
        settled = sum(v.settled for v in verdicts)
        rest = f"; the other {numbers.count(len(verdicts) - settled)} are inconclusive" * (settled < len(verdicts))
        counted = f"{numbers.count(settled)} of {numbers.plural(len(verdicts), 'test')} are conclusive{rest}"
        return f"{counted}. {_clearest_pairs(verdicts)}"
    parts = []
    for outcome, where in sorted(found.items(), key=lambda item: item[0].startswith(NOT_FOUND)):
        metrics = [f" ({numbers.listing(names)})" * (not one_metric) for names in where.values()]
        sets = numbers.listing([f"{data}{names}" for data, names in zip(where, metrics, strict=True)], most=MOST_CLAIMS)
        shown = f"in {numbers.listing(next(iter(where.values())))}" if one_dataset else f"on {sets}"
        parts.append(f"{outcome} {shown}" if len(places) > 1 else outcome)
    text = "; ".join(parts)
    return f"In {verdicts[0].metric}, {text}." if one_metric else f"{text}."


def _clearest_pairs(verdicts: list[Verdict]) -> str:
    """Return who is better in the pairs with the smallest p, and where the others stand."""
    won = [v for v in verdicts if winner(v)]
    clear = sorted(won, key=lambda v: 2.0 if v.adjusted_p is None else v.adjusted_p)[:MOST_CLEAR]
    told = [f"{winner(v)} is better than {loser(v)}{f' on {v.dataset}' if v.dataset else ''}" for v in clear]
    return f"The clearest: {numbers.listing(told)}; the tables have all." if told else "The tables have all."


def outcomes(verdicts: list[Verdict]) -> list[str]:
    """Return the outcomes of the pairs of one place, the learners that one learner beats together."""
    decisions: dict[tuple[str, ...], list[Verdict]] = {}
    for verdict in verdicts:
        decisions.setdefault(verdict.learners, []).append(verdict)
    beaten: dict[str, list[str]] = {}
    others, open_, without = [], [], []
    for pair, (first, *more) in decisions.items():
        better, worse = winner(first), loser(first)
        if any(v.decision != first.decision for v in more):
            others.append(f"the tests on {' and '.join(pair)} do not agree")
        elif better and worse:
            beaten.setdefault(better, []).append(worse)
        elif first.decision == "not-settled":
            open_.append(f"between {' and '.join(pair)}")
        elif first.decision == "differ":
            others.append(f"{' and '.join(pair)} differ, but the direction is unclear")
        elif first.decision == "undecided":
            without.append(f"there is no verdict on {' and '.join(pair)}")
        else:
            others.append(f"{' and '.join(pair)} are {short(first)}")
    ranked = sorted(beaten.items(), key=lambda item: -len(item[1]))
    found = [f"{best} is better than {numbers.listing(rest, most=MOST_CLAIMS)}" for best, rest in ranked] + others
    if len(without) > 1:
        without = [f"{len(without)} of {numbers.plural(len(decisions), 'pair')} have no verdict"]
    found += without
    if len(open_) > MOST_CLAIMS // 2:
        return [*found, f"{len(open_)} of {numbers.plural(len(decisions), 'pair')} are inconclusive"]
    return [*found, f"{NOT_FOUND} {numbers.listing(open_)}"] if open_ else found


# Estimates


def say_estimate(estimate: Estimate, full: bool = False) -> str:
    """Return one estimate: the score with its interval; `full` adds the method and what it applies to."""
    learner, metric, interval = estimate.learner, estimate.metric, estimate.interval
    on = f"on {estimate.dataset}"
    if estimate.score is None:
        why = (estimate.undecided_because or "a fit failed").rstrip(".")
        text = f"{learner} has no {metric} {on}: {why}."
        return f"{text} {_conditions(estimate.unmet)}".rstrip() if full else text
    inside = []
    if interval is not None:
        guarded = estimate.method == "guarded holdout"
        kind = "tolerance" if guarded else f"{numbers.percent(interval.level)} interval"
        inside = [f"{kind} {numbers.interval(interval, metric)}", "a guarded holdout, no verdict" if guarded else ""]
    shown = "; ".join(filter(None, [*inside, estimate.method if full else ""]))
    text = f"{learner} has {metric} {numbers.score(estimate.score, metric)}{f' ({shown})' if shown else ''} {on}."
    if not full:
        return text
    sentences = [text]
    split = dict(estimate.details)
    if "variance within items" in split:
        between, within = (numbers.decimal(split[f"variance {w} items"], 4) for w in ("between", "within"))
        sentences.append(f"Of {estimate.units}: the variance between items is {between}, within them {within}.")
    if estimate.test is not None and estimate.test.pvalue is not None:
        sentences.append(f"Against shuffled labels: {estimate.test.test}, {numbers.p_is(estimate.test.pvalue)}.")
    holds, not_of = scope(
        estimate.question,
        estimate.dataset,
        trained_on([estimate.rows]),
        items=bool(estimate.units),
        regression=numbers.predicts_numbers(metric),
        groups=" group" in f"{estimate.units} {estimate.method}",
        retrained="the learner trained again on these same training rows" if estimate.trained_again else "",
    )
    sentences += [_conditions(estimate.unmet)] if estimate.unmet else []
    sentences.append(f"It applies to {holds}. It says nothing about {not_of}.")
    return " ".join(sentences)
