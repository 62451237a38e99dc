"""The headline of a comparison: its answer in a sentence or two, and the one picture that shows it.

It is made of the decisions of the verdicts and says no more than they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

from ..results import numbers
from ..results.numbers import own_estimate, these_sentence, turned
from ..results.records import Verdict
from ..results.run_result import RunResult
from ..verdicts.decide import SURE
from .headline_datasets import MOST_NAMED, datasets, tally
from .headline_many import Many, many
from .headline_other import estimate_sentences
from .view import View, baselines_last, loser, views, winner

COUNTED = ("fold", "dataset", "item")  # units of which a win is something a reader can picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What is said, and the pairs it calls settled or open."""

    sentences: tuple[str, ...]
    leader: str = ""
    better: tuple[tuple[str, str], ...] = ()
    open: tuple[tuple[str, str], ...] = ()


def pair(view: View, verdicts: list[Verdict]) -> Pair:
    """The test over datasets where there is one, else the datasets one by one; the latter follow in a sentence."""
    over = [v for v in verdicts if v.dataset is None]
    on = [v for v in verdicts if v.dataset is not None]
    decided = over or on
    said = _place_sentences(view, over) if over else ()
    if over and on:
        said = (*said, f"On single datasets: {tally(view, on)}.")
    elif not over:
        places = list(dict.fromkeys(v.dataset for v in on))
        said = _place_sentences(view, on) if len(places) == 1 else datasets(view, on)
    winners = {winner(v) for v in decided}
    one = next(iter(winners)) if len(winners) == 1 else None
    names = baselines_last(decided[0].learners, view)
    if one is None and over:
        return Pair(sentences=said, open=((names[0], names[1]),))
    better = tuple(dict.fromkeys((w, x) for v in decided if (w := winner(v)) and (x := loser(v))))
    leader = one or ""
    return Pair(sentences=said, leader=leader, better=better, open=() if better else ((names[0], names[1]),))


def _place_sentences(view: View, verdicts: list[Verdict]) -> tuple[str, ...]:
    """One place. Several tests of it are told by the first where they agree, and by name where they do not."""
    first = verdicts[0]
    if len({v.decision for v in verdicts}) > 1:
        each = [f"{v.test.test if v.test else 'no test'}: {_short(v)}" for v in verdicts]
        return (f"{_place(view, first)}, the tests do not agree in {first.metric}: {'; '.join(each)}.",)
    return tuple(s for s in (sentence(view, first), rope_sentence(first), these_sentence(first)) if s)


def _short(verdict: Verdict) -> str:
    found = winner(verdict)
    if found is not None:
        return f"{found} is better"
    return {"equivalent": "equivalent", "not-settled": "not settled"}.get(verdict.decision, verdict.decision)


def sentence(view: View, verdict: Verdict) -> str:
    """One verdict on a pair in one sentence, from the winner's side."""
    metric, place = verdict.metric, _place(view, verdict, middle=True)
    names = baselines_last(verdict.learners, view)
    both = f"{names[0]} and {names[1]}"
    test = verdict.test
    if verdict.decision == "undecided":
        reason = (verdict.undecided_because or "no test was made").rstrip(".")
        ahead = f"; {_ahead(verdict)}" if verdict.difference is not None else ""
        return f"Nothing is decided between {both} {place} in {metric}: {reason}{ahead}."
    if test is not None and test.posterior is not None:
        found = winner(verdict)
        told = f"It is open which of {both} is better"
        if found is not None:
            told = f"{found} is better than {loser(verdict)}"
        elif verdict.decision == "equivalent":
            told = f"{both} are practically equal"
        settles = "" if verdict.settled else f" ({SURE:g} would settle it)"
        return f"{told} {place} in {metric}: {_probabilities(verdict)}{settles}."
    found = winner(verdict)
    if found is not None:
        other = loser(verdict)
        size = f"{metric} {_size(verdict, found)}{_wins(verdict, found)}"
        return f"{found} is better than {other} {place}: {size} ({_proof(verdict)})."
    if verdict.decision == "equivalent":
        within = f" within {numbers.score(verdict.rope, metric)}" if verdict.rope is not None else ""
        return f"{both} are equivalent{within} {place} in {metric} ({_proof(verdict)})."
    if verdict.decision == "differ":
        return f"{both} differ {place} in {metric}, and which is better is not settled ({_proof(verdict)})."
    if test is not None and test.test == "tost":
        within = f" within {numbers.score(verdict.rope, metric)}" if verdict.rope is not None else ""
        return f"{both} are not shown to be equivalent{within} {place} in {metric} ({_proof(verdict)})."
    return f"It is not settled which of {both} is better {place} in {metric}: {_ahead(verdict)} ({_proof(verdict)})."


