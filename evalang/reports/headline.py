"""The headline of a comparison: its answer in a sentence or two, and the one picture that shows it.

It is made of the decisions of the verdicts and says no more than they do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Literal

from ..results import numbers
from ..results.numbers import own_estimate, these_sentence, turned
from ..results.records import Estimate, Verdict
from ..results.run_result import RunResult
from ..verdicts.decide import DECISIVE_PROBABILITY
from .sentences import DIRECTION_ONLY
from .tables import place_sentence
from .view import Standing, View, baselines_last, loser, standing, views, winner

MOST_DATASETS = 4  # named in a sentence; metrics too
MOST_LEARNERS = 6
COUNTED = ("fold", "dataset", "item")  # units of which a win is something a reader can picture
Picture = Literal["", "critical-difference", "forest", "posterior"]
Pairs = tuple[tuple[str, str], ...]
VERBS = ({"are": "is", "do": "does", "differ": "differs"}, {"are": "are", "do": "do", "differ": "differ"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer. `better` are the pairs (winner, loser) that the sentences call significant, `open` the others."""

    comparison: str
    metric: str
    sentences: tuple[str, ...]
    picture: Picture = ""
    leader: str = ""  # of several learners: the best of the table; of two: the one that is significantly better
    better: Pairs = ()
    open: Pairs = ()

    @property
    def text(self) -> str:
        """All sentences in one line."""
        return " ".join(self.sentences)


def headlines(result: RunResult, subject: str | None = None) -> tuple[Headline, ...]:
    """Return one headline for each comparison and estimate, in the order of the script."""
    return tuple(headline(view) for view in views(result, subject))


def headline(view: View) -> Headline:
    """Return the headline in the metric that decides (the first, where none is named), with a word on the others."""
    if view.estimates:
        sentences = map(view.said, estimate_sentences(view))
        return _headline(view, view.estimates[0].metric, sentences, picture="forest")
    tested = {v.metric for v in view.verdicts} - view.described
    metrics = [m for m in view.metrics if m in tested]
    if not metrics:
        return _headline(view, next(iter(view.metrics), ""), [_untested(view)])
    found = {metric: _in_metric(view, metric) for metric in metrics}
    first = found[metrics[0]]
    if len(metrics) == 1:
        return first
    return replace(first, sentences=(*first.sentences, view.said(_other_metrics(view, found))))


def _headline(view: View, metric: str, sentences: Iterable[str], **more: Any) -> Headline:
    return Headline(comparison=view.name, metric=metric, sentences=tuple(s for s in sentences if s), **more)


def _in_metric(view: View, metric: str) -> Headline:
    mine = [v for v in view.verdicts if v.metric == metric]
    made = _of_pair(view, mine) if _is_pair(mine) else _of_many(view, metric, mine)
    picture: Picture = "forest"
    if any(v.test is not None and v.test.posterior is not None for v in mine):
        picture = "posterior"
    elif any(r.metric == metric for r in view.rankings) and view.comparison.control is None:
        picture = "critical-difference"
    return replace(made, picture=picture, sentences=tuple(map(view.said, made.sentences)))


def _is_pair(verdicts: list[Verdict]) -> bool:
    return len({name for v in verdicts for name in v.learners}) == 2


def _other_metrics(view: View, found: dict[str, Headline]) -> str:
    """Return in which metrics every decision and the leader are the same, and what differs in the others."""
    decided: dict[str, set[tuple[str | None, tuple[str, ...], str]]] = {metric: set() for metric in found}
    for v in view.verdicts:
        if v.metric in decided:
            decided[v.metric].add((v.dataset, v.learners, v.decision))
    first, *rest = found.values()
    outcome = (first.leader, decided[first.metric])
    same = [h.metric for h in rest if (h.leader, decided[h.metric]) == outcome]
    if len(same) == len(rest):
        return f"The outcome is the same in {numbers.listing(same)}."
    outcomes: dict[str, list[str]] = {}
    for h in rest:
        if h.metric not in same:
            outcomes.setdefault(_outcome(view, h, first), []).append(h.metric)
    differing = [f"in {numbers.listing(metrics)} {words}" for words, metrics in outcomes.items()]
    differing = _cut(differing, MOST_DATASETS, f"{len(differing) - MOST_DATASETS} more below")
    alike = [f"The outcome is the same in {numbers.listing(same)}"] if same else []
    joined = "; ".join((*alike, *differing))
    return f"{joined[0].upper()}{joined[1:]}."


