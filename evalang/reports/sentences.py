"""Verdicts and estimates in words: what was found, whether it matters, what the answer applies to.

`say` is the one sentence about a verdict; a headline has it at its short length, the appendix at its full one. A
difference that was not found is never called absent: the power of the design stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

from ..catalogue.tests import find_test
from ..plans.families import tests_in_reach, why_no_pair
from ..results import numbers
from ..results.numbers import estimate_of, name, own_estimate, touches_zero, turned
from ..results.records import Estimate, Interval, Posterior, TestResult, Verdict
from ..verdicts.decide import (
    DECISIVE_PROBABILITY,
    contradicts_itself,
    ranks_differ,
    select_effect_interval,
    sides_differ,
)

ABSENCE = "Inconclusive does not mean that there is no difference."
NO_MARGIN = (
    "The report does not say whether the difference matters in practice, because no equivalence margin is set "
    "(`margin`)."
)
DIRECTION_ONLY = "The direction is significant, but the size is uncertain: the simultaneous interval contains 0."
ONLY_WHETHER = "The test shows only whether all learners are equal, not which one is better."
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
    *("t", "z", "mean t", "z of mean ranks", "difference", "posterior mean", "mean weight above less below the rope"),
)
_UNITS = {"partition": "random split"}  # units whose name is not the usual word
COUNTED = ("fold", "dataset", "item")  # units of which a win is something a reader can picture
NEEDED = f"A verdict needs a probability of at least {DECISIVE_PROBABILITY:g}"
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
        " ".join(filter(None, (say_fully(verdict), numbers.these_sentence(verdict), *notes))),
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
    return LABELS[verdict.answer] + (within(verdict) if "equivalent" in verdict.answer else "")


def say(verdict: Verdict, unit: str = "dataset", last: Collection[str] = ()) -> str:
    """Return one verdict in one sentence, from the winner's side.

    A test over datasets counts `unit`s; of two learners that are alike, those in `last` are named second.
    """
    metric, test, found = verdict.metric, verdict.test, winner(verdict)
    place = _place(verdict, unit)
    if verdict.pair:
        both = " and ".join(map(name, sorted(verdict.learners, key=lambda name: name in last)))
    else:
        both = f"the {numbers.plural(len(verdict.learners), 'learner')}"
    if verdict.decision == "undecided" or (test is None and not verdict.pair):
        ahead = f"; {_ahead(verdict)}" if verdict.difference is not None else ""
        return f"There is no verdict on {both} {place} in {metric}: {reason([verdict])}{ahead}."
    proof = f" ({_proof(verdict)})"
    if not verdict.pair:
        if verdict.decision != "differ":
            return f"No significant difference among {both} {place} in {metric}{proof}."
        alone = ", but no pair differs significantly" if verdict.settled_pairs == 0 else ""
        return f"{capital(both)} are not all equal {place} in {metric}{alone}{proof}."
    if verdict.posterior is not None:
        outcome = f"Neither of {both} is clearly better"
        if found or verdict.decision == "equivalent":
            outcome = f"{both} are practically equal"
            outcome = f"{name(found)} is better than {name(loser(verdict) or '')}" if found else outcome
        decisive = "" if verdict.settled else f". {NEEDED}"
        return f"{outcome} {place} in {metric}: {_probabilities(verdict, verdict.posterior)}{decisive}."
    if found is not None:
        beaten = name(loser(verdict) or "")
        return f"{name(found)} is better than {beaten} {place}: {metric} {_size(verdict, found)}{proof}."
    if verdict.decision == "differ":
        return f"{both} differ {place} in {metric}, but the direction is unclear: {_ahead(verdict)}{proof}."
    equivalent = f"equivalent{within(verdict)} {place} in {metric}: {_ahead(verdict)}{proof}."
    if verdict.answer in ("equivalent", "not-equivalent"):
        return f"{both} are {'not ' * (verdict.answer == 'not-equivalent')}{equivalent}"
    if test is not None and test.test == "tost":
        return f"Inconclusive whether {both} are {equivalent}"
    against = _against_p(verdict)
    return f"No significant difference between {both} {place} in {metric}{against}: {_ahead(verdict)}{proof}."


def say_fully(verdict: Verdict) -> str:
    """Return the same, followed by everything else that a paper would quote."""
    sentences = [say(verdict), *_interval_details(verdict), *_test_details(verdict)]
    return " ".join(sentences)


def reason(verdicts: Iterable[Verdict], otherwise: str = "no test was made") -> str:
    """Return the first reason for which nothing was decided."""
    return next((v.undecided_because for v in verdicts if v.undecided_because), otherwise).rstrip(".")


def capital(text: str) -> str:
    """Return the text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _place(verdict: Verdict, unit: str) -> str:
    units = f" ({verdict.units})" if verdict.units else ""
    if verdict.dataset is not None:
        return f"on {name(verdict.dataset)}{units}"
    over = numbers.plural(len(verdict.datasets), unit) if verdict.datasets else "the datasets"
    return f"over {over}{units}"


def within(verdict: Verdict) -> str:
    """Return ` within 0.010`, the margin of an equivalence; "" without one."""
    return f" within {numbers.score(verdict.rope, verdict.metric)}" if verdict.rope else ""


def _probabilities(verdict: Verdict, posterior: Posterior) -> str:
    """Return the three shares of a posterior, the larger of the outer two first."""
    shares = numbers.sides(posterior, verdict.metric)
    way = 1 if shares[0] >= shares[2] else -1
    first, second = verdict.learners[::way]
    better, neither, worse = (numbers.probability(x) for x in shares[::way])
    margin = numbers.score(posterior.rope, verdict.metric)
    return (
        f"the posterior probability is {better} that {name(first)} is better by more than {margin}, {worse} that "
        f"{name(second)} is better by more than {margin}, and {neither} that neither is"
    )


def _size(verdict: Verdict, found: str) -> str:
    """Return `higher by 0.137, 95% interval 0.100 to 0.174`, always positive on the winner's side."""
    side = "higher" if numbers.higher_is_better(verdict.metric) else "lower"
    if verdict.difference is None or abs(verdict.difference) < numbers.NOISE:
        return f"{side} more often than {'lower' if side == 'higher' else 'higher'}{_wins(verdict, found)}"
    return f"{side} by {_amount(verdict, verdict.difference)}{_wins(verdict, found)}"


def _ahead(verdict: Verdict) -> str:
    """Return which learner is ahead and by how much."""
    difference = verdict.difference
    if difference is None:
        return "no difference was computed"
    if abs(difference) < numbers.NOISE:
        by_median = verdict.test is not None and verdict.test.test in ("sign", "wilcoxon")
        zero = "the median difference is zero" if by_median else "the mean scores are equal"
        return f"{zero}{_interval(verdict, difference)}"
    ahead = verdict.learners[0 if (difference > 0) == numbers.higher_is_better(verdict.metric) else 1]
    return f"{name(ahead)} is ahead by {_amount(verdict, difference)}{_wins(verdict, ahead)}"


def _amount(verdict: Verdict, difference: float) -> str:
    return f"{numbers.score(abs(difference), verdict.metric)}{_interval(verdict, difference)}"


def _interval(verdict: Verdict, difference: float) -> str:
    """Return the interval on the side of the difference. That of 5x2cv-t lies around another number: not here."""
    interval, narrow = verdict.interval, verdict.equivalence_interval
    if interval is None or own_estimate(verdict) or not _has_end(interval):
        return ""
    text = f", {numbers.interval_word(interval)} {_ends(verdict, interval, difference)}"
    if narrow is None or not ("equivalent" in verdict.answer or (verdict.test and verdict.test.test == "tost")):
        return text
    return f"{text}; {numbers.interval_level(narrow)} for equivalence {_ends(verdict, narrow, difference)}"


def _ends(verdict: Verdict, interval: Interval, difference: float) -> str:
    return numbers.interval(turned(interval) if difference < 0 else interval, verdict.metric)


def _has_end(interval: Interval) -> bool:
    return isfinite(interval.low) or isfinite(interval.high)


def _wins(verdict: Verdict, found: str) -> str:
    test = verdict.test
    if test is None or test.unit not in COUNTED or not (counted := test.wins + test.ties + test.losses):
        return ""
    won, lost = (test.wins, test.losses) if found == verdict.learners[0] else (test.losses, test.wins)
    shown = [f"wins {won}", f"loses {lost}", *([f"ties {test.ties}"] if test.ties else [])]
    return f"; {name(found)} {numbers.listing(shown)} of {numbers.plural(counted, test.unit)}"


