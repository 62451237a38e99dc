"""`claim` statements: their names resolved, and the comparisons that bear on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..language import nodes
from .model import Claim, Comparison, Learner, Metric, Suite
from .names import Names
from .values import Clauses, PlanErrors, read_margin, read_one_metric

_RELATIONS = {"better": "better than", "no-worse": "no worse than", "same": "equivalent to"}


class ClaimEvidence:
    """Comparisons by learner, so that a claim finds its own without reading all of them."""

    def __init__(self, comparisons: tuple[Comparison, ...]) -> None:
        self.by_name = {c.name: c for c in comparisons}
        self.by_learner: dict[str, dict[str, Comparison]] = {}
        self.open: dict[str, list[Comparison]] = {}  # `compare all` on a table: only the table knows its learners
        for comparison in comparisons:
            if comparison.estimate:
                continue
            for learner in comparison.learners:
                self.by_learner.setdefault(learner, {})[comparison.name] = comparison
            if not comparison.learners:
                for dataset in comparison.datasets:
                    self.open.setdefault(dataset, []).append(comparison)

    def bearing(self, claim: Claim) -> tuple[str, ...]:
        """Return the names of the comparisons that test this pair, on these datasets, by this metric."""
        shared = self.of_pair(claim.left, claim.right, claim.metric, claim.according_to, claim.datasets)
        return tuple([c.name for c in shared if set(claim.datasets) <= set(c.datasets)])

    def of_pair(
        self,
        left: str,
        right: str,
        metric: Metric | None,
        according_to: str | None,
        tables: Iterable[str] | None = None,
    ) -> list[Comparison]:
        """Return the comparisons that test this pair by this metric; `compare all` counts on these tables only."""
        others = self.by_learner.get(right, {})
        shared = [c for name, c in self.by_learner.get(left, {}).items() if name in others]
        shared += [c for table in (self.open if tables is None else tables) for c in self.open.get(table, ())]
        return [
            c
            for c in shared
            if (not according_to or c.name == according_to)
            and (not c.control or c.control in (left, right))
            and (not metric or metric.name in {m.name for m in c.metrics})
        ]


def plan_claim(
    statement: nodes.ClaimStatement, number: int, names: Names, evidence: ClaimEvidence, errors: PlanErrors
) -> Claim | None:
    """Return a claim with its names resolved and its evidence; None when a name in it is unknown."""
    for name in (statement.left, statement.right):
        own = isinstance(names.definitions.get(name.text), Learner)
        if name.text not in evidence.by_learner and not evidence.open and not own:  # a table knows its own learners
            names.learner(name)
    clauses = Clauses(statement.clauses)
    metric = read_one_metric(clauses, "a claim has exactly one metric", "write one claim for each metric", errors)
    according = clauses.get(nodes.AccordingTo)
    according_to = according.comparison.text if according else None
    if according and according_to not in evidence.by_name:
        remedy = "name a comparison by its `as` name"
        errors.unknown_name(according.span, "comparison", according.comparison.text, evidence.by_name, remedy)
    elif not statement.datasets and not statement.new_datasets:
        comparisons = evidence.of_pair(statement.left.text, statement.right.text, metric, according_to)
        compared = _compared_datasets(statement, comparisons, names, errors)
        statement = replace(statement, datasets=tuple([nodes.Name(one, span=statement.span) for one in compared]))
    if not statement.datasets and not statement.new_datasets:
        return None
    datasets: dict[str, None] = {}
    suites: list[str] = []
    for name in statement.datasets:
        record = names.data(name)
        suites += [name.text] if isinstance(record, Suite) else []
        datasets.update(dict.fromkeys(record.members if isinstance(record, Suite) else (name.text,)))
    if statement.left.text == statement.right.text:
        errors.invalid(
            statement.right.span, f"the claim compares learner `{statement.left.text}` with itself", "name two learners"
        )
    claim = Claim(
        name=f"claim-{number}",
        left=statement.left.text,
        relation=statement.relation,
        right=statement.right.text,
        within=read_margin(statement.within, (metric,) if metric else (), errors) if statement.within else None,
        datasets=tuple(datasets),
        suites=tuple(suites),
        new_datasets=statement.new_datasets,
        each=statement.each,
        overall=clauses.get(nodes.Overall) is not None,
        metric=metric,
        according_to=according_to,
        this_classifier=statement.this_classifier,
        because=clauses.because,
        text=sentence(statement),
        allow=clauses.allowances(errors),
        span=statement.span,
    )
    return replace(claim, evidence=evidence.bearing(claim))


def _compared_datasets(
    statement: nodes.ClaimStatement, comparisons: list[Comparison], names: Names, errors: PlanErrors
) -> tuple[str, ...]:
    """Return the datasets and suites on which the script compares the two learners of a claim without `on`.

    Of several comparisons one has to be on the datasets of all of them, by the same scheme; else there is an error.
    """
    claim = sentence(statement)
    if not comparisons:
        pair = f"{statement.left.text} vs {statement.right.text}"
        help = f"write `compare {pair} on …` in the script, or `claim {claim} on …`"
        errors.invalid(
            statement.span, "the claim names no datasets, and no comparison in the script has both learners", help
        )
        return ()
    widest = max(comparisons, key=lambda one: len(one.datasets))
    for other in comparisons:
        same = set(other.datasets) == set(widest.datasets)
        if not same and not (set(other.datasets) < set(widest.datasets) and other.scheme == widest.scheme):
            first, second = (", ".join(_written_datasets(one, names)) for one in (widest, other))
            where = f"`{widest.name}` uses {first}, but `{other.name}` uses {second}"
            help = f"write one claim for each: `claim {claim} on {first}` and `claim {claim} on {second}`"
            errors.invalid(statement.span, f"the claim names no datasets, and {where}", help)
            return ()
    return _written_datasets(widest, names)


def _written_datasets(comparison: Comparison, names: Names) -> tuple[str, ...]:
    """Return the datasets of a comparison with the names of its suites in place of their members."""
    suites = [record for name in comparison.suites if isinstance(record := names.definitions.get(name), Suite)]
    suite_of = {member: suite.name for suite in suites for member in suite.members}
    return tuple(dict.fromkeys([suite_of.get(name, name) for name in comparison.datasets]))


def sentence(statement: nodes.ClaimStatement) -> str:
    """Return the claim in the words of the language."""
    within = f" within {statement.within.text}" if statement.within else ""
    where = ", ".join(name.text for name in statement.datasets)
    place = " on new datasets" if statement.new_datasets else f" on {'each of ' if statement.each else ''}{where}"
    return (
        f"{'this classifier ' if statement.this_classifier else ''}{statement.left.text} "
        f"{_RELATIONS[statement.relation]} {statement.right.text}{within}"
        f"{place if where or statement.new_datasets else ''}"
    )
