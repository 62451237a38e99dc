"""Comparisons that train each learner once, and what that leaves unanswered about the learners."""

from __future__ import annotations

import math

from ..plans.model import Claim
from ..source.finding import Edit, Fix
from ..source.span import Span
from .case import Case
from .facts import Facts

# McNemar's test at 5% of two equal learners, taken for an answer about them. By training and test rows: the lowest and
# the highest share of rejections over learners (the study of levels, one-training.csv; a test holds the two together).
WRONG = {
    (200, 100): (0.040, 0.063),
    (200, 1000): (0.053, 0.197),
    (200, 5000): (0.080, 0.463),
    (2000, 100): (0.043, 0.060),
    (2000, 1000): (0.043, 0.100),
    (2000, 5000): (0.043, 0.143),
}


def wrong_about_learners(trained: float | None, tested: float | None) -> str:
    """How often the test was wrong about the learners in the simulation, at the sizes nearest to these.

    >>> wrong_about_learners(380, 190)
    'in 4.0% to 6.3% of the cases with 200 training and 100 test rows'
    """
    if trained is None or tested is None:
        near, sizes = WRONG, "200 to 2,000 training and 100 to 5,000 test rows"
    else:
        at = [math.log(max(n, 1)) for n in (trained, tested)]
        size = min(WRONG, key=lambda w: math.dist([math.log(n) for n in w], at))
        near, sizes = {size: WRONG[size]}, f"{size[0]:,} training and {size[1]:,} test rows"
    low, high = min(w[0] for w in near.values()), max(w[1] for w in near.values())
    return f"in {low:.1%} to {high:.1%} of the cases with {sizes}"


def about_learners(case: Case) -> bool:
    """Whether one training set has to answer, and nothing says that the trained classifiers are asked about."""
    if case.scheme is None or not case.scheme.one_training or case.comparison.this_classifier:
        return False
    return not case.claims or not all(claim.this_classifier for claim in case.claims)


def random_once(case: Case) -> list[str]:
    """Learners with randomness of their own that are trained once."""
    return [traits.name for traits in case.learners if traits.stochastic and traits.learner.trainings == 1]


def again(case: Case) -> list[str]:
    """Learners that are trained several times on the same rows."""
    return [traits.name for traits in case.learners if traits.learner.trainings > 1]


def rests_on_one_training(facts: Facts, claim: Claim) -> bool:
    """Whether a claim about learners has nothing but one training set; datasets taken together are more."""
    evidence = [facts.by_name[name] for name in claim.evidence if name in facts.by_name]
    if claim.this_classifier or claim.new_datasets or not evidence:
        return False
    return all(c.scheme is not None and c.scheme.one_training and not _together(claim, c) for c in evidence)


def _together(claim: Claim, case: Case) -> bool:
    over = case.comparison.over
    whole = set(claim.datasets) == set(case.comparison.datasets)
    named = any(test.origin == "written" for test in over) and whole and not claim.each
    return bool(over) and (claim.overall or named)


def of_this_classifier(case: Case) -> Fix | None:
    """The repair that asks about the trained classifiers; None where claims or datasets stand against it."""
    comparison = case.comparison
    if case.claims or len(comparison.datasets) > 1 or not comparison.learner_spans:
        return None
    return inserted("ask about these trained classifiers", comparison.learner_spans[0])


def inserted(title: str, before: Span) -> Fix:
    """`this classifier` before a name; it changes what is asked, so nobody but the author can decide it."""
    at = Span(before.path, before.start, before.start)
    return Fix(title=title, edits=(Edit(at, "this classifier "),), safe=False)
