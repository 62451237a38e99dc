"""The headline of two learners: who is better and by how much, told from the winner's side, or that it is open."""

from __future__ import annotations

from dataclasses import dataclass

from ..results.verdict import Verdict
from . import numbers
from .intervals import interval_name, own_estimate, turned
from .standing import baselines_last, loser, winner
from .view import View

COUNTED = ("fold", "dataset", "item")  # units of which a win is something a reader can picture
MOST_NAMED = 4


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
        said = (*said, f"On single datasets: {_tally(view, on)}.")
    elif not over:
        places = list(dict.fromkeys(v.dataset for v in on))
        said = _place_sentences(view, on) if len(places) == 1 else _datasets(view, on)
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
    return tuple(s for s in (sentence(view, first), rope_sentence(first)) if s)


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
        return f"{told} {place} in {metric}: {_probabilities(verdict)}."
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
    first, second = verdict.learners
    better, neither, worse = (numbers.probability(x) for x in numbers.sides(posterior, verdict.metric))
    rope = numbers.score(posterior.rope, verdict.metric)
    return (
        f"probability {better} that {first} is better by more than {rope}, {worse} that {second} is, {neither} neither"
    )


def _place(view: View, verdict: Verdict, middle: bool = False) -> str:
    if verdict.dataset is not None:
        said = f"on {verdict.dataset}"
    else:
        said = f"over {numbers.plural(len(verdict.datasets), view.unit)}" if verdict.datasets else "over the datasets"
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
    if interval is None or own_estimate(verdict):
        return ""
    name = "interval" if interval.kind != "single" else interval_name(interval)
    kind = "" if interval.kind == "single" else f"{interval.kind} "
    return f", {kind}{name} {numbers.interval(turned(interval) if negative else interval, verdict.metric)}"


def _wins(verdict: Verdict, found: str) -> str:
    test = verdict.test
    if test is None or test.unit not in COUNTED:
        return ""
    counted = test.wins + test.ties + test.losses
    won, lost = (test.wins, test.losses) if found == verdict.learners[0] else (test.losses, test.wins)
    if not counted:
        return ""
    ties = f", ties {test.ties}" if test.ties else ""
    return f"; it wins {won} and loses {lost}{ties} of {numbers.plural(counted, test.unit)}"


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
    if verdict.adjusted_p is None:
        return test
    adjusted = "adjusted " if verdict.family_size > 1 or verdict.family_blocks > 1 else ""
    return f"{test}, {adjusted}{numbers.p_is(verdict.adjusted_p, verdict.alpha)}"


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
        "cannot-tell": f"Whether it matters, more than the rope of {rope}, cannot be told.",
        "no-rope": "",
    }[verdict.matters]


def _datasets(view: View, verdicts: list[Verdict]) -> tuple[str, ...]:
    """Several datasets one by one: on how many who is better, and where it is open."""
    metric = verdicts[0].metric
    names = baselines_last(verdicts[0].learners, view)
    sets = len({v.dataset for v in verdicts})
    wins = {n: [v for v in verdicts if winner(v) == n] for n in names}
    first = max(names, key=lambda n: len(wins[n]))
    second = next(n for n in names if n != first)
    posteriors = [v for v in verdicts if v.test is not None and v.test.posterior is not None]
    if not wins[first] and posteriors:
        told = "; ".join(f"{v.dataset}, {_probabilities(v)}" for v in posteriors[:2])
        rest = f"; and so on for {numbers.plural(len(posteriors) - 2, 'dataset')} more" if len(posteriors) > 2 else ""
        return (f"It is open which of {first} and {second} is better in {metric}. On {told}{rest}.",)
    if not wins[first]:
        return (
            f"On none of the {numbers.plural(sets, 'dataset')} is it settled which of {first} and {second} is better "
            f"in {metric}{_rest(verdicts)}.",
        )
    told = f"{first} is better than {second} in {metric} on {_count(wins[first], sets)} ({_named(wins[first])})"
    if wins[second]:
        told += f", {second} is better on {_count(wins[second], sets)} ({_named(wins[second])})"
    return (f"{told}{_rest(verdicts)}.",)


def _count(some: list[Verdict], sets: int) -> str:
    count = len({v.dataset for v in some})
    return f"all {count} datasets" if count == sets else f"{count} of {numbers.plural(sets, 'dataset')}"


def _named(some: list[Verdict]) -> str:
    shown = []
    for v in some:
        size = abs(v.difference) if v.difference is not None else None
        shown.append(
            f"{v.dataset} by {numbers.score(size, v.metric)}" if size and size >= numbers.NOISE else f"{v.dataset}"
        )
    return numbers.listing(shown, most=MOST_NAMED)


def _rest(verdicts: list[Verdict]) -> str:
    """What is not one learner's win: where nothing is settled, where they are equivalent, where nothing was decided."""
    kinds = {
        "not-settled": "not settled on",
        "equivalent": "equivalent on",
        "differ": "different, in which direction is not settled, on",
        "undecided": "undecided on",
    }
    said = []
    settled = any(winner(v) for v in verdicts)
    for kind, words in kinds.items():
        mine = list(dict.fromkeys(v.dataset or "" for v in verdicts if v.decision == kind))
        if not mine or (kind == "not-settled" and not settled):
            continue
        said.append(f"{words} {numbers.listing(mine, most=MOST_NAMED)}")
    return f"; {'; '.join(said)}" if said else ""


def _tally(view: View, verdicts: list[Verdict]) -> str:
    names = baselines_last(verdicts[0].learners, view)
    said = [f"{n} is better on {sum(winner(v) == n for v in verdicts)}" for n in names]
    rest = sum(winner(v) is None for v in verdicts)
    return f"{', '.join(said)}, open on {rest}"
