"""The headline of a simulation: which tests keep their level and which do not, or what a design can find."""

from __future__ import annotations

from ..plans.model import Simulation
from ..results.run_result import SimulationOutcome
from . import numbers
from .simulated import smallest_found


def simulation_sentence(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> str:
    """One simulate statement in one sentence; a rate is too high only where its whole interval is."""
    if simulation.kind == "type-I":
        return _levels(simulation, outcomes)
    found = smallest_found(outcomes)
    if found:
        more = f" ({numbers.plural(len(found) - 1, 'more design')} below)" if len(found) > 1 else ""
        return f"{found[0].rstrip('.')}{more}."
    low, high = (pick(outcomes, key=lambda o: o.rate) for pick in (min, max))
    return f"The power runs from {low.rate:.3f} ({low.subject}) to {high.rate:.3f} ({high.subject})."


def _levels(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> str:
    worst: dict[str, SimulationOutcome] = {}
    over: set[str] = set()
    for o in outcomes:
        worst[o.subject] = max((o, worst.get(o.subject, o)), key=lambda one: one.rate)
        if o.interval is not None and o.interval.low > _alpha(o):
            over.add(o.subject)
    high = [f"{name} ({o.rate:.3f})" for name, o in worst.items() if name in over]
    kept = [f"{name} ({o.rate:.3f})" for name, o in worst.items() if name not in over]
    levels = numbers.listing(sorted({numbers.alpha_text(_alpha(o)) for o in outcomes}))
    trials = numbers.plural(min(o.trials for o in outcomes), "trial")
    said = []
    said += (
        [f"{numbers.listing(high)} {'rejects' if len(high) == 1 else 'reject'} more often than it allows"]
        if high
        else []
    )
    said += (
        [f"{numbers.listing(kept)} {'keeps' if len(kept) == 1 else 'keep'} it, as far as {trials} can tell"]
        if kept
        else []
    )
    most = ", by the largest rate of each test" if len(outcomes) > len(worst) else ""
    return f"Type I error at the level {levels}{most}: {'; '.join(said)}."


def _alpha(outcome: SimulationOutcome) -> float:
    return dict(outcome.settings).get("alpha", 0.05)
