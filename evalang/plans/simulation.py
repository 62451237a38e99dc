"""What can be simulated, from the names of tests and the design alone: nothing is loaded and nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..catalogue.metrics import COUNTED
from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR
from ..catalogue.tests import TESTS, find_test
from ..language import nodes
from .model import Comparison, Scheme, Simulation
from .values import BY_NAME, LARGEST_SEED, Clauses, PlanErrors, alpha_of, seed_of

OUTCOMES = (
    "mcnemar", "mcnemar-exact", "mcnemar-midp", "binomial", "permutation", "proportions", "corrected-proportions",
    "cochran-q", "row-t",
)  # fmt: skip
FOLDS = ("resampled-t", "kfold-t", "corrected-t", "partition-t", "5x2cv-t", "5x2cv-f", "averaged-t")
DATASETS = ("paired-t", "wilcoxon", "sign")
SIMULATED = (*OUTCOMES, *FOLDS, *DATASETS)
RESAMPLED = ("resampled-t", "corrected-t", "partition-t", "kfold-t", "averaged-t")  # `resamples` says how often
FEWEST_ROWS = 20  # ours: below it a third or a tenth of the rows is no test set
MOST_ERROR = 2.0 / 3.0  # one and a half times it is the error on half of the rows (Dietterich 1998, 4.1)
MOST_DIFFERENCE = 0.5

Evidence = Literal["rows", "folds", "resamples", "datasets"]
Refusal = tuple[str, str]  # message, help
_MANY_ROWS = 10**9  # in place of rows that only the data can tell
_SCHEMES = "a holdout, cross-validation, 5x2cv and resamples can be simulated"


def why_not(test: str) -> str:
    """Return the reason why a test is not simulated, as a sentence about it."""
    card = find_test(test)
    if card is None or test in SIMULATED:
        return f"`{test}` can be simulated only on a single dataset"
    if card.learners != "two":
        number = "one learner" if card.learners == "one" else "several learners"
        return f"`{test}` needs {number}, but a simulation has two"
    if not card.gives_p:
        return f"`{test}` gives a posterior, not a p-value, so there are no rejections to count"
    return f"`{test}` needs more than right and wrong answers, but a simulation trains no learner"


def cannot_differ(error: float, difference: float, disagreement: float) -> Refusal | None:
    """Return why two learners cannot have this error, difference and disagreement; None when they can."""
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
    """Return (evidence, rows of a test part, partitions, folds); None where this scheme gives the test nothing."""
    if scheme is None or scheme.card.needs == "tested_on":
        return ("rows", rows, 1, 1) if test in OUTCOMES and rows > 1 else None
    card, size = scheme.card, int(scheme.test_rows(rows) or 0)
    if test in OUTCOMES:
        known = card.part or card.one_kcv or card.pooled
        tested = int(scheme.judged_rows(rows) or 0) if known else 0
        return ("rows", tested, 1, 1) if 1 < tested <= rows else None
    if test not in FOLDS or (test.startswith("5x2cv") and not card.five_by_two) or scheme.trials < 2:
        return None
    if card.k_fold and rows >= 2 * scheme.folds:
        return "folds", size, scheme.partitions, scheme.folds
    if card.part == "trained" and 0 < size < rows and test != "averaged-t":
        return "resamples", size, scheme.partitions, 1
    return None


def on_datasets(comparison: Comparison) -> tuple[str, ...]:
    """Return the tests of a comparison on each dataset that can be simulated."""
    return tuple(t.name for t in comparison.tests if t.name in (*OUTCOMES, *FOLDS))


def over_datasets(comparison: Comparison) -> tuple[str, ...]:
    """Return the tests of a comparison over datasets that can be simulated."""
    return tuple(t.name for t in comparison.over if t.name in DATASETS)


def no_power(comparison: Comparison, rows: Mapping[str, int | None], stated: tuple[int, ...]) -> Refusal | None:
    """Return why the power of a comparison cannot be simulated; None when it can, as far as the plan knows.

    `rows` are those of the datasets (None, or no entry, where only the data can tell), `stated` those of `with rows`.
    """
    why, help = "", "name another comparison"
    asked, tests, scheme = (*comparison.tests, *comparison.over), on_datasets(comparison), comparison.scheme
    if comparison.estimate:
        why = "it estimates one learner, and power is about the difference of two"
    elif not any(m.name in COUNTED for m in comparison.metrics):
        why, help = (
            "simulated learners are only right or wrong, so accuracy or error has to be measured",
            "measure accuracy or error as well",
        )
    elif not asked:
        why, help = "it has no test", "name one, such as `by 5x2cv-t`"
    elif not tests and not over_datasets(comparison):
        why, help = why_not(asked[0].name), f"name one of the tests {', '.join(SIMULATED)}"
    elif tests and not over_datasets(comparison):
        counts = stated or tuple(rows.get(d) or _MANY_ROWS for d in comparison.datasets)
        if any(place(scheme, test, many) is not None for test in tests for many in counts):
            return None
        if scheme is None:
            why, help = (
                "the script does not say how the rows behind its scores were split",
                "compare datasets, or predictions",
            )
        elif any(place(scheme, test, _MANY_ROWS) is not None for test in tests):
            most = max(counts, default=_MANY_ROWS)
            why, help = (
                f"{most:,} rows are too few for {tests[0]} on {scheme.text}",
                "name more rows, such as `with rows 500`",
            )
        else:
            why, help = f"a simulation of `{scheme.text}` does not give the scores that `{tests[0]}` needs", _SCHEMES
    return (f"the power of `{comparison.name}` cannot be simulated: {why}", help) if why else None


Bounds = tuple[float, float, str]  # lowest, highest, and both in words
MOST = 10_000_000
DIFFERENCES = (0.01, 0.02, 0.05, 0.10)  # asked about where none is named
ROWS = 300  # Dietterich 1998, 4.2
_ABOVE_0 = 1e-12


def _whole(low: int, high: int = MOST) -> Bounds:
    return low, high, f"a whole number from {low} to {high:,}"


_SHARE: Bounds = (0.0, 1.0 - 1e-12, "a share between 0 and 1, such as 10%")
# The settings of each kind, with the values that they take.
_BOTH = {"trials": _whole(1), "datasets": _whole(2), "shared": _SHARE, "seed": _whole(0, LARGEST_SEED)}
_SETTINGS: dict[str, dict[str, Bounds]] = {
    "type-I": {
        **_BOTH,
        "n": _whole(FEWEST_ROWS),
        "resamples": _whole(2),
        "error": (
            _ABOVE_0,
            MOST_ERROR,
            "an error above 0 and at most 2/3 (on half of the rows it is 1.5 times as high)",
        ),
    },
    "power": {
        **_BOTH,
        "n": _whole(1),
        "rows": _whole(1),
        "error": _SHARE,
        "difference": (_ABOVE_0, MOST_DIFFERENCE, f"a difference above 0% and at most {100 * MOST_DIFFERENCE:g}%"),
        "disagreement": _SHARE,
        "spread": _SHARE,
    },
}
_WHOLE = ("n", "trials", "resamples", "rows", "datasets", "seed")
_ONE = {
    "type-I": ("trials", "shared", "seed"),
    "power": ("trials", "shared", "seed", "error", "disagreement", "spread"),
}


def plan_simulation(
    statement: nodes.SimulateStatement,
    name: str,
    clauses: Clauses,
    comparisons: Mapping[str, Comparison],
    rows: Mapping[str, int | None],
    errors: PlanErrors,
) -> Simulation:
    """Return a simulation with its subjects and settings checked; `rows` are the known rows of the datasets."""
    power = statement.kind == "power"
    subjects: dict[str, nodes.Call] = {}
    for call in statement.subjects:
        card = None if power else find_test(call.name.text)
        word = card.name if card else call.name.text
        subjects.setdefault(word, call)  # one named twice counts once
        if power and word not in comparisons:
            errors.unknown_name(call.span, "comparison", word, comparisons, BY_NAME)
        elif not power and card is None:
            errors.unknown_name(call.span, "test", word, (t.name for t in TESTS))
        elif not power and word not in SIMULATED:
            help = f"name one of the tests {', '.join(SIMULATED)}"
            errors.conflict(call.span, f"`{word}` cannot be simulated: {why_not(word)}", help)
        if call.arguments:
            message = f"`{word}` takes no options in a simulation"
            errors.conflict(call.span, message, "remove the options")
    asked = {comparisons[word]: call for word, call in subjects.items() if power and word in comparisons}
    settings = _read_settings(statement, clauses, _idle(tuple(subjects), tuple(asked)), errors)
    if power:
        _check_power(settings, asked, rows, errors)
    elif "kfold-t" in subjects:
        fewest = min((int(value.value) for value in settings.get("n", ())), default=ROWS)
        for value in settings.get("resamples", ()):
            if value.value > fewest:
                message = f"`kfold-t` cannot split {fewest:,} rows into {int(value.value):,} folds"
                errors.invalid(
                    value.span, message, f"write at most {fewest:,}; for kfold-t, `resamples` is the number of folds"
                )
    numbers: dict[str, tuple[float, ...]] = {
        word: tuple([int(value.value) if word in _WHOLE else value.value for value in values])
        for word, values in settings.items()
    }
    seed = numbers.pop("seed", ())[:1]
    if not seed and (by_clause := seed_of(clauses, errors)) is not None:
        seed = (by_clause.value,)
    return Simulation(
        name=name,
        kind=statement.kind,
        subjects=tuple(subjects),
        settings=(*numbers.items(), ("alpha", (alpha_of(clauses, errors).value,)), *([("seed", seed)] if seed else ())),
        because=clauses.because,
        allow=clauses.allowances(errors),
        span=statement.span,
    )


def _idle(subjects: tuple[str, ...], asked: tuple[Comparison, ...]) -> dict[str, str]:
    """Return the settings that would change nothing here, with the reason."""
    if asked:
        reason = f"`{asked[0].name}` has no test over datasets to simulate"
        return {} if any(map(over_datasets, asked)) else {"datasets": reason, "spread": reason}
    places = {"resamples": (RESAMPLED, "on resamples"), "datasets": (DATASETS, "over datasets")}
    return {
        word: f"none of these tests works {where}: {', '.join(subjects)}"
        for word, (tests, where) in places.items()
        if not set(subjects) & set(tests)
    }


def _read_settings(
    statement: nodes.SimulateStatement, clauses: Clauses, idle: Mapping[str, str], errors: PlanErrors
) -> dict[str, tuple[nodes.Amount, ...]]:
    """Return the values of each setting that fit it."""
    read: dict[str, tuple[nodes.Amount, ...]] = {}
    fitting, known = _SETTINGS[statement.kind], {word for words in _SETTINGS.values() for word in words}
    written = clauses.get(nodes.With)
    for setting in written.settings if written else ():
        word = setting.name.text
        if word not in known:
            errors.unknown_name(setting.name.span, "setting", word, known, f"the settings are {', '.join(fitting)}")
        elif word in read or (word == "seed" and nodes.Seed in clauses):
            errors.invalid(setting.span, f"`{word}` is given twice", "keep one of the two")
        elif word not in fitting or word in idle:
            reason = idle.get(word, f"`simulate {statement.kind}` has no such setting")
            errors.conflict(
                setting.span, f"the simulation setting `{word}` cannot be used here: {reason}", "leave it out"
            )
        elif word == "rows" and "n" in read:
            errors.conflict(setting.span, "`n` and `rows` both give the number of rows", "keep one of the two")
        else:
            read[word] = tuple([value for value in setting.values if _fits(word, value, fitting[word], errors)])
            other = next((value for value in read[word] if value.value != read[word][0].value), None)
            if other is not None and word in _ONE[statement.kind]:
                errors.invalid(
                    other.span,
                    f"the simulation setting `{word}` takes only one value",
                    "write one `simulate` statement for each",
                )
    return {word: values for word, values in read.items() if values}


def _fits(word: str, value: nodes.Amount, bounds: Bounds, errors: PlanErrors) -> bool:
    low, high, words = bounds
    fits = low <= value.value <= high and value.unit != "rows"
    if word in _WHOLE:
        unit = value.unit == "" or (value.unit == "rows" and word in ("n", "rows"))
        fits = low <= value.value <= high and value.value % 1 == 0 and unit
    if not fits:
        errors.invalid(value.span, f"the simulation setting `{word}` cannot be {value.text}", f"write {words}")
    return fits


def _check_power(
    settings: Mapping[str, tuple[nodes.Amount, ...]],
    asked: Mapping[Comparison, nodes.Call],
    rows: Mapping[str, int | None],
    errors: PlanErrors,
) -> None:
    """Report comparisons whose power cannot be simulated, rows too few, and differences that no learners can have."""
    stated = (*settings.get("rows", ()), *settings.get("n", ()))
    for comparison, call in asked.items():
        refused = no_power(comparison, rows, tuple([int(value.value) for value in stated]))
        tests = () if over_datasets(comparison) else on_datasets(comparison)
        if refused is not None:
            errors.conflict(call.span, *refused)
        for value in stated if tests and refused is None else ():  # they would be left out in silence
            if all(place(comparison.scheme, test, int(value.value)) is None for test in tests):
                message = f"{int(value.value):,} rows are too few for {tests[0]}"
                errors.invalid(value.span, message, "name more rows")
    differences = settings.get("difference", ())
    error, disagreement = (next(iter(settings.get(word, ())), None) for word in ("error", "disagreement"))
    share = disagreement.value if disagreement else ASSUMED_DISAGREEMENT
    for number, difference in enumerate([value.value for value in differences] or DIFFERENCES):
        refused = cannot_differ(error.value if error else ASSUMED_ERROR, difference, max(share, difference))
        if refused is not None:
            message, help = refused
            if disagreement is None and "disagree" in message:
                help += f"; {100 * ASSUMED_DISAGREEMENT:g}% is the default"
            errors.invalid((disagreement or error or differences[number]).span, message, help)
            return