def _cut(parts: list[str], most: int, rest: str) -> list[str]:
    return parts if len(parts) <= most else [*parts[:most], rest]


def _outcome(view: View, answer: Headline, first: Headline) -> str:
    """Return the answer in another metric, in a few words and by name."""
    mine = [v for v in view.verdicts if v.metric == answer.metric]
    mine = [v for v in mine if v.dataset is None] or mine
    if not _is_pair(mine):
        settled = sum(winner(v) is not None for v in mine)
        tests = numbers.plural(sum(v.pair for v in mine), "pair")
        if not answer.leader:
            return f"{settled} of {tests} differ significantly"
        too = " too" if answer.leader == first.leader else ""
        return f"{answer.leader} leads{too}; {settled} of {tests} differ significantly"
    if len(mine) == 1:
        both = " and ".join(mine[0].learners)
        words = {
            "equivalent": f"{both} are equivalent",
            "not-equivalent": f"{both} are not equivalent",
            "not-settled": f"{both} do not differ significantly",
        }
        return _short(mine[0]) if winner(mine[0]) else words.get(mine[0].decision, f"there is no verdict on {both}")
    wins = {n: [v.dataset or "" for v in mine if winner(v) == n] for n in baselines_last(mine[0].learners, view)}
    parts = [f"{n} is better on {numbers.listing(names, most=MOST_DATASETS)}" for n, names in wins.items() if names]
    rest = len(mine) - sum(map(len, wins.values()))
    return ", ".join((*parts, *([f"inconclusive on {rest}"] if rest else [])))


def _untested(view: View) -> str:
    """Return the sentence of a comparison without any verdict: the means are described and nothing follows."""
    if view.failures and not view.means:
        return "No fit gave a score, so there is no verdict."
    return f"{numbers.listing(view.learners, most=6)} were scored but not tested, so there is no verdict."


def _reason(verdicts: Iterable[Verdict], otherwise: str = "no test was made") -> str:
    return next((v.undecided_because for v in verdicts if v.undecided_because), otherwise).rstrip(".")


# Two learners


def _of_pair(view: View, verdicts: list[Verdict]) -> Headline:
    """Return the test over datasets where there is one, else the datasets one by one; the latter in one sentence."""
    over = [v for v in verdicts if v.dataset is None]
    on = [v for v in verdicts if v.dataset is not None]
    decided = over or on
    if over or len({v.dataset for v in on}) == 1:
        sentences = _place_sentences(view, decided)
        sentences += [f"On single datasets: {_tally(view, on)}."] if over and on else []
    else:
        sentences = _datasets(view, on)
    winners = {winner(v) for v in decided}
    one = next(iter(winners)) if len(winners) == 1 else None
    better = tuple(dict.fromkeys(_better(decided)))
    if one is None and over:
        better = ()
    first, second = baselines_last(decided[0].learners, view)
    open_ = () if better else ((first, second),)
    return _headline(view, decided[0].metric, sentences, leader=one or "", better=better, open=open_)


def _better(pairs: Iterable[Verdict]) -> Pairs:
    return tuple((w, x) for v in pairs if (w := winner(v)) and (x := loser(v)))


def _place_sentences(view: View, verdicts: list[Verdict]) -> list[str]:
    """Return one place. Several tests of it are given by the first where they agree, by name where they do not."""
    first = verdicts[0]
    if len({v.decision for v in verdicts}) > 1:
        place = _place(view, first)
        each = [f"{v.test.test if v.test else 'no test'}: {_short(v)}" for v in verdicts]
        return [f"{place[0].upper()}{place[1:]}, the tests do not agree in {first.metric}: {'; '.join(each)}."]
    return [sentence(view, first), rope_sentence(first), these_sentence(first)]


