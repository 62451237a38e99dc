"""Which rules could not judge part of a script, because something it names is unknown or cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..catalogue.metrics import find_metric
from ..source.record import Record
from .case import Case
from .facts import Facts

# Rules of the design that need to know the part; whatever else they look at.
_TEST = (
    "EV103", "EV301", "EV302", "EV303", "EV304", "EV312", "EV401", "EV402", "EV403", "EV404", "EV405", "EV408", "EV411",
    "EV414", "EV415", "EV501", "EV502", "EV508", "EV702",
)  # fmt: skip
NEEDS: dict[str, tuple[str, ...]] = {
    "test": _TEST,
    "scheme": ("EV106", "EV107", "EV301", "EV302", "EV303", "EV304", "EV311", "EV404", "EV408", "EV411", "EV707"),
    "metric": ("EV415", "EV601", "EV605", "EV606", "EV609"),
    "learner": ("EV109", "EV201", "EV202", "EV204", "EV311", "EV504", "EV601", "EV602", "EV605", "EV607"),
    "dataset": ("EV101", "EV102", "EV106", "EV107", "EV205", "EV414", "EV606"),
}
_CLAUSES: dict[str, tuple[str, ...]] = {
    "measuring": NEEDS["metric"], "tune": ("EV201", "EV206", "EV208"), "seed": ("EV310",),
    "calibrate": ("EV602",), "correct": ("EV501", "EV502", "EV503", "EV508"), "at": ("EV410",),
    "expecting": ("EV409",), "rope": ("EV413",), "control": ("EV405",),
}  # fmt: skip


class Unjudged(Record):
    """Rules that had nothing to look at, and why."""

    codes: tuple[str, ...]
    reason: str


def unjudged(facts: Facts, found: Iterable[str], chosen: frozenset[str]) -> tuple[Unjudged, ...]:
    """One for every reason; rules that found something all the same, or were not asked, are not named."""
    if not facts.faulty:
        return ()
    spoke = frozenset(found)
    said: dict[str, None] = {}
    answers = []
    for codes, reason in (one for case in facts.cases for one in _gaps(case)):
        left = tuple(code for code in codes if code in chosen and code not in spoke)
        if left and reason not in said:
            said[reason] = None
            answers.append(Unjudged(left, reason))
    return tuple(answers)


def _gaps(case: Case) -> Iterator[tuple[tuple[str, ...], str]]:
    comparison = case.comparison
    name = comparison.name
    unread = {word for word, span in comparison.spans if word not in _written(case) or not span.path}
    if case.scheme is None:
        yield NEEDS["scheme"], f"nothing says how the rows of {name} are split"
    if not case.tests and any(word == "by" for word, _ in comparison.spans):
        yield NEEDS["test"], f"the test of {name} is unknown"
    strange = [m.name for m in comparison.metrics if find_metric(m.name) is None and m.better is None]
    if strange:
        yield NEEDS["metric"], f"the metric {strange[0]} is unknown"
    for traits in case.learners:
        if traits.learner.steps and traits.learner.steps[-1].kind == "unknown":
            yield NEEDS["learner"], f"the learner {traits.name} is unknown"
    for dataset in case.datasets:
        if dataset.source.kind == "unknown":
            yield NEEDS["dataset"], f"the dataset {dataset.name} is unknown"
    for word in sorted(unread - {"using", "by"}):  # said above
        yield _CLAUSES.get(word, ()), f"the clause `{word}` of {name} cannot be read"


def _written(case: Case) -> frozenset[str]:
    """Clauses whose value the plan has, or about which EV006 has spoken."""
    comparison = case.comparison
    has = {
        "using": comparison.scheme, "by": case.tests, "measuring": comparison.metrics_origin == "written",
        "tune": comparison.tuning, "calibrate": comparison.calibration, "correct": comparison.correction,
        "at": comparison.alpha.origin == "written", "seed": comparison.seed, "rope": comparison.rope,
        "expecting": comparison.expecting, "control": comparison.control,
    }  # fmt: skip
    return frozenset(word for word, _ in comparison.spans if word not in has or has[word])
