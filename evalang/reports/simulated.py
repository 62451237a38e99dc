"""What a simulation says in words, and what it does not say."""

from __future__ import annotations

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR, ASSUMED_SPREAD, WANTED
from ..plans.model import Simulation
from ..results import numbers
from ..results.run_result import SimulationOutcome
from .simulated_rates import in_place

OVERLAPPING = ("kfold-t", "corrected-t", "averaged-t", "resampled-t", "5x2cv-t", "5x2cv-f")


def simulation_words(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """The sentences that stand below the rates of one simulate statement."""
    own = tuple(o for o in outcomes if o.name == simulation.name)
    if simulation.kind == "type-I":
        return _type_one(simulation)
    return (*smallest_found(own), *_needed(own), *_assumed(simulation, own))


def assumptions(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """The simulated world alone, without what was found in it."""
    own = tuple(o for o in outcomes if o.name == simulation.name)
    return _type_one(simulation) if simulation.kind == "type-I" else _assumed(simulation, own)


def _type_one(simulation: Simulation) -> tuple[str, ...]:
    world = (
        "Both simulated learners have the same error rate: half of it on one half of the population and one and a half "
        "times it on the other, the other way round for the second learner."
    )
    shared = (dict(simulation.settings).get("shared") or (0.0,))[0]
    if shared:
        return (
            world,
            f"Every training set moves each learner's error rates by a normal term with standard deviation "
            f"{numbers.percent(shared)}; two terms correlate by the share of rows that their training sets share.",
        )
    touched = untrained(simulation)
    limit = (
        f"Training sets have no variance here, so this says little about {numbers.listing(touched)} on real folds, "
        "whose training sets overlap; `shared` adds such a term."
    )
    return (world, limit) if touched else (world,)


def untrained(simulation: Simulation) -> list[str]:
    """The tests on overlapping training sets of a simulated world in which training sets have no variance."""
    trained = any(dict(simulation.settings).get("shared") or ())
    return [t for t in simulation.subjects if t in OVERLAPPING and not trained]


def _setting(outcome: SimulationOutcome, word: str) -> float | None:
    return dict(outcome.settings).get(word)


def _points(difference: float | None) -> str:
    return f"{numbers.decimal(100 * (difference or 0.0), 1)} points"


def smallest_found(outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """What each design finds half of the time and four times in five; designs of one subject differ in their size."""
    by_design: dict[tuple[str, str], dict[float, float | None]] = {}
    for o in outcomes:
        target = _setting(o, "target")
        if target is not None:
            by_design.setdefault((o.subject, _size(o)), {})[target] = _setting(o, "difference")
    lines = []
    for (asked, size), found in by_design.items():
        several = sum(subject == asked for subject, _ in by_design) > 1 or " on " not in asked
        subject = f"{asked.removesuffix(' over datasets')} {size}" if several else asked
        half = f"finds a difference of {_points(found[0.5])} half of the time" if 0.5 in found else ""
        most = f"{_points(found[WANTED])} four times in five" if WANTED in found else "none four times in five"
        lines.append(f"{subject} {half} and {most}." if half else f"{subject} finds {most}.")
    return tuple(lines)


def _size(outcome: SimulationOutcome) -> str:
    rows, datasets = _setting(outcome, "rows"), _setting(outcome, "datasets")
    each = numbers.plural(int(rows), "row") if rows is not None else ""
    if datasets is None:
        return f"on {each}"
    return f"over {numbers.plural(int(datasets), 'dataset')}" + (f" of {each}" if each else "")


def _needed(outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """More rows, partitions, resamples or datasets: what would it take?"""
    lines = []
    for o in outcomes:
        grown = in_place(o)
        if grown is None:
            continue
        many, now = f"{numbers.count(grown[1])} {grown[0]}", numbers.count(grown[2])
        asked = f"a difference of {_points(_setting(o, 'difference'))}"
        test = o.subject.partition(" on ")[0]
        share = numbers.percent(o.rate)
        if o.rate >= WANTED - 0.06:  # the search stops within the noise of its trials
            lines.append(f"To find {asked} four times in five, {test} takes about {many} in place of {now}.")
        else:
            lines.append(f"Even {many} in place of {now} find {asked} only {share} of the time by {test}.")
    return tuple(lines)


def _assumed(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    said = dict(simulation.settings)
    error = (said.get("error") or (ASSUMED_ERROR,))[0]
    disagreement = (said.get("disagreement") or (ASSUMED_DISAGREEMENT,))[0]
    lines = [
        f"Assumed: the better learner errs on {numbers.percent(error)} of the rows, exactly one of the two is wrong on "
        f"{numbers.percent(disagreement)} of them (on more where the difference is larger), and a row gets the same "
        "answer in every partition."
    ]
    if not said.get("shared"):
        lines.append("Training sets have no variance of their own here; `shared` adds it.")
    if any(_setting(o, "datasets") is not None for o in outcomes):
        spread = (said.get("spread") or (ASSUMED_SPREAD,))[0]
        lines.append(f"True differences scatter over datasets with standard deviation {_points(spread)}.")
    return tuple(lines)