def _short(verdict: Verdict) -> str:
    found = winner(verdict)
    if found is not None:
        return f"{found} is better"
    return "inconclusive" if verdict.decision == "not-settled" else verdict.decision


def sentence(view: View, verdict: Verdict) -> str:
    """Return one verdict on a pair in one sentence, from the winner's side."""
    metric, place, test = verdict.metric, _place(view, verdict), verdict.test
    both = " and ".join(baselines_last(verdict.learners, view))
    found = winner(verdict)
    within = f" within {numbers.score(verdict.rope, metric)}" if verdict.rope is not None else ""
    if verdict.decision == "undecided":
        ahead = f"; {_ahead(verdict)}" if verdict.difference is not None else ""
        return f"There is no verdict on {both} {place} in {metric}: {_reason([verdict])}{ahead}."
    if test is not None and test.posterior is not None:
        outcome = f"Neither of {both} is clearly better"
        if found is not None:
            outcome = f"{found} is better than {loser(verdict)}"
        elif verdict.decision == "equivalent":
            outcome = f"{both} are practically equal"
        settles = "" if verdict.settled else f" ({DECISIVE_PROBABILITY:g} would be decisive)"
        return f"{outcome} {place} in {metric}: {_probabilities(verdict)}{settles}."
    proof = _proof(verdict)
    if found is not None:
        return f"{found} is better than {loser(verdict)} {place}: {metric} {_size(verdict, found)} ({proof})."
    if verdict.decision == "equivalent":
        narrow = verdict.equivalence_interval
        shown = ""
        if narrow is not None:
            of = " minus ".join(verdict.learners)
            shown = f", {numbers.interval_level(narrow)} of {of} {numbers.interval(narrow, metric)}"
        return f"{both} are equivalent{within} {place} in {metric} ({proof}{shown})."
    if verdict.decision == "not-equivalent":
        return f"{both} are not equivalent{within} {place} in {metric}: {_ahead(verdict)} ({proof})."
    if verdict.decision == "differ":
        return f"{both} differ {place} in {metric}, but the direction is unclear ({proof})."
    if test is not None and test.test == "tost":
        return f"Inconclusive whether {both} are equivalent{within} {place} in {metric}: {_ahead(verdict)} ({proof})."
    return f"No significant difference between {both} {place} in {metric}: {_ahead(verdict)} ({proof})."


def _probabilities(verdict: Verdict) -> str:
    """Return the three shares of the posterior."""
    posterior = verdict.test.posterior if verdict.test is not None else None
    if posterior is None:
        return "no posterior"
    shares = numbers.sides(posterior, verdict.metric)
    way = 1 if shares[0] >= shares[2] else -1
    first, second = verdict.learners[::way]
    better, neither, worse = (numbers.probability(x) for x in shares[::way])
    rope = numbers.score(posterior.rope, verdict.metric)
    return (
        f"probability {better} that {first} is better by more than {rope}, {worse} that {second} is, {neither} neither"
    )


def _place(view: View, verdict: Verdict) -> str:
    units = f" ({verdict.units})" if verdict.units else ""
    if verdict.dataset is not None:
        return f"on {verdict.dataset}{units}"
    over = numbers.plural(len(verdict.datasets), view.unit) if verdict.datasets else "the datasets"
    return f"over {over}{units}"


def _size(verdict: Verdict, found: str) -> str:
    """Return `higher by 0.137, 95% interval 0.100 to 0.174`, always positive on the winner's side."""
    side, difference = "higher" if numbers.higher_is_better(verdict.metric) else "lower", verdict.difference
    if difference is None or abs(difference) < numbers.NOISE:
        return f"{side} more often than the other way round{_wins(verdict, found)}"
    return f"{side} by {_amount(verdict, difference)}{_wins(verdict, found)}"


