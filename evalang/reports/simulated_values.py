"""Simulated rates for a document: one value by its address, and a small table of one simulate statement.

simulate-1.mcnemar.error 10%.rate      simulate-1.resampled-t.resamples 300.interval
"""

from __future__ import annotations

import re

from ..errors import ScriptError
from ..results.run_result import RunResult, SimulationOutcome
from . import numbers
from .document import Cell, Column, Table
from .simulated_rates import MARKS

FIELDS = ("rate", "low", "high", "interval", "trials", "difference", "rows", "datasets", "partitions", "resamples")
_SETTING = re.compile(r"(?P<word>[a-z-]+) (?P<value>[0-9.]+)(?P<percent>%?)")
_SHARES = ("error", "difference", "alpha", "shared", "target")


def simulation_value(judgement: RunResult, address: str) -> str | None:
    """The value, or None when the address names no simulate statement."""
    name = next((s.name for s in judgement.plan.simulations if address.startswith(f"{s.name}.")), None)
    if name is None:
        return None
    rest, field = _field(address[len(name) + 1 :], address)
    wanted = {m["word"]: float(m["value"]) / (100 if m["percent"] else 1) for m in _SETTING.finditer(rest)}
    subject = _SETTING.sub("", rest).strip(". ").replace("..", ".")
    own = [o for o in judgement.simulations if o.name == name and _fits(o, subject, wanted)]
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


def simulation_table(judgement: RunResult, name: str) -> Table | None:
    """Tests down the side, the settings that vary across: rate and Wilson interval in each cell."""
    own = [o for o in judgement.simulations if o.name == name and not any(w in MARKS for w, _ in o.settings)]
    if not own:
        return None
    across = _varying(own)
    cells = {(o.subject, _place(o, across)): o for o in own}
    places = list(dict.fromkeys(place for _, place in cells))
    subjects = list(dict.fromkeys(o.subject for o in own))
    rows = tuple((Cell(text=subject), *(_cell(cells.get((subject, p))) for p in places)) for subject in subjects)
    heads = (Column(title="test"), *(Column(title=place or "rate", align="right") for place in places))
    what = "Type I error" if own[0].kind == "type-I" else "Power"
    note = f"{numbers.count(own[0].trials)} trials; in brackets the 95% Wilson interval."
    return Table(key=f"{name}-rates", title=f"{what}, {name}", columns=heads, rows=rows, notes=(note,))


def _word(word: str) -> str:
    """Folds of kfold-t and partitions of averaged-t are what `resamples` set."""
    return "resamples" if word in ("folds", "partitions") else word


def _varying(outcomes: list[SimulationOutcome]) -> tuple[str, ...]:
    """Settings with several values for one and the same test, in the order they were written."""
    seen: dict[str, dict[str, set[float]]] = {}
    for o in outcomes:
        for word, value in o.settings:
            seen.setdefault(_word(word), {}).setdefault(o.subject, set()).add(value)
    return tuple(w for w, by_subject in seen.items() if any(len(values) > 1 for values in by_subject.values()))


def _place(outcome: SimulationOutcome, across: tuple[str, ...]) -> str:
    held = [(_word(w), v) for w, v in outcome.settings]
    return ", ".join(f"{w} {100 * v:g}%" if w in _SHARES else f"{w} {v:g}" for w, v in held if w in across)


def _cell(outcome: SimulationOutcome | None) -> Cell:
    if outcome is None or outcome.interval is None:
        return Cell(text="")
    low, high = numbers.decimal(outcome.interval.low, 3), numbers.decimal(outcome.interval.high, 3)
    return Cell(text=f"{numbers.decimal(outcome.rate, 3)} ({low} to {high})", value=outcome.rate)
