"""Type I error and power by simulation.

In comes a planned `simulate` statement (and the sizes of opened data), out come rejection rates with Wilson intervals.
`designs` reads the settings and the comparison, `draws` draws data sets and answers of learners with known error
rates, `pvalues` holds the tests on arrays of trials; `type_one` and `power` carry the two kinds of statement out.
"""

from __future__ import annotations

from ...plans.model import Plan, Simulation
from ...results.records import SimulationOutcome
from .designs import NOTHING_OPENED, Units
from .power import power_curve
from .type_one import type_one

__all__ = ["Units", "simulate"]


def simulate(plan: Plan, simulation: Simulation, units: Units = NOTHING_OPENED) -> tuple[SimulationOutcome, ...]:
    """Return the outcomes of one statement, in the order it was written; ScriptError for what cannot be simulated."""
    return tuple(type_one(simulation) if simulation.kind == "type-I" else power_curve(plan, simulation, units))