def _ahead(verdict: Verdict) -> str:
    difference = verdict.difference
    if difference is None:
        return "no difference was computed"
    if abs(difference) < numbers.NOISE:
        return "the difference is zero"
    ahead = verdict.learners[0 if (difference > 0) == numbers.higher_is_better(verdict.metric) else 1]
    return f"{ahead} is ahead by {_amount(verdict, difference)}{_wins(verdict, ahead)}"


def _amount(verdict: Verdict, difference: float) -> str:
    """Return a difference with its interval; not that of 5x2cv-t, which lies around another number."""
    interval, shown = verdict.interval, numbers.score(abs(difference), verdict.metric)
    if interval is None or own_estimate(verdict) or not (isfinite(interval.low) or isfinite(interval.high)):
        return shown
    ends = numbers.interval(turned(interval) if difference < 0 else interval, verdict.metric)
    return f"{shown}, {numbers.interval_word(interval)} {ends}"


def _wins(verdict: Verdict, found: str) -> str:
    test = verdict.test
    if test is None or test.unit not in COUNTED:
        return ""
    counted = test.wins + test.ties + test.losses
    won, lost = (test.wins, test.losses) if found == verdict.learners[0] else (test.losses, test.wins)
    if not counted:
        return ""
    shown = [f"wins {won}", f"loses {lost}", *([f"ties {test.ties}"] if test.ties else [])]
    return f"; it {numbers.listing(shown)} of {numbers.plural(counted, test.unit)}"


def _proof(verdict: Verdict) -> str:
    test = verdict.test.test if verdict.test is not None else "no test"
    if verdict.stopped is not None:
        more = "more repeats would almost certainly not change the verdict"
        return f"{test}, stopped at {numbers.stopped_at(verdict)}: {more}"
    shown = numbers.p_of(verdict)
    return f"{test}, {shown}" if shown else test


def rope_sentence(verdict: Verdict) -> str:
    """Return whether the difference matters, where a rope was given and something is known of the size."""
    if verdict.direction_only:
        return DIRECTION_ONLY
    if verdict.rope is None or verdict.decision in ("undecided", "equivalent", "not-equivalent"):
        return ""
    if verdict.test is not None and (verdict.test.posterior is not None or verdict.test.test == "tost"):
        return ""
    rope = numbers.score(verdict.rope, verdict.metric)
    return {
        "matters": f"It matters in practice: the whole interval lies beyond the equivalence margin of {rope}.",
        "too-small": f"It is too small to matter: the whole interval lies inside the equivalence margin of {rope}.",
        "cannot-tell": f"Whether it is larger than the equivalence margin of {rope} is inconclusive.",
        "no-rope": "",
    }[verdict.matters]


# Two learners on several datasets, one by one


def _datasets(view: View, verdicts: list[Verdict]) -> list[str]:
    """Return on how many datasets each learner is better, and where it is open."""
    metric = verdicts[0].metric
    names = baselines_last(verdicts[0].learners, view)
    sets = len({v.dataset for v in verdicts})
    wins = {n: [v for v in verdicts if winner(v) == n] for n in names}
    first = max(names, key=lambda n: len(wins[n]))
    second = next(n for n in names if n != first)
    if not wins[first]:
        where = "on either of the 2 datasets" if sets == 2 else f"on any of the {numbers.plural(sets, 'dataset')}"
        outcome = f"No significant difference between {first} and {second} in {metric} {where}"
    else:
        outcome = f"{first} is better than {second} in {metric} on {_count(wins[first], sets)} ({_named(wins[first])})"
    if wins[first] and wins[second]:
        outcome += f", {second} is better on {_count(wins[second], sets)} ({_named(wins[second])})"
    return [f"{outcome}{_rest(verdicts)}.", _shares(verdicts, first, second)]


