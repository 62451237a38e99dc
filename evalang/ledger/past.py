"""What was looked at before: rows and designs known again, earlier looks, and the level left for the next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..plans.chains import word
from ..plans.model import Comparison, Learner, Literals, Part, Plan, Thresholding
from .chain import Event

SIZE = 256
DIGITS = 15  # of a hash, in hexadecimal: 60 bits, exact in JSON of every language as text


def sketch(hashes: Iterable[int]) -> tuple[str, ...]:
    """The smallest different hashes, as they stand in the ledger.

    >>> sketch([3, 1, 3])
    ('000000000000001', '000000000000003')
    """
    return tuple(f"{one:0{DIGITS}x}" for one in sorted(set(hashes))[:SIZE])


def shared(mine: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    """The share of my rows that are theirs too, as far as the sketches can tell.

    >>> shared(sketch(range(100)), sketch(range(50, 500)))
    0.5
    """
    if not mine or not theirs:
        return 0.0
    # texts of equal length compare as the numbers they write
    ends = [one[-1] for one in (mine, theirs) if len(one) == SIZE]  # a shorter sketch holds every row
    last = min(ends, default="g")
    sample = [one for one in mine if one <= last]
    return len(set(sample).intersection(theirs)) / len(sample) if sample else 0.0


Design = dict[str, Any]


def design_of(plan: Plan, comparison: Comparison) -> Design:
    """The clauses of a statement; names, reasons and allows stand outside.

    What says nothing is left out, so that a clause which comes later changes no design that does not use it.
    """
    c = comparison
    so_far = c.correction is not None and c.correction.so_far
    learners = {name: _learner(found) for name in c.learners if (found := plan.learner(name)) is not None}
    said: Design = {
        "learners": learners or list(c.learners),
        "metrics": [m.label for m in c.metrics],
        "using": c.scheme.text if c.scheme else None,
        "by": [t.name + _options(t.options) for t in (*c.tests, *c.over)],
        "seed": c.seed.value if c.seed else None,
        "level": None if so_far else c.alpha.value,  # over everything so far, the looks before it set the level
        "correction": _correction(c),
        "tuning": _tuning(c) if any(x.grids for x in map(plan.learner, c.learners) if x) else None,
        "calibrated on": (c.calibration.where if c.calibration.part is None else _part(c.calibration.part))
        if c.calibration
        else None,
        "rope": c.rope.value if c.rope else None,
        "expecting": c.expecting,
        "control": c.control,
        "failures": c.failures if c.failures != "undecided" else None,
        "primary": c.primary,
        "threshold": _threshold(c.threshold) if c.threshold else None,
        "stop early on": _part(c.stop_early) if c.stop_early else None,
        "until settled": c.until_settled,
        "estimate": c.estimate or None,
        "this classifier": c.this_classifier or None,
        "complete cases": c.complete_cases or None,
    }
    return {name: value for name, value in said.items() if value not in (None, [], {})}


def changes(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(clause, what it was, what it is), a clause that is gone or new as `nothing`.

    >>> list(changes({"using": "10cv", "seed": 1}, {"using": "5x2cv", "seed": 1}))
    [('using', '10cv', '5x2cv')]
    """
    for clause in dict.fromkeys((*was, *now)):
        if was.get(clause) != now.get(clause):
            yield clause, shown(was.get(clause)), shown(now.get(clause))


