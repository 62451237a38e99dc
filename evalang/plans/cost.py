"""What a design can find and what it costs: power in closed form, time and memory from a pilot, and what a budget buys.

Nothing is loaded here. A pilot runs a few of the plan's own trials and leaves `pilot.json` in the run folder, so that a
later `plan` can use it without opening any data.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from ..catalogue import power as forms
from ..catalogue.corrections import find_correction
from ..catalogue.metrics import COUNTED
from ..codec import Range, from_json, parse_json, to_json
from .families import alone_level
from .model import Comparison, Family, Plan, Scheme
from .values import MOST_PARTITIONS

Reach = Callable[[float], float | None]  # the power for a difference
PILOT = "computed from assumed variances; the report of a pilot run uses the observed variance"


@dataclass(frozen=True, slots=True)
class TestPower:
    """The power of one test of a design."""

    __test__ = False

    test: str
    dataset: str | None  # None: over datasets
    units: int  # rows of the dataset, or datasets
    level: float  # of its family, as if no other test found anything
    at_least: bool  # a step-wise correction only gains from what others find
    difference: float  # asked about: the rope, else 5 points
    power: float
    smallest: float | None  # the smallest difference with 80% power

    @property
    def reached(self) -> str:
        """The smallest difference with enough power, in words; "" where there is none."""
        least = self.smallest
        return "" if least is None else f"80% power for differences of at least {100 * least:.1f} points"


def design_power(plan: Plan, comparison: Comparison) -> tuple[TestPower, ...]:
    """Return the power of each test on the smallest and the largest dataset whose rows are known, and over datasets.

    Tests without a closed form are left out.
    """
    if comparison.estimate or not any(m.name in COUNTED for m in comparison.metrics):
        return ()
    sizes = sorted((d.rows, d.name) for d in plan.datasets if d.name in set(comparison.datasets) and d.rows)
    asked: list[tuple[str, str | None, int]] = [
        (test.name, name, rows) for test in comparison.tests for rows, name in sizes[:1] + sizes[1:][-1:]
    ]
    over = comparison.over if comparison.data == "datasets" else ()
    asked += [(test.name, None, len(comparison.datasets)) for test in over]
    found = (_power(plan, comparison, *one) for one in asked)
    return tuple(one for one in found if one is not None)


def describe_power(tests: tuple[TestPower, ...]) -> tuple[str, ...]:
    """Return one line for each test."""
    lines = []
    for one in tests:
        where, assumed = f"over {one.units} datasets", forms.assumed_of_datasets()
        if one.dataset:
            where = f"on {one.dataset} ({one.units:,} rows)"
            assumed = forms.assumed_of_rows(max(forms.ASSUMED_DISAGREEMENT, one.difference))
        lines.append(
            f"{one.test} {where}: {'at least ' if one.at_least else ''}{100 * one.power:.0f}% power for a difference "
            f"of {_points(one.difference)} at level {one.level:.4g}{'; ' * bool(one.reached)}{one.reached} ({assumed})"
        )
    return (*lines, PILOT) if lines else ()


def _points(difference: float) -> str:
    shown = f"{100 * difference:g}"
    return f"{shown} point{'s' * (shown != '1')}"


def level_of(plan: Plan, comparison: Comparison, scope: str) -> float:
    """Return the level that a test has to meet when no other of its family finds anything."""
    family = _family(plan, comparison, scope)
    return alone_level(family) if family is not None else comparison.alpha.value


def _family(plan: Plan, comparison: Comparison, scope: str) -> Family | None:
    of_comparison = (f for f in plan.families if comparison.name in f.comparisons)
    return next((f for f in of_comparison if f.scope == scope or "everything" in f.over), None)


def _power(plan: Plan, comparison: Comparison, test: str, dataset: str | None, units: int) -> TestPower | None:
    """Return the power on a dataset of so many rows, or over so many datasets; None without a closed form."""
    scope = "dataset" if dataset else "over-datasets"
    level, family = level_of(plan, comparison, scope), _family(plan, comparison, scope)
    difference = comparison.rope.value if comparison.rope and comparison.rope.value > 0.0 else forms.ASKED
    reach = _reach(comparison, test, units, level, over=dataset is None)
    power = reach(difference) if reach is not None else None
    if reach is None or power is None:
        return None
    card = find_correction(family.method) if family is not None and family.size > 1 else None
    at_least = card is not None and card.stepwise
    return TestPower(test, dataset, units, level, at_least, difference, power, forms.smallest_found(reach))


def _reach(comparison: Comparison, test: str, units: int, level: float, over: bool) -> Reach | None:
    """Return the power as a function of the difference; None without a closed form."""
    sides, scheme = 1 if comparison.expecting else 2, comparison.scheme
    if over:
        closed = test in forms.DATASET_TESTS
        return (lambda d: forms.dataset_power(test, units, difference=d, alpha=level, sides=sides)) if closed else None
    if scheme is None:
        return None
    card = scheme.card
    if test in forms.ROW_TESTS:
        tested = int(scheme.judged_rows(units) or 0) if card.part or card.one_kcv else 0
        return (lambda d: forms.row_power(test, tested, difference=d, alpha=level, sides=sides)) if tested else None
    ratio = scheme.ratio(units) if card.part == "trained" else None
    if test not in forms.FOLD_TESTS or (not ratio and scheme.folds < 2):  # no test rows, or unknown
        return None
    design = {"rows": units, "partitions": scheme.partitions, "folds": scheme.folds, "sides": sides}
    return lambda d: forms.fold_power(test, difference=d, ratio=ratio, alpha=level, **design)


TRIAL_SECONDS = 6 * 3600.0  # ours: a fit that takes longer counts as hanging and is ended
NAME = "pilot.json"
Amount = Annotated[float, Range(0.0, sys.float_info.max)]
BESIDE = 0.005  # seconds of a worker beside each quick trial, sending and storing it (docs/design/engine.md)


@dataclass(frozen=True, slots=True)
class CellCost:
    """One learner on one dataset under one scheme."""

    learner: str
    dataset: str
    digest: str
    trials: int
    amount: Amount  # the same, each counted by the rows of its fold as a share of the first fold's
    left: Amount  # what of it is not in the store
    seconds: Amount | None  # of one; None where nothing is known
    measured: int  # trials they were measured on, 0 where they come from another dataset
    nearest: str  # that dataset
    memory: int | None  # bytes
    grows: bool  # folds differ in size


@dataclass(frozen=True, slots=True)
class PlanCost:
    """All of them, for so many workers; `places` says which cells each comparison looks at."""

    fingerprint: str  # of the plan
    jobs: Annotated[int, Range(1, 10**9)]
    resident: int  # bytes that a worker has before its first trial, most of them shared with the others
    cells: tuple[CellCost, ...]
    places: tuple[tuple[str, int], ...]
    beside: Amount = BESIDE  # as the pilot found it; a machine that others use has more of it


def wall(cost: PlanCost, *, left: bool = False) -> float | None:
    """Return the wall-clock seconds of all trials, or of what is left; None where some are not known."""
    known = [(one.left if left else one.amount, one.seconds) for one in cost.cells]
    if any(amount > 0 and seconds is None for amount, seconds in known):
        return None
    timed = [(amount, seconds) for amount, seconds in known if seconds is not None and amount > 0]
    work = sum(amount * (seconds + cost.beside) for amount, seconds in timed)
    return max(work / cost.jobs, max((seconds for _, seconds in timed), default=0.0))


def dumps(cost: PlanCost) -> str:
    """Return the costs as JSON text."""
    return json.dumps({"version": 1, **to_json(cost, tagged=False)}, indent=1, allow_nan=False) + "\n"


def loads(text: str) -> PlanCost | None:
    """Return what a pilot left; None for any other text."""
    try:
        fields = parse_json(text)
        fields.pop("version")
        cost: PlanCost = from_json(PlanCost, fields)
    except (ValueError, TypeError, LookupError, AttributeError):
        return None
    return cost if all(0 <= place < len(cost.cells) for _, place in cost.places) else None


def clock(seconds: float) -> str:
    """Return a duration as text, in about two digits.

    >>> clock(0.0042), clock(3.14159), clock(75), clock(4000), clock(200_000)
    ('0.0042 s', '3.1 s', '75 s', '67 min', '56 h')
    """
    if seconds < 100:
        return f"{float(f'{seconds:.2g}'):g} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"


def _size(memory: float) -> str:
    return f"{memory / 2**30:.1f} GB" if memory >= 2**30 else f"{memory / 2**20:.0f} MB"


def describe_cost(cost: PlanCost) -> Iterator[str]:
    """Yield the lines that say what was measured, what was assumed, and the total."""
    yield "time and memory of one fit (tuning, training, predicting), measured in a pilot:"
    width = max((len(f"{one.learner} on {one.dataset}") for one in cost.cells), default=0)
    for one in cost.cells:
        yield f"  {f'{one.learner} on {one.dataset}':{width}}  {_measured(one)}"
    known = [one for one in cost.cells if one.seconds is not None]
    if any(one.nearest for one in known):
        yield "  assumed: time proportional to the number of rows (too low for learners that scale worse)"
    if any(one.grows for one in known):
        yield "  assumed: time of a fold proportional to its training rows"
    trials, whole, left = sum(one.trials for one in cost.cells), wall(cost), wall(cost, left=True)
    workers = f"{cost.jobs} worker{'s' * (cost.jobs != 1)}"
    if whole is None or left is None:
        missing = sum(one.seconds is None for one in cost.cells)
        yield f"Total: {trials:,} fits; {missing} of {len(cost.cells)} lines were not measured: raise --pilot-seconds."
    else:
        work = sum(one.amount * (one.seconds or 0.0) for one in cost.cells)
        more = f", {clock(left)} for the fits not stored yet" if left < 0.99 * whole else ""
        yield f"Total: {trials:,} fits, about {clock(whole)} with {workers} (--jobs), {clock(work)} of CPU time{more}."
    peak = max((one.memory or 0 for one in cost.cells), default=0)
    yield (
        f"Memory: a fit takes up to {_size(peak)} on top of the {_size(cost.resident)} of its process, which workers "
        f"mostly share: slightly more than {_size(cost.resident + cost.jobs * peak)} with {workers}."
    )
    yield "Tests and reports are not included. No test score was computed."


def _measured(one: CellCost) -> str:
    if one.seconds is None:
        return f"not measured ({one.trials:,} fits)"
    grown = f", {_size(one.memory)}" if one.memory is not None else ""
    how = f"as on {one.nearest}, by rows" if one.nearest else f"median of {one.measured}"
    return f"{clock(one.seconds)}{grown} ({how}); {one.trials:,} fits, {clock(one.amount * one.seconds)}"


LITTLE = 0.05  # of power; less is not worth the hours


def describe_budget(plan: Plan, cost: PlanCost, seconds: float) -> Iterator[str]:
    """Yield the number of partitions that a time budget allows for each comparison, with their power."""
    whole = wall(cost)
    if not whole:
        yield "The pilot was too short for a budget: raise --pilot-seconds, so that each learner is measured."
        return
    share = seconds / whole
    workers = f"{cost.jobs} worker{'s' * (cost.jobs != 1)}"
    pays = f"{share:.1f} times as much" if share >= 1 else f"{100 * share:.0f}% of it"
    yield f"The plan takes {clock(whole)} with {workers}; a budget of {clock(seconds)} allows {pays}."
    for c in plan.comparisons:
        if any(name == c.name for name, _ in cost.places) and c.scheme is not None:
            yield from _bought(plan, c, c.scheme, share)


def _bought(plan: Plan, c: Comparison, scheme: Scheme, share: float) -> Iterator[str]:
    if not scheme.card.repeated or scheme.card.five_by_two or scheme.halvings or scheme.card.in_time:
        more = (
            "" if share >= 1 else ": use fewer datasets, learners or settings to tune, or a scheme with fewer repeats"
        )
        yield f"  {c.name}: {scheme.text} has a fixed number of fits{more}"
        return
    count = int(share * scheme.groups)
    most = max(count, scheme.card.least)
    fewer = min(most, MOST_PARTITIONS)
    text = re.sub(r"\d+", str(fewer), scheme.text, count=1)  # the number that every such scheme begins with
    new = replace(scheme, partitions=fewer * scheme.card.replications, text=text)
    yield f"  {c.name}: {new.text} (the script has {scheme.text})" + (", more than the budget" if count < most else "")
    asked, bought = (design_power(plan, one) for one in (c, replace(c, scheme=new)))
    if not asked or not bought:
        yield "    its power has no closed form; `simulate power of` computes it"
        return
    for before, after in zip(asked, bought, strict=True):
        where = f"on {after.dataset}" if after.dataset else "over datasets"
        yield (
            f"    {after.test} {where}: {100 * after.power:.0f}% power for {_points(after.difference)} "
            f"({100 * before.power:.0f}% as written); {after.reached or 'no difference has 80% power'}"
        )
    if share > 1 and all(abs(b.power - a.power) < LITTLE for a, b in zip(asked, bought, strict=True)):
        yield "    more repeats add no power here; more rows or datasets would"