def _shares(verdicts: list[Verdict], first: str, second: str) -> str:
    """Return the three probabilities on each dataset, where the tests are Bayesian."""
    each, rope = [], 0.0
    for v in verdicts:
        if v.test is not None and v.test.posterior is not None:
            rope = rope or v.test.posterior.rope
            way = 1 if v.learners[0] == first else -1
            three = (numbers.probability(x) for x in numbers.sides(v.test.posterior, v.metric)[::way])
            each.append(f"{v.dataset} {', '.join(three)}")
    if not each:
        return ""
    more = f"; {len(each) - MOST_DATASETS} more below" if len(each) > MOST_DATASETS else ""
    return (
        f"Probability that {first} is better by more than {numbers.score(rope, verdicts[0].metric)}, that neither is, "
        f"that {second} is: {'; '.join(each[:MOST_DATASETS])}{more} ({DECISIVE_PROBABILITY:g} is decisive)."
    )


def _count(some: list[Verdict], sets: int) -> str:
    count = len({v.dataset for v in some})
    if count == sets:
        return "both datasets" if count == 2 else f"all {count} datasets"
    return f"{count} of {numbers.plural(sets, 'dataset')}"


def _named(some: list[Verdict]) -> str:
    shown = []
    for v in some:
        size = abs(v.difference) if v.difference is not None else 0.0
        shown.append(f"{v.dataset}{f' by {numbers.score(size, v.metric)}' if size >= numbers.NOISE else ''}")
    return numbers.listing(shown, most=MOST_DATASETS)


def _rest(verdicts: list[Verdict]) -> str:
    """Return where nothing is significant, where they are equivalent, where nothing was decided."""
    kinds = {
        "not-settled": "inconclusive on",
        "equivalent": "equivalent on",
        "not-equivalent": "not equivalent on",
        "differ": "different, with unclear direction, on",
        "undecided": "no verdict on",
    }
    parts = []
    settled = any(winner(v) for v in verdicts)
    for kind, words in kinds.items():
        mine = list(dict.fromkeys(v.dataset or "" for v in verdicts if v.decision == kind))
        if mine and (kind != "not-settled" or settled):
            why = _why(verdicts) if kind == "undecided" else ""
            parts.append(f"; {words} {numbers.listing(mine, most=MOST_DATASETS)}{why}")
    return "".join(parts)


def _why(verdicts: list[Verdict]) -> str:
    """Return the reason that nothing was decided; the remedy stands in the table of failures."""
    reason = next((v.undecided_because for v in verdicts if v.decision == "undecided" and v.undecided_because), "")
    return f" ({reason.partition(':')[0].rstrip('.')})" if reason else ""


def _tally(view: View, verdicts: list[Verdict]) -> str:
    """Return on how many datasets each learner is better, how many are open, and how many had no test."""
    names = baselines_last(verdicts[0].learners, view)
    wins = {n: sum(winner(v) == n for v in verdicts) for n in names}
    parts = [f"{n} is better on {count}" for n, count in wins.items() if count]
    none = sum(v.decision == "undecided" for v in verdicts)
    rest = len(verdicts) - sum(wins.values()) - none
    parts += [f"inconclusive on {rest}"] if rest else []
    parts += [f"no verdict on {none}{_why(verdicts)}"] if none else []
    return ", ".join(parts)


# Several learners


def _of_many(view: View, metric: str, verdicts: list[Verdict]) -> Headline:
    """Return the answer over datasets where there is such a test, else on the one dataset, else counted."""
    over = [v for v in verdicts if v.dataset is None]
    sets = list(dict.fromkeys(v.dataset for v in verdicts))
    mine = over or verdicts
    found = standing(view, metric)
    several = not over and len(sets) > 1
    if (found is None or several) and all(v.decision == "undecided" for v in mine):
        names = numbers.listing(baselines_last(view.learners, view), most=MOST_LEARNERS)
        return _headline(view, metric, [f"There is no verdict on {names} in {metric}: {_reason(mine)}."])
    if several:
        return _counted(view, metric, verdicts)
    units = max((len(v.datasets) for v in mine), default=0) or len(view.datasets)
    place = f"over {numbers.plural(units, view.unit)}" if over else f"on {sets[0]}"
    control = view.comparison.control
    pairs = [v for v in mine if v.pair]
    omnibus = next((v for v in mine if not v.pair), None)
    if control is not None and pairs and all(control in v.learners for v in pairs):
        return _against_control(view, metric, place, found, control, pairs)
    sentences = [_leads(view, place, found)] if found is not None else []
    open_omnibus = _omnibus(omnibus, place, bool(sentences))
    sentences += [open_omnibus]
    if found is None and pairs:
        return _headline(view, metric, [*sentences, _pairs_alone(metric, place, pairs)], better=_better(pairs))
    if found is None or not pairs:
        alone = "" if omnibus else "No pair was tested."
        return _headline(view, metric, [*sentences, alone], leader=found.learners[0] if found else "")
    leader = found.leaders[0]
    if open_omnibus and all(v.decision == "not-settled" for v in pairs):  # it says the same of every pair
        others = (next(n for n in v.learners if n != leader) for v in pairs if leader in v.learners)
        return _headline(view, metric, sentences, leader=leader, open=tuple((leader, n) for n in others))
    it = leader if open_omnibus or len(found.leaders) > 1 else "it"
    return _against_leader(view, found, it, pairs, sentences)


