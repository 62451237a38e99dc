"""What a simulation says in words, and what it does not say."""

from __future__ import annotations

from ..catalogue.power import ASSUMED_DISAGREEMENT, ASSUMED_ERROR, ASSUMED_SPREAD, WANTED
from ..plans.model import Simulation
from ..results import numbers
from ..results.records import SimulationOutcome
from .document import ColumnHead, ReportTable, TableCell, key, number, text

OVERLAPPING = ("kfold-t", "corrected-t", "averaged-t", "resampled-t", "5x2cv-t", "5x2cv-f")


def simulation_words(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """The sentences that stand below the rates of one simulate statement."""
    own = tuple(o for o in outcomes if o.name == simulation.name)
    if simulation.kind == "type-I":
        return _type_one(simulation)
    return (*smallest_found(own), *_needed(own), *_assumed(simulation, own))


def assumptions(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """The simulated world alone, without what was found in it."""
    own = tuple(o for o in outcomes if o.name == simulation.name)
    return _type_one(simulation) if simulation.kind == "type-I" else _assumed(simulation, own)


def _type_one(simulation: Simulation) -> tuple[str, ...]:
    world = (
        "Both simulated learners have the same error rate: half of it on one half of the population and one and a half "
        "times it on the other, the other way round for the second learner."
    )
    shared = (dict(simulation.settings).get("shared") or (0.0,))[0]
    if shared:
        return (
            world,
            f"Every training set moves each learner's error rates by a normal term with standard deviation "
            f"{numbers.percent(shared)}; two terms correlate by the share of rows that their training sets share.",
        )
    touched = untrained(simulation)
    limit = (
        f"Training sets have no variance here, so this says little about {numbers.listing(touched)} on real folds, "
        "whose training sets overlap; `shared` adds such a term."
    )
    return (world, limit) if touched else (world,)


def untrained(simulation: Simulation) -> list[str]:
    """The tests on overlapping training sets of a simulated world in which training sets have no variance."""
    trained = any(dict(simulation.settings).get("shared") or ())
    return [t for t in simulation.subjects if t in OVERLAPPING and not trained]


def _setting(outcome: SimulationOutcome, word: str) -> float | None:
    return dict(outcome.settings).get(word)


def _points(difference: float | None) -> str:
    return f"{numbers.decimal(100 * (difference or 0.0), 1)} points"


def smallest_found(outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """What each design finds half of the time and four times in five; designs of one subject differ in their size."""
    by_design: dict[tuple[str, str], dict[float, float | None]] = {}
    for o in outcomes:
        target = _setting(o, "target")
        if target is not None:
            by_design.setdefault((o.subject, _size(o)), {})[target] = _setting(o, "difference")
    lines = []
    for (asked, size), found in by_design.items():
        several = sum(subject == asked for subject, _ in by_design) > 1 or " on " not in asked
        subject = f"{asked.removesuffix(' over datasets')} {size}" if several else asked
        half = f"finds a difference of {_points(found[0.5])} half of the time" if 0.5 in found else ""
        most = f"{_points(found[WANTED])} four times in five" if WANTED in found else "none four times in five"
        lines.append(f"{subject} {half} and {most}." if half else f"{subject} finds {most}.")
    return tuple(lines)


def _size(outcome: SimulationOutcome) -> str:
    rows, datasets = _setting(outcome, "rows"), _setting(outcome, "datasets")
    each = numbers.plural(int(rows), "row") if rows is not None else ""
    if datasets is None:
        return f"on {each}"
    return f"over {numbers.plural(int(datasets), 'dataset')}" + (f" of {each}" if each else "")


def _needed(outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    """More rows, partitions, resamples or datasets: what would it take?"""
    lines = []
    for o in outcomes:
        grown = in_place(o)
        if grown is None:
            continue
        many, now = f"{numbers.count(grown[1])} {grown[0]}", numbers.count(grown[2])
        asked = f"a difference of {_points(_setting(o, 'difference'))}"
        test = o.subject.partition(" on ")[0]
        share = numbers.percent(o.rate)
        if o.rate >= WANTED - 0.06:  # the search stops within the noise of its trials
            lines.append(f"To find {asked} four times in five, {test} takes about {many} in place of {now}.")
        else:
            lines.append(f"Even {many} in place of {now} find {asked} only {share} of the time by {test}.")
    return tuple(lines)


def _assumed(simulation: Simulation, outcomes: tuple[SimulationOutcome, ...]) -> tuple[str, ...]:
    said = dict(simulation.settings)
    error = (said.get("error") or (ASSUMED_ERROR,))[0]
    disagreement = (said.get("disagreement") or (ASSUMED_DISAGREEMENT,))[0]
    lines = [
        f"Assumed: the better learner errs on {numbers.percent(error)} of the rows, exactly one of the two is wrong on "
        f"{numbers.percent(disagreement)} of them (on more where the difference is larger), and a row gets the same "
        "answer in every partition."
    ]
    if not said.get("shared"):
        lines.append("Training sets have no variance of their own here; `shared` adds it.")
    if any(_setting(o, "datasets") is not None for o in outcomes):
        spread = (said.get("spread") or (ASSUMED_SPREAD,))[0]
        lines.append(f"True differences scatter over datasets with standard deviation {_points(spread)}.")
    return tuple(lines)


MARKS = ("target", "instead-of")
SHARES = ("error", "difference", "shared", "disagreement", "spread")
GROWN = ("partitions", "resamples", "datasets", "rows")  # what a design may have more of, the first that is said
_WHAT = {"type-I": "type I error", "power": "power"}
_SOUGHT = {0.5: "found half of the time", WANTED: "found four times in five"}


def rates_table(name: str, outcomes: tuple[SimulationOutcome, ...]) -> ReportTable:
    """The rates of the statement of that name, a row for each."""
    heads = _named(outcomes)
    words = tuple(dict.fromkeys(word for o in outcomes for word, _ in _plain(o)))
    sought = any(_mark(o) for o in outcomes)
    columns = [
        *(ColumnHead(title=title) for title in heads),
        *(ColumnHead(title=word, align="right") for word in words),
        *([ColumnHead(title="what")] if sought else []),
        ColumnHead(title="rate", align="right"),
        ColumnHead(title="interval"),
        ColumnHead(title="trials", align="right"),
    ]
    rows = []
    for o in outcomes:
        held = dict(_plain(o))
        between = f"{o.interval.low:.3f} to {o.interval.high:.3f}" if o.interval is not None else ""
        rows.append(
            (
                *(text(heads[title][o.subject]) for title in heads),
                *(_setting_cell(word, held.get(word), "target" in dict(o.settings)) for word in words),
                *([text(_mark(o) or "asked about")] if sought else []),
                number(f"{o.rate:.3f}", o.rate),
                text(between),
                number(numbers.count(o.trials), o.trials),
            )
        )
    # What is the same wherever it is said tells no two rows apart: it becomes a note.
    may_go = ("comparison", "on", *words, "trials")
    alike = {i for i, c in enumerate(columns) if c.title in may_go and len({r[i].text for r in rows} - {""}) == 1}
    kept = [i for i in range(len(columns)) if i not in alike or len(rows) == 1]
    said = [f"{columns[i].title} {next(r[i].text for r in rows if r[i].text)}" for i in sorted(alike) if i not in kept]
    title = f"Rates of rejection, {name}: {_WHAT[outcomes[0].kind]}"
    return ReportTable(
        key=key("simulations", name),
        title=title,
        columns=tuple(columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in rows),
        notes=(f"In every row that has it: {', '.join(said)}.",) if said else (),
    )


def in_place(outcome: SimulationOutcome) -> tuple[str, int, int] | None:
    """(word, number, what the design has now) of an outcome that asks what it would take.

    `100 partitions in place of 10`.
    """
    held = dict(outcome.settings)
    if "instead-of" not in held:
        return None
    word = next(w for w in GROWN if w in held)
    return word, int(held[word]), int(held["instead-of"])


def _mark(outcome: SimulationOutcome) -> str:
    """What a rate of a power curve was sought for; nothing for a point that was asked about."""
    grown = in_place(outcome)
    if grown is not None:
        word, many, now = grown
        return f"{numbers.count(many)} {word} in place of {numbers.count(now)}"
    target = dict(outcome.settings).get("target")
    return "" if target is None else _SOUGHT.get(target, f"found with probability {target:g}")


def _plain(outcome: SimulationOutcome) -> tuple[tuple[str, float], ...]:
    """The settings that make a column: partitions and resamples that a design does not have stand in words."""
    grown = in_place(outcome)
    left_out = (*MARKS, grown[0]) if grown and grown[0] in ("partitions", "resamples") else MARKS
    return tuple((word, value) for word, value in outcome.settings if word not in left_out)


def _named(outcomes: tuple[SimulationOutcome, ...]) -> dict[str, dict[str, str]]:
    """What the rates are about, in columns of their own: comparison (where there are several), test, dataset."""
    parts = {}
    for subject in dict.fromkeys(o.subject for o in outcomes):
        comparison, colon, rest = subject.partition(": ")
        test, _, dataset = (rest if colon else subject).partition(" on ")
        parts[subject] = (comparison if colon else "", test, dataset)
    columns = {
        title: {subject: part[place] for subject, part in parts.items()}
        for place, title in enumerate(("comparison", "test", "on"))
    }
    return {title: by for title, by in columns.items() if title == "test" or any(by.values())}


def _setting_cell(word: str, value: float | None, searched: bool) -> TableCell:
    if value is None:
        return text("")
    if word in SHARES:
        shown = f"{100 * value:.3g}%" if searched and word == "difference" else numbers.percent(value)
        return number(shown, value)
    return number(numbers.alpha_text(value) if word == "alpha" else numbers.count(int(value)), value)
