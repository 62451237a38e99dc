"""`simulate` and `report` statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..catalogue.tests import TESTS, find_test
from ..syntax import nodes
from .asked import alpha_of, seed_of
from .clauses import Said, allowances, because
from .model import Comparison, Output, Simulation
from .problems import Problems

WHOLE = ("n", "trials", "resamples", "rows", "datasets")
SHARES = ("error", "difference", "shared", "disagreement", "spread")
MOST = 10_000_000
_ENDINGS = (".html", ".md", ".tex", ".json", ".txt", "/")
_BY_NAME = "name a comparison by its `as` name, or compare-1 for the first"


def plan_simulation(
    statement: nodes.Simulate, name: str, said: Said, comparisons: Mapping[str, Comparison], problems: Problems
) -> Simulation:
    """A simulation with its subjects and settings checked."""
    for call in statement.subjects:
        if statement.kind == "power" and call.name.text not in comparisons:
            problems.unknown(call.span, "comparison", call.name.text, comparisons, _BY_NAME)
        if statement.kind == "type-I" and find_test(call.name.text) is None:
            problems.unknown(call.span, "test", call.name.text, (t.name for t in TESTS))
    settings = dict(_settings(said.get(nodes.With), problems))
    settings["alpha"] = (alpha_of(said, problems).value,)
    seed = seed_of(said, problems)
    if seed is not None:
        settings["seed"] = (seed.value,)
    return Simulation(
        name=name,
        kind=statement.kind,
        subjects=tuple(call.name.text for call in statement.subjects),
        settings=tuple(settings.items()),
        because=because(statement.clauses),
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )


def _settings(given: nodes.With | None, problems: Problems) -> Iterator[tuple[str, tuple[float, ...]]]:
    seen: set[str] = set()
    for setting in given.settings if given else ():
        word = setting.name.text
        if word not in WHOLE and word not in SHARES:
            problems.unknown(setting.name.span, "setting", word, (*WHOLE, *SHARES))
            continue
        if word in seen:
            problems.bad(setting.span, f"{word} is given twice", "keep one of the two")
            continue
        seen.add(word)
        values = [v for v in setting.values if _fits(word, v, problems)]
        if values:
            yield word, tuple(int(v.value) if word in WHOLE else v.value for v in values)


def _fits(word: str, value: nodes.Amount, problems: Problems) -> bool:
    if word in WHOLE:
        fits, wanted = (
            1 <= value.value <= MOST and value.value == int(value.value),
            f"a whole number from 1 to {MOST:,}",
        )
    else:
        fits, wanted = 0 <= value.value < 1 and value.unit != "rows", "a share between 0 and 1, such as 10%"
    if not fits:
        problems.bad(value.span, f"{word} cannot be {value.text}", f"write {wanted}")
    return fits


def plan_output(statement: nodes.Report, comparisons: Mapping[str, Comparison], problems: Problems) -> Output:
    """A report statement."""
    subject, path = statement.subject, statement.to.value
    if subject is not None and subject.text not in comparisons:
        problems.unknown(subject.span, "comparison", subject.text, comparisons, _BY_NAME)
    if statement.format is None and not path.endswith(_ENDINGS):
        help = "end it in .html, .md, .tex or .json, or add as html"
        problems.bad(statement.to.span, f'"{path}" does not say which format to write', help)
    return Output(
        subject=subject.text if subject else None,
        path=path,
        format=statement.format,
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )
