"""Verdicts and estimates in words, and Dietterich's nine questions that say what an answer applies to.

The order is always: what was found, whether it matters, conditions that did not hold, what can be claimed and what
not. A difference that was not found is never called absent: the power of the design stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, astuple, dataclass, replace

from ..catalogue.tests import find_test
from ..plans.default_tests import name_models
from ..results import numbers
from ..results.numbers import around, interval_name, own_estimate, these_sentence, touches_zero
from ..results.records import Estimate, Interval, TestResult, Verdict
from ..verdicts.decide import contradicts_itself, ranks_differ, select_effect_interval, sides_differ


@dataclass(frozen=True, slots=True)
class Question:
    """`holds` is the population that an answer applies to, `not_of` what it does not apply to.

    {data} stands for the dataset, {rows} for the rows trained on.
    """

    number: int
    asks: str
    holds: str
    not_of: str


_TRAINED_ONCE = "the learner trained on other rows, or any other dataset"
_NEW_ROWS = "new rows drawn like those of {data}"

QUESTIONS: tuple[Question, ...] = (
    Question(
        1,
        "how well one trained classifier does, with a large test set",
        f"this one trained classifier on {_NEW_ROWS}",
        _TRAINED_ONCE,
    ),
    Question(
        2,
        "how well one trained classifier does, with few rows",
        f"the learner (in place of the one classifier) trained on {{rows}}, on {_NEW_ROWS}",
        "the one classifier that ends up in use, or any other dataset",
    ),
    Question(
        3,
        "which of two trained classifiers does better, with a large test set",
        f"these trained classifiers on {_NEW_ROWS}",
        _TRAINED_ONCE,
    ),
    Question(
        4,
        "which of two trained classifiers does better, with few rows",
        f"the learners (in place of the two classifiers) trained on {{rows}}, on {_NEW_ROWS}",
        "the two classifiers that end up in use, or any other dataset",
    ),
    Question(
        5,
        "how well a learner does at a given training size, with plenty of rows",
        f"the learner over training sets of this size, on {_NEW_ROWS}",
        "other training sizes, or any other dataset",
    ),
    Question(
        6,
        "how well a learner does, with few rows",
        f"the learner trained on {{rows}}, on {_NEW_ROWS}",
        "one classifier trained once, other training sizes, or any other dataset",
    ),
    Question(
        7,
        "which of two learners does better at a given training size, with plenty of rows",
        f"the learners over training sets of this size, on {_NEW_ROWS}",
        "other training sizes, or any other dataset",
    ),
    Question(
        8,
        "which of two learners does better, with few rows",
        f"the learners trained on {{rows}}, on {_NEW_ROWS}",
        "one classifier trained once, other training sizes, or any other dataset",
    ),
    Question(
        9,
        "which learner does better, over several datasets",
        "the learners over datasets like {data}, as far as these are a fair sample of such datasets",
        "any single one of them, or datasets of another kind",
    ),
)


def trained_again(asked: Question, both: bool = True) -> Question:
    """Return the question when learners are trained several times on one training set: it is about that set."""
    again = "the learners trained again on these same training rows"
    holds = f"{again}{'' if both else ' (the one that was trained once: as it was trained)'}, on {_NEW_ROWS}"
    return replace(asked, holds=holds, not_of="the learners trained on other rows, or any other dataset")


def in_groups(asked: Question) -> Question:
    """Return the question when the rows came in groups, which were the units of the test."""
    return replace(asked, holds=re.sub(r"new (rows|items) drawn", r"new groups of \1 drawn", asked.holds))


def of_items(asked: Question) -> Question:
    """Return the question when the rows were items of a benchmark: the models that answered need be no classifiers."""
    asks = asked.asks.replace("trained classifier", "model").replace("with a large test set", "judged on items")
    holds = asked.holds.replace("trained classifier", "model").replace("new rows drawn", "new items drawn")
    holds = re.sub(r"(models?) on new items", r"\1 as run here, on new items", holds)
    not_of = asked.not_of.replace("the learner trained on other rows", "other versions or settings of a model")
    return replace(asked, asks=asks, holds=holds, not_of=not_of)


def of_numbers(asked: Question, predicts_numbers: bool) -> Question:
    """Return the question of regression, where what is trained is no classifier."""
    asks, holds, not_of = (name_models(text, predicts_numbers) for text in (asked.asks, asked.holds, asked.not_of))
    return replace(asked, asks=asks, holds=holds, not_of=not_of)


_LEARNER = re.compile(r"(?<![\w-])(l|L)earner(s?)(?![\w-])")


def models(text: str, names: Iterable[str] = ()) -> str:
    """Return the text about items, in which learners are models; a name keeps the word.

    >>> models("the 3 learners differ"), models("my learner", ["my learner"])
    ('the 3 models differ', 'my learner')
    """
    if any(map(_LEARNER.search, names)):
        return text
    return _LEARNER.sub(lambda m: f"{'m' if m[1] == 'l' else 'M'}odel{m[2]}", text)


def trained_on(sizes: Iterable[tuple[float, float] | None]) -> str:
    """Return how many rows were trained on, given those trained and tested on in each place.

    >>> trained_on([(120.0, 120.0)])
    'about 120 rows (half of the data)'
    """
    known = [size for size in sizes if size is not None]
    if not known:
        return "about as many rows as in each fold here"
    low, high = (numbers.count(round(f(size[0] for size in known))) for f in (min, max))
    half = " (half of the data)" if all(abs(a - b) <= 1.0 for a, b in known) else ""
    return f"about {low} rows{half}" if low == high else f"about {low} to {high} rows{half}"


def question(number: int) -> Question:
    """Return the question of that number; 8, the most common, when a plan has none."""
    return QUESTIONS[number - 1] if 1 <= number <= 9 else QUESTIONS[7]


ABSENCE = "Inconclusive does not mean that there is no difference."


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The sentences of one verdict. An empty one is left out."""

    found: str
    power: str
    matters: str
    conditions: str
    allows: str
    forbids: str

    def text(self) -> str:
        """Return all sentences in one paragraph, in the order of the fields."""
        return " ".join(text for text in astuple(self) if text)


def question_of(verdict: Verdict) -> int:
    """Return the number of the question that a verdict answers."""
    return _asked(verdict).number


def words(verdict: Verdict) -> Words:
    """Return the sentences of a verdict."""
    notes = verdict.test.notes if verdict.test else ()
    undecided = verdict.decision == "undecided"
    made = Words(
        found=" ".join(part for part in (found(verdict), these_sentence(verdict), *notes) if part),
        power=_power(verdict),
        matters=_matters(verdict),
        conditions=_conditions(verdict.unmet),
        allows="" if undecided else _conclusion(verdict),
        forbids="" if undecided else f"It says nothing about {_asked(verdict).not_of}.",
    )
    return Words(**{k: models(v, verdict.learners) for k, v in asdict(made).items()}) if verdict.units else made


def allowed(verdicts: list[Verdict]) -> tuple[str, str]:
    """Return what verdicts on one question allow to claim, and what not."""
    asked = _asked(verdicts[0])
    verdicts = [v for v in verdicts if v.pair] or verdicts  # a test of all at once does not say which one differs
    forbidden = f"Anything about {asked.not_of}."
    if not verdicts[0].pair:
        return ONLY_WHETHER, forbidden
    return f"{_claimed(verdicts)}. {_applies(verdicts)}", forbidden


ONLY_WHETHER = "The result is whether all learners are equal, not which one is better."


def _conclusion(verdict: Verdict) -> str:
    """Return whether one verdict is conclusive, and what it applies to."""
    if not verdict.pair:
        return ONLY_WHETHER
    word = "conclusive" if verdict.settled else "inconclusive"
    return f"The result is {word} for {verdict.dataset or 'the datasets taken together'}. {_applies([verdict])}"