def _pairs_alone(metric: str, place: str, pairs: list[Verdict]) -> str:
    """Return the pairs one by one: a learner without a score leaves no order of all."""
    parts = [f"{w} is better than {x}" for w, x in _better(pairs)]
    open_ = len(pairs) - len(parts)
    parts = _cut(parts, MOST_LEARNERS, f"{len(parts) - MOST_LEARNERS} more pairs differ significantly")
    parts += [f"{open_} of {numbers.plural(len(pairs), 'pair')} are inconclusive"] if open_ else []
    why = _reason(pairs, "not every learner has a score")
    return f"The learners cannot be ranked {place} in {metric}: {'; '.join([*parts, why])}."


def _leads(view: View, place: str, found: Standing) -> str:
    count = numbers.plural(len(found.learners), "learner")
    if found.by == "mean rank":
        number = f"mean rank {numbers.decimal(found.values[0], 2)}, 1 is best"
    else:
        side = "" if numbers.higher_is_better(found.metric) else ", lower is better"
        number = f"mean {numbers.score(found.values[0], found.metric)}{side}"
    where = f"{count} {place} in {found.metric} ({number})"
    if len(found.leaders) > 1:
        return f"{numbers.listing(found.leaders, most=MOST_LEARNERS)} tie for first among {where}."
    baseline = ", a baseline," if found.leaders[0] in view.trivial else ""
    return f"{found.leaders[0]}{baseline} leads {where}."


def _omnibus(verdict: Verdict | None, place: str, after: bool) -> str:
    if verdict is None or verdict.decision == "differ":
        return ""
    where = "" if after else f" {place}"
    if verdict.decision == "undecided":
        return f"There is no verdict on whether the learners differ{where}: {_reason([verdict])}."
    test = verdict.test.test if verdict.test is not None else "no test"
    return f"No significant difference among the learners{where} ({test}, {numbers.p_of(verdict)})."


def _groups(pivot: str, pairs: list[Verdict]) -> dict[str, list[str]]:
    """Return the opponents of one learner by outcome: `worse` or `better` than it, or the decision."""
    groups: dict[str, list[str]] = {}
    for verdict in pairs:
        other = next(n for n in verdict.learners if n != pivot)
        kind: str = "worse" if winner(verdict) == pivot else "better" if winner(verdict) else verdict.decision
        groups.setdefault(kind, []).append(other)
    return groups


def _in_order(view: View, found: Standing | None, names: Iterable[str]) -> tuple[str, ...]:
    order = list(found.learners if found is not None else view.learners)
    return baselines_last(sorted(dict.fromkeys(names), key=order.index), view)


