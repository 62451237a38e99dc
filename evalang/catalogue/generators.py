"""The generators of `from synthetic NAME(...)`: names, parameters, defaults and bounds, readable without numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..language.nearest import nearest

MOST_ROWS = 1_000_000  # ours: a larger made-up data set is a mistake
MOST_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a generator: its default and the range it may take (both ends allowed)."""

    name: str
    default: int | float
    low: int | float
    high: int | float
    whole: bool = True
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class GeneratorEntry:
    """The card of a generator."""

    name: str
    title: str
    task: Literal["classification", "regression"]
    classes: int | None
    parameters: tuple[Parameter, ...]
    rows: int | None = None  # fixed number of rows; None: the parameter n says it
    method: str = ""
    reference: str = ""


def _n(default: int, low: int = 4) -> Parameter:
    return Parameter("n", default, low, MOST_ROWS, meaning="rows")


def _share(name: str, default: float, high: float, meaning: str) -> Parameter:
    return Parameter(name, default, 0.0, high, whole=False, meaning=meaning)


SEED = Parameter("seed", 0, 0, 2**63 - 1, meaning="seed of the draw")

GENERATORS: tuple[GeneratorEntry, ...] = (
    GeneratorEntry(
        name="gaussians",
        title="Two classes, each a round normal cloud",
        task="classification",
        classes=2,
        parameters=(
            _n(300),
            _share("overlap", 0.2, 0.5, "error of the best possible classifier"),
            Parameter("features", 2, 1, MOST_COLUMNS, meaning="columns; the means differ along all of them"),
            _share("share", 0.5, 0.99, "expected share of the class `b`"),
            SEED,
        ),
        method="Unit covariance; with equal shares the means lie 2 z(1 - overlap) apart, so that the Bayes error is "
        "`overlap`.",
    ),
    GeneratorEntry(
        name="monks",
        title="The monk's problems",
        task="classification",
        classes=2,
        parameters=(
            Parameter("problem", 1, 1, 3, meaning="which of the three"),
            _share("noise", 0.0, 0.5, "share of labels turned round"),
            SEED,
        ),
        rows=432,
        method="All 432 combinations of six nominal attributes; the original third training set has noise 0.05.",
        reference="Thrun et al. 1991",
    ),
    GeneratorEntry(
        name="waveform",
        title="Mixtures of triangular waves",
        task="classification",
        classes=3,
        parameters=(_n(5000), Parameter("noise_columns", 0, 0, MOST_COLUMNS, meaning="columns of pure noise"), SEED),
        method="x = u h1 + (1 - u) h2 + e with u uniform and e standard normal at 21 points; Bayes error about 14%.",
        reference="Breiman et al. 1984",
    ),
    GeneratorEntry(
        name="tic-tac-toe",
        title="End games of noughts and crosses",
        task="classification",
        classes=2,
        parameters=(),
        rows=958,
        method="Every board at which a game begun by x ends; positive when x has three in a row.",
        reference="Aha 1991",
    ),
    GeneratorEntry(
        name="simulated-learners",
        title="What two simulated learners say, with a known error of each",
        task="classification",
        classes=2,
        parameters=(
            _n(300),
            _share("error", 0.1, 0.5, "mean error of both learners"),
            _share("difference", 0.0, 0.5, "by how much the second errs more than the first"),
            SEED,
        ),
        method="Columns `first` and `second` repeat the target but for their errors: on one half of the rows the first "
        "errs with half its mean rate and the second with one and a half times its own, on the other half the reverse.",
        reference="Dietterich 1998, 4.1",
    ),
    GeneratorEntry(
        name="moons",
        title="Two half moons inside each other",
        task="classification",
        classes=2,
        parameters=(_n(300), _share("noise", 0.2, 10.0, "standard deviation of the noise"), SEED),
    ),
    GeneratorEntry(
        name="circles",
        title="A circle inside a circle",
        task="classification",
        classes=2,
        parameters=(
            _n(300),
            _share("noise", 0.1, 10.0, "standard deviation of the noise"),
            Parameter("factor", 0.5, 0.01, 0.99, whole=False, meaning="radius of the inner circle"),
            SEED,
        ),
    ),
    GeneratorEntry(
        name="xor",
        title="Two classes that no single column tells apart",
        task="classification",
        classes=2,
        parameters=(_n(300), _share("noise", 0.1, 0.5, "share of labels turned round"), SEED),
    ),
    GeneratorEntry(
        name="noise",
        title="Columns that know nothing of the target",
        task="classification",
        classes=2,
        parameters=(_n(300), Parameter("features", 10, 1, MOST_COLUMNS, meaning="columns"), SEED),
        method="Every learner's true accuracy is one half: what tests say here are false positives.",
    ),
    GeneratorEntry(
        name="friedman1",
        title="Friedman's first regression function",
        task="regression",
        classes=None,
        parameters=(
            _n(300),
            Parameter("features", 10, 5, MOST_COLUMNS, meaning="columns, five of which matter"),
            _share("noise", 1.0, 1e6, "standard deviation of the noise"),
            SEED,
        ),
        method="10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + noise.",
        reference="Friedman 1991",
    ),
    GeneratorEntry(
        name="linear",
        title="A linear function with noise",
        task="regression",
        classes=None,
        parameters=(
            _n(300),
            Parameter("features", 5, 1, MOST_COLUMNS, meaning="columns; column j weighs 1/j"),
            _share("noise", 1.0, 1e6, "standard deviation of the noise"),
            SEED,
        ),
    ),
)