def shown(value: Any) -> str:
    """A clause's value for people."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} is {what}" for name, what in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "nothing" if value is None else str(value)


def _learner(x: Learner) -> str:
    chain = " | ".join(step.name + _options(step.parameters) for step in x.steps)
    tuned = [f"{g.parameter} in {{{', '.join(map(word, g.values))}}}" if g.values else f"{g.parameter} in {g.form}"
             for g in x.grids]  # fmt: skip
    said = [f"tune {', '.join(tuned)}"] if tuned else []
    said += [f"try {x.tries}"] if x.tries else []
    said += [f"calibrate {x.calibrate}"] if x.calibrate != "none" else []
    said += [f"train {x.trainings} times"] if x.trainings > 1 else []
    said += [f"threshold {x.threshold:g}"] if x.threshold is not None else []
    said += ["without preparation"] if x.without_preparation else []
    return ", ".join([chain, *said])


def _options(options: tuple[tuple[str, Literals], ...]) -> str:
    return f"({', '.join(f'{name} = {word(value)}' for name, value in sorted(options))})" if options else ""


def _correction(c: Comparison) -> str | None:
    if c.correction is None:
        return None
    return (
        f"{c.correction.method} over {', '.join(c.correction.over)}"
        + " so far" * c.correction.so_far
        + (f" within {c.correction.looks} looks" if c.correction.looks else "")
    )


def _part(part: Part) -> str:
    return f"{part.rows} rows" if part.rows is not None else f"{100 * (part.fraction or 0):g}%"


def _tuning(c: Comparison) -> str | None:
    if c.tuning is None:
        return None
    t = c.tuning.value
    where = {"part": _part(t.part) if t.part else "", "cv": f"{t.folds}cv", "given": "a file", "test": "the test part"}[
        t.where
    ]
    again = "" if c.retrains else ", without retraining"
    return where + (f" for {t.metric.label}" if t.metric else "") + again


def _threshold(t: Thresholding) -> str:
    where = _part(t.part) if t.part is not None else t.where
    return where + (f" for {t.metric.label}" if t.metric else "")


SAME = 0.1  # of the rows: from here on a look counts as one at the same rows


@dataclass(frozen=True, slots=True)
class Look:
    """An earlier look: when, by which statement of which script, under which design, and how much was shared."""

    at: str
    study: str
    comparison: str
    design: dict[str, Any]  # the clauses, in words
    datasets: tuple[tuple[str, float], ...]  # of ours: the share of its rows that were looked at

    @property
    def name(self) -> str:
        """Which statement of which script."""
        return f"{self.comparison} of {self.study}" if self.study else f"{self.comparison} of text without a file"

    @property
    def learners(self) -> dict[str, str]:
        """Name and what it is."""
        said = self.design.get("learners", {})
        return dict(said) if isinstance(said, dict) else dict.fromkeys(said, "")


@dataclass(frozen=True, slots=True)
class Draw:
    """Datasets drawn by lot; only the first draw from a list is one."""

    names: tuple[str, ...]
    of: int
    listed_in: str
    seed: int
    at: str


@dataclass(frozen=True, slots=True)
class Past:
    """What the ledger knows of a script's data and design before this run."""

    looks: dict[str, tuple[Look, ...]]  # at the rows of each comparison, by its name
    frozen: dict[str, Any] | None = None  # the facts of the newest `frozen` of this script
    dropped: tuple[tuple[str, str], ...] = ()  # (dataset, when) of earlier runs of this script, whose rows are gone
    study: str = ""  # the script's name; "": text without a file, which has no runs of its own before
    frozen_as: tuple[str, ...] = ()  # code and time of `frozen`
    draws: tuple[Draw, ...] = ()


def looks_before(
    events: Iterable[Event], rows: Mapping[str, tuple[str, ...]], design: Mapping[str, Any]
) -> tuple[Look, ...]:
    """Looks at the same rows under other designs, before this design looked for the first time; oldest first.

    `rows` gives the sketch of each dataset of the comparison, `design` its clauses in words. What comes later does not
    count, nor what the same run looked at beside it: the level that a look had is not taken from it, and the same run
    again says the same.
    """
    known: dict[str, tuple[str, ...]] = {}
    found: dict[str, Look] = {}
    runs: dict[str, str] = {}
    for event in events:
        if event.kind == "rows":
            known[event.get("rows", "")] = tuple(event.get("sketch", ()))
        if event.kind != "looked":
            continue
        theirs = [known.get(id, ()) for id in event.get("datasets", {}).values()]
        share = {name: max((shared(mine, other) for other in theirs), default=0.0) for name, mine in rows.items()}
        seen = tuple((name, part) for name, part in share.items() if part >= SAME)
        said = event.get("design", {})
        if seen and said == design:
            return tuple(one for key, one in found.items() if runs[key] != (event.get("run") or " "))
        key = json.dumps(said, sort_keys=True)
        if seen and key not in found:
            found[key] = Look(event.at, event.get("study", ""), event.get("comparison", ""), said, seen)
            runs[key] = event.get("run", "")
    return tuple(found.values())


def dropped(events: Iterable[Event], rows: Mapping[str, tuple[str, ...]], study: str) -> tuple[tuple[str, str], ...]:
    """Datasets that an earlier run of this script scored, none of whose rows are among `rows`."""
    known: dict[str, tuple[str, ...]] = {}
    gone: dict[str, str] = {}
    for event in events:
        if event.kind == "rows":
            known[event.get("rows", "")] = tuple(event.get("sketch", ()))
        if event.kind == "looked" and event.get("study") == study:
            for name, id in event.get("datasets", {}).items():
                if not any(shared(known.get(id, ()), mine) >= SAME for mine in rows.values()):
                    gone.setdefault(name, event.at)
    return tuple(gone.items())


def draws_of(events: Iterable[Event]) -> tuple[Draw, ...]:
    """The first draw from each list."""
    first: dict[str, Draw] = {}
    for one in events:
        if one.kind == "drawn":
            made = Draw(tuple(one.get("drawn", ())), one.get("of", 0), one.get("list", ""), one.get("seed", 0), one.at)
            first.setdefault(one.get("population", ""), made)
    return tuple(first.values())


def spent(alpha: float, look: int, declared: int | None = None) -> float:
    """The level of the look of that number (from 1): a/(j(j + 1)), whose sum is a over any number of looks; or a/K.

    >>> spent(0.05, 1), round(sum(spent(0.05, j) for j in range(1, 1000)), 4)
    (0.025, 0.05)
    """
    if declared is not None:
        return alpha / declared if look <= declared else 0.0
    return alpha / (look * (look + 1))