def _applies(verdicts: list[Verdict]) -> str:
    about = list(dict.fromkeys(_about(v) for v in verdicts))
    data = about[0] if len(about) == 1 else "each dataset"
    rows = trained_on(v.rows for v in verdicts)
    return f"This applies to {_asked(verdicts[0]).holds.format(data=data, rows=rows)}."


MOST_CLAIMS = 6  # outcomes and places that are named; more are counted


def _claimed(verdicts: list[Verdict]) -> str:
    """Return who is better than whom and where: `In accuracy, a is better than b on d; no ... was found on e`."""
    places: dict[tuple[str | None, str], list[Verdict]] = {}
    for verdict in verdicts:
        places.setdefault((verdict.dataset, verdict.metric), []).append(verdict)
    one_metric = len({metric for _, metric in places}) == 1
    one_dataset = len({dataset for dataset, _ in places}) == 1
    one_pair = len({frozenset(v.learners) for v in verdicts}) == 1
    outcomes: dict[str, list[str]] = {}
    for (dataset, metric), tested in places.items():
        place = dataset or "all datasets together"
        place = metric if one_dataset else place if one_metric else f"{place} ({metric})"
        for outcome in _outcomes(tested):
            outcomes.setdefault(outcome, []).append(place)
    if len(outcomes) > MOST_CLAIMS:
        settled = sum(v.settled for v in verdicts)
        open_ = f"; the other {numbers.count(len(verdicts) - settled)} are inconclusive" * (settled < len(verdicts))
        return f"{numbers.count(settled)} of {numbers.plural(len(verdicts), 'test')} are conclusive{open_}"
    parts: list[str] = []
    for outcome, where in sorted(outcomes.items(), key=lambda item: item[0].startswith(NOT_FOUND)):
        if one_pair and parts and outcome.startswith(NOT_FOUND):
            outcome = NOT_FOUND
        shown = numbers.listing(where, most=MOST_CLAIMS)
        if one_metric and len(where) > MOST_CLAIMS:
            shown = f"{len(where)} of {len(places)} datasets"
        parts.append(outcome + (f" {'in' if one_dataset else 'on'} {shown}" if len(places) > 1 else ""))
    if one_metric:
        return f"In {verdicts[0].metric}, {'; '.join(parts)}"
    text = "; ".join(parts)
    return text[0].upper() + text[1:] if text.startswith(NOT_FOUND) else text


NOT_FOUND = "no significant difference was found"


def _outcomes(verdicts: list[Verdict]) -> list[str]:
    """Return the outcomes of the pairs of one place, the learners that one learner beats together."""
    decisions: dict[tuple[str, ...], list[Verdict]] = {}
    for verdict in verdicts:
        decisions.setdefault(verdict.learners, []).append(verdict)
    beaten: dict[str, list[str]] = {}
    others, open_ = [], []
    for (first, second), tested in decisions.items():
        decision = tested[0].decision
        if any(v.decision != decision for v in tested):
            others.append(f"the tests on {first} and {second} do not agree")
        elif decision == "first-better":
            beaten.setdefault(first, []).append(second)
        elif decision == "second-better":
            beaten.setdefault(second, []).append(first)
        elif decision == "not-settled":
            open_.append((first, second))
        elif decision == "differ":
            others.append(f"{first} and {second} differ, but the direction is unclear")
        else:
            others.append(f"{first} and {second} are {short(tested[0])}")
    ranked = sorted(beaten.items(), key=lambda item: -len(item[1]))
    outcomes = [f"{best} is better than {numbers.listing(rest, most=MOST_CLAIMS)}" for best, rest in ranked]
    outcomes += others
    if len(open_) > MOST_CLAIMS // 2:
        outcomes.append(f"{len(open_)} of {numbers.plural(len(decisions), 'pair')} are inconclusive")
    elif open_:
        outcomes.append(f"{NOT_FOUND} {numbers.listing([f'between {a} and {b}' for a, b in open_])}")
    return outcomes


