"""`evalang power`: how many items, rows, datasets or repeats a difference takes, before any data or from data."""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..catalogue.power import ASKED, ASSUMED_DISAGREEMENT, ASSUMED_SPREAD, MOST_REPEATS, FoldPower, UnitPower
from ..errors import ScriptError
from ..language.files import ENDINGS, is_log_file
from ..language.text import SourceText, for_terminal
from ..results.numbers import spoken
from . import screen

if TYPE_CHECKING:
    from ..results.records import Verdict
    from ..results.run_result import RunResult

ASK = "?"
BAR = 40  # characters of a full bar
NO_FOLDS = "--equivalence counts items, rows or datasets, not folds: repeats test the same rows again"
NOISE = 0.5  # ours: the part of the disagreement on one answer that changes from epoch to epoch
FOLD_SPREAD = 0.03  # ours: two learners that disagree on 10% of about 100 test rows, sqrt(0.1 / 100)
MOST_BARS = 3  # ours: more curves than this are a line each in a table
STEPS = (0.25, 0.5, 0.75, 1, 1.5, 2)  # of the number needed
REPEATS = (2, 5, 10, 20, 50, 100)
UNITS = ("items", "rows", "datasets", "folds")


class InPoints(float):
    """A share that was written in points or per cent, so that it also fits scores from 0 to 100."""


class Share(click.ParamType[float]):
    """A share: 2pt, 2 points, 2% or 0.02; above 1 where `most` allows a number in the unit of a metric."""

    name = "share"

    def __init__(self, most: float = 1.0) -> None:
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the share, above 0 and below the most."""
        found = re.fullmatch(r"(\d*\.?\d+)\s*(%|pt|pts|points?)?", str(value).strip())
        share = float(found[1]) / (100.0 if found[2] else 1.0) if found else 0.0
        if not 0.0 < share < (1.0 if found and found[2] else self.most):
            if param is not None and param.name == "alpha":
                self.fail(f"{value} is not a level between 0 and 1; write --alpha 5% or 0.05", param, ctx)
            form = "2pt, 2% or 0.02" if param is None or param.name == "difference" else "30% or 0.3"
            self.fail(f"{value} is not a share between 0 and 1; write {form}", param, ctx)
        return InPoints(share) if found and found[2] else share


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The power of one test for one difference by the number of its units."""

    about: str  # the line above its numbers
    basis: UnitPower | FoldPower
    unit: str
    difference: float  # as the scores have it
    scale: float = 1.0  # of the scores: 1, 100, or 0 where the metric has no points
    pair: str = ""  # empty before any data
    dataset: str = ""
    count: int | None = None  # the number of units asked about, or that the data have

    def size(self, difference: float, digits: int = 3) -> str:
        """Return a difference in points, or in the unit of the metric."""
        points = f"{100 * difference / self.scale:.{digits}g}" if self.scale else ""
        return f"{points} point{'s' * (points != '1')}" if self.scale else f"{difference:.{digits}g}"

    @property
    def equivalence(self) -> bool:
        """Whether `difference` is the margin of an equivalence that is to be shown."""
        return self.basis.test == "tost"

    @property
    def aim(self) -> str:
        """What the units are for."""
        verb = "show that two equal learners are equivalent within" if self.equivalence else "find a difference of"
        return f"{verb} {self.size(self.difference)}"

    @property
    def needed(self) -> int | None:
        """The number of units for 80% power; None where no number is enough."""
        return self.basis.needed(self.difference)

    @property
    def smallest(self) -> float | None:
        """The smallest difference that `count` units find with 80% power."""
        return self.basis.smallest(self.count or 0)

    def power(self, units: int) -> float:
        """Return the power with so many units; 0 where there is no closed form."""
        return self.basis.power(units, self.difference) or 0.0

    def counted(self, count: int) -> str:
        """Return a number with its unit: 1 repeat of 10 folds, 500 items."""
        return f"{count:,} {self.unit}" if count != 1 else "1 " + re.sub(r"s\b", "", self.unit, count=1)

    def lines(self) -> Iterator[str]:
        """Yield the number needed, what `count` units find, and a bar for each of several numbers."""
        basis, needed = self.basis, self.needed
        if needed is not None:
            yield f"You need {self.counted(needed)} to {self.aim} with 80% power."
        elif isinstance(basis, FoldPower):
            yield from self._why_no_repeats(basis)
        else:
            yield f"No feasible number of {self.unit} is enough to {self.aim} with 80% power."
        if self.count is not None:
            what = "margins" if self.equivalence else "differences"
            least = f"; 80% power for {what} of at least {self.size(self.smallest, 2)}" if self.smallest else ""
            aim = f"to {self.aim}" if self.equivalence else f"for a difference of {self.size(self.difference)}"
            found = f"{100 * self.power(self.count):.0f}% power {aim}"
            yield f"With {self.counted(self.count)}: {found}{least}."
        asked = {number for number in (needed, self.count) if number}
        folds = basis.folds if isinstance(basis, FoldPower) else 1
        if not isinstance(basis, FoldPower):
            asked |= {math.ceil((needed or self.count or 0) * step) for step in STEPS}
        else:
            asked = asked | set(REPEATS) if basis.per_fold else set()
        for number in sorted(asked):
            name, power = f"{number:,}x{folds}cv" if folds > 1 else self.counted(number), self.power(number)
            yield f"{name:>20}  {'#' * round(BAR * power):<{BAR}} {100 * power:3.0f}%"

    def _why_no_repeats(self, basis: FoldPower) -> Iterator[str]:
        """Yield that more repeats do not suffice, why, and how many more rows would."""
        limit, wanted = basis.limit(self.difference), self.size(self.difference)
        if limit >= 0.8:
            yield f"A difference of {wanted} needs more than {MOST_REPEATS:,} {self.unit} for 80% power."
        else:
            why = f"the power stays below {100 * limit:.1f}%, because every repeat tests the same rows"
            yield f"No number of {self.unit} is enough to find a difference of {wanted} with 80% power: {why}."
        smallest = basis.smallest(self.count or MOST_REPEATS)
        if smallest:
            times = (smallest / self.difference) ** 2
            supposed = "if the standard error falls with the square root of the rows"
            yield f"About {times:.1f} times as many rows would be enough, {supposed}."


