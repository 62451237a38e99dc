"""What sentence a design could support if all goes well, and what it never could."""

from __future__ import annotations

from ..catalogue.metrics import find_metric
from ..catalogue.tests import find_test
from ..plans.model import Comparison, Plan, Suite, Test
from .wording import counted, listed, number

_ONE_TRAINING = ("holdout", "given-test")


def could_say(plan: Plan, comparison: Comparison) -> tuple[str, ...]:
    """Sentences that a significant result would allow, in the user's names."""
    if comparison.estimate:
        return (_estimate(comparison),)
    said = [_on_each(comparison)] if comparison.tests else []
    said += [_over(plan, comparison)] if comparison.over else []
    equal = [t.name for t in (*comparison.tests, *comparison.over) if t.name == "tost"]
    if equal and comparison.rope is not None:
        pair = _pair(comparison)
        said.append(f"{pair} are the same within {number(comparison.rope.value)}, if tost rejects both sides.")
    if not said:
        said.append(f"The scores of {listed(comparison.learners)} side by side; no test says that they differ.")
    return tuple(said)


def could_not_say(plan: Plan, comparison: Comparison) -> tuple[str, ...]:
    """Sentences that no result of this design allows."""
    if comparison.estimate:
        return ("That another learner is better or worse: nothing is compared.",)
    said = []
    if not any(t.name == "tost" for t in (*comparison.tests, *comparison.over)):
        said.append("That they are the same: no significant difference is not equality (tost with a rope shows that).")
    if comparison.data == "datasets" and not _drawn(plan, comparison):
        where = listed(comparison.datasets)
        said.append(f"Anything about data other than {where}: they are no sample of a named population.")
    kind = comparison.scheme.kind if comparison.scheme else comparison.data
    if kind in _ONE_TRAINING and not comparison.this_classifier:
        said.append("That it would be so with another training set: each learner is trained once.")
    elif comparison.this_classifier and kind not in (*_ONE_TRAINING, "predictions"):
        said.append("Anything about one trained classifier: the scheme trains several.")
    return tuple(said)


def _pair(comparison: Comparison) -> str:
    names = comparison.learners
    return listed(names) if names else "the learners of the table"


def _metrics(comparison: Comparison) -> str:
    return listed([m.name for m in comparison.metrics])


def _better(comparison: Comparison) -> str:
    names = comparison.learners
    if comparison.expecting and len(names) == 2:
        other = next(n for n in names if n != comparison.expecting)
        return f"{comparison.expecting} is better than {other}"
    if comparison.control is not None:
        others = [n for n in names if n != comparison.control]
        return f"{comparison.control} is better (or worse) than {listed(others, 'or')}"
    if len(names) == 2:
        return f"{names[0]} is better than {names[1]} (or the reverse)"
    return (
        f"one of {listed(names)} is better than another" if names else "one learner of the table is better than another"
    )


def _on_each(comparison: Comparison) -> str:
    several = len(comparison.datasets) > 1
    where = f"each of {listed(comparison.datasets)} by itself" if several else comparison.datasets[0]
    about = "as trained here" if comparison.this_classifier else _as_learners(comparison)
    return f"On {where}, {_better(comparison)} by {_metrics(comparison)}, {about}{_level(comparison)}."


def _as_learners(comparison: Comparison) -> str:
    scheme = comparison.scheme
    if scheme is None:
        return "as the predictions show"
    if scheme.kind == "trainings":
        return f"when trained on {counted(scheme.rows or 0, 'row')}"
    if scheme.kind in ("5x2cv", "partitions-5x2cv"):
        return "when trained on half of the rows"
    return "as learners on data like this"


def _over(plan: Plan, comparison: Comparison) -> str:
    judged = _last(comparison.over)
    count = len(comparison.datasets)
    over = f"these {count} datasets" if comparison.data == "datasets" else f"the datasets of {comparison.datasets[0]}"
    drawn = _drawn(plan, comparison)
    about = f", and over the population they were drawn from ({drawn.sampled_from})" if drawn else ""
    return f"Over {over}{about}, {_better(comparison)} by {_metrics(comparison)} ({judged.name})."


def _last(tests: tuple[Test, ...]) -> Test:
    two = [t for t in tests if (card := find_test(t.name)) is not None and card.learners == "two"]
    return two[-1] if two else tests[-1]


def _drawn(plan: Plan, comparison: Comparison) -> Suite | None:
    for suite in plan.suites:
        if suite.name in comparison.suites and suite.sampled_from and set(comparison.datasets) <= set(suite.members):
            return suite
    return None


def _level(comparison: Comparison) -> str:
    if comparison.correction is None or comparison.correction.method == "uncorrected":
        return f", at level {number(comparison.alpha.value)}"
    over = listed(comparison.correction.over)
    return f", at level {number(comparison.alpha.value)} after {comparison.correction.method} over {over}"


def _estimate(comparison: Comparison) -> str:
    learner = comparison.learners[0] if comparison.learners else "the learner"
    where = listed(comparison.datasets)
    card = find_metric(comparison.metrics[0].name) if comparison.metrics else None
    what = card.title.lower() if card is not None and len(comparison.metrics) == 1 else _metrics(comparison)
    who = f"{learner} as trained here" if comparison.this_classifier else f"{learner} as a learner"
    return (
        f"The {what} of {who} on {where} lies between two bounds, with a certainty of {1 - comparison.alpha.value:.0%}."
    )