def _against_leader(view: View, found: Standing, it: str, pairs: list[Verdict], sentences: list[str]) -> Headline:
    """Return which learners the leader beats, which it does not differ from, and which it was not tested against."""
    leader, metric = found.leaders[0], pairs[0].metric
    mine = [v for v in pairs if leader in v.learners]
    groups = _groups(leader, mine)
    met = {n for names in groups.values() for n in names}
    untested = [n for n in view.learners if n != leader and n not in met]
    words = {
        "worse": f"{it} is better than {{}}",
        "better": f"{{}} is better than {it} by the test of the pair",
        "not-settled": f"{it} does not differ significantly from {{}}",
        "equivalent": f"{it} is equivalent to {{}}",
        "not-equivalent": f"{it} is not equivalent to {{}}",
        "differ": f"{it} differs from {{}}, but the direction is unclear",
        "undecided": "there is no verdict against {}",
    }
    parts = []
    for kind, text in words.items():
        names = _in_order(view, found, groups.get(kind, []))
        shown = numbers.listing(names, most=MOST_LEARNERS)
        if not untested and len(names) == len(met) > 2:
            shown = "any of the others" if kind == "not-settled" else "all the others"
        parts += [text.format(shown)] if names else []
    if untested:
        names = baselines_last(untested, view)
        parts.append(f"{it} was not tested against {numbers.listing(names, most=MOST_LEARNERS)}")
    joined = "; ".join(parts)
    joined = f"It{joined[2:]}." if joined.startswith("it ") else f"{joined}." if joined else ""
    held = place_sentence(view, metric, leader) if len(view.datasets) == 1 else ""
    open_ = tuple((leader, n) for n in groups.get("not-settled", []))
    return _headline(view, metric, [*sentences, joined, held], leader=leader, better=_better(mine), open=open_)


def _against_control(
    view: View, metric: str, place: str, found: Standing | None, control: str, pairs: list[Verdict]
) -> Headline:
    """Return which learners are better than the control, which are worse, which do not differ from it."""
    groups = _groups(control, pairs)
    words = {
        "better": "{} {are} better",
        "worse": "{} {are} worse",
        "not-settled": "{} {do} not differ significantly from it",
        "equivalent": "{} {are} equivalent to it",
        "not-equivalent": "{} {are} not equivalent to it",
        "differ": "{} {differ} from it, but the direction is unclear",
        "undecided": "there is no verdict on {}",
    }
    parts = []
    for kind, text in words.items():
        names = _in_order(view, found, groups.get(kind, []))
        shown = numbers.listing(names, most=MOST_LEARNERS)
        verbs = VERBS[len(names) != 1]
        parts += [text.format(shown, **verbs)] if names else []
    held = place_sentence(view, metric, control) if len(view.datasets) == 1 else ""
    leads = _leads(view, place, found) if found is not None else ""
    return _headline(
        view,
        metric,
        [f"Against the control {control} {place} in {metric}: {'; '.join(parts)}.", held, leads],
        leader=found.leaders[0] if found is not None else "",
        better=_better(pairs),
        open=tuple((control, n) for n in groups.get("not-settled", [])),
    )


def _counted(view: View, metric: str, verdicts: list[Verdict]) -> Headline:
    """Return how often each learner is best on several datasets without a test over them."""
    best = {d: view.best(metric, d) for d in view.means.get(metric, {})}
    count = {n: sum(n in names for names in best.values()) for n in view.learners}
    leader = max(baselines_last(view.learners, view), key=lambda n: count[n])
    pairs = [v for v in verdicts if v.pair]
    tests = numbers.plural(len(pairs), "test")
    settled = sum(winner(v) is not None for v in pairs)
    sets = numbers.plural(len(best), "dataset")
    where = f"all {sets}" if count[leader] == len(best) > 1 else f"{count[leader]} of {sets}"
    sentences = [f"{leader} has the best mean {metric} on {where}."]
    control = view.comparison.control
    one = control or leader
    mine = [v for v in pairs if one in v.learners]
    if not settled:
        sentences.append(f"None of the {tests} on single datasets is significant.")
    else:
        who = f"The control {one}" if control and control != leader else "It"
        sentences.append(f"{who} is {_rivals(view, one, mine)}.")
        if len(mine) < len(pairs):
            sentences.append(f"Of all {tests} on single datasets, {settled} show one learner better.")
    return _headline(view, metric, sentences, leader=leader)


