"""The literature behind what a run used: tests, corrections, metrics, schemes and learners, as BibTeX."""

from __future__ import annotations

import re

from ..catalogue.corrections import find_correction
from ..catalogue.learners import find_learner
from ..catalogue.metrics import find_metric
from ..catalogue.references import Reference, find_reference
from ..catalogue.tests import find_test
from ..plans.model import Comparison, Plan
from ..results.run_result import RunResult
from .escape import latex

_QUESTIONS = "dietterich1998"  # the nine questions of every verdict


def references(result: RunResult, subject: str | None = None) -> tuple[Reference, ...]:
    """Return what to cite, in order of its key."""
    plan = result.plan
    chosen = [c for c in plan.comparisons if subject in (None, c.name)]
    keys = {key for comparison in chosen for key in _keys(plan, comparison)} | ({_QUESTIONS} if chosen else set())
    found = (find_reference(key) for key in sorted(keys))
    return tuple(reference for reference in found if reference is not None)


def _keys(plan: Plan, comparison: Comparison) -> set[str]:
    cards = [find_test(t.name) for t in (*comparison.tests, *comparison.over)]
    keys = {key for card in cards if card is not None for key in card.references}
    for metric in comparison.metrics:
        card = find_metric(metric.name)
        keys.update(card.references if card is not None else ())
    if comparison.correction is not None:
        correction = find_correction(comparison.correction.method)
        keys.update(correction.references if correction is not None else ())
    if comparison.scheme is not None:
        keys.update(comparison.scheme.card.references)
    for name in comparison.learners:
        learner = plan.learner(name)
        for step in learner.steps if learner is not None else ():
            entry = find_learner(step.name)
            keys.update(entry.references if entry is not None else ())
    return keys


def bibtex(found: tuple[Reference, ...]) -> str:
    """Return the entries of a .bib file."""
    return "\n\n".join(_entry(reference) for reference in found) + ("\n" if found else "")


def _entry(reference: Reference) -> str:
    place = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}.get(
        reference.kind, "howpublished"
    )
    fields = {
        "author": _authors(reference.authors),
        "title": f"{{{latex(reference.title)}}}",
        "year": str(reference.year),
        place: latex(reference.where),
        "doi": reference.doi,
    }
    inside = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{reference.kind}{{{reference.key},\n{inside}\n}}"


def _authors(names: str) -> str:
    """Return names joined by `and`, as BibTeX expects them.

    >>> _authors("Benavoli, A., Corani, G., and Mangili, F.")
    'Benavoli, A. and Corani, G. and Mangili, F.'
    """
    parts = re.split(r"(?<=\.),\s+(?:and\s+)?|\s+and\s+", names)
    return latex(" and ".join(part.strip() for part in parts if part.strip()))
