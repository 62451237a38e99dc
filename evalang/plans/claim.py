"""`claim`, `simulate` and `report` statements, and which comparisons bear on a claim."""

from __future__ import annotations

from ..catalogue.tests import TESTS, find_test
from ..source.text import Source
from ..syntax import nodes
from . import model
from .comparison import margin
from .definitions import allowances, because, clause, metric
from .names import Names
from .problems import Problems

_SETTINGS = ("n", "error", "difference", "trials", "seed", "shared", "resamples", "rows", "datasets", "disagreement")
MOST_TRIALS = 10_000_000


class Evidence:
    """Comparisons by pair and dataset, so that a claim finds its own without reading all of them."""

    def __init__(self, comparisons: tuple[model.Comparison, ...]) -> None:
        self.by_name = {c.name: c for c in comparisons}
        self.by_learner: dict[str, dict[str, model.Comparison]] = {}
        self.open: dict[str, list[model.Comparison]] = {}  # `compare all`: learners are known with the table
        self.cache: dict[tuple[object, ...], tuple[str, ...]] = {}
        for found in comparisons:
            if found.estimate:
                continue
            for learner in found.learners:
                self.by_learner.setdefault(learner, {})[found.name] = found
            if not found.learners:
                for dataset in found.datasets:
                    self.open.setdefault(dataset, []).append(found)

    def bearing(self, claim: model.Claim) -> tuple[str, ...]:
        """Names of the comparisons that test this pair, on these datasets, by this metric."""
        key = (claim.left, claim.right, claim.datasets, claim.metric, claim.according_to, claim.new_datasets)
        if key not in self.cache:
            left, right = self.by_learner.get(claim.left, {}), self.by_learner.get(claim.right, {})
            shared = [c for name, c in left.items() if name in right]
            shared += [c for dataset in claim.datasets for c in self.open.get(dataset, ())]
            self.cache[key] = tuple(c.name for c in shared if _bears(c, claim))
        return self.cache[key]


def _bears(comparison: model.Comparison, claim: model.Claim) -> bool:
    if claim.according_to and comparison.name != claim.according_to:
        return False
    if comparison.control and comparison.control not in (claim.left, claim.right):
        return False
    if claim.metric and claim.metric.name not in {m.name for m in comparison.metrics}:
        return False
    return set(claim.datasets) <= set(comparison.datasets)


def plan_claim(statement: nodes.Claim, number: int, names: Names, source: Source, problems: Problems) -> model.Claim | None:
    """A claim with its names resolved; what bears on it is found when all comparisons are known."""
    datasets: dict[str, None] = {}
    suites = []
    for name in statement.datasets:
        record = names.data(name)
        if record is None:
            return None
        suites += [name.text] if isinstance(record, model.Suite) else []
        datasets.update(dict.fromkeys(record.members if isinstance(record, model.Suite) else (name.text,)))
    measuring = clause(statement.clauses, nodes.Measuring)
    measured = metric(measuring.metrics[0], problems) if measuring else None
    according = clause(statement.clauses, nodes.AccordingTo)
    within = margin(statement.within, (measured,) if measured else (), problems) if statement.within else None
    said = source.cut(statement.span).split("#")[0]
    first = min((c.span.start for c in statement.clauses), default=statement.span.end)
    said = source.text[statement.span.start : first] if statement.clauses else said
    return model.Claim(
        name=f"claim-{number}",
        left=statement.left.text,
        relation=statement.relation,
        right=statement.right.text,
        within=within,
        datasets=tuple(datasets),
        suites=tuple(suites),
        new_datasets=statement.new_datasets,
        each=statement.each,
        overall=clause(statement.clauses, nodes.Overall) is not None,
        metric=measured,
        according_to=according.comparison.text if according else None,
        this_classifier=statement.this_classifier,
        because=because(statement.clauses),
        text=" ".join(said.split()).removeprefix("claim ").rstrip(" ,"),
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )


def plan_simulation(statement: nodes.Simulate, number: int, comparisons: dict[str, model.Comparison], problems: Problems) -> model.Simulation:
    """A simulation with its subjects and settings checked."""
    for call in statement.subjects:
        if statement.kind == "power" and call.name.text not in comparisons:
            problems.unknown(call.span, "comparison", call.name.text, comparisons, "name a comparison by its `as` name, or compare-1 for the first")
        if statement.kind == "type-I" and find_test(call.name.text) is None:
            problems.unknown(call.span, "test", call.name.text, (t.name for t in TESTS))
    settings: dict[str, tuple[float, ...]] = {}
    given = clause(statement.clauses, nodes.With)
    for setting in given.settings if given else ():
        word = setting.name.text
        if word not in _SETTINGS:
            problems.unknown(setting.name.span, "setting", word, _SETTINGS)
            continue
        if word in settings:
            problems.bad(setting.span, f"{word} is given twice", "keep one of the two")
        settings[word] = tuple(float(v.value) for v in setting.values)
        _check_setting(setting, problems)
    seed = clause(statement.clauses, nodes.Seed)
    if seed is not None:
        settings["seed"] = (float(seed.value.value),)
    return model.Simulation(
        name=f"simulate-{number}",
        kind=statement.kind,
        subjects=tuple(call.name.text for call in statement.subjects),
        settings=tuple(settings.items()),
        because=because(statement.clauses),
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )


def _check_setting(setting: nodes.Setting, problems: Problems) -> None:
    whole = setting.name.text in ("n", "trials", "seed", "resamples", "rows", "datasets")
    for value in setting.values:
        fits = value.value == int(value.value) and 1 <= value.value <= MOST_TRIALS if whole and abs(value.value) < 1e15 else not whole
        if setting.name.text == "seed":
            fits = value.value >= 0 and value.value == int(value.value)
        if not whole:
            fits = 0 <= value.value < 1
        if not fits:
            kind = f"a whole number from 1 to {MOST_TRIALS:,}" if whole else "a share between 0 and 1, such as 10%"
            problems.bad(value.span, f"{setting.name.text} cannot be {value.text}", f"write {kind}")


def plan_output(statement: nodes.Report, comparisons: dict[str, model.Comparison], problems: Problems) -> model.Output:
    """A report statement."""
    if statement.subject is not None and statement.subject.text not in comparisons:
        problems.unknown(statement.subject.span, "comparison", statement.subject.text, comparisons, "name a comparison by its `as` name")
    if statement.format is None and not statement.to.value.endswith((".html", ".md", ".tex", ".json", ".txt", "/")):
        problems.bad(statement.to.span, f'"{statement.to.value}" does not say which format to write', "end it in .html, .md, .tex or .json, or add as html")
    return model.Output(
        subject=statement.subject.text if statement.subject else None,
        path=statement.to.value,
        format=statement.format,
        allow=allowances(statement.clauses, problems),
        span=statement.span,
    )