def _count_option(unit: str, help: str) -> Callable[..., Any]:
    """Return the option of a unit, given alone or with a number."""
    return click.option(f"--{unit}", is_flag=False, flag_value=ASK, help=help)


@click.command("power")
@click.argument("data", required=False, metavar="[RUN or TABLE]")
@click.option("--difference", type=Share(math.inf), show_default="5pt", help="Difference to find: 2pt, 2% or 0.02.")
@click.option("--equivalence", type=Share(math.inf), help="Equivalence margin to show, instead of --difference.")
@_count_option("items", "Count items; with a number N, also print the power of N items.")
@_count_option("rows", "Count test rows; with a number N, also print the power of N rows.")
@_count_option("datasets", "Count datasets; with a number N, also print the power of N datasets.")
@_count_option("folds", "Count repeats of 2-fold cross-validation; with 10x2cv, also print its power.")
@click.option(
    "--disagreement",
    type=Share(),
    show_default="10%",
    help="Assumed share of items that exactly one of the two models gets right.",
)
@click.option(
    "--spread",
    type=Share(),
    help="Assumed standard deviation of the difference over datasets (default 7pt) or folds (default 3pt).",
)
@click.option("--epochs", type=click.IntRange(1, 10_000), default=1, help="Answers of a model to each item.")
@click.option(
    "--noise", type=Share(), default=NOISE, help="Share of the disagreement that changes from epoch to epoch."
)
@click.option(
    "--alpha", type=Share(), default=0.05, show_default=True, help="Significance level (only without RUN or TABLE)."
)
@click.option("--to", "picture", type=screen.OUT_FILE, help="Also draw the power curve: power.svg or power.png.")
@screen.with_reader_options
def power_command(
    data: str | None, difference: float | None, equivalence: float | None, picture: str | None, **asked: Any
) -> int:
    """Print how many items, test rows, datasets or repeats find a difference with 80% power, and the power curve.

    The variation is either assumed (options) or taken from RUN or TABLE.

    \b
    evalang power --difference 2pt --disagreement 30% --epochs 5 --items
    evalang power --difference 3pt --datasets 20
    evalang power --difference 5pt --spread 3pt --folds 10x2cv
    evalang power --difference 2pt runs/study      disagreement or spread from a finished run
    evalang power --difference 2pt results.csv     the same from a table, read as by evalang compare
    evalang power --difference 2pt --items --to power.svg
    evalang power --equivalence 1pt --items        to show that two models are equivalent within a point
    """
    if difference is not None and equivalence is not None:
        raise ScriptError("--difference and --equivalence are both given", hint="leave out one of them")
    form = Path(picture).suffix.lower().lstrip(".") if picture else "svg"
    if form not in ("svg", "png"):
        what = f"--to {picture} ends in neither .svg nor .png"
        raise ScriptError(what, hint="write --to power.svg or --to power.png")
    asked["equivalence"], difference = equivalence is not None, equivalence or difference
    curves = _of_data(data, difference, asked) if data else [_before_data(difference or ASKED, asked)]
    if len(curves) > MOST_BARS:
        print(_as_table(curves))
    for curve in curves if len(curves) <= MOST_BARS else ():
        print(*(for_terminal(line) for line in (curve.about, *curve.lines())), sep="\n")
    if picture:
        _draw(curves, picture, form)
    return 0