def _probabilities(verdict: Verdict) -> str:
    """The three shares of the posterior."""
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


def _place(view: View, verdict: Verdict, middle: bool = False) -> str:
    if verdict.dataset is not None:
        said = f"on {verdict.dataset}"
    else:
        said = f"over {numbers.plural(len(verdict.datasets), view.unit)}" if verdict.datasets else "over the datasets"
    said += f" ({verdict.units})" if verdict.units else ""
    return said if middle else said[0].upper() + said[1:]


def _size(verdict: Verdict, found: str) -> str:
    """`higher by 0.137, 95% interval 0.100 to 0.174`, always positive on the winner's side."""
    side = "higher" if numbers.higher_is_better(verdict.metric) else "lower"
    difference = verdict.difference
    if difference is None or abs(difference) < numbers.NOISE:
        return f"{side} more often than the other way round"
    return f"{side} by {numbers.score(abs(difference), verdict.metric)}{_interval(verdict, difference < 0)}"


def _interval(verdict: Verdict, negative: bool) -> str:
    """None for 5x2cv-t: its interval lies around another number than the difference."""
    interval = verdict.interval
    if interval is None or own_estimate(verdict) or not (isfinite(interval.low) or isfinite(interval.high)):
        return ""
    shown = numbers.interval(turned(interval) if negative else interval, verdict.metric)
    return f", {numbers.interval_word(interval)} {shown}"


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


def _ahead(verdict: Verdict) -> str:
    difference = verdict.difference
    if difference is None:
        return "no difference was computed"
    if abs(difference) < numbers.NOISE:
        return "the difference is zero"
    ahead = verdict.learners[0 if (difference > 0) == numbers.higher_is_better(verdict.metric) else 1]
    size = numbers.score(abs(difference), verdict.metric)
    return f"{ahead} is ahead by {size}{_interval(verdict, difference < 0)}{_wins(verdict, ahead)}"


def _proof(verdict: Verdict) -> str:
    test = verdict.test.test if verdict.test is not None else "no test"
    if verdict.stopped is not None:
        return f"{test}, ended at {numbers.stopped_at(verdict)}: all partitions would say the same"
    shown = numbers.p_of(verdict)
    return f"{test}, {shown}" if shown else test


def rope_sentence(verdict: Verdict) -> str:
    """Whether the difference matters, where a rope was given and something is known of the size."""
    if verdict.direction_only:
        return "The direction is settled, the size is not: the simultaneous interval contains 0."
    if verdict.rope is None or verdict.decision in ("undecided", "equivalent"):
        return ""
    if verdict.test is not None and (verdict.test.posterior is not None or verdict.test.test == "tost"):
        return ""
    rope = numbers.score(verdict.rope, verdict.metric)
    return {
        "matters": f"It matters: the whole interval lies beyond the rope of {rope}.",
        "too-small": f"It does not matter in practice: the whole interval lies inside the rope of {rope}.",
        "cannot-tell": f"Whether it is larger than the rope of {rope} cannot be told.",
        "no-rope": "",
    }[verdict.matters]