def _proof(verdict: Verdict) -> str:
    """Return test and p."""
    test = verdict.test
    if test is None:
        return "no test"
    if verdict.stopped is None:
        found = " finds no difference" if verdict.answer != verdict.decision else ""
        if verdict.pair and test.ranks and winner(verdict) is None:  # 12 wins of 12 can be a gap of one rank
            ranks = (f"{numbers.decimal(r, 2)} of {name(n)}" for r, n in zip(test.ranks, verdict.learners, strict=True))
            found = f" compares mean ranks, here {' and '.join(ranks)}"
        return ", ".join(filter(None, (f"{test.test}{found}", numbers.p_of(verdict))))
    more = "more repeats would almost certainly not change the verdict"
    return f"{test.test}, stopped at {numbers.stopped_at(verdict)}: {more}"


def _interval_details(verdict: Verdict) -> list[str]:
    """Return what the first sentence leaves out about the intervals."""
    interval, narrow, difference = verdict.interval, verdict.equivalence_interval, verdict.difference or 0.0
    if interval is None or not verdict.pair:
        return []
    if not _has_end(interval):
        units = numbers.plural(verdict.test.n_units, verdict.test.unit) if verdict.test else "these data"
        return [f"The {numbers.interval_name(interval)} is unbounded, because {units} are too few for this test."]
    first, second = verdict.learners[:: -1 if difference < 0 else 1]
    which, ends = numbers.interval_name(interval), _ends(verdict, interval, difference)
    shown = _interval(verdict, difference) if verdict.test is None or verdict.test.posterior is None else ""
    is_shown = shown.startswith(f", {which} ") and verdict.difference is not None
    sentences = [] if is_shown else [f"The {which} of {name(first)} minus {name(second)} is {ends}."]
    estimate = estimate_of(verdict)
    if own_estimate(verdict) and estimate is not None:
        size = numbers.signed(-estimate if difference < 0 else estimate, verdict.metric)
        sentences = [f"The {which} is {ends}. Its centre is the first of the ten differences, {size}."]
    elif narrow is not None and not own_estimate(verdict) and "for equivalence" not in shown:
        level = numbers.interval_level(narrow)
        sentences.append(
            f"The {level} that is compared with the equivalence margin is {_ends(verdict, narrow, difference)}."
        )
    return sentences + (["One end of the interval is 0."] if touches_zero(interval) else [])


def _test_details(verdict: Verdict) -> list[str]:
    """Return the statistic, the effect, the number of units and how p was corrected."""
    if verdict.test is None:
        return []
    test = _from_this_side(verdict, verdict.test)
    if test.posterior is not None:
        sentences = [f"The test is {test.test}. Posterior probabilities are not p-values and are not corrected."]
    else:
        sentences = [f"Statistic: {numbers.statistic(test)}."] if test.statistic is not None else []
        sentences += [f"{capital(numbers.stopped_words(verdict))}."] if verdict.stopped is not None else []
        sentences += correction_sentences(verdict)
        sentences += ["The test is one-sided."] if test.alternative != "two-sided" else []
    if test.effect is not None:
        sentences.append(f"Effect size: {test.effect.name} = {numbers.decimal(test.effect.value, 2)}.")
    if test.n_units and not (test.unit in COUNTED and test.wins + test.ties + test.losses):
        sentences.append(f"The sample has {numbers.plural(test.n_units, _UNITS.get(test.unit, test.unit))}.")
    return sentences