def find_generator(name: str) -> GeneratorEntry | None:
    """The card of that name, or None."""
    return next((entry for entry in GENERATORS if entry.name == name), None)


def check_parameters(entry: GeneratorEntry, given: tuple[tuple[str, object], ...]) -> str | None:
    """The first thing wrong with the parameters, as a sentence; None when they are sound.

    >>> check_parameters(find_generator("waveform"), (("n", 0),))
    'waveform takes n from 4 to 1000000, and 0 was given'
    """
    known = {p.name: p for p in entry.parameters}
    seen: set[str] = set()
    for name, value in given:
        if name not in known:
            near = nearest(name, known)
            offer = f"; did you mean {near}?" if near else f"; it takes {', '.join(known) or 'none'}"
            return f"{entry.name} has no parameter {name}{offer}"
        if name in seen:
            return f"{entry.name} is given {name} twice"
        seen.add(name)
        wrong = _check_value(entry.name, known[name], value)
        if wrong:
            return wrong
    return None


def filled_parameters(entry: GeneratorEntry, given: tuple[tuple[str, object], ...]) -> dict[str, int | float]:
    """Every parameter with its value, defaults included; the given ones must have been checked."""
    told = dict(given)
    values: dict[str, int | float] = {}
    for parameter in entry.parameters:
        value = told.get(parameter.name, parameter.default)
        if isinstance(value, (int, float)):
            values[parameter.name] = int(value) if parameter.whole else float(value)
    return values


def rows_of(entry: GeneratorEntry, given: tuple[tuple[str, object], ...]) -> int | None:
    """Rows the generator will make, known before it runs."""
    if entry.rows is not None:
        return entry.rows
    rows = filled_parameters(entry, given).get("n")
    return None if rows is None else int(rows)


def _check_value(generator: str, parameter: Parameter, value: object) -> str | None:
    name = parameter.name
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"{generator} takes a number for {name}"
    if parameter.whole and isinstance(value, float) and not value.is_integer():
        return f"{generator} takes a whole number for {name}, and {value} was given"
    if not parameter.low <= value <= parameter.high:
        shown = str(value) if abs(value) < 1e15 else "a far larger number"
        return f"{generator} takes {name} from {parameter.low} to {parameter.high}, and {shown} was given"
    return None
