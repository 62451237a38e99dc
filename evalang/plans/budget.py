"""What a budget of time buys: partitions, and what their tests find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .cost import PlanCost, clock, wall
from .design_power import DesignPower, design_power
from .model import Comparison, Plan, Scheme
from .values import MOST_PARTITIONS

LITTLE = 0.05  # of power; less is not worth the hours


def describe_budget(plan: Plan, cost: PlanCost, seconds: float) -> Iterator[str]:
    """What so much time buys: of each comparison as many partitions, the same share of each; with their power."""
    whole = wall(cost)
    if not whole:
        yield "What a budget buys is not known: raise --pilot-seconds, so that each learner is measured."
        return
    share = seconds / whole
    workers = f"{cost.jobs} worker{'s' * (cost.jobs != 1)}"
    pays = f"{share:.1f} times as much" if share >= 1 else f"{100 * share:.0f}% of it"
    yield f"The plan takes {clock(whole)} with {workers}; a budget of {clock(seconds)} pays for {pays}."
    for c in plan.comparisons:
        if any(name == c.name for name, _ in cost.places) and c.scheme is not None:
            yield from _bought(plan, c, c.scheme, share)


def _bought(plan: Plan, c: Comparison, scheme: Scheme, share: float) -> Iterator[str]:
    if not scheme.card.repeated or scheme.card.five_by_two or scheme.halvings or scheme.card.in_time:
        more = (
            "" if share >= 1 else ": take fewer datasets, learners or settings to tune, or a scheme that repeats less"
        )
        yield f"  {c.name}: {scheme.text} has one number of trainings{more}"
        return
    count = int(share * scheme.groups)
    most = max(count, scheme.card.least)
    dealt = min(most, MOST_PARTITIONS)
    text = re.sub(r"\d+", str(dealt), scheme.text, count=1)  # the number that every such scheme begins with
    new = replace(scheme, partitions=dealt * scheme.card.replications, text=text)
    yield f"  {c.name}: {new.text} ({scheme.text} is asked for)" + (", more than the budget" if count < most else "")
    asked, bought = (_power(plan, c, one) for one in (scheme, new))
    if asked is None or bought is None:
        yield "    its power has no closed form here; `simulate power of` reckons it"
        return
    for before, after in zip(asked.tests, bought.tests, strict=True):
        where = f"on {after.dataset}" if after.dataset else "over datasets"
        smallest = "nothing is found four times in five"
        if after.smallest is not None:
            smallest = f"from {100 * after.smallest:.1f} points on it finds a difference four times in five"
        yield (
            f"    {after.test} {where}: power {after.power:.2f} for {100 * after.difference:g} points "
            f"({before.power:.2f} as asked); {smallest}"
        )
    if share > 1 and all(abs(b.power - a.power) < LITTLE for a, b in zip(asked.tests, bought.tests, strict=True)):
        yield "    dealing the same rows more often finds no more here: rows and datasets would"


def _power(plan: Plan, c: Comparison, scheme: Scheme) -> DesignPower | None:
    other = replace(c, scheme=scheme)
    comparisons = tuple(other if one is c else one for one in plan.comparisons)
    return design_power(replace(plan, comparisons=comparisons), other)
