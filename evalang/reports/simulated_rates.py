"""The table of one simulate statement: a column for every setting, so that what tells two rows apart is always seen."""

from __future__ import annotations

from ..catalogue.power import WANTED
from ..results import numbers
from ..results.run_result import SimulationOutcome
from .document import ColumnHead, ReportTable, TableCell
from .tables import key, number, text

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
                *(_setting(word, held.get(word), "target" in dict(o.settings)) for word in words),
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


def _setting(word: str, value: float | None, searched: bool) -> TableCell:
    if value is None:
        return text("")
    if word in SHARES:
        shown = f"{100 * value:.3g}%" if searched and word == "difference" else numbers.percent(value)
        return number(shown, value)
    return number(numbers.alpha_text(value) if word == "alpha" else numbers.count(int(value)), value)
