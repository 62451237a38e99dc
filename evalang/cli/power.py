"""`evalang power`: how many items, rows or datasets a difference takes, before any data or from a finished run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import click

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_SPREAD, UnitPower
from ..errors import ScriptError
from ..language.text import for_terminal

ASK = "?"
BAR = 40  # characters of a full bar
NOISE = 0.5  # ours: the part of the disagreement on one answer that changes from epoch to epoch


class Share(click.ParamType[float]):
    """A share: 2pt, 2 points, 2% or 0.02."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the share, above 0 and below 1."""
        found = re.fullmatch(r"(\d*\.?\d+)\s*(%|pt|pts|points?)?", str(value).strip())
        share = float(found[1]) / (100.0 if found[2] else 1.0) if found else 0.0
        if not 0.0 < share < 1.0:
            self.fail(f"{value} is not a difference; write 2pt, 2% or 0.02", param, ctx)
        return share


@click.command("power")
@click.argument("run", required=False)
@click.option("--difference", type=Share(), default=0.05, show_default="5pt", help="Difference to find: 2pt, 2%, 0.02.")
@click.option("--items", "items", is_flag=False, flag_value=ASK, help="How many items, or the power of N items.")
@click.option("--rows", "rows", is_flag=False, flag_value=ASK, help="How many test rows, or the power of N rows.")
@click.option("--datasets", is_flag=False, flag_value=ASK, help="How many datasets, or the power of N datasets.")
@click.option(
    "--disagreement", type=Share(), default=ASSUMED_DISAGREEMENT, help="Items that exactly one of two gets right."
)
@click.option("--spread", type=Share(), default=ASSUMED_SPREAD, help="Standard deviation over datasets.")
@click.option("--epochs", type=click.IntRange(1, 10_000), default=1, help="Answers per item.")
@click.option("--noise", type=Share(), default=NOISE, help="Part of the disagreement that varies between epochs.")
@click.option("--alpha", type=Share(), default=0.05, show_default=True, help="Level of the test.")
def power_command(run: str | None, difference: float, **asked: Any) -> int:
    """Print how many items, test rows or datasets find a difference with 80% power, and the power curve.

    \b
    evalang power --difference 2pt --disagreement 30% --epochs 5 --items
    evalang power --difference 3pt --datasets 20
    evalang power --difference 2pt runs/study      disagreement and spread from a finished run
    """
    if run is not None:
        lines = list(_of_run(run, difference))
    else:
        chosen = [(unit, asked[unit]) for unit in ("items", "rows", "datasets") if asked[unit] is not None]
        if len(chosen) != 1:
            raise ScriptError("one of --items, --rows and --datasets is needed", hint="or name a run folder")
        unit, count = chosen[0]
        if count != ASK and not re.fullmatch(r"[1-9]\d{0,8}", count):
            raise ScriptError(f"{count} is not a number of {unit}", hint=f"write --{unit} 500")
        basis, supposed = _supposed(unit, difference, asked)
        lines = [f"Assumed: {supposed}; level {asked['alpha']:g}, two-sided."]
        lines += _described(basis, unit, difference, None if count == ASK else int(count))
    print(*(for_terminal(line) for line in lines), sep="\n")
    return 0


def _supposed(unit: str, difference: float, asked: dict[str, Any]) -> tuple[UnitPower, str]:
    psi, level, epochs = max(asked["disagreement"], difference), asked["alpha"], asked["epochs"]
    if unit == "datasets":
        spread = asked["spread"]
        words = f"differences spread by {100 * spread:.3g} points over datasets; Wilcoxon's test"
        return UnitPower(test="wilcoxon", level=level, spread=spread), words
    words = f"the two disagree on {100 * psi:.3g}% of the {unit}"
    if epochs == 1 or unit == "rows":
        return UnitPower(test="mcnemar-midp", level=level, disagreement=psi), f"{words}; McNemar's test (mid-p)"
    noise = asked["noise"]
    spread = math.sqrt((psi - difference**2) * (1.0 - noise + noise / epochs))
    more = f"{100 * noise:.3g}% of that varies between the {epochs} epochs (--noise); t-test on item means"
    return UnitPower(test="row-t", level=level, spread=spread), f"{words}, {more}"


def _described(basis: UnitPower, unit: str, difference: float, count: int | None) -> Iterator[str]:
    """Yield the number needed, what `count` units find, and the curve."""
    needed = basis.needed(difference)
    if needed is None:
        yield f"No feasible number of {unit} gives 80% power for {100 * difference:.3g} points."
        return
    yield f"{100 * difference:.3g} points need {needed:,} {unit} for 80% power."
    if count is not None:
        smallest, power = basis.smallest(count), basis.power(count, difference) or 0.0
        least = f"; 80% power for differences of at least {100 * smallest:.2g} points" if smallest is not None else ""
        yield f"{count:,} {unit} have {100 * power:.0f}% power for {100 * difference:.3g} points{least}."
    for size in sorted({math.ceil(needed * x) for x in (0.25, 0.5, 0.75, 1, 1.5, 2)} | ({count} if count else set())):
        power = basis.power(size, difference) or 0.0
        yield f"{size:>12,} {unit}  {'#' * round(BAR * power):<{BAR}} {100 * power:3.0f}%"


def _of_run(folder: str, difference: float) -> Iterator[str]:
    """Yield what each pair of a finished run needs, with the disagreement or spread that it saw."""
    from ..api import load
    from ..plans.families import alone_level
    from ..verdicts.power import basis_of

    result = load(folder).run
    levels = {family.name: alone_level(family) for family in result.plan.families}
    for found in result.verdicts:
        if not found.pair or found.test is None:
            continue
        level = levels.get(found.family, found.alpha)
        basis = basis_of(found.test, level, found.differences)
        where = f"{' and '.join(found.learners)} on {found.dataset or 'all datasets'} in {found.metric}"
        if basis is None:
            yield f"{where}: {found.test.test} has no closed form of its power by units."
            continue
        yield f"{where}, by {found.test.test} at level {level:.3g} with the spread seen in this run:"
        yield from _described(basis, f"{found.test.unit}s", difference, found.test.n_units)