def _rivals(view: View, one: str, verdicts: list[Verdict]) -> str:
    """Return one learner against each of the others, dataset by dataset; those with one outcome stand together."""
    fared: dict[str, list[str]] = {}
    for other in baselines_last((n for n in view.learners if n != one), view):
        mine = [v for v in verdicts if other in v.learners]
        if mine:
            fared.setdefault(_fared(one, mine), []).append(other)
    order = ("better than", "worse than", "better", "worse")
    ordered = sorted(fared, key=lambda words: next((i for i, w in enumerate(order) if words.startswith(w)), 9))
    parts = [words.format(numbers.listing(fared[words], most=MOST_LEARNERS)) for words in ordered]
    return "; ".join(_cut(parts, MOST_LEARNERS, "the table has the others"))


def _fared(one: str, verdicts: list[Verdict]) -> str:
    places = len(verdicts)
    won = sum(winner(v) == one for v in verdicts)
    lost = sum(winner(v) not in (None, one) for v in verdicts)
    if places in (won, lost):
        each = f"all {places} datasets" if places > 1 else "the one dataset"
        return f"{'better' if won else 'worse'} than {{}} on {each}"
    if not won and not lost:
        same = any(v.decision == "equivalent" for v in verdicts)
        return f"{'neither better nor worse than' if same else 'not significantly different from'} {{}} on any dataset"
    shown = [f"{word} on {n}" for word, n in (("better", won), ("worse", lost)) if n]
    return f"{' and '.join(shown)} of {places} datasets against {{}}"


# Estimates


def estimate_sentences(view: View) -> list[str]:
    """Return the first metric; several datasets are summed up by the lowest and the highest score."""
    metric = view.estimates[0].metric
    mine = [e for e in view.estimates if e.metric == metric]
    scored = [e for e in mine if e.score is not None]
    if not scored:
        return [estimate_sentence(mine[0])]
    if len(scored) <= 2 or len({e.learner for e in scored}) > 1:
        sentences = [estimate_sentence(e) for e in scored]
    else:
        low, high = (pick(scored, key=lambda e: e.score or 0.0) for pick in (min, max))
        sentences = [
            f"{low.learner} has {metric} from {_score(low)} on {low.dataset} to {_score(high)} on {high.dataset}, "
            f"over {numbers.plural(len(scored), 'dataset')}."
        ]
    missing = len(mine) - len(scored)
    sentences += [f"{numbers.plural(missing, 'dataset has', 'datasets have')} no score."] if missing else []
    shuffled = next((e for e in scored if e.test is not None and e.test.pvalue is not None), None)
    if shuffled is not None and shuffled.test is not None:
        sentences.append(f"Against shuffled labels on {shuffled.dataset}: {numbers.p_is(shuffled.test.pvalue)}.")
    rest = list(dict.fromkeys(e.metric for e in view.estimates if e.metric != metric))
    others = [f"{e.metric} {_score(e)}" for e in view.estimates if e.metric != metric and e.score is not None]
    with_scores = others and len(others) == len(rest) <= 2 and len(mine) == 1
    sentences += [f"Estimated too: {numbers.listing(others if with_scores else rest)}."] if rest else []
    return sentences


def estimate_sentence(estimate: Estimate) -> str:
    """Return one estimate in one sentence."""
    if estimate.score is None:
        reason = (estimate.undecided_because or "a fit failed").rstrip(".")
        return f"{estimate.learner} has no {estimate.metric} on {estimate.dataset}: {reason}."
    return f"{estimate.learner} has {estimate.metric} {_score(estimate)} on {estimate.dataset}."


def _score(estimate: Estimate) -> str:
    interval = estimate.interval
    shown = numbers.score(estimate.score, estimate.metric)
    if interval is None:
        return shown
    if estimate.method == "guarded holdout":
        return f"{shown}, tolerance {numbers.interval(interval, estimate.metric)} (a guarded holdout, no verdict)"
    return f"{shown} ({numbers.percent(interval.level)} interval {numbers.interval(interval, estimate.metric)})"
