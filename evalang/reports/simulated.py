"""Simulate statements in a report: their headline, the table of rates, what was assumed and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR, ASSUMED_SPREAD, WANTED
from ..plans.model import Simulation
from ..results import numbers
from ..results.records import SimulationOutcome
from .document import Column, ReportTable, TableCell, by_columns, key, number, numbers_column, text, words_column

OVERLAPPING = ("kfold-t", "corrected-t", "averaged-t", "resampled-t", "5x2cv-t", "5x2cv-f")
MARKS = ("target", "instead-of")
ENDS = ("low", "high")  # of the interval around a number that was sought
SHARES = ("error", "difference", "shared", "disagreement", "spread")
GROWN = ("partitions", "resamples", "datasets", "rows")  # what a design may have more of, the first that is given
_SOUGHT = {0.5: "found with 50% power", WANTED: "found with 80% power"}
_GROWN = {"partitions": "random splits"}
Outcomes = Sequence[SimulationOutcome]


def simulation_sentence(simulation: Simulation, outcomes: Outcomes) -> str:
    """Return one simulate statement in one sentence; a rate is too high only where its whole interval is."""
    if simulation.kind == "type-I":
        return _levels(simulation, outcomes)
    found = smallest_found(outcomes)
    if found:
        more = f" ({numbers.plural(len(found) - 1, 'more design')} below)" if len(found) > 1 else ""
        return f"{found[0].rstrip('.')}{more}."
    low, high = (pick(outcomes, key=lambda o: o.rate) for pick in (min, max))
    return f"The power is between {low.rate:.3f} ({low.subject}) and {high.rate:.3f} ({high.subject})."


def _levels(simulation: Simulation, outcomes: Outcomes) -> str:
    worst: dict[str, SimulationOutcome] = {}
    over: set[str] = set()
    for o in outcomes:
        worst[o.subject] = max((o, worst.get(o.subject, o)), key=lambda one: one.rate)
        if o.interval is not None and o.interval.low > _alpha(o):
            over.add(o.subject)
    high = [f"{name} ({o.rate:.3f})" for name, o in worst.items() if name in over]
    kept = [f"{name} ({o.rate:.3f})" for name, o in worst.items() if name not in over]
    levels = numbers.listing(sorted({numbers.alpha_text(_alpha(o)) for o in outcomes}))
    trials = numbers.plural(min(o.trials for o in outcomes), "trial")
    parts = []
    if high:
        parts.append(f"above the significance level: {numbers.listing(high)}")
    if kept:
        parts.append(f"not above the level within the precision of {trials}: {numbers.listing(kept)}")
    most = " (the largest rate of each test)" if len(outcomes) > len(worst) else ""
    text = f"Type I error at level {levels}{most}: {'; '.join(parts)}."
    unvaried = without_training(simulation)
    if not unvaried:
        return text
    limit = "The variance between training sets is not simulated. On real folds the type I error can be higher for"
    return f"{text} {limit} {numbers.listing(unvaried)}."


def _alpha(outcome: SimulationOutcome) -> float:
    return dict(outcome.settings).get("alpha", 0.05)


def simulation_words(simulation: Simulation, outcomes: Outcomes) -> tuple[str, ...]:
    """Return the sentences that stand below the rates of one simulate statement."""
    found = () if simulation.kind == "type-I" else (*smallest_found(outcomes), *_needed(outcomes))
    return *found, *assumptions(simulation, outcomes)


def assumptions(simulation: Simulation, outcomes: Outcomes) -> tuple[str, ...]:
    """Return the simulated world alone, without what was found in it."""
    settings = dict(simulation.settings)
    if simulation.kind == "type-I":
        return _equal_learners(simulation)
    error = (settings.get("error") or (ASSUMED_ERROR,))[0]
    disagreement = (settings.get("disagreement") or (ASSUMED_DISAGREEMENT,))[0]
    lines = [
        f"Assumptions: the better learner is wrong on {numbers.percent(error)} of the rows. Exactly one of the two "
        f"learners is wrong on {numbers.percent(disagreement)} of the rows (more if the difference is larger). "
        "A row is "
        "predicted alike in every repeat."
    ]
    if not settings.get("shared"):
        lines.append("The variance between training sets is not simulated; `shared` adds it.")
    if any(_setting(o, "datasets") is not None for o in outcomes):
        spread = (settings.get("spread") or (ASSUMED_SPREAD,))[0]
        lines.append(f"The true differences on the datasets have a standard deviation of {_points(spread)}.")
    return tuple(lines)


def _equal_learners(simulation: Simulation) -> tuple[str, ...]:
    world = (
        "Both simulated learners have the same error rate overall. The error rate of the first learner is half of this "
        "rate on one half of the population, and 1.5 times this rate on the other half. For the second learner the two "
        "halves are swapped."
    )
    shared = (dict(simulation.settings).get("shared") or (0.0,))[0]
    if shared:
        return (
            world,
            f"Every training set shifts each learner's error rates by a normal term with standard deviation "
            f"{numbers.percent(shared)}. The terms of two training sets correlate by the share of rows in both.",
        )
    touched = without_training(simulation)
    limit = (
        f"The variance between training sets is not simulated (`shared` adds it), so this simulation says little about "
        f"{numbers.listing(touched)} on real folds, whose training sets overlap."
    )
    return (world, limit) if touched else (world,)


def without_training(simulation: Simulation) -> list[str]:
    """Return the tests on overlapping training sets, where simulated training sets have no variance."""
    trained = any(dict(simulation.settings).get("shared") or ())
    return [t for t in simulation.subjects if t in OVERLAPPING and not trained]


def _setting(outcome: SimulationOutcome, word: str) -> float | None:
    return dict(outcome.settings).get(word)


def _points(difference: float | None, decimals: int = 1) -> str:
    return f"{numbers.decimal(100 * (difference or 0.0), decimals)} points"


def _sought(outcome: SimulationOutcome) -> str:
    """Return a difference that was sought with its interval, which needs one decimal more."""
    low, high = _setting(outcome, "low"), _setting(outcome, "high")
    if low is None or high is None:
        return _points(_setting(outcome, "difference"))
    ends = " to ".join(numbers.decimal(100 * end, 2) for end in (low, high))
    return f"{_points(_setting(outcome, 'difference'), 2)} (95% interval {ends})"


def smallest_found(outcomes: Outcomes) -> tuple[str, ...]:
    """Return what each design finds with 50% and with 80% power."""
    by_design: dict[tuple[str, str], dict[float, str]] = {}
    for o in outcomes:
        target = _setting(o, "target")
        if target is not None:
            by_design.setdefault((o.subject, _size(o)), {})[target] = _sought(o)
    lines = []
    for (asked, size), found in by_design.items():
        several = sum(subject == asked for subject, _ in by_design) > 1 or " on " not in asked
        subject = f"{asked.removesuffix(' over datasets')} {size}" if several else asked
        half = f"finds a difference of {found[0.5]} with 50% power" if 0.5 in found else ""
        most = f"{found[WANTED]} with 80% power" if WANTED in found else "no difference with 80% power"
        lines.append(f"{subject} {half} and {most}." if half else f"{subject} finds {most}.")
    return tuple(lines)


def _size(outcome: SimulationOutcome) -> str:
    rows, datasets = _setting(outcome, "rows"), _setting(outcome, "datasets")
    each = numbers.plural(int(rows), "row") if rows is not None else ""
    if datasets is None:
        return f"on {each}"
    return f"over {numbers.plural(int(datasets), 'dataset')}" + (f" of {each}" if each else "")


def _needed(outcomes: Outcomes) -> tuple[str, ...]:
    """Return how many more rows, partitions, resamples or datasets a difference takes."""
    lines = []
    for o in outcomes:
        grown = in_place(o)
        if grown is None:
            continue
        many, now = f"{numbers.count(grown[1])} {_GROWN.get(grown[0], grown[0])}", numbers.count(grown[2])
        asked = f"a difference of {_points(_setting(o, 'difference'))}"
        test = o.subject.partition(" on ")[0]
        if o.rate >= WANTED - 0.06:  # the search stops within the noise of its trials
            low, high = _setting(o, "low"), _setting(o, "high")
            between = ""
            if low is not None and high is not None:
                between = f" (95% interval {numbers.count(int(low))} to {numbers.count(int(high))})"
            lines.append(f"For 80% power to find {asked}, {test} needs about {many}{between} instead of {now}.")
        else:
            share = numbers.percent(o.rate)
            lines.append(f"Even with {many} instead of {now}, {test} has only {share} power to find {asked}.")
    return tuple(lines)


def rates_table(name: str, outcomes: Outcomes) -> ReportTable:
    """Return the rates of one statement, a row for each, with a column for every setting that tells two rows apart."""
    settings = [_column_settings(o) for o in outcomes]
    words = tuple(dict.fromkeys(word for held in settings for word in held))
    marks = [_mark(o) for o in outcomes]
    between = [f"{o.interval.low:.3f} to {o.interval.high:.3f}" if o.interval is not None else "" for o in outcomes]
    columns = [
        *_subject_columns(outcomes),
        *(numbers_column(word, _setting_cells(word, settings, outcomes)) for word in words),
        *([words_column("what", (mark or "difference in the script" for mark in marks))] if any(marks) else []),
        numbers_column("rate", [number(f"{o.rate:.3f}", o.rate) for o in outcomes]),
        words_column("interval", between),
        numbers_column("trials", [number(numbers.count(o.trials), o.trials) for o in outcomes]),
    ]
    # A value that is the same in all rows that have it becomes a note.
    kept, shared = [], []
    for head, cells in columns:
        values = {cell.text for cell in cells} - {""}
        if head.title in ("comparison", "on", *words, "trials") and len(values) == 1 and len(outcomes) > 1:
            shared.append(f"{head.title} {values.pop()}")
        else:
            kept.append((head, cells))
    title = f"Rates of rejection, {name}: {'type I error' if outcomes[0].kind == 'type-I' else 'power'}"
    notes = [f"Every row has the same {', '.join(shared)}."] if shared else []
    return by_columns(key("simulations", name), title, kept, notes)


def in_place(outcome: SimulationOutcome) -> tuple[str, int, int] | None:
    """Return (word, number, what the design has now) of an outcome that asks what it would take.

    `100 partitions instead of 10`.
    """
    held = dict(outcome.settings)
    if "instead-of" not in held:
        return None
    word = next(w for w in GROWN if w in held)
    return word, int(held[word]), int(held["instead-of"])


def _mark(outcome: SimulationOutcome) -> str:
    """Return what a rate of a power curve was sought for; nothing for a point that was asked about."""
    grown = in_place(outcome)
    if grown is not None:
        word, many, now = grown
        return f"{numbers.count(many)} {_GROWN.get(word, word)} instead of {numbers.count(now)}"
    target = _setting(outcome, "target")
    return "" if target is None else _SOUGHT.get(target, f"found with probability {target:g}")


def _column_settings(outcome: SimulationOutcome) -> dict[str, float]:
    """Return the settings that make a column: partitions and resamples that a design does not have are in words."""
    grown = in_place(outcome)
    left_out = (*MARKS, *ENDS, *((grown[0],) if grown and grown[0] in ("partitions", "resamples") else ()))
    return {word: value for word, value in outcome.settings if word not in left_out}


def _subject_columns(outcomes: Outcomes) -> list[Column]:
    """Return the subjects in columns of their own: comparison (where there are several), test, dataset."""
    parts = []
    for o in outcomes:
        comparison, colon, rest = o.subject.partition(": ")
        test, _, dataset = (rest if colon else o.subject).partition(" on ")
        parts.append((comparison if colon else "", test, dataset))
    columns = zip(("comparison", "test", "on"), zip(*parts, strict=True), strict=True)
    return [words_column(title, words) for title, words in columns if title == "test" or any(words)]


def _setting_cells(word: str, settings: Sequence[dict[str, float]], outcomes: Outcomes) -> list[TableCell]:
    return [_setting_cell(word, held.get(word), o) for held, o in zip(settings, outcomes, strict=True)]


def _setting_cell(word: str, value: float | None, outcome: SimulationOutcome) -> TableCell:
    if value is None:
        return text("")
    if word in SHARES:
        searched = word == "difference" and _setting(outcome, "target") is not None
        return number(f"{100 * value:.3g}%" if searched else numbers.percent(value), value)
    return number(numbers.alpha_text(value) if word == "alpha" else numbers.count(int(value)), value)
