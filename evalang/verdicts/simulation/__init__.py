"""Type I error and power by simulation.

The input is a planned `simulate` statement with the sizes of opened data. The output is rejection rates with Wilson
intervals. `designs` reads the settings and the comparison, `draws` draws datasets and the answers of learners with
known error rates, and `pvalues` has the tests on arrays of simulated datasets. `type_one` and `power` run the two kinds
of statement.
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