def _draw(curves: Sequence[Curve], picture: str, form: str) -> None:
    """Write the picture: a panel for each unit, a curve for each pair."""
    from ..language.files import replace_file
    from ..reports.figures.commands import Points, power_picture

    if not curves:
        raise ScriptError("no test of these data has a power curve to draw", hint="leave out --to")
    panels: dict[str, dict[str, Points]] = {}
    sizes = {curve.size(curve.difference) for curve in curves}
    title = f"Power to {_verb(curves)} {sizes.pop()}" if len(sizes) == 1 else "Power by size of the difference"
    largest: dict[str, int] = {}
    for curve in curves:
        largest[curve.unit] = max(2 * (curve.needed or curve.count or 10), largest.get(curve.unit, 0))
    for curve in curves:
        label = ", ".join(filter(None, (curve.pair, curve.dataset, curve.size(curve.difference) if sizes else "")))
        units = sorted({max(1, round(largest[curve.unit] * step / 80)) for step in range(1, 81)})
        panels.setdefault(curve.unit, {})[label] = [(count, curve.power(count)) for count in units]
    replace_file(picture, power_picture(title, panels, form))
    print(for_terminal(f"The curve is in {picture}"))


def _verb(curves: Sequence[Curve]) -> str:
    return "show equivalence within" if curves[0].equivalence else "find a difference of"


def _as_table(curves: Sequence[Curve]) -> str:
    """Return a line for each curve: the number needed, the power of the number there is, what that one finds."""
    from ..reports.document import by_columns, number, numbers_column, words_column
    from ..reports.terminal import render_table

    tests = sorted({f"{curve.basis.test} at level {curve.basis.level:.3g}" for curve in curves})
    notes = [f"Test: {', '.join(tests)}. Here: the number in the option, else the number in these data."]
    if any(curve.needed is None for curve in curves):
        notes.append("None: no number of repeats reaches 80% power, because every repeat tests the same rows.")
    sizes = [curve.size(curve.difference) for curve in curves]
    needed = (number(c.counted(c.needed) if c.needed else "none", c.needed) for c in curves)
    counts = [curve.count or 0 for curve in curves]
    powers = [curve.power(count) for curve, count in zip(curves, counts, strict=True)]
    aim = f"{_verb(curves)} {' or '.join(sorted(set(sizes)))}"
    table = by_columns(
        "power",
        f"How many you need to {aim} with 80% power, with the variation in these data",
        (
            words_column("learners", (curve.pair for curve in curves)),
            words_column("dataset", (curve.dataset for curve in curves)),
            words_column("difference", sizes) if len(set(sizes)) > 1 else None,
            numbers_column("needed", needed),
            numbers_column("here", (number(f"{count:,}", count) for count in counts)),
            numbers_column("power", (number(f"{100 * power:.0f}%", power) for power in powers)),
            words_column("80% power from", (c.size(c.smallest, 2) if c.smallest else "" for c in curves)),
        ),
        notes,
    )
    return render_table(table)