Picture = Literal["", "critical-difference", "forest", "posterior"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer. `better` are the pairs (winner, loser) that the sentences call settled, `open` those they do not."""

    comparison: str
    metric: str
    sentences: tuple[str, ...]
    picture: Picture = ""
    leader: str = ""  # of several learners: the best of the table, settled or not; of two: the one that is better
    better: tuple[tuple[str, str], ...] = ()
    open: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(self.sentences)


def headlines(result: RunResult, subject: str | None = None) -> tuple[Headline, ...]:
    """One for each comparison and estimate, in the order of the script."""
    return tuple(headline(view) for view in views(result, subject))


def headline(view: View) -> Headline:
    """The headline in the metric that decides (the first, where none is named); a word on the others follows."""
    if view.estimates:
        metric = view.estimates[0].metric
        said = tuple(map(numbers.spoken, estimate_sentences(view)))
        return Headline(comparison=view.name, metric=metric, sentences=said, picture="forest")
    tested = {v.metric for v in view.verdicts}
    metrics = [m for m in view.metrics if m in tested]
    if not metrics:
        return Headline(comparison=view.name, metric=next(iter(view.metrics), ""), sentences=(_untested(view),))
    found = {metric: _told(view, metric) for metric in metrics}
    first = found[metrics[0]]
    if len(metrics) == 1:
        return first
    return replace(first, sentences=(*first.sentences, numbers.spoken(_others(view, found))))


def _told(view: View, metric: str) -> Headline:
    mine = [v for v in view.verdicts if v.metric == metric]
    made: Pair | Many = pair(view, mine) if _two(mine) else many(view, metric, mine)
    picture: Picture = "forest"
    if any(v.test is not None and v.test.posterior is not None for v in mine):
        picture = "posterior"
    elif any(r.metric == metric for r in view.rankings) and view.comparison.control is None:
        picture = "critical-difference"
    return Headline(
        comparison=view.name,
        metric=metric,
        sentences=tuple(map(numbers.spoken, made.sentences)),
        picture=picture,
        leader=made.leader,
        better=made.better,
        open=made.open,
    )


def _two(verdicts: list[Verdict]) -> bool:
    return len({name for v in verdicts for name in v.learners}) == 2


def _others(view: View, found: dict[str, Headline]) -> str:
    """The other metrics: where every decision and the leader are the same, and where they are not."""
    decided: dict[str, set[tuple[str | None, tuple[str, ...], str]]] = {metric: set() for metric in found}
    for v in view.verdicts:
        decided[v.metric].add((v.dataset, v.learners, v.decision))
    first, *rest = found.values()
    outcome = (first.leader, decided[first.metric])
    same = [h.metric for h in rest if (h.leader, decided[h.metric]) == outcome]
    if len(same) == len(rest):
        return f"The outcome is the same in {numbers.listing([h.metric for h in rest])}."
    outcomes: dict[str, list[str]] = {}
    for h in rest:
        if h.metric not in same:
            outcomes.setdefault(_outcome(view, h, first), []).append(h.metric)
    told = [f"in {numbers.listing(metrics)} {said}" for said, metrics in outcomes.items()]
    told = told if len(told) <= MOST_NAMED else [*told[:MOST_NAMED], f"{len(told) - MOST_NAMED} more below"]
    alike = [f"The outcome is the same in {numbers.listing(same)}"] if same else []
    joined = "; ".join((*alike, *told))
    return f"{joined[0].upper()}{joined[1:]}."


def _outcome(view: View, told: Headline, first: Headline) -> str:
    """The answer in another metric, in a few words and by name."""
    mine = [v for v in view.verdicts if v.metric == told.metric]
    mine = [v for v in mine if v.dataset is None] or mine
    if not _two(mine):
        settled = sum(winner(v) is not None for v in mine)
        tests = numbers.plural(sum(v.pair for v in mine), "pair")
        if not told.leader:
            return f"{settled} of {tests} are settled"
        too = " too" if told.leader == first.leader else ""
        return f"{told.leader} leads{too}, with {settled} of {tests} settled"
    if len(mine) == 1:
        return _short_in_sentence(mine[0])
    wins = {n: [v.dataset or "" for v in mine if winner(v) == n] for n in baselines_last(mine[0].learners, view)}
    said = [f"{n} is better on {numbers.listing(names, most=MOST_NAMED)}" for n, names in wins.items() if names]
    rest = len(mine) - sum(map(len, wins.values()))
    return ", ".join((*said, *([f"{'nothing is settled' if not said else 'open'} on {rest}"] if rest else [])))


def _short_in_sentence(verdict: Verdict) -> str:
    both = " and ".join(verdict.learners)
    if winner(verdict) is not None:
        return _short(verdict)
    if verdict.decision == "equivalent":
        return f"{both} are equivalent"
    return "it is not settled who is better" if verdict.decision == "not-settled" else f"nothing is decided on {both}"


def _untested(view: View) -> str:
    """No verdict at all: the means are described and nothing follows from them."""
    if view.failures and not view.means:
        return "No trial gave a score, so nothing is said."
    return f"{numbers.listing(view.learners, most=6)} were scored and not tested: nothing is said of who is better."
