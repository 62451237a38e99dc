"""What can be simulated, from the names of tests and the design alone: nothing is loaded and nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR
from ..catalogue.tests import TESTS, find_test
from ..language import nodes
from .clauses import Clauses, alpha_of, seed_of
from .model import Comparison, Dataset, Scheme, Simulation, Test
from .names import Names
from .values import BY_NAME, LARGEST_SEED, PlanErrors

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
SETTINGS = (*WHOLE, *SHARES, "seed")
MOST = 10_000_000
DIFFERENCES = (0.01, 0.02, 0.05, 0.10)  # asked about where none is named
ROWS = 300  # Dietterich 1998, 4.2
_ONE = ("trials", "shared", "spread", "disagreement", "seed")  # settings that take one value
_EQUAL = "both learners of a type-I simulation have the same error"
_LEAVE = "leave it out"
_LEAVE_OR_POWER = "leave it out, or simulate power of a comparison"
# Words of the output that are set by another.
_OTHER_WORDS = {
    "folds": "resamples sets the folds of kfold-t",
    "partitions": "resamples sets the number of random splits of averaged-t",
    "alpha": "write at alpha 0.01 after the settings",
}


class Settings:
    """The settings of a simulation: each word with those of its values that fit it; faults go to `errors`."""

    def __init__(self, written: nodes.With | None, errors: PlanErrors) -> None:
        self.errors = errors
        self.given: dict[str, nodes.Setting] = {}
        for setting in written.settings if written else ():
            word = setting.name.text
            if word not in SETTINGS:
                remedy = _OTHER_WORDS.get(word, f"the settings are {', '.join((*WHOLE, *SHARES))} and seed")
                errors.unknown_name(setting.name.span, "setting", word, SETTINGS, remedy)
            elif word in self.given:
                errors.invalid(setting.span, f"{word} is given twice", "keep one of the two")
            else:
                fitting = tuple([value for value in setting.values if self._fits(word, value)])
                self.given[word] = nodes.Setting(setting.name, fitting, span=setting.span)

    def _fits(self, word: str, value: nodes.Amount) -> bool:
        whole = value.value % 1 == 0
        if word == "seed":
            fits, wanted = 0 <= value.value <= LARGEST_SEED, f"a whole number from 0 to {LARGEST_SEED}"
            fits = fits and whole and value.unit == ""
        elif word in WHOLE:
            fits, wanted = 1 <= value.value <= MOST and whole, f"a whole number from 1 to {MOST:,}"
            fits = fits and (value.unit == "" or (value.unit == "rows" and word in ("n", "rows")))
        else:
            fits, wanted = 0 <= value.value < 1 and value.unit != "rows", "a share between 0 and 1, such as 10%"
        if not fits:
            self.errors.invalid(value.span, f"{word} cannot be {value.text}", f"write {wanted}")
        return fits

    def values(self, word: str) -> tuple[nodes.Amount, ...]:
        """Return the values of a setting; () where it is not written."""
        return self.given[word].values if word in self.given else ()

    def refuse_idle(self, idle: Mapping[str, tuple[str, str]]) -> None:
        """Report settings that would change nothing: by word, why, and what to do."""
        for word, (why, help) in idle.items():
            if word in self.given:
                self.errors.conflict(self.given[word].span, f"{word} plays no part here: {why}", help)

    def require_one(self, words: Iterable[str]) -> None:
        """Report settings that take one value and have several."""
        for word in words:
            values = self.values(word)
            other = next((value for value in values if value.value != values[0].value), None)
            if other is not None:
                self.errors.invalid(other.span, f"{word} takes one value", "write one simulate statement for each")

    def require_least(self, word: str, least: int, message: str) -> None:
        """Report values below the least; `message` has a place for the value."""
        for value in self.values(word):
            if value.value < least:
                self.errors.invalid(value.span, message.format(f"{value.value:g}"), f"write at least {least}")

    def numbers(self, clauses: Clauses) -> dict[str, tuple[float, ...]]:
        """Return the settings as numbers, with the level and the seed wherever they are written."""
        numbers: dict[str, tuple[float, ...]] = {
            word: tuple([int(value.value) if word in WHOLE else value.value for value in setting.values])
            for word, setting in self.given.items()
            if word != "seed" and setting.values
        }
        numbers["alpha"] = (alpha_of(clauses, self.errors).value,)
        if "seed" not in self.given:
            seed = seed_of(clauses, self.errors)
            written = seed.value if seed is not None else None
        else:
            if nodes.Seed in clauses:
                self.errors.invalid(self.given["seed"].span, "seed is given twice", "keep one of the two")
            written = next((int(value.value) for value in self.values("seed")), None)
        return numbers | ({"seed": (written,)} if written is not None else {})


def plan_simulation(
    statement: nodes.SimulateStatement,
    name: str,
    clauses: Clauses,
    comparisons: Mapping[str, Comparison],
    rows: Mapping[str, int | None],
    errors: PlanErrors,
) -> Simulation:
    """Return a simulation with its subjects and settings checked; `rows` are the known rows of the datasets."""
    subjects: dict[str, nodes.Call] = {}
    for call in statement.subjects:
        card = find_test(call.name.text) if statement.kind == "type-I" else None
        word = card.name if card else call.name.text
        subjects.setdefault(word, replace(call, name=replace(call.name, text=word)))  # one named twice counts once
        if call.arguments:
            message = f"the options of {call.name.text} play no part in a simulation"
            errors.conflict(call.span, message, "leave them out: every test is simulated as it is by itself")
    settings = Settings(clauses.get(nodes.With), errors)
    if statement.kind == "power":
        for word, call in subjects.items():
            if word not in comparisons:
                errors.unknown_name(call.span, "comparison", word, comparisons, BY_NAME)
        named = {call: comparisons[word] for word, call in subjects.items() if word in comparisons}
        _check_power(settings, named, rows)
    else:
        for word, call in subjects.items():
            if find_test(word) is None:
                errors.unknown_name(call.span, "test", word, (t.name for t in TESTS))
        _check_type_one(settings, [call for word, call in subjects.items() if find_test(word)])
    return Simulation(
        name=name,
        kind=statement.kind,
        subjects=tuple(subjects),
        settings=tuple(settings.numbers(clauses).items()),
        because=clauses.because,
        allow=clauses.allowances(errors),
        span=statement.span,
    )


def rows_known(names: Names) -> dict[str, int | None]:
    """Return the rows of every dataset as the catalogue knows them, else None."""
    datasets = (*(d for d in names.definitions.values() if isinstance(d, Dataset)), *names.bundled.values())
    return {d.name: d.rows for d in datasets}


def _check_type_one(settings: Settings, calls: Iterable[nodes.Call]) -> None:
    """Check `simulate type-I of TESTS`; the tests are known by name."""
    errors, tests = settings.errors, [call.name.text for call in calls]
    for call in calls:
        if call.name.text not in SIMULATED:
            message = f"{call.name.text} cannot be simulated: {why_not(call.name.text)}"
            errors.conflict(call.span, message, f"one of {', '.join(SIMULATED)} can be")
    idle = {
        "difference": (_EQUAL, _LEAVE_OR_POWER),
        "disagreement": (f"{_EQUAL}, and they err independently", _LEAVE_OR_POWER),
        "spread": (f"{_EQUAL} on every dataset", _LEAVE_OR_POWER),
        "rows": ("the rows of a type-I simulation are its n", "write n instead of rows"),
    }
    for word, among, place in (("resamples", RESAMPLED, "on resamples"), ("datasets", DATASETS, "over datasets")):
        if not set(tests) & set(among):
            idle[word] = (f"none of these tests works {place}: {', '.join(tests)}", _LEAVE)
    settings.refuse_idle(idle)
    settings.require_one(_ONE)
    settings.require_least("n", FEWEST_ROWS, "{} rows are too few to simulate with")
    settings.require_least("datasets", 2, "a test over datasets cannot work on {}")
    settings.require_least("resamples", 2, "a test on resamples cannot work on {}")
    for value in settings.values("error"):
        if not 0.0 < value.value <= MOST_ERROR:
            help = "write an error above 0 and at most 2/3: it is one and a half times that on half of the rows"
            errors.invalid(value.span, f"the simulated learners cannot err on {value.text} of the rows", help)
    fewest = min((int(value.value) for value in settings.values("n")), default=ROWS)
    for value in settings.values("resamples") if "kfold-t" in tests else ():
        if value.value > fewest:
            message = f"kfold-t cannot make {int(value.value):,} folds of {fewest:,} rows"
            help = f"write at most {fewest:,}: resamples is the number of folds of kfold-t"
            errors.invalid(value.span, message, help)


def _check_power(settings: Settings, asked: Mapping[nodes.Call, Comparison], rows: Mapping[str, int | None]) -> None:
    """Check `simulate power of COMPARISONS`; the comparisons are known by name."""
    errors, comparisons = settings.errors, tuple(asked.values())
    idle = {"resamples": ("the scheme of the comparison already sets the number of splits", _LEAVE)}
    if comparisons and not any(map(over_datasets, comparisons)):
        no_over = f"{comparisons[0].name} has no test over datasets that could be simulated"
        idle |= {"datasets": (no_over, _LEAVE), "spread": (no_over, _LEAVE)}
    if "n" in settings.given:
        idle["rows"] = ("n already gives the number of rows", "keep one of the two")
    settings.refuse_idle(idle)
    settings.require_one((*_ONE, "error"))
    settings.require_least("datasets", 2, "a test over datasets cannot work on {}")
    stated = (*settings.values("rows"), *settings.values("n"))
    for call, comparison in asked.items():
        refused = no_power(comparison, rows, tuple([int(value.value) for value in stated]))
        if refused is not None:
            errors.conflict(call.span, *refused)
        elif not over_datasets(comparison):
            _check_rows(stated, comparison, errors)
    _check_differences(settings)


def _check_rows(stated: Iterable[nodes.Amount], comparison: Comparison, errors: PlanErrors) -> None:
    """Report numbers of rows that give no test anything to work on: they would be left out in silence."""
    for value in stated:
        many = int(value.value)
        if all(place(comparison.scheme, test, many) is None for test in on_datasets(comparison)):
            where = f" on {comparison.scheme.text}" if comparison.scheme else ""
            message = f"{many:,} rows are too few for {on_datasets(comparison)[0]}{where}"
            errors.invalid(value.span, message, "name more rows")


def _check_differences(settings: Settings) -> None:
    """Report differences that no two learners with these errors can have."""
    written = settings.values("difference")
    for value in written:
        if not 0.0 < value.value <= MOST_DIFFERENCE:
            help = f"write one above 0% and at most {100 * MOST_DIFFERENCE:g}%"
            settings.errors.invalid(value.span, f"a difference of {value.text} cannot be tested for", help)
            return
    error, disagreement = (next(iter(settings.values(word)), None) for word in ("error", "disagreement"))
    share = disagreement.value if disagreement else ASSUMED_DISAGREEMENT
    for number, difference in enumerate([value.value for value in written] or DIFFERENCES):
        refused = cannot_differ(error.value if error else ASSUMED_ERROR, difference, max(share, difference))
        if refused is not None:
            message, help = refused
            if disagreement is None and "disagree" in message:
                help += f"; {100 * ASSUMED_DISAGREEMENT:g}% is assumed where none is named"
            settings.errors.invalid((disagreement or error or written[number]).span, message, help)
            return