def _before_data(difference: float, asked: dict[str, Any]) -> Curve:
    """Return the curve of what the command line assumes."""
    chosen = [(unit, asked[unit]) for unit in UNITS if asked[unit] is not None]
    if len(chosen) > 1:
        names = " and ".join(f"--{unit}" for unit, _ in chosen)
        raise ScriptError(f"{names} cannot be combined", hint=f"leave out --{chosen[-1][0]}")
    if difference >= 1.0:
        option = "--equivalence" if asked["equivalence"] else "--difference"
        what = f"{option} {difference:g} is 1 or more, but scores are assumed to be between 0 and 1"
        raise ScriptError(what, hint=f"write {option} 2pt, 2% or 0.02")
    unit, given = chosen[0] if chosen else ("datasets" if asked["spread"] else "items", ASK)
    basis, assumed = _assumed(unit, given, difference, asked)
    sides = "two one-sided tests" if asked["equivalence"] else "two-sided"
    about = f"Assumed: {assumed}; level {asked['alpha']:g}, {sides}."
    name = _repeats(basis) if isinstance(basis, FoldPower) else unit
    return Curve(about=about, basis=basis, unit=name, difference=difference, count=_count(unit, given))


def _assumed(unit: str, given: str, difference: float, asked: dict[str, Any]) -> tuple[UnitPower | FoldPower, str]:
    """Return the power by units of what is assumed, and the assumption in words."""
    psi, level, epochs, equal = asked["disagreement"], asked["alpha"], asked["epochs"], asked["equivalence"]
    if unit == "folds" and equal:
        raise ScriptError(NO_FOLDS, hint="write --items, --rows or --datasets")
    if unit == "folds":
        repeats, folds = (1, 2) if given == ASK else _repeats_and_folds(given)
        spread = asked["spread"] or FOLD_SPREAD
        test = "corrected-t" if folds == 2 or repeats == 1 else "partition-t"  # the defaults of a script
        words = f"the differences of the folds have a standard deviation of {100 * spread:.3g} points; {test}"
        return FoldPower.of_spread(test, spread, folds=folds, level=level), words
    if unit == "datasets":
        spread = asked["spread"] or ASSUMED_SPREAD
        words = f"the differences of the datasets have a standard deviation of {100 * spread:.3g} points"
        if equal:
            return UnitPower(test="tost", level=level, spread=spread), f"{words}; t-tests"
        return UnitPower(test="wilcoxon", level=level, spread=spread), f"{words}; Wilcoxon's test"
    if psi is not None and psi < difference and not equal:
        what = f"two learners that disagree on {100 * psi:.3g}% of the {unit} cannot differ by {100 * difference:.3g}%"
        raise ScriptError(what, hint="write a --disagreement that is larger than the --difference")
    psi = psi or max(ASSUMED_DISAGREEMENT, 0.0 if equal else difference)
    words = f"the two models disagree on {100 * psi:.3g}% of the {unit}"
    if equal and (epochs == 1 or unit == "rows"):
        return UnitPower(test="tost", level=level, spread=math.sqrt(psi), freedom=math.inf), words
    if epochs == 1 or unit == "rows":
        return UnitPower(test="mcnemar-midp", level=level, disagreement=psi), f"{words}; McNemar's test (mid-p)"
    noise = asked["noise"]
    spread = math.sqrt((psi - (0.0 if equal else difference**2)) * (1.0 - noise + noise / epochs))
    words += f", {100 * noise:.3g}% of this disagreement changes from epoch to epoch ({epochs} epochs; --noise)"
    return UnitPower(test="tost" if equal else "row-t", level=level, spread=spread), f"{words}; t-test on item means"


