"""`simulate` statements: subjects and settings read, and what cannot be simulated refused before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..catalogue.tests import TESTS, find_test
from ..syntax import nodes
from .asked import alpha_of, seed_of
from .clauses import Said, allowances, because
from .model import Comparison, Dataset, Simulation
from .names import Names
from .problems import Problems
from .simulation_checks import check_power, check_type_one
from .values import LARGEST_SEED

WHOLE = ("n", "trials", "resamples", "rows", "datasets")
SHARES = ("error", "difference", "shared", "disagreement", "spread")
MOST = 10_000_000
_BY_NAME = "name a comparison by its `as` name, or compare-1 for the first"


def plan_simulation(
    statement: nodes.Simulate,
    name: str,
    said: Said,
    comparisons: Mapping[str, Comparison],
    rows: Mapping[str, int | None],
    problems: Problems,
) -> Simulation:
    """A simulation with its subjects and settings checked; `rows` are those of the datasets, where they are known."""
    subjects: dict[str, nodes.Call] = {}
    for call in statement.subjects:
        subjects.setdefault(call.name.text, call)  # one named twice counts once
    given = dict(_settings(said.get(nodes.With), problems))
    _check_options(statement, problems)
    if statement.kind == "power":
        for word, call in subjects.items():
            if word not in comparisons:
                problems.unknown(call.span, "comparison", word, comparisons, _BY_NAME)
        found = {call: comparisons[word] for word, call in subjects.items() if word in comparisons}
        check_power(given, found, rows, problems)
    else:
        for word, call in subjects.items():
            if find_test(word) is None:
                problems.unknown(call.span, "test", word, (t.name for t in TESTS))
        check_type_one(given, [call for word, call in subjects.items() if find_test(word)], problems)
    return Simulation(
        name=name,
        kind=statement.kind,
        subjects=tuple(subjects),
        settings=tuple(_values(given, said, problems).items()),
        because=because(statement.clauses),
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )


def rows_known(names: Names) -> dict[str, int | None]:
    """The rows of every dataset as the catalogue knows them, else None."""
    datasets = (*(d for d in names.definitions.values() if isinstance(d, Dataset)), *names.bundled.values())
    return {d.name: d.rows for d in datasets}


def _values(given: Mapping[str, nodes.Setting], said: Said, problems: Problems) -> dict[str, tuple[float, ...]]:
    """The settings as numbers, with the level and the seed wherever they are said."""
    values: dict[str, tuple[float, ...]] = {
        word: tuple(int(v.value) if word in WHOLE else v.value for v in setting.values)
        for word, setting in given.items()
        if word != "seed" and setting.values
    }
    values["alpha"] = (alpha_of(said, problems).value,)
    if "seed" in given:
        if nodes.Seed in said:
            problems.bad(given["seed"].span, "seed is given twice", "keep one of the two")
        if given["seed"].values:
            values["seed"] = (int(given["seed"].values[0].value),)
    elif (seed := seed_of(said, problems)) is not None:
        values["seed"] = (seed.value,)
    return values


def _settings(given: nodes.With | None, problems: Problems) -> Iterator[tuple[str, nodes.Setting]]:
    """Each word with those of its values that fit it."""
    seen: set[str] = set()
    for setting in given.settings if given else ():
        word = setting.name.text
        if word not in (*WHOLE, *SHARES, "seed"):
            problems.unknown(setting.name.span, "setting", word, (*WHOLE, *SHARES, "seed"), _other_word(word))
            continue
        if word in seen:
            problems.bad(setting.span, f"{word} is given twice", "keep one of the two")
            continue
        seen.add(word)
        values = tuple(v for v in setting.values if _fits(word, v, problems))
        yield word, nodes.Setting(setting.name, values, span=setting.span)


def _other_word(word: str) -> str:
    """Words of the output that are set by another."""
    return {
        "folds": "resamples sets the folds of kfold-t",
        "partitions": "resamples sets the partitions of averaged-t",
        "alpha": "write at alpha 0.01 after the settings",
    }.get(word, f"the settings are {', '.join((*WHOLE, *SHARES))} and seed")


def _fits(word: str, value: nodes.Amount, problems: Problems) -> bool:
    if word == "seed":
        fits = value.unit == "" and value.value == int(value.value) and 0 <= value.value <= LARGEST_SEED
        wanted = f"a whole number from 0 to {LARGEST_SEED}"
    elif word in WHOLE:
        fits = 1 <= value.value <= MOST and value.value == int(value.value)
        fits = fits and (value.unit == "" or (value.unit == "rows" and word in ("n", "rows")))
        wanted = f"a whole number from 1 to {MOST:,}"
    else:
        fits, wanted = 0 <= value.value < 1 and value.unit != "rows", "a share between 0 and 1, such as 10%"
    if not fits:
        problems.bad(value.span, f"{word} cannot be {value.text}", f"write {wanted}")
    return fits


def _check_options(statement: nodes.Simulate, problems: Problems) -> None:
    for call in statement.subjects:
        if call.arguments:
            message = f"the options of {call.name.text} play no part in a simulation"
            problems.disagree(call.span, message, "leave them out: every test is simulated as it is by itself")