# Words for decisions; the records keep the values of result files.
LABELS = {"not-settled": "inconclusive", "differ": "different, direction unclear", "undecided": "no verdict"}
STATUS_LABELS = {"not settled": "inconclusive"}


def short(verdict: Verdict) -> str:
    """Return the verdict in two or three words, for a table."""
    if verdict.decision in ("first-better", "second-better"):
        return f"{verdict.learners[verdict.decision == 'second-better']} better"
    if verdict.decision == "equivalent":
        return "equivalent" + (f" within {numbers.score(verdict.rope, verdict.metric)}" if verdict.rope else "")
    if verdict.decision == "not-equivalent":
        return "not equivalent" + (f" within {numbers.score(verdict.rope, verdict.metric)}" if verdict.rope else "")
    return LABELS.get(verdict.decision, verdict.decision)


def found(verdict: Verdict) -> str:
    """Return what was found: the difference with its interval, adjusted p, effect size."""
    if not verdict.pair:
        return _omnibus(verdict)
    first, second = verdict.learners
    place, metric = _place(verdict), verdict.metric
    if verdict.decision == "undecided":
        described = f"; {_difference(verdict)}" if verdict.difference is not None else ""
        reason = (verdict.undecided_because or "no test was made").rstrip(".")
        return f"{place}, there is no verdict on {first} and {second} in {metric}: {reason}{described}."
    numbers_of = f" ({_evidence(verdict)})" if verdict.test is not None else ""
    if verdict.decision in ("first-better", "second-better"):
        better, worse = (first, second) if verdict.decision == "first-better" else (second, first)
        side = "higher" if numbers.higher_is_better(metric) else "better (lower)"
        size = f" by {numbers.score(abs(verdict.difference), metric)}" if verdict.difference is not None else ""
        if verdict.difference is not None and abs(verdict.difference) < numbers.NOISE:
            size = " more often than the other way round"
        return f"{place}, {better} has {side} {metric} than {worse}{size}{numbers_of}."
    if verdict.decision in ("equivalent", "not-equivalent"):
        within = f" within {numbers.score(verdict.rope, metric)}" if verdict.rope is not None else ""
        are = verdict.decision.replace("-", " ")
        return f"{place}, {first} and {second} are {are}{within} in {metric}: {_difference(verdict)}{numbers_of}."
    if verdict.decision == "differ":
        open_ = "the direction is unclear"
        return f"{place}, {first} and {second} differ in {metric}, but {open_}: {_difference(verdict)}{numbers_of}."
    if verdict.test is not None and verdict.test.test == "tost":
        within = f" within {numbers.score(verdict.rope, metric)}" if verdict.rope is not None else ""
        shown = f"{first} and {second} are not shown to be equivalent{within} in {metric}"
        return f"{place}, {shown}: {_difference(verdict)}{numbers_of}."
    against = ""
    if verdict.test is not None and verdict.adjusted_p is not None and verdict.adjusted_p <= verdict.alpha:
        if contradicts_itself(verdict.test):
            against = ", because the first difference and the mean of all ten point to different sides"
        elif ranks_differ(verdict.test, 1 if numbers.higher_is_better(metric) else -1):
            against = ", because mean ranks and mean scores point to different sides"
        elif sides_differ(verdict.test):
            against = ", because the interval of the test contains 0 although p is significant"
    outcome = f"do not differ significantly in {metric}{against}"
    return f"{place}, {first} and {second} {outcome}: {_difference(verdict)}{numbers_of}."


def _asked(verdict: Verdict) -> Question:
    """Return the question that it answers; after `train N times` the answer is about that training set."""
    asked, test = question(verdict.question), verdict.test
    if verdict.units and verdict.dataset is not None:
        asked = of_items(asked)
    asked = of_numbers(asked, numbers.predicts_numbers(verdict.metric))
    if test is None:
        return asked
    if test.test == "retrained-t":
        asked = trained_again(asked, "trained once" not in dict(test.details))
    return in_groups(asked) if test.unit == "group" or "groups" in dict(test.details) else asked


def _place(verdict: Verdict) -> str:
    units = f" ({verdict.units})" if verdict.units else ""
    if verdict.dataset is not None:
        return f"On {verdict.dataset}{units}"
    over = f"Over {numbers.plural(len(verdict.datasets), 'dataset')}" if verdict.datasets else "Over the datasets"
    return over + units


def _about(verdict: Verdict) -> str:
    if verdict.dataset is not None:
        return verdict.dataset
    return numbers.listing(verdict.datasets, most=6) if verdict.datasets else "these datasets"


def _conditions(unmet: tuple[str, ...]) -> str:
    return " ".join(sentence if sentence.endswith(".") else sentence + "." for sentence in unmet)


def _difference(verdict: Verdict) -> str:
    """Return the difference in words: which learner is ahead, and by how much."""
    difference = verdict.difference
    if difference is None:
        return "no difference was computed"
    if abs(difference) < numbers.NOISE:
        by_median = verdict.test is not None and verdict.test.test in ("sign", "wilcoxon")
        return "the median difference is zero" if by_median else "the mean scores are equal"
    ahead = 0 if (difference > 0) == numbers.higher_is_better(verdict.metric) else 1
    return f"{verdict.learners[ahead]} is ahead by {numbers.score(abs(difference), verdict.metric)}"


def _evidence(verdict: Verdict) -> str:
    """Return interval, test, p, effect and counts, in one bracket."""
    test = verdict.test
    assert test is not None
    parts = [_interval(verdict), f"{test.test}{_statistic(test)}", _p(verdict), _effect(test), _tally(test)]
    posterior = test.posterior
    if posterior is not None:
        better, neither, worse = (numbers.probability(x) for x in numbers.sides(posterior, verdict.metric))
        rope = numbers.score(posterior.rope, verdict.metric)
        first, second = verdict.learners
        parts.append(
            f"probability {better} that {first} is better by more than {rope}, {neither} that neither is, {worse} that "
            f"{second} is; outside the families of p-values"
        )
    return "; ".join(part for part in parts if part)


def _interval(verdict: Verdict) -> str:
    interval = verdict.interval
    if interval is None:
        return ""
    first, second = verdict.learners[0], verdict.learners[-1]
    shown = numbers.interval(interval, verdict.metric)
    touches = ", which touches 0" if touches_zero(interval) else ""
    return (
        f"{interval_name(interval)} of {first} minus {second} {shown}{touches}{around(verdict)}{_equivalence(verdict)}"
    )


def _equivalence(verdict: Verdict) -> str:
    """Return the second interval, by which equivalence is judged."""
    narrow = verdict.equivalence_interval
    if narrow is None or own_estimate(verdict):
        return ""
    return f"; {numbers.interval_level(narrow)} for equivalence {numbers.interval(narrow, verdict.metric)}"


def _statistic(test: TestResult) -> str:
    shown = numbers.statistic(test)
    side = "" if test.alternative == "two-sided" else ", one-sided"
    return f", {shown}{side}" if shown else side


def _p(verdict: Verdict) -> str:
    test = verdict.test
    if verdict.stopped is not None:
        return numbers.stopped_words(verdict)
    if test is None or (test.pvalue is None and verdict.adjusted_p is None):
        return ""
    if verdict.adjusted_p is None:
        return numbers.p_is(test.pvalue, verdict.alpha)
    shares = f", times {verdict.family_blocks} (groups of tests in its family)" if verdict.family_blocks > 1 else ""
    card = find_test(test.test)
    if verdict.family_size == 1 and card is not None and card.post_hoc_of and card.learners == "many":
        shown = f"{'adjusted ' if shares else ''}{numbers.p_is(verdict.adjusted_p, verdict.alpha)}"
        return f"{shown}, which covers all pairs that were compared{shares}"
    if verdict.family_size == 1 and shares:
        return f"adjusted {numbers.p_is(verdict.adjusted_p, verdict.alpha)}{shares}"
    if verdict.family_size == 1 and verdict.adjusted_p == test.pvalue:
        return f"{numbers.p_is(verdict.adjusted_p, verdict.alpha)}, the only test of its family"
    if verdict.correction == "uncorrected":
        made = numbers.plural(verdict.family_size, "test was", "tests were")
        return f"{numbers.p_is(verdict.adjusted_p, verdict.alpha)}, not corrected, though {made} made"
    by = f"by {verdict.correction} over a family of {family_of(verdict.family_size, verdict.family_missing)}"
    return f"adjusted {numbers.p_is(verdict.adjusted_p, verdict.alpha)} {by}{shares}"


NO_MARGIN = "The comparison has no equivalence margin, so it is not judged whether the difference matters in practice."
DIRECTION_ONLY = "Direction significant, size uncertain: the simultaneous interval contains 0."


def family_of(size: int, missing: int) -> str:
    """Return the number of tests of a family; those that could not be computed count as well."""
    uncomputed = f", counting {numbers.count(missing)} that could not be computed" if missing else ""
    return numbers.plural(size, "test") + uncomputed


def _effect(test: TestResult) -> str:
    return f"{test.effect.name} {numbers.decimal(test.effect.value, 2)}" if test.effect is not None else ""


def _tally(test: TestResult) -> str:
    counted = test.wins + test.ties + test.losses
    if not counted:
        return numbers.plural(test.n_units, test.unit) if test.n_units else ""
    wins, ties = numbers.plural(test.wins, "win"), numbers.plural(test.ties, "tie")
    losses = numbers.plural(test.losses, "loss", "losses")
    unit = "fold" if test.unit == "partition" and counted != test.n_units else test.unit or "unit"
    return f"{wins}, {ties} and {losses} of the first in {numbers.plural(counted, unit)}"


def _power(verdict: Verdict) -> str:
    if verdict.decision != "not-settled":
        return ""
    if verdict.test is not None and verdict.test.test == "tost":
        return _power_of_equivalence(verdict)
    sentences = [ABSENCE]
    if verdict.power is not None and asks_in_points(verdict):
        size, power = verdict.power.difference, verdict.power.power
        sentences.append(
            f"This design has power {numbers.power(power)} for a difference of "
            f"{numbers.score(size, verdict.metric)}{', ' if verdict.power.method else ''}{verdict.power.method}."
        )
    sentences.append(reach_sentence(verdict))
    if verdict.power is None and verdict.pair and verdict.rope is None:
        sentences.append("The power of this design is not known.")
    return " ".join(sentence for sentence in sentences if sentence)


def asks_in_points(verdict: Verdict) -> bool:
    """Whether the difference whose power is known means something: a margin, or points of a metric without unit."""
    return verdict.rope is not None or not numbers.has_unit(verdict.metric)


def _power_of_equivalence(verdict: Verdict) -> str:
    power, test = verdict.power, verdict.test
    if power is None or test is None:
        return ""
    margin = numbers.score(power.difference, verdict.metric)
    more = f"; 80% power needs {numbers.plural(power.needed, test.unit)}" if power.needed is not None else ""
    return (
        f"This design shows two equal learners to be equivalent within {margin} with power "
        f"{numbers.power(power.power)}, {power.method}{more}."
    )


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