def _count(unit: str, given: str) -> int | None:
    """Return the number of an option: 500 of --items 500, 10 of --folds 10x2cv; None for the option alone."""
    if given == ASK:
        return None
    if unit == "folds":
        return _repeats_and_folds(given)[0]
    if not re.fullmatch(r"[1-9]\d{0,8}", given):
        raise ScriptError(f"--{unit} {given} is not a whole number", hint=f"write --{unit} 500")
    return int(given)


def _repeats_and_folds(given: str) -> tuple[int, int]:
    found = re.fullmatch(r"(?:([1-9]\d{0,2})x)?(\d{1,3})cv", given)
    if found is None or int(found[2]) < 2:
        hint = "write --folds 10x2cv (2-fold cross-validation 10 times) or --folds 10cv"
        raise ScriptError(f"--folds {given} is not a cross-validation", hint=hint)
    return int(found[1] or 1), int(found[2])


def _repeats(basis: FoldPower) -> str:
    return f"repeats of {basis.folds} folds" if basis.folds > 1 else "resamples"


def _of_data(data: str, difference: float | None, asked: dict[str, Any]) -> list[Curve]:
    """Return the curve of each pair of a finished run or of a table, with the disagreement or spread seen in it."""
    from ..api import load
    from ..plans.families import alone_level

    if data.endswith(ENDINGS) and not is_log_file(data):
        hint = f"before its run: evalang plan {data}; after it: evalang power with its run folder"
        raise ScriptError(f"{data} is a script, not a run folder or a table", hint=hint)
    is_run = os.path.basename(data) == "result.json" or os.path.isfile(os.path.join(data, "result.json"))
    result = load(data).run if is_run else _of_table(data, asked)
    levels = {family.name: alone_level(family) for family in result.plan.families}
    comparisons = {comparison.name: comparison for comparison in result.plan.comparisons}
    curves, impossible = [], ""
    for verdict in result.verdicts:
        if not verdict.pair or verdict.test is None:
            continue
        comparison = comparisons[verdict.comparison]
        wanted = difference or (comparison.rope.value if comparison.rope else None)
        level, folds = levels.get(verdict.family, verdict.alpha), comparison.scheme.folds if comparison.scheme else 1
        curve = _of_verdict(verdict, wanted, level, folds, asked)
        if curve is None:
            said = f"{_where(verdict)}: the power of {verdict.test.test} has no formula in the number of units."
            print(for_terminal(said))
        elif impossible := _impossible(verdict, curve):
            print(for_terminal(f"{impossible}."))
        else:
            curves.append(curve)
    if impossible and not curves:
        hint = "write a smaller --difference, or leave out the data and write --disagreement 30%"
        raise ScriptError("no pair of these data can differ by so much", hint=hint)
    return curves


def _impossible(verdict: Verdict, curve: Curve) -> str:
    """Return that the pair disagrees on fewer items than it should differ on; "" where it can differ by so much."""
    psi = curve.basis.disagreement if isinstance(curve.basis, UnitPower) else None
    if psi is None or psi * (curve.scale or 1.0) >= curve.difference:
        return ""
    share = f"they disagree on {100 * psi:.3g}% of the {curve.unit}"
    return f"{_where(verdict)}: {share}, so they cannot differ by {curve.size(curve.difference)}"