def _from_this_side(verdict: Verdict, test: TestResult) -> TestResult:
    """Return the test with statistic and effect on the side of its sentence, as the difference and its interval."""
    if not verdict.pair:
        return test
    first, second = verdict.learners
    difference = 0.0 if verdict.difference is None or abs(verdict.difference) < numbers.NOISE else verdict.difference
    ahead = winner(verdict)
    if difference and ahead is None:
        ahead = first if (difference > 0) == numbers.higher_is_better(verdict.metric) else second
    name_, value, effect = test.statistic_name, test.statistic, test.effect
    by_wins = effect is not None and effect.name == "probability of superiority"  # not turned with the metric
    if effect is not None and (ahead == second if by_wins else difference < 0):
        effect = numbers.other_way_round(effect)
    if value is not None and ahead == second and name_ == "wins":
        value += test.losses - test.wins
    elif value is not None and difference < 0 and (name_ in SIGNED or name_.startswith("mean difference")):
        value = 0.0 - value
    front, back = (second, first) if difference < 0 else (first, second)
    named = {
        "W+": f"signed-rank sum W+ of {name(first)} minus {name(second)}",
        "z of mean ranks": f"z of mean ranks (1 is best) of {name(front)} minus {name(back)}",
    }.get(name_, name_.replace("the first", name(first)))
    return replace(test, statistic=value, statistic_name=named, effect=effect)


def correction_sentences(verdict: Verdict, default: bool = False) -> list[str]:
    """Return how p was corrected for the other tests of its family; nothing for a test that is alone."""
    if verdict.adjusted_p is None:
        return []
    size, blocks, sentences = verdict.family_size, verdict.family_blocks, []
    card = find_test(verdict.test.test) if verdict.test is not None else None
    if size > 1 and verdict.correction == "uncorrected":
        sentences.append(f"p is not corrected, although {numbers.plural(size, 'test was', 'tests were')} made.")
    elif size > 1:
        how = f"{verdict.correction}{' (the default)' if default else ''}"
        own = verdict.family in (verdict.comparison, f"{verdict.comparison} over datasets")
        those = f"the tests of {_family_names(verdict)}"
        those = "all tests of the script" if verdict.family == "everything" else those
        of = "" if own else f" ({those})"
        sentences.append(f"p is corrected by {how} over {family_of(size, verdict.family_missing)}{of}.")
    elif card is not None and card.post_hoc_of and card.learners == "many":
        sentences.append(f"{verdict.test.test if verdict.test else ''} itself corrects p for all pairs.")
    if blocks > 1:
        whose = f" ({_family_names(verdict)})" if " and " in verdict.family else ""
        times = f"{'Adjusted p is then' if sentences else 'p is'} multiplied by {blocks} (Bonferroni)"
        sentences.append(f"{times}, because {blocks} sets of tests in this script use the same data{whose}.")
    return sentences


def _family_names(verdict: Verdict) -> str:
    """Return the comparisons of a family, whose name lists them."""
    return numbers.names(re.split(", | and ", verdict.family.removesuffix(" over datasets")))


def family_of(size: int, missing: int) -> str:
    """Return the number of tests of a family; those that could not be computed count as well."""
    uncomputed = f", including {numbers.count(missing)} that could not be computed" if missing else ""
    return numbers.plural(size, "test") + uncomputed


def _against_p(verdict: Verdict) -> str:
    """Return why nothing is decided although p is significant."""
    if verdict.test is None or verdict.adjusted_p is None or verdict.adjusted_p > verdict.alpha:
        return ""
    if contradicts_itself(verdict.test):
        return ", because the first difference and the mean of all ten have different signs"
    if ranks_differ(verdict.test, 1 if numbers.higher_is_better(verdict.metric) else -1):
        return ", because one learner has the better mean rank and the other the better mean score"
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
    if verdict.posterior is not None:
        return _posterior_matters(verdict, verdict.posterior)
    bounds = select_effect_interval(verdict.test, verdict.interval) if verdict.test is not None else None
    if verdict.matters == "cannot-tell" and bounds is None:
        return f"No interval bounds the difference, so it cannot be compared with {margin}."
    return {
        "matters": f"The difference matters in practice: the {what} lies outside {margin}.",
        "too-small": f"The difference is too small to matter in practice: the {what} lies inside {margin}.",
        "cannot-tell": f"Whether the difference matters in practice is inconclusive: the {what} lies partly inside "
        f"and partly outside {margin}.",
    }[verdict.matters]


def _posterior_matters(verdict: Verdict, found: Posterior) -> str:
    """Return whether a difference matters by its posterior probabilities."""
    margin = numbers.score(found.rope, verdict.metric)
    beyond, inside = (numbers.probability(x) for x in (max(found.p_left, found.p_right), found.p_rope))
    needed = f"(needed: {DECISIVE_PROBABILITY:g})"
    return {
        "matters": f"The difference matters in practice: the probability that it is larger than {margin} is {beyond} "
        f"{needed}.",
        "too-small": "The difference is too small to matter in practice: the probability that it is at most "
        f"{margin} is {inside} {needed}.",
        "cannot-tell": "Whether the difference matters in practice is inconclusive: no probability reaches "
        f"{DECISIVE_PROBABILITY:g}.",
    }[verdict.matters]


