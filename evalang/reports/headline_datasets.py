"""The headline of two learners on several datasets, one by one: on how many who is better, and where it is open."""

from __future__ import annotations

from ..results import numbers
from ..results.records import Verdict
from ..verdicts.decide import SURE
from .view import View, baselines_last, winner

MOST_NAMED = 4


def datasets(view: View, verdicts: list[Verdict]) -> tuple[str, ...]:
    """Several datasets one by one: on how many who is better, and where it is open."""
    metric = verdicts[0].metric
    names = baselines_last(verdicts[0].learners, view)
    sets = len({v.dataset for v in verdicts})
    wins = {n: [v for v in verdicts if winner(v) == n] for n in names}
    first = max(names, key=lambda n: len(wins[n]))
    second = next(n for n in names if n != first)
    shares = _shares(verdicts, first, second)
    if not wins[first]:
        where = "On neither of the 2 datasets" if sets == 2 else f"On none of the {numbers.plural(sets, 'dataset')}"
        return (f"{where} is it settled which of {first} and {second} is better in {metric}{_rest(verdicts)}.", *shares)
    told = f"{first} is better than {second} in {metric} on {_count(wins[first], sets)} ({_named(wins[first])})"
    if wins[second]:
        told += f", {second} is better on {_count(wins[second], sets)} ({_named(wins[second])})"
    return (f"{told}{_rest(verdicts)}.", *shares)


def _shares(verdicts: list[Verdict], first: str, second: str) -> tuple[str, ...]:
    """The three probabilities on each dataset, where the tests are Bayesian."""
    told = []
    for v in verdicts:
        if v.test is not None and v.test.posterior is not None:
            way = 1 if v.learners[0] == first else -1
            three = (numbers.probability(x) for x in numbers.sides(v.test.posterior, v.metric)[::way])
            told.append(f"{v.dataset} {', '.join(three)}")
    if not told:
        return ()
    rope = next(v.test.posterior.rope for v in verdicts if v.test is not None and v.test.posterior is not None)
    more = f"; {len(told) - MOST_NAMED} more below" if len(told) > MOST_NAMED else ""
    return (
        f"Probability that {first} is better by more than {numbers.score(rope, verdicts[0].metric)}, that neither is, "
        f"that {second} is: {'; '.join(told[:MOST_NAMED])}{more} ({SURE:g} settles it).",
    )


def _count(some: list[Verdict], sets: int) -> str:
    count = len({v.dataset for v in some})
    if count == sets:
        return "both datasets" if count == 2 else f"all {count} datasets"
    return f"{count} of {numbers.plural(sets, 'dataset')}"


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
        why = _why(verdicts) if kind == "undecided" else ""
        said.append(f"{words} {numbers.listing(mine, most=MOST_NAMED)}{why}")
    return f"; {'; '.join(said)}" if said else ""


def _why(verdicts: list[Verdict]) -> str:
    """The reason that nothing was decided; what to do about it stands in the table of failures."""
    reason = next((v.undecided_because for v in verdicts if v.decision == "undecided" and v.undecided_because), "")
    return f" ({reason.partition(':')[0].rstrip('.')})" if reason else ""


def tally(view: View, verdicts: list[Verdict]) -> str:
    """On how many of the datasets who is better, on how many it is open, and on how many no test could be made."""
    names = baselines_last(verdicts[0].learners, view)
    wins = {n: sum(winner(v) == n for v in verdicts) for n in names}
    said = [f"{n} is better on {count}" for n, count in wins.items() if count]
    none = sum(v.decision == "undecided" for v in verdicts)
    rest = len(verdicts) - sum(wins.values()) - none
    said += [f"open on {rest}"] if rest else []
    said += [f"nothing decided on {none}{_why(verdicts)}"] if none else []
    return ", ".join(said)