def _of_table(data: str, asked: dict[str, Any]) -> RunResult:
    """Return the result of the script that `evalang compare` reads a table or logs as; no ledger is kept."""
    from ..pipeline import run_script
    from .tables import SCRIPT_NAME, ReadingOptions, choose_reading, read_files

    options = ReadingOptions(**{name: asked[name] for name in screen.READING})
    with tempfile.TemporaryDirectory() as scratch:
        found = read_files((data,), options, Path(scratch))
        meaning, script = choose_reading(found.readings, data)
        if meaning:
            print(for_terminal(f"{data} is read as {meaning}."))
        request = found.request(ledger_off="power keeps none")
        return run_script(SourceText(os.path.join(found.root, SCRIPT_NAME), script), request)


def _where(verdict: Verdict) -> str:
    return f"{' and '.join(verdict.learners)} on {verdict.dataset or 'all datasets'} in {spoken(verdict.metric)}"


def _of_verdict(
    verdict: Verdict, difference: float | None, level: float, folds: int, asked: dict[str, Any]
) -> Curve | None:
    """Return the power with the spread seen in one verdict; None where there is no closed form."""
    from ..verdicts.power import basis_of, fold_basis_of

    test = verdict.test
    assert test is not None
    folds = folds if test.n_units % folds == 0 else 1
    if test.test == "tost" and asked["equivalence"]:
        test = replace(test, test="paired-t")  # of the same differences
    basis = basis_of(test, level, verdict.paired) or fold_basis_of(test, level, folds)
    if basis is None:
        return None
    if asked["equivalence"]:
        if isinstance(basis, FoldPower):
            raise ScriptError(NO_FOLDS, hint="leave out --equivalence")
        psi = basis.disagreement
        spread, freedom = (basis.spread, basis.freedom) if psi is None else (math.sqrt(psi), math.inf)
        basis = replace(basis, test="tost", disagreement=None, spread=spread, freedom=freedom)
    scale, high = _points(verdict)
    if difference is None and not scale:
        what = f"{verdict.metric} is not a score from 0 to 1, so a difference of 5 points has no meaning"
        raise ScriptError(what, hint="write --difference 0.5, in the unit of the metric")
    difference = InPoints(ASKED) if difference is None else difference
    in_scores = difference * (100.0 if scale == 100.0 and isinstance(difference, InPoints) else 1.0)
    if scale and in_scores >= high:
        option = "--equivalence" if asked["equivalence"] else "--difference"
        what = f"{option} {difference:g} covers the whole range of {spoken(verdict.metric)}"
        raise ScriptError(what, hint="write 2pt, 2% or 0.02")
    on_folds = isinstance(basis, FoldPower)
    unit = _repeats(basis) if isinstance(basis, FoldPower) else f"{test.unit}s"
    seen = f"standard error of {test.n_units} folds" if on_folds else "standard deviation"
    return Curve(
        about=f"{_where(verdict)}; {basis.test} at level {level:.3g}; {seen} as in these data:",
        pair=" and ".join(verdict.learners),
        dataset=verdict.dataset or "all datasets",
        basis=basis,
        unit=unit,
        difference=in_scores,
        scale=scale,
        count=_asked_count(asked, unit) or test.n_units // (folds if on_folds else 1),
    )


def _asked_count(asked: dict[str, Any], unit: str) -> int | None:
    """Return the number of --items, --rows, --datasets or --folds, which has to fit the units of the data."""
    kind = "folds" if unit.startswith(("repeats", "resamples")) else "rows" if unit == "test rows" else unit
    for option in UNITS:
        if asked[option] is not None and option != kind:
            raise ScriptError(f"--{option} is given, but these data have {unit}", hint=f"leave out --{option}")
    return _count(kind, asked[kind]) if kind in UNITS and asked[kind] is not None else None


def _points(verdict: Verdict) -> tuple[float, float]:
    """Return the scale of the scores, 1 or 100, or 0 where they have no points; and their upper end."""
    from ..results.numbers import metric_card

    card, means = metric_card(verdict.metric), [score.mean for score in verdict.scores if score.mean is not None]
    high = card.high if card else 1.0
    if high is None or (card is None and not all(0.0 <= mean <= 100.0 for mean in means)):
        return 0.0, math.inf
    scale = 100.0 if any(mean > high for mean in means) else 1.0
    return scale, scale