def bayesian(verdicts: Iterable[Verdict]) -> bool:
    """Return whether every test gives posterior probabilities, so that no difference is called significant."""
    tested = (v.posterior is not None for v in verdicts if v.test is not None)
    return next(tested, False) and all(tested)


_IN_POSTERIORS = (
    ("is significantly better", "is better"),
    ("is significantly worse", "is worse"),
    ("does not differ significantly from", "is not clearly better or worse than"),
    ("not significantly different from", "not clearly better or worse than"),
    ("no significant difference", "no clear difference"),
    ("No significant difference", "No clear difference"),
    (" after correction", ""),
    ("differs significantly", "differs clearly"),
    ("differ significantly", "differ clearly"),
    ("is significant", "is clear"),
    ("is not significant", "is not clear"),
    ("are significant", "are clear"),
)


def posterior_words(text: str) -> str:
    """Return the text in the words of posterior probabilities, which reject nothing.

    >>> posterior_words("`a` does not differ significantly from `b`")
    '`a` is not clearly better or worse than `b`'
    """
    for old, new in _IN_POSTERIORS:
        text = text.replace(old, new)
    return text


def _power(verdict: Verdict) -> str:
    if verdict.answer != "not-settled":
        return ""
    power, test = verdict.power, verdict.test
    if test is not None and test.test == "tost":
        if power is None:
            return ""
        margin = numbers.score(power.difference, verdict.metric)
        more = f" 80% power needs {numbers.plural(power.needed, test.unit)}." if power.needed is not None else ""
        shown = f"{numbers.power(power.power)}, {power.method}"
        return f"The power to show equivalence within {margin} of two equal learners is {shown}.{more}"
    sentences = [ABSENCE, power_sentence([verdict]) if asks_in_points(verdict) else "", reach_sentence(verdict)]
    if power is None and verdict.pair and verdict.rope is None:
        sentences.append("The power of this design is not known.")
    return " ".join(filter(None, sentences))


def power_sentence(verdicts: Sequence[Verdict]) -> str:
    """Return the power for the difference asked about: of several verdicts the lowest and the highest."""
    known = [(v, v.power) for v in verdicts if v.power is not None]
    if not known:
        return ""
    low, high = min(p.power for _, p in known), max(p.power for _, p in known)
    verdict, first = known[0]
    if high == 0.0:
        return (
            "No difference can be significant with this design: its smallest possible p is above the "
            "significance level."
        )
    power = " to ".join(dict.fromkeys((numbers.power(low), numbers.power(high))))
    size = numbers.score(first.difference, verdict.metric)
    one = len({p.method for _, p in known}) == 1  # an assumption about one pair does not hold for another
    method = first.method if one else "computed for each pair from its own data"
    return f"The power to find a difference of {size} is {power}{', ' * bool(method)}{method}."


def no_pair_can(pairs: Sequence[Verdict], *, over: bool) -> str:
    """Return why none of these pairs can be significant and what to write instead; "" where one can."""
    verdict, test = pairs[0], pairs[0].test
    if test is None:
        return ""
    sides = 2 if test.alternative == "two-sided" else 1
    size, learners = verdict.family_size, len({name for v in pairs for name in v.learners})
    why = why_no_pair(test.test, test.n_units, verdict.alpha, verdict.correction, size, sides=sides)
    instead = tests_in_reach(test.test, test.n_units, learners, verdict.alpha) if over else []
    then = f" With this table, {' or '.join(instead)} can find differences." if instead else ""
    return f"{why}.{then}" if why else ""


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
    units = numbers.plural(test.n_units, test.unit)
    text = f"With {units}, 80% power{at} needs a difference of at least {smallest}."
    if power.needed is None or not asks_in_points(verdict):
        return text
    asked = numbers.score(power.difference, verdict.metric)
    return f"{text} To find a difference of {asked} with 80% power, you need {numbers.plural(power.needed, test.unit)}."