def _matters(verdict: Verdict) -> str:
    if not verdict.pair or verdict.decision == "undecided":
        return ""
    rope = numbers.score(verdict.rope, verdict.metric) if verdict.rope is not None else ""
    if verdict.test is not None and verdict.test.posterior is not None and verdict.matters != "no-rope":
        return {
            "matters": f"The posterior lies beyond the equivalence margin of {rope}: it matters in practice.",
            "too-small": f"The posterior lies inside the equivalence margin of {rope}: it is too small to matter.",
            "cannot-tell": f"The posterior reaches across the equivalence margin of {rope}: inconclusive.",
        }[verdict.matters]
    if verdict.direction_only:
        return DIRECTION_ONLY
    if verdict.matters == "cannot-tell" and (
        verdict.test is None or select_effect_interval(verdict.test, verdict.interval) is None
    ):
        return f"No interval bounds the difference, so it cannot be compared with the equivalence margin of {rope}."
    return {
        "matters": f"The {_level(verdict.interval)} lies beyond the equivalence margin of {rope}: the difference "
        "matters in practice.",
        "too-small": f"The {_level(verdict.equivalence_interval or verdict.interval)} lies inside the equivalence "
        f"margin of {rope}: the difference is too small to matter.",
        "cannot-tell": f"The {_level(verdict.interval)} reaches across the equivalence margin of {rope}: whether the "
        "difference matters is inconclusive.",
        "no-rope": NO_MARGIN,
    }[verdict.matters]


def _level(interval: Interval | None) -> str:
    return "interval" if interval is None else numbers.interval_level(interval)


def _omnibus(verdict: Verdict) -> str:
    place, metric, test = _place(verdict), verdict.metric, verdict.test
    who = numbers.plural(len(verdict.learners), "learner")
    if test is None or verdict.decision == "undecided":
        reason = (verdict.undecided_because or "no test was made").rstrip(".")
        return f"{place}, there is no verdict on the {who} in {metric}: {reason}."
    inside = "; ".join(x for x in (f"{test.test}{_statistic(test)}", _p(verdict), _effect(test)) if x)
    if verdict.decision == "differ":
        alone = ", but no pair differs significantly" if verdict.settled_pairs == 0 else ""
        return f"{place}, the {who} are not all equal in {metric}{alone} ({inside})."
    return f"{place}, the {who} do not differ significantly in {metric} ({inside})."


def estimate_words(estimate: Estimate) -> str:
    """Return what an estimate found: the score with its interval, and what it applies to."""
    asked = question(estimate.question)
    asked = of_items(asked) if estimate.units else asked
    asked = of_numbers(asked, numbers.predicts_numbers(estimate.metric))
    asked = trained_again(asked) if estimate.trained_again else asked
    asked = in_groups(asked) if " group" in f"{estimate.units} {estimate.method}" else asked
    sentences: list[str] = []
    learner, metric = estimate.learner, estimate.metric
    if estimate.score is None:
        reason = (estimate.undecided_because or "a fit failed").rstrip(".")
        return f"On {estimate.dataset}, {learner} has no {metric}: {reason}. {_conditions(estimate.unmet)}".rstrip()
    interval = estimate.interval
    level = ""
    if interval is not None:
        kind = "tolerance" if estimate.method == "guarded holdout" else f"{numbers.percent(interval.level)} interval"
        level = f", {kind} {numbers.interval(interval, metric)}"
    method = f" ({estimate.method})" if estimate.method else ""
    sentences.append(
        f"On {estimate.dataset}, {learner} has {metric} {numbers.score(estimate.score, metric)}{level}{method}."
    )
    split = dict(estimate.details)
    if "variance within items" in split:
        between, within = (numbers.decimal(split[f"variance {w} items"], 4) for w in ("between", "within"))
        sentences.append(f"Of {estimate.units}: the variance between items is {between}, within them {within}.")
    if estimate.test is not None and estimate.test.pvalue is not None:
        sentences.append(f"Against shuffled labels: {estimate.test.test}, {numbers.p_is(estimate.test.pvalue)}.")
    holds = asked.holds.format(data=estimate.dataset, rows=trained_on([estimate.rows]))
    sentences += [_conditions(estimate.unmet)] if estimate.unmet else []
    sentences.append(f"It applies to {holds}. It says nothing about {asked.not_of}.")
    return " ".join(sentences)
