"""`simulate` statements: subjects and settings read, and what cannot be simulated refused before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR
from ..catalogue.tests import TESTS, find_test
from ..language import nodes
from .clauses import Said, allowances, alpha_of, because, seed_of
from .model import Comparison, Dataset, Simulation
from .names import Names
from .simulable import (
    DATASETS,
    FEWEST_ROWS,
    MOST_DIFFERENCE,
    MOST_ERROR,
    RESAMPLED,
    SIMULATED,
    cannot_differ,
    no_power,
    on_datasets,
    over_datasets,
    place,
    why_not,
)
from .values import LARGEST_SEED, Problems

WHOLE = ("n", "trials", "resamples", "rows", "datasets")
SHARES = ("error", "difference", "shared", "disagreement", "spread")
MOST = 10_000_000
_BY_NAME = "name a comparison by its `as` name, or compare-1 for the first"


def plan_simulation(
    statement: nodes.SimulateStatement,
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


def _check_options(statement: nodes.SimulateStatement, problems: Problems) -> None:
    for call in statement.subjects:
        if call.arguments:
            message = f"the options of {call.name.text} play no part in a simulation"
            problems.disagree(call.span, message, "leave them out: every test is simulated as it is by itself")


DIFFERENCES = (0.01, 0.02, 0.05, 0.10)  # asked about where none is named
ROWS = 300  # Dietterich 1998, 4.2
_ONE = ("trials", "shared", "spread", "disagreement", "seed")  # settings that take one value
_EQUAL = "both learners of a type-I simulation have the same error"
_LEAVE = "leave it out"
Given = Mapping[str, nodes.Setting]


def check_type_one(given: Given, calls: Iterable[nodes.Call], problems: Problems) -> None:
    """`simulate type-I of TESTS`; the tests are known by name."""
    tests = [call.name.text for call in calls]
    for call in calls:
        if call.name.text not in SIMULATED:
            message = f"{call.name.text} cannot be simulated: {why_not(call.name.text)}"
            problems.disagree(call.span, message, f"one of {', '.join(SIMULATED)} can be")
    idle = {
        "difference": (_EQUAL, "leave it out, or simulate power of a comparison"),
        "disagreement": (_EQUAL + ", and they err independently", "leave it out, or simulate power of a comparison"),
        "spread": (_EQUAL + " on every dataset", "leave it out, or simulate power of a comparison"),
        "rows": ("the rows of a type-I simulation are its n", "write n instead of rows"),
    }
    if not any(test in RESAMPLED for test in tests):
        idle["resamples"] = (f"none of these tests works on resamples: {', '.join(tests)}", _LEAVE)
    if not any(test in DATASETS for test in tests):
        idle["datasets"] = (f"none of these tests works over datasets: {', '.join(tests)}", _LEAVE)
    _check_idle(given, idle, problems)
    _check_single(given, _ONE, problems)
    _check_least(given, "n", FEWEST_ROWS, "{} rows are too few to simulate with", problems)
    _check_least(given, "datasets", 2, "a test over datasets cannot work on {}", problems)
    _check_least(given, "resamples", 2, "a test on resamples cannot work on {}", problems)
    for value in _written_values(given, "error"):
        if not 0.0 < value.value <= MOST_ERROR:
            help = "write an error above 0 and at most 2/3: it is one and a half times that on half of the rows"
            problems.bad(value.span, f"the simulated learners cannot err on {value.text} of the rows", help)
    fewest = min((int(v.value) for v in _written_values(given, "n")), default=ROWS)
    for value in _written_values(given, "resamples") if "kfold-t" in tests else ():
        if value.value > fewest:
            message = f"kfold-t cannot make {int(value.value):,} folds of {fewest:,} rows"
            problems.bad(value.span, message, f"write at most {fewest:,}: resamples is the number of folds of kfold-t")


def check_power(
    given: Given, asked: Mapping[nodes.Call, Comparison], rows: Mapping[str, int | None], problems: Problems
) -> None:
    """`simulate power of COMPARISONS`; the comparisons are known by name."""
    found = tuple(asked.values())
    idle = {"resamples": ("the scheme of the comparison says how often its rows are split", _LEAVE)}
    if found and not any(map(over_datasets, found)):
        no_over = f"{found[0].name} has no test over datasets that could be simulated"
        idle |= {"datasets": (no_over, _LEAVE), "spread": (no_over, _LEAVE)}
    if "n" in given:
        idle["rows"] = ("n says the rows already", "keep one of the two")
    _check_idle(given, idle, problems)
    _check_single(given, (*_ONE, "error"), problems)
    _check_least(given, "datasets", 2, "a test over datasets cannot work on {}", problems)
    stated = (*_written_values(given, "rows"), *_written_values(given, "n"))
    for call, comparison in asked.items():
        refused = no_power(comparison, rows, tuple(int(v.value) for v in stated))
        if refused is not None:
            problems.disagree(call.span, *refused)
        elif not over_datasets(comparison):
            _check_rows(stated, comparison, problems)
    _check_differences(given, problems)


def _check_rows(stated: Iterable[nodes.Amount], comparison: Comparison, problems: Problems) -> None:
    """Every number of rows has to give some test something to work on, or it would be left out in silence."""
    for value in stated:
        many = int(value.value)
        if all(place(comparison.scheme, test, many) is None for test in on_datasets(comparison)):
            where = f" on {comparison.scheme.text}" if comparison.scheme else ""
            message = f"{many:,} rows are too few for {on_datasets(comparison)[0]}{where}"
            problems.bad(value.span, message, "name more rows")


def _check_differences(given: Given, problems: Problems) -> None:
    named = {word: v for word in ("error", "disagreement") for v in _written_values(given, word)[:1]}
    error = named["error"].value if "error" in named else ASSUMED_ERROR
    disagreement = named["disagreement"].value if "disagreement" in named else ASSUMED_DISAGREEMENT
    written = _written_values(given, "difference")
    for value in written:
        if not 0.0 < value.value <= MOST_DIFFERENCE:
            help = f"write one above 0% and at most {100 * MOST_DIFFERENCE:g}%"
            problems.bad(value.span, f"a difference of {value.text} cannot be looked for", help)
            return
    for number, difference in enumerate([v.value for v in written] or DIFFERENCES):
        refused = cannot_differ(error, difference, max(disagreement, difference))
        if refused is not None:
            message, help = refused
            if "disagreement" not in named and "disagree" in message:
                help += f"; {100 * ASSUMED_DISAGREEMENT:g}% is assumed where none is named"
            at = named.get("disagreement") or named.get("error") or written[number]
            problems.bad(at.span, message, help)
            return


def _written_values(given: Given, word: str) -> tuple[nodes.Amount, ...]:
    return given[word].values if word in given else ()


def _check_idle(given: Given, idle: Mapping[str, tuple[str, str]], problems: Problems) -> None:
    """Settings that would change nothing."""
    for word, (why, help) in idle.items():
        if word in given:
            problems.disagree(given[word].span, f"{word} plays no part here: {why}", help)


def _check_single(given: Given, words: Iterable[str], problems: Problems) -> None:
    for word in words:
        values = _written_values(given, word)
        other = next((v for v in values if v.value != values[0].value), None)
        if other is not None:
            problems.bad(other.span, f"{word} takes one value", "write one simulate statement for each")


def _check_least(given: Given, word: str, least: int, message: str, problems: Problems) -> None:
    for value in _written_values(given, word):
        if value.value < least:
            problems.bad(value.span, message.format(f"{value.value:g}"), f"write at least {least}")