def _conditions(unmet: tuple[str, ...]) -> str:
    return " ".join(f"{capital(sentence.rstrip('.'))}." for sentence in unmet)


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
    learner, models_ = ("the learner", f"the final {model}") if one else ("the learners", f"the final {model}s")
    new = f"new {'groups of ' * groups}{'items' if items else 'rows'} like those of {data}"
    elsewhere = "or any other dataset"
    if retrained:
        return f"{retrained} and applied to {new}", f"learners trained on other rows, {elsewhere}"
    if number in (1, 3):
        who = f"this one {model}" if one else f"these {model}s"
        who = f"{who} (as run here)" if items else who.replace(model, f"trained {model}")
        others = "other versions or settings of a model" if items else "learners trained on other rows"
        return f"{who} on {new}", f"{others}, {elsewhere}"
    if number in (2, 4):
        return f"{learner} trained on {rows} and applied to {new}", f"{models_} trained on all rows, {elsewhere}"
    if number in (5, 7):
        holds = f"{learner} trained on any training set of this size and applied to {new}"
        return holds, f"other sizes of the training set, {elsewhere}"
    if number == 9:
        holds = f"the learners on new datasets like {data}, if these are a representative sample of such datasets"
        return holds, "one of these datasets alone, or datasets of another kind"
    not_of = f"a single trained {model}, other sizes of the training set, {elsewhere}"
    return f"{learner} trained on {rows} and applied to {new}", not_of


def _scope(verdicts: list[Verdict]) -> Scope:
    """Return what verdicts on one question apply to."""
    verdict = verdicts[0]
    test, details = verdict.test, dict(verdict.test.details) if verdict.test is not None else {}
    again = "the learners trained again on these same training rows"
    once = " (the one that was trained once: as it was trained)" if "trained once" in details else ""
    data = [_data(*one) for one in dict.fromkeys((v.dataset, v.datasets) for v in verdicts)]
    return scope(
        verdict.question,
        data[0] if len(data) == 1 else "each dataset",
        trained_on(v.rows for v in verdicts),
        items=bool(verdict.units) and verdict.dataset is not None,
        regression=numbers.predicts_numbers(verdict.metric),
        groups=test is not None and (test.unit == "group" or "groups" in details),
        retrained=f"{again}{once}" if test is not None and test.test == "retrained-t" else "",
    )


def _data(dataset: str | None, datasets: tuple[str, ...]) -> str:
    if dataset is not None:
        return name(dataset)
    return numbers.names(datasets, most=6) if datasets else "these datasets"


def _scope_of(verdict: Verdict) -> str:
    holds, not_of = _scope([verdict])
    only = "" if verdict.pair else f"{ONLY_WHETHER} "
    return f"{only}This verdict applies to {holds}. The verdict says nothing about {not_of}."


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
    forbidden = f"Any statement about {not_of}."
    return f"{_claimed(verdicts)} This claim applies to {holds}." if verdicts[0].pair else ONLY_WHETHER, forbidden


def _claimed(verdicts: list[Verdict]) -> str:
    """Return which learner is better and where: `In accuracy, a is better than b on d; no ... was found on e.`"""
    places: dict[tuple[str | None, str], list[Verdict]] = {}
    for verdict in verdicts:
        places.setdefault((verdict.dataset, verdict.metric), []).append(verdict)
    one_metric = len({metric for _, metric in places}) == 1
    one_dataset = len({dataset for dataset, _ in places}) == 1
    found: dict[str, dict[str, list[str]]] = {}  # outcome -> dataset -> metrics
    for (dataset, metric), tested in places.items():
        data = name(dataset) if dataset else "all datasets together"
        for outcome in outcomes(tested):
            found.setdefault(outcome, {}).setdefault(data, []).append(metric)
    if len(found) > MOST_CLAIMS:
        settled = sum(v.answer not in ("not-settled", "undecided") for v in verdicts)
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
    return f"In {verdicts[0].metric}, {text}." if one_metric else f"{capital(text)}."


def _clearest_pairs(verdicts: list[Verdict]) -> str:
    """Return which learner is better in the pairs with the smallest p, and where all pairs are shown."""
    won = [v for v in verdicts if winner(v)]
    clear = sorted(won, key=lambda v: 2.0 if v.adjusted_p is None else v.adjusted_p)[:MOST_CLEAR]
    told = [
        f"{name(winner(v) or '')} is better than {name(loser(v) or '')}{f' on {name(v.dataset)}' if v.dataset else ''}"
        for v in clear
    ]
    every = "The tables show all pairs."
    return f"The clearest results: {numbers.listing(told)}. {every}" if told else every


def outcomes(verdicts: list[Verdict]) -> list[str]:
    """Return the outcomes of the pairs of one place, the learners that one learner beats together."""
    decisions: dict[tuple[str, ...], list[Verdict]] = {}
    for verdict in verdicts:
        decisions.setdefault(verdict.learners, []).append(verdict)
    beaten: dict[str, list[str]] = {}
    others, open_, without = [], [], []
    for pair, (first, *more) in decisions.items():
        better, worse, both = winner(first), loser(first), numbers.names(pair)
        if any(v.answer != first.answer for v in more):
            others.append(f"the tests on {both} do not agree")
        elif better and worse:
            beaten.setdefault(better, []).append(worse)
        elif first.answer == "not-settled" and first.posterior is not None:
            others.append(f"neither of {both} is clearly better")
        elif first.answer == "not-settled":
            open_.append(f"between {both}")
        elif first.decision == "differ":
            others.append(f"{both} differ, but the direction is unclear")
        elif first.decision == "undecided":
            without.append(f"there is no verdict on {both}")
        else:
            others.append(f"{both} are {short(first)}")
    ranked = sorted(beaten.items(), key=lambda item: -len(item[1]))
    found = [f"{name(best)} is better than {numbers.names(rest, MOST_CLAIMS)}" for best, rest in ranked] + others
    if len(without) > 1:
        without = [f"{len(without)} of {numbers.plural(len(decisions), 'pair')} have no verdict"]
    found += without
    if len(open_) > MOST_CLAIMS // 2:
        return [*found, f"{len(open_)} of {numbers.plural(len(decisions), 'pair')} are inconclusive"]
    return [*found, f"{NOT_FOUND} {numbers.listing(open_)}"] if open_ else found


# Estimates


def say_estimate(estimate: Estimate, full: bool = False) -> str:
    """Return one estimate: the score with its interval; `full` adds the method and what it applies to."""
    learner, metric, interval = name(estimate.learner), estimate.metric, estimate.interval
    on = f"on {name(estimate.dataset)}"
    if estimate.score is None:
        why = (estimate.undecided_because or "a fit failed").rstrip(".")
        text = f"{learner} has no {metric} {on}: {why}."
        return f"{text} {_conditions(estimate.unmet)}".rstrip() if full else text
    guarded, shown = estimate.method == "guarded holdout", ""
    if interval is not None:
        kind = "tolerance" if guarded else f"{numbers.percent(interval.level)} interval"
        shown = f" ({kind} {numbers.interval(interval, metric)}{'; a guarded holdout gives no verdict' * guarded})"
    text = f"{learner} has {metric} {numbers.score(estimate.score, metric)}{shown} {on}."
    if not full:
        return text
    sentences = [text, *([f"Method of the interval: {estimate.method}."] if interval is not None else [])]
    split = dict(estimate.details)
    if "variance within items" in split:
        between, within = (numbers.decimal(split[f"variance {w} items"], 4) for w in ("between", "within"))
        both = f"{between} between items and {within} between the answers to one item"
        sentences.append(f"The variance of the scores is {both}.")
    if estimate.test is not None and estimate.test.pvalue is not None:
        sentences.append(f"Test against shuffled labels: {estimate.test.test}, {numbers.p_is(estimate.test.pvalue)}.")
    holds, not_of = scope(
        estimate.question,
        name(estimate.dataset),
        trained_on([estimate.rows]),
        items=bool(estimate.units),
        regression=numbers.predicts_numbers(metric),
        groups=" group" in f"{estimate.units} {estimate.method}",
        retrained="the learner trained again on these same training rows" if estimate.trained_again else "",
    )
    sentences += [_conditions(estimate.unmet)] if estimate.unmet else []
    sentences.append(f"This estimate applies to {holds}. The estimate says nothing about {not_of}.")
    return " ".join(sentences)
