"""Settings of a simulate statement that cannot be, or that would change nothing: each is a finding at its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR
from ..syntax import nodes
from .model import Comparison
from .problems import Problems
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
    for value in _values(given, "error"):
        if not 0.0 < value.value <= MOST_ERROR:
            help = "write an error above 0 and at most 2/3: it is one and a half times that on half of the rows"
            problems.bad(value.span, f"the simulated learners cannot err on {value.text} of the rows", help)
    fewest = min((int(v.value) for v in _values(given, "n")), default=ROWS)
    for value in _values(given, "resamples") if "kfold-t" in tests else ():
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
    stated = (*_values(given, "rows"), *_values(given, "n"))
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
    named = {word: v for word in ("error", "disagreement") for v in _values(given, word)[:1]}
    error = named["error"].value if "error" in named else ASSUMED_ERROR
    disagreement = named["disagreement"].value if "disagreement" in named else ASSUMED_DISAGREEMENT
    written = _values(given, "difference")
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


def _values(given: Given, word: str) -> tuple[nodes.Amount, ...]:
    return given[word].values if word in given else ()


def _check_idle(given: Given, idle: Mapping[str, tuple[str, str]], problems: Problems) -> None:
    """Settings that would change nothing."""
    for word, (why, help) in idle.items():
        if word in given:
            problems.disagree(given[word].span, f"{word} plays no part here: {why}", help)


def _check_single(given: Given, words: Iterable[str], problems: Problems) -> None:
    for word in words:
        values = _values(given, word)
        other = next((v for v in values if v.value != values[0].value), None)
        if other is not None:
            problems.bad(other.span, f"{word} takes one value", "write one simulate statement for each")


def _check_least(given: Given, word: str, least: int, message: str, problems: Problems) -> None:
    for value in _values(given, word):
        if value.value < least:
            problems.bad(value.span, message.format(f"{value.value:g}"), f"write at least {least}")
