"""`claim` statements: their names resolved, and the comparisons that bear on them."""

from __future__ import annotations

from dataclasses import replace

from ..language import nodes
from .clauses import Clauses
from .model import Claim, Comparison, Learner, Suite
from .names import Names
from .values import PlanErrors, read_margin, read_metric

_RELATIONS = {"better": "better than", "no-worse": "no worse than", "same": "equivalent to"}


class ClaimEvidence:
    """Comparisons by learner, so that a claim finds its own without reading all of them."""

    def __init__(self, comparisons: tuple[Comparison, ...]) -> None:
        self.by_name = {c.name: c for c in comparisons}
        self.by_learner: dict[str, dict[str, Comparison]] = {}
        self.open: dict[str, list[Comparison]] = {}  # `compare all` on a table: only the table knows its learners
        self.cache: dict[tuple[object, ...], tuple[str, ...]] = {}
        for found in comparisons:
            if found.estimate:
                continue
            for learner in found.learners:
                self.by_learner.setdefault(learner, {})[found.name] = found
            if not found.learners:
                for dataset in found.datasets:
                    self.open.setdefault(dataset, []).append(found)

    def bearing(self, claim: Claim) -> tuple[str, ...]:
        """Names of the comparisons that test this pair, on these datasets, by this metric."""
        key = (claim.left, claim.right, claim.datasets, claim.metric, claim.according_to, claim.new_datasets)
        if key not in self.cache:
            left, right = self.by_learner.get(claim.left, {}), self.by_learner.get(claim.right, {})
            shared = [c for name, c in left.items() if name in right]
            shared += [c for dataset in claim.datasets for c in self.open.get(dataset, ())]
            self.cache[key] = tuple([c.name for c in shared if _bears(c, claim)])
        return self.cache[key]


def _bears(comparison: Comparison, claim: Claim) -> bool:
    if claim.according_to and comparison.name != claim.according_to:
        return False
    if comparison.control and comparison.control not in (claim.left, claim.right):
        return False
    if claim.metric and claim.metric.name not in {m.name for m in comparison.metrics}:
        return False
    return set(claim.datasets) <= set(comparison.datasets)


def plan_claim(
    statement: nodes.ClaimStatement, number: int, names: Names, evidence: ClaimEvidence, errors: PlanErrors
) -> Claim | None:
    """A claim with its names resolved and what bears on it, or None when it speaks of what is not there."""
    datasets: dict[str, None] = {}
    suites: list[str] = []
    known = [_known(name, names, evidence) for name in (statement.left, statement.right)]
    for name in statement.datasets:
        record = names.data(name)
        if record is None:
            return None
        suites += [name.text] if isinstance(record, Suite) else []
        datasets.update(dict.fromkeys(record.members if isinstance(record, Suite) else (name.text,)))
    if not all(known):
        return None
    clauses = Clauses(statement.clauses)
    measuring, according = clauses.get(nodes.Measuring), clauses.get(nodes.AccordingTo)
    measured = read_metric(measuring.metrics[0], errors) if measuring else None
    if measuring and len(measuring.metrics) > 1:
        errors.invalid(measuring.span, "a claim is about one metric", "write one claim for each metric")
    if according and according.comparison.text not in evidence.by_name:
        remedy = "name a comparison by its `as` name"
        errors.unknown_name(according.span, "comparison", according.comparison.text, evidence.by_name, remedy)
    if statement.left.text == statement.right.text:
        errors.invalid(statement.right.span, f"{statement.left.text} is claimed against itself", "name two learners")
    found = Claim(
        name=f"claim-{number}",
        left=statement.left.text,
        relation=statement.relation,
        right=statement.right.text,
        within=read_margin(statement.within, (measured,) if measured else (), errors) if statement.within else None,
        datasets=tuple(datasets),
        suites=tuple(suites),
        new_datasets=statement.new_datasets,
        each=statement.each,
        overall=clauses.get(nodes.Overall) is not None,
        metric=measured,
        according_to=according.comparison.text if according else None,
        this_classifier=statement.this_classifier,
        because=clauses.because,
        text=sentence(statement),
        allow=clauses.allowances(errors),
        span=statement.span,
    )
    return replace(found, evidence=evidence.bearing(found))


def _known(name: nodes.Name, names: Names, evidence: ClaimEvidence) -> bool:
    """A learner of a comparison or of the script; any name where the learners of a table are not known yet."""
    if name.text in evidence.by_learner or evidence.open or isinstance(names.definitions.get(name.text), Learner):
        return True
    return names.learner(name) is not None


def sentence(statement: nodes.ClaimStatement) -> str:
    """The claim in the words of the language."""
    within = f" within {statement.within.text}" if statement.within else ""
    where = ", ".join(name.text for name in statement.datasets)
    place = "new datasets" if statement.new_datasets else f"{'each of ' if statement.each else ''}{where}"
    return (
        f"{'this classifier ' if statement.this_classifier else ''}{statement.left.text} "
        f"{_RELATIONS[statement.relation]} {statement.right.text}{within} on {place}"
    )
