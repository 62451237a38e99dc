"""One simulate statement carried out."""

from __future__ import annotations

from ...plans.model import Plan, Simulation
from ...results.records import SimulationOutcome
from .power_curve import power_curve
from .type_one import type_one
from .units import NOTHING_OPENED, Units


def simulate(plan: Plan, simulation: Simulation, units: Units = NOTHING_OPENED) -> tuple[SimulationOutcome, ...]:
    """The outcomes of one statement, in the order it was written. Raises ScriptError for what cannot be simulated."""
    return tuple(type_one(simulation) if simulation.kind == "type-I" else power_curve(plan, simulation, units))
