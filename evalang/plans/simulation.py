"""What can be simulated, from the names of tests and the design alone: nothing is loaded and nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR
from ..catalogue.tests import TESTS, find_test
from ..language import nodes
from .clauses import Clauses, alpha_of, seed_of
from .model import Comparison, Dataset, Scheme, Simulation, Test
from .names import Names
from .values import LARGEST_SEED, PlanErrors

OUTCOMES = (
    "mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "permutation", "proportions", "corrected-proportions",
    "cochran-q", "row-t",
)  # fmt: skip
FOLDS = ("resampled-t", "kfold-t", "corrected-t", "partition-t", "5x2cv-t", "5x2cv-f", "averaged-t")
DATASETS = ("paired-t", "wilcoxon", "sign")
SIMULATED = (*OUTCOMES, *FOLDS, *DATASETS)
RESAMPLED = ("resampled-t", "corrected-t", "partition-t", "kfold-t", "averaged-t")  # `resamples` says how often
MEASURED = ("accuracy", "error")
FEWEST_ROWS = 20  # ours: below it a third or a tenth of the rows is no test set
MOST_ERROR = 2.0 / 3.0  # one and a half times it is the error on half of the rows (Dietterich 1998, 4.1)
MOST_DIFFERENCE = 0.5

Evidence = Literal["rows", "folds", "resamples", "datasets"]
Refusal = tuple[str, str]  # message, help
_MANY_ROWS = 10**9  # in place of rows that only the data can tell
_SCHEMES = "a holdout, cross-validation, 5x2cv and resamples can be simulated"


def why_not(test: str) -> str:
    """The reason why a test is not simulated, as a sentence about it."""
    card = find_test(test)
    if test == "tost":
        return "tost looks for equality, and a simulation counts the differences that are found"
    if test == "bootstrap":
        return "bootstrap draws the rows again in every trial, which is not offered in a simulation"
    if card is None or test in SIMULATED:
        return f"{test} is simulated only on one dataset at a time"
    if card.learners != "two":
        number = "one learner" if card.learners == "one" else "several learners"
        return f"{test} asks about {number}, and a simulation draws two"
    if not card.gives_p:
        return f"{test} gives a posterior and no p-value, so there is no rejection to count"
    if card.evidence == "training-losses":
        return f"{test} needs losses from several training sets, and simulated learners are never trained"
    return f"{test} judges how scores order the rows, and simulated learners are only right or wrong"


def cannot_differ(error: float, difference: float, disagreement: float) -> Refusal | None:
    """Why no two learners have this error, this difference and this share of rows that one alone gets wrong."""
    other = error + difference
    first_only = 0.5 * (disagreement - difference)
    if other > 1.0 + 1e-12:
        return (
            f"a learner cannot err on {other:.4g} of the rows, which is an error of {error:.4g} and a difference of "
            f"{difference:.4g}",
            "name a smaller error or difference",
        )
    low, high = difference, min(error + other, 2.0 - error - other)
    if first_only < -1e-12 or disagreement > high + 1e-12:
        return (
            f"learners that err on {error:.4g} and {other:.4g} of the rows cannot disagree on {disagreement:.4g}",
            f"name a disagreement from {low:.4g} to {high:.4g}" if low <= high else "name a smaller difference",
        )
    return None


def place(scheme: Scheme | None, test: str, rows: int) -> tuple[Evidence, int, int, int] | None:
    """(evidence, rows of a test part, partitions, folds); None where this scheme gives the test nothing."""
    if scheme is None or scheme.card.needs == "tested_on":
        return ("rows", rows, 1, 1) if test in OUTCOMES and rows > 1 else None
    card, size = scheme.card, int(scheme.test_rows(rows) or 0)
    if test in OUTCOMES:
        known = card.part or card.one_kcv or card.pooled
        tested = int(scheme.judged_rows(rows) or 0) if known else 0
        return ("rows", tested, 1, 1) if 1 < tested <= rows else None
    if test not in FOLDS or (test.startswith("5x2cv") and not card.five_by_two) or scheme.trials < 2:
        return None
    if card.dealt and rows >= 2 * scheme.folds:
        return "folds", size, scheme.partitions, scheme.folds
    if card.part == "trained" and 0 < size < rows and test != "averaged-t":
        return "resamples", size, scheme.partitions, 1
    return None


def on_datasets(comparison: Comparison) -> tuple[str, ...]:
    """The tests of a comparison on each dataset that can be simulated."""
    return tuple(t.name for t in comparison.tests if t.name in (*OUTCOMES, *FOLDS))


def over_datasets(comparison: Comparison) -> tuple[str, ...]:
    """The tests of a comparison over datasets that can be simulated."""
    return tuple(t.name for t in comparison.over if t.name in DATASETS)


def no_power(comparison: Comparison, rows: Mapping[str, int | None], stated: tuple[int, ...]) -> Refusal | None:
    """Why the power of a comparison cannot be simulated; None when it can, as far as the plan knows.

    `rows` are those of the datasets (None, or no entry, where only the data can tell), `stated` those of `with rows`.
    """
    refusal = f"the power of {comparison.name} cannot be simulated"
    if comparison.estimate:
        return f"{refusal}: it estimates one learner, and power is about telling two apart", "name a comparison"
    if not any(m.name in MEASURED for m in comparison.metrics):
        return (
            f"{refusal}: simulated learners are right or wrong, and it measures neither",
            "measure accuracy or error as well",
        )
    asked: tuple[Test, ...] = (*comparison.tests, *comparison.over)
    if not asked:
        return f"{refusal}: it has no test", "name one with by, such as by 5x2cv-t"
    tests = on_datasets(comparison)
    if not tests and not over_datasets(comparison):
        return f"{refusal}: {why_not(asked[0].name)}", f"one of {', '.join(SIMULATED)} can be simulated"
    if not tests or over_datasets(comparison):
        return None
    counts = stated or tuple(rows.get(d) or _MANY_ROWS for d in comparison.datasets)
    if any(place(comparison.scheme, test, many) is not None for test in tests for many in counts):
        return None
    return _no_place(comparison, tests, max(counts, default=_MANY_ROWS), refusal)


def _no_place(comparison: Comparison, tests: tuple[str, ...], most: int, refusal: str) -> Refusal:
    scheme = comparison.scheme
    if scheme is None:
        return f"{refusal}: nothing says how the rows behind its scores were split", "compare datasets, or predictions"
    if any(place(scheme, test, _MANY_ROWS) is not None for test in tests):
        return f"{refusal}: {most:,} rows are too few for {tests[0]} on {scheme.text}", "name more rows: with rows 500"
    return f"{refusal}: {scheme.text} gives {tests[0]} nothing that is drawn in a simulation", _SCHEMES


WHOLE = ("n", "trials", "resamples", "rows", "datasets")
SHARES = ("error", "difference", "shared", "disagreement", "spread")
MOST = 10_000_000
_BY_NAME = "name a comparison by its `as` name, or compare-1 for the first"


def plan_simulation(
    statement: nodes.SimulateStatement,
    name: str,
    clauses: Clauses,
    comparisons: Mapping[str, Comparison],
    rows: Mapping[str, int | None],
    errors: PlanErrors,
) -> Simulation:
    """A simulation with its subjects and settings checked; `rows` are those of the datasets, where they are known."""
    subjects: dict[str, nodes.Call] = {}
    for call in statement.subjects:
        card = find_test(call.name.text) if statement.kind == "type-I" else None
        word = card.name if card else call.name.text
        subjects.setdefault(word, replace(call, name=replace(call.name, text=word)))  # one named twice counts once
    given = dict(_settings(clauses.get(nodes.With), errors))
    _check_options(statement, errors)
    if statement.kind == "power":
        for word, call in subjects.items():
            if word not in comparisons:
                errors.unknown_name(call.span, "comparison", word, comparisons, _BY_NAME)
        named = {call: comparisons[word] for word, call in subjects.items() if word in comparisons}
        check_power(given, named, rows, errors)
    else:
        for word, call in subjects.items():
            if find_test(word) is None:
                errors.unknown_name(call.span, "test", word, (t.name for t in TESTS))
        check_type_one(given, [call for word, call in subjects.items() if find_test(word)], errors)
    return Simulation(
        name=name,
        kind=statement.kind,
        subjects=tuple(subjects),
        settings=tuple(_values(given, clauses, errors).items()),
        because=clauses.because,
        allow=clauses.allowances(errors),
        span=statement.span,
    )


def rows_known(names: Names) -> dict[str, int | None]:
    """The rows of every dataset as the catalogue knows them, else None."""
    datasets = (*(d for d in names.definitions.values() if isinstance(d, Dataset)), *names.bundled.values())
    return {d.name: d.rows for d in datasets}


def _values(given: Mapping[str, nodes.Setting], clauses: Clauses, errors: PlanErrors) -> dict[str, tuple[float, ...]]:
    """Return the settings as numbers, with the level and the seed wherever they are written."""
    values: dict[str, tuple[float, ...]] = {
        word: tuple(int(v.value) if word in WHOLE else v.value for v in setting.values)
        for word, setting in given.items()
        if word != "seed" and setting.values
    }
    values["alpha"] = (alpha_of(clauses, errors).value,)
    if "seed" in given:
        if nodes.Seed in clauses:
            errors.invalid(given["seed"].span, "seed is given twice", "keep one of the two")
        if given["seed"].values:
            values["seed"] = (int(given["seed"].values[0].value),)
    elif (seed := seed_of(clauses, errors)) is not None:
        values["seed"] = (seed.value,)
    return values


def _settings(given: nodes.With | None, errors: PlanErrors) -> Iterator[tuple[str, nodes.Setting]]:
    """Each word with those of its values that fit it."""
    seen: set[str] = set()
    for setting in given.settings if given else ():
        word = setting.name.text
        if word not in (*WHOLE, *SHARES, "seed"):
            errors.unknown_name(setting.name.span, "setting", word, (*WHOLE, *SHARES, "seed"), _other_word(word))
            continue
        if word in seen:
            errors.invalid(setting.span, f"{word} is given twice", "keep one of the two")
            continue
        seen.add(word)
        values = tuple(v for v in setting.values if _fits(word, v, errors))
        yield word, nodes.Setting(setting.name, values, span=setting.span)


def _other_word(word: str) -> str:
    """Words of the output that are set by another."""
    return {
        "folds": "resamples sets the folds of kfold-t",
        "partitions": "resamples sets the number of random splits of averaged-t",
        "alpha": "write at alpha 0.01 after the settings",
    }.get(word, f"the settings are {', '.join((*WHOLE, *SHARES))} and seed")


def _fits(word: str, value: nodes.Amount, errors: PlanErrors) -> bool:
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
        errors.invalid(value.span, f"{word} cannot be {value.text}", f"write {wanted}")
    return fits


def _check_options(statement: nodes.SimulateStatement, errors: PlanErrors) -> None:
    for call in statement.subjects:
        if call.arguments:
            message = f"the options of {call.name.text} play no part in a simulation"
            errors.conflict(call.span, message, "leave them out: every test is simulated as it is by itself")


DIFFERENCES = (0.01, 0.02, 0.05, 0.10)  # asked about where none is named
ROWS = 300  # Dietterich 1998, 4.2
_ONE = ("trials", "shared", "spread", "disagreement", "seed")  # settings that take one value
_EQUAL = "both learners of a type-I simulation have the same error"
_LEAVE = "leave it out"
Given = Mapping[str, nodes.Setting]


def check_type_one(given: Given, calls: Iterable[nodes.Call], errors: PlanErrors) -> None:
    """`simulate type-I of TESTS`; the tests are known by name."""
    tests = [call.name.text for call in calls]
    for call in calls:
        if call.name.text not in SIMULATED:
            message = f"{call.name.text} cannot be simulated: {why_not(call.name.text)}"
            errors.conflict(call.span, message, f"one of {', '.join(SIMULATED)} can be")
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
    _check_idle(given, idle, errors)
    _check_single(given, _ONE, errors)
    _check_least(given, "n", FEWEST_ROWS, "{} rows are too few to simulate with", errors)
    _check_least(given, "datasets", 2, "a test over datasets cannot work on {}", errors)
    _check_least(given, "resamples", 2, "a test on resamples cannot work on {}", errors)
    for value in _written_values(given, "error"):
        if not 0.0 < value.value <= MOST_ERROR:
            help = "write an error above 0 and at most 2/3: it is one and a half times that on half of the rows"
            errors.invalid(value.span, f"the simulated learners cannot err on {value.text} of the rows", help)
    fewest = min((int(v.value) for v in _written_values(given, "n")), default=ROWS)
    for value in _written_values(given, "resamples") if "kfold-t" in tests else ():
        if value.value > fewest:
            message = f"kfold-t cannot make {int(value.value):,} folds of {fewest:,} rows"
            errors.invalid(
                value.span, message, f"write at most {fewest:,}: resamples is the number of folds of kfold-t"
            )


def check_power(
    given: Given, asked: Mapping[nodes.Call, Comparison], rows: Mapping[str, int | None], errors: PlanErrors
) -> None:
    """`simulate power of COMPARISONS`; the comparisons are known by name."""
    comparisons = tuple(asked.values())
    idle = {"resamples": ("the scheme of the comparison already sets the number of splits", _LEAVE)}
    if comparisons and not any(map(over_datasets, comparisons)):
        no_over = f"{comparisons[0].name} has no test over datasets that could be simulated"
        idle |= {"datasets": (no_over, _LEAVE), "spread": (no_over, _LEAVE)}
    if "n" in given:
        idle["rows"] = ("n already gives the number of rows", "keep one of the two")
    _check_idle(given, idle, errors)
    _check_single(given, (*_ONE, "error"), errors)
    _check_least(given, "datasets", 2, "a test over datasets cannot work on {}", errors)
    stated = (*_written_values(given, "rows"), *_written_values(given, "n"))
    for call, comparison in asked.items():
        refused = no_power(comparison, rows, tuple(int(v.value) for v in stated))
        if refused is not None:
            errors.conflict(call.span, *refused)
        elif not over_datasets(comparison):
            _check_rows(stated, comparison, errors)
    _check_differences(given, errors)


def _check_rows(stated: Iterable[nodes.Amount], comparison: Comparison, errors: PlanErrors) -> None:
    """Every number of rows has to give some test something to work on, or it would be left out in silence."""
    for value in stated:
        many = int(value.value)
        if all(place(comparison.scheme, test, many) is None for test in on_datasets(comparison)):
            where = f" on {comparison.scheme.text}" if comparison.scheme else ""
            message = f"{many:,} rows are too few for {on_datasets(comparison)[0]}{where}"
            errors.invalid(value.span, message, "name more rows")


def _check_differences(given: Given, errors: PlanErrors) -> None:
    named = {word: v for word in ("error", "disagreement") for v in _written_values(given, word)[:1]}
    error = named["error"].value if "error" in named else ASSUMED_ERROR
    disagreement = named["disagreement"].value if "disagreement" in named else ASSUMED_DISAGREEMENT
    written = _written_values(given, "difference")
    for value in written:
        if not 0.0 < value.value <= MOST_DIFFERENCE:
            help = f"write one above 0% and at most {100 * MOST_DIFFERENCE:g}%"
            errors.invalid(value.span, f"a difference of {value.text} cannot be tested for", help)
            return
    for number, difference in enumerate([v.value for v in written] or DIFFERENCES):
        refused = cannot_differ(error, difference, max(disagreement, difference))
        if refused is not None:
            message, help = refused
            if "disagreement" not in named and "disagree" in message:
                help += f"; {100 * ASSUMED_DISAGREEMENT:g}% is assumed where none is named"
            at = named.get("disagreement") or named.get("error") or written[number]
            errors.invalid(at.span, message, help)
            return


def _written_values(given: Given, word: str) -> tuple[nodes.Amount, ...]:
    return given[word].values if word in given else ()


def _check_idle(given: Given, idle: Mapping[str, tuple[str, str]], errors: PlanErrors) -> None:
    """Settings that would change nothing."""
    for word, (why, help) in idle.items():
        if word in given:
            errors.conflict(given[word].span, f"{word} plays no part here: {why}", help)


def _check_single(given: Given, words: Iterable[str], errors: PlanErrors) -> None:
    for word in words:
        values = _written_values(given, word)
        other = next((v for v in values if v.value != values[0].value), None)
        if other is not None:
            errors.invalid(other.span, f"{word} takes one value", "write one simulate statement for each")


def _check_least(given: Given, word: str, least: int, message: str, errors: PlanErrors) -> None:
    for value in _written_values(given, word):
        if value.value < least:
            errors.invalid(value.span, message.format(f"{value.value:g}"), f"write at least {least}")
