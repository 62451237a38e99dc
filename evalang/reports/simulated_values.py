"""Simulated rates for a document: one value by its address, and a small table of one simulate statement.

simulate-1.mcnemar.error 10%.rate      simulate-1.resampled-t.resamples 300.interval
"""

from __future__ import annotations

import re

from ..errors import ScriptError
from ..results import numbers
from ..results.run_result import RunResult, SimulationOutcome
from .simulated_rates import MARKS

FIELDS = ("rate", "low", "high", "interval", "trials", "difference", "rows", "datasets", "partitions", "resamples")
_SETTING = re.compile(r"(?P<word>[a-z-]+) (?P<value>[0-9.]+)(?P<percent>%?)")
_SHARES = ("error", "difference", "alpha", "shared", "target")


def simulation_value(result: RunResult, address: str) -> str | None:
    """The value, or None when the address names no simulate statement."""
    name = next((s.name for s in result.plan.simulations if address.startswith(f"{s.name}.")), None)
    if name is None:
        return None
    rest, field = _field(address[len(name) + 1 :], address)
    wanted = {m["word"]: float(m["value"]) / (100 if m["percent"] else 1) for m in _SETTING.finditer(rest)}
    subject = _SETTING.sub("", rest).strip(". ").replace("..", ".")
    own = [o for o in result.simulations if o.name == name and _fits(o, subject, wanted)]
    if len(own) != 1:
        several = f"{len(own)} rates" if own else "no rate"
        raise ScriptError(f"{address} fits {several}.", hint=f"write {name}.TEST.error 10%.{field}")
    return _shown(own[0], field)


def _field(rest: str, address: str) -> tuple[str, str]:
    head, _, field = rest.rpartition(".")
    if field not in FIELDS:
        raise ScriptError(f"{address} names no value.", hint=f"end it with one of {', '.join(FIELDS)}")
    return head, field


def _fits(outcome: SimulationOutcome, subject: str, wanted: dict[str, float]) -> bool:
    held = dict(outcome.settings)
    if any(word in held and word not in wanted for word in MARKS):
        return False
    named = subject in ("", outcome.subject) or all(
        part in re.split(r"[:\s]+", outcome.subject) for part in subject.split()
    )
    return named and all(word in held and abs(held[word] - value) < 1e-9 for word, value in wanted.items())


def _shown(outcome: SimulationOutcome, field: str) -> str:
    interval = outcome.interval
    if field == "rate" or interval is None:
        return numbers.decimal(outcome.rate, 3)
    if field == "low":
        return numbers.decimal(interval.low, 3)
    if field == "high":
        return numbers.decimal(interval.high, 3)
    if field == "interval":
        return f"{numbers.decimal(interval.low, 3)} to {numbers.decimal(interval.high, 3)}"
    if field == "trials":
        return numbers.count(outcome.trials)
    held = dict(outcome.settings).get(field)
    if held is None:
        raise ScriptError(f"The rate of {outcome.subject} has no {field}.", hint="ask for its rate")
    return f"{numbers.decimal(100 * held, 1)} points" if field == "difference" else numbers.count(int(held))
